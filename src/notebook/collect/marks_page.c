/* The marks of a class as a page: who solved what, and for each lesson where students stopped, what
 * they answered wrongly, guessed and wrote. */
#include "base/memory.h"
#include "base/translate.h"
#include "notebook/collect/collect.h"
#include "notebook/export/html_page.h"
#include "notebook/prose.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WRONG_SHOWN = 5 }; /* of an exercise: its commonest wrong answers */

static void write_element(Text *out, const char *tag, const char *text) {
    html_format(out, "<%s>%s</%s>", tag, text, tag);
}

static const char table_head[] =
    "<div class=\"scroll\" tabindex=\"0\" role=\"group\"><table>\n<thead><tr>",
                  table_body[] = "</tr></thead>\n<tbody>\n";

/* Begins a table with these titles, which NULL ends. Returns where its rows begin. */
static size_t open_table(Text *out, const char *const *titles) {
    text_string(out, table_head);
    for (; *titles; titles++) write_element(out, "th", tr(*titles));
    text_string(out, table_body);
    return out->length;
}

static void close_table(Text *out) { text_string(out, "</tbody>\n</table></div>\n"); }

/* Ends a table. One without a row is removed, with its heading, which begins at `begin`. */
static void close_table_or_drop(Text *out, size_t begin, size_t rows) {
    if (out->length == rows) text_cut(out, begin);
    else close_table(out);
}

/* Appends what is asked, in one line. */
static void write_question(Text *out, const char *tag, const Cell *cell) {
    LocalText words = TEXT_FOR(out);
    for (const DocNode *part = cell->node->first; part; part = part->next) {
        if (words.length) text_char(&words, ' ');
        prose_plain(&words, part);
    }
    write_element(out, tag, words.data);
}

/* ---- exercises ---- */

/* Where a student stopped: at the first exercise behind the last one that was solved; NULL: all
 * that count are done. */
static const Asked *stopped_at(const Work *work) {
    const Asked *stop = NULL;
    for (size_t k = 0; k < work->lesson->count; k++) {
        const Asked *asked = &work->lesson->asked[k];
        const Answer *answer = cell_counts(asked->cell) ? work_answer(work, asked) : NULL;
        if (answer && answer->solved) stop = NULL;
        else if (!stop && cell_counts(asked->cell)) stop = asked;
    }
    return stop;
}

static void write_exercises(Text *out, const Class *class, const CollectedLesson *lesson) {
    open_table(out, (const char *const[]){N_("exercise"), N_("solved"), N_("tried, not solved"),
                                          N_("who stopped here"), NULL});
    for (const Asked *asked = lesson->asked; asked < lesson->asked + lesson->count; asked++) {
        if (!cell_is_exercise(asked->cell)) continue;
        size_t solved = 0, tried = 0;
        for (size_t n = 0; n < asked->count; n++)
            *(asked->answers[n].solved ? &solved : &tried) += asked->answers[n].students;
        LocalText title = TEXT_FOR(out);
        text_format(&title, asked->cell->further ? tr("%s (Further)") : "%s", asked->cell->id);
        html_format(out, "<tr><td>%s</td>", title.data);
        text_format(out, "<td>%zu/%zu</td><td>%zu</td><td>", solved, lesson->works, tried);
        bool first = true;
        for (size_t i = 0; i < class->count; i++) {
            const Work *work = lesson_work(&class->students[i], lesson);
            if (!work || stopped_at(work) != asked) continue;
            if (!first) text_string(out, ", ");
            first = false;
            html_string(out, student_name(&class->students[i]));
        }
        text_string(out, "</td></tr>\n");
    }
    close_table(out);
}

typedef struct Wrong {
    const char *message, *code;
    size_t students;
    const Answer *last; /* in which it was found */
} Wrong;

static int compare_wrong(const void *a, const void *b) {
    const Wrong *one = a, *other = b;
    return one->students < other->students ? 1 : one->students > other->students ? -1 : 0;
}

/* Moves behind a number at *at in a text. False: there is none, or a name with digits. */
static bool pass_number(const char *text, const char **at) {
    char before = *at > text ? (*at)[-1] : ' ';
    if (!isdigit((unsigned char)**at) || isalnum((unsigned char)before) || before == '_')
        return false;
    strtod(*at, (char **)at);
    return true;
}

/* True if two messages say the same, but for numbers, which come from what each student gave. */
static bool same_but_numbers(const char *message, const char *other) {
    const char *a = message, *b = other;
    while (*a && *b) {
        bool number = pass_number(message, &a);
        if (number != pass_number(other, &b)) return false;
        if (!number && *a++ != *b++) return false;
    }
    return *a == *b;
}

/* The messages that students got, with an entry that got each, the commonest first. */
static void write_wrong(Text *out, const Asked *asked) {
    size_t count = 0, capacity = 0;
    Wrong *wrong = NULL;
    for (size_t n = 0; n < asked->count; n++) {
        const char *message, *code;
        for (size_t at = 0; answer_step(&asked->answers[n], &at, &message, &code);) {
            size_t i = 0;
            while (i < count && !same_but_numbers(wrong[i].message, message)) i++;
            Wrong *grown =
                i < count ? wrong : mem_grow(wrong, count, &capacity, sizeof *wrong, NULL);
            if (!grown) {
                text_fail(out);
                break;
            }
            wrong = grown;
            if (i == count) wrong[count++] = (Wrong){message, code, 0, NULL};
            if (wrong[i].last != &asked->answers[n])
                wrong[i].students += asked->answers[n].students;
            wrong[i].last = &asked->answers[n];
        }
    }
    if (count) qsort(wrong, count, sizeof *wrong, compare_wrong);
    for (size_t i = 0; i < count && i < WRONG_SHOWN && wrong[i].students; i++) {
        html_format(out, "<tr><td>%s</td>", asked->cell->id);
        text_format(out, "<td>%zu</td>", wrong[i].students);
        html_format(out, "<td class=\"long\">%s</td><td><pre>%s</pre></td></tr>\n",
                    wrong[i].message, wrong[i].code);
    }
    mem_free(wrong);
}

/* ---- predictions and open questions ---- */

static int compare_numbers(const void *a, const void *b) {
    double one = *(const double *)a, other = *(const double *)b;
    return one < other ? -1 : one > other;
}

static void write_guesses(Text *out, const CollectedLesson *lesson) {
    open_table(out,
               (const char *const[]){N_("it is"), N_("guesses"), N_("near enough"), N_("lowest"),
                                     N_("25 %"), N_("middle"), N_("75 %"), N_("highest"), NULL});
    for (const Asked *asked = lesson->asked; asked < lesson->asked + lesson->count; asked++) {
        if (asked->cell->kind != CELL_PREDICT) continue;
        double *guesses = asked->guesses;
        size_t count = asked->guess_count, near = 0;
        if (count) qsort(guesses, count, sizeof *guesses, compare_numbers);
        for (size_t i = 0; i < count; i++)
            near += fabs(guesses[i] - asked->number) <= asked->cell->within;
        text_string(out, "<tr><td colspan=\"8\">");
        write_question(out, "span", asked->cell);
        text_string(out, "</td></tr>\n<tr>");
        write_element(out, "td", asked->truth ? asked->truth : "");
        text_format(out, "<td>%zu</td><td>%zu</td>", count, near);
        for (size_t q = 0; q <= 4; q++) {
            if (!count) write_element(out, "td", "");
            else text_format(out, "<td>%.4g</td>", guesses[q * (count - 1) / 4]);
        }
        text_string(out, "</tr>\n");
    }
    close_table(out);
}

static void write_open_answers(Text *out, const Class *class, const Asked *asked,
                               const CollectedLesson *lesson) {
    size_t begin = out->length;
    write_element(out, "h3", tr("Open question (reported by the student's program)"));
    write_question(out, "p", asked->cell);
    size_t rows = open_table(out, (const char *const[]){N_("name"), N_("answer"), NULL});
    for (size_t i = 0; i < class->count; i++) {
        const Work *work = lesson_work(&class->students[i], lesson);
        const ExerciseRecord *record = work ? work_record(work, asked) : NULL;
        if (!record || !record->answer) continue;
        html_format(out, "<tr><td>%s</td><td>%s</td></tr>\n", student_name(&class->students[i]),
                    record->answer);
    }
    close_table_or_drop(out, begin, rows);
}

static void write_lesson(Text *out, const Class *class, const CollectedLesson *lesson) {
    LocalText title = TEXT_FOR(out);
    document_title(&title, lesson->document);
    write_element(out, "h2", title.data);
    write_exercises(out, class, lesson);
    size_t begin = out->length;
    write_element(out, "h3", tr("Commonest wrong answers"));
    size_t rows =
        open_table(out, (const char *const[]){N_("exercise"), N_("students"),
                                              N_("what the check says"), N_("an example"), NULL});
    for (size_t k = 0; k < lesson->count; k++)
        if (cell_is_exercise(lesson->asked[k].cell)) write_wrong(out, &lesson->asked[k]);
    close_table_or_drop(out, begin, rows);
    write_element(out, "h3", tr("Predictions (reported by the student's program)"));
    write_guesses(out, lesson);
    for (size_t k = 0; k < lesson->count; k++)
        if (lesson->asked[k].cell->kind == CELL_OPEN)
            write_open_answers(out, class, &lesson->asked[k], lesson);
}

void marks_write_page(Text *out, const Class *class) {
    html_page_begin(out, translate_language(), tr("Marks"), false);
    text_string(out, "<div class=\"page wide\">\n<main id=\"page-text\">\n");
    write_element(out, "h1", tr("Marks"));
    write_element(out, "p",
                  tr("Everything that was given for an exercise has run again here. What only the "
                     "student's own program knows is marked so."));

    const CollectedLesson *lesson;
    text_string(out, table_head);
    write_element(out, "th", tr("name"));
    for (lesson = NULL; (lesson = next_column(class, lesson));)
        write_element(out, "th", lesson->id);
    write_element(out, "th", tr("notes"));
    text_string(out, table_body);
    for (size_t i = 0; i < class->count; i++) {
        const Student *student = &class->students[i];
        html_format(out, "<tr><td>%s</td>", student_name(student));
        for (lesson = NULL; (lesson = next_column(class, lesson));) {
            const Work *work = column_work(student, lesson);
            if (work) html_format(out, "<td>%d/%d</td>", work->solved, work->lesson->exercises);
            else write_element(out, "td", "");
        }
        html_format(out, "<td class=\"long\">%s</td></tr>\n", student->notes.data);
    }
    close_table(out);

    for (size_t k = 0; k < class->lesson_count; k++)
        if (class->lessons[k].works) write_lesson(out, class, &class->lessons[k]);
    text_string(out, "</main>\n</div>\n");
    html_page_end(out, translate_language());
}
