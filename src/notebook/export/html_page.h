/* A document as one HTML page that needs nothing else: no network, no script, no font.
 *
 * Each cell is a <section class="cell" id="..." data-kind="..."> with its code in
 * <code class="source">, and what it gave in a <div class="output" data-cell="ID OF THE CELL">, so
 * that an output can be put in the place of another. An exercise, prediction, choice or open
 * question is a section too; hints, solutions and answers are folded, each by itself; checks and
 * wrong attempts are left out. HTML in the document is dropped; links that lead neither to the web
 * nor to a page beside this one are text. */
#ifndef ATTN_NOTEBOOK_HTML_PAGE_H
#define ATTN_NOTEBOOK_HTML_PAGE_H

#include "base/language.h"
#include "notebook/recorder.h"

/* A page beside this one: where it is, and what it is called. */
typedef struct PageLink {
    const char *target, *title; /* target NULL: there is none */
} PageLink;

/* The links of a page, in the order in which it shows them. */
typedef enum PageWay {
    PAGE_PREVIOUS,
    PAGE_INDEX,
    PAGE_GLOSSARY,
    PAGE_TRANSLATION,
    PAGE_NEXT,
    PAGE_WAYS
} PageWay;

typedef struct PageFrame {
    Language language;
    PageLink links[PAGE_WAYS];
    /* Where a link of the document to another document leads, as a target in HTML; NULL: to no
     * page. Appends the target. */
    bool (*resolve)(void *context, const char *link, Text *target);
    void *context;
} PageFrame;

/* Appends the page. The frame may be all zero. */
void html_page_write(Text *out, const Recording *recording, const PageFrame *frame);

/* Appends what is before and behind the text of any page: the head up to <body> with its style,
 * and the end. The head forbids every request, and scripts where the page has none. */
void html_page_begin(Text *out, Language language, const char *title, bool has_script);
void html_page_end(Text *out, Language language);
/* Appends the links of a page within <tag>; nothing where there are none. */
void html_page_frame(Text *out, const PageFrame *frame, const char *tag);

/* Appends what a hint is called: "Hint", or "Hint 2 of 3" where there are several. */
void hint_name(Text *out, Language language, int number, int count);

/* Appends the title of a document: the words of its first heading, or else its file's name. */
void document_title(Text *out, const Document *document);

/* Appends text between tags or within the quotes of an attribute. Whatever is in a document is
 * only ever text there: nothing in it becomes a tag, and what would not show, or would turn the
 * direction of writing, is shown as a sign. Newlines and tabs stay. */
void html_text(Text *out, const char *text, size_t length);
void html_string(Text *out, const char *text);
/* Appends what a format of %s and %d makes, where each string is such text. */
void html_format(Text *out, const char *format, ...) ATTN_PRINTF(2, 3);

extern const char *const html_style; /* page.css */

#endif
