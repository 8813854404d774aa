#!/usr/bin/env python3
"""What stands in the outputs' places after runs that do not succeed. Usage: outputs.py TMLC CC.

CC are the words of the command that links.
"""

import fcntl
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TMLC = os.path.abspath(sys.argv.pop(1))
CC = sys.argv.pop(1)

COMPONENT = """in real t.u
out real t.y
fn output_fnc():
    t.y = 2 * t.u
end
"""


class Outputs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.write("c.tml", COMPONENT)
        self.write("good.tml", "print(6 * 7)\n")

    def write(self, name, text, mode=0o644):
        (self.folder / name).write_text(text)
        (self.folder / name).chmod(mode)

    def contents(self):
        """Names and bytes; a folder is its names, and what is no file is None."""
        return {path.name: os.listdir(path) if path.is_dir() else path.read_bytes() if path.is_file() else None
                for path in self.folder.iterdir()}

    def tmlc(self, *args, status=0, **env):
        result = subprocess.run([TMLC, *args], cwd=self.folder, env={**os.environ, **env},
                                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, status, result.stderr)
        return result

    def fails(self, *args, status, message, **env):
        """The run changes nothing."""
        before = self.contents()
        self.assertIn(message, self.tmlc(*args, status=status, **env).stderr)
        self.assertEqual(self.contents(), before)

    # --- two outputs of one name -----------------------------------------------------------------

    def system(self):
        """One with an import and an instance, and its input."""
        self.write("twice.tml", "fn twice(real x) real:\n    return 2 * x\nend\n")
        self.write("part.tml", 'import "twice.tml"\n' + COMPONENT.replace("2 * t.u", "twice(t.u)"))
        self.write("system.tml", 'in real t.u\nout real t.y\ninstance part = "part.tml"()\n'
                                 "connect part.u = t.u\nconnect t.y = part.y\n"
                                 'test "replayed":\n    replay("u.csv", "y.csv", 0.0)\nend\n')
        self.write("u.csv", "u\n1\n")
        self.write("y.csv", "y\n2\n")

    def test_simulations_spare_their_model(self):
        self.system()
        self.tmlc("system.tml", "-o", "system")
        os.symlink("part.tml", self.folder / "link")
        runs = [((TMLC, "run", "system.tml", "--"), "system.tml"), (("./system",), "system")]
        for option in ("--out", "--trace", "--save-state"):
            for command, model in runs:
                for name, what in [(model, "the model"), (f"./{model}", "the model"),
                                   ("part.tml", "a source of the model"), ("link", "a source of the model"),
                                   ("twice.tml", "a source of the model")]:
                    before = self.contents()
                    result = subprocess.run([*command, "--in=u.csv", f"{option}={name}"], cwd=self.folder,
                                            capture_output=True, text=True)
                    self.assertEqual((result.returncode, result.stdout), (2, ""))
                    self.assertIn(f"cannot write `{name}`: it is {what}\n", result.stderr)
                    self.assertEqual(self.contents(), before)
        self.write("script.tml", 'import "twice.tml"\noutput("y", twice(2.0))\n')
        self.fails("run", "script.tml", "--", "--out=y=twice.tml", status=2, message="it is a source of the model")
        self.fails("run", "script.tml", "--", "--out=y=script.tml", status=2, message="it is the model")

    def test_reports_of_tests_spare_what_is_tested(self):
        self.system()
        self.fails("test", "system.tml", "--out=./system.tml", status=2, message="it is a source file")
        for name in ("part.tml", "twice.tml", "u.csv", "./y.csv"):
            self.fails("test", "system.tml", f"--out={name}", status=2,
                       message=f"cannot write `{name}`: the tests of `system.tml` read it")
        self.tmlc("test", "system.tml", "--out=report")

    def test_outputs_spare_what_they_are_made_from(self):
        self.system()
        self.write("tmlc.json", '{"options": ["-w"]}')
        for name in ("system.tml", "part.tml", "twice.tml"):
            self.fails("-c", "system.tml", "-MF", name, status=2, message="it is a source file")
        self.fails("-c", "system.tml", "-MF", "tmlc.json", status=2, message="it holds the options of the project")
        self.fails("system.tml", "--emit=obj,json", "-o", "tmlc", status=2, message="it holds the options")
        png = b"\x89PNG\r\n\x1a\n"
        (self.folder / "icon.png").write_bytes(png)
        self.fails("system.tml", "-o", "s.fmu", "--step=1", "--icon=icon.png", "-MF", "./icon.png", status=2,
                   message="it is the file of `--icon`")
        self.tmlc("system.tml", "-o", "s.fmu", "--step=1", "--icon=icon.png", "-MF", "rule")
        self.assertIn(" icon.png", (self.folder / "rule").read_text())

    def test_saved_sessions_spare_what_is_loaded(self):
        self.system()
        for loaded, name in [("system.tml", "system.tml"), ("system.tml", "part.tml"), ("system.tml", "./twice.tml"),
                             ("twice.tml", "twice.tml")]:
            before = self.contents()
            result = subprocess.run([TMLC, "repl", loaded], input=f"a = 1\n:save {name}\n", cwd=self.folder,
                                    capture_output=True, text=True)
            self.assertEqual((result.returncode, result.stderr),
                             (1, f"error: cannot write `{name}`: it is loaded, and not what was entered\n"))
            self.assertEqual(self.contents(), before)
        subprocess.run([TMLC, "repl"], input="a = 1\n:save s.tml\n:load s.tml\n:save s.tml\n", cwd=self.folder,
                       capture_output=True, text=True, check=True)
        self.assertEqual((self.folder / "s.tml").read_text().split("\n"), ["a = 1", "a = 1", "", ""])

    def test_two_outputs_of_one_name(self):
        os.mkdir(self.folder / "sub")
        os.symlink("sub", self.folder / "way")
        for rule, other in [("q.o", "obj"), ("q.h", "header"), ("./q.o", "obj"), ("sub/../q.h", "header")]:
            self.fails("-c", "c.tml", "-o", "q.o", "-MF", rule, status=2,
                       message=f"two outputs would be one file: `q.{rule[-1]}` ({other}) and `{rule}` (-MF)")
        self.fails("-c", "c.tml", "-o", "sub/q.o", "-MF", "way/q.o", status=2,
                   message="`sub/q.o` (obj) and `way/q.o` (-MF)")
        self.fails("-c", "c.tml", "-o", "q.d", "-MD", status=2, message="`q.d` (obj) and `q.d` (-MD)")
        self.fails("good.tml", "-o", "a", "-MF", "a.o", "--save-temps", status=2,
                   message="`a.o` (--save-temps) and `a.o` (-MF)")

    def test_two_outputs_of_one_name_that_exist(self):
        self.tmlc("-c", "c.tml", "-o", "q.o")
        os.symlink("q.o", self.folder / "link")
        os.link(self.folder / "q.h", self.folder / "hard")
        self.fails("-c", "c.tml", "-o", "q.o", "-MF", "link", status=2, message="`q.o` (obj) and `link`")
        self.fails("-c", "c.tml", "-o", "q.o", "-MF", "hard", status=2, message="`q.h` (header) and `hard`")

    def test_several_kinds_of_one_name(self):
        os.mkdir(self.folder / "sub")
        self.tmlc("c.tml", "--emit=shared,json", "-o", "sub/made", "-MD")
        self.assertEqual({"made.so", "made.json", "made.h", "made.d"}, set(os.listdir(self.folder / "sub")))
        self.fails("c.tml", "--emit=shared,json", "-o", "nowhere/made", status=3, message="nowhere")

    def test_object_that_is_kept_and_asked_for(self):
        self.tmlc("good.tml", "--emit=obj,exe", "--save-temps")
        self.assertEqual(sorted(self.contents()), ["c.tml", "good", "good.o", "good.tml"])

    def test_object_in_between_has_no_name(self):
        """Without --save-temps nothing is called answer.o."""
        os.mkdir(self.folder / "answer.o")
        self.tmlc("good.tml", "-o", "answer", "-MF", "rule")
        self.assertIn("answer:", (self.folder / "rule").read_text())

    def test_headers_that_are_called_like_those_of_c(self):
        os.mkdir(self.folder / "sub")
        for args, header in [(["-c", "math.tml"], "math.h"), (["c.tml", "-o", "sub/string.so"], "sub/string.h"),
                             (["-c", "math.tml", "-o", "gains.o"], None), (["math.tml", "-o", "math.json"], None)]:
            self.write("math.tml", COMPONENT)
            note = header and (f"{header}: note: a program for which `-I` names this folder gets it for "
                               f"`#include <{os.path.basename(header)}>`; `-o NAME.o` gives it another name\n")
            self.assertEqual(self.tmlc(*args).stderr, note or "")
        self.fails("new", "string", status=2, message="the header of `string` would be called as one of C")
        for name in ("clean", "all", "test", "package_source"):
            self.fails("new", name, status=2, message=f"CMake has a target `{name}` of its own; give another name")

    # --- linkers and archivers that do not do what they say --------------------------------------

    def tool(self, text):
        """A program that is run instead of cc or ar; `$out` is the file that it makes."""
        path = self.folder / "tool"
        self.write("tool", f"#!/bin/sh\n{text}\n", 0o755)
        return str(path)

    def cut(self, tool, find_out, size):
        return self.tool(f'{tool} "$@" || exit 1\n{find_out}\ntruncate -s {size} "$out"')

    def test_linker_that_leaves_less(self):
        after_o = 'while [ "$1" != -o ]; do shift; done; out=$2'
        for source, name in [("good.tml", "made"), ("c.tml", "made"), ("c.tml", "made.so")]:
            self.tmlc(source, "-o", name)
            size = (self.folder / name).stat().st_size
            (self.folder / name).write_text("old")
            for left in [0, 1, 4, 63, 64, 100, 4096, size // 2, size * 9 // 10, size - 64, size - 1]:
                with self.subTest(name=name, left=left):
                    linker = self.cut(CC, after_o, left)
                    message = f"cannot make `{name}`: the linker left "
                    self.fails(source, "-o", name, status=3, message=message, TMLC_CC=linker)

    def test_linker_that_leaves_something_else(self):
        for linker, source, name, left in [
            ("true", "good.tml", "made", "an empty file"),
            ("true", "c.tml", "made.so", "an empty file"),
            ("cp c.tml", "good.tml", "made", "a file of another kind"),
            ("cp $3", "good.tml", "made", "a file of another kind"), # the object
        ]:
            with self.subTest(linker=linker):
                if linker.startswith("cp"):
                    linker = self.tool(f'while [ "$1" != -o ]; do shift; done; {linker} "$2"')
                self.fails(source, "-o", name, status=3, message=f"the linker left {left}", TMLC_CC=linker)

    def test_linker_of_another_kind(self):
        """An executable at a fixed address is one, too."""
        self.tmlc("good.tml", "-o", "made", TMLC_CC=f"{CC} -no-pie")
        result = subprocess.run([self.folder / "made"], capture_output=True, text=True)
        self.assertEqual(result.stdout, "42\n")

    def test_archiver(self):
        self.tmlc("c.tml", "-o", "made.a")
        size = (self.folder / "made.a").stat().st_size
        (self.folder / "made.a").write_text("old")
        self.fails("c.tml", "-o", "made.a", status=3, message="the archiver made no index", TMLC_AR="true")
        for left in [0, 1, 8, 9, 67, 68, size // 2, size - 1]:
            with self.subTest(left=left):
                archiver = self.cut("ar", "out=$2", left)
                self.fails("c.tml", "-o", "made.a", status=3, TMLC_AR=archiver,
                           message="cannot make `made.a`: the archiver left an incomplete file")
        archiver = self.tool('ar "$@"; ar d "$2" c.o')
        self.fails("c.tml", "-o", "made.a", status=3, message="an incomplete file", TMLC_AR=archiver)

    # --- closed streams --------------------------------------------------------------------------

    def test_message_without_standard_error(self):
        """The first file to be opened does not become what messages are written to."""
        self.write("trap.tml", "out real t.y\nint count = 2\nfn output_fnc():\n    t.y = real(count)\nend\n"
                               "fn update_fnc():\n    count -= 1\n    assert(4 / count > 0)\nend\n")
        self.write("script.tml", 'output("y", [1, 2])\nprint(1)\n')
        self.tmlc("trap.tml", "-o", "trap")
        self.tmlc("script.tml", "-o", "script")
        for closed in ["2>&-", "0<&- 2>&-", "0<&- 1>&- 2>&-"]:
            for command in ["./trap", f"{TMLC} run trap.tml --"]:
                result = subprocess.run(f"{command} --steps 5 --out y.csv {closed}", shell=True, cwd=self.folder)
                self.assertEqual(result.returncode, 101)
                self.assertEqual((self.folder / "y.csv").read_text(), "y\n2.0\n")
            result = subprocess.run(f"./script --out y=y.csv 1>&- {closed}", shell=True, cwd=self.folder)
            self.assertEqual(result.returncode, 3)
            self.assertEqual((self.folder / "y.csv").read_text(), "1,2\n")

    # --- all or none -----------------------------------------------------------------------------

    def test_second_output_that_cannot_take_its_name(self):
        """While the linker runs, a folder takes the executable's name."""
        self.write("good.o", "old")
        linker = self.tool(f'mkdir good\nexec {CC} "$@"')
        result = self.tmlc("good.tml", "--emit=obj,exe", "-MD", status=3, TMLC_CC=linker)
        self.assertIn("cannot write `good`: is not a regular file", result.stderr)
        self.assertEqual((self.folder / "good.o").read_text(), "old")
        self.assertEqual(sorted(self.contents()), ["c.tml", "good", "good.o", "good.tml", "tool"])

    def test_each_output_that_cannot_take_its_name(self):
        """Something else than a file stands there; the others are old files."""
        names = ["q.o", "q.h", "q.d"]
        obstacles = {
            "a folder": (lambda path: path.mkdir(), os.rmdir),
            "a link to nothing": (lambda path: path.symlink_to("nothing"), os.unlink),
            "a pipe": (os.mkfifo, os.unlink),
        }
        for name in names:
            for what, (put, remove) in obstacles.items():
                with self.subTest(name=name, what=what):
                    for other in names:
                        self.write(other, f"/* {other}: made by tmlc */ old\n")
                    (self.folder / name).unlink()
                    put(self.folder / name)
                    self.fails("-c", "c.tml", "-o", "q.o", "-MD", status=3, message=f"cannot write `{name}`: is ")
                    remove(self.folder / name)

    def test_lock_that_somebody_holds(self):
        """`flock . make` does not stop the compiler for long."""
        lock = os.open(self.folder, os.O_RDONLY)
        self.addCleanup(os.close, lock)
        fcntl.flock(lock, fcntl.LOCK_EX)
        self.tmlc("-c", "c.tml")
        self.assertIn("c.h", self.contents())


if __name__ == "__main__":
    unittest.main()
