#include "engine/attention/mask.h"

#include "base/number.h"
#include "engine/attention/words.h"

#include <math.h>

static bool whole(double x) { return x >= 0 && x <= 9007199254740992.0 && floor(x) == x; }

static bool check_term(MaskKind kind, double number, const Tensor *array, Error *err) {
    if (kind == MASK_WINDOW && !whole(number))
        return error_set(err, ERR_VALUE,
                         "the width of a window must be a whole number of 0 or more, not %g",
                         number);
    if (kind == MASK_PADDING && !whole(number))
        return error_set(
            err, ERR_VALUE,
            "padding takes the number of real keys, a whole number of 0 or more, not %g", number);
    if (kind == MASK_SEGMENTS && array->shape.axes != 1)
        return error_set(err, ERR_SHAPE,
                         "segments must be a vector with one id for each place, but they are %s",
                         shape_words(&array->shape));
    return true;
}

bool mask_add(MaskSpec *mask, MaskKind kind, double number, Tensor *array, Error *err) {
    if (!check_term(kind, number, array, err)) return false;
    if (mask->count == MASK_TERMS_MAX)
        return error_set(err, ERR_LIMIT, "a mask has at most %d terms", MASK_TERMS_MAX);
    mask->terms[mask->count++] = (MaskTerm){kind, number, array ? tensor_ref(array) : NULL};
    return true;
}

void mask_release(MaskSpec *mask) {
    for (int t = 0; t < mask->count; t++) tensor_unref(mask->terms[t].array);
    mask->count = 0;
}

bool mask_copy(MaskSpec *out, const MaskSpec *mask, Error *err) {
    (void)err; /* tensors are counted: a copy needs no memory */
    *out = *mask;
    for (int t = 0; t < out->count; t++)
        if (out->terms[t].array) tensor_ref(out->terms[t].array);
    return true;
}

/* ---- words ---- */

static const char *const mask_words[] = {"none",     "causal", "window", "padding",
                                         "segments", "and",    NULL};

static bool unknown_word(Word word, Error *err) {
    const char *nearest = word_nearest(word, mask_words);
    error_set(err, ERR_VALUE, "\"%.*s\" is no mask", word.length > 60 ? 60 : word.length,
              word.text);
    if (nearest)
        return error_hint(err,
                          "Did you mean %s? A mask is none, causal, window W, padding N, or "
                          "several joined by \"and\".",
                          nearest);
    return error_hint(err, "A mask is none, causal, window W, padding N, or several joined by "
                           "\"and\": causal and window 4.");
}

static bool parse_number(const char **rest, const char *name, const char *meaning, double *out,
                         Error *err) {
    Word word;
    if (!word_next(rest, &word) || !word_number(word, out)) {
        error_set(err, ERR_VALUE, "%s needs %s", name, meaning);
        return error_hint(err, "Write a number after it: %s 4.", name);
    }
    return true;
}

static bool parse_term(MaskSpec *mask, Word word, const char **rest, Error *err) {
    double number;
    if (word_is(word, "causal")) return mask_add(mask, MASK_CAUSAL, 0, NULL, err);
    if (word_is(word, "window"))
        return parse_number(rest, "window", "a width, the largest distance that is seen", &number,
                            err) &&
               mask_add(mask, MASK_WINDOW, number, NULL, err);
    if (word_is(word, "padding"))
        return parse_number(rest, "padding", "the number of real keys", &number, err) &&
               mask_add(mask, MASK_PADDING, number, NULL, err);
    if (word_is(word, "segments")) {
        error_set(err, ERR_VALUE, "segments need an array of ids, which cannot stand in words");
        return error_hint(err, "Make an array of it: segment_mask(ids).");
    }
    return unknown_word(word, err);
}

static bool parse_joint(Word word, Error *err) {
    if (word_is(word, "and")) return true;
    error_set(err, ERR_VALUE, "\"%.*s\" stands where a mask ends",
              word.length > 60 ? 60 : word.length, word.text);
    return error_hint(err, "Masks are joined by \"and\": causal and window 4.");
}

static bool parse_terms(MaskSpec *mask, Word word, const char *rest, Error *err) {
    for (;;) {
        if (!parse_term(mask, word, &rest, err)) return false;
        if (!word_next(&rest, &word)) return true;
        if (!parse_joint(word, err)) return false;
        if (!word_next(&rest, &word))
            return error_set(err, ERR_VALUE, "a mask is missing after \"and\"");
    }
}

static bool parse_none(const char *rest, Error *err) {
    Word word;
    return !word_next(&rest, &word) || error_set(err, ERR_VALUE, "the mask none stands alone");
}

bool mask_parse(MaskSpec *out, const char *words, Error *err) {
    MaskSpec mask = {.count = 0};
    Word word;
    if (!word_next(&words, &word)) {
        error_set(err, ERR_VALUE, "the mask is missing");
        return error_hint(
            err, "A mask is none, causal, window W, padding N, or several joined by \"and\".");
    }
    bool ok = word_is(word, "none") ? parse_none(words, err) : parse_terms(&mask, word, words, err);
    if (ok) *out = mask;
    return ok;
}

static void write_term(Text *text, const MaskTerm *term) {
    switch (term->kind) {
    case MASK_CAUSAL: text_string(text, "causal"); return;
    case MASK_WINDOW: text_string(text, "window "); break;
    case MASK_PADDING: text_string(text, "padding "); break;
    case MASK_SEGMENTS: text_string(text, "segments array"); return;
    case MASK_ARRAY: text_string(text, "array"); return;
    }
    number_write_shortest(text, term->number, false);
}

void mask_write(Text *text, const MaskSpec *mask) {
    if (mask->count == 0) text_string(text, "none");
    for (int t = 0; t < mask->count; t++) {
        if (t > 0) text_string(text, " and ");
        write_term(text, &mask->terms[t]);
    }
}
