class catch_warnings:
    def __init__(self, *options, **more):
        pass

    def __enter__(self):
        return []

    def __exit__(self, *error):
        pass


def filterwarnings(*options, **more):
    pass


def simplefilter(*options, **more):
    pass


def resetwarnings():
    pass


def warn(message, category=UserWarning, stacklevel=1):
    import sys
    print(f"{category.__name__}: {message}", file=sys.stderr)
