"""Prints what train.tml prints, with gradients by hand: python3 backprop.py > expected.txt (needs NumPy)"""

import numpy as np

i = np.arange(80.0)
wanted = i % 2
radius = 1 + wanted + 0.1 * np.sin(7 * i)
points = np.stack([radius * np.cos(0.7 * i), radius * np.sin(0.7 * i)], axis=1)

w1, b1 = np.sin(1 + np.arange(16.0)).reshape(2, 8), np.cos(np.arange(8.0))
w2, b2 = 0.5 * np.sin(3 * np.arange(8.0)), 0.0
parameters, speeds = [w1, b1, w2, b2], [0.0, 0.0, 0.0, 0.0]

print("# By backpropagation written out in backprop.py.")
print("# relative 1e-9")
for epoch in range(201):
    w1, b1, w2, b2 = parameters
    hidden = np.tanh(points @ w1 + b1)
    p = 1 / (1 + np.exp(-(hidden @ w2 + b2)))
    if epoch % 50 == 0:
        loss = -np.mean(wanted * np.log(p) + (1 - wanted) * np.log(1 - p))
        print(f"epoch {epoch} loss {float(loss)!r} right {np.sum((p > 0.5) == (wanted > 0.5))}u")
    d2 = (p - wanted) / len(p)
    d1 = np.outer(d2, w2) * (1 - hidden ** 2)
    gradients = [points.T @ d1, d1.sum(axis=0), hidden.T @ d2, d2.sum()]
    speeds = [0.9 * v - 0.1 * g for v, g in zip(speeds, gradients)]
    parameters = [w + v for w, v in zip(parameters, speeds)]
