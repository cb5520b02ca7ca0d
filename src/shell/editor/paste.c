#include "shell/editor/paste.h"

#include "base/utf8.h"
#include "shell/editor/entry_lines.h"

#include <string.h>

/* The character that replaces this one in a paste; 0: it is dropped. */
static uint32_t cleaned(uint32_t code_point) {
    switch (code_point) {
    case '\t':
    case '\n': return code_point;
    case '\r':
    case 0x2028: /* the line and paragraph ends of some word processors */
    case 0x2029: return '\n';
    case 0x00A0: /* spaces that do not break a line, as web pages have them */
    case 0x2007:
    case 0x202F: return ' ';
    case 0x200B: /* without width: only in the way */
    case 0x2060:
    case 0xFEFF: return 0;
    default: return code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0) ? 0 : code_point;
    }
}

/* ---- prompts and fences ---- */

static size_t blanks(TextLine line) { return line_blanks(line.bytes, line.length); }

static bool is_blank(TextLine line) { return line_is_blank(line.bytes, line.length); }

/* The bytes of `word` if it is at `at`. */
static size_t word_at(TextLine line, size_t at, const char *word) {
    size_t length = strlen(word);
    return length <= line.length - at && memcmp(line.bytes + at, word, length) == 0 ? length : 0;
}

static size_t run_of(TextLine line, size_t at, const char *set) {
    size_t begin = at;
    while (at < line.length && line.bytes[at] && strchr(set, line.bytes[at])) at++;
    return at - begin;
}

/* The end of a prompt whose last character is before `end`: with the blank behind it, or at that of
 * the line. 0: something else follows, so it is none. */
static size_t with_blank(TextLine line, size_t end) {
    if (end == line.length) return end;
    return line.bytes[end] == ' ' || line.bytes[end] == '\t' ? end + 1 : 0;
}

/* The bytes of a first prompt (`>>> `, `attn> `, `In [3]: `, or `[3]:` alone), with the blanks
 * before it; 0: there is none. */
static size_t first_prompt(TextLine line) {
    size_t begin = blanks(line), end = begin + word_at(line, begin, ">>>");
    if (end == begin) end += word_at(line, begin, "attn>");
    size_t bracket = begin + word_at(line, begin, "In ");
    if (end == begin && word_at(line, bracket, "[")) {
        bracket += 1 + run_of(line, bracket + 1, "0123456789 *");
        bool alone = bracket + strlen("]:") == line.length, in = line.bytes[begin] == 'I';
        if ((in || alone) && word_at(line, bracket, "]:")) end = bracket + strlen("]:");
    }
    return end > begin ? with_blank(line, end) : 0;
}

/* The bytes of a further prompt: `...`, or `...:` with as many dots as IPython ever wrote. */
static size_t next_prompt(TextLine line) {
    size_t at = blanks(line), dots = run_of(line, at, ".");
    if (dots < 3) return 0;
    size_t colon = word_at(line, at + dots, ":");
    return dots == 3 || colon ? with_blank(line, at + dots + colon) : 0;
}

static TextLine without(TextLine line, size_t bytes) {
    return (TextLine){line.bytes + bytes, line.length - bytes};
}

/* Takes off further prompts: what was pasted at one prompt and copied from there has two. Dots that
 * end a line are left, because they may be code (the body of a function). */
static TextLine without_prompts(TextLine line) {
    for (;;) {
        size_t bytes = first_prompt(line);
        if (!bytes && !is_blank(without(line, next_prompt(line)))) bytes = next_prompt(line);
        if (!bytes) return line;
        line = without(line, bytes);
    }
}

static void append_line(Text *out, TextLine line) {
    text_bytes(out, line.bytes, line.length);
    text_char(out, '\n');
}

/* The first line that is not blank; empty: there is none. */
static TextLine first_line(const Text *text) {
    TextLine line = {"", 0};
    for (size_t at = 0; at < text->length && is_blank(line);) line = text_line(text, &at);
    return line;
}

/* True for ``` with a word or without, as in an answer or a Markdown page. */
static bool is_fence(TextLine line) {
    size_t at = blanks(line), marks = run_of(line, at, "`");
    return marks >= 3 && !memchr(line.bytes + at + marks, '`', line.length - at - marks);
}

void paste_clean(Text *out, const char *text, size_t length) {
    LocalText clean = TEXT_FOR(out), code = TEXT_FOR(out), entries = TEXT_FOR(out),
              cells = TEXT_FOR(out);
    for (size_t at = 0, size; at < length; at += size) {
        uint32_t code_point;
        size = utf8_next(text + at, length - at, &code_point);
        uint32_t now = cleaned(code_point);
        bool pair = code_point == '\r' && at + 1 < length && text[at + 1] == '\n';
        if (now && now == code_point) text_bytes(&clean, text + at, size);
        else if (now && !pair) text_char(&clean, (char)now);
    }

    /* The text between fences, or all if the first line is not one. */
    bool fenced = is_fence(first_line(&clean)), inside = !fenced;
    for (size_t at = 0; at < clean.length;) {
        TextLine line = text_line(&clean, &at);
        if (fenced && is_fence(line)) inside = !inside;
        else if (inside) append_line(&code, line);
    }

    /* The entries, if there are prompts. Dots continue only what is right above them: in a result
     * they mean rows that were left out. */
    bool prompted = first_prompt(first_line(&code)) > 0;
    inside = false;
    for (size_t at = 0; prompted && at < code.length;) {
        TextLine line = text_line(&code, &at);
        size_t prompt = first_prompt(line);
        if (!prompt && inside) prompt = next_prompt(line);
        if (prompt) append_line(&entries, without_prompts(without(line, prompt)));
        if (prompt || !is_blank(line)) inside = prompt > 0;
    }
    /* Entries are empty if prompts are alone above code without them, as in a page of a notebook:
     * only these lines are taken off, and the results, from `Out[3]:` or another `[3]:` to the next
     * prompt. */
    const Text *kept = &entries;
    if (!trimmed_length(entries.data, entries.length, "\n")) kept = prompted ? &cells : &code;
    TextLine last = {"", 0};
    bool result = false;
    for (size_t at = 0; kept == &cells && at < code.length;) {
        TextLine line = text_line(&code, &at);
        bool prompt = first_prompt(line) > 0,
             again = prompt && line.length == last.length &&
                     memcmp(line.bytes, last.bytes, line.length) == 0;
        if (prompt) last = line;
        result = again || (!prompt && (result || word_at(line, blanks(line), "Out[")));
        if (!prompt && !result) append_line(&cells, line);
    }
    text_bytes(out, kept->data, trimmed_length(kept->data, kept->length, "\n"));
}
