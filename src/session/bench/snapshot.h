/* Snapshots: the bench, put aside under a name, for the commands snapshot, restore and diff.
 *
 * A list of them is never changed, only replaced: undo holds references to older ones. */
#ifndef ATTN_SESSION_SNAPSHOT_H
#define ATTN_SESSION_SNAPSHOT_H

#include "session/bench/bench.h"

typedef struct Snapshot {
    int refs; /* lists that hold it */
    char *name;
    Bench bench;    /* its settings, inputs and run alone */
    Journal values; /* of the variables that were inputs, the projections among them */
} Snapshot;

typedef struct Snapshots {
    Object object;
    size_t count;
    Snapshot *items[]; /* oldest first; references */
} Snapshots;

#endif
