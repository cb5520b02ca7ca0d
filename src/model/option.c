#include "model/option.h"

#include "base/error.h"
#include "base/number.h"
#include "engine/attention/position.h"

#include <assert.h>
#include <string.h>

static const char *const truths[] = {"false", "true", NULL};

/* ---- words ---- */

const char *option_word(const Option *option, size_t i) {
    if (option->kind == OPTION_WORD) return option->words[i];
    return position_kinds[i] ? position_kinds[i]->words.word : NULL;
}

const char *option_chosen(const Option *option, const void *base) {
    const void *member = option_member(option, base);
    if (option->kind == OPTION_WORD) return option->words[*(const unsigned *)member];
    return (*(const PositionDef *const *)member)->words.word;
}

bool option_choose(const Option *option, void *base, const char *word) {
    void *member = option_member(option, base);
    unsigned i = 0;
    while (option_word(option, i) && strcmp(option_word(option, i), word) != 0) i++;
    if (!option_word(option, i)) return false;
    if (option->kind == OPTION_WORD) *(unsigned *)member = i;
    else *(const PositionDef **)member = position_kinds[i];
    return true;
}

void option_list_words(const Option *option, const char *quote, Text *out) {
    for (size_t i = 0; option_word(option, i); i++)
        text_format(out, "%s%s%s%s",
                    i == 0                       ? ""
                    : option_word(option, i + 1) ? ", "
                                                 : " or ",
                    quote, option_word(option, i), quote);
}

/* ---- values ---- */

void option_reset(const Option *option, void *base) {
    char text[32];
    const char *usual = option->usual;
    size_t quote = *usual == '"', length = strlen(usual) - 2 * quote;
    if (strcmp(usual, "None") == 0) return;
    memcpy(text, usual + quote, length);
    text[length] = '\0';
    if (option->kind == OPTION_FLAG) *(bool *)option_member(option, base) = *text == 'T';
    else option_read(option, base, text);
}

bool option_equal(const Option *option, const void *a, const void *b) {
    static const size_t sizes[] = {
        [OPTION_WORD] = sizeof(unsigned), [OPTION_POSITION] = sizeof(const PositionDef *),
        [OPTION_SIZE] = sizeof(size_t),   [OPTION_SEED] = sizeof(uint64_t),
        [OPTION_NUMBER] = sizeof(double), [OPTION_FLAG] = sizeof(bool),
        [OPTION_TEXT] = sizeof(char *)};
    return memcmp(option_member(option, a), option_member(option, b), sizes[option->kind]) == 0;
}

bool option_is_none(const Option *option, const void *base) {
    return option->may_be_none && *(const size_t *)option_member(option, base) == NO_SIZE;
}

bool option_check(const Option *option, const void *base, Error *err) {
    if (option->kind != OPTION_SIZE || option_is_none(option, base)) return true;
    size_t size = *(const size_t *)option_member(option, base);
    if (size >= option->least && size <= option->most) return true;
    if (option->least == 0)
        return error_set(err, ERR_VALUE, "%s must be at most %zu, not %zu", option->name,
                         option->most, size);
    return error_set(err, ERR_VALUE, "%s must be from %zu to %zu, not %zu", option->name,
                     option->least, option->most, size);
}

/* ---- files ---- */

void option_write(const Option *option, const void *base, Text *out) {
    const void *member = option_member(option, base);
    switch (option->kind) {
    case OPTION_WORD:
    case OPTION_POSITION: text_string(out, option_chosen(option, base)); break;
    case OPTION_SIZE: text_format(out, "%zu", *(const size_t *)member); break;
    case OPTION_SEED:
        text_format(out, "%llu", (unsigned long long)*(const uint64_t *)member);
        break;
    case OPTION_NUMBER: number_write_shortest(out, *(const double *)member, false); break;
    case OPTION_FLAG: text_string(out, truths[*(const bool *)member]); break;
    case OPTION_TEXT: assert(false); break;
    }
}

/* A number in digits alone, up to `most`. */
static bool read_whole(const char *text, uint64_t most, uint64_t *out) {
    const char *at = text;
    for (*out = 0; *at >= '0' && *at <= '9'; at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (*out > (most - digit) / 10) return false;
        *out = 10 * *out + digit;
    }
    return at > text && *at == '\0';
}

const char *option_read(const Option *option, void *base, const char *text) {
    void *member = option_member(option, base);
    uint64_t whole;
    switch (option->kind) {
    case OPTION_WORD:
    case OPTION_POSITION: return option_choose(option, base, text) ? NULL : "not known here";
    case OPTION_SIZE:
    case OPTION_SEED:
        if (!read_whole(text, option->kind == OPTION_SEED ? UINT64_MAX : SIZE_MAX / 2, &whole))
            return "no whole number, or too large";
        if (option->kind == OPTION_SEED) *(uint64_t *)member = whole;
        else *(size_t *)member = (size_t)whole;
        return NULL;
    case OPTION_NUMBER:
        return number_read_whole(text, strlen(text), (double *)member) ? NULL : "no number";
    case OPTION_TEXT: assert(false);
    case OPTION_FLAG: break;
    }
    *(bool *)member = strcmp(text, truths[true]) == 0;
    return *(bool *)member || strcmp(text, truths[false]) == 0 ? NULL : "not known here";
}
