"""Times a kernel's numpy.py: numpy_peer.py FOLDER PROGRAM ROUNDS MILLISECONDS TOLERANCE STRAYS ARGUMENTS.

ARGUMENTS is JSON: name, type and dims of each input, then of the result. PROGRAM writes their data.
Prints what the program of a kernel prints, for the one variant `numpy`.
"""

import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy

KINDS = {"real": "f8", "int": "i4", "uint": "u4", "bool": "?"}


def main():
    folder, program = pathlib.Path(sys.argv[1]), sys.argv[2]
    rounds, seconds = int(sys.argv[3]), float(sys.argv[4]) / 1e3
    tolerance, strays = float(sys.argv[5]), float(sys.argv[6])
    spec = importlib.util.spec_from_file_location("kernel", folder / "numpy.py")
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    spec.loader.exec_module(module)
    with tempfile.TemporaryDirectory() as place:
        subprocess.run([program, "--dump", place], check=True)
        values = [numpy.fromfile(f"{place}/{name}", KINDS[root]).reshape(dims)
                  for name, root, dims in json.loads(sys.argv[7])]
    *inputs, expected = values
    inputs = [value if value.shape else value[()] for value in inputs]
    numpy.seterr(all="ignore")
    found = numpy.asarray(module.run(*inputs), expected.dtype).reshape(expected.shape)
    scale = numpy.sqrt(numpy.mean(numpy.square(expected, dtype="f8")))
    error = numpy.abs(found.astype("f8") - expected) / numpy.maximum(numpy.abs(expected), scale)
    error = numpy.where((found == expected) | ((found != found) & (expected != expected)), 0, error)
    if numpy.mean(~(error <= tolerance)) > strays:
        sys.exit(f"WRONG RESULT of numpy: differs by {numpy.max(error)}")
    nanoseconds = []
    for _ in range(rounds):
        calls, start = 0, time.thread_time()
        while (taken := time.thread_time() - start) < seconds or calls == 0:
            module.run(*inputs)
            calls += 1
        nanoseconds.append(1e9 * taken / calls)
    print(json.dumps({"numpy": {"checksum": 0, "error": float(numpy.max(error)),
                                "ns": nanoseconds}}))


main()
