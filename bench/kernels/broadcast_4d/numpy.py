def run(a, b, c):
    return a * b + c
