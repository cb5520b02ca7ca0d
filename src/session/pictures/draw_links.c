/* Weights as lines between two columns of tokens. */
#include "base/number.h"
#include "base/size.h"
#include "session/bench/attend.h"
#include "session/bench/result_view.h"
#include "session/bench/run_words.h"
#include "session/pictures/draw.h"
#include "view/links_data.h"

enum { HEADS_MOST = 12 /* whose lines can be told apart */, LINKS_MOST = 20000 };

/* "links of query 7 "it", head 2, weights from 0.1 up": whose they are is added behind it. */
static void write_title(Drawing *drawing, const LinkSource *source, const PlotRequest *request) {
    const Picture *picture = &drawing->picture;
    Text *title = &drawing->title;
    text_string(title, "links");
    if (picture->one_query) {
        text_string(title, " of query ");
        place_write(title, source->query_tokens, picture->query);
    }
    if (source->heads > 1 && plot_asks(request, PLOT_HEAD))
        text_format(title, ", head %zu", request->head);
    else if (picture->panel_count < source->heads)
        text_format(title, ", the first %zu of %zu heads", picture->panel_count, source->heads);
    if (picture->one_query && !plot_asks(request, PLOT_THRESHOLD)) return;
    text_string(title, ", weights from ");
    number_write(title, picture->threshold, 4);
    text_string(title, " up");
}

static bool choose_threshold(Drawing *drawing, const PlotRequest *request, Error *err) {
    Picture *picture = &drawing->picture;
    bool given = plot_asks(request, PLOT_THRESHOLD);
    picture->threshold =
        given ? request->numbers[PLOT_THRESHOLD][0] : links_readable_threshold(picture);
    size_t count = links_count(picture, picture->threshold);
    double heaviest = links_heaviest(picture);
    if (count > 0 && count <= LINKS_MOST) return true;
    if (heaviest == 0) {
        error_set(err, ERR_VALUE, "there is no link to draw: no weight%s is above 0",
                  picture->one_query ? " of this query" : "");
        return picture->one_query ? plot_error_at(request, PLOT_OF, err) : false;
    }
    if (count == 0) {
        error_set(err, ERR_VALUE, "no weight reaches %.15g: the largest is %.4g",
                  picture->threshold, heaviest);
    } else {
        error_set(err, ERR_LIMIT, "%zu links are too many for a picture, which has %d at most",
                  count, LINKS_MOST);
    }
    if (!given) return error_hint(err, "one query has fewer: plot links of 0");
    error_hint(err, "plot links without a threshold chooses one");
    return plot_error_at(request, PLOT_THRESHOLD, err);
}

bool draw_links_of(Drawing *drawing, const LinkSource *source, const PlotRequest *request,
                   Error *err) {
    Picture *picture = &drawing->picture;
    bool one = plot_asks(request, PLOT_HEAD);
    size_t first = one ? request->head : 0, count = one ? 1 : smaller(source->heads, HEADS_MOST);
    Picture *panels = drawing_panels(drawing, PICTURE_LINKS, count, err);
    bool ok = panels != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        panels[i].title = drawing_head_name(drawing, first + i, err);
        ok = panels[i].title &&
             drawing_weights(drawing, &panels[i], source->weights, source->visible, first + i, err);
    }
    if (!ok) return false;

    picture->one_query = plot_asks(request, PLOT_OF);
    if (picture->one_query &&
        !place_of_value(&request->values[PLOT_OF], "query", source->query_tokens, source->queries,
                        &picture->query, err))
        return plot_error_at(request, PLOT_OF, err);
    if (!choose_threshold(drawing, request, err)) return false;
    write_title(drawing, source, request);
    return drawing_label(drawing, source->query_tokens, source->key_tokens, err);
}

bool draw_links(Session *session, Drawing *drawing, const PlotRequest *request, Error *err) {
    const Run *run = session->bench.run;
    LinkSource source = {.weights = run->trace.weights,
                         .visible = run->trace.visible,
                         .heads = run->heads,
                         .queries = run->queries,
                         .query_tokens = query_labels(session, run->queries),
                         .key_tokens = key_labels(session, run->keys)};
    if (!draw_links_of(drawing, &source, request, err)) return false;
    run_heading_write_settings(session, run, &drawing->title);
    note_labels(session, run);
    return true;
}
