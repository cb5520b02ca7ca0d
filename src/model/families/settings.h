/* The members of a checkpoint's config.json, each asked for by name and type.
 *
 * The first problem is kept in err; what is asked for after it is 0, so that a family reads all its
 * settings and looks at `failed` once. A member that is null counts as one that is not there. */
#ifndef ATTN_MODEL_FAMILIES_SETTINGS_H
#define ATTN_MODEL_FAMILIES_SETTINGS_H

#include "model/config.h"

struct json_t;

typedef struct FamilySettings {
    const struct json_t *root;
    Error *err;
    bool failed;
} FamilySettings;

bool settings_has(const FamilySettings *settings, const char *name);
/* The members that must be there. */
size_t settings_size(FamilySettings *settings, const char *name);
/* The members that need not be there. */
double settings_number(FamilySettings *settings, const char *name, double otherwise);
bool settings_flag(FamilySettings *settings, const char *name, bool otherwise);
const char *settings_word(FamilySettings *settings, const char *name, const char *otherwise);
Activation settings_activation(FamilySettings *settings, const char *name, const char *otherwise);
/* Refuse what a family does not know: another value than this one, where the member is there. */
void settings_expect_flag(FamilySettings *settings, const char *name, bool usual);
void settings_expect_word(FamilySettings *settings, const char *name, const char *usual);

#endif
