#include "shell/help/page.h"

#include "base/size.h"
#include "base/translate.h"
#include "base/utf8.h"
#include "shell/terminal/ascii.h"
#include "view/label.h"

#include <string.h>

enum { WIDTH_LEAST = 20, WIDTH_MOST = 100, NARROW = 76 };
enum { LABEL_COLUMN = 10, CODE_INDENT = 4, GAP = 2 };

static const char bold[] = "1", dim[] = "2", plain[] = "";

Page page_begin(Text *text, const Host *host) {
    int width = host->columns;
    if (width < WIDTH_LEAST) width = WIDTH_LEAST;
    if (width > WIDTH_MOST) width = WIDTH_MOST;
    return (Page){text, (size_t)width, host->color != COLOR_NONE, host->utf8};
}

bool page_is_narrow(const Page *page) { return page->width < NARROW; }

/* ---- a line ---- */

/* The words as this page can show them: a LocalText of the caller. */
static Text shown_words(const Page *page, const char *words, size_t length) {
    Text text = TEXT_FOR(page->text);
    if (page->utf8) text_bytes(&text, words, length);
    else ascii_write(&text, words, length, false);
    return text;
}

static size_t columns_of(const Page *page, const char *words) {
    LocalText text = shown_words(page, words, strlen(words));
    return utf8_width(text.data, text.length);
}

static void write_styled(Page *page, const char *style, const char *words, size_t length) {
    bool styled = page->styled && *style && length > 0;
    if (styled) text_format(page->text, "\033[%sm", style);
    text_bytes(page->text, words, length);
    if (styled) text_string(page->text, "\033[0m");
}

/* Writes words from the end of the line, wrapped at the width; further lines are indented. */
static void write_hanging(Page *page, size_t indent, const char *words, const char *style) {
    size_t room = larger(left_of(page->width, indent), WIDTH_LEAST / 2);
    LocalText source = shown_words(page, words, strlen(words)), lines = TEXT_FOR(page->text);
    utf8_wrap(&lines, source.data, room);
    for (size_t at = 0; at < lines.length;) {
        if (at > 0) text_repeat(page->text, ' ', indent);
        TextLine line = text_line(&lines, &at);
        write_styled(page, style, line.bytes, line.length);
        text_char(page->text, '\n');
    }
}

void page_gap(Page *page) { text_char(page->text, '\n'); }

/* The same in the person's language. */
static void say_hanging(Page *page, size_t indent, const char *words, const char *style) {
    LocalText said = TEXT_FOR(page->text);
    tr_write(&said, words);
    write_hanging(page, indent, said.data, style);
}

void page_heading(Page *page, const char *words) { say_hanging(page, 0, words, bold); }

void page_paragraph(Page *page, const char *words) { say_hanging(page, 0, words, plain); }

void page_labelled(Page *page, const char *title, const char *words) {
    if (!words || !*words) return;
    title = tr(title);
    size_t column = larger(utf8_width(title, strlen(title)) + 1, LABEL_COLUMN);
    utf8_pad(page->text, title, strlen(title), column, false);
    say_hanging(page, column, words, plain);
}

/* ---- what is typed ---- */

static void write_form(Page *page, const char *words) {
    write_hanging(page, columns_of(page, words) <= page->width ? 0 : CODE_INDENT, words, bold);
}

void page_signature(Page *page, const char *words) {
    static const char between[] = "   ·   ";
    const char *next = columns_of(page, words) <= page->width ? NULL : strstr(words, between);
    for (; next; next = strstr(words, between)) {
        LocalText form = TEXT_FOR(page->text);
        text_bytes(&form, words, (size_t)(next - words));
        write_form(page, form.data);
        words = next + sizeof between - 1;
    }
    write_form(page, words);
}

void page_code(Page *page, const char *lines) {
    if (!lines) return;
    for (const char *line = lines; *line;) {
        size_t length = strcspn(line, "\n");
        LocalText code = shown_words(page, line, length);
        const char *answer = strstr(code.data, "# ->");
        size_t typed = answer ? (size_t)(answer - code.data) : code.length;
        text_repeat(page->text, ' ', CODE_INDENT);
        write_styled(page, plain, code.data, typed);
        write_styled(page, dim, code.data + typed, code.length - typed);
        text_char(page->text, '\n');
        line += length + (line[length] == '\n');
    }
}

/* ---- rows of two columns ---- */

static void write_left(Page *page, const Text *left, size_t column) {
    size_t columns = utf8_width(left->data, left->length);
    write_styled(page, bold, left->data, left->length);
    text_repeat(page->text, ' ', left_of(column, columns));
}

/* Returns the left column of a row: a phrase of several words in the reader's language, a single
 * word, which is typed so, as it is. */
static const char *left_words(const char *left) { return strchr(left, ' ') ? tr(left) : left; }

void page_row(Page *page, const char *left, const char *right, size_t column) {
    left = left_words(left);
    LocalText code = shown_words(page, left, strlen(left));
    bool beside = utf8_width(code.data, code.length) + GAP <= column, words = right && *right;
    write_left(page, &code, words && beside ? column : 0);
    if (!words || !beside) page_gap(page);
    if (!words) return;
    if (!beside && column > CODE_INDENT) column = CODE_INDENT;
    if (!beside) text_repeat(page->text, ' ', column);
    say_hanging(page, column, right, plain);
}

void page_rows(Page *page, const PageRow *rows) {
    size_t column = 0, half = page->width / 2 + GAP;
    for (const PageRow *row = rows; row->left; row++) {
        size_t columns = columns_of(page, left_words(row->left)) + GAP;
        if (columns > column && columns <= half) column = columns;
    }
    for (; rows->left; rows++) {
        const char *right = page_is_narrow(page) && rows->narrow ? rows->narrow : rows->right;
        if (*rows->left || (right && *right)) page_row(page, rows->left, right, column);
        else page_gap(page);
    }
}

/* Appends as many whole words as fit, and the sign that more follow. A language that is written
 * without blanks is cut behind any character. */
static void write_whole_words(Page *page, const Text *words, size_t room) {
    enum { COLUMN_BYTES = 4 };
    /* A summary may be long: what cannot fit is not measured. */
    size_t length = smaller(words->length, COLUMN_BYTES * room), dots = page->utf8 ? 2 : 3;
    while (length > 0 &&
           (words->data[length] != ' ' || utf8_width(words->data, length) + dots > room))
        length--;
    if (length == 0 || translate_language() != LANGUAGE_ENGLISH) {
        label_fit(page->text, words, room, false, page->utf8);
        return;
    }
    text_bytes(page->text, words->data, length);
    text_string(page->text, page->utf8 ? " …" : " ..");
}

void page_cut_row(Page *page, const char *left, const char *right, size_t column) {
    LocalText said = TEXT_FOR(page->text);
    tr_write(&said, right);
    LocalText code = shown_words(page, left, strlen(left)),
              words = shown_words(page, said.data, said.length);
    size_t columns = larger(utf8_width(code.data, code.length) + GAP, column);
    write_left(page, &code, columns);
    size_t room = left_of(page->width, columns);
    if (utf8_width(words.data, words.length) > room) write_whole_words(page, &words, room);
    else text_bytes(page->text, words.data, words.length);
    text_char(page->text, '\n');
}
