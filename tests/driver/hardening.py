#!/usr/bin/env python3
"""What the loader does with produced executables and libraries. Usage: hardening.py TMLC.

Their program headers and dynamic sections are read here, byte by byte.
"""

import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

TMLC = os.path.abspath(sys.argv.pop(1))

ET_DYN = 3
PT_LOAD, PT_DYNAMIC, PT_GNU_STACK, PT_GNU_RELRO = 1, 2, 0x6474E551, 0x6474E552
PF_X, PF_W = 1, 2
DT_NEEDED, DT_STRTAB, DT_STRSZ, DT_RPATH, DT_TEXTREL, DT_FLAGS, DT_RUNPATH = 1, 5, 10, 15, 22, 30, 29
DT_FLAGS_1 = 0x6FFFFFFB
DF_TEXTREL, DF_BIND_NOW = 4, 8
DF_1_NOW, DF_1_PIE = 1, 0x08000000


class Elf:
    """A 64-bit little-endian ELF file."""

    def __init__(self, path):
        data = path.read_bytes()
        assert data[:6] == b"\x7fELF\x02\x01"
        self.type, = struct.unpack_from("<H", data, 16)
        at, = struct.unpack_from("<Q", data, 32)
        size, count = struct.unpack_from("<HH", data, 54)
        # type, flags, offset, address, physical address, bytes in the file, in memory, alignment
        self.segments = [struct.unpack_from("<IIQQQQQQ", data, at + k * size) for k in range(count)]
        self.dynamic = {}
        for _, _, offset, _, _, length, _, _ in self.of_type(PT_DYNAMIC):
            for tag, value in struct.iter_unpack("<QQ", data[offset : offset + length]):
                self.dynamic.setdefault(tag, []).append(value)
        strings = self.dynamic[DT_STRTAB][0]
        offset = next(s[2] + strings - s[3] for s in self.of_type(PT_LOAD) if s[3] <= strings < s[3] + s[5])
        table = data[offset : offset + self.dynamic[DT_STRSZ][0]]
        self.needed = [table[at : table.index(b"\0", at)].decode() for at in self.dynamic.get(DT_NEEDED, [])]
        self.names = set(table.split(b"\0"))

    def of_type(self, kind):
        return [segment for segment in self.segments if segment[0] == kind]

    def flags(self, tag):
        return self.dynamic.get(tag, [0])[0]


class Hardening(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def make(self, text, name):
        (self.folder / "m.tml").write_text(text)
        subprocess.run([TMLC, "m.tml", "-o", name], cwd=self.folder, check=True)
        return Elf(self.folder / name)

    def check(self, elf):
        self.assertEqual(elf.type, ET_DYN)
        self.assertEqual(len(elf.of_type(PT_GNU_RELRO)), 1)
        self.assertTrue(elf.flags(DT_FLAGS) & DF_BIND_NOW or elf.flags(DT_FLAGS_1) & DF_1_NOW)
        [stack] = elf.of_type(PT_GNU_STACK)
        self.assertFalse(stack[1] & PF_X)
        for segment in elf.of_type(PT_LOAD):
            self.assertNotEqual(segment[1] & (PF_W | PF_X), PF_W | PF_X)
        self.assertFalse(elf.flags(DT_FLAGS) & DF_TEXTREL)
        for tag in (DT_TEXTREL, DT_RPATH, DT_RUNPATH):
            self.assertNotIn(tag, elf.dynamic)
        self.assertLessEqual(set(elf.needed), {"libm.so.6", "libc.so.6"})

    COMPONENT = "in real t.u\nout real t.y\nfn output_fnc():\n    t.y = sin(t.u)\nend\n"

    def test_executables(self):
        for text in ["print(6 * 7)\n", self.COMPONENT]:
            elf = self.make(text, "made")
            self.check(elf)
            self.assertTrue(elf.flags(DT_FLAGS_1) & DF_1_PIE)
            self.assertIn(b"__stack_chk_fail", elf.names)
            self.assertTrue(any(name.endswith(b"_chk") for name in elf.names), "no fortified function")

    def test_libraries(self):
        elf = self.make(self.COMPONENT, "made.so")
        self.check(elf)
        self.assertNotIn(b"__stack_chk_fail", elf.names)


if __name__ == "__main__":
    unittest.main()
