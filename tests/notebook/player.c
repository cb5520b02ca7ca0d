/* A lesson at the prompt: what each line that a person types does. */
#include "notebook/player.h"

#include "notebook/lesson_commands.h"
#include "notebook/opening.h"
#include "notebook/recorder.h"

#include "base/interrupt.h"
#include "base/memory.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

Suite *player_suite(void);

static const char lesson[] =
    "# Small\n\n*About 5 minutes. Needs [a](01-a.md).*\n\nFirst words.\n\n"
    "```attn predict\nHow much?\n\nanswer: x\nwithin: 0.5\n```\n\n"
    "```attn\nx = 7\nx\n```\n\nMore words.\n\n"
    "```attn exercise {#half}\nPut the half of x into h.\n```\n\n"
    "```attn check\nassert h == x / 2, \"h is not the half of x\"\n```\n\n"
    "```attn hint\nDivide.\n```\n\n```attn hint\nBy 2.\n```\n\n"
    "```attn solution\nh = x / 2\n```\n\n"
    "```attn choice {#which}\nWhich?\n\n- [ ] one -- too small\n- [x] two -- so it is\n```\n\n"
    "```attn\nh + 1\n```\n\n"
    "```attn open {#why}\nWhy?\n```\n\n## End\n\nThe last words.\n";

static const CommandDef *const further[] = {lesson_commands, NULL};
static char folder[] = "/tmp/attn-player-XXXXXX";
static Recorder recorder;
static Session *session;
static size_t seen; /* of what was written, how much was looked at */

static void report(const Session *of, const Error *err, const char *typed) {
    (void)of, (void)typed;
    text_format(&recorder.text, "error: %s\n", err->message);
}

/* Opens the lesson as a person who sits down anew. */
static void open_named(const char *name, const char *markdown) {
    recorder_init(&recorder);
    recorder.host.interactive = true;
    seen = 0;
    session = session_new(&recorder.host, further, NULL);
    ck_assert_ptr_nonnull(session);
    Document *document = document_parse("small", markdown, strlen(markdown), NULL);
    ck_assert_ptr_nonnull(document);
    session->player = player_new(session, document, name, NULL, PLAYER_KEEPS, report, NULL);
    ck_assert_ptr_nonnull(session->player);
    ck_assert(player_begin(session->player, NULL));
}

static void open_lesson(const char *markdown) { open_named("small", markdown); }

static void close_lesson(void) {
    player_free(session->player);
    session_free(session);
    recorder_release(&recorder);
}

/* Types a line; what is shown then contains `expected`, and not `absent`, where these are given. */
static void type(const char *line, const char *expected, const char *absent) {
    Error err = {.kind = ERR_NONE};
    bool taken, ran = false;
    seen = recorder.text.length;
    ck_assert(player_take(session->player, line, strlen(line), &taken, &err));
    if (!taken) {
        ran = session_run_text(session, "", line, strlen(line), &err);
        if (!ran) report(session, &err, NULL);
        ck_assert(player_after(session->player, ran, NULL));
    }
    const char *shown = recorder.text.data + seen;
    if (expected) ck_assert_msg(strstr(shown, expected), "%s: %s", line, shown);
    if (absent) ck_assert_msg(!strstr(shown, absent), "%s: %s", line, shown);
}

static void check_prompt(const char *expected) {
    Text prompt = TEXT_EMPTY;
    player_write_prompt(session->player, &prompt);
    ck_assert_str_eq(prompt.data, expected);
    text_release(&prompt);
}

static void check_number(const char *name, double expected) {
    const Symbol *symbol = interp_find(&session->interp, name);
    ck_assert_ptr_nonnull(symbol);
    ck_assert_int_eq(symbol->value.kind, VALUE_NUMBER);
    ck_assert_double_eq(symbol->value.number, expected);
}

static void set_up(void) {
    ck_assert_ptr_nonnull(mkdtemp(folder));
    setenv("XDG_STATE_HOME", folder, 1);
}

static void tear_down(void) {
    char path[100];
    snprintf(path, sizeof path, "rm -rf %s", folder);
    ck_assert_int_eq(system(path), 0);
}

static bool answer;
static bool ask(Host *host, const char *question, bool *yes, Error *err) {
    *yes = answer;
    return host_print(host, err, "%s\n", question);
}

START_TEST(ends_and_is_marked) {
    open_named("soft-lookup", "# Short\n\nAll of it.\n");
    ck_assert_ptr_nonnull(strstr(recorder.text.data, "Enter leads on to lesson 2: Soft"));
    type("lessons", "✓ 1  soft-lookup", "→ 1");
    type("lessons", "→ 2  softmax-temperature", "→ 3");
    type("lessons", "\nDone (✓): 1 of ", "Begun (…): 1.");
    type("lessons", "\nNext (→): lesson 2. You have what is needed for: 2.\n", NULL);
    /* Enter asks whether to go on with the next one; without a yes it leaves. */
    recorder.host.ask = ask;
    answer = true;
    type("", "Go on with the next lesson?", NULL);
    ck_assert(!player_has_ended(session->player));
    ck_assert_str_eq(session->lesson, "softmax-temperature");
    answer = false;
    type("", "Go on with the next lesson?", NULL);
    ck_assert(player_has_ended(session->player));
    close_lesson();
}
END_TEST

/* A truth that rounding keeps from 0 is said to be 0. */
START_TEST(truth_of_nothing) {
    static const char nothing[] = "```attn predict\nHow much?\n\nanswer: x\nwithin: 0.001\n```\n\n"
                                  "```attn\nx = 0.1 + 0.2 - 0.3\n```\n\nThe end.\n";
    open_lesson(nothing);
    type("2", NULL, NULL);
    type("", "You said 2; it is 0.", "e-17");
    close_lesson();
}
END_TEST

/* A variable that is named as a setting, also in Chinese, is no setting: the note says how it is
 * changed. */
START_TEST(setting_assigned) {
    open_lesson(lesson);
    type("goto half", "Exercise 1 of 2", NULL);
    type("temperature = 0.5", "(temperature is a variable now", NULL);
    type("温度 = 0.5", "(温度 is a variable now; the setting is changed by: set temperature VALUE)",
         NULL);
    type("设置头数＝2", "(设置头数 is a variable now; the setting is changed by: set heads VALUE)",
         NULL);
    type("h = 3.5", "Solved: half", "is a variable now");
    close_lesson();
}
END_TEST

START_TEST(from_first_to_last) {
    open_lesson(lesson);
    check_prompt("[your guess] ");
    ck_assert_ptr_nonnull(strstr(recorder.text.data, "First words."));
    ck_assert_ptr_null(strstr(recorder.text.data, "answer:"));
    type("9", "Noted: 9. Now see.\n\n", NULL);
    check_prompt("[Enter: run] ");
    type("", "You said 9; it is 7.", "\n\n\n"); /* one empty line between things */
    check_prompt("[half] ");
    type("", "Not solved yet", "End");
    type("check", "h is not there", "error");
    type("h = 3", NULL, "Solved");
    type("check", "h is not the half of x", NULL);
    type("hint", "Divide.", "By 2.");
    type("hint", "By 2.", "Divide.");
    type("hint", "all hints", NULL);
    type("solution", "h = x / 2", NULL);
    check_number("h", 3);
    type("again", "(check, hint, solution, skip)", "type what solves it"); /* as a reminder */
    type("h = 3.5", "Solved: half (1 of 2)", NULL);
    check_prompt("[solved, Enter: on] ");
    type("", "a) one", "too small");
    type("z", "letters a to b", NULL);
    type("B", "Right: b) so it is\nNo: a) too small\nSolved: which (2 of 2)", NULL);
    type("", "h + 1", NULL);
    type("", "4.5", "\n\n\n");
    check_prompt("[your answer] ");
    type("because it is", "Kept.\n\nEnd", NULL);
    ck_assert_ptr_nonnull(strstr(recorder.text.data, "2 of 2 solved"));
    /* A session that is saved has what was typed, but not what steered the lesson. */
    ck_assert_ptr_nonnull(strstr(session->transcript.cells.data, "\nh = 3.5\n"));
    ck_assert_ptr_null(strstr(session->transcript.cells.data, "\nhint\n"));
    ck_assert_ptr_null(strstr(session->transcript.cells.data, "\ncheck\n"));
    ck_assert(!player_has_ended(session->player));
    type("", NULL, NULL);
    ck_assert(player_has_ended(session->player));
    close_lesson();
}
END_TEST

/* An answer may begin with the name of a command; what is a command runs. */
START_TEST(answers_like_commands) {
    static const char *const answers[] = {"compare with a head whose scores vary",
                                          "where it is wanted, of course",
                                          "set it anew after training",
                                          "mask the words that come later."},
                             *const commands[] = {"where", "plot x against x", "set scale none",
                                                  "set temperature to 2 and look again"};
    static const char text[] =
        "```attn\nx = [1, 2]\n```\n\n```attn open {#why}\nWhy?\n```\n\nThe end.\n";
    open_lesson(text);
    type("", NULL, NULL);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        type(commands[i], NULL, "Kept.");
        check_prompt("[your answer] ");
    }
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        type(answers[i], "Kept.", "error");
        type("back", NULL, NULL);
        check_prompt("[your answer] ");
    }
    close_lesson();
}
END_TEST

static const char asked[] =
    "```attn predict\nHow much?\n\nanswer: 1e-17 + x\nwithin: 0.1\n```\n\n```attn\nx = 0\n```\n\n"
    "```attn choice {#which}\nWhich?\n\n- [x] the one -- it is\n- [ ] two -- it is not\n"
    "- [x] three -- as well\n```\n\nThe end.\n";

/* A guess and a choice may stand in words, or be none; what is an entry runs. */
START_TEST(answers_in_words) {
    static const struct {
        const char *typed, *said;
    } guesses[] = {{"0", "Noted: 0."},
                   {"about 0.4", "Noted: 0.4."},
                   {"0.4 or so", "Noted: 0.4."},
                   {"40%", "Noted: 0.4."},
                   {"it is -2", "Noted: -2."},
                   {"1/2", "Noted: 1/2."},
                   {"ln 2", "Noted: log(2)."},
                   {"about √2", "Noted: sqrt(2)."},
                   {"0, word 2 is too far", "Noted: 0."},
                   {"a half: both get the same, 0.5", "Noted: 1/2."},
                   {"ln 2 = 0.69: both get half", "Noted: log(2)."},
                   {"1.1，即 ln 3", "Noted: 1.1."},
                   {"ln 2，大约 0.69", "Noted: log(2)."},
                   {"ln 2 ≈ 0.69，因为各得一半", "Noted: log(2)."},
                   {"ln 3，因为每种都是 1/3", "Noted: log(3)."},
                   {"−20", "Noted: -20."},
                   {"−ln(1/3)", "Noted: -log(1/3)."},
                   {"-ln(1/3), each is 1/3", "Noted: -log(1/3)."},
                   {"0.69 (ln 2)", "Noted: 0.69."},
                   {"0.7（各得一半，ln 2）", "Noted: 0.7."},
                   {"0.75; half of 2", "Noted: 0.75."},
                   {"3/4：一半是回文", "Noted: 3/4."},
                   {"3/4 一半是回文", "Noted: 3/4."},
                   {"about 3/4", "Noted: 3/4."},
                   {"约3/4", "Noted: 3/4."},
                   {"1/24，瞎猜", "Noted: 1/24."},
                   {"1/9，两次都要猜中 3 个里的一个", "Noted: 1/9."},
                   {"约 500 倍，1+2+…+1000 除以 1000", "Noted: 500."},
                   {"half", "Noted: 1/2."},
                   {"大约一半", "Noted: 1/2."},
                   {"四分之三：另一半看不见", "Noted: 3/4."},
                   {"四行", "Noted: 4."},
                   {"三个，第一个除外", "Noted: 3."},
                   {"two, the first and the last", "Noted: 2."},
                   {"0.75.", "Noted: 0.75."},
                   {"0.75. The rest is noise", "Noted: 0.75."},
                   {"3/4? only places 4 to 7 are wrong", "Noted: 3/4."},
                   {"Half, about 0.5: the rows from 8 on are noise", "Noted: 1/2."},
                   {"half of ln 2", "Noted: 1/2*log(2)."},
                   {"half of ln 2, so 0.35", "Noted: 0.35."},
                   {"ln 2的一半", "Noted: log(2)/2."},
                   {"a third of a half, 1/6", "Noted: 1/6."},
                   {"1/8 of them, so 250", "Noted: 250."},
                   {"4 of them, so 5 are left", "Noted: 4."},
                   {"八分之一，也就是250组左右", "Noted: 250."},
                   {"一半，因为它自己也得20分", "Noted: 1/2."},
                   {"五分之一左右", "Noted: 1/5."},
                   {"不到十分之一", "Noted: 1/10."},
                   {"不到一成", "Noted: 1/10."},
                   {"九成多吧", "Noted: 9/10."},
                   {"大约百分之九十五", "Noted: 95/100."},
                   {"几乎为0", "Noted: 0."},
                   {"两百左右", "Noted: 200."},
                   {"二十五个", "Noted: 25."},
                   {"一千零五", "Noted: 1005."},
                   {"一百五", "Noted: 150."},
                   {"three quarters", "Noted: 3/4."},
                   {"a quarter", "Noted: 1/4."},
                   {"at most one half", "Noted: 1/2."},
                   {"<= 0.5", "Noted: 0.5."},
                   {"more than 64 words", "Noted: 64."},
                   {"a bit more than 1/4", "Noted: 1/4."},
                   {"all four", "Noted: 4."},
                   {"just under 1/2", "Noted: 1/2."},
                   {"none", "Noted: 0."},
                   {"一个也没有", "Noted: 0."},
                   {"4 times, 2 from the query and 2 from the key", "Noted: 4."},
                   {"4: 2 from the query and 2 from the key", "Noted: 4."},
                   {"3 quarters", "Noted: 3/4."},
                   {"2 thirds of the words", "Noted: 2/3."},
                   {"2 hundred", "Noted: 2*100."},
                   {"about 3 thousand words", "Noted: 3*1000."},
                   {"7成左右", "Noted: 7/10."},
                   {"5万", "Noted: 5*10000."},
                   {"20 percent", "Noted: 0.2."},
                   {"百分之20", "Noted: 0.2."},
                   {"一成不到吧；它只在左边学过", "Noted: 1/10."},
                   {"五五开吧", "Noted: 1/2."},
                   {"HALF", "Noted: 1/2."},
                   {"一半一半", "Noted: 1/2."},
                   {"百分百", "Noted: 1."},
                   {"三个的样子", "Noted: 3."},
                   {"零点六", "Noted: 0.6."},
                   {"百分之三十五点五", "Noted: 35.5/100."},
                   {"我觉得有三个", "Noted: 3."},
                   {"两成半", "Noted: 2.5/10."},
                   {"一半多一点", "Noted: 1/2."},
                   {"负的0.5", "Noted: -0.5."},
                   {"负一", "Noted: -1."},
                   {"我想大概是六成", "Noted: 6/10."},
                   {"不会超过百分之十", "Noted: 10/100."},
                   {"完全没有", "Noted: 0."},
                   {"大约一点零五吧，瞎猜", "Noted: 1.05."},
                   {"２", "Noted: 2."},
                   {"约０．３５", "Noted: 0.35."},
                   {"我觉得是值，２，因为取走的就是值", "Noted: 2."},
                   {"百分之４０，也就是４０％", "Noted: 0.4."},
                   {"0.93^24, about 20 %", "Noted: 0.93**24."}},
      others[] = {{"quite a lot", "A guess is one number"},
                  {"lots", "A guess is one number"},
                  {"between 0 and 1", "A guess is one number"},
                  {"2 or 3, with luck", "A guess is one number"},
                  {"0,5 or 0,6", "A guess is one number"},
                  {"0.7~0.8", "A guess is one number"},
                  {"0.7-0.8", "A guess is one number"},
                  {"all", "A guess is one number"},
                  {"third", "A guess is one number"},
                  {"half a dozen", "A guess is one number"},
                  {"one hundred", "A guess is one number"},
                  {"1 in 3", "A guess is one number"},
                  {"half of them", "A guess is one number"},
                  {"0.5, 0.3", "A guess is one number"},
                  {"1:2", "A guess is one number"},
                  {"一样", "A guess is one number"},
                  {"三四个", "A guess is one number"},
                  {"八九成", "A guess is one number"},
                  {"word 2 is too far, 0", "A guess is one number"},
                  {"2 * sqrt(4)", "4"},
                  {"log(1)", "0"},
                  {"2 @ 3", "error"},
                  {"print(3", "error"},
                  {"x = 3", NULL},
                  {"x=3", NULL},
                  {"if x: x = 4", NULL},
                  {"x == 4", "True"},
                  {"where", "Step 1 of 4"},
                  {"2 +* 3", "A guess is one number"}};
    for (size_t i = 0; i < sizeof guesses / sizeof *guesses; i++) {
        open_lesson(asked);
        type(guesses[i].typed, guesses[i].said, "error");
        close_lesson();
        open_lesson(asked);
        type("forget lesson", NULL, NULL);
        close_lesson();
    }
    open_lesson(asked);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        type(others[i].typed, others[i].said, "Noted");
        check_prompt("[your guess] ");
    }
    type("0", NULL, NULL);
    type("", "You said 0, and so it is.", NULL);
    type("", "type a letter", "Not solved");
    type("check", "type a letter", NULL);
    type("b/a", "error", "No: ");
    type("aa", "letters a to c", "Right");
    type("the one", "letters a to c", "error");
    type("17", "letters a to c", "Right");
    type("x", "0", "letters"); /* a variable */
    type("a 不对", "letters a to c", "Right");
    type("(c), A", "Right: a) it is\nRight: c) as well\nNo: b) it is not\nSolved: which", NULL);
    type("check", "answered before", NULL);
    close_lesson();
}
END_TEST

/* The first answer to a choice counts, in later visits, too; forget gives another. */
START_TEST(first_answer_counts) {
    open_lesson(asked);
    type("0", NULL, NULL);
    type("", NULL, NULL);
    type("a2", "Right: a) it is\nNo: b) it is not\nRight: c) as well\nNot solved: which (0 of 1)",
         "Solved");
    check_prompt("[answered, Enter: on] ");
    type("", "0 of 1 solved", "Still open");
    type("where", " × 1 which", NULL);
    type("back", "(answered before; Enter goes on)", NULL);
    type("ac", "answered before", "Solved");
    close_lesson();
    open_lesson(asked);
    type("goto which", "answered before", NULL);
    type("我选 ａ、c：两个都对", "answered before", "letters a to c");
    type("forget", "type a letter", NULL);
    type("ac", "Solved: which (1 of 1)", NULL);
    close_lesson();
}
END_TEST

/* Exercises below Further come after the end, and do not count. */
START_TEST(further_exercises) {
    char text[2000];
    snprintf(text, sizeof text,
             "%s\n## Further\n\nMore.\n\n```attn exercise {#third}\nPut it into t.\n```\n\n"
             "```attn check\nassert t == 7 / 3, \"no\"\n```\n\n```attn solution\nt = x / "
             "3\n```\n\nThat was it.\n",
             lesson);
    open_lesson(text);
    type("goto half", "Exercise 1 of 2: half", NULL);
    type("skip", NULL, NULL);
    type("b", "Solved: which (1 of 2)", NULL);
    type("goto why", NULL, NULL);
    type("", "The end of the lesson: 1 of 2 solved.\nStill open: half", "third");
    check_prompt("[the end, Enter: further] ");
    type("", "Further exercise: third", "Exercise 3");
    type("t = x / 3", "Solved: third. Enter goes on.", NULL);
    type("where", " ✓ + third", NULL);
    type("", "1 of 2 solved", NULL);
    check_prompt("[the end, Enter] ");
    close_lesson();
}
END_TEST

static const char broken[] = "```attn\nK = [[1, 2], [3, 4]]\n```\n\n```attn\nK @ [1, 2]\n```\n\n"
                             "Further words.\n\n```attn exercise {#f}\nMake f(x).\n```\n\n"
                             "```attn check\nn = number = 3\nx = asarray(f(n)).size + v\n"
                             "assert x == 2, \"not two\"\n```\n\n"
                             "```attn solution\nv = 1\ndef f(x): return 1\n```\n\nThe end.\n";

/* A variable of the person's that is in the way of a cell is named, and can be taken back. */
START_TEST(cell_that_fails) {
    open_lesson(broken);
    type("K[0] = [5, 6]", "error", NULL);
    type("", NULL, "error");
    type("K = ones(3); L = 2", NULL, NULL);
    type("", "error: K is 3 and", "Further");
    ck_assert_ptr_nonnull(strstr(recorder.text.data + seen, "(your K is a vector of 3)"));
    check_prompt("[Enter: run] ");
    type("goto here", "K @ [1, 2]", "Further");
    type("", "[5, 11]\n\nFurther words.", "error");
    type("back", "K @ [1, 2]", NULL);
    type("K = \"key\"", NULL, NULL);
    type("", "(your K is a", "Further");
    type("skip", "Further words.", NULL);
    close_lesson();
}
END_TEST

/* A built-in function that a cell uses and that has become the person's own would change in silence
 * what the lesson shows. */
START_TEST(cell_that_means_a_builtin) {
    open_lesson("```attn\nx = array([1, 3])\n```\n\n```attn\nmax(x), x.min(axis=0)\n```\n\nFurther "
                "words.\n\n```attn\ndef sum(x): return 7\n```\n\n```attn\nsum(x)\n```\n\nEnd.\n");
    type("", NULL, NULL);
    type("def max(x): return 9", NULL, NULL);
    type("min = 0", NULL, NULL); /* the cell has a method of this name */
    type("", "means the built-in max, and now it is your own. del max", "Further");
    type("del max", NULL, NULL);
    type("", "(3, 1)\n\nFurther words.", NULL);
    type("back", NULL, NULL);
    type("max = sum", NULL, NULL);
    type("", "means the built-in max", "Further");
    type("skip", "(4, 1)\n\nFurther words.", NULL);
    type("sum = 3", NULL, NULL); /* the lesson itself gives this one another meaning */
    type("", NULL, "means the built-in");
    type("", "7\n\nEnd.", NULL);
    close_lesson();
}
END_TEST

/* What a check meets on its way: what is not there yet, what the person's function does, a value of
 * the wrong kind. The names of the check are its own. */
START_TEST(check_that_fails) {
    open_lesson(broken);
    type("", NULL, NULL);
    type("", "Further", NULL);
    type("check", "f is not there", "error");
    type("f = 3", NULL, NULL);
    type("check", "your f is a number, where a function is needed", NULL);
    type("def f(x): return 5 + n", NULL, NULL);
    type("check", "name error: n is not defined", "is not there");
    ck_assert_ptr_nonnull(strstr(recorder.text.data + seen, "\n    def f(x): return 5 + n\n"));
    type("def f(x): return 5 + numb", NULL, NULL);
    type("check", "name error: numb is not defined", "Did you mean");
    type("n = 7", NULL, NULL); /* the check has an n of its own */
    type("def f(x): 5", NULL, NULL);
    type("check", "(A function", "your");
    type("def f(x): return 5", NULL, NULL);
    type("check", "v is not there", NULL);
    type("v = \"one\"", NULL, NULL);
    type("check", "your v is a string, where", "error");
    type("def f(x): 5", NULL, NULL);
    type("check", "(A function", "your");
    type("def f(x): return 1", NULL, NULL);
    type("n = \"seven\"", NULL, NULL);
    type("check", "your v is a string, where", "your n");
    type("v = 1", "Solved", NULL);
    close_lesson();
}
END_TEST

/* The words of a check's message are no variables, even if the person has some of the same name. */
START_TEST(check_message_is_no_variable) {
    open_lesson("# Words\n\n```attn exercise {#p}\nMake p.\n```\n\n"
                "```attn check\nassert p[\"x\"] > 0, f\"a number above {p}, not 0\"\n```\n\n"
                "```attn solution\np = {\"x\": 1}\n```\n\nEnd.\n");
    type("a = x = f = 1", NULL, NULL);
    type("p = 3", NULL, NULL);
    type("check", "your p is a number, where something else is needed", "your a");
    ck_assert_ptr_null(strstr(recorder.text.data + seen, "your f"));
    ck_assert_ptr_null(strstr(recorder.text.data + seen, "your x"));
    close_lesson();
}
END_TEST

/* An error in a check says for which numbers of its loop it came up. */
START_TEST(check_says_the_case) {
    open_lesson("# Cases\n\n```attn exercise {#f}\nA function.\n```\n\n"
                "```attn check\nfor n, x in [(1, 2), (2, 0)]:\n    assert f(n, [x]) == 1, \"no\"\n"
                "```\n\n```attn solution\ndef f(n, x): return 1\n```\n");
    type("def f(n, x): return 1 if n == 1 else x[n]", NULL, "Solved");
    type("check", "In the check n = 2, x = 0.", "Solved");
    type("def f(n, x): return n", NULL, NULL);
    type("check", "Not yet: no", "In the check");
    close_lesson();
}
END_TEST

/* The kind of a value is said in the language of the lesson. */
START_TEST(kinds_in_chinese) {
    recorder_init(&recorder);
    recorder.host.interactive = true;
    session = session_new(&recorder.host, further, NULL);
    ck_assert(session_run_text(session, "", "set language zh", 15, NULL));
    Document *document = document_parse("small", broken, strlen(broken), NULL);
    session->player = player_new(session, document, "small", NULL, PLAYER_KEEPS, report, NULL);
    ck_assert(player_begin(session->player, NULL));
    type("", NULL, NULL);
    type("", NULL, NULL);
    type("def f(x): return 1", NULL, NULL);
    type("v = \"one\"", NULL, NULL);
    type("check", "你的 v 是一个字符串", "string");
    close_lesson();
}
END_TEST

/* What a cell shows stays in sight: the screen below it is shorter, or waits. */
START_TEST(long_outputs) {
    open_lesson("```attn\nfor i in range(8): print(i)\n```\n\nOne.\n\n```attn\n"
                "for i in range(18): print(i)\n```\n\nTwo.\n\n```attn\n3\n```\n\nThree.\n");
    type("", "7\n\nOne.", "Two.");
    type("", "17\n", "Two.");
    check_prompt("[Enter: on] ");
    type("", "Two.", "17");
    type("back", "One.", "Two.");
    type("", "17\n", "Two.");
    close_lesson();
    open_lesson("```attn\nfor i in range(18): print(i)\n```\n\nTwo.\n");
    close_lesson();
    char words[400] = "```attn\nfor i in range(8): print(i)\n```\n\n";
    for (int i = 0; i < 12; i++) strcat(words, "A paragraph.\n\n");
    open_named("long", words);
    type("", "7\n\nA paragraph.", NULL);
    size_t lines = 0;
    for (const char *at = recorder.text.data + seen; (at = strchr(at, '\n')); at++) lines++;
    ck_assert_uint_le(lines, 23);
    check_prompt("[Enter: on] ");
    close_lesson();
}
END_TEST

START_TEST(ways) {
    open_lesson(lesson);
    type("back", "beginning", NULL);
    type("hint", "There is no exercise here", NULL);
    type("x = 100", NULL, NULL);
    check_prompt("[your guess] ");
    type("", NULL, "Noted"); /* no guess */
    type("", "It is 7.", NULL);
    type("x = 8; h = 4", "Solved: half", NULL);
    type("", "a) one", NULL);
    type("back", "here)\n\nMore words.", NULL);
    check_number("x", 7);
    type("back", "Predict first", NULL); /* not past the guess, which can be made anew */
    type("", NULL, NULL);
    type("", "It is 7.", NULL);
    type("goto which", "a) one", NULL); /* what lies between has run, with its solution */
    check_number("x", 7);
    check_number("h", 3.5);
    type("where", "✓ 1 half", NULL);
    type("goto 1", "Exercise 1 of 2", NULL);
    ck_assert_int_eq(interp_find(&session->interp, "h")->value.kind, VALUE_UNSET);
    type("", "Solved before: half. A solution holds from here on", "Skipped");
    check_number("h", 3.5);
    type("goto 1", "solved before", NULL);
    type("h = x / 2.0", "Solved: half", NULL);
    type("again", "solved before", NULL);
    type("", "a) one", "from here on"); /* the answer of now holds */
    type("goto 1", "solved before", NULL);
    type("forget", "Exercise 1 of 2", NULL);
    type("skip", "from here on.\n\n", "taken back");
    check_number("h", 3.5);
    type("forget", NULL, NULL);
    type("goto 1", "Exercise 1 of 2", NULL);
    type("x = 100; own = 1", NULL, NULL);
    type("skip", "taken back, and its solution holds", NULL); /* the lesson's x, not the person's */
    check_number("h", 3.5);
    check_number("x", 7);
    type("goto nowhere", "no exercise nowhere", NULL);
    type("again", "a) one", NULL);
    type("skip", "h + 1", NULL);
    type("hint = 5", NULL, NULL);
    type("hint", "5", NULL); /* a variable wins */
    close_lesson();
}
END_TEST

static double number_of(const char *name) {
    return interp_find(&session->interp, name)->value.number;
}

/* Going back, and skipping what was tried, runs nothing again that undo can take back; else it
 * does, as where the person has undone a part of it. */
START_TEST(takes_back_without_running) {
    static const char timed[] =
        "```attn\nt = time(); l = [1]\n```\n\nOne.\n\n"
        "```attn\nl.append(2); r = rand()\n```\n\nTwo.\n\n"
        "```attn exercise {#three}\nPut 3 into l.\n```\n\n"
        "```attn check\nassert 3 in l, \"3 is not there\"\n```\n\n"
        "```attn solution\nl.append(3)\n```\n\nThree.\n\n```attn\nlen(l)\n```\n\nEnd.\n";
    open_lesson(timed);
    type("", "One.", NULL);
    type("", "Two.", NULL);
    double began = number_of("t"), drawn = number_of("r");
    type("own = 7; l.append(9)", NULL, NULL);
    type("skip", "taken back, and its solution", NULL);
    ck_assert_double_eq(number_of("t"), began);
    ck_assert_int_eq(interp_find(&session->interp, "own")->value.kind, VALUE_UNSET);
    type("set digits 3", NULL, "error");
    type("set palette grey", NULL, "error");
    type("", "3\n\nEnd.", NULL);
    type("back", "variables are as they were here", NULL);
    type("back", "Two.", NULL);
    ck_assert_double_eq(number_of("t"), began);
    ck_assert_int_eq(session->bench.settings.digits, 4);
    ck_assert_str_eq(session->bench.settings.palette, "grey"); /* the person's own */
    type("redo", "nothing to redo", NULL);
    type("len(l)", "2", NULL);
    type("back", "One.", NULL);
    type("", "Two.", NULL);
    ck_assert_double_eq(number_of("r"), drawn); /* the dice lie as they lay */
    type("undo", NULL, NULL);
    type("undo", NULL, NULL);
    type("undo", NULL, NULL);
    type("undo", NULL, NULL);
    type("back", "One.", NULL);
    ck_assert_double_ne(number_of("t"), began);
    type("len(l)", "1", NULL);
    close_lesson();
    open_lesson(timed); /* here all is run again, once */
    began = number_of("t");
    type("", "Two.", NULL);
    type("back", "One.", NULL);
    ck_assert_double_eq(number_of("t"), began);
    close_lesson();
}
END_TEST

/* undo does not leave the lesson, and what was there before comes back when it is left. */
START_TEST(undo_stays_within) {
    static const char outside[] = "mine = 5";
    recorder_init(&recorder);
    recorder.host.interactive = true;
    session = session_new(&recorder.host, further, NULL);
    ck_assert(session_run_text(session, "", outside, strlen(outside), NULL));
    Document *document = document_parse("small", lesson, strlen(lesson), NULL);
    session->player = player_new(session, document, "small", NULL, PLAYER_KEEPS, report, NULL);
    ck_assert(player_begin(session->player, NULL));
    type("undo", "nothing to undo", NULL);
    type("y = 1", NULL, NULL);
    type("undo", "undone: y = 1", NULL);
    type("undo", "nothing to undo", NULL);
    type("goto half", NULL, NULL);
    type("goto here", NULL, NULL);
    for (int i = 0; i < 4; i++) type("undo", NULL, "reset");
    player_free(session->player);
    session->player = NULL;
    check_number("mine", 5);
    close_lesson();
}
END_TEST

/* Ctrl-C before the progress is read opens no lesson, which would not be kept, and lists none. */
START_TEST(interrupted_before_its_progress) {
    Error err = {.kind = ERR_NONE};
    open_lesson(lesson);
    type("y = 1", NULL, NULL);
    player_free(session->player);
    session->player = NULL;
    interrupt_flag = 1;
    Document *document = document_parse("small", lesson, strlen(lesson), NULL);
    ck_assert_ptr_null(player_new(session, document, "small", NULL, PLAYER_KEEPS, report, &err));
    ck_assert_int_eq(err.kind, ERR_INTERRUPT);
    ck_assert(!lessons_show(session, NULL));
    interrupt_flag = 0;
    document = document_parse("small", lesson, strlen(lesson), NULL);
    session->player = player_new(session, document, "small", NULL, PLAYER_KEEPS, report, NULL);
    ck_assert(player_begin(session->player, NULL));
    check_number("y", 1);
    close_lesson();
}
END_TEST

/* What changed the session is done again, and nothing else; a line that cannot be is named. */
START_TEST(replays_what_changed) {
    char path[200];
    snprintf(path, sizeof path, "%s/made.attn", folder);
    FILE *file = fopen(path, "w");
    fputs("z = 3\n", file);
    fclose(file);
    open_lesson(lesson);
    type("lesson 2", NULL, "error");
    type("y = 4; lesson 3", NULL, "error");
    type("u = 5; where", "Step 4", NULL);
    type("sum([3, 4])", "7", NULL);
    type("v = _", NULL, NULL);
    type("w = 8\nnothing_there", "error", NULL); /* what ran before the error stands */
    char line[300];
    snprintf(line, sizeof line, "run \"%s\"", path);
    type(line, NULL, "error");
    close_lesson();
    unlink(path);
    open_lesson(lesson);
    ck_assert_ptr_null(session->lesson);
    check_number("y", 4);
    check_number("u", 5);
    check_number("v", 7);
    check_number("w", 8);
    ck_assert_ptr_nonnull(strstr(recorder.text.data, "could not be done again"));
    check_prompt("[your guess] ");
    close_lesson();
}
END_TEST

/* The program may end at any moment: each line is typed in a session of its own. */
START_TEST(resumes) {
    static const struct {
        const char *line, *expected;
    } lines[] = {{"print(1 + 1)", "2"},
                 {"7", "Noted"},
                 {"", "You said 7, and so"},
                 {"y = x + 1", NULL},
                 {"hint", "Divide."},
                 {"hint", "By 2."},
                 {"h = y - 4.5", "Solved"},
                 {"", "a) one"},
                 {"b", "so it is"},
                 {"", "h + 1"},
                 {"", "4.5"},
                 {"no idea", "Kept."}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        open_lesson(lesson);
        if (i > 3) check_number("y", 8);
        /* A solved exercise goes on by its solution when it is come back to. */
        type(lines[i].line, lines[i].expected, "error");
        recorder.text.length = 0;
        close_lesson();
    }
    open_lesson(lesson);
    ck_assert_ptr_nonnull(strstr(recorder.text.data, "2 of 2 solved"));
    close_lesson();

    /* A lesson that has changed goes on where the person was; what is solved stays so, but for an
     * exercise that is another now. */
    char changed[sizeof lesson];
    strcpy(changed, lesson);
    memcpy(strstr(changed, "First"), "Other", 5);
    open_lesson(changed);
    ck_assert_ptr_nonnull(strstr(recorder.text.data, "has changed since you were here; what you"));
    ck_assert_ptr_nonnull(strstr(recorder.text.data, "h + 1"));
    check_number("h", 3.5);
    type("where", "✓ 2 which", NULL);
    close_lesson();
    memcpy(strstr(changed, "not the half"), "no real half", 12);
    open_lesson(changed);
    ck_assert_ptr_nonnull(strstr(recorder.text.data, "to be done again: half)"));
    type("where", "· 1 half\n ✓ 2 which", NULL);
    type("goto 1", "Put the half", "solved before");
    close_lesson();
    open_lesson(changed);
    ck_assert_ptr_nonnull(strstr(recorder.text.data, "(here you left"));
    type("h = 3.5", "Solved: half (2 of 2)", NULL);
    close_lesson();
}
END_TEST

static void read_progress(char *text, size_t size, const char *name) {
    char path[200];
    snprintf(path, sizeof path, "%s/attn/lessons/%s", folder, name);
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    size_t length = fread(text, 1, size - 1, file);
    fclose(file);
    text[length] = 0;
}

static void write_progress(const char *text) {
    char path[200];
    snprintf(path, sizeof path, "%s/attn/lessons/small.json", folder);
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

/* Two attn with one lesson: each keeps what the other has done, and its own when the other's file
 * cannot be read. */
START_TEST(merges_progress) {
    open_lesson(lesson);
    type("", NULL, NULL);
    type("", NULL, NULL);
    type("h = 3.5", "Solved", NULL);
    write_progress("{\"format\": 1, \"exercises\": {\"which\": {\"state\": \"solved\"}, "
                   "\"why\": {\"answer\": \"so\"}}, \"events\": []}");
    type("y = 1", NULL, NULL);
    type("where", "✓ 1 half ←\n ✓ 2 which", NULL);
    char text[2000];
    read_progress(text, sizeof text, "small.json");
    ck_assert_ptr_nonnull(strstr(text, "\"answer\": \"so\""));
    write_progress("{\"format\": ");
    type("y = 2", NULL, "not kept");
    read_progress(text, sizeof text, "small.json.unreadable");
    ck_assert_str_eq(text, "{\"format\": ");
    close_lesson();
    open_lesson(lesson);
    type("where", "✓ 1 half ←\n ✓ 2 which", NULL);
    check_number("y", 2);
    close_lesson();
}
END_TEST

/* What was typed for an exercise is kept beside its state: the entries up to the one that solved
 * it, also when they are taken back, and the first letters of a choice; and whether the solution
 * was shown before. forget forgets them. */
START_TEST(keeps_what_was_given) {
    char text[2000];
    open_lesson(lesson);
    type("", NULL, NULL);
    type("", NULL, NULL);
    type("h = 3", NULL, "Solved");
    type("def f(x):\n    return x / 2", NULL, "Solved");
    read_progress(text, sizeof text, "small.json");
    ck_assert_ptr_nonnull(strstr(text, "\"given\": \"h = 3\\ndef f(x):\\n    return x / 2\\n\"}"));
    ck_assert_ptr_null(strstr(text, "shown"));
    type("solution", "h = x / 2", NULL);
    read_progress(text, sizeof text, "small.json");
    ck_assert_ptr_nonnull(strstr(text, "\"shown\": true"));
    type("forget", "Forgotten.", NULL);
    read_progress(text, sizeof text, "small.json");
    ck_assert_ptr_null(strstr(text, "given"));
    type("h = 2", NULL, "Solved");
    type("skip", "taken back", NULL);
    type("a", "Not solved: which", NULL);
    type("goto 1", NULL, NULL);
    read_progress(text, sizeof text, "small.json");
    ck_assert_ptr_nonnull(strstr(text, "\"given\": \"h = 2\\n\"}"));
    ck_assert_ptr_nonnull(strstr(text, "\"given\": \"a\"}"));
    close_lesson();
    open_lesson(lesson);
    type("h = 3.5", "Solved", NULL);
    type("h = 4", NULL, NULL);
    read_progress(text, sizeof text, "small.json");
    ck_assert_ptr_nonnull(strstr(text, "\"given\": \"h = 3.5\\n\"}"));
    const char *seconds = strstr(text, "\"seconds\": ");
    ck_assert_ptr_nonnull(seconds);
    ck_assert_double_lt(strtod(seconds + strlen("\"seconds\": "), NULL), 600);
    close_lesson();
}
END_TEST

/* What took long when it ran is announced before it runs again. */
START_TEST(says_that_it_takes_long) {
    open_lesson(lesson);
    type("x = 1", NULL, NULL);
    close_lesson();
    char text[2000], slow[2100];
    read_progress(text, sizeof text, "small.json");
    char *end = strstr(text, "\"x = 1\"]");
    ck_assert_ptr_nonnull(end);
    snprintf(slow, sizeof slow, "%.*s\"x = 1\", 7.2]%s", (int)(end - text), text,
             end + strlen("\"x = 1\"]"));
    write_progress(slow);
    open_lesson(lesson);
    ck_assert_ptr_nonnull(strstr(recorder.text.data, "takes about 7 s"));
    check_number("x", 1);
    type("y = 1", NULL, NULL);
    read_progress(text, sizeof text, "small.json");
    ck_assert_ptr_nonnull(strstr(text, "\"x = 1\", 7.20]"));
    close_lesson();
}
END_TEST

START_TEST(damaged_progress) {
    char path[200];
    snprintf(path, sizeof path, "%s/attn", folder);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/attn/lessons", folder);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/attn/lessons/small.json", folder);
    static const char *const texts[] = {"",
                                        "{",
                                        "[]",
                                        "{\"format\": 2}",
                                        "\xff\xfe",
                                        "{\"format\": 1, \"events\": [[\"line\", 0]]}",
                                        "{\"format\": 1, \"events\": [[\"fly\", 0]]}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        FILE *file = fopen(path, "w");
        fputs(texts[i], file);
        fclose(file);
        open_lesson(lesson);
        ck_assert_msg(strstr(recorder.text.data, "progress is not kept"), "%s", texts[i]);
        type("", NULL, NULL);
        type("", "It is 7.", NULL);
        close_lesson();
        char text[100] = "";
        file = fopen(path, "r");
        ck_assert_uint_eq(fread(text, 1, sizeof text - 1, file), strlen(texts[i]));
        fclose(file);
        ck_assert_str_eq(text, texts[i]); /* it may still be mended by hand */
    }
}
END_TEST

/* A file of progress that was cut at any byte is left as it is, or is read whole. */
START_TEST(truncated_progress) {
    open_lesson(lesson);
    type("", NULL, NULL);
    type("7", NULL, NULL);
    close_lesson();
    char path[200], whole[2000];
    snprintf(path, sizeof path, "%s/attn/lessons/small.json", folder);
    FILE *file = fopen(path, "r");
    size_t length = fread(whole, 1, sizeof whole, file);
    fclose(file);
    ck_assert(length > 100 && length < sizeof whole);
    for (size_t cut = 0; cut <= length; cut++) {
        file = fopen(path, "w");
        fwrite(whole, 1, cut, file);
        fclose(file);
        open_lesson(lesson);
        bool refused = strstr(recorder.text.data, "progress is not kept") != NULL;
        ck_assert_msg(refused == (cut < length - 1), "%zu of %zu bytes", cut, length);
        close_lesson();
    }
}
END_TEST

/* Plays a few lines while the n-th request for memory fails. */
static bool play_failing(long n, bool sticky) {
    static const char *const lines[] = {"",
                                        "7",
                                        "",
                                        "h = 3",
                                        "check",
                                        "hint",
                                        "where",
                                        "def f(x): return [x, 3]",
                                        "xs = f(1); xs.append(4)",
                                        "ys = sorted([x + 1 for x in xs])",
                                        "r = record(xs=xs); print(r)",
                                        "where",
                                        "next"};
    Error err = {.kind = ERR_NONE};
    char path[200];
    snprintf(path, sizeof path, "%s/attn/lessons/small.json", folder);
    unlink(path); /* each time from the beginning */
    long before = mem_requests();
    size_t used = mem_used();
    mem_fail_at(n, sticky);
    recorder_init(&recorder);
    recorder.host.interactive = true;
    session = session_new(&recorder.host, further, &err);
    Document *document = session ? document_parse("small", lesson, strlen(lesson), &err) : NULL;
    if (document)
        session->player = player_new(session, document, "small", NULL, PLAYER_KEEPS, report, &err);
    bool ok = document && session->player && player_begin(session->player, &err);
    for (size_t i = 0; ok && i < sizeof lines / sizeof *lines; i++) {
        bool taken = false;
        size_t length = strlen(lines[i]);
        ok = player_take(session->player, lines[i], length, &taken, &err);
        if (!ok || taken) continue;
        bool ran = session_run_text(session, "", lines[i], length, &err);
        ok = player_after(session->player, ran, &err) && ran;
    }
    bool reached = mem_requests() - before >= n;
    mem_fail_at(0, false);
    if (session) player_free(session->player);
    session_free(session);
    recorder_release(&recorder);
    ck_assert_msg(ok || err.kind == ERR_LIMIT, "allocation %ld: %s", n, err.message);
    ck_assert_msg(mem_used() == used, "allocation %ld: not everything is given back", n);
    return reached;
}

START_TEST(each_allocation_fails) {
    for (int sticky = 0; sticky < 2; sticky++) {
        long n = 1;
        while (play_failing(n, sticky)) n++;
        ck_assert_int_gt(n, 500);
    }
}
END_TEST

/* For an audience Enter does all: it solves exercises, shows the reasons of a choice, and goes on.
 */
START_TEST(presents) {
    recorder_init(&recorder);
    recorder.host.interactive = true;
    recorder.host.columns = 40;
    session = session_new(&recorder.host, further, NULL);
    Document *document = document_parse("small", lesson, strlen(lesson), NULL);
    session->player = player_new(session, document, "small", NULL, PLAYER_PRESENTS, report, NULL);
    ck_assert(player_begin(session->player, NULL));
    type("", "x = 7", "Predict"); /* past the question */
    type("", "It is 7.", "half");
    type("y = 5", NULL, NULL); /* the prompt is the ordinary one */
    type("", "Put the half", "check, hint");
    type("", "h = x / 2", NULL);
    check_number("h", 3.5);
    type("", "a) one", "too small");
    type("", "Right: b) so it is", NULL);
    type("b", "Put the half", NULL);
    ck_assert_int_eq(interp_find(&session->interp, "h")->value.kind, VALUE_UNSET);
    check_number("y", 5);
    char path[200];
    snprintf(path, sizeof path, "%s/attn/lessons/small.json", folder);
    ck_assert_int_ne(access(path, F_OK), 0); /* nothing is kept */
    close_lesson();
}
END_TEST

/* A script becomes a document: its comments are prose, its entries cells. */
START_TEST(presents_scripts) {
    char path[200];
    snprintf(path, sizeof path, "%s/show.attn", folder);
    FILE *file = fopen(path, "w");
    fputs("#!/usr/bin/env attn\n# One number.\nx = 1\nx + 1  # more\n\npause 5 \"wait\"\n"
          "# Twice ```.\ndef f(x):\n    return 2 * x\n\nf(x)\n",
          file);
    fclose(file);
    recorder_init(&recorder);
    session = session_new(&recorder.host, further, NULL);
    ck_assert(present_open(session, path, report, NULL));
    ck_assert(player_begin(session->player, NULL));
    ck_assert_ptr_nonnull(strstr(recorder.text.data, "One number."));
    ck_assert_ptr_nonnull(strstr(recorder.text.data, "x + 1"));
    type("", "2\n", "pause");
    type("", "return 2 * x", "wait");
    type("", NULL, "error");
    type("", "f(x)", NULL);
    type("", "2\n", NULL);
    close_lesson();
}
END_TEST

/* With pages it is a show: each page runs as it comes, and is seen without its code. */
START_TEST(presents_pages) {
    char path[200];
    snprintf(path, sizeof path, "%s/pages.attn", folder);
    FILE *file = fopen(path, "w");
    fputs("# A note.\nx = 1 + len(args)\n\nprint(\"first\", x)\npause page\nx += "
          "1\nprint(\"second\", x)\n"
          "pause page\nprint(\"third\", x)\npause prompt \"x\"\n",
          file);
    fclose(file);
    recorder_init(&recorder);
    session = session_new(&recorder.host, further, NULL);
    ck_assert(present_open(session, path, report, NULL));
    ck_assert(player_begin(session->player, NULL));
    ck_assert_str_eq(recorder.text.data, "first 1\n");
    type("", "second 2\n", "+=");
    type("again", "second 2\n", NULL);
    type("goto 3", "third 2\n", "second");
    type("goto 4", "There is no exercise 4", NULL);
    type("back", "second 2\n", NULL);
    type("", "third 2\n", NULL);
    close_lesson();
}
END_TEST

START_TEST(what_was_there_comes_back) {
    recorder_init(&recorder);
    recorder.host.interactive = true;
    session = session_new(&recorder.host, further, NULL);
    ck_assert(session_run_text(session, "", "mine = 5", 8, NULL));
    ck_assert(session_run_text(session, "", "set language zh", 15, NULL));
    Document *document = document_parse("small", lesson, strlen(lesson), NULL);
    session->player = player_new(session, document, "small", NULL, PLAYER_KEEPS, report, NULL);
    ck_assert(player_begin(session->player, NULL));
    ck_assert_int_eq(interp_find(&session->interp, "mine")->value.kind, VALUE_UNSET);
    ck_assert_str_eq(session->bench.settings.language, "zh");
    type("", NULL, NULL);
    type("", "7", NULL);
    player_free(session->player);
    session->player = NULL;
    check_number("mine", 5);
    ck_assert_int_eq(interp_find(&session->interp, "x")->value.kind, VALUE_UNSET);
    close_lesson();
}
END_TEST

START_TEST(forgets_an_exercise) {
    open_lesson(lesson);
    type("goto half", NULL, NULL);
    type("h = 3.5", "Solved: half", NULL);
    type("forget", "Forgotten.\n\nExercise 1", "solved before");
    check_number("x", 7);
    type("check", "h is not there", "Solved");
    type("where", "· 1 half", NULL);
    close_lesson();
}
END_TEST

START_TEST(one_empty_line_above_a_heading) {
    open_lesson("# One\n\nWords.\n\n## Two\n\n- an item\n\n## Three\n\nMore.\n");
    ck_assert_ptr_nonnull(strstr(recorder.text.data, "Words.\n\nTwo"));
    ck_assert_ptr_nonnull(strstr(recorder.text.data, "an item\n\nThree"));
    close_lesson();
}
END_TEST

static const char *write_document(const char *name, const char *text, size_t length) {
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(text, 1, length, file), length);
    ck_assert_int_eq(fclose(file), 0);
    return path;
}

static void open_file(const char *what) {
    recorder_init(&recorder);
    recorder.host.interactive = true;
    session = session_new(&recorder.host, further, NULL);
    ck_assert(lesson_open(session, what, report, NULL));
    ck_assert(player_begin(session->player, NULL));
}

/* Documents of one name, and a lesson of the program of that name, have progress of their own. */
START_TEST(documents_of_one_name) {
    char path[200];
    snprintf(path, sizeof path, "%s/other", folder);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    const char *const names[] = {"order.md", "other/order.md"};
    for (size_t i = 0; i < 2; i++) {
        open_file(write_document(names[i], lesson, strlen(lesson)));
        ck_assert_ptr_null(strstr(recorder.text.data, "here you left"));
        type("goto which", NULL, NULL);
        type("b", "Right", NULL);
        close_lesson();
    }
    open_file("order");
    ck_assert_ptr_null(strstr(recorder.text.data, "has changed"));
    close_lesson();
    open_file(write_document("order.md", lesson, strlen(lesson)));
    ck_assert_ptr_nonnull(strstr(recorder.text.data, "here you left"));
    type("where", "✓ 2 which", NULL);
    close_lesson();
}
END_TEST

START_TEST(what_cannot_be_opened) {
    recorder_init(&recorder);
    session = session_new(&recorder.host, further, NULL);
    Error err = {.kind = ERR_NONE};
    ck_assert(!lesson_open(session, write_document("latin.md", "# \xe9t\xe9\n", 6), report, &err));
    ck_assert_int_eq(err.kind, ERR_FILE);
    ck_assert_msg(strstr(err.message, "is not UTF-8: byte 2"), "%s", err.message);
    err.kind = ERR_NONE;
    ck_assert(!lesson_open(session, "nowhere.md", report, &err));
    ck_assert_int_eq(err.kind, ERR_FILE);
    err.kind = ERR_NONE;
    ck_assert(!lesson_open(session, folder, report, &err));
    ck_assert_int_eq(err.kind, ERR_FILE);
    ck_assert_msg(strstr(err.message, "is a folder"), "%s", err.message);
    err.kind = ERR_NONE;
    ck_assert(!lesson_open(session, write_document("text.txt", "words", 5), report, &err));
    ck_assert_msg(strstr(err.message, "does not end in .md"), "%s", err.message);
    err.kind = ERR_NONE;
    ck_assert(!lesson_open(session, "no/where", report, &err));
    ck_assert_msg(strstr(err.message, "no such file"), "%s", err.message);
    err.kind = ERR_NONE;
    ck_assert(!lesson_open(session, "mascs", report, &err));
    ck_assert_int_eq(err.kind, ERR_NAME);
    ck_assert_str_eq(err.hint, "did you mean masks?");
    session_free(session);
    recorder_release(&recorder);
}
END_TEST

/* Where nothing may be written, that is said once, and nothing is. */
START_TEST(safe_keeps_nothing) {
    recorder_init(&recorder);
    recorder.host.interactive = true;
    session = session_new(&recorder.host, further, NULL);
    session->interp.safe = true;
    ck_assert(lesson_open(session, "order", report, NULL));
    ck_assert(player_begin(session->player, NULL));
    ck_assert_ptr_nonnull(strstr(recorder.text.data, "progress is not kept: --safe"));
    type("goto 1", NULL, "not kept");
    close_lesson();
    char path[200];
    snprintf(path, sizeof path, "%s/attn", folder);
    ck_assert_int_ne(access(path, F_OK), 0);
}
END_TEST

Suite *player_suite(void) {
    Suite *suite = suite_create("player");
    TCase *tests = tcase_create("player");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, ends_and_is_marked);
    tcase_add_test(tests, truth_of_nothing);
    tcase_add_test(tests, from_first_to_last);
    tcase_add_test(tests, setting_assigned);
    tcase_add_test(tests, answers_in_words);
    tcase_add_test(tests, answers_like_commands);
    tcase_add_test(tests, first_answer_counts);
    tcase_add_test(tests, further_exercises);
    tcase_add_test(tests, cell_that_fails);
    tcase_add_test(tests, cell_that_means_a_builtin);
    tcase_add_test(tests, check_that_fails);
    tcase_add_test(tests, check_message_is_no_variable);
    tcase_add_test(tests, check_says_the_case);
    tcase_add_test(tests, kinds_in_chinese);
    tcase_add_test(tests, long_outputs);
    tcase_add_test(tests, ways);
    tcase_add_test(tests, takes_back_without_running);
    tcase_add_test(tests, undo_stays_within);
    tcase_add_test(tests, interrupted_before_its_progress);
    tcase_add_test(tests, replays_what_changed);
    tcase_add_test(tests, resumes);
    tcase_add_test(tests, merges_progress);
    tcase_add_test(tests, says_that_it_takes_long);
    tcase_add_test(tests, damaged_progress);
    tcase_add_test(tests, truncated_progress);
    tcase_add_test(tests, each_allocation_fails);
    tcase_add_test(tests, presents);
    tcase_add_test(tests, presents_scripts);
    tcase_add_test(tests, presents_pages);
    tcase_add_test(tests, presents_pages);
    tcase_add_test(tests, what_was_there_comes_back);
    tcase_add_test(tests, forgets_an_exercise);
    tcase_add_test(tests, keeps_what_was_given);
    tcase_add_test(tests, one_empty_line_above_a_heading);
    tcase_add_test(tests, documents_of_one_name);
    tcase_add_test(tests, what_cannot_be_opened);
    tcase_add_test(tests, safe_keeps_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}
