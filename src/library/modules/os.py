import os.path as path

sep = "/"
linesep = "\n"
name = "posix"
environ = {}


def getenv(key, default=None):
    return default


def fspath(path):
    return path
