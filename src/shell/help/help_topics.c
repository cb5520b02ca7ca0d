#include "shell/help/help_topics.h"

#include "lang/token.h"
#include "notebook/words.h"
#include "shell/help/help_entry.h"
#include "shell/help/welcome.h"
#include "shell/sandbox.h"

#include <stdio.h>
#include <string.h>

/* ---- lists of all there is ---- */

static void write_summary_row(Page *page, const HelpEntry *entry) {
    page_cut_row(page, entry->name, entry->summary, page_is_narrow(page) ? 13 : 14);
}

static void write_commands(Page *page, const Session *session) {
    HelpWalk walk = help_walk(session);
    for (HelpEntry entry; help_next(&walk, &entry);)
        if (entry.command) write_summary_row(page, &entry);
}

static void write_settings(Page *page, const Session *session) {
    HelpWalk walk = help_walk(session);
    for (HelpEntry entry; help_next(&walk, &entry);)
        if (entry.setting) write_summary_row(page, &entry);
}

static void write_group(Page *page, const char *group, Text *names) {
    page_row(page, group, names->data, page_is_narrow(page) ? 0 : 19);
    if (names->failed) page->text->failed = true;
    text_clear(names);
}

static void write_functions(Page *page, const Session *session) {
    const char *group = "";
    Text names = TEXT_EMPTY;
    HelpWalk walk = help_walk(session);
    for (HelpEntry entry; help_next(&walk, &entry);) {
        if (!entry.function) continue;
        if (names.length && strcmp(group, entry.function->group) != 0)
            write_group(page, group, &names);
        group = entry.function->group;
        text_format(&names, "%s%s", names.length ? " " : "", entry.name);
    }
    write_group(page, group, &names);
    text_release(&names);
}

/* ---- tables within pages ---- */

static const PageRow language_rows[] = {
    {"A = [[1, 2], [3, 4]]", "assign; [1, 2; 3, 4] too", NULL},
    {"A @ B   A.T   A * 2   A ** 2", "matrix product, transpose, by element", NULL},
    {"A[0]   A[:, 1]   A[A > 2]", "rows, columns, where it is true; from 0: help indexing", NULL},
    {"softmax(A, axis=0)   A.mean()", "functions; those of arrays also behind a dot", NULL},
    {"[x ** 2 for x in xs if x > 1]", "a list or array made by a loop", NULL},
    {"f\"{x:.2f}\"", "text with values in it: help strings", NULL},
    {"if   for   while   try", "blocks, as in Python: help for, help conditions", NULL},
    {"def f(x, y=1): return x + y", "a function; lambda x: x + 1", NULL},
    {"and or not   & | ~", "of truth values; of arrays", NULL},
    {"x += 1   assert x > 0   del x", "", NULL},
    {"set heads 2; attend X", "several on one line", NULL},
    {"A.sum();", "; at the end: shows nothing", NULL},
    {"_   _3", "the last value shown, the third", NULL},
    {"# a comment", "", NULL},
    {NULL, NULL, NULL},
};

static const PageRow key_rows[] = {
    {"Enter", "runs the line; goes on where a bracket or block is open; an empty line ends a block",
     NULL},
    {"Alt-Enter", "begins a new line within what is typed", NULL},
    {"Tab", "completes names, arguments of functions, settings, files", NULL},
    {"Up, Down", "through the lines of a block; earlier entries that begin as what you have typed",
     NULL},
    {"Ctrl-R", "searches what was typed before", NULL},
    {"Home, End", "to the beginning, the end of the line; Ctrl-A, Ctrl-E", NULL},
    {"Ctrl-Left, Ctrl-Right", "back, forward by a word; Alt-B, Alt-F", NULL},
    {"Ctrl-W, Ctrl-U, Ctrl-K", "delete a word, to the beginning, to the end", NULL},
    {"Ctrl-Y", "puts back what was deleted", NULL},
    {"Ctrl-_", "takes back an edit", NULL},
    {"Ctrl-C", "drops the line, or stops what runs", NULL},
    {"Ctrl-L", "clears the screen", NULL},
    {"Ctrl-D", "leaves, on an empty line", NULL},
    {NULL, NULL, NULL},
};

static const PageRow file_rows[] = {
    {"A = load(\"a.npy\")", "numbers from .npy, .csv or .tsv", NULL},
    {"save(\"a.csv\", A)", "numbers to such a file", NULL},
    {"plot weights to \"w.png\"", "a picture; help plot lists the kinds of files", NULL},
    {"run \"mine.attn\"", "a script; what it defines stays. The cells of a .md document too", NULL},
    {"attn mine.attn", "the same from a shell; attn --help lists more", NULL},
    {"~/.config/attn/init.attn", "is run first at every prompt, if there is one", NULL},
    {NULL, NULL, NULL},
};

static const PageRow model_rows[] = {
    {"t = task(\"reverse\", length=6, vocab=8)",
     "examples to learn from; help task lists the others", NULL},
    {"sample(t, 3)", "some of them: inputs and answers", NULL},
    {"m = transformer(vocab=t.vocab)", "an encoder-decoder; also \"encoder\" and \"decoder\"",
     NULL},
    {"train m on t for 300 steps", "it learns; Ctrl-C stops it, undo takes it back", NULL},
    {"plot loss", "how it went", NULL},
    {"evaluate m on t", "how it does on examples that it has not seen", NULL},
    {"predict m \"abcdef\"", "what it finds likeliest; generate(m, \"abcdef\") lets it write",
     NULL},
    {"m   m.parameters[\"embed\"]", "its parts, and the numbers in them", NULL},
    {"examples", "models that were trained already, and what to ask them", NULL},
    {"inspect m \"abcdef\"", "looks into a run of a model", NULL},
    {"heads   head 1 0   lens", "what each head looks at; one on the bench; what layers would say",
     NULL},
    {"ablate 1 0   ablate none", "switches a head off, and all on again; patch, explore heads",
     NULL},
    {"grad(f, x)", "a derivative, as training follows it, of any function that you write", NULL},
    {"save(\"m.safetensors\", m)", "keeps a model; load(\"m.safetensors\") gives it back", NULL},
    {NULL, NULL, NULL},
};

/* ---- what strangers wrote ---- */

static void write_safe(Page *page, const Session *session) {
    static const PageRow rows[] = {
        {"reads",
         "the folder of that file, or this one where there is none, and what lies below; "
         "links do not lead out",
         NULL},
        {"writes", "nothing: no files, no history, no progress of lessons", NULL},
        {"starts", "nothing: no gnuplot, no pager, no connection", NULL},
        {"memory", "1 GB", NULL},
        {NULL, NULL, NULL},
    };
    (void)session;
    page_rows(page, rows);
    page_gap(page);
    page_paragraph(page, "The program refuses the rest itself, and says so.");
    char line[160];
    snprintf(line, sizeof line, "Behind that, this system holds it by %s.", sandbox_words());
    page_paragraph(page, line);
}

/* ---- lessons ---- */

void help_write_lesson_words(Page *page, const Session *session) {
    Language language = language_from_name(session->bench.settings.language);
    const PageRow rows[] = {
        {word_in(language, WORD_HELP_ENTER_KEY), word_in(language, WORD_HELP_ENTER), NULL},
        {word_in(language, WORD_HELP_LINE_KEY), word_in(language, WORD_HELP_LINE), NULL},
        {"check", word_in(language, WORD_HELP_CHECK), NULL},
        {"hint", word_in(language, WORD_HELP_HINT), NULL},
        {"solution", word_in(language, WORD_HELP_SOLUTION), NULL},
        {"skip", word_in(language, WORD_HELP_SKIP), NULL},
        {"back", word_in(language, WORD_HELP_BACK), NULL},
        {"again", word_in(language, WORD_HELP_AGAIN), NULL},
        {"goto 2", word_in(language, WORD_HELP_GOTO), NULL},
        {"where", word_in(language, WORD_HELP_WHERE), NULL},
        {"forget", word_in(language, WORD_HELP_FORGET), NULL},
        {"lessons", word_in(language, WORD_HELP_LESSONS), NULL},
        {"quit", word_in(language, WORD_HELP_QUIT), NULL},
        {NULL, NULL, NULL},
    };
    page_rows(page, rows);
    page_gap(page);
    page_paragraph(page, word_in(language, WORD_HELP_MORE));
}

/* ---- the table ---- */

#define TOPIC(NAME, WORDS) .name = NAME, .words = WORDS

const HelpTopic help_topics[] = {
    {TOPIC("first", "start tutorial intro"),
     .summary = "A walk of one minute. Type these lines one by one, and look at what each shows.",
     .write = welcome_write_steps},
    {TOPIC("language", "python numpy syntax statements expressions"),
     .summary = "Statements and expressions are Python's; arrays mean what they mean in NumPy.",
     .rows = language_rows,
     .see = "for conditions def try indexing strings operators import functions"},
    {TOPIC("commands", "command"),
     .summary = "Commands are words that begin a line, with spaces between what follows. help NAME "
                "is the page of each.",
     .see = "settings functions language", .write = write_commands},
    {TOPIC("settings", "setting knobs"),
     .summary = "The knobs: set NAME VALUE turns one, show NAME says how it stands, help NAME what "
                "it does.",
     .see = "set unset show", .write = write_settings},
    {TOPIC("functions", "builtins"),
     .summary = "All functions, by what they are for. help NAME is the page of each, with an "
                "example.",
     .see = "language commands", .write = write_functions},
    {TOPIC("keys", "keyboard shortcuts editing"), .summary = "Keys at the prompt.",
     .rows = key_rows},
    {TOPIC("files", "file scripts"), .summary = "What is read and written.", .rows = file_rows,
     .see = "load save plot run safe"},
    {TOPIC("safe", "sandbox security strangers"),
     .summary = "attn --safe FILE, for what a stranger wrote, and what holds it.",
     .see = "files run load", .write = write_safe},
    {TOPIC("models", "model training learning network"),
     .summary = "A Transformer that learns: type these lines one by one. Each name has a page.",
     .rows = model_rows, .see = "transformer task train evaluate predict generate grad save"},
    {TOPIC("course", "learn study exercise exercises"),
     .summary = "Lessons teach attention step by step, in English and in Chinese (--language zh). "
                "lesson 1 begins the first; in it you can type these words.",
     .see = "lessons lesson", .write = help_write_lesson_words},
    {TOPIC("for", "while break continue in range"),
     .usage = "for NAME in VALUES: STATEMENT   ·   while CONDITION: STATEMENT",
     .summary = "for runs the statement, or the indented lines below, once for each value; while "
                "runs them as long as the condition holds. break leaves the loop, continue begins "
                "its next round; else may follow, for when no break came. A for goes over a list, "
                "the rows of an array, range(n), or zip "
                "and enumerate.",
     .example = "for t in [1, 2]: print(t, t ** 2)\n# -> 1 1\n# -> 2 4\nn = 1\n"
                "while n < 100: n = 3 * n\nn\n# -> 243",
     .see = "range enumerate zip conditions"},
    {TOPIC("conditions", "if elif else and or not is"),
     .usage = "if CONDITION: STATEMENT   ·   A if CONDITION else B",
     .summary = "Runs the statement, or the indented lines below, if the condition holds; elif and "
                "else may follow. and, or, not join conditions. For arrays, element by element, "
                "there are where, & and |.",
     .example = "x = -2\nif x < 0: print(\"negative\")\nelse: print(\"not negative\")\n"
                "# -> negative\n1 if x > 0 else 0\n# -> 0",
     .see = "where any all for"},
    {TOPIC("def", "return lambda function args kwargs"),
     .usage = "def NAME(x, y=1): return VALUE   ·   lambda x: VALUE",
     .summary =
         "Makes a function. What is assigned in it stays in it. A lambda is a function "
         "without a name, of one expression. *args takes further values as a tuple, **options "
         "further keywords as a record; what follows a * goes by keyword only.",
     .example = "def square(x, plus=0): return x ** 2 + plus\nsquare(3, plus=1)\n# -> 10\n"
                "double = lambda x: 2 * x\ndouble([1, 2])\n# -> [2, 4]\n"
                "def total(*args, times=1): return times * sum(args)\ntotal(1, 2, times=10)\n"
                "# -> 30",
     .see = "language"},
    {TOPIC("try", "except raise finally"),
     .usage = "try: STATEMENT   ·   except KIND as x: STATEMENT",
     .summary = "If the first block ends in an error of this kind (syntax, name, shape, type, "
                "value, file, limit, plot, check; without a kind, in any error), the second runs. "
                "Python's names are kinds too, such as ValueError and IndexError, and so are "
                "several in parentheses. print(x) says what was wrong, as x.message does; raise "
                "ValueError(\"...\") makes an error, raise alone the one that was caught. else "
                "runs if there was no error, finally in any case.",
     .example = "try: [1, 2] @ [1, 2, 3]\nexcept shape as x: print(x.kind)\n# -> shape\n"
                "try: raise ValueError(\"d must be even\")\nexcept ValueError as x: print(x)\n"
                "# -> d must be even",
     .see = "assert"},
    {TOPIC("assert", ""), .usage = "assert CONDITION, \"message\"",
     .summary = "Stops with a check error if the condition does not hold.",
     .example = "p = softmax([1, 2])\nassert abs(p.sum() - 1) < 1e-9, \"a row sums to 1\"",
     .see = "try"},
    {TOPIC("del", ""), .usage = "del NAME   ·   del A[i]   ·   del r[\"a\"]",
     .summary = "Forgets a variable; a function or word that it hid is there again. Behind a name, "
                "brackets say which element of a list, row of an array or field of a record goes.",
     .example = "e = 3\ndel e\ne\n# -> 2.718\nxs = [5, 6, 7]\ndel xs[0]\nxs\n# -> [6, 7]",
     .see = "who reset pop"},
    {TOPIC("import", "from as np torch"), .usage = "import numpy as np",
     .summary = "Nothing needs to be imported, but lines pasted from Python run all the same: "
                "import numpy as np is accepted, and np. in front of a function means nothing.",
     .example = "import numpy as np\nnp.array([1, 2]).sum()\n# -> 3", .see = "functions run"},
    {TOPIC("indexing", "index slice slices slicing"),
     .usage = "A[i]   ·   A[i, j]   ·   A[a:b]   ·   A[:, -1]",
     .summary = "Indices count from 0, negative ones from the end. a:b goes up to, but not "
                "including, b; a:b:c in steps of c. A boolean array picks where it is true, a list "
                "of numbers those rows. Unlike NumPy's, values are copies: after B = A, changing B "
                "leaves A alone.",
     .example = "A = [1, 2, 3; 4, 5, 6]\nA[1, 2]\n# -> 6\nA[:, -1]\n# -> [3, 6]\nA[A > 4]\n"
                "# -> [5, 6]\nA[0, :] = 0\nA[0]\n# -> [0, 0, 0]",
     .see = "reshape where concatenate"},
    {TOPIC("strings", "text fstring f-string"), .usage = "\"text\"   ·   f\"{x:.2f}\"",
     .summary = "Text in single or double quotes. In an f-string, braces hold values, with a "
                "format behind a colon as in Python: help format.",
     .example = "x = 1 / 3\nf\"x is {x:.2f}\"\n# -> 'x is 0.33'\n\"a b\".split()\n# -> ['a', 'b']",
     .see = "format split join replace tokens str"},
    {TOPIC("operators", "@ ** // % & | ~ * / + - == != < <= > >="),
     .usage = "A @ B   ·   A * B   ·   A ** 2   ·   A // B   ·   A % B   ·   A & B   ·   A | B   "
              "·   ~A",
     .summary = "@ is the matrix product; the others work element by element, with shapes "
                "broadcast as in NumPy. // divides and rounds down, % is its remainder. & | ~ are "
                "and, or, not of boolean arrays: masks are joined with them.",
     .example = "[1, 2; 3, 4] @ [1, 1]\n# -> [3, 7]\n[7, -7] // 2\n# -> [3, -4]\n"
                "causal_mask(2) & ~(eye(2) > 0)\n# -> [[False, False],⏎ [True, False]]",
     .see = "dot conditions indexing"},
    {.name = NULL},
};

const char help_words[] =
    "first language commands settings functions keys files models course for while break "
    "continue conditions elif else def return lambda try except finally "
    "assert del import from as indexing strings operators";

const HelpTopic *help_topic_find(const char *name) {
    for (const HelpTopic *topic = help_topics; topic->name; topic++)
        if (strcmp(topic->name, name) == 0 || words_contain(topic->words, name, strlen(name)))
            return topic;
    return NULL;
}
