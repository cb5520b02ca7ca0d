import numpy as np


class JSONDecodeError(ValueError):
    pass


def _string(text, ascii):
    text = np.json(text)
    if not ascii or all(ord(c) < 128 for c in text):
        return text
    codes = []
    for c in text:
        n = ord(c)
        if n < 128:
            codes.append(c)
        elif n < 65536:
            codes.append(f"\\u{n:04x}")
        else:
            codes.append(f"\\u{55296 + (n - 65536) // 1024:04x}\\u{56320 + n % 1024:04x}")
    return "".join(codes)


def _plain(x):
    if isinstance(x, float) and not np.isfinite(x):
        return "NaN" if x != x else "Infinity" if x > 0 else "-Infinity"
    return np.json(x)


def _write(x, how, inner):
    if isinstance(x, str):
        return _string(x, how["ascii"])
    pairs = isinstance(x, dict)
    if not pairs and not isinstance(x, (list, tuple)):
        try:
            return _plain(x)
        except TypeError:
            if how["default"] is None:
                raise TypeError(f"Object of type {type(x).__name__} is not JSON serializable")
            return _write(how["default"](x), how, inner)
    if not x:
        return "{}" if pairs else "[]"
    deeper = inner if how["indent"] is None else inner + how["indent"]
    if pairs:
        items = sorted(x.items()) if how["sort"] else x.items()
        parts = [_key(key, how) + how["colon"] + _write(value, how, deeper) for key, value in items]
    else:
        parts = [_write(value, how, deeper) for value in x]
    begin, end = ("{", "}") if pairs else ("[", "]")
    if how["indent"] is None:
        return begin + how["comma"].join(parts) + end
    return begin + deeper + (how["comma"] + deeper).join(parts) + inner + end


def _key(key, how):
    if isinstance(key, str):
        return _string(key, how["ascii"])
    if key is None or isinstance(key, (bool, int, float)):
        return f'"{_plain(key)}"'
    raise TypeError(f"keys must be str, int, float, bool or None, not {type(key).__name__}")


class JSONEncoder:
    def __init__(self, **options):
        self._options = options

    def default(self, o):
        raise TypeError(f"Object of type {type(o).__name__} is not JSON serializable")

    def encode(self, o):
        return dumps(o, default=self.default, **self._options)


def dumps(obj, *, cls=None, ensure_ascii=True, indent=None, separators=None, default=None,
          sort_keys=False):
    if cls is not None:
        default = cls().default
    if isinstance(indent, (int, float)):
        indent = " " * indent
    if separators is None:
        separators = (", " if indent is None else ",", ": ")
    how = {"ascii": ensure_ascii, "default": default, "sort": sort_keys}
    how["indent"] = indent
    how["comma"], how["colon"] = separators
    return _write(obj, how, "\n")


def dump(obj, fp, **options):
    fp.write(dumps(obj, **options))


_escapes = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", "\\": "\\", '"': '"'}
_words = {"true": True, "false": False, "null": None, "NaN": np.nan, "Infinity": np.inf, "-Infinity": -np.inf}


class _Reader:
    def __init__(self, text, hook=None):
        self.text = text
        self.at = 0
        self.hook = hook

    def fail(self, what, at):
        line = self.text.count("\n", 0, at) + 1
        column = at - self.text.rfind("\n", 0, at)
        raise JSONDecodeError(f"{what}: line {line} column {column} (char {at})")

    def peek(self):
        text = self.text
        while self.at < len(text) and text[self.at] in " \t\n\r":
            self.at += 1
        return text[self.at:self.at + 1]

    def code(self, at):
        digits = self.text[at:at + 4]
        if len(digits) < 4 or any(c not in "0123456789abcdefABCDEF" for c in digits):
            self.fail("Invalid \\uXXXX escape", at)
        return int(digits, 16)

    def string(self):
        text = self.text
        begin = self.at
        at = begin + 1
        parts = []
        while True:
            end = text.find('"', at)
            if end < 0:
                self.fail("Unterminated string starting at", begin)
            slash = text.find("\\", at, end)
            stop = end if slash < 0 else slash
            part = text[at:stop]
            if "\n" in part:
                self.fail("Invalid control character at", at + part.find("\n"))
            parts.append(part)
            if slash < 0:
                self.at = end + 1
                return "".join(parts)
            c = text[slash + 1:slash + 2]
            at = slash + 2
            if c == "u":
                n = self.code(at)
                at += 4
                if 55296 <= n < 56320 and text[at:at + 2] == "\\u":
                    low = self.code(at + 2)
                    if 56320 <= low < 57344:
                        n = 65536 + (n - 55296) * 1024 + low - 56320
                        at += 6
                parts.append(chr(n))
            elif c in _escapes:
                parts.append(_escapes[c])
            else:
                self.fail("Invalid \\escape", slash)

    def items(self, end, read, out):
        self.at += 1
        if self.peek() == end:
            self.at += 1
            return out
        while True:
            read(out)
            c = self.peek()
            self.at += 1
            if c == end:
                return out
            if c != ",":
                self.fail("Expecting ',' delimiter", self.at - 1)

    def pair(self, out):
        if self.peek() != '"':
            self.fail("Expecting property name enclosed in double quotes", self.at)
        key = self.string()
        if self.peek() != ":":
            self.fail("Expecting ':' delimiter", self.at)
        self.at += 1
        out[key] = self.value()

    def pairs(self, out):
        pair = {}
        self.pair(pair)
        out.extend(pair.items())

    def item(self, out):
        out.append(self.value())

    def value(self):
        c = self.peek()
        if c == '"':
            return self.string()
        if c == "{":
            if self.hook is not None:
                return self.hook(self.items("}", self.pairs, []))
            return self.items("}", self.pair, {})
        if c == "[":
            return self.items("]", self.item, [])
        start = end = self.at
        text = self.text
        while end < len(text) and (text[end].isalnum() or text[end] in "+-."):
            end += 1
        word = text[start:end]
        self.at = end
        if word in _words:
            return _words[word]
        number, e, power = word.lower().removeprefix("-").partition("e")
        whole, point, fraction = number.partition(".")
        if power[:1] in ("+", "-"):
            power = power[1:]
        good = whole.isdigit() and (whole == "0" or whole[0] != "0")
        if not good or (point and not fraction.isdigit()) or (e and not power.isdigit()):
            self.fail("Expecting value", start)
        return float(word) if point or e else int(word)


def loads(s, *, cls=None, object_hook=None, object_pairs_hook=None):
    if cls is not None:
        return cls(object_hook=object_hook).decode(s) if object_hook else cls().decode(s)
    if object_hook is not None:
        object_pairs_hook = lambda pairs: object_hook(dict(pairs))
    reader = _Reader(s, object_pairs_hook)
    value = reader.value()
    if reader.peek():
        reader.fail("Extra data", reader.at)
    return value


def load(fp, **options):
    return loads(fp.read(), **options)


class JSONDecoder:
    def __init__(self, *, object_hook=None, object_pairs_hook=None):
        self._hooks = {"object_hook": object_hook, "object_pairs_hook": object_pairs_hook}

    def decode(self, s):
        return loads(s, **self._hooks)
