#include "notebook/present.h"

#include "io/file.h"
#include "lang/parser.h"

#include <string.h>

/* Appends the comments between two entries as paragraphs. A comment that stands behind an entry, in
 * its line, is the entry's. */
static void write_comments(Text *out, const char *text, size_t length, bool behind_entry) {
    Text lines = TEXT_EMPTY;
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
    text_release_for(&lines, out);
}

static bool only_pauses(const Chunk *chunk, const Entry *entry) {
    const Node *node = chunk->statements.items[entry->first];
    return entry->count == 1 && node->kind == NODE_COMMAND &&
           strcmp(node->command.name, "pause") == 0;
}

/* True if what stands between two entries is the end of a line alone, or the comment behind it. */
static bool follows_at_once(const char *between, size_t length) {
    size_t lines = 0;
    for (size_t i = 0; i < length; i++) {
        lines += between[i] == '\n';
        if (between[i] == '#' && lines > 0) return false;
    }
    return lines <= 1;
}

/* Turns a script into a document. */
static bool document_of_script(Session *session, const char *path, const Text *script, Text *out,
                               Error *err) {
    Chunk *chunk;
    if (parse(&session->interp, path, script->data, script->length, false, &chunk, err) != PARSE_OK)
        return false;
    size_t end = 0;
    for (int i = 0; i < chunk->entry_count; i++) {
        const Entry *entry = &chunk->entries[i];
        size_t begin = entry->span.begin;
        write_comments(out, script->data + end, begin - end, end > 0);
        end = entry->span.end;
        if (only_pauses(chunk, entry)) continue;
        /* Lines that follow each other without a gap are one cell. */
        while (i + 1 < chunk->entry_count &&
               follows_at_once(script->data + end, chunk->entries[i + 1].span.begin - end) &&
               !only_pauses(chunk, &chunk->entries[i + 1]))
            end = chunk->entries[++i].span.end;
        size_t length = end - begin;
        while (length && strchr("\r\n", script->data[begin + length - 1])) length--;
        transcript_write_block(out, "", "attn", script->data + begin, length);
        text_char(out, '\n');
    }
    write_comments(out, script->data + end, script->length - end, end > 0);
    chunk_unref(chunk);
    return text_ok(out, err);
}

bool present_open(Session *session, const char *path, ReportError *report, Error *err) {
    Text text = TEXT_EMPTY, made = TEXT_EMPTY, folder = TEXT_EMPTY;
    const char *slash = strrchr(path, '/');
    path_folder(&folder, path);
    bool ok = file_read(path, 0, &text, err) && text_ok(&folder, err), script = false;
    if (ok && !path_has_suffix(path, "md")) {
        script = true;
        ok = document_of_script(session, path, &text, &made, err);
    }
    const Text *markdown = script ? &made : &text;
    Document *document = ok ? document_parse(path, markdown->data, markdown->length, err) : NULL;
    if (document) {
        player_free(session->player);
        session->player = player_new(session, document, slash ? slash + 1 : path, folder.data,
                                     PLAYER_PRESENTS, report, err);
    }
    ok = document && session->player;
    text_release(&text);
    text_release(&made);
    text_release(&folder);
    return ok;
}
