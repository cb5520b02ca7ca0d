/* Settings: the knobs that attend, the plots and all that follows share.
 *
 * Plain data with references; a table row makes a setting exist and feeds set,
 * unset, show, help and completion. */
#ifndef ATTN_SESSION_SETTINGS_H
#define ATTN_SESSION_SETTINGS_H

#include "engine/attention/attention.h"
#include "lang/interp.h"

/* A term of the mask setting. A name is kept and looked up at each run. */
typedef struct MaskSetting {
    MaskKind kind;
    double number;
    Symbol *name;  /* MASK_ARRAY by name; or NULL */
    Tensor *array; /* MASK_ARRAY and MASK_SEGMENTS by value; or NULL */
} MaskSetting;

typedef struct Settings {
    double temperature;
    bool scale_sqrt;
    double scale; /* 1: none */
    MaskSetting mask[MASK_TERMS_MAX];
    int mask_count;
    PositionSpec position;
    size_t heads;
    Value tokens;     /* a list of strings for the queries (and keys), or VALUE_NONE */
    Value key_tokens; /* likewise for the keys alone, or VALUE_NONE: as tokens */
    uint64_t seed;
    int digits;
    int color;            /* index into color_words */
    const char *palette;  /* a name of palette.h */
    const char *terminal; /* "auto" "text" "window" "kitty" "sixel" */
    int threads;
    const char *language; /* "en" "zh" */
} Settings;

void settings_init(Settings *settings);
void settings_release(Settings *settings);
void settings_copy(Settings *out, const Settings *settings); /* new references */
/* The same to every value; references are compared as references. */
bool settings_equal(const Settings *a, const Settings *b);

struct Session;

typedef struct SettingDef {
    const char *name;
    const char *words;     /* own words of its values */
    bool expression;       /* its value is one whole expression */
    bool steers_attention; /* a change runs attend again */
    const char *values;    /* for help: what may stand there */
    const char *summary;
    const char *example;
    const char *see;
    /* Reads the value from the call into settings. */
    bool (*set)(struct Session *session, Settings *settings, CommandCall *call, Error *err);
    void (*reset)(Settings *settings);                   /* to its default */
    void (*write)(const Settings *settings, Text *text); /* the value as it would be typed */
    void (*write_short)(
        const Settings *settings,
        Text *text); /* for titles and answers: "array 4×6" for what is long; NULL: write */
} SettingDef;

extern const SettingDef setting_table[]; /* ends with a NULL name */
const SettingDef *setting_find(const char *name);
/* The names of all, for a near one to be found among them. NULL at the end. */
enum { SETTING_NAMES_MAX = 32 };
void setting_names(const char *names[SETTING_NAMES_MAX]);
void setting_write_short(const SettingDef *setting, const Settings *settings, Text *text);
/* "temperature 1 → 0.25" */
void setting_write_change(const SettingDef *setting, const Settings *before, const Settings *after,
                          Text *text);

bool settings_name(const Settings *settings, const Symbol *symbol); /* is it a mask by name? */

/* The spec that the settings come to now: names of masks are looked up. The caller releases it. */
bool settings_spec(const Settings *settings, AttentionSpec *spec, Error *err);
/* "temperature 1, scale 1/√d_k, causal" : those that steer attention. */
void settings_write_line(const Settings *settings, Text *text);

#endif
