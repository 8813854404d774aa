import numpy


def run(x):
    return numpy.sort(x)
