/* explore: the heads of an inspected model, each a small map; its state, and what each key does.
 * Pure: no terminal is touched.
 *
 * Switching a head off puts an intervention in force at once, as ablate does; leaving with Esc puts
 * those of the start in force again. */
#ifndef ATTN_SHELL_EXPLORE_HEADS_H
#define ATTN_SHELL_EXPLORE_HEADS_H

#include "session/models/inspection.h"
#include "shell/explore/scene.h"

typedef struct ExploreHeads {
    Scene scene;            /* EXPLORE_OPENED: the selected head is */
    Session *session;       /* borrowed: the inspected run is that of its bench */
    Interventions *entry;   /* in force at the start */
    HeadSummary *summaries; /* of the run, by head_index */
    Tensor **weights;       /* (H, Tq, Tk) by site * layers + layer; NULL: no attention there */
    size_t rows;            /* of the grid: a layer of an attention each */
    size_t row, head;       /* selected */
    size_t first_row;       /* the first that was in sight last */
} ExploreHeads;

/* The session must have an inspected run. */
bool explore_heads_init(ExploreHeads *heads, Session *session, Error *err);
void explore_heads_release(ExploreHeads *heads);

/* The selected head. */
HeadPlace explore_heads_selected(const ExploreHeads *heads);
const ModelConfig *explore_heads_config(const ExploreHeads *heads);
/* The interventions in force now; NULL: none. */
const Interventions *explore_heads_in_force(const ExploreHeads *heads);

/* Puts what was in force at the start in force again. */
bool explore_heads_restore(ExploreHeads *heads, Error *err);
/* "ablate 1 0;": the same as one line to type, if anything changed. */
void explore_heads_write_commands(const ExploreHeads *heads, Text *text);

#endif
