/* The line below what is typed: the signature of the call, the usage of the command. */
#include "shell/completion/completion.h"
#include "shell/completion/completion_callee.h"

#include <string.h>

static bool hint_of_call(const Session *session, const char *text, const Context *context,
                         Text *out) {
    Callee callee;
    if (!context->in_call || !callee_find(session, text, context->callee, &callee, NULL))
        return false;
    callee_write(&callee, session->interp.digits, out);
    callee_release(&callee);
    return true;
}

static bool hint_of_setting(const SettingDef *setting, Text *out) {
    text_format(out, "%s: %s", setting->name, setting_values(setting));
    return true;
}

/* A command without arguments has nothing to say. */
static bool hint_of_command(const Session *session, const Context *context, Text *out) {
    const CommandDef *command =
        context->command ? session_command(session, context->command->name) : NULL;
    const SettingDef *setting = context->picked ? setting_find(context->picked->name) : NULL;
    if (setting) return hint_of_setting(setting, out);
    if (!command || strcmp(command->usage, command->syntax.name) == 0) return false;
    text_string(out, command->usage);
    return true;
}

bool completion_hint(const Session *session, const char *text, size_t length, size_t point,
                     Text *out) {
    Context context;
    if (length > HINT_TEXT_MAX) return false;
    context_find(&context, session->interp.hooks.commands, text, length, point);
    return hint_of_call(session, text, &context, out) || hint_of_command(session, &context, out);
}
