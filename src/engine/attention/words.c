#include "engine/attention/words.h"

#include "base/nearest.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

enum { WORDS_MAX = 32, SHOWN_MAX = 60 };

/* The part of a word that a message shows. */
static int shown_length(Word word) { return word.length > SHOWN_MAX ? SHOWN_MAX : word.length; }

/* ---- lists of the words ---- */

void word_write_all(const WordGrammar *grammar, Text *text) {
    for (size_t i = 0; grammar->row(i); i++)
        if (grammar->row(i)->word) text_format(text, "%s%s", i ? " " : "", grammar->row(i)->word);
    if (grammar->joint) text_format(text, " %s", grammar->joint);
}

/* Rows that take nothing but an array are left out unless `arrays` is true. */
static void write_usages(const WordGrammar *grammar, bool arrays, bool notes, Text *text) {
    const char *between = "";
    for (size_t i = 0; grammar->row(i); i++) {
        const WordDef *row = grammar->row(i);
        if (row->takes == WORD_TAKES_ARRAY && !arrays) continue;
        text_format(text, "%s%s", between, row->usage);
        if (notes && row->note) text_format(text, " (%s)", row->note);
        between = ", ";
    }
}

void word_write_usage(const WordGrammar *grammar, Text *text) {
    write_usages(grammar, true, true, text);
    if (grammar->joint) text_format(text, "; joined by %s", grammar->joint);
}

/* Hints at the words that are allowed, and at the nearest one unless that is NULL. */
static bool hint_words(const WordSource *source, const WordGrammar *grammar, const char *nearest,
                       Error *err) {
    LocalText list = TEXT_EMPTY;
    if (nearest) text_format(&list, "Did you mean %s? ", nearest);
    text_format(&list, "A %s is one of ", grammar->noun);
    write_usages(grammar, source->is_array != NULL, false, &list);
    if (grammar->joint) text_format(&list, ", or several joined by \"%s\"", grammar->joint);
    return error_hint(err, "%s.", list.failed ? "" : list.data);
}

void word_write(Text *text, const WordDef *def, bool has_number, double number) {
    if (def->word) text_string(text, def->word);
    if (!has_number) return;
    text_char(text, ' ');
    number_write_shortest(text, number, false);
}

/* ---- reading ---- */

bool word_check(const WordTerm *term, Error *err) {
    const WordDef *def = term->def;
    double number = term->number, most = 9007199254740992.0; /* 2^53 */
    if (term->array) return !def->check_array || def->check_array(term->array, err);
    if (!term->has_number) return true;
    bool is_whole = number >= def->least && number <= most && floor(number) == number;
    if (def->takes == WORD_TAKES_WHOLE && !is_whole)
        return error_set(err, ERR_VALUE, "%s must be a whole number of %g or more, not %.15g",
                         def->what, def->least, number);
    if (def->takes != WORD_TAKES_WHOLE && !isfinite(number))
        return error_set(err, ERR_VALUE, "%s must be a finite number, not %g", def->what, number);
    return true;
}

static bool unknown_word(WordSource *source, const WordGrammar *grammar, Error *err) {
    Word word;
    if (!source->next(source, &word)) {
        error_set(err, source->missing, "the %s is missing", grammar->noun);
        return hint_words(source, grammar, NULL, err);
    }
    const char *words[WORDS_MAX];
    size_t count = 0;
    bool arrays = false; /* an array is allowed here, so the word may be meant for its name */
    for (size_t i = 0; grammar->row(i) && count < WORDS_MAX - 1; i++) {
        if (grammar->row(i)->word) words[count++] = grammar->row(i)->word;
        else arrays = source->is_array != NULL;
    }
    words[count] = NULL;

    int length = shown_length(word);
    if (arrays) {
        error_set(err, ERR_NAME, "%.*s is neither a kind of %s nor a variable", length, word.text,
                  grammar->noun);
        return hint_words(source, grammar, source->nearest(source, word, words), err);
    }
    Nearest nearest;
    nearest_begin(&nearest, word.text, (size_t)word.length);
    for (size_t i = 0; i < count; i++) nearest_offer(&nearest, words[i]);
    error_set(err, ERR_VALUE, "\"%.*s\" is no %s", length, word.text, grammar->noun);
    return hint_words(source, grammar, nearest.found, err);
}

bool word_read(WordSource *source, const WordGrammar *grammar, WordTerm *out, Error *err) {
    WordTerm term = {.def = NULL};
    const WordDef *array = NULL;
    for (size_t i = 0; grammar->row(i) && !term.def; i++) {
        const WordDef *row = grammar->row(i);
        if (!row->word) array = row;
        else if (source->take(source, row->word)) term.def = row;
    }
    if (!term.def && source->is_array && source->is_array(source)) term.def = array;
    if (!term.def) return unknown_word(source, grammar, err);
    bool given = term.def->takes != WORD_ALONE && !(term.def->optional && source->at_end(source));
    if (given && !(source->argument(source, term.def, &term, err) && word_check(&term, err))) {
        tensor_unref(term.array);
        return false;
    }
    *out = term;
    return true;
}

/* ---- the words of a string ---- */

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static Word text_peek(const WordText *text) {
    const char *begin = text->rest;
    while (is_space(*begin)) begin++;
    const char *end = begin;
    while (*end != '\0' && !is_space(*end)) end++;
    return (Word){begin, (int)(end - begin)};
}

static bool text_at_end(const WordSource *source) {
    return text_peek((const WordText *)source).length == 0;
}

static bool text_next(WordSource *source, Word *out) {
    WordText *text = (WordText *)source;
    *out = text_peek(text);
    text->rest = out->text + out->length;
    return out->length > 0;
}

static bool word_is(Word word, const char *text) {
    return (size_t)word.length == strlen(text) && memcmp(word.text, text, (size_t)word.length) == 0;
}

static bool text_take_word(WordSource *source, const char *word) {
    Word next = text_peek((WordText *)source);
    return word_is(next, word) && text_next(source, &next);
}

/* A number with its sign, or inf, that fills the whole word. */
static bool word_number(Word word, double *out) {
    bool negative = word.length > 0 && word.text[0] == '-';
    if (negative || (word.length > 0 && word.text[0] == '+'))
        word = (Word){word.text + 1, word.length - 1};
    double x = INFINITY;
    if (!word_is(word, "inf") && (word.length == 0 || number_read(word.text, (size_t)word.length,
                                                                  &x) != (size_t)word.length))
        return false;
    *out = negative ? -x : x;
    return true;
}

static bool text_argument(WordSource *source, const WordDef *def, WordTerm *out, Error *err) {
    Word word;
    if (def->takes == WORD_TAKES_ARRAY) {
        error_set(err, ERR_VALUE, "%s must be an array, which words cannot give", def->what);
        return def->hint ? error_hint(err, "%s", def->hint) : false;
    }
    if (!text_next(source, &word)) {
        error_set(err, ERR_VALUE, "%s is missing behind %s", def->what, def->word);
        return error_hint(err, "Write a number after it: %s 4.", def->word);
    }
    out->has_number = word_number(word, &out->number);
    return out->has_number || error_set(err, ERR_VALUE, "\"%.*s\" cannot follow %s, which takes %s",
                                        shown_length(word), word.text, def->word, def->what);
}

WordText word_text(const char *text) {
    return (WordText){{.missing = ERR_VALUE,
                       .at_end = text_at_end,
                       .take = text_take_word,
                       .next = text_next,
                       .argument = text_argument},
                      text};
}

bool word_text_finish(WordText *text, const WordGrammar *grammar, Error *err) {
    Word word;
    if (!text_next(&text->source, &word)) return true;
    error_set(err, ERR_VALUE, "\"%.*s\" comes where a %s ends", shown_length(word), word.text,
              grammar->noun);
    return hint_words(&text->source, grammar, NULL, err);
}
