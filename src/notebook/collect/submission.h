/* A submission is the file that a student hands in: attn submit packs the progress in lessons into
 * one file, and attn collect reads it.
 *
 * A file NAME.attn-work is JSON: the name that the student gives, and for each lesson what its
 * progress holds (progress.h). Nothing else of the machine is in it. */
#ifndef ATTN_NOTEBOOK_SUBMISSION_H
#define ATTN_NOTEBOOK_SUBMISSION_H

#include "base/host.h"
#include "notebook/progress.h"

typedef struct LessonWork {
    char *lesson; /* "soft-lookup"; "mine.md" for a document that is no lesson of the program */
    Progress progress;
} LessonWork;

typedef struct Submission {
    char *name; /* as the student gives it, cut after 200 bytes; one line, no control characters */
    LessonWork *works;
    size_t count, capacity;
} Submission;

typedef struct SubmitRequest {
    char *const
        *lessons;       /* as lesson_read takes them; none: all of the program's that were begun */
    const char *name;   /* NULL: it is asked for */
    const char *output; /* NULL: NAME.attn-work in this folder */
    bool force;         /* replaces a file that is there */
} SubmitRequest;

/* Packs the progress in lessons into a file. ERR_VALUE: there is no name, or nothing was begun;
 * ERR_NAME, ERR_FILE, ERR_LIMIT. */
bool submit_work(Host *host, const SubmitRequest *request, Error *err);

/* Reads such a file. ERR_FILE for anything else, ERR_LIMIT for one that is too large. To be
 * released also where this fails. */
bool submission_read(Submission *submission, const char *path, Error *err);
void submission_release(Submission *submission);
#define LocalSubmission __attribute__((cleanup(submission_release))) Submission

/* ERR_FILE where a file is there that is not to be replaced. */
bool output_is_free(const char *path, bool force, Error *err);

#endif
