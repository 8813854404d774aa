#!/usr/bin/env python3
"""Debug signals (L10.11) in objects: nothing of them is left, or they are in the state. Usage:
debug_signals.py TMLC MODELS [TEST...]."""

import ctypes
import re
import unittest

import numpy as np

from host_test import HostTest

SOURCE = """in real t.u
in tensor<real, 3> t.v
not feedthrough in real t.w
out real t.y
out int t.k
tunable real p.g = 2.0
real x = 0.0
int count = 0
fn square(tensor<real, n> a) tensor<real, n>:
    return a * a
end
fn twice(real a) real:
    debug("given", a)
    return 2.0 * a
end
fn output_fnc():
    t.y = twice(t.u) + x
    t.k = count
    if t.u > 1.0:
        debug("big", t.u / 3.0, "u where it is large, */ a third")
    end
    debug("squares", square(t.v))
    debug("solved", solve([2.0, 1.0; 1.0, 3.0], [t.u; t.y]))
    debug("third", t.v[count])
end
fn update_fnc():
    x += p.g * t.w / (1.0 + t.y * t.y)
    debug("after", [x, t.y])
    count = (count + 1) % 3
end
"""
PLAIN = re.sub(r"debug\(.*", "", SOURCE)
LEVELS = ["-O0", "-O1", "-O2", "-O3", "-Os", "-Oz"]


class DebugSignals(HostTest):
    def made(self, source, *options, kind="s"):
        """Assembly, header or description, without the hashes of the source."""
        self.write("m.tml", source)
        self.tmlc("-w", "m.tml", *options, "-o", f"m.{kind}")
        text = self.read(f"m.{kind}")
        hashes = {int(name, 16) for name in re.findall(r"_([0-9a-f]{16})\b", text)}
        for number in {*hashes, *(number - 2**64 for number in hashes)}:
            text = re.sub(rf"(?<![\w-]){number}\b", "HASH", text)
        return re.sub(r"_[0-9a-f]{16}\b", "", text)

    def test_nothing_is_left(self):
        for level in LEVELS:
            with self.subTest(level=level):
                for kind in ("s", "json"):
                    self.assertEqual(self.made(SOURCE, level, kind=kind), self.made(PLAIN, level, kind=kind))
        self.assertEqual(self.made(SOURCE, kind="h"), self.made(PLAIN, kind="h"))
        sizes = set()
        for source in (SOURCE, PLAIN):
            self.write("m.tml", source)
            self.tmlc("-w", "-c", "m.tml")
            sizes.add((self.folder / "m.o").stat().st_size)
        self.assertEqual(len(sizes), 1)

    def test_an_executable_beside_an_object(self):
        self.write("m.tml", SOURCE)
        self.tmlc("m.tml", "--emit=exe,header")
        self.assertNotIn("squares", self.run_command("./m", "--help").stdout)
        self.assertNotIn("squares", self.read("m.h"))
        self.tmlc("m.tml", "-o", "m")
        self.assertIn("squares", self.run_command("./m", "--help").stdout)

    def test_in_the_state(self):
        """A host in C finds them by the header, another by the table."""
        self.made(SOURCE, "--debug-signals", kind="h")
        self.assertIn("double squares[3]; /* tensor<real, 3>, debug signal */", self.read("m.h"))
        self.write("host.c", """#include "m.h"
#include <stdio.h>
int main(void) {
    m_state s;
    m_inputs u = {3.0, {1.0, 2.0, 4.0}, 1.0};
    m_outputs y;
    const tml_variable *v = m_model.variables;
    m_init(&s, &m_defaults);
    m_step(&s, &m_defaults, &u, &y);
    printf("%g %g %g %g %g %g\\n", s.given, s.big, s.squares[2], s.after[1], s.third, y.y);
    for (uint32_t i = 0; i < m_model.variable_count; i++) {
        if (v[i].role == TML_DEBUG) {
            printf("%s %d %s\\n", v[i].name, (int)v[i].offset - (int)offsetof(m_state, given),
                   v[i].value == NULL ? "-" : (const char *)v[i].value);
        }
    }
    return 0;
}
""")
        self.tmlc("-w", "-c", "m.tml", "--debug-signals", "-o", "m.o")
        self.assertEqual(
            self.host(self.read("host.c"), "m.o"),
            "3 1 16 6 1 6\ngiven 0 -\nbig 8 u where it is large, */ a third\nsquares 16 -\nsolved 40 -\n"
            "third 56 -\nafter 64 -\n",
        )

    def test_names_that_systems_make(self):
        """Of delays and of counters of cycles: a signal has its name, and these another one."""
        self.write("part.tml", "in real t.u\nnot feedthrough out real t.y\nfn init_fnc():\n    t.y = 0.0\nend\nfn update_fnc():\n    t.y = t.u\nend\n")
        self.write("m.tml", """in real t.u
out real t.y
out real t.z
real delay_2 = 0.0
instance a = "part.tml"() every 2
connect a.u = t.u
connect t.y = delay(t.u, 0.5) + a.y
connect t.z = delay(t.u, 0.25)
fn update_fnc():
    debug("delay_1", 3.0 + t.u)
    debug("cycle_of_2", true)
    delay_2 = 7.0
    debug("delay_2_", delay_2)
end
""")
        self.tmlc("-w", "m.tml", "-o", "m")
        self.write("u.csv", "u\n1\n2\n3\n")
        self.run_command("./m", "--in=u.csv", "--trace=t.npy", "--out=y.csv")
        trace = np.load(self.folder / "t.npy")
        made = {"delay_1_": [0.5, 1, 2], "delay_2__": [0.25, 1, 2], "cycle_of_2_": [0, 1, 0]}
        told = {"delay_1": [4, 5, 6], "delay_2_": [7, 7, 7], "cycle_of_2": [True, True, True]}
        for name, values in {**made, **told}.items():
            self.assertEqual(trace[name].tolist(), values)
        names = self.tmlc("m.tml", "-w", "--emit=tir").stdout
        self.assertEqual(set(re.findall(r"@((?:delay|cycle)\w+) ", names)),
                         {"delay_1", "delay_2", "delay_2_", "cycle_of_2"})

    def test_the_same_bits(self):
        random = np.random.default_rng(1)
        np.save(self.folder / "u.npy", random.normal(size=4000) * 3)
        np.save(self.folder / "v.npy", random.normal(size=(4000, 3)))
        np.save(self.folder / "w.npy", random.normal(size=4000))
        found = set()
        for source in (SOURCE, PLAIN):
            self.write("m.tml", source)
            for level in LEVELS:
                self.tmlc("-w", level, "m.tml", "-o", "m")
                inputs = [f"--in={name}={name}.npy" for name in "uvw"]
                trace = ["--trace=t.npy"] if source == SOURCE else []
                self.run_command("./m", *inputs, "--out=y=y.npy", "--out=k=k.npy", *trace)
                found.add((self.folder / "y.npy").read_bytes() + (self.folder / "k.npy").read_bytes())
        self.assertEqual(len(found), 1)
        trace = np.load(self.folder / "t.npy")
        np.testing.assert_array_equal(trace["squares"], trace["v"] * trace["v"])
        np.testing.assert_array_equal(trace["after"][:, 1], trace["y"])
        np.testing.assert_array_equal(trace["after"][:-1, 0], trace["x"][1:])
        large = trace["u"] > 1.0
        last = np.maximum.accumulate(np.where(large, np.arange(4000), -1))
        np.testing.assert_array_equal(trace["big"], np.where(last < 0, 0, trace["u"][last] / 3))

    def test_instances(self):
        """They have signals of their own, and leave as little."""
        system = """in real t.r
out real t.y
instance one = "part.tml"()
instance two[2] = "part.tml"(p.k = [3.0, 5.0])
connect one.u = t.r
connect two.u = one.y
fn output_fnc():
    debug("sum", two[0].y + two[1].y)
    t.y = two[1].y
end
"""
        part = """in real t.u
out real t.y
real p.k = 2.0
real last = 0.0
fn output_fnc():
    t.y = p.k * t.u
    debug("rate", t.u - last)
    debug("root", solve([2.0, 0.0; 0.0, 4.0], [t.u; t.y]))
end
fn update_fnc():
    last = t.u
end
"""
        self.write("part.tml", part)
        with_signals = self.made(system)
        self.tmlc("-w", "m.tml", "-o", "m")
        self.write("part.tml", re.sub(r"debug\(.*", "", part))
        self.assertEqual(with_signals, self.made(re.sub(r"debug\(.*", "", system)))
        self.run_command("./m", "--in=r=ramp(1)", "--dt=1", "--steps=3", "--out=y.csv",
                         "--watch=sum,*rate,two[1].root,two[?].last", "--trace=t.npy")
        found = np.load(self.folder / "t.npy")
        self.assertEqual(found["sum"].tolist(), [0, 16, 32])
        self.assertEqual(found["one.rate"].tolist(), [0, 1, 1])
        self.assertEqual(found["two[0].rate"].tolist(), [0, 2, 2])
        self.assertEqual(found["two[1].root"].tolist(), [[[0], [0]], [[1], [2.5]], [[2], [5]]])
        self.assertEqual(found["two[0].last"].tolist(), [0, 0, 2])

    def test_code_that_is_left_out(self):
        """Signals of code that constants or guards leave out take no room."""
        header = self.made("""out real t.y
optional in real t.o
int p.mode = 1
fn output_fnc():
    if p.mode == 2:
        debug("other_mode", 1)
    end
    exists t.o:
        debug("connected", t.o)
    else:
        debug("alone", 1)
    end
    t.y = 1.0
end
""", "--debug-signals", kind="h")
        self.assertEqual(re.findall(r"(\w+); /\* \w+, debug signal", header), ["alone"])


if __name__ == "__main__":
    unittest.main()
