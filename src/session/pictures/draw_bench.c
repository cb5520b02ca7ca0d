/* Pictures of the last run. A title tells the settings of that run, which may be older than those
 * of the bench. */
#include "session/bench/run_words.h"
#include "session/bench/attend.h"
#include "session/bench/result_view.h"
#include "session/pictures/draw.h"
#include "session/pictures/head_grid.h"

static bool label_run(Session *session, Drawing *drawing, const Run *run, Error *err) {
    note_labels(session, run);
    return drawing_label(drawing, query_labels(session, run->queries),
                         key_labels(session, run->keys), err);
}

/* A heatmap of one head, queries by keys. Shares lie between 0 and 1 and are hidden where the mask
 * hides them. */
static bool draw_head(Session *session, Drawing *drawing, const Tensor *tensor, const char *what,
                      bool shares, size_t head, Error *err) {
    const Run *run = session->bench.run;
    Picture *picture = &drawing->picture;
    text_string(&drawing->title, what);
    if (run->heads > 1) text_format(&drawing->title, " of head %zu", head);
    run_heading_write_settings(session, run, &drawing->title);
    picture->row_title = "queries";
    picture->column_title = "keys";
    bool ok = shares ? drawing_weights(drawing, picture, tensor, run->trace.visible, head, err)
                     : drawing_heatmap(drawing, picture, tensor, head * run->queries * run->keys,
                                       run->queries, run->keys, err);
    return ok && label_run(session, drawing, run, err);
}

bool draw_weights(Session *session, Drawing *drawing, const PlotRequest *request, Error *err) {
    return draw_head(session, drawing, session->bench.run->trace.weights, "weights", true,
                     request->head, err);
}

bool draw_mask(Session *session, Drawing *drawing, const PlotRequest *request, Error *err) {
    return draw_head(session, drawing, session->bench.run->trace.visible, "mask (1: visible)", true,
                     request->head, err);
}

bool draw_scores(Session *session, Drawing *drawing, const PlotRequest *request, Error *err) {
    return draw_head(session, drawing, session->bench.run->trace.scores, "scores", false,
                     request->head, err);
}

bool draw_output(Session *session, Drawing *drawing, const PlotRequest *request, Error *err) {
    const Run *run = session->bench.run;
    const Tensor *output = run->result.output;
    (void)request;
    text_string(&drawing->title, "output");
    run_heading_write_settings(session, run, &drawing->title);
    drawing->picture.row_title = "queries";
    return drawing_heatmap(drawing, &drawing->picture, output, 0, output->shape.size[0],
                           output->shape.size[1], err) &&
           drawing_label(drawing, query_labels(session, run->queries), VALUE_NOTHING, err);
}

bool draw_heads(Session *session, Drawing *drawing, const PlotRequest *request, Error *err) {
    const Run *run = session->bench.run;
    if (run->heads == 1 || plot_asks(request, PLOT_HEAD))
        return draw_weights(session, drawing, request, err);

    const Tensor *weights = run->trace.weights, *visible = run->trace.visible;
    HeadGrid grid = {.weights = &weights,
                     .visible = &visible,
                     .layers = 1,
                     .query_tokens = query_labels(session, run->queries),
                     .key_tokens = key_labels(session, run->keys)};
    note_labels(session, run);
    head_grid_title(drawing, &grid, 1);
    run_heading_write_settings(session, run, &drawing->title);
    return head_grid_draw(drawing, &grid, 1, err);
}

/* The entropies of one head as bars beside the tokens, with a mark at what each could be at most.
 */
static bool draw_entropy_bars(Session *session, Drawing *drawing, const Run *run, size_t head,
                              Error *err) {
    Picture *picture = &drawing->picture;
    const double *entropy = drawing_copy_numbers(drawing, run->result.entropy, head * run->queries,
                                                 run->queries, err),
                 *ceiling =
                     entropy ? drawing_keep(drawing, ceilings_of(run, head, err), err) : NULL;
    if (!ceiling) return false;
    if (run->heads > 1) text_format(&drawing->title, "entropy of head %zu", head);
    else text_string(&drawing->title, "entropy of each query");
    run_heading_write_settings(session, run, &drawing->title);
    drawing_line(drawing, NULL, entropy, NULL, run->queries);
    drawing_line(drawing, "ln n, the most for n visible keys", ceiling, NULL, run->queries);
    picture->kind = PICTURE_BARS;
    picture->x_title = "nats";
    picture->y_title = "queries";
    return label_run(session, drawing, run, err);
}

bool draw_entropy(Session *session, Drawing *drawing, const PlotRequest *request, Error *err) {
    const Run *run = session->bench.run;
    if (run->heads == 1 || plot_asks(request, PLOT_HEAD))
        return draw_entropy_bars(session, drawing, run, request->head, err);
    text_string(&drawing->title, "entropy of each query");
    run_heading_write_settings(session, run, &drawing->title);
    drawing->picture.x_title = "query";
    drawing->picture.y_title = "nats";
    for (size_t h = 0; h < run->heads && h < LINES_MAX; h++) {
        const char *name = NULL;
        if (run->heads > 1 && !(name = drawing_head_name(drawing, h, err))) return false;
        const double *entropy =
            drawing_copy_numbers(drawing, run->result.entropy, h * run->queries, run->queries, err);
        if (!entropy) return false;
        drawing_line(drawing, name, entropy, NULL, run->queries);
    }
    return true;
}
