#!/usr/bin/env python3
"""Runs a notebook in a kernel of its own: each cell prints what the notebook has. Usage: notebook.py TMLC NOTEBOOK.

With --update behind it the notebook gets what its cells print.
"""

import os
import pathlib
import sys

UPDATE = sys.argv[3:] == ["--update"]
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


def main():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    expected = [shown(cell) for cell in cells]
    os.environ["PYTHONPATH"] = str(ROOT / "python")
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
