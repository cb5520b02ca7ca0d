/* lens, rollout, saliency, attribute: where a prediction of the inspected run comes from. */
#include "base/memory.h"
#include "base/translate.h"
#include "library/arguments.h"
#include "model/attribution.h"
#include "model/generate.h"
#include "session/models/effects_table.h"

#include <math.h>
#include <stdio.h>

/* ---- rollout and saliency ---- */

/* A record of columns, tokens, as a list of strings, and a number for each; and as text a row for
 * each token, labelled by its position and itself. without: the answer without each token, and
 * behind these with all; a column, too; or NULL. */
static bool token_table(const Inspection *inspection, const Host *host, const Tokens *tokens,
                        const Tensor *numbers, const char *name, const Answer *without, Value *out,
                        Text *text, Error *err) {
    const char *names[] = {"token", name, "without"};
    Tensor *wide = tensor_cast((Tensor *)numbers, DTYPE_DOUBLE, err);
    Tensor *effects = without ? vector_new(tokens->length, err) : NULL;
    Value values[] = {VALUE_MISSING, value_tensor(wide), value_tensor(effects)};
    LocalMemory BarRow *rows = mem_zeroed(tokens->length, sizeof *rows, err);
    bool ok = wide && rows && (effects || !without) &&
              tokens_list(inspection->run.model->vocabulary, tokens, &values[0], err);
    for (size_t i = 0; ok && i < tokens->length; i++) {
        rows[i].value = tensor_get(numbers, i);
        if (without)
            tensor_doubles(effects)[i] = rows[i].beside =
                without[i].logit - without[tokens->length].logit;
        text_format(&rows[i].label, "%2zu ", i);
        inspection_write_token(inspection, tokens->ids[i], &rows[i].label);
    }
    bars_write(host, ok, rows, tokens->length, without ? BARS_COMPARED : BARS_SHARES, text);
    return give_record(ok, out, names, values, without ? 3 : 2, err);
}

/* Takes the position that is asked for; without one, that where the model answers, or the last. */
static const Inspection *place_of_call(Session *session, CommandCall *call, size_t *position,
                                       Error *err) {
    const Inspection *inspection = inspection_needed(session, call, err);
    if (!inspection) return NULL;
    inspection_asks(inspection, position);
    bool ok =
        read_position_argument(call, inspection, true, position, err) && command_finish(call, err);
    /* The one from before the arguments, if a function among them ablates, is out of date. */
    return ok ? session->bench.inspection : NULL;
}

/* The same, and what is measured there: question->labels is new. */
static const Inspection *question_of_call(Session *session, CommandCall *call, Question *question,
                                          size_t *position, Error *err) {
    const Inspection *inspection = place_of_call(session, call, position, err);
    bool ok = inspection && question_of_run(session, inspection, *position, question, err);
    return ok ? inspection : NULL;
}

/* Numbers for the tokens of a run: of the predicting stack, and of the source where it has some. */
typedef struct Origin {
    Tensor *own, *source;
    Answer *own_without, *source_without; /* as token_table takes it; or NULL */
} Origin;

static void origin_release(Origin *origin) {
    tensor_unref(origin->own);
    tensor_unref(origin->source);
    mem_free(origin->own_without);
    mem_free(origin->source_without);
}
#define LocalOrigin __attribute__((cleanup(origin_release))) Origin

/* Fills the table with these numbers, and ends it. */
static bool give_origin(RunTable *table, CommandCall *call, const char *name, const Origin *origin,
                        Error *err) {
    const Session *session = table->shown.session;
    const Inspection *inspection = session->bench.inspection;
    const Host *host = session->interp.host;
    const ModelRun *run = &inspection->run;
    Text *out = &table->shown.out;
    LocalValue of_source = VALUE_MISSING;
    bool ok = !origin->source || token_table(inspection, host, &run->source, origin->source, name,
                                             origin->source_without, &of_source, out, err);
    if (origin->source) text_say(out, "and of its own answer\n");
    ok = ok && token_table(inspection, host, model_run_read(run), origin->own, name,
                           origin->own_without, &table->columns, out, err);
    if (ok && origin->source) ok = record_set(table->columns.record, "source", of_source, err);
    return run_table_end(table, call, ok, err);
}

static bool rollout(Session *session, CommandCall *call, Error *err) {
    LocalOrigin origin = {.own = NULL};
    size_t position;
    const Inspection *inspection = place_of_call(session, call, &position, err);
    if (!inspection ||
        !model_run_rollout(&inspection->run, position, &origin.own, &origin.source, err))
        return false;
    RunTable table = run_table_begin(session, "rollout of", position, NULL);
    text_string(&table.shown.line,
                "(the share of each token that has come there through all layers)");
    return give_origin(&table, call, "share", &origin, err);
}

/* Measures the answer when the embedding of each of the tokens is 0; new. */
static Answer *without_each(const Inspection *inspection, const Question *question,
                            const Tokens *tokens, const char *hook, Error *err) {
    LocalMemory Intervention *changes = mem_zeroed(tokens->length, sizeof *changes, err);
    Answer *answers = mem_zeroed(tokens->length + 1, sizeof *answers, err);
    bool ok = changes && answers;
    for (size_t i = 0; ok && i < tokens->length; i++) {
        changes[i] =
            (Intervention){.kind = INTERVENE_ZERO, .head = ALL_HEADS, .place = (long long)i};
        snprintf(changes[i].hook, sizeof changes[i].hook, "%s", hook);
    }
    if (ok && model_effects(inspection->run.model, question, changes, tokens->length, answers, NULL,
                            NULL, err))
        return answers;
    mem_free(answers);
    return NULL;
}

/* The index of the number that is farthest from 0. */
static size_t largest_at(const Tensor *numbers) {
    size_t most = 0;
    for (size_t i = 1; i < numbers->count; i++)
        if (fabs(tensor_get(numbers, i)) > fabs(tensor_get(numbers, most))) most = i;
    return most;
}

static bool saliency(Session *session, CommandCall *call, Error *err) {
    LocalOrigin origin = {.own = NULL};
    Question question;
    size_t position;
    const Inspection *inspection = question_of_call(session, call, &question, &position, err);
    if (!inspection) return false;
    LocalMemory int *labels = (int *)question.labels;
    const ModelRun *run = &inspection->run;
    bool both = run->source.batch && run->target.batch;
    bool ok = model_run_saliency(run, position, labels[position], question.against, &origin.own,
                                 &origin.source, err) &&
              (origin.own_without = without_each(inspection, &question, model_run_read(run),
                                                 both ? "decoder.hook_embed" : "hook_embed", err));
    if (ok && both)
        ok = (origin.source_without = without_each(inspection, &question, &run->source,
                                                   "encoder.hook_embed", err)) != NULL;
    if (!ok) return false;
    RunTable table = run_table_begin(session, "saliency of", position, NULL);
    Text *remark = &table.shown.line;
    text_string(remark, "(gradient times input, for ");
    question_write_answer(&question, inspection, position, remark);
    text_format(
        remark,
        "; behind it how the logit changes when the token's embedding is 0. It can mislead: "
        "gradients fade where the answer is sure, and no token's "
        "embedding is 0. The test: patch \"%shook_embed\" at %zu from \"...\")",
        origin.source ? "encoder." : "", largest_at(origin.source ? origin.source : origin.own));
    return give_origin(&table, call, "saliency", &origin, err);
}

/* ---- attribute ---- */

/* The change of the answer when each head and network is switched off, nan for other parts; and the
 * part that is missing from the answer. `out` has room for that, too. */
static bool ablated_parts(const Inspection *inspection, const Question *question,
                          Attribution *attribution, double *out, Error *err) {
    const ModelConfig *config = &inspection->run.model->config;
    LocalMemory Intervention *changes = mem_zeroed(attribution->count, sizeof *changes, err);
    LocalMemory Answer *answers = mem_zeroed(attribution->count + 1, sizeof *answers, err);
    size_t count = 0;
    if (!changes || !answers) return false;
    for (size_t i = 0; i < attribution->count; i++) {
        const Part *part = &attribution->parts[i];
        if (part->kind != PART_HEAD && part->kind != PART_NETWORK) continue;
        Intervention *change = &changes[count++];
        *change = head_zero(config, part->place);
        if (part->kind == PART_HEAD) continue;
        change->head = ALL_HEADS;
        layer_hook(config, part->place, "hook_mlp_out", change->hook);
    }
    if (!model_effects(inspection->run.model, question, changes, count, answers, NULL, NULL, err))
        return false;
    attribution_complete(attribution, answers[count].logit);
    for (size_t i = 0, at = 0; i < attribution->count; i++) {
        const Part *part = &attribution->parts[i];
        bool tried = part->kind == PART_HEAD || part->kind == PART_NETWORK;
        out[i] = tried ? answers[at++].logit - answers[count].logit : NAN;
    }
    return true;
}

/* Appends "head 1 0", "mlp 1", "embedding". */
static void write_part(const ModelConfig *config, const Part *part, Text *out) {
    static const char *const words[] = {
        [PART_EMBED] = "embedding", [PART_POSITIONS] = "positions", [PART_TYPES] = "token types",
        [PART_BIAS] = "biases",     [PART_PATCHED] = "patched",     [PART_ROUNDING] = "rounding"};
    if (part->kind == PART_HEAD) {
        text_string(out, "head ");
        head_write(config, part->place, out);
    } else if (part->kind == PART_NETWORK) {
        bool both = config->kind == MODEL_ENCODER_DECODER;
        text_format(out, "mlp %s%zu", both ? "decoder " : "", part->place.layer);
    } else {
        text_string(out, words[part->kind]);
    }
}

/* A record of columns: the parts, what each gives directly, and the effect of switching it off; and
 * the measure. */
static bool attribution_columns(const ModelConfig *config, const Attribution *attribution,
                                const double *ablated, const Text *measure, Value *out,
                                Error *err) {
    const char *const names[] = {"part", "direct", "ablated", "measure"};
    size_t count = attribution->count;
    Tensor *direct = vector_new(count, err), *without = vector_new(count, err);
    Value values[] = {VALUE_MISSING, value_tensor(direct), value_tensor(without), VALUE_MISSING};
    bool ok = direct && without && value_list_new(&values[0], VALUE_LIST, count, err) &&
              text_ok(measure, err) &&
              value_string(&values[3], measure->data, measure->length, err);
    for (size_t i = 0; ok && i < count; i++) {
        LocalText name = TEXT_EMPTY;
        write_part(config, &attribution->parts[i], &name);
        tensor_doubles(direct)[i] = attribution->parts[i].logit;
        tensor_doubles(without)[i] = ablated[i];
        ok = list_take_text(values[0].list, &name, err);
    }
    return give_record(ok, out, names, values, 4, err);
}

/* Bars of the parts, the largest first; of many the small ones together. */
static bool attribution_bars(const Host *host, const ModelConfig *config,
                             const Attribution *attribution, const double *ablated, Text *out,
                             Error *err) {
    enum { SHOWN = 16 };
    size_t count = attribution->count, shown = count > SHOWN + 1 ? SHOWN : count;
    LocalMemory Ranked *ranked = mem_alloc(count * sizeof *ranked, err);
    LocalMemory BarRow *rows = mem_zeroed(shown + 1, sizeof *rows, err);
    if (!ranked || !rows) return false;
    for (size_t i = 0; i < count; i++) ranked[i] = (Ranked){attribution->parts[i].logit, i};
    rank_by_size(ranked, count);
    for (size_t i = 0; i < shown; i++) {
        const Part *part = &attribution->parts[ranked[i].index];
        rows[i].value = part->logit;
        rows[i].beside = ablated[ranked[i].index];
        if (part->kind == PART_HEAD || part->kind == PART_NETWORK)
            write_part(config, part, &rows[i].label);
        else {
            LocalText word = TEXT_FOR(out);
            write_part(config, part, &word);
            tr_write(&rows[i].label, word.data);
        }
    }
    if (shown < count) {
        rows[shown].beside = NAN;
        for (size_t i = shown; i < count; i++) rows[shown].value += ranked[i].number;
        text_say(&rows[shown].label, "%zu others", count - shown);
    }
    bars_write(host, true, rows, shown + (shown < count), BARS_COMPARED, out);
    return true;
}

static bool attribute(Session *session, CommandCall *call, Error *err) {
    Question question = {.labels = NULL};
    Attribution attribution = {.parts = NULL};
    size_t position;
    const Inspection *inspection = question_of_call(session, call, &question, &position, err);
    if (!inspection) return false;
    LocalMemory int *labels = (int *)question.labels;
    const ModelConfig *config = &inspection->run.model->config;
    LocalMemory double *ablated = NULL;
    LocalText measure = TEXT_EMPTY;
    text_string(&measure, "logit of ");
    question_write_answer(&question, inspection, position, &measure);
    RunTable table = run_table_begin(session, "attribution of", position, NULL);
    bool ok = model_attribution(&inspection->run, position, labels[position], question.against,
                                &attribution, err) &&
              (ablated = mem_alloc((attribution.count + 1) * sizeof *ablated, err)) &&
              ablated_parts(inspection, &question, &attribution, ablated, err) &&
              attribution_columns(config, &attribution, ablated, &measure, &table.columns, err) &&
              attribution_bars(session->interp.host, config, &attribution, ablated,
                               &table.shown.out, err);
    text_format(&table.shown.line,
                config->norm == NORM_NONE
                    ? "(the %s, %.3g, as a sum; behind it how the logit changes when the part is "
                      "switched off)"
                    : "(the %s, %.3g, as a sum; behind it how the logit changes when the part is "
                      "switched off. The norms are taken as they are in this run)",
                measure.data, attribution.total);
    attribution_release(&attribution);
    return run_table_end(&table, call, ok, err);
}

/* ---- lens ---- */

/* Predicts from each layer: a record of tokens, probabilities and logits, and bars of them. answer:
 * the token that is measured, whose probabilities are a column, too; or NO_TOKEN. */
static bool lens_table(const Inspection *inspection, const Host *host, Tensor *logits, int answer,
                       Value *out, Text *text, Error *err) {
    static const char *const names[] = {"token", "probability", "logits", "answer"};
    size_t rows = logits->shape.size[0], vocabulary = logits->shape.size[1];
    bool measured = answer != NO_TOKEN;
    Tensor *probabilities = vector_new(rows, err);
    Tensor *answers = measured ? vector_new(rows, err) : NULL;
    Value values[] = {VALUE_MISSING, value_tensor(probabilities), value_tensor(tensor_ref(logits)),
                      value_tensor(answers)};
    LocalMemory Candidate *all = mem_alloc(vocabulary * sizeof *all, err);
    LocalMemory BarRow *bars = mem_zeroed(rows, sizeof *bars, err);
    bool ok = probabilities && (answers || !measured) && all && bars &&
              value_list_new(&values[0], VALUE_LIST, rows, err);
    for (size_t l = 0; ok && l < rows; l++) {
        LocalText token = TEXT_EMPTY;
        if (!(ok = generate_candidates(logits, l, 1, all, err))) break;
        inspection_write_token(inspection, all->id, &token);
        tensor_doubles(probabilities)[l] = bars[l].value = all->probability;
        for (size_t i = 0; i < vocabulary; i++)
            if (all[i].id == answer) tensor_doubles(answers)[l] = all[i].probability;
        if (l == 0) text_string(&bars[l].label, tr("embedding"));
        else text_say(&bars[l].label, "layer %zu", l - 1);
        text_format(&bars[l].label, "%s%s", host->utf8 ? " → " : " > ", token.data);
        ok = list_take_text(values[0].list, &token, err);
    }
    bars_write(host, ok, bars, rows, BARS_SHARES, text);
    return give_record(ok, out, names, values, measured ? 4 : 3, err);
}

static bool lens(Session *session, CommandCall *call, Error *err) {
    Question question = {.labels = NULL};
    size_t position;
    const Inspection *inspection = question_of_call(session, call, &question, &position, err);
    if (!inspection) return false;
    LocalMemory int *labels = (int *)question.labels;
    LocalTensor *logits = model_run_lens(&inspection->run, position, err);
    if (!logits) return false;
    bool measured = session->bench.settings.answer.kind != VALUE_NONE;
    int answer = measured ? labels[position] : NO_TOKEN;
    RunTable table = run_table_begin(session, "lens of", position, NULL);
    bool ok = lens_table(inspection, session->interp.host, logits, answer, &table.columns,
                         &table.shown.out, err);
    if (ok && measured) {
        LocalText measure = TEXT_FOR(&table.shown.line), numbers = TEXT_FOR(&table.shown.line);
        question_write_answer(&question, inspection, position, &measure);
        for (size_t l = 0; l < logits->shape.size[0]; l++) {
            size_t row = l * logits->shape.size[1];
            double logit = tensor_get(logits, row + (size_t)answer);
            if (question.against != NO_TOKEN)
                logit -= tensor_get(logits, row + (size_t)question.against);
            text_format(&numbers, "%s%.3g", l ? ", " : "", logit);
        }
        text_say(&table.shown.line, "(the logit of %s, from the embedding on: %s)", measure.data,
                 numbers.data);
    }
    return run_table_end(&table, call, ok, err);
}

/* clang-format off */
const CommandDef origin_commands[] = {
    {{.name = "lens", .words = "at"}, lens, false,
     "lens [[at] PLACE]",
     "What the inspected run would predict at a place if each layer were the last: the final norm "
     "and the logits of the residual stream behind it (the logit lens). A place is "
     "counted from 0, or from the end by negative numbers, or is a token in quotes that occurs "
     "once in the run; without one it is where the model answers. "
     "last.table has tokens, probabilities and all logits; with set answer also the probability of "
     "the answer, which the picture marks.",
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
     "(of an encoder-decoder \"encoder.hook_embed\"); ablate measures heads. The second number is "
     "how the logit changes when the token's embedding is 0. set answer names the token whose "
     "logit it is.",
     EXAMPLE_INSPECTED "saliency\nlen(last.table.saliency)  # -> 3",
     "patch ablate attribute rollout lens grad"},
    {{.name = "attribute", .words = "at"}, attribute, false,
     "attribute [[at] PLACE]",
     "The logit of the answer (help answer) at a place as a sum: what the token's embedding, its "
     "position, each head, each feed-forward network and the biases add to it directly, through "
     "the residual stream (direct logit attribution, Elhage et al. 2021). The norms on the way "
     "divide by what they divide by in this run. Beside each head and network is what switching "
     "it off does, which also takes what it does through later layers. last.table has part, direct "
     "and ablated, in the order in which they are computed; patched is what a patch puts into the "
     "stream beside these parts, and rounding is what the sum loses where a patch is so large that "
     "the model's numbers lose digits. plot attribution draws them, plot attribution 2 those at a "
     "place.",
     EXAMPLE_INSPECTED "attribute\nabs(sum(last.table.direct) - max(last.logits[2])) < 1e-5  # -> True",
     "ablate patch saliency lens"},
    {.syntax = {.name = NULL}},
};
/* clang-format on */
