/* An animation: heatmaps of one size after each other, each with its title, in the places of the
 * first. */
#include "view/gnuplot/heatmap_layout.h"

enum { CANVAS_LEAST = 480 };

static int title_lines(const Script *script, int width) {
    int most = 0;
    for (size_t i = 0; i < script->picture->panel_count; i++) {
        Script frame = *script;
        frame.picture = &script->picture->panels[i];
        int lines = script_title_lines(&frame, width);
        if (lines > most) most = lines;
    }
    return most;
}

/* One form for the numbers of all, or they would jump. */
static PanelStyle style_of_frames(const Picture *picture) {
    PanelStyle style = style_alone;
    heatmap_common_style(&style, picture);
    return style;
}

void script_frames(const Script *script) {
    const Picture *picture = script->picture;
    PanelStyle style = style_of_frames(picture);
    HeatmapLayout layout = heatmap_layout(&picture->panels[0], &style);
    for (size_t i = 1; i < picture->panel_count; i++) {
        HeatmapLayout other = heatmap_layout(&picture->panels[i], &style);
        layout.absent = layout.absent || other.absent;
        layout.masked = layout.masked || other.masked;
    }
    int width = script_width(&layout.area, CANVAS_LEAST);
    script_canvas(script, &layout.area, CANVAS_LEAST, title_lines(script, width));
    heatmap_place_bar(&layout, &layout.area);
    for (size_t i = 0; i < picture->panel_count && !script->out->failed; i++) {
        Script frame = *script;
        frame.picture = &picture->panels[i];
        if (i > 0) text_string(script->out, "unset label; unset object\n");
        script_title(&frame, width);
        heatmap_draw(&frame, &layout);
    }
}
