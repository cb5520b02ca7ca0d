"""What attn did not write tells the terminal nothing: names, labels, cells, headers, tokens and messages with escape sequences in them, through every function and command."""
import json
import os
import pathlib
import re
import struct
import subprocess
import sys

from program import EDITING, FOLDER, RUNNING, Terminal, check, finish, has_editing, path, run

# Concealed text, the title of the window, a bell, an 8-bit control, and text that runs backwards.
EVIL = "e\x1b[8m\x1b]0;owned\x07\x9b8m\u202evil"
ESCAPED = EVIL.encode("unicode_escape").decode()
OBEYED = [b"\x1b[8m", b"\x1b]", b"\x07", "\x9b".encode(), "\u202e".encode()]


def harmless(what, raw):
    return check(f"{what} tells the terminal nothing", not any(sign in raw for sign in OBEYED), raw[:1500])


def write_tensors(name, tensors, header=None):
    """A .safetensors file of the arrays' names, one number each."""
    told = {tensor: {"dtype": "F32", "shape": [1], "data_offsets": [4 * i, 4 * i + 4]} for i, tensor in enumerate(tensors)}
    text = json.dumps(header or told).encode()
    return path(name, struct.pack("<Q", len(text)) + text + bytes(4 * len(tensors)))


def write_npy(name, header):
    return path(name, b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header)


def try_line(terminal, line):
    """Enters a line; one that asks or waits is answered by Ctrl-C."""
    start = len(terminal.raw)
    terminal.send(line + "\r")
    if not terminal.wait(lambda: EDITING in terminal.raw[start:], 3):
        terminal.send("\x03")
        terminal.wait(lambda: EDITING in terminal.raw[start:])
    harmless(line, terminal.raw[start:].partition(RUNNING)[2])


# ---- files ----
path("cells.csv", f"1,2\n3,{EVIL}\n")
path("names.csv", f"a,{EVIL}\n1,2\n")
path("rows.csv", f"{EVIL},b\nx,2,3\n")
write_npy("header.npy", f"{{'descr': '{EVIL}', 'fortran_order': False, 'shape': (1,)}}\n".encode())
write_npy("key.npy", f"{{'descr': '<f8', '{EVIL}': False, 'shape': (1,)}}\n".encode())
write_tensors("tensors.safetensors", [EVIL, "b"])
write_tensors("kind.safetensors", ["a"], {EVIL: {"dtype": EVIL, "shape": [1], "data_offsets": [0, 4]}})
path("broken.json", f'{{"{EVIL}')
for name, config in (("family", {"model_type": EVIL}), ("choice", {"model_type": "gpt2", "activation_function": EVIL, "n_embd": 4, "n_head": 1, "n_layer": 1, "vocab_size": 3, "n_positions": 4})):
    os.mkdir(path(name))
    path(f"{name}/config.json", json.dumps(config))
    write_tensors(f"{name}/model.safetensors", [EVIL])
path(f"{EVIL}.attn", "x = 1\nprint(y)\n")
path(f"{EVIL}.md", f"# {EVIL}\n\nWords **{EVIL}**, `{EVIL}`.\n\n| {EVIL} | b |\n|---|---|\n| 1 | {EVIL} |\n\n    {EVIL}\n\n```attn\nprint(\"{EVIL}\")\nmissing\n```\n")
path("gnuplot", f"#!/bin/sh\nprintf '%s\\n' '{EVIL}' >&2\nexit 1\n")
os.chmod(path("gnuplot"), 0o755)


def open_model():
    """The name of a folder with a model whose tokens are hostile; None without NumPy."""
    # By a program of its own: a file beside this one is named as a module that NumPy wants.
    script = "import published, sys\nconfig = published.bert_config()\npublished.write_folder(sys.argv[1], config, published.bert_tensors(config))\nprint(config['vocab_size'])"
    made = subprocess.run([sys.executable, "-c", script, path("tokens")], cwd=pathlib.Path(__file__).resolve().parents[1] / "models", capture_output=True, text=True)
    if made.returncode != 0:
        return None
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + [f"{EVIL}{i}" for i in range(int(made.stdout) - 5)]
    path("tokens/vocab.txt", "".join(word + "\n" for word in words))
    return "tokens"


# ---- at a prompt ----
REFERENCE = run("--reference").out
COMMANDS, _, functions = REFERENCE.partition("\n## Language")
functions = functions.partition("\n## Functions")[2]
commands = re.findall(r"^### (\w+)$", COMMANDS, re.M)
functions = re.findall(r"^### ([A-Za-z_]\w*)$", functions, re.M)
check("the reference names functions and commands", len(functions) > 150 and len(commands) > 50, len(functions), len(commands))
LEAVES = {"exit", "quit", "explore", "lesson", "input", "pause"}

BENCH = [f'set tokens ["{ESCAPED}", "b", "c"]', "X = randn(3, 4)", "attend X"] + [
    "weights", "scores", "output", "entropy", "show", "trace 0", "why 0 1", "diagnose", f'snapshot "{ESCAPED}"', "snapshot a", "set temperature 2", "diff a", "state",
    "compare temperature 1 against 2", "sweep temperature 0.1 10", "plot sweep", "plot weights", "plot entropy", "plot heads", "plot links", "plot compare", "plot mask", f'plot X title "{ESCAPED}"',
    f'plot weights to "{ESCAPED}.svg"', f'plot weights to "{ESCAPED}.txt" title "{ESCAPED}"', f'plot weights to "nowhere/{ESCAPED}.txt"', "plot weights to \"x.png\"", "who", "tokens"]
FILES = [f'load("{name}")' for name in ("cells.csv", "names.csv", "rows.csv", "header.npy", "key.npy", "tensors.safetensors", "kind.safetensors", "broken.json", "family", "choice", "tensors.safetensors")] + [
    f'print(load("tensors.safetensors"))', f'run "{ESCAPED}.attn"', f'run "{ESCAPED}.md"', f'run "{ESCAPED}"', f'save session "{ESCAPED}.md"', f'save session "{ESCAPED}.html"', f'lesson "{ESCAPED}"',
    f'save("{ESCAPED}.npy", eye(2))', f'save("nowhere/{ESCAPED}.npy", eye(2))', "h", "print(h)", "[h, (h, h)]", "record(a=h)", "print([h], record(a=h))", f'pause 0 "{ESCAPED}"', "def f(): raise(h)", "f()",
    "assert False, h", "zeros(2)[h]", "h + 1", 'f"{1:{h}}"', "import sys\nprint(h, file=sys.stderr)"]
if has_editing():
    terminal = Terminal(ATTN_GNUPLOT=path("gnuplot"), ATTN_PAGER="")
    terminal.prompt()
    terminal.enter(f'h = "{ESCAPED}"')
    model = open_model()
    opened = [f'm = load("{model}")', "m", f'inspect m "{ESCAPED}0 {ESCAPED}1"', "heads", "head 0 0", "lens", "rollout", "saliency", "examples", "predict m [5, 6]", "plot heads"] if model else []
    for line in BENCH + FILES + opened:
        for part in line.split("\n"):
            try_line(terminal, part)
    for name in functions:
        if name not in LEAVES:
            for arguments in ("h", "h, h", "[h, h], 1", "X, h"):
                try_line(terminal, f"{name}({arguments})")
    for name in commands:
        if name not in LEAVES:
            for words in (f'"{ESCAPED}"', "h", "h h", f'X "{ESCAPED}"'):
                try_line(terminal, f"{name} {words}")
    check("the session is still there", "\n3" in terminal.enter("1 + 2"), terminal.text())
    start = len(terminal.raw)
    terminal.enter('for i in range(3): print("step", i, end="\\r")')
    check("a script counts on one line", b"step 0\rstep 1\rstep 2" in terminal.raw[start:], terminal.raw[start:])
    start = len(terminal.raw)
    terminal.send('load("e\t\t')
    terminal.read(1)
    terminal.read(0.5)
    harmless("completion", terminal.raw[start:].replace(EDITING, b"").replace(RUNNING, b"").replace(b"\x07", b""))
    terminal.close()

# ---- from the command line ----
for arguments in ([f"{EVIL}.attn"], [f"{EVIL}.md"], [EVIL], [f"--{EVIL}"], ["--columns", EVIL], ["check", f"{EVIL}.md"], ["check", EVIL], ["export", f"{EVIL}.md"], ["export", EVIL],
                  ["export", f"{EVIL}.md", "-o", f"nowhere/{EVIL}"], ["-c", f'print("{EVIL}")\nx = {EVIL}'], ["-c", f'load("{EVIL}")'], ["lesson", f"{EVIL}.md"], ["lesson", EVIL],
                  ["present", f"{EVIL}.md"], ["present", EVIL], ["help", EVIL]):
    terminal = Terminal(*arguments)
    terminal.wait(lambda: terminal.ended, 3)
    harmless(" ".join(map(repr, arguments)), re.sub(rb"\x1b\[\?2004[hl]", b"", terminal.raw))
    terminal.close()
result = run("-c", f'print("{ESCAPED}", end="")')
check("a pipe gets what a script prints as it is", result.out == EVIL, result)
finish()
