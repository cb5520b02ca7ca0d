"""A lesson is brought back after the program was killed; Ctrl-C while it is brought back leaves it, and loses nothing."""
import os
import re
import signal

from program import Terminal, check, finish, needs_editing, path

needs_editing()

STEPS = 2 * 10 ** 7
LESSON = path("slow.md", f"# Slow\n\nWords.\n\n```attn\nn = 0\nwhile n < {STEPS}: n += 1\n```\n\nMore words.\n\n```attn\nn + 1\n```\n\nThe end.\n")


def begin():
    return Terminal("lesson", LESSON, XDG_STATE_HOME=path("state"))


def stands_at(terminal, prompt):
    return terminal.wait(lambda: terminal.row() == prompt)


def hears_interrupts(terminal):
    """Whether the program catches SIGINT already; true where the system does not tell."""
    try:
        caught = re.search(r"^SigCgt:\s*(\w+)", open(f"/proc/{terminal.child.pid}/status").read(), re.M)
    except OSError:
        return True
    return int(caught[1], 16) >> signal.SIGINT - 1 & 1


def kill(terminal):
    os.kill(terminal.child.pid, signal.SIGKILL)
    terminal.wait(lambda: terminal.ended)
    terminal.close()


lesson = begin()
check("the first cell", stands_at(lesson, "[Enter: run]"), lesson.text())
lesson.send("\r")
check("the second cell", lesson.wait(lambda: "n + 1" in lesson.text() and lesson.row() == "[Enter: run]"), lesson.text())
kill(lesson)

lesson = begin()
lesson.wait(lambda: hears_interrupts(lesson))
lesson.read(0.1)  # it stands in the first cell again, which takes longer
lesson.send("\x03")
check("Ctrl-C leaves what is brought back", lesson.wait(lambda: lesson.at_prompt()) and "interrupted" in lesson.text(), lesson.text())
check("nothing of it is there", "is not defined" in lesson.enter("n"), lesson.text())
kill(lesson)

lesson = begin()
check("it goes on there", lesson.wait(lambda: "n + 1" in lesson.text() and lesson.row() == "[Enter: run]"), lesson.text())
lesson.send("\r")
check("with its variables", lesson.wait(lambda: str(STEPS + 1) in lesson.text()), lesson.text())
kill(lesson)

finish()
