#!/usr/bin/env python3
"""The command tmlc as a user meets it. Usage: command.py TMLC."""

import json
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

    def test_passes(self):
        self.write("passes.tml", """\
fn square(tensor<real, 64> x) tensor<real, 64>:
    return x * x
end
fn roots(tensor<real, 64> x, tensor<real, 64> y) tensor<real, 64>:
    root = sqrt(x)
    other = root * root + root * square(y)
    z = other * other + root
    z[1:64] = z[0:63] + z[1:64]
    return z
end
""")
        remarks = self.tmlc("--remarks", "--emit=tir", "passes.tml", "-o", "-").stderr.splitlines()
        self.assertEqual(remarks, [
            "passes.tml:5:5: remark: `root` is never in memory [fuse]",
            "passes.tml:6:5: remark: `other` is never in memory [fuse]",
            "passes.tml:6:5: remark: runs in one loop with the statement at line 5 [fuse]",
            "passes.tml:6:34: remark: the call of `square` is taken in [inline]",
            "passes.tml:7:5: remark: `z` is the result itself and is not copied [result]",
            "passes.tml:7:5: remark: runs in one loop with the statement at line 5 [fuse]",
        ])
        self.assertEqual(self.tmlc("--emit=tir", "passes.tml", "-o", "-").stderr, "")
        self.write("twice.tml", """\
fn spread(tensor<bool, 64, 64> x) tensor<bool, 64, 64>:
    tensor<bool, 64, 64> y = false
    for i = 0:64:
        for j = 0:64:
            for a = max(i - 1, 0):min(i + 2, 64):
                y[i, j] = y[i, j] or x[a, j] or x[i, max(j - 1, 0)]
            end
        end
    end
    return y
end
""")
        remarks = self.tmlc("--remarks", "--emit=tir", "twice.tml", "-o", "-").stderr.splitlines()
        self.assertEqual(len(remarks), len(set(remarks)))
        fused = self.tmlc("--emit=tir", "passes.tml", "-o", "-").stdout
        apart = self.tmlc("--emit=tir", "--no-pass=fuse", "passes.tml", "-o", "-").stdout
        inlined = self.tmlc("--emit=tir:inline", "passes.tml", "-o", "-").stdout
        self.assertEqual(["nest:" in text for text in (fused, apart, inlined)],
                         [True, False, False])
        self.fails("--no-pass=hoist", "passes.tml", status=2, message="cannot be made without")
        self.fails("--no-pass=fusee", "passes.tml", status=2, message="did you mean `fuse`?")
        self.fails("--emit=tir:fusee", "passes.tml", status=2, message="unknown pass `fusee`")
        self.fails("--emit=tir:fuse,obj", "passes.tml", status=2, message="needs all passes")

    def test_loops_that_stay(self):
        """Why, and nothing of the library's own loops."""
        self.write("loops.tml", """\
fn far(tensor<real, 9, 4> x, tensor<real, 4> m) tensor<real, 9>:
    tensor<real, 9> y = 0.0
    for i = 0:9:
        y[i] = sum((x[i, :] - m) ** 2)
    end
    return sort(y)
end
fn counts(tensor<int, 50> k) tensor<int, 8>:
    tensor<int, 8> n = 0
    for i = 0:50:
        n[k[i]] += 1
    end
    return n
end
fn roots(tensor<real, 20> x) tensor<real, 20>:
    tensor<real, 20> y = 1.0
    for i = 0:20:
        r = 1.0
        while abs(r * r - x[i]) > 1e-9:
            r = (r + x[i] / r) / 2
        end
        y[i] = r
    end
    return y
end
fn grown(real x) real:
    for i = 0:100:
        x = x * x + 0.25
    end
    return x
end
fn part(tensor<real, 20> x, int from) tensor<real, 20>:
    for i = 0:8:
        x[from + i] = 2.0
    end
    return x
end
""")
        remarks = self.tmlc("--remarks", "--emit=tir", "loops.tml", "-o", "-").stderr.splitlines()
        self.assertEqual([line for line in remarks if "stays" in line or "library:" in line], [
            "loops.tml:3:5: remark: stays a loop: each turn reduces a row; `sum(nest(x, 1))` is that of all rows, "
            "at line 4 [loops]",
            "loops.tml:10:5: remark: stays a loop: `n` may get one element from several turns, at line 11 [loops]",
            "loops.tml:17:5: remark: stays a loop: a `while` in it turns as often as values say, at line 19 [loops]",
            "loops.tml:27:5: remark: stays a loop: `x` goes on from turn to turn, and no array gets an element in each, "
            "at line 27 [loops]",
            "loops.tml:33:5: remark: stays a loop: an index is not the loop's variable, times or plus constants, "
            "at line 34 [loops]",
        ])

    def test_library_in_c(self):
        self.write("free-fall.tml", """g = 9.81
fn distance(real t) real:
    return 0.5 * g * t * t
end
fn scaled(tensor<real, 3> v, real k) tensor<real, 3>:
    return v * k
end
fn pick(tensor<int, 3> v, int i) int:
    return v[i]
end
""")
        self.write("host.c", """#include "free-fall.h"
#include <stdio.h>
int main(void) {
    free_fall_state state;
    double d, v[3] = {1, 2, 3}, s[3];
    int32_t n[3] = {7, 8, 9}, p = 0;
    tml_status status = free_fall_init(&state) | free_fall_fn_distance(&state, 2.0, &d) |
                        free_fall_fn_scaled(v, 0.5, s);
    printf("%d %.2f %g %g %g", status, d, s[0], s[1], s[2]);
    status = free_fall_fn_pick(n, 2, &p);
    printf(" %d %d", status, p);
    printf(" %d\\n", free_fall_fn_pick(n, 3, &p));
    return 0;
}
""")
        self.tmlc("-c", "free-fall.tml")
        compiler = os.environ.get("TMLC_CC", "cc").split()
        subprocess.run([*compiler, "host.c", "free-fall.o", "-o", "host", "-lm"], cwd=self.folder,
                       check=True)
        result = subprocess.run([self.folder / "host"], capture_output=True, text=True)
        self.assertEqual(result.stdout, "0 19.62 0.5 1 1.5 0 9 1001\n")
        symbols = subprocess.run(["nm", "free-fall.o"], cwd=self.folder, capture_output=True,
                                 text=True).stdout.split("\n")
        self.assertEqual([line for line in symbols if " U " in line or " D " in line], [])

    def test_names_of_outputs(self):
        os.mkdir(self.folder / "sub")
        self.write("sub/other.tml", "print(1)\n")
        self.tmlc("sub/other.tml")
        self.tmlc("-c", "good.tml")
        self.tmlc("--emit=llvm,asm", "good.tml")
        for name in ["other", "good.o", "good.ll", "good.s"]:
            self.assertIn(name, self.files())
        self.assertNotIn("good.h", self.files())

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
        self.fails("-S", "good.tml", status=2, message="did you mean `--emit=asm`?")
        self.fails("-E", "good.tml", status=2, message="unknown option `-E`\n")
        self.fails("format", "good.tml", status=2, message="did you mean `tmlc fmt FILE`?")
        self.fails("run", "pid.tml", "--set=p.kp=2", status=2,
                   message="`--set` is an option of the program that is made")
        self.fails("--target=aarch64-linux-gnu", "good.tml", "-o", "good", status=2,
                   message="runs on this machine only; what aarch64-unknown-linux-gnu gets is a component or library")
        self.fails("--target=cortex-m4", "-c", "good.tml", status=2, message="runs on this machine only")
        self.tmlc("--target=cortex-m4", "--emit=asm", "good.tml", "-o", "-")
        self.write("part.tml", "out real t.y\nfn output_fnc():\n    t.y = 1.0\nend\n")
        self.fails("--target=cortex-m4", "part.tml", status=2, message="compile an object with `-c`")
        self.tmlc("--target=cortex-m4", "-c", "part.tml")
        self.fails("chek", "good.tml", status=2, message="unknown command `chek`")
        self.write("chek", "print(1)\n")
        self.tmlc("chek", "-o", "command")
        self.fails("good.tml", "--emit=exe", "-o", "good.tml", status=2, message="it is a source file")

    def test_unknown_targets(self):
        self.fails("--target=nonsense", "-c", "good.tml", status=2, message="unknown target `nonsense`")
        for words in (["check"], ["--emit=tir"], ["-c"], []):
            for target in ("--target=nonsense", "--target=", "--cpu=nonsense"):
                self.fails(*words, target, "good.tml", status=2, message="unknown ")
        self.fails("shape", "--target=nonsense", "int + int", status=2, message="unknown target")
        self.tmlc("check", "--target=aarch64-linux-gnu", "--cpu=cortex-a72", "good.tml")
        self.fails("--emit=header", "--target=sparc", "good.tml", status=2, message="unknown target `sparc`; a target begins")
        for name, meant in [("arch64-linux-gnu", "aarch64-linux-gnu"), ("x86_64-linx-gnu", "x86_64-linux-gnu")]:
            self.fails(f"--target={name}", "-c", "good.tml", status=2,
                       message=f"unknown target `{name}`; did you mean `{meant}`?")
        self.tmlc("--target=aarch64-apple-macosx14.0", "-c", "good.tml", "-o", "mac.o")

    def test_unknown_processors(self):
        self.fails("--cpu=nonsense", "-c", "good.tml", status=2, message="unknown CPU `nonsense`")
        self.fails("--cpu=skylak", "-c", "good.tml", status=2, message="did you mean `skylake`?")
        self.fails("--target=aarch64-linux-gnu", "--cpu=skylake", "-c", "good.tml", status=2,
                   message="unknown CPU `skylake` for aarch64")

    def test_lists_of_targets(self):
        """Each short name that is listed makes the object that it says."""
        self.write("lib.tml", "fn half(real x) real:\n    return x / 2.0\nend\n")
        listed = self.tmlc("--target=help").stdout
        rows = re.findall(r"^  (\S+) +(--target=\S+)(?: (--cpu=\S+))?\n +(\S.*)$", listed, re.M)
        names = [name for name, *_ in rows]
        self.assertTrue({"cortex-m4", "cortex-m0", "rpi4", "riscv32", "wasm32"} <= set(names))
        for name, target, cpu, _ in rows:
            with self.subTest(name=name):
                self.tmlc("-c", "lib.tml", f"--target={name}", "-o", "short.o")
                self.tmlc("-c", "lib.tml", target, *([cpu] if cpu else []), "-o", "long.o")
                short, long = [(self.folder / f"{file}.o").read_bytes() for file in ("short", "long")]
                self.assertEqual(short, long)
        for architecture in listed.split("begins with one of\n")[1].splitlines()[0].split():
            self.tmlc("-c", "lib.tml", f"--target={architecture}-unknown-linux" if "86" in architecture
                      else f"--target={architecture}")
        self.fails("-c", "lib.tml", "--target=cortexm4", status=2,
                   message="unknown target `cortexm4`; did you mean `cortex-m4`?")

    def test_lists_of_processors(self):
        self.write("lib.tml", "fn half(real x) real:\n    return x / 2.0\nend\n")
        for target, known in [("cortex-m0", "cortex-m4"), ("riscv32", "sifive-e76"), ("x86-64", "znver4")]:
            cpus = self.tmlc("--cpu=help", f"--target={target}").stdout.split()
            self.assertIn(known, cpus)
            self.tmlc("-c", "lib.tml", f"--target={target}", f"--cpu={cpus[0]}")
        self.assertEqual(self.tmlc("lib.tml", "--cpu=help").stdout, self.tmlc("--cpu=help").stdout)
        self.fails("--cpu=help", "--target=wams32", status=2, message="did you mean `wasm32`?")

    def test_words_that_are_no_commands(self):
        os.mkdir(self.folder / "papers")
        for word in ["papers", "serve"]:
            self.fails(word, "good.tml", status=2, message=f"`{word}` is neither a command nor a file")
        self.write("serve", "print(1)\n")
        self.tmlc("serve", "-o", "one")

    def test_output_never_replaces_a_source(self):
        os.link(self.folder / "good.tml", self.folder / "same")
        self.fails("good.tml", "-o", "same", status=2, message="it is a source file")
        self.write("program", "print(1)\n")
        self.fails("program", status=2, message="it is a source file")

    def test_files(self):
        self.fails("missing.tml", status=3, message="tmlc: error: cannot read `missing.tml`: No such")
        self.fails("good.tml", "-o", "missing/answer", status=3,
                   message="tmlc: error: cannot write `missing/answer`: No such")
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

    def test_devices_and_pipes(self):
        for device in ["/dev/zero", "/dev/full", "/dev/urandom"]:
            self.fails("check", device, status=3, message=f"cannot read `{device}`: is a device")
            self.write("user.tml", f'import "{device}"\n')
            self.fails("check", "user.tml", status=1, message=f"error[E0705]: cannot read `{device}`: is a device")
            with open(device, "rb") as stream:
                result = self.tmlc("check", "-", status=3, stdin=stream)
            self.assertIn("cannot read `-`: is a device", result.stderr)
        self.tmlc("check", "/dev/null")
        self.tmlc("check", "-")
        os.mkfifo(self.folder / "fifo")
        for name in ["fifo", "import"]:
            self.write("import", 'import "fifo"\nprint(two())\n')
            with subprocess.Popen(["sh", "-c", "printf 'fn two() int:\\n    return 2\\nend\\n' > fifo"],
                                  cwd=self.folder):
                self.tmlc("check", name)

    def test_imports_of_folders(self):
        os.mkdir(self.folder / "lib")
        for path, shown in [(".", "."), ("./", "."), ("lib", "lib"), ("lib/..", "."), ("..", ".."), ("/", "/")]:
            self.write("user.tml", f'import "{path}"\n')
            self.fails("check", "user.tml", status=1,
                       message=f"user.tml:1:8: error[E0705]: cannot read `{shown}`: Is a directory")

    def test_imports(self):
        os.mkdir(self.folder / "lib")
        self.write("lib/a.tml", 'import "b.tml"\nfn f() int:\n    return g() + 1\nend\n')
        self.write("lib/b.tml", "fn g() int:\n    return 1\nend\n")
        self.write("user.tml", 'import "lib/a.tml"\nprint(f())\n')
        self.assertEqual(self.tmlc("run", "user.tml").stdout, "2\n")
        self.write("lib/b.tml", "fn g() int:\n    return 1.5\nend\n")
        self.fails("check", "user.tml", status=1, message="lib/b.tml:2:12: error[E0401]")

    def test_imports_through_links(self):
        self.write("x.tml", "fn f(int x) int:\n    return x + 1\nend\n")
        os.symlink("x.tml", self.folder / "link.tml")
        self.write("user.tml", 'import "x.tml"\nimport "link.tml"\nprint(f(1))\n')
        self.assertEqual(self.tmlc("run", "user.tml").stdout, "2\n")
        os.symlink("self.tml", self.folder / "again.tml")
        self.write("self.tml", 'import "again.tml"\nprint(1)\n')
        self.fails("run", "self.tml", status=1, message="this import closes a cycle")

    def test_standard_output_that_fails(self):
        with open("/dev/full", "w") as full:
            result = self.tmlc("--emit=ast", "good.tml", status=3, stdout=full)
        self.assertIn("no space left", result.stderr)
        for arguments in [["--help"], ["--emit=ast", "good.tml"], ["--emit=llvm", "-o", "-", "good.tml"],
                          ["--explain", "E0501"], ["check", "--report", "good.tml"]]:
            reader, writer = os.pipe()
            os.close(reader)  # as `head` does that has read enough
            result = self.tmlc(*arguments, status=3, stdout=writer)
            os.close(writer)
            self.assertEqual(result.stderr, "")

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

    def test_tree_as_json(self):
        source = "# \u00e9\nv[i]? += 0.1\nprint('\\xff', 2.2250738585072014e-308, -7u, x.type(1))\n"
        self.write("tree.tml", source)
        tree = json.loads(self.tmlc("--emit=ast-json", "tree.tml").stdout)
        assign, call = tree["statements"]
        text = source.encode()
        self.assertEqual(text[assign["start"]:assign["end"]], b"v[i]? += 0.1")
        self.assertEqual((assign["op"], assign["optional"]), ("+", True))
        index = assign["target"]
        self.assertEqual(text[index["start"]:index["end"]], b"v[i]")
        self.assertEqual(float(assign["value"]["value"]), 0.1)
        string, small, minus, cast = call["call"]["args"]
        self.assertEqual(string["bytes"], "ff")
        self.assertEqual(float(small["value"]), sys.float_info.min)
        self.assertEqual((minus["op"], minus["operand"]["value"]), ("-", 7))
        self.assertIs(minus["operand"]["is_unsigned"], True)
        self.assertEqual(cast["type"]["of"]["name"]["name"], "x")

    def test_information(self):
        self.assertIn("--emit=KIND", self.tmlc("--help").stdout)
        self.assertRegex(self.tmlc("--version").stdout, r"^tmlc \d+\.\d+\.\d+\n$")
        self.assertIn("Wrong:", self.tmlc("--explain", "e0501").stdout)
        self.tmlc("--explain", "E9999", status=2)
        self.assertIn("Wrong:", self.tmlc("--explain", "unused").stdout)
        self.assertEqual(self.tmlc("--explain", "-Wunused").stdout,
                         self.tmlc("--explain", "unused").stdout)
        self.fails("--explain", "unusd", status=2, message="did you mean `unused`?")
        self.assertRegex(self.tmlc("--explain", "clip").stdout, r"\ATML writes `clamp`\n\nclamp\(x, low, high\): ")
        self.assertIn("the dot product is `a .* b`", self.tmlc("--explain", "dot").stdout)
        self.assertIn("the length of `x` is `x.len`", self.tmlc("--explain", "len").stdout)

    def warnings(self, *args, status=0):
        """The names of the warnings and errors that checking lint.tml shows, in order."""
        result = self.tmlc("check", "--diagnostics=short", *args, "lint.tml", status=status)
        return re.findall(r": ((?:warning|error)\[.*?\])", result.stderr)

    def test_warnings(self):
        self.write("lint.tml", "a = 7 / 2\nprint(narrow(3))\n")
        unused, division, noop = (
            f"warning[-W{name}]" for name in ["unused", "integer-division", "narrow-noop"])
        self.assertEqual(self.warnings(), [unused, division])
        self.assertEqual(self.warnings("-Wall"), [unused, division, noop])
        self.assertEqual(self.warnings("-Wno-all", "-Wunused"), [unused])
        self.assertEqual(self.warnings("-Wall", "-Wno-unused"), [division, noop])
        self.assertEqual(self.warnings("-Wno-unused", "-Wall"), [unused, division, noop])
        self.assertEqual(self.warnings("-Wall", "-w"), [])
        errors = ["error[-Wunused]", "error[-Winteger-division]"]
        self.assertEqual(self.warnings("-Werror", status=1), errors)
        self.assertEqual(self.warnings("-Werror=unused", status=1), [errors[0], division])
        self.assertEqual(self.warnings("-Werror", "-Wno-error=unused", status=1),
                         [unused, errors[1]])
        self.assertEqual(self.warnings("-Werror", "-w"), [])

    def test_allowed_warnings(self):
        def shown(text):
            self.write("lint.tml", text + "print(1)\n")
            return self.warnings("-Wall")

        self.assertEqual(shown("a = 3 # tmlc: allow(unused)\n"), [])
        self.assertEqual(shown("a = 7 / 2 #tmlc:allow( unused , integer-division ), why\n"), [])
        self.assertEqual(shown("a = 7 / 2 # tmlc: allow(all)\n"), [])
        self.assertEqual(shown("a = 3 # tmlc: allow(narrow-noop)\n"), ["warning[-Wunused]"])
        self.assertEqual(shown("# tmlc: allow(unused)\na = 3\n"), ["warning[-Wunused]"])
        self.assertEqual(shown("print('# tmlc: allow(all)', narrow(1))\n"), ["warning[-Wnarrow-noop]"])
        self.assertEqual(shown("a = 3 # tmlc: allow(unusd)\n"),
                         ["warning[-Wunused]", "warning[-Wunknown-allow]"])
        self.assertEqual(self.warnings("-Wno-unknown-allow"), ["warning[-Wunused]"])
        self.assertEqual(shown("a = 3 # tmlc: allow(extra)\n"),
                         ["warning[-Wunused]", "warning[-Wunknown-allow]"])

    def test_shape(self):
        def shape(query, *options):
            return self.tmlc("shape", *options, query).stdout

        self.assertEqual(shape("tensor<real, 8, 1, 6, 1> + tensor<int, 7, 1, 5>"), """\
dim      0   1   2   3
left     8   1   6   1
right        7   1   5
result   8   7   6   5
tensor<real, 8, 7, 6, 5>
""")
        self.assertEqual(shape("tensor<tensor<int, 3>, 2> * tensor<real, 2>"), """\
dim      0  |   0
left     2  |   3
right    2
result   2  |   3
tensor<tensor<real, 3>, 2>
""")
        self.assertEqual(shape("tensor<int,2,3>.*tensor<real,3,4>"), """\
dim      0   1   2
left     2   3
right        3   4
result   2       4
tensor<real, 2, 4>
""")
        self.assertEqual(shape("tensor<real, 1000, 3> = tensor<int, 3>", "-Wall"), """\
dim        0     1
target  1000     3
value            3
tensor<real, 1000, 3>
""")
        self.assertEqual(shape("tensor<int, 2, 3>' "), "tensor<int, 3, 2>\n")
        self.assertEqual(shape("uint / real"), "real\n")
        self.assertTrue(shape("tensor<int, 3> > int").endswith("tensor<bool, 3>\n"))
        self.assertTrue(shape("tensor<int, (7 - 4)> < int").endswith("tensor<bool, 3>\n"))

    def test_shapes_of_every_operator(self):
        """Each operator of two operands takes some pair of scalars."""
        for operands, operators in [
            ("int", "+ - * / % \\ ** .* < <= > >= == !="),
            ("bool", "and or == !="),
            ("uint", "& ^ | << >>"),
        ]:
            for operator in operators.split():
                self.tmlc("shape", f"{operands} {operator} {operands}")

    def test_shapes_that_do_not_fit(self):
        self.assertEqual(self.tmlc("shape", "tensor<int, 2, 3> + tensor<int, 2>", status=1).stderr, """\
tmlc: error[E0501]: these shapes do not broadcast: tensor<int, 2, 3> + tensor<int, 2>
  = dim     0  1*
    left    2   3
    right       2    <- 3 and 2 differ and neither is 1
  = help: `align(right, 2, [0])` is tensor<int, 2, 1>, which fits
""")
        self.assertEqual(self.tmlc("shape", "tensor<int, 3> = tensor<int, 1, 3>", status=1).stderr, """\
tmlc: error[E0510]: tensor<int, 1, 3> does not fit tensor<int, 3>
  = dim      0   1
    target       3
    value    1   3    <- 1 dimension against 2
  = help: `narrow(value)` is tensor<int, 3>, which fits
""")
        for query, code in [
            ("tensor<int, 2, 3> .* tensor<int, 2, 3>", "E0504"),
            ("tensor<int, 2> < tensor<int, 1>", "E0502"),
            ("int = real", "E0401"),
            ("int & uint", "E0406"),
            ("tensor<int, 2>'", "E0505"),
            ("tensor<int, 0> + int", "E0410"),
        ]:
            self.fails("shape", query, status=1, message=f"error[{code}]")
        self.fails("shape", "--rank-promotion=error", "tensor<int, 2, 3> + tensor<int, 3>", status=1,
                   message="error[E0501]")
        short = self.tmlc("shape", "--diagnostics=short", "int = real", status=1).stderr
        self.assertEqual(short.count("\n"), 1)

    def test_malformed_shapes(self):
        for query, expected in [
            ("", "expected a type, such as `tensor<real, 3>`, found the end"),
            ("matrix + int", "expected a type, such as `tensor<real, 3>`, found `matrix`"),
            ("int", "expected an operator of two operands, `=` or `'`, found the end"),
            ("int plus int", "expected an operator of two operands, `=` or `'`, found `plus`"),
            ("int +", "expected a type, such as `tensor<real, 3>`, found the end"),
            ("int + int + int", "expected the end, found `+`"),
            ("tensor + int", "expected `<`, found `+`"),
            ("tensor<int, 3 + int", "expected `>`, found the end"),
            ("tensor<int, 3>> + int", "expected one `>` less, found `>>`"),
            ("tensor<int 3> + int", "expected `,`, found `3`"),
            ("int + $int", "character `$` cannot stand in code"),
        ]:
            self.fails("shape", query, status=2, message=f"malformed shape query: {expected}\n")
        self.fails("shape", status=2, message="`shape` needs a query")
        self.fails("shape", "int", "+", "int", status=2, message="one argument, in quotes")

    def test_types(self):
        self.write("lib.tml", "fn two() int:\n    n = 2\n    return n\nend\n")
        self.write("types.tml", """\
import "lib.tml"
fn dot(tensor<real, n> a, tensor<real, n> b) real:
    return a .* b
end

\ta = [1, 2; 3, 4]\t# a comment
rows = a.rows
if rows == 2 and a[0, 0] == 1 and rows < 3 and a.len > 1:
    a[1, :] = two()
end
print(dot([1, 2, 3], [1, 2, 3]), dot([1], [2]))
the_length_of_this_name = reshape(a, 4).len * rows * int(a[0, 0])
for i = 0:2:
    print(i, \"é\", rows)
end
""")
        self.assertEqual(self.tmlc("check", "--types", "types.tml").stdout, """\
 1 | import "lib.tml"
 2 | fn dot(tensor<real, n> a, tensor<real, n> b) real:  a: tensor<real, 3>  b: tensor<real, 3>
   |                                                     a: tensor<real, 1>  b: tensor<real, 1>
 3 |     return a .* b                                   a: tensor<real, 3>  b: tensor<real, 3>
   |                                                     a: tensor<real, 1>  b: tensor<real, 1>
 4 | end
 5 |
 6 |     a = [1, 2; 3, 4]    # a comment                 a: tensor<int, 2, 2>
 7 | rows = a.rows                                       rows: uint  a: tensor<int, 2, 2>
 8 | if rows == 2 and a[0, 0] == 1 and rows < 3 and a.len > 1:
   |                                                     rows: uint  a: tensor<int, 2, 2>
 9 |     a[1, :] = two()                                 a: tensor<int, 2, 2>
10 | end
11 | print(dot([1, 2, 3], [1, 2, 3]), dot([1], [2]))
12 | the_length_of_this_name = reshape(a, 4).len * rows * int(a[0, 0])
   |                                                     the_length_of_this_name: int
   |                                                     a: tensor<int, 2, 2>  rows: uint
13 | for i = 0:2:                                        i: int
14 |     print(i, "é", rows)                             i: int  rows: uint
15 | end
""")
        self.write("types.tml", "a = [1, 2]\nb = a + [1, 2, 3]\nc = a + b")
        result = self.tmlc("check", "--types", "types.tml", status=1)
        self.assertIn("error[E0501]", result.stderr)
        self.assertEqual(result.stdout, """\
1 | a = [1, 2]         a: tensor<int, 2>
2 | b = a + [1, 2, 3]  a: tensor<int, 2>
3 | c = a + b          a: tensor<int, 2>
""")
        self.assertEqual(self.tmlc("check", "--types", "good.tml", "bad.tml", status=1).stdout,
                         "good.tml:\n1 | print(6 * 7)\n")
        self.write("empty.tml", "")
        self.assertEqual(self.tmlc("check", "--types", "empty.tml").stdout, "")
        self.fails("run", "--types", "good.tml", status=2, message="`--types` goes with `check`")

    def test_options_of_one_command(self):
        self.fails("run", "--jobs=2", "good.tml", status=2, message="`--jobs` goes with `test`")
        self.fails("--diff", "good.tml", status=2, message="`--diff` goes with `fmt`")
        self.fails("check", "--log=x", "good.tml", status=2, message="`--log` goes with `lsp`")
        everything = self.tmlc("--help").stdout
        of_test = self.tmlc("test", "--help").stdout
        self.assertIn("  --jobs=N                        with test: N files at a time", everything)
        self.assertIn("  --jobs=N                        N files at a time", of_test)
        self.assertTrue(of_test.startswith("  tmlc test [FILE"), of_test)
        for other in ("--types", "--emit", "Kinds of output", "tmlc check"):
            self.assertIn(other, everything)
            self.assertNotIn(other, of_test)
        self.assertEqual(self.tmlc("-h").stdout, everything)
        for command, some in (("fmt", set()), ("new", set()), ("repl", {"--real"}), ("check", {"--real", "-O0"}),
                              ("run", {"--real", "-O0"}), ("linearize", {"--real", "-O0", "-o "})):
            listed = self.tmlc(command, "--help").stdout
            for option in ("--real", "-O0", "-o ", "--emit"):
                self.assertEqual(option in some, f"\n  {option}" in listed, f"{command} {option}")
            self.assertIn("\n  --color", listed)

    def test_messages(self):
        self.assertNotIn("\x1b", self.tmlc("check", "bad.tml", status=1).stderr)
        colored = self.tmlc("check", "--color=always", "bad.tml", status=1).stderr
        self.assertIn("\x1b[", colored)
        short = self.tmlc("check", "--diagnostics=short", "bad.tml", status=1).stderr
        self.assertEqual(short.count("\n"), 1)
        self.assertTrue(self.tmlc("check", "--diagnostics=json", "bad.tml", status=1).stderr)


unittest.main()
