#include "model/batch.h"

#include "base/memory.h"

void batch_release(Batch *batch) {
    mem_free(batch->memory);
    *batch = (Batch){.memory = NULL};
}
