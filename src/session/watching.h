/* train ... watching head L H: what some heads look at while a model learns, on one held-out
 * example of the task as a map, and on many as measures in the model's history. */
#ifndef ATTN_SESSION_WATCHING_H
#define ATTN_SESSION_WATCHING_H

#include "library/training.h"
#include "session/models/inspection.h"

enum { WATCHED_MOST = 6, FRAMES_MOST = 100 };

/* The map of each head after some steps. */
typedef struct WatchedFrame {
    size_t step;
    Tensor *maps[WATCHED_MOST]; /* (Tq, Tk) */
} WatchedFrame;

typedef struct Watching {
    Session *session;
    CommandCall *call;
    HeadPlace heads[WATCHED_MOST];
    size_t count; /* 0: nothing is watched */
    size_t every; /* steps between two looks; 0: as it suits the training */
    Value path;   /* of the film; VALUE_UNSET: there is none */
    int path_at;  /* its argument */
    size_t steps; /* of the training */
    Batch examples;
    Tokens first[2]; /* the first example's source and target */
    Value tokens[2]; /* their names; lists of strings, or none */
    Tensor *visible[WATCHED_MOST];
    WatchedFrame *frames; /* at most FRAMES_MOST: then every second one is dropped */
    size_t frame_count, looks, frames_every;
    size_t lines; /* that are drawn in the terminal now */
} Watching;

/* Nothing is watched yet. To be released also after a failure. */
void watching_init(Watching *watching, Session *session, CommandCall *call);
void watching_release(Watching *watching);
#define LocalWatching __attribute__((cleanup(watching_release))) Watching
/* Takes `head L H [head L H ...] [every N] [to "file.gif"]`, behind `watching`. */
bool watching_arguments(Watching *watching, const ModelConfig *config, Error *err);
/* Prepares the training to be watched, whose options are complete. */
bool watching_begin(Watching *watching, Task *task, const ModelConfig *config,
                    TrainingGiven *training, Error *err);
/* Shows the last maps and writes the film, also of a training that was interrupted. */
bool watching_end(Watching *watching, const Transformer *model, Error *err);

#endif
