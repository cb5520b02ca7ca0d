#include "notebook/collect/submission.h"

#include "base/memory.h"
#include "base/translate.h"
#include "base/utf8.h"
#include "io/file.h"
#include "io/json.h"
#include "notebook/opening.h"

#include <jansson.h>
#include <string.h>
#include <unistd.h>

static const char format_word[] = "attn-work 1";
enum { NAME_MOST = 200, FILE_MOST = 4 << 20 };

/* Room for the work in one more lesson; NULL and ERR_LIMIT. */
static LessonWork *add_work(Submission *submission, const char *lesson, Error *err) {
    LessonWork *works =
        mem_grow(submission->works, submission->count, &submission->capacity, sizeof *works, err);
    if (!works) return NULL;
    submission->works = works;
    char *copy = mem_string(lesson, strlen(lesson), err);
    if (!copy) return NULL;
    works[submission->count] = (LessonWork){.lesson = copy};
    return &works[submission->count++];
}

void submission_release(Submission *submission) {
    for (size_t i = 0; i < submission->count; i++) {
        mem_free(submission->works[i].lesson);
        progress_release(&submission->works[i].progress);
    }
    mem_free(submission->works);
    mem_free(submission->name);
    *submission = (Submission){.name = NULL};
}

bool output_is_free(const char *path, bool force, Error *err) {
    if (force || access(path, F_OK) != 0) return true;
    error_set(err, ERR_FILE, "%s is there already", path);
    return error_hint(err, "--force replaces it");
}

/* ---- packing ---- */

/* Adds what is kept of a lesson. *begun becomes true if there is any. */
static bool pack_lesson(Submission *submission, const char *kept_as, const char *lesson,
                        bool *begun, Error *err) {
    Progress progress;
    bool ok = progress_open(&progress, kept_as, false, err);
    *begun = ok && (progress.event_count || progress.record_count);
    LessonWork *work = *begun ? add_work(submission, lesson, err) : NULL;
    if (work) work->progress = progress;
    else progress_release(&progress);
    return ok && (work || !*begun);
}

static bool pack_named(Submission *submission, const char *what, Error *err) {
    LocalDocument *document = NULL;
    LocalText name = TEXT_EMPTY, folder = TEXT_EMPTY;
    bool begun, ok = lesson_read(what, translate_language(), &document, &name, &folder, err) &&
                     text_ok(&name, err) &&
                     pack_lesson(submission, name.data, folder.length ? path_name(what) : name.data,
                                 &begun, err);
    if (ok && !begun) return error_set(err, ERR_VALUE, "you have not begun the lesson %s", what);
    return ok;
}

/* ---- the name ---- */

/* A name of one line that does not steer a terminal, without blanks around it; NULL and ERR_VALUE.
 */
static char *clean_name(const char *name, Error *err) {
    name += strspn(name, " \t");
    size_t length = trimmed_length(name, strcspn(name, "\n"), " \t\r");
    bool clean = length && utf8_check(name, length) == length;
    if (clean && length > NAME_MOST) length = utf8_begin(name, NAME_MOST);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)name[i] < ' ' || name[i] == 0x7F) clean = false;
    if (clean) return mem_string(name, length, err);
    error_set(err, ERR_VALUE, "a submission needs your name, in one line");
    error_hint(err, "attn submit --name \"Ada Lovelace\"");
    return NULL;
}

/* "Ada Lovelace.attn-work": the name as a file of this folder, "Ada L." without its last dot. */
static void write_path(Text *out, const char *name) {
    size_t length = trimmed_length(name, strlen(name), " .");
    text_bytes(out, name, length > 0 ? length : 1);
    if (out->failed) return;
    for (char *at = out->data; *at; at++)
        if (strchr("/\\:*?\"<>|", *at) || (at == out->data && (*at == '.' || *at == '-')))
            *at = '_';
    text_string(out, ".attn-work");
}

bool submit_work(Host *host, const SubmitRequest *request, Error *err) {
    LocalSubmission submission = {.name = NULL};
    bool all = !request->lessons[0], begun, ended;
    for (size_t i = 0; request->lessons[i]; i++)
        if (!pack_named(&submission, request->lessons[i], err)) return false;
    CatalogEntry entry;
    for (size_t i = 0; all && catalog_entry(LANGUAGE_ENGLISH, i, &entry); i++)
        if (!pack_lesson(&submission, entry.id, entry.id, &begun, err)) return false;
    if (submission.count == 0) {
        error_set(err, ERR_VALUE, "you have not begun any lesson");
        return error_hint(err, "attn lesson begins the first one");
    }

    LocalText line = TEXT_EMPTY, path = TEXT_EMPTY;
    if (!request->name && host->interactive && host->read_line &&
        !host->read_line(host, tr("Your name, as your teacher knows it: "), &line, &ended, err))
        return false;
    submission.name = clean_name(request->name ? request->name : line.data, err);
    if (!submission.name) return false;
    if (request->output) text_string(&path, request->output);
    else write_path(&path, submission.name);
    if (!text_ok(&path, err) || !output_is_free(path.data, request->force, err)) return false;

    Text text = TEXT_EMPTY;
    text_format(&text, "{\"format\": \"%s\", \"name\": ", format_word);
    json_write_text(&text, submission.name);
    text_string(&text, ",\n \"lessons\": {");
    for (size_t i = 0; i < submission.count; i++) {
        text_string(&text, i ? ",\n" : "\n");
        json_write_text(&text, submission.works[i].lesson);
        text_string(&text, ": ");
        progress_write(&text, &submission.works[i].progress);
    }
    text_string(&text, "}}\n");
    return file_write_text(true, path.data, &text, err) &&
           host_print(host, err,
                      submission.count == 1 ? "%s: your name and your work in %zu lesson\n"
                                            : "%s: your name and your work in %zu lessons\n",
                      path.data, submission.count);
}

/* ---- reading ---- */

bool submission_read(Submission *submission, const char *path, Error *err) {
    LocalText text = TEXT_EMPTY;
    LocalJsonTree tree = {NULL, NULL};
    *submission = (Submission){.name = NULL};
    if (!file_read(path, FILE_MOST, &text, err) ||
        !json_tree_read(&tree, text.data, text.length, path, err))
        return false;
    const char *format = json_text(json_object_get(tree.root, "format")),
               *name = json_text(json_object_get(tree.root, "name")), *lesson;
    json_t *lessons = json_object_get(tree.root, "lessons"), *work;
    if (!format || strcmp(format, format_word) != 0 || !json_is_object(lessons))
        return error_set(err, ERR_FILE, "%s is no file of attn submit", path);
    submission->name = clean_name(name ? name : "", err);
    if (!submission->name) return error_set(err, ERR_FILE, "%s does not say whose it is", path);
    json_object_foreach(lessons, lesson, work) {
        LessonWork *added = add_work(submission, lesson, err);
        if (!added || !progress_read(&added->progress, work, path, err)) return false;
    }
    return true;
}
