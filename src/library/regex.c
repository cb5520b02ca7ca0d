/* Regular expressions, which PCRE2 compiles and looks for. The modules re and regex of Python are
 * written with these two rows (modules/re.py); a build without PCRE2 has none of them. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "library/arguments.h"

#ifdef HAVE_PCRE2
#define PCRE2_CODE_UNIT_WIDTH 8
#include <math.h>
#include <pcre2.h>
#include <string.h>

typedef struct Regex {
    Object object;
    pcre2_code *code;
    pcre2_match_context *context; /* its callout writes to `last` */
    uint32_t last;                /* the group that was closed last; 0: none */
} Regex;

static void regex_free(Object *object) {
    Regex *regex = (Regex *)object;
    pcre2_code_free(regex->code);
    pcre2_match_context_free(regex->context);
    mem_free(regex);
}

static void regex_write(Object *object, Text *text, int digits) {
    (void)object;
    (void)digits;
    text_string(text, "<regular expression>");
}

static const ObjectType regex_type = {
    .name = "regex",
    .words = "a regular expression",
    .write = regex_write,
    .free = regex_free,
};

/* PCRE2 takes its memory from here. */
static void *take_memory(size_t bytes, void *unused) {
    (void)unused;
    return mem_alloc(bytes, NULL);
}

static void free_memory(void *block, void *unused) {
    (void)unused;
    mem_free(block);
}

/* PCRE2 calls it before each item of the pattern, and at its end. */
static int at_item(pcre2_callout_block *block, void *regex) {
    ((Regex *)regex)->last = block->capture_last;
    return interrupt_flag ? PCRE2_ERROR_CALLOUT : 0;
}

/* Says what PCRE2's code of an error means; `at` is where it is in the pattern, if it is there. */
static bool refuse(int code, const String *text, size_t at, Error *err) {
    switch (code) {
    case PCRE2_ERROR_CALLOUT: return interrupt_error(err);
    case PCRE2_ERROR_NOMEMORY:
    case PCRE2_ERROR_HEAP_FAILED: return mem_error(err, text->length);
    case PCRE2_ERROR_MATCHLIMIT:
    case PCRE2_ERROR_DEPTHLIMIT:
    case PCRE2_ERROR_HEAPLIMIT:
        error_set(err, ERR_LIMIT, "the regular expression has too many ways to match this text");
        return error_hint(err, "Repeat no repetition: a+ instead of (a+)+, [^\"]* instead of .*");
    case PCRE2_ERROR_LOOKBEHIND_NOT_FIXED_LENGTH:
        error_set(err, ERR_VALUE, "what (?<= looks back at has no fixed length");
        return error_python(err, "look-behind requires fixed-width pattern");
    default: {
        char words[256] = "";
        pcre2_get_error_message(code, (PCRE2_UCHAR *)words, sizeof words);
        error_set(err, ERR_VALUE, "the regular expression is wrong at character %zu: %s",
                  utf8_length(text->data, at), words);
        return error_python(err, "%s", words);
    }
    }
}

/* Sets what bounds the search, and what hears Ctrl-C during it. */
static bool prepare(Regex *regex, pcre2_general_context *general) {
    enum { STEPS_MOST = 20000000, KILOBYTES_MOST = 1 << 19 };
    regex->context = pcre2_match_context_create(general);
    if (!regex->context) return false;
    pcre2_set_match_limit(regex->context, STEPS_MOST);
    pcre2_set_depth_limit(regex->context, STEPS_MOST);
    pcre2_set_heap_limit(regex->context, KILOBYTES_MOST);
    pcre2_set_callout(regex->context, at_item, regex);
    return true;
}

static bool regex_new(const Call *call, Value *out, Error *err) {
    const uint32_t options =
        PCRE2_UTF | PCRE2_UCP | PCRE2_ALT_CIRCUMFLEX | PCRE2_AUTO_CALLOUT | PCRE2_NEVER_BACKSLASH_C;
    const String *pattern = string_at(call, 0);
    int code = PCRE2_ERROR_NOMEMORY;
    size_t at = 0;
    Regex *regex = mem_zeroed(1, sizeof *regex, err);
    if (!regex) return false;
    regex->object = (Object){1, &regex_type};
    *out = value_object(&regex->object);
    pcre2_general_context *general = pcre2_general_context_create(take_memory, free_memory, NULL);
    pcre2_compile_context *context = general ? pcre2_compile_context_create(general) : NULL;
    if (context && prepare(regex, general)) {
        pcre2_set_newline(context, PCRE2_NEWLINE_LF);
        regex->code =
            pcre2_compile((PCRE2_SPTR)pattern->data, pattern->length, options, &code, &at, context);
    }
    pcre2_compile_context_free(context);
    pcre2_general_context_free(general);
    return value_if(regex->code || refuse(code, pattern, at, err), out);
}

/* ---- searching ---- */

/* An argument that is a position, cut to 0 ... count; `count` where it is not given. */
static size_t position_at(const Call *call, int i, size_t count) {
    if (!given_at(call, i) || number_at(call, i) > (double)count) return count;
    return number_at(call, i) > 0 ? (size_t)number_at(call, i) : 0;
}

/* Appends a tuple: where the match and each group begins and ends, and the group closed last. */
static bool append_match(List *matches, String *text, const Regex *regex, pcre2_match_data *found,
                         Error *err) {
    const size_t *bounds = pcre2_get_ovector_pointer(found);
    const size_t count = 2 * (size_t)pcre2_get_ovector_count(found);
    Value match;
    if (!value_list_new(&match, VALUE_TUPLE, count + 1, err)) return false;
    for (size_t i = 0; i < count; i++) {
        bool set = bounds[i] != PCRE2_UNSET;
        match.list->items[i] = value_number(set ? (double)string_index(text, bounds[i]) : -1);
    }
    match.list->items[count] = value_number(regex->last);
    match.list->count = count + 1;
    return list_append_new(matches, match, err);
}

/* Where the text matches, one match after the other: behind an empty match the next one is at
 * another place or not empty, as in Python. */
static bool find_matches(Regex *regex, String *text, size_t at, size_t end, double most,
                         uint32_t anchors, List *matches, Error *err) {
    pcre2_match_data *found = pcre2_match_data_create_from_pattern(regex->code, NULL);
    if (!found) return mem_error(err, text->length);
    const uint32_t all = anchors | PCRE2_NO_UTF_CHECK;
    uint32_t options = all;
    bool ok = true;
    while (ok && (double)matches->count < most) {
        regex->last = 0;
        int code = pcre2_match(regex->code, (PCRE2_SPTR)text->data, end, at, options, found,
                               regex->context);
        if (code == PCRE2_ERROR_NOMATCH) break;
        const size_t *bounds = pcre2_get_ovector_pointer(found);
        ok = code > 0 ? append_match(matches, text, regex, found, err) && !interrupted(err)
                      : refuse(code, text, 0, err);
        at = bounds[1];
        options = bounds[0] == at ? all | PCRE2_NOTEMPTY_ATSTART : all;
    }
    pcre2_match_data_free(found);
    return ok;
}

static bool spans(const Call *call, Value *out, Error *err) {
    const Value *receiver = &call->arguments[0];
    const Value *searched = &call->arguments[1];
    if (searched->kind != VALUE_STRING) {
        error_set(err, ERR_TYPE, "a regular expression is looked for in a string, not in %s",
                  value_words(searched));
        return error_python(err, "expected string or bytes-like object, got '%s'",
                            value_type_name(searched));
    }
    String *text = searched->string;
    const size_t count = string_count(text), start = position_at(call, 2, count),
                 end = position_at(call, 3, count);
    const char *how = string_at(call, 5)->data;
    const bool whole = strcmp(how, "fullmatch") == 0, begins = strcmp(how, "match") == 0;
    const uint32_t anchors =
        (whole || begins ? PCRE2_ANCHORED : 0) | (whole ? PCRE2_ENDANCHORED : 0);
    if (receiver->kind != VALUE_OBJECT || receiver->object->type != &regex_type)
        return error_set(err, ERR_TYPE, "spans belongs to a regular expression, not to %s",
                         value_words(receiver));
    if (!whole && !begins && strcmp(how, "search") != 0)
        return error_set(err, ERR_VALUE, "how is \"search\", \"match\" or \"fullmatch\"");
    if (!value_list_new(out, VALUE_LIST, 0, err)) return false;
    if (start > end) return true;
    /* In this order, so that the next search finds its start near by. */
    const size_t last = end == count ? text->length : string_offset(text, end);
    bool ok =
        find_matches((Regex *)receiver->object, text, string_offset(text, start), last,
                     given_at(call, 4) ? number_at(call, 4) : INFINITY, anchors, out->list, err);
    return value_if(ok, out);
}

const char *regex_version(void) {
    static char version[32];
    pcre2_config(PCRE2_CONFIG_VERSION, version); /* "10.42 2022-12-11": 24 bytes at most */
    version[strcspn(version, " ")] = '\0';
    return version;
}
#else
const char *regex_version(void) { return NULL; }
#endif

#define GROUP "strings and lists"

const BuiltinDef regex_table[] = {
#ifdef HAVE_PCRE2
    {BUILTIN("regex", regex_new), .parameters = "pattern:text",
     .summary = "A regular expression, compiled from a pattern as the library PCRE2 writes it; "
                "(?i), (?m) and (?s) at its beginning are its flags. import re has Python's "
                "functions, findall, split, sub and the others, which are made of it.",
     .example = "regex(\"a+\").spans(\"caat, a\")\n# -> [(1, 3, 0), (6, 7, 0)]",
     .see = "spans split"},
    {BUILTIN("spans", spans), .receiver = "regex",
     .parameters =
         "regex:any text:any start:whole=0 end:whole?=None most:whole?=None how:text=\"search\"",
     .summary = "Where a regular expression matches in text[start:end]: a list with a tuple for "
                "each match, at most `most`. It holds where the match begins and ends, then the "
                "same of each group (-1 where it took no part), and the number of the group that "
                "was closed last, or 0. With how=\"match\" it has to match at the start, with "
                "how=\"fullmatch\" the whole.",
     .example = "regex(\"(\\\\w)(x)?\").spans(\"ax b\", most=2)\n"
                "# -> [(0, 2, 0, 1, 1, 2, 2), (3, 4, 3, 4, -1, -1, 1)]",
     .see = "regex find"},
#endif
    {0},
};
