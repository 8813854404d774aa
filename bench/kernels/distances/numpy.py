import numpy as np


def run(a, b):
    d = a[:, None, :] - b
    return np.sqrt((d * d).sum(axis=2))
