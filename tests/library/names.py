"""Names of functions are free: names.py TMLC ROOT

A program with a function of the name of every function that there is, built in or of the library, and
with a parameter of each name where it is called: it compiles, and its own functions are called, with every
optimisation and out of a file that is imported. A program with a variable of every such name: each
example of the index gives what it gives without them.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path


def names_of(root):
    names = re.findall(r'^BUILTIN\("(\w+)"', (root / "sema/builtin/builtin.def").read_text(), re.MULTILINE)
    for path in sorted((root / "sema/library").glob("*.tml")):
        names += re.findall(r"^fn ([a-z]\w*)\(", path.read_text(), re.MULTILINE)
    return [name for name in names if name != "print"]  # which shows the results


def run(tmlc, file, *options):
    ran = subprocess.run([tmlc, "run", "-w", *options, str(file)], capture_output=True, text=True)
    return ran.returncode, ran.stdout, ran.stderr


def examples_of(root):
    texts = [(root / "sema/builtin/functions.in").read_text()]
    texts += [path.read_text() for path in sorted((root / "sema/library").glob("*.tml"))]
    pairs = [pair for text in texts for pair in re.findall(r"(?<!\n# before)^(?:# )?example: (.*) -> .*$", text, re.MULTILINE)]
    return [example for example in pairs if "(" in example]


class Names:
    def __init__(self, tmlc, folder):
        self.tmlc, self.folder, self.failures = tmlc, folder, 0

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def expect(self, name, wanted):
        for level in ("-O0", "-O2"):
            status, out, errors = run(self.tmlc, self.folder / name, level)
            if (status, out) != (0, wanted):
                self.failures += 1
                print(f"{name} {level}: exit status {status}\n{errors[:500]}")


def main():
    tmlc, root = sys.argv[1], Path(sys.argv[2])
    names = names_of(root)
    functions = "".join(f"fn {name}(real x, real y, real z, real w, real v) real:\n    return x + {k}\nend\n"
                        for k, name in enumerate(names))
    calls = "".join(f"fn calls_{name}(real {name}) real:\n    return {name}({name}, 0, 0, 0, 0)\nend\n"
                    f"print(calls_{name}(1000.0))\n" for name in names)
    wanted = "".join(f"{1000.0 + k}\n" for k in range(len(names)))
    values = "v = [3.0, 1.0, 2.0]\nm = [1.0, 2.0; 3.0, 4.0]\n"
    examples = "".join(f"print({example})\n" for example in examples_of(root))
    with tempfile.TemporaryDirectory() as folder:
        test = Names(tmlc, Path(folder))
        test.write("whole.tml", functions + calls)
        test.write("functions.tml", functions)
        test.write("imports.tml", 'import "functions.tml"\n' + calls)
        test.write("examples.tml", values + examples)
        test.write("variables.tml", values + "".join(f"{name} = [true]\n" for name in names) + examples)
        test.expect("whole.tml", wanted)
        test.expect("imports.tml", wanted)
        status, out, errors = run(tmlc, test.folder / "examples.tml")
        test.failures += status != 0 or out.count("\n") < len(names) / 2
        print(errors[:500])
        test.expect("variables.tml", out)
    print(f"{len(names)} names, {examples.count(chr(10))} examples, {test.failures} failures")
    return test.failures > 0 or len(names) < 150


sys.exit(main())
