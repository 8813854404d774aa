#!/usr/bin/env python3
"""The table of models is for Python what it is for C. Usage: abi.py TMLC CC."""

import ctypes
import subprocess
import sys
import unittest

CC = sys.argv.pop(2)

from package_test import ROOT, PackageTest  # noqa: E402
from tmlc import _abi  # noqa: E402

STRUCTS = {
    "tml_fault": _abi.Fault, "tml_type": _abi.Type, "tml_variable": _abi.Variable, "tml_io": _abi.Io,
    "tml_line": _abi.Line, "tml_model": _abi.Model, "tml_sample": _abi.Sample, "tml_batch": _abi.Batch,
    "tml_batch_output": _abi.BatchOutput, "tml_linear": _abi.Linear,
}
CONSTANTS = {
    "TML_MODEL_VERSION": _abi.VERSION, "TML_OK": _abi.OK, "TML_E_ARG": _abi.BAD_ARGUMENT, "TML_E_INDEX": _abi.INDEX,
    "TML_E_DIVISION": _abi.DIVISION, "TML_E_STEP": _abi.STEP, "TML_E_ASSERT": _abi.ASSERT,
    "TML_COMPONENT": _abi.COMPONENT, "TML_E_STOPPED": _abi.STOPPED,
    **{f"TML_KEEP_{name.upper()}": value for value, name in enumerate(_abi.KEEPS)},
    **{f"TML_{name.upper()}": value for value, name in enumerate(_abi.DISTRIBUTIONS)},
    **{f"TML_{name.upper()}": value for value, name in enumerate(_abi.ROLES)},
    **{f"TML_{name.upper()}": value for value, name in enumerate(_abi.ROOTS)},
}


class Abi(PackageTest):
    def test_layout(self):
        """Names, order, offsets and sizes of all members of all structs, and constants."""
        expected, lines = [], []
        for name, struct in STRUCTS.items():
            expected.append(f"{name} {ctypes.sizeof(struct)}")
            lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
            for member, kind in struct._fields_:
                expected.append(f"{member} {getattr(struct, member).offset} {ctypes.sizeof(kind)}")
                lines.append(
                    f'printf("{member} %zu %zu\\n", offsetof({name}, {member}), sizeof((({name} *)0)->{member}));'
                )
        for name, value in CONSTANTS.items():
            expected.append(f"{name} {value}")
            lines.append(f'printf("{name} %d\\n", (int){name});')
        folder = self.folder()
        (folder / "layout.c").write_text(
            '#include "runtime/batch/batch.h"\n#include <stdio.h>\nint main(void) {\n' + "\n".join(lines) + "\n}\n"
        )
        subprocess.run([CC, "-I", ROOT, "layout.c", "-o", "layout"], cwd=folder, check=True)
        found = subprocess.run([folder / "layout"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(found.splitlines(), expected)


if __name__ == "__main__":
    unittest.main()
