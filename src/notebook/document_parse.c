/* md4c reads the Markdown and reports it piece by piece; here the pieces become a tree. */
#include "notebook/document.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/utf8.h"

#include <md4c.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_LIMIT = 100 };

typedef struct Builder {
    Arena *arena;
    DocNode *open; /* the innermost node that is not closed yet */
    int depth;
    /* The place that the parser has come to. It reports the pieces of the source in their order, so
     * that each line is counted once. */
    const char *at, *end;
    size_t line; /* of `at`, from 1 */
    /* The open block of code. */
    Text code;
    size_t indent;    /* of the line that is being read */
    size_t code_line; /* the line of the source that `code` has come to */
    bool refused;     /* a callback failed; *err says why */
    Error *err;
} Builder;

static bool is_ahead(const Builder *builder, const char *place) {
    return (uintptr_t)place >= (uintptr_t)builder->at &&
           (uintptr_t)place <= (uintptr_t)builder->end;
}

/* A line ends in \n, \r\n or \r, as md4c has it. */
static void count_lines(Builder *builder, const char *to) {
    for (; builder->at < to; builder->at++) {
        bool pair = to - builder->at > 1 && builder->at[0] == '\r' && builder->at[1] == '\n';
        if (!pair && (*builder->at == '\n' || *builder->at == '\r')) builder->line++;
    }
}

/* Where the next line begins that opens a block of code, maybe within a list or quotation. For info
 * strings with an entity or a backslash: md4c gives a copy of these, which has no place. */
static const char *next_fence(const Builder *builder) {
    for (const char *line = builder->at; line < builder->end; line++) {
        bool begins = line == builder->at || line[-1] == '\n' || line[-1] == '\r';
        if (!begins) continue;
        const char *fence = line + strspn(line, " \t>*+-.)0123456789");
        bool opens = strncmp(fence, "```", 3) == 0 || strncmp(fence, "~~~", 3) == 0;
        size_t info = strspn(fence, opens ? "`~ \t" : "");
        if (opens && !strchr("\r\n", fence[info]))
            return line; /* what closes has nothing behind it */
    }
    return builder->at;
}

/* The value that a callback returns to md4c: 0 goes on, -1 ends the parsing. */
static int go_on(Builder *builder, bool ok) {
    builder->refused = !ok;
    return ok ? 0 : -1;
}

static DocNode *add_node(Builder *builder, DocKind kind) {
    DocNode *node = arena_alloc(builder->arena, sizeof *node, builder->err),
            *parent = builder->open;
    if (!node) return NULL;
    node->kind = kind;
    node->parent = parent;
    if (parent->last) parent->last->next = node;
    else parent->first = node;
    parent->last = node;
    return node;
}

static DocNode *open_node(Builder *builder, DocKind kind) {
    if (builder->depth == DEPTH_LIMIT) {
        error_set(builder->err, ERR_LIMIT, "line %zu: more than %d parts are within each other",
                  builder->line, DEPTH_LIMIT);
        return NULL;
    }
    DocNode *node = add_node(builder, kind);
    if (!node) return NULL;
    builder->open = node;
    builder->depth++;
    return node;
}

static int close_node(Builder *builder) {
    builder->open = builder->open->parent;
    builder->depth--;
    return 0;
}

/* ---- text ---- */

/* The character that an entity such as &amp; or &#916; stands for; 0: its name is not known. */
static uint32_t entity_character(const char *entity, size_t length) {
    static const struct {
        const char *name;
        uint32_t character;
    } names[] = {{"amp", '&'},       {"lt", '<'},       {"gt", '>'},       {"quot", '"'},
                 {"apos", '\''},     {"nbsp", 0xA0},    {"ndash", 0x2013}, {"mdash", 0x2014},
                 {"hellip", 0x2026}, {"middot", 0xB7},  {"times", 0xD7},   {"rarr", 0x2192},
                 {"larr", 0x2190},   {"le", 0x2264},    {"ge", 0x2265},    {"ne", 0x2260},
                 {"lsquo", 0x2018},  {"rsquo", 0x2019}, {"ldquo", 0x201C}, {"rdquo", 0x201D}};
    if (entity[1] == '#') {
        bool hexadecimal = entity[2] == 'x' || entity[2] == 'X';
        unsigned long code = strtoul(entity + (hexadecimal ? 3 : 2), NULL, hexadecimal ? 16 : 10);
        bool surrogate = code >= 0xD800 && code <= 0xDFFF;
        return code == 0 || code > 0x10FFFF || surrogate ? 0xFFFD : (uint32_t)code;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t size = strlen(names[i].name);
        if (length == size + 2 && memcmp(entity + 1, names[i].name, size) == 0)
            return names[i].character;
    }
    return 0;
}

/* Appends an entity as its character; one that is not known stays as it is written. */
static void write_entity(Text *out, const char *entity, size_t length) {
    uint32_t character = entity_character(entity, length);
    if (character) utf8_write(out, character);
    else text_bytes(out, entity, length);
}

static char *keep_text(Builder *builder, Text *text) {
    char *kept = NULL;
    if (text_ok(text, builder->err))
        kept = arena_string(builder->arena, text->data, text->length, builder->err);
    text_release(text);
    return kept;
}

static char *keep_attribute(Builder *builder, const MD_ATTRIBUTE *attribute) {
    Text text = TEXT_EMPTY;
    for (size_t i = 0; attribute->size && attribute->substr_offsets[i] < attribute->size; i++) {
        const char *part = attribute->text + attribute->substr_offsets[i];
        size_t length = attribute->substr_offsets[i + 1] - attribute->substr_offsets[i];
        if (attribute->substr_types[i] == MD_TEXT_ENTITY) write_entity(&text, part, length);
        if (attribute->substr_types[i] == MD_TEXT_NORMAL) text_bytes(&text, part, length);
    }
    return keep_text(builder, &text);
}

/* md4c gives a line of code as its indentation, a piece of the source and a line break. Only the
 * piece in the middle points into the source and has a place there. Empty lines keep the distance.
 */
static void add_code(Builder *builder, const char *text, size_t length) {
    if (!is_ahead(builder, text) || length == 0) {
        builder->indent = length && *text == '\n' ? 0 : builder->indent + length;
        return;
    }
    count_lines(builder, text);
    text_repeat(&builder->code, '\n', builder->line - builder->code_line);
    builder->code_line = builder->line;
    text_repeat(&builder->code, ' ', builder->indent);
    text_bytes(&builder->code, text, length);
}

static int add_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *context) {
    Builder *builder = context;
    if (builder->open->kind == DOC_CODE) {
        add_code(builder, text, size);
        return 0;
    }
    DocKind kind = type == MD_TEXT_BR       ? DOC_HARD_BREAK
                   : type == MD_TEXT_SOFTBR ? DOC_SOFT_BREAK
                   : type == MD_TEXT_HTML   ? DOC_HTML
                                            : DOC_TEXT;
    DocNode *node = add_node(builder, kind);
    if (!node) return go_on(builder, false);
    node->text = text; /* of the source, or a string constant of md4c */
    node->length = size;
    if (is_ahead(builder, text)) count_lines(builder, text);
    node->line = builder->line;
    if (type == MD_TEXT_NULLCHAR) {
        node->text = "\xEF\xBF\xBD";
        node->length = 3;
    } else if (type == MD_TEXT_ENTITY) {
        Text character = TEXT_EMPTY;
        write_entity(&character, text, size);
        node->length = character.length;
        node->text = keep_text(builder, &character);
    }
    return go_on(builder, node->text);
}

/* ---- blocks and spans ---- */

static int enter_block(MD_BLOCKTYPE type, void *detail, void *context) {
    static const DocKind kinds[] = {
        [MD_BLOCK_QUOTE] = DOC_QUOTE,   [MD_BLOCK_UL] = DOC_LIST,   [MD_BLOCK_OL] = DOC_LIST,
        [MD_BLOCK_LI] = DOC_ITEM,       [MD_BLOCK_HR] = DOC_RULE,   [MD_BLOCK_H] = DOC_HEADING,
        [MD_BLOCK_CODE] = DOC_CODE,     [MD_BLOCK_HTML] = DOC_HTML, [MD_BLOCK_P] = DOC_PARAGRAPH,
        [MD_BLOCK_TABLE] = DOC_TABLE,   [MD_BLOCK_TR] = DOC_ROW,    [MD_BLOCK_TH] = DOC_TABLE_CELL,
        [MD_BLOCK_TD] = DOC_TABLE_CELL,
    };
    if (type == MD_BLOCK_DOC || type == MD_BLOCK_THEAD || type == MD_BLOCK_TBODY) return 0;
    Builder *builder = context;
    DocNode *node = open_node(builder, kinds[type]);
    if (!node) return go_on(builder, false);
    switch (type) {
    case MD_BLOCK_H: node->number = (int)((MD_BLOCK_H_DETAIL *)detail)->level; break;
    case MD_BLOCK_OL:
        node->ordered = true;
        node->number = (int)((MD_BLOCK_OL_DETAIL *)detail)->start;
        break;
    case MD_BLOCK_LI: {
        const MD_BLOCK_LI_DETAIL *item = detail;
        if (item->is_task) node->task = item->task_mark == ' ' ? ' ' : 'x';
        break;
    }
    case MD_BLOCK_TH:
    case MD_BLOCK_TD: {
        static const DocAlign aligns[] = {[MD_ALIGN_DEFAULT] = ALIGN_NONE,
                                          [MD_ALIGN_LEFT] = ALIGN_LEFT,
                                          [MD_ALIGN_CENTER] = ALIGN_CENTER,
                                          [MD_ALIGN_RIGHT] = ALIGN_RIGHT};
        node->align = aligns[((MD_BLOCK_TD_DETAIL *)detail)->align];
        break;
    }
    case MD_BLOCK_CODE: {
        const MD_ATTRIBUTE *info = &((MD_BLOCK_CODE_DETAIL *)detail)->info;
        if (info->size)
            count_lines(builder, is_ahead(builder, info->text) ? info->text : next_fence(builder));
        node->line = builder->line;
        builder->indent = 0;
        builder->code_line = 1;
        text_clear(&builder->code);
        node->detail = keep_attribute(builder, info);
        return go_on(builder, node->detail);
    }
    default: break;
    }
    node->line = builder->line;
    return 0;
}

static const DocKind span_kinds[] = {[MD_SPAN_EM] = DOC_EMPHASIS,
                                     [MD_SPAN_STRONG] = DOC_STRONG,
                                     [MD_SPAN_A] = DOC_LINK,
                                     [MD_SPAN_IMG] = DOC_IMAGE,
                                     [MD_SPAN_CODE] = DOC_CODE_SPAN};

static bool is_span(DocKind kind) { return kind >= DOC_EMPHASIS && kind <= DOC_IMAGE; }

static int leave_block(MD_BLOCKTYPE type, void *detail, void *context) {
    (void)detail;
    if (type == MD_BLOCK_DOC || type == MD_BLOCK_THEAD || type == MD_BLOCK_TBODY) return 0;
    Builder *builder = context;
    while (is_span(builder->open->kind)) close_node(builder);
    if (type == MD_BLOCK_CODE) {
        DocNode *node = builder->open;
        node->length = builder->code.length;
        if (!text_ok(&builder->code, builder->err)) return go_on(builder, false);
        node->text = arena_string(builder->arena, builder->code.data, node->length, builder->err);
        if (!node->text) return go_on(builder, false);
    }
    return close_node(builder);
}

static int enter_span(MD_SPANTYPE type, void *detail, void *context) {
    Builder *builder = context;
    DocNode *node = open_node(builder, span_kinds[type]);
    if (!node) return go_on(builder, false);
    node->line = builder->line;
    if (type == MD_SPAN_A) {
        node->detail = keep_attribute(builder, &((MD_SPAN_A_DETAIL *)detail)->href);
    } else if (type == MD_SPAN_IMG) {
        node->detail = keep_attribute(builder, &((MD_SPAN_IMG_DETAIL *)detail)->src);
    } else {
        return 0;
    }
    return go_on(builder, node->detail);
}

/* md4c may leave a span that it has not entered, where a * is in the target of a link within
 * emphasis, and the other way round. */
static int leave_span(MD_SPANTYPE type, void *detail, void *context) {
    Builder *builder = context;
    (void)detail;
    return builder->open->kind == span_kinds[type] ? close_node(builder) : 0;
}

bool document_parse_nodes(Arena *arena, DocNode *parent, const char *markdown, size_t length,
                          size_t first_line, Error *err) {
    Builder builder = {.arena = arena,
                       .open = parent,
                       .at = markdown,
                       .end = markdown + length,
                       .line = first_line,
                       .code = TEXT_EMPTY,
                       .err = err};
    MD_PARSER parser = {.flags = MD_FLAG_TABLES | MD_FLAG_TASKLISTS,
                        .enter_block = enter_block,
                        .leave_block = leave_block,
                        .enter_span = enter_span,
                        .leave_span = leave_span,
                        .text = add_text};
    int status = md_parse(markdown, (MD_SIZE)length, &parser, &builder);
    text_release(&builder.code);
    /* A callback that returned -1 has said why; md4c itself fails for want of memory alone. */
    if (status != 0 && !builder.refused) mem_error(err, 0);
    return status == 0;
}
