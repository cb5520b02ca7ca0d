#include "notebook/document.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/size.h"
#include "base/text.h"
#include "base/translate.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* How a kind of cell is written behind `attn`, what its text is, and what it is called. */
static const struct {
    const char *word;
    bool is_prose;    /* Markdown for the reader; else code that runs */
    bool is_exercise; /* what follows belongs to it */
    bool is_part;     /* belongs to the exercise before it */
    const char *title;
} kinds[] = {
    [CELL_RUN] = {"", false, false, false, NULL},
    [CELL_ERROR] = {"error", false, false, false, NULL},
    [CELL_PREDICT] = {"predict", true, false, false, N_("Predict first")},
    [CELL_EXERCISE] = {"exercise", true, true, false, N_("Exercise")},
    [CELL_CHOICE] = {"choice", true, true, false, N_("Choose")},
    [CELL_CHECK] = {"check", false, false, true, NULL},
    [CELL_HINT] = {"hint", true, false, true, NULL},
    [CELL_SOLUTION] = {"solution", false, false, true, NULL},
    [CELL_RIGHT] = {"right", false, false, true, NULL},
    [CELL_WRONG] = {"wrong", false, false, true, NULL},
    [CELL_OPEN] = {"open", true, false, false, N_("To think about")},
    [CELL_OUTPUT] = {"output", false, false, false, NULL},
};

const char *cell_kind_word(CellKind kind) { return kinds[kind].word; }
const char *cell_kind_title(CellKind kind) { return kinds[kind].title; }

bool cell_is_exercise(const Cell *cell) { return kinds[cell->kind].is_exercise; }
bool cell_counts(const Cell *cell) { return cell_is_exercise(cell) && !cell->further; }
bool cell_runs(const Cell *cell) { return cell->kind == CELL_RUN || cell->kind == CELL_ERROR; }

bool document_is_step(const DocNode *block) {
    return block->cell ? !kinds[block->cell->kind].is_part : block->kind != DOC_HTML;
}

bool document_is_further(const DocNode *node) {
    const DocNode *text = node->kind == DOC_HEADING ? node->first : NULL;
    if (!text || text->kind != DOC_TEXT || text->next) return false;
    for (Language language = 0; language_codes[language]; language++) {
        const char *word = tr_in(language, "Further");
        if (strlen(word) == text->length && memcmp(word, text->text, text->length) == 0)
            return true;
    }
    return false;
}

const Cell *document_cell(const Document *document, int index) {
    const Cell *cell = document->cells;
    while (cell && cell->index < index) cell = cell->next;
    return cell;
}

const Cell *cell_part(const Cell *cell, CellKind kind) {
    while ((cell = cell->next) && !cell_is_exercise(cell)) /* which has its own */
        if (cell->kind == kind) return cell;
    return NULL;
}

int cell_part_count(const Cell *exercise, CellKind kind) {
    int count = 0;
    for (const Cell *part = exercise; (part = cell_part(part, kind));) count++;
    return count;
}

const DocNode *document_option(const Cell *choice, int number) {
    const DocNode *root = choice->node;
    for (const DocNode *node = root->first; node; node = document_next(node, root))
        if (node->kind == DOC_ITEM && node->task && number-- == 0) return node;
    return NULL;
}

int document_exercise_count(const Document *document, const Cell *last) {
    int count = 0;
    for (const Cell *cell = document->cells; cell; cell = cell == last ? NULL : cell->next)
        count += cell_counts(cell);
    return count;
}

/* Sets the place of an error to a line of the document, from 1. */
static bool fail_at(const Document *document, size_t line, Error *err) {
    const char *source = document->source, *at = source, *end;
    for (size_t i = 1; i < line && (end = strchr(at, '\n')); i++) at = end + 1;
    error_place(err, document->file, source, document->length,
                line_around(source, document->length, (size_t)(at - source)));
    return false;
}

/* ---- cells ---- */

/* True for a block marked `attn`, with nothing or a blank behind it. */
static bool is_marked(const DocNode *node) {
    return node->kind == DOC_CODE && strncmp(node->detail, "attn", 4) == 0 &&
           strchr(" \t", node->detail[4]);
}

/* If the line of a prediction is `name: VALUE`, keeps the value. */
static bool read_field(Document *document, const char *line, size_t length, const char *name,
                       const char **value, Error *err) {
    size_t size = strlen(name);
    if (length < size || memcmp(line, name, size) != 0) return true;
    size_t blanks = smaller(strspn(line + size, " \t"), length - size); /* the line may end here */
    *value = arena_string(&document->arena, line + size + blanks, length - size - blanks, err);
    return *value != NULL;
}

/* Takes `answer:` and `within:` from the last lines of a prediction; *length is what is before
 * them, the question. */
static bool read_answer(Document *document, Cell *cell, size_t *length, Error *err) {
    const char *within = NULL;
    for (;;) {
        size_t end = trimmed_length(cell->code, *length, " \t\n"), begin = end;
        while (begin && cell->code[begin - 1] != '\n') begin--;
        const char *answer_before = cell->answer, *within_before = within;
        const char *line = cell->code + begin;
        if (!read_field(document, line, end - begin, "answer:", &cell->answer, err) ||
            !read_field(document, line, end - begin, "within:", &within, err))
            return false;
        if (cell->answer == answer_before && within == within_before) break;
        *length = begin;
    }
    if (!cell->answer || !*cell->answer) {
        error_set(err, ERR_SYNTAX, "the prediction has no answer");
        return error_hint(err, "its last line is `answer: EXPRESSION`");
    }
    char *rest = NULL;
    if (within) cell->within = strtod(within, &rest);
    if ((rest && *rest) || !(cell->within >= 0))
        return error_set(err, ERR_SYNTAX, "`within:` wants a number of 0 or more");
    return true;
}

static const char *skip_blanks(const char *at) { return at + strspn(at, " \t"); }

/* Makes the cell of a marked block: reads what follows `attn`, and its prose. */
static bool read_cell(Document *document, DocNode *node, Error *err) {
    Cell *cell = arena_alloc(&document->arena, sizeof *cell, err);
    if (!cell) return false;
    cell->id = "";
    const char *at = skip_blanks(node->detail + strlen("attn"));
    size_t length = strcspn(at, " \t{"), kind = 0;
    while (kind < sizeof kinds / sizeof *kinds &&
           !(strlen(kinds[kind].word) == length && memcmp(kinds[kind].word, at, length) == 0))
        kind++;
    if (kind == sizeof kinds / sizeof *kinds) {
        error_set(err, ERR_SYNTAX, "`attn %.*s` is no kind of cell", (int)length, at);
        return error_hint(
            err, "attn alone is a cell; or attn followed by error KIND, predict, exercise, "
                 "choice, check, hint, solution, right, wrong, open or output");
    }
    cell->kind = (CellKind)kind;
    at = skip_blanks(at + length);

    if (cell->kind == CELL_ERROR) {
        char word[16] = "";
        length = strcspn(at, " \t{");
        if (length < sizeof word) memcpy(word, at, length);
        cell->expected = error_kind_from_word(word);
        if (cell->expected == ERR_NONE) {
            error_set(err, ERR_SYNTAX,
                      "`attn error` wants the kind of the error that the cell ends in");
            return error_hint(err, "for instance attn error shape");
        }
        at = skip_blanks(at + length);
    }

    if (cell->kind == CELL_OUTPUT) {
        cell->output = at;
    } else if (*at == '{') { /* {#name}; other words in the braces are for other programs */
        const char *end = strchr(at, '}');
        if (!end) return error_set(err, ERR_SYNTAX, "the brace after `attn` is not closed");
        for (const char *word = at + 1; word < end; word += strcspn(word, " \t}")) {
            word = skip_blanks(word);
            if (*word != '#') continue;
            length = strcspn(++word, " \t}");
            cell->id = arena_string(&document->arena, word, length, err);
            if (!cell->id) return false;
        }
        at = skip_blanks(end + 1);
    }
    if (*at && cell->kind != CELL_OUTPUT)
        return error_set(err, ERR_SYNTAX, "`%s` does not belong behind `attn`", at);

    cell->script = node->text;
    cell->script_length = node->length;
    cell->code = node->text + strspn(node->text, "\n");
    cell->line = node->line;
    cell->node = node;
    node->kind = DOC_CELL;
    node->cell = cell;
    cell->document = document;
    cell->index = document->cell_count++;
    if (!kinds[cell->kind].is_prose) return true;

    size_t empty = (size_t)(cell->code - node->text);
    length = node->length - empty;
    if (cell->kind == CELL_PREDICT && !read_answer(document, cell, &length, err)) return false;
    cell->prose_length = length;
    return document_parse_nodes(&document->arena, node, cell->code, length, empty + 1, err);
}

static int compare_ids(const void *a, const void *b) {
    const Cell *one = *(const Cell *const *)a, *other = *(const Cell *const *)b;
    int order = strcmp(one->id, other->id);
    return order ? order : (one->line > other->line) - (one->line < other->line);
}

/* ---- the document ---- */

DocNode *document_next(const DocNode *node, const DocNode *root) {
    if (node->first) return node->first;
    while (node != root && !node->next) node = node->parent;
    return node == root ? NULL : node->next;
}

/* True for a node in the prose of a cell, which is only read, whether it is marked or not. */
static bool is_within_cell(const DocNode *node) {
    while (node && !node->cell) node = node->parent;
    return node != NULL;
}

static bool read_cells(Document *document, Error *err) {
    bool further = false, exercise = false;
    Cell **next = &document->cells;
    for (DocNode *node = document->root; node; node = document_next(node, document->root)) {
        further = further || document_is_further(node);
        if (!is_marked(node) || is_within_cell(node)) continue;
        if (!read_cell(document, node, err)) return fail_at(document, node->line, err);
        node->cell->further = further;
        *next = node->cell;
        next = &node->cell->next;
    }

    /* Each part of an exercise belongs to the exercise before it. */
    for (const Cell *cell = document->cells; cell && !exercise; cell = cell->next) {
        exercise = cell_is_exercise(cell);
        if (!kinds[cell->kind].is_part) continue;
        error_set(err, ERR_SYNTAX, "this %s has no exercise before it", kinds[cell->kind].word);
        return fail_at(document, cell->line, err);
    }

    /* No two cells have the same name. */
    size_t count = (size_t)document->cell_count;
    const Cell **sorted = arena_alloc(&document->arena, count * sizeof *sorted, err);
    if (!sorted) return false;
    for (const Cell *cell = document->cells; cell; cell = cell->next) sorted[cell->index] = cell;
    qsort(sorted, count, sizeof *sorted, compare_ids);
    for (size_t i = 1; i < count; i++) {
        const Cell *cell = sorted[i], *before = sorted[i - 1];
        if (!*cell->id || strcmp(cell->id, before->id) != 0) continue;
        error_set(err, ERR_SYNTAX, "the cell in line %zu has the name %s too", before->line,
                  cell->id);
        return fail_at(document, cell->line, err);
    }
    return true;
}

Document *document_parse(const char *file, const char *text, size_t length, Error *err) {
    if (length > UINT32_MAX) { /* of md4c */
        error_set(err, ERR_LIMIT, "the document is longer than 4 GB");
        return NULL;
    }
    const char *zero = length ? memchr(text, 0, length) : NULL;
    if (zero) { /* md4c would take it for a character like any other */
        size_t at = (size_t)(zero - text);
        error_set(err, ERR_SYNTAX, "there is a zero byte at byte %zu", at);
        error_hint(err, "is this a text file?");
        error_place(err, file, text, length, (Span){at, at + 1});
        return NULL;
    }
    Document *document = mem_zeroed(1, sizeof *document, err);
    if (!document) return NULL;
    arena_init(&document->arena);
    document->file = arena_string(&document->arena, file, strlen(file), err);
    document->source = arena_string(&document->arena, text, length, err);
    document->length = length;
    document->root = arena_alloc(&document->arena, sizeof *document->root, err);
    /* A byte order mark would hide a fence in the first line. */
    size_t mark = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    bool ok = document->file && document->source && document->root &&
              document_parse_nodes(&document->arena, document->root, document->source + mark,
                                   length - mark, 1, err) &&
              read_cells(document, err);
    if (ok) return document;
    document_free(document);
    return NULL;
}

void document_free(Document *document) {
    if (!document) return;
    arena_release(&document->arena);
    mem_free(document);
}

/* ---- the source in pieces ---- */

DocPieces document_pieces(const Document *document) {
    return (DocPieces){.document = document, .line = 1, .cell = document->cells};
}

/* The length of the line at `at`, with its end, as md4c counts lines. */
static size_t line_length(const Document *document, size_t at) {
    const char *text = document->source + at;
    size_t length = strcspn(text, "\r\n");
    if (text[length] == '\r' && text[length + 1] == '\n') return length + 2;
    return length + (text[length] != '\0');
}

/* The length of the run of one character at `text`. */
static size_t run_length(const char *text) {
    size_t length = 1;
    while (text[length] == *text) length++;
    return length;
}

/* True if the line at `text` closes the fence. */
static bool closes_fence(const char *text, const char *fence) {
    text += strspn(text, " \t>");
    if (*text != *fence) return false;
    size_t length = run_length(text);
    return length >= run_length(fence) &&
           strchr("\r\n", text[length + strspn(text + length, " \t")]);
}

bool document_next_piece(DocPieces *pieces, DocPiece *piece) {
    const Document *document = pieces->document;
    const Cell *cell = pieces->cell;
    const char *begin = document->source + pieces->at;
    if (pieces->at == document->length) return false;
    *piece = (DocPiece){.text = begin};
    if (cell && pieces->line >= cell->line) {
        piece->cell = cell;
        piece->indent = strcspn(begin, "`~");
        cell = pieces->cell = cell->next;
    }
    /* Up to the next cell: the end of a quotation closes a cell in it, too. */
    bool closed = false;
    while (pieces->at < document->length && !closed && !(cell && pieces->line == cell->line)) {
        const char *line = document->source + pieces->at;
        closed = piece->cell && line > begin && closes_fence(line, begin + piece->indent);
        pieces->at += line_length(document, pieces->at);
        pieces->line++;
    }
    piece->length = (size_t)(document->source + pieces->at - begin);
    return true;
}
