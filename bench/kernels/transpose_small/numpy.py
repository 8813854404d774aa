def run(x):
    return 0.5 * (x - x.T)
