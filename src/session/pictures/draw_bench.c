/* Pictures of the bench: of the last run, the last compare, and the setting position. A title tells
 * the settings of that run, which may be older than those of the bench. */
#include "session/bench/attend.h"
#include "session/bench/result_view.h"
#include "session/bench/run_words.h"
#include "session/pictures/draw.h"
#include "view/scale.h"

#include <string.h>

/* ---- the last run ---- */

static void label_run(Drawing *drawing, const Run *run) {
    if (drawing->failed) return;
    note_labels(drawing->session, run);
    drawing_label(drawing, query_labels(drawing->session, run->queries),
                  key_labels(drawing->session, run->keys));
}

/* Writes the title: what is drawn, of which head if there are several, and the run's settings. */
static void title_run(Drawing *drawing, const char *what, bool one_head) {
    const Run *run = drawing->session->bench.run;
    text_string(&drawing->title, what);
    if (one_head && run->heads > 1)
        text_format(&drawing->title, " of head %zu", drawing->request->head);
    run_heading_write_settings(drawing->session, run, &drawing->title);
}

/* A heatmap of one head, queries by keys. Shares lie between 0 and 1 and are hidden where the mask
 * hides them. */
static void draw_map(Drawing *drawing, const Tensor *tensor, const char *what, bool shares) {
    const Run *run = drawing->session->bench.run;
    Picture *picture = &drawing->picture;
    size_t head = drawing->request->head;
    title_run(drawing, what, true);
    picture->row_title = "queries";
    picture->column_title = "keys";
    if (shares) drawing_weights(drawing, picture, tensor, run->trace.visible, head);
    else
        drawing_heatmap(drawing, picture, tensor, head * run->queries * run->keys, run->queries,
                        run->keys);
    label_run(drawing, run);
}

void draw_weights(Drawing *drawing) {
    draw_map(drawing, drawing->session->bench.run->trace.weights, "weights", true);
}

void draw_mask(Drawing *drawing) {
    draw_map(drawing, drawing->session->bench.run->trace.visible, "mask (1: visible)", true);
}

void draw_scores(Drawing *drawing) {
    draw_map(drawing, drawing->session->bench.run->trace.scores, "scores", false);
}

void draw_output(Drawing *drawing) {
    const Run *run = drawing->session->bench.run;
    const Tensor *output = run->result.output;
    title_run(drawing, "output", false);
    drawing->picture.row_title = "queries";
    drawing_heatmap(drawing, &drawing->picture, output, 0, output->shape.size[0],
                    output->shape.size[1]);
    drawing_label(drawing, query_labels(drawing->session, run->queries), VALUE_NOTHING);
}

/* Bars beside the tokens, with a mark at what each entropy could be at most; of several heads
 * lines. */
void draw_entropy(Drawing *drawing) {
    const Run *run = drawing->session->bench.run;
    size_t queries = run->queries, head = drawing->request->head;
    if (run->heads == 1 || plot_asks(drawing->request, PLOT_HEAD)) {
        title_run(drawing, run->heads > 1 ? "entropy" : "entropy of each query", true);
        const double *entropy =
            drawing_numbers(drawing, run->result.entropy, head * queries, queries);
        if (!entropy) return;
        const double *most = drawing_keep(drawing, ceilings_of(run, head, drawing->err));
        drawing_bars(drawing, entropy, "ln n, the most for n visible keys", most, queries, "nats",
                     "queries");
        label_run(drawing, run);
        return;
    }
    if (run->heads > LINES_MAX) {
        drawing_fail(drawing, ERR_LIMIT, "at most %d lines fit into one picture", LINES_MAX);
        error_hint(drawing->err, "plot entropy head 0");
        return;
    }
    title_run(drawing, "entropy of each query", false);
    drawing->picture.x_title = "query";
    drawing->picture.y_title = "nats";
    for (size_t h = 0; h < run->heads; h++)
        drawing_line(drawing, drawing_words(drawing, "head %zu", h),
                     drawing_numbers(drawing, run->result.entropy, h * queries, queries), NULL,
                     queries);
}

/* ---- the last compare ---- */

void draw_compare(Drawing *drawing) {
    const ComparedRuns *compared = drawing->session->bench.compared;
    const Run *run = compared->runs[0];
    size_t count = compared->count, head = drawing->request ? drawing->request->head : 0;
    bool fits = compared_runs_fit(compared), change = count == 2 && fits;
    Picture *panels = drawing_panels(drawing, PICTURE_GRID, change ? count + 1 : count);
    if (!panels) return;
    drawing_check(drawing, compared_runs_need_traces(compared, drawing->err));
    for (size_t i = 0; i < count && !drawing->failed; i++) {
        /* "rope H 1.1": the value without its setting, which is in the title, and the mean entropy.
         * So short, it has room above a panel of a narrow screen. */
        const Run *shown = compared->runs[i];
        RunSummary means = run_means(shown);
        Text title = TEXT_EMPTY;
        text_string(&title, strchr(compared->names[i], ' ') + 1);
        if (means.rows) {
            text_string(&title, " H ");
            number_form_write(&title, (NumberForm){.decimals = 2}, means.entropy);
        }
        panels[i].title = drawing_keep_text(drawing, &title);
        drawing_weights(drawing, &panels[i], shown->trace.weights, shown->trace.visible, head);
    }
    if (change && !drawing->failed) {
        /* The third panel: the second run less the first, hidden where both are. */
        Picture *panel = &panels[2];
        *panel = panels[0];
        panel->title = "change";
        panel->palette = "diverging";
        panel->low = panel->high = 0; /* from the data, around 0 */
        panel->cells = drawing_keep(drawing, compared_cells(compared, head, drawing->err));
        const bool *first = panels[0].hidden, *second = panels[1].hidden;
        size_t cells = panel->rows * panel->columns;
        bool *both = first && second ? drawing_alloc(drawing, cells, sizeof *both) : NULL;
        for (size_t i = 0; both && i < cells; i++) both[i] = first[i] && second[i];
        panel->hidden = both;
    }
    compared_runs_put_aside(compared);

    text_format(&drawing->title, "weights by %.*s", (int)strcspn(compared->names[0], " "),
                compared->names[0]);
    if (run->heads > 1 || !fits) text_format(&drawing->title, ", head %zu", head);
    text_string(&drawing->title, ": ");
    run_heading_write_inputs(drawing->session, run, &drawing->title);
    text_string(&drawing->title, "; H: mean entropy");
    if (change) text_string(&drawing->title, "; change: the second less the first");
    text_format(&drawing->title, "; %s", compared->settings);
    drawing_label(drawing, query_labels(drawing->session, run->queries),
                  key_labels(drawing->session, run->keys));
}

bool compare_write_grid(Session *session, int rows, Text *out, Error *err) {
    const Host *host = session->interp.host;
    LocalDrawing *drawing = drawing_new(session, NULL, err);
    if (!drawing) return false;
    draw_compare(drawing);
    drawing->picture.title = "H: mean entropy";
    if (drawing->failed) return false;
    picture_terminal(out, &drawing->picture, host->columns, rows, host->color, host->utf8);
    return true;
}

/* ---- positions ---- */

/* Biases (a term of the scores, for each head) go from 0 down; the others lie around 0, learned
 * ones within three standard deviations. */
static void draw_position(Drawing *drawing, Picture *picture, const PositionSpec *spec,
                          const Tensor *tensor, size_t head) {
    const size_t *size = tensor->shape.size;
    size_t axes = tensor->shape.axes, rows = size[axes - 2], columns = size[axes - 1];
    if (position_is_bias(spec->kind)) {
        picture->row_title = "place of the query";
        picture->column_title = "place of the key";
        drawing_heatmap(drawing, picture, tensor, head * rows * columns, rows, columns);
        return;
    }
    picture->row_title = "place";
    picture->column_title = "column";
    picture->palette = "diverging";
    picture->high = spec->kind->spread;
    picture->low = -picture->high;
    drawing_heatmap(drawing, picture, tensor, 0, rows, columns);
}

void draw_positions(Drawing *drawing) {
    enum { PLACES = 32, WIDTH = 32 };
    const Run *run = drawing->session->bench.run;
    const Settings *settings = &drawing->session->bench.settings;
    PositionSpec spec = settings->position;
    size_t places = PLACES, width = WIDTH, heads = settings->heads;
    bool bias = position_is_bias(spec.kind), turns = position_turns(spec.kind);
    spec.seed = settings->seed;
    if (spec.kind == &no_position) {
        drawing_fail(drawing, ERR_VALUE,
                     "there are no positions to draw: the setting position is none");
        error_hint(drawing->err, "for example: set position sinusoidal");
        return;
    }
    if (run) {
        places = run->keys;
        width = run->d_k * run->heads;
        heads = run->heads;
    } else if (settings->tokens.kind != VALUE_NONE && settings->tokens.list->count) {
        places = settings->tokens.list->count;
    }

    LocalTensor *tensor = NULL;
    size_t pairs = width / heads / 2;
    if (bias) tensor = position_bias(&spec, heads, places, places, 0, drawing->err);
    else if (turns)
        tensor = spec.kind->angles(DTYPE_DOUBLE, 0, places, pairs ? 2 * pairs : 2, drawing->err);
    else tensor = position_rows(&spec, places, width, 0, drawing->err);
    if (!drawing_check(drawing, tensor != NULL)) return;

    if (!bias) drawing->takes = 0;
    bool grid = bias && heads > 1 && !plot_asks(drawing->request, PLOT_HEAD);
    Text *title = &drawing->title;
    text_string(title, "position ");
    position_write(title, &spec);
    if (turns) text_string(title, ": cosine and sine of the angle of each pair");
    if (bias) text_string(title, ", added to the scores");
    if (bias && heads > 1 && !grid) text_format(title, " of head %zu", drawing->request->head);

    Value tokens = query_labels(drawing->session, places);
    if (grid) {
        /* The biases of all heads beside each other, with one range of colours. */
        size_t count = heads < PANELS_MAX ? heads : PANELS_MAX;
        Picture *panels = drawing_panels(drawing, PICTURE_GRID, count);
        Range range = {0, 0};
        for (size_t i = 0; panels && i < tensor->count; i++)
            range_add(&range, tensor_get(tensor, i));
        for (size_t h = 0; panels && h < count; h++) {
            panels[h].low = range.low;
            panels[h].high = range.high;
            panels[h].title = drawing_words(drawing, "head %zu", h);
            draw_position(drawing, &panels[h], &spec, tensor, h);
        }
    } else draw_position(drawing, &drawing->picture, &spec, tensor, drawing->request->head);
    drawing_label(drawing, tokens, bias ? tokens : VALUE_NOTHING);
}
