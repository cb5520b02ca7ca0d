/* Proposes what to type instead, for those who did not write set NAME VALUE. */
#ifndef ATTN_SESSION_SETTING_REMEDY_H
#define ATTN_SESSION_SETTING_REMEDY_H

#include "session/session.h"

/* These functions set only the hint of the error, and return false. */

/* The first argument of `set` and its like names no setting: set causal, set tau 0.5. */
bool remedy_unknown_setting(const CommandCall *call, const char *name, Error *err);
/* Explains that the value was not taken, because of what is at call->next - 1 or call->next. */
bool remedy_setting_value(const CommandCall *call, const SettingDef *setting, Error *err);

/* Explains that a setting is among the arguments of another command: attend X temperature 0.5. */
bool remedy_setting_argument(const CommandCall *call, Error *err);

/* Tells a person whose entry made a variable with a setting's name that the setting is unchanged.
 */
void note_setting_assigned(Session *session, const Chunk *chunk, const Entry *entry);

/* ---- masks that are all 0 and 1: numbers are added to the scores, so that they hide nothing ----
 */

/* Appends the line to type instead, "to hide where it is 0: set mask (L == 1)". mask: what the
 * mask of the settings is now. typed: the text of an unnamed array, which is otherwise
 * written out, or called M if it is large; may be NULL. Returns false, and appends nothing, when no
 * array is such a one. */
bool mask_note_remedy(const Settings *settings, const MaskSpec *mask, const char *typed, Text *out);

/* Tells it in a note. */
void mask_note(Session *session, const Settings *settings, const char *typed);

#endif
