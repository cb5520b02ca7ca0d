/* What attn check finds in a document. */
#include "notebook/check.h"

#include "io/file.h"
#include "notebook/recorder.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

Suite *check_suite(void);

static const CheckOptions whole = {NULL, false, false};

/* Checks a document; what is found stands in `expected`, a line each, with P for its path. What the
 * lesson takes of a student stands there only where `expected` begins so, or asks for it. */
static void check_found(const char *markdown, const CheckOptions *how, const char *expected) {
    char folder[] = "/tmp/attn-check-XXXXXX", path[64];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.md", folder);
    ck_assert(file_write(path, markdown, strlen(markdown), NULL));
    Recorder recorder;
    recorder_init(&recorder);
    Error err = {.kind = ERR_NONE};
    char *paths[] = {path, NULL};
    bool ok = check_files(&recorder.host, how, paths, &err), all = strstr(expected, "P: ") != NULL;
    Text found = TEXT_EMPTY;
    for (const char *at = recorder.text.data; *at;) {
        size_t own = strlen(path);
        bool named = strncmp(at, path, own) == 0;
        if (!all && (strncmp(at, "  ", 2) == 0 || (named && at[own + 1] == ' '))) {
            at += strcspn(at, "\n") + 1;
            continue;
        }
        text_string(&found, named ? "P" : "");
        if (named) at += own;
        size_t length = strcspn(at, "\n") + 1;
        text_bytes(&found, at, length);
        at += length;
    }
    ck_assert_str_eq(found.data, expected);
    ck_assert_int_eq(ok, strstr(expected, "is well") != NULL);
    ck_assert_int_eq(err.kind, ok ? ERR_NONE : ERR_CHECK);
    text_release(&found);
    recorder_release(&recorder);
    unlink(path);
    rmdir(folder);
}

static void check_finds(const char *markdown, const char *expected) {
    check_found(markdown, &whole, expected);
}

#define EXERCISE \
    "```attn exercise {#mix}\nMake m.\n```\n" \
    "```attn check\nassert m.shape == (2,), \"m has two numbers\"\n" \
    "assert m[1] == 2, \"the second is wrong\"\n```\n"
#define SOLUTION "```attn solution\nm = [1, 2]\n```\n"

START_TEST(good_documents) {
    check_finds("# One\n", "1 document, 0 cells, 0 exercises: all is well\n");
    check_finds("```attn predict\nHow many?\nanswer: x\n```\n```attn\nx = 1 / 8\nx\n```\n"
                "It is 0.125, and 0.5 <!-- given --> too.\n"
                "```attn error shape\n[1, 2] @ [1]\n```\n" EXERCISE
                "```attn wrong\n# the second\nm = [1, 3]\n```\n" SOLUTION
                "```attn\nassert m[0] == 1\n```\n"
                "```attn choice {#c}\n- [x] a -- so\n- [ ] b -- not so\n```\n",
                "1 document, 3 cells, 2 exercises: all is well\n");
}
END_TEST

/* What a lesson takes: what a student sees, what counts, cells that are long, functions that come
 * before any text has named them. */
START_TEST(summaries) {
    check_found(
        "# One\n\nWhat `sum` gives. <!-- not seen -->\n\n<!-- nor this -->\n\n"
        "```attn\nx = sum([1]) + mean([1])\nx.mean()\n```\n\n" EXERCISE SOLUTION
        "\n## Further\n\n```attn\na = 1\n\nb = 2\nc = 3  # max(a)\nd = \"min(a)\"\ne = 4\n```\n"
        "```attn exercise {#two}\nMake n.\n```\n```attn check\nassert n == 2, \"n\"\n```\n"
        "```attn right\nn = 1 + 1\n```\n```attn solution\nn = 2\n```\n",
        &whole,
        "P: 4 steps, 1 exercise and 1 further, 0 predictions\n"
        "  functions that no text has named before: mean in line 7\n"
        "1 document, 2 cells, 2 exercises: all is well\n");
    check_found("```attn\n1\n2\n3\n4\n5\n6\n7\n```\n" EXERCISE SOLUTION, &whole,
                "P: 2 steps, 1 exercise, 0 predictions\n"
                "  cells of more than six lines: line 1\n"
                "1 document, 1 cell, 1 exercise: all is well\n");
}
END_TEST

#define TRAINED \
    "```attn\nt = task(\"copy\", length=2, vocab=3)\n" \
    "m = transformer(\"decoder\", vocab=t.vocab, d_model=4, heads=1, layers=1, d_ff=4)\n" \
    "train m on t for 4 steps;\nm.steps\n```\n\n"

/* A brief check cuts a training short, and then holds nothing to what was trained. */
START_TEST(brief) {
    static const CheckOptions quick = {NULL, false, true};
    const char *lesson =
        TRAINED "```attn exercise {#a}\nHow many steps?\n```\n```attn check\n"
                "assert a == m.steps, \"not so many\"\n```\n```attn right\na = 2 + 2\n```\n"
                "```attn wrong\n# not so many\na = 3\n```\n```attn solution\na = 4\n```\n\n"
                "The loss is 4.25.\n";
    check_found(lesson, &quick, "1 document, 1 cell, 1 exercise: all is well\n");
    check_found(lesson, &whole,
                "P:25: 4.25 is in no output above; if no cell computes it, put "
                "<!-- given --> into its paragraph\n");
    check_found(TRAINED "```attn\nnothing\n```\n", &quick,
                "P:9: name error: nothing is not defined\n");
}
END_TEST

START_TEST(cells) {
    check_finds("```attn\nx = 1\n\ny\n```\n", "P:4: name error: y is not defined\n");
    check_finds("```attn error shape\nx = 1\n```\n",
                "P:1: the cell ran without the shape error that it is to show\n");
    check_finds("```attn error shape\n\ny\n```\n",
                "P:3: a name error where a shape error is to be shown: y is not defined\n");
    check_finds("```attn predict\nWhat?\nanswer: y\n```\n```attn\n1\n```\n",
                "P:1: the answer y: y is not defined\n");
    check_finds("```attn predict\nWhat?\nanswer: 1\n```\n",
                "P:1: no cell follows that shows the answer\n");
    check_finds("a\n\n```attn hint\nx\n```\n", "P:3: this hint has no exercise before it\n");
}
END_TEST

START_TEST(exercises) {
    check_finds("```attn\nm = [1, 2]\n```\n" EXERCISE SOLUTION,
                "P:4: the checks pass before anything was done\n");
    check_finds(EXERCISE, "P:1: the exercise has no solution\n");
    check_finds(EXERCISE "```attn solution\nm = [1, 3]\n```\n",
                "P:6: the solution fails the check: the second is wrong\n");
    check_finds(EXERCISE "```attn solution\nm = q\n```\n",
                "P:9: the solution does not run: q is not defined\n");
    check_finds(EXERCISE SOLUTION "```attn wrong\n# two numbers\nm = [1, 3]\n```\n",
                "P:11: the wrong attempt gets another message: the second is wrong\n");
    check_finds(EXERCISE SOLUTION "```attn right\nm = [1, 3]\n```\n",
                "P:11: the right answer is refused: the second is wrong\n");
    check_finds(EXERCISE SOLUTION "```attn right\nm = array([5, 2])\n```\n",
                "1 document, 0 cells, 1 exercise: all is well\n");
    check_finds(EXERCISE SOLUTION "```attn wrong\n# two\nm = [0, 2]\n```\n",
                "P:11: the wrong attempt passes the checks\n");
    check_finds(EXERCISE SOLUTION "```attn wrong\n# attribute\nm = \"x\"\n```\n",
                "P:11: the wrong attempt ends in a name error of the program; let an assert of the "
                "check say "
                "in words of the lesson what is wrong\n");
    check_finds("```attn choice\n- [x] a -- b\n- [x] c\n```\n",
                "P:1: the choice has no name: attn choice {#name}\n"
                "P:1: no reason follows an option: c -- why\n"
                "P:1: a choice has options with [x] and options with [ ]\n");
}
END_TEST

/* What a student calls `sum` or `abs` does not change what a check means by it, but what the
 * exercise asks for is the student's. */
START_TEST(builtins_of_checks) {
    const char *asked = "```attn exercise {#a}\nMake mean(x), the largest.\n```\n```attn check\n"
                        "def small(x): return abs(x) < 1\n"
                        "total = [sum(v) for v in [[1, 2]]]\nmin = 5\n"
                        "assert mean([1, 4]) == 4 and total[0] == 3 and small(-0.5) and min == 5, "
                        "\"wrong\"\n```\n",
               *solved = "```attn solution\ndef mean(x): return max(x)\n```\n```attn\n"
                         "mean([0, 3]) + 1 / sum\n```\n";
    char markdown[2000];
    snprintf(markdown, sizeof markdown, "%s%s%s", "```attn\nsum = 7\ndef abs(x): return 9\n```\n",
             asked, solved);
    check_finds(markdown, "1 document, 2 cells, 1 exercise: all is well\n");
}
END_TEST

/* A function cannot come right by a variable that the check happens to have. */
START_TEST(variables_of_checks) {
    check_finds("```attn exercise {#a}\nMake f(x), the half.\n```\n```attn check\nn = 4\n"
                "assert f(n) == 2, \"wrong\"\n```\n```attn solution\ndef f(x): return n / 2\n```\n",
                "P:9: the solution fails the check: n is not defined\n");
}
END_TEST

START_TEST(prose) {
    check_finds("It is 0.5, in 2 of 3.\n",
                "P:1: 0.5 is in no output above; if no cell computes it, put "
                "<!-- given --> into its paragraph\n");
    check_finds("```attn\n0.51\n```\n\n0.5\n",
                "P:5: 0.5 is in no output above; if no cell computes it, put "
                "<!-- given --> into its paragraph\n");
    check_finds("[a](b.md) [c](https://x.org) [d](a.md)\n",
                "P:1: the link leads to no file: b.md\n");
    check_finds("In section 3.2, 第 4.1 节: 0.5.\n<!-- given -->\n",
                "1 document, 0 cells, 0 exercises: all is well\n");
    check_finds("- a\n\n  ```attn\n  1\n  ```\n",
                "P:3: a cell is within a list or a quote, where a lesson does not come to it; "
                "begin it at the margin\n");
    check_finds("**注意力（Attention）**是\n",
                "P:1: ** is shown here as two stars: put a space or a letter between it and the "
                "punctuation\n");
}
END_TEST

/* Writes two documents into folders en and zh and checks that their comparison finds `expected`. */
static void check_languages(const char *english, const char *chinese, const char *expected) {
    char folder[] = "/tmp/attn-check-XXXXXX", paths[2][200], folders[2][64];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    for (int i = 0; i < 2; i++) {
        const char *text = i ? chinese : english;
        snprintf(folders[i], sizeof folders[i], "%s/%s", folder, i ? "zh" : "en");
        snprintf(paths[i], sizeof paths[i], "%s/2-a.md", folders[i]);
        ck_assert_int_eq(mkdir(folders[i], 0700), 0);
        ck_assert(file_write(paths[i], text, strlen(text), NULL));
    }
    Recorder recorder;
    recorder_init(&recorder);
    Error err = {.kind = ERR_NONE};
    bool ok = check_files(&recorder.host, &whole, (char *[]){paths[0], paths[1], NULL}, &err);
    ck_assert_msg(strstr(recorder.text.data, expected), "%s", recorder.text.data);
    ck_assert_int_eq(ok, strstr(expected, "all is well") != NULL);
    recorder_release(&recorder);
    for (int i = 0; i < 2; i++) unlink(paths[i]), rmdir(folders[i]);
    rmdir(folder);
}

START_TEST(languages) {
    check_languages("```attn\nx = \"a\" # one\n```\n", "```attn\nx = \"我\"\n```\n", "all is well");
    check_languages("```attn\nprint(\"a b\",\n  1)\n```\n",
                    "```attn\nprint(\"一\"\n  \"二\",\n  1)\n```\n", "all is well");
    check_languages("```attn\nm = pronoun\n```\n", "```attn\nm = pronoun_zh\n```\n", "all is well");
    check_languages("```attn\na_zhu = 1\n```\n", "```attn\nau = 1\n```\n", "a.md:2: here ");
    check_languages("```attn\nx = 1\n```\n", "```attn\nx = 2\n```\n", "a.md:2: here ");
    check_languages("a\n```attn\n```\n```attn\n```\n", "```attn\n```\n", "a.md:4: ");
    check_languages("a\n", "```attn\n```\n", "is missing here");
    const char *needs = "# A\n\n*Needs [b](%s).*\n";
    char one[64], other[64];
    snprintf(one, sizeof one, needs, "02-b.md");
    check_languages(one, one, "a.md:1: the lesson needs lesson 2, which does not come before it");
    snprintf(one, sizeof one, needs, "01-b.md");
    check_languages(one, one, "a.md:3: the link leads to no file: 01-b.md");
    snprintf(other, sizeof other, needs, "00-b.md");
    check_languages(one, other, "zh/2-a.md needs other lessons");
    check_languages("```attn choice {#a}\n- [x] a -- b\n- [ ] a -- b\n```\n",
                    "```attn choice {#b}\n- [x] a -- b\n- [ ] a -- b\n```\n", "another cell");
}
END_TEST

Suite *check_suite(void) {
    Suite *suite = suite_create("check");
    TCase *tests = tcase_create("check");
    tcase_add_test(tests, good_documents);
    tcase_add_test(tests, cells);
    tcase_add_test(tests, summaries);
    tcase_add_test(tests, brief);
    tcase_add_test(tests, exercises);
    tcase_add_test(tests, builtins_of_checks);
    tcase_add_test(tests, variables_of_checks);
    tcase_add_test(tests, prose);
    tcase_add_test(tests, languages);
    suite_add_tcase(suite, tests);
    return suite;
}
