/* The text so far, and the names in it. */
#include "lang/rewrite/rewriter.h"

#include <string.h>

enum { WORD_MAX = 60 };

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

/* Takes off what the text ends with, up to a sign that `ends` it or the bracket around it. */
static void take_back(Text *text, Text *taken, bool (*ends)(char c)) {
    text_cut_blanks(text);
    size_t at = text->length;
    for (int depth = 0; at > 0; at--) {
        char c = text->data[at - 1];
        if (strchr(")]", c)) depth++;
        else if (strchr("([", c) && --depth < 0) break;
        else if (depth == 0 && ends(c)) break;
    }
    at += strspn(text->data + at, " ");
    text_string(taken, text->data + at);
    text_cut(text, at);
}

static bool ends_operand(char c) { return !is_word_byte(c) && !strchr(".([", c); }
static bool ends_product(char c) { return strchr("+-=<>&|,;:", c) != NULL; }

void take_value(Text *text, Text *value) { take_back(text, value, ends_operand); }
void take_product(Text *text, Text *product) { take_back(text, product, ends_product); }

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

const char *assigned_to(const Rewriter *r, const char *name, size_t length) {
    const Symbol *symbol = rewriter_symbol(r, name, length);
    for (const char *at = r->script; symbol && at && (at = strstr(at, symbol->name));
         at += length) {
        const char *behind = at + length + strspn(at + length, " ");
        const char *before = at;
        while (before > r->script && before[-1] == ' ') before--;
        bool begins = before == r->script || strchr(";\n", before[-1]);
        if (begins && *behind == '=' && behind[1] != '=')
            return behind + 1 + strspn(behind + 1, " ");
    }
    return NULL;
}

bool names_array(const Rewriter *r, const char *name, size_t length) {
    const Symbol *symbol = rewriter_symbol(r, name, length);
    if (symbol && symbol->value.kind != VALUE_UNSET)
        return value_is_array(&symbol->value) || symbol->value.kind == VALUE_LIST;
    const char *value = assigned_to(r, name, length);
    if (!value) return r->script && length == 1 && strchr("QKVX", *name); /* nothing is there yet */
    return !strchr("-.\"'0123456789", *value);
}

bool begins_with_word(const char *text, const char *word) {
    size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && !is_word_byte(text[length]);
}

bool take_word(Rewriter *r, const char *word) {
    if (!begins_with_word(r->at, word)) return false;
    r->at += strlen(word);
    r->at += strspn(r->at, " ");
    return true;
}

const CommandSyntax *command_at(const Rewriter *r, const char *text, size_t *length) {
    *length = leading_word(text);
    return command_find(r->interp->hooks.commands, text, *length);
}
