#include "tests/model/model_case.h"

#include "base/memory.h"

ModelConfig case_config(ModelKind kind) {
    ModelConfig config;
    model_config_init(&config, kind);
    config.vocabulary = 12;
    config.d_model = 8;
    config.heads = 2;
    config.d_ff = 12;
    config.max_len = 10;
    config.dtype = DTYPE_DOUBLE;
    return config;
}

Transformer case_model(const ModelConfig *config) {
    Transformer model;
    Error err;
    ck_assert_msg(transformer_init(&model, config, &err), "%s", err.message);
    return model;
}

void case_disturb(Transformer *model) {
    Tensor *block = model->parameters.block;
    Random random;
    random_seed(&random, 5);
    for (size_t i = 0; i < block->count; i++)
        tensor_set(block, i, tensor_get(block, i) + 0.3 * random_normal(&random));
}

/* Room for the arrays of a batch; the ids are all 0. */
typedef struct Room {
    int *source, *target, *labels;
    size_t *source_lengths, *target_lengths;
} Room;

static bool make_room(Batch *batch, ModelKind kind, size_t count, size_t length, Room *room,
                      Error *err) {
    size_t cells = count * length;
    char *at = mem_zeroed(1, 3 * cells * sizeof(int) + 2 * count * sizeof(size_t), err);
    if (!at) return false;
    size_t *lengths = (size_t *)at;
    int *ids = (int *)(lengths + 2 * count);
    *room = (Room){ids, ids + cells, ids + 2 * cells, lengths, lengths + count};
    *batch = (Batch){.labels = room->labels, .memory = at};
    if (kind != MODEL_DECODER) batch->source = (Tokens){count, length, room->source, lengths, NULL};
    if (kind != MODEL_ENCODER)
        batch->target = (Tokens){count, length, room->target, room->target_lengths, NULL};
    return true;
}

Batch case_batch(const ModelConfig *config, size_t count, size_t length, uint64_t seed) {
    Batch batch;
    Room room;
    Error err;
    ck_assert(make_room(&batch, config->kind, count, length, &room, &err));
    Random random;
    random_seed(&random, seed);
    const size_t *answered =
        config->kind == MODEL_ENCODER ? room.source_lengths : room.target_lengths;
    for (size_t b = 0; b < count; b++) {
        room.source_lengths[b] = b == 0 ? length : 1 + random_below(&random, length);
        room.target_lengths[b] = b == 1 ? length : 1 + random_below(&random, length);
        for (size_t t = 0; t < length; t++) {
            size_t at = b * length + t;
            room.source[at] = (int)random_below(&random, config->vocabulary);
            room.target[at] = (int)random_below(&random, config->vocabulary);
            room.labels[at] = t < answered[b] && (t == 0 || random_below(&random, 3))
                                  ? (int)random_below(&random, config->vocabulary)
                                  : NO_LABEL;
        }
    }
    return batch;
}

static bool draw_reverse(void *self, ModelKind kind, Random *random, bool held_out, size_t count,
                         Batch *out, Error *err) {
    const ReverseTask *task = self;
    size_t n = task->length, length = kind == MODEL_DECODER ? 2 * n : n;
    Room room;
    int end = (int)task->vocabulary - 1;
    (void)held_out;
    if (!make_room(out, kind, count, length, &room, err)) return false;
    for (size_t b = 0; b < count; b++) {
        int *source = room.source + b * length, *target = room.target + b * length,
            *labels = room.labels + b * length;
        int drawn[64];
        room.source_lengths[b] = room.target_lengths[b] = length;
        for (size_t t = 0; t < n; t++) drawn[t] = (int)random_below(random, (uint64_t)end);
        for (size_t t = 0; t < n; t++) {
            source[t] = drawn[t];
            int answer = drawn[n - 1 - t], before = t ? drawn[n - t] : end;
            if (kind != MODEL_DECODER) {
                target[t] = before;
                labels[t] = answer;
            } else {
                target[t] = drawn[t];
                target[n + t] = before;
                labels[t] = NO_LABEL;
                labels[n + t] = answer;
            }
        }
    }
    return true;
}

BatchSource case_reverse(ReverseTask *task) {
    return (BatchSource){.draw = draw_reverse, .self = task};
}
