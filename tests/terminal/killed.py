"""A lesson that is killed at any moment: what was answered before is in its progress, and the file is whole."""
import json
import os
import random
import signal
import time

from program import FULL, SEED, Terminal, check, finish, needs_editing, path

needs_editing()

CELLS = 12
LESSON = path("many.md", "# Many\n\nWords.\n" + "".join(f"\n```attn\nc{i} = {i}\n```\n\nAfter {i}.\n" for i in range(CELLS)) + "\nThe end.\n")


def progress(state):
    """The only file of progress, None before there is one. What begins with a dot was being written when it was killed."""
    folder = os.path.join(state, "attn", "lessons")
    names = [name for name in os.listdir(folder) if name.endswith(".json") and name[0] != "."] if os.path.isdir(folder) else []
    if not names:
        return None
    with open(os.path.join(folder, names[0]), encoding="utf-8") as file:
        return json.load(file)


chance = random.Random(SEED)
state, reached = path("state"), 0
for life in range(100 if FULL else 10):
    if reached >= CELLS - 2:
        state, reached = path(f"state{life}"), 0
    lesson = Terminal("lesson", LESSON, XDG_STATE_HOME=state)
    standing = lesson.wait(lambda: lesson.row() == "[Enter: run]")
    check(f"life {life}: it stands behind what was answered (seed {SEED})", standing and f"c{reached} = {reached}" in lesson.text(), lesson.text())
    end = time.monotonic() + chance.uniform(0, 0.05)
    lesson.send("\r" * chance.randint(1, 3))
    while time.monotonic() < end:
        lesson.read(0.001)
    os.kill(lesson.child.pid, signal.SIGKILL)
    lesson.wait(lambda: lesson.ended)
    answered = [i for i in range(CELLS) if f"After {i}." in lesson.raw.decode("utf-8", "replace")]
    lesson.close()
    try:
        kept = progress(state)
    except ValueError as error:
        kept = None
        check(f"life {life}: the file is whole (seed {SEED})", False, error)
    ran = sum(event[0] == "cell" for event in (kept or {"events": []})["events"])
    check(f"life {life}: nothing that was answered is lost (seed {SEED})", ran >= max(answered, default=-1) + 1, ran, answered, kept)
    check(f"life {life}: nothing from before is lost (seed {SEED})", ran >= reached, ran, reached, kept)
    reached = ran

finish()
