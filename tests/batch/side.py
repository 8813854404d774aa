#!/usr/bin/env python3
"""Runs side by side (--batch) are the same to the bit as runs alone.

side.py examples HOST TMLC LEVELS      at so many of the four levels, others on the next day
side.py random HOST TMLC RANDOM_PROGRAMS COUNT
side.py speed HOST TMLC                at least three times as fast
side.py ways HOST TMLC COUNT           components whose runs go different ways (ways.py)
"""

import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))

from seeds import default_seed, todays_share  # noqa: E402
from ways import random_component  # noqa: E402

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
CALM = {"bool": ["true", "false"], "uint": "0 1 2 3 5".split(), "int": "0 1 2 3 -1 -2".split(),
        "real": "0.0 1.0 2.0 0.5 -0.25 3.75 0.1 -7.3".split()}
WILD = {"bool": ["true", "false"], "uint": "0 1 2 7 31 100 2147483648 4294967295".split(),
        "int": "0 1 2 7 -1 -5 33 -100 2147483647 -2147483648".split(),
        "real": "0.0 1.0 0.5 -0.25 -7.3 -0.0 1e30 1e-30 nan inf -inf".split()}
RUNS = 21  # not a multiple of the lanes
KEPT = ("all", "last", "max", "mean", "rms")


def elements(variable):
    names = [variable["name"]]
    for dim in sum(variable["dims"], []):
        names = [f"{name}[{i}]" for name in names for i in range(dim)]
    return names


def table(chance, variables, rows, nominal=False):
    """CSV with random values of all elements; None without any."""
    names, pools = [], []
    for variable in variables:
        names += elements(variable)
        # Most are calm, so that not all runs trap.
        pools += [CALM[variable["root"]] if chance.random() < 0.8 else WILD[variable["root"]]] * len(elements(variable))
    lines = [",".join(chance.choice(pool) for pool in pools) for _ in range(rows)]
    return "\n".join([",".join(names), *lines]) + "\n" if names else None


def run(folder, program, *args):
    return subprocess.run([f"./{program}", *args], cwd=folder, capture_output=True, text=True, timeout=120)


def content(file):
    """The bytes of a file; in arrays, which are doubles, one nan is as good as another."""
    data = file.read_bytes()
    if file.suffix != ".npy":
        return data
    begin = 10 + int.from_bytes(data[8:10], "little")
    values = np.frombuffer(data, "<f8", offset=begin).copy()
    values[np.isnan(values)] = np.nan
    return data[:begin] + values.tobytes()


def results(folder, program, args, kept):
    """What a program says and writes, all of it."""
    found = {}
    for keep in kept:
        for file in folder.glob("y.*"):
            file.unlink()
        ended = run(folder, program, *args, "--keep", keep, "--out", "y.npy")
        found[keep] = [ended.returncode, ended.stderr.replace(f"./{program}", ""),
                       *(content(file) for file in sorted(folder.glob("y.*")))]
    return found


def compare(folder, tmlc, source, options, chance, lanes, args=None, kept=KEPT):
    """What the compiler says of runs side by side, or None where there is nothing to compare."""
    made = subprocess.run([tmlc, source, *options, "-o", "alone"], cwd=folder, capture_output=True, text=True)
    if made.returncode != 0:
        return None
    said = subprocess.run([tmlc, source, *options, "-w", f"--batch={lanes}", "-o", "side"], cwd=folder, check=True,
                          capture_output=True, text=True).stderr
    about = json.loads(run(folder, "alone", "--describe=json").stdout)
    variables = about["variables"]
    if not any(v["role"] == "output" for v in variables):
        return None
    inputs = [v for v in variables if v["role"] == "input"]
    tunables = [v for v in variables if v["role"] == "tunable"]
    if args is None:
        text = table(chance, inputs, 12)
        args = ["--in", "u.csv"] if text else ["--steps", "12"]
        (folder / "u.csv").write_text(text or "")
    text = table(chance, tunables, RUNS)
    (folder / "p.csv").write_text(text or "")
    args = [*args, *(["--params", "p.csv"] if text else ["--runs", str(RUNS)])]
    alone, side = results(folder, "alone", args, kept), results(folder, "side", args, kept)
    if alone != side:
        for keep, expected in alone.items():
            if side[keep] != expected:
                print(f"{source} {options} --batch={lanes}, --keep {keep}: {side[keep][:2]} is not {expected[:2]}")
        sys.exit("runs side by side differ from runs alone")
    return said


def examples(tmlc, levels):
    chance = random.Random(1)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for script in sorted(EXAMPLES.glob("*/expected.py")):
            name = script.parent.name
            source = str(script.parent / f"{name}.tml")
            interface = script.parent / f"{name}.interface.tml"
            options = [f"--interface={interface}"] if interface.exists() else []
            for level in todays_share(["-O2", "-O3", "-O1", "--real=f32"], 4 // levels):
                args = ["--in", str(script.parent / "input.csv"), "--steps", "40"]
                if compare(folder, tmlc, source, [*options, level], chance, chance.choice([2, 4, 8, 16]), args) is None:
                    sys.exit(f"{name}: was not compared")
            print(f"{name}: equal")


def speed(tmlc, least):
    """Processor time per run and step of what is repeated, without start and output."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for name in ("dcmotor", "biquad", "pid", "statespace"):
            text = re.sub(r"^real p\.", "tunable real p.", (EXAMPLES / name / f"{name}.tml").read_text(), flags=re.M)
            (folder / "m.tml").write_text(text)
            seconds = {}
            for program, options in (("alone", []), ("side", ["--batch"])):
                subprocess.run([tmlc, "m.tml", *options, "-o", program], cwd=folder, check=True)
                inputs = (EXAMPLES / name / "input.csv").read_text().splitlines()
                (folder / "u.csv").write_text("\n".join(inputs[:1] + inputs[1:2] * 4000) + "\n")
                for runs in ("800", "8000"):
                    times = []
                    for _ in range(3):
                        start = os.times().children_user
                        run(folder, program, "--in", "u.csv", "--runs", runs, "--threads", "1", "--out", "y.npy")
                        times.append(os.times().children_user - start)
                    seconds[program, runs] = min(times)
            alone, side = (seconds[p, "8000"] - seconds[p, "800"] for p in ("alone", "side"))
            print(f"{name}: {alone / 7200 / 4000 * 1e9:.2f} ns a step alone, {side / 7200 / 4000 * 1e9:.2f} ns "
                  f"side by side: {alone / side:.1f} times")
            if alone < least * side:
                sys.exit(f"runs side by side are not {least} times as fast")


def random_components(tmlc, generator, count):
    seed = default_seed()
    compared = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for number in range(count):
            chance = random.Random(f"{seed} {number}")
            text = subprocess.run([generator, "--print", "--components", "--seed", str(seed), "--first", str(number),
                                   "--count", "1"], capture_output=True, check=True).stdout.decode()
            header = text.split("\n", 1)[0]
            options = [word for word in header.split() if word.startswith("-")]
            for name in re.findall(r"\bt\.\w+", header):
                options += ["--with", name]
            (folder / "r.tml").write_text(text)
            lanes = chance.choice([2, 4, 8, 16])
            print(f"component {number} of seed {seed}", flush=True)
            compared += compare(folder, tmlc, "r.tml", options, chance, lanes) is not None
    print(f"{compared} of {count} compared")
    if compared < count // 4:
        sys.exit("most could not be compared")


def different_ways(tmlc, count):
    seed = default_seed()
    compared = refused = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for number in range(count):
            chance = random.Random(f"{seed} {number} ways")
            (folder / "w.tml").write_text(random_component(chance))
            print(f"component {number} of seed {seed}", flush=True)
            said = compare(folder, tmlc, "w.tml", [chance.choice(["-O0", "-O1", "-O2", "-O2", "-O3", "-Os"])], chance,
                           chance.choice([2, 4, 8, 16]), kept=("all", "last"))
            compared += said is not None
            refused += bool(said)
            if said:
                print(said.strip())
    print(f"{compared} of {count} compared, {refused} of them made one by one")
    if compared < count // 2 or refused > compared // 4:
        sys.exit("most could not be compared")


def main():
    what, _, tmlc, *rest = sys.argv[1:]
    tmlc = os.path.abspath(tmlc)
    if what == "examples":
        examples(tmlc, int(rest[0]))
        speed(tmlc, 1)
    elif what == "speed":
        speed(tmlc, 3)
    elif what == "ways":
        different_ways(tmlc, int(rest[0]))
    else:
        random_components(tmlc, os.path.abspath(rest[0]), int(rest[1]))


main()
