/* Documents that are exported together: which page each becomes, and how the pages are linked. */
#ifndef ATTN_NOTEBOOK_SITE_H
#define ATTN_NOTEBOOK_SITE_H

#include "notebook/catalog.h"
#include "notebook/export/html_page.h"

typedef struct SiteDocument {
    char *path; /* of the document; of a lesson that comes with the program: "en/07-order.md" */
    const char *name; /* the part of the path below the folder that all documents share */
    char *page;       /* its page there: the name with .html */
    char *title;
    LessonHead head;
    int number; /* that its name begins with; 0: none */
    Language language;
    Document *document;
} SiteDocument;

typedef struct Site {
    SiteDocument *documents;
    size_t count, capacity;
    bool has_index, has_glossary; /* stand in the folder of all pages, for each language */
} Site;

/* Reads and parses the documents; a script, whose name ends in .attn, is made one. session: parses
 * scripts. language: of all documents; NULL: one in a folder `zh` is Chinese. ERR_FILE, or what
 * document_parse says. To be released also where this fails. */
bool site_read(Site *site, char *const *paths, Session *session, const char *language, Error *err);
/* The same with the lessons that come with the program. */
bool site_read_lessons(Site *site, Error *err);
void site_release(Site *site);

/* The frame of a page. It borrows from the site and must stay where it is. */
typedef struct SiteFrame {
    PageFrame page;
    const Site *site;
    const char *from;        /* the name of the page in the site */
    Text targets[PAGE_WAYS]; /* where its links lead */
} SiteFrame;
void site_frame(const Site *site, size_t at, SiteFrame *frame);
/* The frame of a page that is no document: "index" or "glossary". */
void site_frame_common(const Site *site, const char *name, Language language, SiteFrame *frame);
bool site_frame_ok(const SiteFrame *frame, Error *err);
void site_frame_release(SiteFrame *frame);
#define LocalSiteFrame __attribute__((cleanup(site_frame_release))) SiteFrame

bool site_has_language(const Site *site, Language language);

/* Appends a page's place as seen from another one: an address, whatever letters it has. */
void site_write_target(Text *out, const char *from, const char *page);

/* ---- course.c: the pages that are no document ---- */

/* Appends the name of such a page: index.html; of a further language: index.zh.html. */
void site_write_common_name(Text *out, const Site *site, const char *name, Language language);

/* Appends the page that lists all others of a language with what each needs. A script in it
 * searches their texts, which it holds; without the script they stay hidden. */
void site_write_index(Text *out, const Site *site, Language language);

/* Appends the page of all terms in both languages, each with the paragraph of the lesson that
 * explains it. ERR_LIMIT. */
bool site_write_glossary(Text *out, const Site *site, Language language, Error *err);

extern const char *const site_script; /* search.js */
extern const char *const site_terms;  /* lessons/zh/TERMS.md */

#endif
