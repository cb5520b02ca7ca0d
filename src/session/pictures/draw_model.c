/* Pictures of the heads of an inspected model. */
#include "base/memory.h"
#include "session/models/inspection.h"
#include "session/pictures/draw.h"
#include "session/pictures/head_grid.h"

/* What a title says behind the model's name: the sentence is in the labels. */
static void write_state(const Inspection *inspection, Drawing *drawing) {
    const Interventions *list = inspection->run.model->interventions;
    text_format(&drawing->title, " of %s", inspection->name);
    if (list) text_format(&drawing->title, " (%zu changed)", list->count);
}

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
        ok = inspected_weights(&inspection->run, site, weights, visible, err);
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
        write_state(inspection, drawing);
        ok = head_grid_draw(drawing, grids, count, err);
    }
    if (tensors) tensors_free(tensors, SITES * 2 * layers);
    return ok;
}

bool draw_model_head(Session *session, Drawing *drawing, const PlotRequest *request, Error *err) {
    const Inspection *inspection = session->bench.inspection;
    const ModelConfig *config = &inspection->run.model->config;
    HeadPlace place = request->model_head;
    Picture *picture = &drawing->picture;
    char hook[HOOK_NAME];
    attention_hook(config, place.site, place.layer, "hook_pattern", hook);
    Tensor *weights = inspected_activation(&inspection->run, hook, err);
    attention_hook(config, place.site, place.layer, "hook_visible", hook);
    Tensor *visible = weights ? inspected_activation(&inspection->run, hook, err) : NULL;
    text_string(&drawing->title, "weights of head ");
    head_write(config, place, &drawing->title);
    write_state(inspection, drawing);
    picture->row_title = "queries";
    picture->column_title = "keys";
    bool ok = visible && drawing_weights(drawing, picture, weights, visible, place.head, err) &&
              drawing_label(drawing, inspection_query_tokens(inspection, place.site),
                            inspection_key_tokens(inspection, place.site), err);
    tensor_unref(weights);
    tensor_unref(visible);
    return ok;
}
