#!/usr/bin/env python3
"""What the runtime's archives add to the names of a program: all begin with `tml_`, but for `main`.

Usage: symbols.py NM ARCHIVE... Prints each global symbol that does not.
"""

import subprocess
import sys

# Names that begin with two underscores are the compiler's: instrumented builds have some.
PREFIXES = ("tml_", "__")


def main():
    nm, *archives = sys.argv[1:]
    count = 0
    wrong = []
    for archive in archives:
        command = [nm, "-g", "--defined-only", "--format=posix", archive]
        listing = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        for line in listing.splitlines():
            fields = line.split()
            if len(fields) < 2:  # blank, or the name of a member
                continue
            count += 1
            is_main = fields[0] == "main" and archive.endswith("libtmlmain.a")
            if not fields[0].startswith(PREFIXES) and not is_main:
                wrong.append(f"{archive}: {fields[0]}")
    print(*wrong, sep="\n")
    print(f"{count} symbols, {len(wrong)} wrong")
    return 1 if wrong or count <= len(archives) else 0


sys.exit(main())
