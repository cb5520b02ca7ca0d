#include "notebook/cells.h"

#include "base/text.h"

#include <md4c.h>
#include <stdint.h>
#include <string.h>

typedef struct Search {
    const char *at, *end; /* what is left of the document; lines before `at` are counted */
    size_t line;          /* of `at`, from 0 */
    bool in_cell;
    size_t indent;      /* of the code line that is being read */
    Text script;        /* the cell's code up to there */
    size_t script_line; /* the line that the script has come to */
    CellFound *found;
    void *context;
    bool stopped; /* found() returned false, or memory ran out: *err says why */
    Error *err;
} Search;

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* Is the fence marked `attn`, with nothing behind it or attributes in braces? */
static bool is_cell(const MD_ATTRIBUTE *info) {
    static const char mark[] = "attn";
    size_t length = info->size, at = sizeof mark - 1;
    if (length < at || memcmp(info->text, mark, at) != 0) return false;
    while (is_blank(info->text[length - 1])) length--;
    if (length == at) return true;
    if (!is_blank(info->text[at])) return false;
    while (is_blank(info->text[at])) at++;
    return info->text[at] == '{' && info->text[length - 1] == '}';
}

/* A line ends in \n, \r\n or \r, as md4c has it. */
static void count_lines(Search *search, const char *to) {
    for (; search->at < to; search->at++) {
        bool pair = search->at[0] == '\r' && search->end - search->at > 1 && search->at[1] == '\n';
        if (!pair && (*search->at == '\n' || *search->at == '\r')) search->line++;
    }
}

/* md4c gives a line of code as its indentation, a piece of the document and a line break. Only the
 * piece in the middle points into the document and has a place there. */
static int add_code(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *context) {
    Search *search = context;
    if (!search->in_cell || type != MD_TEXT_CODE) return 0;
    uintptr_t at = (uintptr_t)text;
    if (at < (uintptr_t)search->at || at >= (uintptr_t)search->end) {
        search->indent = *text == '\n' ? 0 : search->indent + size;
        return 0;
    }
    count_lines(search, text);
    text_repeat(&search->script, '\n', search->line - search->script_line);
    search->script_line = search->line;
    text_repeat(&search->script, ' ', search->indent);
    text_bytes(&search->script, text, size);
    return 0;
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *context) {
    Search *search = context;
    if (type != MD_BLOCK_CODE) return 0;
    search->in_cell = is_cell(&((MD_BLOCK_CODE_DETAIL *)detail)->info);
    search->indent = 0;
    search->script_line = 0;
    text_clear(&search->script);
    return 0;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *context) {
    Search *search = context;
    (void)detail;
    if (type != MD_BLOCK_CODE || !search->in_cell) return 0;
    search->in_cell = false;
    const Text *script = &search->script;
    search->stopped = !text_ok(script, search->err) ||
                      !search->found(search->context, script->data, script->length, search->err);
    return search->stopped ? -1 : 0; /* md4c goes on after a positive number */
}

static int pass_span(MD_SPANTYPE type, void *detail, void *context) {
    (void)type, (void)detail, (void)context;
    return 0;
}

bool cells_each(const char *markdown, size_t length, CellFound *found, void *context, Error *err) {
    if (length > UINT32_MAX) return error_set(err, ERR_LIMIT, "the document is longer than 4 GB");
    /* A byte order mark would hide a fence in the first line. */
    bool marked = length >= 3 && memcmp(markdown, "\xEF\xBB\xBF", 3) == 0;
    size_t skipped = marked ? 3 : 0;
    Search search = {.at = markdown + skipped,
                     .end = markdown + length,
                     .script = TEXT_EMPTY,
                     .found = found,
                     .context = context,
                     .err = err};
    MD_PARSER parser = {.flags = MD_FLAG_TABLES,
                        .enter_block = enter_block,
                        .leave_block = leave_block,
                        .enter_span = pass_span,
                        .leave_span = pass_span,
                        .text = add_code};
    bool ok = md_parse(search.at, (MD_SIZE)(length - skipped), &parser, &search) == 0;
    text_release(&search.script);
    return !search.stopped && (ok || error_memory(err, 0));
}
