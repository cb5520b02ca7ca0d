"""A save, a picture or a session that is ended while it is written: the file is whole, and nothing else is left; after SIGKILL, not once the next save is done."""
import os
import random
import shutil
import signal
import subprocess
import time

from program import ATTN, FULL, check, environment, finish, path

# What makes each file, again and again.
FILES = {
    "array.npy": ("A = arange(250000)", 'save("array.npy", A, force=True)'),
    "table.csv": ("A = arange(20000).reshape(2000, 10)", 'save("table.csv", A, force=True)'),
    "model.safetensors": ('m = transformer("decoder", vocab=300, d_model=64)', 'save("model.safetensors", m, force=True)'),
    "session.md": ('x = "many words " * 20', 'save session "session.md" --force'),
    "numbers.gp": ("A = arange(90000).reshape(300, 300)", 'plot A to "numbers.gp" --force'),
    "picture.txt": ("A = arange(10000).reshape(100, 100)", 'plot A to "picture.txt" --force'),
}
if shutil.which("gnuplot"):
    FILES["picture.svg"] = ("A = arange(81).reshape(9, 9)", 'plot A to "picture.svg" --force')
    FILES["picture.png"] = ("A = arange(81).reshape(9, 9)", 'plot A to "picture.png" --force')
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP)
seed = int(time.time())
chance = random.Random(seed)


def files(folder):
    return {name: open(os.path.join(folder, name), "rb").read() for name in os.listdir(folder)}


for name, (first, again) in FILES.items():
    folder = path(name + ".d")
    os.mkdir(folder)
    once = f"{first}\n{again}\n"
    env = environment(TMPDIR=folder)
    subprocess.run([ATTN, "--quiet", "-c", once], cwd=folder, env=env, capture_output=True, check=True)
    whole = files(folder)
    check(f"{name} is made", set(whole) == {name}, sorted(whole))
    for life in range(42 if FULL else 2):
        for number in SIGNALS:
            running = subprocess.Popen([ATTN, "--quiet", "-c", f"{first}\nwhile True:\n    {again}\n"], cwd=folder, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0.02, 0.15))
            running.send_signal(number)
            status = running.wait()
            where = f"{name}, {signal.Signals(number).name}, life {life} (seed {seed})"
            there = files(folder)
            check(f"{where}: it ended by the signal", status == -number, status)
            # A session is longer with each entry that it has seen.
            check(f"{where}: the file is whole", there.get(name) == whole[name] or (name == "session.md" and there[name].rstrip().endswith(b"```")), len(there.get(name, b"")))
            if number != signal.SIGKILL:
                check(f"{where}: nothing else is left", set(there) == {name}, sorted(there))
    subprocess.run([ATTN, "--quiet", "-c", once], cwd=folder, env=env, capture_output=True, check=True)
    check(f"{name}: the next save removes what kills have left", set(files(folder)) == {name}, sorted(files(folder)))

finish()
