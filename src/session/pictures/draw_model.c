/* Pictures of the heads of an inspected model. */
#include "base/memory.h"
#include "session/models/inspection.h"
#include "session/pictures/draw.h"
#include "session/pictures/head_grid.h"

#include <string.h>

bool draw_model_heads(Session *session, Drawing *drawing, const PlotRequest *request, Error *err) {
    static const char *const headings[SITES] = {"encoder", "decoder", "cross: decoder on encoder"};
    const Inspection *inspection = session->bench.inspection;
    const ModelConfig *config = &inspection->run.model->config;
    size_t layers = config->layers, count = 0;
    Tensor **tensors = mem_zeroed(SITES * 2 * layers, sizeof *tensors, err);
    HeadGrid grids[SITES];
    bool ok = tensors != NULL;
    (void)request;
    for (AttentionSite site = SITE_ENCODER; ok && site < SITES; site++) {
        if (!model_has_site(config, site)) continue;
        Tensor **weights = tensors + count * 2 * layers, **visible = weights + layers;
        ok = model_run_weights(&inspection->run, site, weights, visible, err);
        grids[count++] =
            (HeadGrid){.heading = config->kind == MODEL_ENCODER_DECODER ? headings[site] : NULL,
                       .weights = (const Tensor *const *)weights,
                       .visible = (const Tensor *const *)visible,
                       .layers = layers,
                       .numbered = true,
                       .query_tokens = inspection_query_tokens(inspection, site),
                       .key_tokens = inspection_key_tokens(inspection, site)};
    }
    if (ok) {
        head_grid_title(drawing, grids, count);
        inspection_write_heading(session, " of", NO_PLACE, &drawing->title);
        ok = head_grid_draw(drawing, grids, count, err);
    }
    if (tensors) tensors_free(tensors, SITES * 2 * layers);
    return ok;
}

/* The weights of all heads of a layer, and which of them are visible: new arrays. */
static bool layer_weights(const Inspection *inspection, HeadPlace place, Tensor **weights,
                          Tensor **visible, Error *err) {
    const ModelConfig *config = &inspection->run.model->config;
    char hooks[2][HOOK_NAME];
    const char *const names[] = {hooks[0], hooks[1], NULL};
    Tensor *found[2];
    attention_hook(config, place, "hook_visible", hooks[0]);
    attention_hook(config, place, "hook_pattern", hooks[1]);
    if (!model_run_activations(&inspection->run, names, found, err)) return false;
    *visible = found[0];
    *weights = found[1];
    return true;
}

bool draw_model_head(Session *session, Drawing *drawing, const PlotRequest *request, Error *err) {
    const Inspection *inspection = session->bench.inspection;
    HeadPlace place = request->model_head;
    Tensor *weights, *visible;
    if (!layer_weights(inspection, place, &weights, &visible, err)) return false;
    text_string(&drawing->title, "weights of head ");
    head_write(&inspection->run.model->config, place, &drawing->title);
    inspection_write_heading(session, " of", NO_PLACE, &drawing->title);
    bool ok = drawing_weights(drawing, &drawing->picture, weights, visible, place.head, err) &&
              drawing_label(drawing, inspection_query_tokens(inspection, place.site),
                            inspection_key_tokens(inspection, place.site), err);
    tensor_unref(weights);
    tensor_unref(visible);
    return ok;
}

bool draw_model_links(Session *session, Drawing *drawing, const PlotRequest *request, Error *err) {
    const Inspection *inspection = session->bench.inspection;
    const ModelConfig *config = &inspection->run.model->config;
    HeadPlace place = request->model_head;
    Tensor *weights, *visible;
    if (request->head >= config->heads) {
        error_set(err, ERR_VALUE, "there is no head %zu: each layer has %zu, counted from 0",
                  request->head, config->heads);
        return plot_error_at(request, PLOT_HEAD, err);
    }
    if (!layer_weights(inspection, place, &weights, &visible, err)) return false;
    LinkSource source = {.weights = weights,
                         .visible = visible,
                         .heads = config->heads,
                         .queries = model_run_queries(&inspection->run, place.site)->length,
                         .query_tokens = inspection_query_tokens(inspection, place.site),
                         .key_tokens = inspection_key_tokens(inspection, place.site)};
    bool ok = draw_links_of(drawing, &source, request, err);
    text_string(&drawing->title, ": layer ");
    if (config->kind == MODEL_ENCODER_DECODER)
        text_format(&drawing->title, "%s ", site_names[place.site]);
    text_format(&drawing->title, "%zu", place.layer);
    inspection_write_heading(session, " of", NO_PLACE, &drawing->title);
    tensor_unref(weights);
    tensor_unref(visible);
    return ok;
}

/* ---- lens, rollout, saliency ---- */

/* Adds a bar for each token of a table: from *count on into y and labels, of `most`. */
static bool add_bars(Drawing *drawing, const Record *table, const char *name, const char *before,
                     double *y, const char **labels, size_t *count, Error *err) {
    const List *tokens = record_get(table, "token")->list;
    const Tensor *numbers = record_get(table, name)->tensor;
    bool lens = strcmp(name, "probability") == 0;
    for (size_t i = 0; i < tokens->count; i++) {
        Text label = TEXT_EMPTY;
        if (!lens) text_format(&label, "%s%zu ", before, i);
        else if (i == 0) text_string(&label, "embedding → ");
        else text_format(&label, "layer %zu → ", i - 1);
        text_string(&label, tokens->items[i].string->data);
        y[*count] = tensor_get(numbers, i);
        labels[*count] = drawing_keep_text(drawing, &label, err);
        if (!labels[(*count)++]) return false;
    }
    return true;
}

bool draw_origin(Session *session, Drawing *drawing, const PlotRequest *request, Error *err) {
    static const char *const names[] = {"probability", "share", "saliency"};
    const Record *table = session->bench.inspection->table.record;
    const Value *source = record_get(table, "source");
    const char *name = names[0];
    for (size_t i = 0; !record_get(table, name); i++) name = names[i];
    (void)request;
    size_t most = record_get(table, "token")->list->count, count = 0;
    if (source) most += record_get(source->record, "token")->list->count;
    double *y = drawing_keep(drawing, mem_aligned(most * sizeof *y, err), err);
    const char **labels =
        y ? drawing_keep(drawing, mem_alloc(most * sizeof *labels, err), err) : NULL;
    if (!labels ||
        (source && !add_bars(drawing, source->record, name, "source ", y, labels, &count, err)) ||
        !add_bars(drawing, table, name, "", y, labels, &count, err))
        return false;
    text_string(&drawing->title, record_get(table, "of")->string->data);
    drawing_line(drawing, NULL, y, NULL, count);
    drawing->picture.kind = PICTURE_BARS;
    drawing->picture.row_labels = (Labels){labels, count};
    drawing->picture.x_title = name;
    drawing->picture.y_title = name == names[0] ? "layers" : "tokens";
    return true;
}
