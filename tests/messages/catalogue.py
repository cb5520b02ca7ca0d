"""The entries of src/language/CODE.po, for the tests of this folder."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The letters of tests/messages/pseudo: what they become in the language that nobody speaks.
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
MARKED_LETTERS = "ÁƁÇĎÉƑĞĤÍĴĶĻḾÑÓÞɊŔŠŢÚṼŴẊÝŽáƀçďéƒğĥíĵķļḿñóþɋŕšţúṽŵẋýž"
CONVERSION = re.compile(r"%(?:\d\$)?[-+#0-9.*hlzjt]*[a-zA-Z%]")


def entries(path, but=None):
    """The (msgid, msgstr) of a .po file, as C writes them; without those that have a line `but`."""
    found, into, texts, left_out = [], None, {}, False
    for line in [*path.read_text().split("\n"), ""]:
        left_out = left_out or (but is not None and line == but)
        start = re.match(r'(msgid|msgstr) (".*")', line)
        if start:
            into = start[1]
        if not line.strip():
            if texts.get("msgid") and not left_out:
                found.append((texts["msgid"], texts.get("msgstr", "")))
            texts, left_out = {}, False
        elif into and not line.startswith("#"):
            texts[into] = texts.get(into, "") + (start[2] if start else line.strip())[1:-1]
    return found


def own_words(message):
    """The words of a message without its conversions."""
    return re.findall(r"[A-Za-z']+", CONVERSION.sub(" % ", message))
