/* The text so far, and the names in it. */
#include "lang/rewrite/rewriter.h"

#include <ctype.h>
#include <string.h>

enum { WORD_MAX = 60 };

bool is_word_byte(char c) {
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

char text_last(const Text *text) { return text->length ? text->data[text->length - 1] : ' '; }

bool ends_value(const Text *text) {
    return is_word_byte(text_last(text)) || strchr(")]}'\"", text_last(text));
}

void text_trim(Text *text) {
    text_cut_blanks(text);
    size_t blanks = strspn(text->data, " ");
    if (blanks > 0) memmove(text->data, text->data + blanks, text->length - blanks);
    text_cut(text, text->length - blanks);
}

/* Takes the value that the text ends with, A of `x + A` or f(x)[0], off it. */
void take_value(Text *text, Text *value) {
    text_cut_blanks(text);
    size_t at = text->length;
    for (int depth = 0; at > 0; at--) {
        char c = text->data[at - 1];
        if (strchr(")]", c)) depth++;
        else if (strchr("([", c)) depth--;
        else if (depth == 0 && !is_word_byte(c) && c != '.') break;
        if (depth < 0) break;
    }
    text_string(value, text->data + at);
    text_cut(text, at);
}

const Symbol *rewriter_symbol(const Rewriter *r, const char *name, size_t length) {
    char word[WORD_MAX];
    if (length == 0 || length >= sizeof word) return NULL;
    memcpy(word, name, length);
    word[length] = '\0';
    return interp_find(r->interp, word);
}

bool names_variable(const Rewriter *r, const char *name) {
    const Symbol *symbol = rewriter_symbol(r, name, strlen(name));
    return symbol && symbol->value.kind != VALUE_UNSET;
}

bool names_array(const Rewriter *r, const char *name, size_t length) {
    const Symbol *symbol = rewriter_symbol(r, name, length);
    return symbol && (value_is_array(&symbol->value) || symbol->value.kind == VALUE_LIST);
}

bool take_word(Rewriter *r, const char *word) {
    size_t length = strlen(word);
    if (strncmp(r->at, word, length) != 0 || is_word_byte(r->at[length])) return false;
    r->at += length;
    r->at += strspn(r->at, " ");
    return true;
}

const CommandSyntax *command_at(const Rewriter *r, const char *text, size_t *length) {
    for (*length = 0; is_word_byte(text[*length]);) ++*length;
    return command_find(r->interp->hooks.commands, text, *length);
}
