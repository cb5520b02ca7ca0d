/* Snapshots: the bench, put aside under a name.
 *
 * A list of them is never changed, only replaced: undo holds references to older ones. */
#ifndef ATTN_SESSION_SNAPSHOT_H
#define ATTN_SESSION_SNAPSHOT_H

#include "session/bench/bench.h"

typedef struct Snapshot {
    int refs; /* lists that hold it */
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

struct Session;
/* Takes the name of a snapshot from a call: borrowed; NULL and an error when there is none such. */
const Snapshot *snapshot_argument(struct Session *session, CommandCall *call, Error *err);

/* Begins the examples of commands about snapshots. */
#define EXAMPLE_SNAPSHOT EXAMPLE_INPUTS "snapshot before\nset temperature 0.5\n"

#endif
