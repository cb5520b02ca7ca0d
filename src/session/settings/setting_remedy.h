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

#endif
