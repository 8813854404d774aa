#!/usr/bin/env python3
"""What code is made for machines and for modes of reals, as its text shows it. Usage: machine_code.py TMLC."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TMLC = os.path.abspath(sys.argv.pop(1))


class MachineCode(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def tmlc(self, *args):
        """What tmlc prints."""
        result = subprocess.run([TMLC, *args], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def assembly(self, name, *options):
        return self.tmlc(name, *options, "--emit=asm", "-o", "-")

    def test_processors_with_slow_gathers(self):
        """A search that reads where what it read says stays a loop of scalars there."""
        self.write("lib.tml", "fn f(tensor<real, 4096> x, tensor<real, 256> xs, tensor<real, 256> ys) tensor<real, 4096>:\n"
                              "    return interp(x, xs, ys)\nend\n")
        for cpu, gathers in [("znver4", False), ("skylake-avx512", True)]:
            code = self.assembly("lib.tml", "--target=x86_64-linux-gnu", f"--cpu={cpu}")
            self.assertEqual("vgather" in code, gathers)

    def test_delays_are_not_moved(self):
        """Two turns of a loop that hands on a vector stand one after the other."""
        self.write("delay.tml", "in real t.x\nout tensor<real, 4> t.y\ntensor<real, 4> last = 0.0\n"
                                "tensor<real, 4> older = 0.0\nfn output_fnc():\n"
                                "    now = t.x + 0.5 * last - 0.25 * older\n    older = last\n    last = now\n"
                                "    t.y = now\nend\n")
        for level, moves in [("-O1", 0), ("-O2", 0), ("-O3", 0), ("-Os", 2)]:
            code = self.assembly("delay.tml", "--target=x86-64-v3", level)
            blocks = re.split(r"^\.LBB\d+_\d+:\n", code, flags=re.M)
            loop = next(block for block in blocks if re.search(r"vbroadcastsd\t.*%rcx.*\bj\w+\t", block, re.S))
            self.assertEqual(len(re.findall(r"vmov[au]p[ds]\t%ymm\d+, %ymm", loop)), moves, level)

    def test_constants_are_chosen_as_words(self):
        """Where LLVM would branch to one of two reals, and code need not be small."""
        self.write("track.tml", "in real t.power\nin real t.voltage\nout real t.way\nreal power = 0.0\n"
                                "real voltage = 0.0\nfn output_fnc():\n"
                                "    t.way = select((t.power > power) == (t.voltage > voltage), 1.0, -1.0)\n"
                                "    power = t.power\n    voltage = t.voltage\nend\n")
        for options, chosen in [(["--target=x86-64-v3"], "i64"), (["--target=x86-64-v3", "--real=f32"], "i32"),
                                (["--target=x86-64-v3", "-Os"], "double"), (["--target=aarch64"], "double")]:
            code = self.tmlc("track.tml", *options, "--emit=llvm", "-o", "-")
            self.assertEqual(set(re.findall(r"= select i1 %\d+, (\w+)", code)), {chosen}, options)

    def test_fast_keeps_nans(self):
        """Reordering says nothing of them: they are found, and limits behind others catch them."""
        self.write("nans.tml", "fn limited(real u) real:\n    v = u\n    if v > 5.0:\n        v = 5.0\n    end\n"
                               "    if not (v <= 5.0):\n        v = 5.0\n    end\n    return v\nend\n"
                               "fn first(tensor<real, 100> x) int:\n    return argmax(x)\nend\n"
                               "tensor<real, 100> x = 1.0\nx[33] = nan\nx[50] = 7.0\n"
                               "print(limited(x[33]), first(x))\n")
        for level in ["-O0", "-O1", "-O2"]:
            self.assertEqual(self.tmlc("run", "-w", "--fp=fast", level, "nans.tml"), "5.0 33\n")

    def test_fast_regroups_what_loops_add_up(self):
        loop = ("fn f(tensor<real, 9> x) real:\n    s = 1.0\n    for i = 0:9:\n"
                "        s = %s\n    end\n    return s\nend\n")
        for value, regroups in [("s + x[i] * 2", True), ("x[i] + s", True), ("s - x[i] - 1", True),
                                ("s * x[i] * 2", True), ("s * x[i] + 1", False),
                                ("x[i] - s * 2", False), ("2 * (s + x[i])", False)]:
            self.write("loop.tml", loop % value)
            code = self.tmlc("--fp=fast", "-O0", "--emit=llvm", "-o", "-", "loop.tml")
            self.assertEqual("reassoc" in code, regroups, value)

    def test_limits_that_the_next_step_waits_for(self):
        """Both are asked beside each other where a mask chooses sooner than the least of two is there."""
        self.write("held.tml", "in real t.x\nout real t.y\nreal held = 0.0\nfn output_fnc():\n"
                               "    held = clamp(held + t.x, -1.0, 2.0)\n    t.y = held\nend\n")
        self.write("free.tml", "in real t.x\nout real t.y\nfn output_fnc():\n    t.y = clamp(t.x, -1.0, 2.0)\nend\n")
        for name, cpu, options, limits in [
            ("held.tml", "skylake-avx512", [], {"vmaxsd", "vcmpltsd"}), ("held.tml", "znver4", [], {"vmaxsd", "vminsd"}),
            ("held.tml", "haswell", [], {"vmaxsd", "vminsd"}), ("held.tml", "skylake-avx512", ["-Os"], {"vmaxsd", "vminsd"}),
            ("free.tml", "skylake-avx512", [], {"vmaxsd", "vminsd"}),
        ]:
            code = self.assembly(name, "--target=x86_64-linux-gnu", f"--cpu={cpu}", *options)
            self.assertEqual(set(re.findall(r"\b(?:vmaxsd|vminsd|vcmp\w+sd)\b", code)), limits, (name, cpu, options))

    def test_products_that_are_there_before(self):
        """They are added by an instruction of their own where the next step waits for the sum."""
        model = "in real t.x\nout real t.y\nreal s = 1.0\nfn output_fnc():\n    s = %s\n    t.y = s\nend\n"
        for value, instructions in [
            ("s + t.x * 3", {"vmulsd", "vaddsd"}),                        # what is read
            ("0.5 * s + t.x", {"vfmadd"}),                                # what the step before left
            ("0.5 * s + t.x * 3", {"vmulsd", "vfmadd"}),                  # the later one of two
            ("sqrt(s) + s * t.x", {"vmulsd", "vaddsd"}),                  # what is there sooner
        ]:
            self.write("sum.tml", model % value)
            for mode in ["--fp=contract", "--fp=fast"]:
                code = self.assembly("sum.tml", "--target=x86-64-v3", mode)
                found = set(re.findall(r"\b(vmulsd|vaddsd|vfmadd)", code))
                self.assertEqual(found, instructions, (value, mode))

    def test_loop_that_hands_nothing_on(self):
        self.write("wait.tml", "fn wait(int count):\n    while count < 3:\n    end\nend\n")
        for mode in ["--fp=fast", "--fp=contract"]:
            self.assertIn("wait", self.assembly("wait.tml", "-w", "--target=x86-64-v3", mode))

    def test_bools_are_counted_under_masks(self):
        """Not by an instruction that fills lanes with bits and waits for what its register had."""
        self.write("count.tml", "fn below(tensor<real, 64> x, real limit) int:\n    return sum(int(x < limit))\nend\n"
                                "fn ones(tensor<int, 64> x) tensor<real, 64>:\n    return real(x == 3)\nend\n")
        for cpu, moves in [("skylake-avx512", r"\{%k\d\}"), ("haswell", "vpsrld|vpsubd")]:
            for real in ["f64", "f32"]:
                code = self.assembly("count.tml", "--target=x86_64-linux-gnu", f"--cpu={cpu}", f"--real={real}")
                self.assertRegex(code, moves)
                self.assertNotIn("vpmovm2", code)


unittest.main()
