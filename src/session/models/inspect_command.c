/* inspect, head: a run of a model, and one of its heads on the bench. */
#include "base/memory.h"
#include "base/size.h"
#include "engine/operators/compute.h"
#include "library/arguments.h"
#include "library/generation.h"
#include "library/shipped_models.h"
#include "library/vocabulary_value.h"
#include "session/bench/attend.h"
#include "session/models/inspection.h"

#include <string.h>

/* ---- inspect ---- */

/* <begin> and what is given, or what the model writes itself, as without a call: the target of an
 * encoder-decoder. Reads the source from `reading`, whose begun tokens it replaces. */
static bool complete_target(const Transformer *model, CommandCall *call, Reading *reading,
                            Error *err) {
    GenerateOptions options;
    LocalValue answer = VALUE_MISSING;
    LocalMemory int *ids = NULL;
    size_t count = 0;
    bool own = !call || command_at_end(call) || command_next_is(call, "at");
    if (own) {
        generate_options_init(&options);
        if (!model_generate(model, reading, &options, NULL, &answer, err)) return false;
        if (answer.kind == VALUE_STRING && answer.string->length == 0) return true;
    } else if (!command_text(call, "the target", &answer, err)) {
        return false;
    }
    if (!tokens_given(model->vocabulary, model->config.vocabulary, &answer, "the target", &ids,
                      &count, err))
        return call && command_error_last(call, err);
    int begin = reading->begun.ids[0];
    bool begins = ids[0] == begin;
    /* An answer that does not end goes on where the places of one run are full. */
    if (own) count = smaller(count, model->config.max_len - !begins);
    int *all = mem_alloc((count + 1) * sizeof *all, err);
    if (!all) return false;
    all[0] = begin;
    memcpy(all + !begins, ids, count * sizeof *ids);
    mem_free((int *)reading->begun.ids);
    reading->begun = (Tokens){1, count + !begins, all, NULL, NULL};
    return true;
}

/* The name under which a model was given; "the model" for an expression. */
static char *name_of_model(const CommandCall *call, Error *err) {
    size_t length;
    const char *text = command_argument_text(call, call->next - 1, &length);
    bool word = length > 0 && length < 40;
    for (size_t i = 0; i < length; i++) word = word && text[i] != ' ' && text[i] != '(';
    return word ? mem_string(text, length, err) : mem_string("the model", 9, err);
}

Inspection *inspection_of_call(CommandCall *call, bool answers, Error *err) {
    LocalValue value = VALUE_MISSING, given = VALUE_MISSING;
    LocalReading reading = {.source = {.batch = 0}};
    if (!command_value(call, "the model", &value, err)) {
        if (err->kind != ERR_NAME || *err->hint || call->next == 0) return NULL;
        size_t length;
        const char *name = command_argument_text(call, call->next - 1, &length);
        error_hint(err,
                   "make and train it: %.*s = transformer(vocab=task(\"reverse\").vocab); train "
                   "%.*s on reverse",
                   (int)length, name, (int)length, name);
        return NULL;
    }
    Model *model = model_of(&value);
    if (!model) {
        error_set(err, ERR_TYPE, "%s takes a model, not %s", call->node->command.name,
                  value_words(&value));
        command_error_last(call, err);
        return NULL;
    }
    LocalMemory char *name = name_of_model(call, err);
    const Transformer *transformer = model_transformer(model);
    bool both = transformer->config.kind == MODEL_ENCODER_DECODER;
    if (!name || !command_text(call, "what the model is to read", &given, err)) return NULL;
    int read = call->next - 1;
    if (!reading_init(&reading, transformer, &given, err)) {
        command_error_at(call, read, err);
        return NULL;
    }
    if (!both && !command_at_end(call) && !command_next_is(call, "at")) {
        error_set(err, ERR_TYPE, "this %s reads one sequence, but two are given",
                  model_kind_names[transformer->config.kind]);
        command_error_at(call, call->next, err);
        return NULL;
    }
    if (both && answers && !complete_target(transformer, call, &reading, err)) return NULL;
    Inspection *made = inspection_new(model, name, reading.source, reading.begun, err);
    reading = (Reading){.source = {.batch = 0}}; /* the inspection's now */
    if (!made) command_error_at(call, read, err);
    if (made && read_position_argument(call, made, false, &made->asked, err)) return made;
    object_unref(made);
    return NULL;
}

Inspection *inspection_of_text(Model *model, const char *name, const Value *text, Error *err) {
    const Transformer *transformer = model_transformer(model);
    bool both = transformer->config.kind == MODEL_ENCODER_DECODER;
    Reading reading;
    if (!reading_init(&reading, transformer, text, err)) return NULL;
    if (both && !complete_target(transformer, NULL, &reading, err)) {
        reading_release(&reading);
        return NULL;
    }
    return inspection_new(model, name, reading.source, reading.begun, err);
}

static bool inspect(Session *session, CommandCall *call, Error *err) {
    enum { SHOWN = 3 };
    if (!inspection_is_free(session, err)) return false;
    Inspection *made = inspection_of_call(call, true, err);
    if (!made || !command_finish(call, err)) {
        object_unref(made);
        return false;
    }
    Value last = value_object(&made->object);
    if (!inspection_use(session, made, err) || !session_set_variable(session, "last", &last, err))
        return false;
    object_unref(session->bench.run);
    session->bench.run = NULL;
    if (call->quiet) return true;

    const ModelConfig *config = &made->run.model->config;
    const char *site = config->kind == MODEL_ENCODER_DECODER ? "cross " : "";
    const Tokens *read = model_run_read(&made->run);
    Printout shown = PRINTOUT(session);
    text_string(&shown.line, made->name);
    interventions_write_short(session->interp.host, made->run.model, &shown.line);
    size_t length = (model_has_encoder(config) ? &made->run.source : read)->length;
    text_format(&shown.line, " reads %zu token%s", length, length == 1 ? "" : "s");
    if (*site) text_format(&shown.line, " and answers with %zu", read->length);
    text_format(&shown.line, ": %zu layer%s of %zu head%s", config->layers,
                config->layers == 1 ? "" : "s", config->heads, config->heads == 1 ? "" : "s");
    printout_wrap(&shown);
    bool ok = prediction_print_asked(&shown, made, SHOWN, err);
    text_format(&shown.line, "heads shows what each looks at; head %s0 0 puts one on the bench",
                site);
    return printout_show(&shown, ok, err);
}

/* ---- head ---- */

/* The arrays of a head, in the order of a run; each may be NULL but Q, K and V. */
enum { HEAD_Q, HEAD_K, HEAD_V, ROTATED_Q, ROTATED_K, HEAD_BIAS, HEAD_VISIBLE, HEAD_ARRAYS };

/* Runs the model again for the arrays of one head: Q and K as they enter the scores (rotated, with
 * RoPE), V, the position bias, and which keys are visible, NULL if all are. New; on failure none.
 */
static bool head_arrays(const Inspection *inspection, HeadPlace place, Tensor *out[HEAD_ARRAYS],
                        Error *err) {
    static const char *const hooks[HEAD_ARRAYS] = {
        "hook_q",      "hook_k", "hook_v", "hook_rot_q", "hook_rot_k", "hook_position_bias",
        "hook_visible"};
    HookName names[HEAD_ARRAYS];
    for (int i = 0; i < HEAD_ARRAYS; i++)
        hook_of_attention(&inspection->run.model->config, place, hooks[i], names[i]);
    if (!model_run_activations(&inspection->run, names, HEAD_ARRAYS, out, err)) return false;
    bool ok = true;
    for (int i = 0; ok && i < HEAD_ARRAYS; i++) {
        const IndexItem head = {.kind = INDEX_INTEGER, .at = (long long)place.head};
        bool grid = hook_axes(names[i]).head == 1; /* (H, Tq, Tk); the others are (T, H, w) */
        if (!out[i]) continue;
        ok = tensor_replace(&out[i], grid ? compute_row(out[i], place.head, err)
                                          : compute_slice(tensor_ref(out[i]), 1, &head, err));
    }
    for (int i = HEAD_Q; ok && i <= HEAD_K; i++)
        if (out[ROTATED_Q + i]) tensor_replace(&out[i], tensor_ref(out[ROTATED_Q + i]));
    const Tensor *visible = out[HEAD_VISIBLE];
    if (ok && !memchr(tensor_bools(visible), 0, visible->count)) {
        tensor_unref(out[HEAD_VISIBLE]);
        out[HEAD_VISIBLE] = NULL;
    }
    if (!ok) tensors_unref(out, HEAD_ARRAYS);
    return ok;
}

/* The settings under which attention() on Q, K, V is what the head computed. */
static bool head_settings(Session *session, const Inspection *inspection, HeadPlace place,
                          Tensor *const arrays[HEAD_ARRAYS], Error *err) {
    static const char *const reset[] = {"temperature", "scale", "mask",
                                        "position",    "heads", "tokens"};
    Settings *settings = &session->bench.settings;
    LocalSettings changed;
    settings_copy(&changed, settings);
    for (size_t i = 0; i < sizeof reset / sizeof *reset; i++)
        setting_reset(setting_find(reset[i]), &changed);
    Value queries = inspection_query_tokens(inspection, place.site),
          keys = inspection_key_tokens(inspection, place.site);
    for (int i = HEAD_VISIBLE; i >= HEAD_BIAS; i--)
        if (arrays[i] && !mask_add(&changed.mask, &array_mask, 0, arrays[i], err)) return false;
    value_release(&changed.tokens);
    changed.tokens = value_ref(queries);
    if (queries.list != keys.list) {
        value_release(&changed.key_tokens);
        changed.key_tokens = value_ref(keys);
    }
    settings_release(settings);
    settings_copy(settings, &changed);
    session_apply_settings(session);
    return true;
}

static bool use_arrays(Session *session, Tensor *const arrays[HEAD_ARRAYS], Error *err) {
    static const char *const names[INPUTS_MOST] = {"Q", "K", "V"};
    Inputs found = {.kind = INPUTS_QKV};
    for (int i = 0; i < INPUTS_MOST; i++) {
        Value value = {.kind = VALUE_TENSOR, .tensor = arrays[HEAD_Q + i]};
        found.items[i].name = interp_symbol(&session->interp, names[i], 1, err);
        if (!found.items[i].name || !session_set_variable(session, names[i], &value, err))
            return false;
    }
    inputs_replace(&session->bench.inputs, &found);
    return true;
}

bool inspection_put_head(Session *session, HeadPlace place, Error *err) {
    const Inspection *inspection = session->bench.inspection;
    Tensor *arrays[HEAD_ARRAYS];
    if (!head_arrays(inspection, place, arrays, err)) return false;
    bool ok =
        head_settings(session, inspection, place, arrays, err) && use_arrays(session, arrays, err);
    tensors_unref(arrays, HEAD_ARRAYS);
    Bench *bench = &session->bench;
    object_unref(bench->run);
    bench->run = NULL;
    if (!ok || !session_need_run(session, err)) return false;
    LocalText what = TEXT_EMPTY, words = TEXT_FOR(&what);
    RunOrigin *origin = &bench->run->origin;
    text_string(&what, "head ");
    head_write(&inspection->run.model->config, place, &what);
    text_string(&what, " of");
    if (inspection_is_current(session, inspection)) {
        inspection_write_run(session, inspection, POSITION_NONE, &words);
        origin->what = text_take(&what, err);
        origin->name = mem_string(inspection->name, strlen(inspection->name), err);
        origin->run = text_take(&words, err);
        origin->model = object_ref(inspection->model);
        origin->parameters = tensor_ref(inspection->run.model->parameters.block);
    } else {
        inspection_write_heading(session, inspection, what.data, &words);
        origin->what = text_take(&words, err);
    }
    size_t asked;
    bool own = bench->settings.tokens.list == inspection_tokens(inspection).list;
    if (own && inspection_asks(inspection, &asked)) origin->asked = asked;
    object_unref(bench->head);
    bench->head = object_ref(bench->run);
    return origin->what && (!origin->model || (origin->name && origin->run));
}

static bool head(Session *session, CommandCall *call, Error *err) {
    HeadPlace place;
    char hook[HOOK_NAME];
    const Inspection *inspection = inspection_needed(session, call, err);
    if (!inspection || !model_head_argument(call, &inspection->run.model->config, &place, err) ||
        !command_finish(call, err) || !inspection_put_head(session, place, err))
        return false;
    if (call->quiet) return true;

    const Transformer *model = session->bench.inspection->run.model;
    hook_of_attention(&model->config, place, "hook_pattern", hook);
    Printout shown = PRINTOUT(session);
    text_string(&shown.line, "on the bench now, with its Q, K and V in float32:\n");
    if (place.site == SITE_CROSS)
        text_string(&shown.line,
                    "rows x → y: x goes into the decoder there, and y is what it says\n");
    if (interventions_touch(model->interventions, hook))
        text_string(&shown.line, "(ablate or patch changes weights of this layer: the model goes "
                                 "on with those, the bench shows what Q and K give)\n");
    return printout_show(&shown, true, err) && session_show_run(session, err);
}

/* ---- examples ---- */

static bool examples(Session *session, CommandCall *call, Error *err) {
    Printout shown = PRINTOUT(session);
    if (!command_finish(call, err)) return false;
    text_string(&shown.line, "Models that come with the program, and what to ask them:\n");
    for (const ShippedExample *row = shipped_examples; row->name; row++)
        text_format(&shown.line, "%s: %s\n  %s\n%s\n", row->name, row->what, row->ask, row->limits);
    text_string(&shown.line,
                "Then: heads, head 1 0, lens, ablate 1 0, explore heads, plot heads.\n");
    return printout_show(&shown, true, err);
}

/* clang-format off */
const CommandDef inspect_commands[] = {
    {{.name = "inspect", .words = "at", .takes = TAKES_MODELS}, inspect, false,
     "inspect MODEL \"sentence\" [\"target\"] [at PLACE]",
     "Runs a model over a sentence (or a list of tokens or class numbers) and puts the run on the "
     "bench: heads, head, lens, rollout, saliency, ablate and patch are about it. An "
     "encoder-decoder reads a source and a target; without one it takes what it answers itself, as "
     "far as it has places. "
     "The model is asked where the task asks that it was trained on last, which is said, or at a "
     "place that is named: there lens, rollout, saliency, ablate and patch look, too. "
     "last.run lists every number that was computed under the names of TransformerLens, and "
     "last.run[\"blocks.0.attn.hook_pattern\"] is one of them.",
     EXAMPLE_MODEL "inspect m \"the cat sat\"\nlast.run[\"blocks.0.attn.hook_pattern\"].shape  "
     "# -> (2, 3, 3)", "heads head lens ablate predict"},
    {{.name = "head", .words = "encoder decoder cross"}, head, false,
     "head [encoder|decoder|cross] LAYER HEAD",
     "Puts one head of the inspected run on the bench: Q, K and V as they enter the scores, in "
     "float32, the tokens, and what is hidden from the queries or added by positions as a mask. "
     "Attention on them gives the weights of the model to the last bit, and weights, trace, why, "
     "sweep, set temperature 0.5 and the rest work on it; undo takes it back. Layers and heads "
     "are counted from 0; an encoder-decoder has three kinds of attention in each layer. A row of its "
     "cross-attention, \"the → cat\", is the query where `the` goes into the decoder and `cat` is "
     "said: what it looks at is for `cat`. trace \"cat\" finds it.",
     EXAMPLE_MODEL "inspect m \"the cat sat\";\nhead 1 0\nset temperature 0.5",
     "heads inspect why trace"},
    {{.name = "examples", .words = ""}, examples, false,
     "examples",
     "The trained models that come with the program, with a line that asks each of them something, "
     "and what it cannot do.",
     "examples", "inspect heads predict"},
    {.syntax = {.name = NULL}},
};
/* clang-format on */
