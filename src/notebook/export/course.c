/* The pages of a site that are no document: the list of all lessons with its search, and the
 * glossary. */
#include "notebook/export/site.h"

#include "base/memory.h"
#include "base/size.h"
#include "base/translate.h"
#include "base/utf8.h"
#include "notebook/prose.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- links ---- */

static void write_link(Text *out, const char *page, int section, const char *title) {
    text_string(out, "<a href=\"");
    site_write_target(out, "", page);
    if (section) text_format(out, "#section-%d", section);
    html_format(out, "\">%s</a>", title);
}

/* The lesson with that number; NULL: there is none in the language. */
static const SiteDocument *find_lesson(const Site *site, Language language, int number) {
    for (size_t i = 0; number > 0 && i < site->count; i++)
        if (site->documents[i].language == language && site->documents[i].number == number)
            return &site->documents[i];
    return NULL;
}

static void begin_page(Text *out, const Site *site, const char *name, Language language,
                       const char *title, bool has_script) {
    LocalSiteFrame frame;
    site_frame_common(site, name, language, &frame);
    html_page_begin(out, language, title, has_script);
    html_page_frame(out, &frame.page, "header");
    if (!site_frame_ok(&frame, NULL)) text_fail(out);
    html_format(out, "<main class=\"course\" id=\"page-text\">\n<h1>%s</h1>\n", title);
}

/* ---- what is searched ---- */

/* How many bytes of a section are searched, at most. */
enum { SECTION_MOST = 6000 };

/* Appends the words of a block, and its code where that is a cell which runs; but not what a page
 * keeps folded. */
static void write_searched(Text *out, const DocNode *block) {
    const Cell *cell = block->cell;
    bool runs = cell && cell_runs(cell);
    bool asks = cell && (cell->kind == CELL_PREDICT || cell->kind == CELL_EXERCISE ||
                         cell->kind == CELL_OPEN);
    if (runs) text_format(out, "%s\n", cell->code);
    for (const DocNode *node = cell && !asks ? NULL : block; node;
         node = document_next(node, block)) {
        if (node->kind == DOC_CODE) text_format(out, "%.*s\n", (int)node->length, node->text);
        if (node->kind == DOC_PARAGRAPH || node->kind == DOC_ITEM || node->kind == DOC_TABLE_CELL) {
            prose_plain(out, node);
            text_char(out, '\n');
        }
    }
}

/* Writes what is below each heading as an entry; section 0 is before the first one. */
static void write_sections(Text *out, const SiteDocument *document) {
    LocalText words = TEXT_FOR(out);
    const DocNode *heading = NULL;
    int section = 0;
    for (const DocNode *block = document->document->root->first;; block = block->next) {
        if (block && block->kind != DOC_HEADING) {
            write_searched(&words, block);
            continue;
        }
        if (words.length || section) {
            LocalText title = TEXT_FOR(out);
            text_string(&title, document->title);
            if (section > 1) text_string(&title, " › ");
            if (section > 1) prose_plain(&title, heading);
            text_string(out, "<li>");
            write_link(out, document->page, section, title.data);
            text_string(out, "\n<p>");
            html_text(out, words.data, smaller(words.length, SECTION_MOST));
            text_string(out, "</p></li>\n");
        }
        if (!block) return;
        text_clear(&words);
        heading = block;
        section++;
    }
}

/* ---- the list of lessons ---- */

/* Appends the numbers of lessons as links: those that a lesson needs, or those that need it. */
static void write_needs(Text *out, const Site *site, const SiteDocument *lesson, bool backward) {
    int number;
    for (size_t i = 0; i < site->count; i++) {
        const SiteDocument *other = &site->documents[i], *from = backward ? other : lesson,
                           *to = backward ? lesson : other;
        if (other->language != lesson->language || other->number == 0) continue;
        for (const char *at = from->head.needs.data; (at = lesson_need_next(at, &number));) {
            if (number != to->number) continue;
            text_format(out, "%s<a href=\"#lesson-%d\">%d</a>", out->length ? ", " : "",
                        other->number, other->number);
        }
    }
}

static void write_lesson(Text *out, const Site *site, const SiteDocument *lesson) {
    LocalText needs = TEXT_FOR(out), leads = TEXT_FOR(out);
    text_string(out, "<li");
    if (find_lesson(site, lesson->language, lesson->number) == lesson) {
        text_format(out, " id=\"lesson-%d\" value=\"%d\"", lesson->number, lesson->number);
        write_needs(&needs, site, lesson, false);
        write_needs(&leads, site, lesson, true);
    }
    text_string(out, ">");
    write_link(out, lesson->page, 0, lesson->title);
    text_string(out, "\n<span>");
    if (lesson->head.minutes)
        text_format(out, tr_in(lesson->language, "%d min"), lesson->head.minutes);
    if (needs.length) text_string(out, " · ");
    if (needs.length) text_format(out, tr_in(lesson->language, "needs %s"), needs.data);
    if (leads.length) text_string(out, " · ");
    if (leads.length) text_format(out, tr_in(lesson->language, "leads to %s"), leads.data);
    text_string(out, "</span></li>\n");
}

void site_write_index(Text *out, const Site *site, Language language) {
    begin_page(out, site, "index", language, tr_in(language, "Attention and the Transformer"),
               true);
    html_format(out, "<p>%s</p>\n",
                tr_in(language, "A course of short lessons whose cells were run by attn. Type "
                                "them at its prompt, change them, and see what happens."));

    html_format(out,
                "<form class=\"search\" role=\"search\" hidden><label>%s <input type=\"search\" "
                "autocomplete=\"off\" spellcheck=\"false\"></label>\n<output data-found=\"%s\">"
                "</output></form>\n<ul class=\"found\" hidden>\n",
                tr_in(language, "Search"), tr_in(language, "Found: %d"));
    for (size_t i = 0; i < site->count; i++)
        if (site->documents[i].language == language) write_sections(out, &site->documents[i]);
    text_string(out, "</ul>\n");

    text_string(out, "<ol class=\"lessons\">\n");
    for (size_t i = 0; i < site->count; i++)
        if (site->documents[i].language == language) write_lesson(out, site, &site->documents[i]);
    text_format(out, "</ol>\n</main>\n<script>\n%s</script>\n", site_script);
    html_page_end(out, language);
}

/* ---- the glossary ---- */

/* A row of TERMS.md, and where a lesson explains its word. */
typedef struct Term {
    const DocNode *words[2]; /* in English and in Chinese: cells of the table */
    const SiteDocument *lesson;
    const DocNode *block; /* the paragraph in which the word is emphasised; NULL: none */
    int section;
} Term;

/* True if what is emphasised is one of the words of the term, such as "masked, hidden" or "行、列",
 * with at most some letters more. \xE3 begins the "、" between words and no Chinese character. */
static bool is_term(const DocNode *emphasis, const char *words, Text *out) {
    LocalText plain = TEXT_FOR(out), lower = TEXT_FOR(out);
    prose_plain(&plain, emphasis);
    utf8_lower(&lower, plain.data, plain.length);
    for (size_t length, end; *words && *words != '('; words += end) {
        words += strspn(words, ", \xE3\x80\x81");
        end = strcspn(words, ",(\xE3");
        length = trimmed_length(words, end, " ");
        size_t at = length ? search_bytes(lower.data, lower.length, 0, words, length) : NOT_FOUND;
        if (at != NOT_FOUND && (at == 0 || !is_word_byte(lower.data[at - 1])) &&
            lower.length <= 2 * length + 8)
            return true;
    }
    return false;
}

/* Finds the place in its lesson where a term is explained: where its word is emphasised, at
 * best strongly. */
static void find_term(Term *term, const char *words, Text *out) {
    static const DocKind emphases[] = {DOC_STRONG, DOC_EMPHASIS};
    const DocNode *root = term->lesson->document->root;
    for (size_t k = 0; k < sizeof emphases / sizeof *emphases; k++) {
        int section = 0;
        for (const DocNode *node = root->first; node; node = document_next(node, root)) {
            section += node->kind == DOC_HEADING && node->parent == root;
            if (node->kind != emphases[k] || !is_term(node, words, out)) continue;
            term->section = section;
            for (term->block = node->parent; term->block->kind > DOC_TABLE_CELL;)
                term->block = term->block->parent;
            return;
        }
    }
}

static void write_term_word(Text *out, const Term *term, Language language) {
    LocalText words = TEXT_FOR(out);
    prose_plain(&words, term->words[language]);
    html_string(out, words.data);
}

/* Appends both words of a term, that of the page's language first. */
static void write_term(Text *out, const Term *term, Language language) {
    Language other = language == LANGUAGE_ENGLISH ? 1 : LANGUAGE_ENGLISH;
    write_term_word(out, term, language);
    text_format(out, " <span lang=\"%s\">", tr_in(other, "en"));
    write_term_word(out, term, other);
    text_string(out, "</span>");
}

static int compare_terms(const void *one, const void *other) {
    LocalText words = TEXT_EMPTY, other_words = TEXT_EMPTY;
    prose_plain(&words, ((const Term *)one)->words[LANGUAGE_ENGLISH]);
    prose_plain(&other_words, ((const Term *)other)->words[LANGUAGE_ENGLISH]);
    return strcasecmp(words.data, other_words.data);
}

static void write_explained(Text *out, const Term *term, Language language) {
    LocalText words = TEXT_FOR(out), title = TEXT_FOR(out);
    const DocNode *formula = term->block->next; /* "the temperature τ:" leads to one */
    prose_plain(&words, term->block);
    text_string(out, "<dt>");
    write_term(out, term, language);
    html_format(out, "</dt>\n<dd>%s", words.data);
    if (formula && formula->kind == DOC_CODE && !formula->cell) {
        text_string(out, " <code>");
        html_text(out, formula->text, formula->length);
        text_string(out, "</code>");
    }
    text_string(out, " ");
    text_format(&title, tr_in(language, "Lesson %d: %s"), term->lesson->number,
                term->lesson->title);
    write_link(out, term->lesson->page, term->section, title.data);
    text_string(out, "</dd>\n");
}

bool site_write_glossary(Text *out, const Site *site, Language language, Error *err) {
    enum { TERMS_MOST = 1000 };
    LocalDocument *list = document_parse("TERMS.md", site_terms, strlen(site_terms), err);
    LocalMemory Term *terms = list ? mem_zeroed(TERMS_MOST, sizeof *terms, err) : NULL;
    if (!terms) return false;
    size_t count = 0;
    const DocNode *root = list->root;
    for (const DocNode *row = root; row && count < TERMS_MOST; row = document_next(row, root)) {
        if (row->kind != DOC_ROW || row == row->parent->first || !row->first->next) continue;
        Term *term = &terms[count++];
        *term = (Term){.words = {row->first, row->first->next}};
        LocalText number = TEXT_FOR(out), words = TEXT_FOR(out);
        if (row->first->next->next) prose_plain(&number, row->first->next->next);
        prose_plain(&words, term->words[language]);
        term->lesson = find_lesson(site, language, atoi(number.data));
        if (term->lesson) find_term(term, words.data, out);
    }
    if (language == LANGUAGE_ENGLISH) qsort(terms, count, sizeof *terms, compare_terms);
    begin_page(out, site, "glossary", language, tr_in(language, "Glossary"), false);
    text_string(out, "<dl class=\"terms\">\n");
    for (size_t i = 0; i < count; i++)
        if (terms[i].block) write_explained(out, &terms[i], language);
    html_format(out, "</dl>\n<h2>%s</h2>\n<ul class=\"words\">\n", tr_in(language, "Other words"));
    for (size_t i = 0; i < count; i++) {
        if (terms[i].block) continue;
        text_string(out, "<li>");
        write_term(out, &terms[i], language);
        text_string(out, "</li>\n");
    }
    text_string(out, "</ul>\n</main>\n");
    html_page_end(out, language);
    return true;
}
