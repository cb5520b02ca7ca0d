#include "session/bench/attend.h"

#include "base/translate.h"
#include "base/utf8.h"
#include "engine/operators/compute.h"
#include "session/bench/measure.h"
#include "session/bench/run_words.h"
#include "session/bench/result_view.h"
#include "view/label.h"

#include <string.h>

/* ---- choosing the inputs ---- */

static bool input_named(Session *session, const char *name, Input *out, Error *err) {
    *out = (Input){.name = interp_symbol(&session->interp, name, strlen(name), err)};
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
        if (!*err->hint && near && strcmp(near, name) == 0) /* a command, which has no value */
            error_hint(err, "%s is a command: it begins a line, and spaces separate its arguments.",
                       name);
        if (!*err->hint && near && session_variable(session, near))
            error_hint(err, "did you mean %s?", near);
        if (!*err->hint) error_hint(err, "define it first, for example: %s = randn(4, 8)", name);
        return command_error_at(call, at, err);
    }
    LocalValue value = VALUE_MISSING;
    if (!command_value(call, what, &value, err)) return false;
    size_t length;
    const char *typed = command_argument_text(call, at, &length);
    *out = (Input){.tensor = value_as_tensor(&value, what, err)};
    if (length < INPUT_SAID && !memchr(typed, '\n', length)) memcpy(out->said, typed, length);
    if (!out->tensor && value.kind == VALUE_STRING) {
        bool alone = at == 0 && command_at_end(call);
        error_hint(err,
                   alone ? "write attend (embed(\"%s\", 8))"
                         : "(embed(\"%s\", 8)) has a row for each token",
                   value.string->data);
    }
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
    const Symbol *x = session->bench.inputs.items[0].name;
    bool x_is_gone = session->bench.inputs.kind == INPUTS_X && x && strcmp(x->name, "X") == 0 &&
                     !session_variable(session, "X");
    if (tokens && x_is_gone) return embedding_make(session, err);
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

/* The matrix of an input: a new reference. role: what it is called where it has no name.
 * one_query: NULL, or set to whether it is a vector, which is then the only row. */
static Tensor *input_matrix(const Input *input, const char *role, bool *one_query, Error *err) {
    const char *name = input_name(input, role);
    Tensor *matrix = NULL;
    if (input->tensor) {
        matrix = tensor_ref(input->tensor);
    } else if (input->name->value.kind == VALUE_UNSET) {
        error_set(err, ERR_NAME, "%s is not defined", name);
        error_hint(err, "define it first, for example: %s = randn(4, 8)", name);
    } else {
        matrix = value_as_tensor(&input->name->value, name, err);
    }
    if (matrix && one_query && matrix->shape.axes == 1 && matrix->count > 0) {
        Shape row = shape_2d(1, matrix->count);
        matrix = compute_reshape(matrix, &row, err);
        *one_query = true;
    }
    if (!matrix || (matrix->shape.axes == 2 && matrix->count > 0)) return matrix;

    int axes = matrix->shape.axes;
    const char *kind = axes == 1 ? "a vector of " : "";
    if (matrix->count == 0) kind = "empty: ";
    error_set(err, ERR_SHAPE, "%s must be a matrix with a row for each token, but it is %s%s", name,
              kind, shape_words(&matrix->shape));
    if (matrix->count > 0 && axes == 3)
        error_hint(
            err,
            "Attend to one sample at a time, here %s[0]; attention(Q, K, V) takes all at once.",
            name);
    tensor_unref(matrix);
    return NULL;
}

/* The inputs' matrices, with the projections that X meets, as attention takes them. Appends their
 * names and shapes: "Q 3×4 K 5×4 V 5×2", "X 3×8 from Y 5×8". Sets *one_query if the queries are a
 * vector: there are keys of their own then. */
static bool give_inputs(Session *session, const Inputs *inputs, const Settings *settings,
                        AttentionGiven *given, bool *one_query, Text *names, Error *err) {
    static const char *const roles[][INPUTS_MOST] = {
        [INPUTS_QKV] = {"Q", "K", "V"}, [INPUTS_X] = {"X", "Y"}};
    const Input *items = inputs->items;
    const char *const *role = roles[inputs->kind];
    bool qkv = inputs->kind == INPUTS_QKV;
    size_t count = 0;
    while (count < INPUTS_MOST && (items[count].name || items[count].tensor)) count++;

    AttentionSpec spec;
    Tensor *matrices[INPUTS_MOST] = {NULL}, *projections[4] = {NULL}; /* Wq, Wk, Wv and Wo */
    if (!settings_spec(settings, &spec, err)) return false;
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        matrices[i] = input_matrix(&items[i], role[i], i == 0 && count > 1 ? one_query : NULL, err);
        ok = matrices[i] != NULL;
    }
    for (size_t i = 0; ok && !qkv && i < 4; i++) {
        const Symbol *symbol = session_variable(session, projection_names[i]);
        if (!symbol) continue;
        projections[i] = value_as_tensor(&symbol->value, projection_names[i], err);
        ok = projections[i] != NULL;
    }
    AttentionWeights weights = {projections[0], projections[1], projections[2], projections[3]};
    if (ok && qkv) attention_given_init(given, &spec, matrices[0], matrices[1], matrices[2]);
    else if (ok) attention_given_init_multihead(given, &spec, &weights, matrices[0], matrices[1]);
    const char *between = "";
    for (size_t i = 0; ok && i < count; i++) {
        text_format(names, "%s%s ", between, input_name(&items[i], role[i]));
        if (i == 0 && *one_query) text_format(names, "%zu", matrices[i]->count);
        else text_string(names, shape_words(&matrices[i]->shape));
        between = qkv ? " " : " from ";
    }

    attention_spec_release(&spec);
    tensors_unref(matrices, INPUTS_MOST);
    tensors_unref(projections, 4);
    return ok;
}

Run *bench_run(Session *session, const Inputs *inputs, const Settings *settings, RunTrace trace,
               Error *err) {
    AttentionGiven given;
    LocalText names = TEXT_EMPTY, line = TEXT_EMPTY;
    bool one_query = false;
    if (!give_inputs(session, inputs, settings, &given, &one_query, &names, err)) return NULL;
    Run *run = run_new(&given, trace, err);
    if (!run) return NULL;
    run->one_query = one_query;
    run->query_name = strlen(input_name(&inputs->items[0], inputs->kind == INPUTS_QKV ? "Q" : "X"));
    settings_write_line(settings, NULL, &line);
    run->names = text_take(&names, err);
    run->settings = run->names ? text_take(&line, err) : NULL;
    const Run *head = session->bench.head;
    const AttentionGiven *now = &run->given;
    bool of_head =
        head && now->q == head->given.q && now->k == head->given.k && now->v == head->given.v;
    if (run->settings && (!of_head || run_copy_origin(run, head, err))) return run;
    object_unref(run);
    return NULL;
}

/* Runs attention over the inputs on the bench with its settings, and replaces the result and
 * `last`. */
static bool replace_run(Session *session, RunTrace trace, Error *err) {
    Bench *bench = &session->bench;
    Run *run = bench_run(session, &bench->inputs, &bench->settings, trace, err);
    if (!run) return false;
    Value last = value_object(&run->object);
    if (!session_set_variable(session, "last", &last, err)) {
        object_unref(run);
        return false;
    }
    object_unref(bench->run);
    bench->run = run;
    settings_release(&bench->ran_with);
    settings_copy(&bench->ran_with, &bench->settings);
    return true;
}

bool session_need_run(Session *session, Error *err) {
    const Bench *bench = &session->bench;
    /* A run that did not follow the settings is out of date: with them attention fails, and the
     * error of attending again says why. */
    if (bench->run && settings_steer_alike(&bench->settings, &bench->ran_with)) return true;
    return session_find_inputs(session, err) && replace_run(session, TRACE_LATER, err);
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
    return replace_run(session, call->quiet ? TRACE_LATER : TRACE_SMALL, err) &&
           (call->quiet || session_show_run(session, err));
}

bool session_show_run(Session *session, Error *err) {
    Run *run = session->bench.run;
    Printout shown = PRINTOUT(session);
    note_labels(session, run);
    embedding_note_positions(session, &session->bench.settings);
    settings_note_mask(session->interp.host, &session->bench.settings, NULL);
    run_heading_write_origin(session, run, &shown.out);
    run_heading_write(session, run, &shown.line);
    return printout_show(&shown, true, err) && show_weights(session, run, -1, err) &&
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
                 {ANSWER_WHOLE, 0, false}, {ANSWER_WHOLE, 3, false}, {ANSWER_WHOLE, 2, false},
                 {ANSWER_SHORT, 2, false}};
    RunSummary was, is;
    LocalText line = TEXT_FOR(out);
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
    return true;
}

bool session_answer(Session *session, const char *what, const char *all, bool quiet, Error *err) {
    size_t columns = session->interp.host->interactive ? session_columns(session) : SIZE_MAX;
    if (!session->bench.run) return true;
    LocalObject Run *before = object_ref(session->bench.run);
    Error misfit = {.kind = ERR_NONE};
    LocalText line = TEXT_EMPTY, text = TEXT_EMPTY;
    bool ok = true;
    if (!replace_run(session, TRACE_LATER, &misfit)) {
        /* A misfit is a note, not an error: the setting stays, the next attend is the error. */
        ok = misfit.kind == ERR_SHAPE || misfit.kind == ERR_VALUE || misfit.kind == ERR_TYPE ||
             misfit.kind == ERR_NAME;
        if (ok) {
            LocalText message = TEXT_FOR(&line);
            tr_write(&message, misfit.message); /* alone, or its words would stand for the line's */
            text_format(&line, "%s   does not fit: %s", what, message.data);
        } else *err = misfit;
        text_say_lines(&text, &line, columns);
    } else if (!quiet) {
        ok = write_answer(session, all ? all : what, before, columns, &text, err);
    }
    return ok && (quiet || session_write_text(session, true, &text, err));
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
