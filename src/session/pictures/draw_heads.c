/* Pictures of heads: of all of a run or of an inspected model as maps, one of a model, and their
 * weights as links; where what a model says comes from, and what changes to it do. */
#include "base/memory.h"
#include "base/number.h"
#include "base/size.h"
#include "base/translate.h"
#include "session/bench/attend.h"
#include "session/bench/result_view.h"
#include "session/bench/run_words.h"
#include "session/models/effects_table.h"
#include "session/pictures/draw.h"
#include "view/links_data.h"

#include <math.h>
#include <string.h>

static size_t heads_of(const Tensor *weights) {
    const Shape *shape = &weights->shape;
    return shape->axes > 2 ? shape->size[shape->axes - 3] : 1;
}

/* ---- maps ---- */

enum { NARROW = 60 }; /* columns: a terminal with fewer has little room for labels */
enum { NAME_COLUMNS = 16, EFFECT_COLUMNS = 12 }; /* of "layer 1 head 2", of ", off +0.012" */

/* "layer 1 head 2, off +0.012", in a terminal of little width "1.2 +0.012", beside links "head 2,
 * off +0.012"; or "layer 1 head 2 patched". */
static const char *head_title(Drawing *drawing, const HeadGrid *grid, size_t layer, size_t head) {
    size_t heads = heads_of(grid->weights[layer]);
    HeadPlace place = {grid->first.site, grid->first.layer + layer, head};
    const Inspection *inspection = grid->inspection;
    const char *change = inspection ? inspection_head_change(inspection, place) : NULL;
    double effect = inspection && !change ? inspection_head_effect(inspection, place) : NAN;
    bool links = drawing->picture.kind == PICTURE_LINKS;
    bool in_file = drawing->request && plot_string(drawing->request, PLOT_TO),
         fits = in_file || !grid->numbered ||
                heads * (NAME_COLUMNS + EFFECT_COLUMNS * (change || !isnan(effect))) <=
                    session_columns(drawing->session);
    Text title = TEXT_EMPTY;
    if (grid->numbered && fits) text_say(&title, "layer %zu head %zu", place.layer, head);
    else if (grid->numbered && !links) text_format(&title, "%zu.%zu", place.layer, head);
    else text_say(&title, "head %zu", head);
    if (change) text_string(&title, tr(change));
    if (!isnan(effect)) text_say(&title, fits || links ? ", off %+.2g" : " %+.2g", effect);
    return drawing_keep_text(drawing, &title);
}

void head_grid_draw(Drawing *drawing, const HeadGrid *grids, size_t count) {
    size_t heads = 0;
    for (size_t g = 0; g < count; g++)
        for (size_t l = 0; l < grids[g].layers; l++) heads += heads_of(grids[g].weights[l]);
    if (heads > PANELS_MAX)
        text_format(&drawing->title, "weights of the first %d of %zu heads", PANELS_MAX, heads);
    else
        text_format(&drawing->title, "weights of %s%zu head%s", heads == 1 ? "" : "all ", heads,
                    heads == 1 ? "" : "s");

    size_t most = smaller(heads, PANELS_MAX), at = 0;
    Picture *panels = drawing_panels(drawing, PICTURE_GRID, most);
    if (!panels) return;
    /* Layers are below each other. */
    if (grids[0].layers > 1) drawing->picture.panel_columns = heads_of(grids[0].weights[0]);
    for (size_t g = 0; g < count && at < most && !drawing->failed; g++) {
        const HeadGrid *grid = &grids[g];
        size_t first = at;
        for (size_t layer = 0; layer < grid->layers; layer++) {
            const Tensor *weights = grid->weights[layer],
                         *visible = grid->visible ? grid->visible[layer] : NULL;
            for (size_t head = 0; head < heads_of(weights) && at < most; head++, at++) {
                panels[at].title = head_title(drawing, grid, layer, head);
                drawing_weights(drawing, &panels[at], weights, visible, head);
            }
        }
        panels[first].heading = grid->heading;
        drawing_label_panels(drawing, &panels[first], at - first, grid->query_tokens,
                             grid->key_tokens);
    }
}

static HeadGrid run_heads(const Session *session) {
    const Run *run = session->bench.run;
    return (HeadGrid){.weights = (const Tensor *const *)&run->trace.weights,
                      .visible = (const Tensor *const *)&run->trace.visible,
                      .layers = 1,
                      .query_tokens = query_labels(session, run->queries),
                      .key_tokens = key_labels(session, run->keys)};
}

void draw_heads(Drawing *drawing) {
    const Run *run = drawing->session->bench.run;
    HeadGrid grid = run_heads(drawing->session);
    if (run->heads == 1 || plot_asks(drawing->request, PLOT_HEAD)) {
        draw_weights(drawing);
        return;
    }
    note_labels(drawing->session, run);
    head_grid_draw(drawing, &grid, 1);
    run_heading_write_settings(drawing->session, run, &drawing->title);
}

/* Appends words to the title, both in the person's language: together they are no message. */
static void say_also(Drawing *drawing, const char *words) {
    LocalText before = drawing->title;
    text_init(&drawing->title);
    tr_write(&drawing->title, before.data);
    tr_write(&drawing->title, words);
}

/* Ends a title that has only counted what is in force: by its names, without the sentences that it
 * comes from. */
static void say_in_force(Drawing *drawing) {
    const Transformer *model = drawing->session->bench.inspection->run.model;
    const Interventions *list = model->interventions;
    LocalText counted = TEXT_EMPTY, words = TEXT_EMPTY;
    if (!interventions_write_short(drawing->session->interp.host, model, &counted)) return;
    for (size_t i = 0; i < list->count; i++) {
        LocalText one = TEXT_EMPTY;
        intervention_write(&model->config, &list->items[i], &one);
        const char *from = text_ok(&one, drawing->err) ? strstr(one.data, " from ") : NULL;
        text_string(&words, i ? "; " : "; in force: ");
        text_bytes(&words, one.data, from ? (size_t)(from - one.data) : one.length);
    }
    say_also(drawing, words.data);
}

/* Ends the title of a picture of the inspected run: whose it is, and what the numbers behind the
 * heads are. */
static void end_title(Drawing *drawing) {
    const Inspection *inspection = drawing->session->bench.inspection;
    LocalText measured = TEXT_EMPTY;
    inspection_write_heading(drawing->session, inspection, " of", &drawing->title);
    say_in_force(drawing);
    if (isnan(inspection_head_effect(inspection,
                                     (HeadPlace){.site = drawing->request->model_head.site})))
        return;
    text_format(&measured, "; numbers: change of the %s when the head is off",
                record_get(inspection->effects.record, "measure")->string->data);
    say_also(drawing, measured.data);
}

void draw_model_heads(Drawing *drawing) {
    static const char *const headings[SITES] = {"encoder", "decoder", "cross: decoder on encoder"};
    const Inspection *inspection = drawing->session->bench.inspection;
    const ModelConfig *config = &inspection->run.model->config;
    size_t layers = config->layers, count = 0;
    Tensor **tensors = mem_zeroed(SITES * 2 * layers, sizeof *tensors, drawing->err);
    HeadGrid grids[SITES];
    if (!drawing_check(drawing, tensors != NULL)) return;
    for (AttentionSite site = SITE_ENCODER; !drawing->failed && site < SITES; site++) {
        if (!model_has_site(config, site)) continue;
        Tensor **weights = tensors + count * 2 * layers, **visible = weights + layers;
        drawing_check(drawing, model_run_weights(&inspection->run, (HeadPlace){.site = site},
                                                 layers, weights, visible, drawing->err));
        grids[count] =
            (HeadGrid){.heading = config->kind == MODEL_ENCODER_DECODER ? headings[site] : NULL,
                       .weights = (const Tensor *const *)weights,
                       .visible = (const Tensor *const *)visible,
                       .layers = layers,
                       .numbered = true,
                       .inspection = inspection,
                       .first = {.site = site},
                       .query_tokens = inspection_query_tokens(inspection, site),
                       .key_tokens = inspection_key_tokens(inspection, site)};
        count++;
    }
    if (!drawing->failed) head_grid_draw(drawing, grids, count);
    end_title(drawing);
    tensors_free(tensors, SITES * 2 * layers);
}

/* ---- one layer of a model ---- */

/* The heads of the layer that the request names: new arrays. */
static bool layer_heads(Drawing *drawing, Tensor *arrays[2], HeadGrid *heads) {
    const Inspection *inspection = drawing->session->bench.inspection;
    HeadPlace place = drawing->request->model_head;
    *heads = (HeadGrid){.weights = (const Tensor *const *)&arrays[1],
                        .visible = (const Tensor *const *)&arrays[0],
                        .layers = 1,
                        .numbered = true,
                        .inspection = inspection,
                        .first = {.site = place.site, .layer = place.layer},
                        .query_tokens = inspection_query_tokens(inspection, place.site),
                        .key_tokens = inspection_key_tokens(inspection, place.site)};
    return drawing_check(drawing, model_run_weights(&inspection->run, place, 1, &arrays[1],
                                                    &arrays[0], drawing->err));
}

void draw_model_head(Drawing *drawing) {
    const ModelConfig *config = &drawing->session->bench.inspection->run.model->config;
    HeadPlace place = drawing->request->model_head;
    Tensor *arrays[2];
    HeadGrid heads;
    if (!layer_heads(drawing, arrays, &heads)) return;
    text_string(&drawing->title, "weights of head ");
    head_write(config, place, &drawing->title);
    inspection_write_heading(drawing->session, drawing->session->bench.inspection, " of",
                             &drawing->title);
    say_in_force(drawing);
    drawing_weights(drawing, &drawing->picture, *heads.weights, *heads.visible, place.head);
    drawing_label(drawing, heads.query_tokens, heads.key_tokens);
    tensors_unref(arrays, 2);
}

/* ---- links ---- */

enum { HEADS_MOST = 12 /* whose lines can be told apart */, LINKS_MOST = 20000 };

/* Notes an error that belongs to a word of the request. */
static void fail_at(Drawing *drawing, PlotWord word) {
    drawing_check(drawing, plot_error_at(drawing->request, word, drawing->err));
}

static void choose_threshold(Drawing *drawing) {
    Picture *picture = &drawing->picture;
    Error *err = drawing->err;
    bool given = plot_asks(drawing->request, PLOT_THRESHOLD);
    picture->threshold =
        given ? drawing->request->numbers[PLOT_THRESHOLD][0] : links_readable_threshold(picture);
    size_t count = links_count(picture, picture->threshold);
    double heaviest = links_heaviest(picture);
    if (count > 0 && count <= LINKS_MOST) return;
    drawing->failed = true;
    if (heaviest == 0) {
        error_set(err, ERR_VALUE, "there is no link to draw: no weight%s is above 0",
                  picture->one_query ? " of this query" : "");
        if (picture->one_query) fail_at(drawing, PLOT_OF);
        return;
    }
    if (count == 0) {
        error_set(err, ERR_VALUE, "no weight reaches %.15g: the largest is %.4g",
                  picture->threshold, heaviest);
    } else {
        error_set(err, ERR_LIMIT, "%zu links are too many for a picture, which has %d at most",
                  count, LINKS_MOST);
    }
    if (!given) error_hint(err, "one query has fewer: plot links of 0");
    else {
        error_hint(err, "plot links without a threshold chooses one");
        fail_at(drawing, PLOT_THRESHOLD);
    }
}

/* Draws the links that the request asks for, of the first heads where there are many, with a title
 * like "links of query 7 "it", head 2, weights from 0.1 up", which lacks whose they are. */
static void draw_links_of(Drawing *drawing, const HeadGrid *source) {
    const PlotRequest *request = drawing->request;
    Picture *picture = &drawing->picture;
    Text *title = &drawing->title;
    const Tensor *weights = *source->weights;
    bool one = plot_asks(request, PLOT_HEAD);
    size_t heads = heads_of(weights), queries = shape_rows(&weights->shape),
           first = one ? request->head : 0, count = one ? 1 : smaller(heads, HEADS_MOST);
    Picture *panels = drawing_panels(drawing, PICTURE_LINKS, count);
    for (size_t i = 0; panels && i < count; i++) {
        panels[i].title = head_title(drawing, source, 0, first + i);
        drawing_weights(drawing, &panels[i], weights, *source->visible, first + i);
    }
    if (drawing->failed) return;
    picture->one_query = plot_asks(request, PLOT_OF);
    if (picture->one_query &&
        !place_of_value(&request->values[PLOT_OF], "query", source->query_tokens, queries,
                        &picture->query, drawing->err))
        fail_at(drawing, PLOT_OF);
    else choose_threshold(drawing);
    if (drawing->failed) return;

    text_string(title, "links");
    if (picture->one_query) {
        text_string(title, " of query ");
        place_write(title, source->query_tokens, picture->query);
    }
    if (heads > 1 && one) text_format(title, ", head %zu", request->head);
    else if (count < heads) text_format(title, ", the first %zu of %zu heads", count, heads);
    if (!picture->one_query || plot_asks(request, PLOT_THRESHOLD)) {
        text_string(title, ", weights from ");
        number_write(title, picture->threshold, 4);
        text_string(title, " up");
    }
    drawing_label(drawing, source->query_tokens, source->key_tokens);
}

void draw_links(Drawing *drawing) {
    HeadGrid source = run_heads(drawing->session);
    draw_links_of(drawing, &source);
    if (drawing->failed) return;
    run_heading_write_settings(drawing->session, drawing->session->bench.run, &drawing->title);
    note_labels(drawing->session, drawing->session->bench.run);
}

void draw_model_links(Drawing *drawing) {
    const ModelConfig *config = &drawing->session->bench.inspection->run.model->config;
    HeadPlace place = drawing->request->model_head;
    Tensor *arrays[2];
    HeadGrid heads;
    if (drawing->request->head >= config->heads) {
        error_set(drawing->err, ERR_VALUE,
                  "there is no head %zu: each layer has %zu, counted from 0",
                  drawing->request->head, config->heads);
        fail_at(drawing, PLOT_HEAD);
        return;
    }
    if (!layer_heads(drawing, arrays, &heads)) return;
    draw_links_of(drawing, &heads);
    text_string(&drawing->title, ": layer ");
    if (config->kind == MODEL_ENCODER_DECODER)
        text_format(&drawing->title, "%s ", site_names[place.site]);
    text_format(&drawing->title, "%zu", place.layer);
    end_title(drawing);
    tensors_unref(arrays, 2);
}

/* ---- lens, rollout, saliency, attribution ---- */

/* The columns of a table that are drawn as bars. */
typedef struct BarsOfTable {
    const char *label, *bar;
    const char *mark,
        *mark_name;   /* a column that is marked at the bars where it is there; or NULL */
    const char *rows; /* what they are */
} BarsOfTable;

/* The bars of a table, and behind them `before` tokens of a source. */
static void add_bars(Drawing *drawing, const BarsOfTable *bars, const Record *table,
                     const char *before, double *const numbers[2], const char **labels,
                     size_t *count) {
    const List *items = record_get(table, bars->label)->list;
    const Tensor *bar = record_get(table, bars->bar)->tensor;
    const Value *mark = bars->mark ? record_get(table, bars->mark) : NULL;
    bool lens = strcmp(bars->rows, "layers") == 0, parts = strcmp(bars->rows, "parts") == 0;
    /* A label that is cut loses what is before its arrow, which says the layer. */
    bool narrow =
        !plot_string(drawing->request, PLOT_TO) && drawing->session->interp.host->columns < NARROW;
    for (size_t i = 0; i < items->count; i++) {
        const char *item = items->items[i].string->data;
        numbers[0][*count] = tensor_get(bar, i);
        if (mark) numbers[1][*count] = tensor_get(mark->tensor, i);
        labels[(*count)++] = parts   ? tr(item)
                             : !lens ? drawing_words(drawing, "%s%zu %s", before, i, item)
                             : narrow && i == 0 ? drawing_words(drawing, "embed: %s", item)
                             : narrow           ? drawing_words(drawing, "%zu: %s", i - 1, item)
                             : i == 0 ? drawing_words(drawing, tr("embedding → %s"), item)
                                      : drawing_words(drawing, tr("layer %zu → %s"), i - 1, item);
    }
}

void draw_origin(Drawing *drawing) {
    static const BarsOfTable kinds[] = {
        {"token", "probability", "answer", "the measured answer", "layers"},
        {"token", "share", NULL, NULL, "tokens"},
        {"token", "saliency", "without", "change when it is off", "tokens"},
        {"part", "direct", "ablated", "change when it is off", "parts"}};
    const Record *table = drawing->session->bench.inspection->table.record;
    const Value *source = record_get(table, "source"), *measure = record_get(table, "measure");
    const BarsOfTable *bars = kinds;
    while (!record_get(table, bars->bar)) bars++;
    size_t most = record_get(table, bars->label)->list->count, count = 0;
    if (source) most += record_get(source->record, bars->label)->list->count;
    double *const numbers[] = {drawing_alloc(drawing, most, sizeof(double)),
                               drawing_alloc(drawing, most, sizeof(double))};
    const char **labels = drawing_alloc(drawing, most, sizeof *labels);
    if (!labels) return;
    if (source) add_bars(drawing, bars, source->record, tr("source "), numbers, labels, &count);
    add_bars(drawing, bars, table, "", numbers, labels, &count);
    text_string(&drawing->title, record_get(table, "of")->string->data);
    say_in_force(drawing);
    bool marked = bars->mark && record_get(table, bars->mark);
    drawing_bars(drawing, numbers[0], bars->mark_name, marked ? numbers[1] : NULL, count,
                 measure ? drawing_words(drawing, "%s", measure->string->data) : bars->bar,
                 bars->rows);
    drawing->picture.row_labels = (Labels){labels, count};
}

/* ---- effects ---- */

void draw_effects(Drawing *drawing) {
    const Inspection *inspection = drawing->session->bench.inspection;
    const Value *table = &inspection->effects;
    Picture *picture = &drawing->picture;
    if (table->kind == VALUE_NONE) {
        drawing_fail(drawing, ERR_NAME, "no effects on the inspected run were measured yet");
        error_hint(drawing->err, "for example: ablate each; then plot effects");
        return;
    }
    const Tensor *map = record_get(table->record, "map")->tensor;
    /* The columns have names in the language of the session, the changes have not. */
    const char *change = record_get(table->record, "change")->list->items[0].string->data;
    bool heads = strncmp(change, "head ", 5) == 0 || strncmp(change, "mlp ", 4) == 0;
    picture->palette = "diverging";
    picture->high = effects_most(map);
    picture->low = -picture->high;
    picture->row_title = "layers";
    picture->column_title = heads ? "heads" : "positions";
    picture->missing = "not there"; /* a network of cross-attention, a position of the target */
    drawing_heatmap(drawing, picture, map, 0, map->shape.size[0], map->shape.size[1]);
    drawing_label(drawing, *record_get(table->record, "rows"),
                  *record_get(table->record, "columns"));
    LocalText measured = TEXT_EMPTY;
    text_string(&drawing->title, record_get(table->record, "of")->string->data);
    text_format(&measured, "; change of the %s",
                record_get(table->record, "measure")->string->data);
    say_also(drawing, measured.data);
    if (inspection->effects_old || !inspection_is_current(drawing->session, inspection))
        say_also(drawing, "; from before the model changed");
}
