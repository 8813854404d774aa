import numpy


def run(a, b):
    return numpy.linalg.solve(a.reshape(-1, 2, 2), b.reshape(-1, 2))
