import numpy as np


class UnsupportedOperation(OSError):
    pass


class StringIO:
    def __init__(self, initial_value="", newline="\n"):
        self.closed = False
        self._text = initial_value
        self._at = 0
        self._more = []

    def _all(self):
        if self.closed:
            raise ValueError("I/O operation on closed file.")
        if self._more:
            self._text = self._text[:self._at] + "".join(self._more)
            self._at = len(self._text)
            self._more = []
        return self._text

    def readable(self):
        return True

    def writable(self):
        return True

    def read(self, size=-1):
        text = self._all()
        start = self._at
        self._at = len(text) if size is None or size < 0 else min(start + size, len(text))
        return text[start:self._at]

    def readline(self, size=-1):
        text = self._all()
        end = text.find("\n", self._at)
        return self.read(len(text) - self._at if end < 0 else end + 1 - self._at)

    def readlines(self, hint=-1):
        parts = self.read().split("\n")
        last = parts.pop()
        return [part + "\n" for part in parts] + ([last] if last else [])

    def __iter__(self):
        return iter(self.readlines())

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if self.closed:
            raise ValueError("I/O operation on closed file.")
        self._more.append(text)
        return len(text)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def seek(self, offset, whence=0):
        length = len(self._all())
        self._at = min(max(offset + (length if whence == 2 else 0), 0), length)
        return self._at

    def tell(self):
        self._all()
        return self._at

    def getvalue(self):
        return self._all()

    def flush(self):
        pass

    def close(self):
        self.closed = True

    def __enter__(self):
        self._all()
        return self

    def __exit__(self, kind, error, place):
        self.close()


# Files that may hold what is not written yet. The evaluator calls _write_all when an entry ends.
_unwritten = []


def _write_all():
    while _unwritten:
        _unwritten.pop().flush()


class TextIOWrapper(StringIO):
    def __init__(self, file, mode, encoding):
        name = file.__fspath__() if hasattr(file, "__fspath__") else file
        if mode.replace("t", "") not in ("r", "w", "a"):
            raise ValueError(f"open: mode {mode!r} is not there; \"r\" reads a text, \"w\" writes it anew, \"a\" adds to its end")
        code = (encoding or "utf-8").lower().replace("_", "-")
        if code not in ("utf-8", "utf8", "utf-8-sig", "ascii"):
            raise ValueError(f"open: encoding {encoding!r} is not there; files are read and written as \"utf-8\"")
        self._written = "r" in mode
        if "r" in mode:
            _write_all()
        else:
            np.write_text(name, "", append=True)  # makes the file; closing it replaces what it holds
        super().__init__(np.read_text(name) if "r" in mode else "")
        if "r" in mode:
            self._text = self._text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
        self.name = file
        self._path = name
        self.mode = mode
        self.encoding = encoding or "UTF-8"
        if not self._written:
            _unwritten.append(self)

    def readable(self):
        return "r" in self.mode

    def writable(self):
        return "r" not in self.mode

    def read(self, size=-1):
        if not self.readable():
            raise UnsupportedOperation("not readable")
        return super().read(size)

    def readline(self, size=-1):
        if not self.readable():
            raise UnsupportedOperation("not readable")
        return super().readline(size)

    def write(self, text):
        if not self.writable():
            raise UnsupportedOperation("not writable")
        if self._written:
            _unwritten.append(self)
            self._written = False
        return super().write(text)

    def flush(self):
        if not self._written and not self.closed:
            self._written = True
            np.write_text(self._path, self._all(), append="a" in self.mode)
            if "a" in self.mode:
                self._text = ""
                self._at = 0

    def close(self):
        self.flush()
        self.closed = True

    def __repr__(self):
        return f"<_io.TextIOWrapper name={self.name!r} mode={self.mode!r} encoding={self.encoding!r}>"
