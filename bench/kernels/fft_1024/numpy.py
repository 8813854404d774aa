import numpy


def run(z):
    y = numpy.fft.fft(z.reshape(1024, 2).view(complex)[:, 0])
    return y.view(float).reshape(1024, 2)
