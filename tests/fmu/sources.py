#!/usr/bin/env python3
"""The sources in FMUs: sources.py TMLC COUNT

They compile with gcc and clang without a warning and give the bits of the binary; two models go into one program
under prefixes; and COUNT random sequences of calls (sequences.c), under AddressSanitizer and
UndefinedBehaviorSanitizer, are answered as the standards say.
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

import description
import importer

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import seeds  # noqa: E402

TMLC, COUNT = sys.argv.pop(1), int(sys.argv.pop(1))
HERE = pathlib.Path(__file__).resolve().parent
MODELS = HERE / "models"
STRICT = ["-Wall", "-Wextra", "-Werror"]


def run(*command, **settings):
    result = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, timeout=3000, **settings)
    if result.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}\nexit status {result.returncode}\n{result.stdout}")
    return result.stdout


class Sources(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def fmu(self, name, *options):
        run(TMLC, MODELS / f"{name}.tml", "--sources", "-o", self.folder / "model.fmu", *options)
        fmu = importer.Fmu(self.folder / "model.fmu", tempfile.mkdtemp(dir=self.folder))
        description.check(fmu)
        return fmu

    def texts(self, fmu):
        return [fmu.folder / "sources" / name for name in ("fmu.c", "model.c")]

    def plain(self, fmu):
        """For libraries, whose functions have no prefix."""
        return f"-DFMI{fmu.version}_OVERRIDE_FUNCTION_PREFIX"

    def values(self, fmu):
        instance = fmu.instance()
        instance.begin(0.0)
        rows = []
        for k in range(20):
            for variable in fmu.of("input"):
                if variable.kind in ("Float64", "Real"):
                    instance.set(variable.name, [0.1 * k + 1 / (j + 3) for j in range(variable.count)])
            rows.append([instance.get(variable.name) for variable in fmu.of("output")])
            instance.step(k * fmu.step, fmu.step)
        instance.free()
        return rows

    def test_libraries(self):
        for version, options in [(2, []), (3, []), (3, ["-g"])]:
            fmu = self.fmu("mixed", f"--fmi={version}", *options)
            binary = self.values(fmu)
            for compiler, level in [("gcc", "-O2"), ("clang-19", "-O0")]:
                library = self.folder / f"{compiler}-{version}{len(options)}.so"
                run(compiler, *STRICT, level, "-fPIC", "-shared", self.plain(fmu), *self.texts(fmu), "-lm", "-o", library)
                other = importer.Fmu(self.folder / "model.fmu", tempfile.mkdtemp(dir=self.folder), library)
                self.assertEqual(self.values(other), binary)

    def test_texts(self):
        for version in (2, 3):
            fmu = self.fmu("texts", f"--fmi={version}")
            for compiler, standard in [("gcc", "-std=c11"), ("clang-19", "-std=gnu11")]:
                library = self.folder / f"{compiler}-{version}.so"
                run(compiler, *STRICT, standard, "-fPIC", "-shared", self.plain(fmu), *self.texts(fmu), "-lm", "-o", library)
                other = importer.Fmu(self.folder / "model.fmu", tempfile.mkdtemp(dir=self.folder), library)
                instance = other.instance()
                instance.begin(0.0)
                self.assertEqual(instance.get("label"), [b'a??/b %d \\ " end'])
                instance.set("u", [9.0])
                with self.assertRaises(importer.Failure):
                    instance.get("y")
                self.assertIn('assertion failed: what??/ %s %d "q" \\n ??= (step 0)', instance.log[0])

    def test_two_models_in_one_program(self):
        objects, names = [], []
        # The first has the prefix that its sources say, the other another one.
        for name, prefix, options in [("mixed", "mixed_", []), ("trap", "other_", ["-DFMI3_FUNCTION_PREFIX=other_"])]:
            fmu = self.fmu(name)
            names.append((f"{prefix}fmi3InstantiateCoSimulation", fmu.token))
            for text in self.texts(fmu):
                objects.append(self.folder / f"{name}-{text.stem}.o")
                run("gcc", *STRICT, "-O1", *options, "-c", text, "-o", objects[-1])
        main = self.folder / "main.c"
        calls = "".join(f'void *{name}(const char *, const char *, const char *, int, int, int, int, void *, '
                        f'unsigned long, void *, void *, void *);\n' for name, _ in names)
        body = "".join(f'    good += {name}("x", "{token}", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) != 0;\n'
                       for name, token in names)
        main.write_text(f"{calls}int main(void) {{\n    int good = 0;\n{body}    return good == 2 ? 0 : 1;\n}}\n")
        run("gcc", main, *objects, "-lm", "-o", self.folder / "main")
        run(self.folder / "main")

    def test_other_machines(self):
        fmu = self.fmu("trap", "--target=x86_64-linux-gnu", "--target=aarch64-linux-gnu")
        build = ElementTree.parse(fmu.folder / "sources" / "buildDescription.xml").getroot()
        self.assertEqual([configuration.get("platform") for configuration in build], ["x86_64-linux", "aarch64-linux"])
        for text in self.texts(fmu):
            run("aarch64-linux-gnu-gcc", *STRICT, "-O2", "-fPIC", "-c", text, "-o", self.folder / "object.o")
        only = self.fmu("trap")
        result = subprocess.run(["aarch64-linux-gnu-gcc", "-c", self.texts(only)[1], "-o", self.folder / "x.o"],
                                stderr=subprocess.PIPE, text=True)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("no code of its model for this machine", result.stderr)

    def test_random_calls(self):
        for version in (2, 3):
            fmu = self.fmu("trap", f"--fmi={version}")
            program = self.folder / f"sequences{version}"
            run("clang-19", *STRICT, "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
                f"-DVERSION={version}", self.plain(fmu), f'-DTOKEN="{fmu.token}"', HERE / "sequences.c", *self.texts(fmu), "-lm", "-o", program)
            print(run(program, COUNT, seeds.default_seed()), end="", flush=True)


if __name__ == "__main__":
    unittest.main()
