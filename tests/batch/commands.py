"""Runs the commands of a folder's README.md in a copy of it: commands.py FOLDER TMLC SHARES, of which so many
print a share."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def main():
    source, tmlc = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    package = str(pathlib.Path(__file__).resolve().parents[2] / "python")
    text = (source / "README.md").read_text()
    blocks = re.findall(r"^```\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    path = os.pathsep.join([str(tmlc.parent), "/usr/bin", os.environ["PATH"]])
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary, source.name)
        shutil.copytree(source, folder)
        shares = []
        for command in "".join(blocks).splitlines():
            if ("--plot" in command or "gnuplot" in command) and not shutil.which("gnuplot"):
                continue
            print(f"$ {command}", flush=True)
            result = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, stdout=subprocess.PIPE,
                                    text=True, timeout=300,
                                    env={**os.environ, "PATH": path, "PYTHONPATH": package, "TMLC_CACHE": f"{temporary}/cache",
                                         "TMLC": str(tmlc)})
            print(result.stdout, end="")
            shares += [float(result.stdout)] if "awk" in command else []
            if result.returncode != 0:
                sys.exit(f"exit status {result.returncode}")
    # The share of motors that are good: most of them, not all.
    if len(shares) != int(sys.argv[3]) or not all(0.5 < share < 1 for share in shares):
        sys.exit("no yield")


main()
