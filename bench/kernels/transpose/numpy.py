import numpy


def run(x):
    return numpy.ascontiguousarray(x.T)
