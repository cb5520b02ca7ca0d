#include "session/bench/snapshot.h"

#include "base/memory.h"

#include <string.h>

Snapshot *snapshot_new(const char *name, Error *err) {
    Snapshot *snapshot = mem_zeroed(1, sizeof *snapshot, err);
    if (!snapshot) return NULL;
    snapshot->refs = 1;
    settings_init(&snapshot->settings);
    snapshot->name = mem_string(name, strlen(name), err);
    if (!snapshot->name) return snapshot_unref(snapshot), NULL;
    return snapshot;
}

void snapshot_unref(Snapshot *snapshot) {
    if (!snapshot || --snapshot->refs > 0) return;
    settings_release(&snapshot->settings);
    inputs_release(&snapshot->inputs);
    journal_release(&snapshot->values);
    run_unref(snapshot->run);
    mem_free(snapshot->name);
    mem_free(snapshot);
}

const Snapshot *snapshots_find(const Snapshots *list, const char *name) {
    for (size_t i = 0; list && i < list->count; i++)
        if (strcmp(list->items[i]->name, name) == 0) return list->items[i];
    return NULL;
}

static void snapshots_free(Object *object) {
    Snapshots *list = (Snapshots *)object;
    for (size_t i = 0; i < list->count; i++) snapshot_unref(list->items[i]);
    mem_free(list);
}

static bool holds(const Snapshots *list, const Snapshot *snapshot) {
    for (size_t i = 0; list && i < list->count; i++)
        if (list->items[i] == snapshot) return true;
    return false;
}

static size_t snapshots_bytes(const Object *object, const Object *other) {
    const Snapshots *list = (const Snapshots *)object;
    size_t bytes = 0;
    for (size_t i = 0; i < list->count; i++)
        if (!holds((const Snapshots *)other, list->items[i]))
            bytes += run_bytes(list->items[i]->run) + journal_bytes(&list->items[i]->values);
    return bytes;
}

static const ObjectType snapshots_type = {
    .name = "snapshots", .free = snapshots_free, .bytes = snapshots_bytes};

Snapshots *snapshots_with(const Snapshots *list, Snapshot *snapshot, Error *err) {
    size_t count = list ? list->count : 0;
    Snapshots *longer = mem_alloc(sizeof *longer + (count + 1) * sizeof *longer->items, err);
    if (!longer) return NULL;
    longer->object = (Object){.refs = 1, .type = &snapshots_type};
    longer->count = 0;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list->items[i]->name, snapshot->name) == 0) continue;
        list->items[i]->refs++;
        longer->items[longer->count++] = list->items[i];
    }
    longer->items[longer->count++] = snapshot;
    return longer;
}
