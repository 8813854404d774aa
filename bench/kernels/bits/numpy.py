import numpy


def run(x):
    a = x ^ x << numpy.uint32(13)
    b = a ^ a >> numpy.uint32(17)
    c = b ^ b << numpy.uint32(5)
    return ((c & numpy.uint32(0xFF00FF00)) >> numpy.uint32(8)
            | (c & numpy.uint32(0x00FF00FF)) << numpy.uint32(8))
