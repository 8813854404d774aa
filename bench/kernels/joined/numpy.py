import numpy


def run(x):
    turned = x[::-1]
    return numpy.concatenate([turned[:, ::2], turned[:, 1::2]], 1)
