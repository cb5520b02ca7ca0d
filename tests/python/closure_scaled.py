def scaler(factor, offset=0):
    """Makes a function that scales and moves."""
    def scale(x):
        return factor * x + offset
    return scale

functions = [scaler(2), scaler(3, offset=1), scaler(factor=-1, offset=10)]
for f in functions:
    print([f(x) for x in range(5)])
