#!/usr/bin/env python3
"""The lints themselves: each says what is wrong with a tree in which one thing is.

Usage: self_test.py. Makes a small tree in a temporary folder that all lints accept, then one tree
after the other that differs from it in some files, and runs the lint that is to notice: it must fail
with the message that stands beside the case, and with no other.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

LINTS = pathlib.Path(__file__).resolve().parent

LANGUAGE = """# The language

## L1 Source text

### L1.1 Characters

Text, as L1.1 says.

```tml
## L2 Not a heading
```

## L2 Printing

All of it.
"""
ARCHITECTURE = """# A tour

1. *hoist* moves
   1. *what* it may;
2. *fuse* joins.

## One expression, from text to machine code

1. `support/name.c`, `name_of`: a name.
2. `tir/build.c`, `tir_set`: a statement that
   goes on.

## What comes after

1. is not a stop.
"""
# All lints accept this tree.
TREE = {
    "docs/language.md": LANGUAGE,
    "docs/architecture.md": ARCHITECTURE,
    "docs/tir.md": "**pass_hoist** moves. **pass_fuse** joins.\n",
    "tests/golden/run/l1_1_characters.tml": "print(1)\n#! output\n# 1\n",
    "tests/golden/run/plain.tml": "# L2: one value.\nprint(1)\n#! output\n# 1\n",
    "support/name.h": "// L1.1.\nconst char *name_of(int number);\n",
    "support/name.c": '#include "support/name.h"\n\n'
                      "const char *name_of(int number) {\n    return number > 0 ? \"L\" : 0;\n}\n",
    "tir/build.c": '#include "support/name.h"\n#include <stdlib.h>\n\n'
                   "static void *tir_set(int count,\n                     int size) {\n"
                   "    return calloc(count, size);\n}\n",
    "tir/passes/passes.def": "// PASS(name)\nPASS(hoist, 0)\n// Joins.\nPROGRAM_PASS(fuse, 2)\n",
    "runtime/text/print.c": '#include "runtime/abi/abi.h"\n#include <stdio.h>\n',
    "runtime/abi/abi.h": "// Codes.\n",
}


def circle(length):
    """So many files of a folder, each of which includes the next one."""
    return {f"support/c{i:02}.c": f'#include "support/c{(i + 1) % length:02}.h"\n'
            for i in range(length)}


def with_text(path, old, new):
    """The file of the tree with another text in one place."""
    assert TREE[path].count(old) == 1, (path, old)
    return {path: TREE[path].replace(old, new)}


def with_stops(count):
    stop = "1. `support/name.c`, `name_of`: a name.\n"
    return with_text("docs/architecture.md", stop, stop * count)


GOLDEN = "tests/golden/run"
RULE = "is no rule of docs/language.md"
# The lint, the files that differ (None: the file is missing), the one line that it says.
CASES = [
    ("includes.py", {"tir/a.c": '#include "sema/check.h"\n'},
     "tir/a.c:1: sema/check.h: tir/ may not include sema/"),
    ("includes.py", {"runtime/abi/a.h": '\n#include "runtime/text/print.h"\n'},
     "runtime/abi/a.h:2: runtime/text/print.h: runtime/abi/ may not include runtime/text/"),
    ("includes.py", {"tir/a.c": '#include "build.h"\n'},
     "tir/a.c:1: build.h: is not included from the root"),
    ("includes.py", {"parser/a.h": '#include "grammar.h"\n'},
     "parser/a.h:1: grammar.h: is not included from the root"),
    ("includes.py", {"sema/a.c": "#include <llvm-c/Core.h>\n"},
     "sema/a.c:1: llvm-c/Core.h: belongs to codegen/"),
    ("includes.py", {"runtime/text/a.c": "#  include <sys/socket.h>\n"},
     "runtime/text/a.c:1: sys/socket.h: is not among the system headers of the runtime"),
    ("includes.py", circle(40),
     "support/: a circle of 40 files: "
     + ", ".join(f"support/c{i:02}" for i in range(40))),
    ("rules.py", {"sema/a.c": "int a; // one of L1.2\n"}, f"sema/a.c:1: L1.2 {RULE}"),
    ("rules.py", {"sema/a.c": "// L1.1 to L3\n"}, f"sema/a.c:1: L3 {RULE}"),
    ("rules.py", {"docs/a.md": "As L2.1, says.\n"}, f"docs/a.md:1: L2.1 {RULE}"),
    ("rules.py", {"tests/oracle/a.py": '"""L4."""\n'}, f"tests/oracle/a.py:1: L4 {RULE}"),
    ("rules.py", {f"{GOLDEN}/plain.tml": "print(1)\n"},
     "docs/language.md: no golden program is named l2_* or cites L2"),
    ("rules.py", {f"{GOLDEN}/plain.tml": "print(1)\n#! output\n# L2\n"},
     "docs/language.md: no golden program is named l2_* or cites L2"),
    ("rules.py", {f"{GOLDEN}/l1_1_characters.tml": None},
     "docs/language.md: no golden program is named l1_1_* or cites L1.1"),
    ("rules.py", {f"{GOLDEN}/l1_2_names.tml": "print(1)\n"},
     f"tests/golden: a program is named after L1.2, which {RULE}"),
    ("rules.py", {f"{GOLDEN}/l3_names.tml": "print(1)\n"},
     f"tests/golden: a program is named after L3, which {RULE}"),
    ("rules.py", {"docs/language.md": LANGUAGE + "\n### L1.2 Late\n",
                  f"{GOLDEN}/l1_2_late.tml": "print(1)\n"},
     "docs/language.md: L1.2 stands behind L2"),
    ("rules.py", {"docs/language.md": LANGUAGE + "\n### L3.1 Alone\n",
                  f"{GOLDEN}/l3_1_alone.tml": "print(1)\n"},
     "docs/language.md: L3.1 has no chapter L3"),
    ("tour.py", {"tir/build.c": None},
     "docs/architecture.md: stop 2: there is no file tir/build.c"),
    ("tour.py", {"support/name.c": "const char *name_of(int number);\n"},
     "docs/architecture.md: stop 1: support/name.c defines no function name_of"),
    ("tour.py", with_text("docs/architecture.md", "`name_of`", "`name_o`"),
     "docs/architecture.md: stop 1: support/name.c defines no function name_o"),
    ("tour.py", with_text("docs/architecture.md", ", `tir_set`", ""),
     "docs/architecture.md: stop 2: does not begin with `FILE`, `FUNCTION`:"),
    ("tour.py", with_stops(15), "docs/architecture.md: 16 stops, 15 are the most"),
    ("tour.py", with_text("docs/architecture.md", "## One expression", "## An expression"),
     "docs/architecture.md: no section `## One expression, from text to machine code`"),
    ("tour.py", with_text("docs/architecture.md", "2. *fuse* joins.\n", ""),
     "docs/architecture.md: the pass fuse is not listed"),
    ("tour.py", with_text("docs/tir.md", "**pass_fuse**", "fuse"),
     "docs/architecture.md: the pass fuse has no part in docs/tir.md"),
    ("tour.py", with_text("tir/passes/passes.def", "PASS(hoist, 0)\n", ""),
     "docs/architecture.md: tir/passes/passes.def has no pass hoist"),
    ("tour.py", with_text("tir/passes/passes.def", "PASS(fuse, 2)", "PASS(fuse, 2)\nPASS(hoist_rest, 2)"),
     "docs/architecture.md: the pass hoist_rest is not listed"),
    ("tour.py", with_text("docs/architecture.md", "joins.", "joins.\n3. *fuse* joins again."),
     "docs/architecture.md: the pass fuse is listed twice"),
    ("tour.py", {"tir/passes/passes.def": "PASS(fuse, 2)\nPASS(hoist, 0)\n"},
     "docs/architecture.md: the passes do not stand in the order of tir/passes/passes.def"),
]  # fmt: skip


def run(lint, changes):
    """What the lint says of the tree with these changes, and its exit status."""
    with tempfile.TemporaryDirectory() as name:
        for path, text in {**TREE, **changes}.items():
            if text is not None:
                file = pathlib.Path(name, path)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
        result = subprocess.run([sys.executable, os.fspath(LINTS / lint), name], timeout=60,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return [line for line in result.stdout.splitlines() if line], result.returncode


def main():
    wrong = 0
    for lint in sorted({case[0] for case in CASES}):
        lines, status = run(lint, {})
        if status != 0 or len(lines) != 1:
            print(f"{lint}: refuses the tree that is right: {lines}")
            wrong += 1
    for lint, changes, message in CASES:
        lines, status = run(lint, changes)
        # The last line is a summary.
        if status != 1 or lines[:-1] != [message]:
            print(f"{lint}: exit {status}, expected\n  {message}\nbut it said\n  {lines}")
            wrong += 1
    print(f"{len(CASES)} cases, {wrong} wrong")
    return 1 if wrong else 0


sys.exit(main())
