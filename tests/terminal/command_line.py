"""Options, scripts, standard input, exit statuses."""
import os

from program import Terminal, check, finish, path, run


def ends(name, status, out, err, *arguments, **options):
    """Status and output are exactly these; err is held by what is said (empty: nothing is said)."""
    result = run(*arguments, **options)
    right = result.status == status and (out is None or result.out == out) and (err in result.err if err else result.err == "")
    check(f"{name}: status {status}, {out!r}, {err!r}", right, result)
    return result


hello = path("hello.attn", 'print("hello", args)\n')
broken = path("broken.attn", "x = 1\nprint(x)\n  undefined_name\n")
wrong = path("wrong.attn", "x = 1\nprint(x)\nif x:\n    y = x + undefined_name\nprint(2)\n")

ends("code", 0, "3\n", "", "-c", "1 + 2")
ends("nothing", 0, "", "", "-c", "")
ends("a script", 0, "hello []\n", "", hello)
ends("its arguments", 0, "hello ['a', '-c', '--seed', '']\n", "", hello, "a", "-c", "--seed", "")
ends("arguments of code", 0, "['x', 'y z']\n", "", "-c", "args", "x", "y z")
ends("standard input", 0, "5\n", "", stdin="2 + 3\n")
ends("standard input named", 0, "5\n['a']\n", "", "-", "a", stdin="2 + 3\nargs")
ends("no line break at the end", 0, "5\n", "", "-", stdin="2 + 3")
ends("an empty input", 0, "", "", "-", stdin="")
ends("a block at the end", 0, "0\n1\n", "", "-", stdin="for i in range(2):\n    print(i)")
ends("blank lines in a block", 0, "0\n1\n", "", "-", stdin="for i in range(2):\n\n    print(i)\n\n\n")
ends("Windows' line ends and a mark", 0, "1\n2\n", "", "-", stdin="\ufeffif True:\r\n    print(1)\r\n    print(2)\r\n")
ends("a first line for the system", 0, "1\n", "", path("shebang.attn", "#!/usr/bin/env attn\nprint(1)\n"))
ends("--version", 0, None, "", "--version")
ends("--help", 0, None, "", "--help")
for words in ([], ["softmax"], ["how", "do", "I", "plot?"]):
    ends(f"help {words}: as at the prompt", 0, run("-c", " ".join(["help", *words])).out, "", "help", *words)

ends("an error", 1, "", "name error", "-c", "undefined_name")
path("half.csv", "0.5\n")
ends("--safe reads beside the script", 0, "[0.5]\n", "", "--safe", "-c", 'load("half.csv")')
ends("--safe reads nowhere else", 1, "", "file error", "--safe", "-c", 'load("../half.csv")')
ends("--safe reads beside the script, by a whole path", 0, "[0.5]\n", "", "--safe", "-c", f'load("{path("half.csv")}")')
result = ends("an error in a script", 1, "1\n", "name error", wrong)
check("its place", f"{wrong}:4:13:" in result.err and "\n" + " " * 4 + "    y = x + undefined_name\n" + " " * 16 + "^" * 14 + "\n" in result.err, result)
ends("a wrong indent", 1, "", "syntax error", broken)
ends("a failed assert", 1, "", "check error: why", "-c", 'assert 1 == 2, "why"')
ends("what was printed before", 1, "1\n", "name error", "-c", "print(1); undefined_name")
ends("exit", 0, "1\n", "", "-c", "print(1); exit; print(2)")
ends("exit()", 0, "1\n", "", "-c", "print(1)\nexit()\nprint(2)")
ends("exit(2)", 2, "", "", "-c", "exit(2)")
ends("exit of a text", 1, "", "no file\n", "-c", "exit('no file')")
ends("exit of a long text", 1, "", 1000 * "usage ", "-c", "exit(1000 * 'usage ')")
ends("exit in a loop", 0, "0\n", "", "-c", "for i in range(9):\n    print(i)\n    exit")

notes = path("notes.md", "# 注意\n\n```attn\nx = 2\nx + 1\n```\n\nThen:\n\n* a list\n  ```attn {.shown}\n  args\n  ```\n\n```python\nno\n```\n")
ends("a document", 0, "3\n['a']\n", "", notes, "a")
ends("a document in a session", 0, "3\n[]\n4\n", "", "-c", f'run "{notes}"\nx * 2')
ends("a document without cells", 0, "", "has no cells", path("prose.md", "prose\n"))
failing = path("failing.md", "# Title\n\n```attn\n1\n```\n\n```attn\nif 1:\n\n    undefined_name\n```\n\n```attn\n2\n```\n")
ends("an error in a document", 1, "1\n", f"{failing}:10:5:", failing)
ends("an error in a document in a session", 1, "1\n", f"{failing}:10:5:", "-c", f'run "{failing}"')
ends("an open bracket in a document", 1, "", ":2:5:", path("open.md", "```attn\nx = (1,\n```\n```attn\n2)\n```\n"))

for arguments in (["--nonsense"], ["-x"], ["--seed"], ["--seed", "x"], ["--seed=-1"], ["--seed="], ["--seed", "1e3"], ["--color=blue"], ["--color"],
                  ["--threads", "many"], ["--language", "fr"], ["-c"], ["-i"], ["--plots"], ["--versionx"], ["--quietly"]):
    result = run(*arguments)
    check(f"wrong usage {arguments}: status 2 and what is right", result.status == 2 and result.out == "" and "attn -c" in result.err, result)

ends("a missing file", 1, "", "missing.attn", "missing.attn")
ends("a folder", 1, "", "folder", path(""))
ends("a missing file of run", 1, "", "missing.attn", "-c", 'run "missing.attn"')
unreadable = path("unreadable.attn", "1")
os.chmod(unreadable, 0)
if os.geteuid() != 0:
    ends("a file that may not be read", 1, "", "unreadable.attn", unreadable)

same = run("-c", "print(rand(3))").out
check("seed 0 at the start", run("--seed", "0", "-c", "print(rand(3))").out == same and same != "")
check("--seed", run("--seed=7", "-c", "print(rand(3))").out == run("-c", "seed(7); print(rand(3))").out != same)
check("--seed is kept by the setting", run("--seed", "7", "-c", "show seed").out == "seed        7\n")
check("--threads", run("--threads", "1", "-c", "show threads").out == "threads     1\n")
check("--language", run("--language", "zh", "-c", "show language").out == "language    zh\n")
check("unset puts back the language of the start", run("--language", "zh", "-c", "set language en; unset language; show language").out == "language    zh\n")
path("zh.txt", 5 * "深度学习的注意力机制\n查询键值的点积很大\n今天天气很好我们去\n")
parts = run(path("parts.attn", """t = task("text", path="zh.txt", tokens="pairs", vocab=262, each="line", length=8)
m = transformer("decoder", vocab=t.vocab, d_model=8, heads=1, layers=1, d_ff=8, max_len=32, seed=1)
texts = [generate(m, "深", max=12, temperature=2, seed=i) for i in range(3)]
for x in texts: print(x)
"""))
check("part of a character is explained once", parts.out.count("\ufffd") > 3 and parts.err.count("part of a character") == 1, parts)
check("undo does not reach the options", "nothing to undo" in run("--seed", "7", "-c", "undo").err)

attend = "Q = eye(3); K = Q; V = Q; attend"
check("no colour without a terminal", "\033" not in run("-c", attend).out)
check("--color=always", "\033[" in run("--color=always", "-c", attend).out)
check("--color=always is stronger than NO_COLOR", "\033[" in run("--color=always", "-c", attend, NO_COLOR="1").out)
check("--color=never", "\033" not in run("--color=never", "-c", attend).out)
check("no banner and no prompt without a terminal", "attn" not in run(stdin="1\n").out)

def pictures(folder):
    """What a person sees there: not the list of who made what."""
    return sorted(name for name in os.listdir(folder) if not name.startswith("."))


plots = path("plots")
os.mkdir(plots)
result = run("--plots", plots, "-c", 'plot [1, 2, 3] to "a.txt"; plot eye(2) to "b.csv"')
check("--plots", result.status == 0 and pictures(plots) == ["a.txt", "b.csv"], result, os.listdir(plots))
result = run("--plots", plots, "-c", "plot eye(2)")
check("--plots takes every picture", result.status == 0 and len(pictures(plots)) == 3 and result.out == "", result, os.listdir(plots))
os.makedirs(path("config/attn"))
path("config/attn/init.attn", "x = 7\nprint(zz)\n")
ends("no init.attn without a prompt", 1, "", "name error: x is", "-c", "x", XDG_CONFIG_HOME=path("config"))
result = run("--plots", path("new-folder"), "-c", 'plot [1, 2] to "a.txt"')
check("--plots makes its folder", result.status == 0 and pictures(path("new-folder")) == ["a.txt"], result)

# Names come from the script: a rerun replaces its own pictures, and never another's.
for week, number in (("one", 1), ("two", 2)):
    os.makedirs(path(week))
    path(f"{week}/masks.attn", f"plot [{number}, 5] as text\nplot [5, {number}] as text")
path("named.attn", 'plot [3, 5] as text\nplot [3, 5] to "causal.txt"')
path("again.attn", 'run "one/masks.attn"\nplot [4, 5] to "causal.txt"')
path("lecture.md", "# Notes\n\n```attn\nplot [6, 7] as text\n```\n")
runs = [[path("one/masks.attn")], [path("two/masks.attn")], [path("named.attn")], [path("lecture.md")], ["-c", "plot [8, 9] as text"], ["-c", "plot [9, 8] as text"]]
wanted = [["masks-1.txt", "masks-2.txt"], ["masks-3.txt", "masks-4.txt"], ["causal.txt", "named-1.txt"], ["lecture-1.txt"], ["plot-1.txt"], ["plot-2.txt"]]
whole = {}
for turn in ("first", "again"):
    for arguments, names in zip(runs, wanted):
        result = run("--plots", path("pictures of all"), *arguments)
        whole.update({name: open(path(f"pictures of all/{name}")).read() for name in names if turn == "first"})
        check(f"--plots, {turn}: {names} are those of {arguments[-1]}", result.status == 0 and set(pictures(path("pictures of all"))) == set(whole), result, pictures(path("pictures of all")))
        check(f"--plots, {turn}: {arguments[-1]} touches no other's", all(open(path(f"pictures of all/{name}")).read() == text for name, text in whole.items()), names)
    result = run("--plots", path("pictures of all"), stdin="plot [7, 9] as text\n")
    whole["plot-3.txt"] = open(path("pictures of all/plot-3.txt")).read()
    check(f"--plots, {turn}: standard input has a number of its own", result.status == 0 and "plot-3.txt" in result.err, result)
result = run("--plots", "../pictures of all", "masks.attn", cwd=path("one"))
check("--plots: a script is the same from wherever it is called", result.err.count("masks-1.txt") == result.err.count("masks-2.txt") == 1 and set(pictures(path("pictures of all"))) == set(whole), result)
result = run("--plots", path("pictures of all"), path("again.attn"))
check("--plots: a name that another script has used is refused", result.status == 1 and "causal.txt is kept: another script has made it" in " ".join(result.err.split()) and "--force" in result.err and open(path("pictures of all/causal.txt")).read() == whole["causal.txt"], result)
check("--plots: what a script runs is its own part", "again-1.txt" in result.err and "again-2.txt" in result.err and "masks" not in result.err, result)
path("pictures of all/again-3.txt", "of another making")
result = run("--plots", path("pictures of all"), "-c", 'plot [4, 5] to "causal.txt" --force')
check("--plots: --force replaces it", result.status == 0 and open(path("pictures of all/causal.txt")).read() != whole["causal.txt"], result)
result = run("--plots", path("pictures of all"), path("named.attn"))
check("--plots: it is then the other's", result.status == 1 and "is kept" in result.err, result)
path("again.attn", 'run "one/masks.attn"\nplot [4, 5] as text')
result = run("--plots", path("pictures of all"), path("again.attn"))
check("--plots: a file that no script has made is kept", result.status == 0 and open(path("pictures of all/again-3.txt")).read() == "of another making" and "again-4.txt" in result.err, result)

# A picture `to new` does not lie among the sources.
path("show.attn", 'plot [1, 2] to new "a.txt"\nplot [2, 1] to new "b.txt"')
result = run(path("show.attn"), TMPDIR=path("one"))
made = [name for name in os.listdir(path("one")) if name.startswith("attn-show-")]
check("to new: one new folder, named at the end", result.status == 0 and len(made) == 1 and pictures(path("one/" + made[0])) == ["a.txt", "b.txt"] and result.err == f"(its pictures lie in {path('one/' + made[0])})\n", result)
result = run("--plots", path("pictures of all"), path("show.attn"))
check("to new: --plots says where", result.status == 0 and "lie in" not in result.err and os.path.exists(path("pictures of all/b.txt")), result)
check("to new: --safe", "--safe" in run("--safe", path("show.attn")).err and not os.path.exists(path("b.txt")))
result = run("--plots", path("no-such-folder/plots"), "-c", 'plot [1, 2] to "a.txt"')
check("--plots into nothing", result.status == 1 and "no-such-folder" in result.err, result)
ends("--threads beyond the cores", 2, "", "whole number from 1", "--threads", "0", "-c", "1")
ends("the end of the options", 0, "hello ['-c']\n", "", "--", hello, "-c")

for code in ('save("w.csv", [1])', 'save("w.npy", [1])', 'plot [1, 2] to "w.txt"', 'plot [1, 2] to "w.svg"'):
    result = run("--safe", "-c", code)
    check(f"--safe: {code}", result.status == 1 and "--safe" in result.err and not os.path.exists(path("w" + code[-6:-2])), result)
result = run("--safe", "-c", "zeros(2e8)")
check("--safe: memory", result.status == 1 and "limit error" in result.err, result)
path("inside.csv", "1,2\n3,4\n")
ends("--safe: load from elsewhere", 1, "", "--safe", "--safe", "-c", 'load("/etc/hostname.csv")')
path("inside.attn", "print(6)\n")
ends("--safe: run beside the script", 0, "6\n", "", "--safe", "-c", 'run "inside.attn"')
ends("--safe: run from elsewhere", 1, "", "only read from the folder", "--safe", "-c", 'run "/etc/passwd"')

# Behind what is run --safe would protect nobody.
safes = path("safes.attn", "print(args)\n")
save = 'save("w.csv", [1])'
for arguments in ([safes, "--safe"], ["-i", safes, "--safe"], ["-c", save, "--safe"], ["-", "--safe"], [notes, "x", "--safe"], ["-c", "--safe", save], ["--color=never", safes, "--seed", "3", "--safe", "--", "y"]):
    result = run(*arguments, stdin=save)
    check(f"{arguments}: --safe behind the script is an error", result.status == 2 and result.out == "" and "attn --safe FILE" in result.err and not os.path.exists(path("w.csv")), result)
ends("behind -- it is the script's", 0, "['a', '--', '--safe']\n", "", safes, "a", "--", "--safe")
ends("and where -- stands before the script", 0, "['--safe']\n", "", "--", safes, "--safe")
ends("other options behind the script are its words", 0, "['--color=never', '--seed', '3', '--safely', '-i']\n", "", safes, "--color=never", "--seed", "3", "--safely", "-i")
for arguments in (["-i", "--safe", "-c", save], ["--safe", "-i", "-c", save], ["-i", "--seed", "3", "--safe", path("saves.attn", save)]):
    ends(f"{arguments}: -i and --safe", 1, "", "--safe", *arguments)
for verb in (["check", path("saving.md", f"```attn\n{save}\n```\n")], ["present", path("saving.md")], ["lesson", path("saving.md")], ["export", path("saving.md"), "-o", path("saving.html")]):
    run(*verb, "--safe", stdin="\n\n")
    check(f"{verb[0]} FILE --safe is --safe", not os.path.exists(path("w.csv")))
ends("-i and nothing", 2, "", "-i needs a file", "-i", "--safe")

with_prompt = path("with_prompt.attn", "kept = 42\nprint(kept)\n")
terminal = Terminal("-i", with_prompt)
check("-i gives a prompt", terminal.prompt(), terminal.text())
check("-i keeps variables", "43" in terminal.enter("kept + 1"), terminal.text())
terminal.send("exit\r")
check("exit at the prompt", terminal.wait(lambda: terminal.ended), terminal.text())
check("status after exit", terminal.close() == 0, terminal.child.exitstatus)
terminal = Terminal("-i", notes)
check("-i of a document keeps variables", terminal.prompt() and "22" in terminal.enter("x + 20"), terminal.text())
terminal.send("\x04")
terminal.close()
terminal = Terminal("-i", wrong)
check("-i after an error", terminal.prompt() and "name error" in terminal.text(), terminal.text())
check("-i keeps what was before the error", "11" in terminal.enter("x + 10"), terminal.text())
terminal.send("\x04")
check("Ctrl-D leaves", terminal.wait(lambda: terminal.ended) and terminal.close() == 0, terminal.text())
finish()
