#!/usr/bin/env python3
"""Objects, headers and libraries as hosts meet them. Usage: embed.py TMLC MODELS [TEST...].

Expected numbers are worked out by hand from the few lines of the models.
"""

import ctypes
import json
import math
import os
import re
import shutil
import unittest

from host_test import (
    CLANG, CXX_COMPILERS, C_COMPILERS, FREESTANDING, HOSTED, HostTest, MODELS, NAMES, WARNINGS,
    first,
)


class Embed(HostTest):
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

    def macros(self, compiler, headers, *options):
        """The names that a compiler and the headers define, but for reserved ones."""
        self.write("all.h", headers)
        text = self.run_command(compiler, *options, "-dM", "-E", "all.h").stdout
        return set(re.findall(r"^#define ([A-Za-z]\w*)", text, re.M))

    def test_members_called_like_macros(self):
        """A host may have included every header of C before ours."""
        names = {"__LINE__", "__FILE__", "__COUNTER__", "__cplusplus", "_Pragma", "__x", "_X", "_x", "V_MAX",
                 "E", "E2", "Energy", "EMF", "PRIO", "PRIxFAST", "TIME", "TIME_STEP", "SIGMA", "SIG", "si_addr"}
        for compiler in C_COMPILERS + CXX_COMPILERS:
            for options in [("-xc", "-std=gnu99"), ("-xc", "-std=gnu2x"), ("-xc++", "-std=gnu++20")]:
                names |= self.macros(compiler, FREESTANDING, *options)
        for compiler in C_COMPILERS:
            for standard in ("c11", "gnu11", "gnu2x"):
                names |= self.macros(compiler, HOSTED, "-xc", f"-std={standard}")
        self.assertTrue({"INT_MAX", "FLT_MAX", "offsetof", "and_eq", "UINT_FAST16_MAX", "EDOM", "TIME_UTC", "PRId32",
                         "L_tmpnam", "FE_ALL_EXCEPT", "SIGTERM"} <= names)
        names = sorted(names)
        words = {"and", "bool", "not", "or", "true", "false"} # of TML
        self.write("m.tml", "".join(f"in real t.{name}\ntunable real p.{name} = 1.0\n" for name in names) +
                   "out real t.y\nfn output_fnc():\n    t.y = t.INT_MAX + p.offsetof\nend\n" +
                   "".join(f"real {name} = 0.0\nfn f{k}(int {name}) int:\n    return {name}\nend\n"
                           for k, name in enumerate(names) if name not in words))
        self.tmlc("-c", "m.tml")
        header = self.read("m.h")
        for member in ["INT_MAX_", "offsetof_", "__LINE___", "V_MAX", "_x", "E", "E2", "Energy", "EMF", "PRIO",
                       "PRIxFAST_", "TIME", "TIME_STEP", "SIGMA", "SIG", "EDOM_", "errno_"]:
            self.assertIn(f"    double {member};", header)
        main = '#include "m.h"\nint main(void) { return m_model.version != TML_MODEL_VERSION; }\n'
        self.write("host.c", HOSTED + main)
        self.write("host.cc", FREESTANDING + main)
        for compiler in C_COMPILERS:
            for standard in ["-std=gnu99", "-std=gnu11", "-std=gnu17"]:
                self.run_command(compiler, standard, "-Wall", "-Werror", "host.c", "m.o", "-o", "host")
        for compiler in CXX_COMPILERS:
            for standard in ["-std=gnu++11", "-std=gnu++20"]:
                self.run_command(compiler, standard, "-Wall", "-Werror", "host.cc", "m.o", "-o", "host")
        self.run_command("./host")

    def test_defaults_of_inputs(self):
        """In the header, in the object, and by reflection; without one there is nothing of it."""
        self.write("m.tml", "in bool t.on = true\nin real t.u\nin tensor<int, 2, 2> t.k = [1, 2; 3, 4]\n"
                            "out real t.y\nfn output_fnc():\n    t.y = t.u + t.k[1, 0]\nend\n")
        self.tmlc("-c", "m.tml")
        text = r"""#include "m.h"
#include <stdio.h>
#include <string.h>
int main(void) {
    static m_state s;
    m_inputs u = m_inputs_defaults, same;
    m_outputs y;
    memcpy(&same, m_model.inputs_defaults, sizeof same);
    printf("%d %g %d %d ", u.on, u.u, (int)u.k[0][1], (int)same.k[1][1]);
    printf("%d %d ", *(const uint8_t *)m_model.variables[0].value, m_model.variables[1].value == NULL);
    printf("%d ", m_model.variables[2].value == (const char *)m_model.inputs_defaults + offsetof(m_inputs, k));
    u.u = 0.5;
    if (m_init(&s, &m_defaults) || m_step(&s, &m_defaults, &u, &y)) { return 1; }
    printf("%g", y.y);
    return 0;
}
"""
        self.assertEqual(self.host(text, "m.o"), "1 0 2 4 1 1 1 3.5")
        symbols = json.loads(self.tmlc("m.tml", "--emit=json", "-o", "-").stdout)["symbols"]
        self.assertIn(symbols["inputs_defaults"], self.run_command("nm", "m.o").stdout)
        self.compile("plant")
        self.assertNotIn("plant_inputs_defaults", self.read("plant.h"))
        self.assertNotIn("inputs_defaults", self.run_command("nm", "plant.o").stdout)
        self.host('#include "plant.h"\nint main(void) { return plant_model.inputs_defaults != NULL; }\n', "plant.o")

    def test_library_without_state(self):
        """What the header declares is there: no state, no init, where no function takes one."""
        self.write("pure.tml", "g = 2.0\nfn twice(real s) real:\n    return 2 * s\nend\n")
        self.tmlc("-c", "pure.tml")
        text = '#include "pure.h"\n#include <stdio.h>\nint main(void) {\n    double y;\n' \
               '    if (pure_fn_twice(21.0, &y)) { return 1; }\n    printf("%g", y);\n    return 0;\n}\n'
        self.assertEqual(self.host(text, "pure.o"), "42")
        header = self.read("pure.h").split("pure_TML_H")[-1]
        self.assertEqual(re.findall(r"\bpure_(?!fn_)\w+", header), [])
        self.assertIn("pure_fn_twice(double s, ", header)  # `s` is the state elsewhere
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

    def test_side_by_side(self):
        """Instances beside each other are instances alone, and what they trap at is told."""
        self.compile("plant", "--batch=4")
        self.assertEqual(self.run_command("nm", "-u", "plant.o").stdout, "")
        output = self.host(r"""#include "plant.h"
#include <stdio.h>
#include <string.h>
enum { N = 20, L = plant_lanes };
static char room[L * (sizeof(plant_state) + sizeof(plant_params) +
                      N * (sizeof(plant_inputs) + sizeof(plant_outputs))) + 5 * 64];
static char *next = room;
static void *aligned(size_t bytes) {
    char *at = next + (64 - (size_t)next % 64) % 64;
    next = at + bytes;
    return at;
}
int main(void) {
    char *s = aligned(L * sizeof(plant_state)), *p = aligned(L * sizeof(plant_params)),
         *u = aligned(L * N * sizeof(plant_inputs)), *y = aligned(L * N * sizeof(plant_outputs));
    double *decay = (double *)(p + L * offsetof(plant_params, decay));
    int k, lane, same = 0;
    size_t b;
    for (k = 0; k < N * L; k++) {
        ((double *)(u + k / L * L * (int)sizeof(plant_inputs) + L * offsetof(plant_inputs, u)))[k % L] = k;
    }
    for (b = 0; b < sizeof(plant_params) / 8; b++) {
        for (lane = 0; lane < L; lane++) {
            ((double *)p)[b * L + (size_t)lane] = ((const double *)&plant_defaults)[b];
        }
    }
    for (lane = 0; lane < L; lane++) { decay[lane] = 0.25 * lane; }
    if (plant_init_batch(s, p) != TML_OK || plant_step_n_batch(s, p, N, u, y) != TML_OK) { return 1; }
    for (lane = 0; lane < L; lane++) {
        plant_params one = plant_defaults;
        plant_state state;
        plant_outputs last = {0};
        one.decay = 0.25 * lane;
        if (plant_init(&state, &one) != TML_OK) { return 1; }
        for (k = 0; k < N; k++) {
            plant_inputs in = {0};
            in.u = k * L + lane;
            if (plant_step(&state, &one, &in, &last) != TML_OK) { return 1; }
        }
        for (b = 0; b < sizeof(plant_outputs) / 8; b++) {
            const double *all = (double *)(y + L * (N - 1) * sizeof(plant_outputs));
            same += memcmp(&all[b * L + (size_t)lane], &((double *)&last)[b], 8) == 0;
        }
    }
    printf("%d %d %d", L, same == L * (int)(sizeof(plant_outputs) / 8),
           plant_step_n_batch(NULL, p, N, u, y) == TML_E_ARG);
    return 0;
}
""", "plant.o")
        self.assertEqual(output, "4 1 1")

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

    def test_many_pointers_that_overlap(self):
        """With more results than are compared pair by pair: each pair of pointers, by an element or two."""
        count = 12
        results = ", ".join(["tensor<real, 2>"] * count)
        values = ", ".join(f"x + {i} * z" for i in range(count))
        self.write("many.tml", "fn many(tensor<real, 2> x, tensor<real, 2> z, var tensor<real, 2> v)"
                               f" {results}:\n    v += x\n    return {values}\nend\n")
        for options in [[], ["-O0"]]:
            self.tmlc("-c", "many.tml", *options)
            args = ", ".join(f"at[{i}]" for i in range(count + 3))
            output = self.host(rf"""#include "many.h"
#include <stdio.h>
enum {{ COUNT = {count + 3} }};
static unsigned char memory[64 * (COUNT + 1)];
static double *at[COUNT];
static tml_status call(void) {{ return many_fn_many({args}); }}
static void *byte(int i) {{ return memory + i; }}
int main(void) {{
    int i, k, way, refused = 0, wrong = 0;
    for (i = 0; i < COUNT; i++) {{ at[i] = byte(64 * i + 32); }}
    for (i = 0; i < 3; i++) {{ at[i][0] = i + 1.0; at[i][1] = i + 2.0; }}
    if (call() != TML_OK || at[14][1] != 2.0 + 11 * 3.0 || at[2][0] != 4.0) {{ return 1; }}
    for (i = 0; i < COUNT; i++) {{
        for (k = 0; k < COUNT; k++) {{
            for (way = -16; way <= 16; way += 8) {{
                double *was = at[i];
                int is_apart = i == k || way == 16 || way == -16;
                int reads = (i < 2 && k < 2);
                at[i] = byte(64 * k + 32 + way);
                if (i == k) {{ at[i] = was; }}
                if ((call() == TML_OK) != (is_apart || reads)) {{ wrong++; }}
                refused += !(is_apart || reads);
                at[i] = was;
            }}
        }}
    }}
    printf("%d %d", refused, wrong);
    return 0;
}}
""", "many.o")
            self.assertEqual(output, f"{(15 * 14 - 2) * 3} 0")

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


if __name__ == "__main__":
    unittest.main()
