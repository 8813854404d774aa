#!/usr/bin/env python3
"""Archives, libraries, descriptions and other outputs for hosts, and what decides over them.

Usage: embed_outputs.py TMLC MODELS [TEST...]. Expected numbers are worked out by hand.
"""

import ctypes
import json
import math
import os
import re
import shutil
import subprocess
import time
import unittest

from host_test import CLANG, HostTest, MODELS, TMLC, first


class EmbedOutputs(HostTest):
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

    def test_shared_library_of_a_program(self):
        """Its functions can be called, though its statements print and ask."""
        self.write("sums.tml", "fn twice(real x) real:\n    return 2.0 * x\nend\nprint(twice(input(real)))\n")
        self.tmlc("sums.tml", "-o", "sums.so")
        names = self.run_command("nm", "-D", "--defined-only", "sums.so").stdout.split()
        self.assertEqual([name for name in names if name.startswith("tml_")], [])
        library = ctypes.CDLL(str(self.folder / "sums.so"), os.RTLD_NOW)
        twice = library[next(name for name in names if name.startswith("sums_fn_twice"))]
        result = ctypes.c_double()
        self.assertEqual((twice(ctypes.c_double(1.5), ctypes.byref(result)), result.value), (0, 3.0))

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
                        ("inputs_defaults", ctypes.c_void_p),
                        ("init", function), ("output", step), ("update", step), ("step", step)]

        count = ctypes.c_size_t()
        library.tml_models.restype = ctypes.POINTER(Model)
        models = library.tml_models(ctypes.byref(count))
        about = json.loads(self.tmlc(MODELS / "class.tml", "--emit=json", "-o", "-").stdout)
        model = Model.in_dll(library, about["symbols"]["model"])
        self.assertEqual((count.value, ctypes.addressof(models.contents)),
                         (1, ctypes.addressof(model)))
        self.assertEqual((model.version, model.kind, model.name), (6, 0, b"class"))
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

    def test_constants(self):
        source = """real n.dt = 0.01
real n.none = nan
real n.whole = -3
int n.rows = 3
int n.least = -2147483648
uint n.mask = 0xFFFFFFFFu
bool n.on = true
char n.mark = '"'
str n.title = "a?\\n*/é"
tensor<int, 2> n.pair = [1, 2]
fn f(tensor<real, n.rows> x) real:
    return sum(x) * n.dt
end
"""
        self.write("lib.tml", source)
        self.write("part.tml", source + "char p.sign = '-'\nout real t.y\n"
                                        "fn output_fnc():\n    t.y = n.dt\nend\n")
        self.write("program.tml", "int n.k = 4\nfn main_fnc():\n    print(n.k)\nend\n")
        expected = [0.01, "nan", -3, 3, -2147483648, 4294967295, True, '"', "a?\n*/é", [1, 2]]
        for name, values in [("lib", expected), ("part", [*expected, "-", None]), ("program", [7])]:
            text = self.tmlc(f"{name}.tml", "-w", "-Dn.k=7" if name == "program" else "-w",
                             "--emit=json", "-o", "-").stdout
            rows = json.loads(text)["interface"]
            self.assertEqual([row.get("value") for row in rows], values)
        self.tmlc("-w", "-c", "lib.tml")
        self.tmlc("-w", "-c", "part.tml", "--real=f32")
        self.assertNotIn("n_none", self.read("lib.h"))
        self.assertNotIn("n_pair", self.read("lib.h"))
        self.write("host.c", """#include "lib.h"
#include "part.h"
#include <stdio.h>
#include <string.h>
#if lib_n_rows != 3 || lib_n_least >= 0 || !part_n_on
#error "the preprocessor knows integers"
#endif
int main(void) {
    double x[lib_n_rows] = {1, 2, 3}, y;
    lib_fn_f(x, &y);
    printf("%g %g %g %d %d %u\\n", y, lib_n_dt, 1 - lib_n_whole, lib_n_least, lib_n_on, lib_n_mask);
    printf("%d %d %s%s\\n", part_n_dt == 0.01f, sizeof part_n_dt == sizeof(float), part_n_mark, part_p_sign);
    return strcmp(lib_n_title, "a?\\n*/\\303\\251");
}
""")
        self.run_command("cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "host.c", "lib.o", "part.o",
                         "-o", "host")
        self.assertEqual(self.run_command("./host").stdout,
                         "0.06 0.01 4 -2147483648 1 4294967295\n1 1 \"-\n")

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
                                "fn output_fnc():\n    t.y = one() * p.k * cond([1, 0; 0, 1])\nend\n")
        self.tmlc("-c", "a $ b.tml", "-D", "p.k=2", "-o", "m.o", "-MD")
        self.assertEqual(self.read("m.d"), "m.o m.h: \\\n  a\\ $$\\ b.tml \\\n  part.tml\n")
        self.tmlc("-c", "a $ b.tml", "-o", "m.o", "-MF", "rules")
        self.assertEqual(self.read("rules"), self.read("m.d"))
        result = self.tmlc("--emit=header", "-o", "-", "a $ b.tml", "-MD", status=2)
        self.assertIn("need an output that is a file", result.stderr)
        self.tmlc("-c", "a $ b.tml", "-o", "m.o", "-MF", "part.tml", status=2)
        self.write("tmlc.json", '{"options": ["-Dp.k=2"]}')
        self.tmlc("-c", "a $ b.tml", "-o", "m.o", "-MD")
        self.assertEqual(self.read("m.d"), f"{self.read('rules')[:-1]} \\\n  {self.folder}/tmlc.json\n")
        self.tmlc("-c", "a $ b.tml", "-o", "m.o", "-MF", "other", "--no-project")
        self.assertEqual(self.read("other"), self.read("rules"))
        if shutil.which("make"):
            self.write("Makefile", "include m.d\nm.o:\n\ttouch m.o\n")
            os.utime(self.folder / "m.o", (1, 1))
            self.assertIn("touch", self.run_command("make", "m.o").stdout)
            self.assertNotIn("touch", self.run_command("make", "m.o").stdout)
            os.utime(self.folder / "tmlc.json", (time.time() + 100,) * 2)
            self.assertIn("touch", self.run_command("make", "m.o").stdout)

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

    def test_hardware(self):
        """Variables of hardware are members of their own; the table and the header tell where they lie."""
        self.write("m.tml", "in<tensor<int, 2>, 0x40012400, dma> adc\nin real t.gain\n"
                            "out real t.y\nout<uint, 0x80000000u, ext> led\n"
                            "fn output_fnc():\n    t.y = t.gain * <-adc[1]\n"
                            "    led <- uint(t.y)\nend\n")
        self.tmlc("-c", "m.tml", "-o", "m.o")
        header = self.read("m.h")
        self.assertIn("int32_t io_adc[2]; /* adc: tensor<int, 2>, input at 0x40012400, dma */", header)
        self.assertIn("uint32_t io_led; /* led: uint, output at 0x80000000, ext */", header)
        self.tmlc("m.tml", "-o", "m.json")
        items = {item["name"]: item.get("io") for item in json.loads(self.read("m.json"))["interface"]}
        self.assertEqual(items, {
            "io_adc": {"address": 0x40012400, "range": None, "dma": True}, "gain": None, "y": None,
            "io_led": {"address": 0x80000000, "range": "ext", "dma": False}})
        host = """#include "m.h"
#include <stdio.h>
int main(void) {
    m_state s;
    const m_inputs u = {{3, 4}, 2.5};
    m_outputs y;
    if (m_init(&s, &m_defaults) || m_step(&s, &m_defaults, &u, &y)) { return 1; }
    printf("%g %u\\n", y.y, y.io_led);
    for (uint32_t i = 0; i < m_model.io_count; i++) {
        const tml_io *io = &m_model.ios[i];
        printf("%s %s %llx %s %u\\n", m_model.variables[io->variable].name, io->name,
               (unsigned long long)io->address, io->range == NULL ? "-" : io->range, io->dma);
    }
    return 0;
}
"""
        self.assertEqual(self.host(host, "m.o"),
                         "10 10\nio_adc adc 40012400 - 1\nio_led led 80000000 ext 0\n")

    def test_hardware_of_instances(self):
        """Members of the inputs and outputs of who holds them, with names that are still free."""
        self.write("part.tml", "int n.slot = 0\nin<tensor<int, 2>, 0x100 + n.slot> a\n"
                               "out<int, 0x200 + n.slot, dma> b\nout int t.y\n"
                               "fn output_fnc():\n    t.y = <-a[1]\n    b <- 2 * t.y\nend\n")
        self.write("m.tml", "in int t.one_io_a\nout int t.y\ninstance one = \"part.tml\"()\n"
                            "instance axis[2] = \"part.tml\"(n.slot = 8)\n"
                            "connect t.y = one.y + axis[1].y + t.one_io_a\n")
        self.tmlc("-c", "m.tml", "-o", "m.o")
        host = """#include "m.h"
#include <stdio.h>
int main(void) {
    m_state s;
    const m_inputs u = {.one_io_a = 1, .one_io_a_2 = {2, 3}, .axis_0_io_a = {4, 5}, .axis_1_io_a = {6, 7}};
    m_outputs y;
    if (m_init(&s, &m_defaults) || m_step(&s, &m_defaults, &u, &y)) { return 1; }
    printf("%d %d %d %d\\n", y.y, y.one_io_b, y.axis_0_io_b, y.axis_1_io_b);
    for (uint32_t i = 0; i < m_model.io_count; i++) {
        const tml_io *io = &m_model.ios[i];
        printf("%s %s %llx %u\\n", m_model.variables[io->variable].name, io->name,
               (unsigned long long)io->address, io->dma);
    }
    return 0;
}
"""
        rows = [("one", 0), ("axis[0]", 8), ("axis[1]", 8)]
        ios = "".join(f"{name}.io_a {name}.a {0x100 + slot:x} 0\n{name}.io_b {name}.b {0x200 + slot:x} 1\n"
                      for name, slot in rows)
        self.assertEqual(self.host(host, "m.o"), "11 6 10 14\n" + ios)
        self.tmlc("run", "m.tml", "--", "--steps=3", "--in=one_io_a=1", "--in=one.io_a=[2, 3]",
                  "--in=axis[0].io_a=5", "--in=axis[1].io_a=[6, 7]", "--until=axis[1].io_b > 13",
                  "--out=axis[1].io_b=b.csv", "--out=y=y.csv")
        self.assertEqual((self.read("b.csv"), self.read("y.csv")), ("axis[1].io_b\n14\n", "y\n11\n"))

    def test_hardware_in_place(self):
        """With --io=mmio: no members, and where the accesses go in header, table and description."""
        self.write("m.tml", "in<tensor<int, 2>, 0x40012400, dma> adc\n"
                            "out<uint, 0x80000000u, ext> led\n"
                            "in real t.gain\nout real t.y\n"
                            "fn output_fnc():\n    t.y = t.gain * <-adc[1]\n"
                            "    led <- uint(t.y)\nend\n")
        self.tmlc("-c", "m.tml", "--io=mmio", "-o", "m.o")
        header = self.read("m.h")
        self.assertIn("   hardware   in place: adc: tensor<int, 2>, input at 0x40012400, dma\n"
                      "              led: uint, output at 0x80000000, ext */\n", header)
        self.assertIn("int32_t adc[2]; /* tensor<int, 2> */\n", header)
        self.assertNotIn("io_", header.split("typedef struct m_params")[1])
        self.tmlc("m.tml", "--io=mmio", "-o", "m.json")
        about = json.loads(self.read("m.json"))
        self.assertEqual([item["name"] for item in about["interface"]], ["gain", "y"])
        self.assertEqual([(item["name"], item["role"], item["io"]) for item in about["hardware"]],
                         [("io_adc", "input", {"address": 0x40012400, "range": None, "dma": True}),
                          ("io_led", "output", {"address": 0x80000000, "range": "ext", "dma": False})])
        host = """#include "m.h"
#include <stdio.h>
int main(void) {
    for (uint32_t i = 0; i < m_model.io_count; i++) {
        const tml_io *io = &m_model.ios[i];
        printf("%s %llx %s %u %d\\n", io->name, (unsigned long long)io->address,
               io->range == NULL ? "-" : io->range, io->dma, io->variable == UINT32_MAX);
    }
    return 0;
}
"""
        self.assertEqual(self.host(host, "m.o"), "adc 40012400 - 1 1\nled 80000000 ext 0 1\n")

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

    def test_budget_of_a_program(self):
        """No host calls it, so only its rom is known."""
        self.write("program.tml", "print(1)\n")
        for figures, noted in (("ram=1", True), ("stack=1,rom=100k", True), ("rom=100k", False)):
            result = self.tmlc("run", "program.tml", "--budget", figures)
            self.assertEqual(result.stdout, "1\n")
            self.assertEqual("program.tml: note: `ram` and `stack` of `--budget`" in result.stderr, noted)

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
