/* The kinds of settings: how the values of each are read, written, compared and put back. */
#include "base/nearest.h"
#include "base/number.h"
#include "session/settings/settings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ARRAY_SHORT_MAX = 8, SHORT_DIGITS = 4, FULL_DIGITS = 17 };

/* ---- fields ---- */

static void *field_of(const SettingDef *setting, const Settings *settings) {
    return (char *)settings + setting->field;
}

static double whole_of(const SettingDef *setting, const Settings *settings) {
    uint64_t whole = 0;
    int small = 0;
    if (setting->size == sizeof small) {
        memcpy(&small, field_of(setting, settings), sizeof small);
        return small;
    }
    memcpy(&whole, field_of(setting, settings), setting->size);
    return (double)whole;
}

static void set_whole(const SettingDef *setting, Settings *settings, double x) {
    if (setting->size == sizeof(int)) {
        int small = (int)x;
        memcpy(field_of(setting, settings), &small, sizeof small);
    } else {
        uint64_t whole = (uint64_t)x;
        memcpy(field_of(setting, settings), &whole, setting->size);
    }
}

/* The two values of SETTING_TOKENS or SETTING_ANSWER, and the word before the second. */
static Value *pair_of(const SettingDef *setting, const Settings *settings) {
    return (Value *)&settings->values[setting->kind == SETTING_ANSWER ? 2 : 0];
}

static const char *joint_of(const SettingDef *setting) {
    return setting->kind == SETTING_ANSWER ? "against" : "from";
}

void setting_reset(const SettingDef *setting, Settings *settings) {
    switch (setting->kind) {
    case SETTING_NUMBER: *(double *)field_of(setting, settings) = setting->standard; return;
    case SETTING_WHOLE:
        set_whole(setting, settings, setting->most_here ? setting->most_here() : setting->standard);
        return;
    case SETTING_WORD:
        *(const char **)field_of(setting, settings) =
            setting->standard_name ? setting->standard_name() : setting->names[0];
        return;
    case SETTING_SCALE:
        settings->scale_sqrt = true;
        settings->scale = 1;
        return;
    case SETTING_MASK:
        mask_release(&settings->mask);
        memset(settings->mask_names, 0, sizeof settings->mask_names);
        return;
    case SETTING_POSITION: position_release(&settings->position); return;
    case SETTING_TOKENS:
    case SETTING_ANSWER:
        for (int i = 0; i < 2; i++) {
            value_release(&pair_of(setting, settings)[i]);
            pair_of(setting, settings)[i] = VALUE_NOTHING;
        }
        return;
    }
}

static bool mask_equal(const Settings *a, const Settings *b) {
    if (a->mask.count != b->mask.count) return false;
    for (int t = 0; t < a->mask.count; t++) {
        const MaskTerm *p = &a->mask.terms[t], *q = &b->mask.terms[t];
        if (p->kind != q->kind || p->number != q->number || p->array != q->array ||
            a->mask_names[t] != b->mask_names[t])
            return false;
    }
    return true;
}

static bool tokens_equal(Value a, Value b) {
    return a.kind == b.kind && (a.kind == VALUE_NONE || a.list == b.list);
}

bool setting_equal(const SettingDef *setting, const Settings *a, const Settings *b) {
    const PositionSpec *p = &a->position, *q = &b->position;
    switch (setting->kind) {
    case SETTING_NUMBER:
    case SETTING_WHOLE:
    case SETTING_WORD:
        return memcmp(field_of(setting, a), field_of(setting, b), setting->size) == 0;
    case SETTING_SCALE: return a->scale_sqrt == b->scale_sqrt && a->scale == b->scale;
    case SETTING_MASK: return mask_equal(a, b);
    case SETTING_POSITION:
        return p->kind == q->kind && p->has_number == q->has_number && p->number == q->number &&
               p->table == q->table;
    case SETTING_TOKENS:
        return tokens_equal(a->tokens, b->tokens) && tokens_equal(a->key_tokens, b->key_tokens);
    case SETTING_ANSWER:
        return value_equal(&a->answer, &b->answer) && value_equal(&a->against, &b->against);
    }
    return false;
}

/* ---- all settings ---- */

enum { VALUES = sizeof((Settings *)NULL)->values / sizeof(Value) };

void settings_init(Settings *settings) {
    *settings = (Settings){.temperature = 1};
    for (const SettingDef *row = setting_table; row->name; row++) setting_reset(row, settings);
}

void settings_release(Settings *settings) {
    mask_release(&settings->mask);
    position_release(&settings->position);
    for (size_t i = 0; i < VALUES; i++) value_release(&settings->values[i]);
}

void settings_copy(Settings *out, const Settings *settings) {
    *out = *settings;
    mask_copy(&out->mask, &settings->mask);
    position_copy(&out->position, &settings->position);
    for (size_t i = 0; i < VALUES; i++) value_ref(out->values[i]);
}

bool settings_equal(const Settings *a, const Settings *b) {
    for (const SettingDef *row = setting_table; row->name; row++)
        if (!setting_equal(row, a, b)) return false;
    return true;
}

/* ---- what help and completion say of them ---- */

static void write_words(const SettingDef *setting, Text *text) {
    switch (setting->kind) {
    case SETTING_WORD:
        for (int i = 0; setting->names[i]; i++)
            text_format(text, "%s%s", i ? " " : "", setting->names[i]);
        return;
    case SETTING_SCALE: text_string(text, "sqrt none"); return;
    case SETTING_MASK: word_write_all(&mask_grammar, text); return;
    case SETTING_POSITION: word_write_all(&position_grammar, text); return;
    case SETTING_TOKENS:
    case SETTING_ANSWER: text_format(text, "none %s", joint_of(setting)); return;
    default: return;
    }
}

static void write_values(const SettingDef *setting, Text *text) {
    if (setting->values) {
        text_string(text, setting->values);
        return;
    }
    switch (setting->kind) {
    case SETTING_NUMBER:
        text_format(text, "a number from %g", setting->least);
        if (isinf(setting->most)) text_string(text, ", or inf");
        else text_format(text, " to %g", setting->most);
        return;
    case SETTING_WHOLE:
        text_format(text, "a whole number from %g", setting->least);
        if (setting->most < 1e9) text_format(text, " to %g", setting->most);
        return;
    case SETTING_WORD:
        for (int i = 0; setting->names[i]; i++)
            text_format(text, "%s%s", i ? ", " : "", setting->names[i]);
        return;
    case SETTING_MASK: word_write_usage(&mask_grammar, text); return;
    case SETTING_POSITION: word_write_usage(&position_grammar, text); return;
    default: return;
    }
}

/* The words or the values of a row as text. Each is written when it is first asked for, and stays:
 * the parser's rows point at them. */
static const char *written(const SettingDef *setting, bool values) {
    static char all[SETTING_NAMES_MAX][2][400];
    char *room = all[setting - setting_table][values];
    if (*room) return room;
    LocalText text = TEXT_EMPTY;
    (values ? write_values : write_words)(setting, &text);
    if (!text.failed) snprintf(room, sizeof all[0][0], "%s", text.data);
    return room;
}

const char *setting_words(const SettingDef *setting) { return written(setting, false); }
const char *setting_values(const SettingDef *setting) { return written(setting, true); }

bool setting_takes_expression(const SettingDef *setting) {
    return setting->kind == SETTING_NUMBER || setting->kind == SETTING_WHOLE ||
           setting->kind == SETTING_SCALE;
}

/* ---- reading ---- */

const SettingDef *setting_argument(CommandCall *call, Error *err) {
    const char *name = command_take_name(call);
    const SettingDef *setting = name ? setting_find(name) : NULL;
    if (setting) return setting;
    if (!name) {
        error_set(err, ERR_SYNTAX, "the name of a setting is missing");
        error_hint(err, "show lists the settings");
        return NULL;
    }
    error_set(err, ERR_NAME, "there is no setting %s", name);
    remedy_unknown_setting(call, name, err);
    command_error_last(call, err);
    return NULL;
}

static bool read_word(const SettingDef *setting, Settings *settings, CommandCall *call,
                      Error *err) {
    for (int i = 0; setting->names[i]; i++)
        if (command_take(call, setting->names[i])) {
            *(const char **)field_of(setting, settings) = setting->names[i];
            return true;
        }
    size_t length;
    int at = call->next;
    const char *typed = command_argument_text(call, at, &length);
    error_set(err, ERR_VALUE, "%s is one of %s, not %.*s", setting->name, setting_values(setting),
              (int)(length > 40 ? 40 : length), typed);
    const char *name = command_take_name(call),
               *near = name ? nearest_word(name, setting->names) : NULL;
    if (near) error_hint(err, "did you mean %s?", near);
    else error_hint(err, "for example: set %s %s", setting->name, setting->names[1]);
    return command_error_at(call, at, err);
}

static bool read_number(const SettingDef *setting, CommandCall *call, double *out, Error *err) {
    double most = setting->most_here ? setting->most_here() : setting->most;
    bool whole = setting->kind == SETTING_WHOLE;
    if (!command_number(call, setting->what, out, err)) return false;
    if (*out >= setting->least && *out <= most && (!whole || *out == floor(*out))) return true;
    if (whole)
        error_set(err, ERR_VALUE, "%s must be a whole number from %g to %.16g, not %.15g",
                  setting->what, setting->least, most, *out);
    else if (isinf(most))
        error_set(err, ERR_VALUE, "%s must be %g or more, not %g", setting->what, setting->least,
                  *out);
    else
        error_set(err, ERR_VALUE, "%s must be a number from %g to %g, not %g", setting->what,
                  setting->least, most, *out);
    if (setting->hint) error_hint(err, "%s", setting->hint);
    return command_error_last(call, err);
}

static bool read_scale(const SettingDef *setting, Settings *settings, CommandCall *call,
                       Error *err) {
    double x = 1;
    settings->scale_sqrt = command_take(call, "sqrt");
    if (!settings->scale_sqrt && !command_take(call, "none") &&
        !command_number(call, setting->what, &x, err))
        return false;
    settings->scale = x;
    if (isfinite(x)) return true;
    error_set(err, ERR_VALUE, "%s must be a finite number, not %.15g", setting->what, x);
    error_hint(err, "%s", setting->hint);
    return command_error_last(call, err);
}

/* A sentence is cut by the builtin tokens(), a list is taken as it is. */
static bool read_token_list(CommandCall *call, Value *out, Error *err) {
    LocalValue value = VALUE_MISSING;
    if (!command_value(call, "a sentence or a list of tokens", &value, err)) return false;
    bool ok = false;
    if (value.kind == VALUE_STRING) {
        const Symbol *tokens = interp_find(call->interp, "tokens");
        Value builtin = {.kind = VALUE_BUILTIN, .builtin = tokens->builtin};
        ok = interp_call(call->interp, &builtin, &value, 1, out, err);
    } else if (value.kind == VALUE_LIST || value.kind == VALUE_TUPLE) {
        ok = true;
        for (size_t i = 0; ok && i < value.list->count; i++)
            if (value.list->items[i].kind != VALUE_STRING)
                ok = error_set(err, ERR_TYPE, "token %zu is %s: tokens are strings", i,
                               value_words(&value.list->items[i]));
        ok = ok && value_list_of(out, value.kind, value.list->items, value.list->count, err);
    } else {
        error_set(err, ERR_TYPE, "tokens are a sentence in quotes or a list of strings, not %s",
                  value_words(&value));
        error_hint(err, "for example: set tokens \"the cat sat\"");
    }
    if (ok) return true;
    *out = VALUE_NOTHING;
    return command_error_last(call, err);
}

/* One token: a string, or a class number. */
static bool read_answer_token(CommandCall *call, Value *out, Error *err) {
    LocalValue value = VALUE_MISSING;
    if (!command_text(call, "a token", &value, err)) return false;
    double number = value.kind == VALUE_NUMBER ? value.number : 0;
    if (!(number >= 0 && isfinite(number) && number == floor(number))) {
        error_set(err, ERR_VALUE, "the number of a class is a whole one from 0, not %.15g", number);
    } else if (value.kind == VALUE_STRING || value.kind == VALUE_NUMBER) {
        *out = value_ref(value);
        return true;
    } else {
        error_set(err, ERR_TYPE, "an answer is a token in quotes or a class number, not %s",
                  value_words(&value));
    }
    return command_error_last(call, err);
}

/* none, or a value and behind the joint another one. */
static bool read_pair(const SettingDef *setting, Settings *settings, CommandCall *call,
                      Error *err) {
    bool (*read)(CommandCall *, Value *, Error *) =
        setting->kind == SETTING_ANSWER ? read_answer_token : read_token_list;
    Value *pair = pair_of(setting, settings);
    if (command_take(call, "none")) return true;
    if (!read(call, &pair[0], err)) return false;
    return !command_take(call, joint_of(setting)) || read(call, &pair[1], err);
}

/* ---- masks and positions: their words are the arguments of the command ---- */

typedef struct CommandSource {
    WordSource source;
    CommandCall *call;
    const SettingDef *setting;
    Symbol *names[MASK_TERMS_MAX]; /* the arrays that were given by name, in order */
    int count;
    Value *first; /* the first argument, evaluated already, while it is not taken; or NULL */
} CommandSource;

static bool source_at_end(const WordSource *source) {
    return command_at_end(((const CommandSource *)source)->call);
}

static bool source_take(WordSource *source, const char *word) {
    return command_take(((CommandSource *)source)->call, word);
}

static bool source_next(WordSource *source, Word *out) {
    CommandCall *call = ((CommandSource *)source)->call;
    if (command_at_end(call)) return false;
    size_t length;
    out->text = command_argument_text(call, call->next++, &length);
    out->length = (int)length;
    return true;
}

/* True unless the next argument is an own word, or a name that no variable has. */
static bool source_is_array(const WordSource *source) {
    const CommandSource *from = (const CommandSource *)source;
    CommandCall ahead = *from->call;
    if (command_at_end(&ahead)) return false;
    const CommandArgument *argument = &ahead.node->command.arguments[ahead.next];
    const char *name = command_take_name(&ahead);
    if (argument->word || !name) return !argument->word;
    const Symbol *known = interp_find(from->call->interp, name);
    return known && known->value.kind != VALUE_UNSET;
}

static bool source_argument(WordSource *source, const WordDef *def, WordTerm *out, Error *err) {
    CommandSource *from = (CommandSource *)source;
    if (def->takes == WORD_TAKES_WHOLE || def->takes == WORD_TAKES_NUMBER)
        return out->has_number = command_number(from->call, def->what, &out->number, err);
    const char *name = def->word || from->first ? NULL : command_take_name(from->call);
    if (name) { /* kept as a name, and looked up at each run */
        Symbol *symbol = interp_symbol(from->call->interp, name, strlen(name), err);
        if (from->count < MASK_TERMS_MAX) from->names[from->count++] = symbol;
        return symbol != NULL;
    }
    LocalValue value = VALUE_MISSING;
    if (from->first) {
        value = value_ref(*from->first);
        from->first = NULL;
        from->call->next++;
    } else if (!command_value(from->call, def->what, &value, err)) {
        return false;
    }
    bool ok;
    out->has_number = def->takes == WORD_TAKES_NUMBER_OR_ARRAY && value_is_scalar(&value) &&
                      value.kind != VALUE_BOOL;
    if (out->has_number) {
        ok = value_plain_number(&value, def->what, &out->number, err);
    } else {
        out->array = value_as_tensor(&value, def->what, err);
        ok = out->array != NULL;
    }
    if (!ok && value.kind == VALUE_STRING)
        error_hint(err, "write set %s %s", from->setting->name, value.string->data);
    return ok;
}

static const char *source_nearest(const WordSource *source, Word word, const char *const *words) {
    char name[80];
    snprintf(name, sizeof name, "%.*s", word.length, word.text);
    const Interp *interp = ((const CommandSource *)source)->call->interp;
    const char *near = interp_nearest(interp, name, words);
    const Symbol *symbol = near ? interp_find(interp, near) : NULL; /* a function is no mask */
    return symbol && value_axes(&symbol->value) > 0 ? near : nearest_word(name, words);
}

/* Evaluates the next argument if it is an expression, or the name of a variable that holds a
 * string: its words are then the setting. VALUE_UNSET where it is anything else. */
static bool evaluate_words(const CommandCall *call, Value *out, Error *err) {
    *out = VALUE_MISSING;
    if (command_at_end(call)) return true;
    const CommandArgument *argument = &call->node->command.arguments[call->next];
    CommandCall ahead = *call;
    bool quoted = argument->value && argument->value->kind == NODE_STRING &&
                  !argument->value->parenthesised; /* an error says to leave the quotes out */
    if (argument->word || quoted) return true;
    const char *name = command_take_name(&ahead);
    const Symbol *symbol = name ? interp_find(call->interp, name) : NULL;
    if (name && !(symbol && symbol->value.kind == VALUE_STRING)) return true;
    ahead.next = call->next;
    return command_value(&ahead, "a value", out, err);
}

static bool read_words(const SettingDef *setting, Settings *settings, CommandCall *call,
                       Error *err) {
    CommandSource from = {.source = {.missing = ERR_SYNTAX,
                                     .at_end = source_at_end,
                                     .take = source_take,
                                     .next = source_next,
                                     .argument = source_argument,
                                     .is_array = source_is_array,
                                     .nearest = source_nearest},
                          .call = call,
                          .setting = setting};
    LocalValue value = VALUE_MISSING;
    if (!evaluate_words(call, &value, err)) return false;
    bool mask = setting->kind == SETTING_MASK, ok;
    if (value.kind == VALUE_STRING) { /* its words */
        const char *words = value.string->data;
        ok = mask ? mask_parse(&settings->mask, words, err)
                  : position_parse(&settings->position, words, err);
        call->next++;
        return ok || command_error_last(call, err);
    }
    if (value.kind != VALUE_UNSET) from.first = &value;
    ok = mask ? mask_read(&from.source, &settings->mask, err)
              : position_read(&from.source, &settings->position, err);
    if (!ok) return err->line != 0 ? false : command_error_last(call, err);
    for (int t = 0, named = 0; t < settings->mask.count && from.count > named; t++)
        if (settings->mask.terms[t].kind == &array_mask && !settings->mask.terms[t].array)
            settings->mask_names[t] = from.names[named++];
    return true;
}

bool setting_read(const SettingDef *setting, Settings *settings, CommandCall *call, Error *err) {
    double x;
    setting_reset(setting, settings);
    switch (setting->kind) {
    case SETTING_NUMBER: return read_number(setting, call, field_of(setting, settings), err);
    case SETTING_WHOLE:
        if (!read_number(setting, call, &x, err)) return false;
        set_whole(setting, settings, x);
        return true;
    case SETTING_WORD: return read_word(setting, settings, call, err);
    case SETTING_SCALE: return read_scale(setting, settings, call, err);
    case SETTING_MASK:
    case SETTING_POSITION: return read_words(setting, settings, call, err);
    case SETTING_TOKENS:
    case SETTING_ANSWER: return read_pair(setting, settings, call, err);
    }
    return false;
}

/* ---- writing ---- */

static void write_array(const Tensor *array, bool brief, Text *text) {
    Value value = {.kind = VALUE_TENSOR, .tensor = (Tensor *)array};
    bool small = array->shape.axes == 1 && array->count <= ARRAY_SHORT_MAX;
    if (brief && !small) text_format(text, "array %s", shape_words(&array->shape));
    else value_write(text, &value, brief ? SHORT_DIGITS : FULL_DIGITS, true);
}

static void write_real(double x, bool brief, Text *text) {
    enum { BRIEF_DIGITS = 6 };
    if (brief) number_write(text, x, BRIEF_DIGITS);
    else number_write_shortest(text, x, false);
}

static void write_mask(const Settings *settings, bool brief, Text *text) {
    const MaskSpec *mask = &settings->mask;
    if (mask->count == 0) text_string(text, no_mask.words.word);
    for (int t = 0; t < mask->count; t++) {
        const MaskTerm *term = &mask->terms[t];
        if (t > 0) text_format(text, " %s ", mask_grammar.joint);
        mask_write_term(text, term);
        if (term->kind->words.word && term->array) text_char(text, ' ');
        if (settings->mask_names[t]) text_string(text, settings->mask_names[t]->name);
        else if (term->array) write_array(term->array, brief, text);
    }
}

static void write_setting(const SettingDef *setting, const Settings *settings, bool brief,
                          Text *text) {
    const PositionSpec *position = &settings->position;
    const Value *pair = pair_of(setting, settings);
    switch (setting->kind) {
    case SETTING_NUMBER: write_real(*(double *)field_of(setting, settings), brief, text); return;
    case SETTING_WHOLE: text_format(text, "%.16g", whole_of(setting, settings)); return;
    case SETTING_WORD: text_string(text, *(const char **)field_of(setting, settings)); return;
    case SETTING_SCALE:
        if (settings->scale_sqrt) text_string(text, "sqrt");
        else if (settings->scale == 1) text_string(text, "none");
        else write_real(settings->scale, brief, text);
        return;
    case SETTING_MASK: write_mask(settings, brief, text); return;
    case SETTING_POSITION:
        word_write(text, &position->kind->words, position->has_number, position->number);
        if (!position->table) return;
        text_char(text, ' ');
        write_array(position->table, brief, text);
        return;
    case SETTING_TOKENS:
    case SETTING_ANSWER:
        if (pair[0].kind == VALUE_NONE) text_string(text, "none");
        else value_write(text, &pair[0], settings->digits, true);
        if (pair[1].kind == VALUE_NONE) return;
        text_format(text, " %s ", joint_of(setting));
        value_write(text, &pair[1], settings->digits, true);
        return;
    }
}

void setting_write(const SettingDef *setting, const Settings *settings, Text *text) {
    write_setting(setting, settings, false, text);
}

void setting_write_short(const SettingDef *setting, const Settings *settings, Text *text) {
    write_setting(setting, settings, true, text);
}
