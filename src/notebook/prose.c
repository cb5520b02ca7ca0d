/* A block is written into a text of its own, narrower where it is indented, and then gets the mark
 * that is before its lines. Styles are single control characters until the lines are broken:
 * they have no width, so that a line with bold words breaks where the same line without them does.
 */
#include "notebook/prose.h"

#include "base/size.h"
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH_MOST = 100, WIDTH_LEAST = 10, CODE_INDENT = 4 };

/* Two control characters for each style: the first switches it on, the second off. */
enum {
    STRONG = 0x0E,
    EMPHASIS = 0x10,
    CODE_SPAN = 0x12,
    LINK = 0x14,
    FAINT = 0x16,
    STYLES_END = 0x18
};
static const struct {
    char on;
    const char *codes[2];
    const char *mark; /* of Markdown: is there without colour */
} styles[] = {{STRONG, {"\033[1m", "\033[22m"}, "**"},
              {EMPHASIS, {"\033[3m", "\033[23m"}, "*"},
              {CODE_SPAN, {"\033[36m", "\033[39m"}, "`"},
              {LINK, {"\033[4m", "\033[24m"}, ""},
              {FAINT, {"\033[2m", "\033[22m"}, ""}};
enum { STYLE_COUNT = sizeof styles / sizeof *styles };

static bool is_style(char c) { return c >= STRONG && c < STYLES_END; }

/* ---- words ---- */

static void write_words(Text *out, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c >= ' ' && c != 0x7F) text_char(out, text[i]);
    }
}

static bool is_wide(uint32_t character) {
    return utf8_is_cjk(character) || utf8_ascii_twin(character);
}

/* A full-width mark brings its own space; the curly quotes, which Latin text has too, do not. */
static bool is_full_width_mark(uint32_t character) {
    return character > 0x3000 && utf8_ascii_twin(character);
}

bool prose_break_is_space(uint32_t before, const DocNode *soft_break) {
    const DocNode *next = soft_break->next;
    while (next && next->first) next = next->first;
    uint32_t after = 0;
    if (next && next->length) utf8_next(next->text, next->length, &after);
    if (is_full_width_mark(before) || is_full_width_mark(after)) return false;
    return !is_wide(before) || !is_wide(after);
}

static void write_soft_break(Text *out, const DocNode *node) {
    size_t end = out->length;
    while (end && is_style(out->data[end - 1])) end--;
    size_t begin = end ? utf8_begin(out->data, end - 1) : 0;
    uint32_t before = 0;
    utf8_next(out->data + begin, end - begin, &before);
    if (prose_break_is_space(before, node)) text_char(out, ' ');
}

/* Appends the words of a paragraph with its styles, a newline for a hard break. Blocks that stand
 * in an item are passed over. */
static void write_inline(Text *out, const DocNode *node) {
    static const char kind_styles[DOC_HARD_BREAK + 1] = {[DOC_STRONG] = STRONG,
                                                         [DOC_EMPHASIS] = EMPHASIS,
                                                         [DOC_CODE_SPAN] = CODE_SPAN,
                                                         [DOC_LINK] = LINK};
    for (const DocNode *part = node->first; part; part = part->next) {
        char style = kind_styles[part->kind];
        if (part->kind == DOC_TEXT) write_words(out, part->text, part->length);
        if (part->kind == DOC_SOFT_BREAK) write_soft_break(out, part);
        if (part->kind == DOC_HARD_BREAK) text_char(out, '\n');
        if (!style && part->kind != DOC_IMAGE) continue;
        if (style) text_char(out, style);
        write_inline(out, part);
        if (style) text_char(out, (char)(style + 1));
        if (style == LINK && strncmp(part->detail, "http", 4) == 0) {
            text_string(out, " (");
            write_words(out, part->detail, strlen(part->detail));
            text_char(out, ')');
        }
    }
}

void prose_plain(Text *out, const DocNode *node) {
    LocalText words = TEXT_FOR(out);
    write_inline(&words, node);
    for (size_t i = 0; i < words.length; i++) {
        char c = words.data[i];
        if (!is_style(c)) text_char(out, c == '\n' ? ' ' : c);
    }
}

bool prose_option(const DocNode *item, Text *words, Text *reason) {
    static const char dashes[] = " -- ";
    LocalText all = TEXT_FOR(words ? words : reason);
    bool loose = item->first && item->first->kind == DOC_PARAGRAPH;
    prose_plain(&all, loose ? item->first : item);
    const char *found = strstr(all.data, dashes);
    if (words) text_bytes(words, all.data, found ? (size_t)(found - all.data) : all.length);
    if (reason && found) text_string(reason, found + strlen(dashes));
    return found != NULL;
}

/* ---- lines ---- */

/* Without colour the marks take room, so they are there before the lines are broken. */
static void write_marked(Text *out, const DocNode *node, bool colored) {
    if (colored) {
        write_inline(out, node);
        return;
    }
    LocalText words = TEXT_FOR(out);
    write_inline(&words, node);
    for (size_t i = 0; i < words.length; i++) {
        char c = words.data[i];
        if (is_style(c)) text_string(out, styles[(c - STRONG) / 2].mark);
        else text_char(out, c);
    }
}

/* Appends lines with their styles as the terminal knows them. Each line ends with its styles off,
 * and the next one begins with them on, so that what is put before a line has none. */
static void write_lines(Text *out, Text *lines) {
    bool on[STYLE_COUNT] = {false};
    for (size_t i = 0; i < lines->length; i++) {
        char c = lines->data[i];
        if (is_style(c)) {
            int style = (c - STRONG) / 2, off = (c - STRONG) % 2;
            text_string(out, styles[style].codes[off]);
            on[style] = !off;
            continue;
        }
        for (int s = 0; c == '\n' && s < STYLE_COUNT; s++)
            if (on[s]) text_string(out, styles[s].codes[1]);
        text_char(out, c);
        for (int s = 0; c == '\n' && s < STYLE_COUNT; s++)
            if (on[s]) text_string(out, styles[s].codes[0]);
    }
    text_release_for(lines, out);
}

static void write_paragraph(Text *out, const DocNode *node, size_t width, bool colored) {
    Text words = TEXT_EMPTY, lines = TEXT_EMPTY;
    write_marked(&words, node, colored);
    utf8_wrap_lines(&lines, &words, width);
    write_lines(out, &lines);
}

void prose_write_behind(Text *out, Text *lines, const char *first, const char *rest) {
    size_t columns = utf8_width(first, strlen(first));
    for (size_t at = 0; at < lines->length;) {
        bool begins = at == 0;
        TextLine line = text_line(lines, &at);
        if (begins || rest) text_string(out, begins ? first : rest);
        else if (line.length) text_repeat(out, ' ', columns);
        text_bytes(out, line.bytes, line.length);
        text_char(out, '\n');
    }
    text_release_for(lines, out);
}

/* ---- blocks ---- */

static void write_block(Text *out, const DocNode *node, size_t width, bool colored);

static bool is_block(const DocNode *node) { return node->kind < DOC_HTML; }

static size_t less(size_t width, size_t indent) {
    return larger(left_of(width, indent), WIDTH_LEAST);
}

static void write_blocks(Text *out, const DocNode *node, size_t width, bool colored) {
    for (const DocNode *part = node->first; part; part = part->next) {
        if (!is_block(part)) continue;
        if (out->length && part->kind != DOC_LIST) text_char(out, '\n');
        write_block(out, part, width, colored);
    }
}

static void write_heading(Text *out, const DocNode *node, size_t width, bool colored) {
    Text words = TEXT_EMPTY, lines = TEXT_EMPTY;
    if (colored) {
        text_char(&words, STRONG);
        write_inline(&words, node);
        text_char(&words, STRONG + 1);
    } else {
        prose_plain(&words, node);
    }
    size_t columns = 0;
    utf8_wrap_lines(&lines, &words, width);
    for (size_t at = 0; at < lines.length;) {
        TextLine line = text_line(&lines, &at);
        columns = larger(columns, utf8_width(line.bytes, line.length));
    }
    write_lines(out, &lines);
    if (node->number > 2) return;
    for (size_t i = 0; i < columns; i++) text_string(out, node->number == 1 ? "═" : "─");
    text_char(out, '\n');
}

static void write_list(Text *out, const DocNode *node, size_t width, bool colored) {
    int number = node->number;
    for (const DocNode *item = node->first; item; item = item->next) {
        char mark[24];
        if (node->ordered) snprintf(mark, sizeof mark, "%d. ", number++);
        else snprintf(mark, sizeof mark, "%s", item->task ? "[ ] " : "• ");
        size_t room = less(width, utf8_width(mark, strlen(mark)));
        Text lines = TEXT_EMPTY;
        if (item->first && !is_block(item->first)) write_paragraph(&lines, item, room, colored);
        write_blocks(&lines, item, room, colored);
        if (lines.length == 0) text_char(&lines, '\n');
        prose_write_behind(out, &lines, mark, NULL);
    }
}

/* A line of code that is too wide goes on below, further in; it is broken at spaces, and where a
 * line has none, behind a bracket or a comma. */
static void write_code_line(Text *out, const char *line, size_t length, size_t width) {
    size_t indent = 0, room = width;
    while (indent < length && line[indent] == ' ') indent++;
    while (utf8_width(line, length) > room) {
        size_t columns, fitting = utf8_fitting(line, length, room, &columns), cut = fitting,
                        least = room == width ? indent : 0;
        while (cut > least && line[cut] != ' ') cut--;
        bool space = cut > least;
        if (!space)
            for (cut = fitting; cut > least && !strchr("([{,", line[cut - 1]);) cut--;
        if (cut <= least) break;
        text_bytes(out, line, cut);
        text_char(out, '\n');
        text_repeat(out, ' ', indent + CODE_INDENT);
        room = less(width, indent + CODE_INDENT);
        line += cut + space;
        length -= cut + space;
    }
    text_bytes(out, line, length);
    text_char(out, '\n');
}

static void write_code(Text *out, const DocNode *node, size_t width) {
    size_t empty = 0;
    while (empty < node->length && node->text[empty] == '\n') empty++;
    LocalText lines = TEXT_EMPTY, code = TEXT_FOR(&lines);
    for (size_t i = empty; i < node->length; i++)
        if (node->text[i] == '\n' || (unsigned char)node->text[i] >= ' ')
            text_char(&code, node->text[i]);
    for (size_t at = 0; at < code.length;) {
        TextLine line = text_line(&code, &at);
        write_code_line(&lines, line.bytes, line.length, less(width, CODE_INDENT));
    }
    prose_write_behind(out, &lines, "    ", NULL);
}

/* ---- tables ---- */

enum { COLUMNS_MOST = 32, GAP = 2 };

/* The widths of a table's columns: what their longest cells take, and where that is more than there
 * is room for, an equal share for those that take more. */
static size_t table_widths(const DocNode *table, size_t room, size_t widths[COLUMNS_MOST],
                           bool colored) {
    size_t count = 0;
    memset(widths, 0, COLUMNS_MOST * sizeof *widths);
    for (const DocNode *row = table->first; row; row = row->next) {
        size_t i = 0;
        for (const DocNode *cell = row->first; cell && i < COLUMNS_MOST; cell = cell->next, i++) {
            LocalText words = TEXT_EMPTY;
            write_marked(&words, cell, colored);
            widths[i] = larger(widths[i], utf8_width(words.data, words.length));
        }
        count = larger(count, i);
    }
    size_t left = less(room, (count - 1) * GAP), open = count;
    bool taken[COLUMNS_MOST] = {false};
    for (bool changed = true; changed && open;) {
        changed = false;
        size_t share = left / open;
        for (size_t i = 0; i < count; i++) {
            if (taken[i] || widths[i] > share) continue;
            taken[i] = changed = true;
            left -= widths[i];
            open--;
        }
    }
    for (size_t i = 0; i < count; i++)
        if (!taken[i]) widths[i] = larger(left / open, 2);
    return count;
}

/* The lines of one cell: with their styles as the terminal knows them, and without, to measure. */
typedef struct CellLines {
    Text styled, bare;
    size_t at, at_bare; /* the line that comes next in each */
    DocAlign align;
} CellLines;

/* Appends a row, each cell padded to the width of its column. */
static void write_row(Text *out, const DocNode *row, const size_t *widths, bool colored) {
    CellLines cells[COLUMNS_MOST];
    size_t count = 0;
    for (const DocNode *cell = row->first; cell && count < COLUMNS_MOST; cell = cell->next) {
        CellLines *lines = &cells[count];
        Text words = TEXT_EMPTY, copy = TEXT_EMPTY;
        *lines = (CellLines){.styled = TEXT_EMPTY, .bare = TEXT_EMPTY, .align = cell->align};
        write_marked(&words, cell, colored);
        utf8_wrap_lines(&lines->bare, &words, widths[count++]);
        text_bytes(&copy, lines->bare.data, lines->bare.length);
        write_lines(&lines->styled, &copy);
    }
    for (bool more = count > 0; more;) {
        more = false;
        for (size_t i = 0; i < count; i++) {
            CellLines *lines = &cells[i];
            TextLine styled = text_line(&lines->styled, &lines->at);
            TextLine bare = text_line(&lines->bare, &lines->at_bare);
            size_t columns = utf8_width(bare.bytes, bare.length);
            size_t rest = left_of(widths[i], columns), left = 0;
            if (lines->align == ALIGN_RIGHT) left = rest;
            if (lines->align == ALIGN_CENTER) left = rest / 2;
            text_repeat(out, ' ', (i > 0 ? GAP : 0) + left);
            text_bytes(out, styled.bytes, styled.length);
            text_repeat(out, ' ', rest - left);
            if (lines->at < lines->styled.length) more = true;
        }
        text_cut_blanks(out);
        text_char(out, '\n');
    }
    for (size_t i = 0; i < count; i++) {
        text_release_for(&cells[i].styled, out);
        text_release_for(&cells[i].bare, out);
    }
}

static void write_table(Text *out, const DocNode *table, size_t room, bool colored) {
    size_t widths[COLUMNS_MOST], count = table_widths(table, room, widths, colored);
    for (const DocNode *row = table->first; row; row = row->next) {
        write_row(out, row, widths, colored);
        if (row != table->first) continue;
        for (size_t i = 0; i < count; i++) {
            if (i > 0) text_repeat(out, ' ', GAP);
            for (size_t n = 0; n < widths[i]; n++) text_string(out, "─");
        }
        text_char(out, '\n');
    }
}

/* ---- a block ---- */

static void write_block(Text *out, const DocNode *node, size_t width, bool colored) {
    switch (node->kind) {
    case DOC_HEADING: write_heading(out, node, width, colored); break;
    case DOC_PARAGRAPH: write_paragraph(out, node, width, colored); break;
    case DOC_QUOTE: {
        Text lines = TEXT_EMPTY;
        write_blocks(&lines, node, less(width, 2), colored);
        prose_write_behind(out, &lines, "│ ", "│ ");
        break;
    }
    case DOC_LIST: write_list(out, node, width, colored); break;
    case DOC_CODE:
    case DOC_CELL: write_code(out, node, width); break;
    case DOC_RULE:
        for (size_t i = 0; i < width; i++) text_string(out, "─");
        text_char(out, '\n');
        break;
    case DOC_TABLE: write_table(out, node, width, colored); break;
    default: break;
    }
}

void prose_write(Text *out, const Host *host, const DocNode *block) {
    size_t width = larger(smaller((size_t)host->columns, WIDTH_MOST), WIDTH_LEAST);
    LocalText lines = TEXT_FOR(out);
    write_block(&lines, block, width, host->color != COLOR_NONE);
    if (lines.length) text_char(&lines, '\n');
    text_bytes(out, lines.data, lines.length);
}
