"""Disks that are full at any byte of a file: it is the old one or the new one, whole, and nothing else is left. With --full at 200 places of each format."""
import os
import resource
import shutil
import stat
import subprocess

from program import ATTN, FULL, check, environment, finish, path

# A limit on the size of files fails a write after any number of bytes, as a full disk does.
# What makes each file; X is 1 for the old one and 2 for the new one.
FILES = {
    "array.npy": 'save("array.npy", X * arange(600))',
    "table.csv": 'save("table.csv", X * arange(600).reshape(60, 10))',
    "array.safetensors": 'save("array.safetensors", record(a=X * arange(600)))',
    "model.safetensors": 'm = transformer("decoder", vocab=30, d_model=8, seed=X)\nsave("model.safetensors", m)',
    "session.md": 'x = "word " * (100 * X)\nsave session "session.md"',
    "session.html": 'x = "word " * (100 * X)\nsave session "session.html"',
    "session.ipynb": 'x = "word " * (100 * X)\nsave session "session.ipynb"',
    "numbers.gp": 'plot X * arange(81).reshape(9, 9) to "numbers.gp"',
    "numbers.csv": 'plot X * arange(81).reshape(9, 9) to "numbers.csv"',
    "picture.txt": 'plot X * arange(81).reshape(9, 9) to "picture.txt"',
}
if shutil.which("gnuplot"):
    for suffix in ("svg", "png", "pdf"):
        FILES[f"picture.{suffix}"] = f'plot arange(16 * X).reshape(4, 4 * X) to "picture.{suffix}"'
    FILES["sweep.gif"] = 'attend arange(6 * X).reshape(3, 2 * X);\nsweep temperature 0.1 10;\nplot sweep to "sweep.gif"'
# The limit ends a program that does not ignore its signal; a disk does not.
GNUPLOT = path("gnuplot", f"#!/bin/sh\ntrap '' XFSZ\nexec {shutil.which('gnuplot')} \"$@\"\n")
os.chmod(GNUPLOT, stat.S_IRWXU)


def make(folder, code, x, limit=resource.RLIM_INFINITY):
    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    return subprocess.run([ATTN, "--quiet", "-c", code.replace("X", str(x))], cwd=folder, env=environment(TMPDIR=folder, ATTN_GNUPLOT=GNUPLOT), stdin=subprocess.DEVNULL, capture_output=True, preexec_fn=limited)


def content(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


for name, code in FILES.items():
    folder = path(name + ".d")
    os.mkdir(folder)
    made = [make(folder, code, x) and content(folder, name) for x in (2, 1)]
    new, old = made
    check(f"{name} is made", new != old and os.listdir(folder) == [name], os.listdir(folder))
    places = 200 if FULL else 12
    limits = {len(new) * i // (places - 8) for i in range(places - 8)} | set(range(len(new) - 7, len(new) + 1))
    for limit in sorted(limits):
        result = make(folder, code, 2, limit)
        there, left = content(folder, name), os.listdir(folder)
        # cairo writes the time into a PDF, which may differ.
        whole = len(there) == len(new) and there[-6:] == new[-6:] if name.endswith("pdf") else there == new
        if not check(f"{name}, full after {limit} bytes of {len(new)}", left == [name] and (there == old and result.returncode == 1 and b" error: " in result.stderr or whole and result.returncode == 0), left, len(there), len(old), result):
            break
        if there != old:
            with open(os.path.join(folder, name), "wb") as file:
                file.write(old)

finish()
