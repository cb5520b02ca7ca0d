/* lens, rollout, saliency: where a prediction of the inspected run comes from. */
#include "base/memory.h"
#include "base/size.h"
#include "base/translate.h"
#include "library/arguments.h"
#include "model/generate.h"
#include "session/models/inspection.h"

#include <math.h>
#include <string.h>

/* ---- rollout and saliency ---- */

/* A record of two columns, tokens, as a list of strings, and a number for each; and as text a row
 * for each token, labelled by its position and itself. */
static bool token_table(const Inspection *inspection, const Host *host, const Tokens *tokens,
                        const Tensor *numbers, const char *name, Value *out, Text *text,
                        Error *err) {
    const char *names[] = {"token", name};
    Tensor *wide = tensor_cast((Tensor *)numbers, DTYPE_DOUBLE, err);
    Value values[] = {VALUE_MISSING, value_tensor(wide)};
    LocalMemory BarRow *rows = mem_zeroed(tokens->length, sizeof *rows, err);
    bool ok = wide && rows && inspection_token_list(inspection, tokens, &values[0], err);
    for (size_t i = 0; ok && i < tokens->length; i++) {
        rows[i].value = tensor_get(numbers, i);
        text_format(&rows[i].label, "%2zu ", i);
        inspection_write_token(inspection, tokens->ids[i], &rows[i].label);
    }
    if (ok) bars_write(host, rows, tokens->length, strcmp(name, "saliency") == 0, text);
    for (size_t i = 0; rows && i < tokens->length; i++) text_release_for(&rows[i].label, text);
    if (ok) return give_record(out, names, values, 2, err);
    value_release(&values[0]);
    value_release(&values[1]);
    return false;
}

/* Takes the position that is asked for; without one, that where the model answers, or the last. */
static const Inspection *place_of_call(Session *session, CommandCall *call, size_t *position,
                                       Error *err) {
    const Inspection *inspection = inspection_needed(session, err);
    if (!inspection) return NULL;
    inspection_asks(inspection, position);
    bool ok =
        read_position_argument(call, inspection, true, position, err) && command_finish(call, err);
    /* The one from before the arguments, if a function among them ablates, is out of date. */
    return ok ? session->bench.inspection : NULL;
}

/* Fills the table with numbers for the tokens of the predicting stack, and of the source where it
 * has some, and ends it. The tensors are taken over. */
static bool give_origin(RunTable *table, CommandCall *call, const char *name, Tensor *own,
                        Tensor *source, Error *err) {
    const Session *session = table->shown.session;
    const Inspection *inspection = session->bench.inspection;
    const Host *host = session->interp.host;
    const ModelRun *run = &inspection->run;
    Text *out = &table->shown.out;
    LocalValue of_source = VALUE_MISSING;
    bool ok =
        !source || token_table(inspection, host, &run->source, source, name, &of_source, out, err);
    if (source) text_say(out, "and of its own answer\n");
    ok = ok &&
         token_table(inspection, host, model_run_read(run), own, name, &table->columns, out, err);
    if (ok && source) ok = record_set(table->columns.record, "source", of_source, err);
    tensor_unref(own);
    tensor_unref(source);
    return run_table_end(table, call, ok, err);
}

static bool rollout(Session *session, CommandCall *call, Error *err) {
    Tensor *own, *source;
    size_t position;
    const Inspection *inspection = place_of_call(session, call, &position, err);
    if (!inspection || !model_run_rollout(&inspection->run, position, &own, &source, err))
        return false;
    RunTable table = run_table_begin(session, "rollout of", position);
    text_string(&table.shown.line,
                "(the share of each token that has come there through all layers)");
    return give_origin(&table, call, "share", own, source, err);
}

/* The index of the number that is farthest from 0. */
static size_t largest_at(const Tensor *numbers) {
    size_t most = 0;
    for (size_t i = 1; i < numbers->count; i++)
        if (fabs(tensor_get(numbers, i)) > fabs(tensor_get(numbers, most))) most = i;
    return most;
}

static bool saliency(Session *session, CommandCall *call, Error *err) {
    Tensor *own, *source;
    size_t position;
    const Inspection *inspection = place_of_call(session, call, &position, err);
    if (!inspection) return false;
    int token = inspection_predicted(inspection, position);
    if (!model_run_saliency(&inspection->run, position, token, &own, &source, err)) return false;
    RunTable table = run_table_begin(session, "saliency of", position);
    Text *remark = &table.shown.line;
    text_string(remark, "(gradient times input, for \"");
    inspection_write_token(inspection, token, remark);
    text_format(remark,
                "\". It can mislead: gradients fade where the answer is sure, and no token's "
                "embedding is 0. The test: patch \"%shook_embed\" at %zu from \"...\")",
                source ? "encoder." : "", largest_at(source ? source : own));
    return give_origin(&table, call, "saliency", own, source, err);
}

/* ---- lens ---- */

/* Predicts from each layer: a record of tokens, probabilities and logits, and bars of them. */
static bool lens_table(const Inspection *inspection, const Host *host, Tensor *logits, Value *out,
                       Text *text, Error *err) {
    static const char *const names[] = {"token", "probability", "logits"};
    size_t rows = logits->shape.size[0];
    Shape shape = shape_1d(rows);
    Value values[3] = {VALUE_MISSING, VALUE_MISSING, value_tensor(tensor_ref(logits))};
    Tensor *probabilities = tensor_zeros(DTYPE_DOUBLE, &shape, err);
    values[1] = value_tensor(probabilities);
    LocalMemory Candidate *all = mem_alloc(logits->shape.size[1] * sizeof *all, err);
    LocalMemory BarRow *bars = mem_zeroed(rows, sizeof *bars, err);
    bool ok = probabilities && all && bars && value_list_new(&values[0], VALUE_LIST, rows, err);
    for (size_t l = 0; ok && l < rows; l++) {
        LocalText token = TEXT_EMPTY;
        Value word = VALUE_MISSING;
        if (!(ok = generate_candidates(logits, l, 1, all, err))) break;
        inspection_write_token(inspection, all->id, &token);
        tensor_doubles(probabilities)[l] = bars[l].value = all->probability;
        if (l == 0) text_string(&bars[l].label, tr("embedding"));
        else text_say(&bars[l].label, "layer %zu", l - 1);
        text_format(&bars[l].label, "%s%s", host->utf8 ? " → " : " > ", token.data);
        ok = value_text(&word, &token, err) && list_append_new(values[0].list, word, err);
    }
    if (ok) bars_write(host, bars, rows, false, text);
    for (size_t l = 0; bars && l < rows; l++) text_release_for(&bars[l].label, text);
    if (ok) return give_record(out, names, values, 3, err);
    for (size_t i = 0; i < 3; i++) value_release(&values[i]);
    return false;
}

static bool lens(Session *session, CommandCall *call, Error *err) {
    size_t position;
    const Inspection *inspection = place_of_call(session, call, &position, err);
    LocalTensor *logits = inspection ? model_run_lens(&inspection->run, position, err) : NULL;
    if (!logits) return false;
    RunTable table = run_table_begin(session, "lens of", position);
    bool ok =
        lens_table(inspection, session->interp.host, logits, &table.columns, &table.shown.out, err);
    return run_table_end(&table, call, ok, err);
}

/* clang-format off */
const CommandDef origin_commands[] = {
    {{.name = "lens", .words = "at"}, lens, false,
     "lens [[at] PLACE]",
     "What the inspected run would predict at a place if each layer were the last: the final norm "
     "and the logits of the residual stream behind it (the logit lens). Places are counted from "
     "0, or from the end by negative numbers; without one it is where the model answers. "
     "last.table has tokens, probabilities and all logits.",
     EXAMPLE_INSPECTED "lens\nlast.table.logits.shape  # -> (3, 3)", "inspect rollout saliency"},
    {{.name = "rollout", .words = "at"}, rollout, false,
     "rollout [[at] PLACE]",
     "How much of each token has come to a place through all layers, if attention were all that "
     "moves it: each layer's weights, averaged over its heads, half and half with the residual "
     "stream, multiplied through (attention rollout, Abnar and Zuidema 2020). The shares come to "
     "1; of an encoder-decoder those of the source come first.",
     EXAMPLE_INSPECTED "rollout\nsum(last.table.share)  # -> 1", "inspect lens saliency"},
    {{.name = "saliency", .words = "at"}, saliency, false,
     "saliency [[at] PLACE]",
     "Gradient times input, for each token: the slope of the logit of the token that the inspected "
     "run predicts at a place, along the token's embedding. Above 0, the logit would rise if the "
     "embedding grew a little; below 0, it would fall. That does not say what the token is worth: "
     "where the answer is sure, slopes are small, and an embedding of 0 is no neutral token, so "
     "that a token on which all depends may have a small or negative number. patch "
     "\"hook_embed\" at 1 from \"...\" puts another token's embedding there and measures it "
     "(of an encoder-decoder \"encoder.hook_embed\"); ablate measures heads.",
     EXAMPLE_INSPECTED "saliency\nlen(last.table.saliency)  # -> 3", "patch ablate rollout lens grad"},
    {.syntax = {.name = NULL}},
};
/* clang-format on */
