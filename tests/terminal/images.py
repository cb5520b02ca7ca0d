"""Pictures beyond text: terminals that say what they can show, windows, and all that can lack."""
import base64
import fcntl
import os
import re
import shutil
import socket
import struct
import termios
import zlib

from program import Terminal, check, finish, has_editing, path, run

QUESTION = b"\x1b[c"
KITTY, SIXEL, PLAIN = b"\x1b_Gi=31;OK\x1b\\\x1b[?62;c", b"\x1b[?62;4;22c", b"\x1b_Gi=31;ENOTSUPPORTED:no\x1b\\\x1b[?1;2c"
WITHOUT = dict.fromkeys(("TMUX", "STY", "WAYLAND_DISPLAY", "DISPLAY", "SSH_CONNECTION", "TMPDIR"))
GNUPLOT = shutil.which("gnuplot")


class Answering(Terminal):
    """A terminal that answers the question what it is: `answer`, or nothing."""

    def __init__(self, answer=b"", *arguments, pixels=(0, 0), rows=40, columns=100, **changes):
        self.answer = answer
        self.asked = 0
        super().__init__(*arguments, rows=rows, columns=columns, **{**WITHOUT, **changes})
        fcntl.ioctl(self.child.child_fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, columns * pixels[0], rows * pixels[1]))
        self.prompt()

    def read(self, seconds=0.02):
        before = len(self.raw)
        more = super().read(seconds)
        if self.raw.count(QUESTION, max(0, before - 2)):
            self.asked += 1
            if self.answer:
                self.child.send(self.answer)
        return more


def joined(text):
    """Without colours, and lines that were wrapped as one."""
    return " ".join(re.sub(r"\x1b(\[[0-9;?]*[a-zA-Z]|[78]|_[^\x1b]*\x1b\\)", "", text).split())


def close(terminal):
    terminal.send("exit\r")
    terminal.wait(lambda: terminal.ended)
    return terminal.close()


def png_of(raw):
    """The keys of the first chunk and the PNG that the chunks come to."""
    chunks = [found for found in re.findall(rb"\x1b_G([^;\x1b]*);([^\x1b]*)\x1b\\", raw) if b"i=31" not in found[0]]
    ends = [keys.endswith(b"m=0") for keys, _ in chunks]
    whole = bool(chunks) and ends == [False] * (len(chunks) - 1) + [True] and all(len(part) <= 4096 for _, part in chunks)
    return (chunks[0][0] if chunks else b""), (base64.b64decode(b"".join(part for _, part in chunks)) if whole else b"")


def pixels_of(png):
    """The size in the header, and how many different bytes the picture has; it must be whole."""
    at, data, size = 8, b"", (0, 0)
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        body = png[at + 8:at + 8 + length]
        if zlib.crc32(kind + body) != struct.unpack(">I", png[at + 8 + length:at + 12 + length])[0]:
            return (0, 0), 0
        size = struct.unpack(">II", body[:8]) if kind == b"IHDR" else size
        data += body if kind == b"IDAT" else b""
        at += 12 + length
    return size, len(set(zlib.decompress(data))) if data else 0


# ---- kitty ----

if GNUPLOT:
    for cell, name in (((0, 0), "of cells whose size is not known"), ((9, 18), "of small cells"), ((18, 36), "of large cells")):
        terminal = Answering(KITTY, pixels=cell)
        answer = terminal.enter("set terminal kitty")
        check(f"kitty {name} is believed", "error" not in answer and terminal.asked == 1, answer)
        keys, png = png_of(terminal.enter("plot [[0.1, 0.9], [0.7, 0.3]]").encode())
        (width, height), colors = pixels_of(png)
        most = terminal.screen.columns * (cell[0] or 9), terminal.screen.lines * 2 // 3 * (cell[1] or 18)
        check(f"kitty {name} gets a picture", png.startswith(b"\x89PNG\r\n\x1a\n") and 200 < width <= most[0] and 150 < height <= most[1] and colors > 10, keys, (width, height), colors)
        columns = re.search(rb"c=(\d+)", keys)
        check(f"kitty {name} scales only what is a guess", (columns is not None) == (cell == (0, 0)) and (not columns or int(columns[1]) <= 100), keys)
        check("no text then", "│" not in terminal.text() and "█" not in terminal.text(), terminal.text())
        check("asked once", terminal.enter("set terminal kitty").count("error") == 0 and terminal.asked == 1)
        text = terminal.enter("plot [[0.1, 0.9], [0.7, 0.3]] as text")
        check("as text is text", "\x1b_G" not in text and "0.9" in text, text)
        check("it leaves", close(terminal) == 0)
    check("no picture is left behind", not [name for name in os.listdir("/tmp") if name.startswith("attn-picture.png")])

# ---- sixel ----

if GNUPLOT:
    terminal = Answering(SIXEL, pixels=(9, 18))
    refused = terminal.enter("set terminal kitty")
    check("a sixel terminal is no kitty", "plot error: this terminal does not say that it can show kitty images" in joined(refused) and "set terminal sixel" in joined(refused), refused)
    terminal.enter("set terminal sixel")
    image = terminal.enter('plot [[0.1, 0.9], [0.7, 0.3]]')
    begin = image.find("\x1bP")
    check("sixel begins with ESC P and ends", begin >= 0 and re.match(r"\x1bP[0-9;]*q", image[begin:]) and "\x1b\\" in image[begin:], image[:200])
    size = re.search(r'q"1;1;(\d+);(\d+)', image)
    check("sixel fits the terminal", size and int(size[1]) <= 900 and int(size[2]) <= 40 * 2 // 3 * 18, image[begin:begin + 80])
    check("it leaves", close(terminal) == 0)

# ---- keys that come between the answers ----

if has_editing():
    terminal = Answering(b"40 + " + PLAIN[:6])
    terminal.send("set terminal kitty\r")
    terminal.wait(lambda: terminal.asked == 1)
    terminal.send(PLAIN[6:] + b"2\r")
    check("typed ahead, and not lost", terminal.wait(lambda: "attn> 40 + 2\n42" in terminal.text()), terminal.text())
    terminal.close()

# ---- terminals that cannot ----

terminal = Answering(PLAIN)
terminal.enter("set terminal text")
for kind in ("kitty", "sixel"):
    refused = terminal.enter(f"set terminal {kind}")
    check(f"no {kind}: it says so", f"plot error: this terminal does not say that it can show {kind} images" in joined(refused), refused)
check("the setting is as it was", "text" in terminal.enter("show terminal"))
check("one question was enough", terminal.asked == 1, terminal.asked)
check("nothing of the answer is left in the line", terminal.at_prompt() and "5" in terminal.enter("2 + 3"), terminal.text())
terminal.close()

terminal = Answering(b"")
refused = terminal.enter("set terminal kitty")
check("a silent terminal is not waited for", "does not say that it can show kitty" in joined(refused), refused)
check("auto stays", "auto" in terminal.enter("show terminal") and terminal.asked == 1)
check("no image, no question", "│" in terminal.enter("plot [1, 2]") and terminal.asked == 1)
terminal.close()

for name, changes in (("tmux", {"TMUX": "/tmp/tmux-0/default,1,0"}), ("screen", {"STY": "1.pts-0"}), ("screen", {"TERM": "screen-256color"}), ("tmux", {"TERM": "tmux-256color"})):
    terminal = Answering(KITTY, **changes)
    refused = terminal.enter("set terminal kitty")
    check(f"inside {name} {list(changes)}", f"plot error: this is inside {name}" in joined(refused) and terminal.asked == 0, refused)
    terminal.close()

# ---- windows ----

TOLD = path("told")
ANSWERS = """#!/bin/sh
echo start >>%s
while read -r line; do
    printf '%%s\\n' "$line" >>%s
    case $line in
    'print GPVAL_TERMINALS'*) echo ' dumb %s xterm ' ;;
    print*attn-answer*end*) echo "$token end" ;;
    'set terminal '*) answer='%s' ;;
    print*attn-answer*) token=${line#*\\"}; token=${token%%%% *}; printf '%%b\\n' "$token ${answer:-0}" ;;
    esac
done
echo end >>%s
"""


def stand_in(terminals="qt wxt", answer="0"):
    """A gnuplot that writes down what it is told and draws nothing."""
    if os.path.exists(TOLD):
        os.unlink(TOLD)
    program = path("gnuplot", ANSWERS % (TOLD, TOLD, terminals, answer, TOLD))
    os.chmod(program, 0o755)
    return program


def told():
    return open(TOLD).read() if os.path.exists(TOLD) else ""


DESKTOP = path("desktop")
server = socket.socket(socket.AF_UNIX)
server.bind(DESKTOP)
server.listen(64)

terminal = Answering(b"", WAYLAND_DISPLAY=DESKTOP, ATTN_GNUPLOT=stand_in())
shown = [terminal.enter(line) for line in ("plot [1, 4, 9]", "plot [[1, 2], [3, 4]]", "plot [3, 1]")]
check("text, always", all("│" in text or "┤" in text or "2" in text for text in shown) and "error" not in "".join(shown), *shown)
check("the same window for each picture", told().count("set terminal qt 0 ") == 3 and told().count("start\n") == 1, told()[:500])
check("no file", 'set output "' not in told(), told()[:500])
check("with a title", 'title "attn\\072 \\133\\061\\054 \\064\\054 \\071\\135"' in told(), re.findall("set terminal.*", told()))
before = told().count("set terminal qt")
text = terminal.enter("plot [1, 2] as text")
check("as text opens no window", told().count("set terminal qt") == before and "error" not in text)
terminal.enter("set terminal text")
terminal.enter("plot [1, 2]")
check("nor does the setting text", told().count("set terminal qt") == before)
check("it leaves", close(terminal) == 0)
check("and its window with it", told().endswith("end\n"), told()[-100:])

terminal = Answering(b"", WAYLAND_DISPLAY=DESKTOP, ATTN_GNUPLOT=stand_in(answer="2\\nno room"))
first, second = terminal.enter("plot [1, 2]"), terminal.enter("plot [1, 2]")
check("a window that fails is said once", "(no window: gnuplot says: no room)" in joined(first) and "window" not in second and "│" in second, first, second)
check("and not tried again", told().count("set terminal qt") == 2, told().count("set terminal qt"))
terminal.enter("set terminal window")
third = terminal.enter("plot [1, 2]")
check("where it was asked for it is an error", "plot error: gnuplot says: no room" in joined(third) and "│" in third, third)
check("that costs nothing", "4" in terminal.enter("x = 4; x") and "window" in terminal.enter("show terminal"))
terminal.close()

terminal = Answering(b"", WAYLAND_DISPLAY=DESKTOP, ATTN_GNUPLOT=stand_in("wxt pngcairo"))
text, refused = terminal.enter("plot [1, 2]"), terminal.enter("set terminal window")
check("a gnuplot without windows", "window" not in text and "│" in text and "this gnuplot opens no windows" in joined(refused), text, refused)
terminal.close()

terminal = Answering(KITTY, WAYLAND_DISPLAY=DESKTOP, ATTN_GNUPLOT="/nowhere/gnuplot")
text = terminal.enter("plot [1, 2]")
check("without gnuplot: text", "│" in text and "gnuplot" not in text, text)
for kind in ("window", "kitty"):
    refused = terminal.enter(f"set terminal {kind}")
    check(f"without gnuplot: no {kind}", "is not installed" in joined(refused) and "auto" in terminal.enter("show terminal"), refused)
terminal.close()

for changes, words in (({}, "neither DISPLAY nor WAYLAND_DISPLAY is set"), ({"DISPLAY": ":4711"}, "the display :4711 cannot be opened"), ({"WAYLAND_DISPLAY": "/nowhere/wayland"}, "cannot be opened")):
    terminal = Answering(b"", ATTN_GNUPLOT=stand_in(), **changes)
    text, refused = terminal.enter("plot [1, 2]"), terminal.enter("set terminal window")
    check(f"no display {changes}", "window" not in text and "│" in text and words in joined(refused) and not told(), text, refused)
    terminal.close()

# ---- where nothing is started ----

terminal = Answering(KITTY, "--safe", WAYLAND_DISPLAY=DESKTOP, ATTN_GNUPLOT=stand_in())
text = terminal.enter("plot [1, 2]")
check("--safe: text", "│" in text and not told(), text)
for kind in ("window", "kitty", "sixel"):
    refused = terminal.enter(f"set terminal {kind}")
    check(f"--safe: no {kind}", "plot error: with --safe" in joined(refused), refused)
terminal.close()

result = run("-c", "set terminal kitty; plot [1, 2]\nset terminal window; plot [1, 2]", WAYLAND_DISPLAY=DESKTOP, ATTN_GNUPLOT=stand_in())
check("a script nobody watches: text, and nothing said", result.status == 0 and not result.err and "│" in result.out and "\x1b" not in result.out and not told(), result)
if GNUPLOT:
    result = run("--plots", path("drawn"), "-c", "set terminal window; plot [1, 2]")
    check("--plots wins", result.status == 0 and open(path("drawn/plot-1.png"), "rb").read(4) == b"\x89PNG", result)

os.makedirs(path("attn"), exist_ok=True)
path("attn/init.attn", "set terminal kitty\n")
terminal = Answering(PLAIN)
first, second = terminal.enter("plot [1, 2]"), terminal.enter("plot [1, 2]")
check("the init file asks for more than there is: text", "(as text: this terminal does not say" in joined(first) and "│" in first and "│" in second and "as text" not in second, first, second)
terminal.close()

# ---- letters that no font has ----
os.makedirs(path("fonts"), exist_ok=True)
NO_FONTS = path("fonts.conf", f'<?xml version="1.0"?><fontconfig><dir>{path("fonts")}</dir><cachedir>{path("cache")}</cachedir></fontconfig>')
CHINESE = 'set tokens "猫 坐 在 垫子 上"; attend; plot weights to "{}"'
if shutil.which("gnuplot") and shutil.which("fc-list"):
    for suffix in ("png", "pdf"):
        result = run("-c", CHINESE.format(path(f"boxes.{suffix}")), FONTCONFIG_FILE=NO_FONTS)
        check(f".{suffix} without a font: an error that names letters and a package", result.status == 1 and "no font here has" in result.err and "猫" in result.err and "install" in result.err and not os.path.exists(path(f"boxes.{suffix}")), result)
    result = run("-c", CHINESE.format(path("own.svg")), FONTCONFIG_FILE=NO_FONTS)
    check(".svg without a font: it names those of its readers", result.status == 0 and "Noto Sans CJK SC" in open(path("own.svg"), encoding="utf-8").read(), result)
    result = run("-c", CHINESE.format(path("own.txt")), FONTCONFIG_FILE=NO_FONTS)
    check(".txt needs no font", result.status == 0 and "猫" in open(path("own.txt"), encoding="utf-8").read(), result)
    os.makedirs(path("bare"), exist_ok=True)
    for name in ("gnuplot", "sh"):
        os.symlink(shutil.which(name), path(f"bare/{name}"))
    result = run("-c", CHINESE.format(path("perhaps.png")) + '; plot weights to "perhaps.png"', PATH=path("bare"))
    check("no fontconfig: the picture, and one word of warning", result.status == 0 and os.path.exists(path("perhaps.png")) and (result.out + result.err).count("fc-list") == 1, result)


# ---- words behind what is plotted ----
SPREAD = "taus = [0.1, 1, 10, 100]; spread = [0, 1, 2, 4]\n"


def chart(code):
    return run("-c", SPREAD + code)


result = chart('plot spread against taus as logx title "Entropy" ylabel "nats"')
check("against: the axes have names, the title is the one given", result.status == 0 and result.out.startswith("Entropy\n") and "across: taus (logarithmic), up: nats" in result.out and "100" in result.out, result)
result = chart("plot taus, spread")
check("x, y where x rises: y over x, and a note that says so", "spread against taus" in result.out and "across: taus, up: spread" in result.out and "as lines" in result.out + result.err, result)
result = chart("plot taus, spread as lines")
check("as lines: both", "* taus   + spread" in result.out and "as lines" not in result.err, result)
result = chart("plot taus[::-1], spread")
check("no rising x: lines", "+ spread" in result.out, result)
result = chart("plot spread against taus as loglog")
check("a logarithmic axis says what it left out", "1 of 4 points left out" in result.out + result.err and "logarithmic), up: spread (logarithmic)" in result.out, result)
result = chart("plot [1, 9, 1] range 0 5")
rows = result.out.split("\n")
check("a range is the axis: what lies beyond is cut off", rows[1].startswith("5 ┤") and not any(line.startswith("9") for line in rows), result)
result = chart(f'plot spread against taus xlabel "tau" to "{path("spread.csv")}"')
check("a .csv has the names as its heads", result.status == 0 and open(path("spread.csv")).read().startswith("tau,spread\n0.1,0\n"), result)
SWEPT = "X = randn(5, 4); attend X; sweep temperature 0.1 10 as before;\nset mask causal; sweep temperature 0.1 10;\n"
result = run("-c", SWEPT + "plot sweep, before")
check("two sweeps: the curves of both, and the settings of each", "before: entropy / ln n" in result.out and re.search(r"sweep:\s+scale\s+sqrt,\s+mask\s+causal", result.out) and re.search(r"before:\s+scale\s+sqrt,\s+mask\s+none", result.out), result)
result = run("-c", SWEPT + f'plot before, before to "{path("two.csv")}"')
check("two sweeps in a .csv", open(path("two.csv")).read().startswith("temperature τ,before: entropy / ln n,"), result)
result = run("-c", 'set tokens "the cat sat"; X = randn(3, 4); attend X;\nset mask causal;\nplot entropy')
check("entropy: a bar beside each token, with the ceiling", re.search(r"\ncat +█.*┊ +[01]\.\d+\n", result.out) and "┊ ln n" in result.out, result)
if GNUPLOT:
    for suffix in ("png", "svg", "pdf", "gp"):
        result = run("-c", f'set tokens "the cat sat"; X = randn(3, 4); attend X;\nplot entropy to "{path(f"entropy.{suffix}")}" size 900 600')
        check(f"entropy in a .{suffix}", result.status == 0 and os.path.getsize(path(f"entropy.{suffix}")) > 1000, result)
        for code in ("spread against taus as logx", "[[1, 2], [3, -4]] range -5 5"):
            result = chart(f'plot {code} size 1600 900 title "t" xlabel "x" ylabel "y" to "{path(f"sized.{suffix}")}"')
            written = open(path(f"sized.{suffix}"), "rb").read() if result.status == 0 else b""
            right = {"png": lambda: struct.unpack(">II", written[16:24]) == (1600, 900), "svg": lambda: b'width="1600" height="900" preserveAspectRatio="none"' in written and b"viewBox" in written,
                     "pdf": lambda: re.search(rb"/MediaBox \[ 0 0 1600(\.0+)? 900", written), "gp": lambda: b"size 1600,900" in written}[suffix]
            check(f"plot {code}: a .{suffix} of the size that was asked for", written and right(), result, written[:200])
    chart(f'plot [[1, 2, 3, 4, 5]] to "{path("usual.png")}"')
    width, height = struct.unpack(">II", open(path("usual.png"), "rb").read(24)[16:24])
    check("a .png has twice the pixels of the layout", width == 960 and width % 2 == height % 2 == 0, (width, height))

finish()
