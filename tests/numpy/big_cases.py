"""Functions on arrays beyond the caches, against NumPy bit by bit: big_cases.py TMLC

A host's arrays begin anywhere that C allows, and nothing around the result may change.
"""

import ctypes
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

REALS = {"f64": np.float64, "f32": np.float32}
CPUS = ["native", "x86-64", "x86-64-v3"]
GUARD = 256  # bytes on both sides of a result

# name, parameters, result, what it returns, the same in NumPy. Sizes are no multiples of anything.
FUNCTIONS = [
    ("axpy", ["real 1200011", "real 1200011"], "real 1200011", "2 * a + b",
     lambda a, b: a.dtype.type(2) * a + b),
    ("whole", ["int 1200011"], "int 1200011", "a * 3 - 1", lambda a: a * np.int32(3) - np.int32(1)),
    ("mixed", ["real 1200011", "int 1200011"], "real 1200011", "a * b",
     lambda a, b: a * b.astype(a.dtype)),
    ("narrow", ["real 1200011"], "bool 1200011", "a > 0", lambda a: a > 0),
    ("outer", ["real 1207 1", "real 1103"], "real 1207 1103", "a * b", lambda a, b: a * b),
    ("rows", ["real 4201 299", "real 299"], "real 4201 299", "a - b", lambda a, b: a - b),
    ("short_rows", ["real 13001 83", "real 83"], "real 13001 83", "a - b", lambda a, b: a - b),
    ("copied", ["real 1200011"], "real 1200011", "a", lambda a: a.copy()),
    ("turned", ["real 1203 1101"], "real 1101 1203", "a'", lambda a: a.T),
    ("turned_sum", ["real 1103 1103"], "real 1103 1103", "a + a'", lambda a: a + a.T),
    ("turned_planes", ["real 11 301 403"], "real 11 403 301", "permute(a, 0, 2, 1)",
     lambda a: a.transpose(0, 2, 1)),
    ("turned_round", ["real 103 107 131"], "real 131 103 107", "permute(a, 2, 0, 1)",
     lambda a: a.transpose(2, 0, 1)),
    ("even_turned", ["real 1104 1101"], "real 1101 1104", "a'", lambda a: a.T),
    ("even_turned_sum", ["real 1104 1104"], "real 1104 1104", "a + a'", lambda a: a + a.T),
    ("even_turned_planes", ["real 11 304 403"], "real 11 403 304", "permute(a, 0, 2, 1)",
     lambda a: a.transpose(0, 2, 1)),
    ("even_turned_round", ["real 103 272 131"], "real 131 103 272", "permute(a, 2, 0, 1)",
     lambda a: a.transpose(2, 0, 1)),
    ("even_turned_whole", ["real 1104 1101"], "int 1101 1104", "tensor<int, 1101, 1104>(a')",
     lambda a: a.T.astype(np.int32)),
    ("thin_turned", ["real 131 9001"], "real 9001 131", "a'", lambda a: a.T),
    ("thinner_turned", ["real 67 18003"], "real 18003 67", "a'", lambda a: a.T),
    ("turned_blocks", ["real 103 107 131"], "real 107 103 131", "permute(a, 1, 0, 2)",
     lambda a: a.transpose(1, 0, 2)),
    ("joined", ["real 700001", "real 600011"], "real 1300012", "concat(0, 2 * a, b)",
     lambda a, b: np.concatenate([a + a, b])),
]  # fmt: skip


def type_text(text):
    root, *dims = text.split()
    return f"tensor<{root}, {', '.join(dims)}>"


def program():
    lines = []
    for name, params, result, value, _ in FUNCTIONS:
        written = ", ".join(f"{type_text(text)} {letter}" for text, letter in zip(params, "ab"))
        lines += [f"fn {name}({written}) {type_text(result)}:", f"    return {value}", "end"]
    return "\n".join(lines) + "\n"


def misaligned(dtype, dims, offset):
    """An array whose first element lies `offset` elements behind a cache line, and its guards."""
    bytes_of = int(np.prod(dims)) * np.dtype(dtype).itemsize
    memory = np.full(bytes_of + 2 * GUARD + 128, 0x5A, np.uint8)
    first = GUARD + (-(memory.ctypes.data + GUARD)) % 64 + offset * np.dtype(dtype).itemsize
    return memory[first : first + bytes_of].view(dtype).reshape(dims), memory


def filled(rng, dtype, dims, offset):
    array, _ = misaligned(dtype, dims, offset)
    if np.dtype(dtype).kind == "f":
        array[...] = rng.standard_normal(dims)
    else:
        array[...] = rng.integers(-(2**31), 2**31, dims, dtype=np.int64)
    return array


def dtype_of(root, real):
    return {"real": real, "int": np.int32, "bool": np.bool_}[root]


def built(tmlc, source, shared, options):
    """The shared library, and the name that linkers know each of its functions by."""
    subprocess.run([tmlc, *options, "-w", "-o", shared, source], check=True)
    text = subprocess.run([tmlc, *options, "-w", "--emit=json", "-o", "-", source], check=True,
                          stdout=subprocess.PIPE).stdout  # fmt: skip
    symbols = {function["name"]: function["symbol"] for function in json.loads(text)["functions"]}
    return ctypes.CDLL(str(shared)), symbols


def check(library, symbols, row, real, offsets, rng):
    name, params, result, _, reference = row
    arguments = []
    for text, offset in zip(params, offsets):
        root, *dims = text.split()
        arguments.append(filled(rng, dtype_of(root, real), [int(dim) for dim in dims], offset))
    root, *dims = result.split()
    got, memory = misaligned(dtype_of(root, real), [int(dim) for dim in dims], offsets[-1])
    call = getattr(library, symbols[name])
    status = call(*(ctypes.c_void_p(array.ctypes.data) for array in [*arguments, got]))
    with np.errstate(all="ignore"):
        expected = np.ascontiguousarray(reference(*arguments))
    same = status == 0 and got.tobytes() == expected.tobytes()
    got[...] = 0
    around = np.count_nonzero(memory != 0x5A) == got.nbytes
    return same and around


def main():
    tmlc = sys.argv[1]
    rng = np.random.default_rng(7)
    failures = 0
    checks = 0
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "big.tml"
        source.write_text(program())
        for number, cpu in enumerate(CPUS):
            for real, dtype in REALS.items():
                shared = pathlib.Path(folder) / f"{cpu}.{real}.so"
                level = ["-O2", "-O0"][number == 1]
                options = [f"--cpu={cpu}", f"--real={real}", level]
                library, symbols = built(tmlc, source, shared, options)
                for row in FUNCTIONS:
                    offsets = [int(offset) for offset in rng.integers(0, 16, 3)]
                    checks += 1
                    if not check(library, symbols, row, dtype, offsets, rng):
                        failures += 1
                        print(f"{row[0]} differs: --cpu={cpu} --real={real} {level}, {offsets}")
    print(f"{checks} calls, {failures} failures")
    return 1 if failures else 0


sys.exit(main())
