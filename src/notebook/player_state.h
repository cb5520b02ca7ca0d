/* A lesson at the prompt as its files share it: player.c are the person's lines and the ways
 * through the lesson, player_screen.c is what is shown, player_replay.c what has run and is brought
 * back, and player_questions.c what is asked of the person. */
#ifndef ATTN_NOTEBOOK_PLAYER_STATE_H
#define ATTN_NOTEBOOK_PLAYER_STATE_H

#include "notebook/player.h"

#include <time.h>

/* The reason why a screen ends. */
typedef enum Stop {
    STOP_PAGE, /* it is full */
    STOP_CELL,
    STOP_GUESS,
    STOP_EXERCISE,
    STOP_CHOICE,
    STOP_OPEN,
    STOP_END,
} Stop;

struct Player {
    Session *session;
    ReportError *report;
    Document *document;
    const DocNode **blocks; /* the parts of the document's root, in their order */
    int block_count;
    char *name, *folder; /* folder NULL: none */
    Progress progress;
    Language language;
    PlayerMode mode;
    time_t began;

    Stop stop;
    int screen, block; /* the blocks with which the screen begins and stops */
    const Cell *cell;  /* the one that it stops at; or NULL */
    bool solved;       /* the exercise there, in this visit */
    const Cell *guess; /* the prediction whose answer comes; or NULL */
    char *guessed;     /* what was said; "" for nothing; or NULL */
    bool explained;    /* the person was told what can be typed at an exercise */
    size_t stuck;      /* the steps of undo when a check was stopped; or SIZE_MAX */
    double typed_at;   /* when the line that runs now was typed, in player_seconds */
    double heard_at;   /* the same in clock_seconds, of the last line */
    Text typed;        /* what of it changed the session */
    bool unkept;       /* the person was told that progress cannot be written */
    bool ended;
    const LessonWord *asked; /* what player_after is to do; or NULL */
    char *target;            /* the word behind it; or NULL */
};

/* ---- player_screen.c ---- */

/* Says what the format makes, in a paragraph and in the language of the session. */
bool player_say(Player *player, Error *err, const char *words, ...) ATTN_PRINTF(3, 4);
/* Says that progress is not kept, and why. */
bool player_say_unkept(Player *player, Error *err, const char *why);
/* Leaves the empty line between what was said and the words of the lesson. */
bool player_leave_line(Player *player, Error *err);
/* Appends what the format makes as a heading: bold where there is colour. */
void player_write_heading(Player *player, Text *out, const char *words, ...) ATTN_PRINTF(3, 4);
/* Appends the prose within a cell: a task, a question. */
void player_write_parts(Player *player, Text *out, const Cell *cell);

ExerciseState player_state(const Player *player, const Cell *exercise);
/* True for an exercise that is solved, and for a choice that was answered. */
bool player_is_done(const Player *player, const Cell *exercise);
int player_count_solved(const Player *player);

/* Says what can be typed where the screen stops, or that its exercise is done. */
bool player_show_stop(Player *player, Error *err);
/* Shows the screen that begins with a block, and stops there. */
bool player_show_screen(Player *player, int first, Error *err);
/* Goes on to the screen that begins with a block, and keeps that the person is there. */
bool player_go_to(Player *player, int block, Error *err);

/* ---- player.c ---- */

/* Runs the cell at which the screen stops, and goes on; with `anyway` also when it fails. */
bool player_pass_cell(Player *player, bool anyway, Error *err);

/* ---- player_replay.c ---- */

/* Writes the progress; that it cannot be written is said once, and the lesson goes on. */
bool player_keep(Player *player, Error *err);
/* Notes what happened. text: or NULL. */
bool player_note(Player *player, EventKind kind, int number, const char *text, Error *err);
/* Notes how far the person came with the exercise at which the screen stops. */
bool player_note_state(Player *player, ExerciseState state, Error *err);
/* A clock of this thread's work: who reads in a pager does not make a cell slow. The second says of
 * the last event how long it ran, and that it has ended. */
double player_seconds(void);
void player_note_seconds(Player *player, double began);

/* Runs a cell in sight. Its error is reported, goes to `problem`, and ends nothing but by Ctrl-C.
 */
bool player_run_cell(Player *player, const Cell *cell, Error *problem, Error *err);
/* Runs an exercise's solution, if it has one, unseen. */
bool player_run_solution(Player *player, const Cell *exercise, Error *err);
/* Runs unseen what is between two blocks, cells and the solutions of exercises, and notes it.
 */
bool player_pass_over(Player *player, int from, int to, Error *err);
/* The same from the lesson's beginning, and forgets what the person did. */
bool player_pass_from_beginning(Player *player, int to, Error *err);
/* Forgets the events from number `count` on, and makes the session as it was before them: by undo,
 * or by a replay where undo no longer has the way. No guess is open then. */
bool player_return(Player *player, size_t count, Error *err);

/* ---- player_questions.c ---- */

/* Puts the truth beside what was said, where a prediction waits for it. */
bool player_reveal(Player *player, Error *err);
bool player_take_guess(Player *player, const char *line, size_t length, Error *err);
/* Runs the checks of the exercise on a copy of the session, and says what they find. The second,
 * after each entry, says it only if they pass. */
bool player_check(Player *player, Error *err);
bool player_check_silently(Player *player, Error *err);
bool player_show_hint(Player *player, Error *err);
bool player_show_solution(Player *player, Error *err);
/* Shows and runs what an exercise is solved by; of a choice, says which options are right and why.
 */
bool player_present_answer(Player *player, Error *err);
/* Takes the letters of a choice where the line holds them, and else says how to answer where it
 * seems to be words. *taken false: it is neither. */
bool player_take_choice(Player *player, const char *line, size_t length, bool *taken, Error *err);
bool player_take_answer(Player *player, const char *line, size_t length, Error *err);

#endif
