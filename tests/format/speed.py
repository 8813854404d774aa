"""`tmlc fmt` of 10,000 lines takes less than 50 ms, and less than twice that when many of them change: speed.py TMLC ROOT

The lines are the functions of examples under other names, with a comment behind each fourth line. The time is the
processor's in the best of some runs, without that of an empty file: what starting the program takes is not its.
"""

import pathlib
import re
import resource
import subprocess
import sys

LINES, LIMIT, RUNS = 10_000, 0.050, 15  # seconds


def source(root):
    function = re.compile(r"^fn \w+", re.M)
    names = ("regression/regress.tml", "heat2d/heat2d.tml", "lookup/lookup.tml")
    texts = [(root / "examples" / name).read_text() for name in names]
    bodies = [match for text in texts for match in re.findall(r"^fn .*?^end$", text, re.M | re.S)]
    lines = []
    while len(lines) < LINES:
        for body in bodies:
            renamed = function.sub(f"fn f{len(lines)}", body)
            lines += ["", *(line + "  # a comment" * (number % 4 == 1)
                            for number, line in enumerate(renamed.splitlines()))]
    return "\n".join(lines) + "\n"


def used():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def seconds(tmlc, text):
    best = float("inf")
    for _ in range(RUNS):
        start = used()
        subprocess.run([tmlc, "fmt"], input=text.encode(), stdout=subprocess.DEVNULL, check=True)
        best = min(best, used() - start)
    return best


def main():
    tmlc, root = sys.argv[1], pathlib.Path(sys.argv[2])
    text = source(root)
    in_layout = subprocess.run([tmlc, "fmt"], input=text, capture_output=True, text=True, check=True).stdout
    start = seconds(tmlc, "")
    spent, changing = seconds(tmlc, in_layout) - start, seconds(tmlc, text) - start
    print(f"{text.count(chr(10))} lines: {spent * 1000:.1f} ms, {changing * 1000:.1f} ms when many change")
    sys.exit(spent > LIMIT or changing > 2 * LIMIT)


if __name__ == "__main__":
    main()
