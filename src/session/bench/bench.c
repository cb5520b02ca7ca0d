#include "session/bench/bench.h"

#include <string.h>

/* ---- inputs ---- */

const char *input_name(const Input *input, const char *role) {
    if (input->name) return input->name->name;
    return *input->said ? input->said : role;
}

void inputs_release(Inputs *inputs) {
    for (size_t i = 0; i < INPUTS_MOST; i++) tensor_unref(inputs->items[i].tensor);
    tensors_unref(inputs->made, KNOWN);
    *inputs = (Inputs){.kind = INPUTS_NONE};
}

void inputs_copy(Inputs *out, const Inputs *inputs) {
    *out = *inputs;
    for (size_t i = 0; i < INPUTS_MOST; i++) tensor_ref(out->items[i].tensor);
    for (size_t i = 0; i < KNOWN; i++) tensor_ref(out->made[i]);
}

bool inputs_have_same_items(const Inputs *a, const Inputs *b) {
    for (size_t i = 0; i < INPUTS_MOST; i++)
        if (a->items[i].name != b->items[i].name || a->items[i].tensor != b->items[i].tensor)
            return false;
    return true;
}

bool inputs_equal(const Inputs *a, const Inputs *b) {
    return inputs_have_same_items(a, b) && memcmp(a->made, b->made, sizeof a->made) == 0 &&
           a->kind == b->kind;
}

const char *const projection_names[] = {"Wq", "Wk", "Wv", "Wo"};

void inputs_replace(Inputs *inputs, Inputs *taken) {
    memcpy(taken->made, inputs->made, sizeof taken->made);
    memset(inputs->made, 0, sizeof inputs->made);
    inputs_release(inputs);
    *inputs = *taken;
}

bool inputs_use(const Inputs *inputs, const Symbol *symbol) {
    for (size_t i = 0; i < INPUTS_MOST; i++)
        if (inputs->items[i].name == symbol) return true;
    for (size_t i = 0; inputs->kind == INPUTS_X && i < 4; i++)
        if (strcmp(symbol->name, projection_names[i]) == 0) return true;
    return false;
}

/* ---- the whole bench ---- */

enum { OBJECTS = sizeof((Bench *)NULL)->objects / sizeof(Object *) };

void bench_init(Bench *bench) {
    *bench = (Bench){.inputs = {.kind = INPUTS_NONE}};
    settings_init(&bench->settings);
    settings_init(&bench->ran_with);
}

void bench_copy(Bench *out, const Bench *bench) {
    settings_copy(&out->settings, &bench->settings);
    settings_copy(&out->ran_with, &bench->ran_with);
    inputs_copy(&out->inputs, &bench->inputs);
    for (size_t i = 0; i < OBJECTS; i++) out->objects[i] = object_ref(bench->objects[i]);
}

void bench_release(Bench *bench) {
    settings_release(&bench->settings);
    settings_release(&bench->ran_with);
    inputs_release(&bench->inputs);
    for (size_t i = 0; i < OBJECTS; i++) {
        object_unref(bench->objects[i]);
        bench->objects[i] = NULL;
    }
}

void bench_take_run(Bench *bench, const Bench *from) {
    settings_release(&bench->settings);
    settings_release(&bench->ran_with);
    inputs_release(&bench->inputs);
    object_unref(bench->run);
    settings_copy(&bench->settings, &from->settings);
    settings_copy(&bench->ran_with, &from->ran_with);
    inputs_copy(&bench->inputs, &from->inputs);
    bench->run = object_ref(from->run);
}

bool bench_equal(const Bench *a, const Bench *b) {
    for (size_t i = 0; i < OBJECTS; i++)
        if (a->objects[i] != b->objects[i]) return false;
    return settings_equal(&a->settings, &b->settings) && inputs_equal(&a->inputs, &b->inputs);
}

size_t bench_bytes(const Bench *bench, const Bench *other) {
    size_t bytes = 0;
    for (size_t i = 0; i < OBJECTS; i++) {
        const Object *object = bench->objects[i];
        if (object && object != other->objects[i])
            bytes += object->type->bytes(object, other->objects[i]);
    }
    return bytes;
}
