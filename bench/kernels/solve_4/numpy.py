import numpy


def run(a, b):
    return numpy.linalg.solve(a.reshape(-1, 4, 4), b.reshape(-1, 4))
