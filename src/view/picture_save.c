/* Saves a picture in a file of the format that its name says, whole or not at all. */
#include "base/error.h"
#include "io/file.h"
#include "view/picture_format.h"

#include <assert.h>
#include <string.h>

enum { SECONDS = 10 };

static bool save_written(const Picture *picture, const char *path, const PictureFormat *format,
                         Error *err) {
    Text text = TEXT_EMPTY;
    format->write(&text, picture, path);
    return file_write_text(true, path, &text, err);
}

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
    Text drawn = TEXT_EMPTY, repaired = TEXT_EMPTY;
    bool ok = file_read(replacement->temporary, 0, &drawn, err);
    if (ok && !is_whole(format, &drawn))
        ok = error_set(err, ERR_FILE,
                       "cannot write %s: gnuplot wrote only a part of it; the disk may be full",
                       replacement->path);
    if (ok && format->repair) {
        format->repair(&repaired, drawn.data, picture);
        ok = text_ok(&repaired, err) &&
             file_write(replacement->temporary, repaired.data, repaired.length, err);
    }
    text_release(&drawn);
    text_release(&repaired);
    return ok;
}

static bool save_drawn(const Picture *picture, const char *path, const PictureFormat *format,
                       Error *err) {
    FileReplacement replacement;
    if (!file_replace_begin(&replacement, path, err)) return false;
    Script script = {
        .picture = picture, .terminal = &format->terminal, .output = replacement.temporary};
    if (script_run(&script, SECONDS, err) && check_and_repair(picture, format, &replacement, err))
        return file_replace_commit(&replacement, err);
    file_replace_cancel(&replacement);
    return false;
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
        const char *slash = strrchr(path, '/');
        error_set(err, ERR_VALUE, "%s would be an animation, and this picture stands still",
                  slash ? slash + 1 : path);
        return error_hint(err,
                          "plot sweep to a .%s shows the weights at each value that was swept; a "
                          "picture is a %s",
                          format->suffix, picture_formats_list(FORMATS_STILL, "or").text);
    }
    return format->write ? save_written(picture, path, format, err)
                         : save_drawn(picture, path, format, err);
}
