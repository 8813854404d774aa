"""Hardware that a component accesses at its address (L16): mmio.py TMLC

On the emulated Cortex-M4 a block of memory behind the program's own stands for registers. The host of
this test (mmio_host.c) sets the inputs, runs cycles and prints the block, which must be what the source
says, worked out by hand in `cycles`, at each level and with both kinds of reals. In the IR every access
is volatile, and each level has those of the source in its order.
"""

import itertools
import os
import pathlib
import re
import struct
import sys
import tempfile

from run import HERE, ROOT, Failed, compile_platform, compile_source, run
from targets import TARGETS

BLOCK = 0x20300000
MODEL = """in<tensor<int, 2>, 0x20300000> adc
in<uint, 0x20300010, hil> keys
out<real, 0x20300020> duty
out<tensor<int, 3>, 0x20300030> lamps
in<int, 0x20300040, dma> scan
out<tensor<int, 2>, 0x20300050, dma> both
out<tensor<int, 12>, 0x20300060> ramp
in<tensor<real, 3>, 0x203000a0> levels
out<tensor<real, 10>, 0x203000c0, dma> wave
in int t.k
out int t.seen
fn light(int level):
    lamps[1:3] <- level
end
fn output_fnc():
    t.seen = <-adc[t.k] + 100 * int(<-keys)
    light(t.seen)
    lamps[0] <- 4
    lamps[0] <- -1
    duty <- 1.5
    both[0] <- <-scan + t.k
    tensor<real, 2> pair = <-levels[t.k:t.k + 2]
    wave[8:10] <- pair
    ramp[2 - t.k:4 - t.k] <- 7
end
fn update_fnc():
    both[1] <- 7
    ramp[3:12] <- t.k + 30
    if t.k == 1:
        duty <- -2.0
    end
end
"""
BANK = """int n.at = 0
in<int, n.at> level
out<int, n.at + 4> twice
out<tensor<int, 2>, n.at + 8, dma> kept
out int t.y
fn output_fnc():
    t.y = <-level
    twice <- 2 * t.y
end
fn update_fnc():
    kept[1] <- t.y
end
"""
INSTANCES = """instance first = "bank.tml"(n.at = 0x20300120)
instance second = "bank.tml"(n.at = 0x20300130) every 2 offset 1
"""
# Volatile accesses, `i` reads and `o` writes; what has more than eight elements is a loop at some levels.
ACCESSES = {
    # scan; adc, keys, lamps[1:3], lamps[0] twice, duty; levels, ramp[..]
    "output": "i" "iioooo" "o" "(i|ii)" "(o|oo)",
    # ramp[3:12], duty, both, wave
    "update": "(o|o{9})" "o" "oo" "(o|o{10})",
}
LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Oz")
LEFT = 0x5a5a5a5a  # what nothing writes
WORDS = 80


class Registers:
    def __init__(self, real):
        self.bytes = bytearray(struct.pack("<I", LEFT) * WORDS)
        self.real = {"f32": "f", "f64": "d"}[real]

    def set(self, address, *values):
        """Reals are floats of Python."""
        for value in values:
            code = self.real if isinstance(value, float) else "i"
            struct.pack_into(f"<{code}", self.bytes, address - BLOCK, value)
            address += struct.calcsize(code)

    def line(self):
        return " ".join(f"{word:08x}" for word in struct.unpack(f"<{WORDS}I", self.bytes))


def cycle(registers, banks, k, adc, keys, scan, levels):
    """What mmio_host.c does and what the source says: the registers behind output and update.
    `banks`: the addresses of those that run."""
    registers.set(BLOCK + 0x120, 10 + k)
    registers.set(BLOCK + 0x130, 20 + k)
    registers.set(BLOCK, *adc)
    registers.set(BLOCK + 0x10, keys)
    registers.set(BLOCK + 0x40, scan)
    registers.set(BLOCK + 0xa0, *levels)
    seen = adc[k] + 100 * keys
    registers.set(BLOCK + 0x30, -1, seen, seen)
    registers.set(BLOCK + 0x20, 1.5)
    registers.set(BLOCK + 0x60 + 4 * (2 - k), 7, 7)
    outputs = {at: 10 * (1 + (at & 0x10) // 0x10) + k for at in banks}
    for at, level in outputs.items():
        registers.set(BLOCK + at + 4, 2 * level)
    yield registers.line()
    for at, level in outputs.items():
        registers.set(BLOCK + at + 8, 0, level)
    registers.set(BLOCK + 0x50, scan + k, 7)
    registers.set(BLOCK + 0x60 + 4 * 3, *[k + 30] * 9)
    registers.set(BLOCK + 0xc0, *[0.0] * 8, *levels[k:k + 2])
    if k == 1:
        registers.set(BLOCK + 0x20, -2.0)
    yield registers.line()


def cycles(real, has_instances):
    registers = Registers(real)
    first, both = ([0x120], [0x120, 0x130]) if has_instances else ([], [])
    yield from cycle(registers, first, 0, (11, 22), 3, 40, (1.5, 0.25, 8.0))
    yield from cycle(registers, both, 1, (5, 6), 0, 1, (1.0, 2.0, -4.0))


def accesses(text, function):
    """Those of an entry function, in order, with what it calls."""
    texts = dict(re.findall(rf"^define [^\n]*@(fn\.{function}_fnc|fn\.light|mmio_{function}_\w+)\(.*?\n(.*?)^}}",
                            text, re.M | re.S))
    whole, = (body for name, body in texts.items() if name.startswith("mmio_"))
    for called in (f"fn.{function}_fnc", "fn.light"):
        whole = re.sub(rf"^.*\bcall .*@{re.escape(called)}\(.*$", lambda _: texts[called], whole, flags=re.M)
    return "".join("i" if word == "load" else "o" for word in re.findall(r"\b(load|store) volatile", whole))


def check_level(tmlc, target, level, real, has_instances, platform, folder):
    (folder / "mmio.tml").write_text(MODEL + INSTANCES * has_instances)
    options = ["-w", "--io=mmio", f"--real={real}", *target.options, level, "mmio.tml"]
    run([tmlc, *options, "-c", "-o", folder / "mmio.o"], cwd=folder)
    c_real = {"f32": "float", "f64": "double"}[real]
    (folder / "case.inc").write_text(f'#include "mmio.h"\ntypedef {c_real} case_real;\n')
    compile_source(target, "mmio_host.c", folder / "host.o", "-I", folder, "-I", ROOT)
    run([*target.link, folder / "host.o", *platform, folder / "mmio.o", "-o", folder / "image"])
    printed = run([*target.run, folder / "image"]).stdout.split("\n")[:-1]
    expected = list(cycles(real, has_instances))
    if printed != expected:
        raise Failed("\n".join(["the registers are", *printed, "not", *expected]))
    if has_instances:
        return len(expected)
    text = run([tmlc, *options, "--emit=llvm", "-o", "-"], cwd=folder).stdout
    for function, pattern in ACCESSES.items():
        if not re.fullmatch(pattern, accesses(text, function)):
            raise Failed(f"mmio_{function} has the accesses {accesses(text, function)}")
    return len(expected)


def main():
    tmlc = os.path.abspath(sys.argv[1])
    target = TARGETS["cortex_m4"]
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "bank.tml").write_text(BANK)
        platform = compile_platform(target, folder)
        for level in LEVELS:
            for real, has_instances in itertools.product(("f32", "f64"), (False, True)):
                title = f"{level} {real}{' with instances' * has_instances}"
                try:
                    states = check_level(tmlc, target, level, real, has_instances, platform, folder)
                except Failed as failure:
                    sys.exit(f"{title}: {failure}")
                print(f"{title}: {states} states of {WORDS} registers")


if __name__ == "__main__":
    main()
