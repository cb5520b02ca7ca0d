def _sorted(items):
    try:
        return sorted(items)
    except TypeError:
        return sorted(items, key=lambda x: (type(x).__name__, str(x)))


def _plain(value, sort_dicts):
    kind = type(value)
    if not value or kind not in (dict, list, tuple, set):
        return repr(value)
    keys = _sorted(value) if kind is set or kind is dict and sort_dicts else value
    if kind is dict:
        items = [_plain(key, sort_dicts) + ": " + _plain(value[key], sort_dicts) for key in keys]
    else:
        items = [_plain(item, sort_dicts) for item in keys]
    begin, end = _brackets(value)
    return begin + ", ".join(items) + end


def _brackets(value):
    if isinstance(value, tuple):
        return "(", ",)" if len(value) == 1 else ")"
    return "[]" if isinstance(value, list) else "{}"


def _wrapped(text, room, after):
    """A string that is too long as shorter ones, with what follows the last one left free."""
    parts = []
    lines = text.splitlines(True)
    for at, line in enumerate(lines):
        words = [word + " " for word in line.split(" ")]
        words[-1] = words[-1][:-1]
        part = ""
        for number, word in enumerate(words):
            last = at == len(lines) - 1 and number == len(words) - 1
            if part and len(repr(part + word)) > room - (after if last else 0):
                parts.append(repr(part))
                part = ""
            part += word
        if part:
            parts.append(repr(part))
    return parts


def pformat(object, indent=1, width=80, *, sort_dicts=True):
    def lines(value, column, after, top=False):
        text = _plain(value, sort_dicts)
        kind = type(value)
        whole = not value or kind not in (dict, list, tuple, set, str)
        if whole or len(text) <= width - column - after:
            return text
        if kind is str:
            parts = _wrapped(value, width - column - top, after + top)
            text = ("\n" + " " * (column + top)).join(parts)
            return f"({text})" if top and len(parts) > 1 else text
        begin, end = _brackets(value)
        items = []
        keys = _sorted(value) if kind is set or kind is dict and sort_dicts else value
        for at, key in enumerate(keys):
            room = after + len(end) if at == len(value) - 1 else 1
            name = _plain(key, sort_dicts) + ": " if kind is dict else ""
            item = value[key] if kind is dict else key
            items.append(name + lines(item, column + indent + len(name), room))
        return begin + " " * (indent - 1) + (",\n" + " " * (column + indent)).join(items) + end
    return lines(object, 0, 0, True)


def pprint(object, stream=None, indent=1, width=80, *, sort_dicts=True):
    print(pformat(object, indent, width, sort_dicts=sort_dicts), file=stream)


def pp(object, stream=None, indent=1, width=80, *, sort_dicts=False):
    pprint(object, stream, indent, width, sort_dicts=sort_dicts)
