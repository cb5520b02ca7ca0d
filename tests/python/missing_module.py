# A module that is not there is an error of the import, which a program may catch.
try:
    import no_such_module as missing
except ImportError as error:
    missing = None
    print(type(error).__name__, error)


def draw():
    from no_such_module.parts import (one, two as other)
    return one, other


try:
    draw()
except ModuleNotFoundError as error:
    print(error)
try:
    from no_such_module import *
except ImportError:
    print("none of it")

import warnings

warnings.filterwarnings("ignore")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
print(missing)
