#include "session/snapshot.h"

#include "base/memory.h"

Snapshot *snapshot_ref(Snapshot *snapshot) {
    if (snapshot) snapshot->refs++;
    return snapshot;
}

static void snapshot_free(Snapshot *snapshot) {
    settings_release(&snapshot->settings);
    inputs_release(&snapshot->inputs);
    journal_release(&snapshot->values);
    run_unref(snapshot->run);
    mem_free(snapshot->name);
    mem_free(snapshot);
}

/* The chain may be long: it is walked, not recursed into. */
void snapshot_unref(Snapshot *snapshot) {
    while (snapshot && --snapshot->refs == 0) {
        Snapshot *older = snapshot->older;
        snapshot_free(snapshot);
        snapshot = older;
    }
}
