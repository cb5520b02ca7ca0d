/* explore: what fills the screen, the bench (explore_model.h) or the heads of a model
 * (explore_heads.h). What both have in common: how they are left, the list of their keys, and what
 * the last key did. Pure: no terminal is touched. */
#ifndef ATTN_SHELL_SCENE_H
#define ATTN_SHELL_SCENE_H

#include "base/error.h"
#include "shell/explore/sheet.h"

/* Keys that are no character; a character is its code. */
enum { EXPLORE_TAB = 9, EXPLORE_ESCAPE = 27 };
enum { EXPLORE_UP = 0x110000, EXPLORE_DOWN, EXPLORE_LEFT, EXPLORE_RIGHT };
enum { EXPLORE_PAGE_UP = EXPLORE_RIGHT + 1, EXPLORE_PAGE_DOWN, EXPLORE_HOME, EXPLORE_END };

/* EXPLORE_OPENED: what is selected is to be looked at, and then the scene again. */
typedef enum ExploreState {
    EXPLORE_OPEN,
    EXPLORE_OPENED,
    EXPLORE_KEPT,
    EXPLORE_DROPPED,
} ExploreState;

/* A row of the list of keys. */
typedef struct ExploreHelp {
    const char *keys, *what; /* "t T", "temperature down, up" */
    const char *brief; /* the same for the line below the picture: "temperature"; NULL: not there */
} ExploreHelp;

typedef struct Scene Scene;
typedef struct SceneType {
    const ExploreHelp *help; /* ends with NULL keys; the most important first */
    /* Does what a key of its own asks for, or scene_unknown_key. */
    bool (*press)(Scene *scene, int key, Error *err);
    /* Fills a sheet that was cleared to the size of the screen. */
    bool (*draw)(Scene *scene, Sheet *sheet, Error *err);
} SceneType;

struct Scene { /* the first member of what it is a scene of */
    const SceneType *type;
    ExploreState state;
    bool helping; /* the list of keys is shown */
    Text change;  /* the change of the last key, "temperature 1 → 0.7"; or empty */
    Error remark; /* the misfit or refusal; ERR_NONE: there is none */
};

/* False only when it was interrupted, or memory ran out: with an error. */
bool scene_press(Scene *scene, int key, Error *err);
void scene_unknown_key(Scene *scene, int key);
/* Moves an index by so many steps, as far as there are any. */
void scene_move(size_t *at, long by, size_t count);
/* Moves what is selected by an arrow, its letter, Home or End; false: it is another key. */
bool scene_select(int key, size_t *column, size_t columns, size_t *row, size_t rows);

/* Fills a cleared sheet with the scene, or with the list of its keys. */
bool scene_page(Scene *scene, Sheet *sheet, Error *err);
/* Puts the most important keys into a line of the screen. */
void scene_put_keys(const Scene *scene, Sheet *sheet, size_t line);

#endif
