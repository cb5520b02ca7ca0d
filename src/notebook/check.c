#include "notebook/check.h"

#include "base/translate.h"
#include "io/file.h"
#include "lang/node.h"
#include "lang/parser.h"
#include "library/training.h"
#include "notebook/catalog.h"
#include "notebook/prose.h"
#include "notebook/recorder.h"
#include "notebook/typed.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- an exercise's checks ---- */

/* Adds to the hint in which case an error came up: the numbers that a loop of the check has given
 * to its names. A name of the check's own is stored as "n of the check". */
static void note_case(const Interp *interp, const Node *loop, Error *err) {
    LocalText numbers = TEXT_EMPTY, hint = TEXT_EMPTY;
    if (loop->kind != NODE_FOR || err->kind == ERR_CHECK || err->kind == ERR_INTERRUPT) return;
    const Node *target = loop->loop.target;
    bool several = target->kind == NODE_TUPLE;
    for (int i = 0; i < (several ? target->list.count : 1); i++) {
        const Node *node = several ? target->list.items[i] : target;
        const Symbol *symbol = node->kind == NODE_NAME ? node->name.symbol : NULL;
        if (!symbol || isnan(number_of_value(&symbol->value))) continue;
        text_format(&numbers, "%s%.*s = ", numbers.length ? ", " : "",
                    (int)strcspn(symbol->name, " "), symbol->name);
        value_write(&numbers, &symbol->value, interp->digits, false);
    }
    if (!numbers.length) return;
    text_string(&hint, err->hint);
    error_hint(err, "In the check %s.", numbers.data);
    if (hint.length) text_format(&hint, "\n%s", err->hint);
    if (hint.length) error_hint(err, "%s", hint.data);
}

bool exercise_run_checks(Session *session, const Cell *exercise, Error *err) {
    Interp *interp = &session->interp;
    const char *file = exercise->document->file;
    const Cell *solution = cell_part(exercise, CELL_SOLUTION);
    LocalChunk *made = NULL;
    bool ok = !solution || parse(interp, file, solution->script, solution->script_length, false,
                                 &made, err) == PARSE_OK;
    for (const Cell *cell = exercise; ok && (cell = cell_part(cell, CELL_CHECK));) {
        LocalChunk *check = NULL;
        ok = parse_check(interp, file, cell->script, cell->script_length, made, &check, err) ==
             PARSE_OK;
        for (int k = 0; ok && k < check->entry_count; k++) {
            ok = interp_run_entry(interp, check, k, err);
            if (!ok && err)
                note_case(interp, check->statements.items[check->entries[k].first], err);
        }
    }
    return ok;
}

bool exercise_passes(Session *session, const Cell *exercise, Error *err) {
    Recorder unseen;
    recorder_begin_unseen(&unseen, session, false);
    session_begin_trial(session);
    bool ok = exercise_run_checks(session, exercise, err);
    session_end_trial(session);
    recorder_end_unseen(&unseen, session);
    return ok;
}

/* A value of the wrong kind says more than what the check could not do with it. */
void exercise_write_failure(Text *out, Session *session, const Document *document,
                            const Progress *progress, Language language, const Error *problem) {
    bool own = strcmp(problem->file, document->file) != 0; /* it came up in what the person made */
    const char *message = problem->message;
    if (problem->kind == ERR_CHECK) {
        text_string(out, message);
        return;
    }
    const char *missing = strstr(message, " is not defined");
    if (!missing) missing = strstr(message, " is a command, not a function");
    if (!own && missing && problem->kind == ERR_NAME) {
        LocalText name = TEXT_FOR(out);
        text_bytes(&name, message, (size_t)(missing - message));
        text_say(out, "%s is not there. The exercise asks you to make it.", name.data);
        return;
    }
    LocalText causes = TEXT_FOR(out);
    int count =
        own ? 0 : typed_causes(&causes, session, document, progress, language, problem, false);
    bool none = !own && strstr(message, "not None") && !(count && strstr(causes.data, "None"));
    if (count && !none && problem->kind == ERR_TYPE) {
        bool called = strstr(message, ", not a function") != NULL;
        text_format(out,
                    tr_in(language, called ? "%s, where a function is needed"
                                           : "%s, where something else is needed"),
                    causes.data);
        return;
    }
    text_say_error(out, problem);
    if (*problem->hint) {
        text_string(out, tr(islower((unsigned char)*problem->hint) ? "; " : ". "));
        tr_write(out, problem->hint);
    }
    if (none)
        text_format(
            out, " %s",
            tr_in(language, "(A function gives what follows return; without return, None.)"));
    else if (count) text_format(out, tr_in(language, " (%s)"), causes.data);
}

/* ---- a document ---- */

typedef struct Check {
    Host *host; /* gets the findings */
    const Document *document;
    Session *session;
    Recorder recorder;     /* what its cells write */
    const Cell *predicted; /* the prediction whose answer the next cell shows; or NULL */
    int findings, cells, exercises;
    int steps, further, predictions; /* what a student goes through, and what is offered then */
    Text *named;                     /* the prose of the folder's lessons so far */
    Text long_cells, unnamed;        /* for the summary: lines of cells, functions */
    Error *err; /* what ends the check: no memory, Ctrl-C, a host that cannot be written to */
    bool stopped;
} Check;

/* False once a training was cut short: what hangs on its numbers may then differ. */
static bool is_whole(const Check *check) { return !check->session->interp.training_cut; }

static const char *plural(int count) { return count == 1 ? "" : "s"; }

/* ---- findings ---- */

static void find_at(Check *check, size_t line, const char *format, ...) ATTN_PRINTF(3, 4);
static void find_at(Check *check, size_t line, const char *format, ...) {
    Text text = TEXT_EMPTY;
    text_format(&text, "%s:%zu: ", check->document->file, line);
    va_list arguments;
    va_start(arguments, format);
    text_vsay(&text, format, arguments);
    va_end(arguments);
    text_char(&text, '\n');
    check->findings++;
    if (!host_write_plain(check->host, &text, check->err)) check->stopped = true;
}

/* True if the check cannot go on after this error: it says nothing about the document. */
static bool ends_check(Check *check, const Error *err) {
    if (err->kind != ERR_INTERRUPT && err->kind != ERR_EXIT) return false;
    if (check->err) *check->err = *err;
    return check->stopped = true;
}

static size_t line_of_error(const Cell *cell, const Error *err) {
    return err->line > 0 ? (size_t)err->line : cell->line;
}

/* ---- cells ---- */

static bool is_name_byte(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool is_named(const Text *prose, const char *name, size_t length) {
    for (const char *at = prose->data; (at = strstr(at, name)); at += length)
        if ((at == prose->data || !is_name_byte(at[-1])) && !is_name_byte(at[length])) return true;
    return false;
}

/* Notes the built-in functions that a cell calls before any text has named them. */
static void note_unnamed(Check *check, const Cell *cell) {
    char quote = 0;
    for (const char *at = cell->code; *at; at++) {
        if (quote || *at == '"' || *at == '\'') {
            quote = !quote ? *at : *at == quote ? 0 : quote;
            continue;
        }
        if (*at == '#') at += strcspn(at, "\n") - 1;
        if (!is_name_byte(*at)) continue;
        const char *begin = at;
        while (is_name_byte(at[1])) at++;
        size_t length = (size_t)(at + 1 - begin);
        const Symbol *symbol =
            at[1] == '(' ? interp_find_word(&check->session->interp, begin, length) : NULL;
        if (symbol && symbol->builtin && !is_named(check->named, symbol->name, length)) {
            text_format(&check->unnamed, "%s %s in line %zu", check->unnamed.length ? "," : "",
                        symbol->name, cell->line);
            text_format(check->named, "%s ", symbol->name);
        }
    }
}

/* Runs a cell for what it shows. False: what comes after it cannot be checked. */
static bool check_run(Check *check, const Cell *cell) {
    enum { LINES_MOST = 6 }; /* a student does not take in more of a cell at once */
    size_t lines = 1;
    check->cells++;
    for (const char *at = cell->code; *at; at++) lines += *at == '\n';
    if (lines > LINES_MOST)
        text_format(&check->long_cells, "%s line %zu", check->long_cells.length ? "," : "",
                    cell->line);
    note_unnamed(check, cell);

    Error err = {.kind = ERR_NONE};
    bool ok = notebook_run_cell(check->session, cell, &err);
    if (!ok && ends_check(check, &err)) return false;
    if (!ok && cell->kind == CELL_RUN) {
        find_at(check, line_of_error(cell, &err), "%s error: %s", error_kind_word(err.kind),
                err.message);
        return false;
    }
    if (ok && cell->kind == CELL_ERROR)
        find_at(check, cell->line, "the cell ran without the %s error that it is to show",
                error_kind_word(cell->expected));
    else if (!ok && err.kind != cell->expected)
        find_at(check, line_of_error(cell, &err), "a %s error where a %s error is to be shown: %s",
                error_kind_word(err.kind), error_kind_word(cell->expected), err.message);

    /* The answer to the prediction above is known now. */
    const Cell *predicted = check->predicted;
    check->predicted = NULL;
    if (!predicted || check->stopped) return true;
    Error refused = {.kind = ERR_NONE};
    if (!notebook_run_cell(check->session, predicted, &refused) && !ends_check(check, &refused))
        find_at(check, predicted->line, "the answer %s: %s", predicted->answer, refused.message);
    return true;
}

/* ---- exercises ---- */

/* Runs an attempt from where the exercise begins, and the checks. False: they refuse it. */
static bool try_attempt(Check *check, const Cell *exercise, const Cell *cell, Error *err) {
    session_begin_trial(check->session);
    bool ok = notebook_run_cell(check->session, cell, err) &&
              exercise_run_checks(check->session, exercise, err);
    session_end_trial(check->session);
    return ok;
}

/* A wrong attempt must be refused with a message of which its first comment is a part. */
static void check_wrong(Check *check, const Cell *exercise, const Cell *cell) {
    const char *expected = cell->code + strspn(cell->code, " \t");
    size_t length = 0;
    if (*expected == '#') {
        expected += 1 + strspn(expected + 1, " \t");
        length = trimmed_length(expected, strcspn(expected, "\n"), " \t\r\v\f");
    }
    if (length == 0) {
        find_at(check, cell->line,
                "the first line of a wrong attempt is a comment: the message "
                "that it must get");
        return;
    }
    Error err = {.kind = ERR_NONE};
    bool ok = try_attempt(check, exercise, cell, &err);
    if ((!ok && ends_check(check, &err)) || !is_whole(check)) return;
    char message[sizeof err.message] = "";
    if (length < sizeof message) memcpy(message, expected, length);
    if (ok) find_at(check, cell->line, "the wrong attempt passes the checks");
    else if (!strstr(err.message, message))
        find_at(check, cell->line, "the wrong attempt gets another message: %s", err.message);
    else if (err.kind != ERR_CHECK)
        find_at(
            check, cell->line,
            "the wrong attempt ends in a %s error of the program; let an assert of the check say "
            "in words of the lesson what is wrong",
            error_kind_word(err.kind));
}

/* Runs the checks of an exercise where it begins, on each attempt, and after its solution. False:
 * what comes after it cannot be checked. */
static bool check_exercise(Check *check, const Cell *exercise) {
    const Cell *solution = cell_part(exercise, CELL_SOLUTION), *right = exercise, *wrong = exercise;
    check->exercises++;
    if (!*exercise->id)
        find_at(check, exercise->line, "the exercise has no name: attn exercise {#name}");
    if (!cell_part(exercise, CELL_CHECK) || !solution) {
        find_at(check, exercise->line, "the exercise has no %s", solution ? "check" : "solution");
        return false;
    }

    /* The checks must fail at first, with whatever error: often a name is not there yet. */
    Error err = {.kind = ERR_NONE};
    if (exercise_passes(check->session, exercise, &err))
        find_at(check, exercise->line, "the checks pass before anything was done");
    else ends_check(check, &err);

    while (!check->stopped && (right = cell_part(right, CELL_RIGHT))) {
        err = (Error){.kind = ERR_NONE};
        if (try_attempt(check, exercise, right, &err) || ends_check(check, &err)) continue;
        if (is_whole(check) || err.kind != ERR_CHECK)
            find_at(check, right->line, "the right answer is refused: %s", err.message);
    }
    while (!check->stopped && (wrong = cell_part(wrong, CELL_WRONG)))
        check_wrong(check, exercise, wrong);
    if (check->stopped) return false;

    /* The solution's variables are kept, since later cells may build on them. */
    err = (Error){.kind = ERR_NONE};
    bool ran = notebook_run_cell(check->session, solution, &err);
    bool ok = ran && exercise_passes(check->session, exercise, &err);
    bool excused = !ok && !is_whole(check) && err.kind == ERR_CHECK;
    if (!ok && !excused && !ends_check(check, &err))
        find_at(check, line_of_error(solution, &err), "the solution %s: %s",
                ran ? "fails the check" : "does not run", err.message);
    return ok || excused;
}

/* A choice is a list with right and wrong options, each with its reason. */
static void check_choice(Check *check, const Cell *cell) {
    int right = 0, wrong = 0;
    check->exercises++;
    if (!*cell->id) find_at(check, cell->line, "the choice has no name: attn choice {#name}");
    for (const DocNode *node = cell->node->first; node; node = document_next(node, cell->node)) {
        if (node->kind != DOC_ITEM || !node->task) continue;
        *(node->task == 'x' ? &right : &wrong) += 1;
        LocalText words = TEXT_EMPTY;
        if (!prose_option(node, &words, NULL))
            find_at(check, cell->line, "no reason follows an option: %s -- why", words.data);
    }
    if (right == 0 || wrong == 0)
        find_at(check, cell->line, "a choice has options with [x] and options with [ ]");
}

/* ---- prose ---- */

/* True if the number at `at` is in the outputs so far, and not as a part of a longer one. */
static bool was_shown(const Text *shown, const char *at, size_t length) {
    for (const char *place = shown->data; *place; place++) {
        if (strncmp(place, at, length) != 0) continue;
        bool inside =
            place > shown->data && (isdigit((unsigned char)place[-1]) || place[-1] == '.');
        if (!inside && !isdigit((unsigned char)place[length])) return true;
    }
    return false;
}

/* True if HTML is the mark; a block of it holds its lines as parts. */
static bool says_given(const DocNode *html) {
    static const char given[] = "<!-- given -->";
    for (const DocNode *node = html; node; node = document_next(node, html))
        if (node->kind == DOC_HTML &&
            search_bytes(node->text, node->length, 0, given, sizeof given - 1) != NOT_FOUND)
            return true;
    return false;
}

/* The mark is behind the number in its paragraph, or begins the line below, where Markdown
 * takes it for a block of its own. */
static bool is_given(const DocNode *text) {
    for (const DocNode *node = text; node && node->kind != DOC_CELL; node = node->parent) {
        for (const DocNode *next = node->next; next && next->kind >= DOC_HTML; next = next->next)
            if (says_given(next)) return true;
        if (node->next && node->kind < DOC_HTML) return says_given(node->next);
    }
    return false;
}

/* True if a number counts a section or a version: behind such a word, it is no figure. */
static bool is_section(const DocNode *node, size_t at) {
    static const char *const words[] = {"section ", "Section ", "chapter ", "Chapter ", "eq. ",
                                        "version ", "Python ",  "figure ",  "Figure ",  "§",
                                        "§ ",       "第",       "第 ",      "图 ",      "式 "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        if (at >= length && memcmp(node->text + at - length, words[i], length) == 0) return true;
    }
    return false;
}

/* A decimal number must have been computed above, or be marked as given in its paragraph. */
static void check_numbers(Check *check, const DocNode *node) {
    for (size_t i = 0, length; i < node->length; i += length) {
        length = 1;
        if (!isdigit((unsigned char)node->text[i])) continue;
        size_t dots = 0;
        while (i + length < node->length &&
               (isdigit((unsigned char)node->text[i + length]) ||
                (node->text[i + length] == '.' && i + length + 1 < node->length &&
                 isdigit((unsigned char)node->text[i + length + 1]))))
            dots += node->text[i + length++] == '.';
        if (dots != 1 || is_given(node) || is_section(node, i) || !is_whole(check)) continue;
        if (!was_shown(&check->recorder.text, node->text + i, length))
            find_at(check, node->line,
                    "%.*s is in no output above; if no cell computes it, put "
                    "<!-- given --> into its paragraph",
                    (int)length, node->text + i);
    }
}

static void check_link(Check *check, const DocNode *node) {
    const char *target = node->detail;
    if (strstr(target, "://") || strncmp(target, "mailto:", 7) == 0 || *target == '#') return;
    size_t length = strcspn(target, "#");
    LocalText path = TEXT_EMPTY, name = TEXT_EMPTY;
    text_bytes(&name, target, length);
    path_join(&path, check->session->interp.directory, name.data);
    if (access(path.data, R_OK) != 0)
        find_at(check, node->line, "the link leads to no file: %s", target);
}

/* Checks the prose of one block, but not within cells of code. */
static void check_prose(Check *check, const DocNode *block) {
    for (const DocNode *node = block; node && !check->stopped; node = document_next(node, block)) {
        if (node->kind == DOC_LINK || node->kind == DOC_IMAGE) check_link(check, node);
        if (node->kind != DOC_TEXT) continue;
        text_bytes(check->named, node->text, node->length);
        text_char(check->named, ' ');
        if (node->parent->kind == DOC_CODE_SPAN) continue;
        check_numbers(check, node);
        /* Beside full-width punctuation CommonMark takes ** for two stars. */
        for (size_t i = 0; i + 1 < node->length; i++) {
            if (node->text[i] != '*' || node->text[i + 1] != '*') continue;
            find_at(check, node->line,
                    "** is shown here as two stars: put a space or a letter between "
                    "it and the punctuation");
            break;
        }
    }
}

/* ---- documents ---- */

static void check_document(Check *check) {
    const Document *document = check->document;
    /* A lesson, whose file begins with its number, needs only lessons that come before it. */
    int own = atoi(path_name(document->file)), number;
    LocalLessonHead head;
    lesson_head_read(document->source, &head);
    for (const char *at = head.needs.data; own && (at = lesson_need_next(at, &number));)
        if (number >= own)
            find_at(check, 1, "the lesson needs lesson %d, which does not come before it", number);

    bool ok = true, further = false;
    for (const DocNode *block = document->root->first; block && ok; block = block->next) {
        further = further || document_is_further(block);
        check->steps += document_is_step(block) && !further;
        check_prose(check, block);
        for (const DocNode *node = block; node && ok; node = document_next(node, block)) {
            if (!node->cell) continue;
            if (node != block)
                find_at(check, node->line,
                        "a cell is within a list or a quote, where a lesson does not come to "
                        "it; begin it at the margin");
            const Cell *cell = node->cell;
            check->further += cell_is_exercise(cell) && cell->further;
            if (cell_runs(cell)) ok = check_run(check, cell);
            if (cell->kind == CELL_EXERCISE) ok = check_exercise(check, cell);
            if (cell->kind == CELL_CHOICE) check_choice(check, cell);
            if (cell->kind == CELL_PREDICT) {
                check->predictions++;
                check->predicted = cell;
            }
            ok = ok && !check->stopped;
        }
    }
    if (ok && check->predicted)
        find_at(check, check->predicted->line, "no cell follows that shows the answer");
}

/* Writes what a lesson takes, where the document is one. */
static bool write_summary(Check *check) {
    int counted = check->exercises - check->further;
    if (check->exercises == 0) return true;
    Text text = TEXT_EMPTY, said = TEXT_EMPTY;
    text_format(&text, "%s: %d steps, %d exercise%s", check->document->file, check->steps, counted,
                plural(counted));
    if (check->further) text_format(&text, " and %d further", check->further);
    text_format(&text, ", %d prediction%s\n", check->predictions, plural(check->predictions));
    if (check->long_cells.length)
        text_format(&text, "  cells of more than six lines:%s\n", check->long_cells.data);
    if (check->unnamed.length)
        text_format(&text, "  functions that no text has named before:%s\n", check->unnamed.data);
    tr_write(&said, text.data);
    text_release_for(&text, &said);
    return host_write_plain(check->host, &said, check->err);
}

/* Checks the document at `path`. False: the check itself cannot go on. */
static bool check_file(const CheckOptions *options, const char *path, Check *check, Error *err) {
    enum { TRAINING_BRIEF = 3 }; /* the steps of a training in a check that is brief */
    LocalText text = TEXT_EMPTY, folder = TEXT_EMPTY;
    Error refused = {.kind = ERR_NONE};
    path_folder(&folder, path);
    if (!text_ok(&folder, err) || !file_read(path, 0, &text, err)) return false;
    LocalDocument *document = document_parse(path, text.data, text.length, &refused);
    if (!document) {
        check->findings++;
        return host_print(check->host, err, "%s:%d: %s\n", path, refused.line, refused.message);
    }
    const char *language = language_codes[translate_language()];
    recorder_init(&check->recorder);
    Session *session = session_new(&check->recorder.host, options->further, err);
    if (session) {
        session->bench.settings.language = language;
        session_apply_settings(session);
        session->interp.directory = folder.data;
        session->interp.safe = options->safe;
        session->interp.training_most = options->brief ? TRAINING_BRIEF : 0;
        check->document = document;
        check->session = session;
        check_document(check);
    }
    bool ok = session && !check->stopped && write_summary(check);
    text_release(&check->long_cells);
    text_release(&check->unnamed);
    session_free(session);
    recorder_release(&check->recorder);
    return ok;
}

bool check_files(Host *host, const CheckOptions *options, char *const *paths, Error *err) {
    int documents = 0, cells = 0, exercises = 0, findings = 0;
    LocalText named = TEXT_EMPTY, folder = TEXT_EMPTY, before = TEXT_EMPTY;
    bool ok = true;
    training_memory_begin();
    for (; ok && paths[documents]; documents++) {
        Check check = {.host = host, .named = &named, .err = err};
        text_clear(&folder);
        path_folder(&folder, paths[documents]);
        if (strcmp(folder.data, before.data) != 0) text_clear(&named);
        text_clear(&before);
        text_string(&before, folder.data);
        ok = check_file(options, paths[documents], &check, err);
        cells += check.cells;
        exercises += check.exercises;
        findings += check.findings;
    }
    training_memory_end();
    if (!ok || !check_translations(host, paths, &findings, err)) return false;
    if (findings)
        return error_set(err, ERR_CHECK, "%d thing%s to mend", findings, plural(findings));
    return host_print(host, err, "%d document%s, %d cell%s, %d exercise%s: all is well\n",
                      documents, plural(documents), cells, plural(cells), exercises,
                      plural(exercises));
}
