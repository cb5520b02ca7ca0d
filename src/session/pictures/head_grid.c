#include "session/pictures/head_grid.h"

#include "base/size.h"

static size_t heads_of(const Tensor *weights) {
    return weights->shape.size[weights->shape.axes - 3];
}

static size_t count_heads(const HeadGrid *grids, size_t count) {
    size_t heads = 0;
    for (size_t g = 0; g < count; g++)
        for (size_t l = 0; l < grids[g].layers; l++) heads += heads_of(grids[g].weights[l]);
    return heads;
}

void head_grid_title(Drawing *drawing, const HeadGrid *grids, size_t count) {
    size_t heads = count_heads(grids, count);
    if (heads > PANELS_MAX)
        text_format(&drawing->title, "weights of the first %d of %zu heads", PANELS_MAX, heads);
    else text_format(&drawing->title, "weights of all %zu heads", heads);
}

static const char *name_of(Drawing *drawing, const HeadGrid *grid, size_t layer, size_t head,
                           Error *err) {
    Text name = TEXT_EMPTY;
    if (!grid->numbered) return drawing_head_name(drawing, head, err);
    text_format(&name, "%zu.%zu", layer, head);
    return drawing_keep_text(drawing, &name, err);
}

/* Draws the heads of a grid into at most `count` panels. Returns how many; 0 on failure. */
static size_t draw_maps(Drawing *drawing, Picture *panels, size_t count, const HeadGrid *grid,
                        Error *err) {
    size_t drawn = 0;
    for (size_t layer = 0; layer < grid->layers; layer++) {
        const Tensor *weights = grid->weights[layer],
                     *visible = grid->visible ? grid->visible[layer] : NULL;
        for (size_t head = 0; head < heads_of(weights) && drawn < count; head++) {
            Picture *panel = &panels[drawn++];
            panel->title = name_of(drawing, grid, layer, head, err);
            if (!panel->title || !drawing_weights(drawing, panel, weights, visible, head, err))
                return 0;
        }
    }
    panels[0].heading = grid->heading;
    bool ok =
        drawing_label_panels(drawing, panels, drawn, grid->query_tokens, grid->key_tokens, err);
    return ok ? drawn : 0;
}

bool head_grid_draw(Drawing *drawing, const HeadGrid *grids, size_t count, Error *err) {
    size_t most = smaller(count_heads(grids, count), PANELS_MAX), drawn = 0;
    Picture *panels = drawing_panels(drawing, PICTURE_GRID, most, err);
    if (!panels) return false;
    /* Layers are below each other. */
    if (grids[0].layers > 1) drawing->picture.panel_columns = heads_of(grids[0].weights[0]);
    for (size_t g = 0; g < count && drawn < most; g++) {
        size_t maps = draw_maps(drawing, &panels[drawn], most - drawn, &grids[g], err);
        if (maps == 0) return false;
        drawn += maps;
    }
    return true;
}
