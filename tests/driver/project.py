#!/usr/bin/env python3
"""Options of tmlc.json: project.py TMLC TMLC_FRONT. Where it is found, what it may say, what is said of mistakes."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TMLC, FRONT = sys.argv[1:3]
COMPONENT = "in real t.u\nout real t.y\nreal n.k = 1.0\nfn output_fnc():\n    t.y = n.k * t.u\nend\n"
UNUSED = "fn f(int a) int:\n    x = 1\n    return a\nend\nprint(f(1))\n"
RANKS = "a = [1.0, 2.0; 3.0, 4.0] + [1.0, 2.0]\nprint(a)\n"


class Projects(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name).resolve()
        self.addCleanup(self.temporary.cleanup)
        (self.folder / "top/.git").mkdir(parents=True)
        (self.folder / "top/inner/deep").mkdir(parents=True)
        self.deep = self.folder / "top/inner/deep"
        self.write(self.deep / "component.tml", COMPONENT)
        self.write(self.deep / "ranks.tml", RANKS)

    def write(self, path, text):
        path.write_text(text)
        return path

    def project(self, folder, *options):
        return self.write(self.folder / folder / "tmlc.json", json.dumps({"options": options}))

    def run_tmlc(self, *arguments, program=TMLC, cwd=None):
        done = subprocess.run([program, *map(str, arguments)], stdin=subprocess.DEVNULL, text=True,
                              cwd=cwd or self.folder, capture_output=True, timeout=60)
        return done.returncode, done.stdout, done.stderr

    def status(self, *arguments, **more):
        return self.run_tmlc(*arguments, **more)[0]

    def test_it_is_found_in_the_folder_or_above(self):
        ranks = self.deep / "ranks.tml"
        self.assertEqual(self.status("check", ranks), 0)
        self.project("", "--rank-promotion=error")  # above .git
        self.assertEqual(self.status("check", ranks), 0)
        self.project("top", "--rank-promotion=error")  # beside it
        self.assertEqual(self.status("check", ranks), 1)
        self.project("top/inner", "--rank-promotion=allow")  # nearer
        self.assertEqual(self.status("check", ranks), 0)
        (self.folder / "top/inner/tmlc.json").unlink()
        for command in (["check"], ["run"], ["interface"], ["test"], ["-c"], []):
            self.assertEqual(self.status(*command, ranks), 1, command)
            self.assertNotIn("rank", self.run_tmlc(*command, ranks, "--no-project")[2])
        self.assertEqual(self.status("check", "inner/deep/ranks.tml", cwd=self.folder / "top"), 1)
        self.assertEqual(self.status("check", "ranks.tml", cwd=self.deep), 1)
        self.assertEqual(self.status(ranks, program=FRONT), 1)
        os.symlink(self.deep, self.folder / "link")
        self.assertEqual(self.status("check", "link/ranks.tml"), 1)
        self.assertEqual(subprocess.run([TMLC, "check", "-"], input=RANKS.encode(), cwd=self.deep,
                                        capture_output=True).returncode, 1)

    def test_each_file_has_its_own(self):
        self.project("top/inner/deep", "-Werror")
        one, two = self.write(self.deep / "a.tml", UNUSED), self.write(self.folder / "b.tml", UNUSED)
        self.assertEqual(self.status("check", two), 0)
        status, _, error = self.run_tmlc("check", "--diagnostics=short", two, one, two)
        self.assertEqual((status, error.count("error[-Wunused]"), error.count("warning[-Wunused]")), (1, 1, 2))

    def test_the_command_line_comes_later(self):
        self.project("top", "--rank-promotion=error", "-Dn.k=2.0")
        self.assertEqual(self.status("check", self.deep / "ranks.tml", "--rank-promotion=allow"), 0)
        component = self.deep / "component.tml"
        for options, value in (([], "2.0"), (["-Dn.k=3.0"], "3.0"), (["--no-project"], "1.0")):
            text = self.run_tmlc("--emit=tir", component, "-o", "-", *options)[1]
            self.assertIn(f"{value}", text, options)
            others = {"1.0", "2.0", "3.0"} - {value}
            self.assertFalse([other for other in others if f" {other}" in text], text)

    def test_a_file_need_not_have_what_the_project_defines(self):
        self.project("top", "-Dn.nowhere=1", "--with=t.nowhere")
        self.assertEqual(self.status("check", self.deep / "component.tml"), 0)
        self.assertEqual(self.status("check", self.deep / "component.tml", "-Dn.nowhere=1"), 1)
        self.project("top", "-Dn.k=[1, 2]")
        status, _, error = self.run_tmlc("check", self.deep / "component.tml")
        self.assertEqual(status, 1)
        self.assertIn("n.k", error)

    def test_paths_are_relative_to_it(self):
        self.write(self.folder / "top/plant.interface.tml", "in real t.u\nout real t.y\n")
        self.write(self.deep / "published.tml", "fn output_fnc():\n    t.y = 2.0 * t.u\nend\n")
        self.project("top", "--interface", "plant.interface.tml")
        self.assertEqual(self.run_tmlc("check", self.deep / "published.tml"), (0, "", ""))
        self.assertEqual(self.run_tmlc(self.deep / "published.tml", program=FRONT), (0, "", ""))

    def test_it_is_shown(self):
        path = self.project("top", "--real=f32", "-O1")
        error = self.run_tmlc("check", "-v", self.deep / "ranks.tml")[2]
        self.assertEqual(error, f"options of {path}: --real=f32 -O1\n")
        self.assertEqual(self.run_tmlc("check", "-v", "--no-project", self.deep / "ranks.tml")[2], "")

    def test_mistakes(self):
        path = self.folder / "top/tmlc.json"
        for text, place, message in (
            ("{", "1:", ""),
            ("", "1:", ""),
            ('{"options": [],}', "1:", ""),
            ("[]", "1:1", "a project is an object"),
            ('{\n  "option": []\n}', "2:3", "a project has no `option`"),
            ('{"options": "-O1"}', "1:2", "`options` is a list of texts"),
            ('{"options": [1]}', "1:2", "option 1 is no text"),
            ('{"options": [], "options": []}', "1:", "duplicate"),
            ('{"options": [\n  "--real=f32",\n  "--reel=f32"]}', "3:3", "unknown option `--reel=f32`; did you mean"),
            ('{"options": ["--real=f16"]}', "1:14", "unknown value `f16` for `--real`"),
            ('{"options": ["-Dk"]}', "1:14", "`-D` takes p.NAME=VALUE"),
            ('{"options": ["-Wunusd"]}', "1:14", "unknown warning `-Wunusd`"),
            ('{"options": ["--real"]}', "1:14", "option `--real` needs a value"),
            ('{"options": ["-w", "-o", "x"]}', "1:20", "`-o` goes on the command line"),
            ('{"options": ["a.tml"]}', "1:14", "`a.tml` is no option"),
            ('{"options": ["--help"]}', "1:14", "`--help` goes on the command line"),
        ):  # fmt: skip
            path.write_text(text)
            for program, words in ((TMLC, ["check"]), (TMLC, ["run"]), (TMLC, ["test"]), (FRONT, [])):
                status, out, error = self.run_tmlc(*words, self.deep / "ranks.tml", program=program)
                self.assertEqual((status, out), (2, "") if words != ["test"] else (2, out), text)
                self.assertIn(f"tmlc: error: {path}:{place}", error, text)
                self.assertIn(message, error)
        path.unlink()
        path.mkdir()
        status, _, error = self.run_tmlc("check", self.deep / "ranks.tml")
        self.assertIn(f"cannot read `{path}`: ", error)
        self.assertEqual(status, 2)
        path.rmdir()
        for make, why in ((os.mkfifo, "it is a pipe"), (lambda name: os.symlink("nowhere", name), "No such file or directory")):
            make(path)
            for program, words in ((TMLC, ["check"]), (FRONT, [])):
                found = self.run_tmlc(*words, self.deep / "ranks.tml", program=program)
                self.assertEqual(found, (2, "", f"tmlc: error: cannot read `{path}`: {why}\n"))
            path.unlink()


unittest.main(argv=sys.argv[:1])
