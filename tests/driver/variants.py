#!/usr/bin/env python3
"""Variants of one model in one program, linked in every way: each part of the program runs its own, or
nothing is built. Usage: variants.py TMLC [TEST...].

Expected numbers are worked out by hand: y += dt * (u - y) from 0 with u = 1.
"""

import ctypes
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TMLC = os.path.abspath(sys.argv.pop(1))
os.environ["TMLC_CC"] = "cc"  # of shared libraries, also where the compiler is a sanitized one

LAG = """in real t.u
out real t.y
real n.dt = 0.1
real y = 0.0

fn output_fnc():
    t.y = y
end

fn update_fnc():
    y += n.dt * (t.u - y)
end

fn twice(real x) real:
    return 2.0 * x
end
"""
PART = """#include "%(name)s.h"
double %(name)s_run(void);
double %(name)s_run(void) {
    lag_state s;
    const lag_inputs u = {1};
    lag_outputs y;
    int k;
    if (lag_init(&s, &lag_defaults) != TML_OK) { return -1; }
    for (k = 0; k < 3; k++) {
        if (lag_step(&s, &lag_defaults, &u, &y) != TML_OK) { return -1; }
    }
    return lag_model.state_bytes == sizeof(s) ? y.y : -2;
}
"""
MAIN = """#include <stdio.h>
double fast_run(void);
double slow_run(void);
int main(void) {
    printf("%g %g", fast_run(), slow_run());
    return 0;
}
"""
FAST, SLOW = "-Dn.dt=0.5", "-Dn.dt=0.25"
EXPECTED = "0.75 0.4375"  # what two steps leave: 1 - (1 - dt) ** 2
# What changes the object, each against the plain one.
OPTIONS = ["-Dn.dt=0.2", "--real=f32", "--fp=strict", "--fp=fast", "--checks=none", "--cpu=generic",
           "--target=aarch64-linux-gnu", "-O0", "-O3", "--no-pass=fuse",
           "--derivative=reverse", "--tape=100"]


class Variants(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.write("lag.tml", LAG)
        for name in ["fast", "slow"]:
            self.write(f"{name}.c", PART % {"name": name})
        self.write("main.c", MAIN)

    def write(self, name, text):
        (self.folder / name).parent.mkdir(exist_ok=True)
        (self.folder / name).write_text(text)

    def run_command(self, *args, status=0):
        result = subprocess.run([str(arg) for arg in args], cwd=self.folder, capture_output=True,
                                text=True, stdin=subprocess.DEVNULL, timeout=120)
        if status is not None:
            self.assertEqual(result.returncode, status, f"{args}\n{result.stdout}{result.stderr}")
        return result

    def tmlc(self, *args, **more):
        return self.run_command(TMLC, *args, **more)

    def both(self, suffix, fast=("lag.tml", FAST), slow=("lag.tml", SLOW)):
        self.tmlc(*fast, "-o", f"fast{suffix}")
        self.tmlc(*slow, "-o", f"slow{suffix}")

    def link(self, *args, compiler="cc"):
        self.run_command(compiler, "-Wall", "-Werror", "main.c", "fast.c", "slow.c", *args, "-o",
                         "main", "-lm")
        return self.run_command("./main").stdout

    def symbol(self, *args, name="step"):
        return json.loads(self.tmlc(*args, "--emit=json", "-o", "-").stdout)["symbols"][name]

    # --- each way of linking ---------------------------------------------------------------------

    def test_objects(self):
        self.both(".o")
        for objects in itertools.permutations(["fast.o", "slow.o"]):
            self.assertEqual(self.link(*objects), EXPECTED)

    def test_archives(self):
        self.both(".a")
        for archives in itertools.permutations(["fast.a", "slow.a"]):
            self.assertEqual(self.link(*archives), EXPECTED)
        self.assertEqual(self.link("-Wl,--whole-archive", *archives, "-Wl,--no-whole-archive"), EXPECTED)

    def test_one_archive_of_both(self):
        self.both(".o")
        self.run_command("ar", "rc", "both.a", "fast.o", "slow.o")
        self.assertEqual(self.link("both.a"), EXPECTED)

    def test_shared_libraries(self):
        self.both(".so")
        for libraries in itertools.permutations(["./fast.so", "./slow.so"]):
            self.assertEqual(self.link(*libraries), EXPECTED)

    def test_static_and_shared(self):
        self.tmlc("lag.tml", FAST, "-o", "fast.so")
        self.tmlc("lag.tml", SLOW, "-o", "slow.a")
        for libraries in itertools.permutations(["./fast.so", "slow.a"]):
            self.assertEqual(self.link(*libraries), EXPECTED)

    def test_shared_libraries_around_objects(self):
        """A library of the host's own around each variant, as plug-ins have them."""
        self.both(".o")
        for name in ["fast", "slow"]:
            self.run_command("cc", "-shared", "-fPIC", f"{name}.c", f"{name}.o", "-o", f"lib{name}.so")
        self.run_command("cc", "main.c", "./libfast.so", "./libslow.so", "-o", "main")
        self.assertEqual(self.run_command("./main").stdout, EXPECTED)

    def test_one_object_of_both(self):
        """`ld -r` joins objects, and has no second definition to drop."""
        self.both(".o")
        self.run_command("ld", "-r", "fast.o", "slow.o", "-o", "both.o")
        self.assertEqual(self.link("both.o"), EXPECTED)

    def test_hosts_with_link_time_optimisation(self):
        self.both(".a")
        for options in [("-flto", "-O2"), ("-flto", "-O2", "-Wl,--gc-sections")]:
            self.assertEqual(self.link(*options, "fast.a", "slow.a"), EXPECTED)

    @unittest.skipUnless(shutil.which("clang-19") and shutil.which("ld.lld-19"), "needs clang and lld")
    def test_another_linker(self):
        self.both(".a")
        for options in [(), ("-flto",)]:
            self.assertEqual(self.link("-fuse-ld=lld-19", *options, "slow.a", "fast.a",
                                       compiler="clang-19"), EXPECTED)

    def test_cxx_hosts(self):
        self.both(".a")
        for name in ["main", "fast", "slow"]:
            shutil.copy(self.folder / f"{name}.c", self.folder / f"{name}.cc")
        for options in [(), ("-O2", "-flto")]:
            self.run_command("g++", "-std=c++11", "-Wall", "-Wodr", "-Werror", *options, "main.cc",
                             "fast.cc", "slow.cc", "fast.a", "slow.a", "-o", "main")
            self.assertEqual(self.run_command("./main").stdout, EXPECTED)

    def test_templates_of_both(self):
        """Templates of the two states are two: C++ keeps one of each name."""
        self.write("long.tml", LAG + "tensor<real, 99> past = 0.0\n")
        self.tmlc("-c", "lag.tml", "-o", "short.o")
        os.rename(self.folder / "long.tml", self.folder / "lag.tml")
        self.tmlc("-c", "lag.tml", "-o", "long.o")
        part = '#include "%s.h"\n#include <vector>\nunsigned long %s() {\n' \
               "    std::vector<lag_state> states(3);\n    std::vector<lag_state> more;\n" \
               "    for (const lag_state &state : states) { more.push_back(state); }\n" \
               "    struct lag_state *first = &more[0];\n" \
               "    return (char *)&more.back() - (char *)first;\n}\n"
        self.write("a.cc", part % ("short", "few"))
        self.write("b.cc", part % ("long", "many"))
        self.write("main.cc", "#include <stdio.h>\nunsigned long few();\nunsigned long many();\n"
                              'int main() { printf("%lu", many() - few()); }\n')
        for level in ["-O0", "-O2"]:
            self.run_command("g++", level, "main.cc", "a.cc", "b.cc", "-o", "main")
            self.assertEqual(self.run_command("./main").stdout, str(2 * 99 * 8))

    # --- what is refused -------------------------------------------------------------------------

    def test_two_headers_in_one_file(self):
        self.both(".o")
        for name, compiler in [("x.c", "cc"), ("x.cc", "g++")]:
            self.write(name, '#include "fast.h"\n#include "slow.h"\n')
            result = self.run_command(compiler, "-c", name, status=1)
            self.assertEqual(len(re.findall("error:", result.stderr)), 1, result.stderr)
            self.assertIn("two variants of lag in one file: `--prefix=NAME`", result.stderr)
        self.write("x.c", '#include "fast.h"\n#include "fast.h"\n')
        self.run_command("cc", "-c", "x.c")

    def test_header_of_another_variant(self):
        for suffix in [".o", ".a", ".so"]:
            self.both(suffix)
            self.write("host.c", PART % {"name": "fast"} + "int main(void) { return fast_run() < 0; }\n")
            self.run_command("cc", "host.c", f"./fast{suffix}", "-lm", "-o", "host")
            result = self.run_command("cc", "host.c", f"./slow{suffix}", "-lm", "-o", "host", status=1)
            for name in ["init", "step", "defaults", "model"]:
                self.assertRegex(result.stderr, f"undefined reference to `lag_{name}_[0-9a-f]{{16}}'")

    def test_header_of_an_older_source(self):
        """The interface is the same, and the code is not."""
        self.tmlc("-c", "lag.tml", "-o", "fast.o")
        self.run_command("cc", "-c", "fast.c", "-o", "old.o")
        self.write("lag.tml", LAG.replace("2.0 * x", "3.0 * x"))
        self.tmlc("-c", "lag.tml", "-o", "fast.o")
        self.write("host.c", "double fast_run(void);\nint main(void) { return fast_run() < 0; }\n")
        self.run_command("cc", "host.c", "old.o", "fast.o", "-lm", "-o", "host", status=1)
        self.run_command("cc", "host.c", "fast.c", "fast.o", "-lm", "-o", "host")

    def test_functions_without_a_state(self):
        self.write("tool.tml", "fn twice(real x) real:\n    return 2.0 * x\nend\n")
        self.tmlc("-c", "tool.tml", "-o", "fast.o")
        self.write("tool.tml", "fn twice(real x) real:\n    return x * 2.0\nend\n")
        self.tmlc("-c", "tool.tml", "-o", "slow.o")
        self.write("host.c", '#include "fast.h"\nint main(void) { double y; return tool_fn_twice(1, &y); }\n')
        self.run_command("cc", "host.c", "slow.o", "-o", "host", status=1)
        self.run_command("cc", "host.c", "slow.o", "fast.o", "-o", "host")

    # --- names of their own ----------------------------------------------------------------------

    def test_prefix(self):
        """Both headers in one file; tables, files of other kinds and simulations know the name."""
        self.both(".o", ["lag.tml", FAST, "--prefix=fast"], ["lag.tml", SLOW, "--prefix=slow"])
        parts = "".join((PART % {"name": name}).replace("lag_", f"{name}_") for name in ["fast", "slow"])
        self.write("host.c", parts + MAIN.replace("%g %g", "%g %g %s %s").replace(
            "slow_run())", "slow_run(), fast_model.name, slow_model.name)"))
        for name, compiler in [("host.c", "cc"), ("host.cc", "g++")]:
            shutil.copy(self.folder / "host.c", self.folder / "copy")
            os.replace(self.folder / "copy", self.folder / name)
            self.run_command(compiler, "-Wall", "-Wno-unused", name, "slow.o", "fast.o", "-o", "host")
            self.assertEqual(self.run_command("./host").stdout, EXPECTED + " fast slow")
        about = json.loads(self.tmlc("lag.tml", "--prefix=fast", "--emit=json", "-o", "-").stdout)
        self.assertEqual((about["prefix"], about["file"]), ("fast", "lag.tml"))
        self.assertEqual(about["structs"]["state"]["name"], "fast_state")
        self.tmlc("lag.tml", "--prefix=fast", "-o", "x.a")
        self.assertEqual(self.run_command("ar", "t", "x.a").stdout, "fast.o\n")
        self.run_command("env", "-u", "TMLC_CC", TMLC, "lag.tml", "--prefix=fast", "-o", "sim")
        self.write("u.csv", "u\n1\n1\n")
        self.assertEqual(self.run_command("./sim", "--in", "u.csv").stdout, "y\n0.0\n0.1\n")

    # --- two files of one name -------------------------------------------------------------------

    def test_two_files_of_one_name(self):
        for folder, dt in [("left", "0.5"), ("right", "0.25")]:
            self.write(f"{folder}/lag.tml", LAG.replace("0.1", dt))
        for suffix in [".o", ".a", ".so"]:
            self.both(suffix, ["left/lag.tml"], ["right/lag.tml"])
            self.assertEqual(self.link(f"./fast{suffix}", f"./slow{suffix}"), EXPECTED, suffix)

    def test_two_imports_of_one_name(self):
        """The files are the same, and what they import is not."""
        for folder, dt in [("left", "0.5"), ("right", "0.25")]:
            self.write(f"{folder}/step.tml", f"fn step() real:\n    return {dt}\nend\n")
            self.write(f"{folder}/lag.tml", 'import "step.tml"\n' + LAG.replace("n.dt *", "step() *"))
        self.both(".a", ["left/lag.tml"], ["right/lag.tml"])
        self.assertEqual(self.link("slow.a", "fast.a"), EXPECTED)

    def test_programs(self):
        """Their pure functions are for hosts, and their tables for the runtime."""
        for name, factor in [("fast", 2), ("slow", 3)]:
            self.write("p.tml", f"fn f(int x) int:\n    return {factor} * x\nend\nprint(f(1))\n")
            self.tmlc("-c", "p.tml", "-o", f"{name}.o")
            self.write(f"{name}.c", f'#include "{name}.h"\ndouble {name}_run(void);\n'
                                    f"double {name}_run(void) {{\n    int32_t y;\n"
                                    "    return p_fn_f(7, &y) == TML_OK ? y : -1;\n}\n")
        objects = [f"{name}.o" for name in ("fast", "slow")]
        # Nothing of the runtime is called, so anything may stand in for it.
        missing = set(re.findall(r" U (tml_\w+)", self.run_command("nm", "-u", *objects).stdout))
        self.assertTrue(missing)
        self.write("runtime.c", "".join(f"void {name}(void);\nvoid {name}(void) {{}}\n" for name in missing))
        self.assertEqual(self.link(*objects, "runtime.c"), "14 21")

    # --- the hash --------------------------------------------------------------------------------

    def test_what_the_hash_covers(self):
        self.write("tab.tml", LAG.replace("real n.dt", "real  n.dt"))
        os.makedirs(self.folder / "other")
        shutil.move(self.folder / "tab.tml", self.folder / "other/lag.tml")
        self.write("opt/lag.tml", "optional in real t.x\n" + LAG)
        rows = [["lag.tml"], *(["lag.tml", option] for option in OPTIONS), ["other/lag.tml"],
                ["opt/lag.tml"], ["opt/lag.tml", "--with=t.x"]]
        for name in ["init", "step", "defaults", "model"]:
            symbols = [self.symbol(*row, name=name) for row in rows]
            self.assertTrue(all(re.fullmatch(rf"lag_{name}_[0-9a-f]{{16}}", text) for text in symbols))
            self.assertEqual(len(set(symbols)), len(rows), name)

    def test_what_it_does_not_cover(self):
        """Where the files lie, and what changes no code."""
        self.write("deep/lag.tml", LAG)
        plain = self.symbol("lag.tml")
        for row in [["deep/lag.tml"], [self.folder / "lag.tml"], ["lag.tml", "-g"],
                    ["lag.tml", "-O2"], ["lag.tml", "--checks=all"], ["lag.tml", "-Wall"]]:
            self.assertEqual(self.symbol(*row), plain, row)

    def test_same_bytes_from_two_folders(self):
        for suffix in ["o", "a", "so", "h", "json"]:
            found = []
            for name in ["one", "a/longer/path"]:
                folder = self.folder / name
                folder.mkdir(parents=True, exist_ok=True)
                shutil.copy(self.folder / "lag.tml", folder)
                subprocess.run([TMLC, "lag.tml", "-o", f"x.{suffix}"], cwd=folder, check=True)
                found.append((folder / f"x.{suffix}").read_bytes())
            self.assertEqual(*found, suffix)

    # --- debuggers -------------------------------------------------------------------------------

    @unittest.skipUnless(shutil.which("gdb"), "needs gdb")
    def test_breakpoints_by_the_name_in_c(self):
        """At both variants, and traces show that name."""
        self.both(".o", ["lag.tml", FAST, "-g"], ["lag.tml", SLOW, "-g"])
        self.link("fast.o", "slow.o", "-g")
        text = self.run_command("gdb", "--batch", "-nx", "-ex", "break lag_step", "-ex", "run",
                                "-ex", "bt", "./main").stdout
        self.assertIn("(2 locations)", text)
        self.assertRegex(text, r"(?s)#0 .*\blag_step \(.*#1 .*\b(fast|slow)_run \(")

    # --- hosts without the header ----------------------------------------------------------------

    def test_tables(self):
        """Each library answers with its own table, also where all of their symbols are global."""
        self.both(".so")
        models = []
        for name in ["fast", "slow"]:
            library = ctypes.CDLL(str(self.folder / f"{name}.so"), mode=os.RTLD_GLOBAL)
            library.tml_models.restype = ctypes.c_void_p
            count = ctypes.c_size_t()
            models.append(library.tml_models(ctypes.byref(count)))
            self.assertEqual(count.value, 1)
            self.assertFalse(hasattr(library, "lag_step"))
            about = json.loads(self.tmlc("lag.tml", FAST if name == "fast" else SLOW, "--emit=json", "-o",
                                         "-").stdout)
            model = ctypes.c_char.in_dll(library, about["symbols"]["model"])
            self.assertEqual(ctypes.addressof(model), models[-1])
            for function in about["functions"]:
                self.assertTrue(hasattr(library, function["symbol"]))
        self.assertNotEqual(*models)


if __name__ == "__main__":
    unittest.main()
