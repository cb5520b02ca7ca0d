#include "view/gnuplot/script.h"

#include "base/number.h"
#include "base/utf8.h"
#include "view/gnuplot/gnuplot.h"
#include "view/label.h"

#include <string.h>

/* Families for a viewer that has to find its own; the last is the general one. */
static const char svg_fonts[] =
    "DejaVu Sans, Noto Sans, Noto Sans CJK SC, PingFang SC, Microsoft YaHei, sans-serif";

bool script_is_svg(const Script *script) { return strcmp(script->terminal, "svg") == 0; }

void script_number(const Script *script, double x) { number_write_shortest(script->out, x, false); }

/* In a box of so many pixels, fonts and lines get smaller with the rest. */
static double zoom_to_fit(const Script *script, int width, int height) {
    double zoom = script->zoom > 0 ? script->zoom : 1;
    if (script->width_most > 0 && width * zoom > script->width_most)
        zoom = (double)script->width_most / width;
    if (script->height_most > 0 && height * zoom > script->height_most)
        zoom = (double)script->height_most / height;
    return zoom;
}

static int zoomed(int px, double zoom) {
    int size = (int)(px * zoom);
    return size > 0 ? size : 1;
}

/* Of letters beyond those of Europe and the Near East, which the usual fonts have; symbols are not
 * meant. */
static uint32_t rare_letter(const char *text) {
    for (size_t at = 0, length = text ? strlen(text) : 0; at < length;) {
        uint32_t code_point;
        at += utf8_next(text + at, length - at, &code_point);
        if (code_point >= 0x900 && !(code_point >= 0x1E00 && code_point < 0x2C00))
            return code_point;
    }
    return 0;
}

static uint32_t rare_letter_of_labels(const Labels *labels) {
    uint32_t found = 0;
    for (size_t i = 0; !found && labels->items && i < labels->count; i++)
        found = rare_letter(labels->items[i]);
    return found;
}

static uint32_t rare_letter_of_panel(const Picture *picture) {
    uint32_t found = rare_letter_of_labels(&picture->row_labels);
    if (!found) found = rare_letter_of_labels(&picture->column_labels);
    if (!found) found = rare_letter(picture->title);
    for (size_t i = 0; !found && i < picture->line_count; i++)
        found = rare_letter(picture->lines[i].name);
    return found;
}

static uint32_t rare_letter_of_picture(const Picture *picture) {
    uint32_t found = rare_letter_of_panel(picture);
    for (size_t i = 0; !found && i < picture->panel_count; i++)
        found = rare_letter_of_panel(&picture->panels[i]);
    return found;
}

bool script_is_gd(const Script *script) {
    return strcmp(script->terminal, "sixelgd") == 0 || strcmp(script->terminal, "gif") == 0;
}

/* gd takes all letters from one font; this asks for one that has those of the picture. */
static void write_font(const Script *script) {
    uint32_t letter = script_is_gd(script) ? rare_letter_of_picture(script->picture) : 0;
    if (letter) text_format(script->out, " font \"sans:charset=%x,10.5\"", (unsigned)letter);
    else text_string(script->out, " font \"sans,10.5\"");
}

/* Half a second a frame, for ever. Left alone, gd takes each frame's own colours; `optimize` would
 * make the first's do for all. */
static void write_animation(const Script *script, int width, int height) {
    text_format(script->out,
                "set terminal gif noenhanced animate delay 50 loop 0 nooptimize size %d,%d", width,
                height);
    write_font(script);
    text_char(script->out, '\n');
}

static void write_pixels(const Script *script, int width, int height) {
    double zoom = zoom_to_fit(script, width, height);
    text_format(script->out, "set terminal %s noenhanced %ssize %d,%d", script->terminal,
                strcmp(script->terminal, "sixelgd") == 0 ? "truecolor " : "", zoomed(width, zoom),
                zoomed(height, zoom));
    write_font(script);
    const char *const scales[] = {"fontscale", "linewidth", "pointscale"};
    for (size_t i = 0; zoom != 1 && i < sizeof scales / sizeof *scales; i++) {
        text_format(script->out, " %s ", scales[i]);
        script_number(script, zoom);
    }
    text_char(script->out, '\n');
}

/* Number 0, always: one window, whose picture changes. Events of the mouse would wait until the
 * next picture and then act on that; only x11 does not go on without them. */
static void write_window(const Script *script, int width, int height) {
    Text title;
    text_init(&title);
    text_string(&title, script->picture->title && *script->picture->title ? "attn: " : "attn");
    label_clean(&title, script->picture->title);
    if (strcmp(script->terminal, "x11") != 0) text_string(script->out, "unset mouse\n");
    text_format(script->out,
                "set terminal %s 0 noenhanced size %d,%d font \"sans,10.5\" noraise title ",
                script->terminal, width, height);
    gnuplot_quote(script->out, title.data, false);
    text_char(script->out, '\n');
    if (title.failed) script->out->failed = true;
    text_release(&title);
}

/* pdfcairo measures in inches; a pixel becomes a point. The cairo terminals take font sizes in
 * points of 4/3 pixels. */
static void write_terminal(const Script *script, int width, int height) {
    Text *out = script->out;
    if (script_is_svg(script)) {
        text_format(out,
                    "set terminal svg noenhanced size %d,%d font \"%s,%d\" background \"white\"\n",
                    width, height, svg_fonts, TEXT_PX);
    } else if (strcmp(script->terminal, "pdfcairo") == 0) {
        text_format(out,
                    "set terminal pdfcairo noenhanced size %d/72.,%d/72. font \"sans,10.5\" "
                    "fontscale 1 linewidth 1.6\n",
                    width, height);
    } else if (strcmp(script->terminal, "gif") == 0) {
        write_animation(script, width, height);
    } else if (!script->output) {
        write_window(script, width, height);
    } else {
        write_pixels(script, width, height);
    }
}

void script_font(const Script *script, int px) {
    if (script_is_svg(script)) text_format(script->out, " font \",%d\"", px);
    else text_format(script->out, " font \",%d.%02d\"", px * 3 / 4, px * 3 % 4 * 25);
}

static void begin(const Script *script, int width, int height) {
    text_string(script->out, "reset\nset encoding utf8\n");
    write_terminal(script, width, height);
    if (script->output) {
        text_string(script->out, "set output ");
        gnuplot_quote(script->out, script->output, false);
        text_char(script->out, '\n');
    }
    text_format(script->out, "W = %d.0; H = %d.0\n", width, height);
}

int script_width(const Area *area, int width_least) {
    int width = area->before + area->width + area->behind + 2 * EDGE;
    return width < width_least ? width_least : width;
}

void script_canvas(const Script *script, Area *area, int width_least, int title_lines) {
    int width = script_width(area, width_least), needed = script_width(area, 0);
    area->left = EDGE + area->before + (width - needed) / 2;
    area->top = EDGE + (title_lines ? title_lines * TITLE_PX * 5 / 4 + EDGE : 0);
    begin(script, width, area->top + area->height + area->below + EDGE);
}

void script_margins(const Script *script, const Area *area) {
    text_format(script->out, "set lmargin at screen %d/W; set rmargin at screen %d/W\n", area->left,
                area->left + area->width);
    text_format(script->out, "set tmargin at screen 1-%d/H; set bmargin at screen 1-%d/H\n",
                area->top, area->top + area->height);
}

void script_text(const Script *script, const Text *text, int px, int font_px) {
    bool whole = script->by_hand || script_is_svg(script);
    if (whole) {
        gnuplot_quote(script->out, text->data, false);
        return;
    }
    Text cut;
    text_init(&cut);
    label_cut(&cut, text, (double)px / font_px);
    gnuplot_quote(script->out, cut.data, false);
    if (cut.failed) script->out->failed = true;
    text_release(&cut);
}

/* ---- titles ---- */

static size_t wrap_title(const Script *script, int width, Text *out) {
    Text clean;
    text_init(&clean);
    label_clean(&clean, script->picture->title);
    size_t lines = label_wrap(out, &clean, (double)(width - 2 * EDGE) / TITLE_PX, TITLE_LINES_MOST);
    text_release(&clean);
    return lines;
}

int script_title_lines(const Script *script, int width) {
    Text wrapped;
    text_init(&wrapped);
    int lines = (int)wrap_title(script, width, &wrapped);
    text_release(&wrapped);
    return lines;
}

void script_title(const Script *script, int width) {
    Text wrapped;
    text_init(&wrapped);
    int lines = (int)wrap_title(script, width, &wrapped);
    if (lines > 0) {
        text_string(script->out, "set label ");
        gnuplot_quote(script->out, wrapped.data, false);
        text_format(script->out, " at screen 0.5, screen 1-%d/H center", EDGE + TITLE_PX / 2);
        script_font(script, TITLE_PX);
        text_char(script->out, '\n');
    }
    if (wrapped.failed) script->out->failed = true;
    text_release(&wrapped);
}

void script_axis_title(const Script *script, const char *text, int x, int y, bool turned) {
    Text clean;
    if (!text || !*text) return;
    text_init(&clean);
    label_clean(&clean, text);
    text_string(script->out, "set label ");
    script_text(script, &clean, LABEL_PX_MOST, TEXT_PX);
    text_format(script->out, " at screen %d/W, screen 1-%d/H center%s tc rgb \"#404040\"\n", x, y,
                turned ? " rotate by 90" : "");
    text_release(&clean);
}

/* ---- axes ---- */

void script_format(const Script *script, const char *axis, const Ticks *ticks) {
    text_format(script->out, "set format %s \"%%.%d%c\"; set %stics ", axis, ticks->form.decimals,
                ticks->form.exponent ? 'e' : 'f', axis);
    script_number(script, ticks->step);
    script_font(script, SMALL_PX);
    text_string(script->out, " tc rgb \"#303030\"\n");
}

int script_ticks_px(const Ticks *ticks, int font_px) {
    size_t most = 0;
    for (size_t i = 0; i < ticks->count; i++) {
        size_t width = number_form_width(ticks->form, ticks->first + (double)i * ticks->step);
        if (width > most) most = width;
    }
    return (int)most * font_px * 64 / 100;
}

/* ---- all kinds ---- */

const PanelStyle style_alone = {
    .row_labels = true, .column_labels = true, .titles = true, .bar = true};

static void write_kind(const Script *script) {
    switch (script->picture->kind) {
    case PICTURE_GRID: script_grid(script); break;
    case PICTURE_FRAMES: script_frames(script); break;
    case PICTURE_LINES: script_lines(script); break;
    case PICTURE_HEATMAP:
        if (has_cells(script->picture)) script_heatmap(script);
        else script_lines(script); /* empty axes, as for no lines */
        break;
    }
}

void script_write(const Script *script) {
    write_kind(script);
    if (script->output) text_string(script->out, "unset output\n");
}

bool script_run(const Script *script, ScriptRun *run, double seconds, Error *err) {
    Text text;
    text_init(&text);
    Script whole = *script;
    whole.out = &text;
    script_write(&whole);
    bool ok = text_ok(&text, err) && run(text.data, text.length, seconds, err);
    text_release(&text);
    return ok;
}

void picture_script(Text *out, const Picture *picture, const char *terminal, const char *output) {
    Script script = {
        .out = out, .picture = picture, .terminal = terminal, .output = output, .by_hand = true};
    text_string(out, "# Made by attn; gnuplot 5.2 or later draws it.\n");
    script_write(&script);
}
