#include "notebook/typed.h"

#include "base/characters.h"
#include "base/translate.h"
#include "lang/parser.h"
#include "notebook/recorder.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Numbers and operators alone: 0.4, 1/3, -(2 + 3). */
static bool is_arithmetic(const char *line, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!strchr("0123456789.+-*/eE() ", line[i])) return false;
    return true;
}

static bool is_known_name(const Session *session, const char *name, size_t length) {
    const Symbol *symbol = interp_find_word(&session->interp, name, length);
    return (symbol && (symbol->value.kind != VALUE_UNSET || symbol->builtin)) ||
           command_find(session->interp.hooks.commands, name, length);
}

/* True if the text is an entry of the language, whatever its names are. */
static bool is_entry(Session *session, const char *text) {
    LocalChunk *chunk = NULL;
    Error problem = {.kind = ERR_NONE};
    parse(&session->interp, "", text, strlen(text), false, &chunk, &problem);
    return problem.kind != ERR_SYNTAX;
}

bool typed_is_words(Session *session, const char *line, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (strchr("()[]{}<>@*/+^&|~\"\\;#\n", line[i])) return false;
    LocalText text = TEXT_EMPTY;
    const char *space = memchr(line, ' ', length);
    text_bytes(&text, line, length);
    bool words = !is_known_name(session, line, space ? (size_t)(space - line) : length);
    bool code = memchr(line, '=', length) || memchr(line, ':', length); /* or in a sentence */
    if ((space && !words) || code) words = !is_entry(session, text.data);
    return words;
}

bool typed_is_sentence(const Session *session, const char *line, size_t length) {
    enum { SENTENCE_WORDS = 4 };
    int words = 0, known = 0;
    for (size_t at = 0, end; at < length; at = end + 1) {
        for (end = at; end < length && !strchr(" ,.;:!?", line[end]); end++)
            if (strchr("0123456789()[]{}=<>@*/+^&|~\"\\#\n", line[end])) return false;
        if (end == at) continue;
        words++;
        known += is_known_name(session, line + at, end - at);
    }
    return words >= SENTENCE_WORDS && 2 * known < words;
}

/* ---- numbers among words ---- */

/* Skips the word if the text begins with it. */
static bool take_word(const char **text, const char *word) {
    size_t length = strlen(word);
    if (strncmp(*text, word, length) != 0) return false;
    *text += length;
    return true;
}

/* Skips the first of the words with which the text begins, and returns its index; -1: none. */
static int take_index(const char **text, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (take_word(text, words[i])) return (int)i;
    return -1;
}

#define TAKE_INDEX(text, words) take_index(text, words, sizeof(words) / sizeof *(words))
#define TAKE_ONE(text, words) (TAKE_INDEX(text, words) >= 0)

/* True if the text begins with a sign that ends a clause. After a comma of ASCII or "、" come
 * words, as in "3, the last": a digit goes on, as in "0,5", and as in "3, 4" if nothing was said
 * yet about the 3. */
static bool ends_clause(const char *text, bool said) {
    static const char *const sure[] = {"(", "（", "，", "；", "：", "。", "？", "; ", ": "},
                             *const ends[] = {".", "?"}, *const unsure[] = {",", ";", ":", "、"};
    if (TAKE_ONE(&text, sure)) return true;
    if (TAKE_ONE(&text, ends)) return *text == ' ' || !*text;
    if (!TAKE_ONE(&text, unsure)) return false;
    if (!said) text += strspn(text, " ");
    return !*text || !strchr("-.0123456789", *text);
}

/* True if no more is said of a number than what is counted, or that it is not exact. */
static bool ends_guess(const char *text) {
    static const char *const after[] = {"个",   "行",   "层",   "倍",     "次", "步",   "句",
                                        "组",   "种",   "多",   "左右",   "吧", "以上", "以下",
                                        "上下", "不到", "出头", "的样子", "了", "一点", " "};
    while (TAKE_ONE(&text, after)) continue;
    return !*text || ends_clause(text, false);
}

/* Words that follow digits and make another number of them: "3 quarters", "2 hundred", "7成". */
static const char *const units[][2] = {
    {"的一半", "/2"},     {"成", "/10"},          {"百", "*100"},          {"千", "*1000"},
    {"万", "*10000"},     {" third", "/3"},       {" quarter", "/4"},      {" fifth", "/5"},
    {" sixth", "/6"},     {" eighth", "/8"},      {" tenth", "/10"},       {" dozen", "*12"},
    {" hundred", "*100"}, {" thousand", "*1000"}, {" million", "*1000000"}};

/* Appends a number, a function of one, or arithmetic in parentheses, as the language writes it:
 * log(2) for "ln 2", 0.4 for "40%". Returns where it ends; NULL: there is none. */
static const char *read_operand(Text *out, const char *text) {
    static const char *const names[][2] = {
        {"ln", "log"}, {"log", "log"}, {"exp", "exp"}, {"sqrt", "sqrt"}, {"√", "sqrt"}};
    static const char *const signs[] = {"-", "−", "负的", "负"};
    const char *sign = TAKE_ONE(&text, signs) ? "-" : "";
    const char *function = "";
    bool percent = take_word(&text, "百分之");
    for (size_t i = 0; i < sizeof names / sizeof *names && !*function; i++)
        if (take_word(&text, names[i][0])) function = names[i][1];
    if (*function) text += strspn(text, " ");
    if (*text == '(') {
        const char *close = text + 1 + strcspn(text + 1, "()");
        if (*close != ')' || !is_arithmetic(text, (size_t)(close - text))) return NULL;
        text_format(out, "%s%s%.*s", sign, function, (int)(close + 1 - text), text);
        return close + 1;
    }
    if (!isdigit((unsigned char)text[*text == '.'])) return NULL;
    char *end;
    double number = strtod(text, &end);
    static const char *const percents[] = {"%", "percent", "per cent"};
    const char *after = end + strspn(end, " ");
    bool follows = TAKE_ONE(&after, percents);
    if (percent || follows) number /= 100;
    text_format(out, *function ? "%s%s(%.15g)" : "%s%s%.15g", sign, function, number);
    after = follows ? after : end;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const char *behind = after;
        if (!take_word(&behind, units[i][0])) continue;
        take_word(&behind, "s");
        if (isalpha((unsigned char)*behind)) continue;
        text_string(out, units[i][1]);
        return behind;
    }
    return after;
}

/* Appends what the text begins with, if it is an amount: 3/4, -log(1/3). Returns where it ends, or
 * NULL. */
static const char *read_amount(Text *out, const char *text) {
    static const char *const operators[][2] = {{"+", "+"}, {"-", "-"}, {"−", "-"}, {"*", "*"},
                                               {"×", "*"}, {"/", "/"}, {"÷", "/"}, {"^", "**"}};
    const char *end = read_operand(out, text);
    for (const char *next = end; next;) {
        const char *after = end + strspn(end, " "), *sign = NULL;
        for (size_t i = 0; i < sizeof operators / sizeof *operators && !sign; i++)
            if (take_word(&after, operators[i][0])) sign = operators[i][1];
        LocalText operand = TEXT_FOR(out);
        next = sign ? read_operand(&operand, after + strspn(after, " ")) : NULL;
        if (!next) break;
        text_format(out, "%s%s", sign, operand.data);
        end = next;
    }
    return end;
}

/* Where a guess begins, after "about", "at most" and the like. The first hedge that fits is taken,
 * so a longer one is before its beginning. */
static const char *after_hedge(const char *text) {
    static const char *const hedges[] = {
        "约莫",      "我觉得有",   "我猜有",     "大概有",  "大约有",   "应该有",    "可能有",
        "会有",      " ",          "about ",     "around ", "maybe ",   "roughly ",  "somewhere ",
        "only ",     "nearly ",    "almost ",    "all ",    "at most ", "at least ", "a bit ",
        "a little ", "more than ", "less than ", "just ",   "over ",    "under ",    "above ",
        "below ",    "up to ",     "<",          ">",       "=",        "≤",         "≥",
        "≈",         "大约",       "大概",       "约",      "差不多",   "几乎",      "我猜",
        "应该",      "也许",       "可能",       "只有",    "就",       "是",        "不到",
        "超过",      "接近",       "大于",       "小于",    "至少",     "最多",      "为",
        "估计",      "我估计",     "我觉得",     "我想",    "我认为",   "我选",      "答案",
        "肯定",      "一定",       "将近",       "近",      "快到",     "至多",      "顶多",
        "起码",      "不会超过",   "不超过"};
    while (TAKE_ONE(&text, hedges)) continue;
    return text;
}

/* Reads a whole number below ten thousand in Chinese characters: "七", "九十五", "两百",
 * "一百零五". Returns where it ends; NULL: there is none. */
static const char *read_chinese_number(const char *text, int *number) {
    static const char *const digits[] = {"零", "一", "二", "三", "四", "五",
                                         "六", "七", "八", "九", "两", "〇"};
    static const char *const powers[] = {"十", "百", "千"};
    const char *begin = text;
    int digit = 0, unit = 1; /* in "一百五" the last digit counts tens, behind 零 it counts ones */
    for (*number = 0;;) {
        int read = TAKE_INDEX(&text, digits), power = read < 0 ? TAKE_INDEX(&text, powers) : -1;
        if (read < 0 && power < 0) break;
        if (read == 10) read = 2;
        if (read == 11) read = 0;
        if (read > 0 && digit) return NULL; /* "三四个" */
        if (read >= 0) digit = read;
        if (read == 0) unit = 1;
        if (power < 0) continue;
        unit = power == 0 ? 1 : power == 1 ? 10 : 100;
        *number += (digit ? digit : 1) * unit * 10;
        digit = 0;
    }
    *number += digit * unit;
    return text > begin ? text : NULL;
}

/* Appends the decimals "点三五" as ".35". Returns where they end; NULL: there are none. */
static const char *read_chinese_decimals(Text *out, const char *text) {
    static const char *const digits[] = {"零", "一", "二", "三", "四",
                                         "五", "六", "七", "八", "九"};
    int digit = take_word(&text, "点") ? TAKE_INDEX(&text, digits) : -1;
    if (digit < 0) return NULL;
    for (text_char(out, '.'); digit >= 0; digit = TAKE_INDEX(&text, digits))
        text_format(out, "%d", digit);
    return text;
}

/* Appends the number that words at the beginning of the text say: "half", "一半", "three quarters",
 * "三分之一", "九成", "half of ln 2", "none". Returns where they end; NULL: they say none. */
static const char *read_number_word(Text *out, const char *text) {
    static const char *const english[] = {"zero", "one",   "two",   "three", "four", "five",
                                          "six",  "seven", "eight", "nine",  "ten"};
    static const char *const parts[] = {"half",    "third",  "quarter", "fifth", "sixth",
                                        "seventh", "eighth", "ninth",   "tenth"};
    static const char *const none[] = {"none of them", "none",       "没有",    "一个也没有",
                                       "一个都没有",   "一点也没有", "完全没有"};
    static const char *const halves[] = {"一半一半", "一半对一半", "一半", "五五开", "五五分"};
    const char *begin = text, *chinese = NULL;
    int number = -1, part = 0;
    if (take_word(&text, "负")) text_char(out, '-');
    if (TAKE_ONE(&text, halves)) part = 2;
    else if (take_word(&text, "百分百")) number = 1;
    else if (TAKE_ONE(&text, none)) number = 0;
    else if ((chinese = read_chinese_number(text, &number))) text = chinese;
    else number = TAKE_INDEX(&text, english);
    const char *next = text;
    LocalText decimals = TEXT_FOR(out);
    if (number > 0 && take_word(&text, "分之")) {
        part = number;
        text = chinese = read_chinese_number(text, &number);
        if (!text) return NULL;
    }
    if (chinese && (next = read_chinese_decimals(&decimals, text))) {
        text = next;
    } else if (number > 0 && !part && take_word(&text, "成")) {
        part = 10;
        if (take_word(&text, "半")) text_string(&decimals, ".5");
    } else if (!part) {
        next = text;
        bool counted = number > 0 || take_word(&next, "a ");
        next += strspn(next, " ");
        int kind = TAKE_INDEX(&next, parts);
        if (kind == 0 || (kind > 0 && counted)) {
            part = kind + 2;
            if (number > 1) take_word(&next, "s");
            text = next;
        }
    }
    if (number < 0 && part) number = 1;
    if (number < 0 || (isalpha((unsigned char)*begin) && is_word_byte(*text))) return NULL;
    text_format(out, "%d%s", number, decimals.length ? decimals.data : "");
    if (part) text_format(out, "/%d", part);
    LocalText whole = TEXT_FOR(out);
    next = text;
    next = part && take_word(&next, " of ") ? read_operand(&whole, next) : NULL;
    if (next) text_format(out, "*%s", whole.data);
    return next ? next : text;
}

/* Appends the number that a later clause names as what the first one comes to: "1/8 of them, so
 * 250", "一半，也就是 0.5". */
static bool read_conclusion(Text *out, const char *text) {
    static const char *const signs[] = {", ", ",", "，", "；", ": "};
    static const char *const words[] = {"so ", "that is ", "i.e. ", "也就是", "所以", "即"};
    for (; *text; text++) {
        const char *at = text;
        LocalText found = TEXT_FOR(out);
        if (!TAKE_ONE(&at, signs) || !TAKE_ONE(&at, words)) continue;
        const char *end = read_amount(&found, after_hedge(at));
        if (end && ends_guess(end)) {
            text_string(out, found.data);
            return true;
        }
    }
    return false;
}

/* Appends what was typed as a guess; "Half", "HALF" and "half" are one, and "４０％" and "40%".
 * Full-width punctuation stays, as it ends a clause for sure. */
static void take_guess(Text *out, const char *line, size_t length) {
    uint32_t c;
    bool capitals = true;
    for (size_t i = 0; i < length; i++) capitals = capitals && !islower((unsigned char)line[i]);
    for (size_t at = 0, bytes; at < length; at += bytes) {
        bytes = utf8_next(line + at, length - at, &c);
        char twin = c < 0xFF00 ? '\0' : utf8_ascii_twin(c);
        if ((at == 0 || capitals) && c < 0x80) text_char(out, (char)tolower((int)c));
        else if (twin && (isdigit((unsigned char)twin) || strchr("%+-*./", twin)))
            text_char(out, twin);
        else text_bytes(out, line + at, bytes);
    }
}

bool typed_is_guess(Session *session, const char *line, size_t length) {
    if (is_arithmetic(line, length)) return true;
    LocalText text = TEXT_EMPTY, amount = TEXT_EMPTY;
    take_guess(&text, line, length);
    const char *begin = after_hedge(text.data), *rest = read_amount(&amount, begin);
    bool hedged = begin > text.data, word = !rest && (rest = read_number_word(&amount, begin));
    const Symbol *named = interp_find(&session->interp, text.data);
    if (command_find(session->interp.hooks.commands, text.data, strcspn(text.data, " ")))
        return hedged && rest;
    if (named && named->builtin && named->value.kind == VALUE_UNSET) return true; /* "all" */
    if (!rest) return typed_is_words(session, line, length);
    rest += strspn(rest, " ");
    if (!word && ends_clause(rest, false)) return true;
    if (!word && *rest && strchr("@*/+-^&|<>![.", *rest)) return false;
    return hedged || strstr(begin, "ln") || typed_is_words(session, line, length) ||
           !is_entry(session, text.data);
}

/* Appends the number that is among the words. False: there is none. */
static bool read_number(Text *out, const char *line, size_t length) {
    LocalText text = TEXT_EMPTY, amount = TEXT_EMPTY, word = TEXT_EMPTY;
    int count = 0;
    take_guess(&text, line, length);
    const char *begin = after_hedge(text.data), *rest = read_amount(&amount, begin);
    const char *sign = rest ? rest + strspn(rest, " ") : NULL;
    if (sign &&
        (!*sign || ends_clause(sign, false) || take_word(&sign, "=") || take_word(&sign, "≈"))) {
        text_string(out, amount.data);
        return true;
    }
    if (read_conclusion(out, begin)) return true;
    const char *said = rest ? NULL : read_number_word(&word, begin);
    if (said && ends_guess(said)) {
        text_string(out, word.data);
        return true;
    }
    for (const char *at = begin, *end; *at; at = end) {
        LocalText found = TEXT_EMPTY;
        bool inside = at > begin && isalnum((unsigned char)at[-1]);
        end = inside ? NULL : read_amount(&found, at);
        if (end) {
            if (count++ == 0 && !rest) text_string(&amount, found.data);
        } else if (rest && count == 1 && ends_clause(at, at > rest)) break;
        else end = at + 1;
    }
    if (count == 1) text_string(out, amount.data);
    return count == 1;
}

double number_of_value(const Value *value) {
    if (value->kind == VALUE_NUMBER) return value->number;
    if (value->kind == VALUE_BOOL) return value->boolean;
    return NAN;
}

double typed_guess(Text *out, Session *session, const char *line, size_t length) {
    LocalText words = TEXT_FOR(out);
    if (is_arithmetic(line, length)) text_bytes(&words, line, length);
    else if (!read_number(&words, line, length)) return NAN;
    text_string(out, words.data);
    LocalValue said = value_unseen(session, words.data);
    double number = number_of_value(&said);
    bool range = number < 0 && isdigit((unsigned char)*words.data);
    return range ? NAN : number;
}

/* ---- variables of the person's own ---- */

/* A line of code, which may be cut in the middle, from which next_name takes one name after the
 * other. */
typedef struct Names {
    const char *at;
    char quote; /* the quote that is open at `at`, or 0 */
    char outer; /* in the braces of an f-string: the quote around them; else 0 */
} Names;

/* The next name, its length in *length; NULL: there is none. Words in quotes do not count (messages
 * have the word "a" in them), but for what is in the braces of an f-string. */
static const char *next_name(Names *names, size_t *length) {
    for (const char *at = names->at; *at; at++) {
        bool quoted = names->quote;
        if (quoted && (*at == names->quote || *at == '{')) {
            names->outer = *at == '{' ? names->quote : 0;
            names->quote = 0;
        } else if (!quoted && (*at == '"' || *at == '\'' || (*at == '}' && names->outer))) {
            names->quote = *at == '}' ? names->outer : *at;
        } else if (!quoted && isdigit((unsigned char)*at)) {
            at += strspn(at, "0123456789.eE") - 1;
        } else if (!quoted && is_word_byte(*at)) {
            *length = leading_word(at);
            names->at = at + *length;
            bool prefix = *length == 1 && (at[1] == '"' || at[1] == '\'');
            if (!prefix) return at;
        }
    }
    return NULL;
}

static bool assigns(Session *session, const char *text, const Symbol *symbol) {
    LocalChunk *chunk = NULL;
    Error unseen = {.kind = ERR_NONE};
    parse(&session->interp, "", text, strlen(text), false, &chunk, &unseen);
    return chunk && chunk_assigns(chunk, symbol);
}

/* True if the person, and not the lesson, was the last to give the variable its value. */
static bool is_persons_own(Session *session, const Document *document, const Progress *progress,
                           const Symbol *symbol) {
    for (size_t i = progress->event_count; i-- > 0;) {
        const Event *event = &progress->events[i];
        const Cell *cell = document_cell(document, event->number);
        if (event->kind == EVENT_LINE && assigns(session, event->text, symbol)) return true;
        if (event->kind == EVENT_SOLUTION && cell) cell = cell_part(cell, CELL_SOLUTION);
        bool lessons_own = event->kind == EVENT_SOLUTION || event->kind == EVENT_CELL;
        if (lessons_own && cell && assigns(session, cell->code, symbol)) return false;
    }
    return false;
}

/* True if the cell where the error came up has given the variable its value itself, above it. */
static bool assigned_above(Session *session, const Document *document, const Error *problem,
                           const Symbol *symbol) {
    const Cell *cell = NULL;
    if (strcmp(problem->file, document->file) != 0) return false;
    for (const Cell *next = document->cells; next; next = next->next)
        if ((int)next->line < problem->line) cell = next;
    if (!cell) return false;
    LocalText above = TEXT_EMPTY;
    const char *at = cell->script;
    for (int line = 1; at && line < problem->line; line++) {
        at = strchr(at, '\n');
        if (at) at++;
    }
    if (!at) return false;
    text_bytes(&above, cell->script, (size_t)(at - cell->script));
    for (char *end; above.data && (end = strrchr(above.data, '\n')); *end = '\0')
        if (assigns(session, above.data, symbol)) return true;
    return false;
}

int typed_causes(Text *out, Session *session, const Document *document, const Progress *progress,
                 Language language, const Error *problem, bool functions) {
    enum { MOST = 3 }; /* with more, the message would be longer than the line it speaks of */
    const Symbol *named[MOST];
    Names names = {.at = problem->excerpt};
    const char *name;
    size_t length;
    int count = 0;
    while (count < MOST && (name = next_name(&names, &length))) {
        const Symbol *symbol = interp_find_word(&session->interp, name, length);
        const Value *value = symbol ? &symbol->value : NULL;
        bool shown = value && value->kind != VALUE_UNSET &&
                     (functions || value->kind != VALUE_FUNCTION) &&
                     is_persons_own(session, document, progress, symbol) &&
                     !assigned_above(session, document, problem, symbol);
        for (int i = 0; i < count; i++) shown = shown && named[i] != symbol;
        if (!shown) continue;
        const Shape *shape = value_is_array(value) ? &value->tensor->shape : NULL;
        if (count) text_string(out, tr_in(language, ", "));
        if (shape && shape->axes)
            text_format(out,
                        tr_in(language, shape->axes == 1 ? "your %s is a vector of %s"
                                                         : "your %s has the shape %s"),
                        symbol->name, shape_words(shape));
        else
            text_format(out, tr_in(language, "your %s is %s"), symbol->name,
                        tr_in(language, value_words(value)));
        named[count++] = symbol;
    }
    return count;
}

const Symbol *typed_over(Session *session, const Progress *progress, const Cell *cell) {
    Names names = {.at = cell->code};
    const char *name;
    size_t length;
    while ((name = next_name(&names, &length))) {
        const Symbol *symbol = interp_find_word(&session->interp, name, length);
        if (!symbol || !symbol->builtin || symbol->value.kind == VALUE_UNSET) continue;
        if ((name > cell->code && name[-1] == '.') || name[length] == '=') continue;
        bool persons_own = is_persons_own(session, cell->document, progress, symbol);
        for (const Cell *part = cell->document->cells; persons_own && part; part = part->next)
            if (part->kind == CELL_RUN || part->kind == CELL_SOLUTION)
                persons_own = !assigns(session, part->code, symbol);
        if (persons_own) return symbol;
    }
    return NULL;
}
