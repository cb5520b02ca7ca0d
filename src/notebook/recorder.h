/* A Host that keeps what is written to it: for cells that run where nobody watches. */
#ifndef ATTN_NOTEBOOK_RECORDER_H
#define ATTN_NOTEBOOK_RECORDER_H

#include "base/host.h"

typedef struct Recorder {
    Host host; /* of 80 columns, without colour */
    Text text; /* results and notes, in their order */
} Recorder;

void recorder_init(Recorder *recorder);
void recorder_release(Recorder *recorder);

#endif
