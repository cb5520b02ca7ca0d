"""Looking into a model at the prompt: each command at two sizes, in UTF-8 and in C, and the heads on explore's screen."""
import unicodedata

from program import Terminal, check, finish, run

MODEL = 'm = transformer("{kind}", vocab=["<begin>", "猫", "sat", "on", "mat"], d_model=16, heads=4, layers=2, d_ff=8, max_len=12)'
# One line of each: what is typed, and what must be seen.
COMMANDS = (
    ("inspect m {given}", ("2 layers of 4 heads", "%")),
    ("inspect m \"nothing\"", ("value error", )),
    ("heads", ("heads of m: ", "previous", "entropy")),
    ("plot heads", ("weights of all", "{name}")),
    ("plot head {site}1 0", ("weights of head {site}1 0", )),
    ("head 9 9", ("error", )),
    ("lens", ("lens of m at ", "embedding", "layer 1", "%")),
    ("rollout 1", ("rollout of m at ", "%")),
    ("saliency at 0", ("saliency of m at ", "(0): ", "gradient times", "+", "It can mislead", "The test: patch \"")),
    ("ablate {site}1 0 at 1", ("effect on m: ", "head {site}1 0 zero; at", "(1): ", "%")),
    ("ablate {site}0 1 uniform", ("in force: head {site}1 0 zero;", )),
    ("patch {site}0 2 from \"mat mat mat\"", ("from", "%")),
    ("patch \"{stack}.0.hook_mlp_out\" at 1 from \"mat mat mat\"", ("at 1 from", )),
    ("ablate", ("run of m (", "in force: ")),
    ("predict m {read}", ("%", )),
    ("predict m {read} at 0", ("asked at position 0, ", "%")),
    ("ablate none", ("nothing is in force; at", )),
    ("head {site}1 3", ("with its Q, K and V", "head {site}1 3 of m: ", "entropy")),
    ("weights", ("head {site}1 3 of m: ", "entropy")),
    ("why 0 0", ("head {site}1 3 of m: ", "score = ")),
    ("trace 0", ("head {site}1 3 of m: ", "entropy")),
    ("last.run", ("hook_resid_post", )),
    ("undo", ("undone", )),
    ("head {site}7 0", ("there is no layer 7", )),
)


def width(line):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line if not unicodedata.combining(c))


for kind, columns, rows, locale in (("decoder", 80, 24, "C.UTF-8"), ("decoder", 40, 20, "C.UTF-8"), ("encoder", 80, 24, "C"), ("encoder-decoder", 40, 20, "C.UTF-8"), ("encoder-decoder", 80, 24, "C")):
    where = f"{kind} at {columns}x{rows} in {locale}"
    both = kind == "encoder-decoder"
    # Without UTF-8 only ASCII can be typed.
    sentence = '"猫 sat on"' if locale != "C" else '"sat on mat"'
    words = dict(given=sentence + (' "mat on"' if both else ""), read=sentence, site="cross " if both else "", stack="encoder" if both else "blocks",
                 name="1.3" if columns == 40 else "layer 1 head 3")
    terminal = Terminal(columns=columns, rows=rows, LC_ALL=locale, NO_COLOR="1")
    terminal.prompt()
    model = MODEL.format(kind=kind)
    terminal.enter(model if locale != "C" else model.replace("猫", "cat"))
    commands = COMMANDS
    if both:  # rows of cross-attention are named by what goes into the decoder and what it says there
        arrow = "->" if locale == "C" else "→"
        commands += (("head cross 0 0", (f"rows x {arrow} y: x goes into the decoder", f" {arrow[-1]} <begin>")), ("trace \"<begin>\"", (f'query 0 "<begin> {arrow} ', )))
    else:
        commands += (("patch path 0.1 to 1.0 k from \"mat mat mat\"", ("path 0.1 to 1.0 k from", )),
                     ("patch path 0.0 to 1.0 k from \"mat mat mat\"", ("this replaces path 0.1 to 1.0 k from", )))
    for command, parts in commands:
        typed = command.format(**words)
        shown = terminal.whole(typed).partition("\n")[2]
        flat = " ".join(shown.split())
        for part in parts:
            check(f"{where}: {typed} shows {part}", part.format(**words) in flat or part.format(**words).replace(" ", "") in flat.replace(" ", ""), shown)
        wide = [line for line in shown.split("\n") if "\x1b" not in line and width(line) > columns]
        # The names of activations are longer than 40 columns.
        check(f"{where}: {typed} keeps within {columns} columns", not wide or (typed == "last.run" and columns == 40), *wide)
        if locale == "C":
            check(f"{where}: {typed} is ASCII", shown.isascii(), shown)
    terminal.close()

# ---- the column that is asked about is there, however narrow the screen: its own, and the largest ----
for columns in (40, 60, 80):
    for model, sentence, own, largest in (("pronoun", "The dog didn't chase the cat because it was too tired", "it", "dog"), ("pronoun_zh", "狗没有追上猫，因为它太累了", "它", "狗")):
        terminal = Terminal(columns=columns, rows=24, NO_COLOR="1")
        terminal.prompt()
        terminal.enter(f'inspect {model} "{sentence}";')
        terminal.enter("head 1 0;")
        shown = terminal.enter("weights")
        heading = next(line.split() for line in shown.split("\n") if line.startswith("weights") and "entropy" not in line[:9] and len(line.split()) > 3)
        check(f"weights of {model} at {columns} columns", own in heading and largest in heading and (columns < 80 or model == "pronoun_zh" or len(heading) == 13), shown)
        terminal.close()

# ---- the heads on explore's screen ----
if "explore: ncurses" in run("--version").out:
    for columns, rows, changes in ((80, 24, {}), (40, 20, {}), (80, 24, dict(NO_COLOR="1")), (80, 24, dict(LC_ALL="C")), (20, 8, {})):
        where = f"explore at {columns}x{rows} {changes}"
        terminal = Terminal(columns=columns, rows=rows, **{"TERM": "screen-256color", **changes})
        terminal.prompt()
        terminal.enter(MODEL.format(kind="decoder").replace("猫", "cat"))
        terminal.enter('inspect m "cat sat on";')
        small = columns < 40
        check(f"{where}: opens", terminal.show("explore\r", "? keys") and terminal.show("", "heads of m"), terminal.text())
        terminal.send("x")
        check(f"{where}: x switches off", small or terminal.show("", "off", 'at "on" (2): '), terminal.text())
        check(f"{where}: keys", terminal.show("?", "switch th") and terminal.show("?", "? keys"), terminal.text())
        check(f"{where}: another head", small or terminal.show("\x1b[C\x1b[B", "1"), terminal.text())
        check(f"{where}: Enter opens it", terminal.show("\r", lambda: "heads of m" not in terminal.text()), terminal.text())
        check(f"{where}: Esc leads back", terminal.show("\x1b", "heads of m"), terminal.text())
        terminal.send("q")
        terminal.prompt()
        check(f"{where}: what is off stays off", "head 0 0" in " ".join(terminal.enter("ablate").split()), terminal.text())
        check(f"{where}: Q is as it was", "not defined" in " ".join(terminal.enter("Q").split()), terminal.text())
        terminal.enter("undo")
        check(f"{where}: one undo takes it back", "nothing is in force" in terminal.enter("ablate"), terminal.text())
        terminal.show("explore\r", "? keys", lambda: not terminal.at_prompt())
        terminal.send("x\x1b")
        terminal.wait(lambda: terminal.raw.endswith(b"attn> ") or terminal.at_prompt())
        terminal.prompt()
        check(f"{where}: Esc leaves as before", "nothing is in force" in terminal.enter("ablate"), terminal.text())
        terminal.close()
    terminal = Terminal(TERM="screen-256color")
    terminal.prompt()
    terminal.enter('m = transformer("decoder", vocab=["the", "cat", "sat", "on"], d_model=8, heads=2, layers=2, d_ff=8, max_len=8)')
    terminal.enter('inspect m "cat sat on";')
    terminal.enter('set answer "zebra"')
    terminal.show("explore\r", "heads of m")
    terminal.send("x")
    check("an error of a key is said", terminal.show("", "zebra", "error", terminal.at_prompt), terminal.text())
    terminal.close()
    terminal = Terminal(TERM="screen-256color")
    terminal.prompt()
    check("explore heads without a model", "no model was inspected yet" in terminal.enter("explore heads"), terminal.text())
    terminal.close()

finish()
