import numpy


def run(a):
    return numpy.linalg.cholesky(a.reshape(-1, 6, 6))
