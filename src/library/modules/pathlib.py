import os.path as path
from os import listdir, makedirs, mkdir, remove


class PurePath:
    def __init__(self, *parts):
        whole = path.join("", *parts)
        parts = [part for part in whole.split("/") if part not in ("", ".")]
        self._text = ("/" if whole.startswith("/") else "") + "/".join(parts) or "."

    def __fspath__(self):
        return self._text

    __str__ = as_posix = __fspath__

    def __repr__(self):
        return f"{type(self).__name__}({self._text!r})"

    def __truediv__(self, other):
        return type(self)(self._text, other)

    def __rtruediv__(self, other):
        return type(self)(other, self._text)

    def joinpath(self, *parts):
        return type(self)(self._text, *parts)

    def __eq__(self, other):
        return isinstance(other, PurePath) and self._text == other._text

    def __lt__(self, other):
        return self.parts < other.parts

    def __hash__(self):
        return hash(self._text)

    @property
    def parts(self):
        names = self._text.strip("/").split("/") if self._text.strip("/") not in ("", ".") else []
        return tuple((["/"] if self.is_absolute() else []) + names)

    @property
    def name(self):
        return "" if self._text == "." else path.basename(self._text)

    @property
    def stem(self):
        return path.splitext(self.name)[0]

    @property
    def suffix(self):
        return path.splitext(self.name)[1]

    @property
    def suffixes(self):
        return ["." + part for part in self.name.lstrip(".").split(".")[1:]]

    @property
    def parent(self):
        return type(self)(path.dirname(self._text))

    @property
    def parents(self):
        above = []
        at = self
        while at.parent != at:
            at = at.parent
            above.append(at)
        return above

    def is_absolute(self):
        return self._text.startswith("/")

    def with_name(self, name):
        return self.parent / name

    def with_stem(self, stem):
        return self.with_name(stem + self.suffix)

    def with_suffix(self, suffix):
        return self.with_name(self.stem + suffix)

    def relative_to(self, other):
        begin = type(self)(other)
        if self.parts[:len(begin.parts)] != begin.parts:
            raise ValueError(f"{self._text!r} is not in the subpath of {str(begin)!r}")
        return type(self)(*self.parts[len(begin.parts):])


def _matches(name, pattern):
    if not pattern or not name:
        return pattern.strip("*") == "" and not name
    if pattern[0] == "*":
        return _matches(name, pattern[1:]) or _matches(name[1:], pattern)
    return pattern[0] in (name[0], "?") and _matches(name[1:], pattern[1:])


class PosixPath(PurePath):
    @classmethod
    def cwd(cls):
        return cls(path.abspath("."))

    def absolute(self):
        return type(self)(path.abspath(self))

    resolve = absolute

    def exists(self):
        return path.exists(self)

    def is_file(self):
        return path.isfile(self)

    def is_dir(self):
        return path.isdir(self)

    def open(self, mode="r", buffering=-1, encoding=None, errors=None, newline=None):
        return open(self, mode, encoding=encoding)

    def read_text(self, encoding=None, errors=None):
        with open(self, encoding=encoding) as file:
            return file.read()

    def write_text(self, data, encoding=None, errors=None, newline=None):
        with open(self, "w", encoding=encoding) as file:
            return file.write(data)

    def touch(self):
        open(self, "a").close()

    def mkdir(self, mode=511, parents=False, exist_ok=False):
        if not exist_ok or not self.is_dir():
            (makedirs if parents else mkdir)(self._text)

    def unlink(self, missing_ok=False):
        if not missing_ok or self.exists():
            remove(self)

    def iterdir(self):
        return iter([self / name for name in listdir(self)])

    def glob(self, pattern):
        first, slash, rest = pattern.partition("/")
        if first == "**":
            yield from self.glob(rest)
            for below in self.iterdir():
                if below.is_dir():
                    yield from below.glob(pattern)
            return
        for below in self.iterdir():
            if not _matches(below.name, first):
                continue
            if not slash:
                yield below
            elif below.is_dir():
                yield from below.glob(rest)

    def rglob(self, pattern):
        return self.glob("**/" + pattern)


Path = PosixPath
PurePosixPath = PurePath
