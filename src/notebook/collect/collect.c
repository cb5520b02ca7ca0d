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
    *lesson = (CollectedLesson){.id = id,
                                .language = language,
                                .document = document,
                                .hash = random_hash(document->source, document->length, 0)};
    lesson->exercises = document_exercise_count(document, NULL);
    lesson->asked =
        arena_alloc(&document->arena, (size_t)document->cell_count * sizeof *lesson->asked, err);
    if (folder) lesson->folder = arena_string(&document->arena, folder, strlen(folder), err);
    if (!lesson->asked || (folder && !lesson->folder)) return false;
    for (const Cell *cell = document->cells; cell; cell = cell->next)
        if (cell_is_exercise(cell) || cell->kind == CELL_PREDICT || cell->kind == CELL_OPEN)
            lesson->asked[lesson->count++].cell = cell;
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

static bool is_handed_in(const Class *class, const char *id) {
    for (size_t i = 0; i < class->count; i++)
        for (size_t k = 0; k < class->students[i].submission.count; k++)
            if (strcmp(class->students[i].submission.works[k].lesson, id) == 0) return true;
    return false;
}

/* Adds the lessons of the program that anybody handed in, in all languages, in the order of their
 * numbers, and those of the teacher's own, known by the names of their files. */
static bool add_lessons(Class *class, const CollectRequest *request, Error *err) {
    CatalogEntry entry;
    for (Language language = 0; language_codes[language]; language++)
        for (size_t i = 0; catalog_entry(language, i, &entry); i++) {
            if (!is_handed_in(class, entry.id)) continue;
            const char *text = entry.source->text;
            Document *document = document_parse(entry.source->name, text, strlen(text), err);
            if (!document || !add_lesson(class, entry.id, document, language, NULL, err))
                return false;
        }
    for (char *const *path = request->paths; *path; path++) {
        if (!path_has_suffix(*path, "md")) continue;
        char real[PATH_MAX];
        LocalText text = TEXT_EMPTY, folder = TEXT_EMPTY;
        path_folder(&folder, *path);
        if (!text_ok(&folder, err) || !file_read(*path, 0, &text, err)) return false;
        Document *document = document_parse(*path, text.data, text.length, err);
        if (!document || !add_lesson(class, path_name(*path), document, translate_language(),
                                     realpath(folder.data, real) ? real : NULL, err))
            return false;
    }
    return true;
}

/* ---- students ---- */

const ExerciseRecord *work_record(const Work *work, const Asked *asked) {
    return progress_find(&work->from->progress, asked->cell->id);
}

/* Adds a sentence to the notes, which separate them. */
static void note(Student *student, const char *format, ...) ATTN_PRINTF(2, 3);
static void note(Student *student, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (student->notes.length) text_string(&student->notes, tr("; "));
    text_vsay(&student->notes, format, arguments);
    va_end(arguments);
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
        work->answers = mem_zeroed(work->lesson->count, sizeof *work->answers, err);
        if (!work->answers) return false;
        if (work->other_version)
            note(student, "%s: begun in another version of the lesson", work->lesson->id);
    }
    if (student->read && count == 0) note(student, "it holds no lesson");
    for (const Student *other = class->students; student->read && other < student; other++)
        if (other->read && strcmp(other->submission.name, student->submission.name) == 0)
            note(student, "the same name as in %s", other->path);
    return true;
}

/* Appends to a list of words. */
static void list_word(Text *list, const char *word) {
    text_format(list, "%s%s", list->length ? ", " : "", word);
}

/* Says where the student's own program claims more than was found, what was not run or had to be
 * stopped, and which solutions were shown. */
static void note_differences(Student *student) {
    for (size_t i = 0; i < student->submission.count; i++) {
        const Work *work = &student->works[i];
        LocalText claimed = TEXT_FOR(&student->notes), unrun = TEXT_FOR(&student->notes),
                  shown = TEXT_FOR(&student->notes);
        for (size_t k = 0; work->lesson && k < work->lesson->count; k++) {
            const Asked *asked = &work->lesson->asked[k];
            const Answer *answer = work_answer(work, asked);
            const ExerciseRecord *record = work_record(work, asked);
            const char *id = asked->cell->id, *message = "", *code;
            if (!cell_is_exercise(asked->cell) || !record) continue;
            bool solved = answer && answer->solved;
            if (!answer && record->given) list_word(&unrun, id);
            else if (record->state == EXERCISE_SOLVED && !solved) list_word(&claimed, id);
            else if (record->shown && solved) list_word(&shown, id);
            if (!answer || !answer->stopped) continue;
            for (size_t at = 0; answer_step(answer, &at, &message, &code);) continue;
            note(student, "%s: %s was stopped: %s", work->lesson->id, id, message);
        }
        if (unrun.length)
            note(student, "%s: not run, as answers before did not end: %s", work->lesson->id,
                 unrun.data);
        if (claimed.length)
            note(student, "%s: said to be solved, and not found so: %s", work->lesson->id,
                 claimed.data);
        if (shown.length)
            note(student,
                 "%s: solved after the solution was shown (reported by the student's program): %s",
                 work->lesson->id, shown.data);
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
    for (size_t i = 0; i < class->lesson_count; i++) document_free(class->lessons[i].document);
    mem_free(class->students);
    mem_free(class->lessons);
}
#define LocalClass __attribute__((cleanup(class_release))) Class

/* ---- marks ---- */

const char *student_name(const Student *student) {
    return student->read ? student->submission.name : student->path;
}

Work *column_work(const Student *student, const CollectedLesson *lesson) {
    for (size_t i = 0; student->works && i < student->submission.count; i++) {
        Work *work = &student->works[i];
        if (work->lesson && strcmp(work->lesson->id, lesson->id) == 0) return work;
    }
    return NULL;
}

Work *lesson_work(const Student *student, const CollectedLesson *lesson) {
    Work *work = column_work(student, lesson);
    return work && work->lesson == lesson ? work : NULL;
}

const CollectedLesson *next_column(const Class *class, const CollectedLesson *lesson) {
    const CollectedLesson *end = class->lessons + class->lesson_count, *other;
    for (lesson = lesson ? lesson + 1 : class->lessons; lesson < end; lesson++) {
        for (other = class->lessons; strcmp(other->id, lesson->id) != 0; other++) continue;
        if (other == lesson) return lesson;
    }
    return NULL;
}

/* Appends a field: a title where there is no student, else a number; known false: nothing. */
static void csv_number(Text *out, const Student *student, const CollectedLesson *lesson,
                       const char *title, bool known, double number) {
    LocalText text = TEXT_FOR(out);
    if (!student) text_format(&text, "%s %s", lesson->id, tr(title));
    else if (known) text_format(&text, "%.0f", number);
    csv_field(out, text.data);
}

/* Appends a field of words that a student wrote: characters that steer a terminal become signs. */
static void csv_foreign(Text *out, const char *words) {
    LocalText text = TEXT_FOR(out);
    if (words) utf8_write_signs(&text, words, strlen(words), false);
    csv_field(out, text.data);
}

/* The figures of a lesson that the student's own program reported. */
static void csv_reported(Text *out, const Student *student, const CollectedLesson *lesson) {
    const Work *work = student ? column_work(student, lesson) : NULL;
    int attempts = 0, hints = 0;
    for (size_t k = 0; work && k < work->lesson->count; k++) {
        const ExerciseRecord *record = work_record(work, &work->lesson->asked[k]);
        if (!record || !cell_is_exercise(work->lesson->asked[k].cell)) continue;
        attempts += record->attempts;
        hints += record->hints;
    }
    csv_number(out, student, lesson, N_("attempts (reported by the student's program)"), work,
               attempts);
    csv_number(out, student, lesson, N_("hints (reported by the student's program)"), work, hints);
    csv_number(out, student, lesson, N_("minutes (reported by the student's program)"), work,
               work ? work->from->progress.seconds / 60 : 0);
    for (size_t k = 0; k < lesson->count; k++) {
        if (lesson->asked[k].cell->kind != CELL_OPEN) continue;
        const ExerciseRecord *record = work ? work_record(work, &lesson->asked[k]) : NULL;
        LocalText title = TEXT_FOR(out);
        text_format(&title, "%s %s %s", lesson->id, lesson->asked[k].cell->id,
                    tr("answer (reported by the student's program)"));
        csv_foreign(out, !student ? title.data : record ? record->answer : NULL);
    }
}

/* Appends the row of a student, or for NULL the titles of the columns. */
static void csv_row(Text *out, const Class *class, const Student *student) {
    const CollectedLesson *lesson;
    csv_field(out, !student ? tr("name") : student->read ? student->submission.name : "");
    csv_foreign(out, student ? student->path : tr("file"));
    for (lesson = NULL; (lesson = next_column(class, lesson));) {
        const Work *work = student ? column_work(student, lesson) : NULL;
        csv_number(out, student, lesson, N_("solved"), work, work ? work->solved : 0);
        csv_number(out, student, lesson, N_("exercises"), true, lesson->exercises);
    }
    csv_foreign(out, student ? student->notes.data : tr("notes"));
    for (lesson = NULL; (lesson = next_column(class, lesson));) csv_reported(out, student, lesson);
    csv_end_row(out);
}

static void marks_write_csv(Text *out, const Class *class) {
    LocalText rows = TEXT_FOR(out);
    csv_row(&rows, class, NULL);
    for (size_t i = 0; i < class->count; i++) csv_row(&rows, class, &class->students[i]);
    bool beyond_ascii = false;
    for (size_t i = 0; i < rows.length; i++) beyond_ascii |= (unsigned char)rows.data[i] > 0x7F;
    if (beyond_ascii) utf8_write(out, 0xFEFF); /* without it Excel takes it for another encoding */
    text_bytes(out, rows.data, rows.length);
}

/* The marks where a person reads: a row for each student, one that says how many exercises there
 * are, and below them what is to be known. */
static bool write_class_table(Host *host, const Class *class, Error *err) {
    size_t columns = 0, rows = class->count + 1;
    const CollectedLesson *lesson;
    for (lesson = NULL; (lesson = next_column(class, lesson));) columns++;
    LocalMemory const char **names = mem_zeroed(rows + columns, sizeof *names, err);
    LocalMemory double *cells = mem_zeroed(rows * columns, sizeof *cells, err);
    LocalMemory bool *hidden = mem_zeroed(rows * columns, sizeof *hidden, err);
    LocalText titles = TEXT_EMPTY, notes = TEXT_EMPTY;
    Text text = TEXT_EMPTY;
    if (!names || !cells || !hidden) return false;
    for (size_t i = 0, cell = 0; i < rows; i++) {
        const Student *student = i < class->count ? &class->students[i] : NULL;
        names[i] = student ? student_name(student) : tr("exercises");
        for (lesson = NULL; (lesson = next_column(class, lesson)); cell++) {
            const Work *work = student ? column_work(student, lesson) : NULL;
            cells[cell] = work ? work->solved : lesson->exercises;
            hidden[cell] = student && !work;
        }
        if (student && student->notes.length)
            text_format(&notes, "%s: %s\n", names[i], student->notes.data);
    }
    for (lesson = NULL; (lesson = next_column(class, lesson));) {
        /* A lesson of the program has a number, which takes less room than its name. */
        int number = lesson->folder ? 0 : atoi(lesson->document->file);
        if (number) text_format(&titles, "%d%c", number, 0);
        else text_format(&titles, "%s%c", lesson->id, 0);
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
    return request->outputs[0] || write_class_table(host, class, err);
}

bool collect_marks(Host *host, const CollectRequest *request, Error *err) {
    /* A file that cannot be written, or is there, is said before the work, not after. */
    for (int i = 0; i < 2 && request->outputs[i]; i++) {
        const char *path = request->outputs[i];
        FileReplacement begun;
        if (!format_of(path, err) || !output_is_free(path, request->force, err) ||
            !file_replace_begin(&begun, path, err))
            return false;
        file_replace_cancel(&begun);
    }

    LocalClass class = {.students = NULL};
    size_t count = 0;
    while (request->paths[count]) count++;
    class.students = mem_zeroed(count, sizeof *class.students, err);
    if (!class.students) return false;
    for (char *const *path = request->paths; *path; path++) {
        if (path_has_suffix(*path, "md")) continue;
        Student *student = &class.students[class.count++];
        Error problem = {.kind = ERR_NONE};
        student->path = *path;
        student->notes = (Text)TEXT_EMPTY;
        student->read = submission_read(&student->submission, *path, &problem);
        if (problem.kind == ERR_INTERRUPT) {
            *err = problem;
            return false;
        }
        if (student->read) continue;
        submission_release(&student->submission);
        note(student, "%s", problem.message);
    }
    if (!add_lessons(&class, request, err)) return false;
    for (size_t i = 0; i < class.count; i++)
        if (!begin_works(&class, &class.students[i], err)) return false;

    Rerun rerun = {.host = host, .request = request, .teacher = translate_language()};
    CollectedLesson *begin = class.lessons, *end = begin + class.lesson_count;
    size_t asked = 0;
    for (const CollectedLesson *lesson = begin; lesson < end; lesson++)
        if (lesson->works) asked += lesson->count;
    rerun.part = 1 / (double)asked;
    bool ok = true;
    for (rerun.lesson = begin; ok && rerun.lesson < end; rerun.lesson++)
        if (rerun.lesson->works) ok = lesson_rerun(&rerun, &class, err);
    host_progress(host, "", 1);
    if (!ok) return false;
    for (size_t i = 0; i < class.count; i++) note_differences(&class.students[i]);
    return write_outputs(host, request, &class, err);
}
