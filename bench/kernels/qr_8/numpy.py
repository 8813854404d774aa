import numpy


def run(a):
    q, r = numpy.linalg.qr(a)
    sign = numpy.where(numpy.diag(r) < 0, -1.0, 1.0)
    return numpy.stack([q * sign, r * sign[:, None]])
