#!/usr/bin/env python3
"""The extension for VS Code, without VS Code: vscode.py TMLC ROOT. The server that it starts, with the options that it
gives, names a test; the command that it has runs that one, with all files saved.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lsp"))
from client import Client, uri_of  # noqa: E402

TESTS = 'x = 1\ntest "first":\n    assert(x == 1)\nend\ntest "second":\n    assert(x == 2)\nend\n'


def run_extension(root, words):
    result = subprocess.run(["node", root / "tests/editors/vscode.js", root / "editors/vscode/extension.js"],
                            input=json.dumps(words), capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def main():
    tmlc, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    seen = run_extension(root, [])
    assert (seen["server"], seen["kept"]) == ({"command": "tmlc", "args": ["lsp"]}, 2), seen
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / "tests.tml"
        path.write_text(TESTS)
        client = Client([tmlc, *seen["server"]["args"]])
        client.request("initialize", {"capabilities": {}, "initializationOptions": seen["client"]["initializationOptions"]})
        client.open(uri_of(path), TESTS)
        lenses = client.request("textDocument/codeLens", {"textDocument": {"uri": uri_of(path)}})
        # Warnings are errors as long as the settings say so.
        model = uri_of(pathlib.Path(name) / "model.tml")
        client.open(model, "x = 7 / 2\nprint(x * 1.0)\n")
        before = [row["severity"] for row in client.messages(model)]
        client.notify(seen["sent"]["method"], seen["sent"]["parameters"])
        after = [row["severity"] for row in client.messages(model)]
        assert (before, after) == ([1], [2]), (before, after)
        assert client.finish() == (0, "")
        command = lenses[-1]["command"]
        seen = run_extension(root, command["arguments"])
        assert (seen["name"], seen["saved"], seen["task"]["run"]["program"]) == (command["command"], 1, "tmlc"), seen
        done = subprocess.run([tmlc, *seen["task"]["run"]["words"]], capture_output=True, text=True, timeout=60)
        assert "test failed: second" in done.stdout and done.stdout.endswith(": 1 failed\n"), done
    return 0


if __name__ == "__main__":
    sys.exit(main())
