import numpy


def run(a, b):
    return numpy.linalg.solve(a.reshape(-1, 8, 8), b.reshape(-1, 8))
