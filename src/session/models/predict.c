/* predict MODEL "text": the likeliest next tokens as bars. */
#include "base/memory.h"
#include "base/size.h"
#include "base/utf8.h"
#include "library/generation.h"
#include "model/vocabulary.h"
#include "session/session.h"

#include <stdio.h>
#include <string.h>

enum { NEXT_SHOWN = 8, ANSWERS_SHOWN = 3, BAR_MOST = 40, LABEL_MOST = 16, PERCENT_WIDTH = 7 };

static void write_token(const Transformer *model, int id, Text *out) {
    if (model->vocabulary) vocabulary_show(model->vocabulary, id, out);
    else text_format(out, "%d", id);
}

/* "on      ████████  62.1%" */
static void write_bar(const Host *host, const Text *label, size_t label_width, double probability,
                      Text *out) {
    size_t room = left_of((size_t)host->columns, label_width + 2 + PERCENT_WIDTH);
    size_t width = smaller(room, BAR_MOST);
    size_t filled = (size_t)(probability * (double)width + 0.5);
    char percent[16];
    snprintf(percent, sizeof percent, "%.1f%%", 100 * probability);
    utf8_pad(out, label->data, label->length, label_width, false);
    text_string(out, "  ");
    for (size_t i = 0; i < filled; i++) text_string(out, host->utf8 ? "█" : "#");
    text_repeat(out, ' ', width - filled);
    utf8_pad(out, percent, strlen(percent), PERCENT_WIDTH, true);
    text_char(out, '\n');
}

/* A bar for each of the candidates; an encoder's stand beside the tokens that they answer. */
static void write_candidates(const Host *host, const Transformer *model, const Tokens *answered,
                             const Candidate *candidates, size_t count, Text *out) {
    Text label = TEXT_EMPTY;
    size_t width = 1;
    for (int pass = 0; pass < 2; pass++) /* the first finds out how wide the labels are */
        for (size_t i = 0; i < count; i++) {
            text_clear(&label);
            if (answered) {
                write_token(model, answered->ids[i], &label);
                text_string(&label, host->utf8 ? " → " : " > ");
            }
            write_token(model, candidates[i].id, &label);
            if (pass) write_bar(host, &label, width, candidates[i].probability, out);
            else width = larger(width, smaller(LABEL_MOST, utf8_width(label.data, label.length)));
        }
    text_release_for(&label, out);
}

/* True where an answer begins behind what was read: a decoder has read the separator. */
static bool begins_answer(const Transformer *model, const Tokens *begun) {
    if (!model_has_decoder(&model->config) || !model->vocabulary) return false;
    int first = model->config.kind == MODEL_DECODER ? model->vocabulary->separator
                                                    : model->vocabulary->begin;
    return first != NO_TOKEN && begun->ids[begun->length - 1] == first;
}

/* "answer: dcba", where one begins; cut to the columns. */
static bool write_answer(const Transformer *model, const Reading *reading, size_t columns,
                         Text *out, Error *err) {
    GenerateOptions options;
    Value answer;
    if (!begins_answer(model, &reading->begun)) return true;
    generate_options_init(&options);
    if (!model_generate(model, reading, &options, NULL, &answer, err)) return false;
    Text line = TEXT_EMPTY;
    text_format(&line, "answer: %s", answer.string->data);
    size_t width = smaller(columns, utf8_width(line.data, line.length));
    utf8_pad(out, line.data, line.length, width, false);
    text_char(out, '\n');
    text_release_for(&line, out);
    value_release(&answer);
    return true;
}

static bool predict(Session *session, CommandCall *call, Error *err) {
    const Host *host = session->interp.host;
    Value value = VALUE_MISSING, prompt = VALUE_MISSING;
    Reading reading = {.source = {.batch = 0}};
    Candidate *candidates = NULL;
    size_t rows;
    Text text = TEXT_EMPTY;
    if (!command_value(call, "the model", &value, err)) return false;
    const Model *model = model_of(&value);
    if (!model) {
        error_set(err, ERR_TYPE, "predict takes a model, not %s", value_words(&value));
        command_error_at(call, call->next - 1, err);
    }
    bool ok = model && command_value(call, "what the model is to read", &prompt, err) &&
              command_finish(call, err);
    if (ok) {
        const Transformer *transformer = model_transformer(model);
        const ModelConfig *config = &transformer->config;
        size_t place, most = 1;
        ok = reading_init(&reading, transformer, &prompt, err);
        bool asks = ok && model_asks(transformer, &reading, &place);
        size_t shown = model_has_decoder(config) ? NEXT_SHOWN : ANSWERS_SHOWN;
        if (asks) most = smaller(shown, config->vocabulary);
        ok = (ok && model_candidates(transformer, &reading, most, &candidates, &rows, err)) ||
             command_error_at(call, call->next - 1, err);
        if (ok) {
            const Tokens *answered = asks ? NULL : &reading.source;
            write_candidates(host, transformer, answered, candidates, rows * most, &text);
            ok = write_answer(transformer, &reading, (size_t)host->columns, &text, err);
        }
    }
    mem_free(candidates);
    reading_release(&reading);
    value_release(&prompt);
    value_release(&value);
    return session_write_text(session, ok, &text, err);
}

/* clang-format off */
const CommandDef predict_commands[] = {
    {{.name = "predict", .words = "", .takes = TAKES_MODELS}, predict, false,
     "predict MODEL \"text\"",
     "The likeliest next tokens of a model with their probabilities as bars: behind the text where "
     "a decoder goes on, at the beginning of its answer for an encoder-decoder, with the whole "
     "answer below; for an encoder, where its task asks, or the likeliest answer at each place. The "
     "text may be a list of "
     "tokens or class numbers, too.",
     "m = transformer(\"decoder\", vocab=5, d_model=4, heads=1, layers=1, d_ff=4)\n"
     "predict m [1, 2]", "generate train"},
    {.syntax = {.name = NULL}},
};
/* clang-format on */
