#include "notebook/export/html_page.h"

#include "base/text.h"
#include "base/translate.h"
#include "base/utf8.h"
#include "io/file.h"
#include "notebook/prose.h"

#include <string.h>
#include <strings.h>

/* ---- text within HTML ---- */

/* Controls beyond ASCII, and characters that turn the direction of writing or are not seen. */
static bool is_concealing(uint32_t c) {
    return (c >= 0x80 && c < 0xA0) || c == 0x061C || c == 0x200B || c == 0x200E || c == 0x200F ||
           (c >= 0x202A && c <= 0x202E) || (c >= 0x2060 && c <= 0x2069) || c == 0xFEFF;
}

static void write_character(Text *out, uint32_t c) {
    static const char special[] = "&<>\"'";
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    const char *at = c && c < 0x80 ? strchr(special, (int)c) : NULL;
    if (at) text_string(out, entities[at - special]);
    else if (c == '\n' || c == '\t') text_char(out, (char)c);
    else if (c < 0x20) utf8_write(out, 0x2400 + c); /* ␛ */
    else if (c == 0x7F) utf8_write(out, 0x2421);
    else if (is_concealing(c)) text_format(out, "⟨U+%04X⟩", (unsigned)c);
    else if ((c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF)) utf8_write(out, 0xFFFD);
    else utf8_write(out, c);
}

void html_text(Text *out, const char *text, size_t length) {
    for (size_t at = 0; at < length;) {
        uint32_t c;
        at += utf8_next(text + at, length - at, &c);
        if (c == '\r') continue;
        write_character(out, c);
    }
}

void html_string(Text *out, const char *text) { html_text(out, text, strlen(text)); }

void html_format(Text *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    for (const char *at; (at = strchr(format, '%')); format = at + 2) {
        text_bytes(out, format, (size_t)(at - format));
        if (at[1] == 's') html_string(out, va_arg(arguments, const char *));
        else text_format(out, "%d", va_arg(arguments, int));
    }
    text_string(out, format);
    va_end(arguments);
}

/* Appends text within <pre> whose columns stand below each other: each wide character takes two
 * columns, whatever fonts there are. */
static void html_columns(Text *out, const char *text, size_t length) {
    for (size_t at = 0; at < length;) {
        uint32_t c;
        size_t taken = utf8_next(text + at, length - at, &c);
        bool wide = c >= 0x1100 && utf8_width(text + at, taken) == 2;
        if (wide) text_string(out, "<span>");
        if (c != '\r') write_character(out, c);
        if (wide) text_string(out, "</span>");
        at += taken;
    }
}

/* True if a link may lead there from a page: the web, or a letter. */
static bool is_web_link(const char *target) {
    static const char *const schemes[] = {"https://", "http://", "mailto:"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (strncasecmp(target, schemes[i], strlen(schemes[i])) == 0) return true;
    return false;
}

/* ---- a page ---- */

enum { COLUMNS_OF_A_PHONE = 40 };

typedef struct Page {
    Text *out;
    const Recording *recording;
    const PageFrame *frame;
    int sections, cells, exercises; /* so far */
    bool asked;                     /* a prediction is above, and no cell since */
    uint32_t last;                  /* the last character that was written of a paragraph */
} Page;

static void put(Page *page, const char *html) { text_string(page->out, html); }

/* A word of the program's, in the language of the page. */
static const char *said(const Page *page, const char *word) {
    return tr_in(page->frame->language, word);
}

/* ---- within a paragraph ---- */

static void write_inline(Page *page, const DocNode *node);

static void write_words(Page *page, const char *text, size_t length) {
    if (length == 0) return;
    size_t begin = utf8_begin(text, length - 1);
    utf8_next(text + begin, length - begin, &page->last);
    html_text(page->out, text, length);
}

static void write_link(Page *page, const DocNode *node) {
    LocalText target = TEXT_FOR(page->out);
    const PageFrame *frame = page->frame;
    if (is_web_link(node->detail) || *node->detail == '#') text_string(&target, node->detail);
    else if (frame->resolve) frame->resolve(frame->context, node->detail, &target);
    if (target.length) html_format(page->out, "<a href=\"%s\">", target.data);
    write_inline(page, node);
    if (target.length) put(page, "</a>");
}

/* Writes the parts of a paragraph; comments and other HTML are dropped. The blocks that stand in an
 * item are passed over. */
static void write_part(Page *page, const DocNode *part) {
    static const struct {
        DocKind kind;
        const char *open, *close;
    } tags[] = {{DOC_EMPHASIS, "<em>", "</em>"},
                {DOC_STRONG, "<strong>", "</strong>"},
                {DOC_CODE_SPAN, "<code>", "</code>"},
                {DOC_IMAGE, "<em>", "</em>"}}; /* its words stand for it */
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        if (tags[i].kind != part->kind) continue;
        put(page, tags[i].open);
        write_inline(page, part);
        put(page, tags[i].close);
    }
    if (part->kind == DOC_TEXT) write_words(page, part->text, part->length);
    if (part->kind == DOC_LINK) write_link(page, part);
    if (part->kind == DOC_HARD_BREAK) put(page, "<br>\n");
    if (part->kind == DOC_SOFT_BREAK && prose_break_is_space(page->last, part)) put(page, "\n");
}

static void write_inline(Page *page, const DocNode *node) {
    for (const DocNode *part = node->first; part; part = part->next) write_part(page, part);
}

/* ---- cells and what they gave ---- */

/* Opens a <pre>, which the keyboard reaches if it may have to be scrolled. */
static void open_pre(Page *page, const char *text, size_t length, const char *name) {
    bool scrolls = false;
    for (size_t at = 0; at < length;) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t line = end ? (size_t)(end - text) - at : length - at;
        scrolls |= utf8_width(text + at, line) > COLUMNS_OF_A_PHONE;
        at += line + 1;
    }
    if (scrolls)
        html_format(page->out, "<pre tabindex=\"0\" role=\"group\" aria-label=\"%s\">",
                    said(page, name));
    else put(page, "<pre>");
    if (length && *text == '\n') put(page, "\n"); /* the first one after the tag is dropped */
}

/* The length of the code up to the next comment, a # that is in no string. */
static size_t comment_at(const char *code, size_t length) {
    char quote = 0;
    for (size_t i = 0; i < length; i++) {
        if (quote && code[i] == '\\') i++;
        else if (quote ? code[i] == quote : code[i] == '"' || code[i] == '\'')
            quote = quote ? 0 : code[i];
        else if (!quote && code[i] == '#') return i;
    }
    return length;
}

static void write_source(Page *page, const char *code, size_t length) {
    length = trimmed_length(code, length, "\n");
    open_pre(page, code, length, "Cell");
    put(page, "<code class=\"source\">");
    for (size_t at = 0; at < length;) {
        size_t plain = comment_at(code + at, length - at);
        html_text(page->out, code + at, plain);
        at += plain;
        const char *end = memchr(code + at, '\n', length - at);
        size_t comment = end ? (size_t)(end - code) - at : length - at;
        if (comment) put(page, "<i>");
        html_text(page->out, code + at, comment);
        if (comment) put(page, "</i>");
        at += comment;
    }
    put(page, "</code></pre>\n");
}

static void write_output(Page *page, const Output *output) {
    static const char *const classes[] = {
        [OUTPUT_TEXT] = "text", [OUTPUT_NOTE] = "note", [OUTPUT_ERROR] = "error"};
    const char *text = page->recording->recorder.text.data, *bytes = text + output->begin;
    if (output->kind != OUTPUT_PICTURE) {
        size_t length = trimmed_length(bytes, output->length, "\n");
        text_format(page->out, "<div class=\"%s\">", classes[output->kind]);
        open_pre(page, bytes, length, "Output");
        html_columns(page->out, bytes, length);
        put(page, "</pre></div>\n");
    } else if (strcmp(output->format, "svg") == 0) {
        put(page, "<figure class=\"picture\"><img alt=\"");
        html_text(page->out, text + output->words, output->words_length);
        put(page, "\" src=\"data:image/svg+xml;base64,");
        base64_write(page->out, bytes, output->length);
        put(page, "\"></figure>\n");
    } else {
        put(page, "<figure class=\"picture\"><pre tabindex=\"0\" role=\"img\" aria-label=\"");
        html_text(page->out, text + output->words, output->words_length);
        put(page, "\">\n");
        html_columns(page->out, bytes, output->length);
        put(page, "</pre></figure>\n");
    }
}

/* The id of a cell: its name, where that cannot be one of the page's own. */
static void write_id(Page *page, const Cell *cell) {
    static const char *const own[] = {"cell-", "section-", "page-"};
    bool named = *cell->id != '\0';
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strncmp(cell->id, own[i], strlen(own[i])) == 0) named = false;
    if (named) html_string(page->out, cell->id);
    else text_format(page->out, "cell-%d", cell->index + 1);
}

static void write_outputs(Page *page, const Cell *cell) {
    const struct CellOutputs *outputs = &page->recording->cells[cell->index];
    put(page, "<div class=\"output\" data-cell=\"");
    write_id(page, cell);
    put(page, "\">\n");
    for (size_t i = 0; i < outputs->count; i++)
        write_output(page, &page->recording->recorder.outputs[outputs->first + i]);
    put(page, "</div>\n");
}

static void open_fold(Page *page, const char *class, const char *summary) {
    html_format(page->out, "<details class=\"fold %s\"><summary>%s</summary>\n", class, summary);
}

static void write_run(Page *page, const Cell *cell) {
    put(page, "<section class=\"cell\" id=\"");
    write_id(page, cell);
    html_format(page->out, "\" data-kind=\"%s\" aria-label=\"%s %d",
                cell->kind == CELL_RUN ? "run" : cell_kind_word(cell->kind), said(page, "Cell"),
                ++page->cells);
    if (cell->kind == CELL_ERROR) html_format(page->out, ", %s", said(page, "ends in an error"));
    put(page, "\">\n");
    write_source(page, cell->code, cell->script_length - (size_t)(cell->code - cell->script));
    /* The output below a prediction says what was asked, so it is folded as the answer is. */
    bool folded =
        page->asked && cell->kind != CELL_SOLUTION && page->recording->cells[cell->index].count > 0;
    if (folded) open_fold(page, "answer", said(page, "Output"));
    write_outputs(page, cell);
    if (folded) {
        put(page, "</details>\n");
        page->asked = false;
    }
    put(page, "</section>\n");
}

/* ---- what is asked of the reader ---- */

static void write_blocks(Page *page, const DocNode *node);

/* Opens the section of a question, and writes the question below a heading of its own. */
static void open_question(Page *page, const Cell *cell) {
    const char *kind = cell_kind_word(cell->kind);
    text_format(page->out, "<section class=\"question %s\" id=\"", kind);
    write_id(page, cell);
    text_format(page->out, "\" data-kind=\"%s\" aria-labelledby=\"page-title-", kind);
    write_id(page, cell);
    put(page, "\">\n<h3 class=\"label\" id=\"page-title-");
    write_id(page, cell);
    html_format(page->out, "\">%s", said(page, cell_kind_title(cell->kind)));
    if (cell_is_exercise(cell)) text_format(page->out, " %d", ++page->exercises);
    put(page, "</h3>\n");
    write_blocks(page, cell->node);
}

static void write_exercise(Page *page, const Cell *cell) {
    int hints = cell_part_count(cell, CELL_HINT), number = 0;
    open_question(page, cell);
    for (const Cell *hint = cell; (hint = cell_part(hint, CELL_HINT));) {
        LocalText summary = TEXT_FOR(page->out);
        hint_name(&summary, page->frame->language, ++number, hints);
        open_fold(page, "hint", summary.data);
        write_blocks(page, hint->node);
        put(page, "</details>\n");
    }
    for (const Cell *part = cell; (part = cell_part(part, CELL_SOLUTION));) {
        open_fold(page, "solution", said(page, "A solution"));
        write_run(page, part);
        put(page, "</details>\n");
    }
    put(page, "</section>\n");
}

/* An option of a choice: its words, and folded behind them whether it is right and why. */
static void write_option(Page *page, const DocNode *item) {
    static const char dash[] = " -- ";
    const DocNode *part = item->first;
    const char *reason = NULL;
    if (part && part->kind == DOC_PARAGRAPH) part = part->first; /* of a loose list */
    put(page, "<li><details><summary>");
    for (; part; part = part->next) {
        bool text = part->kind == DOC_TEXT;
        size_t at = text ? search_bytes(part->text, part->length, 0, dash, 4) : NOT_FOUND;
        if (at != NOT_FOUND) {
            write_words(page, part->text, at);
            reason = part->text + at + 4;
            break;
        }
        write_part(page, part);
    }
    bool right = item->task == 'x';
    html_format(page->out, "</summary>\n<p class=\"%s\"><strong>%s</strong>",
                right ? "right" : "wrong", said(page, right ? "right" : "not right"));
    if (reason) {
        html_string(page->out, said(page, ": "));
        write_words(page, reason, part->length - (size_t)(reason - part->text));
        for (part = part->next; part; part = part->next) write_part(page, part);
    }
    put(page, "</p></details></li>\n");
}

static void write_cell(Page *page, const Cell *cell) {
    switch (cell->kind) {
    case CELL_RUN:
    case CELL_ERROR: write_run(page, cell); break;
    case CELL_PREDICT:
        open_question(page, cell);
        open_fold(page, "answer", said(page, "Answer"));
        write_source(page, cell->answer, strlen(cell->answer));
        write_outputs(page, cell);
        put(page, "</details>\n</section>\n");
        page->asked = true;
        break;
    case CELL_EXERCISE: write_exercise(page, cell); break;
    case CELL_CHOICE:
    case CELL_OPEN:
        open_question(page, cell);
        put(page, "</section>\n");
        break;
    default: break; /* parts of an exercise */
    }
}

/* ---- blocks ---- */

static bool is_within_choice(const DocNode *node) {
    while (node && !node->cell) node = node->parent;
    return node && node->cell->kind == CELL_CHOICE;
}

static void write_list(Page *page, const DocNode *node) {
    bool options = is_within_choice(node);
    if (options) put(page, "<ul class=\"options\">\n");
    else if (!node->ordered) put(page, "<ul>\n");
    else if (node->number == 1) put(page, "<ol>\n");
    else text_format(page->out, "<ol start=\"%d\">\n", node->number);
    for (const DocNode *item = node->first; item; item = item->next) {
        if (options && item->task) {
            write_option(page, item);
            continue;
        }
        put(page, "<li>");
        if (item->task) put(page, item->task == 'x' ? "☑ " : "☐ ");
        write_inline(page, item);
        write_blocks(page, item);
        put(page, "</li>\n");
    }
    put(page, node->ordered ? "</ol>\n" : "</ul>\n");
}

static void write_table(Page *page, const DocNode *table) {
    static const char *const aligns[] = {[ALIGN_NONE] = "",
                                         [ALIGN_LEFT] = " class=\"to-left\"",
                                         [ALIGN_CENTER] = " class=\"to-center\"",
                                         [ALIGN_RIGHT] = " class=\"to-right\""};
    put(page, "<div class=\"scroll\" tabindex=\"0\" role=\"group\"><table>\n");
    for (const DocNode *row = table->first; row; row = row->next) {
        const char *tag = row == table->first ? "th" : "td";
        put(page, row == table->first ? "<thead>\n<tr>" : "<tr>");
        for (const DocNode *cell = row->first; cell; cell = cell->next) {
            text_format(page->out, "<%s%s>", tag, aligns[cell->align]);
            write_inline(page, cell);
            text_format(page->out, "</%s>", tag);
        }
        put(page, row == table->first ? "</tr>\n</thead>\n<tbody>\n" : "</tr>\n");
    }
    put(page, "</tbody>\n</table></div>\n");
}

static void write_block(Page *page, const DocNode *node) {
    page->last = 0;
    switch (node->kind) {
    case DOC_HEADING:
        text_format(page->out, "<h%d", node->number);
        if (node->parent->kind == DOC_ROOT)
            text_format(page->out, " id=\"section-%d\"", ++page->sections);
        put(page, ">");
        write_inline(page, node);
        text_format(page->out, "</h%d>\n", node->number);
        break;
    case DOC_PARAGRAPH:
        put(page, "<p>");
        write_inline(page, node);
        put(page, "</p>\n");
        break;
    case DOC_QUOTE:
        put(page, "<blockquote>\n");
        write_blocks(page, node);
        put(page, "</blockquote>\n");
        break;
    case DOC_LIST: write_list(page, node); break;
    case DOC_CODE: {
        size_t empty = strspn(node->text, "\n");
        const char *code = node->text + empty;
        size_t length = trimmed_length(code, node->length - empty, "\n");
        put(page, "<div class=\"code\">");
        open_pre(page, code, length, "Cell");
        put(page, "<code>");
        html_text(page->out, code, length);
        put(page, "</code></pre></div>\n");
        break;
    }
    case DOC_CELL: write_cell(page, node->cell); break;
    case DOC_RULE: put(page, "<hr>\n"); break;
    case DOC_TABLE: write_table(page, node); break;
    default: break; /* HTML, and what is within a paragraph */
    }
}

static void write_blocks(Page *page, const DocNode *node) {
    for (const DocNode *part = node->first; part; part = part->next)
        if (part->kind < DOC_HTML) write_block(page, part);
}

/* ---- around the text ---- */

void document_title(Text *out, const Document *document) {
    for (const DocNode *node = document->root->first; node; node = node->next) {
        if (node->kind != DOC_HEADING) continue;
        prose_plain(out, node);
        return;
    }
    text_string(out, path_name(document->file));
}

void hint_name(Text *out, Language language, int number, int count) {
    if (count > 1) text_format(out, tr_in(language, "Hint %d of %d"), number, count);
    else text_string(out, tr_in(language, "Hint"));
}

void html_page_begin(Text *out, Language language, const char *title, bool has_script) {
    html_format(out,
                "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<title>%s</title>\n",
                tr_in(language, "en"), title);
    text_string(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta name=\"color-scheme\" content=\"light dark\">\n"
                     "<meta name=\"generator\" content=\"attn\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                     "img-src data:; style-src 'unsafe-inline'; base-uri 'none'; "
                     "form-action 'none'");
    text_string(out, has_script ? "; script-src 'unsafe-inline'" : "");
    text_string(out, "\">\n<style>\n");
    text_string(out, html_style);
    html_format(out, "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#page-text\">%s</a>\n",
                tr_in(language, "Skip to the text"));
}

void html_page_end(Text *out, Language language) {
    html_format(out, "<footer>%s</footer>\n</body>\n</html>\n", tr_in(language, "Made by attn"));
}

void html_page_frame(Text *out, const PageFrame *frame, const char *tag) {
    static const struct {
        const char *class, *before, *after;
    } ways[] = {[PAGE_PREVIOUS] = {"previous", "← ", ""},
                [PAGE_INDEX] = {"index", "", ""},
                [PAGE_GLOSSARY] = {"glossary", "", ""},
                [PAGE_TRANSLATION] = {"translation", "", ""},
                [PAGE_NEXT] = {"next", "", " →"}};
    const PageLink *links = frame->links;
    int count = 0;
    for (int way = 0; way < PAGE_WAYS; way++) count += links[way].target != NULL;
    if (count == 0) return;
    text_format(out, "<%s class=\"frame\">\n", tag);
    for (int way = 0; way < PAGE_WAYS; way++) {
        if (links[way].target)
            html_format(out, "<a class=\"%s\" href=\"%s\">%s%s%s</a>\n", ways[way].class,
                        links[way].target, ways[way].before, links[way].title, ways[way].after);
    }
    text_format(out, "</%s>\n", tag);
}

/* Writes links to the headings, which have the numbers that write_block gives them. */
static void write_contents(Page *page) {
    const DocNode *root = page->recording->document->root;
    int section = 0, listed = 0;
    for (const DocNode *node = root->first; node; node = node->next) {
        if (node->kind != DOC_HEADING) continue;
        section++;
        if (node->number != 2) continue;
        if (listed++ == 0)
            html_format(page->out,
                        "<nav class=\"contents\" aria-labelledby=\"page-contents\">\n"
                        "<h2 id=\"page-contents\">%s</h2>\n<ol>\n",
                        said(page, "Contents"));
        LocalText words = TEXT_FOR(page->out);
        prose_plain(&words, node);
        html_format(page->out, "<li><a href=\"#section-%d\">%s</a></li>\n", section, words.data);
    }
    if (listed) put(page, "</ol>\n</nav>\n");
}

void html_page_write(Text *out, const Recording *recording, const PageFrame *frame) {
    Page page = {.out = out, .recording = recording, .frame = frame};
    LocalText title = TEXT_FOR(out);
    document_title(&title, recording->document);
    html_page_begin(out, frame->language, title.data, false);
    html_page_frame(out, frame, "header");
    text_string(out, "<div class=\"page\">\n");
    write_contents(&page);
    text_string(out, "<main id=\"page-text\">\n");
    write_blocks(&page, recording->document->root);
    text_string(out, "</main>\n</div>\n");
    html_page_frame(out, frame, "nav");
    html_page_end(out, frame->language);
}
