/* A model as text: its choices, and a table of its parts with their shapes and numbers. */
#include "base/translate.h"
#include "base/utf8.h"
#include "library/model.h"

#include <stdio.h>
#include <string.h>

enum {
    WIDTH = 40,
    NAME_WIDTH = 16,
    SHAPE_WIDTH = 12,
    NUMBER_WIDTH = WIDTH - NAME_WIDTH - SHAPE_WIDTH
};

/* 1234567 as "1,234,567". */
static void write_count(Text *out, size_t count) {
    if (count >= 1000) {
        write_count(out, count / 1000);
        text_format(out, ",%03zu", count % 1000);
    } else {
        text_format(out, "%zu", count);
    }
}

static void write_line(Text *out, const char *name, const char *shape, size_t numbers) {
    LocalText number = TEXT_FOR(out);
    write_count(&number, numbers);
    utf8_pad(out, name, strlen(name), NAME_WIDTH, false);
    utf8_pad(out, shape, strlen(shape), SHAPE_WIDTH, true);
    utf8_pad(out, number.data, number.length, NUMBER_WIDTH, true);
    text_char(out, '\n');
}

static void write_choices(Text *out, const Transformer *model) {
    const ModelConfig *c = &model->config;
    Text words = TEXT_EMPTY;
    text_format(&words, "%s, %s%zu layer%s, d_model %zu, %zu head%s, d_ff %zu, ",
                model_kind_names[c->kind], c->kind == MODEL_ENCODER_DECODER ? "2 × " : "",
                c->layers, c->layers == 1 ? "" : "s", c->d_model, c->heads,
                c->heads == 1 ? "" : "s", c->d_ff);
    if (c->norm == NORM_NONE) text_string(&words, "no norms");
    else text_format(&words, "%s-norm%s", norm_names[c->norm], c->rms_norm ? " (RMS)" : "");
    text_format(&words, ", %s, ", activation_names[c->activation]);
    if (c->position == &no_position) text_string(&words, "no positions");
    else text_format(&words, "%s positions", c->position->words.word);
    if (c->window != NO_SIZE) text_format(&words, ", window %zu", c->window);
    if (!c->bias) text_string(&words, ", no biases");
    if (c->head == HEAD_NONE) text_string(&words, ", no logits");
    else if (!c->tie) text_string(&words, ", untied");
    if (c->inputs > 0) text_format(&words, ", inputs %zu", c->inputs);
    if (c->dropout > 0) text_format(&words, ", dropout %g", c->dropout);
    text_format(&words, ", %zu token%s, %zu place%s", c->vocabulary, c->vocabulary == 1 ? "" : "s",
                c->max_len, c->max_len == 1 ? "" : "s");
    if (model->history.count) text_format(&words, ", trained for %zu steps", model->history.count);
    text_say_lines(out, &words, WIDTH);
}

/* The length of "encoder.0." in front of a name; 0 where it belongs to no layer. */
static size_t layer_prefix(const char *name) {
    const char *dot = strchr(name, '.');
    if (!dot || dot[1] < '0' || dot[1] > '9') return 0;
    return (size_t)(strchr(dot + 1, '.') + 1 - name);
}

/* A line for the rows from `first` on that belong together: the matrices of one shape of a part,
 * with its vectors. Returns the row behind them. */
static size_t write_part(Text *out, const Parameters *parameters, size_t first, size_t end) {
    const Parameter *row = &parameters->rows[first];
    const char *in_layer = row->name + layer_prefix(row->name), *dot = strrchr(in_layer, '.');
    size_t part = dot ? (size_t)(dot - row->name) : strlen(row->name);
    size_t matrices = 0, vectors = 0, numbers = 0, i = first;
    for (; i < end; i++) {
        const Parameter *next = &parameters->rows[i];
        bool matrix = next->shape.axes == 2, same = shape_equal(&next->shape, &row->shape);
        bool belongs =
            strncmp(next->name, row->name, part) == 0 && next->name[part] == *(dot ? "." : "");
        if (!belongs || (matrix && !same)) break;
        matrices += matrix;
        vectors += !matrix;
        numbers += next->count;
    }

    /* A matrix of a shape of its own has a line of its own, with its own name. */
    char name[PARAMETER_NAME + 2], shape[48] = "";
    size_t length = (matrices == 1 ? strlen(row->name) : part) - (size_t)(in_layer - row->name);
    if (row->role == ROLE_RELATIVE) in_layer = "relative";
    snprintf(name, sizeof name, "%s%.*s", in_layer == row->name ? "" : "  ", (int)length, in_layer);
    size_t times = matrices ? matrices : vectors;
    if (times > 1) snprintf(shape, sizeof shape, "%zu × ", times);
    strncat(shape, shape_words(&row->shape), sizeof shape - strlen(shape) - 1);
    write_line(out, name, shape, numbers);
    return i;
}

/* The layers of a stack: the first in parts, the rest, which are like it, in one line. Returns the
 * row behind them. */
static size_t write_layers(Text *out, const Parameters *parameters, size_t first, size_t layers) {
    const char *name = parameters->rows[first].name;
    size_t length = layer_prefix(name), numbers = 0, end = first;
    while (end < parameters->count && strncmp(parameters->rows[end].name, name, length) == 0)
        numbers += parameters->rows[end++].count;
    char label[PARAMETER_NAME];
    snprintf(label, sizeof label, "%.*s", (int)length - 1, name);
    write_line(out, label, "", numbers);
    for (size_t at = first; at < end;) at = write_part(out, parameters, at, end);
    if (layers == 1) return end;
    char shape[64] = "";
    snprintf(label, sizeof label, "%.*s.1", (int)(strchr(name, '.') - name), name);
    if (layers > 2) {
        snprintf(label + strlen(label), sizeof label - strlen(label), "–%zu", layers - 1);
        snprintf(shape, sizeof shape, "%zu %s", layers - 1, tr("alike"));
    } else {
        snprintf(shape, sizeof shape, "%s", tr("alike"));
    }
    write_line(out, label, shape, numbers * (layers - 1));
    return first + (end - first) * layers;
}

void model_write(Object *object, Text *text, int digits) {
    const Transformer *model = model_transformer((Model *)object);
    const Parameters *parameters = &model->parameters;
    (void)digits;
    write_choices(text, model);
    for (size_t i = 0; i < parameters->count;)
        i = layer_prefix(parameters->rows[i].name)
                ? write_layers(text, parameters, i, model->config.layers)
                : write_part(text, parameters, i, parameters->count);
    LocalText all = TEXT_FOR(text);
    write_count(&all, parameters->block->count);
    const char *parameters_word = tr("parameters");
    utf8_pad(text, parameters_word, strlen(parameters_word), WIDTH - NUMBER_WIDTH, false);
    utf8_pad(text, all.data, all.length, NUMBER_WIDTH, true);
}
