/* The picture of the last compare: the weights of its runs, and of two what changed between them.
 */
#include "base/memory.h"
#include "session/bench/difference.h"
#include "session/bench/result_view.h"
#include "session/pictures/draw.h"

/* The third panel: the second run less the first, hidden where both are. */
static bool draw_change(Drawing *drawing, Picture *panels, const ComparedRuns *compared,
                        size_t head, Error *err) {
    Picture *panel = &panels[2];
    *panel = panels[0];
    panel->title = "change";
    panel->palette = "diverging";
    panel->low = panel->high = 0; /* from the data, around 0 */
    panel->hidden = NULL;
    panel->cells = drawing_keep(drawing, difference_cells(compared->runs, head, err), err);
    const bool *first = panels[0].hidden, *second = panels[1].hidden;
    if (!panel->cells || !first || !second) return panel->cells != NULL;

    size_t count = panel->rows * panel->columns;
    bool *both = drawing_keep(drawing, mem_zeroed(count, sizeof *both, err), err);
    for (size_t i = 0; both && i < count; i++) both[i] = first[i] && second[i];
    panel->hidden = both;
    return both != NULL;
}

bool draw_compare(Session *session, Drawing *drawing, const PlotRequest *request, Error *err) {
    const ComparedRuns *compared = session->bench.compared;
    const Run *run = compared->runs[0];
    size_t count = compared->count;
    bool change = count == 2 && compared_runs_fits(compared);
    Picture *panels = drawing_panels(drawing, PICTURE_GRID, change ? count + 1 : count, err);
    bool ok = panels != NULL && compared_runs_need_traces(compared, err);
    for (size_t i = 0; ok && i < count; i++) {
        const Run *shown = compared->runs[i];
        panels[i].title = compared->names[i];
        ok = drawing_weights(drawing, &panels[i], shown, shown->trace.weights, request->head, err);
    }
    ok = ok && (!change || draw_change(drawing, panels, compared, request->head, err));
    compared_runs_put_aside(compared);

    text_string(&drawing->title, "weights");
    if (run->heads > 1 || !compared_runs_fits(compared))
        text_format(&drawing->title, " of head %zu", request->head);
    text_format(&drawing->title, ": %s", run->names);
    if (change) text_string(&drawing->title, "; change: the second less the first");
    return ok && drawing_label(drawing, query_labels(session, run->queries),
                               key_labels(session, run->keys), err);
}
