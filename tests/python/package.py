#!/usr/bin/env python3
"""The package as it is shipped: types, the wheel, the installed tree. Usage: package.py TMLC CMAKE BUILD."""

import os
import pathlib
import shutil
import subprocess
import sys
import unittest

CMAKE, BUILD = sys.argv[2:4]
del sys.argv[2:4]

from package_test import ROOT, TMLC, PackageTest, tmlc  # noqa: E402

# Each line that is commented is a mistake that only the types tell.
TYPED = """
import numpy as np
import tmlc

model: tmlc.Model = tmlc.compile("a.tml", define={"p.k": 1.0}, connect=["t.x"], real="f32")
y: tmlc.Results = model.simulate({"u": np.ones(3)}, params={"k": 0.5}, every=2)
rows: np.ndarray = y["y"]
one: tmlc.Instance = model.instance()
one.step(u=1.0)["y"]
kept: tmlc.Snapshot = one.snapshot()
found: list[tmlc.Diagnostic] = tmlc.check("x = 1")
shape: tuple[int, ...] = model.inputs["u"].shape
model.scale(1.0)
model.simulate({}, evry=2)  # wrong
tmlc.compile(3)  # wrong
one.restore(3)  # wrong
number: int = model.inputs["u"].name  # wrong
"""

RUN = """
import sys
sys.path = [path for path in sys.path if path not in {removed!r}]
import numpy as np, tmlc
print(tmlc.__file__)
model = tmlc.compile("in real t.u\\nout real t.y\\nfn output_fnc():\\n    t.y = 2 * t.u\\nend\\n")
print(model.simulate({{"u": np.arange(3.0)}})["y"].tolist())
"""


def run(*args, **more):
    result = subprocess.run([str(arg) for arg in args], capture_output=True, text=True, timeout=300, **more)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


class Package(PackageTest):
    def copy(self):
        """The sources alone, as they are checked out."""
        work = self.folder()
        shutil.copytree(ROOT / "python", work / "python", ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info"))
        return work / "python"

    def environment(self, **more):
        """Of a user who has neither this tree nor the command."""
        kept = {name: value for name, value in os.environ.items() if name not in ("TMLC", "PYTHONPATH", "TMLC_CACHE")}
        return {**kept, "TMLC_CACHE": str(self.folder()), **more}

    def test_versions(self):
        text = run(TMLC, "--version")
        self.assertEqual(text.split()[1], tmlc.__version__)

    def test_exports(self):
        self.assertEqual(sorted(tmlc.__all__), tmlc.__all__)
        for name in tmlc.__all__:
            self.assertTrue(getattr(tmlc, name).__doc__, name)

    def test_types(self):
        if not shutil.which("mypy"):
            self.skipTest("mypy is not installed")
        folder = self.folder()
        run("mypy", "--strict", "--cache-dir", folder, ROOT / "python/tmlc")
        (folder / "user.py").write_text(TYPED)
        result = subprocess.run(
            ["mypy", "--cache-dir", folder, folder / "user.py"], capture_output=True, text=True,
            env={**os.environ, "MYPYPATH": str(ROOT / "python")}, check=False,
        )
        found = [int(line.split(":")[1]) for line in result.stdout.splitlines() if ": error:" in line]
        self.assertEqual(found, [i for i, line in enumerate(TYPED.splitlines(), 1) if "# wrong" in line], result.stdout)

    def test_wheel(self):
        """Built without a network, installed without one, and run beside a command of PATH."""
        source = self.copy()
        out = self.folder()
        run(sys.executable, "-m", "build", "--no-isolation", "--wheel", "-o", out, source, cwd="/")
        wheel, = out.glob("*.whl")
        self.assertEqual(wheel.name, f"tmlc-{tmlc.__version__}-py3-none-any.whl")
        self.assertLess(wheel.stat().st_size, 60000)
        target = self.folder()
        run(sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--target", target, wheel)
        self.assertTrue((target / "tmlc/py.typed").exists())
        commands = self.folder()
        os.symlink(TMLC, commands / "tmlc")
        path = f"{commands}{os.pathsep}{os.environ['PATH']}"
        printed = run(sys.executable, "-c", RUN.format(removed=[str(ROOT / "python")]), cwd=commands,
                      env=self.environment(PATH=path, PYTHONPATH=str(target)))
        self.assertEqual(printed, f"{target}/tmlc/__init__.py\n[0.0, 2.0, 4.0]\n")

    def test_debian(self):
        """python3-tmlc, made twice with the same bytes, and unpacked."""
        if not shutil.which("dh_python3"):
            self.skipTest("dh-python is not installed")
        system = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}  # Debian's Python
        packages = []
        for _ in range(2):
            source = self.copy()
            run("dpkg-buildpackage", "--build=all", "--no-sign", cwd=source,
                env={**os.environ, **system, "HOME": str(self.folder())})
            package, = source.parent.glob("python3-tmlc_*_all.deb")
            packages.append(package.read_bytes())
        self.assertEqual(packages[0], packages[1])
        self.assertEqual(package.name, f"python3-tmlc_{tmlc.__version__}_all.deb")
        target = self.folder()
        run("dpkg-deb", "-x", package, target)
        tree = target / "usr/lib/python3/dist-packages"
        self.assertEqual({path.name for path in (tree / "tmlc").iterdir()},
                         {path.name for path in (ROOT / "python/tmlc").iterdir()} - {"__pycache__"})
        self.assertIn("python3-numpy", run("dpkg-deb", "-f", package, "Depends"))
        printed = run("/usr/bin/python3", "-B", "-c", RUN.format(removed=[str(ROOT / "python")]), cwd="/",
                      env=self.environment(PYTHONPATH=str(tree), TMLC=TMLC))
        self.assertEqual(printed, f"{tree}/tmlc/__init__.py\n[0.0, 2.0, 4.0]\n")

    def test_installed_tree(self):
        """Finds the command that was installed with it."""
        prefix = self.folder() / "a prefix"
        run(CMAKE, "--install", BUILD, "--prefix", prefix)
        package = prefix / "lib/python3/dist-packages"
        names = {path.name for path in (package / "tmlc").iterdir()}
        self.assertEqual(names, {path.name for path in (ROOT / "python/tmlc").iterdir()} - {"__pycache__"})
        printed = run(sys.executable, "-B", "-c", RUN.format(removed=[str(ROOT / "python")]), cwd="/",
                      env=self.environment(PYTHONPATH=str(package)))
        self.assertEqual(printed, f"{package}/tmlc/__init__.py\n[0.0, 2.0, 4.0]\n")


if __name__ == "__main__":
    unittest.main()
