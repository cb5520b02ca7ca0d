/* A Markdown document as a tree: its prose, its cells, and what belongs to which exercise.
 *
 * The terminal, a check, a presentation and an export all walk this one tree. A cell is a fenced
 * code block whose info string begins with `attn`; the word after that says its kind, and `{#name}`
 * its id. Everything lives in one arena and points into the document's own copy of the source, so a
 * DocNode or a Cell is valid until document_free. */
#ifndef ATTN_NOTEBOOK_DOCUMENT_H
#define ATTN_NOTEBOOK_DOCUMENT_H

#include "base/arena.h"
#include "base/error.h"

typedef enum DocKind {
    /* blocks */
    DOC_ROOT,
    DOC_HEADING, /* level 1 to 6 */
    DOC_PARAGRAPH,
    DOC_QUOTE,
    DOC_LIST, /* of items; ordered lists begin with `number` */
    DOC_ITEM,
    DOC_CODE, /* a block of code that is no cell: its text, `detail` the info string */
    DOC_CELL,
    DOC_RULE,
    DOC_TABLE, /* of rows; the first one is the heading */
    DOC_ROW,
    DOC_TABLE_CELL,
    DOC_HTML, /* block or inline: raw text, comments too */
    /* within a paragraph, heading, item or table cell */
    DOC_TEXT,
    DOC_EMPHASIS,
    DOC_STRONG,
    DOC_CODE_SPAN, /* its parts are texts */
    DOC_LINK,      /* `detail` is where it leads */
    DOC_IMAGE,     /* `detail` is the file; the parts are the words that stand for it */
    DOC_SOFT_BREAK,
    DOC_HARD_BREAK,
} DocKind;

typedef enum DocAlign { ALIGN_NONE, ALIGN_LEFT, ALIGN_CENTER, ALIGN_RIGHT } DocAlign;

typedef struct Cell Cell;
typedef struct DocNode DocNode;
struct DocNode {
    DocKind kind;
    DocNode *parent, *first, *last, *next;
    /* The text of texts, code and HTML; not zero-terminated. A block of code begins with as many
     * empty lines as give each of its lines the number that it has in the document. */
    const char *text;
    size_t length;
    const char *detail; /* or NULL */
    size_t line;        /* where it is in the source, from 1; 0 where Markdown does not tell */
    int number;         /* a heading's level, the first number of an ordered list */
    bool ordered;       /* a list with numbers */
    char task;          /* of an item `[x]` or `[ ]`: 'x' or ' '; else 0 */
    DocAlign align;     /* of a table cell */
    Cell *cell;         /* of a DOC_CELL */
};

typedef enum CellKind {
    CELL_RUN,      /* runs as it is */
    CELL_ERROR,    /* runs, must end in an error of kind `expected`, and shows it */
    CELL_PREDICT,  /* a question that is put before the next cell runs; never graded */
    CELL_EXERCISE, /* a task; what follows belongs to it until the next exercise */
    CELL_CHOICE,   /* a question with options: an exercise of its own */
    CELL_CHECK,
    CELL_HINT,
    CELL_SOLUTION,
    CELL_RIGHT, /* another right answer, which must pass */
    CELL_WRONG, /* a plausible attempt that must fail, with the message of its first comment line */
    CELL_OPEN,  /* a question without a check */
    CELL_OUTPUT, /* what the cell before it gave when it ran: of the kind that `output` says */
} CellKind;

struct Cell {
    CellKind kind;
    const char *id; /* "" without one */
    ErrorKind expected;
    /* Its text with the empty lines that DocNode.text has: an error in it points at the document's
     * own line. Zero-terminated. */
    const char *script;
    size_t script_length;
    const char *code;    /* where that text begins behind the empty lines */
    size_t prose_length; /* of that text where it is Markdown, without `answer:` and `within:` */
    const char *output;  /* of an output: "" for text, "note", "error", "picture WORDS" */
    const char *answer;  /* of a prediction: the expression behind `answer:`; or NULL */
    double within;       /* and how far from it a number counts as right: behind `within:`, or 0 */
    size_t line;         /* of the opening fence, from 1 */
    int index;           /* among the document's cells, from 0 */
    bool further;        /* below the heading "Further": its exercises do not count */
    const DocNode *node; /* its parts are the prose of an exercise, choice, prediction or hint */
    const struct Document *document;
    Cell *next; /* the cell that follows it in the document; NULL: it is the last */
};

typedef struct Document {
    Arena arena;
    const char *file; /* for messages */
    const char *source;
    size_t length;
    DocNode *root;
    Cell *cells; /* the first; NULL: there is none */
    int cell_count;
} Document;

/* Parses a Markdown document; the text is copied. NULL and ERR_SYNTAX with its place in `file`: a
 * zero byte, a cell of unknown kind, an id twice, a hint without an exercise. ERR_LIMIT: memory, a
 * document longer than 4 GB, or blocks nested deeper than 100. */
Document *document_parse(const char *file, const char *text, size_t length, Error *err);
void document_free(Document *document);
static inline void document_free_local(Document **local) { document_free(*local); }
#define LocalDocument __attribute__((cleanup(document_free_local))) Document

/* The node after `node` in the order of the source, parents before their parts; NULL after the last
 * one below `root`. */
DocNode *document_next(const DocNode *node, const DocNode *root);

/* True for an exercise or a choice, which a person can solve; and if it counts in the lesson. */
bool cell_is_exercise(const Cell *cell);
bool cell_counts(const Cell *cell);
/* True for a cell that runs when a reader comes to it, and shows what it gives. */
bool cell_runs(const Cell *cell);
/* True for a block that a student sees: prose, a cell, a question, but no part of an exercise. */
bool document_is_step(const DocNode *block);
/* True for the heading that the program's words call "Further", in any language. */
bool document_is_further(const DocNode *node);

/* The cell of an index from 0 on; NULL: there are fewer. */
const Cell *document_cell(const Document *document, int index);
/* The name by which a cell's kind is written: "" for CELL_RUN, "exercise". */
const char *cell_kind_word(CellKind kind);
/* Returns the heading above a question of that kind, in English: "Exercise"; NULL: cells of that
 * kind ask nothing. */
const char *cell_kind_title(CellKind kind);
/* The next part of that kind of an exercise, behind `cell`: the exercise itself or one of its
 * parts; or NULL. And how many there are. */
const Cell *cell_part(const Cell *cell, CellKind kind);
int cell_part_count(const Cell *exercise, CellKind kind);
/* How many exercises count in the lesson, up to the cell `last`; NULL: in all of it. */
int document_exercise_count(const Document *document, const Cell *last);

/* The option of a choice with that number, from 0; NULL: there are fewer. */
const DocNode *document_option(const Cell *choice, int number);

/* The source of a document in pieces of whole lines: a cell with its fences, or what is between
 * cells. */
typedef struct DocPiece {
    const Cell *cell; /* NULL: none */
    const char *text; /* in document->source */
    size_t length;
    /* The indentation before a cell's fence. The same is put before lines that are to stand
     * beside the cell, in its list or quotation. */
    size_t indent;
} DocPiece;
typedef struct DocPieces {
    const Document *document;
    size_t at, line; /* what comes next */
    const Cell *cell;
} DocPieces;
DocPieces document_pieces(const Document *document);
/* False at the end. */
bool document_next_piece(DocPieces *pieces, DocPiece *piece);

/* ---- document_parse.c: what md4c reports, as nodes ---- */

/* Adds what `markdown` holds to `parent`, in nodes of the arena that point into `markdown`, which
 * must live as long. first_line: the number of its first line in messages and in DocNode.line.
 * ERR_LIMIT as document_parse. */
bool document_parse_nodes(Arena *arena, DocNode *parent, const char *markdown, size_t length,
                          size_t first_line, Error *err);

#endif
