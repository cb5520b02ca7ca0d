#include "view/plan/plan.h"

#include "base/error.h"
#include "base/size.h"
#include "view/plan/planner.h"

#include <math.h>

enum { TITLE_LINES_MOST = 8 };

const PanelStyle style_alone = {
    .row_labels = true, .column_labels = true, .titles = true, .bar = true};

/* ---- items ---- */

static PlanItem *add_item(Plan *plan, PlanItems *items, PlanItem item) {
    PlanItem *added = arena_alloc(&plan->arena, sizeof *added, NULL);
    if (!added) {
        plan->failed = true;
        return &plan->lost;
    }
    *added = item;
    if (items->last) items->last->next = added;
    else items->first = added;
    return items->last = added;
}

PlanItem *plan_text(Plan *plan, PlanItems *items, const char *text, int px_most, int font_px,
                    PlanPlace x, PlanPlace y, TextSide side) {
    return add_item(plan, items,
                    (PlanItem){.kind = ITEM_TEXT,
                               .x = x,
                               .y = y,
                               .text = text,
                               .px_most = px_most,
                               .font_px = font_px,
                               .side = side});
}

PlanItem *plan_stroke(Plan *plan, PlanItems *items, PlanStroke stroke, PlanPlace x, PlanPlace y,
                      PlanPlace to_x, PlanPlace to_y) {
    return add_item(
        plan, items,
        (PlanItem){
            .kind = ITEM_STROKE, .x = x, .y = y, .to_x = to_x, .to_y = to_y, .stroke = stroke});
}

PlanItem *plan_box(Plan *plan, PlanItems *items, uint32_t color, PlanPlace x, PlanPlace y,
                   PlanPlace to_x, PlanPlace to_y) {
    return add_item(
        plan, items,
        (PlanItem){.kind = ITEM_BOX, .x = x, .y = y, .to_x = to_x, .to_y = to_y, .color = color});
}

void plan_mark(Plan *plan, PlanItems *items, size_t mark, uint32_t color, int x, int y) {
    add_item(
        plan, items,
        (PlanItem){.kind = ITEM_MARK, .x = at_px(x), .y = at_px(y), .color = color, .mark = mark});
}

const char *plan_keep(Plan *plan, Text *text) {
    const char *kept =
        text->failed ? NULL : arena_string(&plan->arena, text->data, text->length, NULL);
    if (!kept) plan->failed = true;
    text_release(text);
    return kept ? kept : "";
}

const char *plan_label(Plan *plan, const Labels *labels, size_t index) {
    Text digits = TEXT_EMPTY;
    if (labels->items && index < labels->count) return labels->items[index];
    text_format(&digits, "%zu", index);
    return plan_keep(plan, &digits);
}

const char *plan_number(Plan *plan, NumberForm form, double x) {
    Text number = TEXT_EMPTY;
    number_form_write(&number, form, x);
    return plan_keep(plan, &number);
}

void plan_axis_title(Plan *plan, PlanItems *items, const char *title, int x, int y, bool rotated) {
    if (!has_words(title)) return;
    PlanItem *item =
        plan_text(plan, items, title, LABEL_PX_MOST, TEXT_PX, at_px(x), at_px(y), SIDE_CENTRE);
    item->color = 0x404040;
    item->degrees = rotated ? 90 : 0;
}

/* ---- sizes ---- */

int plan_labels_px(const Labels *labels, size_t count, int font_px) {
    return smaller_px((int)ceil(label_ems_most(labels, count) * font_px), LABEL_PX_MOST);
}

int plan_digits_px(size_t digits, int font_px) { return (int)digits * font_px * 64 / 100; }

ChartRows plan_rows(const Plan *plan, size_t count) {
    enum { FEW = 20, SOME = 60, HEIGHT_MOST = 1400 };
    int height = count <= FEW ? 28 : count <= SOME ? 20 : HEIGHT_MOST / (int)count;
    ChartRows rows = {.height = larger_px(scaled(plan, larger_px(height, 1)), 1)};
    rows.font_px = rows.height >= 28 ? TEXT_PX : SMALL_PX;
    rows.step = larger((size_t)(rows.font_px + 2) / (size_t)rows.height, 1);
    return rows;
}

/* ---- the canvas ---- */

int plan_width(const Area *area, int width_least) {
    return larger_px(area->before + area->width + area->behind + 2 * EDGE, width_least);
}

static size_t wrap_title(Text *out, const char *title, int width) {
    LocalText clean = TEXT_FOR(out);
    label_clean(&clean, title);
    return label_wrap(out, &clean, (double)(width - 2 * EDGE) / TITLE_PX, TITLE_LINES_MOST);
}

int plan_title_lines(const char *title, int width) {
    LocalText wrapped = TEXT_EMPTY;
    return (int)wrap_title(&wrapped, title, width);
}

void plan_title(Plan *plan, PlanFrame *frame, const char *title, int width) {
    Text wrapped = TEXT_EMPTY;
    int left = frame ? frame->area.left : 0, top = frame ? frame->area.top : 0;
    size_t lines = wrap_title(&wrapped, title, width);
    const char *kept = plan_keep(plan, &wrapped);
    if (lines == 0) return;
    plan_text(plan, frame ? &frame->titles : &plan->items, kept, 0, TITLE_PX,
              at_px(plan->width / 2. - left), at_px(EDGE + TITLE_PX / 2 - top), SIDE_CENTRE);
}

void plan_canvas(Plan *plan, Area *area, int width_least, int title_lines) {
    const Picture *picture = plan->picture;
    const PlanRoom *room = &plan->room;
    int title = title_lines ? title_lines * TITLE_PX * 5 / 4 + EDGE : 0,
        width = plan_width(area, width_least),
        height = EDGE + title + area->height + area->below + EDGE;
    plan->zoom = room->zoom * plan->scale;
    plan->spare_width = plan->spare_height = 0;
    if (picture->width > 0) {
        plan->zoom = fmin((double)picture->width / width, (double)picture->height / height);
        plan->spare_width = (int)(picture->width / plan->zoom + 1e-6) - width;
        plan->spare_height = (int)(picture->height / plan->zoom + 1e-6) - height;
    } else { /* what is larger than the room is drawn smaller, fonts and lines with it */
        if (room->width_most > 0) plan->zoom = fmin(plan->zoom, (double)room->width_most / width);
        if (room->height_most > 0)
            plan->zoom = fmin(plan->zoom, (double)room->height_most / height);
    }
    plan->width = width + plan->spare_width;
    plan->height = height + plan->spare_height;
    area->left = EDGE + area->before + (plan->width - plan_width(area, 0)) / 2;
    area->top = EDGE + title + plan->spare_height / 2;
}

/* ---- all kinds ---- */

/* A picture of one frame. A chart takes the room that a canvas of the wanted size has left; cells
 * stay as they are. */
static void plan_alone(Plan *plan, FramePlan *plan_frame) {
    PlanFrame *frame = plan->frames;
    PanelStyle style = style_alone;
    Area *area = &frame->area;
    bool cells = plan_frame == plan_cells;
    int least = cells ? scaled(plan, CANVAS_LEAST) : 0;
    plan_frame(plan, frame, &style);
    int lines = plan_title_lines(plan->picture->title, plan_width(area, least));
    plan_canvas(plan, area, least, lines);
    if (plan->picture->width > 0 && !cells) {
        style.width = area->width + plan->spare_width;
        style.height = area->height + plan->spare_height;
        frame->items = (PlanItems){NULL, NULL};
        plan_frame(plan, frame, &style);
        plan_canvas(plan, area, least, lines);
    }
    plan_title(plan, NULL, plan->picture->title, plan_width(area, least));
}

static void plan_kind(Plan *plan) {
    const Picture *picture = plan->picture;
    bool panels = picture->kind == PICTURE_GRID || picture->kind == PICTURE_FRAMES;
    plan->frame_count = panels && picture->panel_count ? picture->panel_count : 1;
    plan->frames = arena_alloc(&plan->arena, plan->frame_count * sizeof *plan->frames, NULL);
    if (!plan->frames) {
        plan->frame_count = 0;
        plan->failed = true;
        return;
    }
    plan->frames[0].picture = picture;
    if (has_cells(picture)) plan_alone(plan, plan_cells);
    else if (picture->kind == PICTURE_BARS) plan_alone(plan, plan_bars);
    else if (picture->panel_count == 0) plan_alone(plan, plan_lines);
    else if (picture->kind == PICTURE_GRID) plan_grid(plan);
    else if (picture->kind == PICTURE_LINKS) plan_alone(plan, plan_links);
    else if (picture->panels[0].kind == PICTURE_GRID) plan_film(plan);
    else plan_animation(plan);
}

/* Plans again with other factors that make the drawing smaller, until its labels become as large as
 * is wanted; in a picture whose size alone is, so large that they can be read from the last row of
 * a hall. */
bool plan_init(Plan *plan, const Picture *picture, const PlanRoom *room, Error *err) {
    enum { TRIES = 6, HALL = 31 /* lines of them would fill the picture */ };
    double wanted = picture->font_px, scale = 1, most = wanted > 0 ? 5 : 2;
    if (wanted == 0) wanted = fmin(picture->width * 9. / 16, picture->height) / HALL;
    for (int i = 0;; i++) {
        *plan = (Plan){.picture = picture, .room = *room, .scale = scale};
        plan_kind(plan);
        if (plan->failed) return error_set(err, ERR_LIMIT, "out of memory");
        if (wanted == 0 || i == TRIES) return true;
        scale *= wanted / (TEXT_PX * plan->zoom);
        scale = fmin(fmax(scale, picture->font_px > 0 ? 0.2 : 1), most);
        plan_release(plan);
    }
}

void plan_release(Plan *plan) {
    for (size_t i = 0; i < plan->frame_count; i++) links_release(&plan->frames[i].links);
    arena_release(&plan->arena);
}
