/* pause, save session: for those who show and hand out. */
#include "io/file.h"
#include "session/session.h"

#include <math.h>
#include <string.h>

/* ---- pause ---- */

static bool seconds_argument(CommandCall *call, const Value *value, double *seconds, Error *err) {
    *seconds = value->number;
    if (*seconds >= 0 && isfinite(*seconds)) return true;
    error_set(err, ERR_VALUE, "a pause takes a number of seconds from 0, not %g", *seconds);
    return command_error_at(call, call->next - 1, err);
}

static bool wait(Session *session, double seconds, const char *text, Error *err) {
    Host *host = session->interp.host;
    return !host->wait || host->wait(host, text, seconds, err);
}

static void refuse(CommandCall *call, const Value *value, Error *err) {
    bool second = value->kind == VALUE_NUMBER || value->kind == VALUE_STRING;
    if (second)
        error_set(err, ERR_SYNTAX, "a pause takes one %s",
                  value->kind == VALUE_NUMBER ? "number of seconds" : "text");
    else
        error_set(err, ERR_TYPE, "a pause takes seconds and a text in quotes, not %s",
                  value_words(value));
    command_error_at(call, call->next - 1, err);
}

static bool pause_arguments(CommandCall *call, double *seconds, Value *text, Error *err) {
    while (!command_at_end(call)) {
        Value value;
        if (!command_value(call, "seconds or a text", &value, err)) return false;
        bool number = value.kind == VALUE_NUMBER && *seconds < 0,
             string = value.kind == VALUE_STRING && text->kind == VALUE_UNSET;
        if (string) {
            *text = value;
            continue;
        }
        bool ok = number && seconds_argument(call, &value, seconds, err);
        if (!number) refuse(call, &value, err);
        value_release(&value);
        if (!ok) return false;
    }
    return true;
}

static bool pause_command(Session *session, CommandCall *call, Error *err) {
    double seconds = -1;
    Value text = VALUE_MISSING;
    bool ok = pause_arguments(call, &seconds, &text, err) &&
              wait(session, seconds, text.kind == VALUE_STRING ? text.string->data : NULL, err);
    value_release(&text);
    return ok;
}

/* ---- save session ---- */

static bool check_name(const CommandCall *call, const char *path, Error *err) {
    if (path_has_suffix(path, "md")) return true;
    error_set(err, ERR_VALUE,
              "a session is saved as a Markdown document, so its name ends in .md, not %s", path);
    error_hint(err, "for example: save session \"today.md\"");
    return command_error_at(call, call->next - 1, err);
}

static bool write_transcript(const Session *session, const char *path, Error *err) {
    Text page;
    text_init(&page);
    text_string(&page, "# A session\n\nEach block is one entry, in the order in which they ran. "
                       "attn runs this file as it stands.\n");
    text_bytes(&page, session->transcript.cells.data, session->transcript.cells.length);
    if (session->transcript.cells.failed) page.failed = true;
    bool ok = text_ok(&page, err) && file_write(path, page.data, page.length, err);
    text_release(&page);
    return ok;
}

static bool save_to(Session *session, const CommandCall *call, const char *name, Error *err) {
    if (session->interp.safe)
        return error_set(err, ERR_FILE, "%s is not written: with --safe, nothing is", name),
               command_error_at(call, call->next - 1, err);
    Text path;
    text_init(&path);
    path_join(&path, session->interp.directory, name);
    bool ok = text_ok(&path, err) && (write_transcript(session, path.data, err) ||
                                      command_error_at(call, call->next - 1, err));
    text_release(&path);
    if (ok && call->top_level && session->run_depth == 0) session->transcript.skip = true;
    return ok && (call->quiet || host_print(session->interp.host, err, "saved: %s\n", name));
}

static bool save(Session *session, CommandCall *call, Error *err) {
    if (!command_take(call, "session")) {
        error_set(err, ERR_SYNTAX, "save as a command keeps the session");
        return error_hint(err,
                          "save session \"today.md\"; an array is saved by save(\"a.npy\", A)");
    }
    if (session_entry_changed(session)) {
        error_set(err, ERR_VALUE, "save session cannot follow a change in the same entry");
        return error_hint(err, "put save session on a line of its own");
    }
    Value name;
    if (!command_string(call, "the name of a file in quotes", &name, err)) return false;
    bool ok = check_name(call, name.string->data, err) && command_finish(call, err) &&
              save_to(session, call, name.string->data, err);
    value_release(&name);
    return ok;
}

const CommandDef script_commands[] = {
    {{.name = "pause", .words = "", .takes = TAKES_VALUES},
     pause_command,
     false,
     "pause [SECONDS] [\"text\"]",
     "Waits until Enter is pressed, or for some seconds (Enter ends them early); the text says "
     "what for. Without a terminal it does not wait, so that a show runs unattended too.",
     "pause 0 \"next: the mask\"",
     "run print"},
    {{.name = "save", .words = "session", .is_function = true, .takes = TAKES_FILE},
     save,
     false,
     "save session \"x.md\"",
     "Writes what was typed in this session as a Markdown document that runs again: attn x.md, or "
     "run \"x.md\". Entries that ended in an error are left out.",
     "try: save session \"nowhere/at/all.md\"\nexcept file: print(\"there is no such folder\")\n# "
     "-> there is no such folder",
     "run save snapshot"},
    {.syntax = {.name = NULL}},
};
