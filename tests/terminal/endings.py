"""A save, a picture or a session that is ended while it is written: the file is whole, and nothing else is left; after SIGKILL, not once the next save is done."""
import os
import random
import shutil
import signal
import subprocess
import time

from program import ATTN, FULL, SEED, check, environment, finish, path

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
    FILES["sweep.gif"] = ("attend arange(6).reshape(3, 2);\nsweep temperature 0.1 10;", 'plot sweep to "sweep.gif" --force')
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP)
chance = random.Random(SEED)


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
            alive, held = os.pipe()
            running = subprocess.Popen([ATTN, "--quiet", "-c", f"{first}\nwhile True:\n    {again}\n"], cwd=folder, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=[held])
            os.close(held)
            time.sleep(chance.uniform(0.02, 0.15))
            running.send_signal(number)
            status = running.wait()
            if number == signal.SIGKILL:
                # gnuplot, which may be about to make the file, ends by itself: the pipe ends with the last that has it.
                os.read(alive, 1)
            os.close(alive)
            where = f"{name}, {signal.Signals(number).name}, life {life} (seed {SEED})"
            there = files(folder)
            check(f"{where}: it ended by the signal", status == -number, status)
            # A session is longer with each entry that it has seen.
            check(f"{where}: the file is whole", there.get(name) == whole[name] or (name == "session.md" and there[name].rstrip().endswith(b"```")), len(there.get(name, b"")))
            if number != signal.SIGKILL:
                check(f"{where}: nothing of it is left", not any(f"-{running.pid}-" in other for other in there), running.pid, sorted(there))
    subprocess.run([ATTN, "--quiet", "-c", once], cwd=folder, env=env, capture_output=True, check=True)
    check(f"{name}: the next save removes what kills have left", set(files(folder)) == {name}, sorted(files(folder)))

# What a living process is writing stays, also where its number is not known: in another container.
folder = path("living")
os.mkdir(folder)
save = [ATTN, "--quiet", "-c", 'save("other.npy", eye(2), force=True)']
writer = subprocess.Popen([ATTN, "--quiet", "-c", 'A = arange(250000)\nwhile True:\n    save("array.npy", A, force=True)\n'], cwd=folder)
writing, tries = [], 0
while not writing and tries < 1000:
    tries += 1
    time.sleep(0.001)
    writer.send_signal(signal.SIGSTOP)
    os.waitpid(writer.pid, os.WUNTRACED)
    writing = [name for name in os.listdir(folder) if name.startswith(".attn-")]
    if not writing:
        writer.send_signal(signal.SIGCONT)
check("it was stopped while it wrote", len(writing) == 1, writing)
apart = ["unshare", "--user", "--map-root-user", "--pid", "--fork"]
apart_works = bool(shutil.which("unshare")) and subprocess.run([*apart, "true"], capture_output=True).returncode == 0
for program in ([], apart) if apart_works else ([],):
    subprocess.run([*program, *save], cwd=folder, check=True)
    check(f"{' '.join(program)}: another save leaves it alone", writing[0] in os.listdir(folder), os.listdir(folder))
writer.kill()
writer.wait()
subprocess.run(save, cwd=folder, check=True)
check("and removes it when it is dead", set(os.listdir(folder)) <= {"array.npy", "other.npy"}, os.listdir(folder))

finish()
