def run(x):
    return x.cumsum(1)
