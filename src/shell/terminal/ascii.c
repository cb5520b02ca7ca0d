#include "shell/terminal/ascii.h"

#include "base/utf8.h"

#include <string.h>

typedef enum Level { ON_LINE, RAISED, LOWERED } Level;

typedef struct Twin {
    uint32_t code_point;
    const char *ascii;
    Level level; /* a run of raised characters gets one ^, a run of lowered ones one _ */
} Twin;

static const Twin twins[] = {
    {0x00A0, " ", ON_LINE},    {0x00B0, " deg", ON_LINE},   {0x00B2, "2", RAISED},
    {0x00B3, "3", RAISED},     {0x00B7, ".", ON_LINE},      {0x00B9, "1", RAISED},
    {0x00D7, "x", ON_LINE},    {0x00F7, "/", ON_LINE},      {0x02E3, "x", RAISED},
    {0x03A0, "prod", ON_LINE}, {0x03A3, "sum", ON_LINE},    {0x1D40, "T", RAISED},
    {0x1D62, "i", LOWERED},    {0x1D65, "v", LOWERED},      {0x2013, "-", ON_LINE},
    {0x2014, "-", ON_LINE},    {0x2016, "||", ON_LINE},     {0x2018, "'", ON_LINE},
    {0x2019, "'", ON_LINE},    {0x201C, "\"", ON_LINE},     {0x201D, "\"", ON_LINE},
    {0x2026, "...", ON_LINE},  {0x2070, "0", RAISED},       {0x2074, "4", RAISED},
    {0x2075, "5", RAISED},     {0x2076, "6", RAISED},       {0x2077, "7", RAISED},
    {0x2078, "8", RAISED},     {0x2079, "9", RAISED},       {0x207B, "-", RAISED},
    {0x207F, "n", RAISED},     {0x2080, "0", LOWERED},      {0x2081, "1", LOWERED},
    {0x2082, "2", LOWERED},    {0x2083, "3", LOWERED},      {0x208B, "-", LOWERED},
    {0x2095, "h", LOWERED},    {0x2096, "k", LOWERED},      {0x2098, "m", LOWERED},
    {0x2099, "n", LOWERED},    {0x209C, "t", LOWERED},      {0x2190, "<-", ON_LINE},
    {0x2192, "->", ON_LINE},   {0x2194, "<->", ON_LINE},    {0x2202, "d", ON_LINE},
    {0x2208, "in", ON_LINE},   {0x2212, "-", ON_LINE},      {0x221A, "sqrt ", ON_LINE},
    {0x221E, "inf", ON_LINE},  {0x2248, "~", ON_LINE},      {0x2260, "!=", ON_LINE},
    {0x2264, "<=", ON_LINE},   {0x2265, ">=", ON_LINE},     {0x2308, "ceil(", ON_LINE},
    {0x2309, ")", ON_LINE},    {0x230A, "floor(", ON_LINE}, {0x230B, ")", ON_LINE},
    {0x23CE, "\\n", ON_LINE},  {0x2500, "-", ON_LINE},      {0x2502, "|", ON_LINE},
    {0x250C, "+", ON_LINE},    {0x2510, "+", ON_LINE},      {0x2514, "+", ON_LINE},
    {0x2518, "+", ON_LINE},    {0x251C, "+", ON_LINE},      {0x2524, "+", ON_LINE},
    {0x2591, ".", ON_LINE},    {0x2592, ":", ON_LINE},      {0x2593, "#", ON_LINE},
    {0x2588, "@", ON_LINE},    {0x2713, "ok", ON_LINE},     {0x2717, "x", ON_LINE},
    {0x2C7C, "j", LOWERED},
};

static const char *const greek[] = {
    "alpha", "beta",   "gamma",   "delta", "epsilon", "zeta",    "eta",  "theta", "iota",
    "kappa", "lambda", "mu",      "nu",    "xi",      "omicron", "pi",   "rho",   "sigma",
    "sigma", "tau",    "upsilon", "phi",   "chi",     "psi",     "omega"};

static const Twin *twin_of(uint32_t code_point) {
    for (size_t i = 0; i < sizeof twins / sizeof *twins; i++)
        if (twins[i].code_point == code_point) return &twins[i];
    return NULL;
}

/* α … ω and, with a capital, Α … Ω. */
static bool write_greek(Text *out, uint32_t code_point) {
    enum { SMALL = 0x3B1, CAPITAL = 0x391, COUNT = sizeof greek / sizeof *greek };
    bool small = code_point >= SMALL && code_point < SMALL + COUNT;
    if (!small && !(code_point >= CAPITAL && code_point < CAPITAL + COUNT)) return false;
    const char *name = greek[code_point - (small ? SMALL : CAPITAL)];
    text_char(out, small ? name[0] : (char)(name[0] - 'a' + 'A'));
    text_string(out, name + 1);
    return true;
}

void ascii_write(Text *out, const char *text, size_t length, bool keep_width) {
    Level before = ON_LINE, level; /* of the last character, and of this one */
    for (size_t at = 0, size; at < length; at += size, before = level) {
        uint32_t code_point;
        size = utf8_next(text + at, length - at, &code_point);
        level = ON_LINE;
        if (code_point < 0x80) {
            text_char(out, (char)code_point);
            continue;
        }
        const Twin *twin = twin_of(code_point);
        char ascii = utf8_ascii_twin(code_point);
        if (keep_width) {
            size_t width = utf8_width(text + at, size);
            if (!ascii && twin && strlen(twin->ascii) == 1) ascii = twin->ascii[0];
            if (ascii && width > 0) {
                text_char(out, ascii);
                width--;
            }
            text_repeat(out, ascii ? ' ' : '?', width);
        } else if (twin) {
            level = twin->level;
            if (level != ON_LINE && level != before) text_char(out, level == RAISED ? '^' : '_');
            text_string(out, twin->ascii);
        } else if (ascii) {
            text_char(out, ascii);
        } else if (!write_greek(out, code_point)) {
            text_char(out, '?');
        }
    }
}

void ascii_write_lines(Text *out, const char *text, size_t length, size_t columns) {
    for (size_t at = 0; at < length;) {
        size_t line = 0, begin = out->length;
        while (at + line < length && text[at + line] != '\n') line++;
        ascii_write(out, text + at, line, false);
        bool fitted = utf8_width(text + at, line) <= columns;
        while (fitted && !out->failed && out->length > begin + columns) {
            size_t space = begin + columns;
            while (space > begin && out->data[space] != ' ') space--;
            if (space == begin) break; /* a word that is too long */
            out->data[space] = '\n';
            if (space + 1 == out->length) text_cut(out, space); /* only a space was too much */
            begin = space + 1;
        }
        at += line;
        if (at < length) text_char(out, text[at++]);
    }
}
