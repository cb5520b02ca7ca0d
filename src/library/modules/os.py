import os.path as path
import numpy as np

sep = "/"
linesep = "\n"
name = "posix"
environ = {}


def getenv(key, default=None):
    return default


def fspath(path):
    return path.__fspath__() if hasattr(path, "__fspath__") else path


def getcwd():
    return path.abspath(".")


def listdir(path="."):
    return sorted(np.list_folder(fspath(path)))


def mkdir(name, mode=511):
    if path.exists(name):
        raise FileExistsError(f"[Errno 17] File exists: '{name}'")
    np.make_folder(fspath(name))


def makedirs(name, mode=511, exist_ok=False):
    head = path.dirname(fspath(name).rstrip("/"))
    if head and not path.exists(head):
        makedirs(head)
    if not exist_ok or not path.isdir(name):
        mkdir(name)


def remove(name):
    np.remove_file(fspath(name))


unlink = remove


def walk(top):
    folders = []
    files = []
    for name in listdir(top):
        (folders if path.isdir(path.join(top, name)) else files).append(name)
    yield top, folders, files
    for name in folders:
        yield from walk(path.join(top, name))
