def run(u, r):
    u = u.copy()
    for _ in range(64):
        u[1:-1] += r * (u[:-2] + u[2:] - 2 * u[1:-1])
    return u
