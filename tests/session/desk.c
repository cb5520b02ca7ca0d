#include "tests/session/desk.h"

#include "base/memory.h"
#include "io/file.h"

#include <stdio.h>
#include <stdlib.h>

static char folder[] = "/tmp/attn-desk-XXXXXX";
static bool has_folder;

/* ---- the host ---- */

static bool keep(Host *host, const char *text, size_t length, Error *err) {
    Desk *desk = host->self;
    text_bytes(&desk->shown, text, length);
    return text_ok(&desk->shown, err);
}

static void keep_note(Host *host, const char *text) {
    Desk *desk = host->self;
    text_string(&desk->notes, text);
}

Desk *desk_open(void) {
    Desk *desk = calloc(1, sizeof *desk);
    text_init(&desk->shown);
    text_init(&desk->notes);
    desk->host =
        (Host){.self = desk, .write = keep, .note = keep_note, .columns = 80, .utf8 = true};
    desk->session = session_new(&desk->host, NULL, &desk->err);
    ck_assert_msg(desk->session != NULL, "%s", desk->err.message);
    return desk;
}

void desk_close(Desk *desk) {
    session_free(desk->session);
    text_release(&desk->shown);
    text_release(&desk->notes);
    free(desk);
    if (!has_folder) return;
    char command[100];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
    has_folder = false;
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
}

void desk_folder(Desk *desk) {
    if (has_folder) return;
    ck_assert_ptr_nonnull(mkdtemp(folder));
    has_folder = true;
    desk->session->interp.directory = folder;
}

void desk_file(Desk *desk, const char *name, const char *text) {
    desk_folder(desk);
    Text path;
    text_init(&path);
    path_join(&path, folder, name);
    Error err = {.kind = ERR_NONE};
    ck_assert_msg(file_write(path.data, text, strlen(text), &err), "%s", err.message);
    text_release(&path);
}

/* ---- running ---- */

bool desk_run(Desk *desk, const char *text) {
    text_clear(&desk->shown);
    text_clear(&desk->notes);
    memset(&desk->err, 0, sizeof desk->err);
    bool ok = session_run_text(desk->session, "", text, strlen(text), &desk->err);
    Text *shown = &desk->shown;
    if (shown->length > 0 && shown->data[shown->length - 1] == '\n')
        shown->data[--shown->length] = 0;
    return ok;
}

void desk_do(Desk *desk, const char *text) {
    bool ok = desk_run(desk, text);
    ck_assert_msg(ok, "%s\nended in: %s error: %s %s", text, error_kind_word(desk->err.kind),
                  desk->err.message, desk->err.hint);
}

void desk_shows(Desk *desk, const char *text, const char *expected) {
    desk_do(desk, text);
    ck_assert_msg(strcmp(desk->shown.data, expected) == 0, "%s\nshows: %s\nnot:   %s", text,
                  desk->shown.data, expected);
}

void desk_mentions(Desk *desk, const char *text, const char *part) {
    desk_do(desk, text);
    ck_assert_msg(strstr(desk->shown.data, part) != NULL,
                  "%s\nshows: %s\nwhich does not mention: %s", text, desk->shown.data, part);
}

void desk_fails(Desk *desk, const char *text, ErrorKind kind, const char *part) {
    bool ok = desk_run(desk, text);
    const Error *err = &desk->err;
    ck_assert_msg(!ok, "%s\nruns, and shows: %s", text, desk->shown.data);
    ck_assert_msg(err->kind == kind, "%s\nends in %s error (%s), not %s", text,
                  error_kind_word(err->kind), err->message, error_kind_word(kind));
    ck_assert_msg(strstr(err->message, part) || strstr(err->hint, part),
                  "%s\nsays: %s / %s\nwhich does not mention: %s", text, err->message, err->hint,
                  part);
}

/* ---- all that can be seen ---- */

typedef struct Collected {
    const Symbol *items[1000];
    size_t count;
} Collected;

static int by_name(const void *a, const void *b) {
    return strcmp((*(const Symbol *const *)a)->name, (*(const Symbol *const *)b)->name);
}

char *desk_state(Desk *desk) {
    const Session *session = desk->session;
    Collected variables = {.count = 0};
    Text text;
    text_init(&text);
    VariableWalk walk = {.interp = &session->interp};
    for (const Symbol *symbol; (symbol = variable_next(&walk));) {
        ck_assert_uint_lt(variables.count, 1000);
        variables.items[variables.count++] = symbol;
    }
    qsort(variables.items, variables.count, sizeof *variables.items, by_name);
    for (size_t i = 0; i < variables.count; i++) {
        text_format(&text, "%s = ", variables.items[i]->name);
        value_write(&text, &variables.items[i]->value, 17, true);
        text_char(&text, '\n');
    }
    for (const SettingDef *row = setting_table; row->name; row++) {
        text_format(&text, "set %s ", row->name);
        setting_write(row, &session->bench.settings, &text);
        text_char(&text, '\n');
    }
    text_format(&text, "inputs %d", session->bench.inputs.kind);
    for (size_t i = 0; i < INPUTS_MOST; i++) {
        const Input *input = &session->bench.inputs.items[i];
        text_format(&text, " %s/%p", input->name ? input->name->name : "", (void *)input->tensor);
    }
    text_format(&text, "\nobjects");
    for (size_t i = 0; i < sizeof session->bench.objects / sizeof(Object *); i++)
        text_format(&text, " %p", (void *)session->bench.objects[i]);
    text_format(&text, "\nshown %zu digits %d\n", session->shown, session->interp.digits);
    for (size_t i = 0; i < 4; i++)
        text_format(&text, "%llx ", (unsigned long long)session->interp.random.state[i]);
    text_format(&text, "seed %llu undo %zu of %zu\n", (unsigned long long)session->interp.seed,
                session->undo.done, session->undo.count);
    char *state = text_take(&text, NULL);
    text_release(&text);
    return state;
}

void desk_fails_whole(Desk *desk, const char *text, ErrorKind kind) {
    char *before = desk_state(desk);
    desk_fails(desk, text, kind, "");
    char *after = desk_state(desk);
    ck_assert_msg(strcmp(before, after) == 0, "%s\nfails and changes the session from\n%s\nto\n%s",
                  text, before, after);
    mem_free(before);
    mem_free(after);
}
