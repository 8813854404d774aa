"""Every example has all of its parts: parts.py EXAMPLES

A folder has a README.md, programs and expected values. One with a component NAME/NAME.tml has
input.csv, expected.csv, the expected.py that writes both, and a host.c; its README.md says how the
expected values were made and how far results may differ. Other components in it are what NAME.tml
has instances of, directly or through others; NAME.interface.tml declares what NAME.tml does not. The
tables of README.md list all folders.
"""

import pathlib
import re
import sys

COMPONENT = re.compile(r"^(?:fn (?:init|output|update)_fnc\(|instance )", re.MULTILINE)
INSTANCE = re.compile(r"^instance \w+(?:\[.*?\])? = \"(.*?)\"", re.MULTILINE)
PARTS = ["input.csv", "expected.csv", "expected.py", "host.c", "README.md"]
SAYINGS = {
    "a title": r"\A# \S",
    "its tolerance (`Tolerance: 1e-9 relative`)": r"^Tolerance: \d\S* relative\b",
    "the command that makes the expected values": r"^python3 expected\.py$",
    "how to simulate it": r"^\./NAME --in input\.csv --out ",
    "how to plot it": r"^\./NAME --in input\.csv .*--plot NAME\.svg$",
    "how to compile the host": r"^cc .*host\.c NAME\.o\b",
}


def parts_of(program):
    """A component and those that it has instances of, all the way down."""
    found, todo = set(), [program]
    while todo:
        path = todo.pop()
        if path not in found and path.is_file():
            found.add(path)
            todo += [(path.parent / name).resolve() for name in INSTANCE.findall(path.read_text())]
    return found


def problems_of(folder):
    interface = folder / f"{folder.name}.interface.tml"
    programs = [path for path in folder.glob("*.tml") if path != interface]
    if not programs or not (folder / "README.md").is_file():
        yield "no program or no README.md"
        return
    if not any(COMPONENT.search(program.read_text()) for program in programs):
        if not list(folder.glob("*expected.txt")):
            yield "no expected values"
        return
    used = parts_of(folder / f"{folder.name}.tml")
    if not used:
        yield f"the component should be {folder.name}.tml"
    for program in sorted(set(programs) - used):
        yield f"{folder.name}.tml has no instance of {program.name}"
    for part in PARTS:
        if not (folder / part).is_file():
            yield f"no {part}"
    text = (folder / "README.md").read_text()
    for what, pattern in SAYINGS.items():
        if not re.search(pattern.replace("NAME", folder.name), text, re.MULTILINE):
            yield f"README.md does not say {what}"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    listed = re.findall(r"^\| \[(\w+)\]\(\1\) \|", (root / "README.md").read_text(), re.MULTILINE)
    folders = sorted(path for path in root.iterdir() if path.is_dir())
    problems = [f"{path.name}: {problem}" for path in folders for problem in problems_of(path)]
    for name in sorted(set(listed) ^ {folder.name for folder in folders}):
        problems.append(f"{name}: in the table of README.md or a folder, not both")
    print("\n".join(problems))
    print(f"{len(folders)} examples, {len(problems)} problems")
    sys.exit(1 if problems or not folders else 0)


if __name__ == "__main__":
    main()
