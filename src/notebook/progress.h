/* The progress of a person in a lesson: kept in a file at once, so that it survives the end of the
 * program at any moment.
 *
 * The events are what made the session as it is, in their order: replayed from the lesson's
 * beginning they bring it back. Each exercise has a record of its own, which stays when the events
 * go. The file is $XDG_STATE_HOME/attn/lessons/LESSON.json (~/.local/state without that). */
#ifndef ATTN_NOTEBOOK_PROGRESS_H
#define ATTN_NOTEBOOK_PROGRESS_H

#include "base/text.h"
#include "notebook/document.h"

struct json_t; /* jansson.h */

typedef enum EventKind {
    EVENT_AT,       /* a screen began: number is the index of its first block */
    EVENT_CELL,     /* the cell of that number ran */
    EVENT_SOLUTION, /* the solution of the exercise of that number ran */
    EVENT_LINE,     /* an entry of the person ran: text */
    EVENT_GUESS,    /* the prediction of that number was answered: text */
    EVENT_KINDS
} EventKind;

typedef struct Event {
    EventKind kind;
    int number;
    char *text;     /* or NULL */
    double seconds; /* how long it ran */
    size_t step;    /* the step of undo that was done last then; 0: not known in this session */
} Event;

typedef enum ExerciseState {
    EXERCISE_OPEN,
    EXERCISE_SKIPPED,
    EXERCISE_MISSED, /* a choice whose first answer was wrong */
    EXERCISE_SOLVED,
    EXERCISE_STATES
} ExerciseState;

typedef struct ExerciseRecord {
    char *id;
    ExerciseState state;
    unsigned long long text; /* a hash of the exercise that was solved; 0: not known */
    int attempts, hints;     /* how often check was asked and failed; hints seen */
    bool shown;              /* the solution was shown before it was solved */
    char *answer;            /* to an open question; or NULL */
    char *given;             /* what was typed for it: entries, a line each, or the letters of a
                                choice; or NULL */
} ExerciseRecord;

typedef struct Progress {
    char *path;              /* of its file; NULL: nothing is kept */
    char language[3];        /* "en", in which the lesson was last read */
    unsigned long long hash; /* of the document that the events belong to */
    Event *events;
    size_t event_count, event_capacity;
    ExerciseRecord *records;
    size_t record_count, record_capacity;
    bool finished;  /* the end was seen once */
    double seconds; /* how long the person was at it; longer pauses are cut */
} Progress;

/* Appends the path of the file; false where there is no place for it. */
bool progress_path(Text *out, const char *lesson);

/* Reads the progress in a lesson; where there is no file it is empty. keep: later changes are
 * written. False and ERR_FILE when there is one that cannot be read: the progress is then empty,
 * and the file is left as it is (nothing is kept). ERR_LIMIT. */
bool progress_open(Progress *progress, const char *lesson, bool keep, Error *err);
void progress_release(Progress *progress);

/* Appends the progress as its file holds it, and reads it from such a tree. ERR_FILE: it holds no
 * progress, and `what` is its name in the message; the progress is then what was read so far. */
void progress_write(Text *out, const Progress *progress);
bool progress_read(Progress *progress, const struct json_t *root, const char *what, Error *err);

/* Writes the file. What another attn has meanwhile solved in this lesson stays solved; a file that
 * can no longer be read is kept beside it, as NAME.json.unreadable. */
bool progress_save(Progress *progress, Error *err);
/* Writes the file as it is known here, also where the file says that more is solved. */
bool progress_replace(Progress *progress, Error *err);
/* Removes the file, and forgets everything. */
bool progress_forget(Progress *progress, Error *err);

/* The text is copied. ERR_LIMIT. */
bool progress_add(Progress *progress, EventKind kind, int number, const char *text, size_t length,
                  Error *err);
/* Drops the events from that one on. */
void progress_cut(Progress *progress, size_t count);

/* The record of an exercise, made when there is none. NULL and ERR_LIMIT. */
ExerciseRecord *progress_record(Progress *progress, const char *id, Error *err);
/* The same without making one; NULL: there is none. */
const ExerciseRecord *progress_find(const Progress *progress, const char *id);
/* The state of an exercise that may have no record. */
ExerciseState progress_state(const Progress *progress, const char *id);
/* Keeps what was typed for an exercise in the place of what was before. ERR_LIMIT. */
bool progress_give(Progress *progress, const char *id, const Text *given, Error *err);

#endif
