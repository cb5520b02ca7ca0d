/* DNA with the motif TATAAT (the Pribnow box) at one position: where does it begin? Input: ?, then
 * the bases; the answer, a number, is read at the ?. */
#include "model/tasks/tasks.h"

#include <string.h>

enum { BASES = 4, MOTIF = 6, QUESTION = 4 };

static const int motif[MOTIF] = {3, 0, 3, 0, 0, 3}; /* of A C G T */

static bool prepare_motif(Task *task, Error *err) {
    Text tokens = TEXT_EMPTY;
    text_string(&tokens, "A C G T ?");
    for (size_t i = 0; i + MOTIF <= task->options.length; i++) text_format(&tokens, " %zu", i);
    bool ok = task_use_tokens(task, TOKENS_CHARACTERS, &tokens, err);
    if (ok) task->vocabulary->ask = QUESTION;
    task->input_most = task->options.length + 1;
    task->answer_most = 1;
    return ok;
}

static size_t count_motifs(const int *bases, size_t length) {
    size_t count = 0;
    for (size_t i = 0; i + MOTIF <= length; i++)
        count += memcmp(bases + i, motif, sizeof motif) == 0;
    return count;
}

static void plan_motif(const Task *task, Random *random, TaskExample *out) {
    out->answer[0] = QUESTION + 1 + (int)random_below(random, task->options.length - MOTIF + 1);
    out->answer_count = 1;
}

static bool draw_motif(const Task *task, Random *random, bool held_out, TaskExample *out,
                       Error *err) {
    size_t length = task->options.length;
    int *bases = out->input + 1;
    (void)held_out, (void)err;
    out->input[0] = QUESTION;
    out->input_count = length + 1;
    do {
        for (size_t i = 0; i < length; i++) bases[i] = (int)random_below(random, BASES);
        memcpy(bases + (out->answer[0] - QUESTION - 1), motif, sizeof motif);
    } while (count_motifs(bases, length) != 1);
    return true;
}

const TaskDef motif_task = {
    .name = "motif",
    .summary = "where the motif TATAAT begins in a piece of DNA",
    .example = "?GCTATAATCG -> 2",
    .kinds = ANY_KIND,
    .options = BIT(TASK_LENGTH),
    .length = {24, 7, 200},
    .prepare = prepare_motif,
    .plan = plan_motif,
    .draw = draw_motif,
};
