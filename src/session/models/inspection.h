/* The run of a model that inspect has put on the bench: heads, head, lens, rollout, saliency,
 * ablate and patch are about it, and last.run and last.table read from it.
 *
 * It holds the model's state, so that it stays what it was while the model learns on, and never
 * changes itself: ablate and patch replace it. */
#ifndef ATTN_SESSION_INSPECTION_H
#define ATTN_SESSION_INSPECTION_H

#include "library/model.h"
#include "model/model_run.h"
#include "model/tasks/task.h"
#include "session/bench/run_words.h"

#define POSITION_NONE SIZE_MAX

typedef struct Inspection {
    Object object;
    Model *model;  /* in which ablate and patch intervene */
    Object *state; /* its ModelState in this run */
    Object *whole; /* the inspection that has the arrays of this one; NULL: they are its own */
    char *name;    /* the model as it was typed: "pronoun" */
    size_t
        asked; /* the position that was named for its answer; POSITION_NONE: where the task asks */
    ModelRun run;   /* over the state's Transformer; the token numbers are the inspection's own */
    Tensor *logits; /* (T, vocabulary) */
    Value source_tokens, target_tokens; /* lists of strings; or none */
    Value said_tokens; /* the rows of cross-attention, "cat → likes": see inspection_query_tokens */
    Value table;       /* the last result of heads, lens, rollout or saliency: a record, or none */
    Value effects;     /* the last such of ablate each or patch each */
    bool effects_old; /* the model has changed since these were measured */
} Inspection;

/* Runs the model, in the state that it has now, over tokens whose arrays it takes over, also on
 * failure. NULL on failure. */
Inspection *inspection_new(Model *model, const char *name, Tokens source, Tokens target,
                           Error *err);
/* Takes MODEL "text" from a call, and runs the model over it; answers: beside an encoder it also
 * takes the target, or has the model write it. NULL on failure. */
Inspection *inspection_of_call(CommandCall *call, bool answers, Error *err);
/* Runs the model over a text (or a list of tokens), and beside an encoder over its own answer. NULL
 * on failure. */
Inspection *inspection_of_text(Model *model, const char *name, const Value *text, Error *err);
/* The same run anew, with the model and the interventions of now; the table stays what it was. */
Inspection *inspection_again(const Inspection *inspection, Error *err);
/* Replaces the one on the bench by it, also where that is `last`; takes the reference over, also on
 * failure. */
bool inspection_use(Session *session, Inspection *inspection, Error *err);

/* Runs the one on the bench again if its model has changed since: with what it has learned. */
bool inspection_refresh(Session *session, Error *err);

/* The run on the bench, on which the running command works. Where there is none but the call says
 * `on TASK`, the model that was made, opened or trained last is put there, over one of the task's
 * examples. NULL and ERR_VALUE otherwise. */
const Inspection *inspection_needed(Session *session, const CommandCall *call, Error *err);
/* False and ERR_VALUE where a command works on it, whose argument calls what would take it away. */
bool inspection_is_free(const Session *session, Error *err);
/* The output of a command that makes a table of the run: a heading, text, and what last.table
 * becomes. */
typedef struct RunTable {
    Printout shown; /* below the heading */
    Text heading;   /* more may be added to it until the table ends */
    Value columns;  /* a record of them */
} RunTable;

/* Begins with the heading: see inspection_write_heading and, for the position,
 * inspection_write_run; or, of examples that the inspected model reads, "heads of m: 256 held-out
 * examples of copy". examples: NULL for the run itself. */
RunTable run_table_begin(Session *session, const char *what, size_t position, const char *examples);
/* Ends it. If all was made, the columns, with the heading as `of`, become last.table, and the
 * heading and the text are shown unless the call is quiet. */
bool run_table_end(RunTable *table, const CommandCall *call, bool made, Error *err);

/* ---- whose numbers these are ---- */

/* False where the model has learned since, or its name means another one now. */
bool inspection_is_current(const Session *session, const Inspection *inspection);
/* Appends "heads of pronoun (head 1 0 zero): The dog sat": what is shown, the model with what is in
 * force, the sentence. Where the run is not current that is said. */
void inspection_write_heading(const Session *session, const Inspection *inspection,
                              const char *what, Text *out);
/* Appends the part of that heading behind the model's name, with the position, " at "it" (7)",
 * unless it is POSITION_NONE. */
void inspection_write_run(const Session *session, const Inspection *inspection, size_t position,
                          Text *out);

/* ---- tokens ---- */

/* Appends a token as tables show it; in quotes. */
void inspection_write_token(const Inspection *inspection, int id, Text *out);
void inspection_write_quoted(const Inspection *inspection, int id, Text *out);
/* Appends "it" (7): the token at a position of the predicting stack, and where that is, with what
 * is to be said where the task does not ask there. */
void inspection_write_position(const Inspection *inspection, size_t position, Text *out);
/* The likeliest token at a position. */
int inspection_predicted(const Inspection *inspection, size_t position);
/* Appends " (its task asks at 7)", " (it was trained at 0 to 14)" where the model was not trained
 * to answer at a position; nothing where it was, or where that is not known. */
void inspection_write_untrained(const Inspection *inspection, size_t position, Text *out);
/* Tokens as a list of strings, new; numbers without a vocabulary. */
bool tokens_list(const Vocabulary *vocabulary, const Tokens *tokens, Value *out, Error *err);
/* The names of the queries, or keys, of an attention, borrowed; and the tokens of the predicting
 * stack. A query of cross-attention has two: what the decoder reads there, and what it says. */
Value inspection_query_tokens(const Inspection *inspection, AttentionSite site);
Value inspection_key_tokens(const Inspection *inspection, AttentionSite site);
Value inspection_tokens(const Inspection *inspection);

/* ---- heads ---- */

/* How a head is changed by what is in force, " off", " patched" ..., to be translated; or NULL. */
const char *inspection_head_change(const Inspection *inspection, HeadPlace place);
/* Takes [encoder|decoder|cross] L from a call, and L H. ERR_VALUE says which there are. */
bool model_layer_argument(CommandCall *call, const ModelConfig *config, HeadPlace *out, Error *err);
/* Takes H behind that. */
bool model_head_number(CommandCall *call, const ModelConfig *config, HeadPlace *out, Error *err);
bool model_head_argument(CommandCall *call, const ModelConfig *config, HeadPlace *out, Error *err);
/* Puts the Q, K, V, tokens and mask of a head on the bench, and attends to them. */
bool inspection_put_head(Session *session, HeadPlace place, Error *err);
/* Puts other interventions in force and runs the inspected input again. *effect, unless it is NULL,
 * gets a line on what that did to the prediction at a position, or, POSITION_NONE, where it is
 * asked. */
bool inspection_intervene(Session *session, Interventions *list, size_t position, Text *effect,
                          Error *err);
/* Appends interventions_write in parentheses, behind a name; where that is long, how many are in
 * force, and returns true. */
bool interventions_write_short(const Host *host, const Transformer *model, Text *out);

/* Takes `on TASK`: a variable, a task's name, or an expression. A new reference; NULL on error. */
Task *task_argument(Session *session, CommandCall *call, Error *err);
/* The same, or a list: then it becomes *list, a new reference, and the result is NULL without an
 * error. */
Task *task_or_list_argument(Session *session, CommandCall *call, Value *list, Error *err);
/* Checks that a model can read the examples of a task. Those of induction are random tokens, of
 * which only the repeat counts, so any model reads their numbers. ERR_VALUE. */
bool task_check_reader(const Task *task, const Transformer *model, Error *err);
/* Draws so many held-out examples of a task, the same each time. Release with batch_release. */
bool draw_held_out(Task *task, const ModelConfig *config, size_t count, Batch *out, Error *err);
/* The usual number: fewer where the weights of all heads would take much memory. */
bool held_out_examples(Task *task, const ModelConfig *config, Batch *out, Error *err);

/* ---- positions ---- */

/* The position where the model's answer is read (model_asks) or was named. False: everywhere. */
bool inspection_asks(const Inspection *inspection, size_t *position);
/* Adds to an error how one place of an activation is patched: a place that both sentences have. */
bool hint_one_place(const char *hook, size_t own, size_t others, Error *err);
/* Takes `at` and a position of the predicting stack, as place_argument does; bare: `at` may be left
 * out. Without one *position stays as it is. */
bool read_position_argument(CommandCall *call, const Inspection *inspection, bool bare,
                            size_t *position, Error *err);

/* ---- rows of a table with bars ---- */

typedef struct BarRow {
    Text label;
    double value;
    double beside; /* another number of BARS_COMPARED; nan: none */
} BarRow;

typedef enum BarKind {
    BARS_SHARES,  /* "label  ████  62.1%" */
    BARS_SIGNED,  /* as long as they are large beside the largest, those below 0 drawn lighter */
    BARS_COMPARED /* so, with a second number behind them */
} BarKind;

/* Appends a line for each row if all were made, and releases their labels. rows: NULL is fine. */
void bars_write(const Host *host, bool made, BarRow *rows, size_t count, BarKind kind, Text *out);

/* A number with its index among others. */
typedef struct Ranked {
    double number;
    size_t index;
} Ranked;
/* Sorts the numbers: those that are farthest from 0 come first, equal ones in their order. */
void rank_by_size(Ranked *ranked, size_t count);

/* Writes the likeliest `most` tokens at a position as bars; POSITION_NONE: the likeliest at each.
 */
bool prediction_write(const Host *host, const Inspection *inspection, size_t position, size_t most,
                      Text *out, Error *err);
/* The same where the model is asked, and says where; with the answer, if one begins there. */
bool prediction_print_asked(Printout *shown, const Inspection *inspection, size_t most, Error *err);
/* Appends what changed in the prediction from one run to the other, in one line: at a position, or,
 * POSITION_NONE, where the model is asked. One run alone: what it is there, at the last position
 * where it is asked at each. */
bool prediction_write_effect(const Session *session, const Inspection *before,
                             const Inspection *after, size_t position, Text *out, Error *err);
/* The tokens of `set answer`, by which effects on the inspected model are measured: *answer is
 * NO_TOKEN where the predicted one counts, *against where none is taken off. ERR_VALUE: the model
 * has no such token. */
bool prediction_answer(const Session *session, const Inspection *inspection, int *answer,
                       int *against, Error *err);
/* Notes what is wrong with the tokens of `set answer` for the inspected model. */
void prediction_note_answer(const Session *session);

/* Begins the examples of commands about a model. */
#define EXAMPLE_MODEL \
    "m = transformer(\"decoder\", vocab=[\"the\", \"cat\", \"sat\"], d_model=8, heads=2, " \
    "layers=2, d_ff=8, max_len=8)\n"
#define EXAMPLE_INSPECTED EXAMPLE_MODEL "inspect m \"the cat sat\";\n"

#endif
