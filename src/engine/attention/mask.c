#include "engine/attention/mask.h"

bool mask_add(MaskSpec *mask, const MaskDef *kind, double number, Tensor *array, Error *err) {
    WordTerm term = {&kind->words, kind->words.takes == WORD_TAKES_WHOLE, number, array};
    if (!word_check(&term, err)) return false;
    if (mask->count == MASK_TERMS_MAX)
        return error_set(err, ERR_LIMIT, "a mask joins at most %d terms", MASK_TERMS_MAX);
    mask->terms[mask->count++] = (MaskTerm){kind, number, array ? tensor_ref(array) : NULL};
    return true;
}

void mask_release(MaskSpec *mask) {
    for (int t = 0; t < mask->count; t++) tensor_unref(mask->terms[t].array);
    mask->count = 0;
}

void mask_copy(MaskSpec *out, const MaskSpec *mask) {
    *out = *mask;
    for (int t = 0; t < out->count; t++)
        if (out->terms[t].array) tensor_ref(out->terms[t].array);
}

bool mask_read(WordSource *source, MaskSpec *out, Error *err) {
    MaskSpec mask = {.count = 0};
    bool ok;
    do {
        WordTerm term;
        ok = word_read(source, &mask_grammar, &term, err);
        if (!ok) break;
        const MaskDef *kind = (const MaskDef *)term.def; /* whose first member it is */
        if (kind == &no_mask && mask.count == 0) break;
        if (kind == &no_mask) ok = error_set(err, ERR_VALUE, "the mask none stands alone");
        else ok = mask_add(&mask, kind, term.number, term.array, err);
        tensor_unref(term.array);
    } while (ok && source->take(source, mask_grammar.joint));
    if (ok) *out = mask;
    else mask_release(&mask);
    return ok;
}

bool mask_parse(MaskSpec *out, const char *words, Error *err) {
    WordText text = word_text(words);
    MaskSpec mask;
    if (!mask_read(&text.source, &mask, err)) return false;
    bool ok = word_text_finish(&text, &mask_grammar, err);
    if (ok) *out = mask;
    else mask_release(&mask);
    return ok;
}

void mask_write_term(Text *text, const MaskTerm *term) {
    const WordDef *words = &term->kind->words;
    word_write(text, words, words->takes == WORD_TAKES_WHOLE, term->number);
}

void mask_write(Text *text, const MaskSpec *mask) {
    if (mask->count == 0) text_string(text, no_mask.words.word);
    for (int t = 0; t < mask->count; t++) {
        const MaskTerm *term = &mask->terms[t];
        if (t > 0) text_format(text, " %s ", mask_grammar.joint);
        mask_write_term(text, term);
        if (term->array) text_string(text, term->kind->words.word ? " array" : "array");
    }
}
