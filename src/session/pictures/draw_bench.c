/* Pictures of the last run. */
#include "session/pictures/draw.h"
#include "session/bench/result_view.h"

/* ---- titles: the settings are those of the run, which may be older than those of now ---- */

static void title_of_run(Drawing *drawing, const Run *run, const char *what) {
    text_format(&drawing->title, "%s: %s", what, run->settings);
}

static void title_of_head(Drawing *drawing, const Run *run, const char *what, size_t head) {
    if (run->heads == 1) title_of_run(drawing, run, what);
    else text_format(&drawing->title, "%s of head %zu: %s", what, head, run->settings);
}

/* ---- heatmaps ---- */

static bool label(Session *session, Drawing *drawing, const Run *run, Error *err) {
    note_labels(session, run);
    return drawing_label(drawing, query_labels(session, run->queries),
                         key_labels(session, run->keys), err);
}

static bool draw_weights_of(Session *session, Drawing *drawing, const Tensor *tensor,
                            const char *what, size_t head, Error *err) {
    const Run *run = session->run;
    title_of_head(drawing, run, what, head);
    return drawing_weights(drawing, &drawing->picture, tensor, run->trace.visible, head,
                           run->queries, run->keys, err) &&
           label(session, drawing, run, err);
}

bool draw_weights(Session *session, Drawing *drawing, const Wish *wish, Error *err) {
    return draw_weights_of(session, drawing, session->run->trace.weights, "weights", wish->head,
                           err);
}

bool draw_mask(Session *session, Drawing *drawing, const Wish *wish, Error *err) {
    return draw_weights_of(session, drawing, session->run->trace.visible, "mask (1: visible)",
                           wish->head, err);
}

bool draw_scores(Session *session, Drawing *drawing, const Wish *wish, Error *err) {
    const Run *run = session->run;
    title_of_head(drawing, run, "scores", wish->head);
    drawing->picture.row_title = "queries";
    drawing->picture.column_title = "keys";
    return drawing_heatmap(drawing, &drawing->picture, run->trace.scores,
                           wish->head * run->queries * run->keys, run->queries, run->keys, err) &&
           label(session, drawing, run, err);
}

bool draw_output(Session *session, Drawing *drawing, const Wish *wish, Error *err) {
    const Tensor *output = session->run->result.output;
    (void)wish;
    title_of_run(drawing, session->run, "output");
    drawing->picture.row_title = "queries";
    return drawing_heatmap(drawing, &drawing->picture, output, 0, output->shape.size[0],
                           output->shape.size[1], err) &&
           drawing_label(drawing, query_labels(session, session->run->queries), VALUE_NOTHING, err);
}

/* ---- all heads ---- */

static bool fill_panel(Drawing *drawing, Picture *panel, const Run *run, size_t head, Error *err) {
    panel->title = drawing_head_name(drawing, head, err);
    return panel->title && drawing_weights(drawing, panel, run->trace.weights, run->trace.visible,
                                           head, run->queries, run->keys, err);
}

static void title_of_heads(Drawing *drawing, const Run *run, size_t shown) {
    if (shown < run->heads)
        text_format(&drawing->title, "weights of the first %zu of %zu heads: %s", shown, run->heads,
                    run->settings);
    else text_format(&drawing->title, "weights of all %zu heads: %s", run->heads, run->settings);
}

bool draw_heads(Session *session, Drawing *drawing, const Wish *wish, Error *err) {
    const Run *run = session->run;
    size_t count = run->heads < PANELS_MAX ? run->heads : PANELS_MAX;
    if (run->heads == 1 || wish->head_given) return draw_weights(session, drawing, wish, err);
    Picture *panels = drawing_panels(drawing, PICTURE_GRID, count, err);
    bool ok = panels != NULL;
    for (size_t h = 0; ok && h < count; h++) ok = fill_panel(drawing, &panels[h], run, h, err);
    title_of_heads(drawing, run, count);
    return ok && label(session, drawing, run, err);
}

/* ---- entropy ---- */

static bool add_entropy(Drawing *drawing, const Run *run, size_t head, Error *err) {
    const char *words = drawing_head_name(drawing, head, err);
    const double *entropy = words ? drawing_numbers(drawing, run->result.entropy,
                                                    head * run->queries, run->queries, err)
                                  : NULL;
    if (entropy) drawing_line(drawing, run->heads > 1 ? words : NULL, entropy, NULL, run->queries);
    return entropy != NULL;
}

bool draw_entropy(Session *session, Drawing *drawing, const Wish *wish, Error *err) {
    const Run *run = session->run;
    (void)wish;
    title_of_run(drawing, run, "entropy of each query");
    drawing->picture.x_title = "query";
    drawing->picture.y_title = "nats";
    for (size_t h = 0; h < run->heads && h < LINES_MAX; h++)
        if (!add_entropy(drawing, run, h, err)) return false;
    return true;
}
