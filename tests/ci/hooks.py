#!/usr/bin/env python3
"""The hooks of .pre-commit-hooks.yaml in a fresh clone, without a network, and the steps of the action.

Usage: hooks.py TMLC ROOT
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import yaml

TMLC, ROOT = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
del sys.argv[1:]

WRONG = "x = [1, 2] + [1, 2, 3]\n"
GOOD = "x = [1, 2] + [1, 2]\nprint(x)\n"
UNTIDY = "x=1\nprint( x )\n"
FAILING = 'test "fails":\n    assert(1 == 2)\nend\n'
NOWHERE = "http://127.0.0.1:9"


class Clone(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.repository = self.folder / "repository"
        self.repository.mkdir()
        (self.folder / "bin").mkdir()
        (self.folder / "bin/tmlc").symlink_to(TMLC)
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
            "PATH": f"{self.folder}/bin:/usr/bin:/bin", "HOME": str(self.folder), "RUNNER_TEMP": str(self.folder), "GITHUB_OUTPUT": str(self.folder / "outputs"),
            "PRE_COMMIT_HOME": str(self.folder / "cache"), "http_proxy": NOWHERE, "https_proxy": NOWHERE,
            "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org",
            "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org",
        }

    def run_in(self, folder, *command, **more):
        return subprocess.run(command, cwd=folder, env=self.environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=120, **more)

    def git(self, folder, *arguments):
        result = self.run_in(folder, "git", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout.strip()

    def hooks_repository(self):
        hooks = self.folder / "hooks"
        hooks.mkdir()
        shutil.copy(ROOT / ".pre-commit-hooks.yaml", hooks)
        self.git(hooks, "init", "-q")
        self.git(hooks, "add", ".")
        self.git(hooks, "commit", "-qm", "hooks")
        return hooks, self.git(hooks, "rev-parse", "HEAD")

    def try_hook(self, hook, text):
        hooks, revision = self.hooks_repository() if not (self.folder / "hooks").exists() else self.known
        self.known = hooks, revision
        for old in self.repository.iterdir():
            shutil.rmtree(old) if old.is_dir() else old.unlink()
        (self.repository / ".pre-commit-config.yaml").write_text(yaml.dump(
            {"repos": [{"repo": str(hooks), "rev": revision, "hooks": [{"id": hook}]}]}))
        (self.repository / "model.tml").write_text(text)
        self.git(self.repository, "init", "-q")
        self.git(self.repository, "add", ".")
        return self.run_in(self.repository, "pre-commit", "run", "--all-files")

    def test_check(self):
        result = self.try_hook("tmlc-check", WRONG)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("model.tml:1:12: error[E0501]:", result.stdout)
        result = self.try_hook("tmlc-check", GOOD)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_fmt(self):
        result = self.try_hook("tmlc-fmt", UNTIDY)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertEqual((self.repository / "model.tml").read_text(), "x = 1\nprint(x)\n")
        self.assertEqual(self.try_hook("tmlc-fmt", GOOD).returncode, 0)

    def test_test(self):
        result = self.try_hook("tmlc-test", FAILING)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("test failed: fails", result.stdout)
        self.assertEqual(self.try_hook("tmlc-test", FAILING.replace("2", "1")).returncode, 0)

    def action_step(self, name, **inputs):
        action = yaml.safe_load((ROOT / "integrations/github/action.yml").read_text())
        values = {key: row["default"] for key, row in action["inputs"].items()} | inputs
        (step,) = [step for step in action["runs"]["steps"] if step["name"] == name]
        self.environment.update({key: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: values[found[1]], value)
                                 for key, value in step["env"].items()})
        return self.run_in(self.repository, "bash", "-e", "-o", "pipefail", "-c", step["run"])

    def test_action_without_files_or_tests(self):
        result = self.action_step("Check")
        self.assertEqual((result.returncode, result.stdout), (2, "::error::no file is called **/*.tml\n"))
        self.assertFalse((self.folder / "outputs").exists(), "there is nothing to upload")
        (self.repository / "good.tml").write_text(GOOD)
        self.assertEqual(self.action_step("Check").returncode, 0)
        self.assertEqual((self.folder / "outputs").read_text(), f"log={self.folder}/tmlc.sarif\n")
        self.assertEqual(self.action_step("Test").returncode, 0)
        self.assertEqual(self.action_step("Test", tests="good.tml").returncode, 1, "it was asked for")

    def test_action(self):
        (self.repository / "deep/er").mkdir(parents=True)
        (self.repository / "deep/er/model.tml").write_text(WRONG)
        result = self.action_step("Check")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("::error file=deep/er/model.tml,line=1,col=12,", result.stderr + result.stdout)
        self.assertIn('"uri": "deep/er/model.tml"', (self.folder / "tmlc.sarif").read_text())
        (self.repository / "deep/er/model.tml").write_text(GOOD + FAILING)
        self.assertEqual(self.action_step("Check", options="-Wall -Werror").returncode, 0)
        self.assertEqual(self.action_step("Test").returncode, 1)
        self.assertEqual(self.action_step("Test", options="--filter=f", tests="deep").returncode, 1)


if __name__ == "__main__":
    unittest.main()
