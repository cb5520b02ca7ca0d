#include "notebook/player.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "io/file.h"
#include "notebook/catalog.h"
#include "notebook/causes.h"
#include "notebook/exercise.h"
#include "notebook/prose.h"
#include "notebook/recorder.h"
#include "notebook/typed.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What a screen ends with. */
typedef enum Stop {
    STOP_PAGE, /* it is full */
    STOP_CELL,
    STOP_GUESS,
    STOP_EXERCISE,
    STOP_CHOICE,
    STOP_OPEN,
    STOP_END,
} Stop;

struct Player {
    Session *session;
    ReportError *report;
    Document *document;
    const DocNode **blocks; /* the parts of the document's root, in their order */
    int block_count;
    char *name, *folder; /* folder NULL: none */
    Progress progress;
    Language language;
    PlayerMode mode;
    time_t began;

    Stop stop;
    int screen, block; /* the blocks with which the screen begins and stops */
    int cell;          /* the one that it stops at, an index into document->cells; or -1 */
    bool solved;       /* the exercise there, in this visit */
    int guess;         /* the prediction whose answer comes; or -1 */
    char *guessed;     /* what was said; "" for nothing; or NULL */
    bool explained;    /* the person was told what can be typed at an exercise */
    size_t stuck;      /* the steps of undo when a check was stopped; or SIZE_MAX */
    double typed_at;   /* when the line that runs now was typed, in seconds_now */
    Text typed;        /* what of it changed the session */
    bool unkept;       /* the person was told that progress cannot be written */
    bool ended;
    PlayerRequest request;
    char *target; /* of goto; or NULL */
};

static bool presents(const Player *player) { return player->mode == PLAYER_PRESENTS; }

/* ---- saying ---- */

static bool say(Player *player, Error *err, WordId words, ...) {
    Text line = TEXT_EMPTY, lines = TEXT_EMPTY;
    Host *host = player->session->interp.host;
    va_list arguments;
    va_start(arguments, words);
    text_vformat(&line, word_in(player->language, words), arguments);
    va_end(arguments);
    text_char(&line, '\n');
    utf8_wrap_lines(&lines, &line, (size_t)host->columns);
    return host_write_text(host, &lines, err);
}

/* The empty line between what was said and the words of the lesson. */
static bool leave_line(Player *player, Error *err) {
    return host_print(player->session->interp.host, err, "\n");
}

/* ---- the exercises of the document ---- */

/* How many exercises count up to cell `last`, and in `document` where last is -1. */
static int count_exercises(const Document *document, int last) {
    int count = 0;
    for (int i = 0; i < document->cell_count && (last < 0 || i <= last); i++)
        count += cell_counts(document->cells[i]);
    return count;
}

static ExerciseState state_of(const Player *player, const Cell *cell) {
    return progress_state(&player->progress, cell->id);
}

/* True for an exercise that is solved, and for a choice that was answered. */
static bool is_done(const Player *player, const Cell *cell) {
    return state_of(player, cell) >= EXERCISE_MISSED;
}

static int count_solved(const Player *player) {
    int count = 0;
    for (int i = 0; i < player->document->cell_count; i++) {
        const Cell *cell = player->document->cells[i];
        count += cell_counts(cell) && state_of(player, cell) == EXERCISE_SOLVED;
    }
    return count;
}

/* How many blocks that a student sees stand before block `end`. */
static int count_steps(const Player *player, int end) {
    int count = 0;
    for (int b = 0; b < end && b < player->block_count; b++)
        count += document_is_step(player->blocks[b]);
    return count;
}

static int cell_index(const Document *document, const Cell *cell) {
    int i = 0;
    while (document->cells[i] != cell) i++;
    return i;
}

static int block_of_cell(const Player *player, int cell) {
    for (int b = 0; b < player->block_count; b++)
        if (player->blocks[b]->cell == player->document->cells[cell]) return b;
    return 0;
}

static const Cell *current(const Player *player) {
    return player->cell < 0 ? NULL : player->document->cells[player->cell];
}

/* ---- progress ---- */

/* Writes the progress by one of its functions; that it cannot be written is said once, and the
 * lesson goes on. */
static bool keep_by(Player *player, bool (*write)(Progress *progress, Error *err), Error *err) {
    Error problem = {.kind = ERR_NONE};
    if (write(&player->progress, &problem) || player->unkept) return true;
    player->unkept = true;
    return say(player, err, WORD_PROGRESS_LOST, problem.message);
}

static bool keep(Player *player, Error *err) { return keep_by(player, progress_save, err); }

static bool note_event(Player *player, EventKind kind, int number, const char *text, Error *err) {
    return progress_add(&player->progress, kind, number, text, text ? strlen(text) : 0, err);
}

/* A hash of the task and of what is checked. */
static unsigned long long hash_of_exercise(const Document *document, int exercise) {
    const char *code = document->cells[exercise]->code;
    unsigned long long hash = random_hash(code, strlen(code), 0);
    for (int i = exercise; (i = document_part(document, exercise, CELL_CHECK, i)) >= 0;) {
        code = document->cells[i]->code;
        hash = random_hash(code, strlen(code), hash);
    }
    return hash;
}

static bool note_state(Player *player, ExerciseState state, Error *err) {
    ExerciseRecord *record = progress_record(&player->progress, current(player)->id, err);
    if (!record) return false;
    if (state > record->state) record->state = state;
    record->text = hash_of_exercise(player->document, player->cell);
    return true;
}

/* Of this thread's work: who reads in a pager does not make a cell slow. */
static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Says of the last event how long it ran. */
static void note_seconds(Player *player, double began) {
    Progress *progress = &player->progress;
    progress->events[progress->event_count - 1].seconds = seconds_now() - began;
}

/* ---- cells ---- */

/* Runs a text, entry by entry, as a part of the lesson. */
static bool run_text(Player *player, const char *text, size_t length, Error *err) {
    Session *session = player->session;
    const char *before = session->interp.directory, *script = session->script;
    if (player->folder) session->interp.directory = player->folder;
    session->script = player->name; /* its pictures are numbered on from cell to cell */
    bool ok = session_run_text(session, "", text, length, err);
    session->script = script;
    session->interp.directory = before;
    return ok;
}

/* Runs a cell in sight. Its error is reported, goes to `problem`, and ends nothing but by Ctrl-C.
 */
static bool run_cell(Player *player, int index, Error *problem, Error *err) {
    const Cell *cell = player->document->cells[index];
    if (run_text(player, cell->code, strlen(cell->code), problem)) return true;
    if (problem->kind == ERR_INTERRUPT && err) *err = *problem;
    if (problem->kind == ERR_INTERRUPT) return false;
    player->report(player->session, problem, NULL);
    return true;
}

/* The host of what runs unseen: it keeps nothing that is shown, draws no picture, and asks nothing.
 * It answers as a person's would, since the bench follows assignments only at a prompt. */
static void begin_unseen(Player *player, Recorder *unseen, Host **host) {
    Session *session = player->session;
    recorder_init(unseen);
    *host = session->interp.host;
    unseen->host.interactive = (*host)->interactive;
    session->interp.host = &unseen->host;
    session->interp.rehearses = true;
}

static void end_unseen(Player *player, Recorder *unseen, Host *host) {
    player->session->interp.host = host;
    player->session->interp.rehearses = false;
    recorder_release(unseen);
}

/* Runs a text that nobody watches. An error of it goes to `problem` (or NULL), and does not end
 * anything; only Ctrl-C does. */
static bool run_unseen(Player *player, const char *text, Error *problem, Error *err) {
    Error ignored = {.kind = ERR_NONE};
    if (!problem) problem = &ignored;
    Recorder unseen;
    Host *host;
    begin_unseen(player, &unseen, &host);
    bool ok = run_text(player, text, strlen(text), problem);
    end_unseen(player, &unseen, host);
    if (ok || problem->kind != ERR_INTERRUPT) return true;
    if (err) *err = *problem;
    return false;
}

static bool run_solution(Player *player, int exercise, Error *err) {
    int solution = document_part(player->document, exercise, CELL_SOLUTION, exercise);
    return solution < 0 || run_unseen(player, player->document->cells[solution]->code, NULL, err);
}

/* Makes the session as it is where the lesson begins. What the person has set for the screen, or
 * for the whole program, stays. */
static bool run_beginning(Player *player, Error *err) {
    static const char *const kept[] = {"language", "color", "palette", "threads", "terminal"};
    Text text = TEXT_EMPTY;
    text_string(&text, "reset all\n");
    for (const SettingDef *row = setting_table; row->name; row++)
        text_format(&text, "unset %s\n", row->name);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        text_format(&text, "set %s ", kept[i]);
        setting_write(setting_find(kept[i]), &player->session->bench.settings, &text);
        text_char(&text, '\n');
    }
    bool ok = text_ok(&text, err) && run_unseen(player, text.data, NULL, err);
    player->session->undo.held = player->session->undo.done;
    text_release(&text);
    return ok;
}

/* How long the events ran when they ran first. */
static double seconds_of_events(const Progress *progress) {
    double seconds = 0;
    for (size_t i = 0; i < progress->event_count; i++) seconds += progress->events[i].seconds;
    return seconds;
}

/* Does again what the events say. */
static bool replay(Player *player, Error *err) {
    enum { SECONDS_SAID = 2 }; /* who waits as long is told of it */
    const Progress *progress = &player->progress;
    Host *host = player->session->interp.host;
    double all = seconds_of_events(progress), done = 0;
    if (all >= SECONDS_SAID && !say(player, err, WORD_BRINGS_BACK, (int)(all + 0.5))) return false;
    bool ok = run_beginning(player, err);
    player->guess = -1;
    bool said = false;
    for (size_t i = 0; ok && i < progress->event_count; i++) {
        const Event *event = &progress->events[i];
        Error problem = {.kind = ERR_NONE};
        if (all >= SECONDS_SAID) host_progress(host, "", done / all * 0.99);
        done += event->seconds;
        bool known = event->number < player->document->cell_count;
        if (event->kind == EVENT_LINE) ok = run_unseen(player, event->text, &problem, err);
        /* It ran when it was typed: a file that it reads may be gone. */
        if (ok && problem.kind && !said)
            said = ok = say(player, err, WORD_NOT_BROUGHT_BACK, (int)strcspn(event->text, "\n"),
                            event->text, problem.message);
        if (event->kind == EVENT_CELL && known)
            ok = run_unseen(player, player->document->cells[event->number]->code, &problem, err);
        if (event->kind == EVENT_SOLUTION && known) ok = run_solution(player, event->number, err);
        if (event->kind == EVENT_CELL) player->guess = -1;
        if (event->kind != EVENT_GUESS || !known) continue;
        mem_free(player->guessed);
        player->guessed = mem_string(event->text, strlen(event->text), err);
        ok = player->guessed != NULL;
        player->guess = event->number;
    }
    if (all >= SECONDS_SAID) host_progress(host, "", 1);
    return ok;
}

/* ---- screens ---- */

static size_t lines_of(const Text *text) {
    size_t lines = 0;
    for (size_t i = 0; i < text->length; i++) lines += text->data[i] == '\n';
    return lines;
}

/* Appends a line of the program's own words, bold where there is colour. */
static void write_words(Player *player, Text *out, WordId words, ...) {
    const Host *host = player->session->interp.host;
    bool bold = host->color != COLOR_NONE;
    Text line = TEXT_EMPTY;
    va_list arguments;
    va_start(arguments, words);
    text_vformat(&line, word_in(player->language, words), arguments);
    va_end(arguments);
    if (bold) text_string(out, "\033[1m");
    utf8_wrap_lines(out, &line, (size_t)host->columns);
    text_string(out, bold ? "\033[22m\n" : "\n");
}

/* The prose within a cell: a task, a question. */
static void write_parts(Player *player, Text *out, const Cell *cell) {
    for (const DocNode *part = cell->node->first; part; part = part->next)
        prose_write(out, player->session->interp.host, part);
}

/* Appends the words of an option, and its reason where that is wanted in their place. */
static void write_option(Text *out, const DocNode *item, bool reason) {
    Text words = TEXT_EMPTY;
    prose_plain(&words, item);
    const char *dashes = strstr(words.data, " -- ");
    if (reason) text_string(out, dashes ? dashes + 4 : "");
    else text_bytes(out, words.data, dashes ? (size_t)(dashes - words.data) : words.length);
    text_release_for(&words, out);
}

/* The option of that number; NULL: there are fewer. */
static const DocNode *option_at(const Cell *cell, int number) {
    for (const DocNode *node = cell->node->first; node; node = document_next(node, cell->node))
        if (node->kind == DOC_ITEM && node->task && number-- == 0) return node;
    return NULL;
}

static void write_choice(Player *player, Text *out, const Cell *cell) {
    const Host *host = player->session->interp.host;
    for (const DocNode *part = cell->node->first; part; part = part->next)
        if (part->kind != DOC_LIST) prose_write(out, host, part);
    const DocNode *option;
    for (int i = 0; (option = option_at(cell, i)); i++) {
        Text line = TEXT_EMPTY, lines = TEXT_EMPTY;
        write_option(&line, option, false);
        utf8_wrap_lines(&lines, &line, host->columns > 14 ? (size_t)host->columns - 4 : 10);
        for (size_t at = 0; at < lines.length;) {
            bool first = at == 0;
            TextLine part = text_line(&lines, &at);
            if (first) text_format(out, " %c) ", 'a' + i);
            else text_string(out, "    ");
            text_bytes(out, part.bytes, part.length);
            text_char(out, '\n');
        }
        text_release_for(&lines, out);
    }
    text_char(out, '\n');
}

/* Appends a cell at which a screen stops. False: it is none of those. */
static bool write_cell(Player *player, Text *out, const DocNode *block) {
    const Cell *cell = block->cell;
    const Document *document = player->document;
    int index = cell_index(document, cell), all = count_exercises(document, -1),
        number = count_exercises(document, index);
    switch (cell->kind) {
    case CELL_RUN:
    case CELL_ERROR:
        prose_write(out, player->session->interp.host, block);
        player->stop = STOP_CELL;
        break;
    case CELL_PREDICT:
        write_words(player, out, WORD_PREDICTION);
        write_parts(player, out, cell);
        player->stop = STOP_GUESS;
        break;
    case CELL_EXERCISE:
        if (cell->further) write_words(player, out, WORD_EXERCISE_FURTHER, cell->id);
        else write_words(player, out, WORD_EXERCISE_OF, number, all, cell->id);
        write_parts(player, out, cell);
        player->stop = STOP_EXERCISE;
        break;
    case CELL_CHOICE:
        if (cell->further) write_words(player, out, WORD_CHOICE_FURTHER, cell->id);
        else write_words(player, out, WORD_CHOICE_OF, number, all, cell->id);
        write_choice(player, out, cell);
        player->stop = STOP_CHOICE;
        break;
    case CELL_OPEN:
        write_words(player, out, WORD_OPEN);
        write_parts(player, out, cell);
        player->stop = STOP_OPEN;
        break;
    default: return false;
    }
    player->cell = index;
    return true;
}

/* A heading goes to the next screen with what it stands over. */
static bool is_heading(const Player *player, int block) {
    return block < player->block_count && player->blocks[block]->kind == DOC_HEADING;
}

/* Shows what stands at a stop beside the document's own words. */
static bool show_stop(Player *player, Error *err) {
    const Cell *cell = current(player);
    if (cell && cell_is_exercise(cell)) {
        bool choice = player->stop == STOP_CHOICE;
        if (is_done(player, cell))
            return say(player, err, choice ? WORD_ANSWERED_BEFORE : WORD_SOLVED_BEFORE);
        if (choice) return say(player, err, WORD_HOW_CHOICE);
        WordId how = player->explained ? WORD_HOW_EXERCISE_AGAIN : WORD_HOW_EXERCISE;
        player->explained = true;
        return say(player, err, how);
    }
    if (player->stop == STOP_OPEN) return say(player, err, WORD_HOW_OPEN);
    if (player->stop != STOP_END) return true;

    const Document *document = player->document;
    Text open = TEXT_EMPTY;
    int all = count_exercises(document, -1);
    bool ok = all == 0 || say(player, err, WORD_FINISHED, count_solved(player), all);
    for (int i = 0; i < document->cell_count; i++) {
        const Cell *exercise = document->cells[i];
        if (!cell_counts(exercise) || is_done(player, exercise)) continue;
        text_format(&open, "%s%s", open.length ? ", " : "", exercise->id);
    }
    if (ok && open.length) ok = say(player, err, WORD_LEFT_OPEN, open.data);
    text_release(&open);
    CatalogEntry next;
    bool further = player->block < player->block_count;
    if (ok && catalog_after(player->name, player->language, &next)) {
        LessonHead head;
        lesson_head_read(next.source->text, &head);
        ok = say(player, err, further ? WORD_FURTHER_OR_NEXT : WORD_GOES_ON_WITH, next.number,
                 head.title.data);
        lesson_head_release(&head);
    } else if (ok && further) {
        ok = say(player, err, WORD_FURTHER_COMES);
    }
    return ok;
}

/* ---- presenting ---- */

enum { MARGIN_LEAST_COLUMNS = 60, MARGIN_SHARE = 10 };

/* The empty columns at each side of what is presented. */
static int margin_of(const Player *player) {
    int columns = player->session->interp.host->columns;
    return presents(player) && columns >= MARGIN_LEAST_COLUMNS ? columns / MARGIN_SHARE : 0;
}

static void write_indented(Text *out, Text *lines, int margin) {
    for (size_t at = 0; at < lines->length;) {
        TextLine line = text_line(lines, &at);
        if (line.length) text_repeat(out, ' ', (size_t)margin);
        text_bytes(out, line.bytes, line.length);
        text_char(out, '\n');
    }
    text_release_for(lines, out);
}

/* Appends the words of comments such as <!-- note: ask who has seen this -->. */
static void write_notes(Text *out, const DocNode *block) {
    static const char begin[] = "<!-- note:";
    Text html = TEXT_EMPTY;
    for (const DocNode *node = block; node; node = document_next(node, block))
        if (node->kind == DOC_HTML && node->length) text_bytes(&html, node->text, node->length);
    const char *note = strstr(html.data, begin), *end = note ? strstr(note, "-->") : NULL;
    if (end) {
        note += sizeof begin - 1;
        note += strspn(note, " \n");
        while (end > note && isspace((unsigned char)end[-1])) end--;
        text_bytes(out, note, (size_t)(end - note));
        text_char(out, '\n');
    }
    text_release_for(&html, out);
}

bool player_presents(const Player *player) { return player && presents(player); }

bool player_notes_path(Text *out) {
    if (!progress_folder(out)) return false;
    text_string(out, "/presenter-notes.txt");
    return !out->failed;
}

/* Puts the notes of a screen where attn present --notes shows them. */
static void put_notes(const Player *player) {
    Text path = TEXT_EMPTY, notes = TEXT_EMPTY;
    for (int b = player->screen; b < player->block; b++) write_notes(&notes, player->blocks[b]);
    bool known = !player->session->interp.safe && player_notes_path(&path);
    if (known && !notes.failed) {
        progress_make_folders(path.data);
        file_write(path.data, notes.data, notes.length, NULL); /* the talk goes on without them */
    }
    text_release(&path);
    text_release(&notes);
}

/* ---- a screen ---- */

/* Shows the screen that begins with a block, and stops there. */
static bool show_screen(Player *player, int first, Error *err) {
    Host *host = player->session->interp.host;
    enum { LEAST_ROOM = 5, ABOVE_USUAL = 2, NARROW = 60, END_LINES = 3 };
    size_t rows = host->rows > 8 ? (size_t)host->rows - 1 : LEAST_ROOM + ABOVE_USUAL, lines = 0;
    size_t above = presents(player) ? 0 : host->rows_written; /* since the person's line */
    bool ok = true, full = false;
    if (above < ABOVE_USUAL) above = ABOVE_USUAL;
    size_t room = rows > above + LEAST_ROOM ? rows - above : LEAST_ROOM;
    int margin = margin_of(player);
    if (presents(player) && host->clear) host->clear(host);
    player->screen = player->block = first;
    player->cell = -1;
    player->solved = false;
    player->stop = STOP_END;
    for (int b = first; ok && b < player->block_count; b++) {
        Text part = TEXT_EMPTY, text = TEXT_EMPTY;
        const DocNode *block = player->blocks[b];
        host->columns -= 2 * margin;
        bool stops = block->cell && write_cell(player, &part, block);
        if (!block->cell) prose_write(&part, host, block);
        host->columns += 2 * margin;
        write_indented(&text, &part, margin);
        size_t more = lines_of(&text);
        bool told = stops && (cell_is_exercise(block->cell) || player->stop == STOP_OPEN);
        bool further = b + 1 < player->block_count && document_is_further(player->blocks[b + 1]);
        bool ends = !stops && (b + 1 == player->block_count || (further && !presents(player)));
        if (told) more += host->columns < NARROW ? 2 : 1; /* what show_stop says */
        if (ends) more += END_LINES;
        /* What does not fit waits, with the heading above it. */
        full = lines > 0 && lines + more > room && text.length > 0;
        if (full) {
            player->stop = STOP_PAGE;
            player->cell = -1;
            player->block = b;
            text_release(&text);
            break;
        }
        lines += more;
        ok = host_write_text(host, &text, err);
        player->block = b + 1;
        if (stops || ends) break;
        bool follows =
            is_heading(player, b + 1) && (lines + 8 > room || (presents(player) && lines > 0));
        if (follows) {
            player->stop = STOP_PAGE;
            break;
        }
    }
    if (ok && player->stop == STOP_END) player->progress.finished = true;
    if (presents(player)) put_notes(player);
    return ok && (presents(player) || show_stop(player, err));
}

/* Goes on to the screen that begins with a block, and keeps that the person is there. */
static bool go_to(Player *player, int block, Error *err) {
    /* What a person sees to be done is kept already. */
    return note_event(player, EVENT_AT, block, NULL, err) && keep(player, err) &&
           show_screen(player, block, err);
}

/* ---- predictions ---- */

/* The value of an expression in the session, which it does not change; VALUE_UNSET: none. */
static Value value_of(Player *player, const char *expression) {
    Value value = VALUE_MISSING;
    Error unseen = {.kind = ERR_NONE};
    Recorder recorder;
    Host *host;
    begin_unseen(player, &recorder, &host);
    session_begin_trial(player->session);
    if (!interp_evaluate(&player->session->interp, expression, &value, &unseen))
        value = VALUE_MISSING;
    session_end_trial(player->session);
    end_unseen(player, &recorder, host);
    return value;
}

/* The number of a value of one number; nan for others. */
static double number_of(const Value *value) {
    if (value->kind == VALUE_NUMBER) return value->number;
    if (value->kind == VALUE_BOOL) return value->boolean;
    return NAN;
}

/* Puts the truth beside what was said. */
static bool reveal(Player *player, Error *err) {
    if (player->guess < 0) return true;
    const Cell *cell = player->document->cells[player->guess];
    Value truth = value_of(player, cell->answer);
    Text words = TEXT_EMPTY;
    player->guess = -1;
    if (truth.kind == VALUE_UNSET) return true;
    value_write(&words, &truth, player->session->interp.digits, false);
    bool ok = true;
    if (!player->guessed || !*player->guessed) {
        ok = say(player, err, WORD_TRUTH, words.data);
    } else {
        Value said = value_of(player, player->guessed);
        double wanted = number_of(&truth), number = number_of(&said);
        /* What should be 0 may be some 1e-16. */
        bool same = strcmp(player->guessed, words.data) == 0 ||
                    fabs(number - wanted) <= 1e-9 * fmax(1, fabs(wanted)),
             near = fabs(number - wanted) <= cell->within;
        if (same) ok = say(player, err, WORD_GUESS_RIGHT, player->guessed);
        else
            ok = say(player, err, near ? WORD_GUESS_NEAR : WORD_GUESS_WRONG, player->guessed,
                     words.data);
        value_release(&said);
    }
    value_release(&truth);
    text_release(&words);
    return ok;
}

static bool take_guess(Player *player, const char *line, size_t length, Error *err) {
    Text words = TEXT_EMPTY;
    if (typed_is_arithmetic(line, length)) text_bytes(&words, line, length);
    else if (!typed_number(&words, line, length)) return say(player, err, WORD_HOW_GUESS);
    char *guessed = text_take(&words, err);
    if (!guessed) return false;
    Value said = length ? value_of(player, guessed) : VALUE_MISSING;
    bool number = length == 0 || !isnan(number_of(&said));
    value_release(&said);
    if (!number) {
        mem_free(guessed);
        return say(player, err, WORD_HOW_GUESS);
    }
    mem_free(player->guessed);
    player->guessed = guessed;
    player->guess = player->cell;
    return note_event(player, EVENT_GUESS, player->cell, guessed, err) &&
           (length == 0 ||
            (say(player, err, WORD_GUESS_NOTED, guessed) && leave_line(player, err))) &&
           go_to(player, player->block, err);
}

/* ---- exercises ---- */

static int write_causes(Player *player, Text *out, const Error *problem, bool functions) {
    return causes_write(out, player->session, player->document, &player->progress, player->language,
                        problem, functions);
}

/* Keeps that the exercise is solved, or that the choice was missed, and says so. */
static bool announce(Player *player, ExerciseState state, Error *err) {
    const Cell *cell = current(player);
    bool solved = state == EXERCISE_SOLVED;
    player->solved = true;
    if (!note_state(player, state, err) || !keep(player, err)) return false;
    if (cell->further)
        return say(player, err, solved ? WORD_SOLVED_FURTHER : WORD_MISSED_FURTHER, cell->id);
    return say(player, err, solved ? WORD_SOLVED : WORD_MISSED, cell->id, count_solved(player),
               count_exercises(player->document, -1));
}

/* The name that an error says is not defined, or is no more than a command's. */
static bool is_missing_name(const Error *err, Text *name) {
    const char *end = strstr(err->message, " is not defined");
    if (!end) end = strstr(err->message, " is a command, not a function");
    if (err->kind != ERR_NAME || !end) return false;
    text_bytes(name, err->message, (size_t)(end - err->message));
    return true;
}

/* Appends an error in which a check ended. own: it came up in what the person has made. A value of
 * the wrong kind says more than what the check could not do with it. */
static void write_failure(Player *player, Text *out, const Error *problem, bool own) {
    Text causes = TEXT_EMPTY;
    int count = own ? 0 : write_causes(player, &causes, problem, false);
    if (count && problem->kind == ERR_TYPE) {
        text_format(out, word_in(player->language, WORD_WRONG_KIND), causes.data);
        text_release_for(&causes, out);
        return;
    }
    text_format(out, "%s error: %s", error_kind_word(problem->kind), problem->message);
    if (*problem->hint)
        text_format(out, "%s %s", islower((unsigned char)*problem->hint) ? ";" : ".",
                    problem->hint);
    if (count) text_format(out, " (%s)", causes.data);
    else if (!own && strstr(problem->message, "not None"))
        text_format(out, " %s", word_in(player->language, WORD_RETURNS_NOTHING));
    text_release_for(&causes, out);
}

/* What a check calls may never end, and then it is stopped by Ctrl-C. */
static bool say_stopped(Player *player, Error *err) {
    interrupt_flag = 0;
    player->stuck = player->session->undo.done;
    return leave_line(player, err) && say(player, err, WORD_CHECK_STOPPED);
}

/* Says what the checks find. */
static bool check_now(Player *player, Error *err) {
    Error problem = {.kind = ERR_NONE};
    if (exercise_passes(player->session, player->document, player->cell, &problem))
        return announce(player, EXERCISE_SOLVED, err);
    if (problem.kind == ERR_INTERRUPT) return say_stopped(player, err);
    ExerciseRecord *record = progress_record(&player->progress, current(player)->id, err);
    if (!record) return false;
    record->attempts++;
    Text text = TEXT_EMPTY;
    bool own = strcmp(problem.file, player->document->file) != 0,
         missing = !own && is_missing_name(&problem, &text);
    if (problem.kind == ERR_CHECK) text_string(&text, problem.message);
    else if (!missing) write_failure(player, &text, &problem, own);
    bool ok = say(player, err, missing ? WORD_NOT_THERE_YET : WORD_CHECK_FAILED, text.data);
    if (ok && own && problem.line > 0)
        ok = host_print(player->session->interp.host, err, "    %s\n",
                        problem.excerpt + strspn(problem.excerpt, " "));
    text_release(&text);
    return ok && keep(player, err);
}

/* Checks in silence; only a pass is said. What made a check run without end is not checked again
 * before something has changed. */
static bool check_silently(Player *player, Error *err) {
    Error problem = {.kind = ERR_NONE};
    if (player->solved || player->stuck == player->session->undo.done) return true;
    player->stuck = SIZE_MAX;
    if (exercise_passes(player->session, player->document, player->cell, &problem))
        return announce(player, EXERCISE_SOLVED, err);
    return problem.kind != ERR_INTERRUPT || say_stopped(player, err);
}

static bool show_hint(Player *player, Error *err) {
    const Document *document = player->document;
    int total = 0, wanted = -1, exercise = player->cell;
    ExerciseRecord *record = progress_record(&player->progress, current(player)->id, err);
    if (!record) return false;
    for (int i = exercise; (i = document_part(document, exercise, CELL_HINT, i)) >= 0;)
        if (total++ == record->hints) wanted = i;
    if (total == 0) return say(player, err, WORD_NO_HINT);
    if (wanted < 0) return say(player, err, WORD_NO_MORE_HINTS);
    record->hints++;
    Text text = TEXT_EMPTY;
    write_words(player, &text, WORD_HINT_OF, record->hints, total);
    write_parts(player, &text, document->cells[wanted]);
    return host_write_text(player->session->interp.host, &text, err) && keep(player, err);
}

static bool show_solution(Player *player, Error *err) {
    int solution = document_part(player->document, player->cell, CELL_SOLUTION, player->cell);
    if (solution < 0) return say(player, err, WORD_NO_SOLUTION);
    Text text = TEXT_EMPTY;
    prose_write(&text, player->session->interp.host, player->document->cells[solution]->node);
    if (say(player, err, WORD_ONE_SOLUTION) && leave_line(player, err))
        return host_write_text(player->session->interp.host, &text, err);
    text_release(&text);
    return false;
}

/* Goes on from where something is asked. What an exercise leaves to the rest of the lesson comes
 * from its solution, but not where it was solved in an earlier visit and the answer is still there.
 */
static bool skip(Player *player, Error *err) {
    bool exercise = player->stop == STOP_EXERCISE || player->stop == STOP_CHOICE;
    bool before = exercise && is_done(player, current(player));
    bool holds = before && exercise_passes(player->session, player->document, player->cell, NULL);
    if (exercise && !player->solved && !holds) {
        if (!run_solution(player, player->cell, err) ||
            !note_event(player, EVENT_SOLUTION, player->cell, NULL, err) ||
            !note_state(player, EXERCISE_SKIPPED, err))
            return false;
        if (player->stop == STOP_EXERCISE &&
            !(say(player, err, before ? WORD_SOLUTION_HOLDS : WORD_SKIPPED, current(player)->id) &&
              leave_line(player, err)))
            return false;
    }
    return go_to(player, player->block, err);
}

enum { OPTIONS_MAX = 26 };

static int count_options(const Cell *cell) {
    int count = 0;
    while (count < OPTIONS_MAX && option_at(cell, count)) count++;
    return count;
}

/* Reads the letters, or numbers, of options: one, or several where several are right. False: the
 * line holds something else. */
static bool read_choice(const Cell *cell, const char *line, size_t length,
                        bool chosen[OPTIONS_MAX]) {
    int count = count_options(cell);
    bool any = false;
    memset(chosen, false, OPTIONS_MAX * sizeof *chosen);
    for (size_t i = 0; i < length; i++) {
        int c = tolower((unsigned char)line[i]);
        if (strchr(" ,()", c)) continue;
        int number = c >= 'a' && c <= 'z' ? c - 'a' : c >= '1' && c <= '9' ? c - '1' : count;
        if (number >= count || chosen[number]) return false;
        any = chosen[number] = true;
    }
    return any;
}

static bool say_letters(Player *player, Error *err) {
    return say(player, err, WORD_NO_OPTION, 'a' + count_options(current(player)) - 1);
}

/* Says whether an option is right, and why. */
static bool say_reason(Player *player, int number, Error *err) {
    const DocNode *option = option_at(current(player), number);
    Text reason = TEXT_EMPTY;
    text_format(&reason, "%c) ", 'a' + number);
    write_option(&reason, option, true);
    bool ok =
        say(player, err, option->task == 'x' ? WORD_SAYS_RIGHT : WORD_SAYS_WRONG, reason.data);
    text_release(&reason);
    return ok;
}

/* The first answer counts. The reasons of all options follow it, those of what was chosen first. */
static bool take_choice(Player *player, const bool chosen[OPTIONS_MAX], Error *err) {
    const Cell *cell = current(player);
    int options = count_options(cell);
    bool right = true, ok = true;
    for (int i = 0; i < options; i++)
        right = right && chosen[i] == (option_at(cell, i)->task == 'x');
    for (int rest = 0; rest < 2; rest++)
        for (int i = 0; ok && i < options; i++)
            if (chosen[i] == !rest) ok = say_reason(player, i, err);
    if (!ok) return false;
    if (!is_done(player, cell))
        return announce(player, right ? EXERCISE_SOLVED : EXERCISE_MISSED, err);
    player->solved = true;
    return say(player, err, WORD_ANSWERED_BEFORE);
}

static bool take_answer(Player *player, const char *line, size_t length, Error *err) {
    bool text = utf8_check(line, length) == length;
    ExerciseRecord *record =
        text ? progress_record(&player->progress, current(player)->id, err) : NULL;
    if (text && !record) return false;
    if (text) {
        char *answer = mem_string(line, length, err);
        if (!answer) return false;
        mem_free(record->answer);
        record->answer = answer;
        if (!say(player, err, WORD_KEPT) || !leave_line(player, err)) return false;
    }
    return go_to(player, player->block, err);
}

/* ---- ways ---- */

enum { ROWS_BELOW = 10 }; /* of the screen: what the rest of the lesson gets below an output */

/* A cell of the lesson cannot go wrong but by what the person has changed. */
static bool say_failed(Player *player, const Error *problem, Error *err) {
    Text causes = TEXT_EMPTY, clause = TEXT_EMPTY;
    if (write_causes(player, &causes, problem, true)) text_format(&clause, " (%s)", causes.data);
    bool ok = say(player, err, WORD_CELL_FAILED, clause.data);
    text_release(&causes);
    text_release(&clause);
    return ok;
}

/* Runs the cell at which the screen stops, and goes on; also when it fails, where that is wanted.
 */
static bool pass_cell(Player *player, bool anyway, Error *err) {
    const Cell *cell = current(player);
    Host *host = player->session->interp.host;
    Error problem = {.kind = ERR_NONE};
    double began = seconds_now();
    if (!run_cell(player, player->cell, &problem, err)) return false;
    if (problem.kind && cell->kind == CELL_RUN && !presents(player) && !anyway)
        return say_failed(player, &problem, err);
    if (!note_event(player, EVENT_CELL, player->cell, NULL, err)) return false;
    note_seconds(player, began);
    if (!reveal(player, err)) return false;
    if (!presents(player) && host->rows_written + ROWS_BELOW <= (size_t)host->rows)
        return leave_line(player, err) && go_to(player, player->block, err);
    /* What the cell shows stays in sight: the next screen waits. */
    player->stop = STOP_PAGE;
    player->cell = -1;
    if (presents(player)) return true;
    player->screen = player->block;
    return note_event(player, EVENT_AT, player->block, NULL, err) && keep(player, err);
}

/* Shows what an exercise is solved by, and runs it; of a choice, which options are right and why.
 */
static bool present_answer(Player *player, Error *err) {
    bool ok = true;
    player->solved = true;
    for (int i = 0; ok && option_at(current(player), i); i++) ok = say_reason(player, i, err);
    if (!ok || player->stop == STOP_CHOICE) return ok;
    int solution = document_part(player->document, player->cell, CELL_SOLUTION, player->cell);
    if (solution < 0 || !show_solution(player, err)) return solution < 0;
    Error problem = {.kind = ERR_NONE};
    return run_cell(player, solution, &problem, err) &&
           note_event(player, EVENT_SOLUTION, player->cell, NULL, err);
}

static bool is_sure(Player *player, WordId question, const char *what, bool *yes, Error *err) {
    Host *host = player->session->interp.host;
    *yes = true;
    if (!host->ask) return true;
    Text text = TEXT_EMPTY;
    text_format(&text, word_in(player->language, question), what);
    bool ok = text_ok(&text, err) && host->ask(host, text.data, yes, err);
    text_release(&text);
    return ok;
}

/* Leaves the lesson, or goes on with the next one, as the person wants it. */
static bool end_lesson(Player *player, Error *err) {
    CatalogEntry next;
    bool goes_on = false, asks = !presents(player) && player->session->interp.host->ask &&
                                 catalog_after(player->name, player->language, &next);
    if (asks && !is_sure(player, WORD_GO_ON, "", &goes_on, err)) return false;
    player->ended = !goes_on;
    if (!goes_on) return true;
    mem_free(player->session->lesson);
    return (player->session->lesson = mem_string(next.id, strlen(next.id), err));
}

static bool enter(Player *player, Error *err) {
    switch (player->stop) {
    case STOP_PAGE:
        /* Behind a long output the screen is noted already, but not shown. */
        return player->screen == player->block ? show_screen(player, player->block, err)
                                               : go_to(player, player->block, err);
    case STOP_CELL: return pass_cell(player, false, err);
    case STOP_GUESS: return take_guess(player, "", 0, err);
    case STOP_OPEN: return go_to(player, player->block, err);
    case STOP_EXERCISE:
    case STOP_CHOICE: {
        bool done = player->solved || is_done(player, current(player));
        if (!done && presents(player)) return present_answer(player, err);
        if (!done)
            return say(player, err,
                       player->stop == STOP_CHOICE ? WORD_HOW_CHOICE : WORD_NOT_SOLVED);
        return skip(player, err);
    }
    case STOP_END:
        return player->block < player->block_count ? go_to(player, player->block, err)
                                                   : end_lesson(player, err);
    }
    return true;
}

/* Goes to the screen before this one, with the session as it was there; not to the cell behind a
 * guess, where the guess could not be made again. */
static bool back(Player *player, Error *err) {
    Progress *progress = &player->progress;
    const Event *events = progress->events;
    size_t i = progress->event_count;
    for (int screens = 0; i > 0; i--) {
        bool guessed = i > 1 && events[i - 2].kind == EVENT_GUESS;
        if (events[i - 1].kind == EVENT_AT && ++screens >= 2 && !guessed) break;
    }
    if (i == 0) return say(player, err, WORD_BEGINNING);
    int block = progress->events[i - 1].number;
    progress_cut(progress, i - 1);
    return replay(player, err) && say(player, err, WORD_WENT_BACK) && leave_line(player, err) &&
           go_to(player, block, err);
}

/* Runs unseen what stands between two blocks: cells, and the solutions of exercises. */
static bool pass_over(Player *player, int from, int to, Error *err) {
    Host *host = player->session->interp.host;
    for (int b = from; b < to; b++) {
        const Cell *cell = player->blocks[b]->cell;
        int index = cell ? cell_index(player->document, cell) : -1;
        double began = seconds_now();
        bool runs = cell && (cell->kind == CELL_RUN || cell->kind == CELL_ERROR),
             solves = cell && cell->kind == CELL_EXERCISE;
        if (!runs && !solves) continue;
        host_progress(host, "", (double)(b - from) / (to - from));
        bool ok =
            runs ? run_unseen(player, cell->code, NULL, err) : run_solution(player, index, err);
        if (!ok || !note_event(player, runs ? EVENT_CELL : EVENT_SOLUTION, index, NULL, err))
            return false;
        note_seconds(player, began);
    }
    host_progress(host, "", 1);
    return true;
}

/* Goes to an exercise by its name or number; "here": to the screen that is shown. Forwards what
 * lies between runs; else the lesson runs up to there from its beginning, without what the person
 * did. */
static bool go_to_exercise(Player *player, const char *target, Error *err) {
    const Document *document = player->document;
    int number = atoi(target), found = -1;
    for (int i = 0; found < 0 && i < document->cell_count; i++) {
        const Cell *cell = document->cells[i];
        bool named = strcmp(cell->id, target) == 0 ||
                     (cell_counts(cell) && count_exercises(document, i) == number);
        if (named && *cell->id) found = i;
    }
    bool here = found < 0 && strcmp(target, "here") == 0;
    if (found < 0 && !here) return say(player, err, WORD_NOWHERE, target);
    int block = here ? player->screen : block_of_cell(player, found), from = player->block;
    bool cell_waits = player->cell >= 0 && player->stop != STOP_GUESS && !player->solved;
    if (cell_waits) from--;
    if (here || block < from || player->cell == found) {
        progress_cut(&player->progress, 0);
        if (!run_beginning(player, err)) return false;
        from = 0;
    }
    player->guess = -1;
    return pass_over(player, from, block, err) && go_to(player, block, err);
}

static bool show_where(Player *player, Error *err) {
    const Document *document = player->document;
    Text text = TEXT_EMPTY, heading = TEXT_EMPTY;
    for (int b = 0; b < player->block && b < player->block_count; b++) {
        if (player->blocks[b]->kind != DOC_HEADING) continue;
        text_clear(&heading);
        prose_plain(&heading, player->blocks[b]);
    }
    write_words(player, &text, WORD_WHERE, count_steps(player, player->block),
                count_steps(player, player->block_count), heading.data);
    text_release_for(&heading, &text);
    for (int i = 0; i < document->cell_count; i++) {
        const Cell *cell = document->cells[i];
        if (!cell_is_exercise(cell)) continue;
        static const char *const marks[EXERCISE_STATES] = {"·", "-", "×", "✓"};
        text_format(&text, " %s ", marks[state_of(player, cell)]);
        if (cell->further) text_string(&text, "+");
        else text_format(&text, "%d", count_exercises(document, i));
        text_format(&text, " %s%s\n", cell->id, i == player->cell ? " ←" : "");
    }
    return host_write_text(player->session->interp.host, &text, err);
}

static bool forget_exercise(Player *player, Error *err) {
    bool yes;
    const char *id = current(player)->id;
    if (!is_sure(player, WORD_FORGET_EXERCISE, id, &yes, err)) return false;
    ExerciseRecord *record = yes ? progress_record(&player->progress, id, err) : NULL;
    if (!record) return !yes;
    record->state = EXERCISE_OPEN;
    record->attempts = record->hints = 0;
    player->solved = false;
    /* What it was solved by goes, too, or the next check would find it. */
    return progress_replace(&player->progress, err) && say(player, err, WORD_FORGOTTEN) &&
           leave_line(player, err) && go_to_exercise(player, "here", err);
}

static bool forget_lesson(Player *player, Error *err) {
    bool yes;
    if (!is_sure(player, WORD_FORGET_LESSON, "", &yes, err)) return false;
    if (!yes) return true;
    return progress_forget(&player->progress, err) && say(player, err, WORD_FORGOTTEN) &&
           player_begin(player, err);
}

static bool do_request(Player *player, PlayerRequest request, Error *err) {
    bool at_exercise = player->cell >= 0 && cell_is_exercise(current(player));
    bool wants_exercise = request == ASKS_HINT || request == ASKS_CHECK ||
                          request == ASKS_SOLUTION || request == ASKS_FORGET_EXERCISE;
    if (wants_exercise && !at_exercise) return say(player, err, WORD_NO_EXERCISE);
    switch (request) {
    case ASKS_TO_LEAVE: return player->ended = true;
    case ASKS_NOTHING: return true;
    case ASKS_NEXT: return enter(player, err);
    case ASKS_BACK: return back(player, err);
    case ASKS_AGAIN: return show_screen(player, player->screen, err);
    case ASKS_HINT: return show_hint(player, err);
    case ASKS_CHECK:
        if (player->stop == STOP_EXERCISE) return check_now(player, err);
        return say(player, err,
                   is_done(player, current(player)) ? WORD_ANSWERED_BEFORE : WORD_HOW_CHOICE);
    case ASKS_SOLUTION: return show_solution(player, err);
    case ASKS_SKIP:
        return player->stop == STOP_CELL ? pass_cell(player, true, err) : skip(player, err);
    case ASKS_GOTO: return go_to_exercise(player, player->target, err);
    case ASKS_WHERE: return show_where(player, err);
    case ASKS_FORGET_EXERCISE: return forget_exercise(player, err);
    case ASKS_FORGET_LESSON: return forget_lesson(player, err);
    }
    return true;
}

/* ---- for who reads the lines ---- */

bool player_ask(Player *player, PlayerRequest request, const char *where, Error *err) {
    if (player->session->interp.rehearses) return true;
    char *target = where ? mem_string(where, strlen(where), err) : NULL;
    if (where && !target) return false;
    mem_free(player->target);
    player->target = target;
    player->request = request;
    return true;
}

/* What a letter alone asks for while presenting, unless it is a variable. */
static PlayerRequest short_request(Player *player, char letter) {
    const char name[] = {letter, '\0'};
    const Symbol *symbol = interp_find(&player->session->interp, name);
    if (symbol && symbol->value.kind != VALUE_UNSET) return ASKS_NOTHING;
    switch (letter) {
    case 'b': return ASKS_BACK;
    case 'r': return ASKS_AGAIN;
    case 'w': return ASKS_WHERE;
    case 'q': return ASKS_TO_LEAVE;
    default: return ASKS_NOTHING;
    }
}

bool player_take(Player *player, const char *line, size_t length, bool *taken, Error *err) {
    while (length && isspace((unsigned char)line[length - 1])) length--;
    while (length && isspace((unsigned char)*line)) line++, length--;
    *taken = true;
    player->session->interp.host->rows_written = 0;
    player->typed_at = seconds_now();
    if (length == 0) return enter(player, err);
    PlayerRequest request =
        length == 1 && presents(player) ? short_request(player, *line) : ASKS_NOTHING;
    if (request != ASKS_NOTHING) return do_request(player, request, err);
    Text word = TEXT_EMPTY;
    size_t end = 0;
    while (end < length && !isspace((unsigned char)line[end])) end++;
    text_bytes(&word, line, end);
    bool command = session_command(player->session, word.data) != NULL;
    text_release(&word);
    bool chosen[OPTIONS_MAX];
    if (player->stop == STOP_GUESS && !command &&
        (typed_is_arithmetic(line, length) || typed_is_words(player->session, line, length)))
        return take_guess(player, line, length, err);
    if (player->stop == STOP_CHOICE && !player->solved && !command) {
        if (read_choice(current(player), line, length, chosen))
            return take_choice(player, chosen, err);
        if (typed_is_words(player->session, line, length)) return say_letters(player, err);
    }
    if (player->stop == STOP_OPEN && (!command || typed_is_sentence(player->session, line, length)))
        return take_answer(player, line, length, err);
    *taken = false;
    text_clear(&player->typed);
    player->session->transcript.lines = &player->typed;
    return true;
}

bool player_after(Player *player, bool ran, Error *err) {
    PlayerRequest request = player->request;
    player->request = ASKS_NOTHING;
    player->session->transcript.lines = NULL;
    if (player->typed.length || player->typed.failed) {
        if (!text_ok(&player->typed, err) ||
            !progress_add(&player->progress, EVENT_LINE, 0, player->typed.data,
                          player->typed.length - 1, err)) /* without its last newline */
            return false;
        note_seconds(player, player->typed_at);
        if (!keep(player, err)) return false;
    }
    if (request != ASKS_NOTHING) return !ran || do_request(player, request, err);
    bool checks = player->stop == STOP_EXERCISE && (ran || player->typed.length);
    return !checks || check_silently(player, err);
}

void player_write_prompt(const Player *player, Text *out) {
    static const WordId words[] = {[STOP_PAGE] = WORD_ENTER_GOES_ON, [STOP_CELL] = WORD_ENTER_RUNS,
                                   [STOP_GUESS] = WORD_YOUR_GUESS,   [STOP_EXERCISE] = WORDS,
                                   [STOP_CHOICE] = WORD_YOUR_CHOICE, [STOP_OPEN] = WORD_YOUR_ANSWER,
                                   [STOP_END] = WORD_THE_END};
    bool further = player->stop == STOP_END && player->block < player->block_count;
    WordId now = further                       ? WORD_FURTHER_ENTER
                 : !player->solved             ? words[player->stop]
                 : player->stop == STOP_CHOICE ? WORD_ANSWERED_ENTER
                                               : WORD_SOLVED_ENTER;
    if (presents(player)) {
        bool answers = player->stop == STOP_EXERCISE || player->stop == STOP_CHOICE;
        if (player->solved || now == WORD_YOUR_GUESS || now == WORD_YOUR_ANSWER)
            now = WORD_ENTER_GOES_ON;
        else if (answers) now = WORD_ENTER_ANSWERS;
        int seconds = (int)(time(NULL) - player->began);
        text_format(out, "[%d/%d %d:%02d %s] ", count_steps(player, player->block),
                    count_steps(player, player->block_count), seconds / 60, seconds % 60,
                    word_in(player->language, now));
        return;
    }
    text_format(out, "[%s] ", now == WORDS ? current(player)->id : word_in(player->language, now));
}

bool player_has_ended(const Player *player) { return player->ended; }

const char *player_exercise(const Player *player, int i) {
    for (int c = 0; c < player->document->cell_count; c++) {
        const Cell *cell = player->document->cells[c];
        if (cell_is_exercise(cell) && *cell->id && i-- == 0) return cell->id;
    }
    return NULL;
}

/* Opens the exercises again that are not what was solved; their names go to `again`. translated: it
 * is the lesson in another language, and all of it differs. */
static void reopen_changed(Player *player, bool translated, Text *again) {
    const Document *document = player->document;
    for (int i = 0; i < document->cell_count; i++) {
        const char *id = document->cells[i]->id;
        if (!cell_is_exercise(document->cells[i]) ||
            progress_state(&player->progress, id) == EXERCISE_OPEN)
            continue;
        ExerciseRecord *record = progress_record(&player->progress, id, NULL); /* it is there */
        unsigned long long now = hash_of_exercise(document, i);
        if (record->text && record->text != now && !translated) {
            record->state = EXERCISE_OPEN;
            text_format(again, "%s%s", again->length ? ", " : "", id);
        }
        record->text = now;
    }
}

/* The block at which a lesson goes on whose text has changed: at the last exercise that the person
 * has worked on, or behind it. */
static int block_after_change(const Player *player) {
    const Progress *progress = &player->progress;
    int block = 0;
    for (int b = 0; b < player->block_count; b++) {
        const Cell *cell = player->blocks[b]->cell;
        for (size_t i = 0; cell && cell_is_exercise(cell) && i < progress->record_count; i++)
            if (strcmp(progress->records[i].id, cell->id) == 0)
                block = b + (progress->records[i].state != EXERCISE_OPEN);
    }
    return block;
}

/* Begins the lesson as it now is where the person stood in the one that was. */
static bool begin_changed(Player *player, bool translated, Error *err) {
    Progress *progress = &player->progress;
    Text again = TEXT_EMPTY;
    progress_cut(progress, 0);
    reopen_changed(player, translated, &again);
    int block = block_after_change(player);
    bool ok = run_beginning(player, err) && pass_over(player, 0, block, err);
    if (ok && again.length) ok = say(player, err, WORD_CHANGED_AGAIN, again.data);
    else if (ok) ok = say(player, err, translated ? WORD_RESUMED : WORD_CHANGED);
    text_release(&again);
    return ok && keep_by(player, progress_replace, err) && leave_line(player, err) &&
           go_to(player, block, err);
}

bool player_begin(Player *player, Error *err) {
    Progress *progress = &player->progress;
    const Document *document = player->document;
    unsigned long long hash = random_hash(document->source, document->length, 0);
    const char *language =
        language_codes[language_from_name(player->session->bench.settings.language)];
    int block = 0;
    player->session->interp.host->rows_written = 0;
    bool changed = progress->event_count > 0 && progress->hash != hash,
         translated = strcmp(progress->language, language) != 0;
    progress->hash = hash;
    memcpy(progress->language, language, 3);
    if (changed) return begin_changed(player, translated, err);
    size_t i = progress->event_count;
    while (i > 0 && progress->events[i - 1].kind != EVENT_AT) i--;
    if (i > 0) block = progress->events[i - 1].number;
    bool ok = replay(player, err);
    if (presents(player))
        return ok && note_event(player, EVENT_AT, 0, NULL, err) && show_screen(player, 0, err);
    if (ok && i > 0) ok = say(player, err, WORD_RESUMED);
    else if (ok)
        ok = say(player, err, WORD_FIRST_STEPS) && note_event(player, EVENT_AT, 0, NULL, err);
    return ok && leave_line(player, err) && show_screen(player, block, err) && keep(player, err);
}

Player *player_new(Session *session, Document *document, const char *name, const char *folder,
                   PlayerMode mode, ReportError *report, Error *err) {
    Player *player = mem_zeroed(1, sizeof *player, err);
    if (!player) {
        document_free(document);
        return NULL;
    }
    *player = (Player){.session = session,
                       .document = document,
                       .report = report,
                       .mode = mode,
                       .began = time(NULL),
                       .cell = -1,
                       .guess = -1,
                       .stuck = SIZE_MAX,
                       .typed = TEXT_KEPT,
                       .language = language_from_name(session->bench.settings.language)};
    session->undo.outside = session->undo.held = session->undo.done;
    for (const DocNode *node = document->root->first; node; node = node->next)
        player->block_count++;
    player->blocks = mem_zeroed((size_t)player->block_count + 1, sizeof *player->blocks, err);
    player->name = mem_string(name, strlen(name), err);
    player->folder = folder ? mem_string(folder, strlen(folder), err) : NULL;
    if (!player->blocks || !player->name || (folder && !player->folder)) {
        player_free(player);
        return NULL;
    }
    int count = 0;
    for (const DocNode *node = document->root->first; node; node = node->next)
        player->blocks[count++] = node;
    if (mode == PLAYER_PRESENTS) return player;
    Error problem = {.kind = ERR_NONE};
    if (!progress_open(&player->progress, name, mode == PLAYER_KEEPS, &problem)) {
        player->unkept = true;
        say(player, NULL, WORD_PROGRESS_LOST, problem.message);
    } else if (!player->progress.path) {
        say(player, NULL, WORD_PROGRESS_LOST, mode == PLAYER_KEEPS ? "HOME is not set" : "--safe");
    }
    return player;
}

void player_free(Player *player) {
    if (!player) return;
    Undo *undo = &player->session->undo;
    undo->held = 0;
    while (undo->done > undo->outside && undo_back(player->session)) continue;
    undo->outside = 0;
    player->session->transcript.lines = NULL;
    text_release(&player->typed);
    progress_release(&player->progress);
    document_free(player->document);
    mem_free((void *)player->blocks);
    mem_free(player->name);
    mem_free(player->folder);
    mem_free(player->guessed);
    mem_free(player->target);
    mem_free(player);
}
