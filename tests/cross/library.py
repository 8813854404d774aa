"""What the functions of the library cost on a Cortex-M4: library.py TMLC LIBRARY

Each in single precision at -Os, alone: at most 3 KB of code, `expm` and `c2d`, which calls it, 5, `fft` of 1024 pairs 6 and the
table of its factors; the work of all has a bound, the stack one of 4 KB, and a transform takes scratch of twice
its numbers. LIBRARY is the folder of its texts: none of its functions is left out.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

USUAL = 3 * 1024
STACK = 4 * 1024
CODE = {"expm": 5 * 1024, "c2d": 5 * 1024, "fft": 6 * 1024, "ifft": 6 * 1024, "rfft": 6 * 1024, "irfft": 6 * 1024}
PAIRS = "tensor<tensor<real, 2>, {}>".format
V, M, Z = "tensor<real, 64>", "tensor<real, 6, 6>", PAIRS(64)
INTS, UINTS, TALL = "tensor<int, 64>", "tensor<uint, 64>", "tensor<real, 8, 5>"
TABLE = "tensor<real, 256>"
# The types of parameters a, b, ..., the call, and the types of its results.
FUNCTIONS = [
    (V, "sort(a)", V), (V, "argsort(a)", INTS), ("tensor<real, 200>", "sort(a)", "tensor<real, 200>"),
    (V, "topk(a, 5)", "tensor<real, 5>; tensor<int, 5>"), (V, "increasing(a)", "bool"),
    (f"{V}; {TABLE}", "searchsorted(b, a)", INTS), (f"{V}; {TABLE}; {TABLE}", "interp(a, b, c)", V),
    (f"{V}; {V}; tensor<real, 9>; tensor<real, 7>; tensor<real, 9, 7>", "interp2(a, b, c, d, e)", V),
    (V, "cumprod(a)", V), (V, "cummax(a)", V), (V, "cummin(a)", V), (V, "diff(a)", "tensor<real, 63>"),
    (V, "flip(a)", V), (f"{V}; int", "roll(a, b)", V), (M, "tril(a)", M), (M, "triu(a, 1)", M),
    ("tensor<real, 5>; tensor<real, 7>", "grid(a, b)", "tensor<real, 5, 7>; tensor<real, 5, 7>"),
    (f"{M}; tensor<real, 2, 3>", "kron(a, b)", "tensor<real, 12, 18>"),
    ("tensor<bool, 64>", "nonzero(a)", f"{INTS}; int"),
    (f"{Z}; {Z}", "cmul(a, b)", Z), (f"{Z}; {Z}", "cdiv(a, b)", Z), (Z, "conj(a)", Z),
    (Z, "cabs(a)", V), (Z, "carg(a)", V), (Z, "cexp(a)", Z),
    ("tensor<real, 8, 8>", "qr(a)", "tensor<real, 8, 8>; tensor<real, 8, 8>"),
    ("tensor<real, 20, 4>; tensor<real, 20>", "lstsq(a, b)", "tensor<real, 4>"),
    (M, "eigh(a)", f"tensor<real, 6>; {M}"), (M, "expm(a)", M), (f"{M}; int", "matrix_power(a, b)", M),
    ("tensor<real, 3, 3>; tensor<real, 3, 1>; real", "c2d(a, b, c)", "tensor<real, 3, 3>; tensor<real, 3, 1>"),
    (TALL, "svd(a)", f"{TALL}; tensor<real, 5>; tensor<real, 5, 5>"), (TALL, "svdvals(a)", "tensor<real, 5>"),
    (TALL, "cond(a)", "real"), (TALL, "pinv(a)", "tensor<real, 5, 8>"), (TALL, "rank(a)", "int"),
    (V, "deg2rad(a)", V), (V, "rad2deg(a)", V), (V, "wrap(a)", V), (V, "sat_int(a)", INTS),
    (V, "sat_uint(a)", UINTS), (V, "sat(a, 8)", INTS), (V, "sigmoid(a)", V), (V, "softplus(a)", V),
    (f"{V}; {V}; {V}", "lerp(a, b, c)", V), (f"{V}; {V}", "deadzone(a, b)", V),
    (f"{V}; {V}", "isclose(a, b)", "tensor<bool, 64>"), (f"{INTS}; {INTS}", "gcd(a, b)", INTS),
    (f"{INTS}; {INTS}", "lcm(a, b)", INTS), ("tensor<uint, 2>; tensor<uint, 4>", "philox(a, b)", "tensor<uint, 4>"),
    ("uint; uint", "uniform(a, b, 64)", V), ("uint; uint", "normal(a, b, 64)", V),
    ("uint; uint; int; int", "randint(a, b, c, d, 64)", INTS),
    (f"{V}; tensor<real, 9>", "conv(a, b)", "tensor<real, 72>"),
    (f"{V}; tensor<real, 9>", "correlate(a, b)", "tensor<real, 72>"),
    (f"tensor<real, 5>; tensor<real, 5>; {V}", "filter(a, b, c)", V),
    (f"tensor<real, 5>; {V}", "polyval(a, b)", V), (f"{V}; {V}", "polyfit(a, b, 3)", "tensor<real, 4>"),
    (V, "unwrap(a)", V), (V, "var(a)", "real"), (V, "std(a, 1)", "real"), (V, "median(a)", "real"),
    (f"{V}; real", "quantile(a, b)", "real"), (f"{V}; {V}", "trapz(a, b)", "real"), (V, "softmax(a)", V),
    (V, "logsumexp(a)", "real"), (PAIRS(1024), "fft(a)", PAIRS(1024)), (PAIRS(1024), "ifft(a)", PAIRS(1024)),
    ("tensor<real, 1024>", "rfft(a)", PAIRS(513)), (PAIRS(513), "irfft(a, 1024)", "tensor<real, 1024>"),
]


def source(parameters, call, results):
    types, given = results.split("; "), ", ".join(
        f"{kind} {name}" for kind, name in zip(parameters.split("; "), "abcde"))
    names = ", ".join(f"y{k}" for k in range(len(types)))
    return f"fn f({given}) {', '.join(types)}:\n    {names} = {call}\n    return {names}\nend\n"


def report(tmlc, folder, number, row):
    file = folder / f"f{number}.tml"
    file.write_text(source(*row))
    done = subprocess.run([tmlc, "-c", file, "--target=cortex-m4", "--real=f32", "-Os", "--report=json",
                           "-o", file.with_suffix(".o")], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{row[1]}: {done.stderr}")
    return json.loads(done.stdout)


def wrong(row, about):
    name = row[1].split("(")[0]
    function = next(f for f in about["functions"] if f["name"] == "fn_f")
    most = CODE.get(name, USUAL)
    if about["code"] > most:
        yield f"{row[1]}: {about['code']} bytes of code, not at most {most}"
    if function["operations"] not in ("exact", "at most") or function["stack"] is None:
        yield f"{row[1]}: no bound of {'the stack' if function['stack'] is None else 'its work'}"
    elif function["stack"] > STACK:
        yield f"{row[1]}: {function['stack']} bytes of stack, not at most {STACK}"
    if name.endswith("fft") and (about["scratch"] > 2 * 8 * 1024 or about["constants"] > 8 * 1024):
        yield f"{row[1]}: {about['scratch']} bytes of scratch, {about['constants']} of constants"


def main():
    tmlc, library = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    texts = "".join(path.read_text() for path in sorted(library.glob("*.tml")))
    forgotten = ({name for name in re.findall(r"^fn ([a-z]\w*)\(", texts, re.M)}
                 - {call.split("(")[0] for _, call, _ in FUNCTIONS})
    failed = [f"{name} is not measured" for name in sorted(forgotten)]
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(2) as pool:
        reports = list(pool.map(lambda item: report(tmlc, pathlib.Path(scratch), *item),
                                enumerate(FUNCTIONS)))
    for row, about in zip(FUNCTIONS, reports):
        failed += wrong(row, about)
        print(f"{row[1]:24} {about['code']:6} bytes of code {about['constants']:6} of constants "
              f"{about['functions'][-1]['stack']} of stack {about['functions'][-1]['operations']}")
    print("\n".join(failed) or f"{len(FUNCTIONS)} calls: as small as they should be")
    return bool(failed)


sys.exit(main())
