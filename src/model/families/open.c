/* Opens a folder as a model: reads its settings, finds what each tensor is here, checks all of it
 * before it reads the first number, and reads numbers in pieces, so that memory holds them once. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/size.h"
#include "io/file.h"
#include "io/json.h"
#include "model/families/family.h"
#include "model/tokenizers/vocabulary.h"

#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    CONFIG_BYTES = 1 << 20,
    NAME_BYTES = 128,
    PIECE = 1 << 18,     /* numbers read at once */
    ROWS_TRANSPOSED = 16 /* at least so many rows, so that whole cache lines are written */
};

/* ---- the settings ---- */

static const Family *find_family(const json_t *config, Error *err) {
    const json_t *value = json_object_get(config, "model_type");
    const char *type = json_is_string(value) ? json_string_value(value) : "";
    LocalText known = TEXT_EMPTY;
    const Family *family = families;
    for (; family->type && strcmp(family->type, type) != 0; family++)
        text_format(&known, "%s%s", family == families ? "" : ", ", family->type);
    if (!family->type && *type)
        error_set(err, ERR_FILE, "model type %s: known are %s", quoted_text(type).text, known.data);
    else if (!family->type)
        error_set(err, ERR_FILE, "its config.json has no word as \"model_type\"; known are %s",
                  known.data);
    return family->type ? family : NULL;
}

/* The name that this program has for an activation of other libraries. */
static const char *our_name(const char *name) {
    static const char *const gelu_tanh[] = {"gelu_new", "gelu_pytorch_tanh", "gelu_fast"};
    for (size_t i = 0; i < sizeof gelu_tanh / sizeof *gelu_tanh; i++)
        if (strcmp(gelu_tanh[i], name) == 0) return "gelu_tanh";
    return name;
}

static bool read_setting(const json_t *config, const Setting *setting, ModelConfig *out,
                         Error *err) {
    const Option *option = setting->ours ? model_options : NULL;
    while (option && strcmp(option->name, setting->ours) != 0) option++;
    const json_t *value = setting->theirs ? json_object_get(config, setting->theirs) : NULL;
    const char *problem = NULL;
    LocalText text = TEXT_EMPTY;
    bool there = value && !json_is_null(value);
    if (!there && !setting->otherwise)
        return error_set(err, ERR_FILE, "its config.json has no \"%s\"", setting->theirs);
    if (!there) text_string(&text, setting->otherwise);
    else if (!json_scalar_text(&text, value) ||
             (option && json_is_string(value) != option_has_words(option)))
        problem = "of another type than it should be";
    bool ok = text_ok(&text, err);
    if (!problem && option && text.length > 0)
        problem = option_read(option, out, our_name(text.data));
    if (!problem && !option && strcmp(text.data, setting->otherwise) != 0)
        problem = "not known here";
    if (ok && problem)
        ok = error_set(err, ERR_FILE, "\"%s\" in its config.json is %s, which is %s",
                       setting->theirs, quoted_text(text.data).text, problem);
    return ok;
}

/* ---- names and numbers ---- */

/* The name of a tensor or a part: `pattern` with the layer for its *. */
static void write_name(char out[NAME_BYTES], const char *prefix, const char *pattern,
                       size_t layer) {
    const char *star = strchr(pattern, '*');
    if (!star) snprintf(out, NAME_BYTES, "%s%s", prefix, pattern);
    else
        snprintf(out, NAME_BYTES, "%s%.*s%zu%s", prefix, (int)(star - pattern), pattern, layer,
                 star + 1);
}

/* True if both tensors hold the same numbers. */
static bool same_numbers(const NamedTensor *a, const NamedTensor *b, bool *same, Error *err) {
    *same = false;
    if (a->entry->type != b->entry->type || !shape_equal(&a->entry->shape, &b->entry->shape))
        return true;
    LocalMemory float *x = mem_alloc(2 * PIECE * sizeof *x, err);
    if (!x) return false;
    float *y = x + PIECE;
    *same = true;
    for (size_t at = 0; *same && at < a->entry->count; at += PIECE) {
        size_t count = smaller(PIECE, a->entry->count - at);
        if (!safetensors_floats(a->file, a->entry, at, count, x, err) ||
            !safetensors_floats(b->file, b->entry, at, count, y, err))
            return false;
        *same = memcmp(x, y, count * sizeof *x) == 0;
    }
    return true;
}

static bool is_float(const NamedTensor *tensor) {
    SafetensorsType type = tensor->entry->type;
    return type == SAFETENSORS_F32 || type == SAFETENSORS_F16 || type == SAFETENSORS_BF16;
}

/* Decides whether the logits have a matrix of their own. A file may also write the embedding again
 * under its name, which is then left aside. */
static bool decide_tie(const json_t *settings, const Family *family, const TensorFiles *files,
                       const char *prefix, ModelConfig *config, Error *err) {
    static const Setting tie = {"tie_word_embeddings", "tie", "true"};
    char name[NAME_BYTES];
    NamedTensor *output = tensor_files_find(files, family->output);
    if (!read_setting(settings, &tie, config, err)) return false;
    if (!output || config->head == HEAD_NONE) return true;
    write_name(name, prefix, family->rules[0].theirs, 0);
    const NamedTensor *embedding = tensor_files_find(files, name);
    config->tie = false;
    if (embedding && is_float(output) && is_float(embedding) &&
        !same_numbers(output, embedding, &config->tie, err))
        return false;
    output->known = config->tie;
    return true;
}

/* ---- what each tensor is ---- */

/* A tensor and the parts that are in it; a part that the model does not have is NO_PARAMETER. */
typedef struct Placement {
    const NamedTensor *tensor;
    const TensorRule *rule;
    int rows[TENSOR_PARTS];
    int count;
} Placement;

typedef struct Plan {
    const Family *family;
    const char *prefix;
    const TensorFiles *files;
    const Parameters *parameters;
    Placement *placements;
    size_t count;
    bool *filled; /* by row of the parameters */
    int found;    /* the row found last: the next one is near it */
} Plan;

static int find_row(Plan *plan, const char *name) {
    size_t count = plan->parameters->count;
    for (size_t i = 0; i < count; i++) {
        size_t row = ((size_t)plan->found + i) % count;
        if (strcmp(plan->parameters->rows[row].name, name) == 0) return plan->found = (int)row;
    }
    return NO_PARAMETER;
}

static void tensor_name_of(const Plan *plan, const TensorRule *rule, size_t layer,
                           char out[NAME_BYTES]) {
    write_name(out, rule->outside ? "" : plan->prefix, rule->theirs, layer);
}

/* Notes the parts that are in the tensor of a rule, if it is there, and checks that it has their
 * shape and numbers that are read. */
static bool place_rule(Plan *plan, const TensorRule *rule, size_t layer, Error *err) {
    char name[NAME_BYTES];
    tensor_name_of(plan, rule, layer, name);
    NamedTensor *tensor = tensor_files_find(plan->files, name);
    Placement placement = {.tensor = tensor, .rule = rule};
    if (!tensor) return true;
    for (int i = 0; i < TENSOR_PARTS && rule->ours[i]; i++) {
        write_name(name, "", rule->ours[i], layer);
        int row = find_row(plan, name);
        if (row == NO_PARAMETER) return true; /* a stranger, if nobody knows it otherwise */
        if (plan->filled[row])
            return error_set(err, ERR_FILE, "tensor \"%s\" is there twice, by two names",
                             quoted_text(tensor->entry->name).text);
        plan->filled[row] = true;
        placement.rows[placement.count++] = row;
    }
    tensor->known = true;
    if (placement.count == 0) return true;
    plan->placements[plan->count++] = placement;

    const SafetensorsEntry *entry = tensor->entry;
    const Parameter *part = &plan->parameters->rows[placement.rows[0]];
    Shape wanted = part->shape;
    wanted.size[wanted.axes - 1] *= (size_t)placement.count;
    if (rule->transposed) wanted = shape_2d(part->shape.size[1], part->shape.size[0]);
    if (!shape_equal(&entry->shape, &wanted))
        return error_set(err, ERR_FILE, "tensor \"%s\" has shape %s, but its config.json says %s",
                         quoted_text(entry->name).text, shape_words(&entry->shape),
                         shape_words(&wanted));
    if (!is_float(tensor))
        return error_set(err, ERR_FILE,
                         "tensor \"%s\" is %s: parameters are read from F32, F16 and BF16",
                         quoted_text(entry->name).text, safetensors_type_name(entry->type));
    return true;
}

/* Names the tensor of a part that none has filled. */
static bool check_complete(const Plan *plan, size_t layers, Error *err) {
    size_t missing = 0;
    char name[NAME_BYTES];
    while (missing < plan->parameters->count && plan->filled[missing]) missing++;
    if (missing == plan->parameters->count) return true;
    const char *part = plan->parameters->rows[missing].name;
    for (size_t r = 0; r < plan->family->rules_count; r++) {
        const TensorRule *rule = &plan->family->rules[r];
        for (size_t layer = 0; layer < (strchr(rule->theirs, '*') ? layers : 1); layer++) {
            for (int i = 0; i < TENSOR_PARTS && rule->ours[i]; i++) {
                write_name(name, "", rule->ours[i], layer);
                if (strcmp(name, part) != 0) continue;
                tensor_name_of(plan, rule, layer, name);
                return error_set(err, ERR_FILE, "it has no tensor \"%s\"", name);
            }
        }
    }
    assert(false && "a family's table has a tensor for each part");
    return false;
}

/* Finds the tensor of each part of the model: none is missing, and none is left over. */
static bool place_all(Plan *plan, size_t layers, Error *err) {
    const Family *family = plan->family;
    for (size_t layer = 0; layer < layers; layer++) {
        if (interrupted(err)) return false;
        for (size_t r = 0; r < family->rules_count; r++)
            if ((layer == 0 || strchr(family->rules[r].theirs, '*')) &&
                !place_rule(plan, &family->rules[r], layer, err))
                return false;
    }
    if (!check_complete(plan, layers, err)) return false;
    for (size_t i = 0; i < plan->files->count; i++)
        if (!plan->files->tensors[i].known)
            return error_set(err, ERR_FILE, "tensor \"%s\" belongs to no part of a %s model",
                             quoted_text(plan->files->tensors[i].entry->name).text, family->type);
    return true;
}

/* ---- the numbers ---- */

/* Copies rows of a checkpoint's tensor, from row `first` on, into our parameters. */
static void put_rows(const Plan *plan, const Placement *placement, const float *x, size_t first,
                     size_t rows) {
    const Parameter *part = &plan->parameters->rows[placement->rows[0]];
    float *block = tensor_floats(plan->parameters->block);
    if (placement->rule->transposed) {
        size_t columns = part->shape.size[0], width = part->shape.size[1];
        float *out = block + part->offset + first;
        for (size_t j = 0; j < columns; j++)
            for (size_t i = 0; i < rows; i++) out[j * width + i] = x[i * columns + j];
        return;
    }
    size_t width = shape_columns(&part->shape);
    for (int p = 0; p < placement->count; p++) {
        float *out = block + plan->parameters->rows[placement->rows[p]].offset + first * width;
        for (size_t i = 0; i < rows; i++)
            memcpy(out + i * width, x + (i * (size_t)placement->count + (size_t)p) * width,
                   width * sizeof *x);
    }
}

static bool read_numbers(const Plan *plan, const Placement *placement, Error *err) {
    const SafetensorsEntry *entry = placement->tensor->entry;
    size_t columns = shape_columns(&entry->shape), rows = entry->count / columns;
    size_t each =
        smaller(rows, larger(PIECE / columns, placement->rule->transposed ? ROWS_TRANSPOSED : 1));
    LocalMemory float *x = mem_alloc(each * columns * sizeof *x, err);
    if (!x) return false;
    for (size_t first = 0; first < rows; first += each) {
        size_t now = smaller(each, rows - first), count = now * columns;
        bool has_nan = false;
        if (!safetensors_floats(placement->tensor->file, entry, first * columns, count, x, err))
            return false;
        for (size_t i = 0; i < count; i++) has_nan |= isnan(x[i]);
        if (has_nan)
            return error_set(err, ERR_FILE, "tensor \"%s\" holds nan",
                             quoted_text(entry->name).text);
        put_rows(plan, placement, x, first, now);
    }
    return true;
}

/* ---- the whole ---- */

/* Fills the model, which the caller releases also on failure. */
static bool read_model(const char *folder, const json_t *settings, const TensorFiles *files,
                       Transformer *model, Error *err) {
    ModelConfig *config = &model->config;
    Parameters *parameters = &model->parameters;
    const Family *family = find_family(settings, err);
    if (!family) return false;
    char name[NAME_BYTES];
    write_name(name, family->prefix, family->rules[0].theirs, 0);
    const char *prefix = tensor_files_find(files, name) ? family->prefix : "";

    model_config_init(config, family->kind);
    config->d_ff = NO_SIZE;
    for (size_t i = 0; i < family->settings_count; i++)
        if (!read_setting(settings, &family->settings[i], config, err)) return false;
    if (config->d_ff == NO_SIZE) config->d_ff = 4 * config->d_model;
    if (family->transform)
        config->head = tensor_files_find(files, family->transform) ? HEAD_TRANSFORM : HEAD_NONE;
    if (!decide_tie(settings, family, files, prefix, config, err) ||
        !model_config_check(config, err))
        return false;
    /* Each layer has tensors, so rows are made for no more layers than there are tensors. */
    if (config->layers > files->count)
        return error_set(err, ERR_FILE,
                         "its config.json promises %zu layers, but it has %zu tensors",
                         config->layers, files->count);

    if (!parameters_init_rows(parameters, config, err)) return false;
    LocalMemory Placement *placements = mem_zeroed(files->count, sizeof *placements, err);
    LocalMemory bool *filled =
        placements ? mem_zeroed(parameters->count, sizeof *filled, err) : NULL;
    Plan plan = {.family = family,
                 .prefix = prefix,
                 .files = files,
                 .parameters = parameters,
                 .placements = placements,
                 .filled = filled};
    if (!filled || !place_all(&plan, config->layers, err) ||
        !parameters_init_block(parameters, config->dtype, err))
        return false;
    for (size_t i = 0; i < plan.count; i++)
        if (!read_numbers(&plan, &placements[i], err)) return false;

    bool found;
    const Vocabulary *tokens = model->vocabulary = vocabulary_open_folder(folder, &found, err);
    if (!tokens) return !found;
    return tokens->count <= config->vocabulary ||
           error_set(err, ERR_FILE, "its tokenizer has %zu tokens, but the model knows only %zu",
                     tokens->count, config->vocabulary);
}

bool family_open(Transformer *out, const char *folder, Error *err) {
    Transformer made = {.vocabulary = NULL};
    LocalJsonTree config = {NULL, NULL};
    TensorFiles files = {.files = NULL};
    Error problem = {.kind = ERR_NONE};
    bool ok = json_tree_read_file(&config, folder, "config.json", CONFIG_BYTES, "its config.json",
                                  &problem);
    ok = ok && tensor_files_open(&files, folder, &problem) &&
         read_model(folder, config.root, &files, &made, &problem);
    tensor_files_release(&files);
    if (ok) {
        *out = made;
        return true;
    }
    transformer_release(&made);
    if (!err) return false;
    *err = problem;
    /* Settings that fit no model are the file's mistake, not the caller's. */
    if (problem.kind == ERR_FILE || problem.kind == ERR_VALUE) {
        LocalText inside = TEXT_EMPTY; /* a message that names one of the files */
        path_join(&inside, folder, "");
        if (problem.kind != ERR_FILE || !strstr(problem.message, inside.data))
            error_set(err, ERR_FILE, "%s: %s", folder, problem.message);
        if (*problem.hint) error_hint(err, "%s", problem.hint);
    }
    return false;
}
