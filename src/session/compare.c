#include "session/compare.h"

#include "base/memory.h"

RunPair *run_pair_ref(RunPair *pair) {
    if (pair) pair->refs++;
    return pair;
}

void run_pair_unref(RunPair *pair) {
    if (!pair || --pair->refs > 0) return;
    for (int i = 0; i < 2; i++) {
        run_unref(pair->runs[i]);
        mem_free(pair->names[i]);
    }
    mem_free(pair);
}
