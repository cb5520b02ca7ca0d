#include "notebook/export/site.h"

#include "base/memory.h"
#include "base/translate.h"
#include "io/file.h"
#include "notebook/opening.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/* The length of the folder's part of a path, with its slash. */
static size_t folder_length(const char *path) { return (size_t)(path_name(path) - path); }

/* True if a folder of that name is on the path. */
static bool is_in_folder(const char *path, const char *folder) {
    size_t length = strlen(folder);
    for (const char *at = path; (at = strstr(at, folder)); at++)
        if ((at == path || at[-1] == '/') && at[length] == '/') return true;
    return false;
}

/* The language in whose folder a document lies; English where it lies in none. */
static Language language_of_path(const char *path) {
    for (Language language = 0; language_codes[language]; language++)
        if (is_in_folder(path, language_codes[language])) return language;
    return LANGUAGE_ENGLISH;
}

static bool are_in_one_folder(const char *one, const char *other) {
    size_t length = folder_length(one);
    return length == folder_length(other) && strncmp(one, other, length) == 0;
}

void site_write_target(Text *out, const char *from, const char *page) {
    size_t folder = folder_length(from);
    if (are_in_one_folder(from, page)) {
        page += folder;
    } else {
        for (size_t i = 0; i < folder; i++)
            if (from[i] == '/') text_string(out, "../");
    }
    for (; *page; page++) {
        unsigned char c = (unsigned char)*page;
        if (isalnum(c) || strchr("-_.~/", c)) text_char(out, *page);
        else text_format(out, "%%%02X", c);
    }
}

/* ---- the documents ---- */

/* Parses the text of the document `path`, whose name begins behind `common` bytes of it, and adds
 * it. */
static bool add_document(Site *site, const char *path, size_t common, Language language,
                         const char *text, size_t length, Error *err) {
    SiteDocument *grown =
        mem_grow(site->documents, site->count, &site->capacity, sizeof *grown, err);
    if (!grown) return false;
    site->documents = grown;
    SiteDocument *document = &grown[site->count++];
    *document = (SiteDocument){.path = mem_string(path, strlen(path), err), .language = language};
    if (!document->path) return false;
    document->name = document->path + common;
    document->document = document_parse(path, text, length, err);
    if (!document->document) return false;
    Text title = TEXT_EMPTY, page = TEXT_EMPTY;
    document_title(&title, document->document);
    bool drops_suffix = path_has_suffix(path, "md") || path_has_suffix(path, "attn");
    size_t dropped = drops_suffix ? strlen(path_suffix(path)) + 1 : 0;
    text_bytes(&page, document->name, strlen(document->name) - dropped);
    text_string(&page, ".html");
    document->title = text_take(&title, err);
    document->page = text_take(&page, err);
    document->number = atoi(path_name(document->name));
    lesson_head_read(document->document->source, &document->head);
    return document->title && document->page && text_ok(&document->head.title, err) &&
           text_ok(&document->head.needs, err);
}

bool site_read(Site *site, char *const *paths, Session *session, const char *language, Error *err) {
    bool ok = true;
    *site = (Site){.documents = NULL};
    /* The part of the paths that is the folder of all of them. */
    size_t common = folder_length(paths[0]);
    for (size_t i = 1; paths[i]; i++)
        while (common && strncmp(paths[0], paths[i], common) != 0)
            for (common--; common && paths[0][common - 1] != '/';) common--;
    for (; ok && *paths; paths++) {
        LocalText text = TEXT_EMPTY, made = TEXT_EMPTY;
        Language own = language ? language_from_name(language) : language_of_path(*paths);
        bool is_script = path_has_suffix(*paths, "attn");
        const Text *markdown = is_script ? &made : &text;
        ok = file_read(*paths, 0, &text, err) &&
             (!is_script || document_of_script(session, *paths, &text, NULL, &made, err)) &&
             add_document(site, *paths, common, own, markdown->data, markdown->length, err);
    }
    return ok;
}

bool site_read_lessons(Site *site, Error *err) {
    bool ok = true;
    *site = (Site){.documents = NULL};
    for (const CatalogText *lesson = catalog_texts; ok && lesson->name; lesson++) {
        LocalText path = TEXT_EMPTY;
        text_format(&path, "%s/%s.md", lesson->language, lesson->name);
        ok = text_ok(&path, err) &&
             add_document(site, path.data, 0, language_from_name(lesson->language), lesson->text,
                          strlen(lesson->text), err);
    }
    return ok;
}

void site_release(Site *site) {
    for (size_t i = 0; i < site->count; i++) {
        SiteDocument *document = &site->documents[i];
        mem_free(document->path);
        mem_free(document->page);
        mem_free(document->title);
        lesson_head_release(&document->head);
        document_free(document->document);
    }
    mem_free(site->documents);
}

static const SiteDocument *find_document(const Site *site, const char *name) {
    for (size_t i = 0; i < site->count; i++)
        if (strcmp(site->documents[i].name, name) == 0) return &site->documents[i];
    return NULL;
}

/* The same document in another language: in the folder of that language beside its own; or NULL. */
static const SiteDocument *find_translation(const Site *site, const SiteDocument *document,
                                            Language language) {
    size_t length = folder_length(document->name), begin = length ? length - 1 : 0;
    while (begin && document->name[begin - 1] != '/') begin--;
    if (length == 0 || !is_in_folder(document->name + begin, language_codes[document->language]))
        return NULL;
    LocalText name = TEXT_EMPTY;
    text_bytes(&name, document->name, begin);
    text_format(&name, "%s/%s", language_codes[language], document->name + length);
    return name.failed ? NULL : find_document(site, name.data);
}

/* ---- the frame of a page ---- */

static bool resolve_link(void *context, const char *link, Text *target) {
    const SiteFrame *frame = context;
    const char *from = frame->from, *fragment = link + strcspn(link, "#");
    LocalText name = TEXT_FOR(target); /* as seen from the folder of all documents */
    text_bytes(&name, from, folder_length(from));
    for (const char *at = link; at < fragment;) {
        size_t length = strcspn(at, "/#");
        if (length == 2 && strncmp(at, "..", 2) == 0) {
            if (name.length == 0) return false; /* the link leads out of it */
            do text_cut(&name, name.length - 1);
            while (name.length && name.data[name.length - 1] != '/');
        } else if (!(length == 1 && *at == '.')) {
            text_bytes(&name, at, length);
            if (at[length] == '/') text_char(&name, '/');
        }
        at += length + (at[length] == '/');
    }
    const SiteDocument *found = find_document(frame->site, name.data);
    if (!found) return false;
    site_write_target(target, from, found->page);
    text_string(target, fragment);
    return true;
}

static void set_link(SiteFrame *frame, PageWay way, const char *page, const char *title) {
    Text *target = &frame->targets[way];
    site_write_target(target, frame->from, page);
    frame->page.links[way] = (PageLink){target->data, title};
}

bool site_has_language(const Site *site, Language language) {
    for (size_t i = 0; i < site->count; i++)
        if (site->documents[i].language == language) return true;
    return false;
}

void site_write_common_name(Text *out, const Site *site, const char *name, Language language) {
    bool is_main = true;
    for (Language other = 0; other < language; other++) is_main &= !site_has_language(site, other);
    text_format(out, is_main ? "%s.html" : "%s.%s.html", name, language_codes[language]);
}

static void set_common(SiteFrame *frame, PageWay way, const char *name, Language language,
                       const char *title) {
    LocalText page = TEXT_FOR(&frame->targets[way]);
    site_write_common_name(&page, frame->site, name, language);
    set_link(frame, way, page.data, title);
}

static void begin_frame(SiteFrame *frame, const Site *site, const char *from, Language language) {
    *frame = (SiteFrame){
        .site = site, .from = from, .page = {.language = language, .resolve = resolve_link}};
    frame->page.context = frame;
    for (int way = 0; way < PAGE_WAYS; way++) text_init(&frame->targets[way]);
    if (site->has_index)
        set_common(frame, PAGE_INDEX, "index", language, tr_in(language, "All lessons"));
    if (site->has_glossary)
        set_common(frame, PAGE_GLOSSARY, "glossary", language, tr_in(language, "Glossary"));
}

void site_frame_common(const Site *site, const char *name, Language language, SiteFrame *frame) {
    begin_frame(frame, site, "", language);
    PageWay own = strcmp(name, "index") == 0 ? PAGE_INDEX : PAGE_GLOSSARY;
    frame->page.links[own].target = NULL;
    for (Language other = 0; language_codes[other]; other++)
        if (other != language && site_has_language(site, other) &&
            !frame->page.links[PAGE_TRANSLATION].target)
            set_common(frame, PAGE_TRANSLATION, name, other, tr_in(other, "English"));
}

void site_frame(const Site *site, size_t at, SiteFrame *frame) {
    const SiteDocument *document = &site->documents[at], *translation = NULL;
    begin_frame(frame, site, document->name, document->language);
    if (at > 0 && are_in_one_folder(document->name, document[-1].name))
        set_link(frame, PAGE_PREVIOUS, document[-1].page, document[-1].title);
    if (at + 1 < site->count && are_in_one_folder(document->name, document[1].name))
        set_link(frame, PAGE_NEXT, document[1].page, document[1].title);
    for (Language other = 0; language_codes[other] && !translation; other++)
        if (other != document->language && (translation = find_translation(site, document, other)))
            set_link(frame, PAGE_TRANSLATION, translation->page, tr_in(other, "English"));
}

bool site_frame_ok(const SiteFrame *frame, Error *err) {
    bool ok = true;
    for (int way = 0; ok && way < PAGE_WAYS; way++) ok = text_ok(&frame->targets[way], err);
    return ok;
}

void site_frame_release(SiteFrame *frame) {
    for (int way = 0; way < PAGE_WAYS; way++) text_release(&frame->targets[way]);
}
