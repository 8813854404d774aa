#!/usr/bin/env python3
"""An installed tree that was moved, used from outside: CMake, pkg-config, shells, man.

Usage: installed.py CMAKE BUILD SOURCE.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

CMAKE, BUILD, SOURCE = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
UNUSED = ["unused", "unused-interface", "unused-parameter"]
del sys.argv[1:]

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(outside LANGUAGES {languages})
find_package(tmlc 0.1 REQUIRED)
tmlc_add_model(gain models/gain.tml OPTIONS -D p.k=4.0 --cpu=generic)
tmlc_add_model(table models/table.tml)
add_executable(host {host})
target_link_libraries(host PRIVATE gain table)
"""
HOST = """#include <gain.h>
#include <table.h>
#include <stdio.h>

int main(void) {
    gain_state s;
    gain_inputs u = {2.0};
    gain_outputs y;
    int32_t third;
    if (gain_init(&s, &gain_defaults) != TML_OK || gain_step(&s, &gain_defaults, &u, &y) != TML_OK ||
        table_fn_at(2, &third) != TML_OK) {
        return 1;
    }
    printf("%g %d\\n", y.y, third);
    return 0;
}
"""

MANY = """#include "gain.h"
#include <stdio.h>
#include <tmlc/batch.h>

int main(void) {
    enum { RUNS = 1000, STEPS = 50 };
    static gain_inputs u[STEPS];
    static double y[RUNS];
    static tml_fault faults[RUNS];
    const tml_variable *v = gain_model.variables; /* u, y, k as in the source */
    const tml_sample k = {.property = &v[2], .distribution = TML_UNIFORM, .a = 1.0, .b = 2.0};
    const tml_batch_output out = {.variable = &v[1], .data = y, .stride = 1};
    for (int i = 0; i < STEPS; i++) {
        u[i].u = i;
    }
    tml_status status = tml_batch_run(&(tml_batch){
        .model = &gain_model, .runs = RUNS, .steps = STEPS, .inputs = u, .seed = 7, .samples = &k,
        .sample_count = 1, .keep = TML_KEEP_MAX, .outputs = &out, .output_count = 1, .faults = faults});
    printf("%d %d\\n", (int)status, y[999] == 49.0 * tml_sample_value(&k, 7, 999) && faults[0].code == 0);
    return 0;
}
"""


def run(*args, **more):
    return subprocess.run([str(arg) for arg in args], check=True, capture_output=True, text=True,
                          timeout=300, **more).stdout


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.work = pathlib.Path(cls.temporary.name)
        run(CMAKE, "--install", BUILD, "--prefix", cls.work / "first")
        os.rename(cls.work / "first", cls.work / "a prefix")
        cls.prefix = cls.work / "a prefix"
        cls.tmlc = cls.prefix / "bin/tmlc"

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def project(self, name, languages, host):
        folder = self.work / name
        (folder / "models").mkdir(parents=True)
        (folder / "CMakeLists.txt").write_text(PROJECT.format(languages=languages, host=host))
        (folder / host).write_text(HOST)
        (folder / "models/part.tml").write_text("fn twice(real x) real:\n    return 2.0 * x\nend\n")
        (folder / "models/gain.tml").write_text(
            'import "part.tml"\nin real t.u\nout real t.y\nreal p.k = 1.0\n'
            "fn output_fnc():\n    t.y = p.k * twice(t.u)\nend\n")
        (folder / "models/table.tml").write_text(
            "fn at(int i) int:\n    return [10, 20, 30][i]\nend\n")
        return folder

    def build(self, folder, *options):
        build = folder / "build"
        run(CMAKE, "-S", folder, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}", *options)
        run(CMAKE, "--build", build)
        return run(build / "host")

    def test_cmake(self):
        for generator, tool in [("Unix Makefiles", "make"), ("Ninja", "ninja")]:
            if not shutil.which(tool):
                continue
            with self.subTest(generator=generator):
                folder = self.project(f"c {tool}", "C", "host.c")
                self.assertEqual(self.build(folder, "-G", generator), "16 30\n")
                # An imported file changed, then an option, then nothing.
                part = folder / "models/part.tml"
                part.write_text(part.read_text().replace("2.0 * x", "3.0 * x"))
                os.utime(part, (2 ** 31 - 1,) * 2)
                self.assertEqual(self.build(folder), "24 30\n")
                lists = folder / "CMakeLists.txt"
                lists.write_text(lists.read_text().replace("p.k=4.0", "p.k=5.0"))
                self.assertEqual(self.build(folder), "30 30\n")

    # --- variants in one program -----------------------------------------------------------------

    def variants(self, name, targets):
        """A project with two variants of a gain, whose targets are the lines of `targets`."""
        folder = self.work / name
        folder.mkdir()
        (folder / "gain.tml").write_text(
            "in real t.u\nout real t.y\nreal p.k = 1.0\nfn output_fnc():\n    t.y = p.k * t.u\nend\n")
        for part, header in [("two", "gain"), ("four", "gain"), ("six", "six")]:
            (folder / f"{part}.c").write_text(
                f'#include <{header}.h>\ndouble {part}(void);\ndouble {part}(void) {{\n'
                f"    {header}_state s;\n    const {header}_inputs u = {{1}};\n    {header}_outputs y;\n"
                f"    return {header}_init(&s, &{header}_defaults) ||\n"
                f"           {header}_step(&s, &{header}_defaults, &u, &y) ? -1 : y.y;\n}}\n")
        (folder / "host.c").write_text(
            "#include <stdio.h>\ndouble two(void), four(void), six(void);\n"
            'int main(void) { printf("%g %g %g\\n", two(), four(), six()); return 0; }\n')
        (folder / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(variants LANGUAGES C)\n"
            "find_package(tmlc REQUIRED)\n"
            "tmlc_add_model(gain2 gain.tml OPTIONS -D p.k=2.0)\n"
            "tmlc_add_model(gain4 gain.tml OPTIONS -D p.k=4.0)\n"
            "tmlc_add_model(gain6 gain.tml PREFIX six OPTIONS -D p.k=6.0)\n" + targets)
        return folder

    PARTS = "add_library(part2 {kind} two.c)\ntarget_link_libraries(part2 PRIVATE gain2 gain6)\n" \
            "add_library(part4 {kind} four.c)\ntarget_link_libraries(part4 PRIVATE gain4)\n" \
            "add_executable(host host.c six.c)\ntarget_link_libraries(host PRIVATE part4 part2 gain6)\n"

    def test_cmake_variants(self):
        for kind in ["STATIC", "SHARED", "OBJECT"]:
            with self.subTest(kind=kind):
                folder = self.variants(f"variants {kind}", self.PARTS.format(kind=kind))
                self.assertEqual(self.build(folder), "2 4 6\n")

    def test_cmake_variants_seen_by_one(self):
        """Which header <gain.h> is would be left to chance."""
        folder = self.variants("clash", "add_executable(host host.c two.c four.c six.c)\n"
                                        "target_link_libraries(host PRIVATE gain2 gain4 gain6)\n")
        with self.assertRaises(subprocess.CalledProcessError) as raised:
            self.build(folder)
        self.assertIn("PREFIX gives one of the two another header", " ".join(raised.exception.stderr.split()))
        # The same variant twice is one.
        lists = folder / "CMakeLists.txt"
        lists.write_text(lists.read_text().replace("p.k=4.0", "p.k=2.0"))
        self.assertEqual(self.build(folder), "2 2 6\n")

    # --- machines without a system ---------------------------------------------------------------

    def test_cmake_without_a_system(self):
        """libm comes from where the C compiler finds it; this machine stands in for a bare one."""
        folder = self.project("bare", "C", "host.c")
        part = folder / "models/part.tml"
        part.write_text(part.read_text().replace("2.0 * x", "2.0 * sinh(x) / sinh(x)"))
        lists = folder / "CMakeLists.txt"
        triple = "--target=" + run("cc", "-dumpmachine").strip()
        lists.write_text(lists.read_text().replace("--cpu=generic", triple)
                         .replace("models/table.tml", f"models/table.tml OPTIONS {triple}"))
        options = ["-DCMAKE_SYSTEM_NAME=Generic", "-DCMAKE_C_FLAGS=-fno-builtin"]
        self.assertEqual(self.build(folder, *options), "8 30\n")

    def test_cmake_without_a_libm(self):
        folder = self.project("no libm", "C", "host.c")
        lists = folder / "CMakeLists.txt"
        text = lists.read_text().replace("--cpu=generic", "--target=thumbv7em-none-eabihf")
        lists.write_text(text.replace("models/table.tml", "models/table.tml OPTIONS --target=thumbv7em-none-eabihf")
                         .replace("find_package", "set(CMAKE_C_FLAGS --target=thumbv7em-none-eabihf)\nfind_package")
                         + "get_target_property(libraries gain LINK_LIBRARIES)\nmessage(STATUS \"has ${libraries}\")\n")
        found = run(CMAKE, "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}",
                    "-DCMAKE_SYSTEM_NAME=Generic", "-DCMAKE_C_COMPILER=clang-19",
                    "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY")
        self.assertIn("has libraries-NOTFOUND", found)

    def test_cmake_in_cxx(self):
        folder = self.project("cxx", "CXX", "host.cc")
        self.assertEqual(self.build(folder, "-DCMAKE_BUILD_TYPE=Debug"), "16 30\n")

    def test_cmake_wants_a_version(self):
        folder = self.project("newer", "C", "host.c")
        lists = folder / "CMakeLists.txt"
        lists.write_text(lists.read_text().replace("tmlc 0.1", "tmlc 9.1"))
        with self.assertRaises(subprocess.CalledProcessError) as raised:
            self.build(folder)
        self.assertIn("9.1", raised.exception.stderr)

    @unittest.skipUnless(shutil.which("pkg-config"), "needs pkg-config")
    def test_pkg_config(self):
        environment = {**os.environ, "PKG_CONFIG_PATH": str(self.prefix / "share/pkgconfig")}
        version = run(self.tmlc, "--version").split()[1]
        self.assertEqual(run("pkg-config", "--modversion", "tmlc", env=environment).strip(), version)
        # Blanks of the prefix come with backslashes.
        found = run("pkg-config", "--variable=tmlc", "tmlc", env=environment).strip()
        self.assertEqual(os.path.realpath(found.replace("\\", "")), os.path.realpath(self.tmlc))

    # --- tmlc new ------------------------------------------------------------------------------

    def new(self, name, folder):
        path = f"{self.prefix / 'bin'}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(["tmlc", "new", name], cwd=folder, env={**os.environ, "PATH": path},
                              capture_output=True, text=True, timeout=60)

    def test_new(self):
        """What is made builds and runs with the commands that its README.md shows."""
        work = self.work / "projects"
        work.mkdir()
        made = self.new("Low_pass2", work)
        self.assertEqual((made.returncode, made.stderr), (0, ""))
        folder = work / "Low_pass2"
        files = ["CMakeLists.txt", "Low_pass2.tml", "README.md", "host.c", "input.csv"]
        self.assertEqual(sorted(os.listdir(folder)), files)
        self.assertNotIn("@", "".join((folder / name).read_text() for name in files))
        path = f"{self.prefix / 'bin'}{os.pathsep}{os.environ['PATH']}"
        environment = {**os.environ, "PATH": path, "CFLAGS": "-Wall -Wextra -Wpedantic -Werror"}
        first = made.stdout.splitlines()[-1].strip()
        shown = subprocess.run(["bash", "-ec", first], cwd=work, env=environment, timeout=60,
                               capture_output=True, text=True)
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        text = (folder / "README.md").read_text()
        commands = re.findall(r"^\$ (.*)\n((?:(?!\$ |```).*\n)*)", text, re.M)
        self.assertEqual(len(commands), 9)
        for command, output in commands:
            with self.subTest(command=command):
                ran = subprocess.run(["bash", "-c", command], cwd=folder, env=environment,
                                     timeout=300, capture_output=True, text=True)
                self.assertEqual((ran.returncode, ran.stdout), (0, output), ran.stderr)
        self.assertEqual(shown.stdout, commands[1][1])
        checked = run(self.tmlc, "fmt", "--check", folder) + run(
            self.tmlc, "check", "-Wall", "-Wextra", "-Werror", folder / "Low_pass2.tml")
        self.assertEqual(checked, "")

    def test_new_refuses(self):
        work = self.work / "refused"
        (work / "there").mkdir(parents=True)
        (work / "file").write_text("kept")
        for name, said in (("there", "it is there already"), ("file", "it is there already"),
                           ("3d", "not `3d`"), ("a/b", "not `a/b`"), ("a b", "not `a b`"),
                           ("", "not ``"), ("tml", "not `tml`")):
            with self.subTest(name=name):
                refused = self.new(name, work)
                self.assertEqual((refused.returncode, refused.stdout), (2, ""))
                self.assertIn(said, refused.stderr)
        self.assertEqual(sorted(os.listdir(work)), ["file", "there"])
        self.assertEqual(os.listdir(work / "there"), [])
        if os.geteuid() != 0:
            work.chmod(0o500)
            self.assertEqual(self.new("name", work).returncode, 3)

    def test_executables(self):
        (self.work / "answer.tml").write_text("print(6 * 7)\n")
        run(self.tmlc, "answer.tml", "-o", "answer", cwd=self.work)
        self.assertEqual(run(self.work / "answer"), "42\n")
        self.assertEqual(run(self.simulation(), "--steps", "3"), "n\n0\n1\n2\n")

    def simulation(self):
        (self.work / "count.tml").write_text(
            "out int t.n\nint steps = 0\nfn output_fnc():\n    t.n = steps\nend\n"
            "fn update_fnc():\n    steps += 1\nend\n")
        run(self.tmlc, "count.tml", "-o", "count", cwd=self.work)
        return self.work / "count"

    def test_documents(self):
        links = 0
        folder = self.prefix / "share/doc/tmlc"
        for page in [folder / "README.md", *folder.glob("docs/*.md")]:
            for link in re.findall(r"\]\(([\w./-]+)(?:#[\w-]*)?\)", page.read_text()):
                if not link.startswith("../tests/"):  # of the source alone
                    self.assertTrue((page.parent / link).exists(), f"{page.name}: {link}")
                links += 1
        self.assertGreater(links, 20)
        self.assertTrue((self.prefix / "include/tmlc/model.h").is_file())

    def test_batches(self):
        folder = self.work / "many"
        folder.mkdir()
        (folder / "gain.tml").write_text("in real t.u\nout real t.y\ntunable real p.k = 1.0\n"
                                         "fn output_fnc():\n    t.y = p.k * t.u\nend\n")
        (folder / "many.c").write_text(MANY)
        run(self.tmlc, "-c", "gain.tml", cwd=folder)
        flags = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
        run("cc", *flags, f"-I{self.prefix}/include", "many.c", "gain.o", f"-L{self.prefix}/lib/tmlc",
            "-ltmlbatch", "-lpthread", "-lm", "-o", "many", cwd=folder)
        self.assertEqual(run("./many", cwd=folder), "0 1\n")
        (folder / "many.cc").write_text("#include <tmlc/batch.h>\nint main() { return tml_batch_run(nullptr) - TML_E_ARG; }\n")
        run("c++", "-std=c++11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{self.prefix}/include", "many.cc",
            f"-L{self.prefix}/lib/tmlc", "-ltmlbatch", "-lpthread", "-lm", "-o", "other", cwd=folder)
        run("./other", cwd=folder)

    def test_editors(self):
        share = self.prefix / "share"
        for file in ("tmlc/editors/tml.tmLanguage.json", "tmlc/editors/nvim/plugin/tml.lua", "tmlc/editors/emacs/tml-mode.el",
                     "tmlc/editors/vscode/package.json", "vim/vimfiles/syntax/tml.vim",
                     "org.kde.syntax-highlighting/syntax/tml.xml"):
            self.assertTrue((share / file).is_file(), file)

    # --- shells ----------------------------------------------------------------------------------

    def options(self):
        """The options that --help lists, with their forms."""
        rows = re.findall(r'^OPTION\(\w+, "([^"]+)", (\w+), "[^"]*", \w+, "(.*)"\)$',
                          (SOURCE / "driver/options.def").read_text(), re.M)
        self.assertGreater(len(rows), 30)
        return [(spelling, form) for spelling, form, text in rows if text]

    def completions(self, name):
        return (self.prefix / "share" / name).read_text()

    @unittest.skipUnless(shutil.which("bash"), "needs bash")
    def test_bash(self):
        script = self.completions("bash-completion/completions/tmlc")
        for spelling, form in self.options():
            if form != "JOINED":
                self.assertIn(f"{spelling}=" if form in {"VALUE", "CHOICE"} else f"{spelling} ", script)
        ask = 'COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _tmlc 2>/dev/null; ' \
              'printf "%s\\n" "${{COMPREPLY[@]}}"'
        for words, expected in [("tmlc --repo", ["--report"]), ("tmlc --real = f3", ["f32"]),
                                ("tmlc --fp = ", ["strict", "contract", "fast"]),
                                ("tmlc --batch = ", ["2", "4", "8", "16"]), ("tmlc -Werror = unus", UNUSED),
                                ("tmlc -Wno-unus", [f"-Wno-{name}" for name in UNUSED]), ("tmlc -Os", ["-Os"]),
                                ("tmlc x --diag", ["--diagnostics="])]:
            text = script + ask.format(words=words + ("''" if words.endswith(" ") else "")) + "\n"
            self.assertEqual(run("bash", "--norc", "-c", text).split(), expected, words)

    @unittest.skipUnless(shutil.which("zsh"), "needs zsh")
    def test_zsh(self):
        run("zsh", "-n", self.prefix / "share/zsh/site-functions/_tmlc")

    def test_completions_of_every_option(self):
        zsh = self.completions("zsh/site-functions/_tmlc")
        fish = self.completions("fish/vendor_completions.d/tmlc.fish")
        for spelling, _ in self.options():
            self.assertIn(f"'*{spelling}", zsh)
            self.assertRegex(fish, rf"-[los] {re.escape(spelling.lstrip('-'))} ")

    # --- man -------------------------------------------------------------------------------------

    def test_man_page_has_every_option(self):
        page = (self.prefix / "share/man/man1/tmlc.1").read_text().replace("\\-", "-")
        listed = set(re.findall(r"^\.It Fl (\S+)", page, re.M))
        for spelling, _ in self.options():
            self.assertIn(spelling[1:], listed)
        kinds = re.search(r"Write these kinds:\n((?:\.Cm .*\n)+or\n\.Cm \w+)", page)[1]
        rows = re.findall(r'^EMIT\(\w+, "([^"]+)"', (SOURCE / "driver/emit.def").read_text(), re.M)
        self.assertEqual([word for word in kinds.split() if word not in {".Cm", ",", "or"}], rows)
        simulations = page.split(".Sh SIMULATIONS")[1]
        help_text = run(self.simulation(), "--help")
        for option in set(re.findall(r"^  (--\w+)", help_text, re.M)):
            self.assertIn(f"Fl {option[1:]}", simulations)

    def test_man_page_is_well_formed(self):
        page = self.prefix / "share/man/man1/tmlc.1"
        if shutil.which("mandoc"):
            run("mandoc", "-T", "lint", "-W", "warning", page)
        elif shutil.which("groff"):
            result = subprocess.run(["groff", "-ww", "-mandoc", "-Tutf8", "-z", page],
                                    capture_output=True, text=True)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
        else:
            self.skipTest("needs mandoc or groff")


if __name__ == "__main__":
    unittest.main()
