#include "view/files/picture_format.h"

#include "io/file.h"
#include "view/panels.h"
#include "view/plan/plan.h"

#include <stdio.h>
#include <string.h>

/* ---- the table ---- */

/* The formats in the order of lists. The row of each is format_SUFFIX: those that gnuplot draws are
 * below, another is in the file that writes it. */
#define FORMATS(F) F(png) F(svg) F(pdf) F(gif) F(txt) F(csv) F(gp)
#define DECLARED(SUFFIX) extern const PictureFormat format_##SUFFIX;
#define LISTED(SUFFIX) &format_##SUFFIX,
FORMATS(DECLARED)
const PictureFormat *const picture_formats[] = {FORMATS(LISTED) NULL};

const PictureFormat *picture_format_find(const char *path) {
    for (const PictureFormat *const *format = picture_formats; *format; format++)
        if (path_has_suffix(path, (*format)->suffix)) return *format;
    return NULL;
}

/* ---- what gnuplot draws ---- */

/* Repairs gnuplot's SVG: viewers smooth a magnified image and the edges between cells unless the
 * picture asks them not to; a text with ]]> in it is no XML; and an empty group at the beginning
 * has the last colour of the picture before it, so that the second one of two would not be the same
 * file. */
static void repair_svg(Text *out, const char *drawn, const Picture *picture) {
    static const struct {
        const char *found, *becomes;
        bool heatmaps;   /* of these only */
        bool to_a_quote; /* what follows up to a quote is removed, too */
    } repairs[] = {{"<g id=\"gnuplot_canvas\"",
                    "<g id=\"gnuplot_canvas\" shape-rendering=\"crispEdges\"", true, false},
                   {"<image ",
                    "<image image-rendering=\"optimizeSpeed\" style=\"image-rendering:pixelated\" ",
                    true, false},
                   {"]]>", "]]&gt;", false, false},
                   {"<g fill=\"none\" color=\"#FFFFFF\" stroke=\"",
                    "<g fill=\"none\" color=\"#FFFFFF\" stroke=\"currentColor", false, true}};
    bool heatmap = picture->kind == PICTURE_HEATMAP ||
                   (picture->kind == PICTURE_GRID && panels_are_heatmaps(picture));
    const char *size = strstr(drawn, " width=\""), *box = strstr(drawn, " viewBox=");
    double width = picture->width, height = picture->height;
    if (picture->width == 0 && picture->font_px > 0 && box &&
        sscanf(box, " viewBox=\"0 0 %lf %lf", &width, &height) == 2) {
        width *= picture->font_px / TEXT_PX;
        height *= picture->font_px / TEXT_PX;
    }
    if (width > 0 && size && box) {
        /* The layout's pixels are in the viewBox; the picture is as large as was wanted. They are
         * whole, so that the viewBox is not quite of its shape: what it would leave free at the
         * edges has no background, and some viewers show it black. */
        text_bytes(out, drawn, (size_t)(size - drawn));
        text_format(out, " width=\"%.0f\" height=\"%.0f\" preserveAspectRatio=\"none\"\n", width,
                    height);
        drawn = box;
    }
    for (const char *at = drawn; *at;) {
        size_t length = strcspn(at + 1, "<]") + 1; /* of what holds no beginning of those */
        const char *becomes = NULL;
        for (size_t i = 0; i < sizeof repairs / sizeof *repairs && !becomes; i++) {
            size_t found = strlen(repairs[i].found);
            if ((repairs[i].heatmaps && !heatmap) || strncmp(at, repairs[i].found, found) != 0)
                continue;
            becomes = repairs[i].becomes;
            length = found + (repairs[i].to_a_quote ? strcspn(at + found, "\"") : 0);
        }
        if (becomes) text_string(out, becomes);
        else text_bytes(out, at, length);
        at += length;
    }
}

/* Families for a viewer that has to find its own fonts, of Linux, macOS and Windows; the last is
 * the general one. */
#define SVG_FONTS \
    "DejaVu Sans, Noto Sans, Noto Sans CJK SC, Droid Sans Fallback, PingFang SC, Microsoft " \
    "YaHei, " \
    "Noto Color Emoji, Apple Color Emoji, Segoe UI Emoji, sans-serif"

/* Twice the layout's pixels: it is for slides and fine screens. */
const PictureFormat format_png = {
    .suffix = "png",
    .terminal = {.name = "pngcairo", .options = "noenhanced", .zoom = 2},
    .ending = "IEND\xAE\x42\x60\x82"};

const PictureFormat format_svg = {.suffix = "svg",
                                  .terminal = {.name = "svg",
                                               .options = "noenhanced",
                                               .font = SVG_FONTS ",14",
                                               .after = " background \"white\"",
                                               .is_svg = true},
                                  .ending = "</svg>\n",
                                  .repair = repair_svg};

/* The PDF terminal measures in inches; a pixel becomes a point. */
const PictureFormat format_pdf = {
    .suffix = "pdf",
    .terminal = {.name = "pdfcairo", .options = "noenhanced", .unit = "/72.", .line_width = 1.6},
    .ending = "%%EOF\n"};

/* Frames last half a second, for ever. gd takes each frame's own colours; `optimize` would make the
 * first's do for all. */
const PictureFormat format_gif = {
    .suffix = "gif",
    .summary = "a sweep: the weights at each value, one after the other",
    .frames = true,
    .terminal = {.name = "gif",
                 .options = "noenhanced animate delay 50 loop 0 nooptimize",
                 .is_gd = true},
    .is_whole = gif_is_whole};

/* ---- lists of it ---- */

static bool is_in(const PictureFormat *format, PictureFormatSet set) {
    if (set == FORMATS_STILL) return !format->frames;
    if (set == FORMATS_DRAWN_STILL) return !format->write && !format->frames;
    return (format->write != NULL) == (set == FORMATS_WRITTEN);
}

static void write_list(Text *out, PictureFormatSet set, const char *last, bool summaries) {
    size_t count = 0, at = 0;
    for (const PictureFormat *const *format = picture_formats; *format; format++)
        count += is_in(*format, set);
    for (size_t i = 0; picture_formats[i]; i++) {
        const PictureFormat *format = picture_formats[i];
        if (!is_in(format, set)) continue;
        if (at > 0 && at + 1 == count) text_format(out, " %s ", last);
        else if (at > 0) text_string(out, ", ");
        text_format(out, ".%s", format->suffix);
        if (summaries && format->summary) text_format(out, " (%s)", format->summary);
        at++;
    }
}

PictureFormatList picture_formats_list(PictureFormatSet set, const char *last) {
    PictureFormatList list;
    LocalText text = TEXT_EMPTY;
    write_list(&text, set, last, false);
    snprintf(list.text, sizeof list.text, "%s", text.data);
    return list;
}

void picture_formats_explain(Text *out) {
    text_string(out, "A file's suffix says what it becomes: ");
    write_list(out, FORMATS_DRAWN, "and", true);
    text_string(out, " are drawn by gnuplot; ");
    write_list(out, FORMATS_WRITTEN, "and", true);
    text_string(out, " need no other program.");
}

/* The blocks of a GIF (version 89a of its specification). gnuplot does not say when the disk was
 * full, and the trailer, a semicolon, may be anywhere in the data. */

enum {
    SCREEN_END = 13,  /* the signature, and the description of the screen */
    IMAGE_BYTES = 10, /* the description of an image, with the byte that begins it */
    HAS_COLORS = 0x80,
    COLORS = 0x07, /* the table has 2^(n + 1) colours of 3 bytes */
    IMAGE = 0x2C,
    EXTENSION = 0x21,
    TRAILER = 0x3B
};

static size_t colors_length(unsigned char flags) {
    return flags & HAS_COLORS ? (size_t)3 << ((flags & COLORS) + 1) : 0;
}

/* The offset behind a row of data blocks, each of which says its length, to the empty one that ends
 * it; beyond `length` where it is cut short. */
static size_t skip_data(const unsigned char *bytes, size_t length, size_t at) {
    while (at < length && bytes[at] > 0) at += (size_t)bytes[at] + 1;
    return at + 1;
}

bool gif_is_whole(const char *file, size_t length) {
    const unsigned char *bytes = (const unsigned char *)file;
    if (length < SCREEN_END || memcmp(bytes, "GIF8", 4) != 0) return false;
    size_t at = SCREEN_END + colors_length(bytes[10]);
    while (at < length && bytes[at] != TRAILER) {
        if (bytes[at] == EXTENSION) {
            at = skip_data(bytes, length, at + 2);
        } else if (bytes[at] == IMAGE && at + IMAGE_BYTES <= length) {
            at += IMAGE_BYTES + colors_length(bytes[at + IMAGE_BYTES - 1]);
            at = skip_data(bytes, length, at + 1); /* behind the size of its codes */
        } else {
            return false;
        }
    }
    return at < length;
}
