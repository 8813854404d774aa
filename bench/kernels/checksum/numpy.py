import numpy


def run(x):
    found = numpy.full(1024, 2166136261, "u4")
    for k in range(16):
        found = (found ^ x[:, k]) * numpy.uint32(16777619)
    return found
