/* explore: its state, and what each key does to it. Pure: no terminal is touched.
 *
 * It changes a copy of the session's settings. The run is always that of the last settings that
 * fitted; what did not fit is kept in words and changes nothing. */
#ifndef ATTN_SHELL_EXPLORE_MODEL_H
#define ATTN_SHELL_EXPLORE_MODEL_H

#include "session/session.h"
#include "shell/explore/explore_layout.h"
#include "shell/explore/scene.h"
#include "view/picture.h"

enum { EXPLORE_MASKS_MAX = 32 };

typedef struct Explore {
    Scene scene;
    Session *session;         /* borrowed */
    Settings settings, entry; /* as they are now; as they were at the start */
    Run *run;                 /* with `settings` */
    Labels query_labels, key_labels;
    size_t query, key, head; /* selected */
    bool zoomed;
    ExploreLayout layout; /* of the screen that was drawn last */
    /* The number that each of mask_kinds gets when it is chosen. */
    double mask_numbers[EXPLORE_MASKS_MAX];
    RunSummary before, now; /* of the run before the last key, and of the run */
} Explore;

extern const SceneType explore_scene;
/* The session must have a run. */
bool explore_init(Explore *explore, Session *session, Error *err);
void explore_release(Explore *explore);

bool explore_has_changed(const Explore *explore);
/* Writes what differs from the start: "temperature 1 → 0.7, mask none → causal". */
void explore_write_changes(const Explore *explore, Text *text);
/* "set temperature 0.7; set mask causal;": the same as one line to type. */
void explore_write_commands(const Explore *explore, Text *text);

/* Fills a cleared sheet with the bench; its layout is then that of this screen. */
bool explore_draw(Scene *explore, Sheet *sheet, Error *err);
/* Puts the heatmap into its area of the layout. */
void explore_put_heat(const Explore *explore, Sheet *sheet);

#endif
