#!/usr/bin/env python3
"""The compiler does not depend on where it was built: reproducible.py TMLC ROOT BUILD [--all CMAKE].

Its bytes hold neither the folder of the sources nor that of the build. With --all it is built twice
more, in two folders whose paths differ in length, and the two commands and runtimes are compared.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

FILES = ["driver/tmlc", "runtime/libtmlrt.a", "runtime/libtmlmain.a"]


def run(*command, **more):
    result = subprocess.run(command, capture_output=True, text=True, **more)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stdout}{result.stderr}")


def build(cmake, root, folder):
    """The bytes of FILES, of a build of a copy of the sources."""
    shutil.copytree(root, folder, ignore=shutil.ignore_patterns("build", ".git", "__pycache__"))
    env = {**os.environ, "CCACHE_DISABLE": "1"}
    made = folder / "build" / "release"
    run(cmake, "--preset", "release", "-DTMLC_TESTS=OFF", cwd=folder, env=env)
    run(cmake, "--build", made, "--parallel", "2", cwd=folder, env=env)
    return [(made / file).read_bytes() for file in FILES]


def main():
    tmlc, root, made = (pathlib.Path(path).resolve() for path in sys.argv[1:4])
    data = tmlc.read_bytes()
    problems = [f"{tmlc.name} holds the path `{path}`" for path in (root, made)
                if os.fsencode(path) in data]
    if "--all" in sys.argv:
        with tempfile.TemporaryDirectory() as name:
            folders = [pathlib.Path(name) / part for part in ("one", "another/that/is/longer")]
            builds = [build(sys.argv[-1], root, folder) for folder in folders]
        problems += [f"{file} differs" for file, one, other in zip(FILES, *builds) if one != other]
        print(f"{len(FILES)} files built twice")
    print(*problems, f"{len(problems)} problems", sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
