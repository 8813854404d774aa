def run(x, row, column):
    return x * row + column
