import numpy


def run(x, xs, ys):
    return numpy.interp(x, xs, ys)
