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
