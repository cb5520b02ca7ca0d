def _is_split(word, i):
    """Whether a line may end behind the hyphen word[i]: between two letters and two letters."""
    around = [word[j] for j in (i - 2, i - 1, i + 1, i + 2) if 0 <= j < len(word)]
    return word[i] == "-" and len(around) == 4 and "".join(around).replace("_", "a").isalpha()


def _pieces(text):
    """What lines are made of: parts of words, and the spaces between words."""
    begin = 0
    for i in range(1, len(text)):
        if (text[i] == " ") != (text[i - 1] == " ") or _is_split(text, i - 1):
            yield text[begin:i]
            begin = i
    if text:
        yield text[begin:]


def wrap(text, width=70, *, initial_indent="", subsequent_indent="", break_long_words=True):
    if width <= 0:
        raise ValueError(f"invalid width {width!r} (must be > 0)")
    pieces = list(_pieces("".join([" " if c.isspace() else c for c in text.expandtabs()])))
    pieces.reverse()
    lines = []
    while pieces:
        indent = subsequent_indent if lines else initial_indent
        room = width - len(indent)
        line = []
        if lines and not pieces[-1].strip():
            pieces.pop()
        while pieces and len(pieces[-1]) <= room:
            line.append(pieces.pop())
            room -= len(line[-1])
        if pieces and len(pieces[-1]) > width - len(indent):
            piece = pieces.pop()
            at = len(piece)
            if break_long_words:
                at = max(room, 0 if width > len(indent) else 1)
                hyphen = piece.rfind("-", 0, at) + 1
                if piece[:hyphen].strip("-"):
                    at = hyphen
            if break_long_words or not line:
                line.append(piece[:at])
                piece = piece[at:]
            if piece:
                pieces.append(piece)
        if line and not line[-1].strip():
            line.pop()
        if line:
            lines.append(indent + "".join(line))
    return lines


def fill(text, width=70, **options):
    return "\n".join(wrap(text, width, **options))


def shorten(text, width, placeholder=" [...]"):
    line = " ".join(text.split())
    if len(line) <= width:
        return line
    pieces = list(_pieces(line))
    while pieces and len("".join(pieces).rstrip() + placeholder) > width:
        pieces.pop()
    return ("".join(pieces).rstrip() + placeholder).lstrip()


def indent(text, prefix, predicate=None):
    chosen = predicate or (lambda line: line.strip())
    return "".join([(prefix if chosen(line) else "") + line for line in text.splitlines(True)])


def dedent(text):
    lines = [line if line.strip() else line.strip(" \t") for line in text.split("\n")]
    full = [line for line in lines if line]
    margin = 0
    if full:
        first, last = min(full), max(full)
        while margin < len(first) and first[margin] == last[margin] and first[margin] in " \t":
            margin += 1
    return "\n".join([line[margin:] for line in lines])
