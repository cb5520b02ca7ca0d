#include "session/sweep.h"

#include "base/memory.h"

Sweep *sweep_ref(Sweep *sweep) {
    if (sweep) sweep->refs++;
    return sweep;
}

void sweep_unref(Sweep *sweep) {
    if (!sweep || --sweep->refs > 0) return;
    for (size_t i = 0; sweep->runs && i < sweep->count; i++) run_unref(sweep->runs[i]);
    mem_free(sweep->runs);
    mem_free(sweep->values);
    mem_free(sweep->measures);
    mem_free(sweep->what);
    mem_free(sweep);
}
