#include "notebook/lesson_commands.h"

#include "base/memory.h"
#include "base/translate.h"
#include "base/utf8.h"
#include "notebook/opening.h"

#include <string.h>

/* ---- the list ---- */

static Language language_of(const Session *session) {
    return language_from_name(session->bench.settings.language);
}

/* Counts the exercises of a lesson and those that are solved; *finished if its end was seen. */
static void count_lesson(const CatalogEntry *entry, int *all, int *solved, bool *finished) {
    const char *text = entry->source->text;
    Document *document = document_parse(entry->source->name, text, strlen(text), NULL);
    Progress progress;
    progress_open(&progress, entry->id, false, NULL);
    *all = *solved = 0;
    for (int i = 0; document && i < document->cell_count; i++) {
        const Cell *cell = document->cells[i];
        if (!cell_counts(cell)) continue;
        *all += 1;
        *solved += progress_state(&progress, cell->id) == EXERCISE_SOLVED;
    }
    *finished = progress.finished;
    progress_release(&progress);
    document_free(document);
}

/* A lesson in one line where it fits, else its title in one and the rest in the next. An
 * arrow marks the one that goes on. */
static void write_lesson(Text *out, const CatalogEntry *entry, Language language, size_t columns,
                         size_t title_width, bool goes_on) {
    LessonHead head;
    LocalText rest = TEXT_FOR(out);
    bool finished;
    int solved, all;
    count_lesson(entry, &all, &solved, &finished);
    lesson_head_read(entry->source->text, &head);
    if (head.minutes) text_format(&rest, tr_in(language, "%d min"), head.minutes);
    if (solved || finished) {
        text_string(&rest, "  ");
        text_format(&rest, tr_in(language, "%d of %d"), solved, all);
        if (solved >= all) text_string(&rest, " ✓");
    }
    if (head.needs.length) {
        text_string(&rest, "  ");
        text_format(&rest, tr_in(language, "needs %s"), head.needs.data);
    }
    text_format(out, "%s%2d  ", goes_on ? "→" : " ", entry->number);
    size_t id_width = 22, narrow = 5 + title_width + 2 + utf8_width(rest.data, rest.length);
    if (narrow + id_width <= columns) utf8_pad(out, entry->id, strlen(entry->id), id_width, false);
    if (narrow <= columns)
        utf8_pad(out, head.title.data, head.title.length, title_width + 2, false);
    else text_format(out, "%s\n     ", head.title.data);
    text_format(out, "%s\n", rest.data);
    lesson_head_release(&head);
}

bool lessons_show(Session *session, Error *err) {
    Host *host = session->interp.host;
    Language language = language_of(session);
    Text text = TEXT_EMPTY, line = TEXT_EMPTY;
    CatalogEntry entry, last;
    bool begun = lesson_find_last(language, &last);
    size_t width = 0;
    for (size_t i = 0; catalog_entry(language, i, &entry); i++) {
        LessonHead head;
        lesson_head_read(entry.source->text, &head);
        size_t title = utf8_width(head.title.data, head.title.length);
        if (title > width) width = title;
        lesson_head_release(&head);
    }
    for (size_t i = 0; catalog_entry(language, i, &entry); i++)
        write_lesson(&text, &entry, language, (size_t)host->columns, width,
                     begun && entry.number == last.number);
    text_format(&line, "%s\n",
                tr_in(language, "attn lesson NUMBER begins one, attn lesson goes on with the last "
                                "one (→); at the prompt lesson NUMBER."));
    utf8_wrap_lines(&text, &line, (size_t)host->columns);
    return session_write_text(session, true, &text, err);
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
    char *wanted = mem_string(what, strlen(what), err);
    if (!wanted) return false;
    mem_free(session->lesson);
    session->lesson = wanted;
    return true;
}

static bool forget_all(Session *session, Error *err) {
    Language language = language_of(session);
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
        ok = progress_forget(&progress, err);
        progress_release(&progress);
    }
    return ok && (!yes || host_print(host, err, "%s\n", tr_in(language, "Forgotten.")));
}

/* A variable of the person's wins over the word, as everywhere. */
static bool ask_player(Session *session, CommandCall *call, Error *err) {
    const char *name = call->node->command.name, *target = NULL;
    const Value *variable = session_variable_instead(session, name);
    if (variable) return command_finish(call, err) && session_write_value(session, variable, err);
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
     "Lists the lessons that come with attn: how long each takes, what it builds on, and how much "
     "of it you have solved.",
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
    {{.name = "next", .words = "", .shows = true}, ask_player, false, "next",
     "In a lesson: goes on, as Enter does.", "next = 3\nnext", "back lesson"},
    {{.name = "back", .words = "", .shows = true}, ask_player, false, "back",
     "In a lesson: goes back to the screen before, with the variables as they were there.",
     "back = 3\nback", "next goto lesson"},
    {{.name = "again", .words = "", .shows = true}, ask_player, false, "again",
     "In a lesson: shows the screen once more.", "again = 3\nagain", "where lesson"},
    {{.name = "hint", .words = "", .shows = true}, ask_player, false, "hint",
     "In a lesson: the next hint for the exercise, from gentle to plain.", "hint = 3\nhint",
     "check solution lesson"},
    {{.name = "check", .words = "", .shows = true}, ask_player, false, "check",
     "In a lesson: says what the exercise still lacks. A right answer is noticed without it.",
     "check = 3\ncheck", "hint solution lesson"},
    {{.name = "solution", .words = "", .shows = true}, ask_player, false, "solution",
     "In a lesson: shows an answer to the exercise.", "solution = 3\nsolution",
     "hint skip lesson"},
    {{.name = "skip", .words = "", .shows = true}, ask_player, false, "skip",
     "In a lesson: goes on without solving the exercise. Its solution is run, so that the rest of "
     "the lesson works.",
     "skip = 3\nskip", "solution goto lesson"},
    {{.name = "goto", .words = "here", .shows = true, .takes = TAKES_LESSONS}, ask_player, false,
     "goto NUMBER | NAME | here",
     "In a lesson: goes to an exercise. What lies between is run. goto here stays where you are, and "
     "makes all variables as the lesson has them, which helps when one of yours is in its way.",
     "goto = 3\ngoto", "where back lesson"},
    {{.name = "where", .words = "", .shows = true, .is_function = true}, ask_player, false,
     "where",
     "In a lesson: says which part this is, and which exercises are solved.",
     "where(array([1, 0]) == 1, 5, 0)  # -> [5, 0]", "goto lesson"},
    {{.name = "forget", .words = "exercise lesson all", .shows = true}, ask_player, false,
     "forget [exercise | lesson | all]",
     "In a lesson: forgets what you did in the exercise, or in the whole lesson, which then begins "
     "anew. When no lesson is open, forget all forgets the progress in all of them. It asks first.",
     "forget = 3\nforget", "where lesson"},
    {.syntax = {.name = NULL}},
};
/* clang-format on */
