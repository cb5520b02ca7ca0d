#include "notebook/progress.h"

#include "base/memory.h"
#include "base/translate.h"
#include "io/file.h"
#include "io/json.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How the file writes the kinds of events and the states of exercises. */
static const char *const event_words[EVENT_KINDS] = {"at", "cell", "solution", "line", "guess"};
static const char *const state_words[EXERCISE_STATES] = {"open", "skipped", "missed", "solved"};
enum { FORMAT = 1, FILE_LIMIT = 16 << 20 };
static const double SECONDS_NOTED = 0.05;

static int word_index(const char *const *words, int count, const char *word) {
    for (int i = 0; word && i < count; i++)
        if (strcmp(words[i], word) == 0) return i;
    return -1;
}

/* ---- the person's own ---- */

bool progress_add(Progress *progress, EventKind kind, int number, const char *text, size_t length,
                  Error *err) {
    Event *events = mem_grow(progress->events, progress->event_count, &progress->event_capacity,
                             sizeof *events, err);
    if (!events) return false;
    progress->events = events;
    char *copy = text ? mem_string(text, length, err) : NULL;
    if (text && !copy) return false;
    events[progress->event_count++] = (Event){.kind = kind, .number = number, .text = copy};
    return true;
}

void progress_cut(Progress *progress, size_t count) {
    while (progress->event_count > count) mem_free(progress->events[--progress->event_count].text);
}

const ExerciseRecord *progress_find(const Progress *progress, const char *id) {
    for (size_t i = 0; i < progress->record_count; i++)
        if (strcmp(progress->records[i].id, id) == 0) return &progress->records[i];
    return NULL;
}

ExerciseRecord *progress_record(Progress *progress, const char *id, Error *err) {
    ExerciseRecord *record = (ExerciseRecord *)progress_find(progress, id);
    if (record) return record;
    ExerciseRecord *records = mem_grow(progress->records, progress->record_count,
                                       &progress->record_capacity, sizeof *records, err);
    if (!records) return NULL;
    progress->records = records;
    char *copy = mem_string(id, strlen(id), err);
    if (!copy) return NULL;
    record = &records[progress->record_count++];
    *record = (ExerciseRecord){.id = copy};
    return record;
}

ExerciseState progress_state(const Progress *progress, const char *id) {
    const ExerciseRecord *record = progress_find(progress, id);
    return record ? record->state : EXERCISE_OPEN;
}

bool progress_give(Progress *progress, const char *id, const Text *given, Error *err) {
    ExerciseRecord *record = progress_record(progress, id, err);
    return record && text_ok(given, err) && mem_replace_string(&record->given, given->data, err);
}

/* Forgets everything but where it is kept. */
static void empty(Progress *progress) {
    progress_cut(progress, 0);
    for (size_t i = 0; i < progress->record_count; i++) {
        mem_free(progress->records[i].id);
        mem_free(progress->records[i].answer);
        mem_free(progress->records[i].given);
    }
    mem_free(progress->events);
    mem_free(progress->records);
    *progress = (Progress){.path = progress->path};
}

void progress_release(Progress *progress) {
    empty(progress);
    mem_free(progress->path);
    *progress = (Progress){.path = NULL};
}

/* ---- the file ---- */

bool progress_path(Text *out, const char *lesson) {
    bool known = path_state(out, "lessons/");
    if (known) text_format(out, "%s.json", lesson);
    return known;
}

/* Appends a string behind its key; nothing where there is none. */
static void write_if_there(Text *out, const char *key, const char *text) {
    if (!text) return;
    text_string(out, key);
    json_write_text(out, text);
}

void progress_write(Text *out, const Progress *progress) {
    text_format(out, "{\"format\": %d, \"language\": \"%s\", \"document\": \"%016llx\"", FORMAT,
                progress->language, progress->hash);
    text_format(out, ", \"finished\": %s, \"seconds\": %.0f,\n \"exercises\": {",
                progress->finished ? "true" : "false", progress->seconds);
    for (size_t i = 0; i < progress->record_count; i++) {
        const ExerciseRecord *record = &progress->records[i];
        text_string(out, i ? ",\n  " : "\n  ");
        json_write_text(out, record->id);
        text_format(out, ": {\"state\": \"%s\", \"attempts\": %d, \"hints\": %d",
                    state_words[record->state], record->attempts, record->hints);
        if (record->shown) text_string(out, ", \"shown\": true");
        if (record->text) text_format(out, ", \"text\": \"%016llx\"", record->text);
        write_if_there(out, ", \"answer\": ", record->answer);
        write_if_there(out, ", \"given\": ", record->given);
        text_char(out, '}');
    }
    text_string(out, "},\n \"events\": [");
    for (size_t i = 0; i < progress->event_count; i++) {
        const Event *event = &progress->events[i];
        text_format(out, "%s[\"%s\", %d", i ? ",\n  " : "\n  ", event_words[event->kind],
                    event->number);
        write_if_there(out, ", ", event->text);
        if (event->seconds >= SECONDS_NOTED)
            text_format(out, "%s, %.2f", event->text ? "" : ", null", event->seconds);
        text_char(out, ']');
    }
    text_string(out, "]}");
}

static int read_count(const json_t *object, const char *key) {
    json_int_t number = json_integer_value(json_object_get(object, key));
    return number < 0 ? 0 : number > 1000000 ? 1000000 : (int)number;
}

static unsigned long long read_hash(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? strtoull(text, NULL, 16) : 0;
}

bool progress_read(Progress *progress, const json_t *root, const char *what, Error *err) {
    if (read_count(root, "format") != FORMAT)
        return error_set(err, ERR_FILE, "%s is no progress in a lesson", what);
    const char *language = json_string_value(json_object_get(root, "language"));
    memcpy(progress->language, language_codes[language_from_name(language ? language : "")], 3);
    progress->hash = read_hash(root, "document");
    progress->finished = json_is_true(json_object_get(root, "finished"));
    double seconds = json_number_value(json_object_get(root, "seconds"));
    progress->seconds = seconds > 0 && seconds < 1e9 ? seconds : 0;

    const char *id;
    json_t *exercises = json_object_get(root, "exercises"), *item;
    json_object_foreach(exercises, id, item) {
        int state = word_index(state_words, EXERCISE_STATES,
                               json_string_value(json_object_get(item, "state")));
        ExerciseRecord *record = progress_record(progress, id, err);
        if (!record) return false;
        record->state = state < 0 ? EXERCISE_OPEN : (ExerciseState)state;
        record->text = read_hash(item, "text");
        record->attempts = read_count(item, "attempts");
        record->hints = read_count(item, "hints");
        record->shown = json_is_true(json_object_get(item, "shown"));
        const char *answer = json_string_value(json_object_get(item, "answer")),
                   *given = json_string_value(json_object_get(item, "given"));
        if (!mem_replace_string(&record->answer, answer, err) ||
            !mem_replace_string(&record->given, given, err))
            return false;
    }

    const json_t *events = json_object_get(root, "events");
    for (size_t i = 0; i < json_array_size(events); i++) {
        const json_t *event = json_array_get(events, i);
        int kind =
            word_index(event_words, EVENT_KINDS, json_string_value(json_array_get(event, 0)));
        json_int_t number = json_integer_value(json_array_get(event, 1));
        const char *text = json_string_value(json_array_get(event, 2));
        bool wants_text = kind == EVENT_LINE || kind == EVENT_GUESS;
        if (kind < 0 || number < 0 || number > 1000000 || (wants_text && !text))
            return error_set(err, ERR_FILE, "event %zu is not one that attn knows", i + 1);
        if (!progress_add(progress, (EventKind)kind, (int)number, text, text ? strlen(text) : 0,
                          err))
            return false;
        progress->events[i].seconds = json_number_value(json_array_get(event, 3));
    }
    return true;
}

static bool read_progress_file(Progress *progress, Error *err) {
    LocalText text = TEXT_EMPTY;
    LocalJsonTree tree = {NULL, NULL};
    if (!file_read(progress->path, FILE_LIMIT, &text, err)) return false;
    return (json_tree_read(&tree, text.data, text.length, progress->path, err) &&
            progress_read(progress, tree.root, progress->path, err)) ||
           error_hint(err, "move it away, and the lesson begins anew");
}

bool progress_open(Progress *progress, const char *lesson, bool keep, Error *err) {
    LocalText path = TEXT_EMPTY;
    *progress = (Progress){.path = NULL};
    progress->path = progress_path(&path, lesson) ? text_take(&path, err) : NULL;
    if (!progress->path) return !path.failed;
    bool ok = access(progress->path, F_OK) != 0 || read_progress_file(progress, err);
    if (!ok) empty(progress);
    if (!ok || !keep) {
        mem_free(progress->path);
        progress->path = NULL;
    }
    return ok;
}

/* Takes over what another attn has solved or answered of the exercise as it is now. */
static bool merge_record(ExerciseRecord *ours, const ExerciseRecord *theirs, Error *err) {
    bool same = !ours->text || !theirs->text || ours->text == theirs->text;
    if (same && theirs->state > ours->state) {
        ours->state = theirs->state;
        ours->shown = theirs->shown;
        ours->text = theirs->text;
        mem_replace_string(&ours->given, NULL, err);
    }
    return (ours->given || mem_replace_string(&ours->given, theirs->given, err)) &&
           (ours->answer || mem_replace_string(&ours->answer, theirs->answer, err));
}

/* Takes over what another attn has done in this lesson since it was opened here. */
static bool merge_others(Progress *progress, Error *err) {
    if (access(progress->path, F_OK) != 0) return true;
    Progress other = {.path = progress->path};
    Error problem = {.kind = ERR_NONE};
    bool readable = read_progress_file(&other, &problem), ok = true;
    for (size_t i = 0; readable && ok && i < other.record_count; i++) {
        ExerciseRecord *ours = progress_record(progress, other.records[i].id, err);
        ok = ours && merge_record(ours, &other.records[i], err);
    }
    empty(&other);
    if (readable || problem.kind == ERR_LIMIT) return ok;
    LocalText aside = TEXT_EMPTY; /* it may still be mended by hand */
    text_format(&aside, "%s.unreadable", progress->path);
    ok = text_ok(&aside, err);
    if (ok) rename(progress->path, aside.data); /* where that fails, writing will, too */
    return ok;
}

bool progress_replace(Progress *progress, Error *err) {
    if (!progress->path) return true;
    Text text = TEXT_EMPTY;
    path_make_folders(progress->path);
    progress_write(&text, progress);
    text_char(&text, '\n');
    return file_write_text(true, progress->path, &text, err);
}

bool progress_save(Progress *progress, Error *err) {
    return !progress->path || (merge_others(progress, err) && progress_replace(progress, err));
}

bool progress_forget(Progress *progress, Error *err) {
    empty(progress);
    if (progress->path && unlink(progress->path) != 0 && errno != ENOENT)
        return error_set(err, ERR_FILE, "%s cannot be removed: %s", progress->path,
                         strerror(errno));
    return true;
}
