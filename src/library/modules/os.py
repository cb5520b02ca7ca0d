import os.path as path
import numpy as np

sep = "/"
linesep = "\n"
name = "posix"
environ = {}


def getenv(key, default=None):
    return default


def fspath(path):
    return path


def listdir(path="."):
    return sorted(np.list_folder(path))


def walk(top):
    folders = []
    files = []
    for name in listdir(top):
        (folders if path.isdir(path.join(top, name)) else files).append(name)
    yield top, folders, files
    for name in folders:
        yield from walk(path.join(top, name))
