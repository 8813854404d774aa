def run(a, x):
    return a @ x + x @ a
