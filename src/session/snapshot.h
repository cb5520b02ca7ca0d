/* Snapshots: the bench, put aside under a name.
 *
 * The list is never changed, only replaced: each snapshot holds a reference to the one before it. */
#ifndef ATTN_SESSION_SNAPSHOT_H
#define ATTN_SESSION_SNAPSHOT_H

#include "session/bench.h"

typedef struct Snapshot Snapshot;
struct Snapshot {
    int refs;
    Snapshot *older; /* a reference; NULL: the first */
    char *name;
    Settings settings;
    Inputs inputs;
    Journal values;  /* of the variables that were inputs, the projections among them */
    Run *run;        /* NULL: nothing was attended to yet */
};

Snapshot *snapshot_ref(Snapshot *snapshot);  /* NULL is fine */
void snapshot_unref(Snapshot *snapshot);

#endif
