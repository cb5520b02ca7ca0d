#include "view/gnuplot/picture_image.h"

#include "base/error.h"
#include "io/file.h"
#include "view/gnuplot/gnuplot.h"
#include "view/picture_format.h"

#include <stdlib.h>
#include <string.h>

enum { SECONDS = 5, SHORT_ROWS = 24, ROWS_BELOW = 3 };

bool picture_window(const Picture *picture, Error *err) {
    /* Always window number 0: the picture in it changes. */
    GnuplotTerminal terminal = {.name = gnuplot_window_terminal(err), .options = "0 noenhanced"};
    if (!terminal.name) return false;
    Script script = {.picture = picture, .terminal = &terminal};
    Error first = {.kind = ERR_NONE};
    if (script_run(&script, SECONDS, &first)) return true;

    /* Where the desktop has ended the window's process, or an event of the window came between our
     * lines (x11), the second try finds all in order. */
    if (first.kind == ERR_PLOT && !strstr(first.message, "did not answer"))
        return script_run(&script, SECONDS, err);
    if (err) *err = first;
    return false;
}

/* ---- within the terminal ---- */

static const struct {
    const char *format;
    GnuplotTerminal terminal;
    const char *beginning; /* of what gnuplot has really drawn */
} images[] = {
    [IMAGE_KITTY] = {"png", {.name = "pngcairo", .options = "noenhanced"}, "\x89PNG"},
    [IMAGE_SIXEL] = {"sixel",
                     {.name = "sixelgd", .options = "noenhanced truecolor", .is_gd = true},
                     "\033P"},
    /* Kinds that are drawn as files of that format are. */
    [IMAGE_SVG] = {"svg", {.name = NULL}, "<?xml"},
    [IMAGE_PNG] = {"png", {.name = NULL}, "\x89PNG"},
};

const char *picture_image_format(HostImage image) { return images[image].format; }

/* A text in the picture is as large as the terminal's own. The picture takes two thirds of the
 * rows; of few rows all but those of the prompt, or its labels could not be read. */
static bool draw_file(const char *path, const Picture *picture, HostImage image, const Host *host,
                      Error *err) {
    int width = host->cell_width > 0 ? host->cell_width : CELL_WIDTH_USUAL,
        height = host->cell_height > 0 ? host->cell_height : CELL_HEIGHT_USUAL;
    int rows = host->rows * 2 / 3, all = host->rows - ROWS_BELOW;
    if (rows < SHORT_ROWS) rows = all < SHORT_ROWS ? all : SHORT_ROWS;
    if (rows < 1) rows = 1;
    Script script = {.picture = picture,
                     .terminal = &images[image].terminal,
                     .output = path,
                     .zoom = (double)height / CELL_HEIGHT_USUAL,
                     .width_most = host->columns * width,
                     .height_most = rows * height};
    return script_run(&script, SECONDS, err);
}

bool picture_image(Text *bytes, const Picture *picture, HostImage image, const Host *host,
                   Error *err) {
    /* gnuplot writes to a file of ours in the folder for passing things, which is then removed. */
    const char *folder = getenv("TMPDIR"), *beginning = images[image].beginning;
    size_t start = bytes->length;
    FileReplacement passing;
    Text path = TEXT_EMPTY;
    path_join(&path, folder && *folder ? folder : "/tmp",
              image == IMAGE_SVG ? "attn-picture.svg" : "attn-picture.png");
    bool ok = text_ok(&path, err) && file_replace_begin(&passing, path.data, err);
    text_release(&path);
    if (!ok) return false;
    ok = (images[image].terminal.name ? draw_file(passing.temporary, picture, image, host, err)
                                      : picture_save(picture, passing.temporary, err)) &&
         file_read(passing.temporary, 0, bytes, err);
    file_replace_cancel(&passing);
    if (ok && strncmp(bytes->data + start, beginning, strlen(beginning)) != 0)
        ok = error_set(err, ERR_PLOT, "gnuplot made no picture");
    return ok;
}
