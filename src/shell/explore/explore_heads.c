#include "shell/explore/explore_heads.h"

#include "base/memory.h"
#include "engine/operators/compute.h"

#include <string.h>

/* ---- the run ---- */

static const Inspection *inspection_of(const ExploreHeads *heads) {
    return heads->session->bench.inspection;
}

const ModelConfig *explore_heads_config(const ExploreHeads *heads) {
    return &inspection_of(heads)->run.model->config;
}

const Interventions *explore_heads_in_force(const ExploreHeads *heads) {
    return inspection_of(heads)->run.model->interventions;
}

HeadPlace explore_heads_row(const ExploreHeads *heads, size_t row) {
    const ModelConfig *config = explore_heads_config(heads);
    HeadPlace place = {.layer = row % config->layers};
    size_t skip = row / config->layers;
    for (place.site = SITE_ENCODER; place.site < SITES; place.site++)
        if (model_has_site(config, place.site) && skip-- == 0) break;
    return place;
}

HeadPlace explore_heads_selected(const ExploreHeads *heads) {
    HeadPlace place = explore_heads_row(heads, heads->row);
    place.head = heads->head;
    return place;
}

bool explore_heads_is_off(const ExploreHeads *heads, HeadPlace place) {
    Intervention part = head_zero(explore_heads_config(heads), place);
    const Intervention *found = interventions_find(explore_heads_in_force(heads), &part);
    return found && found->kind == INTERVENE_ZERO;
}

/* Reads weights and figures of the run that is on the bench now. */
static bool read_run(ExploreHeads *heads, Error *err) {
    const ModelConfig *config = explore_heads_config(heads);
    size_t layers = config->layers, at = 0;
    Tensor **weights = mem_zeroed(heads->rows, sizeof *weights, err);
    Tensor **visible = weights ? mem_zeroed(layers, sizeof *visible, err) : NULL;
    HeadSummary *summaries =
        visible ? mem_alloc(head_count(config) * sizeof *summaries, err) : NULL;
    bool ok = summaries && inspected_heads(&inspection_of(heads)->run, summaries, err);
    for (AttentionSite site = SITE_ENCODER; ok && site < SITES; site++) {
        if (!model_has_site(config, site)) continue;
        ok = inspected_weights(&inspection_of(heads)->run, site, weights + at, visible, err);
        for (size_t l = 0; ok && l < layers; l++) tensor_unref(visible[l]);
        at += layers;
    }
    mem_free(visible);
    if (!ok) {
        if (weights) tensors_free(weights, heads->rows);
        mem_free(summaries);
        return false;
    }
    if (heads->weights) tensors_free(heads->weights, heads->rows);
    mem_free(heads->summaries);
    heads->weights = weights;
    heads->summaries = summaries;
    return true;
}

bool explore_heads_init(ExploreHeads *heads, Session *session, Error *err) {
    *heads = (ExploreHeads){.session = session,
                            .scene = {.type = &explore_heads_scene, .change = TEXT_EMPTY}};
    const ModelConfig *config = explore_heads_config(heads);
    heads->rows = head_count(config) / config->heads;
    heads->entry = interventions_ref((Interventions *)explore_heads_in_force(heads));
    if (read_run(heads, err)) return true;
    explore_heads_release(heads);
    return false;
}

void explore_heads_release(ExploreHeads *heads) {
    interventions_unref(heads->entry);
    if (heads->weights) tensors_free(heads->weights, heads->rows);
    mem_free(heads->summaries);
    text_release(&heads->scene.change);
}

/* ---- changes ---- */

/* Puts a list in force, of which it takes the reference over. */
static bool use(ExploreHeads *heads, Interventions *list, const char *what, Error *err) {
    text_clear(&heads->scene.change);
    text_format(&heads->scene.change, "%s; ", what);
    bool ok = inspection_intervene(heads->session, list, NO_PLACE, &heads->scene.change, err) &&
              read_run(heads, err);
    interventions_unref(list);
    return ok;
}

static bool switch_head(ExploreHeads *heads, Error *err) {
    const ModelConfig *config = explore_heads_config(heads);
    const Interventions *now = explore_heads_in_force(heads);
    HeadPlace place = explore_heads_selected(heads);
    Intervention part = head_zero(config, place);
    Interventions *list = NULL;
    Text what = TEXT_EMPTY;
    bool was_off = explore_heads_is_off(heads, place), ok;
    text_string(&what, "head ");
    head_write(config, place, &what);
    text_string(&what, was_off ? " on" : " off");
    ok = was_off ? interventions_without(now, &part, &list, err)
                 : (list = interventions_with(now, &part, err)) != NULL;
    ok = ok && text_ok(&what, err) && use(heads, list, what.data, err);
    text_release(&what);
    return ok;
}

bool explore_heads_restore(ExploreHeads *heads, Error *err) {
    if (explore_heads_in_force(heads) == heads->entry) return true;
    return inspection_intervene(heads->session, heads->entry, NO_PLACE, NULL, err);
}

void explore_heads_write_commands(const ExploreHeads *heads, Text *text) {
    const Interventions *now = explore_heads_in_force(heads);
    const ModelConfig *config = explore_heads_config(heads);
    if (now == heads->entry) return;
    text_string(text, "ablate none;");
    for (size_t row = 0; row < heads->rows; row++)
        for (size_t h = 0; h < config->heads; h++) {
            HeadPlace place = explore_heads_row(heads, row);
            place.head = h;
            if (!explore_heads_is_off(heads, place)) continue;
            text_string(text, " ablate ");
            head_write(config, place, text);
            text_char(text, ';');
        }
}

/* ---- keys ---- */

static bool press(Scene *scene, int key, Error *err) {
    enum { ENTER = '\r', NEWLINE = '\n' };
    ExploreHeads *heads = (ExploreHeads *)scene;
    const ModelConfig *config = explore_heads_config(heads);
    switch (key) {
    case EXPLORE_LEFT:
    case 'h': scene_move(&heads->head, -1, config->heads); break;
    case EXPLORE_RIGHT:
    case 'l': scene_move(&heads->head, 1, config->heads); break;
    case EXPLORE_UP:
    case 'k': scene_move(&heads->row, -1, heads->rows); break;
    case EXPLORE_DOWN:
    case 'j': scene_move(&heads->row, 1, heads->rows); break;
    case EXPLORE_HOME: heads->head = 0; break;
    case EXPLORE_END: heads->head = config->heads - 1; break;
    case ENTER:
    case NEWLINE: scene->state = EXPLORE_OPENED; break;
    case 'x': return switch_head(heads, err);
    case 'r': return use(heads, interventions_ref(heads->entry), "as at the start", err);
    default: scene_unknown_key(scene, key);
    }
    return true;
}

static const ExploreHelp help[] = {
    {"?", "these keys", "keys"},
    {"Enter", "open the head: its weights, its knobs", "open"},
    {"x", "switch the head off, or on again", "off"},
    {"q", "leave, what is off stays off", "keep"},
    {"Esc", "leave, as before (or Ctrl-C)", "cancel"},
    {"← → ↑ ↓", "another head, layer (or hlkj)", NULL},
    {"r", "as at the start", "reset"},
    {"Home End", "the first head, the last", NULL},
    {NULL, NULL, NULL},
};

const SceneType explore_heads_scene = {help, press, explore_heads_draw};
