def run(x):
    return x.max() - x.min()
