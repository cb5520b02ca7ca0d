import re as _re
from re import (
    A, ASCII, I, IGNORECASE, M, MULTILINE, S, DOTALL, U, UNICODE, X, VERBOSE, Match, Pattern,
    error, escape, purge,
)


def compile(pattern, flags=0):
    return _re._compile(pattern, flags, True)


match, fullmatch, search, findall, finditer, split, sub, subn = _re._functions(compile)
