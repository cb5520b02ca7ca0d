/* The picture of the last compare: the weights of its runs, and of two what changed between them.
 */
#include "base/memory.h"
#include "session/bench/compare.h"
#include "session/bench/result_view.h"
#include "session/bench/run_words.h"
#include "session/pictures/draw.h"
#include "view/scale.h"

#include <string.h>

/* The third panel: the second run less the first, hidden where both are. */
static bool draw_change(Drawing *drawing, Picture *panels, const ComparedRuns *compared,
                        size_t head, Error *err) {
    Picture *panel = &panels[2];
    *panel = panels[0];
    panel->title = "change";
    panel->palette = "diverging";
    panel->low = panel->high = 0; /* from the data, around 0 */
    panel->hidden = NULL;
    panel->cells = drawing_keep(drawing, compared_cells(compared, head, err), err);
    const bool *first = panels[0].hidden, *second = panels[1].hidden;
    if (!panel->cells || !first || !second) return panel->cells != NULL;

    size_t count = panel->rows * panel->columns;
    bool *both = drawing_keep(drawing, mem_zeroed(count, sizeof *both, err), err);
    for (size_t i = 0; both && i < count; i++) both[i] = first[i] && second[i];
    panel->hidden = both;
    return both != NULL;
}

/* "rope H 1.1": the value without its setting, which is in the title, and the mean entropy. So
 * short, it has room above a panel of a narrow screen. */
static const char *panel_title(Drawing *drawing, const ComparedRuns *compared, size_t i,
                               Error *err) {
    RunSummary means = run_means(compared->runs[i]);
    Text title = TEXT_EMPTY;
    text_string(&title, strchr(compared->names[i], ' ') + 1);
    if (means.rows) {
        text_string(&title, " H ");
        number_form_write(&title, (NumberForm){.decimals = 2}, means.entropy);
    }
    return drawing_keep_text(drawing, &title, err);
}

static bool draw_runs(Session *session, Drawing *drawing, const ComparedRuns *compared, size_t head,
                      Error *err) {
    const Run *run = compared->runs[0];
    size_t count = compared->count;
    bool fits = compared_runs_fit(compared), change = count == 2 && fits;
    Picture *panels = drawing_panels(drawing, PICTURE_GRID, change ? count + 1 : count, err);
    bool ok = panels != NULL && compared_runs_need_traces(compared, err);
    for (size_t i = 0; ok && i < count; i++) {
        const Run *shown = compared->runs[i];
        panels[i].title = panel_title(drawing, compared, i, err);
        ok = panels[i].title && drawing_weights(drawing, &panels[i], shown->trace.weights,
                                                shown->trace.visible, head, err);
    }
    ok = ok && (!change || draw_change(drawing, panels, compared, head, err));
    compared_runs_put_aside(compared);

    text_format(&drawing->title, "weights by %.*s", (int)strcspn(compared->names[0], " "),
                compared->names[0]);
    if (run->heads > 1 || !fits) text_format(&drawing->title, ", head %zu", head);
    text_format(&drawing->title, ": %s; H: mean entropy", run_heading_inputs(run));
    if (change) text_string(&drawing->title, "; change: the second less the first");
    return ok && drawing_label(drawing, query_labels(session, run->queries),
                               key_labels(session, run->keys), err);
}

bool draw_compare(Session *session, Drawing *drawing, const PlotRequest *request, Error *err) {
    return draw_runs(session, drawing, session->bench.compared, request->head, err);
}

bool compare_write_grid(Session *session, const ComparedRuns *compared, int rows, Text *out,
                        Error *err) {
    const Host *host = session->interp.host;
    Drawing *drawing = drawing_new(&session->bench.settings, err);
    bool ok = drawing && draw_runs(session, drawing, compared, 0, err);
    if (ok) drawing->picture.title = "H: mean entropy";
    if (ok) picture_terminal(out, &drawing->picture, host->columns, rows, host->color, host->utf8);
    if (drawing) drawing_free(drawing);
    return ok;
}
