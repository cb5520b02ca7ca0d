/* The same lesson in two languages. */
#include "notebook/check.h"

#include "io/file.h"
#include "notebook/catalog.h"

#include <ctype.h>
#include <string.h>

/* The length of the ending by which `pronoun_zh` differs from `pronoun`; 0: there is none here. */
static size_t language_ending(const char *code) {
    for (Language language = 1; *code == '_' && language_codes[language]; language++) {
        size_t length = strlen(language_codes[language]);
        if (strncmp(code + 1, language_codes[language], length) == 0 &&
            !is_word_byte(code[1 + length]))
            return 1 + length;
    }
    return 0;
}

/* Appends code without what may differ between languages: comments, the words in strings, and the
 * language's ending of a name. A string of several literals counts as one, and where its lines
 * break does not count. */
static void write_skeleton(Text *out, const char *code) {
    for (char quote = 0; *code; code++) {
        if (quote && *code == '\\' && code[1]) {
            code++;
        } else if (quote) {
            if (*code == quote) quote = 0;
        } else if (*code == '"' || *code == '\'') {
            size_t end = out->length;
            while (end && isspace((unsigned char)out->data[end - 1])) end--;
            bool joins = end && out->data[end - 1] == '"';
            if (joins) text_cut(out, end);
            else text_char(out, '"');
            quote = *code;
        } else if (*code == '#') {
            code += strcspn(code, "\n");
            text_cut_blanks(out);
            code--; /* the end of the line, or of the code, is next */
        } else if (language_ending(code)) {
            code += language_ending(code) - 1;
        } else {
            text_char(out, *code);
        }
    }
}

/* The line of the document in which two cells first differ, for each of them; 0: they are the
 * same. What is prose may differ but for its name. */
static size_t first_difference(const Cell *one, const Cell *other, size_t *other_line) {
    const char *answer = one->answer ? one->answer : "";
    *other_line = other->line;
    if (one->kind != other->kind || strcmp(one->id, other->id) != 0 ||
        strcmp(answer, other->answer ? other->answer : "") != 0)
        return one->line;
    if (one->node->first) return 0;
    LocalText code = TEXT_EMPTY, other_code = TEXT_EMPTY;
    write_skeleton(&code, one->code);
    write_skeleton(&other_code, other->code);
    size_t lines = 0;
    const char *a = code.data, *b = other_code.data;
    for (; *a && *a == *b; a++, b++) lines += *a == '\n';
    *other_line += lines + 1;
    return *a == *b ? 0 : one->line + lines + 1;
}

/* Finds the first cell in which a lesson differs from the other language's. */
static bool compare_languages(Host *host, const char *path, const char *other_path, int *findings,
                              Error *err) {
    LocalText text = TEXT_EMPTY, other_text = TEXT_EMPTY;
    if (!file_read(path, 0, &text, err) || !file_read(other_path, 0, &other_text, err))
        return false;
    LocalDocument *one = document_parse(path, text.data, text.length, NULL);
    LocalDocument *other = document_parse(other_path, other_text.data, other_text.length, NULL);
    if (!one || !other) return true; /* which is a finding already */
    const Cell *cell = one->cells, *other_cell = other->cells;
    size_t line = 0, other_line = 0;
    for (; cell && other_cell && !line; cell = cell->next, other_cell = other_cell->next)
        line = first_difference(cell, other_cell, &other_line);
    if (!line) {
        line = cell ? cell->line : 0;
        other_line = other_cell ? other_cell->line : 0;
    }
    bool ok = true;
    if (line || other_line) {
        *findings += 1;
        if (!other_line)
            ok = host_print(host, err, "%s:%zu: %s has no such cell\n", path, line, other_path);
        else if (!line)
            ok = host_print(host, err, "%s:1: the cell of %s:%zu is missing here\n", path,
                            other_path, other_line);
        else
            ok = host_print(host, err, "%s:%zu: here %s:%zu has another cell\n", path, line,
                            other_path, other_line);
    }
    LocalLessonHead head, other_head;
    lesson_head_read(one->source, &head);
    lesson_head_read(other->source, &other_head);
    if (ok && strcmp(head.needs.data, other_head.needs.data) != 0) {
        *findings += 1;
        ok = host_print(host, err, "%s:1: %s needs other lessons\n", path, other_path);
    }
    return ok;
}

/* True if `other` is `path` with `folder` in the place of the "en/" at `at`. */
static bool is_translation(const char *path, size_t at, const char *folder, const char *other) {
    size_t length = strlen(folder);
    return strncmp(other, path, at) == 0 && strncmp(other + at, folder, length) == 0 &&
           other[at + length] == '/' && strcmp(other + at + length + 1, path + at + 3) == 0;
}

bool check_translations(Host *host, char *const *paths, int *findings, Error *err) {
    for (int i = 0; paths[i]; i++) {
        const char *folder = strstr(paths[i], "en/");
        if (!folder || (folder != paths[i] && folder[-1] != '/')) continue;
        size_t at = (size_t)(folder - paths[i]);
        for (Language language = 1; language_codes[language]; language++)
            for (int k = 0; paths[k]; k++)
                if (is_translation(paths[i], at, language_codes[language], paths[k]) &&
                    !compare_languages(host, paths[i], paths[k], findings, err))
                    return false;
    }
    return true;
}
