#include "view/files/script.h"

#include "base/number.h"
#include "base/size.h"
#include "io/file.h"
#include "view/files/gnuplot.h"
#include "view/files/picture_fonts.h"
#include "view/label.h"
#include "view/lines_data.h"
#include "view/palette.h"
#include "view/plan/plan.h"

#include <string.h>

enum { FONT_LETTERS = 32 /* are enough to tell a font by */ };
enum {
    BUCKETS = 2400, /* of a long line: more than there are pixels */
    LONG_LINE = 4 * BUCKETS,
};
enum {
    TEXT_CELLS = 4096,    /* more go to gnuplot as bytes */
    POLYGON_CELLS = 4096, /* an SVG of more becomes unwieldy: 100 bytes each */
    SIDE_MOST = 1536,     /* more cells than pixels: they are drawn as the means of blocks */
};

typedef struct Painter {
    Text *out;
    const Script *script;
    const Plan *plan;
    const PlanFrame *frame; /* of the items that are painted; NULL: of the canvas */
} Painter;

/* Writes a number, the same in every locale. */
static void write_number(const Painter *painter, double x) {
    number_write_shortest(painter->out, x, false);
}

/* ---- the canvas ---- */

static void write_terminal(const Painter *painter) {
    static const char *const scales[] = {"fontscale", "linewidth", "pointscale"};
    const GnuplotTerminal *terminal = painter->script->terminal;
    const Picture *picture = painter->script->picture;
    const Plan *plan = painter->plan;
    const char *unit = terminal->unit ? terminal->unit : "", *output = painter->script->output;
    Text *out = painter->out;
    double zoom = terminal->is_svg ? 1 : plan->zoom,
           line_width = terminal->line_width > 0 ? terminal->line_width : 1;
    int width = (int)(plan->width * zoom + 1e-6), height = (int)(plan->height * zoom + 1e-6);
    if (picture->width > 0 && !terminal->is_svg) {
        width = picture->width;
        height = picture->height;
    }

    /* A window's picture changes: events of the mouse would wait until the next one and then act on
     * that. Only x11 does not go on without them. */
    if (!output && strcmp(terminal->name, "x11") != 0) text_string(out, "unset mouse\n");
    text_format(out, "set terminal %s %s size %d%s,%d%s", terminal->name, terminal->options,
                width > 0 ? width : 1, unit, height > 0 ? height : 1, unit);

    if (terminal->is_gd) {
        /* gd takes all letters from one font; this asks for one that has those of the picture. */
        LocalLetters letters = {.items = NULL};
        if (!picture_letters(&letters, picture, NULL)) text_fail(out);
        text_string(out, " font \"sans");
        for (size_t i = 0; i < letters.count && i < FONT_LETTERS; i++)
            text_format(out, "%s%x", i ? " " : ":charset=", (unsigned)letters.items[i]);
        text_string(out, ",10.5\"");
    } else text_format(out, " font \"%s\"", terminal->font ? terminal->font : "sans,10.5");
    /* gd knows no scale of points. */
    size_t count = sizeof scales / sizeof *scales - (terminal->is_gd ? 1 : 0);
    for (size_t i = 0; (zoom != 1 || line_width != 1) && i < count; i++) {
        text_format(out, " %s ", scales[i]);
        write_number(painter, i == 1 ? zoom * line_width : zoom);
    }
    if (!output) {
        LocalText title = TEXT_FOR(out);
        text_string(&title, has_words(picture->title) ? "attn: " : "attn");
        label_clean(&title, picture->title);
        text_string(out, " noraise title ");
        gnuplot_quote(out, title.data, false);
    }
    text_format(out, "%s\n", terminal->after ? terminal->after : "");
    if (output) {
        text_string(out, "set output ");
        gnuplot_quote(out, output, false);
        text_char(out, '\n');
    }
    text_format(out, "W = %d.0; H = %d.0\n", plan->width, plan->height);
}

/* ---- items ---- */

static void write_font(const Painter *painter, int px) {
    if (painter->script->terminal->is_svg) text_format(painter->out, " font \",%d\"", px);
    else text_format(painter->out, " font \",%d.%02d\"", px * 3 / 4, px * 3 % 4 * 25);
}

static void write_place(const Painter *painter, const PlanPlace *place, bool is_y) {
    const PlanFrame *frame = painter->frame;
    int origin = !frame ? 0 : is_y ? frame->area.top : frame->area.left;
    text_string(painter->out, place->of_data ? "first " : is_y ? "screen 1-" : "screen ");
    write_number(painter, place->of_data ? place->at : origin + place->at);
    if (!place->of_data) text_string(painter->out, is_y ? "/H" : "/W");
    else if (place->shift != 0) text_format(painter->out, "%+g", place->shift);
}

static void write_point(const Painter *painter, const PlanPlace *x, const PlanPlace *y) {
    write_place(painter, x, false);
    text_string(painter->out, ", ");
    write_place(painter, y, true);
}

/* gnuplot has five patterns of its own; the others are lengths of dashes and gaps. */
static void write_stroke(const Painter *painter, const PlanStroke *stroke) {
    static const char *const patterns[LINE_PATTERNS] = {"1", "2",      "3",     "4",
                                                        "5", "(24,6)", "(2,8)", "(24,6,8,6)"};
    text_format(painter->out, "lc rgb \"#%06x\" lw ", (unsigned)stroke->color);
    write_number(painter, stroke->width);
    text_format(painter->out, " dt %s", patterns[stroke->dashes]);
}

/* Marks: filled circles, squares, triangles, diamonds and so on. */
static int mark_number(size_t mark) {
    static const int numbers[LINE_MARKS] = {7, 5, 9, 13, 11, 15, 6};
    return numbers[mark];
}

/* The text is cut where the picture could not show more; in an SVG and in a script for people it
 * stays whole. */
static void paint_text(const Painter *painter, const PlanItem *item) {
    static const char *const sides[] = {" center", " left", " right"};
    Text *out = painter->out;
    LocalText clean = TEXT_FOR(out), cut = TEXT_FOR(out);
    bool whole = painter->script->by_hand || painter->script->terminal->is_svg;
    if (item->px_most > 0) label_clean(&clean, item->text);
    if (!whole) label_cut(&cut, &clean, (double)item->px_most / item->font_px);
    text_string(out, "set label ");
    gnuplot_quote(out, item->px_most == 0 ? item->text : whole ? clean.data : cut.data, false);
    text_string(out, " at ");
    write_point(painter, &item->x, &item->y);
    text_string(out, sides[item->side]);
    if (item->degrees) text_format(out, " rotate by %d", item->degrees);
    if (item->color) text_format(out, " tc rgb \"#%06x\"", (unsigned)item->color);
    write_font(painter, item->font_px);
}

static void paint_items(const Painter *painter, const PlanItems *items) {
    Text *out = painter->out;
    for (const PlanItem *item = items->first; item && !out->failed; item = item->next) {
        switch (item->kind) {
        case ITEM_TEXT: paint_text(painter, item); break;
        case ITEM_STROKE:
            text_string(out, "set arrow from ");
            write_point(painter, &item->x, &item->y);
            text_string(out, " to ");
            write_point(painter, &item->to_x, &item->to_y);
            text_string(out, item->in_front ? " nohead front " : " nohead ");
            write_stroke(painter, &item->stroke);
            break;
        case ITEM_MARK:
            text_string(out, "set label \"\" at ");
            write_point(painter, &item->x, &item->y);
            text_format(out, " point pt %d ps 0.7 lc rgb \"#%06x\"", mark_number(item->mark),
                        (unsigned)item->color);
            break;
        case ITEM_BOX:
            text_string(out, "set object rectangle from ");
            write_point(painter, &item->x, &item->y);
            text_string(out, " to ");
            write_point(painter, &item->to_x, &item->to_y);
            text_format(out, " fc rgb \"#%06x\" fs solid %s", (unsigned)item->color,
                        item->bordered ? "border lc rgb \"#808080\"" : "noborder");
            break;
        }
        text_char(out, '\n');
    }
}

/* ---- axes ---- */

static void write_range(const Painter *painter, const char *axis, Range range) {
    text_format(painter->out, "set %srange [", axis);
    write_number(painter, range.low);
    text_char(painter->out, ':');
    write_number(painter, range.high);
    text_string(painter->out, "]\n");
}

/* Few decades get ticks at 2 and 5, too: gnuplot alone would leave a short axis without a
 * number. */
static void write_ticks(const Painter *painter, const char *name, const Axis *axis) {
    Text *out = painter->out;
    if (axis->logarithmic) {
        text_format(out, "set logscale %s; set %stics (", name, name);
        for (size_t i = 0; i < axis->count; i++) {
            if (i) text_string(out, ", ");
            gnuplot_quote(out, axis->ticks[i].text, true);
            text_char(out, ' ');
            write_number(painter, axis->ticks[i].value);
        }
        text_string(out, ")");
        write_font(painter, SMALL_PX);
        text_char(out, '\n');
        return;
    }
    text_format(out, "set format %s \"%%.%d%c\"; set %stics ", name, axis->form.decimals,
                axis->form.exponent ? 'e' : 'f', name);
    write_number(painter, axis->step);
    write_font(painter, SMALL_PX);
    text_string(out, " tc rgb \"#303030\"\n");
}

/* The palette and its bar. A rectangle behind the cells shows where one has no colour. */
static void write_colors(const Painter *painter) {
    const PlanFrame *frame = painter->frame;
    const Palette *palette = palette_of(frame->picture->palette);
    const Area *bar = &frame->bar;
    Text *out = painter->out;
    text_string(out, "set palette defined (");
    for (int i = 0; i < PALETTE_STOPS; i++)
        text_format(out, "%s%d \"#%06x\"", i ? ", " : "", i, (unsigned)palette->stops[i]);
    text_string(out, ")\n");
    write_range(painter, "cb", frame->colors.range);
    if (bar->height > 0) {
        text_format(out,
                    "set colorbox user origin screen %d/W, screen 1-%d/H size screen %d/W, screen "
                    "%d/H noborder\n",
                    frame->area.left + bar->left, frame->area.top + bar->top + bar->height,
                    bar->width, bar->height);
        write_ticks(painter, "cb", &frame->colors);
    } else {
        text_string(out, "unset colorbox\n");
    }
    if (frame->absent)
        text_format(out,
                    "set object rectangle from graph 0,0 to graph 1,1 behind fc rgb \"#%06x\" fs "
                    "solid noborder\n",
                    (unsigned)palette_absent(palette));
}

static void write_axes(const Painter *painter) {
    static const char *const styles[] = {
        [FRAME_CELLS] = "set tics scale 0; unset xtics; unset ytics; set border lc rgb \"#808080\" "
                        "lw 1\n",
        [FRAME_LINES] = "set border 3 lc rgb \"#808080\" lw 1; set grid lt 1 lc rgb \"#e4e4e4\" lw "
                        "1; set tics nomirror out scale 0.5 tc rgb \"#303030\"\n",
        [FRAME_BARS] = "set border 3 lc rgb \"#808080\" lw 1; set grid xtics lt 1 lc rgb "
                       "\"#e4e4e4\" lw 1; set tics nomirror out scale 0.5; unset ytics\n",
        [FRAME_LINKS] = "unset border; unset tics\n"};
    const PlanFrame *frame = painter->frame;
    const Area *area = &frame->area;
    Text *out = painter->out;
    text_format(out, "set lmargin at screen %d/W; set rmargin at screen %d/W\n", area->left,
                area->left + area->width);
    text_format(out, "set tmargin at screen 1-%d/H; set bmargin at screen 1-%d/H\n", area->top,
                area->top + area->height);
    if (frame->kind == FRAME_CELLS) write_colors(painter);
    write_range(painter, "y", frame->y.range);
    if (frame->kind == FRAME_LINES) write_ticks(painter, "y", &frame->y);
    write_range(painter, "x", frame->x.range);
    if (frame->kind == FRAME_LINES || frame->kind == FRAME_BARS)
        write_ticks(painter, "x", &frame->x);
    text_format(out, "unset key; %s", styles[frame->kind]);
}

/* ---- lines ---- */

static void write_line_point(const Painter *painter, const PictureLine *line, size_t i) {
    if (line_has_point(painter->frame->picture, line, i)) {
        write_number(painter, line_x(line, i));
        text_char(painter->out, ' ');
        write_number(painter, line->y[i]);
    }
    text_char(painter->out, '\n'); /* an empty line is a gap */
}

/* Finds where in [from, to) the line is lowest and highest; false when all of it is a gap. */
static bool extremes(const Painter *painter, const PictureLine *line, size_t from, size_t to,
                     size_t *lowest, size_t *highest) {
    bool found = false;
    for (size_t i = from; i < to; i++) {
        if (!line_has_point(painter->frame->picture, line, i)) continue;
        if (!found || line->y[i] < line->y[*lowest]) *lowest = i;
        if (!found || line->y[i] > line->y[*highest]) *highest = i;
        found = true;
    }
    return found;
}

/* A line with more points than pixels looks the same with the lowest and the highest of each pixel.
 * Only a line that runs from left to right, as far as we look, may lose points. */
static bool may_be_thinned(const Painter *painter, const PictureLine *line) {
    if (painter->script->by_hand || painter->frame->picture->log_x || line->count < LONG_LINE)
        return false;
    for (size_t i = 1; line->x && i < line->count; i++)
        if (!(line->x[i] >= line->x[i - 1])) return false;
    return true;
}

static void write_line_data(const Painter *painter, const PictureLine *line) {
    Text *out = painter->out;
    if (!may_be_thinned(painter, line)) {
        for (size_t i = 0; i < line->count && !out->failed; i++) write_line_point(painter, line, i);
        return;
    }
    size_t whole = line->count / BUCKETS, left = line->count % BUCKETS;
    for (size_t b = 0; b < BUCKETS && !out->failed; b++) {
        size_t low = 0, high = 0, from = whole * b + left * b / BUCKETS,
               to = whole * (b + 1) + left * (b + 1) / BUCKETS;
        if (!extremes(painter, line, from, to, &low, &high)) {
            text_char(out, '\n');
            continue;
        }
        write_line_point(painter, line, smaller(low, high));
        if (low != high) write_line_point(painter, line, larger(low, high));
    }
}

static void paint_lines(const Painter *painter) {
    const Picture *picture = painter->frame->picture;
    Text *out = painter->out;
    for (size_t i = 0; i < picture->line_count; i++) {
        text_format(out, "$line%zu << END\n", i);
        write_line_data(painter, &picture->lines[i]);
        text_string(out, "END\n");
    }
    text_string(out, "plot ");
    if (picture->line_count == 0) text_string(out, "NaN");
    for (size_t i = 0; i < picture->line_count; i++) {
        const PictureLine *line = &picture->lines[i];
        PlanStroke stroke = plan_line_stroke(picture, i);
        size_t low = 0, high = 0,
               points = may_be_thinned(painter, line) ? 2 * BUCKETS : line->count,
               interval = line_marks_every(picture, line, points);
        if (i) text_string(out, ", \\\n     ");
        if (extremes(painter, line, 0, line->count, &low, &high))
            text_format(out, "$line%zu using 1:2 ", i);
        else text_string(out, "NaN "); /* it has no point */
        if (interval == 0) text_string(out, "with lines ");
        else
            text_format(out, "with linespoints pt %d ps 0.7 pi %zu ", mark_number(stroke.mark),
                        interval);
        write_stroke(painter, &stroke);
    }
    text_char(out, '\n');
}

/* ---- links ---- */

/* Each head and step of strength is a plot of its own, the heavier ones above the others. */
static void paint_links(const Painter *painter) {
    const Picture *picture = painter->frame->picture;
    const Links *links = &painter->frame->links;
    Text *out = painter->out;
    LocalText plots = TEXT_FOR(out);
    Painter into = *painter;
    into.out = &plots;
    for (size_t step = 0, begin = 0, end; step < LINK_STEPS; step++, begin = end) {
        for (end = begin; end < links->count; end++)
            if (plan_link_step(links, &links->items[end]) != step) break;
        for (size_t head = 0; head < picture->panel_count; head++) {
            PlanStroke stroke = plan_link_stroke(picture, head, step);
            bool any = false;
            for (size_t i = begin; i < end && !out->failed; i++) {
                const Link *link = &links->items[i];
                if (link->head != head) continue;
                if (!any) text_format(out, "$links_%zu_%zu << END\n", step, head);
                any = true;
                write_number(painter, (double)link->query + plan_link_shift(picture, head));
                text_char(out, ' ');
                write_number(painter, (double)link->key - (double)link->query);
                text_char(out, '\n');
            }
            if (!any) continue;
            text_string(out, "END\n");
            text_format(&plots, "%s$links_%zu_%zu using (0):1:(1):2 with vectors nohead ",
                        plots.length ? ", \\\n     " : "", step, head);
            write_stroke(&into, &stroke);
        }
    }
    text_format(out, "plot %s\n", plots.length ? plots.data : "NaN");
}

/* ---- cells ---- */

/* One axis of the image. gnuplot draws none of a single row or column: it gets
 * that twice, at half the size. */
typedef struct Side {
    size_t count, cells; /* samples of the image; cells of the picture */
    size_t block;        /* cells to a sample */
    double step, origin; /* between samples; the middle of the first */
    const char *place;   /* of the samples; "1" and "2" are gnuplot's own columns */
} Side;

typedef struct Grid {
    Side rows, columns;
} Grid;

/* A screen with fine pixels has several for each pixel of the plan. */
static Side side_of(const Painter *painter, size_t cells, int px, const char *place,
                    const char *doubled) {
    size_t fine = (size_t)px * 3 / 2,
           most = painter->script->by_hand       ? cells
                  : fine < SIDE_MOST && fine > 0 ? fine
                                                 : SIDE_MOST,
           block = divided_up(cells, most);
    if (cells == 1) return (Side){2, 1, 1, 0.5, -0.25, doubled};
    double step = (double)block;
    return (Side){divided_up(cells, block), cells, block, step, (step - 1) / 2, place};
}

static size_t first_cell(const Side *side, size_t sample) {
    return side->cells == 1 ? 0 : sample * side->block;
}

static size_t end_cell(const Side *side, size_t sample) {
    return smaller(first_cell(side, sample) + side->block, side->cells);
}

/* The mean of the cells that have a colour; nan when none has. An infinite one has that of the end
 * it lies beyond. In a script for people numbers stay as they are. */
static double sample_value(const Painter *painter, const Grid *grid, size_t row, size_t column) {
    const Picture *picture = painter->frame->picture;
    Range colors = painter->frame->colors.range;
    double sum = 0;
    size_t count = 0;
    for (size_t i = first_cell(&grid->rows, row); i < end_cell(&grid->rows, row); i++) {
        for (size_t j = first_cell(&grid->columns, column); j < end_cell(&grid->columns, column);
             j++) {
            double x = picture->cells[i * picture->columns + j];
            if (cell_is_absent(picture, i * picture->columns + j)) continue;
            if (!painter->script->by_hand || isinf(x)) x = fmin(fmax(x, colors.low), colors.high);
            sum += x;
            count++;
        }
    }
    return count ? sum / (double)count : (double)NAN;
}

/* An image of gd's covers what is behind it even where it has no cell, and takes longer than as
 * many rectangles. */
static const char *image_style(const Painter *painter) {
    const GnuplotTerminal *terminal = painter->script->terminal;
    size_t cells = 0;
    for (size_t i = 0; i < painter->plan->frame_count && !painter->plan->animated; i++) {
        const Picture *picture = painter->plan->frames[i].picture;
        cells += picture->rows * picture->columns;
    }
    bool polygons = terminal->is_gd || (terminal->is_svg && cells <= POLYGON_CELLS);
    return polygons ? "image pixels" : "image";
}

/* The cells as inline bytes, which gnuplot reads ten times as fast as text. */
static void paint_cells_as_bytes(const Painter *painter, const Grid *grid) {
    Text *out = painter->out;
    text_format(out, "plot '-' binary array=(%zu,%zu)", grid->columns.count, grid->rows.count);
    text_string(out, " dx=");
    write_number(painter, grid->columns.step);
    text_string(out, " dy=");
    write_number(painter, grid->rows.step);
    text_string(out, " origin=(");
    write_number(painter, grid->columns.origin);
    text_char(out, ',');
    write_number(painter, grid->rows.origin);
    text_format(out, ") format=\"%%float64\" with %s\n", image_style(painter));
    for (size_t i = 0; i < grid->rows.count && !out->failed; i++) {
        for (size_t j = 0; j < grid->columns.count && !out->failed; j++) {
            double x = sample_value(painter, grid, i, j);
            text_bytes(out, (const char *)&x, sizeof x);
        }
    }
    text_char(out, '\n');
}

static void paint_cells(const Painter *painter) {
    const PlanFrame *frame = painter->frame;
    const Picture *picture = frame->picture;
    Text *out = painter->out;
    Grid grid = {side_of(painter, picture->rows, frame->area.height, "2", "($2/2-0.25)"),
                 side_of(painter, picture->columns, frame->area.width, "1", "($1/2-0.25)")};
    if (!painter->script->by_hand && grid.rows.count * grid.columns.count > TEXT_CELLS) {
        paint_cells_as_bytes(painter, &grid);
        return;
    }
    text_string(out, "$cells << END\n");
    for (size_t i = 0; i < grid.rows.count && !out->failed; i++) {
        for (size_t j = 0; j < grid.columns.count && !out->failed; j++) {
            double x = sample_value(painter, &grid, i, j);
            if (j) text_char(out, ' ');
            if (isnan(x)) text_string(out, "NaN");
            else write_number(painter, x);
        }
        text_char(out, '\n');
    }
    text_string(out, "END\n");
    if (frame->number_px) {
        /* The numbers in the cells, each with an ink that can be read on its ground. */
        const Palette *palette = palette_of(picture->palette);
        text_string(out, "$numbers << END\n");
        for (size_t i = 0; i < picture->rows * picture->columns; i++) {
            if (cell_is_absent(picture, i)) continue;
            double x = picture->cells[i];
            uint32_t ground = palette_color(palette, range_fraction(frame->colors.range, x));
            text_format(out, "%zu %zu ", i % picture->columns, i / picture->columns);
            number_form_write(out, frame->number_form, x);
            text_format(out, " %u\n", (unsigned)palette_ink(ground));
        }
        text_string(out, "END\n");
    }
    text_format(out, "plot $cells matrix using %s:%s:3 with %s", grid.columns.place,
                grid.rows.place, image_style(painter));
    if (frame->number_px) {
        text_string(out, ", $numbers using 1:2:(stringcolumn(3)):4 with labels tc rgb variable");
        write_font(painter, frame->number_px);
    }
    text_char(out, '\n');
}

/* ---- the whole ---- */

void script_write(Text *out, const Script *script) {
    Plan plan;
    Painter painter = {.out = out, .script = script, .plan = &plan};
    PlanRoom room = {.zoom = script->zoom > 0             ? script->zoom
                             : script->terminal->zoom > 0 ? script->terminal->zoom
                                                          : 1,
                     .width_most = script->width_most,
                     .height_most = script->height_most};
    bool grid = script->picture->kind == PICTURE_GRID && script->picture->panel_count > 0;
    if (script->by_hand) text_string(out, "# Made by attn; gnuplot 5.2 or later draws it.\n");
    if (!plan_init(&plan, script->picture, &room, NULL)) text_fail(out);
    text_string(out, "reset\nset encoding utf8\n");
    write_terminal(&painter);
    size_t page = grid ? plan.frame_count : plan.page;
    if (page) text_string(out, "set multiplot\n");
    paint_items(&painter, &plan.items);
    for (size_t i = 0; i < plan.frame_count && !out->failed; i++) {
        painter.frame = &plan.frames[i];
        if (i > 0 && page && i % page == 0) text_string(out, "unset multiplot\nset multiplot\n");
        if (i > 0)
            text_string(out,
                        "unset label; unset object; unset arrow; unset grid; unset logscale\n");
        const PlanFrame *frame = painter.frame;
        paint_items(&painter, &frame->titles);
        write_axes(&painter);
        paint_items(&painter, &frame->key);
        paint_items(&painter, &frame->items);
        if (frame->kind == FRAME_CELLS) paint_cells(&painter);
        else if (frame->kind == FRAME_LINES) paint_lines(&painter);
        else if (frame->kind == FRAME_LINKS) paint_links(&painter);
        else text_string(out, "plot NaN\n");
    }
    if (page) text_string(out, "unset multiplot\n");
    if (script->output) text_string(out, "unset output\n");
    plan_release(&plan);
}

/* A script with all data in it, for people to keep: that of path "a.gp" draws "a.png" where it is
 * run. */
static void write_for_people(Text *out, const Picture *picture, const char *path) {
    const char *name = path_name(path);
    LocalText output = TEXT_FOR(out);
    text_string(&output, "./"); /* a name is never taken for a pipe */
    text_bytes(&output, name, strlen(name) - strlen(path_suffix(path)));
    text_string(&output, "png");
    Script script = {.picture = picture,
                     .terminal = &picture_format_find("a.png")->terminal,
                     .output = output.data,
                     .by_hand = true};
    script_write(out, &script);
}

const PictureFormat format_gp = {.suffix = "gp",
                                 .summary = "a gnuplot script with its data",
                                 .data = true,
                                 .write = write_for_people};

bool script_run(const Script *script, double seconds, Error *err) {
    bool drawn_here = !script->terminal->is_svg && gnuplot_is_installed();
    if (drawn_here && !picture_fonts_suffice(script->picture, script->terminal->is_gd, err))
        return false;
    LocalText text = TEXT_EMPTY;
    script_write(&text, script);
    GnuplotUse use = script->output ? GNUPLOT_FILES : GNUPLOT_WINDOW;
    seconds += (double)script->picture->panel_count;
    return text_ok(&text, err) && gnuplot_run(use, text.data, text.length, seconds, err);
}
