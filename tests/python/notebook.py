#!/usr/bin/env python3
"""Runs a notebook in a kernel of its own: each cell prints what the notebook has. Usage: notebook.py TMLC NOTEBOOK.

With --update behind it the notebook gets what its cells print; with --wheel the package is the wheel's, in a
virtual environment that has no network.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

UPDATE, WHEEL = sys.argv[3:] == ["--update"], sys.argv[3:] == ["--wheel"]
NOTEBOOK = pathlib.Path(sys.argv[2])
del sys.argv[2:]

try:
    import nbformat
    from nbclient import NotebookClient
except ImportError as error:
    sys.exit(f"{error}: scripts/setup installs it")

from package_test import ROOT  # noqa: E402

WITHOUT_IDS = 4  # of the notebook's format: identities of cells are random


def shown(cell):
    """What a cell prints and gives, as text."""
    texts = []
    for output in cell.outputs:
        texts.append(output.text if output.output_type == "stream" else output.data["text/plain"])
    return texts


def run_in_environment(folder):
    """This script again, where the package is installed."""
    source = pathlib.Path(folder, "source")
    shutil.copytree(ROOT / "python", source)
    subprocess.run([sys.executable, "-m", "build", "--no-isolation", "--wheel", "-o", folder, source], check=True,
                   stdout=subprocess.DEVNULL)
    wheel, = pathlib.Path(folder).glob("*.whl")
    environment = pathlib.Path(folder, "environment")
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", environment], check=True)
    packages, = environment.glob("lib/python3*/site-packages")
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", packages,
                    wheel], check=True)  # fmt: skip
    kernel = pathlib.Path(folder, "share/kernels/python3")  # that of the environment
    kernel.mkdir(parents=True)
    (kernel / "kernel.json").write_text(json.dumps({
        "argv": [str(environment / "bin/python"), "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": "Python 3", "language": "python"}))
    words = [environment / "bin/python", __file__, os.environ["TMLC"], NOTEBOOK]
    return subprocess.run(words, env={**os.environ, "TMLC_PACKAGE": str(packages), "JUPYTER_PATH": str(kernel.parent.parent)}, check=False).returncode


def main():
    if WHEEL:
        with tempfile.TemporaryDirectory() as folder:
            sys.exit(run_in_environment(folder))
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    expected = [shown(cell) for cell in cells]
    place = os.environ.pop("TMLC_PACKAGE", None)
    if place is None:
        os.environ["PYTHONPATH"] = str(ROOT / "python")
    else:
        tells = nbformat.v4.new_code_cell("import pathlib, tmlc\nprint(pathlib.Path(tmlc.__file__).parent.parent)")
        notebook.cells.append(tells)
        cells.append(tells)
        expected.append([place + "\n"])
    os.environ["IPYTHONDIR"] = os.environ["TMLC_CACHE"]
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
    NotebookClient(notebook, timeout=120, kernel_name="python3", record_timing=False).execute()
    wrong = 0
    for cell, before in zip(cells, expected):
        if shown(cell) != before:
            wrong += 1
            print(f"{cell.source}\n-- expected\n{''.join(before)}\n-- but got\n{''.join(shown(cell))}\n")
    if UPDATE:
        notebook.nbformat_minor = WITHOUT_IDS
        notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
        for cell in notebook.cells:
            cell.pop("id", None)
            cell.metadata = {}
        nbformat.write(notebook, NOTEBOOK)
        return
    print(f"{len(cells)} cells, {wrong} wrong")
    sys.exit(1 if wrong or not cells else 0)


if __name__ == "__main__":
    main()
