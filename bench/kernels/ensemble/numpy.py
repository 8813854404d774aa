import numpy as np


def slope(s):
    x, y, z = s
    return np.stack((10 * (y - x), x * (28 - z) - y, x * y - 8.0 / 3 * z))


def run(w):
    s, h = w, 0.01
    for _ in range(20):
        k1 = slope(s)
        k2 = slope(s + 0.005 * k1)
        k3 = slope(s + 0.005 * k2)
        k4 = slope(s + h * k3)
        s = s + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return s
