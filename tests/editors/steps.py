#!/usr/bin/env python3
"""The five steps of docs/editors.md from nothing to a hover, in a home of their own: steps.py BUILD ROOT EDITOR, one of EDITORS.

What stands in the document is what runs: the installation, the settings, the command that opens the file, and what is typed
then. Ends with SKIPPED where the packages that the second step names are not installed.
"""

import fcntl
import json
import os
import pathlib
import pty
import re
import shlex
import subprocess
import sys
import tempfile
import termios
import threading
import time

SKIPPED = 77
EXPECTED = ["these shapes do not broadcast", "a + b: does not fit", ""]  # of what is typed; the last one changes the text
HERE = pathlib.Path(__file__).resolve().parent


def steps_of(text, heading):
    """What stands between backticks in each step of a section, and the settings below them."""
    section = re.search(rf"^## {heading}\n(.*?)^## ", text, re.M | re.S)[1]
    steps = re.findall(r"^(\d)\. (.*(?:\n +\S.*)*)", section, re.M)
    assert [number for number, _ in steps] == list("12345"), steps
    settings = re.search(r"^```\w+\n(.*?)^```", section, re.M | re.S)[1]
    return [re.findall(r"`([^`]+)`", step) for _, step in steps], settings


def only(words, begin):
    word, = [word for word in words if word.startswith(begin)]
    return word


def is_installed(packages):
    done = subprocess.run(["dpkg-query", "-W", "-f", "${Status}\\n", *packages], capture_output=True, text=True)
    return done.stdout.splitlines() == ["install ok installed"] * len(packages)


class Terminal:
    """A program where a user would run it. What it writes is read, and dropped but for the end."""

    def __init__(self, command, **options):
        self.inner, outer = pty.openpty()
        self.process = subprocess.Popen(command, stdin=outer, stdout=outer, stderr=outer, start_new_session=True,
                                        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0), **options)
        os.close(outer)
        self.written = b""
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        try:
            while part := os.read(self.inner, 65536):
                self.written = (self.written + part)[-3000:]
        except OSError:  # nobody has the other end any more
            pass

    def type(self, keys):
        os.write(self.inner, keys.encode())

    def end(self):
        self.process.kill()
        self.process.wait()
        self.reader.join()
        os.close(self.inner)
        return self.written.decode(errors="replace")


def wait(what, condition):
    end = time.monotonic() + 120
    while not (value := condition()):
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.02)
    return value


def read_json(path):
    return json.loads(path.read_text()) if path.exists() else {}


def follow_nvim(command, typed, home, environment):
    """Neovim types itself, in steps.lua."""
    terminal = Terminal([*command, "-c", f"luafile {HERE}/steps.lua"], cwd=home,
                        env={**environment, "TYPED": json.dumps(typed)})
    try:
        wait("its end", lambda: terminal.process.poll() is not None)
        return read_json(home / "out.json")
    except TimeoutError:
        sys.exit(f"nvim does not end\n{terminal.end()}")


def follow_emacs(command, typed, home, environment):
    """Keys in a terminal. steps.el says what is seen."""
    terminal = Terminal([command[0], "-nw", "-l", f"{HERE}/steps.el", *command[1:]], cwd=home, env=environment)

    def state(name):
        return read_json(home / "state.json").get(name)

    shown = []
    try:
        wait("a message", lambda: state("messages") == 1)
        terminal.type("\x1b<\x13 +\r\x02")  # M-<, C-s, C-b: on the operator
        wait("the echo area", lambda: "a + b: does not fit" in state("echo"))
        before = state("text")
        for keys in typed:
            if not keys.startswith("M-x "):
                terminal.type(keys.replace("C-h", "\x08").replace(" ", ""))
            else:
                terminal.type(f"\x1bx{keys.removeprefix('M-x ')}\r")
            expected = EXPECTED[len(shown)]
            wait(keys, lambda: expected in state("shown") if expected else state("asks") or state("text") != before)
            if state("asks"):
                terminal.type("\r")  # the first of what it offers
                wait(keys, lambda: state("text") != before)
            shown.append(state("shown"))
            terminal.type("\x181")  # C-x 1
            wait("one window", lambda: not state("shown"))
        wait("no message", lambda: state("messages") == 0)
        return {"shown": shown, "text": state("text"), "left": state("messages")}
    except TimeoutError as error:
        sys.exit(f"emacs: nothing of {error}: {read_json(home / 'state.json')}\n{terminal.end()}")
    finally:
        if terminal.process.poll() is None:
            terminal.end()


EDITORS = {"nvim": ("Neovim", follow_nvim), "emacs": ("Emacs", follow_emacs)}  # of each: its heading


def main():
    build, root, editor = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
    heading, follow = EDITORS[editor]
    text = (root / "docs/editors.md").read_text()
    steps, settings = steps_of(text, heading)
    table = re.search(r"^```tml table.tml\n(.*?)^```", text, re.M | re.S)[1]
    if not is_installed(only(steps[1], "apt install ").split()[2:]):
        print(f"SKIPPED: `{only(steps[1], 'apt install ')}` comes first; scripts/setup editors does that")
        return SKIPPED
    install = only(steps_of(text, "Neovim")[0][0], "cmake ")
    with tempfile.TemporaryDirectory() as name:
        home = pathlib.Path(name).resolve()
        environment = {"HOME": str(home), "PATH": f"{home}/.local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "xterm"}
        subprocess.run(install.replace("build/release", shlex.quote(str(build))), shell=True, cwd=root, env=environment,
                       check=True, stdout=subprocess.DEVNULL)
        path = home / only(steps[2], "~/").removeprefix("~/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(settings)
        (home / "table.tml").write_text(table)
        typed = [word for step in steps[3:] for word in step if re.match(r":|M-x |C-h ", word)]
        found = follow(only(steps[3], f"{editor} ").split(), typed, home, environment)
        print(json.dumps(found, indent=1))
    assert len(typed) == len(EXPECTED), typed
    assert all(text in shown for text, shown in zip(EXPECTED[:2], found["shown"])), found
    assert "\nb         2    <- 3 and 2 differ" in found["shown"][1], found
    assert (found["left"], found["text"]) == (0, table.replace("a + b", "a + align(b, 2, [0])")), found
    return 0


if __name__ == "__main__":
    sys.exit(main())
