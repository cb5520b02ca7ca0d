/* Whether two models are built alike. */
#ifndef ATTN_TESTS_SAME_CONFIG_H
#define ATTN_TESTS_SAME_CONFIG_H

#include "model/config.h"

/* But for the seed. */
static inline bool same_config(const ModelConfig *a, const ModelConfig *b) {
    for (const Option *option = model_options; option->name; option++)
        if (option->kind != OPTION_SEED && !option_equal(option, a, b)) return false;
    return a->dtype == b->dtype;
}

#endif
