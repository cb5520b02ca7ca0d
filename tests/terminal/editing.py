"""The line editor: keys on one line and in blocks, history, searching, Ctrl-C, a window that changes."""
import os
import signal
import termios

from program import ATTN, EDITING, PATIENCE, RUNNING, Terminal, check, environment, finish, needs_editing, path

needs_editing()

UP, DOWN, LEFT, HOME, END, DELETE = "\x1b[A", "\x1b[B", "\x1b[D", "\x1b[H", "\x1b[F", "\x1b[3~"
WORD_LEFT, WORD_RIGHT, ALT_ENTER, BACKSPACE = "\x1b[1;5D", "\x1b[1;5C", "\x1b\r", "\x7f"


def fresh(name, columns=80, rows=24, **changes):
    """A prompt without history, or with that of an earlier one of this name."""
    os.makedirs(path(name), exist_ok=True)
    terminal = Terminal(columns=columns, rows=rows, XDG_STATE_HOME=path(name), **changes)
    check(f"{name}: a prompt", terminal.prompt(), terminal.text())
    return terminal


def column(terminal):
    """The cursor's place in its row, counted in characters: a wide one fills two cells."""
    y, x = terminal.cursor()
    return len("".join(terminal.screen.buffer[y][i].data for i in range(x)))


def keys(terminal, name, typed, *wanted):
    """After these keys the screen ends with the wanted rows; a | in one of them is the cursor."""
    def there():
        rows = terminal.lines()
        at = [(len(rows) - len(wanted) + i, row.index("|")) for i, row in enumerate(wanted) if "|" in row]
        plain = [row.replace("|", "").rstrip() for row in wanted]
        while plain and not plain[-1]:
            plain.pop()
        return rows[-len(plain):] == plain and (not at or (terminal.cursor()[0], column(terminal)) == at[0] or len(plain) < len(wanted))
    terminal.send(typed)
    return check(name, terminal.wait(there), terminal.cursor(), terminal.text(), "wanted:", "\n".join(wanted))


def drop(terminal):
    start = len(terminal.raw)
    terminal.send("\x03")
    check("Ctrl-C gives a prompt", terminal.wait(lambda: EDITING in terminal.raw[start:] and terminal.at_prompt()), terminal.text())


def one_line(where, terminal):
    keys(terminal, f"{where}: insertion in the middle", "x = 13" + LEFT + "2", "attn> x = 12|3")
    keys(terminal, f"{where}: Home and Delete", HOME + DELETE + "y", "attn> y| = 123")
    keys(terminal, f"{where}: End and Backspace", END + BACKSPACE + "4", "attn> y = 124|")
    keys(terminal, f"{where}: Ctrl-A and Ctrl-E", "\x01z\x05;", "attn> zy = 124;|")
    keys(terminal, f"{where}: words", " foo bar" + WORD_LEFT + WORD_LEFT + "a" + WORD_RIGHT + "b\x1bb\x1bfc", "attn> zy = 124; afoobc| bar")
    keys(terminal, f"{where}: Ctrl-K, Ctrl-U, Ctrl-Y", "\x0b\x15\x19", "attn> zy = 124; afoobc bar|")
    keys(terminal, f"{where}: Ctrl-W and undoing it", "\x17\x17\x1f", "attn> zy = 124; afoobc |")
    keys(terminal, f"{where}: Ctrl-D deletes", HOME + "\x04", "attn> |y = 124; afoobc")
    drop(terminal)
    check(f"{where}: the dropped line stays in view", "attn> y = 124; afoobc ^C" in terminal.text(), terminal.text())


def chinese(where, terminal):
    keys(terminal, f"{where}: Chinese", 's = "查询"', 'attn> s = "查询"|')
    keys(terminal, f"{where}: Left over wide characters", LEFT + LEFT, 'attn> s = "查|询"')
    keys(terminal, f"{where}: insertion between them", "我", 'attn> s = "查我|询"')
    keys(terminal, f"{where}: Backspace takes one", BACKSPACE + BACKSPACE, 'attn> s = "|询"')
    keys(terminal, f"{where}: so does Delete", DELETE + "é", 'attn> s = "é|"')
    drop(terminal)
    # The row is full but for one column: a wide character goes to the next.
    ascii_part = "y" * (terminal.screen.columns - 6 - 1)
    keys(terminal, f"{where}: a wide character does not stand in the last column", ascii_part + "字", f"attn> {ascii_part}", "字|")
    keys(terminal, f"{where}: the cursor before it", LEFT, f"attn> {ascii_part}", "|字")
    keys(terminal, f"{where}: a character before it fills the row", "z", f"attn> {ascii_part}z", "|字")
    keys(terminal, f"{where}: without it the cursor stands behind the row", DELETE, f"attn> {ascii_part}z", "|")
    check(f"{where}: at the beginning of the next one", terminal.wait(lambda: terminal.cursor()[1] == 0), terminal.cursor())
    keys(terminal, f"{where}: and comes back", BACKSPACE + BACKSPACE, f"attn> {ascii_part[:-1]}|")
    drop(terminal)


def unseen_chinese(where, terminal):
    keys(terminal, f"{where}: what the terminal cannot show", 's = "查询"', 'attn> s = "??????"|')
    terminal.send(LEFT + LEFT + BACKSPACE + "我\r")
    check(f"{where}: is edited by whole characters", "\nTrue" in terminal.enter('s == "我询"'), terminal.text())


def blocks(where, terminal):
    terminal.more("for i in [1, 2]:")
    keys(terminal, f"{where}: a block is indented", "pass", "attn> for i in [1, 2]:", "  ...     pass|")
    keys(terminal, f"{where}: so is the next line, and what is missing is said", "\r", "  ...     pass", "  ...     |", "an empty line ends the block")
    keys(terminal, f"{where}: which goes at the next key", "x", "  ...     pass", "  ...     x|")
    keys(terminal, f"{where}: Up and Down keep the column", UP + "1" + UP + "2" + DOWN + DOWN + "3", "attn> for i 2in [1, 2]:",
         "  ...     p1ass", "  ...     x3|")
    keys(terminal, f"{where}: Home and End are the line's", UP + HOME + "a" + END + "b", "attn> for i 2in [1, 2]:", "  ... a    p1assb|", "  ...     x3")
    keys(terminal, f"{where}: once more, the entry's", END + END + "c" + HOME * 3 + "d", "attn> d|for i 2in [1, 2]:", "  ... a    p1assb", "  ...     x3c")
    drop(terminal)
    terminal.more("if 1:")
    keys(terminal, f"{where}: Backspace takes a step of the indentation", "\tx" + LEFT + BACKSPACE, "attn> if 1:", "  ...     |x")
    keys(terminal, f"{where}: and another", BACKSPACE, "attn> if 1:", "  ... |x")
    keys(terminal, f"{where}: Tab adds one", "  \t", "attn> if 1:", "  ...     |x")
    drop(terminal)
    terminal.more("if 1:")
    terminal.more("    x = 1")
    keys(terminal, f"{where}: who types the indentation does not get it twice", "    y = 2\r", "attn> if 1:", "  ...     x = 1", "  ...     y = 2", "  ...     |",
         "an empty line ends the block")
    terminal.enter("")
    check(f"{where}: a line of blanks ends a block", "\n2" in terminal.enter("y"), terminal.text())
    terminal.enter("inner = 0; outer = 0")
    terminal.more("for a in [1, 2, 3]:")
    terminal.more("    if a == 2:")
    terminal.more("inner += 1")
    keys(terminal, f"{where}: blanks typed leave the block that a line was given", "    outer += 1\r", "attn> for a in [1, 2, 3]:", "  ...     if a == 2:", "  ...         inner += 1",
         "  ...     outer += 1", "  ...     |", "an empty line ends the block")
    keys(terminal, f"{where}: and go deeper", "if a == 3:\r      outer += 1\r", "  ...     if a == 3:", "  ...       outer += 1", "  ...       |", "an empty line ends the block")
    terminal.enter("")
    check(f"{where}: what is seen is run", "\n(1, 4)" in terminal.enter("(inner, outer)"), terminal.text())
    terminal.more("if 1:")
    keys(terminal, f"{where}: a blank behind the line's own words is a blank", "a  =   2", "attn> if 1:", "  ...     a  =   2|")
    keys(terminal, f"{where}: so is one in a line that was left and come back to", UP + DOWN + HOME + " ", "attn> if 1:", "  ...  |    a  =   2")
    drop(terminal)
    keys(terminal, f"{where}: Enter inside brackets", "z = [1,\r", "attn> z = [1,", "  ... |", "the [ opened in line 1 is not closed")
    keys(terminal, f"{where}: a line more", "    2,\r", "attn> z = [1,", "  ...     2,", "  ...     |", "the [ opened in line 1 is not closed")
    terminal.enter("3]")
    check(f"{where}: and its end", "\n6" in terminal.enter("sum(z)"), terminal.text())
    keys(terminal, f"{where}: Alt-Enter", "1" + ALT_ENTER + "2" + UP, "attn> 1|", "  ... 2")
    keys(terminal, f"{where}: Enter above the last line breaks the line", "\r3", "attn> 1", "  ... 3|", "  ... 2")
    keys(terminal, f"{where}: Ctrl-L keeps the entry alone", "\x0c", "attn> 1", "  ... 3|", "  ... 2")
    check(f"{where}: at the top", terminal.wait(lambda: len(terminal.lines()) == 3), terminal.text())
    terminal.send(DOWN)
    check(f"{where}: on the last line it runs all", "\n1\n3\n2\n" in terminal.enter(""), terminal.text())
    terminal.more("def f(x):")
    terminal.more("return x + nothing")
    terminal.enter("")
    check(f"{where}: an error in a line of many shows it", "y = missing\n" in terminal.enter("if 1:" + ALT_ENTER + "y = missing" + ALT_ENTER), terminal.text())


def history(where, terminal):
    terminal.enter("a = 1")
    terminal.enter("b = 2")
    terminal.enter("if a:" + ALT_ENTER + "b = 3" + ALT_ENTER)
    terminal.enter("c = 4")
    keys(terminal, f"{where}: Up", "typ" + LEFT * 3 + UP, "attn> c = 4|")
    keys(terminal, f"{where}: a block comes back whole", UP, "attn> if a:", "  ...     b = 3|")
    keys(terminal, f"{where}: and goes by one key", UP, "attn> b = 2|")
    keys(terminal, f"{where}: Down", DOWN, "attn> if a:", "  ...     b = 3|")
    keys(terminal, f"{where}: past the newest, what was being typed", DOWN + DOWN, "attn> |typ")
    keys(terminal, f"{where}: Ctrl-P and Ctrl-N", "\x10\x10\x0e", "attn> c = 4|")
    drop(terminal)
    keys(terminal, f"{where}: with a beginning, entries that begin so", "b" + UP, "attn> b = 2|")
    keys(terminal, f"{where}: no other", UP, "attn> b = 2|")
    keys(terminal, f"{where}: and back", DOWN, "attn> b|")
    drop(terminal)
    keys(terminal, f"{where}: inside a recalled block Up moves", UP + UP + LEFT + UP, "attn> if a:|", "  ...     b = 3")
    drop(terminal)
    terminal.send(UP + UP)
    terminal.enter("")
    check(f"{where}: a recalled block runs at Enter", "\n3" in terminal.enter("b"), terminal.text())
    keys(terminal, f"{where}: an edited one goes on", "if a" + UP + "3\r", "attn> if a:", "  ...     b = 33", "  ...     |", "an empty line ends the block")
    terminal.enter("")
    check(f"{where}: until its empty line", "\n33" in terminal.enter("b"), terminal.text())


def searching(where, terminal):
    terminal.enter('print("查询")')
    terminal.enter('print("other")')
    keys(terminal, f"{where}: Ctrl-R", "\x12查", "(reverse-i-search)`查': print(\"|查询\")")
    keys(terminal, f"{where}: Ctrl-G leaves it", "\x07", "attn> |")
    keys(terminal, f"{where}: Ctrl-C leaves it too", "\x12oth", "(reverse-i-search)`oth': print(\"|other\")")
    drop(terminal)
    check(f"{where}: the search finds and runs", "\n查询\n" in terminal.enter("\x12查"), terminal.text())
    keys(terminal, f"{where}: Up goes on from there", "\x12b = 2" + END + UP, "attn> a = 1|")
    drop(terminal)
    check(f"{where}: Ctrl-S searches forwards", terminal.show("\x12b =\x12\x13", "(i-search)`b ='"), terminal.text())
    drop(terminal)


def two_prompts():
    """History of prompts that run at once: Ctrl-R finds what Up passes."""
    one, other = fresh("two"), fresh("two")
    one.enter("mine = 1")
    other.enter("theirs = 2")
    keys(one, "Up stays with this prompt", UP, "attn> mine = 1|")
    drop(one)
    keys(one, "Ctrl-R finds the other's", "\x12thei", "(reverse-i-search)`thei': |theirs = 2")
    drop(one)
    one.close()
    one = fresh("two")
    keys(one, "a new prompt has both", UP + UP, "attn> mine = 1|")
    for terminal in (one, other):
        terminal.close()


def completing():
    terminal = fresh("completing")
    keys(terminal, "Tab completes", "softm\t", "attn> softmax(|", "softmax(x, axis=-1, temperature=1)")
    drop(terminal)
    keys(terminal, "and inserts no bracket twice", "softm([1])" + LEFT * 5 + "\t", "attn> softmax|([1])")
    drop(terminal)
    keys(terminal, "a command gets a space", "unse\t", "attn> unset |", "unset NAME")
    drop(terminal)
    terminal.close()
    terminal = fresh("narrow", 40, 10)
    check("a long list says what it leaves out", terminal.show("s\t", "saliency", "more"), terminal.text())
    check("and takes half of the screen at most", len(terminal.lines()) == 6, terminal.text())
    drop(terminal)
    check("and goes", "and " not in terminal.text(), terminal.text())
    terminal.close()


def resizing():
    terminal = fresh("resizing", 60, 20)
    line = "x = 1 + " + "2" * 60
    terminal.show(line, "2222")
    for columns in (50, 90, 40, 100):
        start = len(terminal.raw)
        terminal.screen.resize(20, columns)
        terminal.child.setwinsize(20, columns)
        terminal.wait(lambda: len(terminal.raw) > start)
        shown = lambda: "".join(terminal.lines()[-2:]).endswith(line) and column(terminal) == (6 + len(line)) % columns
        check(f"resized to {columns} columns", terminal.wait(shown), terminal.cursor(), terminal.text())
    check("and what was typed runs", "\n" in terminal.enter("") and "\n1" in terminal.enter("x / x"), terminal.text())
    terminal.close()


def without_marks():
    """A terminal that does not mark what is pasted: it arrives as if it were typed."""
    terminal = fresh("without-marks")
    terminal.send("for i in [7, 8]:\r    if i:\r        print(i * 11)\r    else:\r        print(0)\r\rz = 5\r")
    check("a block that arrives line by line", terminal.wait(lambda: "77\n88" in terminal.text() and terminal.at_prompt()), terminal.text())
    check("and the line after it", "\n5" in terminal.enter("z"), terminal.text())
    terminal.send("time_before = time()\rwhile time() < time_before + 0.5: pass\r")
    terminal.wait(lambda: "pass" in terminal.text() and terminal.raw.endswith(RUNNING))
    terminal.send("typed = 66\r")
    terminal.send("typ")
    check("what is typed while something runs is not lost", terminal.wait(lambda: terminal.row() == "attn> typ"), terminal.text())
    check("it ran in its turn", "\n66" in terminal.enter("ed"), terminal.text())
    terminal.close()


def sane(terminal):
    flags = termios.tcgetattr(terminal.child.child_fd)[3]
    return bool(flags & termios.ICANON and flags & termios.ECHO) and terminal.raw.rfind(RUNNING) > terminal.raw.rfind(EDITING)


def leaving():
    for name, leave in (("exit", lambda t: t.send("exit\r")), ("Ctrl-D", lambda t: t.send("\x04")), ("SIGTERM", lambda t: t.child.kill(signal.SIGTERM)),
                        ("SIGHUP", lambda t: t.child.kill(signal.SIGHUP))):
        terminal = fresh("leaving")
        leave(terminal)
        ended = terminal.wait(lambda: RUNNING in terminal.raw)
        check(f"{name} leaves the terminal as it was", ended and terminal.wait(lambda: sane(terminal)), terminal.raw[-200:])
        terminal.close()
    signal.signal(signal.SIGHUP, signal.SIG_IGN) # as nohup does; the program inherits it
    terminal = fresh("leaving")
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    terminal.child.kill(signal.SIGHUP)
    check("a signal that was ignored stays so", "\n3" in terminal.enter("1 + 2"), terminal.text())
    terminal.close()
    terminal = fresh("leaving")
    terminal.enter("kept = 1")
    terminal.child.kill(signal.SIGKILL)
    terminal.close()
    terminal = fresh("leaving")
    keys(terminal, "after kill -9 history has all that ran", UP, "attn> kept = 1|")
    terminal.close()


def stopping(options="--quiet"):
    """Ctrl-Z and fg, in a shell that can do it."""
    import pexpect
    shell = pexpect.spawn("/bin/bash", ["--norc", "--noprofile", "-i"], env=environment(PS1="shell$ "), timeout=PATIENCE, dimensions=(24, 80))
    shell.expect_exact("shell$ ")
    shell.send(f"{ATTN} {options}\r")
    shell.expect_exact("attn> ")
    shell.send("x = 4")
    shell.expect_exact("x = 4")
    shell.send("\x1a")
    stopped = shell.expect_exact(["Stopped", pexpect.TIMEOUT]) == 0
    shell.expect_exact("shell$ ")
    shell.send("echo $((6*7))\r")
    check("Ctrl-Z gives the shell a sane terminal", stopped and shell.expect_exact(["42\r\n", pexpect.TIMEOUT]) == 0, shell.before)
    shell.send("fg\r")
    check("fg shows the line again", shell.expect_exact(["attn> x = 4", pexpect.TIMEOUT]) == 0, shell.before)
    shell.send("2\rx + 1\r")
    check("and it goes on", shell.expect_exact(["43\r\n", pexpect.TIMEOUT]) == 0, shell.before)
    shell.close(force=True)


def stopping_safe():
    stopping("--quiet --safe")


def inputrc():
    """A person's own keys are heard, and Enter stays what it is."""
    os.makedirs(path("home"), exist_ok=True)
    path("home/.inputrc", 'set editing-mode vi\n"\\C-o": beginning-of-line\n"\\C-m": accept-line\n"\\e[A": history-search-backward\n')
    terminal = fresh("vi", HOME=path("home"))
    keys(terminal, "vi: a motion", "x = 12\x1b0", "attn> |x = 12")
    keys(terminal, "vi: a change", "cwyy\x1b$", "attn> yy = 1|2")
    keys(terminal, "vi: a key of one's own", "a3\x0fz", "attn> z|yy = 123")
    terminal.enter("")
    check("vi: Enter", "\n123" in terminal.enter("zyy"), terminal.text())
    check("vi: Enter goes on in a block", terminal.more("if 1:"), terminal.text())
    drop(terminal)
    keys(terminal, "vi: k is Up", "\x1bk", "attn> zy|y")
    terminal.close()


SCREENS = ((80, 24, {}), (40, 20, {"NO_COLOR": "1"}), (200, 50, {"COLORTERM": "truecolor"}), (80, 24, {"LC_ALL": "C", "LANG": "C"}),
           (80, 24, {"LC_ALL": None, "LC_CTYPE": None, "LANG": "xx_XX.UTF-8"}))
for number, (columns, rows, changes) in enumerate(SCREENS):
    utf8 = changes.get("LC_ALL") != "C"
    where = f"{columns}×{rows} {' '.join(filter(None, changes.values()))}"
    terminal = fresh(f"screen-{number}", columns, rows, **changes)
    one_line(where, terminal)
    (chinese if utf8 else unseen_chinese)(where, terminal)
    if number < 4:
        blocks(where, terminal)
        history(where, terminal)
    if utf8 and number < 3:
        searching(where, terminal)
    terminal.close()
for test in (two_prompts, completing, resizing, without_marks, leaving, stopping, stopping_safe, inputrc):
    test()
finish()
