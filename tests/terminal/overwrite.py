"""Files that a session has not written are replaced after a question, at a real prompt."""
import pathlib

from program import FOLDER, Terminal, check, finish, needs_editing, path, run

KEPT = "of another making"
COMMANDS = {"w.npy": 'save("w.npy", eye(2))', "w.md": 'save session "w.md"', "w.txt": 'plot eye(2) to "w.txt"'}


def content(name):
    return pathlib.Path(FOLDER.name, name).read_bytes()


def asked(terminal, line, answer):
    """Types a line and the answer to its question; what stands on the screen then."""
    terminal.enter("# a line before")
    terminal.send(line + "\r")
    check(f"{line} asks", terminal.wait(lambda: terminal.row().endswith("[y/N]")), terminal.text())
    terminal.send(answer)
    terminal.prompt()
    return terminal.text().split("# a line before")[-1]


needs_editing()
for columns in (80, 40):
    for name, line in COMMANDS.items():
        path(name, KEPT)
        terminal = Terminal(columns=columns, rows=20)
        terminal.prompt()
        terminal.enter("x = 1")
        for answer in ("\r", "n\r", "yesterday\r"):
            out = asked(terminal, line, answer)
            words = " ".join(out.split())
            check(f"{line}: {answer!r} keeps it", content(name) == KEPT.encode() and f"{name} is kept as it was" in words and f"overwrite {name}, which this session has not written?" in words, out)
        out = asked(terminal, line, "\x03")
        check(f"{line}: so does Ctrl-C, without an error", content(name) == KEPT.encode() and "error" not in out, out)
        out = asked(terminal, line, "y\r")
        check(f"{line}: y replaces it", content(name) != KEPT.encode() and "error" not in out, out)
        out = terminal.enter(line)
        check(f"{line}: its own file is replaced at once", "overwrite" not in out and "error" not in out, out)
        terminal.close()

# A folder is never replaced, and nobody is asked whether it may be.
pathlib.Path(FOLDER.name, "folder.npy").mkdir()
terminal = Terminal()
terminal.prompt()
for line in ('save("folder.npy", eye(2))', 'plot eye(2) to "folder.npy"', 'save("folder.npy/", eye(2))'):
    out = terminal.enter(line)
    check(f"{line} is an error at once", "overwrite" not in out and "error" in out, out)
terminal.close()

for name, line in COMMANDS.items():
    path(name, KEPT)
    forced = line[:-1] + ", force=True)" if line.endswith(")") else line + " --force"
    terminal = Terminal()
    terminal.prompt()
    out = terminal.enter(forced)
    check(f"{forced} does not ask", content(name) != KEPT.encode() and "overwrite" not in out, out)
    terminal.close()

    path(name, KEPT)
    terminal = Terminal(path("own.attn", line + "\n"))
    terminal.wait(lambda: terminal.ended)
    check(f"{line}: a script does not ask", terminal.close() == 0 and content(name) != KEPT.encode(), terminal.text())

path("w.npy", KEPT)
result = run("-c", COMMANDS["w.npy"])
check("nor does -c", result.status == 0 and content("w.npy") != KEPT.encode(), result)
finish()
