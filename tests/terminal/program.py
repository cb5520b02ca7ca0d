"""The program from outside: run to its end, or driven in a pseudo-terminal
whose screen is kept as a person would see it."""
import fcntl
import os
import pathlib
import re
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

ATTN = os.path.abspath(os.environ.get("ATTN") or pathlib.Path(__file__).resolve().parents[2] / "attn")
FULL = "--full" in sys.argv
# What is drawn at random is another draw only with --full: an ordinary run does not fail by chance.
SEED = int(time.time()) if FULL else 1
# A program with a sanitizer or counters in it is slower and larger; limits of time and memory then hold for another program.
SANITIZED = any(mark in pathlib.Path(ATTN).read_bytes() for mark in (b"__asan_init", b"__gcov_"))
# Seconds to wait for what must come: on a busy machine it may take long, and a test that fails by the clock says nothing.
# What things take on a quiet machine, tests/bench/prompt measures.
PATIENCE = 60
# What the editor writes as it takes the terminal and gives it back.
EDITING, RUNNING = b"\x1b[?2004h", b"\x1b[?2004l"
FOLDER = tempfile.TemporaryDirectory(prefix="attn-terminal-")
TEMPORARY = tempfile.TemporaryDirectory(prefix="attn-terminal-")  # what shows leave in TMPDIR
passed = failed = 0
# A shell that runs tests in the background lets them ignore some signals, and attn would with them.
for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
    signal.signal(number, signal.SIG_DFL)


def path(name, content=None):
    """A file in the folder of this test, written when content is given."""
    full = os.path.join(FOLDER.name, name)
    if content is not None:
        pathlib.Path(full).write_bytes(content if isinstance(content, bytes) else content.encode())
    return full


def check(name, right, *what):
    """Counts one test; says what was there instead when it is not right."""
    global passed, failed
    if right:
        passed += 1
    else:
        failed += 1
        print(f"{pathlib.Path(sys.argv[0]).stem}: {name}", *(f"    {str(part)[:1500]}" for part in what), sep="\n")
    return right


def finish():
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


def has_editing():
    return "line editing: readline" in run("--version").out


def needs_editing():
    """Nothing is tested of an attn without readline."""
    if not has_editing():
        finish()


def environment(**changes):
    env = dict(os.environ, TERM="xterm-256color", LC_ALL="C.UTF-8", HOME=FOLDER.name, TMPDIR=TEMPORARY.name, XDG_STATE_HOME=FOLDER.name, XDG_CONFIG_HOME=FOLDER.name)
    for name in ("NO_COLOR", "COLORTERM", "COLUMNS", "DISPLAY", "ATTN_GNUPLOT"):
        env.pop(name, None)
    env.update(changes)
    return {name: value for name, value in env.items() if value is not None}


class Result:
    """How a run ended: out, err, status (negative: by a signal), seconds, megabytes."""

    def __init__(self, out, err, status, seconds, megabytes):
        self.out, self.err, self.status, self.seconds, self.megabytes = out, err, status, seconds, megabytes

    def __str__(self):
        return f"status {self.status} after {self.seconds:.2f} s with {self.megabytes:.0f} MB\n    out: {self.out[-500:]!r}\n    err: {self.err[-700:]!r}"


def run(*arguments, stdin="", stdout=None, timeout=4 * PATIENCE, cwd=None, **changes):
    """Runs attn to its end. stdout: a file to write to in place of a pipe."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as given:
        given.write(stdin if isinstance(stdin, bytes) else stdin.encode())
        given.seek(0)
        began = time.monotonic()
        child = subprocess.Popen([ATTN, *arguments], stdin=given, stdout=stdout or out, stderr=err, env=environment(**changes), cwd=cwd or FOLDER.name)
        megabytes, status = 0, None
        while status is None:
            done, code, used = os.wait4(child.pid, os.WNOHANG)
            if done:
                status, megabytes = os.waitstatus_to_exitcode(code), used.ru_maxrss / 1024
            elif time.monotonic() - began > timeout:
                child.send_signal(signal.SIGKILL)
                timeout = float("inf")
            else:
                time.sleep(0.002)
        child.returncode = status
        out.seek(0)
        err.seek(0)
        return Result(out.read().decode("utf-8", "replace"), err.read().decode("utf-8", "replace"), status, time.monotonic() - began, megabytes)


class Terminal:
    """attn, or another program, at a prompt in a pseudo-terminal of columns x rows."""

    def __init__(self, *arguments, columns=80, rows=24, program=ATTN, **changes):
        import pexpect
        import pyte
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self.child = pexpect.spawn(program, ["--quiet", *arguments], dimensions=(rows, columns), env=environment(**changes), cwd=FOLDER.name, timeout=PATIENCE)
        self.child.delaybeforesend = None
        self.kept = self.keep_open()

    def keep_open(self):
        """The program's end of the terminal, open here too: once nobody has it open, a reader may be told that it has ended before all of it has arrived. None where it cannot be had."""
        try:
            number = struct.unpack("I", fcntl.ioctl(self.child.fd, termios.TIOCGPTN, bytes(4)))[0]
            return os.open(f"/dev/pts/{number}", os.O_RDWR | os.O_NOCTTY)
        except (AttributeError, OSError):
            return None

    def release(self):
        if self.kept is not None:
            os.close(self.kept)
        self.kept = None

    def read(self, seconds=0.02):
        import pexpect
        try:
            data = self.child.read_nonblocking(65536, seconds)
        except pexpect.TIMEOUT:
            # What the program wrote last has arrived: now the end may be seen.
            if self.kept is not None and not self.child.isalive():
                self.release()
            return False
        except pexpect.EOF:
            self.ended = True
            return False
        self.raw += data
        self.stream.feed(data)
        return True

    ended = False

    def lines(self):
        """The screen's lines without the spaces behind them, and without empty ones at its end."""
        # pyte leaves an empty cell behind each wide character.
        lines = [line.rstrip() for line in self.screen.display]
        while lines and not lines[-1]:
            lines.pop()
        return lines

    def text(self):
        return "\n".join(self.lines())

    def at_prompt(self, prompt="attn>"):
        cursor = self.screen.cursor
        return self.screen.display[cursor.y].rstrip() == prompt and cursor.x == len(prompt) + 1

    def wait(self, condition, timeout=PATIENCE):
        """Reads until the condition holds; False when it does not within the time."""
        end = time.monotonic() + timeout
        while not condition():
            if time.monotonic() > end or self.ended:
                return condition()
            self.read()
        return True

    def prompt(self, timeout=PATIENCE):
        ready = self.wait(self.at_prompt, timeout)
        while self.read(0.03):
            pass
        return ready

    def send(self, text):
        self.child.send(text)

    def enter(self, line, timeout=PATIENCE):
        """Types a line that ends an entry, waits for the next prompt, and gives the line with what came after it, colours within."""
        start = len(self.raw)
        self.send(line + "\r")
        if EDITING not in self.raw:
            self.wait(lambda: len(self.raw) > start + len(line.encode()), timeout)
            self.prompt(timeout)
            return self.raw[start:].decode("utf-8", "replace").replace("\r", "")
        self.wait(lambda: RUNNING in self.raw[start:], timeout)
        self.wait(lambda: EDITING in self.raw[start:], timeout)
        self.prompt(timeout)
        after = self.raw[start:].partition(RUNNING)[2].decode("utf-8", "replace").replace("\r", "")
        return line + "\n" + re.sub(r"\x1b\[(\?2004[hl]|J)", "", after)

    def whole(self, line):
        """The same for what is cut to the screen, with all that `more` shows of it."""
        shown = self.enter(line)
        while re.search(r"lines? left out: more shows them\)", shown[-60:]):
            shown = re.sub(r"\(\d+ lines? left out: more shows them\)\n(attn> )?$", "", shown) + self.enter("more").partition("\n")[2]
        return shown

    def more(self, line, timeout=PATIENCE):
        """Types a line that does not end an entry; false when no continuation prompt comes."""
        self.send(line + "\r")
        return self.wait(lambda: self.row() == "  ..." and self.row(1).endswith(line.strip()[-10:]), timeout)

    def row(self, above=0):
        """The cursor's row, or one above it."""
        y = self.screen.cursor.y - above
        return self.screen.display[y].rstrip() if y >= 0 else ""

    def show(self, keys, *wanted, timeout=PATIENCE):
        """Types keys and waits for what the screen should show then: each of `wanted` a text, or a function; false when it does not."""
        self.send(keys)
        return self.wait(lambda: all(part() if callable(part) else part in self.text() for part in wanted), timeout)

    def cursor(self):
        return self.screen.cursor.y, self.screen.cursor.x

    def close(self):
        import pexpect
        self.release()
        try:
            self.child.close(force=True)
        except pexpect.ExceptionPexpect:
            # It was killed, but takes longer to be gone than pexpect waits: under a sanitizer it has much to unmap.
            self.child.wait()
        return self.child.exitstatus
