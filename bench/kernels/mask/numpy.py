import numpy


def run(x, y, on):
    return numpy.where(on & (x > y), x - y, 0.5 * x)
