/* A line is copied from left to right, and what is foreign is replaced as it comes: signs by a
 * table, words by those of lang/remedy.h, A(1, :) by A[0, :], 1:5 by arange(1, 6). */
#include "base/utf8.h"
#include "lang/parse/parse.h"
#include "lang/remedy/rewriter.h"
#include "lang/token.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- the text so far, and the names in it ---- */

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

void take_back(Text *text, Text *taken, const char *ends) {
    text_cut_blanks(text);
    size_t at = text->length;
    for (int depth = 0; at > 0; at--) {
        char c = text->data[at - 1];
        bool inside = ends ? !strchr(ends, c) : is_word_byte(c) || c == '.';
        if (strchr(")]", c)) depth++;
        else if (strchr("([", c) && --depth < 0) break;
        else if (depth == 0 && !inside && !strchr("([", c)) break;
    }
    at += strspn(text->data + at, " ");
    text_string(taken, text->data + at);
    text_cut(text, at);
}

const Value *variable_named(const Rewriter *r, const char *name, size_t length) {
    const Symbol *symbol = interp_find_word(r->interp, name, length);
    return symbol && symbol->value.kind != VALUE_UNSET ? &symbol->value : NULL;
}

const char *assigned_to(const Rewriter *r, const char *name, size_t length) {
    /* An attribute may have the empty name, which is everywhere. */
    const Symbol *symbol = length > 0 ? interp_find_word(r->interp, name, length) : NULL;
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
    const Value *held = variable_named(r, name, length);
    if (held) return value_is_array(held) || held->kind == VALUE_LIST;
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

/* ---- a line ---- */

/* True if a comment of C or Octave begins here: `% ` or `// ` and a word that cannot be a
 * divisor. */
static bool begins_comment(const Text *before, const char *text) {
    size_t marks = *text == '%' ? 1 : strncmp(text, "//", 2) == 0 ? 2 : 0;
    const char *word = text + marks + strspn(text + marks, " "), *behind = word;
    while (is_word_byte(*behind)) behind++;
    bool apart = before->length == 0 || text_last(before) == ' ';
    return marks > 0 && apart && word > text + marks && !isdigit((unsigned char)*word) &&
           behind > word && (*behind == ' ' || !*behind);
}

/* The ASCII sign that a full-width one is meant as, also where the lexer does not read it so. */
static char plain_sign(uint32_t c) {
    if (c < 0x80) return (char)c;
    if (c == 0x2212) return '-';
    if (c == 0xFF5E) return ':';                                            /* 3～5 */
    bool quotes = c == 0x300C || c == 0x300D || c == 0x300A || c == 0x300B; /* 「 」 《 》 */
    return quotes ? '"' : utf8_ascii_twin(c);
}

/* Copies the line with ASCII for full-width punctuation, up to a comment: returns where that
 * begins, or the length. *folded: whether there was any. */
static size_t read_plain(Text *out, const char *line, size_t length, bool *folded) {
    char quote = 0;
    uint32_t c;
    for (size_t at = 0, size; at < length; at += size) {
        size = utf8_next(line + at, length - at, &c);
        char twin = plain_sign(c);
        bool quotes = twin == '"' || (twin == '\'' && !ends_value(out));
        if (!quote && (twin == '#' || begins_comment(out, line + at))) return at;
        if (!quote && quotes) quote = twin;
        else if (quote && twin == quote) {
            /* A curly quote closes a straight one where no straight one does. */
            if (c < 0x80 || !memchr(line + at, quote, length - at)) quote = 0;
            else twin = 0;
        } else if (quote && c >= 0x80) twin = 0;
        *folded = *folded || (twin && c >= 0x80);
        if (twin) text_char(out, twin);
        else text_bytes(out, line + at, size);
    }
    return length;
}

/* True if the line begins with a word whose block may follow a colon. */
static bool begins_block(const char *line) {
    LocalText word = TEXT_EMPTY;
    size_t length = leading_word(line);
    if (!foreign_chinese(&word, line, length)) text_bytes(&word, line, length);
    return token_has(token_of_word(word.data, word.length), ROLE_BLOCK);
}

/* True if the line begins with a command, be it in Chinese. */
static bool begins_command(const Rewriter *r, const char *line) {
    LocalText word = TEXT_EMPTY;
    size_t length = leading_word(line);
    if (command_at(r, line, &length)) return true;
    return foreign_chinese(&word, line, length) && command_at(r, word.data, &length);
}

/* Appends the line as it should be. False when nothing in it is foreign, or when what is foreign
 * cannot be rewritten; `out` is then of no use, and *words may say what to do. unread: the line
 * could not be parsed, so that its full-width signs are foreign too. */
static bool rewrite_line(Interp *interp, const char *line, size_t length, bool unread,
                         const char *script, Text *out, const char **words) {
    LocalText plain = TEXT_EMPTY;
    Rewriter r = {.interp = interp, .script = script};
    bool folded = false;
    size_t prompt = length > 6 && strncmp(line, "attn> ", 6) == 0 ? 6 : 0; /* pasted with it */
    line += prompt, length -= prompt;
    size_t comment = read_plain(&plain, line, length, &folded);
    r.changed = folded && unread;
    if (r.changed && text_last(&plain) == '.') text_cut(&plain, plain.length - 1); /* 。 */
    r.changed = read_latex(&plain) || r.changed || prompt > 0;
    text_trim(&plain);
    bool colon = text_last(&plain) == ':';
    if (colon) text_cut(&plain, plain.length - 1);
    /* A sign that the line is Octave's may be at its end: then it is read again. */
    for (int reading = 0; reading == 0 || (reading == 1 && r.octave); reading++) {
        text_clear(out);
        r.undecided = 0;
        if (!r.failed) r.words = NULL;
        r.at = plain.data;
        r.command = begins_command(&r, plain.data);
        if (!rewrite_statement(&r, out))
            rewrite_list(&r, out, begins_block(plain.data) ? PLAIN : VALUE);
    }
    if (colon && text_last(out) != ':') text_char(out, ':');
    const char *close = strstr(out->data, ") =");
    const char *head = out->data + (strncmp(out->data, "def ", 4) == 0 ? 4 : 0);
    if (close && close[3] != '=' && head[leading_word(head)] == '(') {
        Text call = *out; /* Attention(Q, K, V) = ... of a paper, f(x) = ..., def f(x) = ... */
        *out = (Text)TEXT_EMPTY;
        text_format(out, "def %.*s): return%s", (int)(close - head), head, close + 3);
        text_release_for(&call, out);
        r.changed = true;
    }
    LocalText phrased = TEXT_FOR(out);
    /* set temp to 0.5: where a word has become the command's own, others may follow it. */
    for (int pass = 0; pass < 2 && foreign_phrases(&phrased, out->data); pass++) {
        if (pass > 0 && (strncmp(out->data, "set ", 4) != 0 || strchr(out->data, ';'))) break;
        text_clear(out);
        text_string(out, phrased.data);
        text_clear(&phrased);
        r.changed = true;
    }
    const char *sign = out->data + (out->length < 3 ? 0 : out->length - 2);
    if (strcmp(sign, "++") == 0 || strcmp(sign, "--") == 0) { /* x++ -> x += 1 */
        char operation = *sign;
        text_cut(out, out->length - 2);
        text_format(out, " %c= 1", operation);
        r.changed = true;
    }
    if (comment < length && line[comment] != '#') {
        const char *remark = line + comment + strspn(line + comment, "%/ ");
        text_format(out, "%s# %.*s", out->length ? "  " : "", (int)(line + length - remark),
                    remark);
        r.changed = true;
    }
    *words = r.words;
    return r.changed && !r.failed && !*r.at && r.undecided == 0 && out->length > 0 &&
           !out->failed && !plain.failed;
}

bool propose(Interp *interp, Error *err, const char *opening, const char *line) {
    static const char write[] = "write ";
    enum { FOREIGN_MAX = 8 }; /* parts of a line, each of which another error answers */
    /* A line that could not be parsed may be of a script, whose names get their values later; but
     * an unknown function that is called is hardly defined below. */
    bool defined = err && err->kind != ERR_SYNTAX;
    Trial trial = TRIAL_UNKNOWN;
    LocalText tried = TEXT_EMPTY;
    text_string(&tried, line);
    for (int i = 0; err && !interp->rewriting && i < FOREIGN_MAX; i++) {
        Error why;
        char called[sizeof why.message];
        trial = interp_try(interp, tried.data, defined, NULL, &why);
        snprintf(called, sizeof called, "%.*s(", (int)strcspn(why.message, " "), why.message);
        bool unknown = why.kind == ERR_NAME && *interp->tables && !*err->file;
        const char *at = strstr(tried.data, called);
        while (at && at > tried.data && is_word_byte(at[-1])) at = strstr(at + 1, called);
        if (unknown && at) trial = TRIAL_FAILS;
        if (trial == TRIAL_WORKS || strncmp(why.hint, write, strlen(write)) != 0) break;
        text_clear(&tried); /* right but for this: temperature 0.5 lacks its set */
        text_string(&tried, why.hint + strlen(write));
    }
    bool fits = strlen(opening) + tried.length < sizeof err->hint; /* half a line would mislead */
    bool proposed = trial != TRIAL_FAILS && !tried.failed && fits;
    if (proposed) error_hint(err, "%s%s", opening, tried.data);
    return proposed;
}

bool propose_rewritten(Interp *interp, Error *err, const char *text) {
    LocalText line = TEXT_EMPTY;
    const char *words = NULL;
    bool changed = rewrite_line(interp, text, strlen(text), true, NULL, &line, &words);
    return propose(interp, err, "write ", changed ? line.data : text);
}

/* inspect stories Tom didn't go., set tokens The cat sat.: a sentence that lacks its quotes. Not
 * where a word of the command or an expression follows: from Q, at 3, x[0]. */
static bool quote_sentence(Text *out, const char *line, size_t length) {
    const bool tokens = strncmp(line, "set tokens ", 11) == 0;
    size_t begin = tokens ? 11 : 8;
    if (!tokens && strncmp(line, "inspect ", 8) != 0) return false;
    if (!tokens) begin += leading_word(line + begin); /* the model */
    begin += strspn(line + begin, " ");
    uint32_t first = 0;
    if (begin < length) utf8_next(line + begin, length - begin, &first);
    if (!utf8_is_letter(first) || strcspn(line, "\"([=") < length ||
        words_contain("off no none", line + begin, length - begin))
        return false;
    const char *at_place = strstr(line + begin, " at ");
    if (strncmp(line + begin, "from ", 5) == 0 || (at_place && isdigit((unsigned char)at_place[4])))
        return false;
    text_format(out, "%.*s\"", (int)begin, line);
    for (size_t at = begin; at < length;) {
        static const char *const words[][2] = {/* set tokens the,cat,sat; the cat from a dog */
                                               {", ", " "},
                                               {",", " "},
                                               {"，", " "},
                                               {"、", " "},
                                               {" from ", "\" from \""},
                                               {" 从 ", "\" from \""},
                                               {" 来自 ", "\" from \""}};
        size_t i = 0, count = tokens ? sizeof words / sizeof *words : 0;
        while (i < count && strncmp(line + at, words[i][0], strlen(words[i][0])) != 0) i++;
        text_string(out, i < count ? words[i][1] : (char[]){line[at], '\0'});
        at += i < count ? strlen(words[i][0]) : 1;
    }
    text_char(out, '"');
    return true;
}

void rewrite_hint(Interp *interp, Error *err, const char *script) {
    enum { LINE_MAX_REWRITTEN = 200 };
    const char *text = err ? err->excerpt : "";
    size_t first = script ? strcspn(script, "\n") : 0, length = strlen(text);
    if (first > length && !script[first + strspn(script + first, "\n")]) {
        text = script; /* the only line, of which the excerpt is a part */
        length = first;
    }
    /* The prompt's own words, and a lesson's command without a lesson: no other line would do. */
    bool answered = err && (strncmp(err->message, "attn>", 5) == 0 ||
                            strstr(err->message, " is for lessons, and none is open"));
    if (answered || interp->rewriting || length == 0 || length > LINE_MAX_REWRITTEN) return;
    LocalText line = TEXT_EMPTY;
    const char *words = NULL;
    size_t end;
    /* "m is not defined", of inspect m The cat sat, is about no sentence. */
    bool model = err && err->kind == ERR_NAME && strncmp(text, "inspect ", 8) == 0 &&
                 strncmp(err->message, text + 8, leading_word(text + 8) + 1) == 0;
    bool quoted = !model && quote_sentence(&line, text, length);
    if (quoted && propose(interp, err, "write ", line.data)) {
        if (strstr(line.data, "\" from \""))
            error_hint(err, "write %s, or all of it in quotes as one sentence", line.data);
        return;
    }
    text_clear(&line);
    bool helps = strncmp(text, "help ", 5) == 0;
    if (!helps && parse_asks(text, 0, &end) && text[end - 1] == '?') {
        text_format(&line, "help %.*s", (int)end, text); /* what is a mask? */
        if (propose(interp, err, "write ", line.data)) return;
        text_clear(&line);
    }
    if (rewrite_line(interp, text, length, err->kind == ERR_SYNTAX, script, &line, &words)) {
        bool same = strncmp(line.data, text, length) == 0 && line.length == length;
        LocalText sentence = TEXT_EMPTY; /* 设置词元 我 爱 北京 */
        quoted = strncmp(line.data, "set tokens ", 11) == 0 &&
                 quote_sentence(&sentence, line.data, line.length);
        const char *proposed = quoted ? sentence.data : line.data;
        if (!same && propose(interp, err, "write ", proposed) && words && *words == ',')
            error_hint(err, "write %s%s", proposed, words);
    } else if (words && *words != ',') error_hint(err, "%s", words);
}
