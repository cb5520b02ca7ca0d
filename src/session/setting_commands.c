/* set, unset, show. */
#include "base/utf8.h"
#include "session/bench/attend.h"
#include "session/bench/result_view.h"
#include "session/pictures/plot_request.h"

#include <string.h>

/* ---- changing ---- */

/* Makes `after` the settings of the bench, from which one setting differs, or none. */
static bool change_setting(Session *session, const CommandCall *call, const SettingDef *setting,
                           const Settings *after, Error *err) {
    if (setting->field == offsetof(Settings, seed)) {
        session->interp.seed = after->seed;
        random_seed(&session->interp.random, after->seed);
    } else if (setting->field == offsetof(Settings, terminal)) {
        if (!plot_terminal_works(session, after->terminal, err))
            return command_error_last(call, err);
        session->no_window = session->noted_text = false;
    }
    LocalText text = TEXT_EMPTY, all = TEXT_EMPTY, typed = TEXT_EMPTY;
    const Run *run = session->bench.run;
    const Settings *ran = &session->bench.ran_with;
    setting_write_change(setting, &session->bench.settings, after, &text);
    bool followed = !run || settings_steer_alike(ran, &session->bench.settings);
    if (!followed) {
        /* "heads 3 → 2, mask none → causal": from the settings of the result on the bench, which
         * did not follow the last changes; "heads 2" where the setting is as it was then. */
        if (setting_equal(setting, ran, after)) {
            text_format(&all, "%s ", setting->name);
            setting_write_short(setting, after, &all);
        } else {
            setting_write_change(setting, ran, after, &all);
        }
        for (const SettingDef *row = setting_table; row->name; row++) {
            if (row == setting || !row->steers_attention || setting_equal(row, ran, after))
                continue;
            text_string(&all, ", ");
            setting_write_change(row, ran, after, &all);
        }
    }
    bool labelled = run && query_labels(session, run->queries).kind != VALUE_NONE;
    settings_release(&session->bench.settings);
    settings_copy(&session->bench.settings, after);
    session_apply_settings(session);
    if (!text_ok(&text, err) || !text_ok(&all, err)) return false;
    if (setting->steers_attention &&
        !session_answer(session, text.data, followed ? NULL : all.data, call->quiet, err))
        return false;
    if (setting->kind == SETTING_MASK && !call->quiet) {
        /* A mask that hides nothing is noted in the words in which its one array was typed. */
        size_t length;
        const char *argument =
            call->node->command.count == 2 ? command_argument_text(call, 1, &length) : NULL;
        if (argument) text_bytes(&typed, argument, length);
        settings_note_mask(session->interp.host, &session->bench.settings,
                           argument && !typed.failed ? typed.data : NULL);
    }
    if (setting->kind == SETTING_ANSWER && !call->quiet) prediction_note_answer(session);
    if (!call->quiet) embedding_note_positions(session, &session->bench.settings);
    return setting->kind != SETTING_TOKENS || embedding_follow(session, call, labelled, err);
}

static bool set(Session *session, CommandCall *call, Error *err) {
    const SettingDef *setting = setting_argument(call, err);
    if (!setting) return false;
    if (command_at_end(call)) {
        error_set(err, ERR_SYNTAX, "the value of %s is missing", setting->name);
        return error_hint(err, "set %s takes %s", setting->name, setting_values(setting));
    }
    LocalSettings after;
    settings_copy(&after, &session->bench.settings);
    if (setting_read(setting, &after, call, err) && command_finish(call, err))
        return change_setting(session, call, setting, &after, err);
    bool plain = err->kind == ERR_SYNTAX || err->kind == ERR_NAME || err->kind == ERR_TYPE;
    return plain ? remedy_setting_value(call, setting, err) : false;
}

static bool unset(Session *session, CommandCall *call, Error *err) {
    const SettingDef *setting = setting_argument(call, err);
    if (!setting || !command_finish(call, err)) return false;
    LocalSettings after;
    settings_copy(&after, &session->bench.settings);
    setting_reset(setting, &after);
    if (setting == setting_find("language")) after.language = session->settings_at_start.language;
    return change_setting(session, call, setting, &after, err);
}

/* ---- showing ---- */

/* One setting, or all where that is NULL: as it would be typed, but a large array by its size,
 * which `state` writes out. */
static bool show_settings(Session *session, const SettingDef *only, Error *err) {
    enum { VALUE_MOST = 600 };
    const Settings *settings = &session->bench.settings;
    Text text = TEXT_EMPTY;
    for (const SettingDef *row = setting_table; row->name; row++) {
        if (only && row != only) continue;
        utf8_pad(&text, row->name, strlen(row->name), 12, false);
        size_t begin = text.length;
        setting_write(row, settings, &text);
        if (text.length - begin > VALUE_MOST) {
            text_cut(&text, begin);
            setting_write_short(row, settings, &text);
        }
        text_char(&text, '\n');
    }
    return session_write_text(session, true, &text, err);
}

static bool show(Session *session, CommandCall *call, Error *err) {
    if (command_at_end(call)) return show_settings(session, NULL, err);
    int at = call->next;
    const char *name = command_take_name(call);
    const SettingDef *setting = name ? setting_find(name) : NULL;
    if (setting) return command_finish(call, err) && show_settings(session, setting, err);

    /* `show weights` is what `weights` shows. */
    const CommandDef *command = name ? session_command(session, name) : NULL;
    if (command && command->syntax.shows) {
        Node word = {.kind = NODE_COMMAND, .command = {.name = name}};
        CommandCall shown = {call->interp, call->frame, &word, 0, call->quiet, call->top_level};
        return command_finish(call, err) && session->interp.hooks.run_command(session, &shown, err);
    }

    /* Any other name shows its value. */
    call->next = at;
    const Symbol *symbol = name ? interp_find(&session->interp, name) : NULL;
    if (name && (!symbol || (symbol->value.kind == VALUE_UNSET && !symbol->builtin))) {
        const char *names[SETTING_NAMES_MAX];
        setting_names(names);
        const char *near = interp_nearest(&session->interp, name, names);
        error_set(err, ERR_NAME, "there is neither a setting nor a variable %s", name);
        if (near) error_hint(err, "did you mean %s?", near);
        else error_hint(err, "show lists the settings, who the variables");
        return command_error_at(call, at, err);
    }
    LocalValue value = VALUE_MISSING;
    return command_value(call, "a setting or a value", &value, err) && command_finish(call, err) &&
           session_write_value(session, &value, err);
}

/* clang-format off */
const CommandDef setting_commands[] = {
    {{.name = "set", .words = ""}, set, true, "set NAME VALUE",
     "Changes a setting. After an attend the result is computed anew and one line says what "
     "changed; a ; at the end keeps it quiet.",
     "set temperature 0.5\nset mask causal and window 4\nshow temperature", "unset show attend"},
    {{.name = "unset", .words = ""}, unset, true, "unset NAME",
     "Puts a setting back to its default. That of the language is what attn began with.",
     "set temperature 2\nunset temperature\nshow temperature", "set show"},
    {{.name = "show", .words = "", .takes = TAKES_VALUES}, show, true, "show   ·   show NAME",
     "Lists the settings, or shows one of them, or a value.",
     "show\nshow mask", "set who"},
    {.syntax = {.name = NULL}},
};
/* clang-format on */
