/* compare SETTING A against B: two runs beside each other, and what lies between them. */
#include "base/memory.h"
#include "base/utf8.h"
#include "session/bench/difference.h"
#include "session/session.h"

#include <string.h>

static void pair_free(Object *object) {
    RunPair *pair = (RunPair *)object;
    for (int i = 0; i < 2; i++) {
        object_unref(pair->runs[i]);
        mem_free((void *)pair->names[i]);
    }
    mem_free(pair);
}

static size_t pair_bytes(const Object *object, const Object *other) {
    const RunPair *pair = (const RunPair *)object;
    (void)other; /* two pairs have no run in common */
    return run_bytes(pair->runs[0]) + run_bytes(pair->runs[1]);
}

static const ObjectType pair_type = {.name = "pair", .free = pair_free, .bytes = pair_bytes};

bool run_pair_need_traces(const RunPair *pair, Error *err) {
    return run_need_trace(pair->runs[0], err) && run_need_trace(pair->runs[1], err);
}

void run_pair_put_aside(const RunPair *pair) {
    run_put_aside(pair->runs[0]);
    run_put_aside(pair->runs[1]);
}

/* Finds where the first value ends and the second begins; without `against` each is one word or
 * number. */
static bool split_values(const CommandCall *call, const SettingDef *setting, int *end, int *begin,
                         Error *err) {
    int count = call->node->command.count;
    for (int i = call->next; i < count; i++) {
        const CommandArgument *argument = &call->node->command.arguments[i];
        if (argument->kind != ARGUMENT_WORD || strcmp(argument->word, "against") != 0) continue;
        *end = i;
        *begin = i + 1;
        if (*end > call->next && *begin < count) return true;
        return error_set(err, ERR_SYNTAX, "a value of %s is missing %s against", setting->name,
                         *begin < count ? "before" : "after");
    }
    *end = *begin = call->next + 1;
    if (count == *begin + 1) return true;
    error_set(err, ERR_SYNTAX, "compare takes two values of %s", setting->name);
    return error_hint(err,
                      "put against between them, for example: compare %s A against B; %s takes %s",
                      setting->name, setting->name, setting_values(setting));
}

/* Runs with one of the values: the arguments from `begin` up to `end`. */
static bool run_with(Session *session, CommandCall *call, const SettingDef *setting, int begin,
                     int end, RunPair *pair, size_t i, Error *err) {
    Node part = *call->node;
    part.command.count = end;
    CommandCall value = *call;
    value.node = &part;
    value.next = begin;
    Settings settings;
    settings_copy(&settings, &session->bench.settings);
    bool ok = setting_read(session, setting, &settings, &value, err) && command_finish(&value, err);
    if (ok) {
        Text name = TEXT_EMPTY;
        text_format(&name, "%s ", setting->name);
        setting_write_short(setting, &settings, &name);
        pair->names[i] = text_take(&name, err);
        if (pair->names[i])
            pair->runs[i] = bench_run(session, &session->bench.inputs, &settings, err);
        ok = pair->runs[i] != NULL;
        if (!ok && err->line == 0) command_error_at(call, begin, err);
    }
    settings_release(&settings);
    return ok;
}

static bool show_pair(Session *session, const RunPair *pair, Error *err) {
    size_t heads = pair->runs[0]->heads;
    Text out = TEXT_EMPTY;
    bool ok = run_pair_need_traces(pair, err) &&
              difference_write_measures(session, pair->runs, pair->names, &out, err);
    if (ok && heads != pair->runs[1]->heads) {
        utf8_wrap(&out, "The heads differ in number: their weights have no cells in common.",
                  (size_t)session->interp.host->columns);
    } else if (ok) {
        if (heads > 1) text_format(&out, "\nhead 0 of %zu\n", heads);
        else text_char(&out, '\n');
        ok = difference_write_weights(session, pair->runs, pair->names, 0, &out, err);
    }
    run_pair_put_aside(pair);
    if (ok) return host_page_text(session->interp.host, &out, err);
    text_release(&out);
    return false;
}

static bool compare(Session *session, CommandCall *call, Error *err) {
    int end, begin;
    const SettingDef *setting = setting_argument(call, err);
    if (!setting) return false;
    if (!setting->steers_attention) {
        error_set(err, ERR_VALUE, "%s changes nothing in attention", setting->name);
        error_hint(err, "help compare lists the settings that do");
        return command_error_at(call, call->next - 1, err);
    }
    if (!split_values(call, setting, &end, &begin, err) || !session_find_inputs(session, err))
        return false;
    RunPair *pair = mem_zeroed(1, sizeof *pair, err);
    if (!pair) return false;
    pair->object = (Object){.refs = 1, .type = &pair_type};
    if (!run_with(session, call, setting, call->next, end, pair, 0, err) ||
        !run_with(session, call, setting, begin, call->node->command.count, pair, 1, err)) {
        object_unref(pair);
        return false;
    }
    object_unref(session->bench.compared);
    session->bench.compared = pair;
    return call->quiet || show_pair(session, pair, err);
}

/* clang-format off */
const CommandDef compare_commands[] = {
    {{.name = "compare", .words = "against", .takes = TAKES_STEERING}, compare, true,
     "compare SETTING A against B",
     "Runs attention with two values of a setting, with everything else as it is on the bench, "
     "and shows the weights beside each other, what changed, and the Jensen-Shannon divergence of "
     "each query. The bench stays as it is. `against` may be left out when each value is one word "
     "or number. plot compare draws the two and their difference.",
     EXAMPLE_INPUTS "compare temperature 0.5 against 2\ncompare mask none causal",
     "set sweep diff"},
    {.syntax = {.name = NULL}},
};
/* clang-format on */
