#include "notebook/lesson_commands.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/size.h"
#include "base/translate.h"
#include "base/utf8.h"
#include "notebook/opening.h"

#include <string.h>

/* ---- the list ---- */

/* How far a person has come in a lesson. */
typedef struct Standing {
    CatalogEntry entry;
    LessonHead head;
    int all, solved;  /* exercises that count */
    bool begun, done; /* done: its end was seen, or everything is solved */
} Standing;

static void read_standing(Standing *lesson) {
    const CatalogText *source = lesson->entry.source;
    LocalDocument *document =
        document_parse(source->name, source->text, strlen(source->text), NULL);
    Progress progress;
    progress_open(&progress, lesson->entry.id, false, NULL);
    lesson_head_read(source->text, &lesson->head);
    for (const Cell *cell = document ? document->cells : NULL; cell; cell = cell->next) {
        if (!cell_counts(cell)) continue;
        lesson->all++;
        lesson->solved += progress_state(&progress, cell->id) == EXERCISE_SOLVED;
    }
    lesson->begun = progress.event_count > 0 || progress.record_count > 0;
    lesson->done = progress.finished || (lesson->all && lesson->solved == lesson->all);
    progress_release(&progress);
}

/* True for a lesson that is not done while all that it needs is. */
static bool is_ready(const Standing *lessons, size_t count, const Standing *lesson) {
    bool ready = !lesson->done;
    int number;
    for (const char *at = lesson->head.needs.data; (at = lesson_need_next(at, &number));)
        for (size_t i = 0; i < count; i++)
            ready = ready && (lessons[i].entry.number != number || lessons[i].done);
    return ready;
}

/* The lesson to do next: the one that was read last, or the first that is ready; or NULL. */
static const Standing *find_next(const Standing *lessons, size_t count, Language language) {
    CatalogEntry last;
    if (!lesson_find_last(language, &last)) last.number = -1;
    for (size_t i = 0; i < count; i++)
        if (lessons[i].entry.number == last.number && !lessons[i].done) return &lessons[i];
    for (size_t i = 0; i < count; i++)
        if (is_ready(lessons, count, &lessons[i])) return &lessons[i];
    return NULL;
}

/* The columns of the list; a width of 0 leaves one out. */
typedef struct ListWidths {
    size_t id, title, minutes, solved;
} ListWidths;

static void pad(Text *out, const char *words, size_t width) {
    if (width) utf8_pad(out, words, strlen(words), width + 2, false);
}

/* A lesson in one line, or where its title has no column in two, with words in the second. */
static void write_lesson(Text *out, const Standing *lesson, const ListWidths *widths,
                         Language language, bool is_next) {
    const char *needs = lesson->head.needs.data;
    LocalText minutes = TEXT_FOR(out), solved = TEXT_FOR(out);
    text_format(&minutes, widths->title ? "%d" : tr_in(language, "%d min"), lesson->head.minutes);
    if (lesson->all && (lesson->begun || lesson->done))
        text_format(&solved, widths->title ? "%d/%d" : tr_in(language, "%d of %d"), lesson->solved,
                    lesson->all);
    text_format(out, "%s%2d  ",
                is_next         ? "→"
                : lesson->done  ? "✓"
                : lesson->begun ? "…"
                                : " ",
                lesson->entry.number);
    pad(out, lesson->entry.id, widths->id);
    if (widths->title) {
        pad(out, lesson->head.title.data, widths->title);
        pad(out, minutes.data, widths->minutes);
        pad(out, solved.data, widths->solved);
        text_string(out, needs);
    } else {
        text_format(out, "%s\n     %s", lesson->head.title.data, minutes.data);
        if (solved.length) text_format(out, "  %s", solved.data);
        if (*needs) text_string(out, "  ");
        if (*needs) text_format(out, tr_in(language, "needs %s"), needs);
    }
    text_cut_blanks(out);
    text_char(out, '\n');
}

static size_t widest(size_t width, const char *words) {
    return larger(width, utf8_width(words, strlen(words)));
}

/* Chooses the columns that fit on the screen, and appends the line above them. */
static void plan_list(Text *out, ListWidths *widths, const Standing *lessons, size_t count,
                      Language language, size_t columns) {
    const char *minutes = tr_in(language, "min"), *solved = tr_in(language, "done"),
               *needs = tr_in(language, "needs"), *title = tr_in(language, "lesson");
    size_t needed = widest(0, needs);
    *widths = (ListWidths){.minutes = widest(2, minutes), .solved = widest(3, solved)};
    for (size_t i = 0; i < count; i++) {
        widths->id = widest(widths->id, lessons[i].entry.id);
        widths->title = widest(widths->title, lessons[i].head.title.data);
        needed = widest(needed, lessons[i].head.needs.data);
    }
    size_t plain = 5 + widths->title + 2 + widths->minutes + 2 + widths->solved + 2 + needed;
    if (plain + widths->id + 2 > columns) widths->id = 0;
    if (plain > columns) widths->title = 0;
    if (!widths->title) return;
    text_string(out, "     ");
    pad(out, title, widths->id ? widths->id : widths->title);
    pad(out, "", widths->id ? widths->title : 0);
    pad(out, minutes, widths->minutes);
    pad(out, solved, widths->solved);
    text_format(out, "%s\n", needs);
}

/* Where the person is in the course, in sentences. */
static void write_standing(Text *out, const Standing *lessons, size_t count, const Standing *next,
                           Language language) {
    int done = 0, begun = 0;
    LocalText ready = TEXT_FOR(out);
    for (size_t i = 0; i < count; i++) {
        done += lessons[i].done;
        begun += lessons[i].begun && !lessons[i].done;
        if (is_ready(lessons, count, &lessons[i]))
            text_format(&ready, "%s%d", ready.length ? ", " : "", lessons[i].entry.number);
    }
    text_format(out, tr_in(language, "Done (✓): %d of %zu. Begun (…): %d."), done, count, begun);
    if (next) {
        text_char(out, '\n');
        text_format(out, tr_in(language, "Next (→): lesson %d. You have what is needed for: %s."),
                    next->entry.number, ready.data);
    }
    text_format(out, "\n%s\n",
                tr_in(language, "attn lesson NUMBER begins one, attn lesson goes on with the one "
                                "that was read last; at the prompt lesson NUMBER."));
}

bool lessons_show(Session *session, Error *err) {
    Host *host = session->interp.host;
    Language language = session_language(session);
    Text text = TEXT_EMPTY, lines = TEXT_EMPTY;
    ListWidths widths;
    CatalogEntry entry;
    size_t count = 0;
    while (catalog_entry(language, count, &entry)) count++;
    LocalMemory Standing *lessons = mem_zeroed(count, sizeof *lessons, err);
    if (!lessons) return false;
    for (size_t i = 0; i < count; i++) {
        catalog_entry(language, i, &lessons[i].entry);
        read_standing(&lessons[i]);
    }
    bool read = !interrupted(err); /* else some have no progress that have some */
    const Standing *next = find_next(lessons, count, language);
    plan_list(&text, &widths, lessons, count, language, (size_t)host->columns);
    for (size_t i = 0; i < count; i++)
        write_lesson(&text, &lessons[i], &widths, language, &lessons[i] == next);
    write_standing(&lines, lessons, count, next, language);
    utf8_wrap_lines(&text, &lines, (size_t)host->columns);
    for (size_t i = 0; i < count; i++) lesson_head_release(&lessons[i].head);
    return session_write_text(session, read, &text, err);
}

/* ---- commands ---- */

static bool list_lessons(Session *session, CommandCall *call, Error *err) {
    return command_finish(call, err) && lessons_show(session, err);
}

/* Only notes what is to be opened: the entry that runs is not the lesson's. */
static bool open_lesson(Session *session, CommandCall *call, Error *err) {
    LocalValue path = VALUE_MISSING;
    const char *what = command_take_word(call);
    if (!what && command_at_end(call)) what = "";
    if (!what && command_string(call, "the name or number of a lesson", &path, err))
        what = path.string->data;
    bool ok = what && command_finish(call, err);
    if (ok && session->interp.rehearses) return true;
    session->transcript.skip = true; /* a document runs where nobody takes a lesson */
    if (!ok) return false;
    if (!session->interp.host->interactive) {
        error_set(err, ERR_VALUE, "a lesson needs a person at a prompt");
        return error_hint(err, "in a terminal: attn lesson");
    }
    return mem_replace_string(&session->lesson, what, err);
}

static bool forget_all(Session *session, Error *err) {
    Language language = session_language(session);
    Host *host = session->interp.host;
    bool yes = true, ok = true;
    if (session->interp.safe) return true;
    if (host->ask &&
        !host->ask(host, tr_in(language, "Forget the progress in all lessons?"), &yes, err))
        return false;
    CatalogEntry entry;
    for (size_t i = 0; yes && ok && catalog_entry(language, i, &entry); i++) {
        Progress progress;
        progress_open(&progress, entry.id, true, NULL);
        ok = !interrupted(err) && progress_forget(&progress, err);
        progress_release(&progress);
    }
    return ok && (!yes || host_print(host, err, "%s\n", tr_in(language, "Forgotten.")));
}

static bool run_lesson_command(Session *session, CommandCall *call, Error *err) {
    const char *name = call->node->command.name, *target = NULL;
    if (!session->player && command_take(call, "all"))
        return command_finish(call, err) && forget_all(session, err);
    if (!session->player) {
        error_set(err, ERR_VALUE, "%s is for lessons, and none is open", name);
        return error_hint(err, "lessons lists them, lesson 1 begins the first");
    }
    if (strcmp(name, "goto") == 0 && !(target = command_take_word(call))) {
        error_set(err, ERR_SYNTAX, "the exercise to go to is missing");
        return error_hint(err, "goto 2; where lists the exercises");
    }
    if (command_take(call, "lesson")) name = "forget lesson";
    else command_take(call, "exercise");
    bool ok = command_finish(call, err) && player_ask(session->player, name, target, err);
    session->transcript.skip = true; /* without the lesson it means nothing */
    return ok;
}

/* clang-format off */
const CommandDef lesson_commands[] = {
    {{.name = "lessons", .words = "", .shows = true}, list_lessons, false, "lessons",
     "Lists the lessons that come with attn: how long each takes, what it needs, and how much of it "
     "you have solved; below it which ones can come next.",
     "lessons", "lesson"},
    {{.name = "lesson", .words = "", .shows = true, .takes = TAKES_LESSONS}, open_lesson, false,
     "lesson [NUMBER | NAME | \"file.md\"]",
     "Opens a lesson at the prompt: it shows a piece, waits, and goes on when Enter is pressed; "
     "anything can be typed in between. In it next, back, again, hint, check, solution, skip, goto "
     "and where lead through it, and quit leaves it. Without a name it goes on with the lesson "
     "that was read last. What was done is kept at once. The variables of before come back when "
     "the lesson is left.",
     "try: lesson 1\nexcept value: print(\"a lesson needs a person\")\n# -> a lesson needs a person",
     "lessons hint check goto"},
    {{.name = "next", .words = "", .shows = true}, run_lesson_command, false, "next",
     "In a lesson: goes on, as Enter does.", "next = 3\nnext", "back lesson"},
    {{.name = "back", .words = "", .shows = true}, run_lesson_command, false, "back",
     "In a lesson: goes back to the screen before, with the variables as they were there.",
     "back = 3\nback", "next goto lesson"},
    {{.name = "again", .words = "", .shows = true}, run_lesson_command, false, "again",
     "In a lesson: shows the screen once more.", "again = 3\nagain", "where lesson"},
    {{.name = "hint", .words = "", .shows = true}, run_lesson_command, false, "hint",
     "In a lesson: the next hint for the exercise, from gentle to plain.", "hint = 3\nhint",
     "check solution lesson"},
    {{.name = "check", .words = "", .shows = true}, run_lesson_command, false, "check",
     "In a lesson: says what the exercise still lacks. A right answer is noticed without it.",
     "check = 3\ncheck", "hint solution lesson"},
    {{.name = "solution", .words = "", .shows = true}, run_lesson_command, false, "solution",
     "In a lesson: shows an answer to the exercise.", "solution = 3\nsolution",
     "hint skip lesson"},
    {{.name = "skip", .words = "", .shows = true}, run_lesson_command, false, "skip",
     "In a lesson: goes on without solving the exercise. Its solution is run, so that the rest of "
     "the lesson works.",
     "skip = 3\nskip", "solution goto lesson"},
    {{.name = "goto", .words = "here", .shows = true, .takes = TAKES_LESSONS}, run_lesson_command, false,
     "goto NUMBER | NAME | here",
     "In a lesson: goes to an exercise. What lies between is run. goto here stays where you are, and "
     "makes all variables as the lesson has them, which helps when one of yours is in its way.",
     "goto = 3\ngoto", "where back lesson"},
    {{.name = "where", .words = "", .shows = true, .is_function = true}, run_lesson_command, false,
     "where",
     "In a lesson: says which part this is, and which exercises are solved.",
     "where(array([1, 0]) == 1, 5, 0)  # -> [5, 0]", "goto lesson"},
    {{.name = "forget", .words = "exercise lesson all", .shows = true}, run_lesson_command, false,
     "forget [exercise | lesson | all]",
     "In a lesson: forgets what you did in the exercise, or in the whole lesson, which then begins "
     "anew. When no lesson is open, forget all forgets the progress in all of them. It asks first.",
     "forget = 3\nforget", "where lesson"},
    {.syntax = {.name = NULL}},
};
/* clang-format on */
