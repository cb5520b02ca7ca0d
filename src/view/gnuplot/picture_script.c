#include "view/gnuplot/script.h"

#include "base/number.h"
#include "base/size.h"
#include "view/gnuplot/gnuplot.h"
#include "view/gnuplot/picture_fonts.h"
#include "view/label.h"

#include <math.h>
#include <string.h>

enum { FONT_LETTERS = 32 /* are enough to tell a font by */ };

void script_number(const Script *script, double x) { number_write_shortest(script->out, x, false); }

/* Draws a picture larger than the box smaller, fonts and lines with it. */
static double zoom_to_fit(const Script *script, int width, int height) {
    const Picture *picture = script->picture;
    if (picture->width > 0)
        return fmin((double)picture->width / width, (double)picture->height / height);
    double zoom = script->zoom > 0 ? script->zoom : script->terminal->zoom;
    if (zoom == 0) zoom = 1;
    if (script->scale > 0) zoom *= script->scale;
    if (script->width_most > 0 && width * zoom > script->width_most)
        zoom = (double)script->width_most / width;
    if (script->height_most > 0 && height * zoom > script->height_most)
        zoom = (double)script->height_most / height;
    return zoom;
}

/* gd takes all letters from one font; this asks for one that has those of the picture. */
static void write_font_of_letters(const Script *script) {
    PictureLetters letters = {.items = NULL};
    Text *out = script->out;
    if (!picture_letters(&letters, script->picture, NULL)) out->failed = true;
    text_string(out, " font \"sans");
    for (size_t i = 0; i < letters.count && i < FONT_LETTERS; i++)
        text_format(out, "%s%x", i ? " " : ":charset=", (unsigned)letters.items[i]);
    text_string(out, ",10.5\"");
    picture_letters_release(&letters);
}

static void write_terminal(const Script *script, const CanvasSize *size) {
    static const char *const scales[] = {"fontscale", "linewidth", "pointscale"};
    const GnuplotTerminal *terminal = script->terminal;
    const char *unit = terminal->unit ? terminal->unit : "";
    Text *out = script->out;
    double zoom = terminal->is_svg ? 1 : size->zoom,
           line_width = terminal->line_width > 0 ? terminal->line_width : 1;
    int zoomed_width = (int)(size->width * zoom + 1e-6),
        zoomed_height = (int)(size->height * zoom + 1e-6);
    if (script->picture->width > 0 && !terminal->is_svg) {
        zoomed_width = script->picture->width;
        zoomed_height = script->picture->height;
    }

    /* A window's picture changes: events of the mouse would wait until the next one and then act on
     * that. Only x11 does not go on without them. */
    if (!script->output && strcmp(terminal->name, "x11") != 0) text_string(out, "unset mouse\n");
    text_format(out, "set terminal %s %s size %d%s,%d%s", terminal->name, terminal->options,
                zoomed_width > 0 ? zoomed_width : 1, unit, zoomed_height > 0 ? zoomed_height : 1,
                unit);

    if (terminal->is_gd) write_font_of_letters(script);
    else text_format(out, " font \"%s\"", terminal->font ? terminal->font : "sans,10.5");
    /* gd knows no scale of points. */
    size_t count = sizeof scales / sizeof *scales - (terminal->is_gd ? 1 : 0);
    for (size_t i = 0; (zoom != 1 || line_width != 1) && i < count; i++) {
        text_format(out, " %s ", scales[i]);
        script_number(script, i == 1 ? zoom * line_width : zoom);
    }
    if (!script->output) {
        Text title = TEXT_EMPTY;
        text_string(&title, has_words(script->picture->title) ? "attn: " : "attn");
        label_clean(&title, script->picture->title);
        text_string(out, " noraise title ");
        gnuplot_quote(out, title.data, false);
        text_release_for(&title, out);
    }
    text_format(out, "%s\n", terminal->after ? terminal->after : "");
}

void script_font(const Script *script, int px) {
    if (script->terminal->is_svg) text_format(script->out, " font \",%d\"", px);
    else text_format(script->out, " font \",%d.%02d\"", px * 3 / 4, px * 3 % 4 * 25);
}

int script_width(const Area *area, int width_least) {
    return larger_px(area->before + area->width + area->behind + 2 * EDGE, width_least);
}

static int title_height(int lines) { return lines ? lines * TITLE_PX * 5 / 4 + EDGE : 0; }

CanvasSize script_canvas_size(const Script *script, const Area *area, int width_least,
                              int title_lines) {
    CanvasSize size = {.width = script_width(area, width_least),
                       .height =
                           EDGE + title_height(title_lines) + area->height + area->below + EDGE};
    size.zoom = zoom_to_fit(script, size.width, size.height);
    if (script->picture->width == 0) return size;
    size.spare_width = (int)(script->picture->width / size.zoom + 1e-6) - size.width;
    size.spare_height = (int)(script->picture->height / size.zoom + 1e-6) - size.height;
    return size;
}

void script_canvas(const Script *script, Area *area, int width_least, int title_lines) {
    CanvasSize size = script_canvas_size(script, area, width_least, title_lines);
    size.width += size.spare_width;
    size.height += size.spare_height;
    area->left = EDGE + area->before + (size.width - script_width(area, 0)) / 2;
    area->top = EDGE + title_height(title_lines) + size.spare_height / 2;
    if (script->measured) {
        *script->measured = size;
        script->out->failed = true; /* nothing more is written */
        return;
    }
    text_string(script->out, "reset\nset encoding utf8\n");
    write_terminal(script, &size);
    if (script->output) {
        text_string(script->out, "set output ");
        gnuplot_quote(script->out, script->output, false);
        text_char(script->out, '\n');
    }
    text_format(script->out, "W = %d.0; H = %d.0\n", size.width, size.height);
}

void script_margins(const Script *script, const Area *area) {
    text_format(script->out, "set lmargin at screen %d/W; set rmargin at screen %d/W\n", area->left,
                area->left + area->width);
    text_format(script->out, "set tmargin at screen 1-%d/H; set bmargin at screen 1-%d/H\n",
                area->top, area->top + area->height);
}

void script_label(const Script *script, const char *text, int px, int font_px, const char *place,
                  ...) {
    Text clean = TEXT_EMPTY, cut = TEXT_EMPTY;
    va_list arguments;
    bool whole = px == 0 || script->by_hand || script->terminal->is_svg;
    if (px > 0) label_clean(&clean, text);
    if (!whole) label_cut(&cut, &clean, (double)px / font_px);
    text_string(script->out, "set label ");
    gnuplot_quote(script->out, px == 0 ? text : whole ? clean.data : cut.data, false);
    text_release_for(&clean, script->out);
    text_release_for(&cut, script->out);
    va_start(arguments, place);
    text_vformat(script->out, place, arguments);
    va_end(arguments);
    script_font(script, font_px);
    text_char(script->out, '\n');
}

/* ---- titles ---- */

static size_t wrap_title(const Script *script, int width, Text *out) {
    Text clean = TEXT_EMPTY;
    label_clean(&clean, script->picture->title);
    size_t lines = label_wrap(out, &clean, (double)(width - 2 * EDGE) / TITLE_PX, TITLE_LINES_MOST);
    text_release(&clean);
    return lines;
}

int script_title_lines(const Script *script, int width) {
    Text wrapped = TEXT_EMPTY;
    int lines = (int)wrap_title(script, width, &wrapped);
    text_release(&wrapped);
    return lines;
}

void script_title(const Script *script, int width) {
    Text wrapped = TEXT_EMPTY;
    int lines = (int)wrap_title(script, width, &wrapped);
    if (lines > 0)
        script_label(script, wrapped.data, 0, TITLE_PX, " at screen 0.5, screen 1-%d/H center",
                     EDGE + TITLE_PX / 2);
    text_release_for(&wrapped, script->out);
}

void script_axis_title(const Script *script, const char *text, int x, int y, bool turned) {
    if (!has_words(text)) return;
    script_label(script, text, LABEL_PX_MOST, TEXT_PX,
                 " at screen %d/W, screen 1-%d/H center%s tc rgb \"#404040\"", x, y,
                 turned ? " rotate by 90" : "");
}

/* ---- charts ---- */

void script_chart(const Script *script, Area *area) {
    int width = script_width(area, 0), lines = script_title_lines(script, width);
    CanvasSize size = script_canvas_size(script, area, 0, lines);
    area->width += size.spare_width;
    area->height += size.spare_height;
    script_canvas(script, area, 0, lines);
    script_title(script, width + size.spare_width);
    script_margins(script, area);
}

ChartRows script_chart_rows(double scale, size_t count) {
    enum { FEW = 20, SOME = 60, HEIGHT_MOST = 1400 };
    int height = count <= FEW ? 28 : count <= SOME ? 20 : HEIGHT_MOST / (int)count;
    ChartRows rows = {.height = scaled(scale, height > 1 ? height : 1)};
    if (rows.height < 1) rows.height = 1;
    rows.font_px = rows.height >= 28 ? TEXT_PX : SMALL_PX;
    rows.step = larger((size_t)(rows.font_px + 2) / (size_t)rows.height, 1);
    return rows;
}

int script_labels_px(const Labels *labels, size_t count, int font_px) {
    double px = label_ems_most(labels, count) * font_px;
    return px > LABEL_PX_MOST ? LABEL_PX_MOST : (int)ceil(px);
}

/* ---- axes ---- */

void script_range(const Script *script, const char *axis, Range range) {
    text_format(script->out, "set %srange [", axis);
    script_number(script, range.low);
    text_char(script->out, ':');
    script_number(script, range.high);
    text_string(script->out, "]\n");
}

void script_format(const Script *script, const char *axis, const Ticks *ticks) {
    text_format(script->out, "set format %s \"%%.%d%c\"; set %stics ", axis, ticks->form.decimals,
                ticks->form.exponent ? 'e' : 'f', axis);
    script_number(script, ticks->step);
    script_font(script, SMALL_PX);
    text_string(script->out, " tc rgb \"#303030\"\n");
}

int script_ticks_px(const Ticks *ticks, int font_px) {
    size_t most = 0;
    for (size_t i = 0; i < ticks->count; i++)
        most = larger(most, number_form_width(ticks->form, ticks->first + (double)i * ticks->step));
    return (int)most * font_px * 64 / 100;
}

/* ---- all kinds ---- */

const PanelStyle style_alone = {
    .row_labels = true, .column_labels = true, .titles = true, .bar = true};

static void write_kind(const Script *script) {
    const Picture *picture = script->picture;
    if (has_cells(picture)) script_heatmap(script);
    else if (picture->kind == PICTURE_BARS) script_bars(script);
    else if (picture->panel_count == 0) script_lines(script);
    else if (picture->kind == PICTURE_GRID) script_grid(script);
    else if (picture->kind == PICTURE_LINKS) script_links(script);
    else script_frames(script);
}

/* The factor that makes a drawing smaller, so that its labels become as large as is wanted; in a
 * picture whose size alone is, so large that they can be read from the last row of a hall. */
static double find_scale(const Script *script) {
    enum { TRIES = 6, HALL = 31 /* lines of them would fill the picture */ };
    const Picture *picture = script->picture;
    double wanted = picture->font_px, scale = 1, most = wanted > 0 ? 5 : 2;
    if (wanted == 0) wanted = fmin(picture->width * 9. / 16, picture->height) / HALL;
    for (int i = 0; wanted > 0 && i < TRIES; i++) {
        Text nothing = TEXT_EMPTY;
        CanvasSize size = {.zoom = 1};
        Script probe = *script;
        probe.out = &nothing;
        probe.scale = scale;
        probe.measured = &size;
        write_kind(&probe);
        text_release(&nothing);
        scale *= wanted / (TEXT_PX * size.zoom);
        scale = fmin(fmax(scale, picture->font_px > 0 ? 0.2 : 1), most);
    }
    return scale;
}

void script_write(const Script *script) {
    Script whole = *script;
    whole.scale = find_scale(script);
    write_kind(&whole);
    if (script->output) text_string(script->out, "unset output\n");
}

bool script_run(const Script *script, double seconds, Error *err) {
    bool drawn_here = !script->terminal->is_svg && gnuplot_is_installed();
    if (drawn_here && !picture_fonts_suffice(script->picture, script->terminal->is_gd, err))
        return false;
    Text text = TEXT_EMPTY;
    Script whole = *script;
    whole.out = &text;
    script_write(&whole);
    GnuplotUse use = script->output ? GNUPLOT_FILES : GNUPLOT_WINDOW;
    seconds += (double)script->picture->panel_count;
    bool ok = text_ok(&text, err) && gnuplot_run(use, text.data, text.length, seconds, err);
    text_release(&text);
    return ok;
}

void picture_script(Text *out, const Picture *picture, const GnuplotTerminal *terminal,
                    const char *output) {
    Script script = {
        .out = out, .picture = picture, .terminal = terminal, .output = output, .by_hand = true};
    text_string(out, "# Made by attn; gnuplot 5.2 or later draws it.\n");
    script_write(&script);
}
