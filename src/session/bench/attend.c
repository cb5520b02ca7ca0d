/* attend, the one-line answer to a changed setting, and the words that show a result. */
#include "base/utf8.h"
#include "session/bench/embedding.h"
#include "session/bench/run_heading.h"
#include "session/bench/result_view.h"
#include "session/explain/place.h"
#include "session/session.h"
#include "session/settings/setting_remedy.h"
#include "view/terminal/side_by_side.h"

#include <string.h>

/* ---- choosing the inputs ---- */

static bool input_named(Session *session, const char *name, Input *out, Error *err) {
    *out = (Input){interp_symbol(&session->interp, name, strlen(name), err), NULL};
    return out->name != NULL;
}

/* A name is kept, anything else is evaluated at once. */
static bool input_argument(Session *session, CommandCall *call, const char *what, Input *out,
                           Error *err) {
    int at = call->next;
    const char *name = command_take_name(call);
    if (name && session_variable(session, name)) return input_named(session, name, out, err);
    if (name) {
        /* Perhaps a setting was meant to be given in passing, as in `attend X causal`. */
        CommandCall argument = *call;
        argument.next = at;
        error_set(err, ERR_NAME, "%s is not defined", name);
        remedy_setting_argument(&argument, err);
        const char *near = interp_nearest(&session->interp, name, NULL);
        if (!*err->hint && near) error_hint(err, "did you mean %s?", near);
        if (!*err->hint) error_hint(err, "define it first, for example: %s = randn(4, 8)", name);
        return command_error_at(call, at, err);
    }
    Value value;
    if (!command_value(call, what, &value, err)) return false;
    *out = (Input){NULL, value_as_tensor(&value, what, err)};
    if (!out->tensor && value.kind == VALUE_STRING)
        error_hint(err, "write attend (embed(\"%s\", 8))", value.string->data);
    value_release(&value);
    return out->tensor || command_error_at(call, at, err);
}

static bool given_inputs(Session *session, CommandCall *call, Inputs *inputs, Error *err) {
    Input *items = inputs->items;
    *inputs = (Inputs){.kind = INPUTS_X, .named = true};
    if (!input_argument(session, call, "X", &items[0], err)) return false;
    if (command_at_end(call)) return true;
    if (command_take(call, "from")) return input_argument(session, call, "Y", &items[1], err);
    inputs->kind = INPUTS_QKV;
    return input_argument(session, call, "K", &items[1], err) &&
           input_argument(session, call, "V", &items[2], err);
}

/* True while the bench attends to X by its name, and there is no X any more. */
static bool x_is_gone(const Session *session) {
    const Inputs *inputs = &session->bench.inputs;
    return inputs->kind == INPUTS_X && inputs->items[0].name &&
           strcmp(inputs->items[0].name->name, "X") == 0 && !session_variable(session, "X");
}

/* The messages when of Q (1), K (2) and V (4) only some are there; the others may be the same. */
static const char *const lacking[][2] = {
    [1] = {"Q is there, but K and V are not", "K = Q; V = Q"},
    [2] = {"K is there, but Q and V are not", "Q = K; V = K"},
    [3] = {"Q and K are there, but V is not", "V = K"},
    [4] = {"V is there, but Q and K are not", "Q = V; K = V"},
    [5] = {"Q and V are there, but K is not", "K = Q"},
    [6] = {"K and V are there, but Q is not", "Q = K"},
};

bool session_find_inputs(Session *session, Error *err) {
    bool tokens = session->bench.settings.tokens.kind != VALUE_NONE;
    if (tokens && x_is_gone(session)) return embedding_make(session, err);
    bool gives_way = embedding_gives_way(session);
    if (session->bench.inputs.kind != INPUTS_NONE && !gives_way) return true;
    static const char *const names[INPUTS_MOST] = {"Q", "K", "V"};
    Inputs found = {.kind = INPUTS_X};
    size_t there = 0; /* of Q, K and V, by bits */
    for (size_t i = 0; i < INPUTS_MOST; i++)
        if (session_variable(session, names[i])) there |= (size_t)1 << i;
    if (there == 7) {
        found.kind = INPUTS_QKV;
        for (size_t i = 0; i < INPUTS_MOST; i++)
            if (!input_named(session, names[i], &found.items[i], err)) return false;
    } else if (session_variable(session, "X")) {
        if (!input_named(session, "X", &found.items[0], err)) return false;
    } else if (tokens) {
        return embedding_make(session, err);
    } else if (there) {
        error_set(err, ERR_NAME, "%s", lacking[there][0]);
        return error_hint(err, "for example: %s; attend", lacking[there][1]);
    } else {
        error_set(err, ERR_NAME, "there is nothing to attend to yet");
        return error_hint(err, "define X (or Q, K and V), or set tokens \"the cat sat\"; for "
                               "example: X = randn(3, 4); attend");
    }
    inputs_replace(&session->bench.inputs, &found);
    if (gives_way)
        host_note(session->interp.host, "(Q, K and V take the place of the X that attend made)\n");
    return true;
}

/* ---- running ---- */

/* Runs attention over the inputs on the bench with its settings, and replaces the result and
 * `last`. */
static bool attend_again(Session *session, Error *err) {
    Bench *bench = &session->bench;
    Run *run = bench_run(session, &bench->inputs, &bench->settings, err);
    if (!run) return false;
    Value last = value_object(&run->object);
    if (!session_set_variable(session, "last", &last, err)) {
        object_unref(run);
        return false;
    }
    object_unref(bench->run);
    bench->run = run;
    return true;
}

bool session_need_run(Session *session, Error *err) {
    if (session->bench.run) {
        /* A run that did not follow the settings is out of date: with them attention fails, and the
         * error of attending again says why. */
        Text line = TEXT_EMPTY;
        settings_write_line(&session->bench.settings, NULL, &line);
        bool current = strcmp(line.data, session->bench.run->settings) == 0;
        text_release(&line);
        if (current) return true;
    }
    return session_find_inputs(session, err) && attend_again(session, err);
}

static bool attend(Session *session, CommandCall *call, Error *err) {
    Bench *bench = &session->bench;
    if (command_at_end(call)) {
        if (!session_find_inputs(session, err)) return false;
    } else {
        Inputs inputs = {.kind = INPUTS_NONE};
        bool ok = given_inputs(session, call, &inputs, err) &&
                  (command_finish(call, err) || remedy_setting_argument(call, err));
        if (!ok) {
            inputs_release(&inputs);
            return false;
        }
        inputs_replace(&bench->inputs, &inputs);
    }
    return attend_again(session, err) && (call->quiet || session_show_run(session, err));
}

bool session_show_run(Session *session, Error *err) {
    Run *run = session->bench.run;
    Host *host = session->interp.host;
    Text heading = TEXT_EMPTY, text = TEXT_EMPTY;
    note_labels(session, run);
    embedding_note_positions(session, &session->bench.settings);
    mask_note(session, &session->bench.settings, NULL);
    run_heading_write_origin(session, run, &text);
    run_heading_write(session, run, &heading);
    utf8_wrap_lines(&text, &heading, (size_t)host->columns);
    return session_write_text(session, true, &text, err) && show_weights(session, run, -1, err) &&
           show_output(session, run, -1, err);
}

/* ---- the answer in one line ---- */

/* Appends the parts of a line, which are three spaces apart, in as few lines as they fit into; all
 * but the first are indented. */
static void wrap_parts(Text *out, const Text *line, size_t columns) {
    static const char gap[] = "   ";
    size_t width = 0; /* of the line that is being filled */
    for (const char *at = line->data, *end; *at; at = end) {
        at += strspn(at, " ");
        end = strstr(at, gap);
        if (!end) end = at + strlen(at);
        size_t part = utf8_width(at, (size_t)(end - at));
        if (width > 0 && width + strlen(gap) + part > columns) {
            text_char(out, '\n');
            width = 0;
        }
        if (out->length) width += strlen(gap);
        if (out->length) text_string(out, gap);
        text_bytes(out, at, (size_t)(end - at));
        width += part;
    }
    text_char(out, '\n');
}

/* Writes the change in one line where that fits, if need be in short; else in parts that each fit
 * into the columns. */
static bool write_answer(Session *session, const char *what, Run *before, size_t columns, Text *out,
                         Error *err) {
    /* Fewer digits are better than a second line, or than a part that is broken. */
    static const struct {
        AnswerForm form;
        int decimals;
        bool one_line;
    } tries[] = {{ANSWER_WHOLE, 0, true},  {ANSWER_SHORT, 3, true},  {ANSWER_SHORT, 2, true},
                 {ANSWER_WHOLE, 0, false}, {ANSWER_WHOLE, 3, false}, {ANSWER_WHOLE, 2, false}};
    RunSummary was, is;
    Text line = TEXT_EMPTY;
    if (!run_summary(before, &was, err) || !run_summary(session->bench.run, &is, err)) return false;
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        Exactness exactness = {session->bench.settings.digits, tries[i].decimals};
        text_clear(&line);
        text_clear(out);
        text_string(&line, what);
        run_summary_write_change(was, is, tries[i].form, exactness, &line);
        if (tries[i].one_line && utf8_width(line.data, line.length) > columns) continue;
        if (!line.failed) wrap_parts(out, &line, columns);
        if (block_width(out) <= columns) break;
    }
    text_release_for(&line, out);
    return true;
}

bool session_answer(Session *session, const char *what, bool quiet, Error *err) {
    Host *host = session->interp.host;
    size_t columns = host->interactive ? (size_t)host->columns : SIZE_MAX;
    if (!session->bench.run) return true;
    Run *before = object_ref(session->bench.run);
    Error misfit = {.kind = ERR_NONE};
    Text line = TEXT_EMPTY, text = TEXT_EMPTY;
    bool ok = true;
    if (!attend_again(session, &misfit)) {
        /* A misfit is a note, not an error: the setting stays, the next attend is the error. */
        ok = misfit.kind == ERR_SHAPE || misfit.kind == ERR_VALUE || misfit.kind == ERR_TYPE ||
             misfit.kind == ERR_NAME;
        if (ok) text_format(&line, "%s   does not fit: %s", what, misfit.message);
        else *err = misfit;
        utf8_wrap_lines(&text, &line, columns);
    } else if (!quiet) {
        ok = write_answer(session, what, before, columns, &text, err);
    }
    if (ok && !quiet) ok = session_write_text(session, true, &text, err);
    else text_release(&text);
    object_unref(before);
    return ok;
}

/* ---- the words that show a result ---- */

static const struct ResultWord {
    const char *word, *plural;
    bool (*show)(Session *session, Run *run, long head, Error *err);
} result_words[] = {{"weights", "weights", show_weights},
                    {"scores", "scores", show_scores},
                    {"output", "outputs", show_output},
                    {"entropy", "entropies", show_entropy}};

static bool show_result(Session *session, CommandCall *call, Error *err) {
    const struct ResultWord *row = result_words;
    while (strcmp(row->word, call->node->command.name) != 0) row++;
    const Value *own = command_at_end(call) ? session_variable_instead(session, row->word) : NULL;
    if (own) return session_write_value(session, own, err);
    Run *run = session->bench.run;
    if (!run) {
        error_set(err, ERR_NAME, "there are no %s yet", row->plural);
        return error_hint(err, "attend makes them, for example: X = randn(3, 4); attend");
    }
    size_t head = run->heads; /* not a head: none was given */
    if (!head_argument(call, run, &head, err) || !command_finish(call, err)) return false;
    note_labels(session, run);
    Text text = TEXT_EMPTY;
    run_heading_write_if_stale(session, run, &text);
    return session_write_text(session, true, &text, err) &&
           row->show(session, run, head < run->heads ? (long)head : -1, err);
}

/* clang-format off */
const CommandDef bench_commands[] = {
    {{.name = "attend", .words = "from", .takes = TAKES_ARRAYS, .value = "last.output"},
     attend, false,
     "attend   ·   attend Q K V   ·   attend X   ·   attend X from Y",
     "Runs attention with the settings and shows the weights with the entropy of each query, and "
     "the output. Inputs are named once and kept; without any, Q, K and V serve if all exist, "
     "else X, else X is made from the tokens, until Q, K and V have all been assigned after it. "
     "Q may be one query, a vector: attend q K V. With X, the projections Wq, Wk, Wv and Wo are used where they exist. The result is in "
     "last.weights, last.scores, last.entropy and last.output; weights and scores of large inputs "
     "are computed when they are read.",
     "Q = [1, 0; 0, 1]; K = Q; V = [1, 2; 3, 4];\nattend Q K V\nq = [0.5, 1]\nattend q K V",
     "set weights plot attention"},
    {{.name = "weights", .words = "head", .shows = true, .value = "last.weights"},
     show_result, false, "weights [head h]",
     "Shows the weights of the last attend: a row for each query, a column for each key, the "
     "entropy beside each row.",
     EXAMPLE_INPUTS "weights", "attend scores entropy"},
    {{.name = "scores", .words = "head", .shows = true, .value = "last.scores"}, show_result, false,
     "scores [head h]",
     "Shows the scores of the last attend: scaled products with the position term, before mask "
     "and temperature.",
     EXAMPLE_INPUTS "scores", "attend weights"},
    {{.name = "output", .words = "", .shows = true, .value = "last.output"}, show_result, false,
     "output",
     "Shows the output of the last attend: a row for each query, the sum of the values by their "
     "weights.",
     EXAMPLE_INPUTS "output", "attend weights"},
    {{.name = "entropy", .words = "", .shows = true, .is_function = true}, show_result, false,
     "entropy",
     "Shows how spread out each query's weights are, in nats, beside the most that is possible: "
     "the logarithm of the number of keys that it sees.",
     EXAMPLE_INPUTS "entropy", "attend weights"},
    {.syntax = {.name = NULL}},
};
/* clang-format on */
