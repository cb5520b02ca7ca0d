/* An animation: heatmaps of one size after each other, each with its title, in the places of the
 * first. */
#include "view/gnuplot/heatmap_layout.h"

enum { CANVAS_LEAST = 480 };

void script_frames(const Script *script) {
    const Picture *picture = script->picture;
    PanelStyle style = style_alone;
    style.scale = script->scale;
    heatmap_common_style(&style, picture); /* one form for the numbers of all, or they would jump */
    HeatmapLayout layout = heatmap_layout(&picture->panels[0], &style);
    int width = script_width(&layout.area, CANVAS_LEAST), title_lines = 0;
    Script frame = *script;
    for (size_t i = 0; i < picture->panel_count; i++) {
        HeatmapLayout other = heatmap_layout(&picture->panels[i], &style);
        layout.absent = layout.absent || other.absent;
        layout.masked = layout.masked || other.masked;
        frame.picture = &picture->panels[i];
        title_lines = larger_px(title_lines, script_title_lines(&frame, width));
    }
    script_canvas(script, &layout.area, CANVAS_LEAST, title_lines);
    heatmap_place_bar(&layout, &layout.area);
    for (size_t i = 0; i < picture->panel_count && !script->out->failed; i++) {
        frame.picture = &picture->panels[i];
        if (i > 0) text_string(script->out, "unset label; unset object\n");
        script_title(&frame, width);
        heatmap_draw(&frame, &layout);
    }
}
