#include "engine/attention/position.h"

#include "base/number.h"
#include "engine/attention/words.h"

#include <math.h>

void position_release(PositionSpec *position) {
    tensor_unref(position->table);
    *position = (PositionSpec){.kind = POSITION_NONE};
}

void position_copy(PositionSpec *out, const PositionSpec *position) {
    *out = *position;
    if (out->table) tensor_ref(out->table);
}

bool position_is_additive(PositionKind kind) {
    return kind == POSITION_SINUSOIDAL || kind == POSITION_LEARNED;
}

bool position_is_bias(PositionKind kind) {
    return kind == POSITION_RELATIVE || kind == POSITION_ALIBI;
}

/* ---- words: one row a kind ---- */

static const char *const names[] = {"none",  "sinusoidal", "learned", "relative",
                                    "alibi", "rope",       NULL};

static bool find_kind(Word word, PositionKind *kind) {
    for (int i = 0; names[i]; i++)
        if (word_is(word, names[i])) {
            *kind = (PositionKind)i;
            return true;
        }
    return false;
}

static bool list_kinds(const char *nearest, Error *err) {
    return error_hint(err,
                      "%s%s%sA position is none, sinusoidal, learned [trained], relative [slope], "
                      "alibi [slope] or rope.",
                      nearest ? "Did you mean " : "", nearest ? nearest : "", nearest ? "? " : "");
}

static bool unknown_kind(Word word, Error *err) {
    if (word.length == 0) error_set(err, ERR_VALUE, "the position is missing");
    else
        error_set(err, ERR_VALUE, "\"%.*s\" is no position", word.length > 60 ? 60 : word.length,
                  word.text);
    return list_kinds(word_nearest(word, names), err);
}

static bool set_number(PositionSpec *position, double number, Error *err) {
    if (position->kind == POSITION_LEARNED) {
        if (!(number >= 1 && number <= 1e9) || floor(number) != number)
            return error_set(
                err, ERR_VALUE,
                "learned takes the number of trained rows, a whole number of 1 or more, not %g",
                number);
        position->has_trained = true;
        position->trained = number;
        return true;
    }
    if (!isfinite(number))
        return error_set(err, ERR_VALUE, "the slope of %s must be a finite number, not %g",
                         names[position->kind], number);
    position->has_slope = true;
    position->slope = number;
    return true;
}

static bool parse_number(PositionSpec *position, Word word, Error *err) {
    double number;
    bool takes_number = position->kind == POSITION_LEARNED || position_is_bias(position->kind);
    if (!takes_number || !word_number(word, &number)) {
        error_set(err, ERR_VALUE, "\"%.*s\" cannot stand after %s",
                  word.length > 60 ? 60 : word.length, word.text, names[position->kind]);
        return list_kinds(NULL, err);
    }
    return set_number(position, number, err);
}

bool position_parse(PositionSpec *out, const char *words, Error *err) {
    PositionSpec position = {.kind = POSITION_NONE};
    Word word;
    if (!word_next(&words, &word) || !find_kind(word, &position.kind))
        return unknown_kind(word, err);
    if (word_next(&words, &word) && !parse_number(&position, word, err)) return false;
    if (word_next(&words, &word)) {
        error_set(err, ERR_VALUE, "\"%.*s\" is too much for a position",
                  word.length > 60 ? 60 : word.length, word.text);
        return list_kinds(NULL, err);
    }
    *out = position;
    return true;
}

void position_write(Text *text, const PositionSpec *position) {
    text_string(text, names[position->kind]);
    if (position->table) text_string(text, " array");
    else if (position->kind == POSITION_LEARNED ? position->has_trained : position->has_slope) {
        text_char(text, ' ');
        number_write_shortest(
            text, position->kind == POSITION_LEARNED ? position->trained : position->slope, false);
    }
}
