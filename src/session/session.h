/* A session: the interpreter with the bench beside it, and the way back.
 *
 * Everything a person does comes in as text, entry by entry. After an error
 * variables, settings, results, and the generator are as before the entry. */
#ifndef ATTN_SESSION_SESSION_H
#define ATTN_SESSION_SESSION_H

#include "lang/parser.h"
#include "session/bench/compare.h"
#include "session/bench/snapshot.h"
#include "session/bench/sweep.h"
#include "session/settings/settings.h"
#include "session/transcript.h"
#include "session/undo.h"

typedef struct Session Session;

/* Runs a text; errors have their place in `file`. */
typedef bool RunText(Session *session, const char *file, const char *text, size_t length,
                     Error *err);
/* Runs the cells of a Markdown document, each with `run`. */
typedef bool RunDocument(Session *session, RunText *run, const char *file, const char *text,
                         size_t length, Error *err);

/* Writes a Markdown document as what the name of the file asks for. */
typedef bool SaveDocument(const char *path, const char *markdown, size_t length, Error *err);

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
    int picture_count;           /* of its pictures without a name in that folder */
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

/* further: tables of commands from above (the shell), NULL-terminated list, or NULL. NULL on
 * failure. */
Session *session_new(Host *host, const CommandDef *const *further, Error *err);
void session_free(Session *session);
/* Makes all that the session has done so far its preparation: undo stops here, and reset returns to
 * the settings of now. */
void session_start_here(Session *session);

/* Parses a whole text and runs its entries in order; stops at the first error, which carries its
 * place. `file` "" for text that was typed. Within session_run_nested the entries belong to the
 * entry that runs now. */
bool session_run_text(Session *session, const char *file, const char *text, size_t length,
                      Error *err);
/* The entries run between these two are those of one script, which names pictures and knows its own
 * by `path` (a path of no file where it is no file). Returns false within another script, whose
 * entries they are then. */
bool session_begin_script(Session *session, const char *path);
/* Says where the script's new folder of pictures is. began: what session_begin_script returned. */
void session_end_script(Session *session, bool began);
/* The entries run between these two are one entry, which is taken back in the end, also where it
 * succeeds; what it wrote stays. Not within an entry that runs. */
void session_begin_trial(Session *session);
void session_end_trial(Session *session);
/* Reads and runs a script or the document in a .md file; load, save and run in it start from its
 * folder. */
bool session_run_file(Session *session, const char *path, Error *err);
/* The same for `run "file"`. */
bool session_run_nested(Session *session, const char *path, Error *err);
/* Runs one entry: on an error all is as before it; on ERR_INTERRUPT what was done stays and can be
 * undone. */
bool session_run_entry(Session *session, Chunk *chunk, int index, Error *err);

const CommandDef *session_command(const Session *session, const char *name); /* NULL */

/* True if the running entry has changed anything that undo would take back. */
bool session_entry_changed(const Session *session);

/* Hands the settings on to what they steer outside the bench: digits, colour, threads. */
void session_apply_settings(Session *session);

/* Computes the result anew after a setting or an input changed, and says in one line what that did
 * to it. Does nothing when nothing was attended to yet. `what` begins the line: "temperature 1 →
 * 0.25". */
bool session_answer(Session *session, const char *what, bool quiet, Error *err);

/* Chooses the inputs that a bare attend takes, unless inputs were named before. ERR_NAME: there are
 * none. */
bool session_find_inputs(Session *session, Error *err);

/* Makes sure that there is a run with the settings of now: where there is none, attends as a bare
 * attend does, showing nothing. */
bool session_need_run(Session *session, Error *err);

/* Shows the run on the bench as attend does: a heading, weights with entropies, the output. */
bool session_show_run(Session *session, Error *err);

/* Call it before a file is written. At a prompt, asks whether a file is replaced that is there and
 * that this session has not written; forced: does not ask. ERR_FILE: it is kept, and the hint is
 * `remedy`. */
bool session_may_write(Session *session, const char *path, bool forced, const char *remedy,
                       Error *err);

/* Shows a value as an expression statement does, without keeping it as `_`. */
bool session_write_value(Session *session, const Value *value, Error *err);

/* A variable that has a value; or NULL. */
const Symbol *session_variable(const Session *session, const char *name);
/* Sets a variable; without a value, removes it where it is there. */
bool session_set_variable(Session *session, const char *name, const Value *value, Error *err);
/* Writes a text if it was made, as far as there is room for it; else drops it and returns false.
 * The output of a command or a value at a prompt is written by it: it is cut to the screen, and
 * `more` shows the rest. */
bool session_write_text(Session *session, bool made, Text *text, Error *err);

/* The model that was trained last, by a command or a function; NULL: none. */
const struct Model *session_trained(const Session *session);

/* Takes the name of a setting from a call; NULL and ERR_NAME or ERR_SYNTAX. */
const SettingDef *setting_argument(CommandCall *call, Error *err);

/* A variable that has the name of a word which shows something, such as weights, is shown instead
 * of it: the variable, with a note that says so; or NULL. */
const Value *session_variable_instead(Session *session, const char *word);

/* The tables of session's own commands. */
extern const CommandDef bench_commands[];     /* attend weights scores output entropy */
extern const CommandDef setting_commands[];   /* set unset show */
extern const CommandDef plot_commands[];      /* plot */
extern const CommandDef sweep_commands[];     /* sweep */
extern const CommandDef trace_commands[];     /* trace */
extern const CommandDef why_commands[];       /* why */
extern const CommandDef compare_commands[];   /* compare */
extern const CommandDef snapshot_commands[];  /* snapshot restore */
extern const CommandDef diff_commands[];      /* diff state */
extern const CommandDef diagnose_commands[];  /* diagnose */
extern const CommandDef train_commands[];     /* train evaluate */
extern const CommandDef predict_commands[];   /* predict */
extern const CommandDef inspect_commands[];   /* inspect heads head */
extern const CommandDef origin_commands[];    /* lens rollout saliency */
extern const CommandDef intervene_commands[]; /* ablate patch */
extern const CommandDef script_commands[];    /* pause save */
extern const CommandDef session_commands[];   /* undo redo reset who more run exit quit */

#endif
