/* explore: its state, and what each key does to it. Pure: no terminal is touched.
 *
 * It turns a copy of the session's settings. The run is always that of the last settings that
 * fitted; what did not fit is kept in words and changes nothing. */
#ifndef ATTN_SHELL_EXPLORE_MODEL_H
#define ATTN_SHELL_EXPLORE_MODEL_H

#include "session/session.h"
#include "view/picture.h"

/* Keys that are no character; a character is its code. */
enum { EXPLORE_TAB = 9, EXPLORE_ESCAPE = 27 };
enum { EXPLORE_UP = 0x110000, EXPLORE_DOWN, EXPLORE_LEFT, EXPLORE_RIGHT };
enum { EXPLORE_PAGE_UP = EXPLORE_RIGHT + 1, EXPLORE_PAGE_DOWN, EXPLORE_HOME, EXPLORE_END };

enum { EXPLORE_MASKS_MAX = 32 };

typedef enum ExploreState { EXPLORE_OPEN, EXPLORE_KEPT, EXPLORE_DROPPED } ExploreState;

typedef struct Explore {
    Session *session;         /* borrowed */
    Settings settings, entry; /* as they are turned now; as they were at the start */
    Run *run;                 /* with `settings` */
    Labels query_labels, key_labels;
    size_t query, key, head; /* selected */
    size_t page;             /* rows that PgUp and PgDn go */
    bool zoomed, helping;
    ExploreState state;
    /* The number that each of mask_kinds gets when it is turned to. */
    double mask_numbers[EXPLORE_MASKS_MAX];
    Text change;            /* what the last key changed, "temperature 1 → 0.7"; or empty */
    RunSummary before, now; /* of the run before that key, and of the run */
    Error remark;           /* what does not fit or cannot be done; ERR_NONE: nothing */
} Explore;

/* The session must have a run. */
bool explore_init(Explore *explore, Session *session, Error *err);
void explore_release(Explore *explore);

/* False only when it was interrupted. */
bool explore_press(Explore *explore, int key, Error *err);

bool explore_has_changed(const Explore *explore);
/* What differs from the start: "temperature 1 → 0.7, mask none → causal". */
void explore_write_changes(const Explore *explore, Text *text);
/* "set temperature 0.7; set mask causal;": the same as one line to type. */
void explore_write_commands(const Explore *explore, Text *text);

/* A row of the list of keys. */
typedef struct ExploreHelp {
    const char *keys, *what; /* "t T", "temperature down, up" */
    const char *brief; /* the same for the line below the picture: "temperature"; NULL: not there */
} ExploreHelp;
extern const ExploreHelp explore_help[]; /* ends with NULL keys; the most important first */

#endif
