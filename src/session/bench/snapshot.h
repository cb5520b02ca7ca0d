/* Snapshots: the bench, put aside under a name.
 *
 * A list of them is never changed, only replaced: undo holds references to older ones. */
#ifndef ATTN_SESSION_SNAPSHOT_H
#define ATTN_SESSION_SNAPSHOT_H

#include "session/bench/bench.h"

typedef struct Snapshot {
    int refs;
    char *name;
    Settings settings;
    Inputs inputs;
    Journal values; /* of the variables that were inputs, the projections among them */
    Run *run;       /* NULL: nothing was attended to yet */
} Snapshot;

typedef struct Snapshots {
    Object object;
    size_t count;
    Snapshot *items[]; /* oldest first; references */
} Snapshots;

/* The empty list is NULL. */
const Snapshot *snapshots_find(const Snapshots *list, const char *name); /* NULL: there is none */
/* A new list with a snapshot (whose reference it takes) at its end, in place of one of that name.
 * NULL on failure: both are as before. */
Snapshots *snapshots_with(const Snapshots *list, Snapshot *snapshot, Error *err);

Snapshot *snapshot_new(const char *name, Error *err); /* with default settings and nothing else */
void snapshot_unref(Snapshot *snapshot);

#endif
