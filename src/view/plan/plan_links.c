/* Links: the names of queries at the left, those of keys at the right, and lines between them. */
#include "base/number.h"
#include "base/size.h"
#include "view/lines_data.h"
#include "view/plan/planner.h"

enum { AREA_WIDTH = 360, NAME_GAP = 10, KEY_LINE = 22, SAMPLE = 40, SAMPLES = 3, DIGITS = 3 };
enum { TITLES = 26 }; /* pixels above the names, for what they are */

size_t plan_link_step(const Links *links, const Link *link) {
    return smaller((size_t)(link_strength(links, link) * LINK_STEPS), LINK_STEPS - 1);
}

PlanStroke plan_link_stroke(const Picture *picture, size_t head, size_t step) {
    PlanStroke stroke = plan_line_stroke(picture, head);
    stroke.width = 0.5 + 5 * (double)(step + 1) / LINK_STEPS;
    stroke.dashes = line_look(picture, head, LINE_MARKS).dashes % 4;
    return stroke;
}

double plan_link_shift(const Picture *picture, size_t head) {
    size_t count = picture->panel_count;
    return count > 1 ? ((double)head / (double)(count - 1) - 0.5) * 0.5 : 0;
}

/* The title and the names of one side, which is at x. */
static void plan_names(Plan *plan, PlanFrame *frame, const char *title, const Labels *labels,
                       size_t count, const ChartRows *rows, int x, TextSide side) {
    const Picture *picture = frame->picture;
    if (has_words(title))
        plan_text(plan, &frame->items, title, LABEL_PX_MOST, SMALL_PX, at_px(x),
                  at_px(SMALL_PX / 2), side)
            ->color = 0x404040;
    for (size_t i = 0; i < count && !plan->failed; i += rows->step) {
        PlanItem *name = plan_text(plan, &frame->items, plan_label(plan, labels, i), LABEL_PX_MOST,
                                   rows->font_px, at_px(x), at_data((double)i, 0), side);
        if (picture->one_query && side == SIDE_RIGHT && i != picture->query) name->color = 0xa0a0a0;
    }
}

/* The width of a side: its title, or the widest of its names. */
static int side_px(const char *title, const Labels *labels, size_t count, int font_px) {
    return larger_px(plan_labels_px(labels, count, font_px),
                     plan_labels_px(&(Labels){&title, 1}, 1, SMALL_PX));
}

/* Adds a short line, and behind it what it means. */
static void add_sample(Plan *plan, PlanFrame *frame, PlanStroke stroke, const char *words, int x,
                       int y) {
    plan_stroke(plan, &frame->items, stroke, at_px(x), at_px(y), at_px(x + SAMPLE), at_px(y));
    plan_text(plan, &frame->items, words, LABEL_PX_MOST, SMALL_PX, at_px(x + SAMPLE + NAME_GAP),
              at_px(y), SIDE_LEFT);
}

/* Samples of how wide the lightest link is, the heaviest, and one between them. */
static void plan_widths(Plan *plan, PlanFrame *frame) {
    const Links *links = &frame->links;
    Link sample = links->count ? links->items[0] : (Link){.weight = 0};
    double least = sample.weight, most = links->count ? links->items[links->count - 1].weight : 0;
    for (size_t s = 0; s < SAMPLES && (s == 0 || least < most); s++) {
        Text words = TEXT_EMPTY;
        sample.weight = least + (most - least) * (double)s / (SAMPLES - 1);
        number_write(&words, sample.weight, 2);
        PlanStroke stroke = plan_link_stroke(frame->picture, 0, plan_link_step(links, &sample));
        if (frame->picture->panel_count > 1) stroke.color = 0x606060; /* that of no head */
        add_sample(plan, frame, stroke, plan_keep(plan, &words),
                   (int)s * frame->area.width / SAMPLES, frame->area.height + KEY_LINE);
    }
}

void plan_links(Plan *plan, PlanFrame *frame, const PanelStyle *style) {
    const Picture *picture = frame->picture, *first = picture->panels;
    double heaviest = links_heaviest(picture), widest_head = 0;
    size_t count = larger(first->rows, first->columns);
    bool several = picture->panel_count > 1, numbers = picture->one_query && !several;
    Area *area = &frame->area;
    frame->kind = FRAME_LINKS;
    links_release(&frame->links);
    if (!links_init(&frame->links, picture)) {
        plan->failed = true;
        return;
    }

    ChartRows rows = plan_rows(plan, count);
    if (!first->row_labels.items && !first->column_labels.items)
        rows.step = step_round_up(rows.step);
    for (size_t h = 0; several && h < picture->panel_count; h++)
        widest_head = fmax(widest_head, label_ems_most(&(Labels){&picture->panels[h].title, 1}, 1));
    int legend = widest_head > 0 ? smaller_px((int)(widest_head * SMALL_PX + 3 * NAME_GAP + SAMPLE),
                                              LABEL_PX_MOST)
                                 : 0;
    NumberForm form = number_form(&heaviest, NULL, 1, picture_digits(picture, DIGITS));
    int queries = side_px(first->row_title, &first->row_labels, first->rows, rows.font_px),
        keys = side_px(first->column_title, &first->column_labels, first->columns, rows.font_px);
    *area = (Area){.width = scaled(plan, AREA_WIDTH),
                   .height = TITLES + (int)count * rows.height,
                   .before = queries + NAME_GAP,
                   .behind = keys + NAME_GAP + legend,
                   .below = 2 * KEY_LINE};
    if (numbers)
        area->behind += plan_digits_px(number_form_width(form, heaviest), SMALL_PX) + NAME_GAP;
    if (legend) area->below += larger_px(0, (int)picture->panel_count * KEY_LINE - area->height);
    if (style->width > 0) {
        area->width = style->width;
        area->height = style->height;
    }
    frame->x.range = (Range){0, 1};
    frame->y.range =
        (Range){(double)count - 0.5, -0.5 - TITLES * (double)count / (area->height - TITLES)};

    /* Each key is followed by its weight where there is one for each. */
    plan_names(plan, frame, first->row_title, &first->row_labels, first->rows, &rows, -NAME_GAP,
               SIDE_RIGHT);
    plan_names(plan, frame, first->column_title, &first->column_labels, first->columns, &rows,
               area->width + NAME_GAP, SIDE_LEFT);
    int legend_left = area->width + area->behind - legend;
    for (size_t i = 0; numbers && i < frame->links.count && !plan->failed; i++) {
        const Link *link = &frame->links.items[i];
        if (link->key % rows.step != 0) continue;
        plan_text(plan, &frame->items, plan_number(plan, form, link->weight), LABEL_PX_MOST,
                  SMALL_PX, at_px(legend_left), at_data((double)link->key, 0), SIDE_RIGHT)
            ->color = 0x404040;
    }
    for (size_t h = 0; legend && h < picture->panel_count; h++)
        add_sample(plan, frame, plan_link_stroke(picture, h, LINK_STEPS / 2),
                   picture->panels[h].title, legend_left + 2 * NAME_GAP,
                   (int)h * KEY_LINE + KEY_LINE / 2);
    plan_widths(plan, frame);
}
