#include "shell/explore/explore_knobs.h"

#include <math.h>
#include <string.h>

/* ---- temperature and scale ---- */

/* The next rung of the ladder below or above, wherever the temperature is. */
bool explore_temperature(const Explore *explore, Settings *wanted, int by, Error *remark) {
    static const double ladder[] = {
        0,   0.01, 0.014, 0.02, 0.03, 0.05, 0.07, 0.1, 0.14,
        0.2, 0.3,  0.5,   0.7,  1,    1.4,  2,    3,   5,
        7,   10,   14,    20,   30,   50,   70,   100, (double)INFINITY};
    int rungs = sizeof ladder / sizeof *ladder, rung = by < 0 ? rungs - 1 : 0;
    double now = wanted->temperature;
    (void)explore;
    while (by && rung >= 0 && rung < rungs && (by < 0 ? ladder[rung] >= now : ladder[rung] <= now))
        rung += by;
    if (rung < 0)
        return error_set(remark, ERR_VALUE,
                         "the temperature is 0 already: only the best key counts");
    if (rung >= rungs)
        return error_set(remark, ERR_VALUE,
                         "the temperature is inf already: all visible keys count alike");
    wanted->temperature = by ? ladder[rung] : 1;
    return true;
}

/* sqrt, none, and the number that the session came with. */
bool explore_scale(const Explore *explore, Settings *wanted, int by, Error *remark) {
    const Settings *entry = &explore->entry;
    bool has_number = !entry->scale_sqrt && entry->scale != 1,
         none = !wanted->scale_sqrt && wanted->scale == 1;
    (void)by, (void)remark;
    bool number = none && has_number;
    wanted->scale = number ? entry->scale : 1;
    wanted->scale_sqrt = !wanted->scale_sqrt && !number;
    return true;
}

/* ---- mask ---- */

static size_t kind_index(const MaskDef *kind) {
    size_t i = 0;
    while (mask_kinds[i] != kind) i++;
    return i;
}

/* The masks that m steps through: each kind that is typed without an array, and behind it that kind
 * joined with another where the table says so. One that the session came with is the last. */
typedef struct MaskChoice {
    int count;
    const MaskDef *kinds[2];
} MaskChoice;

static int list_masks(MaskChoice choices[2 * EXPLORE_MASKS_MAX]) {
    int count = 0;
    for (size_t i = 0; mask_kinds[i]; i++) {
        const MaskDef *kind = mask_kinds[i];
        if (kind->words.takes == WORD_TAKES_ARRAY) continue;
        choices[count++] = (MaskChoice){kind != &no_mask, {kind}};
        if (kind->with) choices[count++] = (MaskChoice){2, {kind->with, kind}};
    }
    return count;
}

/* The choice that the mask is; `count` where it is none of them. */
static int mask_choice(const MaskSpec *mask, const MaskChoice *choices, int count) {
    for (int i = 0; i < count; i++) {
        bool same = mask->count == choices[i].count;
        for (int t = 0; same && t < mask->count; t++)
            same = mask->terms[t].kind == choices[i].kinds[t];
        if (same) return i;
    }
    return count;
}

bool explore_mask(const Explore *explore, Settings *wanted, int by, Error *remark) {
    MaskChoice choices[2 * EXPLORE_MASKS_MAX];
    int count = list_masks(choices);
    bool own = mask_choice(&explore->entry.mask, choices, count) == count;
    int all = count + own, at = mask_choice(&wanted->mask, choices, count);
    at = (at + by + all) % all;
    setting_reset(setting_find("mask"), wanted);
    if (at == count) {
        mask_copy(&wanted->mask, &explore->entry.mask);
        memcpy(wanted->mask_names, explore->entry.mask_names, sizeof wanted->mask_names);
        return true;
    }
    for (int t = 0; t < choices[at].count; t++) {
        const MaskDef *kind = choices[at].kinds[t];
        if (!mask_add(&wanted->mask, kind, explore->mask_numbers[kind_index(kind)], NULL, remark))
            return false;
    }
    return true;
}

bool explore_width(const Explore *explore, Settings *wanted, int by, Error *remark) {
    bool any = false;
    for (int t = 0; t < wanted->mask.count; t++) {
        MaskTerm *term = &wanted->mask.terms[t];
        const WordDef *words = &term->kind->words;
        if (words->takes != WORD_TAKES_WHOLE) continue;
        double number = term->number + by;
        if (number < words->least)
            return error_set(remark, ERR_VALUE, "%s %g is the narrowest", words->word,
                             words->least);
        if (by > 0 && term->kind->widest &&
            number > term->kind->widest(explore->run->queries, explore->run->keys))
            return error_set(remark, ERR_VALUE, "%s %g hides nothing already", words->word,
                             term->number);
        term->number = number;
        any = true;
    }
    return any || error_set(remark, ERR_VALUE, "this mask has no width: m leads to a window");
}

void explore_mask_numbers(Explore *explore, bool first) {
    for (size_t i = 0; first && mask_kinds[i]; i++) {
        const MaskDef *kind = mask_kinds[i];
        explore->mask_numbers[i] =
            kind->usual ? kind->usual(explore->run->keys) : kind->words.least;
    }
    for (int t = 0; t < explore->settings.mask.count; t++) {
        const MaskTerm *term = &explore->settings.mask.terms[t];
        explore->mask_numbers[kind_index(term->kind)] = term->number;
    }
}

/* ---- position ---- */

int explore_position_count(void) {
    int count = 0;
    while (position_kinds[count]) count++;
    return count;
}

bool explore_position(const Explore *explore, Settings *wanted, int by, Error *remark) {
    (void)remark;
    int count = explore_position_count(), at = 0;
    while (position_kinds[at] != wanted->position.kind) at++;
    const PositionDef *kind = position_kinds[(at + by + count) % count];
    position_release(&wanted->position);
    if (kind == explore->entry.position.kind)
        position_copy(&wanted->position, &explore->entry.position);
    else wanted->position.kind = kind;
    return true;
}

/* ---- heads ---- */

static size_t common_divisor(size_t a, size_t b) {
    while (b) {
        size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

bool explore_heads(const Explore *explore, Settings *wanted, int by, Error *remark) {
    const Run *run = explore->run;
    size_t d_k = run->heads * run->d_k, d_v = run->heads * run->d_v,
           most = common_divisor(d_k, d_v), heads = run->heads;
    (void)by;
    if (most == 1 && d_k == d_v)
        return error_set(remark, ERR_VALUE, "a width of %zu cannot be cut into heads", d_k);
    if (most == 1)
        return error_set(
            remark, ERR_VALUE,
            "the widths %zu and %zu have no divisor in common: one head is all that fits", d_k,
            d_v);
    do heads = heads % most + 1;
    while (most % heads != 0);
    wanted->heads = heads;
    return true;
}

/* ---- all ---- */

bool explore_entry(const Explore *explore, Settings *wanted, int by, Error *remark) {
    (void)by;
    if (settings_equal(wanted, &explore->entry))
        return error_set(remark, ERR_VALUE, "the settings are those of the start");
    settings_release(wanted);
    settings_copy(wanted, &explore->entry);
    return true;
}
