"""Tries the tables of a document: check_tables.py TMLC DOCUMENT [BUILTIN_DEF LIBRARY]

The blocks ```tml values and ```python values give names values, once in TML and once for NumPy. The
columns of a table say what is tried:

    NumPy, TML          two expressions of equal value: shapes too, unless one is a count
    NumPy, gives        what NumPy makes of the expression before it
    TML, gives          what `print` of the expression before it prints; `error` when it does not compile

Tables without a column TML are left alone. With BUILTIN_DEF and the folder LIBRARY, the tables whose
first column is `function` have every function of both, each once.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

VALUES = re.compile(r"^```(tml|python) values\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TABLE = re.compile(r"^\|(.*)\|\n\|[-| ]+\|\n((?:\|.*\|\n)+)", re.MULTILINE)
MARK = "=== row"


def cells(line):
    """Of a line of a table, the backticks taken off."""
    parts = re.split(r"(?<!\\)\|", line.strip().strip("|"))
    return [part.replace("\\|", "|").strip().strip("`").strip() for part in parts]


def read_value(text):
    """What `print` shows of a value without inner levels, as an array."""
    scalars = {"true": 1, "false": 0}

    def read(part):
        words = [word.strip() for word in part.split(",")]
        return [scalars[word] if word in scalars else float(word.rstrip("u")) for word in words]

    text = " ".join(text.split())
    if not text.startswith("["):
        return np.array(read(text)[0])
    pages = [[read(row) for row in page.split(";") if row.strip()]
             for page in text.strip("[]").split("|") if page.strip()]
    rank = 3 if "|" in text else 2 if ";" in text else 1
    return np.array(pages).reshape(np.array(pages).shape[3 - rank:])


def printing(expression):
    """Statements that print it, behind those that stand before it in backticks of their own."""
    *before, value = expression.split("` `")
    return "".join(f"{line}\n" for line in (*before, f'print("{MARK}")', f"print({value})"))


def run_tml(tmlc, values, expressions):
    """What is printed of each; None for those that do not compile."""
    def run(chosen):
        with tempfile.NamedTemporaryFile("w", suffix=".tml") as file:
            file.write(values + "".join(map(printing, chosen)))
            file.flush()
            result = subprocess.run([tmlc, "run", "-w", file.name], capture_output=True, text=True)
        return result.stdout.split(f"{MARK}\n")[1:] if result.returncode == 0 else None

    together = run(expressions)
    if together is not None:
        return [text.rstrip("\n") for text in together]
    single = [run([e]) for e in expressions]
    return [text[0].rstrip("\n") if text else None for text in single]


def rows_of(document):
    """Yields (line, header, cells) of every row of a table."""
    for table in TABLE.finditer(document):
        first = document.count("\n", 0, table.start(2)) + 1
        for number, line in enumerate(table[2].splitlines()):
            yield first + number, cells(table[1]), cells(line)


def one_line(text):
    return "error" if text is None else " ".join(text.split())


def check_row(row, header, printed, names):
    """What is wrong with a row of which TML printed this, or None."""
    at = header.index("TML")
    if header[at + 1:at + 2] == ["gives"] and one_line(printed) != " ".join(row[at + 1].split()):
        return f"TML gives {one_line(printed)}"
    if "NumPy" not in header:
        return None
    numpy = header.index("NumPy")
    value = eval(row[numpy], names)  # the document's own expression
    if header[numpy + 1] == "gives":
        shown = " ".join(str(value).split())
        return None if shown == row[numpy + 1] else f"NumPy gives {shown}"
    if printed is None:
        return "TML does not compile"
    expected, found = np.asarray(value), read_value(printed)
    if expected.shape != found.shape or not np.allclose(expected, found, equal_nan=True):
        return f"TML gives {one_line(printed)}, NumPy {value}"
    return None


def check_names(rows, builtin_def, library):
    with open(builtin_def) as file:
        built_in = set(re.findall(r'^BUILTIN\("(\w+)"', file.read(), re.MULTILINE))
    for path in pathlib.Path(library).glob("*.tml"):
        built_in |= set(re.findall(r"^fn ([a-z]\w*)\(", path.read_text(), re.MULTILINE))
    listed = [re.match(r"\w+", row[0])[0] for _, header, row in rows if header[0] == "function"]
    for name in sorted(set(listed) | built_in):
        if listed.count(name) != 1 or name not in built_in:
            yield f"`{name}` stands {listed.count(name)} times, built in: {name in built_in}"


def main():
    tmlc, path = sys.argv[1:3]
    with open(path) as file:
        document = file.read()
    values = dict(VALUES.findall(document))
    names = {"np": np}
    exec(values.get("python", ""), names)
    every_row = list(rows_of(document))
    rows = [row for row in every_row if "TML" in row[1]]
    expressions = [row[header.index("TML")] for _, header, row in rows]
    printed = run_tml(tmlc, values.get("tml", ""), expressions)
    problems = [f"{path}:{line}: {problem}" for (line, header, row), text in zip(rows, printed)
                if (problem := check_row(row, header, text, names)) is not None]
    if len(sys.argv) > 3:
        problems += check_names(every_row, *sys.argv[3:5])
    print("\n".join(problems))
    print(f"{len(rows)} rows, {len(problems)} wrong")
    sys.exit(1 if problems or not rows else 0)


if __name__ == "__main__":
    main()
