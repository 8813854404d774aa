#!/usr/bin/env python3
"""Which folder may include which, and which files of a folder may need each other: the arrows of
docs/architecture.md.

Usage: includes.py ROOT. Prints each include that goes against the table, and each circle of more
than LONGEST_CIRCLE files of a folder, a C file and its header being one.
"""

import pathlib
import re
import sys

# A longer path stands for itself, else for what its folder may include; a file for itself alone.
MAY_INCLUDE = {
    "support": {"support", "runtime/text/suggest.h", "runtime/abi/exit_status.h"},
    "lexer": {"support", "lexer"},
    "parser": {"support", "lexer", "parser"},
    "format": {"support", "lexer", "parser", "format"},
    "types": {"support", "types"},
    "tir": {"support", "types", "tir"},
    "sema": {"support", "lexer", "parser", "types", "tir", "sema"},
    "lsp": {"support", "lexer", "parser", "format", "types", "tir", "sema", "lsp",
            "runtime/abi/exit_status.h"},
    "codegen": {"support", "types", "tir", "runtime/abi", "codegen"},
    "codegen/plan": {"support", "types", "tir", "codegen/options.h", "codegen/plan"},
    "eval": {"support", "types", "tir", "runtime/abi", "runtime/text", "eval"},
    "runtime": {"runtime"},
    "runtime/abi": {"runtime/abi"},
    "runtime/batch": {"runtime/abi", "runtime/batch"},
    "runtime/fmi": {"runtime/abi/model.h", "runtime/abi/fault.h", "runtime/fmi"},
    "runtime/text": {"runtime/abi", "runtime/text", "runtime/file"},
    "driver": {"support", "lexer", "parser", "format", "types", "tir", "sema", "lsp", "codegen", "driver",
               "runtime/abi/exit_status.h", "runtime/run/options.def"},
    "driver/test": {"support", "types", "tir", "codegen", "eval", "driver", "runtime/abi/exit_status.h",
                    "runtime/run/replay.h", "runtime/run/report.h"},
    "driver/repl": {"support", "lexer", "parser", "types", "tir", "sema", "codegen", "eval", "driver"},
    "tests": {"support", "lexer", "parser", "format", "types", "tir", "sema", "lsp", "codegen", "eval", "runtime",
              "driver", "tests"},
    "bench": {"support", "types", "tir", "sema", "codegen", "runtime", "driver", "bench"},
}  # fmt: skip
# Files that need each other because expressions hold expressions; those of the checker hold calls,
# too, which check the statements of a function when it is first called.
RECURSIONS = {
    "sema": {
        f"sema/{name}" for name in ("builtin/builtin", "constant", "expr", "operator", "stmt")
    },
    "codegen": {
        f"codegen/emit/{name}"
        for name in (
            "chains", "element", "index", "masked_value", "matrix_vector", "op_dot", "op_map",
            "op_reduce", "wrap",
        )
    },
}  # fmt: skip
LONGEST_CIRCLE = 3
# What bison, tmlc and the build make is included by C files only, and without a folder.
GENERATED = re.compile(r"grammar\.h|functions\.h|\w+\.inc")
# System headers of one subject belong to one folder.
SYSTEM = {
    "llvm-c/": {"codegen"},
    "jansson.h": {"support", "lsp", "driver"},
    "histedit.h": {"driver"},
    "minizip/": {"driver"},
    "utf8proc.h": {"support", "lexer"},
    "criterion/": {"tests"},
}
# What the runtime, which is linked into every produced program, may use of the system.
RUNTIME_SYSTEM = set(
    "assert ctype dirent errno fcntl float inttypes limits locale math poll pthread sched signal stdarg "
    "stdatomic stdbool stddef stdint stdio stdlib string strings sys/mman sys/stat sys/types time "
    "unistd".split()
)
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]')


def may_include(path, name):
    """Whether the table lets the file `path` include `name`, both from the root."""
    parts = path.split("/")
    row = "/".join(parts[:2])
    allowed = MAY_INCLUDE[row if row in MAY_INCLUDE else parts[0]]
    target = name.split("/")
    return bool({target[0], "/".join(target[:2]), name} & allowed)


def problem(path, quoted, name):
    """What is wrong with `#include name` in the file `path`, or None."""
    folder = path.split("/")[0]
    if quoted and "/" not in name:
        if GENERATED.fullmatch(name) and path.endswith(".c"):
            return None
        # The helpers of a folder's unit tests stand beside them.
        return None if path.startswith("tests/unit/") else "is not included from the root"
    if quoted:
        if not may_include(path, name):
            return f"{path.rsplit('/', 1)[0]}/ may not include {name.rsplit('/', 1)[0]}/"
        return None
    for prefix, folders in SYSTEM.items():
        if name.startswith(prefix) and folder not in folders:
            return f"belongs to {', '.join(sorted(folders))}/"
    if folder == "runtime" and name.removesuffix(".h") not in RUNTIME_SYSTEM:
        return "is not among the system headers of the runtime"
    return None


def circles(needs):
    """The groups of files that all need each other; `needs` has what each needs directly (Tarjan)."""
    number, low, stack, found = {}, {}, [], []

    def visit(file):
        number[file] = low[file] = len(number)
        stack.append(file)
        for other in sorted(needs[file]):
            if other not in number:
                visit(other)
            if other in stack:
                low[file] = min(low[file], low[other])
        if low[file] == number[file]:
            at = stack.index(file)
            found.append(stack[at:])
            del stack[at:]

    for file in sorted(needs):
        if file not in number:
            visit(file)
    return found


def without_suffix(path):
    return path.rsplit(".", 1)[0]


def main():
    root = pathlib.Path(sys.argv[1])
    wrong = 0
    files = 0
    for folder in (row for row in MAY_INCLUDE if "/" not in row):
        needs = {}  # a C file and its header are one
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in {".c", ".h", ".y", ".l", ".def"}:
                continue
            files += 1
            path = file.relative_to(root).as_posix()
            mine = needs.setdefault(without_suffix(path), set())
            for number, line in enumerate(file.read_text().splitlines(), 1):
                match = INCLUDE.match(line)
                reason = match and problem(path, match[1] == '"', match[2])
                if reason:
                    print(f"{path}:{number}: {match[2]}: {reason}")
                    wrong += 1
                if match and match[2].startswith(folder + "/"):
                    mine.add(without_suffix(match[2]))
        for others in needs.values():
            others &= needs.keys()
        for circle in circles(needs):
            if len(circle) > LONGEST_CIRCLE and not set(circle) <= RECURSIONS.get(folder, set()):
                print(f"{folder}/: a circle of {len(circle)} files: {', '.join(sorted(circle))}")
                wrong += 1
    print(f"{files} files, {wrong} wrong")
    return 1 if wrong or not files else 0


sys.exit(main())
