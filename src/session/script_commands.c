/* pause, save session: for those who show and hand out. */
#include "base/memory.h"
#include "io/file.h"
#include "session/session.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool pause_script(Session *session, CommandCall *call, Error *err) {
    Host *host = session->interp.host;
    double seconds = -1; /* until Enter */
    LocalValue text = VALUE_MISSING;
    bool prompt = command_take(call, "prompt"), page = !prompt && command_take(call, "page");
    /* A number of seconds and a text follow, each at most once, in any order. */
    while (!command_at_end(call)) {
        LocalValue value = VALUE_MISSING;
        if (!command_value(call, "seconds or a text", &value, err)) return false;
        if (value.kind == VALUE_STRING && text.kind == VALUE_UNSET) {
            text = value_ref(value);
            continue;
        }
        if (value.kind == VALUE_NUMBER && seconds < 0) {
            seconds = value.number;
            if (seconds >= 0 && isfinite(seconds)) continue;
            error_set(err, ERR_VALUE, "a pause takes a number of seconds from 0, not %.15g",
                      seconds);
        } else if (value.kind == VALUE_NUMBER) {
            error_set(err, ERR_SYNTAX, "a pause takes one number of seconds");
        } else if (value.kind == VALUE_STRING) {
            error_set(err, ERR_SYNTAX, "a pause takes one text");
        } else {
            error_set(err, ERR_TYPE, "a pause takes seconds and a text in quotes, not %s",
                      value_words(&value));
        }
        return command_error_last(call, err);
    }
    const char *words = text.kind == VALUE_STRING ? text.string->data : NULL;
    if (prompt) { /* when the script is over; it begins with what to try */
        if (!words) words = "";
        char *kept = mem_string(words, strlen(words), err);
        if (!kept) return false;
        mem_free(session->invitation);
        session->invitation = kept;
        return true;
    }
    if (host->wait && !host->wait(host, words, seconds, err)) return false;
    if (page && host->clear) host->clear(host);
    return true;
}

static bool write_transcript(Session *session, const char *name, bool forced, Error *err) {
    bool markdown = path_has_suffix(name, "md");
    if (!markdown && !session->save_document) {
        error_set(err, ERR_VALUE,
                  "a session is saved as a Markdown document, so its name ends in .md, not %s",
                  name);
        return error_hint(err, "for example: save session \"today.md\"");
    }
    if (session->interp.safe)
        return error_set(err, ERR_FILE, "%s is not written: with --safe, nothing is", name);
    if (session->interp.rehearses) return true;
    const Text *cells = &session->transcript.cells;
    LocalText path = TEXT_EMPTY, page = TEXT_EMPTY;
    char remedy[sizeof err->hint];
    snprintf(remedy, sizeof remedy, "save session \"%s\" --force replaces it", name);
    path_join(&path, session->interp.directory, name);
    text_string(&page, "# A session\n\nEach block is one entry, in the order in which they ran, "
                       "with what it showed. Saved as .md, it runs again as it stands.\n");
    text_bytes(&page, cells->data, cells->length);
    if (cells->failed) text_fail(&page);
    return text_ok(&path, err) && text_ok(&page, err) &&
           session_may_write(session, path.data, forced, remedy, err) &&
           (markdown ? file_write(path.data, page.data, page.length, err)
                     : session->save_document(path.data, page.data, page.length, err));
}

static bool save_session(Session *session, CommandCall *call, Error *err) {
    if (!command_take(call, "session")) {
        error_set(err, ERR_SYNTAX, "save as a command keeps the session");
        return error_hint(err,
                          "save session \"today.md\"; an array is saved by save(\"a.npy\", A)");
    }
    if (session_entry_changed(session)) {
        error_set(err, ERR_VALUE, "save session cannot follow a change in the same entry");
        return error_hint(err, "put save session on a line of its own");
    }
    LocalValue name = VALUE_MISSING;
    bool forced = command_take(call, "--force");
    if (!command_string(call, "the name of a file in quotes", &name, err)) return false;
    int at = call->next - 1;
    forced = command_take(call, "--force") || forced;
    if (!command_finish(call, err)) return false;
    if (!write_transcript(session, name.string->data, forced, err))
        return command_error_at(call, at, err);
    if (call->top_level && session->run_depth == 0) session->transcript.skip = true;
    return call->quiet || host_print(session->interp.host, err, "saved: %s\n", name.string->data);
}

/* clang-format off */
const CommandDef script_commands[] = {
    {{.name = "pause", .words = "page prompt", .takes = TAKES_VALUES}, pause_script, false,
     "pause [page] [SECONDS] [\"text\"]   ·   pause prompt [\"what to try\"]",
     "Waits for Enter, Space, Right or Page Down (q leaves), or for some seconds, which Enter ends "
     "early; the text says what for. pause page clears the screen afterwards. pause prompt, at the "
     "end of a script, gives the person who sits there a prompt: Enter leaves. Without a terminal "
     "it does not wait, so that a show runs unattended too.",
     "pause 0 \"next: the mask\"", "run print"},
    {{.name = "save", .words = "session", .options = "--force", .is_function = true,
      .takes = TAKES_FILE},
     save_session, false, "save session \"x.md\" [--force]",
     "Writes what was typed in this session, and what it showed, as a Markdown document that runs "
     "again: attn x.md, or run \"x.md\". Entries that ended in an error are left out. An assignment "
     "to an input that computed the result anew is written there with the attend that does the same "
     "in a document. A name that ends in .html makes a page, .ipynb a notebook of Jupyter; attn "
     "export "
     "x.md makes the same from the document, without running it. Over a file that is there and "
     "that this session has not written it asks at a prompt; --force does not ask.",
     "try: save session \"nowhere/at/all.md\"\nexcept file: print(\"there is no such folder\")\n# "
     "-> there is no such folder", "run save snapshot"},
    {.syntax = {.name = NULL}},
};
/* clang-format on */
