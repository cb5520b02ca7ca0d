import io
import json
import os
from os import path

name = "attn-python-text-files.txt"
name = os.path.join("/tmp", name)
with open(name, "w", encoding="utf-8") as f:
    print(f.write("sun\nmoon\n"), f.closed, f.name == name, f.mode)
    f.writelines(["star\n", "é, 雪"])
print(f.closed)
with open(name) as f:
    for number, line in enumerate(f, 1):
        print(number, repr(line))
with open(name, "a") as f:
    f.write("!\n")
f = open(name, "r")
print(repr(f.readline()), repr(f.read(3)), f.readlines(), repr(f.readline()), repr(f.read()))
f.seek(0)
print(next(f).strip(), f.read().split())
f.close()
f.close()
for act in (f.read, lambda: open(name).write("x"), lambda: open("/tmp/attn-not-there.txt"), lambda: open(3.5)):
    try:
        act()
    except FileNotFoundError as problem:
        print("FileNotFoundError", problem)
    except OSError as problem:
        print("OSError", problem)
    except ValueError as problem:
        print("ValueError", problem)
    except TypeError:
        print("TypeError")
try:
    with open(name, "w") as f:
        f.write("kept\n")
        raise KeyError("left")
except KeyError:
    print(open(name).read())

print(path.exists(name), path.isfile(name), path.isdir(name), path.isdir("/tmp"), path.exists("/tmp/attn-not-there.txt"))
print(path.basename(name), path.dirname(name), os.path.split("/a"), os.path.split("a/b/"), path.join("a", "b/", "/c", "d", ""))
print([path.splitext(x) for x in ("a.txt", "a/b.tar.gz", ".rc", "a.b/c", "a/.rc.x", "x.")])
print([path.normpath(x) for x in ("a//b/../c", "./x", "../../y", "/../z", "")])

made = {"list": [1, 2.5, True, None], "text": "tab\té😀\"\\", "none": {}, 3: [], None: ()}
print(json.dumps(made))
print(json.dumps(made, ensure_ascii=False, separators=(",", ":")))
print(json.dumps({"b": [1, {"c": "x"}], "a": 0}, indent=2, sort_keys=True))
print(json.dumps({1, }, default=list))
with open(name, "w") as f:
    json.dump(made, f)
with open(name) as f:
    again = json.load(f)
print(again, json.loads(json.dumps(again)) == again)
print(json.loads(' {"a" : [ -1.25e1 , "\\u00e9\\ud83d\\ude00\\n\\/" , false ] , "b":{}}\n'), json.loads("3"), json.loads("[-0, 0.5, 1e-3, 2.55E+1, -12.25]"), json.loads('"x"'))
for bad in ("", "[-]", ".5", "[+1]", "-a", "[1,", "{1}", "nul", "[1] 2", '"a', "[1\n 2]", '{"a" 1}', '"\\q"'):
    try:
        print(json.loads(bad))
    except json.JSONDecodeError as problem:
        print(problem)
try:
    json.dumps([object()])
except TypeError as problem:
    print(problem)
page = io.StringIO("one\ntwo")
print([line for line in page], page.read() == "")
page = io.StringIO()
print(page.write("a"), page.write("bc"), page.getvalue())
try:
    input()
except EOFError as problem:
    print(problem)
