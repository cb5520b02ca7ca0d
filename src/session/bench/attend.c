/* attend, the one-line answer to a turned knob, and the words that show a result. */
#include "base/number.h"
#include "base/utf8.h"
#include "session/explain/place.h"
#include "session/bench/result_view.h"
#include "session/session.h"
#include "session/settings/setting_remedy.h"

#include <math.h>
#include <string.h>

/* ---- choosing the inputs ---- */

static const Symbol *variable(const Session *session, const char *name) {
    const Symbol *symbol = interp_find(&session->interp, name);
    return symbol && symbol->value.kind != VALUE_UNSET ? symbol : NULL;
}

static bool named(Session *session, const char *name, Input *out, Error *err) {
    *out = (Input){interp_symbol(&session->interp, name, strlen(name), err), NULL};
    return out->name != NULL;
}

/* The name that was taken last: it may be a setting's that was to be given in passing, as in
 * `attend X causal`. */
static bool unknown_input(Session *session, const CommandCall *call, const char *name, Error *err) {
    CommandCall at = *call;
    at.next--;
    error_set(err, ERR_NAME, "%s is not defined", name);
    remedy_setting_argument(&at, err);
    const char *near = interp_nearest(&session->interp, name, NULL);
    if (!*err->hint && near) error_hint(err, "did you mean %s?", near);
    if (!*err->hint) error_hint(err, "define it first, for example: %s = randn(4, 8)", name);
    return command_error_at(call, at.next, err);
}

/* A name is kept, anything else is evaluated at once. */
static bool input_argument(Session *session, CommandCall *call, const char *what, Input *out,
                           Error *err) {
    const char *name = command_take_name(call);
    if (name)
        return variable(session, name) ? named(session, name, out, err)
                                       : unknown_input(session, call, name, err);
    Value value;
    if (!command_value(call, what, &value, err)) return false;
    *out = (Input){NULL, value_as_tensor(&value, what, err)};
    if (!out->tensor && value.kind == VALUE_STRING)
        error_hint(err, "write attend (embed(\"%s\", 8))", value.string->data);
    value_release(&value);
    return out->tensor || command_error_at(call, call->next - 1, err);
}

static bool given_inputs(Session *session, CommandCall *call, Inputs *inputs, Error *err) {
    *inputs = (Inputs){.kind = INPUTS_X};
    if (!input_argument(session, call, "X", &inputs->x, err)) return false;
    if (command_at_end(call)) return true;
    if (command_take(call, "from")) return input_argument(session, call, "Y", &inputs->y, err);
    inputs->kind = INPUTS_QKV;
    inputs->q = inputs->x;
    inputs->x = (Input){NULL, NULL};
    return input_argument(session, call, "K", &inputs->k, err) &&
           input_argument(session, call, "V", &inputs->v, err);
}

/* X = embed(tokens, 8), as a person would type it. */
static bool embed_tokens(Session *session, Error *err) {
    const Symbol *embed = interp_find(&session->interp, "embed");
    Value builtin = {.kind = VALUE_BUILTIN, .builtin = embed->builtin};
    Value arguments[] = {session->bench.settings.tokens, value_number(8)}, x = VALUE_MISSING;
    Symbol *symbol = interp_symbol(&session->interp, "X", 1, err);
    bool ok = symbol && interp_call(&session->interp, &builtin, arguments, 2, &x, err) &&
              interp_set(&session->interp, symbol, x, err);
    value_release(&x);
    if (ok) host_note(session->interp.host, "(X = embed(tokens, 8): a vector for each token)\n");
    return ok;
}

static bool found_inputs(Session *session, Inputs *inputs, Error *err) {
    *inputs = (Inputs){.kind = INPUTS_QKV};
    if (variable(session, "Q") && variable(session, "K") && variable(session, "V"))
        return named(session, "Q", &inputs->q, err) && named(session, "K", &inputs->k, err) &&
               named(session, "V", &inputs->v, err);
    inputs->kind = INPUTS_X;
    if (!variable(session, "X") && session->bench.settings.tokens.kind == VALUE_NONE) {
        error_set(err, ERR_NAME, "there is nothing to attend to yet");
        return error_hint(err, "define X (or Q, K and V), or set tokens \"the cat sat\"; for "
                               "example: X = randn(3, 4); attend");
    }
    return (variable(session, "X") || embed_tokens(session, err)) &&
           named(session, "X", &inputs->x, err);
}

bool session_find_inputs(Session *session, Error *err) {
    Inputs inputs;
    if (session->bench.inputs.kind != INPUTS_NONE) return true;
    if (!found_inputs(session, &inputs, err)) return inputs_release(&inputs), false;
    session->bench.inputs = inputs;
    return true;
}

/* ---- running ---- */

/* Attends to the inputs on the bench with the settings of now: replaces session->bench.run and
 * `last`. */
static bool attend_again(Session *session, Error *err) {
    Run *run = bench_run(session, &session->bench.inputs, &session->bench.settings, err);
    if (!run) return false;
    Symbol *last = interp_symbol(&session->interp, "last", 4, err);
    Value value = {.kind = VALUE_OBJECT, .object = &run->object};
    if (!last || !interp_set(&session->interp, last, value, err)) return run_unref(run), false;
    run_unref(session->bench.run);
    session->bench.run = run;
    return true;
}

/* A run that is older than the settings could not follow them: attend says why. */
static bool run_is_current(const Session *session) {
    Text line;
    text_init(&line);
    settings_write_line(&session->bench.settings, &line);
    bool current = strcmp(line.data, session->bench.run->settings) == 0;
    text_release(&line);
    return current;
}

bool session_need_run(Session *session, Error *err) {
    return (session->bench.run && run_is_current(session)) ||
           (session_find_inputs(session, err) && attend_again(session, err));
}

static bool show_run(Session *session, Error *err) {
    note_labels(session, session->bench.run);
    return show_heading(session, session->bench.run, err) &&
           show_weights(session, session->bench.run, -1, err) &&
           show_output(session, session->bench.run, err);
}

static bool attend(Session *session, CommandCall *call, Error *err) {
    Inputs inputs = {.kind = INPUTS_NONE};
    if (command_at_end(call)) {
        if (!session_find_inputs(session, err)) return false;
    } else {
        bool ok = given_inputs(session, call, &inputs, err) &&
                  (command_finish(call, err) || remedy_setting_argument(call, err));
        if (!ok) return inputs_release(&inputs), false;
        inputs_release(&session->bench.inputs);
        session->bench.inputs = inputs;
    }
    return attend_again(session, err) && (call->quiet || show_run(session, err));
}

/* ---- the answer in one line ---- */

/* How exactly an answer is written: with the digits of the setting, or (decimals > 0) with so many
 * decimals. */
typedef struct Exactness {
    int digits, decimals;
} Exactness;

static void write_number(Text *text, double x, Exactness exactness) {
    double unit = pow(10, exactness.decimals);
    if (exactness.decimals == 0) number_write(text, x, exactness.digits);
    else if (x != 0 && fabs(x) * unit < 1) number_write(text, x, 1); /* small is not nothing */
    else number_write_shortest(text, round(x * unit) / unit, false);
}

static void write_change(Text *text, const char *what, double before, double after,
                         Exactness exactness) {
    text_format(text, "   %s ", what);
    write_number(text, before, exactness);
    text_string(text, " → ");
    write_number(text, after, exactness);
}

static void write_answer(Text *text, const char *what, RunSummary before, RunSummary after,
                         Exactness exactness) {
    text_clear(text);
    text_string(text, what);
    write_change(text, "mean entropy", before.entropy, after.entropy, exactness);
    text_string(text, " of ");
    write_number(text, after.ceiling, exactness);
    write_change(text, "max weight", before.max_weight, after.max_weight, exactness);
    if (after.empty_rows)
        text_format(text, "   %zu row%s no key", after.empty_rows,
                    after.empty_rows == 1 ? " sees" : "s see");
}

/* Less exactly before a person's window breaks the line. */
static void write_fitting_answer(Session *session, const char *what, RunSummary before,
                                 RunSummary after, Text *text) {
    const Host *host = session->interp.host;
    size_t columns = host->interactive ? (size_t)host->columns : SIZE_MAX;
    Exactness exactness = {session->bench.settings.digits, 0};
    Text line;
    text_init(&line);
    write_answer(&line, what, before, after, exactness);
    for (exactness.decimals = 3;
         utf8_width(line.data, line.length) > columns && exactness.decimals >= 2;
         exactness.decimals--)
        write_answer(&line, what, before, after, exactness);
    utf8_wrap_lines(text, &line, columns);
}

/* What does not fit is said, not raised: the setting stays, the next attend is the error. */
static bool answer_misfit(Session *session, const char *what, bool quiet, const Error *misfit,
                          Error *err) {
    bool stays = misfit->kind == ERR_SHAPE || misfit->kind == ERR_VALUE ||
                 misfit->kind == ERR_TYPE || misfit->kind == ERR_NAME;
    if (!stays) return *err = *misfit, false;
    if (quiet) return true;
    Host *host = session->interp.host;
    Text line, text;
    text_init(&line);
    text_init(&text);
    text_format(&line, "%s   does not fit: %s", what, misfit->message);
    utf8_wrap_lines(&text, &line, host->interactive ? (size_t)host->columns : SIZE_MAX);
    return host_write_text(host, &text, err);
}

static bool show_answer(Session *session, const char *what, Run *run, Error *err) {
    RunSummary before, after;
    Text text;
    if (!run_summary(run, &before, err) || !run_summary(session->bench.run, &after, err))
        return false;
    text_init(&text);
    write_fitting_answer(session, what, before, after, &text);
    return host_write_text(session->interp.host, &text, err);
}

bool session_answer(Session *session, const char *what, bool quiet, Error *err) {
    if (!session->bench.run) return true;
    Run *before = run_ref(session->bench.run);
    Error misfit = {.kind = ERR_NONE};
    bool fits = attend_again(session, &misfit);
    bool ok = !fits ? answer_misfit(session, what, quiet, &misfit, err)
                    : quiet || show_answer(session, what, before, err);
    run_unref(before);
    return ok;
}

/* ---- the words that show a result ---- */

static bool show_word(Session *session, CommandCall *call, Error *err) {
    const char *word = call->node->command.name;
    const Value *variable_value =
        command_at_end(call) ? session_variable_instead(session, word) : NULL;
    if (variable_value) return session_write_value(session, variable_value, err);
    if (!session->bench.run) {
        error_set(err, ERR_NAME, "there are no %s yet",
                  strcmp(word, "output") == 0    ? "outputs"
                  : strcmp(word, "entropy") == 0 ? "entropies"
                                                 : word);
        return error_hint(err, "attend makes them, for example: X = randn(3, 4); attend");
    }
    size_t given = session->bench.run->heads; /* none */
    if (!head_argument(call, session->bench.run, &given, err) || !command_finish(call, err))
        return false;
    long head = given < session->bench.run->heads ? (long)given : -1;
    note_labels(session, session->bench.run);
    switch (*word) {
    case 'w': return show_weights(session, session->bench.run, head, err);
    case 's': return show_scores(session, session->bench.run, head, err);
    case 'e': return show_entropy(session, session->bench.run, err);
    default: return show_output(session, session->bench.run, err);
    }
}

#define EXAMPLE_INPUTS "Q = [1, 0; 0, 1]; K = Q; V = [1, 2; 3, 4];\nattend Q K V;\n"

const CommandDef bench_commands[] = {
    {{.name = "attend", .words = "from", .takes = TAKES_ARRAYS},
     attend,
     false,
     "attend   ·   attend Q K V   ·   attend X   ·   attend X from Y",
     "Runs attention with the settings and shows the weights with the entropy of each query, and "
     "the output. Inputs are named once "
     "and kept; without any, Q, K and V serve if all exist, else X, else X is made from the "
     "tokens. With X, the projections Wq, Wk, Wv and Wo are used where they exist. "
     "The result is in last.weights, last.scores, last.entropy and last.output; weights and scores "
     "of large inputs are computed when they are read.",
     "Q = [1, 0; 0, 1]; K = Q; V = [1, 2; 3, 4];\nattend Q K V",
     "set weights plot attention"},
    {{.name = "weights", .words = "head", .shows = true, .value = "last.weights"},
     show_word,
     false,
     "weights [head h]",
     "Shows the weights of the last attend: a row for each query, a column for each key, the "
     "entropy beside each row.",
     EXAMPLE_INPUTS "weights",
     "attend scores entropy"},
    {{.name = "scores", .words = "head", .shows = true, .value = "last.scores"},
     show_word,
     false,
     "scores [head h]",
     "Shows the scores of the last attend: scaled products with the position term, before mask and "
     "temperature.",
     EXAMPLE_INPUTS "scores",
     "attend weights"},
    {{.name = "output", .words = "", .shows = true, .value = "last.output"},
     show_word,
     false,
     "output",
     "Shows the output of the last attend: a row for each query, the sum of the values by their "
     "weights.",
     EXAMPLE_INPUTS "output",
     "attend weights"},
    {{.name = "entropy", .words = "", .shows = true, .is_function = true},
     show_word,
     false,
     "entropy",
     "Shows how spread out each query's weights are, in nats, beside the most that is possible: "
     "the logarithm of the number of keys that it sees.",
     EXAMPLE_INPUTS "entropy",
     "attend weights"},
    {.syntax = {.name = NULL}},
};
