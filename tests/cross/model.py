"""The components that the tests run: models/*.tml, and the PID controller of the examples."""

import csv
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parent.parent / "examples"
MOST_ROWS = 120
LEAST_SINGLE = 2.0 ** -149
OPTIONS = re.compile(r"^# (--\S.*)$", re.MULTILINE)


class Model:
    """NAME.tml, with inputs in NAME.csv: a column for each element, in the order of the struct."""

    def __init__(self, source, inputs, most_rows=MOST_ROWS):
        self.name = source.stem
        self.source = source
        self.options = " ".join(OPTIONS.findall(source.read_text())).split()
        with open(inputs, newline="") as file:
            self.header, *rows = csv.reader(file)
        self.rows = rows[:most_rows]

    def write_inputs(self, path):
        with open(path, "w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([self.header, *self.rows])

    def write_case(self, path, real):
        """The inputs as a C array. Its compiler rounds each number once."""
        rows = ",\n".join("    {" + ", ".join(c_number(text, real) for text in row) + "}"
                          for row in self.rows)
        path.write_text(f"#include \"{self.name}.h\"\n"
                        f"#define MODEL(name) {self.name}_##name\n"
                        f"enum {{ STEPS = {len(self.rows)} }};\n"
                        "#pragma GCC diagnostic ignored \"-Wmissing-braces\"\n"
                        f"static const {self.name}_inputs rows[STEPS] = {{\n{rows}}};\n")


def c_number(text, real):
    if text in ("true", "false"):
        return str(int(text == "true"))
    sign = "-" if text.startswith("-") else ""
    if text.endswith("nan"):
        return "__builtin_nan(\"\")"
    if text.endswith("inf"):
        return sign + "__builtin_inf()"
    if re.fullmatch(r"-?\d+", text):
        return f"{int(text) + 1} - 1" if sign else f"{text}u" if int(text) >= 2**31 else text
    if real == "f64":
        return text
    return f"{text}f" if abs(float(text)) > LEAST_SINGLE / 2 else f"{sign}0.0f"


def all_models():
    models = [Model(source, source.with_suffix(".csv"))
              for source in sorted((HERE / "models").glob("*.tml"))]
    return [*models, Model(EXAMPLES / "pid" / "pid.tml", EXAMPLES / "pid" / "input.csv")]
