#!/usr/bin/env python3
"""What is compiled again and what is not, and models that travel. Usage: cache.py TMLC."""

import os
import pathlib
import pickle
import shutil
import subprocess
import sys
import time
import unittest
import unittest.mock

import numpy as np
from package_test import LAG, ROOT, TMLC, PackageTest, tmlc
from tmlc import _cache, _command

# Says each use of the compiler in the file $LOG.
WRAPPER = f"""#!/bin/sh
echo run >> "$LOG"
exec {TMLC} "$@"
"""

COUNTING = """
import sys
import numpy as np
import tmlc
model = tmlc.compile(sys.argv[1])
print(model.simulate({"u": np.ones(3)})["y"].tolist())
"""


class Cache(PackageTest):
    def setUp(self):
        self.work = self.folder()
        patch = unittest.mock.patch.dict(os.environ, {
            "TMLC": str(self.work / "tmlc"), "LOG": str(self.work / "log"), "TMLC_CACHE": str(self.work / "cache"),
        })
        patch.start()
        self.addCleanup(patch.stop)
        (self.work / "tmlc").write_text(WRAPPER)
        (self.work / "tmlc").chmod(0o755)

    def write(self, name, text):
        """A file that is older than any run."""
        path = self.work / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        os.utime(path, (1e9, 1e9))
        return path

    def runs(self):
        """Of the compiler, since the last call."""
        log = self.work / "log"
        count = len(log.read_text().splitlines()) if log.exists() else 0
        log.unlink(missing_ok=True)
        return count

    def compiles(self, times, *args, **more):
        model = tmlc.compile(*args, **more)
        self.assertEqual(self.runs(), times)
        return model

    def test_hits(self):
        self.compiles(1, LAG)
        self.compiles(0, LAG)
        path = self.write("lag.tml", LAG)
        self.compiles(1, path)
        self.compiles(0, path)
        self.compiles(0, str(path))
        for options in [{"real": "f32"}, {"define": {"p.k": 1.0}}, {"cpu": "generic"}, {"name": "other"},
                        {"fp": "strict"}, {"optimize": 0}, {"checks": "none"}, {"debug_signals": True}]:
            self.compiles(1, LAG, **options)
            self.compiles(0, LAG, **options)

    def test_hit_without_the_command(self):
        """Nothing is started: there is nothing that could be."""
        self.compiles(1, LAG)
        u = np.arange(5.0)
        expected = tmlc.compile(LAG).simulate({"u": u})["y"]
        with unittest.mock.patch.dict(os.environ, {"PATH": "/nowhere", "TMLC": ""}):
            self.same(tmlc.compile(LAG).simulate({"u": u})["y"], expected)
            with self.assertRaises(tmlc.MissingCommand):
                tmlc.compile(LAG + "# another\n")

    def test_hit_is_fast(self):
        tmlc.compile(LAG)
        times = []
        for _ in range(20):
            start = time.perf_counter()
            tmlc.compile(LAG)
            times.append(time.perf_counter() - start)
        self.assertLess(min(times), 0.002)

    def test_imports(self):
        part = "fn twice(real x) real:\n    return {} * x\nend\n"
        component = 'import "a part.tml"\nin real t.u\nout real t.y\nfn output_fnc():\n    t.y = twice(t.u)\nend\n'
        path = self.write("main.tml", component)

        def result(model):
            return model.simulate({"u": [1.0]})["y"][0]

        self.write("a part.tml", part.format("2.0"))
        self.assertEqual(result(self.compiles(1, path)), 2.0)
        self.compiles(0, path)
        self.write("a part.tml", part.format("3.0"))
        self.assertEqual(result(self.compiles(1, path)), 3.0)
        self.write("a part.tml", part.format("2.0"))
        self.assertEqual(result(self.compiles(0, path)), 2.0)
        # The imports of a text are relative to the current folder.
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        os.chdir(self.work)
        self.assertEqual(result(self.compiles(1, component)), 2.0)
        self.assertEqual(result(self.compiles(0, component)), 2.0)
        self.write("sub/a part.tml", part.format("5.0"))
        os.chdir("sub")
        self.assertEqual(result(self.compiles(1, component)), 5.0)
        os.remove("a part.tml")
        with self.assertRaises(tmlc.CompileError) as caught:
            tmlc.compile(component)
        self.assertEqual(caught.exception.diagnostics[0].code, "E0705")

    def test_file_that_changes_meanwhile(self):
        """What it was made of is not known: the next one is compiled."""
        path = self.write("main.tml", 'import "part.tml"\nfn one() real:\n    return part()\nend\n')
        part = self.work / "part.tml"
        part.write_text("fn part() real:\n    return 1.0\nend\n")
        os.utime(part, (time.time() + 3600,) * 2)
        self.compiles(1, path)
        self.compiles(1, path)
        os.utime(part, (1e9, 1e9))
        self.compiles(1, path)
        self.compiles(0, path)

    def test_name_that_begins_with_a_dash(self):
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        os.chdir(self.work)
        self.write("-x.tml", LAG)
        for times in [1, 0]:
            self.assertEqual(self.compiles(times, "-x.tml").simulate({"u": [1.0]})["y"][0], 0.0)
        self.assertEqual(tmlc.check("-x.tml"), [])
        model = pickle.loads(pickle.dumps(tmlc.compile("-x.tml")))
        self.assertEqual(list(model.inputs), ["u"])

    def test_another_compiler(self):
        self.compiles(1, LAG)
        (self.work / "tmlc").write_text(WRAPPER + "# a newer one\n")
        self.compiles(1, LAG)

    def test_errors_are_not_kept(self):
        for _ in range(2):
            with self.assertRaises(tmlc.CompileError):
                tmlc.compile("x = \n")
            self.assertEqual(self.runs(), 2)  # once more for people
        self.assertFalse([path for path in (self.work / "cache").iterdir() if path.is_dir()])

    def test_damage(self):
        self.compiles(1, LAG)
        cache = self.work / "cache"
        for path in cache.glob("*.json"):
            path.write_text("{")
        self.compiles(1, LAG)
        for path in cache.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
        self.compiles(1, LAG)
        self.compiles(0, LAG)

    def test_many_at_once(self):
        """Processes that compile the same find or make the same."""
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
        path = self.write("lag.tml", LAG)
        started = [
            subprocess.Popen([sys.executable, "-c", COUNTING, path], env=environment, stdout=subprocess.PIPE, text=True)
            for _ in range(4)
        ]
        for process in started:
            self.assertEqual(process.communicate()[0], "[0.0, 0.5, 0.75]\n")
            self.assertEqual(process.returncode, 0)
        names = sorted(path.name for path in (self.work / "cache").iterdir() if path.is_dir())
        self.assertEqual(len(names), 1)

    def test_folder_that_cannot_be_written(self):
        (self.work / "file").write_text("")
        with unittest.mock.patch.dict(os.environ, {"TMLC_CACHE": "", "XDG_CACHE_HOME": str(self.work / "file")}):
            self.assertEqual(tmlc.compile(LAG).name, "model")
        with unittest.mock.patch.dict(os.environ, {"TMLC_CACHE": str(self.work / "file/x")}):
            with self.assertRaises(OSError):
                tmlc.compile(LAG)

    def test_unused_entries_go(self):
        self.compiles(1, LAG)
        cache = self.work / "cache"
        for path in cache.iterdir():
            os.utime(path, (1e9, 1e9))
        self.compiles(0, LAG)
        self.compiles(1, LAG + "# another\n")  # sweeps
        self.compiles(1, LAG)  # its key was not used
        self.assertEqual(len([path for path in cache.iterdir() if path.is_dir()]), 2)

    def test_rule(self):
        """Names with what make has a meaning for."""
        for name in ["a b.tml", "a#b.tml", "a$b.tml", "a\\b.tml", "\\ #$$.tml", "a\tb.tml"]:
            self.write(name, "fn part() real:\n    return 1.0\nend\n")
            path = self.write("x.tml", "fn one() real:\n    return 1.0\nend\n")
            (self.work / "x").mkdir(exist_ok=True)
            _command.compile_to(self.work / "x" / "model", [name], None, str(self.work))
            self.assertEqual(_command.dependencies(self.work / "x" / "model.d"), [name], path)

    # --- models in other processes ---------------------------------------------------------------

    def test_pickle(self):
        """The source travels, with all files that it needs, to where none of them are."""
        self.write("in/part.tml", "fn twice(real x) real:\n    return 2.0 * x\nend\n")
        self.write("in/face.tml", "in real t.u\nout real t.y\n")
        self.write("in/sub/main.tml", 'import "../part.tml"\nfn output_fnc():\n    t.y = twice(t.u)\nend\n')
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        for base, main, face in [
            (self.work / "in", "sub/main.tml", "face.tml"),
            (self.work / "in/sub", "main.tml", "../face.tml"),
            (pathlib.Path(here), self.work / "in/sub/main.tml", str(self.work / "in/face.tml")),
        ]:
            with self.subTest(main=main):
                os.chdir(base)
                sent = pickle.dumps(tmlc.compile(main, interface=[face]))
                os.chdir(here)
                self.runs()
                self.assertEqual(pickle.loads(sent).simulate({"u": [3.0]})["y"][0], 6.0)
                self.assertEqual(self.runs(), 0)
                os.rename(self.work / "in", self.work / "away")
                with unittest.mock.patch.dict(os.environ, {"TMLC_CACHE": str(self.folder())}):
                    for times in [1, 0]:
                        self.assertEqual(pickle.loads(sent).simulate({"u": [3.0]})["y"][0], 6.0)
                        self.assertEqual(self.runs(), times)
                os.rename(self.work / "away", self.work / "in")

    def test_pickle_of_a_changed_file(self):
        path = self.write("lag.tml", LAG)
        sent = pickle.dumps(tmlc.compile(path))
        self.write("lag.tml", LAG.replace("0.5", "0.25"))
        self.assertEqual(pickle.loads(sent).params["k"].default, 0.5)
        self.assertEqual(_cache.folder(), self.work / "cache")

    def test_pickle_of_what_was_compiled(self):
        path = self.write("lag.tml", LAG)
        model = tmlc.compile(path)
        self.write("lag.tml", LAG.replace("0.5", "0.25"))
        self.assertEqual(pickle.loads(pickle.dumps(model)).params["k"].default, 0.5)

    def test_project_that_comes_and_goes(self):
        path = self.write("scaled.tml", "int n.k = 1\nin real t.u\nout real t.y\nfn output_fnc():\n"
                                        "    t.y = t.u * n.k\nend\n")
        for times, factor, text in [(1, 1.0, None), (1, 9.0, '{"options": ["-Dn.k=9"]}'),
                                    (1, 4.0, '{"options": ["-Dn.k=4"]}'), (0, 1.0, None)]:
            project = self.work / "tmlc.json"
            project.unlink(missing_ok=True)
            if text is not None:
                self.write("tmlc.json", text)
            self.runs()
            self.assertEqual(tmlc.compile(path).simulate({"u": [1.0]})["y"][0], factor)
            self.assertEqual(self.runs(), times)


if __name__ == "__main__":
    unittest.main()
