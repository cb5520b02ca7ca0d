/* A picture into a file: what its suffix says, whole or not at all. */
#include "io/file.h"
#include "view/gnuplot/gnuplot.h"
#include "view/panels.h"
#include "view/gnuplot/script.h"

#include <assert.h>
#include <string.h>

enum { SECONDS = 5, TEXT_COLUMNS = 100 };

/* ---- files that we write ourselves ---- */

static const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* "a.gp" draws "a.png" where it is run. */
static void write_script_for(Text *out, const Picture *picture, const char *path) {
    Text output;
    text_init(&output);
    const char *name = file_name(path);
    text_string(&output, "./"); /* a name is never taken for a pipe */
    text_bytes(&output, name, strlen(name) - strlen(path_suffix(path)));
    text_string(&output, "png");
    picture_script(out, picture, "pngcairo", output.data);
    if (output.failed) out->failed = true;
    text_release(&output);
}

static void write_text(Text *out, const Picture *picture, const char *path) {
    (void)path;
    picture_text(out, picture, TEXT_COLUMNS, true);
}

static void write_numbers(Text *out, const Picture *picture, const char *path) {
    (void)path;
    picture_csv(out, picture);
}

typedef void Write(Text *out, const Picture *picture, const char *path);

static bool save_text(const Picture *picture, const char *path, Write *write, Error *err) {
    Text text;
    text_init(&text);
    write(&text, picture, path);
    bool ok = text_ok(&text, err) && file_write(path, text.data, text.length, err);
    text_release(&text);
    return ok;
}

/* ---- files that gnuplot writes ---- */

/* gnuplot does not say when the disk was full. */
static bool check_whole(const char *path, const Text *bytes, const char *ending, Error *err) {
    size_t tail = bytes->length < 64 ? bytes->length : 64, length = strlen(ending);
    for (size_t i = 0; i + length <= tail; i++) {
        if (memcmp(bytes->data + bytes->length - tail + i, ending, length) == 0) return true;
    }
    return error_set(err, ERR_FILE,
                     "cannot write %s: gnuplot wrote only a part of it; the disk may be full",
                     path);
}

/* What gnuplot leaves undone in SVG: viewers smooth a magnified image and soften edges between
 * cells unless the picture asks them not to, and a text with ]]> in it is no XML. */
typedef struct Mend {
    const char *found, *becomes;
    bool heatmaps; /* of these only */
} Mend;

static const Mend mends[] = {
    {"<g id=\"gnuplot_canvas\"", "<g id=\"gnuplot_canvas\" shape-rendering=\"crispEdges\"", true},
    {"<image ", "<image image-rendering=\"optimizeSpeed\" style=\"image-rendering:pixelated\" ",
     true},
    {"]]>", "]]&gt;", false}};

static const Mend *mend_at(const char *at, bool heatmap) {
    if (*at != '<' && *at != ']') return NULL;
    for (size_t i = 0; i < sizeof mends / sizeof *mends; i++)
        if ((heatmap || !mends[i].heatmaps) &&
            strncmp(at, mends[i].found, strlen(mends[i].found)) == 0)
            return &mends[i];
    return NULL;
}

static void mend_svg(Text *out, const char *at, bool heatmap) {
    while (*at) {
        size_t plain = strcspn(at + 1, "<]") + 1;
        const Mend *mend = mend_at(at, heatmap);
        if (mend) text_string(out, mend->becomes);
        else text_bytes(out, at, plain);
        at += mend ? strlen(mend->found) : plain;
    }
}

static bool mend(const char *path, const Text *svg, bool heatmap, Error *err) {
    Text mended;
    text_init(&mended);
    mend_svg(&mended, svg->data, heatmap);
    bool ok = text_ok(&mended, err) && file_write(path, mended.data, mended.length, err);
    text_release(&mended);
    return ok;
}

typedef struct Drawn {
    const char *suffix, *terminal, *ending;
} Drawn;

static bool draw(const Picture *picture, const Drawn *format, const char *path, Error *err) {
    Script script = {.picture = picture, .terminal = format->terminal, .output = path};
    double seconds = SECONDS + (picture->kind == PICTURE_FRAMES ? (double)picture->panel_count : 0);
    return script_run(&script, gnuplot_run, seconds, err);
}

static bool finish(const Picture *picture, const Drawn *format, const FileReplacement *replacement,
                   Error *err) {
    Text bytes;
    text_init(&bytes);
    bool ok = file_read(replacement->temporary, 0, &bytes, err) &&
              check_whole(replacement->path, &bytes, format->ending, err);
    if (ok && strcmp(format->terminal, "svg") == 0)
        ok = mend(replacement->temporary, &bytes,
                  picture->kind == PICTURE_HEATMAP || panels_are_heatmaps(picture), err);
    text_release(&bytes);
    return ok;
}

static bool save_drawn(const Picture *picture, const char *path, const Drawn *format, Error *err) {
    FileReplacement replacement;
    if (!file_replace_begin(&replacement, path, err)) return false;
    if (draw(picture, format, replacement.temporary, err) &&
        finish(picture, format, &replacement, err))
        return file_replace_commit(&replacement, err);
    file_replace_cancel(&replacement);
    return false;
}

/* ---- by suffix ---- */

static const Drawn drawn[] = {
    {"png", "pngcairo", "IEND"}, {"svg", "svg", "</svg>"}, {"pdf", "pdfcairo", "%%EOF"}};
static const Drawn animated = {"gif", "gif", ";"};

static const struct Written {
    const char *suffix;
    Write *write;
} written[] = {{"txt", write_text}, {"csv", write_numbers}, {"gp", write_script_for}};

static bool unknown_suffix(const char *path, Error *err) {
    const char *suffix = path_suffix(path);
    if (*suffix) error_set(err, ERR_VALUE, "plot makes no .%s files", suffix);
    else error_set(err, ERR_VALUE, "the name %s does not say what kind of picture it is", path);
    return error_hint(err, "end the name in .png, .svg, .pdf, .txt, .csv or .gp");
}

static bool only_animated(const char *path, Error *err) {
    error_set(err, ERR_VALUE, "%s would be an animation, and this picture stands still",
              file_name(path));
    return error_hint(err, "plot sweep to a .gif shows the weights at each value that was swept; a "
                           "picture is a .png, .svg or .pdf");
}

bool picture_save(const Picture *picture, const char *path, Error *err) {
    bool frames = picture->kind == PICTURE_FRAMES;
    if (path_has_suffix(path, animated.suffix))
        return frames ? save_drawn(picture, path, &animated, err) : only_animated(path, err);
    assert(!frames);
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        if (path_has_suffix(path, written[i].suffix))
            return save_text(picture, path, written[i].write, err);
    }
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++) {
        if (path_has_suffix(path, drawn[i].suffix))
            return save_drawn(picture, path, &drawn[i], err);
    }
    return unknown_suffix(path, err);
}
