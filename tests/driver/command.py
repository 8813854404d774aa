#!/usr/bin/env python3
"""The command tmlc as a user meets it. Usage: command.py TMLC."""

import os
import pathlib
import re
import stat
import subprocess
import sys
import tempfile
import unittest

TMLC = os.path.abspath(sys.argv.pop(1))


class Command(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.write("good.tml", "print(6 * 7)\n")
        self.write("bad.tml", "print(6 * x)\n")

    def write(self, name, text):
        (self.folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())

    def tmlc(self, *args, status=0, env=None, **more):
        """Runs tmlc and checks its exit status."""
        more.setdefault("stdin", subprocess.DEVNULL)
        result = subprocess.run(
            [TMLC, *args],
            cwd=self.folder,
            env={**os.environ, **(env or {})},
            stdout=more.pop("stdout", subprocess.PIPE),
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            **more,
        )
        self.assertEqual(result.returncode, status, result.stderr)
        return result

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())

    def fails(self, *args, status, message):
        before = self.files()
        result = self.tmlc(*args, status=status)
        self.assertIn(message, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertEqual(self.files(), before, "nothing stays behind")

    def test_executable(self):
        self.tmlc("good.tml", "-o", "answer")
        result = subprocess.run([self.folder / "answer"], capture_output=True, text=True)
        self.assertEqual((result.stdout, result.returncode), ("42\n", 0))
        self.assertEqual(self.files(), ["answer", "bad.tml", "good.tml"])

    def test_names_of_outputs(self):
        os.mkdir(self.folder / "sub")
        self.write("sub/other.tml", "print(1)\n")
        self.tmlc("sub/other.tml")
        self.tmlc("-c", "good.tml")
        self.tmlc("--emit=llvm,asm", "good.tml")
        for name in ["other", "good.o", "good.ll", "good.s"]:
            self.assertIn(name, self.files())

    def test_save_temps(self):
        self.tmlc("good.tml", "-o", "answer", "--save-temps")
        self.assertIn("answer.o", self.files())

    def test_mode_follows_umask(self):
        self.tmlc("good.tml", "-o", "answer", umask=0o027)
        self.tmlc("-c", "good.tml", umask=0o027)
        mode = lambda name: stat.S_IMODE(os.stat(self.folder / name).st_mode)
        self.assertEqual((mode("answer"), mode("good.o")), (0o750, 0o640))

    def test_same_input_same_bytes(self):
        self.tmlc("-c", "good.tml", "-o", "1.o")
        self.tmlc("-c", "good.tml", "-o", "2.o")
        self.assertEqual((self.folder / "1.o").read_bytes(), (self.folder / "2.o").read_bytes())

    def test_run(self):
        self.assertEqual(self.tmlc("run", "good.tml").stdout, "42\n")
        self.tmlc("run", "good.tml", "--", "--nonsense", status=2)
        self.write("trap.tml", "v = [1, 2]\nfor i = 0:3:\n    print(v[i])\nend\n")
        result = self.tmlc("run", "trap.tml", status=101)
        self.assertEqual(result.stdout, "1\n2\n")
        self.assertIn("trap.tml:3:13: trap[E1001]", result.stderr)

    def test_standard_input(self):
        result = self.tmlc("run", "-", stdin=None, input="print(1 + 1)\n")
        self.assertEqual(result.stdout, "2\n")
        result = self.tmlc("check", "-", stdin=None, input="print(x)\n", status=1)
        self.assertIn("<stdin>:1:7: error[E0301]", result.stderr)
        self.tmlc("-", stdin=None, input="print(1)\n", status=2)

    def test_errors_in_the_program(self):
        self.fails("bad.tml", status=1, message="bad.tml:1:11: error[E0301]")
        self.fails("check", "good.tml", "bad.tml", status=1, message="error[E0301]")
        self.fails("-D", "p.k=1", "good.tml", status=1, message="error[E0304]")
        self.write("library.tml", "fn f() int:\n    return 1\nend\n")
        self.fails("library.tml", status=1, message="error[E0703]")
        self.tmlc("-c", "library.tml")

    def test_wrong_usage(self):
        self.fails(status=2, message="tmlc: error: no input file")
        self.fails("--frobnicate", status=2, message="unknown option `--frobnicate`")
        self.fails("--target=nonsense", "-c", "good.tml", status=2, message="nonsense")
        self.fails("--cpu=nonsense", "-c", "good.tml", status=2, message="unknown CPU `nonsense`")
        for options, meant in [
            ("--target=arch64-linux-gnu", "aarch64-linux-gnu"),
            ("--target=x86_64-linx-gnu", "x86_64-linux-gnu"),
            ("--cpu=skylak", "skylake"),
        ]:
            self.fails(options, "-c", "good.tml", status=2, message=f"did you mean `{meant}`?")
        self.tmlc("--target=aarch64-apple-macosx14.0", "-c", "good.tml", "-o", "mac.o")
        self.fails("chek", "good.tml", status=2, message="unknown command `chek`")
        self.write("chek", "print(1)\n")
        self.tmlc("chek", "-o", "command")
        self.fails("good.tml", "-o", "good.tml", status=2, message="it is a source file")

    def test_output_never_replaces_a_source(self):
        os.link(self.folder / "good.tml", self.folder / "same")
        self.fails("good.tml", "-o", "same", status=2, message="it is a source file")
        self.write("program", "print(1)\n")
        self.fails("program", status=2, message="it is a source file")

    def test_files(self):
        self.fails("missing.tml", status=3, message="tmlc: error: cannot read `missing.tml`: No such")
        self.fails(".", status=3, message="cannot read `.`: Is a directory")
        os.mkdir(self.folder / "taken")
        self.fails("good.tml", "-o", "taken", status=3, message="cannot write `taken`")
        self.fails("-c", "good.tml", "-o", "no/such.o", status=3, message="cannot write `no/such.o`")
        if os.getuid() != 0:
            os.chmod(self.folder / "bad.tml", 0)
            self.fails("bad.tml", status=3, message="cannot read `bad.tml`: Permission denied")

    def test_odd_files(self):
        self.write("empty.tml", "")
        self.assertEqual(self.tmlc("run", "empty.tml").stdout, "")
        self.write("latin1.tml", b"# gr\xfc\xdfe\n")
        self.fails("check", "latin1.tml", status=1, message="latin1.tml:1:5: error[E0101]")
        self.write("binary.tml", bytes(range(256)) * 50)
        self.tmlc("check", "binary.tml", status=1)

    def test_imports(self):
        os.mkdir(self.folder / "lib")
        self.write("lib/a.tml", 'import "b.tml"\nfn f() int:\n    return g() + 1\nend\n')
        self.write("lib/b.tml", "fn g() int:\n    return 1\nend\n")
        self.write("user.tml", 'import "lib/a.tml"\nprint(f())\n')
        self.assertEqual(self.tmlc("run", "user.tml").stdout, "2\n")
        self.write("lib/b.tml", "fn g() int:\n    return 1.5\nend\n")
        self.fails("check", "user.tml", status=1, message="lib/b.tml:2:12: error[E0401]")

    def test_standard_output_that_fails(self):
        with open("/dev/full", "w") as full:
            result = self.tmlc("--emit=ast", "good.tml", status=3, stdout=full)
        self.assertIn("no space left", result.stderr)
        reader, writer = os.pipe()
        os.close(reader)
        result = self.tmlc("--help", status=3, stdout=writer)
        os.close(writer)
        self.assertIn("the pipe is closed", result.stderr)

    def test_linker(self):
        self.assertIn("libtmlrt.a", self.tmlc("-v", "good.tml", "-o", "answer").stderr)
        for command, message in [("false", "failed with exit status 1"), ("nonsense", "cannot run")]:
            result = self.tmlc("good.tml", "-o", "other", status=3, env={"TMLC_CC": command})
            self.assertIn(message, result.stderr)
        self.assertNotIn("other", self.files())

    def test_text_outputs(self):
        self.assertIn("NAME print", self.tmlc("--emit=tokens", "good.tml").stdout)
        self.assertIn("define", self.tmlc("--emit=llvm", "-o", "-", "good.tml").stdout)
        self.assertIn("bytes", self.tmlc("check", "--report", "good.tml").stdout)
        self.assertIn("total", self.tmlc("check", "--time", "good.tml").stderr)

    def test_information(self):
        self.assertIn("--emit=KIND", self.tmlc("--help").stdout)
        self.assertRegex(self.tmlc("--version").stdout, r"^tmlc \d+\.\d+\.\d+\n$")
        self.assertIn("Wrong:", self.tmlc("--explain", "e0501").stdout)
        self.tmlc("--explain", "E9999", status=2)

    def warnings(self, *args, status=0):
        """The names of the warnings and errors that checking lint.tml shows, in order."""
        result = self.tmlc("check", "--diagnostics=short", *args, "lint.tml", status=status)
        return re.findall(r": ((?:warning|error)\[.*?\])", result.stderr)

    def test_warnings(self):
        self.write("lint.tml", "a = 7 / 2\nprint(narrow(3))\n")
        unused, division, noop = (
            f"warning[-W{name}]" for name in ["unused", "integer-division", "narrow-noop"])
        self.assertEqual(self.warnings(), [])
        self.assertEqual(self.warnings("-Wall"), [unused, division, noop])
        self.assertEqual(self.warnings("-Wunused"), [unused])
        self.assertEqual(self.warnings("-Wall", "-Wno-unused"), [division, noop])
        self.assertEqual(self.warnings("-Wno-unused", "-Wall"), [unused, division, noop])
        self.assertEqual(self.warnings("-Wall", "-w"), [])
        self.assertEqual(self.warnings("-Werror"), [])
        self.assertEqual(self.warnings("-Werror", "-Wunused", status=1), ["error[-Wunused]"])

    def test_allowed_warnings(self):
        def shown(text):
            self.write("lint.tml", text)
            return self.warnings("-Wall")

        self.assertEqual(shown("a = 3 # tmlc: allow(unused)\n"), [])
        self.assertEqual(shown("a = 7 / 2 #tmlc:allow( unused , integer-division ), why\n"), [])
        self.assertEqual(shown("a = 7 / 2 # tmlc: allow(all)"), [])
        self.assertEqual(shown("a = 3 # tmlc: allow(narrow-noop)\n"), ["warning[-Wunused]"])
        self.assertEqual(shown("# tmlc: allow(unused)\na = 3\n"), ["warning[-Wunused]"])
        self.assertEqual(shown("print('# tmlc: allow(all)', narrow(1))\n"), ["warning[-Wnarrow-noop]"])
        self.assertEqual(shown("a = 3 # tmlc: allow(unusd)\n"),
                         ["warning[-Wunused]", "warning[-Wunknown-allow]"])
        self.assertEqual(self.warnings(), [], "off like every other")

    def test_messages(self):
        self.assertNotIn("\x1b", self.tmlc("check", "bad.tml", status=1).stderr)
        colored = self.tmlc("check", "--color=always", "bad.tml", status=1).stderr
        self.assertIn("\x1b[", colored)
        short = self.tmlc("check", "--diagnostics=short", "bad.tml", status=1).stderr
        self.assertEqual(short.count("\n"), 1)
        self.assertTrue(self.tmlc("check", "--diagnostics=json", "bad.tml", status=1).stderr)


unittest.main()
