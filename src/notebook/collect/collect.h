/* Marks for a class, attn collect: who handed in what, and what came of it when it ran again.
 *
 * An answer to an exercise runs on what the lesson itself has made up to there, and once for all
 * students who gave the same one. Nothing that a file says of itself is believed, but what columns
 * and headings call the word of the student's own program. */
#ifndef ATTN_NOTEBOOK_COLLECT_H
#define ATTN_NOTEBOOK_COLLECT_H

#include "base/language.h"
#include "notebook/collect/submission.h"
#include "session/session.h"

/* An answer to an exercise: the lines that were typed, and the result of running them. The strings
 * of these structs lie in the arena of the lesson's document, where nothing else is said. */
typedef struct Answer {
    char *given;     /* borrowed from a progress */
    char *before;    /* entries that run before it; "" for none */
    const char *key; /* answers with the same one are the same */
    bool ran, solved;
    bool stopped; /* by a limit of time or memory, by a crash, or as it wanted something that is not
                     allowed: the last of the steps says by what */
    bool late;    /* it was stopped as it did not end */
    /* For each entry that did not solve the exercise: the message of the checks, a zero byte, the
     * entry with those before it that were no attempt, a zero byte. For a choice: the words of the
     * options that were chosen. */
    const char *steps;
    size_t steps_length;
    size_t students; /* how many gave it */
} Answer;

/* An exercise, choice, prediction or open question of a lesson. */
typedef struct Asked {
    const Cell *cell;
    Answer *answers;
    size_t count;
    double seconds;    /* how long the solution and the checks took */
    const char *truth; /* of a prediction, in words; or NULL */
    double number;     /* the same */
    double *guesses;   /* of those who guessed a number */
    size_t guess_count;
} Asked;

/* A lesson in one language. */
typedef struct CollectedLesson {
    const char *id; /* as LessonWork.lesson; borrowed */
    Language language;
    Document *document;
    const char *folder; /* from which its cells may read; or NULL */
    unsigned long long hash;
    Asked *asked;
    size_t count;
    int exercises; /* that count */
    size_t works;  /* how many students began it */
} CollectedLesson;

typedef struct Work {
    const LessonWork *from;
    CollectedLesson *lesson; /* NULL: there is none of that name */
    bool other_version;      /* the student had another text of it */
    Answer **answers;        /* to each Asked; NULL: none */
    int solved;              /* how many exercises that count */
    int late;                /* how many answers did not end */
} Work;

typedef struct Student {
    const char *path;
    Submission submission;
    bool read; /* the file is a submission */
    Work *works;
    Text notes; /* what the teacher should know, in sentences */
} Student;

typedef struct Class {
    Student *students;
    size_t count;
    CollectedLesson *lessons; /* in the order of the catalogue, a language after the other;
                                 then documents */
    size_t lesson_count, lesson_capacity;
} Class;

typedef struct CollectRequest {
    char *const *paths; /* submissions, and documents (.md) that are lessons of the teacher's own */
    const char *outputs[2];
    bool force;
    /* Makes a session for the cells of a lesson, as --safe has it; freed by collect. */
    Session *(*open)(void *context, Host *host, Error *err);
    /* Shuts the process in for good: it may read below `folder` (NULL: nothing), and do nothing
     * else to the system. */
    void (*confine)(const char *folder);
    void (*leave)(void); /* ends the process at once */
    void *context;
} CollectRequest;

/* Reads submissions, runs what each student gave for the exercises, and writes the marks as the
 * names of the outputs ask for (.csv, .html), or as a table to the host where there is none. A file
 * that is no submission has a row that says so. ERR_FILE, ERR_VALUE for the name of an output,
 * ERR_INTERRUPT, ERR_LIMIT, and what a lesson itself ends in; nothing is written then. */
bool collect_marks(Host *host, const CollectRequest *request, Error *err);

/* The record that a student's own program kept of an exercise or question; NULL: none. */
const ExerciseRecord *work_record(const Work *work, const Asked *asked);
/* The answer of a student; NULL: none. */
Answer *work_answer(const Work *work, const Asked *asked);
/* The step of an answer that begins at *at, which moves on to the next. False: there is none. */
bool answer_step(const Answer *answer, size_t *at, const char **message, const char **code);

/* The student's name, or the path of the file if it cannot be read. */
const char *student_name(const Student *student);
/* The work of a student in a lesson, and in that lesson in any language; NULL: it was not begun. */
Work *lesson_work(const Student *student, const CollectedLesson *lesson);
Work *column_work(const Student *student, const CollectedLesson *lesson);
/* The lessons that are columns of a table, in which the languages of one are the same: the one
 * after `lesson`, the first after NULL; NULL: there are no more. */
const CollectedLesson *next_column(const Class *class, const CollectedLesson *lesson);

/* A lesson that runs: the cells above an exercise have run in the session. */
typedef struct Rerun {
    Host *host; /* is shown how far it is */
    const CollectRequest *request;
    CollectedLesson *lesson;
    Session *session;
    Language teacher;
    double done, part; /* of the whole work: what is done, and what the next Asked is */
} Rerun;

/* Runs the lesson of `rerun` once, and at each exercise, on what the lesson has there, what each
 * student gave for it, confined and within limits of time and memory (rerun.c). The session is
 * opened for it. ERR_INTERRUPT, ERR_LIMIT, and what a cell of the lesson ends in. */
bool lesson_rerun(Rerun *rerun, const Class *class, Error *err);

/* Runs all answers to an exercise that have not run yet, on as many cores as there are
 * (answers.c). ERR_INTERRUPT, ERR_LIMIT. */
bool answers_run(const Rerun *rerun, Asked *asked, Error *err);
/* A copy of a text that lasts as long as the lesson; NULL and ERR_LIMIT. */
char *lesson_keep(const CollectedLesson *lesson, const Text *text, Error *err);

/* Appends the marks as a page. */
void marks_write_page(Text *out, const Class *class);

#endif
