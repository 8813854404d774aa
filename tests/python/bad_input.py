#!/usr/bin/env python3
"""What is refused, and what it says. Usage: bad_input.py TMLC."""

import io
import os
import pathlib
import re
import subprocess
import unittest
import unittest.mock

import numpy as np
from package_test import LAG, MIXED, TMLC, PackageTest, tmlc


class BadInput(PackageTest):
    def test_inputs(self):
        model = tmlc.compile(MIXED)
        good = {
            "b": np.zeros(4, bool), "n": np.zeros(4, "u4"), "i": np.zeros(4, "i4"), "m": np.zeros((4, 2, 2)),
            "v": np.zeros((4, 2, 3)),
        }
        model.simulate(good)
        odd = np.array([2, 1, 0, 255], "u1").view(bool)  # true is what is not 0
        self.assertEqual(model.simulate({**good, "b": odd}).to_structured().tobytes(),
                         model.simulate({**good, "b": odd.view("u1") != 0}).to_structured().tobytes())
        for name, value, kind, message in [
            ("u", [1.0], TypeError, "`u` is no input; there are: b, n, i, m, v"),
            ("m", np.zeros((3, 2, 2)), ValueError, "`m` has shape (3, 2, 2), the model takes (4, 2, 2)"),
            ("m", np.zeros((4, 2)), ValueError, "`m` has shape (4, 2), the model takes (4, 2, 2)"),
            ("m", np.zeros((4, 4)), ValueError, "`m` has shape (4, 4), the model takes (4, 2, 2)"),
            ("m", np.zeros((4, 2, 2), complex), TypeError, "`m` is complex128, the model takes float64"),
            ("i", np.zeros(4), TypeError, "`i` is float64, the model takes int32"),
            ("i", np.zeros(4, int), TypeError, '`i` is int64, the model takes int32; convert it by `.astype("int32")`'),
            ("i", np.zeros(4, "u4"), TypeError, '`i` is uint32, the model takes int32; convert it by `.astype("int32")`'),
            ("i", [0, 0, 0, 1 << 31], ValueError, "`i`: 2147483648 is no int32, which the model takes"),
            ("i", [0, 0, 0, 0.5], TypeError, "`i` is float64, the model takes int32"),
            ("n", [0, 0, -1, 0], ValueError, "`n`: -1 is no uint32, which the model takes"),
            ("b", np.zeros(4, int), TypeError, "`b` is int64, the model takes bool"),
            ("b", [0, 1, 0, 1], TypeError, "`b` is int64, the model takes bool"),
            ("m", [[[1, 2], [3]]] * 4, ValueError, None),
            ("n", ["1"] * 4, TypeError, "`n` is <U1, the model takes uint32"),
            ("n", 1, ValueError, "`n` is one value, not a row for each step; tmlc.hold(1) is meant to hold"),
            ("n", tmlc.hold([1, 2]), ValueError, "`n` has shape (2,), the model takes ()"),
            ("m", tmlc.hold(1.0), ValueError, "`m` has shape (), the model takes (2, 2)"),
            ("m", np.ma.zeros((4, 2, 2)), TypeError, "`m` is a masked array; fill it"),
        ]:
            with self.subTest(name=name, value=value):
                if message is None:
                    with self.assertRaises(kind) as caught:
                        model.simulate({**good, name: value})
                    self.assertIn(f"`{name}`", str(caught.exception))
                    continue
                with self.raises(kind, message):
                    model.simulate({**good, name: value})

    def test_calls(self):
        model, given = tmlc.compile(LAG), {"u": np.ones(4)}
        one = model.instance()
        for call, kind, message in [
            (lambda: model.simulate(), TypeError, "inputs are missing: u"),
            (lambda: model.simulate({}), TypeError, "inputs are missing: u"),
            (lambda: model.simulate([1.0]), TypeError, "inputs are a mapping of names, not list"),
            (lambda: model.simulate({"u": tmlc.hold(1.0)}), TypeError,
             "how many steps? No input has a row for each; give `steps`"),
            (lambda: model.simulate(given, steps=5), ValueError, "`u` has shape (4,), the model takes (5,)"),
            (lambda: model.simulate(given, steps=-1), ValueError, "`steps` is -1"),
            (lambda: model.simulate(given, steps=4.0), TypeError, "`steps` is a whole number, not 4.0"),
            (lambda: model.simulate(given, every=0), ValueError, "`every` is 0; every step is 1"),
            (lambda: model.simulate(given, {"q": 1}), TypeError, "`q` is no tunable property; there are: k"),
            (lambda: model.simulate(given, {"k": [1.0]}), ValueError, "`k` has shape (1,), the model takes ()"),
            (lambda: model.simulate(given, {"k": "1"}), TypeError, "`k` is '1', the model takes float64"),
            (lambda: model.simulate(given, {"k": tmlc.hold(1)}), TypeError,
             "`k`: tmlc.hold goes with the inputs of simulate, which have steps"),
            (lambda: one.step(), TypeError, "inputs are missing: u"),
            (lambda: one.step(u=1.0, v=2.0), TypeError, "`v` is no input; there are: u"),
            (lambda: one.step(u=[1.0]), ValueError, "`u` has shape (1,), the model takes ()"),
            (lambda: one.state.__setitem__("z", 1), TypeError, "`z` is no variable; there are: x"),
            (lambda: one.state.__delitem__("x"), TypeError, "a variable cannot be deleted"),
            (lambda: tmlc.compile(LAG, connect="t.v"), TypeError, "`connect` and `interface` are lists"),
            (lambda: tmlc.compile(LAG, define={"p.k": np.zeros(2, complex)}), TypeError, None),
            (lambda: tmlc.compile("fn f(real a) real:\n    return a\nend\n").simulate({}), TypeError,
             "simulations are of components, which have inputs, outputs and steps; this is a library"),
        ]:
            with self.subTest(message=message):
                if message is None:
                    self.assertRaises(kind, call)
                    continue
                with self.raises(kind, message):
                    call()
        self.assertEqual(one.step(u=1.0)["y"], 0.0)

    def test_failed_step_changes_nothing(self):
        one = tmlc.compile(MIXED).instance()
        good = {"b": True, "i": 1, "m": np.ones((2, 2)), "v": np.ones((2, 3))}
        one.step(good)
        with self.assertRaises(ValueError):
            one.step(good, m=np.ones(2))
        with self.assertRaises(TypeError):
            one.reset({"by": 1, "gain": "x"})
        self.assertEqual(one.params["by"], 3)
        self.assertEqual(one.step(good)["no"], 8)

    def test_errors_of_the_source(self):
        source = "in tensor<real, 3> t.u\nout tensor<real, 2> t.y\nfn output_fnc():\n    t.y = t.u * 2\nend\n"
        with self.assertRaises(tmlc.CompileError) as caught:
            tmlc.compile(source)
        text, found = str(caught.exception), caught.exception.diagnostics
        self.assertTrue(text.startswith("<stdin>:4:11: error[E0510]: tensor<real, 3> does not fit tensor<real, 2>"))
        self.assertIn("value    3    <- 3 is neither 2 nor 1", text)
        self.assertEqual([(d.code, d.severity, d.line, d.column) for d in found], [("E0510", "error", 4, 11)])
        self.assertEqual(tmlc.check(source), found)
        self.assertEqual(str(found[0]), text.splitlines()[0])
        path = self.folder() / "wrong.tml"
        path.write_text(source)
        for each in [path, str(path)]:
            with self.assertRaises(tmlc.CompileError) as caught:
                tmlc.compile(each)
            self.assertTrue(str(caught.exception).startswith(f"{path}:4:11: error[E0510]"))
        with self.assertRaises(tmlc.CompileError) as caught:
            tmlc.compile(LAG, define={"p.kk": 1})
        self.assertEqual(caught.exception.diagnostics[0].code, "E0304")

    def test_warnings_of_the_source(self):
        source = LAG.replace("    t.y = x", "    t.y = x\n    real z = 1.0")
        for _ in range(2):  # compiled, and from the cache
            with self.assertWarns(tmlc.CompileWarning) as caught:
                model = tmlc.compile(source)
            self.assertEqual(str(caught.warning), "<stdin>:7:10: warning[unused]: `z` is never read")
            self.assertEqual(os.path.basename(caught.filename), "bad_input.py")
            self.assertEqual([each.name for each in model.warnings], ["unused"])

    def test_errors_of_options(self):
        with self.raises(tmlc.CompileError, "tmlc: error: unknown CPU `foo` for x86-64") as caught:
            tmlc.compile(LAG, cpu="foo")
        self.assertEqual(caught.exception.status, 2)
        with self.assertRaises(FileNotFoundError):
            tmlc.compile("nowhere.tml")
        with self.assertRaises(FileNotFoundError):
            tmlc.compile(pathlib.Path("nowhere"))
        with unittest.mock.patch.dict(os.environ, {"TMLC_CC": "/nowhere"}), self.assertRaises(tmlc.CompileError) as caught:
            tmlc.compile(LAG + "# another\n")
        self.assertIn("cannot run the linker `/nowhere`", str(caught.exception))
        self.assertEqual(caught.exception.status, 3)

    def test_missing_command(self):
        hint = "the command `tmlc` is not on PATH; install the package tmlc, or name the command in the variable TMLC"
        with unittest.mock.patch.dict(os.environ, {"PATH": "/nowhere", "TMLC": ""}):
            with self.raises(tmlc.MissingCommand, hint):
                tmlc.compile(LAG + "# not compiled yet\n")
            with self.raises(tmlc.MissingCommand, hint):
                tmlc.check(LAG)
        with unittest.mock.patch.dict(os.environ, {"TMLC": "/nowhere/tmlc"}):
            with self.raises(tmlc.MissingCommand, "TMLC names the command `/nowhere/tmlc`, which is not there"):
                tmlc.compile(LAG + "# not compiled yet\n")

    def test_libraries(self):
        folder = self.folder()
        with self.raises(FileNotFoundError, f"there is no shared library {folder}/a.so"):
            tmlc.load(folder / "a.so")
        (folder / "a.so").write_text("no library")
        with self.assertRaises(ValueError) as caught:
            tmlc.load(folder / "a.so")
        self.assertIn(f"{folder}/a.so cannot be loaded: {folder}/a.so: ", str(caught.exception))

        def made(name, source):
            (folder / f"{name}.c").write_text(source)
            self.assertEqual(os.system(f"cc -shared -fPIC -I. {folder}/{name}.c -o {folder}/{name}.so"), 0)
            return folder / f"{name}.so"

        with self.assertRaises(ValueError) as caught:
            tmlc.load(made("none", "int x;\n"))
        self.assertIn("has no table of models, and no description none.json beside it", str(caught.exception))
        future = made("future", "struct { int version; int kind; const char *name; } m = {9999, 0, \"m\"};\n"
                                "void *tml_models(unsigned long *count) { *count = 1; return &m; }\n")
        with self.assertRaises(ValueError) as caught:
            tmlc.load(future)
        self.assertIn("its table of models has version 9999, this package reads version", str(caught.exception))
        with self.raises(ValueError, f"{future} has no model `q`; there are: m"):
            tmlc.load(future, "q")

    def test_magic_knows_what_takes_no_value(self):
        """All options that --help lists without one: the next word is the name."""
        text = subprocess.run([TMLC, "--help"], capture_output=True, text=True, check=True).stdout
        rows = re.findall(r"^  (--[\w-]+)((?:\[=[^ ]*)?) {2,}(?! |with \w+:)", text, re.M)
        self.assertTrue({("--time", ""), ("--batch", "[=2|4|8|16]")} <= set(rows))
        self.assertEqual({option for option, _ in rows} - set(tmlc._magic.OWN), set(tmlc._magic.ALONE))

    def test_magic(self):
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        os.chdir(self.folder())
        shell = unittest.mock.Mock(user_ns={})
        tmlc.load_ipython_extension(shell)
        (tml,), names = shell.register_magic_function.call_args
        self.assertEqual(names, {"magic_kind": "cell", "magic_name": "tml"})
        tml("lag -D p.k=0.25 --real=f32 -O 3", LAG)
        self.assertEqual(shell.user_ns["lag"].params["k"].default, np.float32(0.25))
        for line in ["lag -D p.k=0.25 --linearize", "lag --fp=strict --batch=8", "--checks none lag", "lag -Wno-unused -g",
                     "-O3 lag", "--debug-signals lag", "--linearize lag", "lag --cpu generic --interface x.tml --no-project"]:
            pathlib.Path("x.tml").write_text("in real t.u\n")
            shell.user_ns.pop("lag", None)
            tml(line, LAG)
            self.assertIsInstance(shell.user_ns["lag"], tmlc.Model, line)
        tml("lag --linearize", LAG)
        self.assertEqual(shell.user_ns["lag"].jacobian("y", "k", {"u": [1.0, 1.0]})[1], 1.0)
        tml("", LAG)
        self.assertEqual(shell.user_ns["model"].name, "model")
        for line, cell, message in [
            ("wrong", "x = [1, 2] + [1, 2, 3]", "error[E0501]"),
            ("wrong -D p.k", LAG, "tmlc: error: `-D` "),
            ("wrong --reel=f32", LAG, "tmlc: error: unknown option `--reel"),
        ]:
            with unittest.mock.patch("sys.stderr", io.StringIO()) as errors:
                tml(line, cell)
            self.assertIn(message, errors.getvalue())
            self.assertNotIn("wrong", shell.user_ns)
        for line, message in [
            ("lag --emit obj", "%%tml: `--emit` is not for models of Python"),
            ("lag -ofile", "%%tml: `-o` is not for models of Python"),
            ("lag --real=f32 other", "%%tml: `other` is no option"),
            ("1st", "%%tml: `1st` is no name in Python"),
        ]:
            with self.raises(ValueError, message):
                tml(line, LAG)

    def test_command_that_is_another(self):
        """What is no compiler is told with what it says."""
        folder = self.folder()
        (folder / "tmlc").write_text("#!/bin/sh\necho what >&2\nexit 5\n")
        (folder / "tmlc").chmod(0o755)
        with unittest.mock.patch.dict(os.environ, {"TMLC": str(folder / "tmlc")}):
            with self.raises(tmlc.CompileError, "what"):
                tmlc.compile(LAG)
        self.assertEqual(os.environ["TMLC"], TMLC)


if __name__ == "__main__":
    unittest.main()
