#include "model/families/settings.h"

#include "io/json.h"

#include <jansson.h>
#include <string.h>

static const json_t *member(const FamilySettings *settings, const char *name) {
    const json_t *value = json_object_get(settings->root, name);
    return settings->failed || json_is_null(value) ? NULL : value;
}

static void wrong(FamilySettings *settings, const char *name, const char *wanted) {
    settings->failed = true;
    error_set(settings->err, ERR_FILE, "\"%s\" in its config.json is not %s", name, wanted);
}

bool settings_has(const FamilySettings *settings, const char *name) {
    return member(settings, name) != NULL;
}

size_t settings_size(FamilySettings *settings, const char *name) {
    const json_t *value = member(settings, name);
    json_int_t number = json_integer_value(value);
    if (settings->failed) return 0;
    if (!value) {
        settings->failed = true;
        error_set(settings->err, ERR_FILE, "its config.json has no \"%s\"", name);
    } else if (!json_is_integer(value) || number < 0 || (uint64_t)number > SIZE_MAX / 2) {
        wrong(settings, name, "a whole number of 0 or more");
    }
    return settings->failed ? 0 : (size_t)number;
}

double settings_number(FamilySettings *settings, const char *name, double otherwise) {
    const json_t *value = member(settings, name);
    if (value && !json_is_number(value)) wrong(settings, name, "a number");
    return value ? json_number_value(value) : otherwise;
}

bool settings_flag(FamilySettings *settings, const char *name, bool otherwise) {
    const json_t *value = member(settings, name);
    if (value && !json_is_boolean(value)) wrong(settings, name, "true or false");
    return value ? json_is_true(value) : otherwise;
}

const char *settings_word(FamilySettings *settings, const char *name, const char *otherwise) {
    const json_t *value = member(settings, name);
    const char *word = json_string_value(value);
    if (value && (!word || strlen(word) != json_string_length(value)))
        wrong(settings, name, "a word");
    return value && !settings->failed ? word : otherwise;
}

static void not_known(FamilySettings *settings, const char *name, const char *value) {
    settings->failed = true;
    error_set(settings->err, ERR_FILE, "\"%s\" in its config.json is %s, which is not known here",
              name, quoted_text(value).text);
}

Activation settings_activation(FamilySettings *settings, const char *name, const char *otherwise) {
    static const struct {
        const char *word;
        Activation activation;
    } rows[] = {{"relu", ACTIVATION_RELU},
                {"gelu", ACTIVATION_GELU},
                {"gelu_new", ACTIVATION_GELU_TANH},
                {"gelu_pytorch_tanh", ACTIVATION_GELU_TANH},
                {"gelu_fast", ACTIVATION_GELU_TANH}};
    const char *word = settings_word(settings, name, otherwise);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].word, word) == 0) return rows[i].activation;
    if (!settings->failed) not_known(settings, name, word);
    return ACTIVATION_RELU;
}

void settings_expect_flag(FamilySettings *settings, const char *name, bool usual) {
    bool flag = settings_flag(settings, name, usual);
    if (!settings->failed && flag != usual) not_known(settings, name, flag ? "true" : "false");
}

void settings_expect_word(FamilySettings *settings, const char *name, const char *usual) {
    const char *word = settings_word(settings, name, usual);
    if (!settings->failed && strcmp(word, usual) != 0) not_known(settings, name, word);
}
