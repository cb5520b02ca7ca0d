#include "notebook/collect/collect.h"

#include "base/csv_row.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/translate.h"
#include "base/utf8.h"
#include "io/file.h"
#include "io/json.h"
#include "notebook/catalog.h"
#include "view/terminal/table.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- lessons ---- */

/* Adds a lesson, of which `document` is taken over. folder: or NULL. */
static bool add_lesson(Class *class, const char *id, Document *document, Language language,
                       const char *folder, Error *err) {
    CollectedLesson *lessons = mem_grow(class->lessons, class->lesson_count,
                                        &class->lesson_capacity, sizeof *lessons, err);
    if (!lessons) {
        document_free(document);
        return false;
    }
    class->lessons = lessons;
    CollectedLesson *lesson = &lessons[class->lesson_count++];
    *lesson = (CollectedLesson){.language = language,
                                .document = document,
                                .hash = random_hash(document->source, document->length, 0)};
    lesson->exercises = document_exercise_count(document, NULL);
    lesson->asked = mem_zeroed((size_t)document->cell_count, sizeof *lesson->asked, err);
    lesson->id = mem_string(id, strlen(id), err);
    lesson->folder = folder ? mem_string(folder, strlen(folder), err) : NULL;
    if (!lesson->asked || !lesson->id || (folder && !lesson->folder)) return false;
    for (int i = 0; i < document->cell_count; i++) {
        const Cell *cell = document->cells[i];
        if (cell_is_exercise(cell) || cell->kind == CELL_PREDICT || cell->kind == CELL_OPEN)
            lesson->asked[lesson->count++].cell = cell;
    }
    return true;
}

/* Adds a document of the teacher's own, known by the name of its file. */
static bool add_own(Class *class, const char *path, Error *err) {
    const char *slash = strrchr(path, '/');
    char real[PATH_MAX];
    LocalText text = TEXT_EMPTY, folder = TEXT_EMPTY;
    path_folder(&folder, path);
    if (!text_ok(&folder, err) || !file_read(path, 0, &text, err)) return false;
    Document *document = document_parse(path, text.data, text.length, err);
    return document && add_lesson(class, slash ? slash + 1 : path, document, translate_language(),
                                  realpath(folder.data, real) ? real : NULL, err);
}

/* Adds the lesson of the program that has this id, in all languages. None is no error. */
static bool add_from_catalogue(Class *class, const char *id, Error *err) {
    CatalogEntry entry;
    for (Language language = 0; language_codes[language]; language++) {
        for (size_t i = 0; catalog_entry(language, i, &entry); i++) {
            if (strcmp(entry.id, id) != 0) continue;
            const char *text = entry.source->text;
            Document *document = document_parse(entry.source->name, text, strlen(text), err);
            if (!document || !add_lesson(class, id, document, language, NULL, err)) return false;
        }
    }
    return true;
}

/* The lesson that the work belongs to: the very text that the student had, or that of the same
 * language, or any. NULL: there is none. */
static CollectedLesson *lesson_of(const Class *class, const LessonWork *work) {
    CollectedLesson *best = NULL;
    int most = 0;
    for (size_t i = 0; i < class->lesson_count; i++) {
        CollectedLesson *lesson = &class->lessons[i];
        bool same = lesson->hash == work->progress.hash,
             spoken = strcmp(language_codes[lesson->language], work->progress.language) == 0;
        int fits = 1 + spoken + 2 * same;
        if (strcmp(lesson->id, work->lesson) != 0 || fits <= most) continue;
        best = lesson;
        most = fits;
    }
    return best;
}

/* Adds all lessons that anybody handed in: those of the program in the order of their numbers. */
static bool add_lessons(Class *class, const CollectRequest *request, Error *err) {
    CatalogEntry entry;
    bool ok = true;
    for (size_t n = 0; ok && catalog_entry(LANGUAGE_ENGLISH, n, &entry); n++) {
        bool wanted = false;
        for (size_t i = 0; i < class->count; i++)
            for (size_t k = 0; k < class->students[i].submission.count; k++)
                wanted |= strcmp(class->students[i].submission.works[k].lesson, entry.id) == 0;
        if (wanted) ok = add_from_catalogue(class, entry.id, err);
    }
    for (size_t i = 0; ok && request->paths[i]; i++)
        if (path_has_suffix(request->paths[i], "md")) ok = add_own(class, request->paths[i], err);
    return ok;
}

/* ---- students ---- */

const ExerciseRecord *work_record(const Work *work, const Asked *asked) {
    return progress_find(&work->from->progress, asked->cell->id);
}

const char *work_guess(const Work *work, const Asked *asked) {
    const Progress *progress = &work->from->progress;
    const char *guess = NULL;
    for (size_t i = 0; i < progress->event_count && !work->other_version; i++) {
        const Event *event = &progress->events[i];
        if (event->kind == EVENT_GUESS && event->number == asked->cell->index && *event->text)
            guess = event->text;
    }
    return guess;
}

/* Adds a sentence to the notes, which separate them. */
static void note(Student *student, const char *format, ...) ATTN_PRINTF(2, 3);
static void note(Student *student, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (student->notes.length) text_string(&student->notes, "; ");
    text_vsay(&student->notes, format, arguments);
    va_end(arguments);
}

static bool read_student(Student *student, const char *path, Error *err) {
    Error problem = {.kind = ERR_NONE};
    student->path = path;
    student->notes = (Text)TEXT_EMPTY;
    student->read = submission_read(&student->submission, path, &problem);
    if (problem.kind == ERR_INTERRUPT) {
        *err = problem;
        return false;
    }
    if (!student->read) {
        submission_release(&student->submission);
        note(student, "%s", problem.message);
    }
    return true;
}

/* Finds the lessons that a student's work belongs to. */
static bool begin_works(Class *class, Student *student, Error *err) {
    size_t count = student->submission.count;
    student->works = mem_zeroed(count, sizeof *student->works, err);
    if (!student->works) return false;
    for (size_t i = 0; i < count; i++) {
        Work *work = &student->works[i];
        work->from = &student->submission.works[i];
        work->lesson = lesson_of(class, work->from);
        if (!work->lesson) {
            note(student, "%s: no such lesson here", quoted_text(work->from->lesson).text);
            continue;
        }
        work->lesson->works++;
        work->other_version = work->lesson->hash != work->from->progress.hash;
        work->answers = mem_alloc(work->lesson->count * sizeof *work->answers, err);
        if (!work->answers) return false;
        for (size_t k = 0; k < work->lesson->count; k++) work->answers[k] = NOT_FOUND;
        if (work->other_version)
            note(student, "%s: begun in another version of the lesson", work->lesson->id);
    }
    if (student->read && count == 0) note(student, "it holds no lesson");
    for (const Student *other = class->students; student->read && other < student; other++)
        if (other->read && strcmp(other->submission.name, student->submission.name) == 0)
            note(student, "the same name as in %s", other->path);
    return true;
}

/* Says where the student's own program claims more than was found, and what had to be stopped. */
static void note_differences(Student *student) {
    for (size_t i = 0; i < student->submission.count; i++) {
        const Work *work = &student->works[i];
        LocalText claimed = TEXT_FOR(&student->notes), unrun = TEXT_FOR(&student->notes);
        for (size_t k = 0; work->lesson && k < work->lesson->count; k++) {
            const Asked *asked = &work->lesson->asked[k];
            if (!cell_is_exercise(asked->cell)) continue;
            const Answer *answer = work_answer(work, asked);
            const ExerciseRecord *record = work_record(work, asked);
            const char *id = asked->cell->id, *message = "", *code;
            size_t at = 0;
            if (!answer && record && record->given)
                text_format(&unrun, "%s%s", unrun.length ? ", " : "", id);
            else if (progress_state(&work->from->progress, id) == EXERCISE_SOLVED &&
                     !(answer && answer->solved))
                text_format(&claimed, "%s%s", claimed.length ? ", " : "", id);
            if (!answer || !answer->stopped) continue;
            while (answer_step(answer, &at, &message, &code)) continue;
            note(student, "%s: %s was stopped: %s", work->lesson->id, id, message);
        }
        if (unrun.length)
            note(student, "%s: not run, as answers before did not end: %s", work->lesson->id,
                 unrun.data);
        if (claimed.length)
            note(student, "%s: said to be solved, and not found so: %s", work->lesson->id,
                 claimed.data);
    }
}

static void class_release(Class *class) {
    for (size_t i = 0; i < class->count; i++) {
        Student *student = &class->students[i];
        for (size_t k = 0; student->works && k < student->submission.count; k++)
            mem_free(student->works[k].answers);
        mem_free(student->works);
        submission_release(&student->submission);
        text_release(&student->notes);
    }
    for (size_t i = 0; i < class->lesson_count; i++) {
        CollectedLesson *lesson = &class->lessons[i];
        for (size_t k = 0; k < lesson->count; k++) {
            for (size_t n = 0; n < lesson->asked[k].count; n++) {
                text_release(&lesson->asked[k].answers[n].steps);
                mem_free(lesson->asked[k].answers[n].before);
            }
            mem_free(lesson->asked[k].answers);
            mem_free(lesson->asked[k].truth);
        }
        mem_free(lesson->asked);
        mem_free(lesson->id);
        mem_free(lesson->folder);
        document_free(lesson->document);
    }
    mem_free(class->students);
    mem_free(class->lessons);
}

/* ---- marks ---- */

bool lesson_is_first(const Class *class, const CollectedLesson *lesson) {
    for (const CollectedLesson *other = class->lessons; other < lesson; other++)
        if (strcmp(other->id, lesson->id) == 0) return false;
    return true;
}

const Work *student_work(const Student *student, const char *lesson) {
    for (size_t i = 0; student->works && i < student->submission.count; i++)
        if (student->works[i].lesson && strcmp(student->works[i].lesson->id, lesson) == 0)
            return &student->works[i];
    return NULL;
}

static void csv_number(Text *out, bool known, double number) {
    LocalText text = TEXT_FOR(out);
    if (known) text_format(&text, "%.0f", number);
    csv_field(out, text.data);
}

/* What the class wrote may hold what steers a terminal: its signs stand for it. */
static void csv_foreign(Text *out, const char *words) {
    LocalText text = TEXT_FOR(out);
    if (words) utf8_write_signs(&text, words, strlen(words), false);
    csv_field(out, text.data);
}

/* A title of a column: "soft-lookup solved". */
static void csv_title(Text *out, const char *lesson, const char *what) {
    LocalText text = TEXT_FOR(out);
    text_format(&text, "%s %s", lesson, tr(what));
    csv_field(out, text.data);
}

/* The titles of a lesson's columns, or what a student has in them. */
static void csv_reported(Text *out, const CollectedLesson *lesson, const Student *student) {
    static const char *const titles[] = {
        N_("attempts (reported by the student's program)"),
        N_("hints (reported by the student's program)"),
        N_("minutes (reported by the student's program)"),
    };
    const Work *work = student ? student_work(student, lesson->id) : NULL;
    int sums[2] = {0};
    for (size_t k = 0; work && k < work->lesson->count; k++) {
        const ExerciseRecord *record = work_record(work, &work->lesson->asked[k]);
        if (!record || !cell_is_exercise(work->lesson->asked[k].cell)) continue;
        sums[0] += record->attempts;
        sums[1] += record->hints;
    }
    for (int i = 0; i < 3; i++) {
        if (!student) csv_title(out, lesson->id, titles[i]);
        else csv_number(out, work, i < 2 ? sums[i] : work ? work->from->progress.seconds / 60 : 0);
    }
    for (size_t k = 0; k < lesson->count; k++) {
        if (lesson->asked[k].cell->kind != CELL_OPEN) continue;
        const ExerciseRecord *record = work ? work_record(work, &lesson->asked[k]) : NULL;
        LocalText title = TEXT_FOR(out);
        text_format(&title, "%s %s", lesson->asked[k].cell->id,
                    tr("answer (reported by the student's program)"));
        if (!student) csv_title(out, lesson->id, title.data);
        else csv_foreign(out, record ? record->answer : NULL);
    }
}

static void marks_write_csv(Text *out, const Class *class) {
    const CollectedLesson *end = class->lessons + class->lesson_count;
    csv_field(out, tr("name"));
    csv_field(out, tr("file"));
    for (const CollectedLesson *lesson = class->lessons; lesson < end; lesson++) {
        if (!lesson_is_first(class, lesson)) continue;
        csv_title(out, lesson->id, N_("solved"));
        csv_title(out, lesson->id, N_("exercises"));
    }
    csv_field(out, tr("notes"));
    for (const CollectedLesson *lesson = class->lessons; lesson < end; lesson++)
        if (lesson_is_first(class, lesson)) csv_reported(out, lesson, NULL);
    csv_end_row(out);
    for (const Student *student = class->students; student < class->students + class->count;
         student++) {
        csv_field(out, student->read ? student->submission.name : "");
        csv_foreign(out, student->path);
        for (const CollectedLesson *lesson = class->lessons; lesson < end; lesson++) {
            if (!lesson_is_first(class, lesson)) continue;
            const Work *work = student_work(student, lesson->id);
            csv_number(out, work, work ? work->solved : 0);
            csv_number(out, true, lesson->exercises);
        }
        csv_foreign(out, student->notes.data);
        for (const CollectedLesson *lesson = class->lessons; lesson < end; lesson++)
            if (lesson_is_first(class, lesson)) csv_reported(out, lesson, student);
        csv_end_row(out);
    }
}

/* The marks where a person reads: a row for each student, one that says how many exercises there
 * are, and below them what is to be known. */
static bool write_table(Host *host, const Class *class, Error *err) {
    size_t columns = 0, lessons = class->lesson_count, rows = class->count + 1;
    LocalMemory const char **names = mem_zeroed(rows + lessons, sizeof *names, err);
    LocalMemory double *cells = mem_zeroed(rows * (lessons + 1), sizeof *cells, err);
    LocalMemory bool *hidden = mem_zeroed(rows * (lessons + 1), sizeof *hidden, err);
    LocalText titles = TEXT_EMPTY, notes = TEXT_EMPTY;
    Text text = TEXT_EMPTY;
    if (!names || !cells || !hidden) return false;
    for (size_t i = 0; i < lessons; i++) columns += lesson_is_first(class, &class->lessons[i]);
    for (size_t i = 0; i < rows; i++) {
        const Student *student = i < class->count ? &class->students[i] : NULL;
        size_t column = i * columns;
        names[i] = !student        ? tr("exercises")
                   : student->read ? student->submission.name
                                   : student->path;
        for (size_t k = 0; k < lessons; k++) {
            const CollectedLesson *lesson = &class->lessons[k];
            if (!lesson_is_first(class, lesson)) continue;
            const Work *work = student ? student_work(student, lesson->id) : NULL;
            cells[column] = work ? work->solved : lesson->exercises;
            hidden[column++] = student && !work;
            if (student) continue;
            /* A lesson of the program has a number, which takes less room than its name. */
            int number = lesson->folder ? 0 : atoi(lesson->document->file);
            if (number) text_format(&titles, "%d%c", number, 0);
            else text_format(&titles, "%s%c", lesson->id, 0);
        }
        if (student && student->notes.length)
            text_format(&notes, "%s: %s\n", names[i], student->notes.data);
    }
    const char *title = titles.data;
    for (size_t k = 0; k < columns; k++, title += strlen(title) + 1) names[rows + k] = title;
    Table table = {.cells = cells,
                   .rows = rows,
                   .columns = columns,
                   .all_rows = true,
                   .row_labels = {names, rows},
                   .column_labels = {names + rows, columns},
                   .hidden = hidden,
                   .digits = 4,
                   .corner = "name"};
    if (columns) table_write(&text, &table, host->columns, host->color, host->utf8);
    utf8_wrap_lines(&text, &notes, (size_t)host->columns);
    if (titles.failed) text_fail(&text);
    return host_write_text(host, &text, err);
}

/* ---- all of it ---- */

typedef struct MarksFormat {
    const char *suffix;
    void (*write)(Text *out, const Class *class);
} MarksFormat;

static const MarksFormat formats[] = {{"csv", marks_write_csv}, {"html", marks_write_page}};

static const MarksFormat *format_of(const char *path, Error *err) {
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (path_has_suffix(path, formats[i].suffix)) return &formats[i];
    error_set(err, ERR_VALUE, "the name %s does not say what the marks are to become", path);
    error_hint(err, "end it in .csv or .html");
    return NULL;
}

static bool write_outputs(Host *host, const CollectRequest *request, const Class *class,
                          Error *err) {
    size_t unread = 0;
    for (size_t i = 0; i < class->count; i++) unread += !class->students[i].read;
    if (unread && unread == class->count) {
        error_set(err, ERR_FILE, "%s", class->students[0].notes.data);
        return error_hint(err, "collect takes what attn submit has written");
    }
    for (int i = 0; i < 2 && request->outputs[i]; i++) {
        Text text = TEXT_EMPTY;
        format_of(request->outputs[i], NULL)->write(&text, class);
        if (!file_write_text(true, request->outputs[i], &text, err) ||
            !host_print(host, err,
                        class->count == 1 ? "%s: the marks of %zu file\n"
                                          : "%s: the marks of %zu files\n",
                        request->outputs[i], class->count))
            return false;
    }
    if (unread && request->outputs[0] &&
        !host_print(host, err, "not read, as the notes say: %zu\n", unread))
        return false;
    return request->outputs[0] || write_table(host, class, err);
}

bool collect_marks(Host *host, const CollectRequest *request, Error *err) {
    Class class = {.students = NULL};
    size_t count = 0;
    for (int i = 0; i < 2 && request->outputs[i]; i++)
        if (!format_of(request->outputs[i], err) ||
            !output_is_free(request->outputs[i], request->force, err))
            return false;
    while (request->paths[count]) count++;
    class.students = mem_zeroed(count, sizeof *class.students, err);
    bool ok = class.students != NULL;
    for (size_t i = 0; ok && i < count; i++)
        if (!path_has_suffix(request->paths[i], "md"))
            ok = read_student(&class.students[class.count++], request->paths[i], err);
    ok = ok && add_lessons(&class, request, err);
    for (size_t i = 0; ok && i < class.count; i++)
        ok = begin_works(&class, &class.students[i], err);
    for (size_t i = 0; ok && i < class.lesson_count; i++) {
        host_progress(host, "", (double)i / (double)class.lesson_count);
        if (class.lessons[i].works) ok = lesson_rerun(request, &class, &class.lessons[i], err);
    }
    host_progress(host, "", 1);
    for (size_t i = 0; ok && i < class.count; i++) note_differences(&class.students[i]);
    ok = ok && write_outputs(host, request, &class, err);
    class_release(&class);
    return ok;
}
