"""Draws the pictures of the documents: draw.py TMLC [--check]

message.svg is what the compiler says about a program, plot.svg what a simulation of examples/pid
draws (with gnuplot), cycle.svg how a component runs, system.svg the wires of a system of docs/systems.md
(with Graphviz). With --check nothing is written: the files must be what would be drawn; what another
version of gnuplot or Graphviz has drawn is left alone.
"""

import html
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PID = HERE.parents[1] / "examples/pid"
PROGRAM = "a = [1, 2, 3; 4, 5, 6]\nprint(a + [10, 20])\n"
COLOURS = {"31": "#cf222e", "34": "#0969da", "33": "#9a6700", "32": "#1a7f37"}
STYLE = """<style>
text { font: 14px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #24292f; white-space: pre }
.b { font-weight: bold } .s { font: 13px system-ui, sans-serif } .n { fill: #57606a }
.box { fill: #f6f8fa; stroke: #8c959f } .host { fill: #ffffff; stroke: #d0d7de }
.line { stroke: #57606a; stroke-width: 1.5; fill: none; marker-end: url(#tip) }
</style>
"""


def svg(width, height, body):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}">\n{STYLE}<rect class="host" x="0.5" y="0.5" width="{width - 1}" '
            f'height="{height - 1}" rx="6"/>\n{body}</svg>\n')


def message(tmlc):
    """A text with the colours of a terminal, as SVG."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "wrong.tml").write_text(PROGRAM)
        text = subprocess.run([tmlc, "check", "--color=always", "wrong.tml"], cwd=folder, text=True,
                              stderr=subprocess.PIPE, check=False).stderr
    lines = ["$ tmlc check wrong.tml", *text.rstrip("\n").split("\n")]
    body, widest = "", 0
    for number, line in enumerate(lines):
        spans, codes = "", set()
        for code, part in re.findall(r"(?:\x1b\[([\d;]*)m)?([^\x1b]*)", line):
            if code:
                codes = set(code.split(";")) - {"0"}
            style = next((f' style="fill: {COLOURS[c]}"' for c in sorted(codes) if c in COLOURS), "")
            bold = ' class="b"' if "1" in codes else ""
            if part:
                spans += f"<tspan{bold}{style}>{html.escape(part)}</tspan>"
        widest = max(widest, len(re.sub(r"\x1b\[[\d;]*m", "", line)))
        body += f'<text x="16" y="{28 + 20 * number}" xml:space="preserve">{spans}</text>\n'
    return svg(32 + round(8.5 * widest), 28 + 20 * len(lines), body)


def box(x, y, width, title, *lines):
    height = 34 + 18 * len(lines)
    body = f'<rect class="box" x="{x}" y="{y}" width="{width}" height="{height}" rx="4"/>\n'
    body += f'<text class="b" x="{x + width / 2}" y="{y + 23}" text-anchor="middle">{title}</text>\n'
    for number, line in enumerate(lines):
        body += (f'<text class="s n" x="{x + width / 2}" y="{y + 44 + 18 * number}" '
                 f'text-anchor="middle">{html.escape(line)}</text>\n')
    return body


def arrow(path, x=0, y=0, label="", anchor="middle"):
    return (f'<path class="line" d="{path}"/>\n'
            + (f'<text class="s" x="{x}" y="{y}" text-anchor="{anchor}">{html.escape(label)}</text>\n' if label else ""))


def cycle(_):
    """The order in which the functions of a component run."""
    body = ('<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
            'orient="auto"><path d="M0 0 8 4 0 8z" fill="#57606a"/></marker></defs>\n')
    body += box(20, 70, 170, "init_fnc", "once; variables have", "their values before")
    body += box(270, 70, 170, "output_fnc", "inputs and state", "give the outputs")
    body += box(520, 70, 170, "update_fnc", "inputs and state give", "the next state")
    body += arrow("M190 105H268")
    body += arrow("M440 105H518", 479, 95, "same step")
    body += arrow("M605 140V190H355V142", 480, 208, "next step: state x(k) becomes x(k + 1)")
    body += arrow("M355 24V68", 346, 44, "inputs u(k)", "end")
    body += arrow("M420 70C420 40 450 30 500 30", 508, 34, "outputs y(k), to the host", "start")
    return svg(710, 230, body)


def plot(tmlc):
    """None where gnuplot is not there, or is not the one of the file."""
    if shutil.which("gnuplot") is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([tmlc, PID / "pid.tml", "-o", "pid"], cwd=folder, check=True)
        subprocess.run(["./pid", "--in", PID / "input.csv", "--out", "u.csv", "--plot", "plot.svg",
                        "--plot", "reference,measurement;u"], cwd=folder, check=True)
        return (pathlib.Path(folder) / "plot.svg").read_text()


def system(tmlc):
    """None where Graphviz is not there."""
    if shutil.which("dot") is None:
        return None
    page = (HERE.parent / "systems.md").read_text()
    with tempfile.TemporaryDirectory() as folder:
        for name, text in re.findall(r"^```tml (\S+)\n(.*?)^```$", page, re.M | re.S):
            (pathlib.Path(folder) / name).write_text(text)
        graph = subprocess.run([tmlc, "--emit=order:dot", "loop.tml", "-o", "-"], cwd=folder,
                               check=True, capture_output=True).stdout
        return subprocess.run(["dot", "-Tsvg"], input=graph, check=True,
                              capture_output=True).stdout.decode()


def drawn_by(text):
    """The program that drew it, and its version; None for the pictures of this one."""
    found = re.search(r"GNUPLOT [\d.]+ patchlevel \d+|graphviz version [\d.]+", text)
    return found and found[0]


def main():
    tmlc = os.path.abspath(sys.argv[1])
    wrong = []
    for name, draw in (("message", message), ("cycle", cycle), ("plot", plot), ("system", system)):
        path = HERE / f"{name}.svg"
        drawn = draw(tmlc)
        if drawn is None:
            continue
        if sys.argv[2:] != ["--check"]:
            path.write_text(drawn)
        elif drawn_by(path.read_text()) != drawn_by(drawn):
            continue
        elif path.read_text() != drawn:
            wrong.append(f"{path} is not what draw.py draws now")
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
