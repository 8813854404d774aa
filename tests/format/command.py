"""The command `tmlc fmt` as a user meets it: command.py TMLC CASES

Each cases/NAME.tml becomes cases/NAME.expected; files are replaced as a whole, keep their modes, and
stay what links name; what does not parse stays as it is.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

UGLY = "x   =1\nprint( x )\n"
NICE = "x = 1\nprint(x)\n"
WRONG = "x = (1\nprint(x)\n"
failures = 0


def expect(what, got, wanted):
    global failures
    if got != wanted:
        failures += 1
        print(f"{what}: {got!r}, not {wanted!r}")


def check_cases(tmlc, cases):
    for case in sorted(cases.glob("*.tml")):
        wanted = case.with_suffix(".expected").read_text()
        for text in (case.read_text(), wanted):
            result = subprocess.run([tmlc, "fmt"], input=text, capture_output=True, text=True)
            expect(case.name, (result.returncode, result.stdout, result.stderr), (0, wanted, ""))


def check_files(tmlc):
    def run(*words, **options):
        return subprocess.run([tmlc, "fmt", *words], capture_output=True, text=True, **options)

    ugly, nice, wrong = (pathlib.Path(name) for name in ("ugly.tml", "nice.tml", "sub/wrong.tml"))
    link = pathlib.Path("link.tml")
    wrong.parent.mkdir()
    pathlib.Path("sub/.hidden").mkdir()
    hidden = pathlib.Path("sub/.hidden/h.tml")
    other = pathlib.Path("sub/notes.txt")
    for path in (ugly, hidden, other):
        path.write_text(UGLY)
    nice.write_text(NICE)
    wrong.write_text(WRONG)
    link.symlink_to("ugly.tml")
    old = nice.stat()

    result = run("--check", ".")
    expect("--check", (result.returncode, result.stdout), (1, "./ugly.tml\n"))
    expect("--check says what does not parse", "sub/wrong.tml:2:1: error[E0201]" in result.stderr,
           True)
    expect("--check writes nothing", ugly.read_text(), UGLY)
    result = run("--diff", "ugly.tml")
    expect("--diff", result.returncode, 0)
    expect("--diff writes nothing", ugly.read_text(), UGLY)
    subprocess.run(["git", "apply", "-p0"], input=result.stdout, text=True, check=True)
    expect("--diff is a patch", ugly.read_text(), NICE)
    ugly.write_text(UGLY)
    expect("--check --diff", run("--check", "--diff", "nice.tml", "ugly.tml").returncode, 1)
    expect("--check of what is right", run("--check", "nice.tml").returncode, 0)

    ugly.chmod(0o750)
    expect("a link", run("link.tml").returncode, 0)
    expect("a link stays one", (link.is_symlink(), ugly.read_text()), (True, NICE))
    expect("the mode stays", ugly.stat().st_mode & 0o7777, 0o750)
    ugly.write_text(UGLY)
    result = run(".")
    expect("a folder", (result.returncode, result.stdout), (1, ""))
    expect("a folder's files", ugly.read_text(), NICE)
    expect("what does not parse stays", wrong.read_text(), WRONG)
    expect("what is hidden stays", (hidden.read_text(), other.read_text()), (UGLY, UGLY))
    expect("what is right is not touched", nice.stat().st_mtime_ns, old.st_mtime_ns)

    missing = run("missing.tml")
    expect("a missing file", missing.returncode, 3)
    expect("a missing file is named", "missing.tml" in missing.stderr, True)
    expect("--diff of standard input", run("--diff", input=UGLY).returncode, 2)
    result = run("--diff", "-", input=UGLY)
    expect("--diff of standard input by its name", (result.returncode, result.stdout),
           (0, "--- -\n+++ -\n@@ -1,2 +1,2 @@\n-x   =1\n-print( x )\n+x = 1\n+print(x)\n"))
    kept = subprocess.run([tmlc, "fmt"], input=b"# tmlc: fmt off\r\nx   = 1\n#   c\r\r\n# tmlc: fmt on\n", capture_output=True)
    expect("carriage returns in a row", kept.stdout, b"# tmlc: fmt off\nx   = 1\n#   c\n# tmlc: fmt on\n")
    expect("--check of standard input", run("--check", input=UGLY).returncode, 1)
    expect("an empty file", run(input="").stdout, "")
    expect("no end of line", run(input="x = 1").stdout, "x = 1\n")
    expect("only a comment", run(input="\n\n  # c  \n\n").stdout, "# c\n")
    expect("options elsewhere", subprocess.run([tmlc, "check", "--diff", "nice.tml"],
                                               capture_output=True).returncode, 2)
    pathlib.Path("empty").mkdir()
    result = run("empty", "nice.tml")
    expect("a folder without sources", (result.returncode, result.stderr),
           (2, "tmlc: error: no `.tml` file below `empty`\n"))
    ugly.write_text("\ufeffx = 1\r\n")
    expect("a file with a byte order mark", (run("ugly.tml").returncode, ugly.read_bytes()), (0, b"x = 1\n"))
    ugly.write_bytes(b'x = "\xff"\n')
    result = run("ugly.tml")
    expect("no UTF-8", (result.returncode, "error[E0101]" in result.stderr, ugly.read_bytes()),
           (1, True, b'x = "\xff"\n'))
    check_change(tmlc, ugly)
    with open("/dev/full", "w") as full:
        status = subprocess.run([tmlc, "fmt"], input=UGLY, text=True, stdout=full,
                                stderr=subprocess.DEVNULL).returncode
    expect("a full disk", status, 3)
    if os.geteuid() != 0:
        ugly.write_text(UGLY)
        ugly.chmod(0o444)
        expect("a file that is read only", run("ugly.tml").returncode, 3)
        expect("a file that is read only stays", ugly.read_text(), UGLY)


def check_change(tmlc, path):
    """Somebody else writes to the file behind the formatter's back."""
    if shutil.which("gdb") is None:
        print("SKIPPED: a file that changes: there is no gdb")
        return
    path.write_text(UGLY)
    steps = ["set confirm off", "break staged_create", "run", f"shell echo '# mine' >> {path}", "continue"]
    result = subprocess.run(["gdb", "-nx", "-batch", *(f"-ex={step}" for step in steps), "--args", tmlc, "fmt", path],
                            capture_output=True, text=True, timeout=300,
                            env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})  # nothing looks for leaks under gdb
    expect("a file that changes", (path.read_text(), "exited with code 03" in result.stdout,
                                   "it has changed meanwhile" in result.stderr), (UGLY + "# mine\n", True, True))
    expect("a file that changes leaves nothing", list(pathlib.Path().glob("*.tmlc-*")), [])


def main():
    tmlc, cases = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    check_cases(tmlc, cases)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        check_files(tmlc)
        os.chdir("/")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
