#!/usr/bin/env python3
"""Which folder may include which: the arrows of docs/architecture.md.

Usage: includes.py ROOT. Prints each include that goes against the table.
"""

import pathlib
import re
import sys

MAY_INCLUDE = {
    "support": {"support"},
    "lexer": {"support", "lexer"},
    "parser": {"support", "lexer", "parser"},
    "sema": {"support", "parser", "sema"},
    "codegen": {"support", "sema", "codegen"},
    "runtime": {"runtime"},
    "driver": {"support", "lexer", "parser", "sema", "codegen", "driver"},
    "tests": {"support", "lexer", "parser", "sema", "codegen", "runtime", "driver", "tests"},
    "bench": {"support", "sema", "codegen", "runtime", "driver", "bench"},
}
# Single headers that a folder may include beside that.
ALSO = {
    "codegen": {"runtime/abi.h", "runtime/abi.def", "runtime/model.h"},
}
# TIR, its passes and the types do not know the syntax tree.
WITHOUT_TREE = re.compile(r"sema/(tir|opt_|passes|shape|type|scalar)")
# What bison and the build make is included by C files only, and without a folder.
GENERATED = re.compile(r"grammar\.h|\w+\.inc")
# System headers of one subject belong to one folder.
SYSTEM = {
    "llvm-c/": {"codegen"},
    "jansson.h": {"support", "driver"},
    "utf8proc.h": {"support", "lexer"},
    "criterion/": {"tests"},
}
# What the runtime, which is linked into every produced program, may use of the system.
RUNTIME_SYSTEM = set(
    "assert ctype errno fcntl float inttypes limits locale math poll signal stdarg stdbool stddef "
    "stdint stdio stdlib string strings sys/mman sys/stat sys/types time unistd".split()
)
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]')


def problem(path, quoted, name):
    """What is wrong with `#include name` in the file `path`, or None."""
    folder = path.split("/")[0]
    if quoted and "/" not in name:
        if GENERATED.fullmatch(name) and path.endswith(".c"):
            return None
        # The helpers of a folder's unit tests stand beside them.
        return None if path.startswith("tests/unit/") else "is not included from the root"
    if quoted:
        target = name.split("/")[0]
        if target not in MAY_INCLUDE[folder] and name not in ALSO.get(folder, set()):
            return f"{folder}/ may not include {target}/"
        if WITHOUT_TREE.match(path) and target == "parser":
            return "TIR and types do not know the syntax tree"
        return None
    for prefix, folders in SYSTEM.items():
        if name.startswith(prefix) and folder not in folders:
            return f"belongs to {', '.join(sorted(folders))}/"
    if folder == "runtime" and name.removesuffix(".h") not in RUNTIME_SYSTEM:
        return "is not among the system headers of the runtime"
    return None


def main():
    root = pathlib.Path(sys.argv[1])
    wrong = 0
    files = 0
    for folder in MAY_INCLUDE:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in {".c", ".h", ".y", ".l", ".def"}:
                continue
            files += 1
            path = file.relative_to(root).as_posix()
            for number, line in enumerate(file.read_text().splitlines(), 1):
                match = INCLUDE.match(line)
                reason = match and problem(path, match[1] == '"', match[2])
                if reason:
                    print(f"{path}:{number}: {match[2]}: {reason}")
                    wrong += 1
    print(f"{files} files, {wrong} wrong includes")
    return 1 if wrong or not files else 0


sys.exit(main())
