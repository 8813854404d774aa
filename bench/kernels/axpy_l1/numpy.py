def run(a, x, y):
    return a * x + y
