/* The note on an array that is changed by one of several names. In NumPy all of them show the
 * change; here the others keep the array as it was. */
#include "lang/eval/eval.h"

#include <string.h>

/* A search for another place that shows numbers of an array, from the variables on. */
typedef struct Search {
    const Value *changed;
    bool in_tuples; /* whose items cannot be replaced: only where there is no other place */
    int left;       /* values that may still be visited */
    Text path;      /* of the place, as one writes it */
    const Tensor *found;
} Search;

enum { DEPTH_MAX = 6, VISITS_MAX = 20000, SEARCHED_MAX = 50 * VISITS_MAX };

static bool shows(const Search *search, const Value *value) {
    if (value == search->changed || value->kind != VALUE_TENSOR) return false;
    const Tensor *a = search->changed->tensor, *b = value->tensor;
    const Tensor *whole = b->owner ? b->owner : b;
    if (a->part_of && a->part_of == whole->number) return true;
    const char *a_begin = a->data, *b_begin = b->data;
    return a_begin < b_begin + b->count * dtype_size(b->dtype) &&
           b_begin < a_begin + a->count * dtype_size(a->dtype);
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

/* True if the value, or one inside it, shows numbers of the array: search->path is then its way. */
static bool search_value(Search *search, const Value *value, int depth) {
    size_t *count, length = search->path.length;
    if (search->left-- <= 0 || depth > DEPTH_MAX) return false;
    if (value->kind == VALUE_CELL) return search_value(search, &value->cell->value, depth);
    if (shows(search, value)) {
        search->found = value->tensor;
        return true;
    }
    if (value->kind != VALUE_LIST && value->kind != VALUE_TUPLE && value->kind != VALUE_RECORD &&
        value->kind != VALUE_INSTANCE)
        return false;
    const Value *parts = value_contents(*value, &count);
    for (size_t i = 0; i < *count && search->left > 0; i++) {
        if (!value_is_counted(&parts[i])) continue;
        if (value->kind == VALUE_TUPLE && parts[i].kind == VALUE_TENSOR && !search->in_tuples)
            continue;
        write_step(&search->path, value, i);
        if (search_value(search, &parts[i], depth + 1)) return true;
        search->path.length = length;
    }
    return false;
}

static bool search_name(Search *search, const Symbol *symbol, const Value *value) {
    search->path.length = 0;
    if (symbol) text_format(&search->path, "%s", symbol->name);
    return symbol && search_value(search, value, 0);
}

static void search_variable(void *context, const Symbol *symbol) {
    Search *search = context;
    if (!search->found) search_name(search, symbol, &symbol->value);
}

static void search_all(Search *search, const Frame *frame) {
    const Interp *interp = frame->interp;
    for (; frame && frame->code; frame = frame->caller)
        for (int i = 0; frame->code->names && i < frame->code->slot_count; i++)
            if (search_name(search, frame->code->names[i], &frame->slots[i])) return;
    interp_each(interp, search_variable, search);
}

/* True if the person was told of as many statements as they are told of, or of this one. */
static bool is_noted(const AliasNotes *notes, const Node *node) {
    for (size_t i = 0; i < notes->count; i++)
        if (notes->told[i] == node) return true;
    return notes->count == sizeof notes->told / sizeof *notes->told;
}

void note_alias(Frame *frame, const Value *place, const Node *node) {
    AliasNotes *notes = &frame->interp->alias_notes;
    const Tensor *array = place->tensor;
    if (array->refs == 1 && (!array->owner || array->owner->refs == 1) && !array->part_of) return;
    if (frame->chunk->module || notes->searched > SEARCHED_MAX || is_noted(notes, node)) return;
    if (!frame->chunk->python && (frame->code || frame->blocks > 0)) return;
    Search search = {.changed = place, .left = VISITS_MAX, .path = TEXT_EMPTY};
    search_all(&search, frame);
    search.in_tuples = !search.found;
    if (!search.found) search_all(&search, frame);
    if (!search.found) notes->searched += VISITS_MAX - search.left;
    if (search.found) {
        notes->told[notes->count++] = node;
        Quote changed = quote_node(frame, node);
        const char *path = search.path.data;
        bool whole = search.found->data == array->data && search.found->count == array->count;
        if (whole && !search.in_tuples)
            host_note(frame->interp->host,
                      "(a change of %s leaves %s as it is, since arrays are copied: write %s = %s "
                      "after it)",
                      changed.text, path, path, changed.text);
        else
            host_note(frame->interp->host,
                      "(a change of %s leaves %s as it is, since arrays are copied: change %s "
                      "itself)",
                      changed.text, path, path);
    }
    text_release(&search.path);
}
