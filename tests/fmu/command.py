#!/usr/bin/env python3
"""FMUs as the command makes them: command.py TMLC

What is refused and with which words, that nothing of others is replaced and nothing half made stays, where the
step comes from, what traps and wrong calls are told as, and the same bytes twice.
"""

import ctypes
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

import description
import importer

TMLC = os.path.abspath(sys.argv.pop(1))
MODELS = pathlib.Path(__file__).resolve().parent / "models"
GAIN = "in real t.u\nout real t.y\nfn output_fnc():\n    t.y = 2.0 * t.u\nend\n"
PNG = b"\x89PNG\r\n\x1a\n" + b"the rest of a picture"


class Folder(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def write(self, name, text):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def tmlc(self, *arguments, **environment):
        return subprocess.run([TMLC, *map(str, arguments)], cwd=self.folder, text=True, timeout=120,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env={**os.environ, **environment})

    def refused(self, status, *arguments, **environment):
        """The first line on standard error of a run that leaves the folder as it was."""
        before = sorted(self.folder.iterdir())
        result = self.tmlc(*arguments, **environment)
        self.assertEqual(result.returncode, status, result.stderr)
        self.assertEqual(sorted(self.folder.iterdir()), before)
        return result.stderr

    def made(self, *arguments):
        """Standard error."""
        result = self.tmlc(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stderr

    def fmu(self, *arguments):
        self.made(*arguments, "-o", "model.fmu")
        # A folder of its own, since a library that is loaded must not be written over.
        fmu = importer.Fmu(self.folder / "model.fmu", tempfile.mkdtemp(dir=self.folder))
        description.check(fmu)
        return fmu


class Refused(Folder):
    def test_kinds(self):
        self.write("script.tml", "x = 1\nprint(x)\n")
        self.write("library.tml", "fn twice(real a) real:\n    return a + a\nend\n")
        for name, word in [("script", "is a program"), ("library", "is a library")]:
            error = self.refused(2, f"{name}.tml", "-o", "x.fmu", "--step=1")
            self.assertIn("an FMU is made of a component", error)
            self.assertIn(word, error)

    def test_step(self):
        self.write("gain.tml", GAIN)
        self.assertIn("give it with `--step=SECONDS`", self.refused(2, "gain.tml", "-o", "x.fmu"))
        for wrong in ["0", "-1", "nan", "inf", "1e400", "a", ""]:
            error = self.refused(2, "gain.tml", "-o", "x.fmu", f"--step={wrong}")
            self.assertIn("`--step` takes ", error, wrong)
        for wrong in ["0.0", "-1.0", "nan", "inf"]:
            self.write("wrong.tml", f"real n.dt = {wrong}\n" + GAIN)
            error = self.refused(2, "wrong.tml", "-o", "x.fmu")
            self.assertIn("a step cannot take", error)

    def test_options(self):
        self.write("gain.tml", GAIN)
        for option in ["--fmi=2", "--step=1", "--sources", "--icon=x.png", "--fmi-locals=none"]:
            self.assertIn("go with an FMU", self.refused(2, "gain.tml", "-o", "x.so", option))
        self.assertIn("unknown value `1`", self.refused(2, "gain.tml", "-o", "x.fmu", "--fmi=1"))
        self.assertIn("goes without other kinds", self.refused(2, "gain.tml", "--emit=fmu,obj", "--step=1"))
        self.assertIn("`--no-table`", self.refused(2, "gain.tml", "-o", "x.fmu", "--step=1", "--no-table"))
        self.assertIn("`--io=mmio`", self.refused(2, "gain.tml", "-o", "x.fmu", "--step=1", "--io=mmio"))
        self.assertIn("needs a text kind", self.refused(2, "gain.tml", "--emit=fmu", "-o", "-", "--step=1"))

    def test_targets(self):
        self.write("gain.tml", GAIN)
        for target in ["cortex-m4", "wasm32", "riscv32-linux-gnu", "aarch64-none-elf"]:
            error = self.refused(2, "gain.tml", "-o", "x.fmu", "--step=1", f"--target={target}")
            self.assertIn("FMUs are made for x86_64-linux-gnu and aarch64-linux-gnu", error)
        twice = ["--target=x86_64-linux-gnu", "--target=x86_64-pc-linux-gnu"]
        self.assertIn("two targets are one", self.refused(2, "gain.tml", "-o", "x.fmu", "--step=1", *twice))
        both = ["--target=x86_64-linux-gnu", "--target=aarch64-linux-gnu"]
        error = self.refused(2, "gain.tml", "-o", "x.fmu", "--step=1", *both, "--cpu=haswell")
        self.assertIn("`--cpu` goes with one target", error)
        error = self.refused(3, "gain.tml", "-o", "x.fmu", "--step=1", *both, TMLC_CC_AARCH64="no-such-compiler")
        self.assertIn("cannot run the compiler `no-such-compiler`", error)

    def test_icons(self):
        self.write("gain.tml", GAIN)
        self.write("icon.svg", "<svg/>")
        self.assertIn("is no PNG", self.refused(2, "gain.tml", "-o", "x.fmu", "--step=1", "--icon", "icon.svg"))
        self.assertIn("cannot read `no.png`",
                      self.refused(2, "gain.tml", "-o", "x.fmu", "--step=1", "--icon", "no.png"))

    def test_large_numbers(self):
        error = self.refused(2, MODELS / "signals.tml", "-o", "x.fmu", "--fmi=2")
        self.assertIn("FMI 2 has no whole numbers beyond 2147483647, and `p.mask` has one", error)
        self.write("part.tml", "tunable uint p.mask = 4000000000u\n" + GAIN)
        self.write("whole.tml", "in real t.u\nout real t.y\ninstance part = \"part.tml\"()\nconnect part.u = t.u\nconnect t.y = part.y\n")
        error = self.refused(2, "whole.tml", "-w", "-o", "x.fmu", "--fmi=2", "--step=1")
        self.assertIn("and `part.p.mask` has one", error)

    def test_what_fmi_2_has_not(self):
        self.write("limit.tml", "in real t.u\nout real t.y\ntunable real p.high = inf\nstr p.s = \"a\\tb\\nc\"\n"
                                "fn output_fnc():\n    t.y = min(t.u, p.high)\nend\n")
        error = self.refused(2, "limit.tml", "-o", "x.fmu", "--step=1", "--fmi=2")
        self.assertIn("FMI 2 writes no nan and nothing infinite, and `p.high` is", error)
        self.assertEqual(self.tmlc("limit.tml", "-o", "x.fmu", "--step=1", "--fmi=3").returncode, 0)
        with zipfile.ZipFile(self.folder / "x.fmu") as archive:
            text = archive.read("modelDescription.xml").decode()
        self.assertIn('start="INF"', text)
        self.assertIn('"a&#9;b&#10;c"', text)  # which readers would take for blanks
        self.write("none.tml", "optional in real t.x\nreal s = 0.0\nfn update_fnc():\n    s += 1.0\nend\n")
        error = self.refused(2, "none.tml", "-w", "-o", "y.fmu", "--step=1", "--fmi=2", "--fmi-locals=none")
        self.assertIn("FMI 2 has no model without variables", error)

    def test_texts(self):
        for declaration in (r'str p.s = "bell \x07"', r'str p.s = "\xff"', r'str p.s = "\xed\xa0\x80"', r'char p.s = "\x1b"'):
            self.write("texts.tml", f"{declaration}\n" + GAIN)
            for version in "23":
                error = self.refused(2, "texts.tml", "-o", "x.fmu", "--step=1", f"--fmi={version}")
                self.assertIn("`p.s` has bytes that are no UTF-8, or characters that XML has not", error, declaration)
        self.write("texts.tml", 'str p.s = "\\t\\n\\xc3\\xa9 <\u00e9> \U0001f600"\n' + GAIN)
        self.made("texts.tml", "-o", "x.fmu", "--step=1")

    def test_files_of_others(self):
        self.write("gain.tml", GAIN)
        with zipfile.ZipFile(self.folder / "other.fmu", "w") as archive:
            archive.writestr("modelDescription.xml", '<fmiModelDescription generationTool="another tool"/>')
        self.write("text.fmu", "no archive at all")
        self.write("empty.fmu", "")
        for name in ["other.fmu", "text.fmu", "empty.fmu"]:
            before = (self.folder / name).read_bytes()
            error = self.refused(2, "gain.tml", "-o", name, "--step=1")
            self.assertIn("another file than an FMU of tmlc has this name", error)
            self.assertEqual((self.folder / name).read_bytes(), before)
        (self.folder / "folder.fmu").mkdir()
        self.refused(2, "gain.tml", "-o", "folder.fmu", "--step=1")

    def test_mistakes_leave_the_old_one(self):
        self.write("gain.tml", GAIN)
        self.made("gain.tml", "-o", "model.fmu", "--step=1")
        before = (self.folder / "model.fmu").read_bytes()
        self.write("gain.tml", GAIN.replace("t.u\nend", "t.no\nend"))
        self.refused(1, "gain.tml", "-o", "model.fmu", "--step=1")
        self.assertEqual((self.folder / "model.fmu").read_bytes(), before)


class Made(Folder):
    def test_names(self):
        self.write("my-gain.tml", GAIN)
        self.made("my-gain.tml", "--emit=fmu", "--step=1")
        fmu = importer.Fmu(self.folder / "my-gain.fmu", self.folder / "unpacked")
        self.assertEqual(fmu.identifier, "my_gain")
        self.assertEqual(fmu.names, ["modelDescription.xml", "binaries/x86_64-linux/my_gain.so"])

    def test_step(self):
        self.write("gain.tml", "real n.dt = 0.02\nreal p.dt = 0.04\n" + GAIN)
        self.assertEqual(self.fmu("gain.tml").step, 0.02)
        self.made("gain.tml", "-o", "gain")  # an executable takes the same
        ramp = subprocess.check_output([self.folder / "gain", "--in=u=ramp()", "--steps=2"], text=True)
        self.assertEqual(ramp, "y\n0.0\n0.04\n")
        self.write("gain.tml", "real p.dt = 0.04\n" + GAIN)
        self.assertEqual(self.fmu("gain.tml").step, 0.04)
        self.assertEqual(self.fmu("gain.tml", "-Dp.dt=0.08").step, 0.08)
        self.assertIn("`--step=1` is not the source's `dt`, which is 0.04",
                      self.made("gain.tml", "-o", "model.fmu", "--step=1"))

    def test_single_steps(self):
        """Of singles the decimal is meant, so that steps add up as in the source."""
        self.write("gain.tml", "real n.dt = 0.01\n" + GAIN)
        self.assertNotIn("is not the source's", self.made("gain.tml", "-o", "x.fmu", "--real=f32", "--step=0.01"))
        for version in "32":
            fmu = self.fmu("gain.tml", "--real=f32", f"--fmi={version}")
            self.assertEqual(fmu.step, 0.01)
            instance = fmu.instance()
            instance.begin(0.0)
            instance.step(0.0, 1.0)

    def test_again(self):
        self.write("gain.tml", GAIN)
        for options in [["--fmi=3", "--sources"], ["--fmi=2"]]:
            self.made("gain.tml", "-o", "one.fmu", "--step=1", *options)
            first = (self.folder / "one.fmu").read_bytes()
            self.made("gain.tml", "-o", "one.fmu", "--step=1", *options)
            self.assertEqual((self.folder / "one.fmu").read_bytes(), first)
            other = self.folder / "other"
            other.mkdir(exist_ok=True)
            self.made("gain.tml", "-o", other / "two.fmu", "--step=1", *options)
            self.assertEqual((other / "two.fmu").read_bytes(), first)

    def test_optional(self):
        self.assertIn("`t.trim`, which is optional; `--with t.trim` connects it",
                      self.made(MODELS / "mixed.tml", "-o", "model.fmu"))
        self.assertNotIn("trim", self.fmu(MODELS / "mixed.tml").variables)
        self.assertIn("trim", self.fmu(MODELS / "mixed.tml", "--with", "t.trim").variables)

    def test_private_names(self):
        """What is private does not change how the interface is called."""
        self.write("lag.tml", "in real t.u\nout real t.y\nout real t.gain\nreal p.gain = 0.5\nreal y = 0.0\nreal gain = 2.0\n"
                              "real time = 0.0\nfn output_fnc():\n    y += p.gain * gain * (t.u - y)\n    time += 1.0\n"
                              "    t.y = y\n    t.gain = time\nend\n")
        fmu = self.fmu("lag.tml", "--step=1")
        public = {"time", "u", "y", "t.gain", "p.gain"}
        self.assertEqual(set(fmu.variables), public | {"'y'", "'gain'", "'time'"})
        self.assertEqual(fmu.variables["y"].causality, "output")
        self.assertEqual(set(self.fmu("lag.tml", "--step=1", "--fmi-locals=none").variables), public)
        old = self.fmu("lag.tml", "--step=1", "--fmi=2").variables
        self.assertEqual(set(old), public - {"time"} | {"'y'", "'gain'", "time"})

    def test_variables(self):
        fmu = self.fmu(MODELS / "mixed.tml")
        self.assertEqual(fmu.variables["vo"].shape, (2, 3))
        self.assertEqual(fmu.variables["vo"].description, "t.vo: tensor<tensor<real, 3>, 2>")
        self.assertEqual(fmu.variables["label"].start, ['a <mixed> "text" & more'])
        self.assertEqual(fmu.variables["n"].start, ["7"])
        self.assertEqual(fmu.variables["fixed"].start, ["-1", "2"])
        self.assertEqual(fmu.variables["t.time"].causality, "output")
        self.assertEqual(fmu.variables["time"].causality, "independent")
        self.assertEqual({"t.k", "p.k"} & fmu.variables.keys(), {"t.k", "p.k"})
        self.assertIn("sum_of", fmu.variables)
        instance = fmu.instance()
        self.assertEqual(instance.get("label"), [b'a <mixed> "text" & more'])
        self.assertEqual(instance.get("n"), [7])
        self.assertEqual(instance.get("fixed"), [-1, 2])
        old = self.fmu(MODELS / "mixed.tml", "--fmi=2")
        self.assertEqual(old.variables["vo"].shape, (2, 3))
        self.assertEqual(old.variables["t.k"].shape, ())

    def test_types_of_texts(self):
        self.write("texts.tml", 'str p.s = "a"\nchar p.c = "b"\n' + GAIN)
        variables = self.fmu("texts.tml", "--step=1").variables
        self.assertEqual([variables[name].description for name in "sc"], ["p.s: str", "p.c: char"])

    def test_without_locals(self):
        with_locals = self.fmu(MODELS / "mixed.tml").variables
        for version in "23":
            fmu = self.fmu(MODELS / "mixed.tml", "--fmi-locals=none", f"--fmi={version}")
            self.assertFalse({"count", "sum_of"} & fmu.variables.keys())
            self.assertLess(fmu.variables.keys() - {"t.time"}, with_locals.keys())
            instance = fmu.instance()
            instance.begin(0.0)
            instance.set("u" if "u" in fmu.variables else "i", [3])
            self.assertEqual(instance.get("io"), [9])

    def test_icons(self):
        self.write("gain.tml", GAIN)
        self.write("icon.png", PNG)
        names = self.fmu("gain.tml", "--step=1", "--icon", "icon.png").names
        self.assertIn("terminalsAndIcons/icon.png", names)
        self.assertIn("terminalsAndIcons/terminalsAndIcons.xml", names)
        self.assertIn("model.png", self.fmu("gain.tml", "--step=1", "--icon", "icon.png", "--fmi=2").names)

    def test_large_numbers(self):
        fmu = self.fmu(MODELS / "signals.tml")
        instance = fmu.instance()
        instance.begin(0.0)
        self.assertEqual(instance.get("large"), [4000000000])
        self.write("large.tml", "out uint t.y\nuint n.top = 2000000000u\nfn output_fnc():\n    t.y = n.top * 2u\nend\n")
        instance = self.fmu("large.tml", "--fmi=2", "--step=1").instance()
        instance.begin(0.0)
        with self.assertRaises(importer.Failure) as caught:
            instance.get("y")
        self.assertEqual(caught.exception.status, importer.DISCARD)
        self.assertEqual(instance.log, ["`y` is 4000000000, and FMI 2 has no numbers beyond 2147483647"])
        instance.step(0.0, 1.0)  # a number that cannot be told ends nothing
        # What is private may begin with one, and is not read by who does not want it.
        self.write("random.tml", "out bool t.high\nuint seed = 4000000000u\nfn output_fnc():\n    t.high = seed > 2000000000u\n"
                                 "end\nfn update_fnc():\n    seed = seed * 1664525u + 1013904223u\nend\n")
        instance = self.fmu("random.tml", "--fmi=2", "--step=1").instance()
        instance.begin(0.0)
        with self.assertRaises(importer.Failure) as caught:
            instance.get("seed")
        self.assertEqual(caught.exception.status, importer.DISCARD)
        self.assertEqual(instance.get("high"), [True])
        instance.step(0.0, 1.0)

    def test_nothing_of_the_source_is_in_it(self):
        for version in "23":
            fmu = self.fmu(MODELS / "trap.tml", "--sources", f"--fmi={version}")
            texts = [fmu.library, *(fmu.folder / "sources").iterdir()]
            for path in texts:
                content = path.read_bytes()
                for line in (b"table[t.at]", b"table[t.next]", b"assert("):
                    self.assertFalse(line in content, f"{path}: {line}")
        self.made(MODELS / "trap.tml", "-o", "trap")  # an executable shows the line that trapped
        self.assertTrue(b"t.y = table[t.at] + place" in (self.folder / "trap").read_bytes())

    def test_nothing_of_it_is_elsewhere(self):
        self.write("gain.tml", GAIN)
        self.made("gain.tml", "-o", "gain")
        self.made("gain.tml", "-o", "gain.o")
        self.made("gain.tml", "-o", "gain.so")
        for name in ["gain", "gain.o", "gain.so"]:
            content = (self.folder / name).read_bytes()
            self.assertNotIn(b"fmi2", content)
            self.assertNotIn(b"fmi3", content)
            self.assertNotIn(b"tml_fmu", content)


class Running(Folder):
    def traps(self, version):
        fmu = self.fmu(MODELS / "trap.tml", f"--fmi={version}")
        path = MODELS / "trap.tml"

        instance = fmu.instance()
        instance.begin(0.0)
        for k in range(3):
            instance.set("at", [k])
            instance.step(k * fmu.step, fmu.step)
        self.assertEqual(instance.get("place"), [0])
        instance.set("at", [3])
        with self.assertRaises(importer.Failure) as caught:
            instance.get("y")
        self.assertEqual(caught.exception.status, importer.ERROR)
        self.assertEqual(instance.log, [f"{path}:14:17: trap[E1001]: index 3 is outside a dimension of length 3 (step 3)"])
        with self.assertRaises(importer.Failure):
            instance.step(3 * fmu.step, fmu.step)
        instance.call("Reset")
        instance.begin(0.0)
        instance.set("next", [-1])
        with self.assertRaises(importer.Failure):
            instance.step(0.0, fmu.step)
        self.assertIn(f"{path}:17:", instance.log[-1])
        self.assertIn("(step 0)", instance.log[-1])

        instance = fmu.instance()
        with self.assertRaises(importer.Failure):
            instance.begin(0.0, given={"first": [-1]})
        self.assertIn("trap[E1004]: assertion failed: the first place is none", instance.log[-1])

    def test_traps(self):
        self.traps(3)
        self.traps(2)

    def test_values_after_errors(self):
        for version in (2, 3):
            fmu = self.fmu(MODELS / "trap.tml", f"--fmi={version}")

            def begun(**given):
                instance = fmu.instance()
                instance.begin(0.0)
                for name, value in given.items():
                    instance.set(name, [value])
                return instance

            def refused(instance, *call):
                with self.assertRaises(importer.Failure) as caught:
                    call[0](*call[1:])
                self.assertEqual(caught.exception.status, importer.ERROR)
                return [instance.get(name)[0] for name in ("at", "y", "place")]

            # A call that is not allowed changes nothing.
            instance = begun()
            self.assertEqual(refused(instance, instance.step, 99.0, 0.1), [0, 1.0, 0])
            instance = begun(next=2)
            self.assertEqual(instance.get("y"), [1.0])
            instance.step(0.0, 0.3)
            instance.set("at", [1])
            self.assertEqual(refused(instance, instance.step, 99.0, 0.1), [1, 4.0, 2])
            # A communication step that traps is not made.
            instance = begun(next=1)
            instance.step(0.0, 0.1)
            instance.set("next", [-1])
            instance.set("at", [1])
            self.assertEqual(refused(instance, instance.step, 0.1, 0.3), [1, 4.0, 1])
            # Where output_fnc itself traps, values are the last ones that it computed.
            instance = begun(at=1)
            self.assertEqual(instance.get("y"), [2.0])
            instance.set("at", [9])
            self.assertEqual(refused(instance, instance.get, "y"), [9, 2.0, 0])
            self.assertEqual(len(instance.log), 1)
            # There need not be any.
            instance = begun(at=9)
            with self.assertRaises(importer.Failure):
                instance.step(0.0, 0.1)
            for name in ("y", "place"):
                with self.assertRaises(importer.Failure):
                    instance.get(name)
                self.assertEqual(instance.log[-1], f"`{name}` has no value: none was computed")

    def test_parameters(self):
        for version in (2, 3):
            fmu = self.fmu(MODELS / "trap.tml", f"--fmi={version}")
            instance = fmu.instance()
            instance.enter(0.0, None)
            instance.set("first", [5])  # init_fnc has run with another one
            self.assertEqual(instance.get("y"), [6.0])
            instance.call("ExitInitializationMode")
            self.assertEqual(instance.get("y"), [6.0])
            mixed = self.fmu(MODELS / "mixed.tml", f"--fmi={version}").instance()
            mixed.begin(0.0)
            mixed.set("i", [2])
            mixed.set("by", [-5])  # tunable while it runs
            self.assertEqual(mixed.get("io"), [-10])

    def test_tokens(self):
        for version, log in ((2, True), (3, True)):
            fmu = self.fmu(MODELS / "trap.tml", f"--fmi={version}")
            instance = fmu.instance(token="{another}")
            self.assertIsNone(instance.handle)
            self.assertIn("were not made together", instance.log[0])

    def test_tokens_tell_descriptions_apart(self):
        """What moves value references or says something else has another token, also where the layout is the same."""
        sources = {"one": GAIN, "shifted": "real n.gain = 2.0\n" + GAIN, "given": GAIN.replace("t.u\n", "t.u = 1.0\n", 1)}
        for name, text in sources.items():
            self.write(f"{name}.tml", text)
        for version in "32":
            options = ["--prefix=gain", "--step=1", f"--fmi={version}"]
            tokens = [self.fmu(f"{name}.tml", *options).token for name in sources]
            tokens.append(self.fmu("one.tml", *options, "--step=2").token)
            self.assertEqual(len(set(tokens)), len(tokens))
            self.assertEqual(self.fmu("one.tml", *options).token, tokens[0])

    def test_steps(self):
        for version in (2, 3):
            fmu = self.fmu(MODELS / "trap.tml", f"--fmi={version}")
            instance = fmu.instance()
            instance.begin(0.0, 1.0)
            with self.assertRaises(importer.Failure) as caught:
                instance.step(0.0, 0.15)
            self.assertEqual(caught.exception.status, importer.DISCARD)
            self.assertIn("is no whole multiple of the model's, 0.1", instance.log[0])
            instance.step(0.0, 0.3)
            self.assertEqual(instance.time, 0.3)
            time = 0.3
            for _ in range(7):
                instance.step(time, 0.1)
                time += 0.1
            with self.assertRaises(importer.Failure) as caught:
                instance.step(time, 0.1)
            self.assertEqual(caught.exception.status, importer.ERROR)
            self.assertIn("goes past the end, 1", instance.log[-1])
            other = fmu.instance()
            other.begin(2.0)
            with self.assertRaises(importer.Failure):
                other.step(0.0, 0.1)
            self.assertIn("a step from time 0 on is wanted, but it is 2", other.log[0])

    def test_late_times(self):
        """Doubles lie 2.4e-7 s apart there, which is no reason to take a part of a step for a step."""
        late = 1.7e9
        for version in "23":
            instance = self.fmu(MODELS / "trap.tml", "--step=0.001", f"--fmi={version}").instance()
            instance.begin(late)
            for span in (0.0015, 0.00102, 0.0005):
                with self.assertRaises(importer.Failure) as caught:
                    instance.step(late, span)
                self.assertEqual(caught.exception.status, importer.DISCARD)
            time = late
            for k in range(1, 50):
                following = late + k * 0.001
                instance.step(time, following - time if k % 2 else 0.001)
                time = following
            with self.assertRaises(importer.Failure) as caught:
                instance.step(time - 0.001, 0.001)
            self.assertEqual(caught.exception.status, importer.ERROR)

    def test_signs_of_references(self):
        """A `#` that is meant stands twice in messages: importers read value references between two."""
        self.write("motor.tml", GAIN.replace("    t.y", '    assert(t.u < 5.0, "limit #r1# of motor #2")\n    t.y'))
        for version in "23":
            instance = self.fmu("motor.tml", "--step=1", f"--fmi={version}").instance()
            instance.begin(0.0)
            instance.set("u", [9.0])
            with self.assertRaises(importer.Failure):
                instance.get("y")
            self.assertIn("limit ##r1## of motor ##2 (step 0)", instance.log[0])

    def test_log_categories(self):
        """What is on after some calls, and what of a step that is discarded and one at a wrong time is told then."""
        error, discard = b"logStatusError", b"logStatusDiscard"
        cases = [([(1, error)], "e"), ([(1, discard)], "d"), ([(0, discard)], "e"), ([(0, error)], "d"),
                 ([(0,), (1, error, discard)], "de"), ([(0,)], ""), ([(0,), (1,)], "de"), ([(1, error), (1, discard)], "d")]
        for version in (2, 3):
            fmu = self.fmu(MODELS / "trap.tml", f"--fmi={version}")
            truth = ctypes.c_int if version == 2 else ctypes.c_bool
            for calls, told in cases:
                instance = fmu.instance()
                for on, *names in calls:
                    instance.call("SetDebugLogging", truth(on), ctypes.c_size_t(len(names)),
                                  (ctypes.c_char_p * len(names))(*names))
                instance.begin(0.0)
                for time, span in [(0.0, 0.15), (9.0, 0.1)]:
                    with self.assertRaises(importer.Failure):
                        instance.step(time, span)
                # By FMI 2 errors are told always.
                expected = sorted(set(told) | ({"e"} if version == 2 else set()))
                self.assertEqual(["d" if "no whole" in line else "e" for line in instance.log], expected)

    def test_status(self):
        """What FMI 2 asks of the last step in other types is not known, which ends nothing."""
        instance = self.fmu(MODELS / "trap.tml", "--fmi=2").instance()
        instance.begin(0.0)
        instance.step(0.0, 0.1)
        for name in ("GetStatus", "GetIntegerStatus", "GetStringStatus"):
            place = ctypes.c_double()
            self.assertEqual(instance.status(name, ctypes.c_int(0), ctypes.byref(place)), importer.DISCARD)
        instance.step(0.1, 0.1)

    def test_silence(self):
        fmu = self.fmu(MODELS / "trap.tml")
        instance = fmu.instance(logs=False)
        instance.begin(0.0)
        instance.set("at", [9])
        with self.assertRaises(importer.Failure):
            instance.get("y")
        self.assertEqual(instance.log, [])

    def test_states_of_others(self):
        for version in (2, 3):
            fmu = self.fmu(MODELS / "trap.tml", f"--fmi={version}")
            one, two = fmu.instance("one"), fmu.instance("two")
            one.begin(0.0)
            two.begin(0.0)
            state = one.take()
            with self.assertRaises(importer.Failure):
                two.restore(state)
            self.assertIn("none that this instance has given", two.log[0])
            data = one.serialized(state)
            three = fmu.instance("three")
            for wrong in (data[:-1], data + b"x", b"x" + data[1:], data[:-1] + bytes([data[-1] ^ 1])):
                three.call("Reset")
                with self.assertRaises(importer.Failure):
                    three.deserialized(wrong)
            other = self.fmu(MODELS / "mixed.tml", f"--fmi={version}").instance()
            with self.assertRaises(importer.Failure):
                other.deserialized(data)


if __name__ == "__main__":
    unittest.main()
