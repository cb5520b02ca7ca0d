#include "model/checkpoint.h"

#include "base/memory.h"
#include "base/number.h"
#include "io/file.h"
#include "model/vocabulary.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char format_name[] = "attn transformer";

/* A file of version 1 says nothing of what version 2 added (note_additions, read_additions): it is
 * as model_config_init has it. Models that are so are still written as version 1. */
static const char *const versions[] = {"1", "2", NULL};

/* The choices that ModelConfig has no words for: by norm_first, a truth, a type. */
static const char *const norm_places[] = {"post", "pre", NULL};
static const char *const truths[] = {"false", "true", NULL};
static const char *const number_types[] = {"float32", "float64", NULL};
static const char *const stored_types[] = {"float16", NULL}; /* other than the model's */
static const double HALF_MOST = 65504;

/* ---- the tensors ---- */

/* Blocks of numbers with one for each parameter: the parameters, and the optimiser's moments. These
 * are the first words of a tensor's name in a file. */
enum { BLOCKS = 3, SECOND_MOMENT = 2, TENSOR_NAME = PARAMETER_NAME + 24, HISTORY_COLUMNS = 4 };
static const char *const block_prefixes[BLOCKS] = {"", "optimiser.first.", "optimiser.second."};
static const char history_name[] = "history";

_Static_assert(sizeof(HistoryRow) == HISTORY_COLUMNS * sizeof(double), "a row is its numbers");

static void tensor_name(char *out, int block, const Parameter *row) {
    snprintf(out, TENSOR_NAME, "%s%s", block_prefixes[block], row->name);
}

/* The fault in the numbers of a part; NULL: none. Infinities are fine: a bias of -inf forbids a
 * token. */
static const char *problem_of(const Tensor *block, const Parameter *row, int which) {
    for (size_t i = row->offset; i < row->offset + row->count; i++) {
        double x = tensor_get(block, i);
        if (isnan(x)) return "holds nan";
        if (which == SECOND_MOMENT && x < 0) return "holds a mean of squares below 0";
    }
    return NULL;
}

static const char *too_large_for_half(const Tensor *block, const Parameter *row) {
    for (size_t i = row->offset; i < row->offset + row->count; i++) {
        double x = fabs(tensor_get(block, i));
        if (x > HALF_MOST && isfinite(x)) return "holds a number that is too large for float16";
    }
    return NULL;
}

/* ---- writing ---- */

enum { NOTES_MAX = 32 };

/* The texts that are written as metadata. */
typedef struct Notes {
    SafetensorsText texts[NOTES_MAX];
    char words[NOTES_MAX][32];
    size_t count;
    Text vocabulary;
} Notes;

static void note(Notes *notes, const char *key, const char *format, ...) ATTN_PRINTF(3, 4);

static void note(Notes *notes, const char *key, const char *format, ...) {
    char *text = notes->words[notes->count];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof notes->words[0], format, arguments);
    va_end(arguments);
    notes->texts[notes->count++] = (SafetensorsText){key, text};
}

static bool has_additions(const ModelConfig *config) {
    ModelConfig plain;
    model_config_init(&plain, config->kind);
    return config->norm_epsilon != plain.norm_epsilon || config->embed_norm ||
           config->token_types > 0 || config->head != plain.head ||
           config->logit_bias != config->bias;
}

static void note_additions(Notes *notes, const ModelConfig *config) {
    note(notes, "norm_epsilon", "%.17g", config->norm_epsilon);
    note(notes, "embed_norm", "%s", truths[config->embed_norm]);
    note(notes, "token_types", "%zu", config->token_types);
    note(notes, "head", "%s", head_names[config->head]);
    note(notes, "logit_bias", "%s", truths[config->logit_bias]);
}

/* Fills notes, whose text is to be released. */
static bool note_model(Notes *notes, const Transformer *model, bool half, Error *err) {
    const ModelConfig *config = &model->config;
    const Vocabulary *vocabulary = model->vocabulary;
    Text dropout = TEXT_EMPTY;
    number_write_shortest(&dropout, config->dropout, false);
    *notes = (Notes){.vocabulary = TEXT_EMPTY};
    note(notes, "format", "%s", format_name);
    note(notes, "version", "%s", versions[has_additions(config)]);
    note(notes, "kind", "%s", model_kind_names[config->kind]);
    note(notes, "vocab", "%zu", config->vocabulary);
    note(notes, "d_model", "%zu", config->d_model);
    note(notes, "heads", "%zu", config->heads);
    note(notes, "layers", "%zu", config->layers);
    note(notes, "d_ff", "%zu", config->d_ff);
    note(notes, "max_len", "%zu", config->max_len);
    note(notes, "norm", "%s", norm_places[config->norm_first]);
    note(notes, "rms", "%s", truths[config->rms_norm]);
    note(notes, "activation", "%s", activation_names[config->activation]);
    note(notes, "position", "%s", config->position->words.word);
    if (config->has_window) note(notes, "window", "%zu", config->window);
    note(notes, "bias", "%s", truths[config->bias]);
    note(notes, "tie", "%s", truths[config->tie]);
    note(notes, "dropout", "%s", dropout.data);
    note(notes, "seed", "%llu", (unsigned long long)config->seed);
    note(notes, "dtype", "%s", dtype_name(config->dtype));
    if (has_additions(config)) note_additions(notes, config);
    if (half) note(notes, "stored", "%s", stored_types[0]);
    if (model->asked_places) {
        note(notes, "asked_at", "%s", asked_names[model->asked_at]);
        note(notes, "asked_places", "%zu", model->asked_places);
    }
    if (model->optimiser.first && !half) {
        note(notes, "optimiser", "%s", optimiser_names[model->optimiser.kind]);
        note(notes, "optimiser_step", "%zu", model->optimiser.step);
    }
    if (vocabulary) {
        vocabulary_write_json(vocabulary, &notes->vocabulary);
        notes->texts[notes->count++] = (SafetensorsText){"vocabulary", notes->vocabulary.data};
    }
    text_release_for(&dropout, &notes->vocabulary);
    return text_ok(&notes->vocabulary, err);
}

/* The items that are written as tensors. */
typedef struct Parts {
    SafetensorsItem *items;
    char (*names)[TENSOR_NAME]; /* of the items */
    size_t count;
} Parts;

static void parts_release(Parts *parts) {
    for (size_t i = 0; i < parts->count; i++) tensor_unref(parts->items[i].tensor);
    mem_free(parts->items);
    mem_free(parts->names);
}

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
        const char *problem = problem_of(block, row, which);
        if (!problem && half) problem = too_large_for_half(block, row);
        if (problem) {
            error_set(err, ERR_VALUE, "the model is not saved: its %s %s", name, problem);
            return error_hint(err, "Save it as it was before, or give it other numbers.");
        }
        if (!parts_add(parts, tensor_view(block, &row->shape, row->offset, err), half))
            return false;
    }
    return true;
}

static bool add_history(Parts *parts, const History *history, Error *err) {
    Shape shape = shape_2d(history->count, HISTORY_COLUMNS);
    Tensor *tensor = tensor_new(DTYPE_DOUBLE, &shape, err);
    if (tensor && history->count)
        memcpy(tensor->data, history->rows, history->count * sizeof *history->rows);
    strcpy(parts->names[parts->count], history_name);
    return parts_add(parts, tensor, false);
}

bool checkpoint_write(Text *out, const Transformer *model, bool half, Error *err) {
    const Parameters *parameters = &model->parameters;
    const Optimiser *optimiser = &model->optimiser;
    static const History none = {.count = 0};
    Tensor *const blocks[BLOCKS] = {parameters->block, half ? NULL : optimiser->first,
                                    half ? NULL : optimiser->second};
    size_t most = BLOCKS * parameters->count + 1;
    Notes notes;
    Parts parts = {.items = mem_zeroed(most, sizeof *parts.items, err)};
    parts.names = parts.items ? mem_zeroed(most, sizeof *parts.names, err) : NULL;
    bool ok = note_model(&notes, model, half, err) && parts.names;
    for (int i = 0; ok && i < BLOCKS; i++)
        ok = !blocks[i] || add_block(&parts, parameters, blocks[i], i, half, err);
    ok = ok && add_history(&parts, half ? &none : &model->history, err) &&
         safetensors_write(out, parts.items, parts.count, notes.texts, notes.count, err);
    parts_release(&parts);
    text_release(&notes.vocabulary);
    return ok;
}

bool checkpoint_save(const char *path, const Transformer *model, bool half, Error *err) {
    Text bytes = TEXT_EMPTY;
    return file_write_text(checkpoint_write(&bytes, model, half, err), path, &bytes, err);
}

/* ---- reading the configuration ---- */

/* The first problem is kept in err; what is read after it is 0. */
typedef struct Reader {
    const Safetensors *file;
    Error *err;
    bool failed;
} Reader;

static const char *read_text(Reader *reader, const char *key) {
    const char *text = reader->failed ? NULL : safetensors_metadata(reader->file, key);
    if (!text && !reader->failed) {
        reader->failed = true;
        error_set(reader->err, ERR_FILE, "its metadata has no \"%s\"", key);
    }
    return text;
}

static void bad_text(Reader *reader, const char *key, const char *text, const char *wanted) {
    reader->failed = true;
    error_set(reader->err, ERR_FILE, "\"%s\" in its metadata is \"%s\", which is %s", key,
              quoted_text(text).text, wanted);
}

static uint64_t read_whole(Reader *reader, const char *key, uint64_t most) {
    const char *text = read_text(reader, key);
    uint64_t number = 0;
    if (!text) return 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9'; at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (number > (most - digit) / 10) break;
        number = 10 * number + digit;
    }
    if (*at == '\0' && at > text) return number;
    bad_text(reader, key, text, "no whole number, or too large");
    return 0;
}

static size_t read_size(Reader *reader, const char *key) {
    return (size_t)read_whole(reader, key, SIZE_MAX);
}

static unsigned read_word(Reader *reader, const char *key, const char *const *words) {
    const char *text = read_text(reader, key);
    for (unsigned i = 0; text && words[i]; i++)
        if (strcmp(words[i], text) == 0) return i;
    if (text) bad_text(reader, key, text, "not known here");
    return 0;
}

static const PositionDef *read_position(Reader *reader) {
    const char *text = read_text(reader, "position");
    for (int i = 0; text && position_kinds[i]; i++)
        if (strcmp(position_kinds[i]->words.word, text) == 0) return position_kinds[i];
    if (text) bad_text(reader, "position", text, "not known here");
    return &no_position;
}

static double read_share(Reader *reader, const char *key) {
    const char *text = read_text(reader, key);
    double number = 0;
    if (text && !number_read_whole(text, strlen(text), &number))
        bad_text(reader, key, text, "no number");
    return number;
}

static void read_additions(Reader *reader, ModelConfig *config) {
    config->norm_epsilon = read_share(reader, "norm_epsilon");
    config->embed_norm = read_word(reader, "embed_norm", truths) != 0;
    config->token_types = read_size(reader, "token_types");
    config->head = (ModelHead)read_word(reader, "head", head_names);
    config->logit_bias = read_word(reader, "logit_bias", truths) != 0;
}

static void read_config(Reader *reader, ModelConfig *config) {
    bool additions = read_word(reader, "version", versions) > 0;
    model_config_init(config, (ModelKind)read_word(reader, "kind", model_kind_names));
    config->vocabulary = read_size(reader, "vocab");
    config->d_model = read_size(reader, "d_model");
    config->heads = read_size(reader, "heads");
    config->layers = read_size(reader, "layers");
    config->d_ff = read_size(reader, "d_ff");
    config->max_len = read_size(reader, "max_len");
    config->norm_first = read_word(reader, "norm", norm_places) != 0;
    config->rms_norm = read_word(reader, "rms", truths) != 0;
    config->activation = (Activation)read_word(reader, "activation", activation_names);
    config->position = read_position(reader);
    config->has_window = safetensors_metadata(reader->file, "window") != NULL;
    config->window = config->has_window ? read_size(reader, "window") : 0;
    config->bias = config->logit_bias = read_word(reader, "bias", truths) != 0;
    config->tie = read_word(reader, "tie", truths) != 0;
    config->dropout = read_share(reader, "dropout");
    config->seed = read_whole(reader, "seed", UINT64_MAX);
    config->dtype = read_word(reader, "dtype", number_types) ? DTYPE_DOUBLE : DTYPE_FLOAT;
    if (additions) read_additions(reader, config);
}

/* The contents that a file declares, before its tensors are read. */
typedef struct Promise {
    ModelConfig config;
    OptimiserKind optimiser;
    size_t step;   /* of the optimiser */
    bool half;     /* the parameters are stored as float16 */
    size_t blocks; /* the number of BLOCKS in the file */
    AskedAt asked_at;
    size_t asked_places;
} Promise;

/* Reads and checks the metadata. What passes has no more numbers than the file has bytes for. */
static bool read_promise(const Safetensors *file, Promise *promise, Error *err) {
    Reader reader = {.file = file, .err = err};
    *promise = (Promise){.blocks = 1};
    read_config(&reader, &promise->config);
    promise->half = safetensors_metadata(file, "stored") != NULL;
    if (promise->half) read_word(&reader, "stored", stored_types);
    if (safetensors_metadata(file, "asked_places")) { /* files of before say nothing of it */
        promise->asked_at = (AskedAt)read_word(&reader, "asked_at", asked_names);
        promise->asked_places = (size_t)read_whole(&reader, "asked_places", SIZE_MAX / 2);
    }
    if (safetensors_metadata(file, "optimiser")) {
        promise->optimiser = (OptimiserKind)read_word(&reader, "optimiser", optimiser_names);
        promise->step = (size_t)read_whole(&reader, "optimiser_step", SIZE_MAX / 2);
        promise->blocks = promise->optimiser == OPTIMISER_ADAMW ? 3 : 2;
    }
    if (reader.failed || !model_config_check(&promise->config, err)) return false;

    const ModelConfig *config = &promise->config;
    size_t width = promise->half ? sizeof(uint16_t) : dtype_size(config->dtype), numbers;
    if (config->layers > file->count)
        return error_set(err, ERR_FILE, "its metadata promises %zu layers, but it has %zu tensors",
                         config->layers, file->count);
    if (!parameters_count(config, &numbers, err)) return false;
    if (numbers > file->length / width / promise->blocks)
        return error_set(err, ERR_FILE,
                         "its metadata promises a model of %zu parameters, which is more than its "
                         "%zu bytes can hold",
                         numbers, file->length);
    return true;
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
        Tensor *part = read_tensor(file, name, type, &row->shape, err);
        if (part && !tensor_replace(&part, tensor_cast(part, block->dtype, err))) {
            tensor_unref(part);
            return false;
        }
        if (!part) return false;
        memcpy(tensor_address(block, row->offset), part->data,
               row->count * dtype_size(part->dtype));
        tensor_unref(part);
        const char *problem = problem_of(block, row, which);
        if (problem) return error_set(err, ERR_FILE, "tensor \"%s\" %s", name, problem);
    }
    return true;
}

static bool read_history(const Safetensors *file, History *history, Error *err) {
    const SafetensorsEntry *entry = safetensors_find(file, history_name);
    Shape shape = shape_2d(entry ? entry->shape.size[0] : 0, HISTORY_COLUMNS);
    Tensor *tensor = read_tensor(file, history_name, SAFETENSORS_F64, &shape, err);
    if (!tensor) return false;
    size_t count = shape.size[0];
    HistoryRow *rows = mem_alloc(count * sizeof *rows, err);
    if (rows && count) memcpy(rows, tensor->data, count * sizeof *rows);
    if (rows) *history = (History){rows, count, count};
    tensor_unref(tensor);
    return rows != NULL;
}

/* Refuses tensors that belong to no part of the model, which would be lost without a word. */
static bool check_no_stranger(const Safetensors *file, const Transformer *model, size_t blocks,
                              Error *err) {
    for (size_t i = 0; i < file->count; i++) {
        const char *name = file->entries[i].name;
        bool known = strcmp(name, history_name) == 0;
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

static bool read_vocabulary(const Safetensors *file, Transformer *model, Error *err) {
    const char *json = safetensors_metadata(file, "vocabulary");
    if (!json) return true;
    model->vocabulary = vocabulary_read_json(json, strlen(json), err);
    if (!model->vocabulary) return false;
    size_t count = model->vocabulary->count;
    return count <= model->config.vocabulary ||
           error_set(err, ERR_FILE, "its vocabulary has %zu tokens, but the model knows only %zu",
                     count, model->config.vocabulary);
}

bool checkpoint_is(const Safetensors *file) {
    const char *format = safetensors_metadata(file, "format");
    return format && strcmp(format, format_name) == 0;
}

static bool read_model(const Safetensors *file, Transformer *model, Error *err) {
    Promise promise;
    if (!checkpoint_is(file)) return error_set(err, ERR_FILE, "it holds arrays, and no model");
    if (!read_promise(file, &promise, err)) return false;
    model->config = promise.config;
    model->asked_at = promise.asked_at;
    model->asked_places = promise.asked_places;
    model->optimiser = (Optimiser){.kind = promise.optimiser, .step = promise.step};
    if (!parameters_init(&model->parameters, &model->config, err) ||
        !check_no_stranger(file, model, promise.blocks, err))
        return false;
    Tensor **blocks[BLOCKS] = {&model->parameters.block, &model->optimiser.first,
                               &model->optimiser.second};
    for (size_t b = 0; b < promise.blocks; b++) {
        if (b > 0) *blocks[b] = tensor_new(promise.config.dtype, &(*blocks[0])->shape, err);
        if (!*blocks[b] ||
            !read_block(file, &model->parameters, *blocks[b], (int)b, promise.half, err))
            return false;
    }
    return read_history(file, &model->history, err) && read_vocabulary(file, model, err);
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
