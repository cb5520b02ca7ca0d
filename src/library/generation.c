#include "library/generation.h"

#include "base/memory.h"
#include "base/size.h"
#include "library/arguments.h"
#include "library/vocabulary_value.h"

#include <string.h>

/* ---- what it reads ---- */

void reading_release(Reading *reading) {
    mem_free((int *)reading->source.ids);
    mem_free((int *)reading->begun.ids);
    *reading = (Reading){.source = {.batch = 0}};
}

bool reading_init(Reading *reading, const Transformer *model, const Value *prompt, Error *err) {
    const Vocabulary *vocabulary = model->vocabulary;
    const ModelKind kind = model->config.kind;
    int *ids, begin = vocabulary ? vocabulary->begin : NO_TOKEN;
    size_t count;
    *reading = (Reading){.source = {.batch = 0}};
    if (model->config.inputs) {
        error_set(err, ERR_TYPE, "this model reads vectors, not tokens");
        return error_hint(err, "m(X) gives its logits, activations(m, X) all that it computes.");
    }
    if (kind == MODEL_ENCODER_DECODER && begin == NO_TOKEN) {
        error_set(err, ERR_VALUE, "the model has no token <begin>, with which an answer begins");
        return error_hint(err, "Make it with vocab=t.vocab of a task, or call m(source, target).");
    }
    if (!tokens_given(vocabulary, model->config.vocabulary, prompt, "the prompt", &ids, &count,
                      err))
        return false;
    Tokens *first = kind == MODEL_DECODER ? &reading->begun : &reading->source;
    bool ok = true;
    *first = (Tokens){1, count, ids, NULL, NULL};
    bool beside = model->asked_at == ASKED_BESIDE || model->asked_at == ASKED_REPEAT;
    bool is_text = prompt->kind == VALUE_STRING && !beside;
    int separator = vocabulary && is_text ? vocabulary->separator : NO_TOKEN;
    bool separated = separator == NO_TOKEN;
    for (size_t i = 0; !separated && i < count; i++) separated = ids[i] == separator;
    if (kind == MODEL_DECODER && !separated) {
        int *longer = mem_resize(ids, (count + 1) * sizeof *ids, err);
        ok = longer != NULL;
        if (ok) {
            longer[count] = separator;
            *first = (Tokens){1, count + 1, longer, NULL, NULL};
        }
    } else if (kind == MODEL_ENCODER_DECODER) {
        int *one = mem_alloc(sizeof *one, err);
        ok = one != NULL;
        if (ok) {
            *one = begin;
            reading->begun = (Tokens){1, 1, one, NULL, NULL};
        }
    }
    if (!ok) reading_release(reading);
    return ok;
}

static const Tokens *given(const Tokens *tokens) { return tokens->batch ? tokens : NULL; }

/* True if the token at a position occurs before, with the same token after it if it has one. */
static bool is_repeated(const Tokens *read, size_t place) {
    const int *ids = read->ids;
    for (size_t i = 0; i < place; i++)
        if (ids[i] == ids[place] && (place + 1 == read->length || ids[i + 1] == ids[place + 1]))
            return true;
    return false;
}

bool model_asks(const Transformer *model, const Reading *reading, size_t *place) {
    bool decodes = model_has_decoder(&model->config);
    const Tokens *read = decodes ? &reading->begun : &reading->source;
    int ask = model->vocabulary ? model->vocabulary->ask : NO_TOKEN;
    size_t last = *place = read->length - 1;
    switch (model->asked_at) {
    case ASKED_FIRST: *place = 0; return true;
    case ASKED_CENTRE: *place = read->length / 2; return true;
    case ASKED_REPEAT:
        last = smaller(last, model->asked_places - 1);
        for (size_t i = last + 1; i-- > 0;)
            if (is_repeated(read, i)) {
                *place = i;
                break;
            }
        return true;
    case ASKED_BESIDE:
    case ASKED_USUALLY: break;
    }
    for (size_t i = 0; !decodes && ask != NO_TOKEN && i < read->length; i++)
        if (read->ids[i] == ask) {
            *place = i;
            return true;
        }
    return decodes;
}

/* ---- what it writes ---- */

/* Takes the blank at the beginning away that the prompt has at its end already. */
static bool drop_blank(const Transformer *model, const Value *prompt, Value *text, Error *err) {
    const Vocabulary *vocabulary = model->vocabulary;
    if (prompt->kind != VALUE_STRING || text->kind != VALUE_STRING || text->string->length == 0 ||
        *text->string->data != ' ' ||
        read_length(vocabulary, prompt->string) == prompt->string->length)
        return true;
    Value whole = *text;
    bool ok = value_string(text, whole.string->data + 1, whole.string->length - 1, err);
    value_release(&whole);
    return ok;
}

bool model_generate(const Transformer *model, const Reading *reading, GenerateOptions *options,
                    Random *random, Value *text, Error *err) {
    const Vocabulary *vocabulary = model->vocabulary;
    Generated written;
    if (!model_has_decoder(&model->config)) {
        error_set(err, ERR_VALUE, "an encoder does not write: it answers at each place");
        return error_hint(err, "m(tokens) has its logits, predict m \"...\" its answers.");
    }
    options->end = vocabulary ? vocabulary->end : NO_TOKEN;
    if (!generate(model, given(&reading->source), given(&reading->begun), options, random, &written,
                  err))
        return false;
    size_t count = written.count - (written.stop == STOP_END);
    bool ok = give_tokens(vocabulary, written.ids, count, text, err);
    generated_release(&written);
    return ok;
}

static bool call_generate(const Call *call, Value *out, Error *err) {
    enum { MODEL, PROMPT, MAX, TEMPERATURE, TOP_K, TOP_P, BEAM, SEED, FREQUENCY_PENALTY };
    Random own, *random = random_at(call, SEED, &own);
    GenerateOptions options;
    LocalReading reading = {.source = {.batch = 0}};
    Model *model = model_at(call, MODEL, err);
    if (!model) return false;
    generate_options_init(&options);
    if (!size_at(call, MAX, "max", &options.max_tokens, err) ||
        !size_at(call, TOP_K, "top_k", &options.top_k, err) ||
        !size_at(call, BEAM, "beam", &options.beam, err))
        return false;
    options.temperature = number_at(call, TEMPERATURE);
    options.top_p = number_at(call, TOP_P);
    options.frequency_penalty = number_at(call, FREQUENCY_PENALTY);
    const Transformer *transformer = model_transformer(model);
    bool ok = generate_options_check(&options, err) &&
              reading_init(&reading, transformer, &call->arguments[PROMPT], err) &&
              model_generate(transformer, &reading, &options, random, out, err) &&
              drop_blank(transformer, &call->arguments[PROMPT], out, err);
    if (!ok) return false;

    /* Options of drawing do nothing where nothing is drawn. Remarks are made once in a session. */
    Interp *interp = call->interp;
    const bool seeded = random == &own;
    const char *option = options.top_k ? "top_k" : options.top_p < 1 ? "top_p" : "seed";
    if (options.temperature == 0 && options.beam == 1 &&
        (options.top_k || options.top_p < 1 || seeded) &&
        interp_first_in_session(interp, "nothing is drawn"))
        host_note(interp->host,
                  "(at temperature 0 nothing is drawn, so %s changes nothing: temperature=1 "
                  "draws)\n",
                  option);
    static const char part[] = "\xEF\xBF\xBD"; /* UTF8_REPLACEMENT */
    if (out->kind == VALUE_STRING && strstr(out->string->data, part) && interp->notes &&
        interp_first_in_session(interp, "part of a character"))
        host_note(interp->host,
                  "(%s is a token that is only part of a character, and no other completes it)\n",
                  part);
    return true;
}

#define GROUP "models"

const BuiltinDef generation_table[] = {
    {BUILTIN("generate", call_generate),
     .parameters = "m:any prompt:any max:whole=40 temperature:number=0 top_k:whole=0 "
                   "top_p:number=1 beam:whole=1 seed:whole?=None frequency_penalty:number=0",
     .summary =
         "What a model writes, at most max tokens: a decoder goes on behind the prompt (where its "
         "tokens have a separator, <sep> is added behind a text, but not behind a list of tokens, "
         "nor where the model was trained on a task whose answers are beside its text), an "
         "encoder-decoder answers it. At temperature 0 each token is the likeliest; above, it is "
         "drawn from softmax(logits / temperature), from the top_k likeliest, or from the fewest "
         "whose probabilities come to top_p. beam=n keeps the n likeliest answers and gives the "
         "best. A frequency_penalty is taken off a token's logit once for each time that it was "
         "written before (the prompt does not count), so that a text that goes in circles goes on. "
         "Keys and values of what was read are kept, so each token costs one row; where a "
         "decoder's max_len places are full, it forgets the older half and goes on. The result is "
         "text, or an array of class numbers where the model has no tokens.",
     .example = "m = transformer(\"decoder\", vocab=5, d_model=8, heads=2, layers=1, d_ff=8)\n"
                "generate(m, [1, 2], max=3).shape\n# -> (3,)\n"
                "x = generate(m, [1, 2], max=10, frequency_penalty=1000)\n"
                "sorted([int(sum(x == i)) for i in range(5)])\n# -> [2, 2, 2, 2, 2]",
     .see = "train transformer"},
    {0},
};
