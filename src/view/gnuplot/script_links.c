/* Links on gnuplot's canvas: the names of queries at the left, those of keys at the right, and
 * lines between them. The heavier the weight, the wider and darker the line. */
#include "base/number.h"
#include "base/size.h"
#include "view/gnuplot/script_lines.h"
#include "view/label.h"
#include "view/lines_data.h"
#include "view/links_data.h"

#include <math.h>

enum { AREA_WIDTH = 360, NAME_GAP = 10, KEY_LINE = 22, SAMPLE = 40 };
enum { TITLES = 26 }; /* pixels above the names, for what they are */
enum { STEPS = 8, SAMPLES = 3, DIGITS = 3 };
static const size_t NO_HEAD = SIZE_MAX; /* of a line that shows a width alone */

typedef struct LinksLayout {
    const Picture *first; /* a head: all have the same rows and columns */
    Links links;
    Area area; /* between the names */
    size_t rows;
    ChartRows sizes; /* of rows, with a name each */
    int legend;      /* pixels that the heads' names take at the right; 0: there is one head */
    NumberForm form;
} LinksLayout;

/* ---- sizes ---- */

/* The width of a side: its title, or the widest of its names. */
static int side_px(const char *title, const Labels *labels, size_t count, int font_px) {
    int names = script_labels_px(labels, count, font_px),
        words = script_labels_px(&(Labels){&title, 1}, 1, SMALL_PX);
    return larger_px(names, words);
}

static int legend_px(const Picture *picture) {
    double most = 0;
    for (size_t h = 0; picture->panel_count > 1 && h < picture->panel_count; h++)
        most = fmax(most, label_ems_most(&(Labels){&picture->panels[h].title, 1}, 1));
    double px = most * SMALL_PX;
    if (most > 0) px += 3 * NAME_GAP + SAMPLE;
    return smaller_px((int)px, LABEL_PX_MOST);
}

/* Each key is followed by its weight where there is one for each. */
static bool has_numbers(const Picture *picture) {
    return picture->one_query && picture->panel_count == 1;
}

static void plan_links(LinksLayout *layout, const Picture *picture, double scale) {
    const Picture *first = layout->first;
    double heaviest = links_heaviest(picture);
    layout->rows = larger(first->rows, first->columns);
    layout->sizes = script_chart_rows(scale, layout->rows);
    if (!first->row_labels.items && !first->column_labels.items)
        layout->sizes.step = step_round_up(layout->sizes.step);
    layout->legend = legend_px(picture);
    layout->form = number_form(&heaviest, NULL, 1, picture_digits(picture, DIGITS));
    int numbers = (int)number_form_width(layout->form, heaviest) * SMALL_PX * 64 / 100 + NAME_GAP;
    int queries = side_px(first->row_title, &first->row_labels, first->rows, layout->sizes.font_px),
        keys = side_px(first->column_title, &first->column_labels, first->columns,
                       layout->sizes.font_px);
    layout->area =
        (Area){.width = scaled(scale, AREA_WIDTH),
               .height = TITLES + (int)layout->rows * layout->sizes.height,
               .before = queries + NAME_GAP,
               .behind = keys + NAME_GAP + (has_numbers(picture) ? numbers : 0) + layout->legend,
               .below = 2 * KEY_LINE};
    if (layout->legend)
        layout->area.below +=
            larger_px(0, (int)picture->panel_count * KEY_LINE - layout->area.height);
}

/* ---- lines ---- */

/* The n-th of so many steps of strength, in (0, 1]. */
static double strength_at(size_t step) { return (double)(step + 1) / STEPS; }

/* Writes a line's look: its head's colour and dashes, or NO_HEAD's, and as wide as it is strong. */
static void write_style(const Script *script, size_t head, size_t step) {
    LineLook look = line_look(script->picture, head == NO_HEAD ? 0 : head, FILE_LINE_COLORS);
    unsigned color = head == NO_HEAD ? 0x606060 : (unsigned)line_colors[look.color];
    text_format(script->out, "nohead lc rgb \"#%06x\" lw ", color);
    script_number(script, 0.5 + 5 * strength_at(step));
    text_format(script->out, " dt %zu", look.dashes % 4 + 1);
}

static size_t step_of(const LinksLayout *layout, const Link *link) {
    size_t step = (size_t)(link_strength(&layout->links, link) * STEPS);
    return smaller(step, STEPS - 1);
}

/* Lines of several heads that join the same names lie beside each other. */
static double shift_of(const Script *script, size_t head) {
    size_t count = script->picture->panel_count;
    return count > 1 ? ((double)head / (double)(count - 1) - 0.5) * 0.5 : 0;
}

/* Each head and step of strength is a plot of its own, the heavier ones above the others. */
static void plot_links(const Script *script, const LinksLayout *layout) {
    const Links *links = &layout->links;
    Text *out = script->out, plots = TEXT_EMPTY;
    Script into = *script;
    into.out = &plots;
    for (size_t step = 0, begin = 0, end; step < STEPS; step++, begin = end) {
        for (end = begin; end < links->count && step_of(layout, &links->items[end]) == step;) end++;
        for (size_t head = 0; head < script->picture->panel_count; head++) {
            bool any = false;
            for (size_t i = begin; i < end && !out->failed; i++) {
                const Link *link = &links->items[i];
                if (link->head != head) continue;
                if (!any) text_format(out, "$links_%zu_%zu << END\n", step, head);
                any = true;
                script_number(script, (double)link->query + shift_of(script, head));
                text_char(out, ' ');
                script_number(script, (double)link->key - (double)link->query);
                text_char(out, '\n');
            }
            if (!any) continue;
            text_string(out, "END\n");
            text_format(&plots, "%s$links_%zu_%zu using (0):1:(1):2 with vectors ",
                        plots.length ? ", \\\n     " : "", step, head);
            write_style(&into, head, step);
        }
    }
    text_format(out, "plot %s\n", plots.length ? plots.data : "NaN");
    text_release_for(&plots, out);
}

/* ---- names ---- */

/* The title and the names of one side, which is at x. */
static void write_names(const Script *script, const LinksLayout *layout, const char *title,
                        const Labels *labels, size_t count, int x, const char *side) {
    char digits[LABEL_DIGITS];
    if (has_words(title))
        script_label(script, title, LABEL_PX_MOST, SMALL_PX,
                     " at screen %d/W, screen 1-%d/H %s tc rgb \"#404040\"", x,
                     layout->area.top + SMALL_PX / 2, side);
    for (size_t i = 0; i < count && !script->out->failed; i += layout->sizes.step) {
        bool faint = script->picture->one_query && *side == 'r' && i != script->picture->query;
        script_label(script, label_of(labels, i, digits), LABEL_PX_MOST, layout->sizes.font_px,
                     " at screen %d/W, first %zu %s%s", x, i, side,
                     faint ? " tc rgb \"#a0a0a0\"" : "");
    }
}

static void write_numbers(const Script *script, const LinksLayout *layout) {
    const Area *area = &layout->area;
    Text number = TEXT_EMPTY;
    for (size_t i = 0; i < layout->links.count && !script->out->failed; i++) {
        const Link *link = &layout->links.items[i];
        if (link->key % layout->sizes.step != 0) continue;
        text_clear(&number);
        number_form_write(&number, layout->form, link->weight);
        script_label(script, number.data, LABEL_PX_MOST, SMALL_PX,
                     " at screen %d/W, first %zu right tc rgb \"#404040\"",
                     area->left + area->width + area->behind - layout->legend, link->key);
    }
    text_release_for(&number, script->out);
}

/* A short line and what it means, at a point of the canvas. */
static void write_sample(const Script *script, size_t head, size_t step, const char *words, int x,
                         int y) {
    text_format(script->out,
                "set arrow from screen %d/W, screen 1-%d/H to screen %d/W, screen 1-%d/H ", x, y,
                x + SAMPLE, y);
    write_style(script, head, step);
    text_char(script->out, '\n');
    script_label(script, words, LABEL_PX_MOST, SMALL_PX, " at screen %d/W, screen 1-%d/H left",
                 x + SAMPLE + NAME_GAP, y);
}

/* The heads at the right; below, how wide the lightest link is, the
 * heaviest, and one between them. */
static void write_legend(const Script *script, const LinksLayout *layout) {
    const Picture *picture = script->picture;
    const Area *area = &layout->area;
    Text words = TEXT_EMPTY;
    for (size_t h = 0; layout->legend && h < picture->panel_count; h++) {
        write_sample(script, h, STEPS / 2, picture->panels[h].title,
                     area->left + area->width + area->behind - layout->legend + 2 * NAME_GAP,
                     area->top + (int)h * KEY_LINE + KEY_LINE / 2);
    }
    const Links *links = &layout->links;
    Link sample = links->count ? links->items[0] : (Link){.weight = 0};
    double least = sample.weight, most = links->count ? links->items[links->count - 1].weight : 0;
    for (size_t s = 0; s < SAMPLES && (s == 0 || least < most); s++) {
        sample.weight = least + (most - least) * (double)s / (SAMPLES - 1);
        text_clear(&words);
        number_write(&words, sample.weight, 2);
        write_sample(script, picture->panel_count > 1 ? NO_HEAD : 0, step_of(layout, &sample),
                     words.data, area->left + (int)s * area->width / SAMPLES,
                     area->top + area->height + KEY_LINE);
    }
    text_release_for(&words, script->out);
}

/* ---- the whole ---- */

static void write_links(const Script *script, LinksLayout *layout) {
    const Area *area = &layout->area;
    const Picture *first = layout->first;
    text_format(script->out, "set xrange [0:1]; set yrange [%zu-0.5:-0.5-%d*%zu.0/%d]\n",
                layout->rows, TITLES, layout->rows, area->height - TITLES);
    text_string(script->out, "unset key; unset border; unset tics\n");
    write_names(script, layout, first->row_title, &first->row_labels, first->rows,
                area->left - NAME_GAP, "right");
    write_names(script, layout, first->column_title, &first->column_labels, first->columns,
                area->left + area->width + NAME_GAP, "left");
    if (has_numbers(script->picture)) write_numbers(script, layout);
    write_legend(script, layout);
    plot_links(script, layout);
}

void script_links(const Script *script) {
    const Picture *picture = script->picture;
    LinksLayout layout = {.first = picture->panels};
    if (!links_init(&layout.links, picture, NULL)) {
        script->out->failed = true;
        return;
    }
    plan_links(&layout, picture, script->scale);
    script_chart(script, &layout.area);
    write_links(script, &layout);
    links_release(&layout.links);
}
