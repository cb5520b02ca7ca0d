/* What to type instead where settings are changed in another way than by set NAME VALUE. */
#ifndef ATTN_SESSION_SETTING_REMEDY_H
#define ATTN_SESSION_SETTING_REMEDY_H

#include "session/session.h"

/* Both set only the hint of the error, and return false. */

/* The first argument of `set` and its like names no setting: set causal, set tau 0.5. */
bool remedy_unknown_setting(const CommandCall *call, const char *name, Error *err);
/* The value was not taken: what stands at call->next - 1 or call->next is why. */
bool remedy_setting_value(const CommandCall *call, const SettingDef *setting, Error *err);

/* `temperature 0.5` among the arguments of another command, at the next one: "set temperature 0.5".
 */
bool remedy_setting_argument(const CommandCall *call, Error *err);

/* Says, when the entry made a variable of a setting's name, that it is none. */
void note_setting_assigned(Session *session, const Chunk *chunk, const Entry *entry);

#endif
