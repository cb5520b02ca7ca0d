#include "notebook/export/export.h"

#include "io/file.h"
#include "library/training.h"
#include "notebook/export/markdown.h"
#include "notebook/export/site.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

typedef struct Format {
    const char *suffix;
    HostPictures pictures;
    void (*write)(Text *out, const Recording *recording, const PageFrame *frame);
} Format;

static const Format formats[] = {{"html", PICTURES_AS_SVG, html_page_write},
                                 {"ipynb", PICTURES_AS_PNG, jupyter_write},
                                 {"md", PICTURES_AS_TEXT, markdown_write},
                                 {.suffix = NULL}};

static const Format *format_of(const char *path, Error *err) {
    for (const Format *format = formats; format->suffix; format++)
        if (path_has_suffix(path, format->suffix)) return format;
    error_set(err, ERR_VALUE, "the name %s does not say what a document is to become", path);
    error_hint(err, "end it in .html, .ipynb or .md");
    return NULL;
}

/* ---- files ---- */

/* A document must not be replaced by what is made of it. */
static bool is_same_file(const char *path, const char *other) {
    struct stat one, two;
    return stat(path, &one) == 0 && stat(other, &two) == 0 && one.st_dev == two.st_dev &&
           one.st_ino == two.st_ino;
}

/* Writes a file, and the folders on the way to it; and says what it holds. */
static bool write_output(Host *host, const char *path, const Text *bytes, const char *what,
                         Error *err) {
    if (!text_ok(bytes, err)) return false;
    for (const char *slash = path; (slash = strchr(slash + 1, '/'));) {
        LocalText folder = TEXT_EMPTY;
        text_bytes(&folder, path, (size_t)(slash - path));
        if (!text_ok(&folder, err)) return false;
        if (mkdir(folder.data, 0777) != 0 && errno != EEXIST)
            return error_set(err, ERR_FILE, "cannot make the folder %s: %s", folder.data,
                             strerror(errno));
    }
    return file_write(path, bytes->data, bytes->length, err) &&
           host_print(host, err, "%s: %s%zu KB\n", path, what, (bytes->length + 1023) / 1024);
}

bool export_text(const char *path, const char *markdown, size_t length, Error *err) {
    const Format *format = format_of(path, err);
    LocalDocument *document = format ? document_parse(path, markdown, length, err) : NULL;
    if (!document) return false;
    LocalRecording recording;
    PageFrame frame = {.language = LANGUAGE_ENGLISH};
    Text bytes = TEXT_EMPTY;
    bool ok = recording_init(&recording, document, PICTURES_AS_TEXT, err) &&
              recording_take_outputs(&recording, err);
    if (ok) format->write(&bytes, &recording, &frame);
    return file_write_text(ok, path, &bytes, err);
}

/* ---- a document ---- */

/* Runs the cells of a document in a session of its own. */
static bool run_cells(const ExportRequest *request, const SiteDocument *from, Recording *recording,
                      Error *err) {
    Session *session = request->open(request->context, &recording->recorder.host, err);
    if (!session) return false;
    LocalText folder = TEXT_EMPTY, language = TEXT_EMPTY;
    path_folder(&folder, from->path);
    text_format(&language, "set language %s;", language_codes[from->language]);
    bool ok = text_ok(&folder, err) && text_ok(&language, err) &&
              session_run_text(session, "", language.data, language.length, err);
    session->interp.directory = folder.data;
    ok = ok && recording_run(recording, session, err);
    session_free(session);
    return ok;
}

/* Makes the file of a document, and says what is in it: "12 cells, 3 pictures, 40 KB". */
static bool export_document(Host *host, const ExportRequest *request, const Site *site, size_t at,
                            const char *path, Error *err) {
    const SiteDocument *from = &site->documents[at];
    const Format *format = format_of(path, err);
    if (!format) return false;
    if (is_same_file(from->path, path))
        return error_set(err, ERR_FILE, "%s is the document itself", path);
    LocalRecording recording;
    const Document *document = from->document;
    LocalText bytes = TEXT_EMPTY, counts = TEXT_EMPTY;
    bool ok = recording_init(&recording, document, format->pictures, err) &&
              (document_has_outputs(document) && !request->again
                   ? recording_take_outputs(&recording, err)
                   : run_cells(request, from, &recording, err));
    if (!ok) return false;
    LocalSiteFrame frame;
    site_frame(site, at, &frame);
    format->write(&bytes, &recording, &frame.page);

    int cells = 0, pictures = 0;
    for (const Cell *cell = document->cells; cell; cell = cell->next) cells += cell_runs(cell);
    for (size_t i = 0; i < recording.recorder.count; i++)
        pictures += recording.recorder.outputs[i].kind == OUTPUT_PICTURE;
    text_format(&counts, "%d %s, ", cells, cells == 1 ? "cell" : "cells");
    if (pictures) text_format(&counts, "%d %s, ", pictures, pictures == 1 ? "picture" : "pictures");
    return text_ok(&counts, err) && site_frame_ok(&frame, err) &&
           write_output(host, path, &bytes, counts.data, err);
}

/* Writes the pages that are no document, for each language. */
static bool export_common(Host *host, const ExportRequest *request, const Site *site, Error *err) {
    static const char *const names[] = {"index", "glossary"};
    bool ok = true;
    for (Language language = 0; ok && language_codes[language]; language++)
        for (size_t k = 0; ok && k < (site->has_glossary ? 2 : 1); k++) {
            LocalText page = TEXT_EMPTY, name = TEXT_EMPTY, path = TEXT_EMPTY;
            if (!site_has_language(site, language)) continue;
            site_write_common_name(&name, site, names[k], language);
            path_join(&path, request->output, name.data);
            if (k == 0) site_write_index(&page, site, language);
            ok = (k == 0 || site_write_glossary(&page, site, language, err)) &&
                 text_ok(&name, err) && text_ok(&path, err) &&
                 write_output(host, path.data, &page, "", err);
        }
    return ok;
}

bool export_documents(Host *host, const ExportRequest *request, Error *err) {
    const char *output = request->output;
    if ((request->all || request->paths[1]) && output && format_of(output, NULL)) {
        error_set(err, ERR_VALUE, "%s is one file, and there are several documents", output);
        return error_hint(err, "name a folder: -o site/");
    }
    Site site;
    Session *reader = request->open(request->context, host, err);
    if (!reader) return false;
    bool ok = request->all ? site_read_lessons(&site, err)
                           : site_read(&site, request->paths, reader, request->language, err);
    session_free(reader);
    site.has_index = site.count > 1 && output;
    site.has_glossary = request->all;
    training_memory_begin();
    for (size_t i = 0; ok && i < site.count; i++) {
        const SiteDocument *from = &site.documents[i];
        LocalText path = TEXT_EMPTY;
        if (output && site.count == 1 && *path_suffix(output)) {
            text_string(&path, output);
        } else if (output) {
            path_join(&path, output, from->page);
        } else {
            const char *suffix = path_suffix(from->path);
            text_bytes(&path, from->path, strlen(from->path) - strlen(suffix) - (*suffix != '\0'));
            text_string(&path, ".html");
        }
        ok = text_ok(&path, err) && export_document(host, request, &site, i, path.data, err);
    }
    training_memory_end();
    if (ok && site.has_index) ok = export_common(host, request, &site, err);
    site_release(&site);
    return ok;
}
