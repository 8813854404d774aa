def run(x, y, z):
    shifted = (x + y) * (x - y) + 0.5 * z
    return shifted * shifted - x
