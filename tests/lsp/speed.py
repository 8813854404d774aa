#!/usr/bin/env python3
"""How fast the server is and what it keeps: speed.py TMLC [--edits N]

From an edit to its messages, 95 of 100 times: 10 ms at 1,000 lines, 150 ms at 10,000. Memory grows less
than 1 MB over N (10,000) edits, and a server that waits uses no time. What counts is the time that the
server runs, whoever else uses the machine; by the clock it is printed, too.
"""

import argparse
import pathlib
import sys
import tempfile
import time

from client import Client, uri_of

BLOCK = """fn f{0}(tensor<real, 3> a, tensor<real, 3, 1> b) tensor<real, 3, 3>:
    c = a * b + sin(a)
    d = narrow(b) - 2.0 * a
    for i = 0:3:
        d[i] = d[i] + c[i, 0]
    end
    return c + d
end
x{0} = f{0}([1.0, 2.0, 3.0], [1.0; 2.0; 3.0])
print(x{0})
"""
LIMITS = {1000: 10.0, 10000: 150.0}  # ms


def program(lines):
    return "".join(BLOCK.format(number) for number in range(lines // BLOCK.count("\n")))


def resident(process):
    """KB of memory that a process has."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


def running(process):
    """Nanoseconds that a process has run."""
    tasks = pathlib.Path(f"/proc/{process.pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks)


def typed(client, uri, count, version, lines):
    """Types and takes back a digit in the middle. The milliseconds of each edit, ordered: those that the
    server runs, and those of the clock."""
    runs, times = [], []
    line = lines // 2 // 10 * 10 + 2
    for number in range(count):
        start = {"line": line, "character": 31}
        end = {"line": line, "character": 31 + number % 2}
        version += 1
        begin, ran = time.perf_counter(), running(client.process)
        client.change(uri, version, ({"start": start, "end": end}, "" if number % 2 else "7"))
        client.messages(uri, version)
        times.append((time.perf_counter() - begin) * 1e3)
        runs.append((running(client.process) - ran) * 1e-6)
    return sorted(runs), sorted(times), version


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tmlc")
    parser.add_argument("--edits", type=int, default=10000)
    options = parser.parse_args()
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        client = Client([options.tmlc, "lsp"])
        client.watch.cancel()
        client.start()
        for lines, limit in LIMITS.items():
            uri = uri_of(f"{folder}/{lines}.tml")
            messages = client.checked(uri, program(lines))
            assert messages == [], messages[:1]
            runs, times, _ = typed(client, uri, 100, 1, lines)
            print(f"{lines} lines: runs {runs[50]:.2f} ms, 95 of 100 times within {runs[95]:.2f} ms; "
                  f"by the clock {times[50]:.2f} and {times[95]:.2f} ms")
            if runs[95] > limit:
                wrong.append(f"{lines} lines: {runs[95]:.1f} ms is more than {limit}")
            client.close(uri)
        uri = uri_of(f"{folder}/memory.tml")
        client.checked(uri, program(200))
        version = typed(client, uri, 500, 1, 200)[2]
        before = resident(client.process)
        typed(client, uri, options.edits, version, 200)
        grown = resident(client.process) - before
        print(f"{options.edits} edits: {before} KB and {grown:+} KB")
        if grown > 1024:
            wrong.append(f"memory grows by {grown} KB")
        ran = running(client.process)
        time.sleep(5)
        ran = (running(client.process) - ran) * 1e-6
        print(f"idle: runs {ran:.2f} ms in 5 s")
        if ran > 5:
            wrong.append("it uses time while it waits")
        wrong += [] if client.finish() == (0, "") else ["it does not end well"]
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
