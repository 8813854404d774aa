import numpy


def run(re, im):
    c = re + 1j * im[:, None]
    z = numpy.zeros_like(c)
    count = numpy.zeros(c.shape, "i4")
    for _ in range(256):
        inside = z.real * z.real + z.imag * z.imag <= 4
        if not inside.any():
            break
        count += inside
        z = z * z + c
    return count
