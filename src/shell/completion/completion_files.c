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

static bool is_folder(const Text *folder, const char *name, bool *failed) {
    Text path = TEXT_EMPTY;
    struct stat status;
    text_format(&path, "%s/%s", folder->data, name);
    if (path.failed) *failed = true;
    bool is = !path.failed && stat(path.data, &status) == 0 && S_ISDIR(status.st_mode);
    text_release(&path);
    return is;
}

/* The quotes that close what these open: without the prefix. */
static const char *closing_quotes(const char *text, Span quotes) {
    if (quotes.end == quotes.begin) return "\"";
    bool single = text[quotes.end - 1] == '\'';
    bool triple = quotes.end - quotes.begin >= 3 && text[quotes.end - 3] == text[quotes.end - 1];
    if (triple) return single ? "'''" : "\"\"\"";
    return single ? "'" : "\"";
}

void offer_files(const Session *session, const char *text, Span quotes, Span path, bool closed,
                 Candidates *candidates) {
    Span word = path_word(text, path);
    size_t typed = word.begin - path.begin; /* bytes of folders */
    Text given = TEXT_EMPTY, folder = TEXT_EMPTY;
    /* The folder to look in: ~ and relative paths as load and save understand them. */
    text_bytes(&given, text + path.begin, typed);
    path_join(&folder, session->interp.directory, given.data);
    if (folder.length == 0) text_char(&folder, '.');

    text_clear(&candidates->before);
    if (quotes.begin == quotes.end) text_char(&candidates->before, '"');
    text_bytes(&candidates->before, text + quotes.begin, quotes.end - quotes.begin);
    text_bytes(&candidates->before, text + path.begin, typed);
    if (given.failed || folder.failed || candidates->before.failed) candidates->failed = true;

    bool hidden = word.begin < word.end && text[word.begin] == '.';
    DIR *directory = candidates->failed ? NULL : opendir(folder.data);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || (name[0] == '.' && !hidden))
            continue;
        if (!fits_quotes(name) || !candidates_match(candidates, name)) continue;
        bool inner = is_folder(&folder, name, &candidates->failed);
        const char *suffix = inner ? "/" : closing_quotes(text, quotes);
        candidates_offer(candidates,
                         (Offer){.name = name, .suffix = suffix, .closed = closed && !inner});
    }
    if (directory) closedir(directory);
    text_clear(&candidates->before);
    text_release(&given);
    text_release(&folder);
}
