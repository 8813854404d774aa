"""Compiles the variants of a kernel and links them into one program.

What was made from the same text by the same command is not made again: the key of an object is a
hash of both, of the headers, and of the compiler.
"""

import functools
import hashlib
import json
import pathlib
import subprocess

import kernels

HARNESS = pathlib.Path(__file__).resolve().parent
ROOT = HARNESS.parent.parent
# The values of strict variants are those of each operation by itself. That nobody asks for errno or
# for the flags of exceptions changes no value, and lets the compilers vectorise.
STRICT = "-O3 -march=native -ffp-contract=off -fno-math-errno -fno-trapping-math".split()
FAST = "-O3 -march=native -ffast-math".split()
VECTOR = "-O3 -march=native -ffp-contract=fast -fno-math-errno -fno-trapping-math".split()
WIDE = ["-mprefer-vector-width=512"]
# name: compiler, flags, source, whether results are held to `strict`
C_VARIANTS = {
    "gcc": ("gcc", STRICT, "plain.c", True),
    "gcc_fast": ("gcc", FAST, "plain.c", False),
    "clang": ("clang-19", STRICT, "plain.c", True),
    "clang_fast": ("clang-19", FAST, "plain.c", False),
    "vector_gcc": ("gcc", VECTOR + WIDE, "vector.c", False),
    "vector_clang": ("clang-19", VECTOR + WIDE, "vector.c", False),
    "eigen": ("g++", "-O3 -march=native -DNDEBUG".split() + ["-isystem", "/usr/include/eigen3"],
              "eigen.cpp", False),
    "fftw": ("gcc", ["-O3", "-march=native"], "fftw.c", False),
}
LIBRARIES = {"eigen": "-lstdc++", "fftw": "-lfftw3"}
# The variants of each writing in TML: what its name gets at its end, and options.
TML_VARIANTS = {"": [], "_fast": ["--fp=fast"]}

# What `real` is, as an option of tmlc says it: options of tmlc, and of C compilers. Where it is float
# a double in between is a mistake of the source, and would be slow.
REALS = {"f64": ([], ["-DREAL=double"]),
         "f32": (["--real=f32"], ["-DREAL=float", "-Werror=double-promotion"])}
RELAXED = {"--fp=contract", "--fp=fast"}


class BuildError(Exception):
    pass


def run(command, cwd=None):
    done = subprocess.run(command, cwd=cwd, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise BuildError(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


@functools.cache
def identity(program):
    """What tells one compiler from another one."""
    path = pathlib.Path(program)
    if path.is_file():
        return hashlib.sha256(path.read_bytes()).hexdigest()
    return run([program, "--version"])


def key_of(inputs, command):
    key = hashlib.sha256(repr([str(part) for part in command]).encode())
    key.update(identity(str(command[0])).encode())
    for path in inputs:
        key.update(path.read_bytes())
    return key.hexdigest()


def make(output, inputs, command, cwd=None):
    """Runs the command that makes `output` of the inputs, unless it has been made of the same."""
    stamp = output.with_name(output.name + ".key")
    key = key_of(inputs, command)
    if output.exists() and stamp.exists() and stamp.read_text() == key:
        return
    stamp.unlink(missing_ok=True)
    run(command, cwd)
    stamp.write_text(key)


def write(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


PEER_HEADERS = {"eigen": "eigen3/Eigen/Core", "fftw": "fftw3.h"}


def is_there(variant):
    header = PEER_HEADERS.get(variant)
    return header is None or pathlib.Path("/usr/include", header).exists()


def sources(kernel):
    """The variants in C that the kernel has: name and what C_VARIANTS says."""
    return {name: about for name, about in C_VARIANTS.items()
            if (kernel.folder / about[2]).exists() and is_there(name)}


def c_type(argument, result):
    kind = kernels.ROOTS[argument.root]
    if argument.scalar:
        return kind + " "
    return f"{kind} *restrict " if result else f"const {kind} *restrict "


def parameters(arguments):
    return ", ".join(c_type(argument, argument is arguments[-1]) + argument.name
                     for argument in arguments)


def prototype(arguments):
    """The header that each variant in C is compiled with: a wrong signature is an error.

    REAL is what the command says."""
    return ("#include <stdint.h>\n#ifdef __cplusplus\n#define restrict __restrict__\nextern \"C\"\n"
            f"#endif\nvoid KERNEL({parameters(arguments)});\n")


def actual(arguments):
    """The arguments of a call, from the table of pointers."""
    return [f"*(const {kernels.ROOTS[a.root]} *)a[{i}]" if a.scalar else f"a[{i}]"
            for i, a in enumerate(arguments)]


def tml_caller(kernel, prefix, model, arguments):
    """The call of one object of TML, and the memory that it has for its state."""
    state = "state" in model.get("structs", {})
    lines = [f"#include \"{prefix}.h\"", f"static {prefix}_state *{prefix}_memory;" * state]
    body = []
    if state:
        lines += [f"static void {prefix}_start(void) {{",
                  f"    {prefix}_memory = bench_memory(sizeof(*{prefix}_memory));",
                  f"    bench_check({prefix}_init({prefix}_memory), \"{prefix}\");" if not kernel.steps
                  else "", "}"]
    if kernel.steps:
        body += [f"bench_check({prefix}_init({prefix}_memory, &{prefix}_defaults), \"{prefix}\");",
                 f"bench_check({prefix}_step_n({prefix}_memory, &{prefix}_defaults, {kernel.steps}, "
                 f"a[0], a[1]), \"{prefix}\");"]
    else:
        given = [f"{prefix}_memory"] * state + actual(arguments)
        body.append(f"bench_check({prefix}_fn_run({', '.join(given)}), \"{prefix}\");")
    lines += [f"static void {prefix}_call(void **a) {{", *("    " + line for line in body), "}"]
    return [line for line in lines if line], [f"    {prefix}_start();"] * state


def c_caller(kernel, name, arguments):
    function = f"{kernel.name}_{name}"
    return [f"void {function}({parameters(arguments)});",
            f"static void {name}_call(void **a) {{",
            f"    {function}({', '.join(actual(arguments))});", "}"]


def filled(kernel, argument):
    default = {"real": "uniform -1 1", "int": "integers -100 100", "uint": "bits",
               "bool": "chance 0.5"}[argument.root]
    words = kernel.data.get(argument.name, default).split() + ["0", "0"]
    rows = argument.dims[-1] if words[0] in ("dominant", "positive") else 0
    return (f"    {{\"{argument.name}\", ROOT_{argument.root.upper()}, {argument.count}, "
            f"FILL_{words[0].upper()}, {words[1]}, {words[2]}, {rows}}},")


def host(kernel, models, arguments, rounds_freely):
    """The program's own text: the tables of bench.h."""
    unknown = set(kernel.data) - {argument.name for argument in arguments[:-1]}
    if unknown:
        raise BuildError(f"{kernel.name}: there is no input {', '.join(unknown)}")
    names = sources(kernel)
    lines, starts, rows = ["#include \"bench/harness/bench.h\""], [], []
    for name in names:
        lines += c_caller(kernel, name, arguments)
        freedom = "NONE" if C_VARIANTS[name][3] else "ROUNDING"
        rows.append(f"    {{\"{name}\", {name}_call, FREEDOM_{freedom}}},")
    for prefix, (writing, suffix, model) in models.items():
        text, start = tml_caller(kernel, prefix, model, arguments)
        lines += text
        starts += start
        freedom = "ROUNDING" if suffix or rounds_freely else "NONE"
        rows.append(f"    {{\"tml{suffix}:{writing}\", {prefix}_call, FREEDOM_{freedom}}},")
    lines += ["static const Buffer buffers[] = {", *(filled(kernel, a) for a in arguments), "};"]
    lines += ["static const Variant variants[] = {", *rows, "};"]
    lines += [f"static const Kernel kernel = {{buffers, {len(arguments)}, variants, {len(rows)}, "
              f"{kernel.strict}, {kernel.tolerance}, {kernel.strays}}};"]
    lines += ["int main(int argc, char **argv) {", *starts,
              "    return bench_main(&kernel, argc, argv);", "}", ""]
    return "\n".join(lines)


def compile_tml(kernel, folder, tmlc, options):
    """Objects and headers of all writings; what tmlc says about them, by prefix."""
    models, arguments = {}, None
    for writing in kernel.writings:
        source = kernel.folder / f"{writing}.tml"
        for suffix, extra in TML_VARIANTS.items():
            prefix = writing + suffix
            copy = folder / f"{prefix}.tml"
            write(copy, source.read_text())
            command = [tmlc, copy.name, "--emit=obj,header,json", *options, *extra]
            make(folder / f"{prefix}.json", [copy], command, folder)
            model = json.loads((folder / f"{prefix}.json").read_text())
            models[prefix] = (writing, suffix, model)
            found = kernels.signature(kernel, model)
            shape = [(argument.root, argument.count) for argument in found]
            arguments = arguments or found
            if shape != [(argument.root, argument.count) for argument in arguments]:
                raise BuildError(f"{source}: other arguments or another result than "
                                 f"{kernel.writings[0]}.tml")
    return models, arguments


def build(kernel, root, tmlc, options, cpu, real="f64"):
    """Makes the kernel's program, for a processor or, with None, the machine's; returns its path."""
    tml_real, c_real = REALS[real]
    folder = root / kernel.name
    folder.mkdir(parents=True, exist_ok=True)
    models, arguments = compile_tml(kernel, folder, tmlc, [*options, *tml_real])
    write(folder / "kernel.h", prototype(arguments))
    write(folder / "host.c", host(kernel, models, arguments, bool({*options} & RELAXED)))
    objects = [folder / f"{prefix}.o" for prefix in models]
    headers = [folder / "kernel.h", *sorted(HARNESS.glob("*.h"))]
    machine = [f"-march={cpu}"] * (cpu is not None)
    for name, (compiler, flags, source, _) in sources(kernel).items():
        objects.append(folder / f"{name}.o")
        make(objects[-1], [kernel.folder / source, *headers],
             [compiler, *flags, *machine, *c_real, "-Wall", "-Wno-psabi", f"-DKERNEL={kernel.name}_{name}",
              "-include", folder / "kernel.h", "-I", ROOT, "-c", kernel.folder / source,
              "-o", objects[-1]])
    program = folder / "program"
    parts = [folder / "host.c", HARNESS / "bench.c"]
    made = [folder / f"{prefix}.h" for prefix in models]
    make(program, [*parts, HARNESS / "bench.h", *made, *objects],
         ["gcc", "-O2", "-g", "-Wall", c_real[0], "-I", ROOT, "-I", folder, *parts, *objects, "-o", program,
          *[LIBRARIES[name] for name in sources(kernel) if name in LIBRARIES], "-lm"])
    return program
