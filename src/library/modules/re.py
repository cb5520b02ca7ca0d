import numpy as np

A = ASCII = 256
I = IGNORECASE = 2
L = LOCALE = 4
M = MULTILINE = 8
S = DOTALL = 16
U = UNICODE = 32
X = VERBOSE = 64
NOFLAG = 0
_flags = {"a": A, "i": I, "L": L, "m": M, "s": S, "u": U, "x": X}
_flag_names = {A: "ASCII", I: "IGNORECASE", M: "MULTILINE", S: "DOTALL", X: "VERBOSE"}

# PCRE2 has no flag for ASCII alone, and its \s and, from 10.43 on, its \w are not Python's.
_ascii = {"d": "0-9", "D": r"\x00-/:-\x{10ffff}",
          "s": r"\t-\r ", "S": r"\x00-\x08\x0e-\x1f!-\x{10ffff}",
          "w": "0-9A-Za-z_", "W": r"\x00-/:-@\[-\^`\{-\x{10ffff}"}
_unicode = {"d": r"\d", "D": r"\D", "s": r"\s\x1c-\x1f", "S": r"\S", "w": r"\p{Xan}_", "W": r"\W"}
_alone = {"d": r"\d", "D": r"\D", "s": r"[\s\x1c-\x1f]", "S": r"[^\s\x1c-\x1f]",
          "w": r"[\p{Xan}_]", "W": r"[^\p{Xan}_]"}
_ascii_edges = {"b": r"(?:(?<=[\w])(?![\w])|(?<![\w])(?=[\w]))".replace(r"\w", _ascii["w"]),
                "B": r"(?:(?<=[\w])(?=[\w])|(?<![\w])(?![\w]))".replace(r"\w", _ascii["w"])}
_controls = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
             "\\": "\\"}
_hex_digits = {"x": 2, "u": 4, "U": 8}


class error(Exception):
    def __init__(self, words, msg=None, pattern=None, pos=None):
        self.msg, self.pattern, self.pos = msg or words, pattern, pos
        self.lineno = self.colno = None
        if pos is not None:
            self.lineno = pattern.count("\n", 0, pos) + 1
            self.colno = pos - pattern.rfind("\n", 0, pos)
        super().__init__(words)


PatternError = error


def _is_ascii_letter(c):
    return c.isascii() and c.isalpha()


def _is_digits(text):
    return text.isascii() and text.isdigit()


class _Source:
    """A text that is read from left to right: a pattern or a template."""

    def __init__(self, text):
        self.text = text
        self.at = 0

    def fail(self, msg, pos):
        if "\n" not in self.text:
            raise error(f"{msg} at position {pos}", msg, self.text, pos)
        line, column = self.text.count("\n", 0, pos) + 1, pos - self.text.rfind("\n", 0, pos)
        raise error(f"{msg} at position {pos} (line {line}, column {column})",
                    msg, self.text, pos)

    def peek(self):
        return self.text[self.at:self.at + 1]

    def next(self):
        c = self.peek()
        self.at += 1
        return c

    def take(self, c):
        found = self.peek() == c
        self.at += found
        return found

    def some(self, among, most):
        begin = self.at
        while self.at < begin + most and self.peek() and self.peek() in among:
            self.at += 1
        return self.text[begin:self.at]

    def name(self, end):
        begin = self.at
        close = self.text.find(end, begin)
        if close == begin or begin == len(self.text):
            self.fail("missing group name", begin)
        if close < 0:
            self.fail(f"missing {end}, unterminated name", begin)
        self.at = close + 1
        return self.text[begin:close]

    def is_octal(self, number):
        """Takes a third digit: \\101 is an A, \\10 a group."""
        octal = len(number) == 2 and all(d in "01234567" for d in number)
        return octal and self.some("01234567", 1) != ""

    def octal(self, begin):
        """The character of octal digits that end here, which began behind the \\ at `begin`."""
        escape = self.text[begin:self.at]
        code = int(escape[1:], 8)
        if code > 255:
            self.fail(f"octal escape value {escape} outside of range 0-0o377", begin)
        return chr(code)


class _Translator(_Source):
    """Reads a pattern as Python has it, and writes what means the same to PCRE2."""

    def __init__(self, text, flags, properties):
        super().__init__(text)
        self.flags, self.properties = flags, properties
        self.groups = 0
        self.names = {}
        self.open = []
        self.later = []  # (number, position) of the groups that conditions ask for

    def whole(self):
        written = self.branches(self.flags, True)
        if self.peek():
            self.fail("unbalanced parenthesis", self.at)
        for number, at in self.later:
            if number > self.groups:
                self.fail(f"invalid group reference {number}", at)
        letters = "".join([c for c in "ims" if self.flags & _flags[c]])
        return f"(?{letters}){written}" if letters else written

    def branches(self, flags, top=False):
        written = [self.branch(flags, top)]
        while self.take("|"):
            written.append(self.branch(self.flags if top else flags))
        return "|".join(written)

    def branch(self, flags, first=False):
        parts = []
        before = "nothing"  # that a repetition could repeat
        while self.peek() and self.peek() not in "|)":
            begin = self.at
            c = self.next()
            if first:
                flags = self.flags
            if flags & X and c in " \t\n\r\v\f":
                continue
            if flags & X and c == "#":
                end = self.text.find("\n", begin)
                self.at = len(self.text) if end < 0 else end + 1
                continue
            times = self.times(c)
            if times:
                if before == "nothing":
                    self.fail("nothing to repeat", begin)
                if before == "repeated":
                    self.fail("multiple repeat", begin)
                parts.append(times + self.some("?+", 1))
                before = "repeated"
                continue
            if c == "(":
                part = self.group(begin, flags, first and not parts)
                if part is None:
                    continue
            elif c == "\\":
                part = self.escape(begin, flags)
            elif c == "[":
                part = self.set(begin, flags)
            else:
                part = c if c in "^$." else self.literal(c)
            parts.append(part)
            edge = c in "^$" or c == "\\" and self.text[begin + 1] in "AZbB"
            before = "nothing" if edge else "item"
        return "".join(parts)

    def literal(self, c):
        return "\\" + c if ord(c) < 128 and not c.isalnum() else c

    def times(self, c):
        if c in "*+?":
            return c
        begin = self.at
        if c != "{" or self.peek() == "}":
            return ""
        least = most = self.some("0123456789", 99)
        if self.take(","):
            most = self.some("0123456789", 99)
        if not self.take("}"):
            self.at = begin
            return ""
        if most and int(most) < int(least or 0):
            self.fail("min repeat greater than max repeat", begin)
        exact = self.text[begin:self.at - 1] == least
        return f"{{{least}}}" if exact else f"{{{least or 0},{most}}}"

    def code(self, begin, c):
        """The character of \\x41, \\u4e2d or \\U0001f600."""
        digits = self.some("0123456789abcdefABCDEF", _hex_digits[c])
        if len(digits) < _hex_digits[c]:
            self.fail(f"incomplete escape \\{c}{digits}", begin)
        code = int(digits, 16)
        if code > 1114111 or 55296 <= code < 57344:
            self.fail(f"bad escape \\{c}{digits}", begin)
        return chr(code)

    def any_escape(self, begin, c):
        """What means the same in a set and outside of one: a character. Else None, or an error."""
        if not c:
            self.fail("bad escape (end of pattern)", begin)
        if c in _hex_digits:
            return self.code(begin, c)
        if c == "N":
            if not self.take("{"):
                self.fail("missing {", self.at)
            name = self.name("}")
            self.fail(f"undefined character name {name!r}", begin)
        if c in _controls:
            return _controls[c]
        if _is_ascii_letter(c) or _is_digits(c):
            self.fail(f"bad escape \\{c}", begin)
        return c

    def property(self, c):
        if not self.properties or c not in ("p", "P"):
            return ""
        return "\\" + c + ("{" + self.name("}") + "}" if self.take("{") else self.next())

    def escape(self, begin, flags):
        c = self.next()
        if c and c in "AZ":
            return r"\A" if c == "A" else r"\z"
        if c and c in "bB":
            return _ascii_edges[c] if flags & A else "\\" + c
        if c in _alone:
            return f"[{_ascii[c]}]" if flags & A else _alone[c]
        if c == "0":
            self.some("01234567", 2)
            return self.literal(self.octal(begin))
        if c and _is_digits(c):
            number = c + self.some("0123456789", 1)
            if self.is_octal(number):
                return self.literal(self.octal(begin))
            return self.reference(int(number), begin + 1)
        return self.property(c) or self.literal(self.any_escape(begin, c))

    def reference(self, number, at):
        if not 0 < number <= self.groups:
            self.fail(f"invalid group reference {number}", at)
        if number in self.open:
            self.fail("cannot refer to an open group", at - (self.text[at - 1] == "\\"))
        return f"\\g{{{number}}}"

    def member(self, opened, flags):
        """One item of a set: what is written, and its character, or None."""
        begin = self.at
        c = self.next()
        if not c:
            self.fail("unterminated character set", opened)
        if c != "\\":
            return self.literal(c), c
        c = self.next()
        if c in _ascii:
            return (_ascii if flags & A else _unicode)[c], None
        if c and c in "01234567":
            self.some("01234567", 2)
            c = self.octal(begin)
            return self.literal(c), c
        property = self.property(c)
        if property:
            return property, None
        c = self.any_escape(begin, c)
        return self.literal(c), c

    def set(self, opened, flags):
        parts = ["[^" if self.take("^") else "["]
        first = self.at
        while self.at == first or not self.take("]"):
            begin = self.at
            part, low = self.member(opened, flags)
            parts.append(part)
            if not self.take("-"):
                continue
            if self.peek() == "]":
                parts.append(r"\-")
                continue
            part, high = self.member(opened, flags)
            if low is None or high is None or ord(high) < ord(low):
                self.fail(f"bad character range {self.text[begin:self.at]}", begin)
            parts.append("-" + part)
        return "".join(parts) + "]"

    def group(self, opened, flags, first):
        """Reads on behind a (; None: it is a comment or sets flags."""
        if not self.take("?"):
            return self.capture(opened, flags)
        c = self.next()
        if not c:
            self.fail("unexpected end of pattern", self.at - 1)
        if c == "P":
            return self.named(opened, flags)
        if c == "#":
            end = self.text.find(")", self.at)
            if end < 0:
                self.fail("missing ), unterminated comment", opened)
            self.at = end + 1
            return None
        if c == "(":
            return self.condition(opened, flags)
        if c == "<":
            look = self.next()
            if not look:
                self.fail("unexpected end of pattern", self.at - 1)
            if look not in "=!":
                self.fail(f"unknown extension ?<{look}", opened + 1)
            return self.rest("(?<" + look, opened, flags)
        if c in ":=!>":
            return self.rest("(?" + c, opened, flags)
        if c != "-" and c not in _flags:
            self.fail(f"unknown extension ?{c}{self.next() if c == '\\' else ''}", opened + 1)
        return self.inline(c, opened, flags, first)

    def rest(self, head, opened, flags):
        inner = self.branches(flags)
        if not self.take(")"):
            self.fail("missing ), unterminated subpattern", opened)
        return head + inner + ")"

    def capture(self, opened, flags):
        self.groups += 1
        self.open.append(self.groups)
        written = self.rest("(", opened, flags)
        self.open.pop()
        return written

    def named(self, opened, flags):
        c = self.next()
        if not c:
            self.fail("unexpected end of pattern", self.at - 1)
        if c not in "<=":
            self.fail(f"unknown extension ?P{c}", opened + 1)
        begin = self.at
        name = self.name(">" if c == "<" else ")")
        if not name.isidentifier():
            self.fail(f"bad character in group name {name!r}", begin)
        if c == "=":
            return self.reference(self.number(name, begin), begin)
        if name in self.names:
            self.fail(f"redefinition of group name {name!r} as group {self.groups + 1}; "
                      f"was group {self.names[name]}", begin)
        self.names[name] = self.groups + 1
        return self.capture(opened, flags)

    def number(self, name, at):
        if name not in self.names:
            self.fail(f"unknown group name {name!r}", at)
        return self.names[name]

    def condition(self, opened, flags):
        begin = self.at
        name = self.name(")")
        if name.isidentifier():
            number = self.number(name, begin)
        elif not _is_digits(name):
            self.fail(f"bad character in group name {name!r}", begin)
        else:
            number = int(name)
            if number == 0:
                self.fail("bad group number", begin)
            self.later.append((number, begin))
        written = self.branch(flags)
        if self.take("|"):
            written += "|" + self.branch(flags)
            if self.peek() == "|":
                self.fail("conditional backref with more than two branches", self.at)
        if not self.take(")"):
            self.fail("missing ), unterminated subpattern", opened)
        return f"(?({number}){written})"

    def inline(self, c, opened, flags, first):
        on = off = 0
        while c not in ("-", ")", ":"):
            on |= self.flag(c, "missing -, : or )")
            if c == "L":
                self.fail("bad inline flags: cannot use 'L' flag with a str pattern", self.at)
            if on & A and on & U:
                self.fail("bad inline flags: flags 'a', 'u' and 'L' are incompatible", self.at)
            c = self.next()
        if c == ")":
            if not first:
                self.fail("global flags not at the start of the expression", opened)
            self.flags |= on
            return None
        if c == "-":
            c = self.next()
            off = self.flag(c, "missing flag")
            while c != ":":
                off |= self.flag(c, "missing :")
                if off & (A | L | U):
                    self.fail("bad inline flags: cannot turn off flags 'a', 'u' and 'L'", self.at)
                c = self.next()
            if on & off:
                self.fail("bad inline flags: flag turned on and off", self.at - 1)
        head = "(?" + "".join([c for c in "ims" if on & _flags[c]])
        without = "".join([c for c in "ims" if off & _flags[c]])
        if on & (A | U):
            flags &= ~(A | U)
        head += ("-" + without if without else "") + ":"
        return self.rest(head, opened, (flags | on) & ~off)

    def flag(self, c, missing):
        if c not in _flags:
            self.fail("unknown flag" if c.isalpha() else missing, self.at - 1)
        return _flags[c]


class Match:
    def __init__(self, re, string, pos, endpos, spans):
        self.re, self.string, self._spans = re, string, spans
        self.pos = min(max(pos, 0), len(string))
        self.endpos = len(string) if endpos is None else min(max(endpos, 0), len(string))

    def _number(self, group):
        number = self.re.groupindex.get(group, -1) if isinstance(group, str) else group
        if not 0 <= number <= self.re.groups:
            raise IndexError("no such group")
        return number

    def span(self, group=0):
        at = 2 * self._number(group)
        return self._spans[at:at + 2]

    def start(self, group=0):
        return self.span(group)[0]

    def end(self, group=0):
        return self.span(group)[1]

    def _text(self, group, default=None):
        start, end = self.span(group)
        return self.string[start:end] if start >= 0 else default

    def __getitem__(self, group):
        return self._text(group)

    def group(self, *groups):
        if len(groups) < 2:
            return self._text(*groups) if groups else self._text(0)
        return tuple([self._text(group) for group in groups])

    def groups(self, default=None):
        return tuple([self._text(i + 1, default) for i in range(self.re.groups)])

    def groupdict(self, default=None):
        return {name: self._text(name, default) for name in self.re.groupindex}

    def expand(self, template):
        parts = _template(template, self.re)
        return "".join([p if isinstance(p, str) else self._text(p, "") for p in parts])

    @property
    def lastindex(self):
        return self._spans[-1] or None

    @property
    def lastgroup(self):
        names = [name for name, number in self.re.groupindex.items() if number == self.lastindex]
        return names[0] if names else None

    @property
    def regs(self):
        return tuple([self.span(i) for i in range(self.re.groups + 1)])

    def __repr__(self):
        return f"<re.Match object; span={self.span()}, match={self[0]!r}>"


def _template(text, pattern):
    """The strings and the numbers of groups that a replacement is made of."""
    source = _Source(text)
    parts = []
    while source.peek():
        begin = source.at
        end = text.find("\\", begin)
        source.at = len(text) if end < 0 else end
        parts.append(text[begin:source.at])
        begin = source.at
        if not source.take("\\"):
            break
        c = source.next()
        if not c:
            source.fail("bad escape (end of pattern)", begin)
        if c == "g":
            parts.append(_group_of_template(source, pattern))
        elif c == "0":
            source.some("01234567", 2)
            parts.append(source.octal(begin))
        elif _is_digits(c):
            number = c + source.some("0123456789", 1)
            if source.is_octal(number):
                parts.append(source.octal(begin))
            else:
                parts.append(_group_number(source, int(number), pattern, begin + 1))
        elif c in _controls:
            parts.append(_controls[c])
        elif _is_ascii_letter(c):
            source.fail(f"bad escape \\{c}", begin)
        else:
            parts.append("\\" + c)
    return parts


def _group_of_template(source, pattern):
    if not source.take("<"):
        source.fail("missing <", source.at)
    begin = source.at
    name = source.name(">")
    if _is_digits(name):
        return _group_number(source, int(name), pattern, begin)
    if not name.isidentifier():
        source.fail(f"bad character in group name {name!r}", begin)
    if name not in pattern.groupindex:
        raise IndexError(f"unknown group name {name!r}")
    return pattern.groupindex[name]


def _group_number(source, number, pattern, at):
    if number > pattern.groups:
        source.fail(f"invalid group reference {number}", at)
    return number


class Pattern:
    def __init__(self, pattern, flags, properties):
        reader = _Translator(pattern, flags, properties)
        written = reader.whole()
        self.pattern = pattern
        self.flags = reader.flags | (0 if reader.flags & A else U)
        self.groups = reader.groups
        self.groupindex = reader.names
        try:
            self._regex = np.regex(written)
        except MemoryError:
            raise
        except ValueError as wrong:
            raise error(str(wrong))

    def _first(self, how, string, pos, endpos):
        found = self._regex.spans(string, pos, endpos, 1, how)
        return Match(self, string, pos, endpos, found[0]) if found else None

    def search(self, string, pos=0, endpos=None):
        return self._first("search", string, pos, endpos)

    def match(self, string, pos=0, endpos=None):
        return self._first("match", string, pos, endpos)

    def fullmatch(self, string, pos=0, endpos=None):
        return self._first("fullmatch", string, pos, endpos)

    def finditer(self, string, pos=0, endpos=None):
        found = self._regex.spans(string, pos, endpos)
        return (Match(self, string, pos, endpos, spans) for spans in found)

    def findall(self, string, pos=0, endpos=None):
        found = self._regex.spans(string, pos, endpos)
        if self.groups < 2:
            at = 2 * self.groups
            return [string[spans[at]:spans[at + 1]] for spans in found]
        columns = [2 * i + 2 for i in range(self.groups)]
        return [tuple([string[spans[at]:spans[at + 1]] for at in columns]) for spans in found]

    def split(self, string, maxsplit=0):
        parts = []
        end = 0
        columns = [2 * i + 2 for i in range(self.groups)]
        for spans in self._regex.spans(string, 0, None, maxsplit or None):
            parts.append(string[end:spans[0]])
            for at in columns:
                parts.append(string[spans[at]:spans[at + 1]] if spans[at] >= 0 else None)
            end = spans[1]
        parts.append(string[end:])
        return parts

    def subn(self, repl, string, count=0):
        made = None if callable(repl) else _template(repl, self)
        parts = []
        end = 0
        found = self._regex.spans(string, 0, None, count or None)
        for spans in found:
            parts.append(string[end:spans[0]])
            end = spans[1]
            if made is None:
                parts.append(repl(Match(self, string, 0, None, spans)))
                continue
            for part in made:
                if not isinstance(part, str):
                    part = string[spans[2 * part]:spans[2 * part + 1]]
                parts.append(part)
        parts.append(string[end:])
        return "".join(parts), len(found)

    def sub(self, repl, string, count=0):
        return self.subn(repl, string, count)[0]

    def __repr__(self):
        names = ["re." + _flag_names[flag] for flag in sorted(_flag_names) if self.flags & flag]
        return f"re.compile({self.pattern!r}{', ' if names else ''}{'|'.join(names)})"


_compiled = {}


def _compile(pattern, flags, properties):
    if isinstance(pattern, Pattern):
        if flags:
            raise ValueError("cannot process flags argument with a compiled pattern")
        return pattern
    if not isinstance(pattern, str):
        raise TypeError("first argument must be string or compiled pattern")
    if flags & L:
        raise ValueError("cannot use LOCALE flag with a str pattern")
    if flags & A and flags & U:
        raise ValueError("ASCII and UNICODE flags are incompatible")
    key = (pattern, flags, properties)
    if key not in _compiled:
        if len(_compiled) >= 512:
            _compiled.clear()
        _compiled[key] = Pattern(pattern, flags, properties)
    return _compiled[key]


def compile(pattern, flags=0):
    return _compile(pattern, flags, False)


def _functions(compile):
    """The functions that take a pattern, for this module and for regex."""
    def match(pattern, string, flags=0):
        return compile(pattern, flags).match(string)

    def fullmatch(pattern, string, flags=0):
        return compile(pattern, flags).fullmatch(string)

    def search(pattern, string, flags=0):
        return compile(pattern, flags).search(string)

    def findall(pattern, string, flags=0):
        return compile(pattern, flags).findall(string)

    def finditer(pattern, string, flags=0):
        return compile(pattern, flags).finditer(string)

    def split(pattern, string, maxsplit=0, flags=0):
        return compile(pattern, flags).split(string, maxsplit)

    def sub(pattern, repl, string, count=0, flags=0):
        return compile(pattern, flags).sub(repl, string, count)

    def subn(pattern, repl, string, count=0, flags=0):
        return compile(pattern, flags).subn(repl, string, count)

    return match, fullmatch, search, findall, finditer, split, sub, subn


match, fullmatch, search, findall, finditer, split, sub, subn = _functions(compile)


def escape(pattern):
    return "".join(["\\" + c if c in "()[]{}?*+-|^$\\.&~# \t\n\r\v\f" else c for c in pattern])


def purge():
    _compiled.clear()
