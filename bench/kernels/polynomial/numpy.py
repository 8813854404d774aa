def run(c, x):
    value = c[7]
    for k in range(6, -1, -1):
        value = value * x + c[k]
    return value
