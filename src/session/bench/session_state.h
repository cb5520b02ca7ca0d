/* The state of a session, which commands read and change: the interpreter with the bench beside it,
 * the way back, the transcript, and what all commands need: variables and text to the person. */
#ifndef ATTN_SESSION_STATE_H
#define ATTN_SESSION_STATE_H

#include "base/language.h"
#include "lang/parser.h"
#include "session/bench/bench.h"
#include "session/bench/transcript.h"

typedef struct Session Session;

/* ---- commands ---- */

/* A command: one row makes it exist, with its help and completion. */
typedef struct CommandDef {
    CommandSyntax syntax;
    bool (*run)(Session *session, CommandCall *call, Error *err);
    bool takes_setting;  /* its first argument is the name of a setting */
    const char *usage;   /* "attend [Q K V | X [from Y]]" */
    const char *summary; /* one paragraph; help lists the formats of pictures for {formats} */
    const char *example; /* lines that run; the first ones may define what is needed */
    const char *see;
} CommandDef;

/* ---- the way back: what each entry changed, in order ---- */

enum { UNDO_STEPS_MAX = 1000 };
#define UNDO_BYTES_MAX ((size_t)256 << 20)

/* All that undo brings back beside the variables. */
typedef struct BenchState {
    Bench bench;
    Random random;
    uint64_t seed;
} BenchState;

typedef struct UndoStep {
    Journal journal;
    BenchState state;
    char *label; /* the entry's first line */
    size_t bytes;
    size_t number; /* counted from 1; no other step of the session has it */
} UndoStep;

typedef struct Undo {
    UndoStep *steps[UNDO_STEPS_MAX + 1]; /* [0 .. done) can be undone, [done .. count) redone */
    size_t count, done, bytes;
    size_t outside; /* the steps that were there before the lesson that is open */
    size_t held;    /* these and the steps of its beginning: undo does not take them back */
    size_t numbers; /* how many steps have been numbered so far */
} Undo;

void undo_release(Undo *undo);
void bench_state_take(const Session *session, BenchState *state); /* new references */
/* Puts the state back; it then holds what was there. */
void bench_state_swap(Session *session, BenchState *state);
void bench_state_release(BenchState *state);

/* Keeps a step, which it takes over. Forgets what could be redone, and the oldest steps past the
 * limits. Where memory runs out the entry stays but cannot be taken back, nor can what was before
 * it. */
void undo_keep(Undo *undo, UndoStep step);
/* Takes one step back, or forward again. Its label, borrowed; NULL when there is none. */
const char *undo_back(Session *session);
const char *undo_forward(Session *session);
/* The number of the step that was done last; 0 when there is none. */
size_t undo_last(const Undo *undo);
/* Takes back all steps after the one of that number, for good: redo does not bring them again.
 * Returns false and changes nothing if that step is not done, or steps after it are held. */
bool undo_back_to(Session *session, size_t number);

/* ---- the session ---- */

/* Runs a text; errors have their place in `file`. */
typedef bool RunText(Session *session, const char *file, const char *text, size_t length,
                     Error *err);
/* Runs the cells of a Markdown document, each with `run`. */
typedef bool RunDocument(Session *session, RunText *run, const char *file, const char *text,
                         size_t length, Error *err);

/* Writes a Markdown document as what the name of the file asks for. */
typedef bool SaveDocument(const char *path, const char *markdown, size_t length, Error *err);

struct Session {
    Interp interp;
    Bench bench;
    Settings settings_at_start; /* the settings that reset restores */
    Undo undo;
    Transcript transcript;
    BenchState before; /* the state that the running entry began with */
    int walked;        /* the steps that undo and redo went in the running entry; negative: back */
    const CommandDef *const *commands; /* tables, NULL at the end; each ends with a NULL name */
    CommandSyntax *syntax;             /* the same rows for the parser */
    CommandSyntax *setting_syntax;     /* the rows of the settings, for set, unset and show */
    size_t shown, shown_before;        /* values shown so far, and before the entry: _1, _2, ... */
    size_t room;                       /* rows of the screen that the entry may still fill */
    Text left_out;               /* the text that found no room in the entry that was cut last */
    bool cut;                    /* the running entry was cut */
    const char *plots;           /* the folder that takes every picture as a file, or NULL */
    const char *script;          /* the running script: a path, or a name for text; or NULL */
    int picture_count;           /* how many of its pictures got a number as their name there */
    char *new_folder;            /* for its pictures `to new`; NULL: none was made yet */
    SaveDocument *save_document; /* for save session "x.html"; NULL: it makes .md alone */
    RunDocument *run_document;   /* runs files that end in .md; NULL: they run as scripts */
    bool inspection_held;        /* the running command works on the inspected run */
    Value written;               /* a record whose keys are the files that it wrote */
    struct Player *player;       /* the lesson that is open, of the notebook; NULL: none */
    char *lesson;                /* the one that a command wants to be opened, "" any; NULL: none */
    int run_depth;               /* run "file" within run "file" */
    char *invitation; /* words on what to try at the prompt of a script (pause prompt); or NULL */
    bool noted_text;  /* the person was told that pictures are text, not the images wanted */
    bool no_window;   /* a window could not be opened: it is not tried again */
    ColorDepth host_color; /* the host's colours at the start: for color auto */
};

const CommandDef *session_command(const Session *session, const char *name); /* NULL */

/* Hands the settings on to what they steer outside the bench: digits, colour, threads, the
 * language of the interface. */
void session_apply_settings(Session *session);
Language session_language(const Session *session);

/* A variable that has a value; or NULL. */
const Symbol *session_variable(const Session *session, const char *name);
/* All that have one, in no order: new, freed with mem_free; NULL on failure. */
Symbol **session_variables(const Session *session, size_t *count, Error *err);
/* Sets a variable; without a value, removes it where it is there. */
bool session_set_variable(Session *session, const char *name, const Value *value, Error *err);
/* A variable that has the name of a word which shows something, such as weights, is shown instead
 * of it: the variable, with a note that says so; or NULL. */
const Value *session_variable_instead(Session *session, const char *word);
/* The model that was trained last, by a command or a function; NULL: none. */
const struct Model *session_trained(const Session *session);

/* The columns of what is shown. */
static inline size_t session_columns(const Session *session) {
    return (size_t)session->interp.host->columns;
}
/* Appends a value as a prompt shows it, fitted to the terminal, and a newline; where something was
 * left out, what that was. */
void value_view(Text *out, const Value *value, const Host *host, int digits);
/* Shows a value as an expression statement does, without keeping it as `_`. */
bool session_write_value(Session *session, const Value *value, Error *err);
/* Writes a text if it was made, as far as there is room for it; else drops it and returns false.
 * The output of a command or a value at a prompt is written by it: it is cut to the screen, and
 * `more` shows the rest. */
bool session_write_text(Session *session, bool made, Text *text, Error *err);

/* The output of a command, put together line by line. */
typedef struct Printout {
    Session *session;
    Text out;
    Text line; /* in the making */
} Printout;
#define PRINTOUT(of) \
    { .session = (of), .out = TEXT_EMPTY, .line = TEXT_EMPTY }
/* Ends the line, or lines, which are wrapped to the columns. */
void printout_wrap(Printout *printout);
void printout_clear(Printout *printout); /* drops all */
/* Ends the last line, and writes all if it was made: see session_write_text. It is then empty. */
bool printout_show(Printout *printout, bool made, Error *err);

/* Call it before a file is written. At a prompt, asks whether a file is replaced that is there and
 * that this session has not written; forced: does not ask. ERR_FILE: it is kept, and the hint is
 * `remedy`. */
bool session_may_write(Session *session, const char *path, bool forced, const char *remedy,
                       Error *err);

#endif
