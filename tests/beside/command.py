#!/usr/bin/env python3
"""`tmlc test` as a user meets it. Usage: command.py TMLC SECONDS, those that 1000 tests may take."""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

import junitparser

TMLC = os.path.abspath(sys.argv.pop(1))
SECONDS = float(sys.argv.pop(1))

FILTER = """\
in real t.u
out real t.y
tunable real p.k = 0.25
real y = 0.0
fn output_fnc():
    t.y = y + p.k * (t.u - y)
end
fn update_fnc():
    y = t.y
end
"""
SETTLES = """\
test "settles":
    t.u = 1.0
    cycle(100)
    assert(near(t.y, 1.0, 1e-9))
end
"""
WRONG = """\
test "is there & <at once>":
    t.u = 1.0
    cycle()
    print("after one cycle", t.y)
    assert(t.y == 1.0, "at once # not")
end
"""
ENDLESS = """\
test "loops":
    i = 0
    while i >= 0:
        i = (i + 1) % 7
    end
end
"""


class Command(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, *texts):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(texts))

    def tmlc(self, *args, status=0, command="test"):
        result = subprocess.run([TMLC, command, *args], cwd=self.folder, capture_output=True,
                                text=True, timeout=120)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result

    def test_report(self):
        self.write("good.tml", FILTER, SETTLES)
        self.write("wrong.tml", FILTER, SETTLES, WRONG)
        self.assertEqual(self.tmlc("good.tml").stdout, "good.tml: 1 passed\n")
        report = self.tmlc("wrong.tml", status=1).stdout
        self.assertEqual(report, """\
wrong.tml:16:6: test failed: is there & <at once>: trap E1004
after one cycle 0.25
wrong.tml:20:5: trap[E1004]: assertion failed: at once # not
   |
20 |     assert(t.y == 1.0, "at once # not")
   |     ^
   = note: t.y is 0.25
wrong.tml: 1 failed, 1 passed
""")
        both = self.tmlc("good.tml", "wrong.tml", status=1).stdout
        self.assertEqual(both, f"good.tml: 1 passed\n{report}all: 1 failed, 2 passed\n")

    def test_folders(self):
        self.write("a/one.tml", FILTER, SETTLES)
        self.write("a/two.tml", FILTER, SETTLES)
        self.write("a/none.tml", FILTER)
        self.write("a/.hidden.tml", FILTER, WRONG)
        wanted = "a/one.tml: 1 passed\na/two.tml: 1 passed\nall: 2 passed\n"
        self.assertEqual(self.tmlc("a").stdout, wanted)
        self.assertEqual(self.tmlc().stdout, wanted.replace("a/", "./a/"))
        for jobs in ["1", "2", "64"]:
            self.assertEqual(self.tmlc("a", "--jobs", jobs).stdout, wanted)

    def test_nothing_to_run(self):
        self.write("none.tml", FILTER)
        self.assertIn("there is no test\n", self.tmlc("none.tml", status=1).stderr)
        self.write("below.tml", 'if true:\n    test "a":\n        assert(true)\n    end\nend\n')
        self.assertIn("a test stands at file level only", self.tmlc("below.tml", status=1).stderr)
        self.tmlc("none.tml", "--list")
        self.write("wrong.tml", "x = y\n")  # a part of something else, perhaps
        self.write("syntax.tml", "x = \n")
        self.assertIn("there is no test\n", self.tmlc("wrong.tml", status=1).stderr)
        self.assertIn("E0201", self.tmlc("syntax.tml", status=1).stderr)
        self.write("one.tml", FILTER, SETTLES)
        result = self.tmlc("one.tml", "--filter=other", status=1)
        self.assertIn("there is no test with such a name", result.stderr)
        self.assertEqual(self.tmlc("one.tml", "--filter=ettl").stdout, "one.tml: 1 passed\n")

    def test_list(self):
        self.write("two.tml", FILTER, SETTLES, WRONG)
        listed = "two.tml:11:6: settles\ntwo.tml:16:6: is there & <at once>\n"
        self.assertEqual(self.tmlc("--list", "two.tml").stdout, listed)
        self.assertEqual(self.tmlc("--list", "two.tml", "--filter=there").stdout, listed.splitlines(True)[1])

    def test_one_by_its_line(self):
        self.write("two.tml", FILTER, SETTLES, WRONG)
        self.assertEqual(self.tmlc("two.tml:11").stdout, "two.tml: 1 passed\n")
        self.assertIn("two.tml: 1 failed\n", self.tmlc("two.tml:16", status=1).stdout)
        self.assertEqual(self.tmlc("--list", "two.tml:16").stdout, "two.tml:16:6: is there & <at once>\n")
        result = self.tmlc("two.tml:12", status=1)
        self.assertEqual((result.stdout, result.stderr), ("", "tmlc: error: there is no test that begins in this line\n"))
        self.assertIn("cannot read `none.tml`", self.tmlc("none.tml:3", status=3).stderr)
        for wrong in ("two.tml:", "two.tml:x", "two.tml:-1", "two.tml:0", "two.tml:99999999999"):
            self.assertIn(f"cannot read `{wrong}`", self.tmlc(wrong, status=3).stderr)
        self.write("two.tml:11", FILTER, WRONG)  # a file of this name
        self.assertIn("two.tml:11: 1 failed\n", self.tmlc("two.tml:11", status=1).stdout)

    def test_mistakes(self):
        self.write("bad.tml", FILTER, 'test "a":\n    x = y1\nend\n')
        self.write("good.tml", FILTER, SETTLES)
        result = self.tmlc("bad.tml", "good.tml", status=1)
        self.assertIn("bad.tml:12:9: error[E0301]: unknown name `y1`", result.stderr)
        self.assertEqual(result.stdout, "bad.tml: cannot be tested\ngood.tml: 1 passed\n")
        self.assertEqual(self.tmlc("none.tml", status=3).stderr,
                         "tmlc: error: cannot read `none.tml`: No such file or directory\n")
        self.tmlc("good.tml", "--jobs=0", status=2)
        self.tmlc("good.tml", "--timeout=never", status=2)
        self.tmlc("good.tml", "--format=xml", status=2)
        self.tmlc("good.tml", "-o", "x", status=2)
        self.assertIn("`--list` goes with `test`", self.tmlc("good.tml", "--list", status=2, command="check").stderr)

    def test_ended(self):
        """A signal ends the tests, too, and leaves no file."""
        def runs(pid):
            try:
                return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
            except OSError:
                return False
        self.write("slow.tml", FILTER, ENDLESS)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            temporary, told = self.folder / f"temporary{number}", self.folder / f"pid{number}"
            temporary.mkdir()
            process = subprocess.Popen([TMLC, "test", "slow.tml", "--timeout=1000",
                                        f"--runner=echo $$ >> {told}; exec sleep 1000 #"],
                                       cwd=self.folder, env=dict(os.environ, TMPDIR=str(temporary)))
            end = time.monotonic() + 60
            while not (told.exists() and told.read_text().endswith("\n")) and time.monotonic() < end:
                time.sleep(0.01)
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=60), -number)
            while runs(told.read_text().strip()) and time.monotonic() < end:
                time.sleep(0.01)
            self.assertFalse(runs(told.read_text().strip()))
            self.assertEqual(list(temporary.iterdir()), [])

    def test_timeout(self):
        self.write("slow.tml", FILTER, SETTLES, ENDLESS, WRONG, SETTLES.replace("settles", "again"))
        start = time.monotonic()
        report = self.tmlc("slow.tml", "--timeout=0.5", status=1).stdout
        self.assertLess(time.monotonic() - start, 10)
        self.assertIn("slow.tml:16:6: test failed: loops: it did not end within 0.5 s\n", report)
        self.assertTrue(report.endswith("slow.tml: 2 failed, 2 passed\n"), report)

    def test_prints_for_ever(self):
        self.write("prints.tml", 'test "prints nothing":\n    pass\nend\n',
                   'test "prints":\n    while true:\n        print("for ever")\n    end\nend\n',
                   'test "prints much":\n    for i = 0:20000:\n        print("for long")\n    end\n'
                   '    assert(false)\nend\n')
        report = self.tmlc("prints.tml", "--timeout=60", status=1).stdout
        self.assertIn(": test failed: prints: it prints more than 64 MiB\nfor ever\n", report)
        self.assertIn("bytes more\n", report)
        self.assertTrue(report.endswith("prints.tml: 2 failed, 1 passed\n"), report[-500:])
        self.assertLess(len(report), 200000)

    def test_states_are_apart(self):
        self.write("apart.tml", FILTER, """\
test "first":
    p.k = 1.0
    t.u = 5.0
    cycle()
    assert(t.y == 5.0 and y == 5.0)
end
test "second":
    assert(t.y == 0.0 and y == 0.0 and p.k == 0.25 and t.u == 0.0)
end
""")
        for seed in range(4):
            self.tmlc("apart.tml", f"--seed={seed}")

    def test_expected(self):
        self.write("expected.tml", """\
test "shapes" E0501:
    a = [1, 2] + [1, 2, 3]
end
test "no shapes" E0501:
    a = [1, 2] + [1, 2]
end
test "assertion" E1004:
    assert(false)
end
test "no assertion" E1004:
    assert(true)
end
test "index" E1001:
    assert(false)
end
""")
        report = self.tmlc("expected.tml", status=1).stdout
        self.assertIn("expected.tml:4:6: test failed: no shapes: this test has no error\n", report)
        self.assertIn("expected.tml:10:6: test failed: no assertion: it ends without trap E1004\n", report)
        self.assertIn("expected.tml:13:6: test failed: index: trap E1004, not E1001\n", report)
        self.assertTrue(report.endswith("expected.tml: 3 failed, 2 passed\n"))

    def test_trap_before(self):
        """A trap that a test expects is its own, not one of the file's statements, on every machine."""
        self.write("before.tml", """\
x = [1, 2, 3]
int i = 0
while i < 5:
    i += 1
end
y = x[i]
test "expects it" E1001:
    pass
end
test "expects none":
    pass
end
""")
        for runner in ([], ["--runner=env"]):
            report = self.tmlc("before.tml", *runner, status=1).stdout
            for line, name in ((7, "expects it"), (10, "expects none")):
                self.assertIn(f"before.tml:{line}:6: test failed: {name}: trap E1001 in the file, before the test begins\n"
                              "before.tml:6:7: trap[E1001]: index 5 is outside", report)
            self.assertTrue(report.endswith("before.tml: 2 failed\n"), report)

    def test_programs(self):
        self.write("program.tml", "int x = 3\nfn main_fnc():\n    x = 4\n    print(x)\nend\n"
                   'test "main does not run":\n    assert(x == 3)\nend\n')
        self.write("script.tml", "x = 3\nprint(x)\nx = x + 1\nfn f() int:\n    return x\nend\n"
                   'test "the script has run":\n    assert(x == 4 and f() == 4)\nend\n')
        self.write("library.tml", "fn f(int x) int:\n    return 2 * x\nend\n"
                   'test "twice":\n    assert(f(2) == 4)\nend\n')
        self.tmlc("program.tml", "script.tml", "library.tml", "--all-levels")

    def test_imports(self):
        self.write("part.tml", "fn f(int x) int:\n    return 2 * x\nend\n"
                   'test "of the import":\n    assert(false)\nend\n')
        self.write("main.tml", 'import "part.tml"\n'
                   'test "of the file":\n    assert(f(2) == 4)\nend\n')
        self.assertEqual(self.tmlc("main.tml").stdout, "main.tml: 1 passed\n")

    def test_replay(self):
        self.write("in.csv", "u,other\n1.0,x\n1.0,x\n")
        self.write("right.csv", "y\n0.25\n0.4375\n")
        self.write("a/main.tml", FILTER, 'test "right":\n    replay("../in.csv", "../right.csv", 1e-12)\n'
                   '    replay("../in.csv", "../again.csv", 1e-12)\nend\n')
        self.write("again.csv", "y\n0.578125\n0.68359375\n")
        self.tmlc("a/main.tml", "--all-levels")
        for name, text, wanted in [
                ("value", "y\n0.25\n0.5\n", "= note: t.y is 0.4375\n   = note: column y is 0.5\n"),
                ("place", "y\n0.25\n0.5\n", "\nin.csv:3:1: note: in this row\nplace.csv:3:1: note: in this row\n"),
                ("short", "y\n0.25\n", "assertion failed: in.csv and short.csv have as many rows"),
                ("column", "x\n0.25\n0.4375\n", "column.csv:1:1: error: the column `y` is missing; the file has `x`\n"),
                ("cell", "y\n0.25\nno\n", "cell.csv:3:1: error: `no` in column `y` is not a number\n"),
                ("none", None, "cannot open `none.csv`: No such file or directory\n")]:
            if text is not None:
                self.write(f"{name}.csv", text)
            self.write("main.tml", FILTER, f'test "replay":\n    replay("in.csv", "{name}.csv", 1e-12)\nend\n')
            self.assertIn(wanted, self.tmlc("main.tml", status=1).stdout)
        self.write("main.tml", FILTER, 'test "no inputs":\n    replay("right.csv", "right.csv", 1e-12)\nend\n')
        self.assertIn("right.csv:1:1: error: the column `u` is missing", self.tmlc("main.tml", status=1).stdout)

    def test_replay_of_integers(self):
        """Single reals hold none of these."""
        self.write("in.csv", "u\n1\n")
        self.write("main.tml", "in int t.u\nout int t.y\nfn output_fnc():\n    t.y = t.u + 16777216\nend\n"
                   'test "replay":\n    replay("in.csv", "out.csv", 0.0)\nend\n')
        for column, status in (("16777217", 0), ("16777216", 1)):
            self.write("out.csv", f"y\n{column}\n")
            self.tmlc("main.tml", "--real=f32", status=status)

    def test_ports(self):
        self.write("script.tml", 'x = input(real, "data")\nfn f() real:\n    return x\nend\n'
                   'test "reads":\n    assert(f() == 1.0)\nend\n')
        report = self.tmlc("script.tml", status=1).stdout
        self.assertIn("script.tml: there is no file for the input `data` in a test\n", report)

    def test_levels(self):
        self.write("a.tml", FILTER, SETTLES, WRONG)
        report = self.tmlc("a.tml", "--all-levels", status=1).stdout
        for level in range(4):
            self.assertIn(f"a.tml -O{level}: 1 failed, 1 passed\n", report)
        self.assertEqual(report.count("= note: t.y is 0.25"), 4)

    def test_tap(self):
        self.write("good.tml", FILTER, SETTLES)
        self.write("wrong.tml", FILTER, SETTLES, WRONG)
        self.assertEqual(self.tmlc("good.tml", "--format=tap").stdout,
                         "TAP version 13\nok 1 - good.tml: settles\n1..1\n")
        for names, failed in [(["good.tml"], None), (["good.tml", "wrong.tml"], "3")]:
            (self.folder / "run.sh").write_text(f"{TMLC} test --format tap {' '.join(names)}; true\n")
            result = subprocess.run(["prove", "-e", "sh", "run.sh"], cwd=self.folder,
                                    capture_output=True, text=True)
            self.assertEqual(result.returncode != 0, failed is not None, result.stdout + result.stderr)
            if failed:
                self.assertIn(f"Failed test:  {failed}\n", result.stdout)
            self.assertNotIn("Parse errors", result.stdout)

    def test_junit(self):
        self.write("good.tml", FILTER, SETTLES)
        self.write("wrong.tml", FILTER, SETTLES, WRONG)
        self.write("bad.tml", 'test "a":\n    x = y\nend\n')
        self.tmlc("good.tml", "wrong.tml", "bad.tml", "--format=junit", "--out=report.xml", status=1)
        report = junitparser.JUnitXml.fromfile(str(self.folder / "report.xml"))
        self.assertEqual((report.tests, report.failures, report.errors), (4, 1, 1))
        suites = {suite.name: list(suite) for suite in report}
        self.assertEqual([case.name for case in suites["wrong.tml"]], ["settles", "is there & <at once>"])
        failure = suites["wrong.tml"][1].result[0]
        self.assertIsInstance(failure, junitparser.Failure)
        self.assertEqual(failure.message, "trap E1004")
        self.assertIn("= note: t.y is 0.25", failure.text)
        self.assertIsInstance(suites["bad.tml"][0].result[0], junitparser.Error)
        self.assertIn("E0301", suites["bad.tml"][0].result[0].text)
        self.assertEqual(suites["good.tml"][0].result, [])

    def test_junit_escapes(self):
        self.write("odd.tml", 'test "a \\x01 \\"b\\" \'c\' \\xff ]]> &amp;":\n'
                   '    print("\\x02<tag>")\n    assert(false)\nend\n')
        report = self.tmlc("odd.tml", "--format=junit", status=1).stdout
        case = xml.etree.ElementTree.fromstring(report)[0][0]
        self.assertEqual(case.get("name"), "a \ufffd \"b\" 'c' \ufffd ]]> &amp;")
        self.assertTrue(case[0].text.startswith("\ufffd<tag>\n"))

    def test_thousand(self):
        tests = "".join(f'test "number {i}":\n    t.u = {i}.0\n    cycle()\n'
                        f"    assert(near(t.y, {i * 0.25}, 1e-9))\nend\n" for i in range(1000))
        self.write("many.tml", FILTER, tests)
        before = os.times()
        self.assertEqual(self.tmlc("many.tml").stdout, "many.tml: 1000 passed\n")
        after = os.times()
        seconds = after.children_user + after.children_system - before.children_user - before.children_system
        self.assertLess(seconds, SECONDS)

    def test_report_cannot_be_written(self):
        self.write("good.tml", FILTER, SETTLES)
        self.assertIn("cannot write `none/x.xml`",
                      self.tmlc("good.tml", "--out=none/x.xml", status=3).stderr)
        with open("/dev/full", "w") as full:
            result = subprocess.run([TMLC, "test", "good.tml"], cwd=self.folder, stdout=full,
                                    stderr=subprocess.PIPE, text=True)
        self.assertEqual(result.returncode, 3, result.stderr)


if __name__ == "__main__":
    unittest.main()
