/* Topics are complete, lead somewhere and run; every page fits its width; memory that runs out is
 * an error. */
#include "shell/help/help.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "model/tasks/task.h"
#include "notebook/lesson_commands.h"
#include "notebook/opening.h"
#include "shell/explore/explore.h"
#include "shell/help/help_entry.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

Suite *help_suite(void);

/* ---- a session that keeps what it shows ---- */

typedef struct Desk {
    Host host;
    Text shown;
    Session *session;
    Error err;
} Desk;

static bool keep(Host *host, const char *text, size_t length, Error *err) {
    Desk *desk = host->self;
    text_bytes(&desk->shown, text, length);
    return text_ok(&desk->shown, err);
}

static Desk desk;

static void begin(void) {
    static const CommandDef *const further[] = {help_commands, explore_commands, lesson_commands,
                                                NULL};
    desk = (Desk){.host = {.self = &desk, .write = keep, .columns = 80, .rows = 24, .utf8 = true}};
    text_init(&desk.shown);
    desk.session = session_new(&desk.host, further, &desk.err);
    ck_assert_msg(desk.session != NULL, "%s", desk.err.message);
}

static void end(void) {
    session_free(desk.session);
    text_release(&desk.shown);
}

static bool run(const char *text) {
    text_clear(&desk.shown);
    desk.err = (Error){.kind = ERR_NONE};
    return session_run_text(desk.session, "", text, strlen(text), &desk.err);
}

/* ---- topics ---- */

START_TEST(each_topic_has_a_page) {
    for (const HelpTopic *row = help_topics; row->name; row++) {
        ck_assert_ptr_eq(help_topic_find(row->name), row);
        ck_assert_msg(row->summary[strlen(row->summary) - 1] == '.',
                      "%s: its summary is no sentence", row->name);
        ck_assert_msg(!row->example || row->usage, "%s: the reference needs its usage", row->name);
        ck_assert_msg(row->rows || row->write || row->example, "%s: a page of nothing", row->name);
    }
}
END_TEST

/* The words behind `help` that are no names lead to a page, and each topic is among them. */
START_TEST(each_word_of_help_leads_to_a_page) {
    char words[1024], line[100];
    ck_assert_uint_lt(strlen(help_words), sizeof words);
    strcpy(words, help_words);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        ck_assert_msg(help_topic_find(word) != NULL, "help %s", word);
        snprintf(line, sizeof line, "help %s", word);
        ck_assert_msg(run(line), "%s: %s", line, desk.err.message);
    }
    for (const HelpTopic *row = help_topics; row->name; row++) {
        snprintf(line, sizeof line, "help %s", row->name);
        ck_assert_msg(run(line), "%s: %s", line, desk.err.message);
        ck_assert_msg(!strstr(desk.shown.data, "belongs to:"), "%s has a page", line);
    }
}
END_TEST

static void check_leads_somewhere(const char *owner, const char *names) {
    char copy[200];
    snprintf(copy, sizeof copy, "%s", names ? names : "");
    for (char *name = strtok(copy, " "); name; name = strtok(NULL, " ")) {
        char line[240];
        snprintf(line, sizeof line, "help \"%s\"", name);
        ck_assert_msg(run(line), "%s points to %s: %s", owner, name, desk.err.message);
    }
}

/* "help NAME" within a text: the name has a page. NAME itself, and what is no name, are passed. */
static void check_text(const char *owner, const char *text) {
    static const char before[] = "help ";
    for (const char *at = text; at && (at = strstr(at, before));) {
        char name[40] = "";
        bool begins = at == text || !strchr("-abcdefghijklmnopqrstuvwxyz", at[-1]);
        at += sizeof before - 1;
        size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz_0123456789");
        static const char *const verbs[] = {
            "gives", "says",  "shows", "alone",
            "and",   "which", "how"}; /* the last begins a question */
        bool verb = length == 0 || length >= sizeof name;
        for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
            verb = verb || (strlen(verbs[i]) == length && strncmp(at, verbs[i], length) == 0);
        if (verb || !begins) continue;
        memcpy(name, at, length);
        check_leads_somewhere(owner, name);
    }
}

static void check_rows(const char *owner, const PageRow *rows) {
    for (; rows && rows->left; rows++) {
        check_text(owner, rows->left);
        check_text(owner, rows->right);
        check_text(owner, rows->narrow);
    }
}

/* A question shows the page that it is about, or lists the pages that mention most of its words. */
START_TEST(questions_are_answered) {
    static const char *const rows[][2] = {
        {"help how do I plot?", "plot THING"},
        {"help What's entropy?", "entropy\n"},
        {"help what does the temperature do", "set temperature VALUE"},
        {"help how do I mask the future?", "set mask"},
        {"help how to train a model", "train"},
        {"help I don't understand softmax!", "softmax"},
        {"help k-composition", "heads on TASK"},
        {"help if", "if CONDITION"},
        {"help not", "if CONDITION"},
        {"help softmax sqrt", "softmax(x"},
        {"help 怎么训练模型？", "train"},
        {"help 注意力", "attend "},
        {"help 注意力是什么", "attend "},
        {"help 变量", "who"},
        {"help softmax是什么", "softmax(x"},
        {"help 怎么保存数组", "save"},
        {"help 如何 提交作业", "help collect"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ck_assert_msg(run(rows[i][0]), "%s: %s", rows[i][0], desk.err.message);
        const char *at = strstr(desk.shown.data, rows[i][1]);
        bool first = at && (size_t)(at - desk.shown.data) < 100;
        ck_assert_msg(first, "%s shows\n%.300s", rows[i][0], desk.shown.data);
    }
    ck_assert(!run("help sofmax") && strstr(desk.err.hint, "softmax"));
    ck_assert(!run("help exit vim"));
}
END_TEST

/* Names that help mentions have pages: nothing is promised that is not there. */
START_TEST(help_names_only_what_there_is) {
    HelpWalk walk = help_walk(desk.session);
    for (HelpEntry entry; help_next(&walk, &entry);) {
        check_leads_somewhere(entry.name, entry.see);
        check_text(entry.name, entry.summary);
        check_text(entry.name, entry.example);
        check_text(entry.name, entry.values);
        if (entry.topic) check_rows(entry.name, entry.topic->rows);
    }
    for (const HelpSynonym *row = help_synonyms; row->word; row++)
        check_leads_somewhere(row->word, row->names);
    check_rows("help first", help_topic_find("first")->rows);
    check_rows("the overview", welcome_overview);
}
END_TEST

/* Functions of one group stand together, in the reference and in `help functions`. */
/* Each word of a text in which others may be leads somewhere. */
static void lead_somewhere(const char *of, const char *text, const char *page) {
    char word[64], line[100];
    for (size_t length; text && *text; text += length + (text[length] != '\0')) {
        length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
        bool name = length > 1 && length < sizeof word &&
                    (text[length] == '\0' || strchr(" ,;|[]()", text[length]));
        if (!name) continue;
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        snprintf(line, sizeof line, "help %s", word);
        bool found = run(line) || strstr(desk.err.hint, "help "); /* signs have one page together */
        ck_assert_msg(found, "%s, of %s: %s", line, of, desk.err.message);
        if (!page || strstr(desk.shown.data, "belongs to:") == NULL) continue;
        ck_assert_msg(strstr(desk.shown.data, page) != NULL, "help %s does not name %s: %s", word,
                      page, desk.shown.data);
    }
}

START_TEST(each_word_that_can_be_typed_leads_somewhere) {
    for (const CommandDef *const *table = desk.session->commands; *table; table++) {
        for (const CommandDef *row = *table; row->syntax.name; row++) {
            lead_somewhere(row->syntax.name, row->syntax.words, row->syntax.name);
            lead_somewhere(row->syntax.name, row->syntax.options, row->syntax.name);
            lead_somewhere(row->syntax.name, row->usage, row->syntax.name);
        }
    }
    for (const SettingDef *row = setting_table; row->name; row++)
        lead_somewhere(row->name, setting_words(row), row->name);
    const HelpTopic *keys = help_topic_find("keys");
    for (const PageRow *row = keys->rows; row->left; row++)
        lead_somewhere("keys", row->left, "help keys");
    for (const HelpSynonym *row = help_synonyms; row->word; row++)
        lead_somewhere(row->names, row->word, NULL);
    const char *const symbols[] = {"d_k", "d_model", "d_ff", "Wq", "tau", "\u03c4"};
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        char line[40];
        snprintf(line, sizeof line, "help %s", symbols[i]);
        ck_assert_msg(run(line) || strstr(desk.err.hint, "mention it"), "%s: %s", line,
                      desk.err.hint);
        snprintf(line, sizeof line, "apropos %s", symbols[i]);
        ck_assert_msg(run(line), "%s: %s", line, desk.err.message);
    }
    for (size_t i = 0; task_defs[i]; i++) {
        char line[40];
        snprintf(line, sizeof line, "help %s", task_defs[i]->name);
        ck_assert_msg(run(line) || strstr(desk.err.hint, "mention it"), "%s: %s", line,
                      desk.err.hint);
    }
}
END_TEST

START_TEST(groups_stand_together) {
    const char *groups[64], *last = "";
    size_t count = 0;
    HelpWalk walk = help_walk(desk.session);
    for (HelpEntry entry; help_next(&walk, &entry);) {
        if (!entry.function || strcmp(entry.function->group, last) == 0) continue;
        last = entry.function->group;
        for (size_t i = 0; i < count; i++)
            ck_assert_msg(strcmp(groups[i], last) != 0, "%s: the group %s is there already",
                          entry.name, last);
        groups[count++] = last;
    }
}
END_TEST

/* That they show what they say is tested with the reference page. */
START_TEST(examples_run) {
    for (const HelpTopic *row = help_topics; row->name; row++)
        ck_assert_msg(!row->example || run(row->example), "%s: %s", row->name, desk.err.message);
    for (const CommandDef *row = help_commands; row->syntax.name; row++)
        ck_assert_msg(run(row->example), "%s: %s", row->syntax.name, desk.err.message);
}
END_TEST

START_TEST(the_first_steps_show_something) {
    for (const PageRow *row = help_topic_find("first")->rows; row->left; row++) {
        ck_assert_msg(run(row->left), "%s: %s", row->left, desk.err.message);
        ck_assert_msg(strchr(row->left, '=') || desk.shown.length > 0, "%s shows nothing",
                      row->left);
    }
}
END_TEST

/* ---- pages fit ---- */

static void check_width(const char *what, size_t width) {
    for (const char *line = desk.shown.data; *line;) {
        size_t length = strcspn(line, "\n");
        bool code = strncmp(line, "    ", 4) == 0; /* stays as it is typed */
        ck_assert_msg(code || utf8_width(line, length) <= width, "%s at %zu columns: %.*s", what,
                      width, (int)length, line);
        line += length + (line[length] == '\n');
    }
}

static void check_page(const char *name, void *context) {
    size_t width = *(size_t *)context;
    text_clear(&desk.shown);
    Page page = page_begin(&desk.shown, &desk.host);
    ck_assert_msg(help_write_pages(&page, desk.session, name), "no page: %s", name);
    check_width(name, width);
    if (!desk.host.utf8)
        for (size_t i = 0; i < desk.shown.length; i++)
            ck_assert_msg((unsigned char)desk.shown.data[i] < 0x80, "%s: not ASCII", name);
}

static void each_page(void (*visit)(const char *name, void *context), void *context) {
    HelpWalk walk = help_walk(desk.session);
    for (HelpEntry entry; help_next(&walk, &entry);) visit(entry.name, context);
}

START_TEST(each_page_fits_its_width) {
    static size_t widths[] = {40, 80, 100};
    for (size_t i = 0; i < 6; i++) {
        desk.host.columns = (int)widths[i / 2];
        desk.host.utf8 = i % 2;
        each_page(check_page, &widths[i / 2]);
        ck_assert(run("help"));
        check_width("the overview", widths[i / 2]);
        ck_assert(run("apropos mask"));
        check_width("apropos", widths[i / 2]);
    }
}
END_TEST

static size_t count_lines(void) {
    size_t lines = 0;
    for (const char *at = desk.shown.data; (at = strchr(at, '\n')); at++) lines++;
    return lines;
}

START_TEST(the_first_looks_fit_a_small_screen) {
    desk.host.columns = 40;
    ck_assert(run("help"));
    ck_assert_uint_le(count_lines(), 18);
    for (desk.host.columns = 40; desk.host.columns < 200; desk.host.columns++) {
        text_clear(&desk.shown);
        welcome_write(&desk.host);
        ck_assert_uint_le(count_lines(), 4);
        check_width("the banner", (size_t)desk.host.columns);
    }
}
END_TEST

/* In a lesson help lists its words, in the language of the lesson. */
START_TEST(help_in_a_lesson) {
    desk.session->interp.safe = true; /* no progress is written */
    ck_assert(run("set language zh;") && lesson_open(desk.session, "1", NULL, &desk.err));
    ck_assert(player_begin(desk.session->player, &desk.err));
    for (desk.host.columns = 40; desk.host.columns <= 80; desk.host.columns += 40) {
        ck_assert(run("help"));
        ck_assert_ptr_nonnull(strstr(desk.shown.data, "给出下一个提示"));
        ck_assert_ptr_null(strstr(desk.shown.data, "trace 0"));
        check_width("help in a lesson", (size_t)desk.host.columns);
    }
    player_free(desk.session->player);
    desk.session->player = NULL;
    ck_assert(run("help"));
    ck_assert_ptr_nonnull(strstr(desk.shown.data, "trace 0"));
}
END_TEST

START_TEST(colour_is_closed_on_every_line) {
    desk.host.color = COLOR_256;
    ck_assert(run("help attention"));
    ck_assert_msg(strstr(desk.shown.data, "\033[1mattention(") != NULL, "%s", desk.shown.data);
    for (const char *line = desk.shown.data; *line; line += strcspn(line, "\n") + 1) {
        const char *open = strchr(line, '\033');
        if (!open || open > line + strcspn(line, "\n")) continue;
        ck_assert_msg(strncmp(line + strcspn(line, "\n") - 4, "\033[0m", 4) == 0, "%.60s", line);
    }
}
END_TEST

/* ---- search ---- */

static size_t found(const char *const *words, size_t count, HelpHits *hits) {
    Error err = {.kind = ERR_NONE};
    ck_assert(help_search(desk.session, words, count, count, hits, &err));
    return hits->count;
}

START_TEST(each_name_finds_itself_first) {
    for (size_t t = 0; desk.session->interp.tables[t]; t++)
        for (const BuiltinDef *row = desk.session->interp.tables[t]; row->name; row++) {
            HelpHits hits;
            ck_assert_uint_gt(found(&row->name, 1, &hits), 0);
            ck_assert_msg(strcmp(hits.items[0].entry.name, row->name) == 0, "%s finds %s first",
                          row->name, hits.items[0].entry.name);
            help_hits_release(&hits);
        }
}
END_TEST

/* The formats of pictures come from another table into the summary of plot. */
START_TEST(what_a_page_shows_is_found) {
    static const char *const words[] = {"png", "gif"};
    for (size_t i = 0; i < 2; i++) {
        HelpHits hits;
        ck_assert_uint_gt(found(&words[i], 1, &hits), 0);
        ck_assert_str_eq(hits.items[0].entry.name, "plot");
        help_hits_release(&hits);
    }
}
END_TEST

START_TEST(all_words_must_occur) {
    const char *words[] = {"random", "NUMBERS", "qqqq"};
    HelpHits hits;
    size_t one = found(words, 1, &hits);
    help_hits_release(&hits);
    size_t two = found(words, 2, &hits);
    help_hits_release(&hits);
    ck_assert(two > 0 && two <= one);
    ck_assert_uint_eq(found(words, 3, &hits), 0);
    help_hits_release(&hits);
}
END_TEST

/* ---- memory ---- */

START_TEST(memory_that_runs_out_is_an_error) {
    static const char *const lines[] = {
        "help",         "help first",     "help attention", "help for mask", "help functions",
        "apropos mask", "A = eye(2); A?", "help qwert",     "apropos qwert", "help how do I mask?"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        bool known = run(lines[i]), ok = false;
        for (long n = 1; !ok && n < 5000; n++) {
            mem_fail_at(n, true);
            ok = run(lines[i]) || (!known && desk.err.kind == ERR_NAME);
            mem_fail_at(0, false);
            ck_assert_msg(ok || desk.err.kind == ERR_LIMIT, "%s, allocation %ld: %s", lines[i], n,
                          desk.err.message);
            desk.shown.failed = false;
        }
        ck_assert(ok);
    }
}
END_TEST

Suite *help_suite(void) {
    Suite *suite = suite_create("help");
    TCase *tests = tcase_create("help");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, each_topic_has_a_page);
    tcase_add_test(tests, each_word_of_help_leads_to_a_page);
    tcase_add_test(tests, questions_are_answered);
    tcase_add_test(tests, help_names_only_what_there_is);
    tcase_add_test(tests, each_word_that_can_be_typed_leads_somewhere);
    tcase_add_test(tests, groups_stand_together);
    tcase_add_test(tests, examples_run);
    tcase_add_test(tests, the_first_steps_show_something);
    tcase_add_test(tests, each_page_fits_its_width);
    tcase_add_test(tests, the_first_looks_fit_a_small_screen);
    tcase_add_test(tests, help_in_a_lesson);
    tcase_add_test(tests, colour_is_closed_on_every_line);
    tcase_add_test(tests, each_name_finds_itself_first);
    tcase_add_test(tests, what_a_page_shows_is_found);
    tcase_add_test(tests, all_words_must_occur);
    tcase_add_test(tests, memory_that_runs_out_is_an_error);
    suite_add_tcase(suite, tests);
    return suite;
}
