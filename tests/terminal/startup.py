"""How a session begins: the banner, the init file, homes that are not as they should be, colour, --version."""
import os
import re
import shutil
import stat
import subprocess

from program import FOLDER, Terminal, check, finish, path, run

BANNER = "attn: see what attention computes"


class Loud(Terminal):
    """Without the --quiet of other tests."""

    def __init__(self, *arguments, **changes):
        import pexpect
        spawn = pexpect.spawn

        def loud(command, words, **options):
            return spawn(command, [word for word in words if word != "--quiet"], **options)

        pexpect.spawn = loud
        try:
            super().__init__(*arguments, **changes)
        finally:
            pexpect.spawn = spawn


def begin(*arguments, kind=Terminal, **changes):
    """A prompt, with what stands above it."""
    terminal = kind(*arguments, **changes)
    check(f"a prompt with {arguments} {changes}", terminal.prompt(), terminal.text())
    return terminal


# ---- the banner ----
for columns, rows, changes in ((80, 24, {}), (40, 20, {}), (200, 50, {}), (40, 20, dict(LC_ALL="C")), (80, 24, dict(NO_COLOR="1")), (80, 24, dict(TERM="dumb"))):
    terminal = begin(kind=Loud, columns=columns, rows=rows, **changes)
    above = terminal.lines()[:-1]
    check(f"the banner at {columns}x{rows} {changes}", len(above) <= 4 and BANNER in above[0], above)
    check(f"the banner at {columns}x{rows} {changes}: what to type, how to leave", all(any(line.startswith(word) for line in above) for word in ("help first", "exit")), above)
    plain = "NO_COLOR" in changes or changes.get("TERM") == "dumb"
    check(f"the banner at {columns}x{rows} {changes}: colour", (b"\033[1m" in terminal.raw.split(b"attn>")[0]) != plain, terminal.raw)
    terminal.close()
terminal = begin(kind=Loud, NO_COLOR="")
check("an empty NO_COLOR says nothing", b"\033[1m" in terminal.raw.split(b"attn>")[0], terminal.raw)
terminal.close()
for option in ("--quiet", "-q"):
    terminal = Loud(option) if option == "-q" else Terminal()
    check(f"{option}: no banner", terminal.prompt() and terminal.lines() == ["attn>"], terminal.text())
    terminal.close()

# ---- the first minute, as a person types it ----
terminal = begin(kind=Loud)
shown = terminal.enter("help first")
steps = [line[:24].strip() for line in re.sub(r"\033\[[0-9;?]*[a-zA-Z]", "", shown).splitlines() if re.match(r"(X =|attend X|set |plot |undo)", line)]
check("help first lists its steps", len(steps) == 6, shown)
for step in steps:
    shown = terminal.enter(step)
    check(f"the first minute: {step}", " error: " not in shown, shown)
terminal.close()
for line, parts in {"attend": ("nothing to attend to", "X = randn(3, 4); attend"), "weights": ("no weights yet", "X = randn(3, 4); attend"),
                    "plot weights": ("nothing to draw", "attend; plot weights"), "show weights": ("no weights yet", "attend")}.items():
    result = run("-c", line)
    said = " ".join(result.err.split())
    check(f"an empty bench leads on: {line}", result.status == 1 and all(part in said for part in parts), result)
    follow = re.search(r"for example: (.*)$", said)
    check(f"an empty bench: what it says to type after {line}", follow and run("-c", follow.group(1)).status == 0, said)
check("show with nothing", run("-c", "show").status == 0)

# ---- the init file ----
os.makedirs(path("config/attn"))
path("config/attn/init.attn", "x = 7\nset digits 3;\nprint('ready')\n")
terminal = begin(XDG_CONFIG_HOME=path("config"))
check("init.attn is run", "ready" in terminal.text() and "\n7\n" in terminal.enter("x"), terminal.text())
check("init.attn is no step of undo", "nothing to undo" in terminal.enter("undo"), terminal.text())
terminal.close()
path("config/attn/init.attn", "x = 7\ny = zz\n")
terminal = begin(XDG_CONFIG_HOME=path("config"))
check("a mistake in init.attn is said, with its place", "init.attn:2:5" in terminal.text().replace("\n", "") and "name error" in terminal.text(), terminal.text())
check("and the prompt comes, with what was before it", "\n7\n" in terminal.enter("x"), terminal.text())
terminal.close()
os.makedirs(path("home/.config/attn"))
path("home/.config/attn/init.attn", "x = 8\n")
for name, config in (("no XDG_CONFIG_HOME", None), ("an empty one", ""), ("a relative one", "config")):
    terminal = begin(HOME=path("home"), XDG_CONFIG_HOME=config)
    check(f"{name}: ~/.config", "\n8\n" in terminal.enter("x"), terminal.text())
    terminal.close()

# ---- reset comes back to the start ----
path("config/attn/init.attn", "set digits 6;\nset temperature 2;\n")
SHOWN = "print('; '.join([str(rand() == first)])); show language; show seed; show digits; show threads; show temperature"
for arguments, changes, language, seed, digits, threads, temperature in (
        (["--language", "zh", "--seed", "5", "--threads", "1"], dict(LANG="en_US.UTF-8", LC_ALL=None), "zh", 5, 4, 1, 1), ([], dict(LC_ALL="zh_CN.UTF-8"), "zh", 0, 4, None, 1),
        ([], dict(LC_ALL="zh_CN.UTF-8", XDG_CONFIG_HOME=path("config")), "zh", 0, 6, None, 2), (["--seed", "7"], dict(XDG_CONFIG_HOME=path("config")), "en", 7, 6, None, 2),
        (["--language", "en"], dict(LC_ALL="zh_CN.UTF-8"), "en", 0, 4, None, 1)):
    where = f"reset with {arguments} {changes.get('LC_ALL')} {changes.get('XDG_CONFIG_HOME') and 'init.attn'}"
    terminal = begin(*arguments, **changes)
    terminal.enter("first = rand()")
    wanted = [f"language {language}", f"seed {seed}", f"digits {digits}", f"temperature {temperature}"] + ([f"threads {threads}"] if threads else [])
    for line in ("reset", "set digits 9; set seed 3; set threads 2; set temperature 0.5; reset", "reset all; first = None"):
        terminal.enter(line)
        shown = [" ".join(row.split()) for row in terminal.enter(SHOWN).splitlines()]
        check(f"{where}: {line}", all(row in shown for row in wanted) and ("first = None" in line or "True" in shown), wanted, shown)
    other = "en" if language == "zh" else "zh"
    terminal.enter(f"set language {other}; snapshot s; set language {language}; restore s")
    check(f"{where}: restore leaves the language", language in terminal.enter("show language").split(), terminal.text())
    terminal.enter(f"set language {other}; reset")
    check(f"{where}: reset leaves the language that was set since", other in terminal.enter("show language").split(), terminal.text())
    terminal.enter("undo; ")
    check(f"{where}: undo", language in terminal.enter("show language").split(), terminal.text())
    if changes.get("XDG_CONFIG_HOME"):
        terminal.enter("lesson 1")
        check(f"{where}: a lesson begins with the defaults", "1" == terminal.enter("show temperature").split("\n")[1].split()[1], terminal.text())
    terminal.close()
result = run("--language", "zh", "--seed", "5", "-c", "a = rand()\nreset\nprint(a == rand()); show language; show seed")
check("reset in a script", [line.split()[-1] for line in result.out.splitlines()] == ["True", "zh", "5"], result)
os.remove(path("config/attn/init.attn"))

# ---- homes ----
read_only = path("read-only")
os.makedirs(read_only)
os.chmod(read_only, stat.S_IRUSR | stat.S_IXUSR)
path("file", "")
for name, changes in (("no home", dict(HOME=None, XDG_STATE_HOME=None, XDG_CONFIG_HOME=None)), ("an empty HOME", dict(HOME="", XDG_STATE_HOME=None, XDG_CONFIG_HOME=None)),
                      ("a home that is not there", dict(HOME=path("none/such"), XDG_STATE_HOME=None, XDG_CONFIG_HOME=None)),
                      ("a home that is a file", dict(HOME=path("file"), XDG_STATE_HOME=None, XDG_CONFIG_HOME=None)),
                      ("a home that may not be written to", dict(HOME=read_only, XDG_STATE_HOME=None, XDG_CONFIG_HOME=None)),
                      ("relative folders", dict(HOME=None, XDG_STATE_HOME="state", XDG_CONFIG_HOME="config")),
                      ("folders that cannot be", dict(XDG_STATE_HOME="/proc/none", XDG_CONFIG_HOME="/dev/null"))):
    before = set(os.listdir(FOLDER.name))
    terminal = begin(**changes)
    check(f"{name}: nothing is said", terminal.lines() == ["attn>"], terminal.text())
    check(f"{name}: it works", "\n42\n" in terminal.enter("6 * 7"), terminal.text())
    terminal.send("exit\r")
    check(f"{name}: it ends well", terminal.wait(lambda: terminal.ended) and terminal.close() == 0, terminal.text())
    check(f"{name}: nothing is made elsewhere", set(os.listdir(FOLDER.name)) == before, os.listdir(FOLDER.name))
os.chmod(read_only, stat.S_IRWXU)

# ---- --version, --help ----
result = run("--version")
lines = dict(line.partition(": ")[::2] for line in result.out.splitlines()[1:])
check("--version", result.status == 0 and re.match(r"attn \d+\.\d+\.\d+\n", result.out), result)
check("--version: what is there", lines.get("kernels") and int(lines.get("threads", 0)) > 0 and "gnuplot" in lines.get("pictures as .png, .svg, .pdf and .gif", ""), result)
linked = "readline" in lines.get("line editing", "") and "none" not in lines["line editing"]
check("--version: readline has its version, and is heard by the licence", re.match(r"readline \d|none", lines.get("line editing", "")) and ("GPL version 3" in lines.get("licence", "")) == linked, result)
check("--version: MIT", "MIT" in lines.get("licence", ""), result)
result = run("--version", ATTN_GNUPLOT="/nonexistent/gnuplot")
check("--version: what is lacking", "is not installed" in result.out, result)
result = run("--help")
check("--help fits a screen", len(result.out.splitlines()) <= 23 and max(map(len, result.out.splitlines())) <= 80, result)

# ---- --manual ----
result = run("--manual")
check("--manual", result.status == 0 and result.out.startswith(".TH ATTN 1") and result.out.isascii(), result)
for part in ("\n.SH OPTIONS\n", "\\-\\-safe", "\n.SH COMMANDS\n.TP\n.B attend", "set temperature", "ATTN_PAGER"):
    check(f"--manual: {part!r}", part in result.out, result.out[:1500])
if shutil.which("groff"):
    page = path("attn.1", result.out)
    shown = subprocess.run(["groff", "-man", "-ww", "-z", page], capture_output=True, text=True)
    check("--manual: groff has nothing to say against it", shown.returncode == 0 and shown.stderr == "", shown)
    shown = subprocess.run(["groff", "-man", "-Tascii", "-P-cbou", page], capture_output=True, text=True).stdout
    check("--manual: shown", all(f"\n{part}" in shown for part in ("OPTIONS", "       attn -c 'CODE'", "       attend Q K V", "       --safe")), shown[:1500])
finish()
