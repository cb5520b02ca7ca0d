/* Shows the screens of a lesson. */
#include "notebook/player_state.h"

#include "base/size.h"
#include "base/translate.h"
#include "base/utf8.h"
#include "io/file.h"
#include "notebook/catalog.h"
#include "notebook/prose.h"

#include <ctype.h>
#include <string.h>

/* ---- saying ---- */

static void write_said(Player *player, Text *out, const char *words, va_list arguments) {
    Text line = TEXT_EMPTY;
    text_vformat(&line, tr_in(player->language, words), arguments);
    text_char(&line, '\n');
    utf8_wrap_lines(out, &line, (size_t)player->session->interp.host->columns);
}

bool player_say(Player *player, Error *err, const char *words, ...) {
    Text lines = TEXT_EMPTY;
    va_list arguments;
    va_start(arguments, words);
    write_said(player, &lines, words, arguments);
    va_end(arguments);
    return host_write_text(player->session->interp.host, &lines, err);
}

bool player_say_unkept(Player *player, Error *err, const char *why) {
    LocalText words = TEXT_EMPTY;
    tr_write(&words, why);
    return player_say(player, err, "(progress is not kept: %s)", words.data);
}

bool player_leave_line(Player *player, Error *err) {
    return host_print(player->session->interp.host, err, "\n");
}

void player_write_heading(Player *player, Text *out, const char *words, ...) {
    bool bold = player->session->interp.host->color != COLOR_NONE;
    va_list arguments;
    va_start(arguments, words);
    if (bold) text_string(out, "\033[1m");
    write_said(player, out, words, arguments);
    text_string(out, bold ? "\033[22m\n" : "\n");
    va_end(arguments);
}

/* ---- how far the person is ---- */

ExerciseState player_state(const Player *player, const Cell *cell) {
    return progress_state(&player->progress, cell->id);
}

bool player_is_done(const Player *player, const Cell *cell) {
    return player_state(player, cell) >= EXERCISE_MISSED;
}

int player_count_solved(const Player *player) {
    int count = 0;
    for (const Cell *cell = player->document->cells; cell; cell = cell->next)
        count += cell_counts(cell) && player_state(player, cell) == EXERCISE_SOLVED;
    return count;
}

/* ---- what a screen stops at ---- */

void player_write_parts(Player *player, Text *out, const Cell *cell) {
    for (const DocNode *part = cell->node->first; part; part = part->next)
        prose_write(out, player->session->interp.host, part);
}

/* Appends a question with its options, lettered, one below the other. */
static void write_choice(Player *player, Text *out, const Cell *cell) {
    const Host *host = player->session->interp.host;
    for (const DocNode *part = cell->node->first; part; part = part->next)
        if (part->kind != DOC_LIST) prose_write(out, host, part);
    const DocNode *option;
    for (int i = 0; (option = document_option(cell, i)); i++) {
        Text line = TEXT_EMPTY, lines = TEXT_EMPTY;
        char letter[] = {' ', (char)('a' + i), ')', ' ', '\0'};
        prose_option(option, &line, NULL);
        utf8_wrap_lines(&lines, &line, host->columns > 14 ? (size_t)host->columns - 4 : 10);
        prose_write_behind(out, &lines, letter, NULL);
    }
    text_char(out, '\n');
}

/* Appends a cell at which a screen stops. False: it is none of those. */
static bool write_cell(Player *player, Text *out, const DocNode *block) {
    const Cell *cell = block->cell;
    const Document *document = player->document;
    int all = document_exercise_count(document, NULL),
        number = document_exercise_count(document, cell);
    switch (cell->kind) {
    case CELL_RUN:
    case CELL_ERROR:
        if (player->mode != PLAYER_SHOWS) prose_write(out, player->session->interp.host, block);
        player->stop = STOP_CELL;
        break;
    case CELL_PREDICT:
        player_write_heading(player, out, "Predict first");
        player_write_parts(player, out, cell);
        player->stop = STOP_GUESS;
        break;
    case CELL_EXERCISE:
        if (cell->further) player_write_heading(player, out, "Further exercise: %s", cell->id);
        else player_write_heading(player, out, "Exercise %d of %d: %s", number, all, cell->id);
        player_write_parts(player, out, cell);
        player->stop = STOP_EXERCISE;
        break;
    case CELL_CHOICE:
        if (cell->further) player_write_heading(player, out, "Further question: %s", cell->id);
        else player_write_heading(player, out, "Question %d of %d: %s", number, all, cell->id);
        write_choice(player, out, cell);
        player->stop = STOP_CHOICE;
        break;
    case CELL_OPEN:
        player_write_heading(player, out, "To think about");
        player_write_parts(player, out, cell);
        player->stop = STOP_OPEN;
        break;
    default: return false;
    }
    player->cell = cell;
    return true;
}

bool player_show_stop(Player *player, Error *err) {
    const Cell *cell = player->cell;
    if (cell && cell_is_exercise(cell)) {
        bool choice = player->stop == STOP_CHOICE;
        if (player_is_done(player, cell))
            return player_say(player, err,
                              choice ? "(answered before; Enter goes on)"
                                     : "(solved before; Enter goes on)");
        if (choice) return player_say(player, err, "(type a letter; the first answer counts)");
        if (player->explained) return player_say(player, err, "(check, hint, solution, skip)");
        player->explained = true;
        return player_say(player, err,
                          "(type what solves it; check, hint, solution and skip help)");
    }
    if (player->stop == STOP_OPEN)
        return player_say(player, err, "(write a line, it is kept; Enter alone goes on)");
    if (player->stop != STOP_END) return true;

    const Document *document = player->document;
    LocalText open = TEXT_EMPTY;
    int all = document_exercise_count(document, NULL);
    bool ok = all == 0 || player_say(player, err, "The end of the lesson: %d of %d solved.",
                                     player_count_solved(player), all);
    for (cell = document->cells; cell; cell = cell->next) {
        if (!cell_counts(cell) || player_is_done(player, cell)) continue;
        text_format(&open, "%s%s", open.length ? tr_in(player->language, ", ") : "", cell->id);
    }
    if (ok && open.length)
        ok = player_say(player, err, "Still open: %s (goto NAME leads there)", open.data);
    CatalogEntry next;
    bool further = player->block < player->block_count;
    if (ok && catalog_after(player->name, player->language, &next)) {
        LocalLessonHead head;
        lesson_head_read(next.source->text, &head);
        ok = player_say(player, err,
                        further ? "Enter leads to further exercises, which do not count; lesson %d "
                                  "to the next lesson: %s"
                                : "Enter leads on to lesson %d: %s",
                        next.number, head.title.data);
    } else if (ok && further) {
        ok = player_say(player, err, "Enter leads to further exercises, which do not count.");
    }
    return ok;
}

/* ---- presenting ---- */

bool player_notes_path(Text *out) {
    return path_state(out, "lessons/presenter-notes.txt") && !out->failed;
}

/* Puts the notes of a screen where attn present --notes shows them: the words of comments such as
 * <!-- note: ask who has seen this -->. */
static void put_notes(const Player *player) {
    static const char begin[] = "<!-- note:";
    LocalText path = TEXT_EMPTY, notes = TEXT_EMPTY;
    for (int b = player->screen; b < player->block; b++) {
        const DocNode *block = player->blocks[b];
        LocalText html = TEXT_FOR(&notes);
        for (const DocNode *node = block; node; node = document_next(node, block))
            if (node->kind == DOC_HTML && node->length) text_bytes(&html, node->text, node->length);
        const char *note = strstr(html.data, begin), *end = note ? strstr(note, "-->") : NULL;
        if (!end) continue;
        note += strlen(begin);
        note += strspn(note, " \n");
        while (end > note && isspace((unsigned char)end[-1])) end--;
        text_bytes(&notes, note, (size_t)(end - note));
        text_char(&notes, '\n');
    }
    bool known = !player->session->interp.safe && player_notes_path(&path);
    if (known && !notes.failed) {
        path_make_folders(path.data);
        file_write(path.data, notes.data, notes.length, NULL); /* the talk goes on without them */
    }
}

/* ---- a screen ---- */

bool player_show_screen(Player *player, int first, Error *err) {
    Host *host = player->session->interp.host;
    bool presents = player_presents(player);
    enum { LEAST_ROOM = 5, ABOVE_USUAL = 2, NARROW = 60, END_LINES = 3, MARGIN_SHARE = 10 };
    size_t rows = host->rows > 8 ? (size_t)host->rows - 1 : LEAST_ROOM + ABOVE_USUAL, lines = 0;
    /* The rows written since the person's line. */
    size_t above = larger(presents ? 0 : host->rows_written, ABOVE_USUAL);
    bool ok = true, full = false;
    size_t room = larger(left_of(rows, above), LEAST_ROOM);
    /* The empty columns at each side of what is presented. */
    int margin = presents && host->columns >= NARROW ? host->columns / MARGIN_SHARE : 0;
    LocalText indent = TEXT_EMPTY;
    text_repeat(&indent, ' ', (size_t)margin);
    if (presents && host->clear) host->clear(host);
    player->screen = player->block = first;
    player->cell = NULL;
    player->solved = false;
    player->stop = STOP_END;
    for (int b = first; ok && b < player->block_count; b++) {
        LocalText part = TEXT_EMPTY, text = TEXT_EMPTY;
        const DocNode *block = player->blocks[b];
        host->columns -= 2 * margin;
        bool stops = block->cell && write_cell(player, &part, block);
        if (!block->cell) prose_write(&part, host, block);
        host->columns += 2 * margin;
        prose_write_behind(&text, &part, indent.data, indent.data);
        size_t more = text_lines(&text);
        bool told = stops && (cell_is_exercise(block->cell) || player->stop == STOP_OPEN);
        bool further = b + 1 < player->block_count && document_is_further(player->blocks[b + 1]);
        bool ends = !stops && (b + 1 == player->block_count || (further && !presents));
        if (told) more += host->columns < NARROW ? 2 : 1; /* what player_show_stop says */
        if (ends) more += END_LINES;
        /* A block that does not fit waits, with the heading above it. */
        full = lines > 0 && lines + more > room && text.length > 0;
        if (full) {
            player->stop = STOP_PAGE;
            player->cell = NULL;
            player->block = b;
            break;
        }
        lines += more;
        ok = host_write_text(host, &text, err);
        player->block = b + 1;
        if (stops || ends) break;
        /* A heading goes to the next screen with what it stands over. */
        bool heading = b + 1 < player->block_count && player->blocks[b + 1]->kind == DOC_HEADING;
        if (heading && (lines + 8 > room || (presents && lines > 0))) {
            player->stop = STOP_PAGE;
            break;
        }
    }
    if (ok && player->stop == STOP_END) player->progress.finished = true;
    if (presents) put_notes(player);
    return ok && (presents || player_show_stop(player, err));
}

bool player_go_to(Player *player, int block, Error *err) {
    /* The progress is kept before the person sees it. */
    bool ok = player_note(player, EVENT_AT, block, NULL, err) && player_keep(player, err) &&
              player_show_screen(player, block, err);
    bool runs = ok && player->mode == PLAYER_SHOWS && player->stop == STOP_CELL;
    return runs ? player_pass_cell(player, false, err) : ok;
}
