FunctionType = LambdaType = type(lambda: 0)
BuiltinFunctionType = type(print)
GeneratorType = type(x for x in [])
NoneType = type(None)


def MethodType(function, object):
    return lambda *args, **options: function(object, *args, **options)


class SimpleNamespace:
    def __init__(self, **fields):
        self.__dict__.update(fields)

    def __repr__(self):
        return "namespace(" + ", ".join([f"{key}={value!r}" for key, value in self.__dict__.items()]) + ")"

    def __eq__(self, other):
        return isinstance(other, SimpleNamespace) and self.__dict__ == other.__dict__
