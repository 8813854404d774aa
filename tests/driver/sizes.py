#!/usr/bin/env python3
"""How many bytes objects for small machines take, and what linkers keep of them.

Usage: sizes.py TMLC EXAMPLES [--all] [TEST...]. Figures of the report are held against those of a linker;
without --all, of a share of the examples every day.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from seeds import todays_share  # noqa: E402

TMLC = os.path.abspath(sys.argv.pop(1))
EXAMPLES = pathlib.Path(sys.argv.pop(1)).resolve()
COMPONENT = re.compile(r"^fn (output|update)_fnc", re.MULTILINE)
MODELS = [path for path in sorted(EXAMPLES.glob("*/*.tml"))
          if COMPONENT.search(path.read_text()) and not path.with_suffix(".interface.tml").exists()]
ALL = "--all" in sys.argv and not sys.argv.remove("--all")
MODELS = todays_share(MODELS, 1 if ALL else 4)
CORTEX_M4 = ["--target=cortex-m4", "--real=f32"]
LLD = "ld.lld-19"
# Of output sections, to which linkers add what aligns their parts.
TOLERANCE = 64

CRC = """tensor<uint, 64> table = 7u
in real t.u
out real t.y
out uint t.crc

fn long_one(int i) uint:
    tensor<uint, 8> t = [1u, 2u, 30u, 4u, 50u, 6u, 7u, 88u]
    return t[i]
end

fn short_one(int i) int:
    return i + 1
end

fn output_fnc():
    t.y = 2.0 * t.u
    t.crc = table[0]
end
"""


@unittest.skipUnless(shutil.which(LLD), "needs lld")
class Sizes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_command(self, *args, status=0):
        result = subprocess.run([str(arg) for arg in args], cwd=self.folder, capture_output=True,
                                text=True, stdin=subprocess.DEVNULL, timeout=120)
        self.assertEqual(result.returncode, status, f"{args}\n{result.stdout}{result.stderr}")
        return result

    def compile(self, source, *options):
        """The JSON description of what is in x.o."""
        self.run_command(TMLC, "-w", "-c", source, *options, "-o", "x.o")
        return json.loads(self.run_command(TMLC, "-w", source, *options, "--emit=json", "-o", "-").stdout)

    def linked(self, *symbols):
        """Bytes of code and constants, and the symbols, of an image that needs only these."""
        keep = [word for symbol in symbols for word in ("-u", symbol)]
        self.run_command(LLD, "--gc-sections", "-e", symbols[0], *keep, "--unresolved-symbols=ignore-all",
                         "x.o", "-o", "x.elf")
        lines = self.run_command("llvm-readelf-19", "-SW", "x.elf").stdout
        names = r"\.text|\.rodata|\.data\.rel\.ro|\.ARM\.exidx|\.srodata\S*"
        rows = re.findall(rf"\] ({names}) +\S+ +\S+ +\S+ +(\S+) ", lines)
        kept = self.run_command("llvm-nm-19", "--format=just-symbols", "x.elf").stdout.split()
        return sum(int(size, 16) for _, size in rows), kept

    def may_join(self):
        """Bytes of pools of constants and of tables to unwind by, of which this linker keeps parts and others all."""
        text = self.run_command("llvm-readelf-19", "-SW", "x.o").stdout
        names = r"\.rodata\.cst\d+|\.ARM\.exidx\.\S+"
        return sum(int(size, 16) for size in re.findall(rf"\] (?:{names}) +\S+ +\S+ +\S+ +(\S+) ", text))

    def entries(self, about, *names):
        return [about["symbols"][name] for name in names]

    # --- what the report says --------------------------------------------------------------------

    def test_report_is_what_linkers_keep(self):
        for options in [CORTEX_M4, ["--target=riscv32", "--real=f32"], ["--target=x86-64"], ["--target=aarch64"],
                        ["--target=armv7-linux-gnueabihf", "-O0"], [*CORTEX_M4, "-Oz"]]:
            for source in MODELS:
                with self.subTest(source=source.name, options=options):
                    about = self.compile(source, *options)
                    report = about["report"]
                    told = report["linked"]["code"] + report["linked"]["constants"]
                    found, _ = self.linked(*self.entries(about, "init", "step"))
                    self.assertLessEqual(found, told + TOLERANCE)
                    self.assertLessEqual(told, found + TOLERANCE + self.may_join())
                    self.assertLess(told, report["code"] + report["constants"])

    def test_report_in_words(self):
        about = self.compile(MODELS[0], *CORTEX_M4)
        linked = about["report"]["linked"]
        text = self.run_command(TMLC, "-w", "check", MODELS[0], *CORTEX_M4, "--report").stdout
        self.assertRegex(text, rf"(?m)^linked +{linked['code'] + linked['constants']} bytes of code and")
        # No figure for what linkers do otherwise, and for libraries, which have no step.
        for options in [["--target=wasm32"], ["--target=x86_64-w64-windows-gnu"]]:
            self.assertNotIn("linked", self.compile(MODELS[0], *options)["report"])
        (self.folder / "lib.tml").write_text("fn half(real x) real:\n    return x / 2.0\nend\n")
        self.assertNotIn("linked", self.compile("lib.tml")["report"])

    # --- what is left out ------------------------------------------------------------------------

    def test_each_function_and_table_can_be_left_out(self):
        (self.folder / "crc.tml").write_text(CRC)
        apart = [CORTEX_M4, ["--target=x86-64", "-O3"], ["--target=riscv32", "--real=f32"]]
        # With vectors, `step` of little state is `step_n` of one, and so is `output` where there is no update.
        for options, shared in [*((options, []) for options in apart), (["--target=x86-64"], ["step_n"])]:
            with self.subTest(options=options):
                about = self.compile("crc.tml", *options)
                functions = {row["name"]: row["symbol"] for row in about["functions"]}
                symbols = [*about["symbols"].values(), *functions.values()]
                for wanted in ["init", "output", "update", "step", "step_n", "defaults", "model"]:
                    if wanted == "model":
                        continue  # it names all
                    _, kept = self.linked(about["symbols"][wanted])
                    more = shared if wanted in ["output", "step"] else []
                    needed = [about["symbols"][name] for name in [wanted, *more]]
                    self.assertEqual([name for name in symbols if name in kept], needed)
                short, _ = self.linked(functions["short_one"])
                long, kept = self.linked(functions["long_one"])
                self.assertNotIn(functions["short_one"], kept)
                self.assertGreaterEqual(long - short, 32)  # the eight numbers

    def test_no_table(self):
        for source in MODELS:
            plain = self.compile(source, *CORTEX_M4)
            bare = self.compile(source, *CORTEX_M4, "--no-table")
            self.assertNotIn("model", bare["symbols"])
            self.assertNotEqual(plain["symbols"]["step"], bare["symbols"]["step"])
            self.assertLess(bare["report"]["constants"], plain["report"]["constants"])
            self.assertEqual(bare["report"]["code"], plain["report"]["code"])
            self.assertEqual(bare["report"]["linked"], plain["report"]["linked"])
            self.assertNotIn("extern const tml_model ", (self.folder / "x.h").read_text())
            self.assertNotIn("_model_", self.run_command("llvm-nm-19", "x.o").stdout)

    def test_no_table_where_it_is_needed(self):
        for words in [["-o", "x"], ["run"], ["--emit=exe"]]:
            result = self.run_command(TMLC, *words, MODELS[0], "--no-table", status=2)
            self.assertIn("`--no-table` leaves out what executables run by", result.stderr)
        self.run_command(TMLC, "-w", MODELS[0], "--no-table", "-o", "x.so")
        self.assertNotIn("tml_models", self.run_command("nm", "-D", "x.so").stdout)

    # --- less code -------------------------------------------------------------------------------

    def totals(self, *options):
        reports = [self.compile(source, *CORTEX_M4, *options)["report"] for source in MODELS]
        return [sum(report["code"] for report in reports), sum(report["linked"]["code"] for report in reports)]

    def test_small_code(self):
        """For a Cortex-M4: all examples together, -Os saves a tenth, and -Oz more."""
        plain, small, least = self.totals("-O2"), self.totals("-Os"), self.totals("-Oz")
        for of in range(2):
            self.assertLess(least[of], small[of])
            if ALL:
                self.assertLess(small[of], 0.9 * plain[of])

    def test_steps_are_shared(self):
        """Without vectors `step_n` is a loop of calls, but at -O3 and for the shortest steps."""
        loops = {}
        for level, most in [("-O2", 0.15), ("-Os", 0.2), ("-O3", 1)]:
            loops[level] = code = 0
            for source in MODELS:
                about = self.compile(source, *CORTEX_M4, level)
                symbol = about["symbols"]["step_n"]
                rows = self.run_command("llvm-nm-19", "-S", "x.o").stdout
                loops[level] += int(re.search(rf"(?m)^\S+ (\S+) T {symbol}$", rows)[1], 16)
                code += about["report"]["code"]
            if ALL:
                self.assertLess(loops[level], most * code)
        self.assertLess(loops["-O2"], loops["-O3"])
        if ALL:
            self.assertGreater(loops["-O3"], 0.15 * code)

    def code_of(self, text, *options):
        (self.folder / "kernel.tml").write_text(text)
        return self.compile("kernel.tml", *options)["report"]["code"]

    def test_turns_are_written_out_where_it_gains(self):
        """Four of short turns that write, none of those that only read, and no loops around loops."""
        copy = "fn copy(tensor<real, 4096> x) tensor<real, 4096>:\n    return 2.0 * x\nend\n"
        total = "fn total(tensor<real, 4096> x) real:\n    return sum(x)\nend\n"
        columns = "fn columns(tensor<real, 120, 128> x) tensor<real, 128>:\n    return sum!(nest(x, 1))\nend\n"
        machine = ["--target=x86-64", "--cpu=sapphirerapids"]
        for text, most in [(copy, 220), (total, 240), (columns, 400)]:
            for level in ["-O1", "-O2"]:
                with self.subTest(text=text, level=level):
                    self.assertLess(self.code_of(text, *machine, level), most)
        self.assertGreater(self.code_of(copy, *machine), self.code_of(copy, *machine, "-Os") + 32)
        self.assertGreater(self.code_of(copy, *machine, "-O3"), self.code_of(copy, *machine, "-O2") + 32)

    def init_of(self, declarations, *options):
        """Bytes of the function that sets these up."""
        names = re.findall(r"(?m)^\S.* (\w+) =", declarations)
        text = (declarations + "in real t.u\nout real t.y\nfn output_fnc():\n    t.y = t.u\nend\nfn update_fnc():\n" +
                "".join(f"    {name} += 1\n" for name in names) + "end\n")
        (self.folder / "start.tml").write_text(text)
        about = self.compile("start.tml", *options)
        rows = self.run_command("llvm-nm-19", "-S", "x.o").stdout
        return int(re.search(rf"(?m)^\S+ (\S+) T {about['symbols']['init']}$", rows)[1], 16)

    def test_zeros_are_not_stored_again(self):
        zeros = "".join(f"real a{i} = 0.0\nint b{i} = 0\ntensor<int, 3> c{i} = 0\n" for i in range(3))
        longer = "tensor<real, 80> longer = 0.0\n"
        for options in [CORTEX_M4, ["--target=x86-64"]]:
            least = self.init_of(longer, *options)
            self.assertLessEqual(self.init_of(zeros + longer, *options), least + 4)
            self.assertGreater(self.init_of(zeros.replace("0.0", "-0.0") + longer, *options), least + 4)

    def test_long_starts_are_cut(self):
        """One block of a thousand stores takes LLVM's scheduler a second."""
        rows = "".join(f"tensor<real, 4> a{i} = [{i + 1}.0, 0.5, 1.0, {i}.5]\n" for i in range(400))
        self.assertLess(self.init_of(rows, "--target=x86-64"), 1000)

    def test_long_steps_are_shared(self):
        """A long output_fnc is one function beside the loop of `step_n`; at -O3 each has its own."""
        bank = EXAMPLES.parent / "bench/kernels/biquad_bank/biquad_bank.tml"
        code = {level: self.compile(bank, "--target=x86-64", level)["report"]["code"] for level in ["-O2", "-O3"]}
        self.assertLess(code["-O2"], 0.8 * code["-O3"])

    def test_loops_count_in_words_of_the_machine(self):
        """Without carries from one half of a number to the other one."""
        (self.folder / "copy.tml").write_text(
            "fn copy(tensor<real, 400> x) tensor<real, 400>:\n    return 2.0 * x\nend\n")
        for level in ["-O1", "-O2", "-Os"]:
            text = self.run_command(TMLC, "copy.tml", *CORTEX_M4, level, "--emit=asm", "-o", "-").stdout
            self.assertRegex(text, r"\bv(add|mul)\.f32\b")
            self.assertNotRegex(text, r"\b(adc|sbcs?)\b")

    def test_small_code_has_vectors_where_there_are(self):
        """Of other machines plans stay: what decides bits is the same at every level."""
        for level in ["-O2", "-Os", "-Oz"]:
            text = self.run_command(TMLC, "-w", MODELS[0], "--target=x86-64-v3", level, "--emit=plan", "-o",
                                    "-").stdout
            first = text if level == "-O2" else first
            self.assertEqual(text, first)


if __name__ == "__main__":
    unittest.main()
