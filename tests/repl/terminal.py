"""What needs a terminal or another program to compare with: terminal.py TMLC ROOT

Prompts, completion, Ctrl-C and the history at a pseudo-terminal; pictures of `:plot`; and steps of
components at the prompt against those of `tmlc run`; imports.
"""

import contextlib
import glob
import itertools
import os
import pty
import random
import re
import select
import subprocess
import sys
import tempfile
import time

failures = []


def expect(what, good, got):
    if not good:
        failures.append(f"{what}: {got!r}")


class Terminal:
    """tmlc repl at a terminal of its own."""

    def __init__(self, tmlc, home):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(HOME=home, TERM="xterm", NO_COLOR="1")
            os.environ.pop("XDG_STATE_HOME", None)
            os.execv(tmlc, [tmlc, "repl"])
        self.until("tml> ")

    def until(self, text, timeout=20):
        got = ""
        end = time.monotonic() + timeout
        while not got.endswith(text) and time.monotonic() < end:
            if select.select([self.fd], [], [], 0.1)[0]:
                try:
                    got += os.read(self.fd, 4096).decode()
                except OSError:
                    break
        expect(f"waiting for {text!r}", got.endswith(text), got)
        return got

    def enter(self, keys, prompt="tml> "):
        os.write(self.fd, keys.encode())
        return self.until(prompt)

    def is_busy(self, timeout=20):
        """Waits until it has computed for a while."""
        def ticks():
            with open(f"/proc/{self.pid}/stat") as file:
                return int(file.read().rpartition(")")[2].split()[11])
        begin, end = ticks(), time.monotonic() + timeout
        while ticks() < begin + 0.2 * os.sysconf("SC_CLK_TCK") and time.monotonic() < end:
            time.sleep(0.01)

    def leave(self):
        """By Ctrl-D; once more each second, as one before keys are read one by one is dropped."""
        for attempt in range(2000):
            if attempt % 100 == 0:
                with contextlib.suppress(OSError):  # it may be gone already
                    os.write(self.fd, b"\x04")
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.01)
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)
        return None


def check_terminal(tmlc, folder):
    terminal = Terminal(tmlc, folder)
    expect("a value", "[2, 3, 4]" in terminal.enter("[1, 2, 3] + 1\n"), "no value")
    terminal.enter("for k = 0:3:\n", "...> ")
    terminal.enter("print(k * 11)\n", "...> ")
    got = terminal.enter("end\n")
    expect("a block", "0\r\n11\r\n22\r\n" in got, got)
    got = terminal.enter("isfin\t(2.0)\n")
    expect("completion", "true" in got, got)
    got = terminal.enter("isn\t(nan)\n")
    expect("completion of several", got.count("error") <= 1, got)
    got = terminal.enter("\x00\x05" "1 + 1\n")  # of a Ctrl-D before the prompt reads keys
    expect("NUL is no key", "\r\n2\r\n" in got, got)
    terminal.enter("if true:\n", "...> ")
    got = terminal.enter("\n")
    expect("an empty line ends an entry", "expected `end`" in got, got)
    terminal.enter("a = 0\n")
    terminal.enter("while true:\n", "...> ")
    terminal.enter("a += 1\n", "...> ")
    os.write(terminal.fd, b"end\n")
    terminal.is_busy()
    got = terminal.enter("\x03")
    expect("interrupted", "interrupted" in got, got)
    got = terminal.enter("a\n")
    expect("an interrupted entry changes nothing", "\r\n0\r\n" in got, got)
    terminal.enter("if a == 0:\n", "...> ")
    terminal.enter("ended_here = 1\n", "...> ")
    terminal.enter("end\n")
    got = terminal.enter("ended\t\n")
    expect("what has ended is not offered", "ended_here" not in got, got)
    got = terminal.enter("half\x03")
    expect("Ctrl-C drops the line", "error" not in got, got)
    for _ in range(1000):  # at once after the prompt, where nothing reads yet
        if failures:
            return
        terminal.enter("half\x03")
    expect("status", terminal.leave() == 0, "not 0")
    with open(os.path.join(folder, ".local/state/tmlc/history")) as file:
        history = file.read()
    expect("history", "isfinite(2.0)" in history.replace("\\040", " "), history)
    again = Terminal(tmlc, folder)
    got = again.enter("\x1b[A\n")  # the last entry
    expect("history of the last time", "\r\n" in got and "error" in got, got)
    again.leave()


def check_plots(tmlc, root, folder):
    for suffix, begin in (("svg", b"<?xml"), ("png", b"\x89PNG")):
        path = os.path.join(folder, f"curves.{suffix}")
        entries = (":load examples/pid/pid.tml\n:set reference = 0.5\n:step 50\nm = [1, 2; 3, 1]\n"
                   f":plot u m [1.0,nan,2.0] > {path}\n")
        result = subprocess.run([tmlc, "repl"], input=entries, cwd=root, text=True, timeout=60,
                                stderr=subprocess.PIPE, stdout=subprocess.PIPE)
        with open(path, "rb") as file:
            data = file.read()
        expect(f"a picture {suffix}", result.returncode == 0 and data.startswith(begin)
               and len(data) > 2000, (result, data[:100]))
    expect("nothing else", sorted(name for name in os.listdir(folder) if "curves" in name) ==
           ["curves.png", "curves.svg"], os.listdir(folder))


def check_steps(tmlc, root, folder):
    """Random inputs of examples, against `tmlc run`, which may round once less (L5.6)."""
    seed = int(time.strftime("%Y%m%d"))
    generator = random.Random(seed)
    for path in ("examples/pid/pid.tml", "examples/dcmotor/dcmotor.tml", "examples/pll/pll.tml"):
        names = subprocess.run([tmlc, "repl", path], input=":names\n", cwd=root, text=True,
                               stdout=subprocess.PIPE, check=True).stdout
        inputs = [(name, int(length or 0))
                  for name, length in re.findall(r"^in t\.(\w+): (?:real|tensor<real, (\d+)>)$",
                                                 names, re.MULTILINE)]
        columns = [f"{name}[{k}]" if length else name
                   for name, length in inputs for k in range(length or 1)]
        rows = [[repr(generator.uniform(-1, 1)) for _ in columns] for _ in range(20)]
        entries = ""
        for row in rows:
            values = iter(row)
            for name, length in inputs:
                value = ", ".join(next(values) for _ in range(length or 1))
                entries += f":set {name} = {f'[{value}]' if length else value}\n"
            entries += ":step\n"
        stepped = subprocess.run([tmlc, "repl", path], input=entries, cwd=root, text=True,
                                 stdout=subprocess.PIPE, check=True).stdout
        table = os.path.join(folder, "input.csv")
        with open(table, "w") as file:
            file.write(",".join(columns) + "\n")
            file.writelines(",".join(row) + "\n" for row in rows)
        ran = subprocess.run([tmlc, "run", path, "--", "--in", table], cwd=root, text=True,
                             stdout=subprocess.PIPE, check=True).stdout.splitlines()
        got = [float(word) for line in stepped.splitlines() for word in line.partition(" = ")[2].strip("[]").split(",")]
        wanted = [float(word) for line in ran[1:] for word in line.split(",")]
        expect(f"steps of {path}, seed {seed}", inputs and len(got) == len(wanted) and
               all(abs(a - b) <= 1e-12 * max(1.0, abs(b)) for a, b in zip(got, wanted)),
               (got[:8], wanted[:8]))


def entered(tmlc, folder, *entries):
    """What each of some entries answers; what is no text is called before the next."""
    process = subprocess.Popen([tmlc, "repl"], cwd=folder, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT)
    answers = []
    for entry in entries:
        if callable(entry):
            entry()
            continue
        process.stdin.write(f"{entry}\n:done\n")  # no command: says so
        process.stdin.flush()
        lines = list(itertools.takewhile(lambda line: ":done" not in line and line, iter(process.stdout.readline, None)))
        answers.append("".join(lines))
    process.stdin.close()
    process.stdout.read()
    process.wait(timeout=60)
    return answers


def check_imports(tmlc, folder):
    def write(name, text):
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)
    write("one.tml", "real one = 1.0\n")
    write("two.tml", "real two = 2.0\n")
    got = entered(tmlc, folder, 'import "one.tml"', "y = sort([2.0, 1.0])", "one = 3.0", 'import "two.tml"', "one, two, y")
    expect("an import behind a call of the library", got[-1] == "3.0 2.0 [1.0, 2.0]\n", got)
    got = entered(tmlc, folder, 'import "one.tml"', "twice = 2.0 * one", lambda: write("one.tml", "# new\nreal one = 4.0\n"),
                  "one, twice", lambda: write("one.tml", "# new\nint one = 5\n"), "one, twice",
                  lambda: write("one.tml", "int one = 1.5\n"), "one", lambda: write("one.tml", "int one = 6\n"), "one")
    told = "note: an import has changed on the disk; what was entered is computed again\n"
    expect("an import that changes", got[2:4] + got[5:] == [text + told for text in ("4.0 8.0\n", "5 10.0\n", "6\n")]
           and got[4].startswith(told) and "E0401" in got[4], got)
    got = entered(tmlc, folder, "x = 1\0+ 2")
    expect("a NUL", "E0101" in got[0], got)


def main():
    tmlc, root = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        check_terminal(tmlc, folder)
        check_plots(tmlc, root, folder)
        check_steps(tmlc, root, folder)
        check_imports(tmlc, folder)
    for failure in failures:
        print(failure)
    print(f"{len(failures)} failures")
    return len(failures) > 0


sys.exit(main())
