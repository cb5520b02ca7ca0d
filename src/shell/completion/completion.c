#include "shell/completion/completion.h"

#include "base/memory.h"
#include "shell/completion/completion_callee.h"
#include "shell/completion/completion_sources.h"

#include <string.h>

bool completion_find(Session *session, const char *text, size_t length, size_t point,
                     Completion *out, Error *err) {
    Place place;
    bool ok = true;
    *out = (Completion){.begin = point};
    if (!place_init(&place, session, text, length, point, err)) return false;
    Span word = place_word(&place);
    /* Names in other capitals only if there is none as it was typed. */
    for (Matching matching = MATCH_EXACT; ok && out->count == 0 && matching <= MATCH_FOLDED;
         matching++) {
        Candidates candidates;
        candidates_init(&candidates, matching, text + word.begin, word.end - word.begin,
                        point < length ? text[point] : 0);
        place_offer(&place, &candidates);
        ok = candidates_finish(&candidates, place.begin, out, err);
        candidates_release(&candidates);
    }
    place_release(&place);
    return ok;
}

void completion_release(Completion *completion) {
    mem_free(completion->candidates);
    *completion = (Completion){0};
}

bool completion_hint(const Session *session, const char *text, size_t length, size_t point,
                     Text *out) {
    Context context;
    Callee callee;
    if (length > HINT_TEXT_MAX) return false;
    context_find(&context, session->interp.hooks.commands, text, length, point);
    if (context.in_call && callee_find(session, text, context.callee, &callee, NULL)) {
        callee_write(&callee, session->interp.digits, out);
        callee_release(&callee);
        return true;
    }
    const SettingDef *setting = context.picked ? setting_find(context.picked->name) : NULL;
    if (setting) {
        text_format(out, "%s: %s", setting->name, setting_values(setting));
        return true;
    }
    const CommandDef *command =
        context.command ? session_command(session, context.command->name) : NULL;
    if (!command || strcmp(command->usage, command->syntax.name) == 0) return false;
    text_string(out, command->usage);
    return true;
}
