"""--safe: what a script of a stranger tries does not read, write or start anything outside of its folder: with what the system holds it by, and with the program's own checks alone."""
import ctypes
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys

from program import ATTN, SANITIZED, Terminal, check, environment, finish, has_editing, path, run

SECRET = "7777.25"
base = path("base")
box = os.path.join(base, "box")
os.makedirs(os.path.join(box, "sub"))
os.makedirs(os.path.join(base, "state", "attn"))
os.makedirs(os.path.join(base, "model"))
os.makedirs(os.path.join(base, "bin"))


def put(name, text):
    with open(os.path.join(base, name), "w", encoding="utf-8") as file:
        file.write(text)


for name in "secret.csv", "secret.tsv", "secret\nline.csv", "box-secret.csv", "state/attn/history.csv":
    put(name, SECRET + "\n")
put("secret.attn", f"print({SECRET})\n")
put("secret.md", f"# {SECRET}\n\n```attn\nprint({SECRET})\n```\n")
put("secret.txt", SECRET)
put("state/attn/history", f"print({SECRET})\n")
put("model/config.json", f'{{"model_type": "{SECRET}"}}')
put("box/inside.csv", "0.5\n")
put("box/sub/inside.csv", "0.25\n")
put("box/inside.attn", "inside = 3\n")
put("box/sub/climbs.attn", 'print(load("../../secret.csv"))\n')
put("box/sub/stays.attn", 'print(load("../inside.csv"))\n')
subprocess.run([ATTN, "-c", f'save("{base}/secret.npy", [{SECRET}]); save("{base}/secret.safetensors", record(a=[{SECRET}]))'], check=True, capture_output=True)
# Programs that would leave a mark.
for program in "gnuplot", "less", "more", "sh", "cat", "vi", "python3":
    put("bin/" + program, f"#!/bin/sh\necho started >>{base}/started\n")
    os.chmod(os.path.join(base, "bin", program), 0o755)
for name, target in {"link.csv": "../secret.csv", "link.npy": base + "/secret.npy", "link.attn": "../secret.attn", "link.md": "../secret.md", "up": "..", "root": "/", "chain.csv": "link.csv", "model": "../model",
                     "proc": "/proc/self/root" + base, "zero.csv": "/dev/zero", "self": "/proc/self/fd", "there.csv": "inside.csv", "sub/up.csv": "../../secret.csv"}.items():
    os.symlink(target, os.path.join(box, name))
os.makedirs(os.path.join(box, "m"))
put("box/m/config.json", '{"model_type": "gpt2"}')
os.symlink("../../secret.safetensors", os.path.join(box, "m", "model.safetensors"))
os.symlink(base + "/nothing.csv", os.path.join(box, "nothing.csv"))
os.mkfifo(os.path.join(box, "pipe.csv"))

READS = [f'print({how})' for how in [
    'load("../secret.csv")', 'load("../secret.tsv")', 'load("../secret.npy")', 'load("../secret.safetensors")', f'load("{base}/secret.csv")', f'load("{base}/box/../secret.csv")', 'load("sub/../../secret.csv")',
    'load("./../secret.csv")', 'load("sub/./.././../secret.csv")', 'load("../box-secret.csv")', f'load("{base}/box-secret.csv")', 'load("link.csv")', 'load("link.npy")', 'load("chain.csv")', 'load("up/secret.csv")', f'load("root{base}/secret.csv")',
    'load("proc/secret.csv")', 'load("sub/up.csv")', 'load("~/secret.csv")', 'load("~/base/secret.csv")', 'load("../secret\\nline.csv")', 'load("../model")', 'load("model")', 'load("m")', 'load("m/model.safetensors")', f'load("{base}/model/model.safetensors")',
    'load("/proc/self/environ.csv")', 'load("/proc/self/cwd/../secret.csv")', f'load("/proc/self/root{base}/secret.csv")', 'load("zero.csv")', 'load("/dev/stdin")', 'load("self/0")', 'load("//" + "etc/passwd.csv")', f'load("file://{base}/secret.csv")',
    f'load("{base}/state/attn/history.csv")', 'load("secret.csv\\x00.csv")', 'load("..\\\\secret.csv")', 'task("text", path="../secret.txt")', 'task("text", path="link.csv")', 'open("../secret.txt").read()', 'list_folder("..")', 'list_folder("up")', 'open("link.csv").read()', 'read_text("up/secret.txt")', f'path_kind("{base}/secret.txt")', 'path_kind("../nothing")', f'task("text", path="{base}/secret.txt")',
]] + ['run "../secret.attn"', f'run "{base}/secret.attn"', 'run "link.attn"', 'run "up/secret.attn"', 'run "/etc/passwd"', 'run "/etc/shadow"', 'run "../secret.md"', 'run "link.md"', 'run "sub/climbs.attn"', 'run "/proc/self/cmdline"', 'run "../secret.csv"', 'run "zero.csv"',
       'print(load("pipe.csv"))', 'run "pipe.csv"', 'lesson "../secret.md"', f'lesson "{base}/secret.md"', 'lesson "link.md"']
WRITES = ['make_folder("new")', 'remove_file("there.csv", force=True)', 'save("out.csv", [1])', 'open("out.txt", "w").close()', 'open("there.csv", "a").close()', 'write_text("../out.txt", "x", force=True)', 'save("../out.npy", [1])', f'save("{base}/out.csv", [1])', 'save("there.csv", [1], force=True)', 'save("link.csv", [1], force=True)', 'save("m.safetensors", transformer(vocab=3, d_model=4, heads=1, layers=1))',
          'save session "out.md"', 'save session "../out.attn" --force', 'plot [1, 2] to "out.svg"', 'plot [1, 2] to "out.png"', 'plot [[1, 2], [3, 4]] to "../out.gp"', 'plot [1, 2] to "out.csv"', 'plot [1, 2] to "out.txt"', 'print("x", file="out.txt")',
          'X = randn(3, 4); attend;\nplot weights to "out.pdf"', 'save("/dev/shm/attn-out.csv", [1])', 'save("/proc/self/comm.csv", [1])', "pronoun; examples\nplot heads to \"out.svg\""]
STARTS = ["plot [1, 2, 3]", "plot randn(40, 40)", "help plot", "for i in range(100): print(i)", "X = randn(3, 4); attend;\nplot weights", "set figure png\nplot [1, 2]"]
ESCAPES = READS + WRITES + STARTS
check("sixty escapes and more", len(ESCAPES) >= 60, len(ESCAPES))


def tree():
    """Everything below the base, with its contents, links and modes."""
    seen = {}
    for folder, folders, names in os.walk(base):
        for name in folders + names:
            full = os.path.join(folder, name)
            status = os.lstat(full)
            content = os.readlink(full) if os.path.islink(full) else open(full, "rb").read() if os.path.isfile(full) else b""
            seen[os.path.relpath(full, base)] = status.st_mode, content
    return seen


def hide_sandbox():
    """As on a system without Landlock and seccomp: their calls answer that they are not there."""
    LANDLOCK_CREATE, SECCOMP = 444, {"x86_64": 317, "aarch64": 277}.get(os.uname().machine)
    load, equal, ret = 0x20, 0x15, 0x06
    lines = [(load, 0, 0, 0), (equal, 1, 0, LANDLOCK_CREATE), (equal, 0, 1, SECCOMP), (ret, 0, 0, 0x00050000 | 38), (ret, 0, 0, 0x7FFF0000)]
    program = b"".join(struct.pack("HBBI", *line) for line in lines)
    memory = ctypes.create_string_buffer(program)
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(38, 1, 0, 0, 0)
    header = struct.pack("HxxxxxxP", len(lines), ctypes.addressof(memory))
    if libc.prctl(22, 2, ctypes.c_char_p(header), 0, 0) != 0:
        raise OSError("no filter")


held = run("--version").out.split("--safe is held by ")[1].split("\n")[0]
kinds = [("alone", hide_sandbox)] if "seccomp" in held else []
kinds.append((held, None))
env = environment(HOME=base, XDG_STATE_HOME=os.path.join(base, "state"), XDG_CONFIG_HOME=base, PATH=os.path.join(base, "bin"), ATTN_PAGER="less", PAGER="less", DISPLAY=":0")
before = tree()


def attempt(what, kind, start, arguments, text=None):
    done = subprocess.run([ATTN, *arguments], cwd=box, env=env, input=text, capture_output=True, preexec_fn=start, timeout=120)
    said = (done.stdout + done.stderr).decode("utf-8", "replace")
    # A name that was typed may be repeated, a number that stands in a file not.
    check(f"{what} ({kind}) tells nothing", SECRET not in said and "root:" not in said and done.returncode >= 0, said)
    return said


for kind, start in kinds:
    version = subprocess.run([ATTN, "--version"], capture_output=True, text=True, preexec_fn=start).stdout
    check(f"--version says what it is ({kind})", f"--safe is held by {'the program' if start else kind}" in version, version)
    for code in ESCAPES:
        script = os.path.join(box, "script.attn")
        with open(script, "w", encoding="utf-8") as file:
            file.write(code + "\n")
        attempt(code, kind, start, ["--safe", "script.attn"])
        os.unlink(script)
    for code in READS[:12] + WRITES[:3]:
        attempt("-c " + code, kind, start, ["--safe", "-c", code])
        attempt("- " + code, kind, start, ["--safe", "-"], (code + "\n").encode())
        with open(os.path.join(box, "d.md"), "w", encoding="utf-8") as file:
            file.write(f"# A document\n\n![](../secret.txt)\n\n```attn\n{code}\n```\n")
        attempt("a document: " + code, kind, start, ["--safe", "d.md"])
        os.unlink(os.path.join(box, "d.md"))
    for code in READS[:6] + WRITES:
        with open(os.path.join(box, "d.md"), "w", encoding="utf-8") as file:
            file.write(f"# A document\n\n```attn\n{code}\n```\n")
        attempt("attn check: " + code, kind, start, ["--safe", "check", "d.md"])
        attempt("attn export: " + code, kind, start, ["--safe", "export", "d.md", "-o", "page.html"])
        os.unlink(os.path.join(box, "d.md"))
        if os.path.exists(os.path.join(box, "page.html")):
            with open(os.path.join(box, "page.html"), encoding="utf-8") as file:
                check(f"attn export: {code} ({kind}) tells nothing", SECRET not in file.read())
            os.unlink(os.path.join(box, "page.html"))
    for elsewhere in "../secret.csv", "../nothing.csv", "up/nothing.csv", "up/none/nothing.csv", "nothing.csv", f"root{base}/secret.csv", f"root{base}/nothing.csv":
        said = attempt("where it is", kind, start, ["--safe", "-c", f'load("{elsewhere}")'])
        check(f"{elsewhere} ({kind}): nobody learns whether it is there", "lies elsewhere" in said and "no such file" not in said, said)
    check(f"a link to a file of the folder is read ({kind})", "0.5" in attempt("inside", kind, start, ["--safe", "-c", 'print(load("there.csv"))']))
    check(f"what lies below is read, and leads back up to the folder ({kind})", "0.5" in attempt("below", kind, start, ["--safe", "-c", 'run "sub/stays.attn"']))
    check(f"threads and large products work ({kind})", "(900, 900)" in attempt("threads", kind, start, ["--safe", "-c", "print((randn(900, 900) @ randn(900, 900)).shape)"]))
    check(f"a script from elsewhere has its own folder ({kind})", "0.25" in attempt("sub", kind, start, ["--safe", "-c", 'print(load("sub/inside.csv"))']))
    after = tree()
    check(f"nothing was written, nothing was started ({kind})", after == before, sorted(set(after.items()) ^ set(before.items()))[:6] if len(after) != len(before) else [n for n in after if after[n] != before.get(n)])


# ---- each C library asks the system in its own way ----
for compiler in [("cc",), ("musl-gcc", "-static", "-idirafter", "/usr/include", "-idirafter", f"/usr/include/{os.uname().machine}-linux-gnu")]:
    if "seccomp" not in held or not shutil.which(compiler[0]):
        print(f"without {compiler[0]}, or a filter, what its C library asks for is not seen")
        continue
    top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    built = subprocess.run([*compiler, "-std=c11", "-D_DEFAULT_SOURCE", "-D_XOPEN_SOURCE=700", "-pthread", f"-I{top}/src", f"{top}/tests/terminal/sandbox_libc.c", f"{top}/src/shell/options/sandbox.c", "-o", path("libc")], capture_output=True, text=True)
    if check(f"{compiler[0]} builds it", built.returncode == 0, built.stderr):
        done = subprocess.run([path("libc")], cwd=box, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        check(f"{compiler[0]}: its library does its work in the sandbox", done.returncode == 0 and done.stdout == "the end\n", done.returncode, done.stdout)


# ---- what the system was asked for ----
ALLOWED = re.compile(r"/(usr/)?lib(32|64|x32)?/|/etc/(ld\.so\.|inputrc|terminfo/)|/usr/share/(locale|terminfo)/|/sys/devices/system/cpu|/dev/urandom$|" + re.escape(os.path.realpath(box)) + "(/|$)")
CHANGES = "creat unlink unlinkat rename renameat renameat2 mkdir mkdirat rmdir link linkat symlink symlinkat mknod mknodat chmod fchmodat chown lchown fchownat truncate utime utimes utimensat".split()
STARTS_OR_CALLS = "execve execveat fork vfork socket socketpair connect bind accept accept4 sendto sendmsg".split()


def traced(kind, start):
    """One session that tries all escapes, as strace sees it: nothing outside is opened for reading, nothing anywhere for writing, and nothing is changed, started or connected."""
    with open(os.path.join(box, "script.attn"), "w", encoding="utf-8") as file:
        for code in ESCAPES:
            lines = "".join(f"    {line}\n" for line in code.split("\n"))
            file.write(f"try:\n{lines}except: pass\n")
        file.write('print("the end")\n')
    done = subprocess.run(["strace", "-ff", "-y", "-s", "300", "-e", "trace=%file,%process,%network", "-o", path("trace"), ATTN, "--safe", "script.attn"],
                          cwd=box, env=dict(env, PATH=env["PATH"] + ":" + os.environ["PATH"]), capture_output=True, text=True, preexec_fn=start, timeout=300)
    os.unlink(os.path.join(box, "script.attn"))
    traces = [os.path.join(os.path.dirname(path("trace")), name) for name in os.listdir(os.path.dirname(path("trace"))) if name.startswith("trace.")]
    if check(f"strace ({kind}): the session came to its end", "the end" in done.stdout and traces, done.stdout[-500:], done.stderr[-500:]):
        opened, wrong = 0, []
        for name in traces:
            with open(name, encoding="utf-8", errors="replace") as file:
                lines = file.read().split("\n")
            os.unlink(name)
            if "execve(" in lines[0]:
                lines = lines[1:]  # strace starts attn by it
            for line in lines:
                call, failed = line.split("(")[0], re.search(r" = -1 E", line)
                if failed or not line.strip():
                    continue
                if call in ("open", "openat", "openat2"):
                    opened += 1
                    real = re.search(r" = \d+<(.*)>$", line)
                    if re.search(r"O_(WRONLY|RDWR|CREAT|TRUNC|APPEND)", line) or not (real and ALLOWED.match(real[1])) and "O_PATH" not in line:
                        wrong.append(line)
                elif call in CHANGES + STARTS_OR_CALLS or call in ("clone", "clone3") and "CLONE_THREAD" not in line:
                    wrong.append(line)
        check(f"strace ({kind}): it reads its folder and what the program needs, and that is all", opened > 0 and not wrong, *wrong[:10])


# A container may forbid it, and a sanitizer reads and starts things of its own.
if not SANITIZED and shutil.which("strace") and subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True).returncode == 0:
    for kind, start in kinds:
        traced(kind, start)
    check("nothing was written, nothing was started under strace", tree() == before)
else:
    print("without strace, or with a sanitizer, what the system is asked for is not seen")

if has_editing():
    terminal = Terminal("--safe", **{name: env[name] for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME")})
    terminal.prompt()
    check("the prompt works", "\n6" in terminal.enter("1 + 2 + 3"), terminal.text())
    check("help safe says what is in force", held in " ".join(terminal.enter("help safe").split()), terminal.text())
    terminal.enter("attend eye(3) eye(3) eye(3);")
    check("explore works", terminal.show("explore\r", "q keep"), terminal.text())
    terminal.child.setwinsize(20, 70)
    terminal.screen.resize(20, 70)
    check("and hears that its window changes", terminal.wait(lambda: "q keep" in terminal.screen.display[-1]), terminal.text())
    os.kill(terminal.child.pid, signal.SIGTSTP)
    check("and Ctrl-Z", terminal.wait(lambda: terminal.raw.count(b"\x1b[?1049h") == 2 and "q keep" in terminal.text()), terminal.text())
    check("and is left", terminal.show("\x1b", terminal.at_prompt), terminal.text())
    check("and knows no history", SECRET not in terminal.text())
    terminal.close()
    check("the prompt writes nothing", tree() == before)
finish()
