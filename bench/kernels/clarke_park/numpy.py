import numpy


def run(phases, angle):
    a, b, c = phases
    alpha, beta = (2 * a - b - c) / 3, (b - c) * numpy.sqrt(1 / 3)
    s, k = numpy.sin(angle), numpy.cos(angle)
    return numpy.stack([alpha * k + beta * s, beta * k - alpha * s])
