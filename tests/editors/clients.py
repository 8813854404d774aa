#!/usr/bin/env python3
"""Editors with their own clients of the language server: clients.py TMLC ROOT CLIENT [FOLDER [MODULE]], CLIENT one of
CLIENTS. FOLDER is for what CodeMirror is made of, MODULE the server as a module of WebAssembly, for CodeMirror.

Each is set up as docs/editors.md says, CodeMirror by its session, opens a file with an E0501, finds the message with its table where `tmlc check` finds it, applies
the suggested change and has no message left; the file that it then writes checks. Ends with SKIPPED
where the editor or its plugin is not installed, or there is no registry or module.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import npm  # noqa: E402

SKIPPED = 77
TABLE = "a = [1, 2, 3; 4, 5, 6]\nb = [1.0, 2.0]\nc = a + b\nprint(c)\n"
FIXED = TABLE.replace("a + b", "a + align(b, 2, [0])")
TESTS = 'x = 1\ntest "first":\n    assert(x == 1)\nend\ntest "second":\n    assert(x == 2)\nend\n'
HERE = pathlib.Path(__file__).resolve().parent
# Of each client: its program, a file of its plugin, the language of its settings in the document and where
# they are stored, the command line. Emacs reads no settings by itself in batch mode.
CLIENTS = {
    "nvim": ("nvim", None, "lua", ".config/nvim/init.lua",
             ["nvim", "--headless", "-i", "NONE", "-S", f"{HERE}/nvim.lua"]),
    "emacs": ("emacs", "/usr/share/emacs/site-lisp/elpa-src/eglot-*/eglot.el", "elisp", ".emacs",
              ["emacs", "--batch", "--eval", "(package-initialize)", "-l", ".emacs", "-l", f"{HERE}/emacs.el"]),
    "ale": ("vim", "/usr/share/vim-ale/plugin/ale.vim", "vim", ".vimrc",
            ["vim", "-i", "NONE", "-T", "dumb", "-S", f"{HERE}/ale.vim"]),
    "codemirror": ("npm", None, None, None, None),
}


def installed(program, plugin):
    return shutil.which(program) and (plugin is None or any(pathlib.Path("/").glob(plugin[1:])))


def set_up(root, client, home):
    """What a reader of the document has done, with the files of the source tree as the installed ones."""
    language, settings = CLIENTS[client][2:4]
    block, = re.findall(rf"^```{language}\n(.*?)^```$", (root / "docs/editors.md").read_text(), re.M | re.S)
    for link in (home / settings, home / ".local/share/tmlc/editors"):
        link.parent.mkdir(parents=True, exist_ok=True)
    (home / settings).write_text(block)
    (home / ".local/share/tmlc/editors").symlink_to(root / "editors")


def run(tmlc, client, folder, command):
    """What the client found; its output if it said nothing."""
    (folder / "table.tml").write_text(TABLE)
    (folder / "tests.tml").write_text(TESTS)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    environment |= {"PATH": f"{tmlc.parent}:{os.environ['PATH']}", "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    result = subprocess.run(command, cwd=folder, env=environment, timeout=120, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    if not (folder / "out.json").exists():
        error = folder / "error"
        sys.exit(f"{client} said nothing\n{result.stdout[-3000:]}\n{error.read_text() if error.exists() else ''}")
    return json.loads((folder / "out.json").read_text())


def check(tmlc, found, folder):
    (folder / "table.tml").write_text(TABLE)  # a test saves all files
    output = subprocess.run([tmlc, "check", "--diagnostics=json", "table.tml"], cwd=folder, check=False,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    told, = json.loads(output)["diagnostics"]
    assert told["code"] == "E0501", told
    assert (found["messages"], found["line"], found["left"]) == (1, told["line"], 0), found
    assert found.get("code", "E0501") == "E0501", found
    for text in (told["message"], *(note["text"] for note in told["notes"])):
        assert text in found["text"], (text, found["text"])
    assert found.get("status", 0) == 0, found
    if "hover" in found:
        assert "tensor<int, 2, 3>" in found["hover"], found
    if "action" in found:
        assert "align(b, 2, [0])" in found["action"], found
    if "test" in found:
        assert "1 passed" in found["test"], found
    fixed = (folder / "fixed.tml").read_text()
    assert fixed == FIXED, fixed
    subprocess.run([tmlc, "check", "-Werror", "fixed.tml"], cwd=folder, check=True)


def main():
    tmlc, root = (pathlib.Path(name).resolve() for name in sys.argv[1:3])
    client, *places = sys.argv[3:]
    command = CLIENTS[client][4]
    if not installed(*CLIENTS[client][:2]):
        print(f"SKIPPED: {client} is not installed; scripts/setup editors installs it")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if client == "codemirror":
            place, *modules = (pathlib.Path(name).resolve() for name in places)
            if not all(module.exists() for module in modules) or not npm.installed(HERE / "codemirror", place):
                print("SKIPPED: the registry of npm cannot be reached, or scripts/wasm has not built the module")
                return SKIPPED
            server = ["node", "--no-warnings", root / "tests/wasi.mjs", *modules] if modules else [tmlc]
            command = ["node", place / "session.mjs", *server, "lsp"]
        else:
            set_up(root, client, folder)
        found = run(tmlc, client, folder, command)
        print(json.dumps(found, indent=1))
        check(tmlc, found, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
