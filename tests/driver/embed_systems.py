#!/usr/bin/env python3
"""The state of a system as hosts see it: every byte is a member's or there for alignment, no two members
overlap, and the report counts all of them. Usage: embed_systems.py TMLC MODELS [TEST...].
"""

import json
import unittest

from host_test import HostTest

BYTES = {"real": 8, "int": 4, "uint": 4, "bool": 1}
LEAF = """in bool t.on
in {type} t.u
in<int, 16> port
out<tensor<uint, 3>, 20> lamps
not feedthrough out bool t.late
out {type} t.y
tunable real p.k = 2.0
bool seen = false
{type} kept = 0
tensor<bool, 3> flags = false
fn init_fnc():
    t.late = false
end
fn output_fnc():
    t.y = t.u
    flags[<-port % 3] = t.on
    lamps <- 7u
end
fn update_fnc():
    t.late = t.on
    seen = t.on
    kept = t.u
end
"""
GROUP = """in bool t.on
out real t.y
bool any = false
instance slow = "whole.tml"() every 3
instance fast[2] = "wide.tml"(p.k = [1.0, 2.0])
connect slow.on = t.on
connect slow.u = 1
connect fast.on = t.on
connect fast.u = delay(fast[0].y, 0.5)
connect t.y = fast[1].y
fn update_fnc():
    any = t.on
end
"""
MAIN = """in bool t.on
out real t.y
int cycles = 0
instance odd = "whole.tml"()
instance groups[3] = "group.tml"()
instance hand = "wide.tml"()
connect odd.on = t.on
connect odd.u = 3
connect groups.on = t.on
fn output_fnc():
    hand.on = t.on
    hand.u = 2.0
    hand.output()
    t.y = hand.y
end
fn update_fnc():
    hand.update()
    cycles += 1
end
"""


def leaves(members, offset=0, prefix=""):
    """Name in C, first byte, bytes and alignment of all that lies in a struct."""
    for member in members:
        at = offset + member["offset"]
        name = prefix + member["member"]
        if "members" not in member:
            if "type" in member:
                size = BYTES[member["root"]]
                count = 1
                for length in sum(member["dims"], []):
                    count *= length
                yield name, at, size * count, size
            continue
        stride = None
        for k in range(member["count"]):
            index = f"[{k}]" if member["count"] > 1 else ""
            inner = list(leaves(member["members"], 0, name + index + "."))
            if stride is None:
                align = max(leaf[3] for leaf in inner)
                stride = -(-max(leaf[1] + leaf[2] for leaf in inner) // align) * align
                if member["count"] > 1 and member["stride"] != stride:
                    raise AssertionError(f"{name}: a stride of {member['stride']}, not {stride}")
            for text, first, size, alignment in inner:
                yield text, at + k * stride + first, size, alignment


class EmbedSystems(HostTest):
    def setUp(self):
        super().setUp()
        self.write("whole.tml", LEAF.format(type="int"))
        self.write("wide.tml", LEAF.format(type="real"))
        self.write("group.tml", GROUP)
        self.write("main.tml", MAIN)

    def test_every_byte(self):
        self.tmlc("main.tml", "--emit=obj,json")
        about = json.loads(self.read("main.json"))
        state = about["structs"]["state"]
        found = sorted(leaves(state["members"]), key=lambda leaf: leaf[1])
        self.assertGreater(len(found), 80)
        end = 0
        for name, first, size, alignment in found:
            self.assertGreaterEqual(first, end, name)
            self.assertLess(first - end, 8, name)
            self.assertEqual(first % alignment, 0, name)
            end = first + size
        fault = next(m["offset"] for m in state["members"] if m["member"] == "fault")
        self.assertLess(fault - end, 8)
        report = about["report"]
        self.assertEqual(report["state"], state["bytes"])
        of_instances = sum(row["state"] * row["count"] for row in report["instances"])
        self.assertEqual([row["count"] for row in report["instances"]], [1, 3, 1])
        self.assertEqual(fault, 4 + of_instances)  # and `cycles`
        lines = "".join(f'    printf("%zu\\n", offsetof(main_state, {name}));\n' for name, *_ in found)
        host = f'#include "main.h"\n#include <stdio.h>\nint main(void) {{\n{lines}' \
               '    printf("%zu\\n", sizeof(main_state));\n    return 0;\n}\n'
        expected = [first for _, first, *_ in found] + [state["bytes"]]
        self.assertEqual(self.host(host, "main.o"), "".join(f"{number}\n" for number in expected))

    def test_budget(self):
        report = json.loads(self.tmlc("check", "main.tml", "--report=json").stdout)
        ram = sum(report[key] for key in ["state", "params", "inputs", "outputs"])
        self.tmlc("check", "main.tml", "--budget", f"ram={ram}")
        result = self.tmlc("check", "main.tml", "--budget", f"ram={ram - 1}", status=1)
        self.assertIn(f"error[E0910]: `main.tml` needs {ram} bytes of ram", result.stderr)

    def test_instances_share_nothing(self):
        """Filling the state of one element with other bytes changes what it gives, and nothing else."""
        self.tmlc("-c", "main.tml", "-o", "main.o")
        host = """#include "main.h"
#include <stdio.h>
#include <string.h>
static main_state a, b;
static void print(const char *what, const void *x, const void *y, size_t bytes) {
    printf("%s %d\\n", what, memcmp(x, y, bytes) != 0);
}
int main(void) {
    main_inputs u = {.on = 1};
    main_outputs y;
    if (main_init(&a, &main_defaults)) { return 1; }
    memcpy(&b, &a, sizeof(a));
    b.groups[1].state.fast[0].outputs.y = 9.0;
    for (int k = 0; k < 5; k++) {
        if (main_step(&a, &main_defaults, &u, &y) || main_step(&b, &main_defaults, &u, &y)) { return 1; }
        if (k == 1) { b.groups[1].state.fast[0].state.kept = 5.0; }
        if (k == 4) { b.groups[1].state.fast[1].state.kept = 6.0; }
    }
    print("odd", &a.odd, &b.odd, sizeof(a.odd));
    print("groups[0]", &a.groups[0], &b.groups[0], sizeof(a.groups[0]));
    print("fast[1]", &a.groups[1].state.fast[1], &b.groups[1].state.fast[1], sizeof(a.groups[1].state.fast[1]));
    print("groups[2]", &a.groups[2], &b.groups[2], sizeof(a.groups[2]));
    print("hand", &a.hand, &b.hand, sizeof(a.hand));
    return 0;
}
"""
        self.assertEqual(self.host(host, "main.o"), "odd 0\ngroups[0] 0\nfast[1] 1\ngroups[2] 0\nhand 0\n")


if __name__ == "__main__":
    unittest.main()
