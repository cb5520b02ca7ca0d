"""Programs that are alive at once and take samples in turn, and the peers among
them. The protocol is that of timing.h: `ready`, then a sample for each line."""
import dataclasses
import importlib.util
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ.get("BUILD") or HERE.parent.parent / "build").resolve()
OURS = BUILD / "attn-bench"
TICK = 1 / os.sysconf("SC_CLK_TCK")
TOLERANCE = 1e-4  # of a checksum


def read(path):
    """Empty where there is no such file: a task that ended, or a system without /proc."""
    try:
        return pathlib.Path(path).read_text()
    except OSError:
        return ""


# Whether the machine has vectors wider than those of AVX2.
HAS_AVX512 = " avx512f " in read("/proc/cpuinfo")
# Holds every program to AVX2. (3 is Haswell in BLIS 0.9, which does not read names.)
AVX2_ALONE = {
    "ATTN_KERNELS": "avx2",
    "OPENBLAS_CORETYPE": "Haswell",
    "BLIS_ARCH_TYPE": "3",
    "ONEDNN_MAX_CPU_ISA": "AVX2",
    "ATEN_CPU_CAPABILITY": "avx2",
}

# PyTorch at its best: kernels of the widest vectors that the machine has, memory that is kept and
# so has its pages, and threads that wait without keeping those of its library from the cores.
TORCH = {
    "ATEN_CPU_CAPABILITY": "avx512" if HAS_AVX512 else "avx2",
    "GLIBC_TUNABLES": "glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=68719476736",
    "OMP_WAIT_POLICY": "passive",
}


def is_running(task):
    return read(task / "stat").rpartition(")")[2].split()[:1] == ["R"]


def all_seconds():
    """That all programs have had of the cores, and what lies below them (steal)."""
    fields = list(map(int, read("/proc/stat").partition("\n")[0].split()[1:9]))
    return sum(fields[:3] + fields[5:]) * TICK


class Program:
    """Made ready; `sample` gives milliseconds of a call. Without `work` where it failed."""

    def __init__(self, *command, **environment):
        self.process = subprocess.Popen([*map(str, command), "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env=dict(os.environ, **environment))
        ready, checksum, work, *variant = (self.process.stdout.readline() + " - nan nan").split()
        self.works = ready == "ready"
        self.checksum, self.work = float(checksum), float(work)
        self.variant = " ".join(variant[:-3])
        self.settle()

    def sample(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        ms = float(self.process.stdout.readline())
        self.settle()
        return ms

    def settle(self):
        """Threads spin for a while after their work; the next program gets the cores when they sleep."""
        tasks = pathlib.Path(f"/proc/{self.process.pid}/task")
        if not tasks.exists():
            time.sleep(0.05)
        until = time.monotonic() + 0.5
        while time.monotonic() < until and tasks.exists() and any(map(is_running, tasks.iterdir())):
            time.sleep(0.001)

    def seconds(self):
        """That it has had of the cores."""
        fields = read(f"/proc/{self.process.pid}/stat").rpartition(")")[2].split()
        return sum(map(int, fields[11:13])) * TICK

    def agrees(self, other):
        return abs(self.checksum - other.checksum) <= TOLERANCE * max(abs(self.checksum), abs(other.checksum))

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def alternate(programs, runs):
    """The samples of each, taken in turn, and how much of a core others have had meanwhile."""
    def others():
        return all_seconds() - sum(os.times()[:2]) - sum(program.seconds() for program in programs)

    start, before = time.monotonic(), others()
    rounds = [[program.sample() for program in programs] for _ in range(runs)]
    return list(map(list, zip(*rounds))), (others() - before) / (time.monotonic() - start)


def times_as_fast(ours, theirs):
    """Pair by pair: what slowed the machine for both does not count."""
    return statistics.median(b / a for a, b in zip(ours, theirs))


# ---- peers ----

@dataclasses.dataclass
class Peer:
    name: str
    cases: tuple  # of attn-bench, that it can do
    command: list
    present: bool
    narrows: bool = True  # AVX2_ALONE holds it to AVX2
    environment: dict = dataclasses.field(default_factory=dict)

    def start(self, options, threads, environment):
        return Program(*self.command, *options, "--threads", threads, OPENBLAS_NUM_THREADS=str(threads),
                       **{**self.environment, **environment})


def has_torch(python):
    if python == sys.executable:
        return importlib.util.find_spec("torch") is not None
    question = "import importlib.util, sys; sys.exit(not importlib.util.find_spec('torch'))"
    return subprocess.run([python, "-c", question], stderr=subprocess.DEVNULL).returncode == 0


def known_peers():
    folder = BUILD / "bench"  # where tests/bench/peers/prepare puts them
    python = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
    node, modules = shutil.which("node"), folder / "node"
    has_onnx = bool(node) and (modules / "node_modules" / "onnxruntime-node").exists()
    return [
        Peer("OpenBLAS", ("attention", "gemm"), [folder / "openblas"], (folder / "openblas").exists()),
        Peer("BLIS", ("gemm",), [folder / "blis"], (folder / "blis").exists()),
        Peer("oneDNN", ("attention",), [folder / "onednn"], (folder / "onednn").exists()),
        Peer("PyTorch", ("attention", "attention-backward", "generate", "train"), [python, HERE / "peers" / "pytorch.py"],
             has_torch(python), environment=TORCH),
        Peer("ONNX", ("attention",), [node, HERE / "peers" / "onnxruntime.mjs", modules], has_onnx, narrows=False),
    ]
