"""Tab and the line below the entry: each kind of place, lists, files, many variables; on small and large screens, in UTF-8 and C."""
import os

from program import Terminal, check, finish, needs_editing, path

needs_editing()

HOME, LEFT = "\x1b[H", "\x1b[D"
MANY = 10000


def fresh(name, columns=80, rows=24, **changes):
    os.makedirs(path(name), exist_ok=True)
    terminal = Terminal(columns=columns, rows=rows, XDG_STATE_HOME=path(name), **changes)
    check(f"{name}: a prompt", terminal.prompt(), terminal.text())
    return terminal


def drop(terminal):
    start = len(terminal.raw)
    terminal.send("\x03")
    terminal.wait(lambda: b"\x1b[?2004h" in terminal.raw[start:] and terminal.at_prompt())


def entry(terminal):
    """The row of the prompt, with what stands left of the cursor and | for the cursor."""
    y, x = terminal.cursor()
    before = "".join(terminal.screen.buffer[y][i].data for i in range(x))
    return (before + "|" + terminal.row()[len(before):]).removeprefix("attn> ").rstrip()


def below(terminal):
    return "\n".join(terminal.lines()[terminal.screen.cursor.y + 1:])


def tab(terminal, name, typed, wanted, *listed, absent=()):
    """Typing this and Tab gives the wanted entry; each of `listed` stands below it."""
    terminal.send(typed + "\t")
    there = terminal.wait(lambda: entry(terminal) == wanted and all(part in below(terminal) for part in listed))
    check(f"{name}: {typed!r} and Tab", there, entry(terminal), terminal.text())
    check(f"{name}: {typed!r} lists no more", not any(part in below(terminal) for part in absent), terminal.text())
    drop(terminal)


def hint(terminal, name, typed, wanted):
    check(f"{name}: the line below {typed!r}", terminal.show(typed, lambda: below(terminal) == wanted), below(terminal), "wanted:", wanted)
    drop(terminal)


def places(name, terminal):
    terminal.enter("Q = eye(3); K = Q; V = Q; quality = 2")
    terminal.enter("def blend(first, second, share=0.5): return first * share + second * (1 - share)\r")
    terminal.enter("attend Q K V;")
    tab(terminal, name, "plo", "plot |")
    tab(terminal, name, "soft", "softmax(|")
    tab(terminal, name, "x = soft", "x = softmax(|")
    tab(terminal, name, "x = 1; set te", "x = 1; set te|", "temperature", "terminal")
    tab(terminal, name, "set mask cau", "set mask causal |")
    tab(terminal, name, "plot weights xla", "plot weights xlabel |")
    tab(terminal, name, "plot link", "plot links |")
    tab(terminal, name, "plot links thr", "plot links threshold |")
    tab(terminal, name, "plot Q ", "plot Q |", "against", "range", "size", "title", absent=["loglog", "weights"])
    tab(terminal, name, "plot Q as lo", "plot Q as log|", "logx", "loglog", absent=["title"])
    tab(terminal, name, "set mask causal and w", "set mask causal and window |")
    tab(terminal, name, "softmax(Q, tem", "softmax(Q, temperature=|")
    tab(terminal, name, "softmax(Q, ", "softmax(Q, |", "temperature=", "axis=", "quality", absent=["x=", "zeros("])
    tab(terminal, name, "blend(1, sha", "blend(1, sha|", "share=", "shape(")
    tab(terminal, name, "last.w", "last.weights|")
    tab(terminal, name, "Q.flatt", "Q.flatten(|")
    tab(terminal, name, "np.soft", "np.softmax(|")
    tab(terminal, name, "Causal_m", "causal_mask(|")
    tab(terminal, name, "attend Q qual", "attend Q qual|")
    tab(terminal, name, "help temp", "help temperature |")
    tab(terminal, name, "x = (1 + 2)qual", "x = (1 + 2)qual|")
    tab(terminal, name, "soft(Q)" + LEFT * 3, "softmax|(Q)")
    tab(terminal, name, "", "    |")


def hints(name, terminal):
    hint(terminal, name, "softmax(", "softmax(x, axis=-1, temperature=1)")
    hint(terminal, name, "softmax(exp(", "exp(x)")
    hint(terminal, name, "softmax(exp(Q), ", "softmax(x, axis=-1, temperature=1)")
    hint(terminal, name, "blend(", "blend(first, second, share=0.5)")
    hint(terminal, name, "softmax(Q)", "")
    hint(terminal, name, "unset ", "unset NAME")


def blocks(name, terminal):
    terminal.more("def scores(query, keys):")
    check(f"{name}: Tab at the beginning of a line indents", terminal.show("\tx", lambda: terminal.row() == "  ...         x"), terminal.text())
    check(f"{name}: a parameter of the def", terminal.show(" = que\t", "x = query"), terminal.text())
    drop(terminal)


def files(name, terminal, utf8):
    for folder in ("图片", "pictures"):
        os.makedirs(path(folder), exist_ok=True)
    for file in ("图片/注意力.png", "pictures/one.png", "pictures/two words.png", "numbers.npy", "numbers.csv", ".hidden.npy"):
        path(file, "")
    tab(terminal, name, 'load("num', 'load("numbers.|', '"numbers.csv"', '"numbers.npy"')
    tab(terminal, name, 'load("numbers.c', 'load("numbers.csv"|')
    tab(terminal, name, "load('pic", "load('pictures/|")
    tab(terminal, name, 'plot Q to "pictures/t', 'plot Q to "pictures/two words.png" |')
    tab(terminal, name, 'load(".hid', 'load(".hidden.npy"|')
    tab(terminal, name, 'print("num', 'print("num|')
    if utf8:
        tab(terminal, name, 'load("图', 'load("图片/|')
        tab(terminal, name, 'load("图片/', 'load("图片/注意力.png"|')


def chinese(name, terminal):
    terminal.enter("查询 = eye(2); 查看 = 1")
    tab(terminal, name, "x = 查", "x = 查|", "查看", "查询")
    tab(terminal, name, "x = 查询.dty", "x = 查询.dtype|")


def many(name):
    """10,000 variables: the list is cut."""
    terminal = fresh(name)
    script = path("many.attn", "".join(f"variable_{i} = {i}\n" for i in range(MANY)))
    terminal.enter(f'run "{script}"')
    check(f"{name}: they are there", "9999" in terminal.enter("variable_9999"), terminal.text())
    terminal.send("x = var")
    terminal.wait(lambda: entry(terminal) == "x = var|")
    listed = terminal.show("\t", "more")
    check(f"{name}: a list that says how many more", listed and "variable_0" in below(terminal), terminal.text())
    drop(terminal)
    tab(terminal, name, "x = variable_999", "x = variable_999|", "variable_9990")
    tab(terminal, name, "softmax(variable_1, tem", "softmax(variable_1, temperature=|")
    terminal.close()


def narrow(name):
    terminal = fresh(name, columns=40, rows=20)
    tab(terminal, name, "set ", "set |", "temperature", "palette")
    check(f"{name}: a long signature is cut", terminal.show("attention(", lambda: below(terminal).startswith("attention(Q, K, V")), terminal.text())
    check(f"{name}: in one row", len(below(terminal).splitlines()) == 1, terminal.text())
    drop(terminal)
    tab(terminal, name, "x = c", "x = c|", "ceil(", "comb(")
    terminal.close()


terminal = fresh("plain")
places("plain", terminal)
hints("plain", terminal)
blocks("plain", terminal)
files("plain", terminal, True)
chinese("plain", terminal)
terminal.close()
terminal = fresh("C", LC_ALL="C", columns=200, rows=50)
places("C", terminal)
hints("C", terminal)
files("C", terminal, False)
terminal.close()
narrow("narrow")
many("many")
finish()
