# Built in: ABC abstractmethod
class ABCMeta:
    pass


def abstractproperty(method):
    return property(abstractmethod(method))


def abstractclassmethod(method):
    return classmethod(abstractmethod(method))


def abstractstaticmethod(method):
    return staticmethod(abstractmethod(method))
