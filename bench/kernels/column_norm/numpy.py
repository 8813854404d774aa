import numpy


def run(x):
    centred = x - x.mean(0)
    return centred * (1 / numpy.sqrt((centred * centred).mean(0)))
