"""Students made of the blocks of lessons: what they hand in, as attn submit would have packed it.

    python3 tests/notebook/classroom.py FOLDER COUNT [--lessons 1-8] [--language en] [--differ comments|names] [--seed N]

writes COUNT submissions, each exercise with its solution, a right answer, a wrong one or none. --differ gives
each answer a comment or a variable of its own, so that no two are the same text.
"""
import argparse
import json
import pathlib
import random
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]


# What is made of an answer {0} of student {1}.
DIFFER = {"no": "{0}", "comments": "{0}# {1}\n", "names": "own{1} = {1}\n{0}"}


class Exercise:
    def __init__(self, name, kind, further):
        self.name, self.kind, self.further = name, kind, further
        self.right, self.wrong, self.options = [], [], []


class Lesson:
    """A document: its id, the hash of its text, its exercises, the cells of predictions, the open questions."""

    def __init__(self, path):
        self.name = path.stem.split("-", 1)[1]
        self.text = path.read_text()
        self.hash = f"{hash_of(self.text.encode()):016x}"
        self.exercises, self.guesses, self.open = [], [], []
        further = False
        pattern = r"^(?:## (Further|延伸)\s*$|```attn ?(\w*) ?\w*(?: *\{#([\w-]+)\})?[^\n]*\n(.*?)^```)"
        index = -1
        for part in re.finditer(pattern, self.text, re.M | re.S):
            further = further or part[1] is not None
            kind, name, code = part[2], part[3], part[4]
            if part[1]:
                continue
            index += 1
            if kind in ("exercise", "choice"):
                self.exercises.append(Exercise(name, kind, further))
                self.exercises[-1].options = re.findall(r"^- \[([ x])\]", code, re.M)
            elif kind in ("solution", "right"):
                self.exercises[-1].right.append(code)
            elif kind == "wrong":
                self.exercises[-1].wrong.append(code)
            elif kind == "predict":
                self.guesses.append(index)
            elif kind == "open":
                self.open.append(name)

    @property
    def counted(self):
        return [exercise for exercise in self.exercises if not exercise.further]


def hash_of(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % (1 << 64)
    return value


def lessons(language="en", numbers=None):
    found = {int(path.name[:2]): path for path in (ROOT / "lessons" / language).glob("[0-9]*.md")}
    return [Lesson(found[n]) for n in sorted(found) if numbers is None or n in numbers]


def record(given, state="solved", attempts=0, hints=0):
    return {"state": state, "attempts": attempts, "hints": hints, **({"given": given} if given is not None else {})}


def progress(lesson, language="en", **more):
    return {"format": 1, "language": language, "document": lesson.hash, "finished": False, "seconds": 600,
            "exercises": {}, "events": [["at", 0]], **more}


def submission(name, works):
    return {"format": "attn-work 1", "name": name, "lessons": works}


def answer(exercise, right, chance, extra="{}"):
    """Something to give for an exercise, or None."""
    if exercise.kind == "choice":
        letters = "".join(chr(97 + i) for i, mark in enumerate(exercise.options) if mark == "x")
        return letters if right else next(chr(97 + i) for i, mark in enumerate(exercise.options) if mark != "x")
    given = chance.choice(exercise.right if right else exercise.wrong)
    return extra.format(given)


def random_student(taught, language, number, differ, chance):
    """The submission of a student, and how many exercises of each lesson are solved."""
    works, marks, skill = {}, {}, chance.random()
    for lesson in taught:
        work = progress(lesson, language)
        reached = len(lesson.exercises) if chance.random() < 0.8 else chance.randrange(len(lesson.exercises))
        marks[lesson.name] = 0
        for exercise in lesson.exercises[:reached]:
            right = chance.random() < 0.4 + 0.6 * skill
            given = answer(exercise, right, chance, differ.format("{}", number))
            work["exercises"][exercise.name] = record(given, "solved" if right else "skipped", chance.randrange(4))
            marks[lesson.name] += right and not exercise.further
        work["events"] += [["guess", cell, f"{chance.gauss(0.5, 0.2):.2f}"] for cell in lesson.guesses]
        work["exercises"].update({name: {"answer": f"Because of {number}."} for name in lesson.open})
        works[lesson.name] = work
    return submission(f"Student {number}", works), marks


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("count", type=int)
    parser.add_argument("--lessons", default="1-8")
    parser.add_argument("--language", default="en")
    parser.add_argument("--differ", choices=DIFFER, default="no")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    first, _, last = options.lessons.partition("-")
    taught = lessons(options.language, range(int(first), int(last or first) + 1))
    chance = random.Random(options.seed)
    options.folder.mkdir(parents=True, exist_ok=True)
    expected = {}
    for number in range(options.count):
        made, marks = random_student(taught, options.language, number, DIFFER[options.differ], chance)
        (options.folder / f"{number:03}.attn-work").write_text(json.dumps(made, ensure_ascii=False))
        expected[made["name"]] = marks
    (options.folder / "expected.json").write_text(json.dumps(expected))


if __name__ == "__main__":
    main()
