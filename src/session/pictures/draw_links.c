/* The weights of the last run as lines between two columns of tokens. */
#include "base/number.h"
#include "session/bench/result_view.h"
#include "session/bench/run_heading.h"
#include "session/explain/place.h"
#include "session/pictures/draw.h"
#include "view/links_data.h"

enum { HEADS_MOST = 12 /* whose lines can be told apart */, LINKS_MOST = 20000 };

/* Which of the run's heads are drawn. */
typedef struct Heads {
    size_t first, count;
} Heads;

/* "links of query 7 "it", head 2, from 0.1: temperature 1, ..." */
static void write_title(const Session *session, Drawing *drawing, const Heads *heads,
                        bool threshold) {
    const Run *run = session->bench.run;
    const Picture *picture = &drawing->picture;
    Text *title = &drawing->title;
    text_string(title, "links");
    if (picture->one_query) {
        text_string(title, " of query ");
        place_write(title, query_labels(session, run->queries), picture->query);
    }
    if (run->heads > 1 && heads->count == 1) text_format(title, ", head %zu", heads->first);
    else if (heads->count < run->heads)
        text_format(title, ", the first %zu of %zu heads", heads->count, run->heads);
    if (threshold) {
        text_string(title, ", weights from ");
        number_write(title, picture->threshold, 4);
        text_string(title, " up");
    }
    text_format(title, ": %s", run->settings);
    run_heading_write_stale(session, run, title);
}

static bool choose_threshold(Drawing *drawing, const PlotRequest *request, Error *err) {
    Picture *picture = &drawing->picture;
    bool given = plot_asks(request, PLOT_THRESHOLD);
    picture->threshold = given ? request->threshold : links_readable_threshold(picture);
    size_t count = links_count(picture, picture->threshold);
    double heaviest = links_heaviest(picture);
    if (count > 0 && count <= LINKS_MOST) return true;
    if (heaviest == 0) {
        error_set(err, ERR_VALUE, "there is no link to draw: %s sees no key",
                  picture->one_query ? "this query" : "no query");
        return picture->one_query ? plot_error_at(request, PLOT_OF, err) : false;
    }
    if (count == 0) {
        error_set(err, ERR_VALUE, "no weight reaches %g: the largest is %.4g", picture->threshold,
                  heaviest);
    } else {
        error_set(err, ERR_LIMIT, "%zu links are too many for a picture, which has %d at most",
                  count, LINKS_MOST);
    }
    error_hint(err, "plot links without a threshold chooses one");
    return given ? plot_error_at(request, PLOT_THRESHOLD, err) : false;
}

bool draw_links(Session *session, Drawing *drawing, const PlotRequest *request, Error *err) {
    const Run *run = session->bench.run;
    Picture *picture = &drawing->picture;
    Heads heads = {0, run->heads < HEADS_MOST ? run->heads : HEADS_MOST};
    if (plot_asks(request, PLOT_HEAD)) heads = (Heads){request->head, 1};

    Picture *panels = drawing_panels(drawing, PICTURE_LINKS, heads.count, err);
    if (!panels) return false;
    for (size_t i = 0; i < heads.count; i++) {
        size_t head = heads.first + i;
        panels[i].title = drawing_head_name(drawing, head, err);
        if (!panels[i].title || !drawing_weights(drawing, &panels[i], run->trace.weights,
                                                 run->trace.visible, head, err))
            return false;
    }
    picture->one_query = plot_asks(request, PLOT_OF);
    if (picture->one_query &&
        !place_of_value(&request->query, "query", query_labels(session, run->queries), run->queries,
                        &picture->query, err))
        return plot_error_at(request, PLOT_OF, err);
    if (!choose_threshold(drawing, request, err)) return false;
    write_title(session, drawing, &heads,
                !picture->one_query || plot_asks(request, PLOT_THRESHOLD));
    note_labels(session, run);
    return drawing_label(drawing, query_labels(session, run->queries),
                         key_labels(session, run->keys), err);
}
