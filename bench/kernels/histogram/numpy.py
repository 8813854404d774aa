import numpy


def run(x):
    return numpy.bincount(x & 255, minlength=256)
