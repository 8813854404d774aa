#!/usr/bin/env python3
"""Objects, headers and libraries as hosts meet them. Usage: embed.py TMLC MODELS [TEST...].

Expected numbers are worked out by hand from the few lines of the models.
"""

import ctypes
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TMLC = os.path.abspath(sys.argv.pop(1))
MODELS = pathlib.Path(sys.argv.pop(1)).resolve()
NAMES = ["class", "empty", "plant", "shapes", "trap"]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]

FREESTANDING = "".join(f"#include <{name}.h>\n" for name in (
    "float iso646 limits stdalign stdarg stdbool stddef stdint stdnoreturn".split()))


def first(*names):
    return next((name for name in names if shutil.which(name)), None)


C_COMPILERS = [name for name in [first("gcc", "cc"), first("clang-19", "clang")] if name]
CXX_COMPILERS = [name for name in [first("g++"), first("clang++-19", "clang++")] if name]
CLANG = first("clang-19", "clang")


class Embed(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def read(self, name):
        return (self.folder / name).read_text()

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())

    def run_command(self, *args, status=0, **more):
        result = subprocess.run(
            [str(arg) for arg in args], cwd=self.folder, capture_output=True, text=True,
            stdin=subprocess.DEVNULL, timeout=120, **more)
        if status is not None:
            self.assertEqual(result.returncode, status, f"{args}\n{result.stdout}{result.stderr}")
        return result

    def tmlc(self, *args, status=0, **more):
        return self.run_command(TMLC, *args, status=status, **more)

    def compile(self, name, *options):
        self.tmlc("-c", MODELS / f"{name}.tml", *options)

    def host(self, text, *objects, compiler=None, options=()):
        """Compiles a C host with the objects and returns what it prints."""
        self.write("host.c", text)
        self.run_command(compiler or C_COMPILERS[0], "-std=c11", *WARNINGS, *options, "host.c",
                         *objects, "-o", "host", "-lm")
        return self.run_command("./host").stdout

    # --- headers ---------------------------------------------------------------------------------

    def all_in_one(self):
        for name in NAMES:
            self.compile(name)
        includes = "".join(f'#include "{name}.h"\n' * 2 for name in NAMES)
        self.write("all.c", includes + "int main(void) { return class_model.version != TML_MODEL_VERSION; }\n")
        shutil.copy(self.folder / "all.c", self.folder / "all.cc")
        return [f"{name}.o" for name in NAMES]

    def test_headers_in_c(self):
        objects = self.all_in_one()
        for compiler in C_COMPILERS:
            for standard in ["c99", "c11", "c17", "gnu17"]:
                with self.subTest(compiler=compiler, standard=standard):
                    self.run_command(compiler, f"-std={standard}", *WARNINGS, "all.c", *objects,
                                     "-o", "all", "-lm")
                    self.run_command("./all")

    def test_headers_in_cxx(self):
        objects = self.all_in_one()
        for compiler in CXX_COMPILERS:
            for standard in ["c++11", "c++17", "c++20"]:
                with self.subTest(compiler=compiler, standard=standard):
                    self.run_command(compiler, f"-std={standard}", *WARNINGS, "all.cc", *objects,
                                     "-o", "all", "-lm")
                    self.run_command("./all")

    def test_header_alone(self):
        """It needs no more than the two headers that it includes."""
        self.compile("class")
        includes = re.findall(r"^#include (.*)$", self.read("class.h"), re.M)
        self.assertEqual(includes, ["<stddef.h>", "<stdint.h>"])

    def test_header_says_what_its_object_needs(self):
        self.compile("plant", "--real=f32")
        comment = self.read("plant.h").split("*/")[0]
        self.assertRegex(comment, r"^/\* plant\.tml: made by tmlc \d+\.\d+\.\d+\.")
        self.assertIn("real is float", comment)
        # a and x are 40 * 40 + 40 reals of 4 bytes, and y goes straight to the host.
        self.assertRegex(comment, r"params +4 bytes\n +inputs +4 bytes\n +outputs +164 bytes\n")
        self.assertRegex(comment, r"state +\d+ bytes")
        self.assertIn("externals  none", comment)
        self.assertIn("float x[40]; /* t.x: tensor<real, 40>, output, feedthrough */",
                      self.read("plant.h"))

    def test_single_precision(self):
        self.compile("plant", "--real=f32")
        self.write("one.c", '#include "plant.h"\nint main(void) { return 0; }\n')
        self.run_command(C_COMPILERS[0], "-std=c99", *WARNINGS, "one.c", "plant.o", "-o", "one")

    def test_names_of_header_and_contents(self):
        os.mkdir(self.folder / "out")
        self.tmlc("-c", MODELS / "empty.tml", "-o", "out/other.o")
        self.assertEqual(sorted(os.listdir(self.folder / "out")), ["other.h", "other.o"])
        self.assertIn("empty_step", self.read("out/other.h"))
        self.write("2 strange-näme.tml", "fn f() int:\n    return 1\nend\n")
        self.tmlc("-c", "2 strange-näme.tml")
        self.assertRegex(self.read("2 strange-näme.h"), r"_2_strange_n_+me_fn_f\(")
        self.write("x.c", '#include "2 strange-näme.h"\nint main(void) { return 0; }\n')
        for compiler in C_COMPILERS:
            self.run_command(compiler, "-std=c99", *WARNINGS, "x.c", "-o", "x")

    def macros(self, compiler, *options):
        """The names that a compiler and the freestanding headers define, but for reserved ones."""
        self.write("all.h", FREESTANDING)
        text = self.run_command(compiler, *options, "-dM", "-E", "all.h").stdout
        return set(re.findall(r"^#define ([A-Za-z]\w*)", text, re.M))

    def test_members_called_like_macros(self):
        """A host may have included every header that needs no operating system before ours."""
        names = {"__LINE__", "__FILE__", "__COUNTER__", "__cplusplus", "_Pragma", "__x", "_X", "_x", "V_MAX"}
        for compiler in C_COMPILERS + CXX_COMPILERS:
            for options in [("-xc", "-std=gnu99"), ("-xc", "-std=gnu2x"), ("-xc++", "-std=gnu++20")]:
                names |= self.macros(compiler, *options)
        self.assertTrue({"INT_MAX", "FLT_MAX", "offsetof", "and_eq", "UINT_FAST16_MAX"} <= names)
        names = sorted(names)
        words = {"and", "bool", "not", "or", "true", "false"} # of TML
        self.write("m.tml", "".join(f"in real t.{name}\ntunable real p.{name} = 1.0\n" for name in names) +
                   "out real t.y\nfn output_fnc():\n    t.y = t.INT_MAX + p.offsetof\nend\n" +
                   "".join(f"real {name} = 0.0\nfn f{k}(int {name}) int:\n    return {name}\nend\n"
                           for k, name in enumerate(names) if name not in words))
        self.tmlc("-c", "m.tml")
        header = self.read("m.h")
        for member in ["INT_MAX_", "offsetof_", "__LINE___", "V_MAX", "_x"]:
            self.assertIn(f"    double {member};", header)
        self.write("host.c", FREESTANDING + '#include "m.h"\nint main(void) { return m_model.version != TML_MODEL_VERSION; }\n')
        shutil.copy(self.folder / "host.c", self.folder / "host.cc")
        for compiler in C_COMPILERS:
            for standard in ["-std=gnu99", "-std=gnu11", "-std=gnu17"]:
                self.run_command(compiler, standard, "-Wall", "-Werror", "host.c", "m.o", "-o", "host")
        for compiler in CXX_COMPILERS:
            for standard in ["-std=gnu++11", "-std=gnu++20"]:
                self.run_command(compiler, standard, "-Wall", "-Werror", "host.cc", "m.o", "-o", "host")
        self.run_command("./host")

    def test_library_without_state(self):
        """What the header declares is there: no state, no init, where no function takes one."""
        self.write("pure.tml", "g = 2.0\nfn twice(real x) real:\n    return 2 * x\nend\n")
        self.tmlc("-c", "pure.tml")
        text = '#include "pure.h"\n#include <stdio.h>\nint main(void) {\n    double y;\n' \
               '    if (pure_fn_twice(21.0, &y)) { return 1; }\n    printf("%g", y);\n    return 0;\n}\n'
        self.assertEqual(self.host(text, "pure.o"), "42")
        header = self.read("pure.h").split("pure_TML_H")[-1]
        self.assertEqual(re.findall(r"\bpure_(?!fn_)\w+", header), [])
        (name,) = re.findall(r"\b(pure_\w+)\(", header)
        symbols = self.run_command("nm", "-g", "--defined-only", "pure.o").stdout.split()[2::3]
        self.assertEqual(re.findall(rf"#define {name} (\w+)", header), symbols)
        self.assertNotIn("structs", json.loads(self.tmlc("pure.tml", "--emit=json", "-o", "-").stdout))
        shutil.copy(self.folder / "host.c", self.folder / "host.cc")
        for compiler in CXX_COMPILERS:
            self.run_command(compiler, "-std=c++11", *WARNINGS, "host.cc", "pure.o", "-o", "host")
            self.assertEqual(self.run_command("./host").stdout, "42")

    def test_library_of_nothing(self):
        """Functions with size parameters alone: there is a header, for build systems, and it is empty."""
        self.write("generic.tml", "fn f(tensor<real, n> x) real:\n    return x[0]\nend\n")
        self.tmlc("-c", "generic.tml")
        self.assertEqual(self.host('#include "generic.h"\nint main(void) { return 0; }\n', "generic.o"), "")

    def test_tml_as_a_name(self):
        shutil.copy(MODELS / "empty.tml", self.folder / "tml.tml")
        self.tmlc("-c", "tml.tml")
        self.write("x.c", '#include "tml.h"\nint main(void) { return tml__model.version != TML_MODEL_VERSION; }\n')
        for compiler in C_COMPILERS:
            self.run_command(compiler, "-std=c99", *WARNINGS, "x.c", "tml.o", "-o", "x")
            self.run_command("./x")

    # --- objects ---------------------------------------------------------------------------------

    def test_undefined_symbols_are_of_libm(self):
        library = ctypes.CDLL("libm.so.6")
        self.write("math.tml", "in tensor<real, 3> t.u\nout tensor<real, 3> t.y\n"
                               "tensor<real, 1000> big = 0.0\n"
                               "fn output_fnc():\n    t.y = sin(t.u) + t.u[0] ** t.u[1]\nend\n"
                               "fn update_fnc():\n    big = big + 1.0\nend\n")
        sources = [MODELS / f"{name}.tml" for name in NAMES] + ["math.tml"]
        for source in sources:
            for options in [(), ("-O0",), ("-O3",), ("--fp=strict",), ("--real=f32",),
                            ("--cpu=x86-64",)]:
                with self.subTest(source=source, options=options):
                    self.tmlc("-c", source, "-o", "x.o", *options)
                    undefined = self.run_command("nm", "-u", "x.o").stdout.split()[1::2]
                    for symbol in undefined:
                        self.assertTrue(hasattr(library, symbol) or symbol.startswith("_ZGV"), symbol)
                    self.assertLessEqual(set(undefined), set(re.findall(
                        r"externals +(.*?) \*/", self.read("x.h"), re.S)[0].split()))

    def test_no_writable_data(self):
        for name in NAMES:
            for options in [(), ("-O0",), ("-g",)]:
                self.compile(name, *options)
                text = self.run_command("readelf", "-SW", f"{name}.o").stdout
                rows = re.findall(r"\] (\S+) +\S+ +\S+ +\S+ +(\S+) +\S+ +([A-Zop]*) ", text)
                self.assertTrue(any(section == ".text" for section, _, _ in rows))
                writable = [section for section, size, flags in rows
                            if "W" in flags and int(size, 16) > 0
                            and not section.startswith(".data.rel.ro")]
                self.assertEqual(writable, [], name)
                sections = {section for section, _, _ in rows}
                self.assertFalse(sections & {".init_array", ".ctors", ".tbss", ".tdata"})

    def test_steps(self):
        self.compile("class")
        output = self.host(r"""#include "class.h"
#include <stdio.h>
int main(void) {
    class_state s;
    class_params p = class_defaults;
    class_inputs u = {0};
    class_outputs y;
    int k;
    p.template_[1] = 5;
    u.in = 3;
    u.new_[2][1] = 7;
    u.bool_ = 1;
    u.int32_t_ = 4;
    u.if_ = 0.25;
    if (class_init(&s, &p) != TML_OK) { return 1; }
    for (k = 0; k < 2; k++) {
        if (class_step(&s, &p, &u, &y) != TML_OK) { return 1; }
        printf("%g %g %d %d\n", y.out[0], y.out[1], y.public_, y.double_);
    }
    printf("%g %g %d%d%d %u %d %g\n", s.auto_, s.double__2, s.delete_[0], s.delete_[1],
           s.delete_[2], s.fault_, s._Bool_, s.s);
    return 0;
}
""", "class.o")
        # out = [3 * 0.5 + auto, 7 + double]; auto 1, 1.25; double 2, 4; t.double 10, then 1 + 5 * 3
        self.assertEqual(output, "2.5 9 1 10\n2.75 11 1 16\n1.5 8 101 11 32 11\n")

    def test_step_n_is_n_steps(self):
        self.compile("plant")
        output = self.host(r"""#include "plant.h"
#include <stdio.h>
#include <string.h>
enum { N = 50 };
static plant_inputs u[N];
static plant_outputs one[N], all[N];
static plant_state a, b;
int main(void) {
    int k;
    for (k = 0; k < N; k++) { u[k].u = k; }
    if (plant_init(&a, &plant_defaults) != 0 || plant_init(&b, &plant_defaults) != 0) { return 1; }
    for (k = 0; k < N; k++) {
        if (plant_step(&a, &plant_defaults, &u[k], &one[k]) != TML_OK) { return 1; }
    }
    if (plant_step_n(&b, &plant_defaults, N, u, all) != TML_OK) { return 1; }
    printf("%d %d %d", memcmp(one, all, sizeof(one)), memcmp(a.x, b.x, sizeof(a.x)),
           plant_step_n(&b, &plant_defaults, 0, u, all));
    return 0;
}
""", "plant.o")
        self.assertEqual(output, "0 0 0")

    def test_plant(self):
        """x' = d A x + d u e0, where A turns the elements by one and A A' is the identity."""
        self.compile("plant")
        output = self.host(r"""#include "plant.h"
#include <stdio.h>
int main(void) {
    static plant_state s;
    plant_params p = plant_defaults;
    plant_outputs y;
    int k;
    p.decay = 0.5;
    if (plant_init(&s, &p) != TML_OK) { return 1; }
    for (k = 0; k < 100; k++) {
        const plant_inputs u = {k % 7};
        if (plant_step(&s, &p, &u, &y) != TML_OK) { return 1; }
        printf("%.17g %.17g %.17g\n", y.y, y.x[39], y.x[20]);
    }
    return 0;
}
""", "plant.o")
        x = [0.0] * 40
        expected = []
        for k in range(100):
            expected.append([x[0], x[39], x[20]])
            x = [0.5 * (x[i + 1] if i < 39 else x[0]) for i in range(40)]
            x[0] += 0.5 * (k % 7)
        found = [[float(word) for word in line.split()] for line in output.splitlines()]
        self.assertEqual(found, expected)

    def test_copy_of_a_state_has_the_same_future(self):
        self.compile("plant")
        output = self.host(r"""#include "plant.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    plant_state *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    plant_outputs ya, yb;
    plant_inputs u = {1};
    int k, same = 1;
    if (a == NULL || b == NULL || plant_init(a, &plant_defaults) != TML_OK) { return 1; }
    for (k = 0; k < 60; k++) {
        if (k == 13) { memcpy(b, a, sizeof *b); }
        u.u = k % 5;
        if (plant_step(a, &plant_defaults, &u, &ya) != TML_OK) { return 1; }
        if (k >= 13) {
            if (plant_step(b, &plant_defaults, &u, &yb) != TML_OK) { return 1; }
            same = same && memcmp(&ya, &yb, sizeof ya) == 0;
        }
    }
    printf("%d", same);
    free(a);
    free(b);
    return 0;
}
""", "plant.o")
        self.assertEqual(output, "1")

    def test_null_pointers(self):
        self.compile("plant")
        self.compile("shapes")
        output = self.host(r"""#include "plant.h"
#include "shapes.h"
#include <stdio.h>
static plant_state s;
int main(void) {
    const plant_params *p = &plant_defaults;
    plant_inputs u = {1};
    plant_outputs y;
    shapes_state t;
    int32_t m[6] = {1, 2, 3, 4, 5, 6}, r[6];
    double v[2] = {1, 2}, w[2];
    printf("%d %d %d ", plant_init(NULL, p), plant_init(&s, NULL), plant_init(&s, p));
    printf("%d %d %d %d %d ", plant_step(NULL, p, &u, &y), plant_step(&s, NULL, &u, &y),
           plant_step(&s, p, NULL, &y), plant_step(&s, p, &u, NULL), plant_step(&s, p, &u, &y));
    printf("%d %d ", plant_output(&s, p, NULL, &y), plant_update(&s, p, &u, NULL));
    printf("%d %d ", plant_step_n(&s, p, 1, NULL, &y), plant_step_n(&s, p, 0, NULL, NULL));
    printf("%d %d %d ", shapes_fn_turned(NULL, r), shapes_fn_turned(m, NULL), shapes_fn_turned(m, r));
    printf("%d %d %d %d", shapes_init(NULL), shapes_init(&t), shapes_fn_keep(NULL, v, w),
           shapes_fn_keep(&t, v, w));
    return 0;
}
""", "plant.o", "shapes.o")
        calls = output.split()
        self.assertEqual(calls[:8], "1 1 0 1 1 1 1 0".split())
        self.assertEqual(calls[8:10], ["1", "1"])
        self.assertEqual(calls[10], "1")
        self.assertIn(calls[11], ["0", "1"])  # of no steps nothing is read
        self.assertEqual(calls[12:], "1 1 0 1 0 1 0".split())

    def test_functions(self):
        self.compile("shapes")
        output = self.host(r"""#include "shapes.h"
#include <stdio.h>
int main(void) {
    shapes_state s;
    const int32_t m[2][3] = {{1, 2, 3}, {4, 5, 6}};
    const double n[2][3] = {{1, 2, 3}, {4, 5, 6}};
    const uint8_t v[4] = {1, 0, 1, 1};
    const double pair[2] = {1, 2};
    int32_t t[3][2];
    double r[3], old[2];
    uint8_t flag;
    uint32_t sum;
    tml_status bad;
    if (shapes_init(&s) != TML_OK || shapes_fn_nothing() != TML_OK) { return 1; }
    if (shapes_fn_flip(0, 3, &flag) != TML_OK) { return 1; }
    printf("%d ", flag);
    if (shapes_fn_flip(1, 3, &flag) != TML_OK) { return 1; }
    printf("%d ", flag);
    if (shapes_fn_wrap(5, &sum) != TML_OK || shapes_fn_turned(&m[0][0], &t[0][0]) != TML_OK) { return 1; }
    printf("%u %d%d%d%d%d%d ", sum, t[0][0], t[0][1], t[1][0], t[1][1], t[2][0], t[2][1]);
    if (shapes_fn_nested(&n[0][0], 1, r) != TML_OK) { return 1; }
    bad = shapes_fn_nested(&n[0][0], 2, r);
    printf("%g%g%g %d ", r[0], r[1], r[2], bad);
    if (shapes_fn_keep(&s, pair, old) != TML_OK || shapes_fn_keep(&s, pair, old) != TML_OK) { return 1; }
    printf("%g %g ", old[0], old[1]);
    if (shapes_fn_total(v, 0.5, r) != TML_OK) { return 1; }
    printf("%g", r[0]);
    return 0;
}
""", "shapes.o")
        self.assertEqual(output, "1 0 4 142536 456 1001 3 6 1.5")
        self.assertNotIn("fn_sizes", self.read("shapes.h"))

    def test_several_results_and_var_parameters(self):
        self.compile("shapes")
        source = r"""#include "shapes.h"
#include <stdio.h>
int main(void) {
    shapes_state s;
    int32_t quotient, rest, left = 5, pair[2] = {6, 7};
    double v[4] = {1, 2, 3, 50}, total, first[3], own[2] = {8, 9};
    uint32_t count = 6;
    uint8_t odd = 0;
    tml_status bad;
    if (shapes_init(&s) != TML_OK || shapes_fn_divided(17, 5, &quotient, &rest) != TML_OK) { return 1; }
    printf("%d %d ", quotient, rest);
    if (shapes_fn_advance(v, &count, &odd, 0.5, &total, first) != TML_OK) { return 1; }
    printf("%g %g %g %g %u %d %g %g %g ", v[0], v[1], v[2], v[3], count, odd, total, first[0], first[1]);
    if (shapes_fn_exchange(&s, own) != TML_OK || shapes_fn_exchange(&s, own) != TML_OK) { return 1; }
    printf("%g %g ", own[0], own[1]);
    bad = shapes_fn_until(pair, &left, 0, &rest);
    printf("%d %d %d %d ", bad, pair[0], left, rest);
    printf("%d ", shapes_fn_divided(17, 0, &quotient, &rest));
    printf("%d%d%d ", shapes_fn_divided(1, 1, NULL, &rest), shapes_fn_divided(1, 1, &rest, NULL),
           shapes_fn_advance(v, NULL, &odd, 0.5, &total, first));
    printf("%d", shapes_fn_divided(1, 1, &rest, &rest));
    printf("%d", shapes_fn_advance(v, &count, &odd, 0.5, &v[1], first));
    printf("%d", shapes_fn_advance(v, &count, &odd, 0.5, &total, &v[2]));
    printf("%d", shapes_fn_advance(v, &count, &odd, 0.5, &first[2], first));
    printf("%d ", shapes_fn_advance(&v[1], &count, &odd, 0.5, &v[0], first));
    printf("%g %g %g %g %u", v[0], v[1], v[2], v[3], count);
    return 0;
}
"""
        # After a fault a scalar has its value still, of an array what was written before; pointers may
        # stand side by side.
        expected = "3 2 1.5 2.5 3.5 50 7 1 7.5 1.5 2.5 8 9 1002 7 5 2 1002 111 11100 58.5 3.5 4.5 50.5 9"
        self.assertEqual(self.host(source, "shapes.o"), expected)
        for compiler in CXX_COMPILERS:
            self.write("host.cc", source)
            self.run_command(compiler, "-std=c++11", *WARNINGS, "host.cc", "shapes.o", "-o", "host", "-lm")
            self.assertEqual(self.run_command("./host").stdout, expected)
        header = self.read("shapes.h")
        self.assertIn("shapes_fn_advance(double *v /* [3] */, uint32_t *count, uint8_t *odd, double by,", header)
        self.assertIn("double *result_1, double *result_2 /* [2] */);", header)

    def test_faults(self):
        self.compile("trap")
        output = self.host(r"""#include "trap.h"
#include <stdio.h>
static void show(const char *what, tml_status status, const trap_state *s) {
    printf("%s %d", what, status);
    if (status != TML_OK) {
        printf(" %d %u:%u:%u", s->fault.code, s->fault.file, s->fault.line, s->fault.column);
    }
    printf("\n");
}
int main(void) {
    trap_state s;
    const trap_params *p = &trap_defaults;
    const trap_inputs good = {1, 2, 1, 1}, high = {3, 2, 1, 1}, low = {-1, 2, 1, 1},
                      division = {0, 0, 1, 1}, step = {0, 1, 0, 1}, claim = {0, 1, 1, 0};
    trap_inputs three[3];
    trap_outputs y[3];
    if (trap_init(&s, p) != TML_OK) { return 1; }
    show("good", trap_step(&s, p, &good, y), &s);
    printf("%d %d\n", y[0].y, s.fault.code);
    show("high", trap_output(&s, p, &high, y), &s);
    printf("%d %d\n", (int)s.fault.index, (int)s.fault.length);
    show("low", trap_step(&s, p, &low, y), &s);
    printf("%d %d %d\n", (int)s.fault.index, (int)s.fault.length, s.count);
    show("division", trap_step(&s, p, &division, y), &s);
    show("step", trap_step(&s, p, &step, y), &s);
    show("claim", trap_step(&s, p, &claim, y), &s);
    printf("%s; %s\n", trap_model.texts[s.fault.index], trap_model.files[s.fault.file]);
    three[0] = three[1] = good;
    three[2] = high;
    show("third", trap_step_n(&s, p, 3, three, y), &s);
    printf("%d\n", (int)s.fault.step);
    show("good", trap_step(&s, p, &good, y), &s);
    return 0;
}
""", "trap.o")
        path = MODELS / "trap.tml"
        self.assertEqual(output, f"""good 0
10 0
high 1001 1001 0:13:18
3 3
low 1001 1001 0:13:18
-1 3 1
division 1002 1002 0:17:11
step 1003 1003 0:18:17
claim 1004 1004 0:25:5
the input is good; {path}
third 1001 1001 0:13:18
2
good 0
""")

    @unittest.skipUnless(CLANG, "needs clang")
    def test_threads(self):
        self.compile("plant")
        self.compile("class")
        self.host(r"""#include "class.h"
#include "plant.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>
typedef struct { plant_state plant; class_state cls; plant_outputs y; class_outputs z; int bad; } work;
static work all[2];
static void *go(void *data) {
    work *w = data;
    const plant_inputs u = {1};
    const class_inputs v = {.in = 2};
    int k;
    w->bad = plant_init(&w->plant, &plant_defaults) | class_init(&w->cls, &class_defaults);
    for (k = 0; k < 200; k++) {
        w->bad |= plant_step(&w->plant, &plant_defaults, &u, &w->y);
        w->bad |= class_step(&w->cls, &class_defaults, &v, &w->z);
    }
    return NULL;
}
int main(void) {
    pthread_t other;
    if (pthread_create(&other, NULL, go, &all[1]) != 0) { return 2; }
    go(&all[0]);
    pthread_join(other, NULL);
    return all[0].bad || all[1].bad || memcmp(&all[0].y, &all[1].y, sizeof all[0].y) != 0;
}
""", "plant.o", "class.o", compiler=CLANG, options=["-fsanitize=thread", "-g"])

    # --- the other outputs -------------------------------------------------------------------------

    def test_archive(self):
        host = '#include "libplant.h"\nint main(void) {\n' \
               "    static plant_state s;\n    return plant_init(&s, &plant_defaults);\n}\n"
        self.tmlc(MODELS / "plant.tml", "-o", "libplant.a")
        self.assertEqual(self.files(), ["libplant.a", "libplant.h"])
        self.assertEqual(self.run_command("ar", "t", "libplant.a").stdout, "plant.o\n")
        self.host(host, "-L.", "-lplant")
        bytes_before = (self.folder / "libplant.a").read_bytes()
        self.tmlc(MODELS / "plant.tml", "-o", "libplant.a")
        self.assertEqual((self.folder / "libplant.a").read_bytes(), bytes_before)
        shutil.copy(MODELS / "plant.tml", self.folder / "a_plant_with_a_long_name.tml")
        self.tmlc("a_plant_with_a_long_name.tml", "-o", "long.a")
        self.assertEqual(self.run_command("ar", "t", "long.a").stdout, "a_plant_with_a_long_name.o\n")
        self.run_command("ar", "x", "long.a")
        self.tmlc("-c", "a_plant_with_a_long_name.tml", "-o", "same.o")
        self.assertEqual((self.folder / "same.o").read_bytes(),
                         (self.folder / "a_plant_with_a_long_name.o").read_bytes())

    def test_archive_fails(self):
        for archiver, message in [("false", "failed with exit status 1"), ("nonsense", "cannot run")]:
            result = self.tmlc(MODELS / "plant.tml", "-o", "x.a", status=3,
                               env={**os.environ, "TMLC_AR": archiver})
            self.assertIn(f"the archiver `{archiver}`", result.stderr)
            self.assertIn(message, result.stderr)
            self.assertEqual(self.files(), [])

    def test_models_of_shared_libraries_alone(self):
        """A host links several objects, in which one name must not stand twice."""
        for name in ["class", "plant"]:
            self.tmlc(MODELS / f"{name}.tml", "--emit=obj,archive,shared", "-v")
            symbols = self.run_command("nm", "-g", f"{name}.o", f"{name}.a").stdout
            self.assertIn(f"{name}_model", symbols)
            self.assertNotIn("tml_models", symbols)
            defined = self.run_command("nm", "-D", "--defined-only", f"{name}.so").stdout
            self.assertIn(" tml_models\n", defined)
        self.write("part.tml", "fn one() real:\n    return 1.0\nend\n")
        self.tmlc("part.tml", "-o", "part.so")
        self.assertNotIn("tml_models", self.run_command("nm", "-D", "part.so").stdout)
        self.assertNotIn(".part", "".join(self.files()))

    def test_shared_library_and_its_table(self):
        """Steps the model through the table alone, as a host that has no header would."""
        self.tmlc(MODELS / "class.tml", "-o", "class.so")
        dynamic = self.run_command("readelf", "-d", "class.so").stdout
        self.assertNotIn("TEXTREL", dynamic)
        library = ctypes.CDLL(str(self.folder / "class.so"))

        class Type(ctypes.Structure):
            _fields_ = [("root", ctypes.c_uint8), ("real_bytes", ctypes.c_uint8),
                        ("depth", ctypes.c_uint16), ("flat_rank", ctypes.c_uint16),
                        ("level_ranks", ctypes.POINTER(ctypes.c_uint16)),
                        ("dims", ctypes.POINTER(ctypes.c_uint32))]

        class Variable(ctypes.Structure):
            _fields_ = [("name", ctypes.c_char_p), ("space", ctypes.c_char_p),
                        ("role", ctypes.c_uint8), ("feedthrough", ctypes.c_uint8),
                        ("optional", ctypes.c_uint8), ("type", ctypes.POINTER(Type)),
                        ("offset", ctypes.c_size_t), ("value", ctypes.c_void_p)]

        function = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)
        step = ctypes.CFUNCTYPE(ctypes.c_int32, *[ctypes.c_void_p] * 4)

        class Model(ctypes.Structure):
            _fields_ = [("version", ctypes.c_uint32), ("kind", ctypes.c_uint32), ("name", ctypes.c_char_p),
                        ("layout", ctypes.c_uint64), ("params_bytes", ctypes.c_size_t),
                        ("inputs_bytes", ctypes.c_size_t), ("outputs_bytes", ctypes.c_size_t),
                        ("state_bytes", ctypes.c_size_t), ("fault_offset", ctypes.c_size_t),
                        ("variable_count", ctypes.c_uint32),
                        ("variables", ctypes.POINTER(Variable)), ("defaults", ctypes.c_void_p),
                        ("init", function), ("output", step), ("update", step), ("step", step)]

        count = ctypes.c_size_t()
        library.tml_models.restype = ctypes.POINTER(Model)
        models = library.tml_models(ctypes.byref(count))
        about = json.loads(self.tmlc(MODELS / "class.tml", "--emit=json", "-o", "-").stdout)
        model = Model.in_dll(library, about["symbols"]["model"])
        self.assertEqual((count.value, ctypes.addressof(models.contents)),
                         (1, ctypes.addressof(model)))
        self.assertEqual((model.version, model.kind, model.name), (2, 0, b"class"))
        self.assertEqual((model.params_bytes, model.inputs_bytes, model.outputs_bytes), (24, 48, 24))
        self.assertEqual(about["layout"], f"{model.layout:016x}")
        rows = {}
        for i in range(model.variable_count):
            row = model.variables[i]
            of = row.type.contents if row.type else None
            levels = []
            at = 0
            for level in range(of.depth if of else 0):
                levels.append(of.dims[at:at + of.level_ranks[level]])
                at += of.level_ranks[level]
            rows[row.space.decode(), row.name.decode()] = (row, levels)
        new, levels = rows["t", "new"]
        self.assertEqual((new.role, new.feedthrough, new.type.contents.root, levels),
                         (0, 1, 2, [[3], [2]]))
        self.assertEqual(rows["t", "if"][0].feedthrough, 0)
        self.assertEqual(rows["p", "register"][0].role, 2)
        self.assertEqual(ctypes.cast(rows["p", "register"][0].value,
                                     ctypes.POINTER(ctypes.c_double))[0], 0.5)
        signs = rows["p", "signs"][0]
        self.assertFalse(signs.type)
        self.assertEqual(ctypes.cast(signs.value, ctypes.c_char_p).value, b"+-")
        self.assertEqual(rows["", "delete"][1], [[3]])

        buffers = [ctypes.create_string_buffer(size + 16) for size in
                   (model.state_bytes, model.inputs_bytes, model.outputs_bytes)]
        state, inputs, outputs = [(ctypes.addressof(b) + 15) // 16 * 16 for b in buffers]
        self.assertEqual(model.init(state, model.defaults), 0)
        ctypes.c_double.from_address(inputs + rows["t", "in"][0].offset).value = 3.0
        ctypes.c_int32.from_address(inputs + new.offset + 4 * 5).value = 7
        self.assertEqual(model.step(state, model.defaults, inputs, outputs), 0)
        out = (ctypes.c_double * 2).from_address(outputs + rows["t", "out"][0].offset)
        self.assertEqual(list(out), [3 * 0.5 + 1, 7 + 2])
        self.assertEqual(ctypes.c_double.from_address(state + rows["", "double"][0].offset).value, 4.0)

    def test_description(self):
        text = self.tmlc(MODELS / "class.tml", "--emit=json", "-o", "-").stdout
        model = json.loads(text)
        self.assertEqual((model["kind"], model["prefix"], model["file"]),
                         ("component", "class", "class.tml"))
        rows = {(row["space"], row["name"]): row for row in model["interface"]}
        self.assertEqual(rows["t", "new"]["dims"], [[3], [2]])
        self.assertEqual(rows["t", "new"]["type"], "tensor<tensor<int, 2>, 3>")
        self.assertEqual(rows["p", "template"]["value"], [1, 2])
        self.assertEqual(rows["p", "signs"]["value"], "+-")
        self.assertEqual(rows["n", "order"]["value"], 3)
        inputs = model["structs"]["inputs"]
        self.assertEqual([(member["member"], member["offset"]) for member in inputs["members"]],
                         [("in", 0), ("new_", 8), ("bool_", 32), ("int32_t_", 36), ("if_", 40)])
        self.assertEqual(inputs["bytes"], 48)
        self.assertEqual(model["report"]["inputs"], 48)
        names = [function["name"] for function in model["report"]["functions"]]
        self.assertEqual(names, ["init", "output", "update", "step", "step_n"])
        self.tmlc(MODELS / "class.tml", "-o", "other.json")
        self.assertEqual(self.read("other.json"), text)

    def test_description_of_special_numbers(self):
        self.write("odd.tml", "real p.a = nan\nreal p.b = inf\ntunable tensor<real, 2> p.c = [-inf, 0.5]\n"
                              "fn update_fnc():\n    pass\nend\n")
        rows = json.loads(self.tmlc("odd.tml", "--emit=json", "-o", "-").stdout)["interface"]
        self.assertEqual([row["value"] for row in rows], ["nan", "inf", ["-inf", 0.5]])

    def test_text_kinds_on_standard_output(self):
        header = self.tmlc(MODELS / "plant.tml", "--emit=header", "-o", "-").stdout
        self.tmlc(MODELS / "plant.tml", "-o", "plant.h")
        self.assertEqual(self.read("plant.h"), header)
        self.tmlc("--emit=header,json", MODELS / "plant.tml")
        self.assertEqual(self.files(), ["plant.h", "plant.json"])
        self.tmlc("--emit=obj,archive,shared", MODELS / "plant.tml")
        self.assertEqual(self.files(), ["plant.a", "plant.h", "plant.json", "plant.o", "plant.so"])
        for kind in ["obj", "archive", "shared"]:
            self.tmlc(MODELS / "plant.tml", f"--emit={kind}", "-o", "-", status=2)

    def test_same_input_same_bytes(self):
        for suffix in ["h", "json", "a", "o"]:
            for name in ["first", "second"]:
                self.tmlc(MODELS / "class.tml", "-o", f"{name}.{suffix}")
            self.assertEqual((self.folder / f"first.{suffix}").read_bytes(),
                             (self.folder / f"second.{suffix}").read_bytes())

    def test_object_and_header_together(self):
        self.write("m.h", "/* by hand */\n")
        result = self.tmlc("-c", MODELS / "empty.tml", "-o", "m.o", status=2)
        self.assertIn("cannot write `m.h`: another file than a header of tmlc", result.stderr)
        self.assertEqual(self.files(), ["m.h"])
        os.remove(self.folder / "m.h")
        os.mkdir(self.folder / "m.h")
        self.tmlc("-c", MODELS / "empty.tml", "-o", "m.o", status=3)
        self.assertEqual(self.files(), ["m.h"])
        os.rmdir(self.folder / "m.h")
        self.tmlc("-c", MODELS / "empty.tml", "-o", "m.o")
        self.tmlc("-c", MODELS / "empty.tml", "-o", "m.o")
        self.assertEqual(self.files(), ["m.h", "m.o"])

    def test_full_disk(self):
        """A limit on the size of files stands in for the end of the disk."""
        def limit(bytes_left):
            import resource
            import signal
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_left, bytes_left))

        for name in ["x.o", "x.a", "x.so", "x.h", "x.json"]:
            with self.subTest(name=name):
                result = self.tmlc(MODELS / "plant.tml", "-o", name, status=3,
                                   preexec_fn=lambda: limit(1000))
                self.assertIn("cannot", result.stderr)
                self.assertEqual(self.files(), [])
        with open("/dev/full", "w") as full:
            result = subprocess.run([TMLC, MODELS / "plant.tml", "--emit=json", "-o", "-"],
                                    stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(result.returncode, 3)
        self.assertIn("no space left", result.stderr)

    def test_rule_for_make(self):
        self.write("part.tml", "fn one() real:\n    return 1.0\nend\n")
        self.write("a $ b.tml", 'import "part.tml"\nreal p.k = 1.0\nout real t.y\n'
                                "fn output_fnc():\n    t.y = one() * p.k\nend\n")
        self.tmlc("-c", "a $ b.tml", "-D", "p.k=2", "-o", "m.o", "-MD")
        self.assertEqual(self.read("m.d"), "m.o m.h: \\\n  a\\ $$\\ b.tml \\\n  part.tml\n")
        self.tmlc("-c", "a $ b.tml", "-o", "m.o", "-MF", "rules")
        self.assertEqual(self.read("rules"), self.read("m.d"))
        result = self.tmlc("--emit=header", "-o", "-", "a $ b.tml", "-MD", status=2)
        self.assertIn("need an output that is a file", result.stderr)
        self.tmlc("-c", "a $ b.tml", "-o", "m.o", "-MF", "part.tml", status=2)
        if shutil.which("make"):
            self.write("Makefile", "include m.d\nm.o:\n\ttouch m.o\n")
            os.utime(self.folder / "m.o", (1, 1))
            self.assertIn("touch", self.run_command("make", "m.o").stdout)
            self.assertNotIn("touch", self.run_command("make", "m.o").stdout)

    # --- options for components ------------------------------------------------------------------

    def test_definitions(self):
        self.write("m.tml", "out real t.y\nreal p.gain = 1.0\nstr p.s = \"a\"\nint n.m = 2\n"
                            "tunable real p.t = 5.0\n"
                            "fn output_fnc():\n    t.y = p.gain + n.m + p.s.len + p.t\nend\n")
        text = self.tmlc("m.tml", "-D", "p.gain=2.5", "-Dp.s=long", "-D", "n.m=7", "-Dp.t=-0.5",
                         "--emit=json", "-o", "-").stdout
        values = {row["name"]: row.get("value") for row in json.loads(text)["interface"]}
        self.assertEqual(values, {"y": None, "gain": 2.5, "s": "long", "m": 7, "t": -0.5})
        for definition, message in [("p.gan=1", "did you mean `p.gain`?"), ("n.m=1.5", "error[E0401]"),
                                    ("p.gain=[1, 2]", "error["), ("p.gain=1 +", "error[E0201]")]:
            result = self.tmlc("check", "m.tml", "-D", definition, status=1)
            self.assertIn(message, result.stderr)
            self.assertIn("-D:1:", result.stderr)
        self.tmlc("check", "m.tml", "-Dp.gain", status=2)

    def test_connections(self):
        self.write("m.tml", "optional in real t.sync\nout real t.y\nfn output_fnc():\n"
                            "    exists t.sync:\n        t.y = t.sync\n    else:\n"
                            "        t.y = 1.0\n    end\nend\n")
        self.tmlc("-c", "m.tml", "-o", "without.o")
        self.tmlc("-c", "m.tml", "--with", "t.sync", "-o", "with.o")
        self.assertNotIn("sync", self.read("without.h").split("m_TML_H")[-1])
        self.assertIn("double sync; /* t.sync: real, input, optional, feedthrough */",
                      self.read("with.h"))
        host = '#include "%s.h"\n#include <stdio.h>\nint main(void) {\n    m_state s;\n' \
               '    const m_inputs u = {7};\n    m_outputs y;\n' \
               '    if (m_init(&s, &m_defaults) || m_step(&s, &m_defaults, &u, &y)) { return 1; }\n' \
               '    printf("%%g", y.y);\n    return 0;\n}\n'
        self.assertEqual(self.host(host % "without", "without.o"), "1")
        self.assertEqual(self.host(host % "with", "with.o"), "7")
        self.tmlc("check", "m.tml", "--with", "t.syn", status=1)

    def test_constants_of_the_object(self):
        """A table that a call makes is read-only data: no state, no init, nothing to compute."""
        self.write("crc.tml", """fn made() tensor<uint, 256>:
    tensor<uint, 256> table = 0u
    for i = 0:256:
        c = uint(i)
        for bit = 0:8:
            if (c & 1u) == 1u:
                c = (c >> 1u) ^ 0xEDB88320u
            else:
                c = c >> 1u
            end
        end
        table[i] = c
    end
    return table
end
table = made()
fn crc(tensor<uint, 9> bytes) uint:
    c = 0xFFFFFFFFu
    for i = 0:9:
        c = (c >> 8u) ^ table[(c ^ bytes[i]) & 255u]
    end
    return ~c
end
""")
        host = '#include "crc.h"\n#include <stdio.h>\nint main(void) {\n' \
               '    const uint32_t bytes[9] = {49, 50, 51, 52, 53, 54, 55, 56, 57};\n' \
               '    uint32_t c = 0;\n    int failed = crc_fn_crc(bytes, &c);\n' \
               '    printf("%d %08x", failed, (unsigned)c);\n    return 0;\n}\n'
        for level in ["-O0", "-O2"]:
            self.tmlc("-c", "crc.tml", level)
            self.assertEqual(self.host(host, "crc.o"), "0 cbf43926")
        report = json.loads(self.tmlc("check", "crc.tml", "--report=json").stdout)
        self.assertEqual(report["file_constants"], [{"name": "table", "bytes": 1024}])
        self.assertIn("1024 bytes of these for table", self.tmlc("check", "crc.tml", "--report").stdout)
        self.assertGreaterEqual(report["constants"], 1024)
        self.assertLess(report["constants"], 2048)
        self.assertNotIn("crc_init", self.read("crc.h"))
        # One that is assigned later is state.
        source = self.read("crc.tml") + "fn forget():\n    table[0] = 0u\nend\n"
        self.write("crc.tml", source)
        self.tmlc("-c", "crc.tml")
        self.assertIn("crc_init", self.read("crc.h"))

    def test_budget(self):
        model = MODELS / "plant.tml"
        self.tmlc("-c", model, "--budget", "ram=100k,rom=100k,stack=100k", "-o", "x.o")
        for name in ["x.o", "x.h"]:
            os.remove(self.folder / name)
        result = self.tmlc("-c", model, "--budget", "ram=8k,rom=16,stack=0", "-o", "x.o", status=1)
        self.assertEqual(len(re.findall(r"error\[E0910\]", result.stderr)), 3)
        report = json.loads(self.tmlc("check", model, "--report=json").stdout)
        ram = sum(report[key] for key in ["state", "params", "inputs", "outputs"])
        self.assertIn(f"needs {ram} bytes of ram, {ram - 8192} more than the 8192 of the budget",
                      result.stderr)
        self.assertEqual(self.files(), [])
        self.tmlc("check", model, "--budget", f"ram={ram}")
        self.tmlc("check", model, "--budget", f"ram={ram - 1}", status=1)

    def test_budget_of_a_target(self):
        """A budget that is met to the byte, and one byte less, of each kind."""
        options = ["--target=thumbv7em-none-eabihf", "--cpu=cortex-m4", "--real=f32"]
        model = MODELS / "plant.tml"
        report = json.loads(self.tmlc("check", model, *options, "--report=json").stdout)
        needs = {
            "ram": sum(report[key] for key in ["state", "params", "inputs", "outputs"]),
            "stack": max(function["stack"] for function in report["functions"]),
            "rom": report["code"] + report["constants"],
        }
        for kind, count in needs.items():
            self.tmlc("check", model, *options, "--budget", f"{kind}={count}")
            result = self.tmlc("check", model, *options, "--budget", f"{kind}={count - 1}", status=1)
            self.assertIn("error[E0910]", result.stderr)
            self.assertIn(f"needs {count} bytes of {kind}, 1 more than", result.stderr)

    def test_other_targets(self):
        for target in ["aarch64-linux-gnu", "armv7-linux-gnueabihf", "riscv64-linux-gnu",
                       "thumbv7em-none-eabihf", "wasm32"]:
            with self.subTest(target=target):
                self.compile("class", f"--target={target}")
                self.assertIn(f"cpu", self.read("class.h"))
        if CLANG:
            self.write("x.c", '#include "class.h"\nint main(void) { return 0; }\n')
            for target in ["aarch64-linux-gnu", "thumbv7em-none-eabihf"]:
                self.compile("class", f"--target={target}")
                self.run_command(CLANG, f"--target={target}", "-ffreestanding", "-std=c99", "-c", "x.c")

    # --- simulations -----------------------------------------------------------------------------

    def test_simulation(self):
        self.tmlc(MODELS / "plant.tml", "-o", "plant")
        self.write("u.csv", "u\n1\n0\n0\n")
        lines = self.run_command("./plant", "--in", "u.csv").stdout.splitlines()
        self.assertEqual(len(lines), 4)
        self.assertEqual(lines[0].split(",")[:2], ["y", "x[0]"])
        y = [float(line.split(",")[0]) for line in lines[1:]]
        self.assertTrue(all(math.isclose(a, b) for a, b in zip(y, [0.0, 0.9, 0.0])), y)
        run = self.tmlc("run", MODELS / "plant.tml", "--", "--in", "u.csv").stdout
        self.assertEqual(run.splitlines(), lines)


if __name__ == "__main__":
    unittest.main()
