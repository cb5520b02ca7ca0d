#include "notebook/opening.h"

#include "base/random.h"
#include "base/utf8.h"
#include "io/file.h"
#include "lang/parser.h"
#include "notebook/catalog.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- lessons ---- */

bool lesson_find_last(Language language, CatalogEntry *out) {
    time_t newest = 0;
    CatalogEntry entry;
    for (size_t i = 0; catalog_entry(language, i, &entry); i++) {
        struct stat status;
        LocalText path = TEXT_EMPTY;
        if (progress_path(&path, entry.id) && stat(path.data, &status) == 0 &&
            status.st_mtime > newest) {
            newest = status.st_mtime;
            *out = entry;
        }
    }
    return newest > 0;
}

/* Reads a document of the person's own. The name of its progress holds a hash of where it lies:
 * other documents, and lessons of the program, may have the same name. */
static bool read_own(const char *path, Document **document, Text *name, Text *folder, Error *err) {
    const char *file = path_name(path);
    char real[PATH_MAX];
    LocalText text = TEXT_EMPTY;
    if (!file_read(path, 0, &text, err)) return false;
    size_t valid = utf8_check(text.data, text.length);
    if (valid < text.length) {
        error_set(err, ERR_FILE, "%s is not UTF-8: byte %zu", path, valid);
        return error_hint(err, "it has to be saved, or sent by the terminal, as UTF-8");
    }
    const char *place = realpath(path, real) ? real : path;
    path_folder(folder, path);
    text_bytes(name, file, strlen(file) - strlen(".md"));
    text_format(name, "-%016llx", (unsigned long long)random_hash(place, strlen(place), 0));
    *document = document_parse(path, text.data, text.length, err);
    return *document != NULL;
}

static bool is_path(const char *what) { return strchr(what, '/') || access(what, F_OK) == 0; }

/* A path that is neither a lesson's name nor ends in .md. */
static bool refuse_path(const char *path, Error *err) {
    struct stat status;
    if (stat(path, &status) != 0) {
        system_error(err, "read", path, errno);
        return error_hint(err, "a lesson of your own is a file whose name ends in .md");
    }
    if (!S_ISDIR(status.st_mode)) {
        error_set(err, ERR_FILE, "%s is no lesson: its name does not end in .md", path);
        return error_hint(err, "lessons lists those that come with attn");
    }
    error_set(err, ERR_FILE, "%s is a folder", path);
    return error_hint(err, "name a document in it: lesson \"%s%sNAME.md\"", path,
                      path[strlen(path) - 1] == '/' ? "" : "/");
}

bool lesson_read(const char *what, Language language, Document **document, Text *name, Text *folder,
                 Error *err) {
    CatalogEntry entry;
    if (what && path_has_suffix(what, "md")) return read_own(what, document, name, folder, err);
    bool found = what ? catalog_find(what, language, &entry, err)
                      : lesson_find_last(language, &entry) || catalog_entry(language, 0, &entry);
    if (!found) return what && is_path(what) ? refuse_path(what, err) : false;
    text_string(name, entry.id);
    *document =
        document_parse(entry.source->name, entry.source->text, strlen(entry.source->text), err);
    return *document != NULL;
}

bool lesson_open(Session *session, const char *what, ReportError *report, Error *err) {
    Document *document = NULL;
    LocalText name = TEXT_EMPTY, folder = TEXT_EMPTY;
    Language language = session_language(session);
    bool ok = lesson_read(what, language, &document, &name, &folder, err) && text_ok(&name, err) &&
              text_ok(&folder, err);
    if (!ok) {
        document_free(document);
        return false;
    }
    player_free(session->player);
    session->player = player_new(session, document, name.data, folder.length ? folder.data : NULL,
                                 session->interp.safe ? PLAYER_FORGETS : PLAYER_KEEPS, report, err);
    return session->player != NULL;
}

/* ---- documents and scripts for an audience ---- */

/* Appends the comments between two entries as paragraphs. A comment that is behind an entry, in
 * its line, is the entry's. */
static void write_comments(Text *out, const char *text, size_t length, bool behind_entry) {
    LocalText lines = TEXT_FOR(out);
    text_bytes(&lines, text, length);
    size_t at = 0;
    if (behind_entry) text_line(&lines, &at);
    while (at < lines.length) {
        TextLine line = text_line(&lines, &at);
        const char *begin = line.bytes, *end = line.bytes + line.length;
        while (begin < end && strchr(" \t\r#!", *begin)) begin++;
        if (line.length >= 2 && memcmp(line.bytes, "#!", 2) == 0) continue;
        text_bytes(out, begin, (size_t)(end - begin));
        text_char(out, '\n');
    }
    text_char(out, '\n');
}

static bool only_pauses(const Chunk *chunk, const Entry *entry) {
    const Node *node = chunk->statements.items[entry->first];
    return entry->count == 1 && node->kind == NODE_COMMAND &&
           strcmp(node->command.name, "pause") == 0;
}

/* True if what is between two entries is the end of a line alone, or the comment behind it. */
static bool follows_at_once(const char *between, size_t length) {
    size_t lines = 0;
    for (size_t i = 0; i < length; i++) {
        lines += between[i] == '\n';
        if (between[i] == '#' && lines > 0) return false;
    }
    return lines <= 1;
}

bool document_of_script(Session *session, const char *path, const Text *script, bool *pages,
                        Text *out, Error *err) {
    LocalChunk *chunk = NULL;
    if (parse(&session->interp, path, script->data, script->length, false, &chunk, err) != PARSE_OK)
        return false;
    size_t end = 0;
    bool shows = pages && strstr(script->data, "\npause page");
    if (pages) *pages = shows;
    for (int i = 0; i < chunk->entry_count; i++) {
        const Entry *entry = &chunk->entries[i];
        size_t begin = entry->span.begin;
        LocalText notes = TEXT_FOR(out);
        write_comments(shows ? &notes : out, script->data + end, begin - end, end > 0);
        end = entry->span.end;
        if (only_pauses(chunk, entry)) continue;
        /* Lines that follow each other without a gap are one cell; in a show, those of a page. */
        while (i + 1 < chunk->entry_count && !only_pauses(chunk, &chunk->entries[i + 1])) {
            size_t next = chunk->entries[i + 1].span.begin;
            if (!shows && !follows_at_once(script->data + end, next - end)) break;
            bool comment = shows && memchr(script->data + end, '#', next - end);
            if (comment) write_comments(&notes, script->data + end, next - end, true);
            end = chunk->entries[++i].span.end;
        }
        if (shows) text_format(out, "<!-- note: %s-->\n\n", notes.data);
        size_t length = trimmed_length(script->data + begin, end - begin, "\r\n");
        transcript_write_block(out, "", "attn", script->data + begin, length);
        text_char(out, '\n');
    }
    if (!shows) write_comments(out, script->data + end, script->length - end, end > 0);
    return text_ok(out, err);
}

bool present_open(Session *session, const char *path, ReportError *report, Error *err) {
    LocalText text = TEXT_EMPTY, made = TEXT_EMPTY, folder = TEXT_EMPTY;
    path_folder(&folder, path);
    bool is_script = !path_has_suffix(path, "md"), pages = false;
    if (!file_read(path, 0, &text, err) || !text_ok(&folder, err)) return false;
    if (is_script && !document_of_script(session, path, &text, &pages, &made, err)) return false;
    const Text *markdown = is_script ? &made : &text;
    Document *document = document_parse(path, markdown->data, markdown->length, err);
    if (!document) return false;
    player_free(session->player);
    session->player = player_new(session, document, path_name(path), folder.data,
                                 pages ? PLAYER_SHOWS : PLAYER_PRESENTS, report, err);
    return session->player != NULL;
}
