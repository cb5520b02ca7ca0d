#include "notebook/catalog.h"

#include "base/nearest.h"
#include "base/translate.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool catalog_entry(Language language, size_t i, CatalogEntry *out) {
    for (const CatalogText *source = catalog_texts; source->name; source++) {
        if (strcmp(source->language, language_codes[language]) != 0 || i-- > 0) continue;
        const char *dash = strchr(source->name, '-');
        *out = (CatalogEntry){source, atoi(source->name), dash ? dash + 1 : source->name};
        return true;
    }
    return false;
}

bool catalog_find(const char *what, Language language, CatalogEntry *out, Error *err) {
    const char *slash = strchr(what, '/');
    if (slash && slash - what == 2) language = language_from_name(what);
    const char *name = slash && slash - what == 2 ? slash + 1 : what;
    Nearest nearest;
    nearest_begin(&nearest, name, strlen(name));
    for (size_t i = 0; catalog_entry(language, i, out); i++) {
        bool number = isdigit((unsigned char)*name) && !name[strspn(name, "0123456789")];
        if (strcmp(name, out->id) == 0 || strcmp(name, out->source->name) == 0 ||
            (number && atoi(name) == out->number))
            return true;
        nearest_offer(&nearest, out->id);
    }
    error_set(err, ERR_NAME, "there is no lesson %s", what);
    if (nearest.found) return error_hint(err, "did you mean %s?", nearest.found);
    return error_hint(err, "lessons lists them");
}

bool catalog_after(const char *id, Language language, CatalogEntry *out) {
    for (size_t i = 0; catalog_entry(language, i, out); i++)
        if (strcmp(out->id, id) == 0) return catalog_entry(language, i + 1, out);
    return false;
}

/* The head is the first heading, and behind it a paragraph such as
 *   *About 20 minutes. Needs [soft-lookup](01-soft-lookup.md).*  */
void lesson_head_read(const char *text, LessonHead *out) {
    *out = (LessonHead){TEXT_EMPTY, TEXT_EMPTY, 0};
    if (strncmp(text, "# ", 2) != 0) return;
    size_t title = strcspn(text, "\n");
    text_bytes(&out->title, text + 2, title - 2);
    const char *at = text + title + strspn(text + title, "\n"), *end = strstr(at, "\n\n");
    if (*at != '*') return;
    for (; *at && at != end; at++) {
        if (isdigit((unsigned char)*at) && out->minutes == 0) out->minutes = atoi(at);
        if (*at != '[') continue;
        const char *target = strchr(at, '(');
        if (!target) return;
        if (isdigit((unsigned char)target[1]))
            text_format(&out->needs, "%s%d", out->needs.length ? ", " : "", atoi(target + 1));
        at = target;
    }
}

const char *lesson_need_next(const char *needs, int *number) {
    needs += strcspn(needs, "0123456789");
    if (!*needs) return NULL;
    *number = atoi(needs);
    return needs + strspn(needs, "0123456789");
}

void lesson_head_release(LessonHead *head) {
    text_release(&head->title);
    text_release(&head->needs);
}
