"""What stands in the pictures that gnuplot draws: panels, cells and their colours, labels, titles, the
numbers of colour bars. Files are compared by what they show, not by their bytes."""
import collections
import csv
import os
import re
import shutil
import struct
import subprocess
import xml.etree.ElementTree as ElementTree

from program import PATIENCE, check, finish, path, run

GNUPLOT = shutil.which("gnuplot")
ABSENT, YELLOW, PURPLE = (214, 214, 214), (253, 231, 37), (68, 1, 84)
SETUP = 'set tokens ["the", "猫", "sat", "on"]; X = randn(4, 64); set mask causal; set heads {heads}; attend X;\n'


def draw(name, code, expected=0, **changes):
    result = run("-", stdin=code, **changes)
    check(f"{name}: drawn", result.status == expected, result)
    return result


# ---- SVG ----


def color_of(text):
    return tuple(int(part) for part in re.findall(r"\d+", text))


class Svg:
    """Texts as (words, x, y); rectangles as (colour, left, top, right, bottom); lines as lists of points by colour."""

    def __init__(self, name):
        root = ElementTree.parse(path(name)).getroot()
        self.width, self.height = (float(root.get(side)) for side in ("width", "height"))
        self.texts, self.rectangles, self.frames, self.lines = [], [], [], {}
        self.images = 0
        self.read(root, 0, 0)

    def read(self, node, x, y):
        tag = node.tag.split("}")[-1]
        moved = re.match(r"translate\(([-\d.]+),([-\d.]+)\)", node.get("transform") or "")
        if tag in ("defs", "title", "desc"):
            return
        if moved:
            x, y = float(moved[1]), float(moved[2])
        if tag == "text":
            self.texts.append(("".join(node.itertext()).strip(), x, y))
        elif tag == "polygon":
            self.add_rectangle(node)
        elif tag == "image":
            self.images += 1
        elif tag == "path":
            self.add_path(node)
        for part in node:
            self.read(part, x, y)

    def add_rectangle(self, node):
        numbers = [float(n) for n in re.findall(r"[-\d.]+", node.get("points"))]
        xs, ys = numbers[::2], numbers[1::2]
        self.rectangles.append((color_of(node.get("fill")), min(xs), min(ys), max(xs), max(ys)))

    def add_path(self, node):
        points = [(float(a), float(b)) for a, b in re.findall(r"[ML]?([-\d.]+),([-\d.]+)", node.get("d"))]
        if node.get("d").strip().endswith("Z") and len(points) == 5 and self.is_frame(points):
            if (points[0], points[2]) not in self.frames:  # gnuplot draws a border twice, behind and before
                self.frames.append((points[0], points[2]))
        elif node.get("stroke"):
            self.lines.setdefault(color_of(node.get("stroke")), []).append(points)

    @staticmethod
    def is_frame(points):
        return abs(points[0][0] - points[2][0]) > 60 and abs(points[0][1] - points[2][1]) > 60

    def words(self):
        return [text[0] for text in self.texts]

    def bars(self):
        """Strips of thin rectangles, 16 pixels wide: by their left sides, the colours from low to high."""
        bars = {}
        for color, left, top, right, bottom in self.rectangles:
            if 14 < right - left < 18 and bottom - top < 6:
                bars.setdefault(round(left), []).append((bottom, color))
        return {left: [color for _, color in sorted(bar, reverse=True)] for left, bar in bars.items()}

    def cells(self):
        """Those of panels: not of a bar, not the ground behind cells, not the key of what is masked."""
        return [r for r in self.rectangles if r[0] != ABSENT and not 14 < r[3] - r[1] < 18]

    def everything_is_inside(self):
        return all(0 <= x <= self.width and 0 <= y <= self.height for _, x, y in self.texts) and all(
            0 <= left and right <= self.width and 0 <= top and bottom <= self.height for _, left, top, right, bottom in self.rectangles)


def near(color, other, most=6):
    return max(abs(a - b) for a, b in zip(color, other)) <= most


def svg_of(name, code):
    draw(name, code)
    svg = Svg(f"{name}.svg") if os.path.exists(path(f"{name}.svg")) else None
    if svg:
        check(f"{name}: everything stands on the canvas", svg.everything_is_inside(), svg.texts)
    return svg


if GNUPLOT:
    # ---- one heatmap ----
    svg = svg_of("weights", SETUP.format(heads=1) + 'plot weights to "weights.svg"')
    check("weights: one frame", len(svg.frames) == 1, svg.frames)
    check("weights: a rectangle for each visible cell", len(svg.cells()) == 10, svg.cells())
    check("weights: the first has the colour of 1", near(svg.cells()[0][0], YELLOW), svg.cells()[0])
    check("weights: names on both sides", all(svg.words().count(name) == 2 for name in ("the", "猫", "sat", "on")), svg.words())
    check("weights: title with the settings", any(text.startswith("weights: temperature 1") for text in svg.words()), svg.words())
    check("weights: axes, mask and bar are explained", {"queries", "keys", "masked", "0.0", "0.2", "1.0"} <= set(svg.words()), svg.words())
    bars = svg.bars()
    check("weights: a colour bar from purple to yellow", len(bars) == 1 and all(near(bar[0], PURPLE) and near(bar[-1], YELLOW) for bar in bars.values()), bars)
    check("weights: numbers in the cells", sum(bool(re.fullmatch(r"[01]\.\d{3}", text)) for text in svg.words()) == 10, svg.words())
    rows = sorted({round(cell[2]) for cell in svg.cells()})
    check("weights: row labels stand beside their rows", [name for name, x, y in sorted(svg.texts, key=lambda t: t[2]) if x < svg.cells()[0][1] and name != "queries"] ==
          ["the", "猫", "sat", "on"] and len(rows) == 4, svg.texts)
    svg = svg_of("large", 'plot rand(100, 100) to "large.svg"')
    check("100x100: an image in place of cells", svg.images == 1 and not svg.cells() and {"0", "20", "80"} <= set(svg.words()), svg.words())

    # ---- grids ----
    for heads in (2, 4, 8, 64):
        name = f"heads{heads}"
        svg = svg_of(name, SETUP.format(heads=heads) + f'plot heads to "{name}.svg"')
        check(f"{name}: a panel for each", len(svg.frames) == heads, len(svg.frames))
        check(f"{name}: each with its number", [text for text in svg.words() if text.startswith("head ")] == [f"head {i}" for i in range(heads)], svg.words())
        check(f"{name}: every visible cell", len(svg.cells()) == 10 * heads, len(svg.cells()))
        check(f"{name}: one bar for all", len(svg.bars()) == 1 and svg.words().count("masked") == 1, svg.bars().keys())
        columns = {2: 2, 4: 2, 8: 4, 64: 8}[heads]
        check(f"{name}: names once for each row and column of panels", svg.words().count("猫") == heads // columns + columns, svg.words().count("猫"))
        check(f"{name}: a title", any(text.startswith(f"weights of all {heads} heads") for text in svg.words()), svg.words())
        corners = [frame[0] for frame in svg.frames]
        check(f"{name}: panels in rows of {columns}", len({round(x) for x, y in corners}) == columns and len({round(y) for x, y in corners}) == heads // columns, corners)
        check(f"{name}: no two panels overlap", len(set(corners)) == heads)

    svg = svg_of("compare", SETUP.format(heads=2) + 'compare temperature 0.5 against 2;\nplot compare head 1 to "compare.svg"')
    check("compare: three panels", len(svg.frames) == 3 and len(svg.cells()) == 30, svg.frames)
    check("compare: their names", any(text.startswith("0.5 H 0.") for text in svg.words()) and any(text.startswith("2 H 0.") for text in svg.words()) and "change" in svg.words() and any("weights by temperature, head 1" in text for text in svg.words()), svg.words())
    bars = [bar for _, bar in sorted(svg.bars().items())]
    check("compare: a bar each, the last from blue over white to red", len(bars) == 3 and near(bars[0][-1], YELLOW) and near(bars[2][len(bars[2]) // 2], (247, 247, 247), 14) and
          bars[2][0][2] > bars[2][0][0] and bars[2][-1][0] > bars[2][-1][2], [bar[::20] for bar in bars])
    svg = svg_of("apart", SETUP.format(heads=2) + 'compare heads 2 against 4;\nplot compare to "apart.svg"')
    check("compare heads: two panels", len(svg.frames) == 2 and "change" not in svg.words(), svg.words())

    # ---- positions ----
    for scheme, heads, panels, words in (("sinusoidal", 1, 1, "column"), ("learned", 1, 1, "column"), ("relative 0.5", 1, 1, "place of the key"), ("alibi", 1, 1, "place of the key"),
                                         ("alibi", 4, 4, "head 3"), ("relative", 2, 2, "head 1"), ("rope", 1, 1, "column")):
        name = f"{scheme.replace(' ', '-')}-{heads}"
        svg = svg_of(name, f'X = randn(6, 8); set heads {heads}; set position {scheme}; attend X; plot positions to "{name}.svg"')
        check(f"{name}: {panels} panels", len(svg.frames) == panels and words in svg.words() and any(text.startswith(f"position {scheme}") for text in svg.words()), svg.words())
        values = 48 if panels == 1 and words == "column" else 36 * panels
        check(f"{name}: all cells", len(svg.cells()) == values, len(svg.cells()))

    # ---- curves ----
    svg = svg_of("sweep", SETUP.format(heads=2) + 'sweep temperature 0.01 100;\nplot sweep to "sweep.svg"')
    curves = [points for color, lines in svg.lines.items() for points in lines if len(points) == 17]
    check("sweep: three curves of 17 values", len(curves) == 3 and len([c for c in svg.lines if c in ((0, 114, 178), (213, 94, 0), (0, 158, 115))]) == 3, {k: [len(p) for p in v] for k, v in svg.lines.items()})
    check("sweep: evenly spaced by their logarithm", curves and max(b[0] - a[0] for a, b in zip(curves[0], curves[0][1:])) - min(b[0] - a[0] for a, b in zip(curves[0], curves[0][1:])) < 1, curves[:1])
    check("sweep: words of the axes and of each curve", {"temperature τ", "0.01", "100", "0.0", "1.0", "entropy / ln n", "largest weight"} <= set(svg.words()) and
          any(re.match(r"gradient / its largest, [\d.]+$", text) for text in svg.words()), svg.words())

# ---- the other files ----


def gif_frames(data):
    """The frames of a GIF: (delay, width, height, {colour: pixels})."""
    flags = data[10]
    at = 13 + (3 << ((flags & 7) + 1) if flags & 128 else 0)
    table, frames, delay = data[13:at], [], 0
    while data[at] != 0x3B:
        if data[at] == 0x21:
            if data[at + 1] == 0xF9:
                delay = struct.unpack_from("<H", data, at + 4)[0]
            at = skip_blocks(data, at + 2)
            continue
        left, top, width, height, flags = struct.unpack_from("<HHHHB", data, at + 1)
        at += 10
        local = data[at:at + (3 << ((flags & 7) + 1))] if flags & 128 else table
        at += len(local) if flags & 128 else 0
        end = skip_blocks(data, at + 1)
        pixels = unpack(data[at], joined(data, at + 1))
        frames.append((delay, width, height, {tuple(local[3 * i:3 * i + 3]): count for i, count in collections.Counter(pixels).items()}))
        at = end
    return frames


def skip_blocks(data, at):
    while data[at]:
        at += data[at] + 1
    return at + 1


def joined(data, at):
    parts = []
    while data[at]:
        parts.append(data[at + 1:at + 1 + data[at]])
        at += data[at] + 1
    return b"".join(parts)


def unpack(size, data):
    """LZW, as GIF has it."""
    clear, bits, value, width, out = 1 << size, 0, 0, size + 1, bytearray()
    words, last = [bytes([i]) for i in range(clear)] + [b"", b""], None
    for byte in data:
        value |= byte << bits
        bits += 8
        while bits >= width:
            code, value, bits = value & ((1 << width) - 1), value >> width, bits - width
            if code == clear:
                words, width, last = words[:clear + 2], size + 1, None
                continue
            if code == clear + 1:
                return out
            word = words[code] if code < len(words) else last + last[:1]
            out += word
            if last is not None and len(words) < 4096:
                words.append(last + word[:1])
            if len(words) == 1 << width and width < 12:
                width += 1
            last = word
    return out


# A .gif takes all its letters from one font, and not every machine has one with Chinese ones.
SWEPT = SETUP.format(heads=2).replace("猫", "cat") + "sweep temperature 0.1 10;\n"
if GNUPLOT:
    draw("sweep.gif", SWEPT + 'plot sweep head 1 to "sweep.gif"')
    frames = gif_frames(open(path("sweep.gif"), "rb").read())
    check("sweep.gif: a frame for each of 9 values, all of one size", len(frames) == 9 and len({frame[1:3] for frame in frames}) == 1, [frame[:3] for frame in frames])
    check("sweep.gif: each stands for half a second", all(frame[0] == 50 for frame in frames), [frame[0] for frame in frames])
    check("sweep.gif: each has the colours of the palette", all(any(near(color, wanted, most) for color in frame[3]) for frame in frames for wanted, most in ((YELLOW, 1), (PURPLE, 1), (ABSENT, 12))),
          [[min(max(abs(a - b) for a, b in zip(color, wanted)) for color in frame[3]) for wanted in (YELLOW, PURPLE, ABSENT)] for frame in frames])
    check("sweep.gif: what is masked is grey, not 0", all(sum(n for color, n in frame[3].items() if near(color, ABSENT, 12)) > 40_000 for frame in frames), [sorted(frame[3].items(), key=lambda c: -c[1])[:4] for frame in frames])
    check("sweep.gif: half a palette at least in each", all(len(frame[3]) > 60 for frame in frames), [len(frame[3]) for frame in frames])
    draw("titled.gif", SWEPT + 'plot sweep to "titled.gif" title "Warm" size 640 480 range 0 0.5')
    titled = gif_frames(open(path("titled.gif"), "rb").read())
    check("sweep.gif: of the size that was asked for", len(titled) == 9 and titled[0][1:3] == (640, 480), [frame[:3] for frame in titled])
    gone = draw("resized.gif", SETUP.format(heads=2) + 'sweep heads 1 4;\nplot sweep to "resized.gif"', 1)
    check("sizes that change are no animation", "value error" in gone.err and "heads" in gone.err and not os.path.exists(path("resized.gif")), gone)
    gone = draw("dead.gif", SWEPT + 'plot sweep to "dead.gif"', 1, ATTN_GNUPLOT="false")
    check("a gnuplot that dies leaves no animation", "plot error" in gone.err and not [name for name in os.listdir(path("")) if "dead" in name], gone)
still = draw("still.gif", SETUP.format(heads=1) + 'plot weights to "still.gif"', 1)
check("a .gif of a picture that stands still", "value error" in still.err and "sweep" in still.err and not os.path.exists(path("still.gif")), still)

for name, code in (("grid", SETUP.format(heads=8) + "plot heads"), ("pair", SETUP.format(heads=1) + "compare mask none against causal;\nplot compare"), ("curves", SWEPT + "plot sweep")):
    draw(f"{name}.gp", f'{code} to "{name}.gp"; {code.splitlines()[-1]} to "{name}.txt"; {code.splitlines()[-1]} to "{name}.csv"')
    if GNUPLOT:
        draw(f"{name}.png", f'{code} to "drawn-{name}.png"')
        by_hand = subprocess.run([GNUPLOT, f"{name}.gp"], capture_output=True, text=True, cwd=path(""), timeout=PATIENCE)
        sizes = [open(path(file), "rb").read()[16:24] if os.path.exists(path(file)) else None for file in (f"{name}.png", f"drawn-{name}.png")]
        check(f"{name}.gp: runs by hand and draws the same canvas", by_hand.returncode == 0 and sizes[0] and sizes[0] == sizes[1], by_hand, sizes)
blocks = [list(csv.reader(block.splitlines())) for block in open(path("grid.csv"), encoding="utf-8").read().split("\n\n")]
check("grid.csv: a block for each panel, under its title", [block[0] for block in blocks] == [[f"head {i}"] for i in range(8)], blocks[0])
check("grid.csv: names and numbers", all(block[1] == ["", "the", "猫", "sat", "on"] and abs(sum(map(float, block[5][1:])) - 1) < 1e-12 for block in blocks), blocks[0])
text = open(path("pair.txt"), encoding="utf-8").read()
check("pair.txt: both and their change beside each other", re.search(r"^none H 0\.\d\d +causal H 0\.\d\d +change$", text, re.MULTILINE) and text.count("shades from") == 2, text)
check("curves.txt: three names", all(word in open(path("curves.txt"), encoding="utf-8").read() for word in ("entropy / ln n", "largest weight", "gradient")))
finish()
