class suppress:
    def __init__(self, *kinds):
        self._kinds = kinds

    def __enter__(self):
        pass

    def __exit__(self, kind, error, traceback):
        return kind is not None and issubclass(kind, self._kinds)


class nullcontext:
    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, *error):
        pass


class _Managed:
    def __init__(self, generator):
        self._generator = generator

    def __enter__(self):
        return next(self._generator)

    def __exit__(self, kind, error, traceback):
        if kind is None:
            next(self._generator, None)
            return False
        try:
            self._generator.throw(error)
        except StopIteration:
            return True
        raise RuntimeError("generator didn't stop after throw()")


def contextmanager(function):
    @wraps(function)
    def manage(*args, **options):
        return _Managed(function(*args, **options))
    return manage
