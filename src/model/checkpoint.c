#include "model/checkpoint.h"

#include "base/memory.h"
#include "base/size.h"
#include "io/file.h"
#include "model/model_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char format_name[] = "attn transformer";

/* A file says nothing of options that came with a later version than its own: they are as
 * model_config_init has them. The version of a file is the least that has all it must say. */
static const char *const number_types[] = {"float32", "float64", NULL};
static const char *const stored_types[] = {"float16", NULL}; /* other than the model's */

/* The contents that a file declares beside the options of its model. */
typedef struct Declared {
    size_t version;
    unsigned number_type, stored; /* words of the lists above */
    AskedAt asked_at;
    OptimiserKind optimiser;
    size_t asked_places, step;
} Declared;

#define DECLARED(its_name, its_kind, member) \
    .name = its_name, .kind = OPTION_##its_kind, .at = offsetof(Declared, member)

enum { VERSION, NUMBER_TYPE, STORED, ASKED_AT, ASKED_PLACES, OPTIMISER, STEP };
static const Option declared_rows[] = {
    [VERSION] = {DECLARED("version", SIZE, version)},
    [NUMBER_TYPE] = {DECLARED("dtype", WORD, number_type), .words = number_types},
    [STORED] = {DECLARED("stored", WORD, stored), .words = stored_types},
    [ASKED_AT] = {DECLARED("asked_at", WORD, asked_at), .words = asked_names},
    [ASKED_PLACES] = {DECLARED("asked_places", SIZE, asked_places)},
    [OPTIMISER] = {DECLARED("optimiser", WORD, optimiser), .words = optimiser_names},
    [STEP] = {DECLARED("optimiser_step", SIZE, step)},
};

static const double HALF_MOST = 65504;

/* ---- the tensors ---- */

/* Blocks of numbers with one for each parameter: the parameters, and the optimiser's moments. These
 * are the first words of a tensor's name in a file. */
enum {
    BLOCKS = 3,
    SECOND_MOMENT = 2,
    TENSOR_NAME = PARAMETER_NAME + 24,
    HISTORY_COLUMNS = 4,
    HEADS_COLUMNS = 6
};
static const char *const block_prefixes[BLOCKS] = {"", "optimiser.first.", "optimiser.second."};
static const char history_name[] = "history", heads_name[] = "history_heads";

_Static_assert(sizeof(HistoryRow) == HISTORY_COLUMNS * sizeof(double) &&
                   sizeof(HeadRow) == HEADS_COLUMNS * sizeof(double),
               "a row is its numbers");

static void tensor_name(char *out, int block, const Parameter *row) {
    snprintf(out, TENSOR_NAME, "%s%s", block_prefixes[block], row->name);
}

/* The fault in the numbers of a part, which float16 must hold if `half`; NULL: none. Infinities are
 * fine: a bias of -inf forbids a token. */
static const char *problem_of(const Tensor *block, const Parameter *row, int which, bool half) {
    const char *problem = NULL;
    for (size_t i = row->offset; i < row->offset + row->count; i++) {
        double x = tensor_get(block, i);
        if (isnan(x)) return "holds nan";
        if (which == SECOND_MOMENT && x < 0) return "holds a mean of squares below 0";
        if (half && fabs(x) > HALF_MOST && isfinite(x))
            problem = "holds a number that is too large for float16";
    }
    return problem;
}

/* ---- writing ---- */

enum { NOTES_MAX = 32 };

/* The texts that are written as metadata. */
typedef struct Notes {
    const char *keys[NOTES_MAX];
    Text texts[NOTES_MAX];
    size_t count;
} Notes;

/* A text of that key, to be written. */
static Text *note(Notes *notes, const char *key) {
    notes->keys[notes->count] = key;
    text_init(&notes->texts[notes->count]);
    return &notes->texts[notes->count++];
}

static void note_option(Notes *notes, const Option *option, const void *base) {
    option_write(option, base, note(notes, option->name));
}

static size_t version_for(const ModelConfig *config) {
    ModelConfig plain;
    size_t version = 1;
    model_config_init(&plain, config->kind);
    plain.logit_bias = config->bias;
    for (const Option *option = model_options; option->name; option++)
        if (option->since > version && !option_equal(option, config, &plain))
            version = option->since;
    return version;
}

/* Fills notes, whose texts are to be released. */
static void note_model(Notes *notes, const Transformer *model, bool half) {
    const ModelConfig *config = &model->config;
    const Declared declared = {.version = version_for(config),
                               .number_type = config->dtype == DTYPE_DOUBLE,
                               .asked_at = model->asked_at,
                               .asked_places = model->asked_places,
                               .optimiser = model->optimiser.kind,
                               .step = model->optimiser.step};
    bool written[] = {[NUMBER_TYPE] = true,
                      [STORED] = half,
                      [ASKED_AT] = model->asked_places,
                      [ASKED_PLACES] = model->asked_places,
                      [OPTIMISER] = model->optimiser.first && !half,
                      [STEP] = model->optimiser.first && !half};
    notes->count = 0;
    text_string(note(notes, "format"), format_name);
    note_option(notes, &declared_rows[VERSION], &declared);
    for (const Option *option = model_options; option->name; option++)
        if (option->since <= declared.version && !option_is_none(option, config))
            note_option(notes, option, config);
    for (int i = NUMBER_TYPE; i <= STEP; i++)
        if (written[i]) note_option(notes, &declared_rows[i], &declared);
    if (model->vocabulary) vocabulary_write_json(model->vocabulary, note(notes, "vocabulary"));
}

/* The items that are written as tensors. */
typedef struct Parts {
    SafetensorsItem *items;
    char (*names)[TENSOR_NAME]; /* of the items */
    size_t count;
} Parts;

/* Takes over the tensor; NULL: memory ran out. */
static bool parts_add(Parts *parts, Tensor *tensor, bool half) {
    if (!tensor) return false;
    const char *name = parts->names[parts->count];
    SafetensorsType type = half ? SAFETENSORS_F16 : safetensors_type_of(tensor->dtype);
    parts->items[parts->count++] = (SafetensorsItem){name, tensor, type};
    return true;
}

static bool add_block(Parts *parts, const Parameters *parameters, Tensor *block, int which,
                      bool half, Error *err) {
    for (size_t i = 0; i < parameters->count; i++) {
        const Parameter *row = &parameters->rows[i];
        char *name = parts->names[parts->count];
        tensor_name(name, which, row);
        const char *problem = problem_of(block, row, which, half);
        if (problem) {
            error_set(err, ERR_VALUE, "the model is not saved: its %s %s", name, problem);
            return error_hint(err, "Save it as it was before, or give it other numbers.");
        }
        if (!parts_add(parts, tensor_view(block, &row->shape, row->offset, err), half))
            return false;
    }
    return true;
}

/* Adds `count` rows of float64. */
static bool add_rows(Parts *parts, const char *name, const void *rows, size_t count, size_t columns,
                     Error *err) {
    Shape shape = shape_2d(count, columns);
    Tensor *tensor = tensor_new(DTYPE_DOUBLE, &shape, err);
    if (tensor && count) memcpy(tensor->data, rows, count * columns * sizeof(double));
    strcpy(parts->names[parts->count], name);
    return parts_add(parts, tensor, false);
}

bool checkpoint_write(Text *out, const Transformer *model, bool half, Error *err) {
    const Parameters *parameters = &model->parameters;
    const Optimiser *optimiser = &model->optimiser;
    static const History none = {.count = 0};
    const History *history = half ? &none : &model->history;
    Tensor *const blocks[BLOCKS] = {parameters->block, half ? NULL : optimiser->first,
                                    half ? NULL : optimiser->second};
    size_t most = BLOCKS * parameters->count + 2;
    Notes notes;
    SafetensorsText texts[NOTES_MAX];
    Parts parts = {.items = mem_zeroed(most, sizeof *parts.items, err)};
    parts.names = parts.items ? mem_zeroed(most, sizeof *parts.names, err) : NULL;
    bool ok = parts.names != NULL;
    note_model(&notes, model, half);
    for (int i = 0; ok && i < BLOCKS; i++)
        ok = !blocks[i] || add_block(&parts, parameters, blocks[i], i, half, err);
    ok = ok && add_rows(&parts, history_name, history->rows, history->count, HISTORY_COLUMNS, err);
    if (ok && history->head_count)
        ok = add_rows(&parts, heads_name, history->heads, history->head_count, HEADS_COLUMNS, err);
    for (size_t i = 0; ok && i < notes.count; i++) {
        ok = text_ok(&notes.texts[i], err);
        texts[i] = (SafetensorsText){notes.keys[i], notes.texts[i].data};
    }
    ok = ok && safetensors_write(out, parts.items, parts.count, texts, notes.count, err);
    for (size_t i = 0; i < parts.count; i++) tensor_unref(parts.items[i].tensor);
    mem_free(parts.items);
    mem_free(parts.names);
    for (size_t i = 0; i < notes.count; i++) text_release(&notes.texts[i]);
    return ok;
}

bool checkpoint_save(const char *path, const Transformer *model, bool half, Error *err) {
    Text bytes = TEXT_EMPTY;
    return file_write_text(checkpoint_write(&bytes, model, half, err), path, &bytes, err);
}

/* ---- reading the configuration ---- */

static bool read_noted(const Safetensors *file, const Option *option, void *base, Error *err) {
    const char *text = safetensors_metadata(file, option->name);
    if (!text) return error_set(err, ERR_FILE, "its metadata has no \"%s\"", option->name);
    const char *problem = option_read(option, base, text);
    return !problem || error_set(err, ERR_FILE, "\"%s\" in its metadata is \"%s\", which is %s",
                                 option->name, quoted_text(text).text, problem);
}

/* Reads row i; what goes with a key that is not there stays as it is. */
static bool read_row(const Safetensors *file, int i, Declared *declared, Error *err) {
    static const char *const with[] = {[STORED] = "stored",
                                       [ASKED_AT] = "asked_places",
                                       [ASKED_PLACES] = "asked_places",
                                       [OPTIMISER] = "optimiser",
                                       [STEP] = "optimiser"};
    return (with[i] && !safetensors_metadata(file, with[i])) ||
           read_noted(file, &declared_rows[i], declared, err);
}

static bool read_metadata(const Safetensors *file, ModelConfig *config, Declared *declared,
                          Error *err) {
    model_config_init(config, MODEL_DECODER);
    if (!read_row(file, VERSION, declared, err)) return false;
    size_t newest = 1;
    for (const Option *option = model_options; option->name; option++)
        newest = larger(newest, option->since);
    if (declared->version < 1 || declared->version > newest)
        return error_set(err, ERR_FILE,
                         "\"version\" in its metadata is \"%zu\", which is not known here",
                         declared->version);
    for (const Option *option = model_options; option->name; option++) {
        bool left_out = option->may_be_none && !safetensors_metadata(file, option->name);
        if (!left_out && option->since <= declared->version &&
            !read_noted(file, option, config, err))
            return false;
    }
    for (int i = NUMBER_TYPE; i <= STEP; i++)
        if (!read_row(file, i, declared, err)) return false;
    if (declared->version < 2) config->logit_bias = config->bias;
    config->dtype = declared->number_type ? DTYPE_DOUBLE : DTYPE_FLOAT;
    return model_config_check(config, err);
}

/* ---- reading the tensors ---- */

/* Reads a tensor that must have this type and shape. New. */
static Tensor *read_tensor(const Safetensors *file, const char *name, SafetensorsType type,
                           const Shape *shape, Error *err) {
    const SafetensorsEntry *entry = safetensors_find(file, name);
    if (!entry) {
        error_set(err, ERR_FILE, "it has no tensor \"%s\"", name);
        return NULL;
    }
    if (!shape_equal(&entry->shape, shape)) {
        error_set(err, ERR_FILE, "tensor \"%s\" has shape %s, but the model's has %s", name,
                  shape_words(&entry->shape), shape_words(shape));
        return NULL;
    }
    if (entry->type != type) {
        error_set(err, ERR_FILE, "tensor \"%s\" has another type than the model's %s", name,
                  type == SAFETENSORS_F16   ? stored_types[0]
                  : type == SAFETENSORS_F64 ? dtype_name(DTYPE_DOUBLE)
                                            : dtype_name(DTYPE_FLOAT));
        return NULL;
    }
    return safetensors_tensor(file, entry, err);
}

/* Fills a block. */
static bool read_block(const Safetensors *file, const Parameters *parameters, Tensor *block,
                       int which, bool half, Error *err) {
    SafetensorsType type = half ? SAFETENSORS_F16 : safetensors_type_of(block->dtype);
    for (size_t i = 0; i < parameters->count; i++) {
        const Parameter *row = &parameters->rows[i];
        char name[TENSOR_NAME];
        tensor_name(name, which, row);
        LocalTensor *part = read_tensor(file, name, type, &row->shape, err);
        if (!part || !tensor_replace(&part, tensor_cast(part, block->dtype, err))) return false;
        memcpy(tensor_address(block, row->offset), part->data,
               row->count * dtype_size(part->dtype));
        const char *problem = problem_of(block, row, which, false);
        if (problem) return error_set(err, ERR_FILE, "tensor \"%s\" %s", name, problem);
    }
    return true;
}

/* Reads rows of float64: new. */
static void *read_rows(const Safetensors *file, const char *name, size_t columns, size_t *count,
                       Error *err) {
    const SafetensorsEntry *entry = safetensors_find(file, name);
    Shape shape = shape_2d(entry ? entry->shape.size[0] : 0, columns);
    LocalTensor *tensor = read_tensor(file, name, SAFETENSORS_F64, &shape, err);
    if (!tensor) return NULL;
    *count = shape.size[0];
    void *rows = mem_alloc(tensor->count * sizeof(double), err);
    if (rows && tensor->count) memcpy(rows, tensor->data, tensor->count * sizeof(double));
    return rows;
}

static bool read_history(const Safetensors *file, const ModelConfig *config, History *history,
                         Error *err) {
    size_t *count = &history->count, *heads = &history->head_count;
    history->rows = read_rows(file, history_name, HISTORY_COLUMNS, count, err);
    history->capacity = *count;
    if (!history->rows || !safetensors_find(file, heads_name)) return history->rows != NULL;
    history->heads = read_rows(file, heads_name, HEADS_COLUMNS, heads, err);
    history->head_capacity = *heads;
    for (size_t i = 0; history->heads && i < *heads; i++) {
        double head = history->heads[i].head;
        if (!(head >= 0 && head < (double)head_count(config)))
            return error_set(err, ERR_FILE, "its history has a head %g, which the model lacks",
                             head);
    }
    return history->heads != NULL;
}

/* Refuses tensors that belong to no part of the model, which would be lost without a word. */
static bool check_no_stranger(const Safetensors *file, const Transformer *model, size_t blocks,
                              Error *err) {
    for (size_t i = 0; i < file->count; i++) {
        const char *name = file->entries[i].name;
        bool known = strcmp(name, history_name) == 0 || strcmp(name, heads_name) == 0;
        for (size_t b = 0; b < blocks && !known; b++) {
            size_t length = strlen(block_prefixes[b]);
            known = strncmp(name, block_prefixes[b], length) == 0 &&
                    parameters_find(&model->parameters, name + length) != NO_PARAMETER;
        }
        if (!known)
            return error_set(err, ERR_FILE, "tensor \"%s\" belongs to no part of its model",
                             quoted_text(name).text);
    }
    return true;
}

bool checkpoint_is(const Safetensors *file) {
    const char *format = safetensors_metadata(file, "format");
    return format && strcmp(format, format_name) == 0;
}

static bool read_model(const Safetensors *file, Transformer *model, Error *err) {
    Declared declared = {.version = 0};
    ModelConfig *config = &model->config;
    Parameters *parameters = &model->parameters;
    if (!checkpoint_is(file)) return error_set(err, ERR_FILE, "it holds arrays, and no model");
    if (!read_metadata(file, config, &declared, err)) return false;
    model->asked_at = declared.asked_at;
    model->asked_places = declared.asked_places;
    model->optimiser = (Optimiser){.kind = declared.optimiser, .step = declared.step};

    bool half = safetensors_metadata(file, "stored") != NULL;
    size_t count = 1, width = half ? sizeof(uint16_t) : dtype_size(config->dtype);
    if (safetensors_metadata(file, "optimiser"))
        count = declared.optimiser == OPTIMISER_SGD ? 2 : 3;
    if (config->layers > file->count)
        return error_set(err, ERR_FILE, "its metadata promises %zu layers, but it has %zu tensors",
                         config->layers, file->count);
    if (!parameters_init_rows(parameters, config, err)) return false;
    /* Memory is not asked for more numbers than the file has bytes for. */
    if (parameters->numbers > file->length / (count * width))
        return error_set(err, ERR_FILE,
                         "its metadata promises a model of %zu parameters, which is more than its "
                         "%zu bytes can hold",
                         parameters->numbers, file->length);
    if (!parameters_init_block(parameters, config->dtype, err) ||
        !check_no_stranger(file, model, count, err))
        return false;

    Tensor **blocks[BLOCKS] = {&parameters->block, &model->optimiser.first,
                               &model->optimiser.second};
    for (size_t b = 0; b < count; b++) {
        if (b > 0) *blocks[b] = tensor_new(config->dtype, &(*blocks[0])->shape, err);
        if (!*blocks[b] || !read_block(file, parameters, *blocks[b], (int)b, half, err))
            return false;
    }
    if (!read_history(file, config, &model->history, err)) return false;

    const char *json = safetensors_metadata(file, "vocabulary");
    if (!json) return true;
    model->vocabulary = vocabulary_read_json(json, strlen(json), err);
    if (!model->vocabulary) return false;
    size_t tokens = model->vocabulary->count;
    return tokens <= config->vocabulary ||
           error_set(err, ERR_FILE, "its vocabulary has %zu tokens, but the model knows only %zu",
                     tokens, config->vocabulary);
}

bool checkpoint_open(Transformer *model, const Safetensors *file, Error *err) {
    Transformer made = {.vocabulary = NULL};
    Error problem = {0};
    if (read_model(file, &made, &problem)) {
        *model = made;
        return true;
    }
    transformer_release(&made);
    if (err) *err = problem;
    /* A choice that fits no model is the file's mistake, not the caller's. */
    if (problem.kind == ERR_FILE || problem.kind == ERR_VALUE)
        error_set(err, ERR_FILE, file->path ? "%s: %s" : "%s%s", file->path ? file->path : "",
                  problem.message);
    return false;
}
