def run(x, origin, factor, weight):
    return (x - origin) * factor * weight
