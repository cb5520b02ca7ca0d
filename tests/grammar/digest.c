#include "tests/grammar/digest.h"

#include "base/memory.h"
#include "lang/class.h"
#include "session/models/inspection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parts that are shared again and again would be visited 2^60 times; and what is large lies in a
 * variable through many entries. */
enum { PARTS_MOST = 2000, END_BYTES = 1 << 12 };

typedef struct Hash {
    uint64_t sum;
    size_t parts;
} Hash;

static void add_bytes(Hash *hash, const void *bytes, size_t length) {
    hash->sum = random_hash(bytes, length, hash->sum);
}

/* Of what is large the length and both ends. */
static void add_ends(Hash *hash, const char *bytes, size_t length) {
    if (length <= 2 * END_BYTES) {
        add_bytes(hash, bytes, length);
        return;
    }
    add_bytes(hash, &length, sizeof length);
    add_bytes(hash, bytes, END_BYTES);
    add_bytes(hash, bytes + length - END_BYTES, END_BYTES);
}

static void add_tensor(Hash *hash, const Tensor *tensor) {
    if (!tensor) return;
    size_t width = tensor->dtype == DTYPE_DOUBLE ? 8 : tensor->dtype == DTYPE_FLOAT ? 4 : 1;
    add_bytes(hash, &tensor->dtype, sizeof tensor->dtype);
    add_bytes(hash, tensor->shape.size, sizeof *tensor->shape.size * (size_t)tensor->shape.axes);
    if (tensor->count) add_ends(hash, tensor->data, tensor->count * width);
}

static void add_run(Hash *hash, const Run *run) {
    if (!run) return;
    add_tensor(hash, run->result.output);
    add_tensor(hash, run->result.entropy);
    add_tensor(hash, run->result.logsumexp);
    if (run->settings) add_bytes(hash, run->settings, strlen(run->settings));
}

/* Of a model also its numbers, and what is in force in it; they may be a state of before. */
static void add_model_state(Hash *hash, const Object *state) {
    const Transformer *transformer = &((const ModelState *)state)->transformer;
    add_tensor(hash, transformer->parameters.block);
}

static void add_value(Hash *hash, const Value *value) {
    add_bytes(hash, &value->kind, sizeof value->kind);
    if (++hash->parts > PARTS_MOST) return;
    switch (value->kind) {
    case VALUE_BOOL: add_bytes(hash, &value->boolean, sizeof value->boolean); break;
    case VALUE_NUMBER: add_bytes(hash, &value->number, sizeof value->number); break;
    case VALUE_STRING: add_ends(hash, value->string->data, value->string->length); break;
    case VALUE_TENSOR: add_tensor(hash, value->tensor); break;
    case VALUE_LIST:
    case VALUE_TUPLE:
        add_bytes(hash, &value->list->count, sizeof value->list->count);
        for (size_t i = 0; i < value->list->count && hash->parts <= PARTS_MOST; i++)
            add_value(hash, &value->list->items[i]);
        break;
    case VALUE_RECORD:
    case VALUE_INSTANCE:
        add_bytes(hash, &value->record->count, sizeof value->record->count);
        for (size_t i = 0; i < value->record->count && hash->parts <= PARTS_MOST; i++) {
            add_value(hash, &value->record->keys[i]);
            add_value(hash, &value->record->values[i]);
        }
        break;
    case VALUE_SET:
        add_bytes(hash, &value->set->used, sizeof value->set->used);
        for (size_t i = 0; i < value->set->count && hash->parts <= PARTS_MOST; i++)
            if (value->set->items[i].kind != VALUE_UNSET) add_value(hash, &value->set->items[i]);
        break;
    case VALUE_CLASS: add_value(hash, &value->class->parts[1]); break;
    case VALUE_OBJECT:
        add_bytes(hash, &value->object, sizeof value->object);
        if (value->object->type == &run_type) add_run(hash, (const Run *)value->object);
        if (value->object->type == &model_type) {
            const SharedObject *model = (const SharedObject *)value->object;
            add_bytes(hash, &model->state, sizeof model->state);
            add_model_state(hash, model->state);
        }
        break;
    default: add_bytes(hash, &value->refs, sizeof value->refs); break; /* a function: itself */
    }
}

/* ---- the lines ---- */

typedef struct Lines {
    char **items;
    size_t count, capacity;
} Lines;

/* _, _1, _2 ...: an entry that only shows a value is no step of undo. */
static bool is_shown(const char *name) {
    return *name == '_' && name[1 + strspn(name + 1, "0123456789")] == '\0';
}

static void add_variable(Lines *lines, const Symbol *symbol) {
    if (is_shown(symbol->name)) return;
    if (lines->count == lines->capacity) {
        lines->capacity = lines->capacity ? lines->capacity * 2 : 64;
        lines->items = realloc(lines->items, lines->capacity * sizeof *lines->items);
        if (!lines->items) abort();
    }
    Hash hash = {0, 0};
    add_value(&hash, &symbol->value);
    size_t room = symbol->length + 80;
    char *line = malloc(room);
    if (!line) abort();
    snprintf(line, room, "%s = %s %016llx\n", symbol->name, value_kind_word(&symbol->value),
             (unsigned long long)hash.sum);
    lines->items[lines->count++] = line;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void write_hash(Text *out, const char *what, const void *identity, Hash hash) {
    text_format(out, "%s %p %016llx\n", what, identity, (unsigned long long)hash.sum);
}

static void write_inputs(Text *out, const Inputs *inputs) {
    text_format(out, "inputs %d", (int)inputs->kind);
    for (size_t i = 0; i < INPUTS_MOST; i++)
        text_format(out, " %s/%p", inputs->items[i].name ? inputs->items[i].name->name : "",
                    (void *)inputs->items[i].tensor);
    Hash hash = {0, 0};
    for (size_t i = 0; i < INPUTS_MOST; i++) add_tensor(&hash, inputs->items[i].tensor);
    for (size_t i = 0; i < KNOWN; i++) add_tensor(&hash, inputs->made[i]);
    write_hash(out, "", (const void *)inputs->made[0], hash);
}

static void write_settings(Text *out, const Settings *settings) {
    for (const SettingDef *row = setting_table; row->name; row++) {
        text_format(out, "set %s ", row->name);
        setting_write(row, settings, out);
        text_char(out, '\n');
    }
}

static void write_bench(Text *out, const Bench *bench) {
    write_settings(out, &bench->settings);
    write_inputs(out, &bench->inputs);
    Hash run = {0, 0}, sweep = {0, 0}, compared = {0, 0}, trained = {0, 0}, inspected = {0, 0};
    add_run(&run, bench->run);
    write_hash(out, "last", bench->run, run);
    if (bench->sweep) {
        size_t count = bench->sweep->count;
        add_bytes(&sweep, bench->sweep->values, count * sizeof *bench->sweep->values);
        add_bytes(&sweep, bench->sweep->measures, count * sizeof *bench->sweep->measures);
    }
    write_hash(out, "sweep", bench->sweep, sweep);
    for (size_t i = 0; bench->compared && i < bench->compared->count; i++) {
        add_bytes(&compared, bench->compared->names[i], strlen(bench->compared->names[i]));
        add_run(&compared, bench->compared->runs[i]);
    }
    write_hash(out, "compare", bench->compared, compared);
    if (bench->trained) add_model_state(&trained, ((SharedObject *)bench->trained)->state);
    write_hash(out, "trained", bench->trained, trained);
    if (bench->inspection) {
        add_tensor(&inspected, bench->inspection->logits);
        add_model_state(&inspected, bench->inspection->state);
        add_value(&inspected, &bench->inspection->table);
        add_value(&inspected, &bench->inspection->effects);
    }
    write_hash(out, "inspect", bench->inspection, inspected);
    for (size_t i = 0; bench->snapshots && i < bench->snapshots->count; i++) {
        const Snapshot *snapshot = bench->snapshots->items[i];
        Hash hash = {0, 0};
        text_format(out, "snapshot %s\n", snapshot->name);
        write_settings(out, &snapshot->bench.settings);
        write_inputs(out, &snapshot->bench.inputs);
        add_run(&hash, snapshot->bench.run);
        write_hash(out, "its run", snapshot->bench.run, hash);
    }
}

char *session_digest(const Session *session) {
    Lines lines = {NULL, 0, 0};
    Text text = TEXT_EMPTY;
    VariableWalk walk = {.interp = &session->interp};
    for (const Symbol *symbol; (symbol = variable_next(&walk));) add_variable(&lines, symbol);
    if (lines.count) qsort(lines.items, lines.count, sizeof *lines.items, by_text);
    for (size_t i = 0; i < lines.count; i++) {
        text_string(&text, lines.items[i]);
        free(lines.items[i]);
    }
    free(lines.items);
    write_bench(&text, &session->bench);
    text_string(&text, "generator");
    for (size_t i = 0; i < 4; i++)
        text_format(&text, " %llx", (unsigned long long)session->interp.random.state[i]);
    text_format(&text, " seed %llu digits %d\n", (unsigned long long)session->interp.seed,
                session->interp.digits);
    char *digest = text_take(&text, NULL);
    text_release(&text);
    return digest;
}

void digest_difference(const char *then, const char *now, char *out, size_t size) {
    while (*then && *now) {
        size_t a = strcspn(then, "\n"), b = strcspn(now, "\n");
        if (a != b || memcmp(then, now, a) != 0) break;
        then += a + (then[a] == '\n');
        now += b + (now[b] == '\n');
    }
    snprintf(out, size, "\"%.*s\" was \"%.*s\"", (int)strcspn(now, "\n"), now,
             (int)strcspn(then, "\n"), then);
}
