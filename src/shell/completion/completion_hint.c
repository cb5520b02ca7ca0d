/* The line below what is typed: the signature of the call, the usage of the command. */
#include "shell/completion/completion.h"
#include "shell/completion/completion_callee.h"

#include <string.h>

bool completion_hint(const Session *session, const char *text, size_t length, size_t point,
                     Text *out) {
    Context context;
    if (length > HINT_TEXT_MAX) return false;
    context_find(&context, session->interp.hooks.commands, text, length, point);

    Callee callee;
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
    /* A command without arguments has nothing to say. */
    if (!command || strcmp(command->usage, command->syntax.name) == 0) return false;
    text_string(out, command->usage);
    return true;
}
