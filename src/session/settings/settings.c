#include "session/settings/settings.h"

#include "base/number.h"
#include "engine/tensor/threads.h"
#include "session/pictures/plot_show.h"
#include "session/session.h"
#include "view/palette.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARRAY_SHORT_MAX = 8, SHORT_DIGITS = 4 };

/* ---- the struct ---- */

static const char *const color_words[] = {"auto", "always", "never", NULL};
static const char *const terminal_words[] = {"auto", "text", "window", "kitty", "sixel", NULL};
static const char *const language_words[] = {"en", "zh", NULL};

static const char *language_of_user(void) {
    const char *names[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    for (size_t i = 0; i < 3; i++) {
        const char *value = getenv(names[i]);
        if (value && *value) return strncmp(value, "zh", 2) == 0 ? "zh" : "en";
    }
    return "en";
}

void settings_init(Settings *settings) {
    *settings = (Settings){.mask_count = 0};
    for (const SettingDef *row = setting_table; row->name; row++) row->reset(settings);
}

static void mask_reset(Settings *settings) {
    for (int i = 0; i < settings->mask_count; i++) tensor_unref(settings->mask[i].array);
    settings->mask_count = 0;
}

static void tokens_reset(Settings *settings) {
    value_release(&settings->tokens);
    value_release(&settings->key_tokens);
    settings->tokens = settings->key_tokens = VALUE_NOTHING;
}

void settings_release(Settings *settings) {
    mask_reset(settings);
    position_release(&settings->position);
    tokens_reset(settings);
}

void settings_copy(Settings *out, const Settings *settings) {
    *out = *settings;
    for (int i = 0; i < out->mask_count; i++)
        if (out->mask[i].array) tensor_ref(out->mask[i].array);
    position_copy(&out->position, &settings->position);
    value_ref(out->tokens);
    value_ref(out->key_tokens);
}

static bool mask_setting_equal(const Settings *a, const Settings *b) {
    if (a->mask_count != b->mask_count) return false;
    for (int i = 0; i < a->mask_count; i++) {
        const MaskSetting *s = &a->mask[i], *t = &b->mask[i];
        if (s->kind != t->kind || s->number != t->number || s->name != t->name ||
            s->array != t->array)
            return false;
    }
    return true;
}

static bool position_setting_equal(const PositionSpec *a, const PositionSpec *b) {
    return a->kind == b->kind && a->has_slope == b->has_slope && a->slope == b->slope &&
           a->has_trained == b->has_trained && a->trained == b->trained && a->table == b->table &&
           a->seed == b->seed;
}

static bool tokens_equal(Value a, Value b) {
    return a.kind == b.kind && (a.kind == VALUE_NONE || a.list == b.list);
}

bool settings_equal(const Settings *a, const Settings *b) {
    return a->temperature == b->temperature && a->scale_sqrt == b->scale_sqrt &&
           a->scale == b->scale && mask_setting_equal(a, b) &&
           position_setting_equal(&a->position, &b->position) && a->heads == b->heads &&
           tokens_equal(a->tokens, b->tokens) && tokens_equal(a->key_tokens, b->key_tokens) &&
           a->seed == b->seed && a->digits == b->digits && a->color == b->color &&
           a->palette == b->palette && a->terminal == b->terminal && a->threads == b->threads &&
           a->language == b->language;
}

/* ---- reading values ---- */

/* "the position is none, sinusoidal or rope, not ropes" */
static bool no_such_word(CommandCall *call, const char *setting, const char *const *words,
                         Error *err) {
    size_t length;
    int at = call->next;
    const char *typed = command_argument_text(call, at, &length);
    char list[120] = "";
    for (int i = 0; words[i]; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s",
                 i == 0         ? ""
                 : words[i + 1] ? ", "
                                : " or ",
                 words[i]);
    error_set(err, ERR_VALUE, "%s is one of %s, not %.*s", setting, list,
              (int)(length > 40 ? 40 : length), typed);
    const char *name = command_take_name(call), *near = name ? nearest_word(name, words) : NULL;
    if (near) error_hint(err, "did you mean %s?", near);
    else error_hint(err, "for example: set %s %s", setting, words[words[1] ? 1 : 0]);
    return command_error_at(call, at, err);
}

/* One of a fixed list of words. */
static bool word_argument(CommandCall *call, const char *setting, const char *const *words,
                          int *out, Error *err) {
    for (int i = 0; words[i]; i++)
        if (command_take(call, words[i])) return *out = i, true;
    return no_such_word(call, setting, words, err);
}

static bool set_temperature(Session *session, Settings *settings, CommandCall *call, Error *err) {
    (void)session;
    double x;
    if (!command_number(call, "the temperature", &x, err)) return false;
    if (isnan(x) || x < 0) {
        error_set(err, ERR_VALUE, "a temperature of %g: it must be 0 or more", x);
        error_hint(
            err,
            "at 0 only the best key counts, 1 is the usual softmax, at inf all keys count alike");
        return command_error_at(call, call->next - 1, err);
    }
    settings->temperature = x;
    return true;
}

static bool set_scale(Session *session, Settings *settings, CommandCall *call, Error *err) {
    (void)session;
    if (command_take(call, "sqrt")) {
        settings->scale_sqrt = true;
        settings->scale = 1;
        return true;
    }
    double x = 1;
    if (!command_take(call, "none") && !command_number(call, "the scale", &x, err)) return false;
    if (!isfinite(x)) {
        error_set(err, ERR_VALUE, "a scale of %g: it must be a finite number", x);
        error_hint(err, "the scale sqrt is 1/√d_k, the scale none is 1");
        return command_error_at(call, call->next - 1, err);
    }
    settings->scale_sqrt = false;
    settings->scale = x;
    return true;
}

static bool whole_argument(CommandCall *call, const char *what, double lowest, double highest,
                           double *out, Error *err) {
    if (!command_number(call, what, out, err)) return false;
    if (*out == floor(*out) && *out >= lowest && *out <= highest) return true;
    if (isinf(highest))
        error_set(err, ERR_VALUE, "%s must be a whole number from %g, not %g", what, lowest, *out);
    else
        error_set(err, ERR_VALUE, "%s must be a whole number from %g to %.16g, not %g", what,
                  lowest, highest, *out);
    return command_error_at(call, call->next - 1, err);
}

static bool mask_name(Session *session, CommandCall *call, const char *name, MaskSetting *term,
                      Error *err) {
    static const char *const words[] = {"none", "causal", "window", "padding", "segments", NULL};
    const Symbol *known = interp_find(&session->interp, name);
    if (known && known->value.kind != VALUE_UNSET) {
        term->name = interp_symbol(&session->interp, name, strlen(name), err);
        return term->name != NULL;
    }
    const char *near = interp_nearest(&session->interp, name, words);
    error_set(err, ERR_NAME, "%s is neither a kind of mask nor a variable", name);
    if (near)
        error_hint(err,
                   "did you mean %s? Kinds of mask: none, causal, window W, padding N, segments A",
                   near);
    else
        error_hint(err, "kinds of mask: none, causal, window W, padding N, segments A, or an array "
                        "of your own");
    return command_error_at(call, call->next - 1, err);
}

static bool mask_array(CommandCall *call, MaskSetting *term, Error *err) {
    Value value;
    if (!command_value(call, term->kind == MASK_SEGMENTS ? "the segment of each token" : "the mask",
                       &value, err))
        return false;
    term->array = value_as_tensor(&value, "a mask", err);
    if (!term->array && value.kind == VALUE_STRING)
        error_hint(err, "write set mask %s", value.string->data);
    value_release(&value);
    return term->array || command_error_at(call, call->next - 1, err);
}

static bool mask_term(Session *session, CommandCall *call, MaskSetting *term, Error *err) {
    *term = (MaskSetting){.kind = MASK_ARRAY};
    if (command_take(call, "causal")) return term->kind = MASK_CAUSAL, true;
    if (command_take(call, "window")) {
        term->kind = MASK_WINDOW;
        return whole_argument(call, "the window", 0, INFINITY, &term->number, err);
    }
    if (command_take(call, "padding")) {
        term->kind = MASK_PADDING;
        return whole_argument(call, "the number of real keys", 0, INFINITY, &term->number, err);
    }
    if (command_take(call, "segments"))
        return term->kind = MASK_SEGMENTS, mask_array(call, term, err);
    const char *name = command_take_name(call);
    return name ? mask_name(session, call, name, term, err) : mask_array(call, term, err);
}

static bool set_mask(Session *session, Settings *settings, CommandCall *call, Error *err) {
    mask_reset(settings);
    if (command_take(call, "none")) return true;
    do {
        if (settings->mask_count == MASK_TERMS_MAX)
            return error_set(err, ERR_LIMIT, "a mask joins at most %d terms", MASK_TERMS_MAX);
        if (!mask_term(session, call, &settings->mask[settings->mask_count], err)) return false;
        settings->mask_count++;
    } while (command_take(call, "and"));
    return true;
}

static bool position_argument(CommandCall *call, PositionSpec *position, Error *err) {
    Value value;
    if (!command_value(call, "the slope", &value, err)) return false;
    bool ok = true;
    if (value.kind == VALUE_NUMBER) {
        bool learned = position->kind == POSITION_LEARNED;
        *(learned ? &position->has_trained : &position->has_slope) = true;
        *(learned ? &position->trained : &position->slope) = value.number;
        if (learned && !(value.number >= 1 && value.number == floor(value.number)))
            ok = error_set(err, ERR_VALUE,
                           "the number of trained positions must be a whole number from 1, not %g",
                           value.number);
        else if (!isfinite(value.number))
            ok = error_set(err, ERR_VALUE, "a slope must be a finite number");
    } else if (position->kind == POSITION_RELATIVE) {
        position->table = value_as_tensor(&value, "the table of distances", err);
        ok = position->table != NULL;
        if (ok && (position->table->shape.axes != 1 || position->table->count % 2 == 0))
            ok = error_set(err, ERR_SHAPE,
                           "a table of distances has 2m + 1 numbers in one axis, not %s",
                           shape_words(&position->table->shape));
    } else {
        ok = error_set(err, ERR_TYPE, "a number is needed here, not %s", value_words(&value));
    }
    value_release(&value);
    return ok || command_error_at(call, call->next - 1, err);
}

static bool set_position(Session *session, Settings *settings, CommandCall *call, Error *err) {
    (void)session;
    static const struct {
        const char *word;
        PositionKind kind;
        bool argument;
    } kinds[] = {{"none", POSITION_NONE, false},      {"sinusoidal", POSITION_SINUSOIDAL, false},
                 {"learned", POSITION_LEARNED, true}, {"relative", POSITION_RELATIVE, true},
                 {"alibi", POSITION_ALIBI, true},     {"rope", POSITION_ROPE, false}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!command_take(call, kinds[i].word)) continue;
        position_release(&settings->position);
        settings->position = (PositionSpec){.kind = kinds[i].kind};
        return !kinds[i].argument || command_at_end(call) ||
               position_argument(call, &settings->position, err);
    }
    return no_such_word(
        call, "position",
        (const char *const[]){"none", "sinusoidal", "learned", "relative", "alibi", "rope", NULL},
        err);
}

static bool set_heads(Session *session, Settings *settings, CommandCall *call, Error *err) {
    (void)session;
    double x;
    if (!whole_argument(call, "the number of heads", 1, 4096, &x, err)) return false;
    settings->heads = (size_t)x;
    return true;
}

/* A sentence is cut by the builtin tokens(), a list is taken as it is. */
static bool token_list(Session *session, CommandCall *call, Value *out, Error *err) {
    Value value;
    if (!command_value(call, "a sentence or a list of tokens", &value, err)) return false;
    bool ok = false;
    if (value.kind == VALUE_STRING) {
        const Symbol *tokens = interp_find(&session->interp, "tokens");
        Value builtin = {.kind = VALUE_BUILTIN, .builtin = tokens->builtin};
        ok = interp_call(&session->interp, &builtin, &value, 1, out, err);
    } else if (value.kind == VALUE_LIST || value.kind == VALUE_TUPLE) {
        ok = true;
        for (size_t i = 0; ok && i < value.list->count; i++)
            if (value.list->items[i].kind != VALUE_STRING)
                ok = error_set(err, ERR_TYPE, "token %zu is %s: tokens are strings", i,
                               value_words(&value.list->items[i]));
        if (ok) *out = value_ref(value);
    } else {
        error_set(err, ERR_TYPE, "tokens are a sentence in quotes or a list of strings, not %s",
                  value_words(&value));
        error_hint(err, "for example: set tokens \"the cat sat\"");
    }
    value_release(&value);
    return ok || command_error_at(call, call->next - 1, err);
}

static bool set_tokens(Session *session, Settings *settings, CommandCall *call, Error *err) {
    tokens_reset(settings);
    if (command_take(call, "none")) return true;
    if (!token_list(session, call, &settings->tokens, err))
        return settings->tokens = VALUE_NOTHING, false;
    if (!command_take(call, "from")) return true;
    if (token_list(session, call, &settings->key_tokens, err)) return true;
    return settings->key_tokens = VALUE_NOTHING, false;
}

static bool set_seed(Session *session, Settings *settings, CommandCall *call, Error *err) {
    double x;
    if (!whole_argument(call, "the seed", 0, 9007199254740991.0, &x, err)) return false;
    settings->seed = (uint64_t)x;
    session->interp.seed = settings->seed;
    random_seed(&session->interp.random, settings->seed);
    return true;
}

static bool set_digits(Session *session, Settings *settings, CommandCall *call, Error *err) {
    (void)session;
    double x;
    if (!whole_argument(call, "the number of digits", 1, 17, &x, err)) return false;
    settings->digits = (int)x;
    return true;
}

static bool set_threads(Session *session, Settings *settings, CommandCall *call, Error *err) {
    (void)session;
    double x;
    if (!whole_argument(call, "the number of threads", 1, threads_most(), &x, err)) return false;
    settings->threads = (int)x;
    return true;
}

static bool set_color(Session *session, Settings *settings, CommandCall *call, Error *err) {
    (void)session;
    return word_argument(call, "color", color_words, &settings->color, err);
}

static bool set_palette(Session *session, Settings *settings, CommandCall *call, Error *err) {
    (void)session;
    int at = 0;
    if (!word_argument(call, "palette", palette_names, &at, err)) return false;
    settings->palette = palette_names[at];
    return true;
}

static bool set_terminal(Session *session, Settings *settings, CommandCall *call, Error *err) {
    int at = 0;
    if (!word_argument(call, "terminal", terminal_words, &at, err)) return false;
    if (!plot_terminal_works(session, terminal_words[at], err))
        return command_error_at(call, call->next - 1, err);
    settings->terminal = terminal_words[at];
    session->no_window = session->noted_text = false;
    return true;
}

static bool set_language(Session *session, Settings *settings, CommandCall *call, Error *err) {
    (void)session;
    int at = 0;
    if (!word_argument(call, "language", language_words, &at, err)) return false;
    settings->language = language_words[at];
    return true;
}

/* ---- back to the default ---- */

static void reset_temperature(Settings *settings) { settings->temperature = 1; }
static void reset_scale(Settings *settings) { settings->scale_sqrt = true, settings->scale = 1; }
static void reset_position(Settings *settings) {
    position_release(&settings->position);
    settings->position = (PositionSpec){.kind = POSITION_NONE};
}
static void reset_heads(Settings *settings) { settings->heads = 1; }
static void reset_seed(Settings *settings) { settings->seed = 0; }
static void reset_digits(Settings *settings) { settings->digits = 4; }
static void reset_color(Settings *settings) { settings->color = 0; }
static void reset_palette(Settings *settings) { settings->palette = "viridis"; }
static void reset_terminal(Settings *settings) { settings->terminal = "auto"; }
static void reset_threads(Settings *settings) { settings->threads = threads_most(); }
static void reset_language(Settings *settings) { settings->language = language_of_user(); }

/* ---- writing values ---- */

static void write_temperature(const Settings *s, Text *text) {
    number_write_shortest(text, s->temperature, false);
}
static void write_scale(const Settings *s, Text *text) {
    if (s->scale_sqrt) text_string(text, "sqrt");
    else if (s->scale == 1) text_string(text, "none");
    else number_write_shortest(text, s->scale, false);
}

static void write_array(const Tensor *array, int digits, Text *text) {
    Value value = {.kind = VALUE_TENSOR, .tensor = (Tensor *)array};
    value_write(text, &value, digits, true);
}

static void write_array_short(const Tensor *array, Text *text) {
    if (array->shape.axes == 1 && array->count <= ARRAY_SHORT_MAX)
        write_array(array, SHORT_DIGITS, text);
    else text_format(text, "array %s", shape_words(&array->shape));
}

static void write_mask_with(const Settings *s, bool brief, Text *text) {
    static const char *const words[] = {"causal", "window ", "padding ", "segments ", ""};
    if (s->mask_count == 0) text_string(text, "none");
    for (int i = 0; i < s->mask_count; i++) {
        const MaskSetting *term = &s->mask[i];
        text_format(text, "%s%s", i ? " and " : "", words[term->kind]);
        if (term->kind == MASK_WINDOW || term->kind == MASK_PADDING)
            number_write_shortest(text, term->number, false);
        if (term->name) text_string(text, term->name->name);
        if (term->array && brief) write_array_short(term->array, text);
        else if (term->array) write_array(term->array, 17, text);
    }
}

static void write_mask(const Settings *s, Text *text) { write_mask_with(s, false, text); }
static void write_mask_short(const Settings *s, Text *text) { write_mask_with(s, true, text); }

/* As it would be typed: the engine, which writes titles, says no more of a table than that it is
 * one. */
static void write_position_with(const Settings *s, bool brief, Text *text) {
    const Tensor *table = s->position.table;
    if (!table) position_write(text, &s->position);
    else text_string(text, "relative ");
    if (table && brief) write_array_short(table, text);
    else if (table) write_array(table, 17, text);
}

static void write_position(const Settings *s, Text *text) { write_position_with(s, false, text); }
static void write_position_short(const Settings *s, Text *text) {
    write_position_with(s, true, text);
}

static void write_heads(const Settings *s, Text *text) { text_format(text, "%zu", s->heads); }

static void write_tokens(const Settings *s, Text *text) {
    if (s->tokens.kind == VALUE_NONE) text_string(text, "none");
    else value_write(text, &s->tokens, s->digits, true);
    if (s->key_tokens.kind == VALUE_NONE) return;
    text_string(text, " from ");
    value_write(text, &s->key_tokens, s->digits, true);
}

static void write_seed(const Settings *s, Text *text) {
    text_format(text, "%llu", (unsigned long long)s->seed);
}
static void write_digits(const Settings *s, Text *text) { text_format(text, "%d", s->digits); }
static void write_color(const Settings *s, Text *text) { text_string(text, color_words[s->color]); }
static void write_palette(const Settings *s, Text *text) { text_string(text, s->palette); }
static void write_terminal(const Settings *s, Text *text) { text_string(text, s->terminal); }
static void write_threads(const Settings *s, Text *text) { text_format(text, "%d", s->threads); }
static void write_language(const Settings *s, Text *text) { text_string(text, s->language); }

/* ---- the table ---- */

const SettingDef setting_table[] = {
    {"temperature", "", true, true, "a number from 0, or inf",
     "Divides the scores before softmax. Below 1 attention is sharper (0: only the best key), "
     "above 1 flatter (inf: all keys alike).",
     "set temperature 0.5", "scale entropy softmax", set_temperature, reset_temperature,
     write_temperature, NULL},
    {"scale", "sqrt none", true, true,
     "sqrt (1/√d_k), none, or a number that the scores are multiplied with",
     "What the products of queries and keys are multiplied with. Without 1/√d_k the scores grow "
     "with the width and softmax saturates.",
     "set scale none", "temperature attend", set_scale, reset_scale, write_scale, NULL},
    {"mask", "none causal window padding segments and", false, true,
     "none, causal, window W, padding N (the first N keys are real), segments A, the name of an "
     "array; joined by and",
     "Which keys a query may see. A named array is looked up at each run: true means visible; "
     "numbers are added to the scores.",
     "set mask causal and window 4", "causal_mask window_mask position", set_mask, mask_reset,
     write_mask, write_mask_short},
    {"position", "none sinusoidal learned relative alibi rope", false, true,
     "none, sinusoidal, learned [trained], relative [slope or array], alibi [slope], rope",
     "How attention learns where a token stands: added to the inputs (sinusoidal, learned), to the "
     "scores by distance (relative, alibi), or by turning queries and keys (rope).",
     "set position alibi", "sinusoidal relative_bias alibi rope", set_position, reset_position,
     write_position, write_position_short},
    {"heads", "", true, true, "a divisor of the widths",
     "Into how many heads the columns of Q, K and V are cut. Each head has weights of its own; "
     "their outputs are joined.",
     "set heads 2", "multihead attend", set_heads, reset_heads, write_heads, NULL},
    {"tokens", "none from", false, false,
     "a sentence or a list of strings; A from B for queries and keys",
     "Labels for rows and columns everywhere. Without inputs, attend makes X from them.",
     "set tokens \"the cat sat\"", "embed attend", set_tokens, tokens_reset, write_tokens, NULL},
    {"seed", "", true, false, "a whole number from 0", "Restarts the generator of random numbers.",
     "set seed 7", "rand randn", set_seed, reset_seed, write_seed, NULL},
    {"digits", "", true, false, "1 to 17", "How many significant digits are shown.", "set digits 6",
     "", set_digits, reset_digits, write_digits, NULL},
    {"color", "auto always never", false, false, "auto, always, never",
     "Whether tables are shaded with colour.", "set color never", "palette", set_color, reset_color,
     write_color, NULL},
    {"palette", "viridis grey diverging", false, false, "viridis, grey, diverging",
     "The colours of heatmaps and tables.", "set palette grey", "color plot", set_palette,
     reset_palette, write_palette, NULL},
    {"terminal", "auto text window kitty sixel", false, false, "auto, text, window, kitty, sixel",
     "How a plot without a file is shown at a prompt: as text, and with auto (where there is a "
     "display) and window in a window of gnuplot's, too; "
     "kitty and sixel are images in the place of text, for terminals that show them.",
     "set terminal text", "plot", set_terminal, reset_terminal, write_terminal, NULL},
    {"threads", "", true, false, "1 to the number of cores",
     "How many threads large products may use; results do not depend on it.", "set threads 1", "",
     set_threads, reset_threads, write_threads, NULL},
    {"language", "en zh", false, false, "en, zh",
     "The language that attn prefers; from LANG at the start.", "set language en", "", set_language,
     reset_language, write_language, NULL},
    {0},
};

const SettingDef *setting_find(const char *name) {
    for (const SettingDef *row = setting_table; row->name; row++)
        if (strcmp(row->name, name) == 0) return row;
    return NULL;
}

void setting_names(const char *names[SETTING_NAMES_MAX]) {
    size_t count = 0;
    for (const SettingDef *row = setting_table; row->name && count < SETTING_NAMES_MAX - 1; row++)
        names[count++] = row->name;
    names[count] = NULL;
}

void setting_write_short(const SettingDef *setting, const Settings *settings, Text *text) {
    (setting->write_short ? setting->write_short : setting->write)(settings, text);
}

void setting_write_change(const SettingDef *setting, const Settings *before, const Settings *after,
                          Text *text) {
    text_format(text, "%s ", setting->name);
    setting_write_short(setting, before, text);
    text_string(text, " → ");
    setting_write_short(setting, after, text);
}

void settings_write_line(const Settings *settings, Text *text) {
    const char *between = "";
    for (const SettingDef *row = setting_table; row->name; row++) {
        if (!row->steers_attention) continue;
        text_format(text, "%s%s ", between, row->name);
        setting_write_short(row, settings, text);
        between = ", ";
    }
}

/* ---- what they come to ---- */

bool settings_name(const Settings *settings, const Symbol *symbol) {
    for (int i = 0; i < settings->mask_count; i++)
        if (settings->mask[i].name == symbol) return true;
    return false;
}

static bool add_named_mask(MaskSpec *mask, const MaskSetting *term, Error *err) {
    if (term->name->value.kind == VALUE_UNSET) {
        error_set(err, ERR_NAME, "the mask %s no longer exists", term->name->name);
        return error_hint(err, "define it again, or: set mask none");
    }
    Tensor *array = value_as_tensor(&term->name->value, term->name->name, err);
    bool ok = array && mask_add(mask, MASK_ARRAY, 0, array, err);
    tensor_unref(array);
    return ok;
}

bool settings_spec(const Settings *settings, AttentionSpec *spec, Error *err) {
    attention_spec_init(spec);
    spec->temperature = settings->temperature;
    spec->scale_sqrt = settings->scale_sqrt;
    spec->scale = settings->scale;
    spec->heads = settings->heads;
    position_copy(&spec->position, &settings->position);
    spec->position.seed = settings->seed;
    for (int i = 0; i < settings->mask_count; i++) {
        const MaskSetting *term = &settings->mask[i];
        bool ok = term->name ? add_named_mask(&spec->mask, term, err)
                             : mask_add(&spec->mask, term->kind, term->number, term->array, err);
        if (!ok) return attention_spec_release(spec), false;
    }
    return true;
}
