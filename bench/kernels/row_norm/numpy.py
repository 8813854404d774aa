import numpy


def run(x):
    centred = x - x.mean(1, keepdims=True)
    return centred * (1 / numpy.sqrt((centred * centred).mean(1, keepdims=True) + 1e-9))
