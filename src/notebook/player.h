/* A lesson at the prompt: what is shown, what Enter does, and what the person has done so far.
 *
 * The document is shown in screens. A screen ends where something is to be done (a cell to run, a
 * guess, an exercise, a choice, an open question), where it is full, or at the end. Whoever reads
 * entries from the person hands each line to player_take first, runs what is left to run as an
 * ordinary entry, and then calls player_after. The commands of a lesson (lesson_commands) only ask
 * for something, which player_after does: a cell that it runs is an entry of its own.
 *
 * While a lesson is open the session is the lesson's: it begins empty, with seed 0, as in attn
 * check, and player_free brings back what was there before. */
#ifndef ATTN_NOTEBOOK_PLAYER_H
#define ATTN_NOTEBOOK_PLAYER_H

#include "base/language.h"
#include "notebook/progress.h"
#include "session/session.h"

typedef struct Player Player;

typedef enum PlayerMode {
    PLAYER_KEEPS,    /* a lesson, whose progress is written */
    PLAYER_FORGETS,  /* a lesson whose progress is not */
    PLAYER_PRESENTS, /* for somebody who shows it to others: each part on a screen of its own, Enter
                        solves exercises, and nothing is kept */
    PLAYER_SHOWS,    /* the same, page by page and without code: a script with pause page */
} PlayerMode;

/* Shows an error of a cell, as the prompt shows those of entries. */
typedef void ReportError(const Session *session, const Error *err, const char *typed);

/* A word by which a person steers a lesson, in the order in which help lists them. */
typedef struct LessonWord {
    const char *name;                           /* of the command; NULL ends the table */
    const char *typed;                          /* as help shows it; NULL: not listed */
    const char *help;                           /* what help says of it */
    bool (*answer)(Player *player, Error *err); /* what it does; NULL: a command by itself */
    char letter;      /* that alone means the same, where a document is presented; or 0 */
    bool of_exercise; /* it means the exercise at which the screen stops */
} LessonWord;
extern const LessonWord lesson_words[];

/* document: taken over. name: what `lesson` calls it, also the name of its progress; folder: where
 * its cells find their files, or NULL. The session must be empty or its
 * last entry done. NULL on failure: ERR_LIMIT, ERR_INTERRUPT. */
Player *player_new(Session *session, Document *document, const char *name, const char *folder,
                   PlayerMode mode, ReportError *report, Error *err);
/* Leaves the lesson; what was in the session before it comes back. NULL is fine. */
void player_free(Player *player);

/* Shows the first screen, or the one that was left. Here and below false means that the lesson
 * cannot go on: the host cannot be written to, or memory is out. ERR_INTERRUPT: what ran was
 * stopped, and the lesson is where it stood. */
bool player_begin(Player *player, Error *err);

/* Takes a line that the lesson waits for: Enter alone, a guess, a letter, an answer. *taken false:
 * it is an entry to be run. */
bool player_take(Player *player, const char *line, size_t length, bool *taken, Error *err);
/* Is to follow each entry: keeps what changed the session, which the next visit does again, does
 * what a command asked for, and checks the exercise where it is. ran: the entry ended without
 * an error. */
bool player_after(Player *player, bool ran, Error *err);

/* Makes player_after do what the word of a command asks for. where: the target of goto, copied; or
 * NULL. */
bool player_ask(Player *player, const char *word, const char *where, Error *err);

/* Appends what is before the cursor: "[7 Enter: run] ". */
void player_write_prompt(const Player *player, Text *out);
/* True if Enter has left the lesson, at its end. */
bool player_has_ended(const Player *player);
bool player_presents(const Player *player); /* NULL: no */
/* Appends the path of the file that holds the notes of the screen that is presented. */
bool player_notes_path(Text *out);
/* The name of exercise i, from 0; NULL: there are fewer. */
const char *player_exercise(const Player *player, int i);

#endif
