/* Pictures of the setting position. */
#include "session/pictures/draw.h"
#include "session/bench/result_view.h"

enum { PLACES = 32, WIDTH = 32, BASE = 10000 };

typedef struct Positions {
    PositionSpec spec;
    size_t places, width, heads;
    bool bias; /* a term of the scores, for each head */
} Positions;

static Positions positions_of(const Session *session) {
    const Run *run = session->run;
    const Settings *settings = &session->settings;
    Positions positions = {.spec = settings->position,
                           .places = PLACES,
                           .width = WIDTH,
                           .heads = run ? run->heads : settings->heads};
    positions.spec.seed = settings->seed;
    positions.bias = position_is_bias(positions.spec.kind);
    if (run) positions.width = run->d_k * run->heads;
    if (run && run->keys) positions.places = run->keys;
    else if (!run && settings->tokens.kind != VALUE_NONE && settings->tokens.list->count)
        positions.places = settings->tokens.list->count;
    return positions;
}

/* What RoPE makes of the pairs (1, 0): the cosine and sine of each place and frequency. */
static Tensor *rope_rows(size_t rows, size_t width, Error *err) {
    Shape shape = shape_2d(rows, width - width % 2);
    Tensor *pairs = tensor_zeros(DTYPE_DOUBLE, &shape, err), *out = NULL;
    if (!pairs) return NULL;
    for (size_t i = 0; i < pairs->count; i += 2) tensor_doubles(pairs)[i] = 1;
    OpAttributes attributes = {.number = BASE};
    if (!op_apply(OP_ROPE, &pairs, 1, &attributes, &out, err)) out = NULL;
    tensor_unref(pairs);
    return out;
}

static Tensor *numbers_of(const Positions *positions, Error *err) {
    if (positions->bias)
        return position_bias(&positions->spec, positions->heads, positions->places,
                             positions->places, 0, err);
    if (positions->spec.kind == POSITION_ROPE)
        return rope_rows(positions->places, positions->width / positions->heads, err);
    return position_rows(&positions->spec, positions->places, positions->width, 0, err);
}

static void write_title(Drawing *drawing, const Positions *positions, const Wish *wish, bool grid) {
    text_string(&drawing->title, "position ");
    position_write(&drawing->title, &positions->spec);
    if (positions->spec.kind == POSITION_ROPE)
        text_string(&drawing->title, ": cosine and sine of the angle of each pair");
    if (!positions->bias) return;
    text_string(&drawing->title, ", added to the scores");
    if (positions->heads > 1 && !grid) text_format(&drawing->title, " of head %zu", wish->head);
}

/* Biases go from 0 down; the others lie around 0, learned ones within three standard deviations. */
static void set_colors(Picture *picture, const Positions *positions) {
    double most = positions->spec.kind == POSITION_LEARNED ? 3 : 1;
    if (positions->bias) return;
    picture->palette = "diverging";
    picture->low = -most;
    picture->high = most;
}

static bool fill(Drawing *drawing, Picture *picture, const Positions *positions,
                 const Tensor *tensor, size_t head, Error *err) {
    size_t columns = tensor->shape.size[tensor->shape.axes - 1];
    picture->row_title = positions->bias ? "place of the query" : "place";
    picture->column_title = positions->bias ? "place of the key" : "column";
    set_colors(picture, positions);
    return drawing_heatmap(drawing, picture, tensor,
                           positions->bias ? head * positions->places * columns : 0,
                           positions->places, columns, err);
}

static void give_range(Picture *panels, size_t count, const Tensor *tensor) {
    double low = 0, high = 0;
    for (size_t i = 0; i < tensor->count; i++) {
        double x = tensor_get(tensor, i);
        if (x < low) low = x;
        if (x > high) high = x;
    }
    for (size_t i = 0; i < count; i++) panels[i].low = low, panels[i].high = high;
}

static bool fill_heads(Drawing *drawing, const Positions *positions, const Tensor *tensor,
                       Error *err) {
    size_t count = positions->heads < PANELS_MAX ? positions->heads : PANELS_MAX;
    Picture *panels = drawing_panels(drawing, PICTURE_GRID, count, err);
    bool ok = panels != NULL;
    for (size_t h = 0; ok && h < count; h++)
        ok = (panels[h].title = drawing_head_name(drawing, h, err)) &&
             fill(drawing, &panels[h], positions, tensor, h, err);
    if (ok) give_range(panels, count, tensor);
    return ok;
}

bool draw_positions(Session *session, Drawing *drawing, const Wish *wish, Error *err) {
    Positions positions = positions_of(session);
    if (positions.spec.kind == POSITION_NONE) {
        error_set(err, ERR_VALUE, "there are no positions to draw: the setting position is none");
        return error_hint(err, "for example: set position sinusoidal");
    }
    Tensor *tensor = numbers_of(&positions, err);
    if (!tensor) return false;
    bool grid = positions.bias && positions.heads > 1 && !wish->head_given;
    write_title(drawing, &positions, wish, grid);
    Value tokens = query_labels(session, positions.places);
    bool ok = (grid ? fill_heads(drawing, &positions, tensor, err)
                    : fill(drawing, &drawing->picture, &positions, tensor, wish->head, err)) &&
              drawing_label(drawing, tokens, positions.bias ? tokens : VALUE_NOTHING, err);
    tensor_unref(tensor);
    return ok;
}
