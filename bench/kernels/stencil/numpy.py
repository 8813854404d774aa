def run(u, r):
    result = u.copy()
    result[1:-1, 1:-1] += r * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
                               - 4 * u[1:-1, 1:-1])
    return result
