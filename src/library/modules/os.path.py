import numpy as np

sep = "/"


def _text(path):
    return path.__fspath__() if hasattr(path, "__fspath__") else path


def join(path, *paths):
    path = _text(path)
    for part in map(_text, paths):
        if part.startswith("/"):
            path = part
        elif not path or path.endswith("/"):
            path += part
        else:
            path += "/" + part
    return path


def split(path):
    path = _text(path)
    at = path.rfind("/") + 1
    head = path[:at]
    return head.rstrip("/") or head, path[at:]


def basename(path):
    return split(path)[1]


def dirname(path):
    return split(path)[0]


def splitext(path):
    path = _text(path)
    at = path.rfind(".")
    start = path.rfind("/") + 1
    if at > start and path[start:at].strip("."):
        return path[:at], path[at:]
    return path, ""


def isabs(path):
    return path.startswith("/")


def normpath(path):
    parts = []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part != ".." or not path.startswith("/"):
            parts.append(part)
    return ("/" if path.startswith("/") else "") + "/".join(parts) or "."


def abspath(path):
    return normpath(np.full_path(_text(path)))


realpath = abspath


def exists(path):
    return np.path_kind(_text(path)) is not None


def isfile(path):
    return np.path_kind(_text(path)) == "file"


def isdir(path):
    return np.path_kind(_text(path)) == "folder"
