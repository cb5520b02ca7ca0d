"""A machine that allows no further thread, as servers for many users do: attn computes with those that there are, and says so once."""
import os
import resource
import subprocess

from program import ATTN, check, environment, finish

NOBODY = 65534
CODE = """seed(1); a = rand(700, 700)
print(sum(a @ a), sum((a @ a) @ a))
"""


def refuse_threads():
    """The limit does not hold for root, who becomes somebody else."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))


def run(*arguments, limited=False):
    return subprocess.run([ATTN, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd="/", env=environment(HOME="/nonexistent", XDG_STATE_HOME=None, XDG_CONFIG_HOME=None), preexec_fn=refuse_threads if limited else None)


reason = None
try:
    if run("--version", limited=True).returncode != 0:
        reason = "somebody else cannot start the program"
except (OSError, subprocess.SubprocessError) as error:
    reason = error
cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
if cores < 2:
    reason = "the machine has one core"
if reason:
    print(f"threads: not tested, {reason}")
    finish()
alone = run("--threads", "1", "-c", CODE)
limited = run("-c", CODE, limited=True)
check("it computes to the end", limited.returncode == 0, limited)
check("with the same results", limited.stdout == alone.stdout, limited.stdout, alone.stdout)
check("one line says so", limited.stderr.count("\n") == 1 and f"the system allows no further thread: 1 instead of {cores}" in limited.stderr, limited.stderr)
check("and none where threads are allowed", run("-c", CODE).stderr == alone.stderr == "", alone.stderr)
finish()
