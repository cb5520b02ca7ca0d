/* A session: what its state does with text that comes in.
 *
 * Everything a person does comes in as text, entry by entry. After an error
 * variables, settings, results, and the generator are as before the entry. */
#ifndef ATTN_SESSION_SESSION_H
#define ATTN_SESSION_SESSION_H

#include "session/bench/attend.h"
#include "session/bench/compare.h"
#include "session/bench/sweep.h"

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
/* All entries until session_end_script are those of one script, whose pictures are named after its
 * `path` (of text that is no file: a name that no file has). Returns false within another script,
 * to which the entries then belong. */
bool session_begin_script(Session *session, const char *path);
/* Says where the script's new folder of pictures is. began: what session_begin_script returned. */
void session_end_script(Session *session, bool began);
/* All entries until session_end_trial are one entry, which session_end_trial takes back even if it
 * succeeded; what it wrote stays. Must not be called while an entry runs. */
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

/* True if the running entry has changed anything that undo would take back. */
bool session_entry_changed(const Session *session);

/* The tables of session's own commands. */
extern const CommandDef bench_commands[];     /* attend weights scores output entropy */
extern const CommandDef setting_commands[];   /* set unset show */
extern const CommandDef plot_commands[];      /* plot */
extern const CommandDef sweep_commands[];     /* sweep */
extern const CommandDef trace_commands[];     /* trace */
extern const CommandDef why_commands[];       /* why */
extern const CommandDef compare_commands[];   /* compare */
extern const CommandDef snapshot_commands[];  /* snapshot restore diff state */
extern const CommandDef diagnose_commands[];  /* diagnose */
extern const CommandDef train_commands[];     /* train evaluate */
extern const CommandDef predict_commands[];   /* predict */
extern const CommandDef inspect_commands[];   /* inspect head examples */
extern const CommandDef heads_commands[];     /* heads, composition */
extern const CommandDef origin_commands[];    /* lens rollout saliency */
extern const CommandDef intervene_commands[]; /* ablate patch */
extern const CommandDef script_commands[];    /* pause save */
extern const CommandDef session_commands[];   /* undo redo reset who more run exit quit */

#endif
