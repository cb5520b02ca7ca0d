#include "shell/explore/explore_knobs.h"

#include <math.h>

/* ---- temperature ---- */

static const double ladder[] = {0,   0.01, 0.014, 0.02, 0.03, 0.05, 0.07, 0.1, 0.14,
                                0.2, 0.3,  0.5,   0.7,  1,    1.4,  2,    3,   5,
                                7,   10,   14,    20,   30,   50,   70,   100, (double)INFINITY};
enum { RUNGS = sizeof ladder / sizeof *ladder };

/* The next rung below or above, from wherever it stands. */
static int next_rung(double temperature, int by) {
    int rung = by < 0 ? RUNGS - 1 : 0;
    while (rung >= 0 && rung < RUNGS &&
           (by < 0 ? ladder[rung] >= temperature : ladder[rung] <= temperature))
        rung += by;
    return rung;
}

bool explore_temperature(const Explore *explore, Settings *wanted, int by, Error *remark) {
    (void)explore;
    int rung = by ? next_rung(wanted->temperature, by) : -1;
    if (by && rung < 0)
        return error_set(remark, ERR_VALUE,
                         "the temperature is 0 already: only the best key counts");
    if (by && rung >= RUNGS)
        return error_set(remark, ERR_VALUE,
                         "the temperature is inf already: all visible keys count alike");
    wanted->temperature = by ? ladder[rung] : 1;
    return true;
}

/* ---- scale ---- */

static bool is_number(const Settings *settings) {
    return !settings->scale_sqrt && settings->scale != 1;
}

static void use_scale(Settings *wanted, bool sqrt, double scale) {
    wanted->scale_sqrt = sqrt;
    wanted->scale = scale;
}

/* sqrt, none, and the number that the session came with. */
bool explore_scale(const Explore *explore, Settings *wanted, int by, Error *remark) {
    (void)by, (void)remark;
    if (wanted->scale_sqrt) use_scale(wanted, false, 1);
    else if (!is_number(wanted) && is_number(&explore->entry))
        use_scale(wanted, false, explore->entry.scale);
    else use_scale(wanted, true, 1);
    return true;
}

/* ---- mask ---- */

typedef enum MaskChoice {
    CHOICE_NONE,
    CHOICE_CAUSAL,
    CHOICE_WINDOW,
    CHOICE_BOTH,
    CHOICE_PADDING,
    CHOICE_OWN,
    CHOICES
} MaskChoice;

static MaskChoice mask_choice(const Settings *settings) {
    const MaskSetting *mask = settings->mask;
    if (settings->mask_count == 0) return CHOICE_NONE;
    if (settings->mask_count == 2 && mask[0].kind == MASK_CAUSAL && mask[1].kind == MASK_WINDOW)
        return CHOICE_BOTH;
    if (settings->mask_count > 1) return CHOICE_OWN;
    switch (mask[0].kind) {
    case MASK_CAUSAL: return CHOICE_CAUSAL;
    case MASK_WINDOW: return CHOICE_WINDOW;
    case MASK_PADDING: return CHOICE_PADDING;
    default: return CHOICE_OWN;
    }
}

static void add_term(Settings *wanted, MaskSetting term) {
    if (term.array) tensor_ref(term.array);
    wanted->mask[wanted->mask_count++] = term;
}

static void use_mask(const Explore *explore, Settings *wanted, MaskChoice choice) {
    setting_find("mask")->reset(wanted);
    if (choice == CHOICE_CAUSAL || choice == CHOICE_BOTH)
        add_term(wanted, (MaskSetting){.kind = MASK_CAUSAL});
    if (choice == CHOICE_WINDOW || choice == CHOICE_BOTH)
        add_term(wanted, (MaskSetting){.kind = MASK_WINDOW, .number = explore->window});
    if (choice == CHOICE_PADDING)
        add_term(wanted, (MaskSetting){.kind = MASK_PADDING, .number = explore->padding});
    for (int i = 0; choice == CHOICE_OWN && i < explore->entry.mask_count; i++)
        add_term(wanted, explore->entry.mask[i]);
}

bool explore_mask(const Explore *explore, Settings *wanted, int by, Error *remark) {
    (void)remark;
    int choice = ((int)mask_choice(wanted) + by + CHOICES) % CHOICES;
    if (choice == CHOICE_OWN && mask_choice(&explore->entry) != CHOICE_OWN)
        choice = (choice + by) % CHOICES;
    use_mask(explore, wanted, (MaskChoice)choice);
    return true;
}

static bool has_width(const MaskSetting *term) {
    return term->kind == MASK_WINDOW || term->kind == MASK_PADDING;
}

/* A window of more than this hides nothing. */
static double widest(const Explore *explore, const MaskSetting *term) {
    size_t keys = explore->run->keys, queries = explore->run->queries;
    return (double)(term->kind == MASK_PADDING ? keys : (queries > keys ? queries : keys) - 1);
}

static bool turn_width(const Explore *explore, MaskSetting *term, int by, Error *remark) {
    double number = term->number + by, most = widest(explore, term);
    const char *word = term->kind == MASK_WINDOW ? "window" : "padding";
    if (number < 0) return error_set(remark, ERR_VALUE, "%s 0 is the narrowest", word);
    if (by > 0 && number > most)
        return error_set(remark, ERR_VALUE, "%s %g hides nothing already", word, term->number);
    term->number = number;
    return true;
}

bool explore_width(const Explore *explore, Settings *wanted, int by, Error *remark) {
    bool any = false;
    for (int i = 0; i < wanted->mask_count; i++) {
        if (!has_width(&wanted->mask[i])) continue;
        if (!turn_width(explore, &wanted->mask[i], by, remark)) return false;
        any = true;
    }
    return any || error_set(remark, ERR_VALUE, "this mask has no width: m leads to a window");
}

void explore_mask_numbers(Explore *explore) {
    if (explore->window < 0) explore->window = explore->run->keys > 4 ? 2 : 1;
    if (explore->padding < 0)
        explore->padding = explore->run->keys > 1 ? (double)explore->run->keys - 1 : 1;
    for (int i = 0; i < explore->settings.mask_count; i++) {
        const MaskSetting *term = &explore->settings.mask[i];
        if (term->kind == MASK_WINDOW) explore->window = term->number;
        if (term->kind == MASK_PADDING) explore->padding = term->number;
    }
}

/* ---- position ---- */

enum { POSITIONS = POSITION_ROPE + 1 };

bool explore_position(const Explore *explore, Settings *wanted, int by, Error *remark) {
    (void)remark;
    PositionKind kind = (PositionKind)(((int)wanted->position.kind + by + POSITIONS) % POSITIONS);
    position_release(&wanted->position);
    if (kind == explore->entry.position.kind)
        position_copy(&wanted->position, &explore->entry.position);
    else wanted->position = (PositionSpec){.kind = kind};
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
