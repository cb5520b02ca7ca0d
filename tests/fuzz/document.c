/* Any bytes as a document: read with the outputs that it may hold, and written as a page, as a
 * notebook, and as a document. */
#include "tests/fuzz/harness.h"

#include "base/memory.h"
#include "base/translate.h"
#include "notebook/export/markdown.h"

#include <stdlib.h>
#include <string.h>

static void write_document(const char *bytes, size_t length) {
    Document *document = document_parse("a.md", bytes, length, NULL);
    if (!document) return;
    Recording recording;
    PageFrame frame = {.language = language_from_name("zh")};
    Text page = TEXT_EMPTY, notebook = TEXT_EMPTY, markdown = TEXT_EMPTY;
    if (recording_init(&recording, document, PICTURES_AS_TEXT, NULL) &&
        recording_take_outputs(&recording, NULL)) {
        html_page_write(&page, &recording, &frame);
        jupyter_write(&notebook, &recording, &frame);
        markdown_write(&markdown, &recording, &frame);
    }
    if (memchr(page.data, '\033', page.length) || strstr(page.data, "<script")) abort();
    recording_release(&recording);
    document_free(document);
    text_release(&page);
    text_release(&notebook);
    text_release(&markdown);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    mem_set_limit(256 << 20);
    size_t before = mem_used();
    write_document((const char *)data, size);
    if (mem_used() != before) abort();
    return 0;
}
