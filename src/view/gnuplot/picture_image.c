#include "view/gnuplot/picture_image.h"

#include "io/file.h"
#include "view/gnuplot/gnuplot.h"
#include "view/terminal/inline_image.h"
#include "view/gnuplot/script.h"

#include <stdlib.h>
#include <string.h>

enum { SECONDS = 5, CELL_WIDTH = 9, CELL_HEIGHT = 18, SHORT_ROWS = 24, ROWS_BELOW = 3 };

/* ---- windows ---- */

/* Where the desktop has ended the window's process, or an event of the window came between our
 * lines (x11), the second try finds all in order. */
bool picture_window(const Picture *picture, Error *err) {
    Error first = {.kind = ERR_NONE};
    const char *terminal = gnuplot_window_terminal(err);
    if (!terminal) return false;
    Script script = {.picture = picture, .terminal = terminal};
    if (script_run(&script, gnuplot_run_window, SECONDS, &first)) return true;
    bool again = first.kind == ERR_PLOT && !strstr(first.message, "did not answer");
    if (again) return script_run(&script, gnuplot_run_window, SECONDS, err);
    if (err) *err = first;
    return false;
}

/* ---- within the terminal ---- */

static int cell_width(const Host *host) {
    return host->cell_width > 0 ? host->cell_width : CELL_WIDTH;
}

static int cell_height(const Host *host) {
    return host->cell_height > 0 ? host->cell_height : CELL_HEIGHT;
}

/* Two thirds of the rows; of few rows all but those of the prompt, or the labels could not be read.
 */
static int rows_most(const Host *host) {
    int most = host->rows * 2 / 3, all = host->rows - ROWS_BELOW;
    if (most < SHORT_ROWS) most = all < SHORT_ROWS ? all : SHORT_ROWS;
    return most > 1 ? most : 1;
}

/* A text in the picture is as large as the terminal's own. */
static Script plan(const Picture *picture, const char *terminal, const char *path,
                   const Host *host) {
    return (Script){.picture = picture,
                    .terminal = terminal,
                    .output = path,
                    .zoom = (double)cell_height(host) / CELL_HEIGHT,
                    .width_most = host->columns * cell_width(host),
                    .height_most = rows_most(host) * cell_height(host)};
}

static bool draw_file(const Picture *picture, const char *terminal, const char *path,
                      const Host *host, Text *bytes, Error *err) {
    Script script = plan(picture, terminal, path, host);
    return script_run(&script, gnuplot_run, SECONDS, err) && file_read(path, 0, bytes, err);
}

/* A name of our own in the folder for passing things: gnuplot writes there, and it is removed. */
static bool draw_bytes(const Picture *picture, const char *terminal, const Host *host, Text *bytes,
                       Error *err) {
    const char *folder = getenv("TMPDIR");
    Text path;
    text_init(&path);
    path_join(&path, folder && *folder ? folder : "/tmp", "attn-picture.png");
    FileReplacement passing;
    bool ok = text_ok(&path, err) && file_replace_begin(&passing, path.data, err);
    if (ok) {
        ok = draw_file(picture, terminal, passing.temporary, host, bytes, err);
        file_replace_cancel(&passing);
    }
    text_release(&path);
    return ok;
}

/* Where the size of a cell is a guess, the terminal scales the image to the columns that we counted
 * on. */
static bool write_kitty(Text *out, const Text *png, const Host *host, Error *err) {
    int width, height;
    if (!png_size(png->data, png->length, &width, &height))
        return error_set(err, ERR_PLOT, "gnuplot made no picture");
    int columns = (width + CELL_WIDTH - 1) / CELL_WIDTH;
    if (columns > host->columns) columns = host->columns;
    kitty_write(out, png->data, png->length, host->cell_width > 0 ? 0 : columns);
    text_char(out, '\n');
    return text_ok(out, err);
}

static bool write_sixel(Text *out, const Text *sixel, Error *err) {
    if (strncmp(sixel->data, "\033P", 2) != 0)
        return error_set(err, ERR_PLOT, "gnuplot made no picture");
    text_bytes(out, sixel->data, sixel->length);
    text_char(out, '\n');
    return text_ok(out, err);
}

bool picture_inline(Text *out, const Picture *picture, HostImage image, const Host *host,
                    Error *err) {
    Text bytes;
    text_init(&bytes);
    bool ok = draw_bytes(picture, image == IMAGE_KITTY ? "pngcairo" : "sixelgd", host, &bytes, err);
    if (ok)
        ok = image == IMAGE_KITTY ? write_kitty(out, &bytes, host, err)
                                  : write_sixel(out, &bytes, err);
    text_release(&bytes);
    return ok;
}
