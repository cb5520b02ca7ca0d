/* Documents that are exported together: which page each becomes, and how the pages are linked. */
#ifndef ATTN_NOTEBOOK_SITE_H
#define ATTN_NOTEBOOK_SITE_H

#include "notebook/export/html_page.h"

typedef struct SiteDocument {
    char *path; /* of the document; of a lesson that comes with the program: "en/07-order.md" */
    const char *name; /* the part of the path below the folder that all documents share */
    char *page;       /* its page there: the name with .html */
    char *title;
    Language language;
    Document *document;
} SiteDocument;

typedef struct Site {
    SiteDocument *documents;
    size_t count;
    bool has_index; /* an index.html stands in the folder of all pages */
} Site;

/* Reads and parses the documents. language: of all of them; NULL: a document in a folder `zh` is
 * Chinese. ERR_FILE, or what document_parse says. To be released also where this fails. */
bool site_read(Site *site, char *const *paths, const char *language, Error *err);
/* The same with the lessons that come with the program. */
bool site_read_lessons(Site *site, Error *err);
void site_release(Site *site);

/* The frame of a page. It borrows from the site and must stay where it is. */
typedef struct SiteFrame {
    PageFrame page;
    const Site *site;
    size_t at;
    Text targets[PAGE_WAYS]; /* where its links lead */
} SiteFrame;
void site_frame(const Site *site, size_t at, SiteFrame *frame);
bool site_frame_ok(const SiteFrame *frame, Error *err);
void site_frame_release(SiteFrame *frame);

/* Appends the page that lists all others, each lesson with its languages beside each other. */
void site_write_index(Text *out, const Site *site);

#endif
