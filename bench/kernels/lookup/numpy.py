import numpy


def run(knots, values, x):
    return numpy.interp(x, knots, values)
