/* File names: those of the folder that has been typed. */
#include "base/utf8.h"
#include "io/file.h"
#include "shell/completion/completion_sources.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

Span path_word(const char *text, Span path) {
    Span word = {path.end, path.end};
    while (word.begin > path.begin && text[word.begin - 1] != '/') word.begin--;
    return word;
}

bool fits_quotes(const char *text) {
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < 0x20 || strchr("\"'\\\x7f", text[i])) return false;
    return utf8_check(text, length) == length;
}

static bool is_shown(const char *name, bool hidden) {
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) return false;
    return (name[0] != '.' || hidden) && fits_quotes(name);
}

static bool is_folder(const Text *folder, const char *name, bool *failed) {
    Text path;
    struct stat status;
    text_init(&path);
    text_format(&path, "%s/%s", folder->data, name);
    if (path.failed) *failed = true;
    bool is = !path.failed && stat(path.data, &status) == 0 && S_ISDIR(status.st_mode);
    text_release(&path);
    return is;
}

static void offer_entries(DIR *directory, const Text *folder, const char *quote, bool hidden,
                          bool closed, Candidates *candidates) {
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (!is_shown(entry->d_name, hidden) || !candidates_match(candidates, entry->d_name))
            continue;
        bool inner = is_folder(folder, entry->d_name, &candidates->failed);
        candidates_offer(candidates, (Offer){.name = entry->d_name,
                                             .suffix = inner ? "/" : quote,
                                             .closed = closed && !inner});
    }
}

/* The folder to look in: ~ and relative paths as load and save take them. */
static void write_folder(const Session *session, const char *text, Span typed, Text *out) {
    Text path;
    text_init(&path);
    text_bytes(&path, text + typed.begin, typed.end - typed.begin);
    path_join(out, session->interp.directory, path.data);
    if (path.failed) out->failed = true;
    if (out->length == 0) text_char(out, '.');
    text_release(&path);
}

/* The quotes that close what these open: without the prefix. */
static const char *closing_quotes(const char *text, Span quotes) {
    if (quotes.end == quotes.begin) return "\"";
    bool single = text[quotes.end - 1] == '\'';
    bool triple = quotes.end - quotes.begin >= 3 && text[quotes.end - 3] == text[quotes.end - 1];
    return single ? (triple ? "'''" : "'") : triple ? "\"\"\"" : "\"";
}

void offer_files(const Session *session, const char *text, Span quotes, Span path, bool closed,
                 Candidates *candidates) {
    Span word = path_word(text, path), typed = {path.begin, word.begin};
    Text folder;
    text_init(&folder);
    write_folder(session, text, typed, &folder);
    text_clear(&candidates->before);
    if (quotes.begin == quotes.end) text_char(&candidates->before, '"');
    text_bytes(&candidates->before, text + quotes.begin, quotes.end - quotes.begin);
    text_bytes(&candidates->before, text + typed.begin, typed.end - typed.begin);
    DIR *directory = folder.failed ? NULL : opendir(folder.data);
    bool hidden = word.begin < word.end && text[word.begin] == '.';
    if (directory)
        offer_entries(directory, &folder, closing_quotes(text, quotes), hidden, closed, candidates);
    if (directory) closedir(directory);
    if (folder.failed || candidates->before.failed) candidates->failed = true;
    text_clear(&candidates->before);
    text_release(&folder);
}
