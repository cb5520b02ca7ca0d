/* Pictures as files of the format that a name says, whole or not at all; in a window; and as the
 * bytes of an image. */
#include "base/error.h"
#include "io/file.h"
#include "view/files/gnuplot.h"
#include "view/files/script.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS = 10, SHOWN_SECONDS = 5, SHORT_ROWS = 24, ROWS_BELOW = 3 };

/* ---- files ---- */

static bool is_whole(const PictureFormat *format, const Text *drawn) {
    if (format->is_whole) return format->is_whole(drawn->data, drawn->length);
    size_t ending = strlen(format->ending), end = drawn->length;
    while (end > 1 && drawn->data[end - 1] == '\n' && drawn->data[end - 2] == '\n') end--;
    return end >= ending && memcmp(drawn->data + end - ending, format->ending, ending) == 0;
}

/* gnuplot does not say when the disk was full: looks whether the file is whole, and repairs it
 * where its format needs that. */
static bool check_and_repair(const Picture *picture, const PictureFormat *format,
                             const FileReplacement *replacement, Error *err) {
    LocalText drawn = TEXT_EMPTY, repaired = TEXT_EMPTY;
    if (!file_read(replacement->temporary, 0, &drawn, err)) return false;
    if (!is_whole(format, &drawn))
        return error_set(err, ERR_FILE,
                         "cannot write %s: gnuplot wrote only a part of it; the disk may be full",
                         replacement->path);
    if (!format->repair) return true;
    format->repair(&repaired, drawn.data, picture);
    return text_ok(&repaired, err) &&
           file_write(replacement->temporary, repaired.data, repaired.length, err);
}

bool picture_save(const Picture *picture, const char *path, Error *err) {
    const PictureFormat *format = picture_format_find(path);
    bool frames = picture->kind == PICTURE_FRAMES;
    assert(!frames || (format && format->frames));
    if (!format) {
        const char *suffix = path_suffix(path);
        if (*suffix) error_set(err, ERR_VALUE, "plot makes no .%s files", suffix);
        else error_set(err, ERR_VALUE, "the name %s does not say what kind of picture it is", path);
        return error_hint(err, "end the name in %s",
                          picture_formats_list(FORMATS_STILL, "or").text);
    }
    if (format->frames && !frames) {
        error_set(err, ERR_VALUE, "%s would be an animation, and this picture stands still",
                  path_name(path));
        return error_hint(err,
                          "plot sweep to a .%s shows the weights at each value that was swept; a "
                          "picture is a %s",
                          format->suffix, picture_formats_list(FORMATS_STILL, "or").text);
    }
    if (format->write) {
        Text text = TEXT_EMPTY;
        format->write(&text, picture, path);
        return file_write_text(true, path, &text, err);
    }

    /* gnuplot draws beside the file, which that then replaces. */
    FileReplacement replacement;
    if (!file_replace_begin(&replacement, path, err)) return false;
    Script script = {
        .picture = picture, .terminal = &format->terminal, .output = replacement.temporary};
    if (script_run(&script, SECONDS, err) && check_and_repair(picture, format, &replacement, err))
        return file_replace_commit(&replacement, err);
    file_replace_cancel(&replacement);
    return false;
}

/* ---- windows and images ---- */

bool picture_window(const Picture *picture, Error *err) {
    /* Always window number 0: the picture in it changes. */
    GnuplotTerminal terminal = {.name = gnuplot_window_terminal(err), .options = "0 noenhanced"};
    if (!terminal.name) return false;
    Script script = {.picture = picture, .terminal = &terminal};
    Error first = {.kind = ERR_NONE};
    if (script_run(&script, SHOWN_SECONDS, &first)) return true;

    /* Where the desktop has ended the window's process, or an event of the window came between our
     * lines (x11), the second try finds all in order. */
    if (first.kind == ERR_PLOT && !strstr(first.message, "did not answer"))
        return script_run(&script, SHOWN_SECONDS, err);
    if (err) *err = first;
    return false;
}

static const struct {
    const char *format;
    GnuplotTerminal terminal;
    const char *beginning; /* of what gnuplot has really drawn */
} images[] = {
    [IMAGE_KITTY] = {"png", {.name = "pngcairo", .options = "noenhanced"}, "\x89PNG"},
    [IMAGE_SIXEL] = {"sixel",
                     {.name = "sixelgd", .options = "noenhanced truecolor", .is_gd = true},
                     "\033P"},
    /* Without a terminal of its own an image is drawn as a file of that format is. */
    [IMAGE_SVG] = {"svg", {.name = NULL}, "<?xml"},
    [IMAGE_PNG] = {"png", {.name = NULL}, "\x89PNG"},
};

const char *picture_image_format(HostImage image) { return images[image].format; }

bool picture_image(Text *bytes, const Picture *picture, HostImage image, const Host *host,
                   Error *err) {
    /* gnuplot writes to a temporary file, which is removed when it has been read. */
    const char *folder = getenv("TMPDIR"), *beginning = images[image].beginning;
    size_t start = bytes->length;
    FileReplacement passing;
    LocalText path = TEXT_EMPTY;
    path_join(&path, folder && *folder ? folder : "/tmp",
              image == IMAGE_SVG ? "attn-picture.svg" : "attn-picture.png");
    if (!text_ok(&path, err) || !file_replace_begin(&passing, path.data, err)) return false;
    bool ok;
    if (images[image].terminal.name) {
        /* A text in the picture is as large as the terminal's own. The picture takes two thirds of
         * the rows; of few rows all but those of the prompt, or its labels could not be read. */
        int width = host->cell_width > 0 ? host->cell_width : CELL_WIDTH_USUAL,
            height = host->cell_height > 0 ? host->cell_height : CELL_HEIGHT_USUAL;
        int rows = host->rows * 2 / 3, all = host->rows - ROWS_BELOW;
        if (rows < SHORT_ROWS) rows = all < SHORT_ROWS ? all : SHORT_ROWS;
        if (rows < 1) rows = 1;
        Script script = {.picture = picture,
                         .terminal = &images[image].terminal,
                         .output = passing.temporary,
                         .zoom = (double)height / CELL_HEIGHT_USUAL,
                         .width_most = host->columns * width,
                         .height_most = rows * height};
        ok = script_run(&script, SHOWN_SECONDS, err);
    } else {
        ok = picture_save(picture, passing.temporary, err);
    }
    ok = ok && file_read(passing.temporary, 0, bytes, err);
    file_replace_cancel(&passing);
    if (ok && strncmp(bytes->data + start, beginning, strlen(beginning)) != 0)
        ok = error_set(err, ERR_PLOT, "gnuplot made no picture");
    return ok;
}
