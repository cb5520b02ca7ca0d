/* Documents as something to hand out: attn export. */
#ifndef ATTN_NOTEBOOK_EXPORT_H
#define ATTN_NOTEBOOK_EXPORT_H

#include "session/session.h"

typedef struct ExportRequest {
    char *const *paths;   /* the documents, or scripts; NULL at the end */
    bool all;             /* the lessons that come with the program instead */
    const char *output;   /* the file that one document becomes, or the folder for several; NULL:
                             each becomes an .html beside it */
    const char *language; /* "en" or "zh"; NULL: that of the folder in which a document is */
    bool again;           /* runs the cells also of a document that holds its outputs */
    /* Makes a session for the cells of a document, which write to `host`; freed by export. */
    Session *(*open)(void *context, Host *host, Error *err);
    void *context;
} ExportRequest;

/* Runs the cells of each document in a session of its own, or takes the outputs that the document
 * holds, and writes what the name of the output asks for: a page (.html), a notebook of Jupyter
 * (.ipynb), or the document with its outputs (.md). Several documents become pages that are linked
 * with each other, with an index.html. `host` gets a line for each file. ERR_FILE; ERR_VALUE for a
 * name that says no format; what a cell or the document ends in, with its place: the file is then
 * as it was. */
bool export_documents(Host *host, const ExportRequest *request, Error *err);

/* Writes a document with its outputs as the name of the file asks for; nothing runs. This is the
 * SaveDocument that the shell gives to a session. */
bool export_text(const char *path, const char *markdown, size_t length, Error *err);

#endif
