#include "session/settings/settings.h"

#include "base/translate.h"
#include "engine/tensor/threads.h"
#include "view/palette.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the rows refer to ---- */

static const char *const color_names[] = {"auto", "always", "never", NULL};
const char *const terminal_names[] = {"auto", "text", "window", "kitty", "sixel", NULL};

const char *language_of_user(void) {
    const char *names[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    for (size_t i = 0; i < 3; i++) {
        const char *value = getenv(names[i]);
        if (value && *value) return language_codes[language_from_name(value)];
    }
    return language_codes[LANGUAGE_ENGLISH];
}

static double threads_here(void) { return threads_most(); }

/* ---- the table ---- */

#define FIELD(name) .field = offsetof(Settings, name), .size = sizeof(((Settings *)0)->name)

/* clang-format off */
const SettingDef setting_table[] = {
    {.name = "temperature", .kind = SETTING_NUMBER, .steers_attention = true, FIELD(temperature),
     .what = "the temperature", .most = INFINITY, .standard = 1,
     .summary = "Divides the scores before softmax. Below 1 attention is sharper (0: only the best "
                "key), above 1 flatter (inf: all keys alike).",
     .example = "set temperature 0.5", .see = "scale entropy softmax",
     .hint = "At 0 only the best key counts, 1 is the usual softmax, at inf all keys count alike."},
    {.name = "scale", .kind = SETTING_SCALE, .steers_attention = true, .what = "the scale",
     .values = "sqrt (1/√d_k), none, or a number that the scores are multiplied with",
     .summary = "What the products of queries and keys are multiplied with. Without 1/√d_k the "
                "scores grow with the width and softmax saturates.",
     .example = "set scale none", .see = "temperature attend",
     .hint = "The scale sqrt is 1/√d_k, the scale none is 1."},
    {.name = "mask", .kind = SETTING_MASK, .steers_attention = true,
     .summary = "Which keys a query may see. A named array is looked up at each run: true means "
                "visible; numbers are added to the scores.",
     .example = "set mask causal and window 4", .see = "causal_mask window_mask position"},
    {.name = "position", .kind = SETTING_POSITION, .steers_attention = true,
     .summary = "How attention learns where a token is: by rows that are added to the inputs, "
                "by terms for the distance that are added to the scores, or by rotating queries "
                "and keys.",
     .example = "set position alibi", .see = "sinusoidal relative_bias alibi rope"},
    {.name = "heads", .kind = SETTING_WHOLE, .steers_attention = true, FIELD(heads),
     .what = "the number of heads", .least = 1, .most = 4096, .standard = 1,
     .values = "a divisor of the widths",
     .summary = "Into how many heads the columns of Q, K and V are cut. Each head has weights of "
                "its own; their outputs are joined.",
     .example = "set heads 2", .see = "multihead attend"},
    {.name = "tokens", .kind = SETTING_TOKENS,
     .values = "a sentence or a list of strings; A from B for queries and keys",
     .summary = "Labels for rows and columns everywhere. Without inputs, attend makes X from them.",
     .example = "set tokens \"the cat sat\"", .see = "embed attend"},
    {.name = "answer", .kind = SETTING_ANSWER,
     .values = "a token, or two: A against B",
     .summary = "What the effects of ablate, patch and attribute on a model are measured by: the "
                "probability and the logit of a token, or the difference of two tokens' logits. "
                "Without it: the token that the model predicts.",
     .example = "set answer \"dog\" against \"cat\"", .see = "ablate patch inspect"},
    {.name = "seed", .kind = SETTING_WHOLE, FIELD(seed), .what = "the seed",
     .most = 9007199254740991.0,
     .summary = "Restarts the generator of random numbers.",
     .example = "set seed 7", .see = "rand randn"},
    {.name = "digits", .kind = SETTING_WHOLE, FIELD(digits), .what = "the number of digits",
     .least = 1, .most = 17, .standard = 4,
     .summary = "How many significant digits are shown.",
     .example = "set digits 6", .see = ""},
    {.name = "color", .kind = SETTING_WORD, .outlives_lesson = true, FIELD(color),
     .names = color_names,
     .summary = "Whether tables are shaded with colour.",
     .example = "set color never", .see = "palette"},
    {.name = "palette", .kind = SETTING_WORD, .outlives_lesson = true, FIELD(palette),
     .names = palette_names,
     .summary = "The colours of heatmaps and tables.",
     .example = "set palette grey", .see = "color plot"},
    {.name = "terminal", .kind = SETTING_WORD, .outlives_lesson = true, FIELD(terminal),
     .names = terminal_names,
     .summary = "How a plot without a file is shown at a prompt: as text, and with auto (where "
                "there is a display) and window in a window of gnuplot's, too; kitty and sixel are "
                "images in the place of text, for terminals that show them.",
     .example = "set terminal text", .see = "plot"},
    {.name = "threads", .kind = SETTING_WHOLE, .outlives_lesson = true, FIELD(threads),
     .what = "the number of threads", .least = 1, .most_here = threads_here,
     .values = "1 to the number of cores",
     .summary = "How many threads large products may use; results do not depend on it.",
     .example = "set threads 1", .see = ""},
    {.name = "language", .kind = SETTING_WORD, .outlives_lesson = true, FIELD(language),
     .names = language_codes, .standard_name = language_of_user,
     .summary = "The language that attn prefers; from LANG at the start.",
     .example = "set language en", .see = ""},
    {.name = NULL},
};
/* clang-format on */

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

bool setting_is_alike(const SettingDef *setting, const Settings *a, const Settings *b, Text *out) {
    LocalText one = TEXT_FOR(out), other = TEXT_FOR(out);
    setting_write(setting, a, &one);
    setting_write(setting, b, &other);
    return strcmp(one.data, other.data) == 0;
}

void setting_write_change(const SettingDef *setting, const Settings *before, const Settings *after,
                          Text *text) {
    text_format(text, "%s ", setting->name);
    setting_write_short(setting, before, text);
    text_string(text, " → ");
    setting_write_short(setting, after, text);
}

void settings_write_line(const Settings *settings, const char *without, Text *text) {
    const char *between = "";
    for (const SettingDef *row = setting_table; row->name; row++) {
        if (!row->steers_attention || (without && strcmp(row->name, without) == 0)) continue;
        text_format(text, "%s%s ", between, row->name);
        setting_write_short(row, settings, text);
        between = ", ";
    }
}

bool settings_steer_alike(const Settings *a, const Settings *b) {
    for (const SettingDef *row = setting_table; row->name; row++)
        if (row->steers_attention && !setting_equal(row, a, b)) return false;
    return true;
}

/* ---- their names and spec ---- */

bool settings_name(const Settings *settings, const Symbol *symbol) {
    for (int t = 0; t < settings->mask.count; t++)
        if (settings->mask_names[t] == symbol) return true;
    return false;
}

Value settings_key_tokens(const Settings *settings) {
    return settings->key_tokens.kind == VALUE_NONE ? settings->tokens : settings->key_tokens;
}

bool settings_spec(const Settings *settings, AttentionSpec *spec, Error *err) {
    attention_spec_init(spec);
    spec->temperature = settings->temperature;
    spec->scale_sqrt = settings->scale_sqrt;
    spec->scale = settings->scale;
    spec->heads = settings->heads;
    mask_copy(&spec->mask, &settings->mask);
    position_copy(&spec->position, &settings->position);
    spec->position.seed = settings->seed;
    for (int t = 0; t < settings->mask.count; t++) {
        const Symbol *name = settings->mask_names[t];
        if (!name) continue;
        Tensor *array = NULL;
        if (name->value.kind != VALUE_UNSET) {
            array = value_as_tensor(&name->value, name->name, err);
        } else {
            error_set(err, ERR_NAME, "the mask %s no longer exists", name->name);
            error_hint(err, "define it again, or: set mask none");
        }
        if (!array) {
            attention_spec_release(spec);
            return false;
        }
        spec->mask.terms[t].array = array;
    }
    return true;
}

/* ---- a mask of numbers that hides nothing ---- */

bool settings_mask_remedy(const Settings *settings, const MaskSpec *mask, const char *typed,
                          Text *out) {
    enum { WRITTEN_MOST = 64 };
    bool wrong[MASK_TERMS_MAX] = {false}, any = false;
    int seen[MASK_TERMS_MAX], hidden = 0;
    for (int t = 0; t < mask->count; t++) {
        wrong[t] = mask_looks_boolean(&mask->terms[t], &seen[t]);
        if (wrong[t]) hidden = 1 - seen[t];
        any = any || wrong[t];
    }
    if (!any) return false;
    text_format(out, "to hide where it is %d: set mask ", hidden);
    for (int t = 0; t < mask->count; t++) {
        if (t > 0) text_string(out, " and ");
        if (wrong[t]) text_char(out, '(');
        const MaskTerm *term = &settings->mask.terms[t];
        Settings one = {.mask = {.count = 1, .terms = {*term}},
                        .mask_names = {settings->mask_names[t]}};
        bool unnamed = term->array && term->kind == &array_mask;
        if (unnamed && typed && mask->count == 1) text_string(out, typed);
        else if (unnamed && term->array->count > WRITTEN_MOST) text_char(out, 'M');
        else setting_write(setting_find("mask"), &one, out);
        if (wrong[t]) text_format(out, " == %d)", seen[t]);
    }
    return true;
}

void settings_note_mask(Host *host, const Settings *settings, const char *typed) {
    Error ignored = {.kind = ERR_NONE}; /* a name that is gone is an error of the next attend */
    AttentionSpec spec;
    LocalText remedy = TEXT_EMPTY;
    if (!settings_spec(settings, &spec, &ignored)) return;
    if (settings_mask_remedy(settings, &spec.mask, typed, &remedy))
        host_note(host,
                  "(the mask holds only 0 and 1: numbers are added to the scores, so it hides "
                  "nothing; %s)\n",
                  remedy.data);
    attention_spec_release(&spec);
}
