/* Settings: the knobs that attend, the plots and all that follows share.
 *
 * A setting is a typed row of setting_table and a field of Settings. The row says what it may be;
 * set, unset, show, state, undo, help, completion and explore act by its kind. */
#ifndef ATTN_SESSION_SETTINGS_H
#define ATTN_SESSION_SETTINGS_H

#include "engine/attention/attention.h"
#include "lang/parser.h"

typedef struct Settings {
    double temperature;
    bool scale_sqrt;
    double scale; /* 1: none */
    /* A term that was given as the name of a variable has no array: the name is looked up at each
     * run. Other terms have a NULL name. */
    MaskSpec mask;
    Symbol *mask_names[MASK_TERMS_MAX];
    PositionSpec position;
    size_t heads;
    union {
        Value values[4]; /* the members below, for loops over all */
        struct {
            Value tokens;          /* a list of strings for the queries (and keys), or VALUE_NONE */
            Value key_tokens;      /* the labels of the keys, or VALUE_NONE: those in tokens */
            Value answer, against; /* tokens by which effects on a model are measured; or none */
        };
    };
    uint64_t seed;
    int digits;
    int threads;
    const char *color, *palette, *terminal, *language; /* each one of its row's names */
} Settings;

void settings_init(Settings *settings);
void settings_release(Settings *settings);
#define LocalSettings __attribute__((cleanup(settings_release))) Settings
void settings_copy(Settings *out, const Settings *settings); /* new references */
/* The same values: all, or those that steer attention. References are compared as references. */
bool settings_equal(const Settings *a, const Settings *b);
bool settings_steer_alike(const Settings *a, const Settings *b);

/* ---- the rows ---- */

typedef enum SettingKind {
    SETTING_NUMBER, /* a double */
    SETTING_WHOLE,  /* an int, a size_t or a uint64_t */
    SETTING_WORD,   /* a const char *, one of the names */
    SETTING_SCALE,
    SETTING_MASK,
    SETTING_POSITION,
    SETTING_TOKENS,
    SETTING_ANSWER,
} SettingKind;

typedef struct SettingDef {
    const char *name;
    SettingKind kind;
    bool steers_attention;     /* a change runs attend again */
    bool outlives_lesson;      /* it is the person's: a lesson does not put it back */
    size_t field, size;        /* the offset of the value in Settings; 0 where the kind knows */
    const char *what;          /* the value in messages, "the temperature" */
    double least, most;        /* SETTING_NUMBER, SETTING_WHOLE */
    double standard;           /* the default of these */
    double (*most_here)(void); /* most and standard where the machine decides; or NULL */
    const char *const *names;  /* SETTING_WORD: NULL at the end; the first is the default */
    const char *(*standard_name)(
        void);          /* the default where the user's environment decides; or NULL */
    const char *values; /* for help: the allowed values; NULL: by kind and range */
    const char *summary, *example, *see;
    const char *hint; /* of the error that a number is out of range; or NULL */
} SettingDef;

extern const SettingDef setting_table[];   /* ends with a NULL name */
extern const char *const terminal_names[]; /* the values of terminal; NULL at the end */
const SettingDef *setting_find(const char *name);
/* The names of all, for a near one to be found among them. NULL at the end. */
enum { SETTING_NAMES_MAX = 32 };
void setting_names(const char *names[SETTING_NAMES_MAX]);

/* The own words of its values, separated by spaces: "sqrt none". */
const char *setting_words(const SettingDef *setting);
/* The allowed values, for help: "a whole number from 1 to 17". */
const char *setting_values(const SettingDef *setting);
/* True if its value is one whole expression. */
bool setting_takes_expression(const SettingDef *setting);

/* Takes the name of a setting from a call; NULL and ERR_NAME or ERR_SYNTAX. */
const SettingDef *setting_argument(CommandCall *call, Error *err);
/* Reads the value from the arguments of a command. */
bool setting_read(const SettingDef *setting, Settings *settings, CommandCall *call, Error *err);
void setting_reset(const SettingDef *setting, Settings *settings); /* to its default */
/* The value as it would be typed. */
void setting_write(const SettingDef *setting, const Settings *settings, Text *text);
/* The same for titles and answers: "array 4×6" for what is long. */
void setting_write_short(const SettingDef *setting, const Settings *settings, Text *text);
bool setting_equal(const SettingDef *setting, const Settings *a, const Settings *b);
/* True if both values are typed alike. Where memory runs out, `out` has failed. */
bool setting_is_alike(const SettingDef *setting, const Settings *a, const Settings *b, Text *out);
/* "temperature 1 → 0.25" */
void setting_write_change(const SettingDef *setting, const Settings *before, const Settings *after,
                          Text *text);

bool settings_name(const Settings *settings, const Symbol *symbol); /* is it a mask by name? */
Value settings_key_tokens(const Settings *settings); /* the labels of the keys, borrowed, or none */

/* The spec of the present settings: names of masks are looked up. The caller releases it. */
bool settings_spec(const Settings *settings, AttentionSpec *spec, Error *err);
/* "temperature 1, scale 1/√d_k, causal" : those that steer attention, without the one of a name (or
 * NULL). */
void settings_write_line(const Settings *settings, const char *without, Text *text);

/* ---- a mask of numbers that hides nothing, since all are 0 and 1 and are added to the scores ----
 */

/* Appends the line to type instead, "to hide where it is 0: set mask (L == 1)". mask: what the mask
 * of the settings is now. typed: the text of an unnamed array, which is otherwise written out, or
 * called M if it is large; may be NULL. Returns false, and appends nothing, when no array is such a
 * one. */
bool settings_mask_remedy(const Settings *settings, const MaskSpec *mask, const char *typed,
                          Text *out);
/* Notes that. */
void settings_note_mask(Host *host, const Settings *settings, const char *typed);

/* ---- what to type instead, for those who did not write set NAME VALUE ----
 *
 * These functions set only the hint of the error, and return false. */

/* The first argument of `set` and its like names no setting: set causal, set tau 0.5. */
bool remedy_unknown_setting(const CommandCall *call, const char *name, Error *err);
/* Explains that the value was not taken, because of what is at call->next - 1 or call->next. */
bool remedy_setting_value(const CommandCall *call, const SettingDef *setting, Error *err);
/* Explains that a setting is among the arguments of another command: attend X temperature 0.5. */
bool remedy_setting_argument(const CommandCall *call, Error *err);

/* Tells a person whose entry made a variable with a setting's name that the setting is unchanged.
 */
void note_setting_assigned(const Interp *interp, const Chunk *chunk, const Entry *entry);

/* The code of the language that the environment asks for. */
const char *language_of_user(void);

#endif
