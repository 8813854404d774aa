"""The functions of the library against NumPy and SciPy: library.py TMLC ROOT [--all] [--seed S]
[--count N] [--only NAME]

Every function of sema/library, and those built in that are no mere operation, is called with random
arguments, with hostile ones (EDGES) among them, in f64 and f32, and the results are compared with what
NumPy or SciPy, or the definition in library_cases.py, says: as closely as the line `accuracy` of the comment above
the function claims, or of its entry in sema/builtin/functions.in. A function without such a line or without
a case fails. Without --seed the arguments are those of the day, and the optimisation and the arithmetic
(`--fp`) are too: one of four. With --all there are 200 of each in all four.

Arguments go through files, and one call in a loop takes many of a shape, so that little is compiled.
"""

import argparse
import concurrent.futures
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import library_cases  # noqa: E402
from library_cases import EDGES, WIDE, double  # noqa: E402
from library_table import CASES  # noqa: E402
from seeds import default_seed  # noqa: E402

HEAD = re.compile(r"((?:^# .*\n)+)^fn ([a-z]\w*)\((.*)\) ", re.MULTILINE)
ENTRY = re.compile(r"^@ (\w+)\(.*\n(?:.+\n)*?accuracy: (.*)\n", re.MULTILINE)
ACCURACY = re.compile(r"(.*) (eps|ulp)(?: (.*))?")
PARAM = re.compile(r"(?:tensor<\w+((?:, [^<>,]+)*)>|\w+) (\w+)(?: = [^,]*)?(?:, |$)")
MODES = [("-O2", []), ("-O0", []), ("-O2", ["--fp=strict"]), ("-O0", ["--fp=strict"])]
ROOTS = {"f": "real", "i": "int", "u": "uint", "b": "bool"}
PER_SHAPE = 20
EITHER_ZERO = ("min", "max")  # of 0 and -0


class Claim:
    """What a function says of its accuracy."""

    def __init__(self, text, params=()):
        self.params = params  # names and the letters of their dims
        text = text.partition(", where")[0]
        self.exact = text in ("exact", "1 rounding")
        if not self.exact:
            match = ACCURACY.fullmatch(text)
            if match is None:
                raise SystemExit(f"what accuracy is `{text}`?")
            factor, unit, self.scale = match.groups()
            self.factor = re.sub(r" (?![^(]*\))", "*", factor)
            self.per_eps = 2 if unit == "ulp" else 1

    def sizes(self, case, arguments):
        sizes = {}
        for (_, letters), value in zip(self.params, arguments):
            if value.ndim >= len(letters):
                sizes.update(zip(letters, value.shape[value.ndim - len(letters):]))
        sizes.update(case.sizes(*arguments) if case.sizes else {})
        return sizes

    def tolerance(self, case, arguments, eps):
        return self.per_eps * eps * eval(self.factor, {"min": min, "max": max}, self.sizes(case, arguments))

    def scale_of(self, case, arguments, wanted, largest):
        """What an error is relative to, for each element of a result; `largest` is that of all results."""
        words = self.scale or "itself"
        named = {name: np.abs(np.asarray(value, WIDE)) for (name, _), value in zip(self.params, arguments)}
        if words == "itself":
            return np.abs(wanted)
        if words in ("of the terms", "cond"):
            return case.terms(*(np.asarray(x, WIDE) if x.dtype.kind == "f" else x for x in arguments))
        if words == "of the largest":
            return largest
        if match := re.fullmatch(r"(of 1 \+ )?max \|(\w+)\|", words):
            values = named[match[2]]
            return bool(match[1]) + np.max(values[np.isfinite(values)], initial=0)
        match = re.fullmatch(r"\|(\w+)\|", words)
        return library_cases.size_of(named[match[1]])


def claims_of(root):
    claims = {}
    for path in sorted((root / "sema/library").glob("*.tml")):
        for comment, name, params in HEAD.findall(path.read_text()):
            text = re.search(r"^# accuracy: (.*)$", comment, re.MULTILINE)
            if text:
                names = [(param, re.findall(r"\w", letters)) for letters, param in PARAM.findall(params)]
                claims[name] = Claim(text[1], names)
    for name, text in ENTRY.findall((root / "sema/builtin/functions.in").read_text()):
        if name in CASES:
            claims[name] = Claim(text)
    return claims


class Block:
    """Calls of one function with arguments of one set of shapes."""

    def __init__(self, key, claim, count, first, kind):
        self.key, self.claim, self.kind = key, claim, kind
        self.case = CASES[key]
        made = self.case.make()
        draw, text, define = (*made, None, None)[:3] if isinstance(made, tuple) else (made, None, None)
        self.define = define or self.case.define
        self.arguments = [tuple(self.narrow(x) for x in draw()) for _ in range(count)]
        edges = self.case.edges.split()
        for k in range(len(edges) if first else 0):  # the edges come in the first blocks, on top
            x, *others = self.arguments[k % count]
            if x.ndim > 0:
                self.arguments[k % count] = (self.narrow(EDGES[edges[k]](double(x))), *others)
        count_of = len(self.arguments[0])
        self.text = text or self.case.text or f"{key.partition('#')[0]}(" + ", ".join(
            f"{{{k}}}" for k in range(count_of)) + ")"
        self.wanted = [self.right(arguments) for arguments in self.arguments]

    def narrow(self, x):
        x = np.asarray(x)
        return x.astype(self.kind) if x.dtype.kind == "f" else x

    def right(self, arguments):
        if self.case.judge:
            return None
        if not self.claim.exact:
            arguments = [np.asarray(x, WIDE) if x.dtype.kind == "f" else x for x in arguments]
        out = self.define(*arguments)
        return tuple(map(np.asarray, out)) if isinstance(out, tuple) else (np.asarray(out),)

    def shapes(self):
        """Of the results, with their roots."""
        if self.case.judge:
            a = self.arguments[0][0]
            n, m = a.shape
            k = min(n, m)
            return {"qr": [(n, m), (m, m)], "eigh": [(n,), (n, n)], "svd": [(n, k), (k,), (m, k)]}[self.key.partition("#")[0]], ["real"] * 3
        integral = {"sat_int": "int", "sat": "int", "sat_uint": "uint", "popcount": "uint", "clz": "uint", "ctz": "uint",
                    "bitreverse": "uint", "mulhi": "uint", "philox": "uint"}
        roots = [integral.get(self.key, ROOTS[x.dtype.kind]) for x in self.wanted[0]]
        return [x.shape for x in self.wanted[0]], roots

    def program(self, at, folder):
        """Its lines, and the options that name its files."""
        count = len(self.arguments)
        lines, options, names = [], [], []
        for k in range(len(self.arguments[0])):
            values = np.stack([arguments[k] for arguments in self.arguments])
            name = f"a{at}_{k}"
            np.save(folder / name, values)
            options += ["--in", f"{name}={folder}/{name}.npy"]
            lines.append(f'{name} = input(tensor<{ROOTS[values.dtype.kind]}, {", ".join(map(str, values.shape))}>, "{name}")')
            names.append(f"{name}[k{', ...' if values.ndim > 1 else ''}]")
        shapes, roots = self.shapes()
        results = [f"r{at}_{k}" for k in range(len(shapes))]
        for result, shape, root in zip(results, shapes, roots):
            zero = {"real": "0.0", "int": "0", "uint": "0u", "bool": "false"}[root]
            lines.append(f"tensor<{root}, {', '.join(map(str, (count, *shape)))}> {result} = {zero}")
        targets = ", ".join(f"t{at}_{k}" for k in range(len(shapes)))
        lines += [f"for k = 0:{count}:", f"    {targets} = {self.text.format(*names)}"]
        lines += [f"    {result}[k{', ...' if shape else ''}] = t{at}_{k}"
                  for k, (result, shape) in enumerate(zip(results, shapes))]
        lines.append("end")
        for result in results:
            lines.append(f'output("{result}", {result})')
            options += ["--out", f"{result}={folder}/{result}.npy"]
        return lines, options, results

    def wrong(self, got, eps):
        """The calls that are too far off, as texts."""
        for k, arguments in enumerate(self.arguments):
            results = [x[k] for x in got]
            if self.case.judge:
                limit = self.claim.tolerance(self.case, arguments, eps)
                pairs = self.case.judge(arguments, results)
                bad = any(not error <= limit * scale for error, scale in pairs)
                wanted = [f"{error:.3g} within {limit * scale:.3g}" for error, scale in pairs] if bad else None
            else:
                wanted = self.wanted[k]
                largest = max(np.max(np.abs(w[np.isfinite(w)]), initial=0) for w in wanted)
                bad = any(self.differs(g, w, arguments, eps, largest) for g, w in zip(results, wanted))
            if bad:
                yield f"{self.key} of {[x.tolist() for x in arguments]}\n  gives  {results}\n  wanted {wanted}"

    def differs(self, got, wanted, arguments, eps, largest):
        wide = WIDE if not self.claim.exact else np.float64
        is_real = np.asarray(wanted).dtype.kind == "f" and got.dtype.kind == "f"
        wanted = np.asarray(wanted, dtype=wide)
        got = np.asarray(got, dtype=wide)
        narrowed = wanted.astype(self.kind) if is_real else wanted  # what is too large for f32 is inf
        if got.shape != wanted.shape or np.any(np.isnan(got) != np.isnan(wanted)):
            return True
        infinite = np.isinf(narrowed)
        if self.claim.exact:
            known = ~np.isnan(got)
            return np.any(got[known] != narrowed[known]) or \
                self.key not in EITHER_ZERO and np.any(np.signbit(got[known]) != np.signbit(narrowed[known]))
        scale = np.broadcast_to(self.claim.scale_of(self.case, arguments, wanted, largest), wanted.shape)
        limit = self.claim.tolerance(self.case, arguments, eps) * scale + 4 * np.finfo(self.kind).smallest_subnormal
        off = np.abs(got - wanted) > limit
        short = (np.abs(got) < np.finfo(self.kind).max) | (np.sign(got) != np.sign(wanted))
        return np.any(off & ~infinite) or np.any(infinite & short)


def run_group(tmlc, blocks, flags, eps):
    """How many calls, and the texts of those that failed."""
    np.seterr(all="ignore")  # of this thread
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lines, options, results = [], [], []
        for at, block in enumerate(blocks):
            more, named, out = block.program(at, folder)
            lines, options, results = lines + more, options + named, results + [out]
        (folder / "calls.tml").write_text("\n".join(lines) + "\n")
        ran = subprocess.run([tmlc, "run", "-w", str(folder / "calls.tml"), *flags, "--", *options], capture_output=True, text=True)
        if ran.returncode != 0:
            return 0, [f"{blocks[0].key} to {blocks[-1].key} with {flags}: exit status {ran.returncode}\n{ran.stderr[:3000]}"]
        failures = []
        for block, names in zip(blocks, results):
            got = [np.load(folder / f"{result}.npy") for result in names]
            failures += [f"{' '.join(flags)}: {text}" for text in block.wrong(got, eps)]
        return sum(len(block.arguments) for block in blocks), failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("tmlc")
    parser.add_argument("root", type=Path)
    parser.add_argument("--seed", type=int, default=default_seed())
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    library_cases.random = np.random.default_rng(options.seed)
    modes = MODES if options.all else [MODES[options.seed % len(MODES)]]
    count = 200 if options.all else options.count
    np.seterr(all="ignore")
    print(f"seed {options.seed}, {', '.join(' '.join([level, *fp]) for level, fp in modes)}")
    claims = claims_of(options.root)
    cased = {key.partition("#")[0] for key in CASES}
    failures = [f"`{name}` has no case" for name in claims if name not in cased]
    failures += [f"`{name}` claims no accuracy" for name in cased if name not in claims]
    keys = [key for key in CASES if options.only in key and key.partition("#")[0] in claims]
    tried = {}
    for kind, width in ((np.float64, []), (np.float32, ["--real=f32"])):
        eps = np.finfo(kind).eps / 2
        blocks = [Block(key, claims[key.partition("#")[0]], PER_SHAPE, k * PER_SHAPE < 40, kind)
                  for key in keys for k in range(-(-count // PER_SHAPE))]
        groups = [blocks[k:k + 60] for k in range(0, len(blocks), 60)]
        with concurrent.futures.ThreadPoolExecutor(2 if options.all else 1) as pool:
            jobs = [pool.submit(run_group, options.tmlc, group, [level, *fp, *width], eps)
                    for level, fp in modes for group in groups]
            for job in jobs:
                calls, wrong = job.result()
                tried[kind] = tried.get(kind, 0) + calls
                failures += wrong
    print("\n".join(failures[:30]))
    print(f"{sum(tried.values())} calls of {len(cased)} functions, {len(failures)} failures")
    return bool(failures) or not tried


if __name__ == "__main__":
    sys.exit(main())
