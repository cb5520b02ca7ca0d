/* Pictures of the setting position. */
#include "session/bench/result_view.h"
#include "session/pictures/draw.h"

enum { PLACES = 32, WIDTH = 32 };

typedef struct Positions {
    PositionSpec spec;
    size_t places, width, heads;
    bool bias; /* a term of the scores, for each head */
} Positions;

/* Biases go from 0 down; the others lie around 0, learned ones within three standard deviations. */
static bool draw_head(Drawing *drawing, Picture *picture, const Positions *positions,
                      const Tensor *tensor, size_t head, Error *err) {
    size_t columns = tensor->shape.size[tensor->shape.axes - 1], first = 0;
    if (positions->bias) {
        first = head * positions->places * columns;
        picture->row_title = "place of the query";
        picture->column_title = "place of the key";
    } else {
        picture->row_title = "place";
        picture->column_title = "column";
        picture->palette = "diverging";
        picture->high = positions->spec.kind->spread;
        picture->low = -picture->high;
    }
    return drawing_heatmap(drawing, picture, tensor, first, positions->places, columns, err);
}

/* The biases of all heads beside each other, with one range of colours. */
static bool draw_grid(Drawing *drawing, const Positions *positions, const Tensor *tensor,
                      Error *err) {
    size_t count = positions->heads < PANELS_MAX ? positions->heads : PANELS_MAX;
    Picture *panels = drawing_panels(drawing, PICTURE_GRID, count, err);
    double low = 0, high = 0;
    if (!panels) return false;
    for (size_t i = 0; i < tensor->count; i++) {
        double x = tensor_get(tensor, i);
        if (x < low) low = x;
        if (x > high) high = x;
    }
    for (size_t h = 0; h < count; h++) {
        panels[h].low = low;
        panels[h].high = high;
        panels[h].title = drawing_head_name(drawing, h, err);
        if (!panels[h].title || !draw_head(drawing, &panels[h], positions, tensor, h, err))
            return false;
    }
    return true;
}

bool draw_positions(Session *session, Drawing *drawing, const PlotRequest *request, Error *err) {
    const Run *run = session->bench.run;
    const Settings *settings = &session->bench.settings;
    Positions positions = {.spec = settings->position,
                           .places = PLACES,
                           .width = WIDTH,
                           .heads = settings->heads,
                           .bias = position_is_bias(settings->position.kind)};
    positions.spec.seed = settings->seed;
    if (positions.spec.kind == &no_position) {
        error_set(err, ERR_VALUE, "there are no positions to draw: the setting position is none");
        return error_hint(err, "for example: set position sinusoidal");
    }
    if (run) {
        positions.places = run->keys;
        positions.width = run->d_k * run->heads;
        positions.heads = run->heads;
    } else if (settings->tokens.kind != VALUE_NONE && settings->tokens.list->count) {
        positions.places = settings->tokens.list->count;
    }

    Tensor *tensor;
    if (positions.bias)
        tensor = position_bias(&positions.spec, positions.heads, positions.places, positions.places,
                               0, err);
    else if (position_turns(positions.spec.kind)) {
        size_t pairs = positions.width / positions.heads / 2;
        tensor = positions.spec.kind->angles(DTYPE_DOUBLE, 0, positions.places,
                                             pairs ? 2 * pairs : 2, err);
    } else tensor = position_rows(&positions.spec, positions.places, positions.width, 0, err);
    if (!tensor) return false;

    if (!positions.bias) drawing->takes = 0;
    bool grid = positions.bias && positions.heads > 1 && !plot_asks(request, PLOT_HEAD);
    Text *title = &drawing->title;
    text_string(title, "position ");
    position_write(title, &positions.spec);
    if (position_turns(positions.spec.kind))
        text_string(title, ": cosine and sine of the angle of each pair");
    if (positions.bias) text_string(title, ", added to the scores");
    if (positions.bias && positions.heads > 1 && !grid)
        text_format(title, " of head %zu", request->head);

    Value tokens = query_labels(session, positions.places);
    bool ok = grid ? draw_grid(drawing, &positions, tensor, err)
                   : draw_head(drawing, &drawing->picture, &positions, tensor, request->head, err);
    ok = ok && drawing_label(drawing, tokens, positions.bias ? tokens : VALUE_NOTHING, err);
    tensor_unref(tensor);
    return ok;
}
