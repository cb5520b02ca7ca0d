/* The note on an array that is changed by one of several names. In NumPy all of them show the
 * change; here the others keep the array as it was. */
#include "lang/eval/eval.h"

#include <stdio.h>
#include <string.h>

enum { DEPTH_MAX = 6, PLACES_MOST = 3, VISITS_MAX = 20000, SEARCHED_MAX = 50 * VISITS_MAX };

/* A variable, field or item that shows numbers of the array that is changed. */
typedef struct Place {
    const Value *value;
    char path[80]; /* as one writes it, "layers[0].W" */
    bool whole;    /* it is the same array, not one that the array is a part of, or a part of it */
    bool here;     /* an assignment where the change is made reaches it */
} Place;

/* A search for such places, from the variables on. */
typedef struct Search {
    const Value *changed;
    bool in_tuples; /* whose items cannot be replaced: only where there is no other place */
    bool visible;   /* the variable's name means it where the change is made */
    bool bindable;  /* and an assignment to the name alone changes it */
    int left;       /* values that may still be visited */
    Text path;      /* of the value that is visited */
    Place places[PLACES_MOST];
    size_t count;
} Search;

static bool shows(const Search *search, const Value *value) {
    if (value == search->changed || value->kind != VALUE_TENSOR) return false;
    const Tensor *a = search->changed->tensor, *b = value->tensor;
    const Tensor *whole = b->owner && !b->lent_from ? b->owner : b;
    if (a->part_of && a->part_of == whole->number) return true;
    /* A lent view stands for a copy: of a part of the whole array that is changed. */
    if (b->lent_from && !a->lent_from && b->owner == (a->owner ? a->owner : a)) return false;
    const char *a_begin = a->data, *b_begin = b->data;
    return a_begin < b_begin + b->count * dtype_size(b->dtype) &&
           b_begin < a_begin + a->count * dtype_size(a->dtype);
}

/* Keeps the value that is visited, unless it was found by another path. */
static void add_place(Search *search, const Value *value, int depth) {
    for (size_t i = 0; i < search->count; i++)
        if (search->places[i].value == value) return;
    Place *place = &search->places[search->count++];
    const Tensor *changed = search->changed->tensor, *shown = value->tensor;
    bool same = changed->data == shown->data && changed->count == shown->count;
    *place = (Place){.value = value,
                     .whole = same && !search->in_tuples,
                     .here = depth > 0 ? search->visible : search->bindable};
    snprintf(place->path, sizeof place->path, "%s", search->path.data);
}

static void write_step(Text *path, const Value *holder, size_t i) {
    if (holder->kind == VALUE_INSTANCE)
        text_format(path, ".%s", holder->record->keys[i].string->data);
    else if (holder->kind == VALUE_RECORD && holder->record->keys[i].kind == VALUE_STRING)
        text_format(path, "['%s']", holder->record->keys[i].string->data);
    else if (holder->kind == VALUE_RECORD && holder->record->keys[i].kind == VALUE_NUMBER)
        text_format(path, "[%.17g]", holder->record->keys[i].number);
    else text_format(path, "[%zu]", i);
}

/* Adds the value, and those inside it, that show numbers of the array. */
static void search_value(Search *search, const Value *value, int depth) {
    size_t *count, length = search->path.length;
    if (search->count == PLACES_MOST || search->left-- <= 0 || depth > DEPTH_MAX) return;
    if (value->kind == VALUE_CELL) {
        search_value(search, &value->cell->value, depth);
        return;
    }
    if (shows(search, value) && !search->path.failed) add_place(search, value, depth);
    if (value->kind != VALUE_LIST && value->kind != VALUE_TUPLE && value->kind != VALUE_RECORD &&
        value->kind != VALUE_INSTANCE)
        return;
    const Value *parts = value_contents(*value, &count);
    for (size_t i = 0; i < *count && search->left > 0; i++) {
        if (!value_is_counted(&parts[i])) continue;
        if (value->kind == VALUE_TUPLE && parts[i].kind == VALUE_TENSOR && !search->in_tuples)
            continue;
        write_step(&search->path, value, i);
        search_value(search, &parts[i], depth + 1);
        search->path.length = length;
    }
}

static void search_name(Search *search, const Symbol *symbol, const Value *value) {
    search->path.length = 0;
    if (!symbol) return; /* a variable of a comprehension */
    text_format(&search->path, "%s", symbol->name);
    search_value(search, value, 0);
}

static void search_all(Search *search, const Frame *frame) {
    for (const Frame *at = frame; at && at->code; at = at->caller) {
        search->visible = search->bindable = at == frame;
        for (int i = 0; at->code->names && i < at->code->slot_count; i++)
            search_name(search, at->code->names[i], &at->slots[i]);
    }
    search->visible = true;
    search->bindable = !frame->code;
    VariableWalk walk = {.interp = frame->interp};
    for (const Symbol *symbol; (symbol = variable_next(&walk));) {
        /* A value that was shown, _ or _3, is left out: nobody looks for a change there. */
        const char *name = symbol->name;
        if (*name == '_' && !name[1 + strspn(name + 1, "0123456789")]) continue;
        search_name(search, symbol, &symbol->value);
    }
}

/* Writes the note. It proposes an assignment only where that is right in each round of a loop. */
static void write_note(const Frame *frame, const Search *search, const char *changed) {
    const Symbol *function = frame->code ? frame->code->name : NULL;
    LocalText all = TEXT_EMPTY, targets = TEXT_FOR(&all);
    const Place *other = NULL; /* another array, which shares numbers with the changed one */
    bool here = true, item = false;
    for (const Place *place = search->places; place < search->places + search->count; place++) {
        text_format(&all, "%s%s", all.length ? ", " : "", place->path);
        text_format(&targets, "%s = ", place->path);
        if (!place->whole && !other) other = place;
        here = here && place->here;
        item = item || strchr(place->path, '[');
    }
    Host *host = frame->interp->host;
    if (all.failed || targets.failed) return; /* no memory for the note */
    if (other)
        host_note(host,
                  "(a change of %s does not reach %s, since arrays are copied: change %s itself)",
                  changed, all.data, other->path);
    else if (!here && function)
        host_note(host,
                  "(a change of %s does not reach %s, since arrays are copied: let %s return it, "
                  "and assign it there)",
                  changed, all.data, function->name);
    else if (!here || item)
        host_note(host,
                  "(a change of %s does not reach %s, since arrays are copied: assign it there, "
                  "too)",
                  changed, all.data);
    else
        host_note(host,
                  "(a change of %s does not reach %s, since arrays are copied: write %s%s after "
                  "it)",
                  changed, all.data, targets.data, changed);
}

/* True if there is one reference besides those of lent views. */
static bool is_held_once(const Tensor *tensor) { return tensor->refs == 1 + tensor->lent_count; }

void note_alias(Frame *frame, const Value *place, const Node *node) {
    AliasNotes *notes = &frame->interp->alias_notes;
    const Tensor *array = place->tensor;
    if (is_held_once(array) && (!array->owner || is_held_once(array->owner)) && !array->part_of)
        return;
    if (strcmp(frame->chunk->file, composed_file) == 0) return; /* what it gives back is stored */
    if (frame->chunk->module || notes->searched > SEARCHED_MAX) return;
    if (notes->count == sizeof notes->told / sizeof *notes->told) return;
    for (size_t i = 0; i < notes->count; i++)
        if (notes->told[i] == node) return;
    if (!frame->chunk->python && (frame->code || frame->blocks > 0)) return;
    Search search = {.changed = place, .left = VISITS_MAX, .path = TEXT_EMPTY};
    search_all(&search, frame);
    search.in_tuples = search.count == 0;
    if (search.in_tuples) search_all(&search, frame);
    if (search.count == 0) notes->searched += VISITS_MAX - search.left;
    text_release(&search.path);
    if (search.count == 0) return;
    notes->told[notes->count++] = node;
    Quote changed = quote_node(frame, node);
    write_note(frame, &search, changed.text);
}
