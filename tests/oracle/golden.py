"""Golden programs (tests/golden/README.md) and their sections."""

from dataclasses import dataclass, field

MARK = "#! "
BODIES = ("input", "output", "stderr")


@dataclass
class Golden:
    path: str  # from tests/golden
    text: bytes
    arguments: list = field(default_factory=list)
    run_arguments: list = field(default_factory=list)
    bodies: dict = field(default_factory=dict)
    errors: list = field(default_factory=list)  # "E0501 2:8"
    status: int = 0

    @property
    def runs(self):
        return "output" in self.bodies or "stderr" in self.bodies or self.status != 0

    @property
    def is_of_library(self):
        """About functions that are written in TML, or derivatives, which this evaluator does not have:
        tests/numpy and tests/derivatives compare them."""
        return "/l18_" in self.path or "/l17_" in self.path

    @property
    def is_refused(self):
        """It ends with errors of the compiler."""
        return self.status == 1


def read(folder, path):
    """The golden program of a file in tests/golden."""
    text = (folder / path).read_bytes()
    golden = Golden(str(path), text)
    body = None
    for line in text.decode("utf-8", "surrogateescape").split("\n"):
        if line.startswith(MARK):
            word, _, rest = line[len(MARK):].partition(" ")
            body = None
            if word == "args":
                golden.arguments = rest.split()
            elif word == "run-args":
                golden.run_arguments = rest.split()
            elif word == "exit":
                golden.status = int(rest)
            elif word == "error":
                golden.errors.append(rest)
            elif word in BODIES:
                body = golden.bodies.setdefault(word, [])
        elif body is not None and line.startswith("#"):
            body.append(line[2:] + "\n")
    golden.bodies = {name: "".join(lines) for name, lines in golden.bodies.items()}
    return golden
