/* The effects of many changes to an inspected model, each alone: ablate each, patch each. */
#ifndef ATTN_SESSION_EFFECTS_TABLE_H
#define ATTN_SESSION_EFFECTS_TABLE_H

#include "library/generation.h"
#include "model/effects.h"
#include "session/models/inspection.h"

/* The run over another sentence, in whose place patch puts something: without interventions. */
typedef struct OtherRun {
    Transformer plain;
    Reading reading;
    ModelRun run;
} OtherRun;
static inline void other_run_release(OtherRun *other) { reading_release(&other->reading); }
#define LocalOtherRun __attribute__((cleanup(other_run_release))) OtherRun

/* Takes `from "sentence"`, and appends these words to *from. Beside an encoder the target stays
 * that of the inspected run. */
bool other_run(CommandCall *call, const Inspection *inspection, OtherRun *other, Text *from,
               Error *err);
/* Checks that a model has feed-forward networks: ERR_VALUE, at the argument that was taken last. */
bool check_has_networks(const CommandCall *call, const ModelConfig *config, Error *err);
/* The mean of what a change replaces over a batch, of a head its part; NULL on failure. */
Tensor *intervention_mean(const Transformer *model, const Batch *batch, const Intervention *change,
                          Error *err);
/* Takes `on TASK` from a call, and draws some of its held-out examples: the same each time. Release
 * with batch_release. Appends the task's name to *name. */
bool task_examples(Session *session, CommandCall *call, const Inspection *inspection, Batch *out,
                   Text *name, Error *err);
/* Carries out `ablate each` (INTERVENE_ZERO, MEAN or UNIFORM) or `patch each`, whose arguments are
 * next: shows a map of the effects and the largest of them, which become last.table: plot effects
 * draws its map. */
bool effects_of_each(Session *session, CommandCall *call, InterventionKind kind, Error *err);
/* Sets *out to the question that effects on the inspected run are measured by, at a position. Its
 * labels are new, to be freed with mem_free. */
bool question_of_run(const Session *session, const Inspection *inspection, size_t position,
                     Question *out, Error *err);
/* Appends the token whose logit is looked at there, "cat", or "cat" − "dog". */
void question_write_answer(const Question *question, const Inspection *inspection, size_t position,
                           Text *out);
/* The effect of a head whose output is 0, if the last map of effects is that of ablate each, and of
 * the model as it is now; else nan. */
double inspection_head_effect(const Inspection *inspection, HeadPlace place);
/* The largest effect of a map, whatever its sign: nan does not count. */
double effects_most(const Tensor *map);

#endif
