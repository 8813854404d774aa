"""Compiles one example, runs it, and compares its output with the expected values.

    check.py TMLC FOLDER PROGRAM EXPECTED [--in NAME=FILE]... [--out NAME=FILE]...

Input files are those of the folder, output files go to a temporary one. In the expected file, lines
that begin with `#` are comments, and `# relative 1e-9` is the tolerance; all else is compared word
by word, numbers within the tolerance.
"""

import os
import re
import subprocess
import sys
import tempfile

import numpy as np

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|nan)\b", re.IGNORECASE)


def read_expected(path):
    """The expected text without comments, and the relative tolerance."""
    lines, tolerance = [], 0.0
    with open(path) as file:
        for line in file:
            if line.startswith("# relative "):
                tolerance = float(line.split()[2])
            if not line.startswith("#"):
                lines.append(line)
    return "".join(lines), tolerance


def compare_text(got, expected, tolerance):
    """What is wrong with the output, or None."""
    shape = NUMBER.sub("<number>", expected).split()
    if NUMBER.sub("<number>", got).split() != shape:
        return "the text around the numbers differs"
    for found, wanted in zip(NUMBER.findall(got), NUMBER.findall(expected)):
        if not abs(float(found) - float(wanted)) <= tolerance * abs(float(wanted)):
            return f"{found} should be {wanted}, relative tolerance {tolerance}"
    return None


def mandelbrot_counts():
    re, im = np.meshgrid(-2.0 + np.arange(96) / 32.0, 1.0 - np.arange(64) / 32.0)
    x, y, counts = np.zeros((64, 96)), np.zeros((64, 96)), np.zeros((64, 96), np.int32)
    for _ in range(100):
        inside = x * x + y * y <= 4.0
        counts[inside] += 1
        x, y = np.where(inside, x * x - y * y + re, x), np.where(inside, 2.0 * x * y + im, y)
    return counts


def compare_mandelbrot(folder, outputs):
    counts = np.load(outputs["counts"])
    if counts.dtype != np.int32 or not np.array_equal(counts, mandelbrot_counts()):
        return "counts.npy differs from NumPy's counts"
    return None


def compare_convolve(folder, outputs):
    signal, kernel = (np.loadtxt(os.path.join(folder, name + ".csv"), skiprows=1)
                      for name in ("signal", "kernel"))
    smooth = np.loadtxt(outputs["smooth"], delimiter=",")
    expected = np.convolve(signal, kernel)
    if smooth.shape != expected.shape or not np.allclose(smooth, expected, rtol=1e-12, atol=1e-15):
        return "smooth.csv differs from numpy.convolve"
    return None


def compare_spectrum(folder, outputs):
    """With the mean of the powers of all segments, each transformed alone."""
    signal = np.loadtxt(os.path.join(folder, "signal.csv"), skiprows=1)
    table = np.loadtxt(outputs["spectrum"], delimiter=",")
    window = np.sin(np.pi * np.arange(512) / 512) ** 2
    powers = []
    for first in range(0, len(signal) - 511, 256):
        segment = signal[first:first + 512]
        powers.append(np.abs(np.fft.rfft(window * (segment - segment.mean()))) ** 2)
    expected = np.mean(powers, axis=0) / (2048 * np.sum(window**2)) * np.array([1, *[2] * 255, 1])
    if table.shape != (257, 2) or not np.array_equal(table[:, 0], 4.0 * np.arange(257)):
        return "spectrum.csv has other frequencies"
    if not np.allclose(table[:, 1], expected, rtol=1e-10, atol=1e-18):
        return "spectrum.csv differs from numpy.fft.rfft"
    return None


COMPARE_FILES = {"mandelbrot": compare_mandelbrot, "convolve": compare_convolve, "spectrum": compare_spectrum}


def main():
    tmlc, folder, program, expected_file = sys.argv[1:5]
    expected, tolerance = read_expected(os.path.join(folder, expected_file))
    with tempfile.TemporaryDirectory() as scratch:
        executable = os.path.join(scratch, program)
        command, outputs = [executable], {}
        for option, pair in zip(sys.argv[5::2], sys.argv[6::2]):
            name, file = pair.split("=")
            path = os.path.join(folder if option == "--in" else scratch, file)
            command += [option, f"{name}={path}"]
            if option == "--out":
                outputs[name] = path
        subprocess.run([tmlc, os.path.join(folder, program + ".tml"), "-o", executable], check=True)
        run = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        error = compare_text(run.stdout, expected, tolerance)
        if error is None and program in COMPARE_FILES:
            error = COMPARE_FILES[program](folder, outputs)
    if error is not None:
        sys.exit(f"{program}: {error}\n{run.stdout}")


if __name__ == "__main__":
    main()
