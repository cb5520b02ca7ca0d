"""Tokens as labels of pictures: every byte of them is text, to gnuplot too. And
a gnuplot that is missing, dies or hangs costs nothing but an error."""
import html
import json
import os
import re
import shutil
import stat
import time

from program import FULL, PATIENCE, Terminal, check, finish, path, run

GNUPLOT = shutil.which("gnuplot")
canary = path("canary")
HOSTILE = [
    "]]>",
    f"`touch {canary}`", f"$(touch {canary})", f'"; system("touch {canary}"); "', f"'; system('touch {canary}'); '", f"\\`touch {canary}\\`", f"|touch {canary}",
    f'" ; !touch {canary}', f"@system('touch {canary}')", f"%`touch {canary}`%", "%s %d %n %%", "%g", "%", "a^b_c", "{/Symbol a}", "{", "}", "&{x}", "~a{.8-}", "@macro", "\\", "\\\\", "\\n",
    "\\101", '"', "'", '""', "''", "#", ";", "&amp;", "<b>", "</text>", "<!--", "a\tb", "  two  spaces  ", " ", "查询", "猫🐈", "👩‍👩‍👧", "é́", "עברית", "\u202eabc", "\ufeff", "$x", "${x}", "\x01\x1b[31m", "\x7f",
]


def literal(text):
    """A string of the language."""
    return json.dumps(text, ensure_ascii=False).replace("\\u0001", "\\x01").replace("\\u001b", "\\x1b").replace("\\u007f", "\\x7f")


def setup(labels):
    return f"set tokens [{', '.join(literal(label) for label in labels)}]; X = eye({len(labels)}); attend;\n"


def texts(svg):
    """The text elements of an SVG, as a reader of it sees them."""
    return [html.unescape(re.sub(r"<[^>]*>", "", body)) for body in re.findall(r"<text[^>]*>(.*?)</text>", svg, re.DOTALL)]


def plain(text):
    """As a picture can hold it: control characters, and what turns a line around, by their signs; blanks at the ends and in a row are SVG's to show."""
    signs = re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", lambda match: "\u2421" if match[0] == "\x7f" else chr(0x2400 + ord(match[0])), text)
    return re.sub(r"\s+", " ", signs.replace("\u2409", " ").replace("\u202e", "\ufffd")).strip()


def drawn(labels, name="labels.svg"):
    code = setup(labels) + f'plot weights to "{name}"\n'
    result = run("-", stdin=code)
    svg = open(path(name), encoding="utf-8", errors="replace").read() if os.path.exists(path(name)) else ""
    return result, svg


if GNUPLOT:
    for start in range(0, len(HOSTILE), 8):
        labels = HOSTILE[start:start + 8]
        result, svg = drawn(labels)
        check(f"labels {start}..: drawn", result.status == 0 and svg.startswith("<?xml") and "</svg>" in svg, result)
        seen = [plain(text) for text in texts(svg)]
        for label in labels:
            check(f"the label {label!r} appears as it is, on both sides", seen.count(plain(label)) >= 2 or plain(label) == "", seen)
        check(f"labels {start}..: no command ran", not os.path.exists(canary))
        try:
            import xml.dom.minidom
            xml.dom.minidom.parseString(svg.encode())
            well_formed = True
        except Exception as problem:
            well_formed = problem
        check(f"labels {start}..: the file is well-formed", well_formed is True, well_formed)
    result, svg = drawn(["one\ntwo", "b"])
    check("a label of two lines loses neither", result.status == 0 and "one" in svg and "two" in svg, result)
    long = "".join(chr(97 + i % 26) for i in range(10_000))
    result, svg = drawn([long, "b"])
    check("a label of 10,000 bytes is drawn", result.status == 0 and (long in "".join(texts(svg)) or long[:10] in svg), result)
    result, svg = drawn(["查" * 3000, "b"])
    check("a long label is cut between characters, if at all", result.status == 0 and "\ufffd" not in svg, result)
    check("nothing ran at last", not os.path.exists(canary))
    # Where labels stand besides: names of lines, titles, names of files.
    result = run("-c", f'plot [1, 2], [2, 3] to "lines.svg"; plot "a`touch {canary}`b".split() to "x.svg"')
    check("names of lines run nothing", not os.path.exists(canary), result)
    for name in (f"`touch {canary}`.svg".replace("/", "_"), "a b.svg", "a'b.svg", 'a"b.svg', "%d.svg", "查.svg", "$(x).svg", "a;b.svg", "-o.svg", "{a}_b^c@d.svg", "a\\b.svg", "a\nb.svg"):
        result = run("-", stdin=f"plot eye(2) to {literal(name)}\n")
        check(f"a file named {name!r}", result.status == 0 and os.path.exists(path(name)), result, os.listdir(path("")))
    for suffix in ("svg", "png", "pdf"):
        result = run("-c", f'plot eye(3) to "kind.{suffix}"; plot [1, 2, 3] to "line.{suffix}"')
        begin = open(path(f"kind.{suffix}"), "rb").read(8) if result.status == 0 else b""
        check(f"a .{suffix}", result.status == 0 and begin[:4] in (b"<?xm", b"\x89PNG", b"%PDF"), result)

# Without gnuplot: the same labels in our own files.
for name in ("labels.txt", "labels.csv", "labels.gp"):
    result, _ = drawn(HOSTILE, name)
    check(f"{name}: written", result.status == 0 and os.path.getsize(path(name)) > 0, result)
    check(f"{name}: no escape sequence reaches a terminal", name.endswith(".csv") or b"\x1b" not in open(path(name), "rb").read())
import csv
# What a spreadsheet would run has a quote in front.
FORMULAS, NUMBERS = ["=1+1", "@SUM(A1)", "+1+1", "-cmd"], ["+1", "-2.5", "+", "-"]
harmless = ["'" * label.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) + label for label in HOSTILE + FORMULAS] + NUMBERS
drawn(HOSTILE + FORMULAS + NUMBERS, "labels.csv")
rows = list(csv.reader(open(path("labels.csv"), encoding="utf-8", newline="")))
check("labels.csv: a reader of CSV gets every label back", [row[0] for row in rows[1:]] == harmless and rows[0][1:] == harmless, rows[0][1:])
if GNUPLOT:
    import subprocess
    done = subprocess.run([GNUPLOT, path("labels.gp")], capture_output=True, text=True, cwd=path(""), timeout=PATIENCE)
    check("labels.gp: gnuplot draws it", done.returncode == 0 and not os.path.exists(canary), done)
result = run("-", stdin=setup(HOSTILE) + "attend\nweights\nplot weights\n")
check("in the terminal no label is an escape sequence", result.status == 0 and "\x1b" not in result.out and "\x01" not in result.out, result)

# ---- a gnuplot that is missing, dies, or hangs ----


def fake(name, script):
    file = path(name, "#!/bin/sh\n" + script)
    os.chmod(file, stat.S_IRWXU)
    return file


def once(name, bad):
    """A gnuplot that goes wrong at its first start and is the real one from then on."""
    return fake(name, f'if [ ! -e "{path(name)}.tried" ]; then : > "{path(name)}.tried"; {bad}; fi\nexec {GNUPLOT} "$@"\n')


CODE = 'try:\n    plot eye(2) to "first.svg"\nexcept plot as problem:\n    print("plot error", problem.message)\nplot eye(2) to "second.svg"\nprint("end")\n'
missing = run("-c", CODE.replace("plot eye(2) to \"second.svg\"", "x = 1"), ATTN_GNUPLOT=path("no-such-program"))
check("a missing gnuplot", missing.status == 0 and "plot error" in missing.out, missing)
missing = run("-c", 'plot eye(2) to "missing.svg"', ATTN_GNUPLOT=path("no-such-program"))
check("its error says what to do", missing.status == 1 and "plot error" in missing.err and "gnuplot" in missing.err and not os.path.exists(path("missing.svg")), missing)
check(".txt needs none", run("-c", 'plot eye(2) to "missing.txt"', ATTN_GNUPLOT=path("no-such-program")).status == 0)
if GNUPLOT:
    for name, bad in (("dies", "exit 3"), ("dies-late", "head -c 100 >/dev/null; exit 0"), ("killed", "kill -9 $$"), ("hangs", f'echo $$ > "{path("pid")}"; exec sleep 600'), ("deaf", "exec cat >/dev/null"),
                      ("talks", "while :; do echo nonsense; done") , ("silent", "exec >/dev/null 2>&1; sleep 600")):
        if name in ("silent", "talks", "deaf") and not FULL:
            continue  # each takes the whole 5 s
        for old in ("first.svg", "second.svg"):
            if os.path.exists(path(old)):
                os.unlink(path(old))
        result = run("-c", CODE, ATTN_GNUPLOT=once(name, bad))
        check(f"gnuplot {name}: a plot error, and the next picture is drawn",
              result.status == 0 and "plot error" in result.out and result.out.endswith("end\n") and os.path.exists(path("second.svg")), result)
        check(f"gnuplot {name}: no half a picture", not os.path.exists(path("first.svg")) and not [f for f in os.listdir(path("")) if "first" in f], os.listdir(path("")))
    result = run("-c", CODE, ATTN_GNUPLOT=fake("always-dies", "exit 1"))
    check("a gnuplot that always dies", result.status == 1 and "plot error" in result.err, result)
    gone, end = False, time.monotonic() + PATIENCE
    while not gone and time.monotonic() < end:
        try:
            os.kill(int(open(path("pid")).read()), 0)
            time.sleep(0.02)
        except ProcessLookupError:
            gone = True
    check("a gnuplot that hangs is ended", gone)
    terminal = Terminal(ATTN_GNUPLOT=fake("sleeper-2", "exec sleep 602"))
    terminal.prompt()
    terminal.send('plot eye(2) to "x.svg"\r')
    terminal.read(0.2)
    while terminal.read(0.3):
        pass
    terminal.send("\x03")
    check("Ctrl-C ends the wait for it", terminal.prompt() and "interrupted" in terminal.text(), terminal.text())
    terminal.close()
finish()
