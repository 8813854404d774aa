def run(rotation, x):
    return x @ rotation.T
