/* plot THING [head h] [to "file"]: from the bench or any array to a picture. */
#include "base/memory.h"
#include "base/number.h"
#include "io/file.h"
#include "session/plot_show.h"
#include "session/result_view.h"
#include "session/session.h"
#include "view/picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINES_MAX = 32, HEAD_MAX = 1 << 30 };

/* What a plot needs to own while the picture borrows it. */
typedef struct Drawing {
    Picture picture;
    double *cells;
    bool *hidden;
    Labels rows, columns;
    PictureLine lines[LINES_MAX];
    double *line_values[LINES_MAX];
    char *line_names[LINES_MAX];
    Text title;
} Drawing;

static void drawing_init(Drawing *drawing, const Settings *settings) {
    *drawing = (Drawing){.picture = {.palette = settings->palette, .digits = settings->digits}};
    text_init(&drawing->title);
}

static void drawing_release(Drawing *drawing) {
    mem_free(drawing->cells);
    mem_free(drawing->hidden);
    labels_release(&drawing->rows);
    labels_release(&drawing->columns);
    for (size_t i = 0; i < LINES_MAX; i++) {
        mem_free(drawing->line_values[i]);
        mem_free(drawing->line_names[i]);
    }
    text_release(&drawing->title);
}

/* ---- heatmaps ---- */

static bool heatmap_cells(Drawing *drawing, const Tensor *tensor, size_t first, size_t rows, size_t columns, Error *err) {
    Picture *picture = &drawing->picture;
    if (rows == 0 || columns == 0) return error_set(err, ERR_SHAPE, "an empty array cannot be drawn");
    picture->kind = PICTURE_HEATMAP;
    picture->rows = rows;
    picture->columns = columns;
    drawing->cells = doubles_of(tensor, first, rows * columns, err);
    picture->cells = drawing->cells;
    return drawing->cells != NULL;
}

static bool label_heatmap(Drawing *drawing, Value rows, Value columns, Error *err) {
    bool ok = labels_of(rows, &drawing->rows, err) && labels_of(columns, &drawing->columns, err);
    drawing->picture.row_labels = drawing->rows;
    drawing->picture.column_labels = drawing->columns;
    return ok;
}

/* The settings are those of the run, which may be older than those of now. */
static void title_of_run(Drawing *drawing, const Run *run, const char *what) {
    text_format(&drawing->title, "%s: %s", what, run->settings);
}

static void title_of_head(Drawing *drawing, const Run *run, const char *what, size_t head) {
    if (run->heads == 1) title_of_run(drawing, run, what);
    else text_format(&drawing->title, "%s of head %zu: %s", what, head, run->settings);
}

static bool draw_run_matrix(Session *session, Drawing *drawing, const Tensor *tensor, const char *what, size_t head, Error *err) {
    const Run *run = session->run;
    Picture *picture = &drawing->picture;
    title_of_head(drawing, run, what, head);
    picture->row_title = "queries";
    picture->column_title = "keys";
    bool ok = heatmap_cells(drawing, tensor, head * run->queries * run->keys, run->queries, run->keys, err) &&
              label_heatmap(drawing, query_labels(session, run->queries), key_labels(session, run->keys), err);
    note_labels(session, run);
    return ok;
}

static bool hide_masked(const Session *session, Drawing *drawing, size_t head, Error *err) {
    if (!hidden_cells(session->run, head, &drawing->hidden, err)) return false;
    drawing->picture.hidden = drawing->hidden;
    return true;
}

static bool draw_weights(Session *session, Drawing *drawing, size_t head, Error *err) {
    drawing->picture.high = 1;
    return draw_run_matrix(session, drawing, session->run->trace.weights, "weights", head, err) && hide_masked(session, drawing, head, err);
}

static bool draw_scores(Session *session, Drawing *drawing, size_t head, Error *err) {
    return draw_run_matrix(session, drawing, session->run->trace.scores, "scores", head, err);
}

static bool draw_mask(Session *session, Drawing *drawing, size_t head, Error *err) {
    drawing->picture.high = 1;
    return draw_run_matrix(session, drawing, session->run->trace.visible, "mask (1: visible)", head, err) && hide_masked(session, drawing, head, err);
}

static bool draw_output(Session *session, Drawing *drawing, size_t head, Error *err) {
    const Tensor *output = session->run->result.output;
    (void)head;
    title_of_run(drawing, session->run, "output");
    drawing->picture.row_title = "queries";
    return heatmap_cells(drawing, output, 0, output->shape.size[0], output->shape.size[1], err) &&
           label_heatmap(drawing, query_labels(session, session->run->queries), VALUE_NOTHING, err);
}

/* ---- lines ---- */

static bool add_line(Drawing *drawing, size_t index, const Tensor *tensor, size_t first, size_t count, const char *name, size_t length, Error *err) {
    Picture *picture = &drawing->picture;
    drawing->line_values[index] = doubles_of(tensor, first, count, err);
    drawing->line_names[index] = name ? mem_string(name, length, err) : NULL;
    if (!drawing->line_values[index] || (name && !drawing->line_names[index])) return false;
    drawing->lines[index] = (PictureLine){drawing->line_names[index], drawing->line_values[index], NULL, count};
    picture->kind = PICTURE_LINES;
    picture->lines = drawing->lines;
    picture->line_count = index + 1;
    return true;
}

static bool draw_entropy(Session *session, Drawing *drawing, size_t head, Error *err) {
    const Run *run = session->run;
    (void)head;
    title_of_run(drawing, run, "entropy of each query");
    drawing->picture.x_title = "query";
    drawing->picture.y_title = "nats";
    for (size_t h = 0; h < run->heads && h < LINES_MAX; h++) {
        char name[32];
        size_t length = (size_t)snprintf(name, sizeof name, "head %zu", h);
        if (!add_line(drawing, h, run->result.entropy, h * run->queries, run->queries, run->heads > 1 ? name : NULL, length, err)) return false;
    }
    return true;
}

/* ---- positions ---- */

static void position_sizes(const Session *session, size_t *rows, size_t *width) {
    *rows = session->run ? session->run->keys : session->settings.tokens.kind != VALUE_NONE ? session->settings.tokens.list->count : 32;
    *width = session->run ? session->run->d_k * session->run->heads : 32;
    if (*rows == 0) *rows = 32;
}

/* What RoPE makes of the pairs (1, 0): the cosine and sine of each place and frequency. */
static Tensor *rope_rows(size_t rows, size_t width, Error *err) {
    Shape shape = shape_2d(rows, width - width % 2);
    Tensor *pairs = tensor_zeros(DTYPE_DOUBLE, &shape, err), *out = NULL;
    if (!pairs) return NULL;
    for (size_t i = 0; i < pairs->count; i += 2) tensor_doubles(pairs)[i] = 1;
    OpAttributes attributes = {.number = 10000};
    if (!op_apply(OP_ROPE, &pairs, 1, &attributes, &out, err)) out = NULL;
    tensor_unref(pairs);
    return out;
}

static bool draw_positions(Session *session, Drawing *drawing, size_t head, Error *err) {
    PositionSpec position = session->settings.position;
    size_t rows, width, heads = session->run ? session->run->heads : session->settings.heads;
    if (position.kind == POSITION_NONE) {
        error_set(err, ERR_VALUE, "there are no positions to draw: the setting position is none");
        return error_hint(err, "for example: set position sinusoidal");
    }
    position_sizes(session, &rows, &width);
    position.seed = session->settings.seed;
    bool bias = position_is_bias(position.kind);
    Tensor *tensor = bias ? position_bias(&position, heads, rows, rows, 0, err)
                     : position.kind == POSITION_ROPE ? rope_rows(rows, width / heads, err)
                                                      : position_rows(&position, rows, width, 0, err);
    if (!tensor) return false;
    text_string(&drawing->title, "position ");
    position_write(&drawing->title, &position);
    if (position.kind == POSITION_ROPE) text_string(&drawing->title, ": cosine and sine of the angle of each pair");
    if (bias && heads > 1) text_format(&drawing->title, " of head %zu", head);
    drawing->picture.row_title = "place";
    drawing->picture.column_title = bias ? "place of the key" : "column";
    if (!bias) drawing->picture.palette = "diverging", drawing->picture.low = -1, drawing->picture.high = 1;
    if (position.kind == POSITION_LEARNED) drawing->picture.low = -3, drawing->picture.high = 3;
    size_t columns = tensor->shape.size[tensor->shape.axes - 1];
    Value tokens = query_labels(session, rows);
    bool ok = heatmap_cells(drawing, tensor, bias ? head * rows * columns : 0, rows, columns, err) &&
              label_heatmap(drawing, tokens, bias ? tokens : VALUE_NOTHING, err);
    tensor_unref(tensor);
    return ok;
}

/* ---- any array ---- */

static bool draw_matrix(Session *session, Drawing *drawing, const Tensor *tensor, size_t head, Error *err) {
    int axes = tensor->shape.axes;
    size_t rows = tensor->shape.size[axes - 2], columns = tensor->shape.size[axes - 1], planes = 1;
    for (int i = 0; i < axes - 2; i++) planes *= tensor->shape.size[i];
    if (head >= planes && planes) return error_set(err, ERR_VALUE, "there is no head %zu: the array has %zu, counted from 0", head, planes);
    if (planes > 1) text_format(&drawing->title, " of head %zu", head);
    Value labels = query_labels(session, rows);
    Value keys = rows == columns && session->settings.key_tokens.kind == VALUE_NONE ? labels : VALUE_NOTHING;
    return heatmap_cells(drawing, tensor, head * rows * columns, rows, columns, err) && label_heatmap(drawing, labels, keys, err);
}

static bool draw_array(Session *session, Drawing *drawing, const Value *value, const char *name, size_t length, size_t head, Error *err) {
    Tensor *tensor = value_as_tensor(value, "what is plotted", err);
    if (!tensor) return false;
    text_bytes(&drawing->title, name, length);
    bool ok;
    if (tensor->shape.axes >= 2) ok = draw_matrix(session, drawing, tensor, head, err);
    else if (tensor->shape.axes == 0) ok = error_set(err, ERR_SHAPE, "a single number makes no picture: a line needs a list of numbers, a heatmap a matrix");
    else if (tensor->count == 0) ok = error_set(err, ERR_SHAPE, "an empty array cannot be drawn");
    else ok = add_line(drawing, 0, tensor, 0, tensor->count, NULL, 0, err);
    tensor_unref(tensor);
    return ok;
}

/* plot a, b, c: lines in one picture, each named as it was typed. */
static bool draw_tuple(Drawing *drawing, const CommandCall *call, const Node *node, const List *list, Error *err) {
    const Chunk *chunk = call->frame->chunk;
    if (list->count > LINES_MAX) return error_set(err, ERR_LIMIT, "at most %d lines fit into one picture", LINES_MAX);
    for (size_t i = 0; i < list->count; i++) {
        Span span = node->kind == NODE_TUPLE ? node->list.items[i]->span : node->span;
        Tensor *tensor = value_as_tensor(&list->items[i], "a line", err);
        bool ok = tensor != NULL;
        if (ok && (tensor->shape.axes > 1 || tensor->count == 0))
            ok = error_set(err, ERR_SHAPE, "line %zu is %s: several things in one picture are vectors", i + 1, shape_words(&tensor->shape));
        ok = ok && add_line(drawing, i, tensor, 0, tensor->count, chunk->text + span.begin, span.end - span.begin, err);
        tensor_unref(tensor);
        if (!ok) return false;
    }
    return true;
}

/* ---- the command ---- */

typedef bool Draw(Session *session, Drawing *drawing, size_t head, Error *err);
static const struct Thing {
    const char *word;
    Draw *draw;
    bool needs_run;
} things[] = {{"weights", draw_weights, true}, {"scores", draw_scores, true},       {"output", draw_output, true}, {"entropy", draw_entropy, true},
              {"mask", draw_mask, true},       {"positions", draw_positions, false}, {NULL, NULL, false}};

static const struct Thing *thing_find(const char *word) {
    for (const struct Thing *thing = things; thing->word; thing++)
        if (strcmp(thing->word, word) == 0) return thing;
    return NULL;
}

typedef struct PlotOptions {
    double head;
    Value path; /* a string, or VALUE_UNSET: shown as text */
    int head_at, path_at; /* the arguments that they stand in */
    bool as_text;
} PlotOptions;

/* w.png and "w.png" lack their `to`, which says that they are files. */
static bool not_an_option(CommandCall *call, Error *err) {
    static const char *const suffixes[] = {".png", ".svg", ".pdf", ".gif", ".txt", ".csv", ".gp"};
    size_t length, first;
    const char *text = command_argument_text(call, call->next, &length), *begin = command_argument_text(call, 0, &first);
    bool quoted = length > 1 && strchr("\"'", *text), file = false;
    int before = (int)(text - begin), bare = (int)length - (quoted ? 2 : 0);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        size_t size = strlen(suffixes[i]);
        file = file || (bare > (int)size && memcmp(text + quoted + (size_t)bare - size, suffixes[i], size) == 0);
    }
    command_finish(call, err);
    if (file && length < 60 && before < 80) error_hint(err, "write plot %.*sto \"%.*s\"", before, begin, bare, text + quoted);
    return false;
}

static bool plot_options(CommandCall *call, PlotOptions *options, Error *err) {
    while (!command_at_end(call)) {
        if (command_take(call, "head")) {
            options->head_at = call->next;
            if (!command_number(call, "the head", &options->head, err)) return false;
            if (!(options->head >= 0 && options->head <= HEAD_MAX) || options->head != floor(options->head))
                return error_set(err, ERR_VALUE, "a head is a whole number from 0, not %g", options->head), command_error_at(call, options->head_at, err);
        } else if (command_take(call, "to")) {
            if (options->path.kind != VALUE_UNSET) return error_set(err, ERR_SYNTAX, "one file is enough"), command_error_at(call, call->next - 1, err);
            options->path_at = call->next;
            if (!command_string(call, "the name of a file in quotes", &options->path, err)) return false;
        } else if (command_take(call, "as")) {
            if (!command_take(call, "text")) return error_set(err, ERR_SYNTAX, "a picture is drawn as text, or to \"w.png\""), command_error_at(call, call->next, err);
            options->as_text = true;
        } else {
            return not_an_option(call, err);
        }
    }
    return true;
}

/* In colours where the host shows them; as text where it does not or where text was asked for. */
static bool show(Session *session, const Picture *picture, bool as_text, Error *err) {
    Host *host = session->interp.host;
    Text text;
    text_init(&text);
    picture_terminal(&text, picture, host->columns, host->rows, as_text ? COLOR_NONE : host->color, host->utf8);
    return host_write_text(host, &text, err);
}

static bool show_here(Session *session, const Picture *picture, Error *err) {
    return show(session, picture, false, err);
}

static bool save_to(Session *session, const Picture *picture, const char *path, Error *err) {
    if (session->interp.safe) return error_set(err, ERR_FILE, "%s is not written: with --safe, nothing is", path);
    Text joined;
    text_init(&joined);
    path_join(&joined, session->plots ? session->plots : session->interp.directory, path);
    bool ok = text_ok(&joined, err) && picture_save(picture, joined.data, err);
    text_release(&joined);
    return ok;
}

static bool deliver(Session *session, Drawing *drawing, const PlotOptions *options, Error *err) {
    if (!text_ok(&drawing->title, err)) return false;
    drawing->picture.title = drawing->title.data;
    if (options->path.kind == VALUE_STRING) return save_to(session, &drawing->picture, options->path.string->data, err);
    if (!session->plots && options->as_text) return show(session, &drawing->picture, true, err);
    if (!session->plots) return plot_show(session, &drawing->picture, show_here, err);
    char name[40];
    snprintf(name, sizeof name, "plot-%d.png", ++session->picture_count);
    if (!save_to(session, &drawing->picture, name, err)) return false;
    host_note(session->interp.host, "(%s/%s)\n", session->plots, name);
    return true;
}

static bool draw_thing(Session *session, CommandCall *call, const struct Thing *thing, Drawing *drawing, PlotOptions *options, Error *err) {
    const Value *variable = session_variable_instead(session, thing->word);
    if (!plot_options(call, options, err)) return false;
    size_t head = (size_t)options->head;
    if (variable) return draw_array(session, drawing, variable, thing->word, strlen(thing->word), head, err);
    if (thing->needs_run && !session->run) {
        error_set(err, ERR_NAME, "there is nothing to draw yet");
        return error_hint(err, "attend makes what there is to draw, for example: X = randn(3, 4); attend; plot weights");
    }
    size_t heads = session->run ? session->run->heads : session->settings.heads;
    if (head >= heads) {
        error_set(err, ERR_VALUE, "there is no head %zu: there %s %zu, counted from 0", head, heads == 1 ? "is" : "are", heads);
        return command_error_at(call, options->head_at, err);
    }
    return thing->draw(session, drawing, head, err);
}

static bool draw_value(Session *session, CommandCall *call, Drawing *drawing, PlotOptions *options, Error *err) {
    size_t length;
    Value value;
    if (!command_value(call, "what to plot", &value, err)) return false;
    int at = call->next - 1;
    const char *name = command_argument_text(call, at, &length);
    bool ok = plot_options(call, options, err);
    if (ok) {
        const Node *node = call->node->command.arguments[at].value;
        ok = value.kind == VALUE_TUPLE ? draw_tuple(drawing, call, node, value.list, err)
                                       : draw_array(session, drawing, &value, name, length, (size_t)options->head, err);
        if (!ok) command_error_at(call, at, err);
    }
    value_release(&value);
    return ok;
}

static bool plot(Session *session, CommandCall *call, Error *err) {
    Drawing *drawing = mem_alloc(sizeof *drawing, err);
    if (!drawing) return false;
    PlotOptions options = {0, VALUE_MISSING, -1, -1, false};
    drawing_init(drawing, &session->settings);
    const char *word = command_take_word(call);
    const struct Thing *thing = word ? thing_find(word) : NULL;
    bool ok;
    if (word && !thing) {
        error_set(err, ERR_SYNTAX, "what to plot is missing before %s", word);
        error_hint(err, "for example: plot weights to \"w.png\"");
        ok = false;
    } else {
        ok = thing ? draw_thing(session, call, thing, drawing, &options, err) : draw_value(session, call, drawing, &options, err);
    }
    if (ok && !deliver(session, drawing, &options, err)) ok = command_error_at(call, options.path_at, err);
    value_release(&options.path);
    drawing_release(drawing);
    mem_free(drawing);
    return ok;
}

const CommandDef plot_commands[] = {
    {{.name = "plot", .words = "weights scores output entropy positions mask head to as text", .expression = true}, plot, false,
     "plot THING [head h] [to \"file\"]",
     "Draws weights, scores, output, entropy, mask or positions of the bench, or any array: a matrix as a heatmap, a vector as a line, plot a, b as two lines. "
     "Without a file it is drawn right there: in colours where the terminal has them, as characters elsewhere and with as text. A file's suffix says what it becomes: .png .svg .pdf are drawn by gnuplot; .txt (text), .csv (the numbers) and .gp "
     "(a gnuplot script with its data) need no other program.",
     "plot [[0.9, 0.1], [0.2, 0.8]]\nplot [1, 4, 9] to \"squares.txt\"", "attend weights palette terminal"},
    {.syntax = {.name = NULL}},
};
