/* Shows what a model predicts in an inspected run, and what a change did to it. */
#include "base/characters.h"
#include "base/memory.h"
#include "base/size.h"
#include "base/translate.h"
#include "base/utf8.h"
#include "io/json.h"
#include "library/generation.h"
#include "library/vocabulary_value.h"
#include "model/tokenizers/vocabulary.h"
#include "session/models/inspection.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- bars ---- */

enum { BAR_MOST = 40, LABEL_MOST = 24, VALUE_WIDTH = 8 };

void bars_write(const Host *host, bool made, BarRow *rows, size_t count, BarKind kind, Text *out) {
    bool is_signed = kind != BARS_SHARES, compared = kind == BARS_COMPARED;
    size_t label_width = 1;
    double largest = is_signed ? 0 : 1;
    for (size_t i = 0; made && i < count; i++) {
        size_t width = utf8_width(rows[i].label.data, rows[i].label.length);
        label_width = larger(label_width, smaller(LABEL_MOST, width));
        if (is_signed) largest = fmax(largest, fabs(rows[i].value));
    }
    size_t room = left_of((size_t)host->columns,
                          label_width + 3 + VALUE_WIDTH + (VALUE_WIDTH + 1) * compared);
    size_t width = smaller(room, BAR_MOST);
    for (size_t i = 0; made && i < count; i++) {
        double value = rows[i].value, share = largest > 0 ? fabs(value) / largest : 0;
        size_t filled = isfinite(share) ? (size_t)(share * (double)width + 0.5) : 0;
        const char *mark = value < 0 ? (host->utf8 ? "░" : "-") : host->utf8 ? "█" : "#";
        char number[32];
        if (is_signed) snprintf(number, sizeof number, "%+.2g", value);
        else snprintf(number, sizeof number, "%.1f%%", 100 * value);
        utf8_pad(out, rows[i].label.data, rows[i].label.length, label_width, false);
        text_string(out, "  ");
        for (size_t b = 0; b < filled; b++) text_string(out, mark);
        text_repeat(out, ' ', width - filled + 1);
        utf8_pad(out, number, strlen(number), VALUE_WIDTH, true);
        if (compared && !isnan(rows[i].beside)) {
            snprintf(number, sizeof number, "%+.2g", rows[i].beside);
            utf8_pad(out, number, strlen(number), VALUE_WIDTH + 1, true);
        }
        text_char(out, '\n');
    }
    for (size_t i = 0; rows && i < count; i++) text_release_for(&rows[i].label, out);
}

static int farther_from_0(const void *a, const void *b) {
    const Ranked *x = a, *y = b;
    double left = fabs(x->number), right = fabs(y->number);
    if (left != right) return left > right ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

void rank_by_size(Ranked *ranked, size_t count) {
    qsort(ranked, count, sizeof *ranked, farther_from_0);
}

/* ---- a prediction ---- */

/* All tokens with their probabilities at a position, the likeliest first. */
static Candidate *candidates_at(const Inspection *inspection, size_t position, Error *err) {
    size_t vocabulary = inspection->run.model->config.vocabulary;
    Candidate *all = mem_alloc(vocabulary * sizeof *all, err);
    if (all && generate_candidates(inspection->logits, position, 1, all, err)) return all;
    mem_free(all);
    return NULL;
}

bool prediction_write(const Host *host, const Inspection *inspection, size_t position, size_t most,
                      Text *out, Error *err) {
    const Tokens *read = model_run_read(&inspection->run);
    bool all = position == POSITION_NONE;
    size_t places = all ? read->length : 1;
    most = all ? 1 : smaller(most, inspection->run.model->config.vocabulary);
    LocalMemory BarRow *rows = mem_zeroed(places * most, sizeof *rows, err);
    bool ok = rows != NULL;
    for (size_t p = 0; ok && p < places; p++) {
        size_t at = all ? p : position;
        LocalMemory Candidate *found = candidates_at(inspection, at, err);
        ok = found != NULL;
        for (size_t i = 0; ok && i < most; i++) {
            BarRow *row = &rows[p * most + i];
            row->value = found[i].probability;
            inspection_write_token(inspection, read->ids[at], &row->label);
            text_string(&row->label, host->utf8 ? " → " : " > ");
            inspection_write_token(inspection, found[i].id, &row->label);
        }
    }
    bars_write(host, ok, rows, places * most, BARS_SHARES, out);
    return ok;
}

/* Writes the model's answer where one begins behind what it has read; nothing elsewhere. */
static bool write_answer(const Inspection *inspection, Text *out, Error *err) {
    const Transformer *model = inspection->run.model;
    const Vocabulary *vocabulary = model->vocabulary;
    const Tokens *read = model_run_read(&inspection->run);
    const Reading reading = {inspection->run.source, *read};
    GenerateOptions options;
    LocalValue answer = VALUE_MISSING;
    if (!vocabulary || !model_has_decoder(&model->config)) return true;
    bool alone = model->config.kind == MODEL_DECODER;
    int first = alone ? vocabulary->separator : vocabulary->begin;
    if (first == NO_TOKEN || read->ids[read->length - 1] != first) return true;
    generate_options_init(&options);
    if (!model_generate(model, &reading, &options, NULL, &answer, err)) return false;
    text_string(out, answer.string->data);
    return true;
}

/* Breaks an answer without blanks, as of letters, into pieces that fit a line. */
static void break_answer(Text *answer, size_t columns) {
    size_t taken, at = 0;
    Text pieces = TEXT_FOR(answer);
    if (strchr(answer->data, ' ')) return;
    while (utf8_width(answer->data + at, answer->length - at) > columns) {
        size_t fits = utf8_fitting(answer->data + at, answer->length - at, columns, &taken);
        if (fits == 0) break;
        text_bytes(&pieces, answer->data + at, fits);
        text_char(&pieces, '\n');
        at += fits;
    }
    text_string(&pieces, answer->data + at);
    text_clear(answer);
    text_string(answer, pieces.data);
    text_release_for(&pieces, answer);
}

bool prediction_print_asked(Printout *shown, const Inspection *inspection, size_t most,
                            Error *err) {
    Text *line = &shown->line;
    LocalText answer = TEXT_FOR(line), text = TEXT_FOR(line), rare = TEXT_FOR(line);
    size_t position;
    const Tokens *read = model_run_read(&inspection->run);
    bool asks = inspection_asks(inspection, &position) || read->length == 1;
    if (asks) {
        bool behind = model_has_decoder(&inspection->run.model->config);
        text_format(line, "asked at position %zu, %s", position, behind ? "after " : "");
        inspection_write_quoted(inspection, read->ids[position], line);
        inspection_write_untrained(inspection, position, line);
    } else {
        text_string(line, "asked at each position");
    }
    printout_wrap(shown);
    if (!prediction_write(shown->session->interp.host, inspection, asks ? position : POSITION_NONE,
                          most, &shown->out, err) ||
        !write_answer(inspection, &answer, err))
        return false;
    break_answer(&answer, session_columns(shown->session));
    if (answer.length) text_format(line, "answer: %s", answer.data);
    printout_wrap(shown);

    /* Words that the model has hardly met it can only copy. */
    const Vocabulary *vocabulary = inspection->run.model->vocabulary;
    if (!vocabulary) return true;
    if (!vocabulary_decode(vocabulary, read->ids, read->length, &text, err)) return false;
    vocabulary_write_rare(vocabulary, text.data, text.length, &rare);
    if (rare.length) text_format(line, "seldom or never in its text: %s\n", rare.data);
    printout_wrap(shown);
    return true;
}

/* ---- what a change does ---- */

/* The predictions of two runs at one position, as far as a change of the answer is reported. */
typedef struct PredictionChange {
    int answer;      /* that of `set answer`, or what the first run predicts */
    Candidate is;    /* the likeliest of the second run */
    double was, now; /* the probability of the answer */
    double logit[2]; /* its logit, less that of `against`, in both */
} PredictionChange;

/* Writes the token that words begin with. In English text a byte pair that begins a word behind
 * another one holds the blank before it. */
static bool first_token(const Vocabulary *vocabulary, const char *words, Text *out, Error *err) {
    LocalText spaced = TEXT_EMPTY;
    LocalMemory int *ids = NULL;
    size_t count = 0;
    bool english = isalpha((unsigned char)words[*words == ' ']);
    text_format(&spaced, " %s", words + (*words == ' '));
    return english && vocabulary->unit == TOKENS_PAIRS && text_ok(&spaced, err) &&
           vocabulary_encode(vocabulary, spaced.data, spaced.length, &ids, &count, err) &&
           vocabulary_decode(vocabulary, ids, 1, out, err);
}

/* Adds to an error how `given`, the answer or that against it, of several tokens, can be asked
 * about. */
static bool hint_one_token(const Settings *settings, const Vocabulary *vocabulary,
                           const Value *given, Error *err) {
    LocalText first = TEXT_EMPTY;
    Error ignored = {.kind = ERR_NONE};
    if (!first_token(vocabulary, given->string->data, &first, &ignored))
        return error_hint(err, "set answer names one token, for example what predict shows.");
    LocalText line = TEXT_FOR(&first);
    const Value *values[] = {&settings->answer, &settings->against};
    for (size_t i = 0; i < 2 && values[i]->kind != VALUE_NONE; i++) {
        LocalText token = TEXT_FOR(&first);
        if (i) text_string(&line, " against ");
        if (values[i]->kind != VALUE_STRING) value_write(&line, values[i], 17, true);
        else if (first_token(vocabulary, values[i]->string->data, &token, &ignored))
            text_format(&line, "\"%s\"", token.data);
        else text_format(&line, "\"%s\"", values[i]->string->data);
    }
    return error_hint(err, "Behind a word, its first token is \"%s\": set answer %s", first.data,
                      line.data);
}

bool prediction_answer(const Session *session, const Inspection *inspection, int *answer,
                       int *against, Error *err) {
    const Settings *settings = &session->bench.settings;
    const Transformer *model = inspection->run.model;
    const Value *values[] = {&settings->answer, &settings->against};
    int *tokens[] = {answer, against};
    for (size_t i = 0; i < 2; i++) {
        const Value *given = values[i];
        LocalValue list = VALUE_MISSING;
        LocalMemory int *ids = NULL;
        size_t count = 0;
        *tokens[i] = NO_TOKEN;
        if (given->kind == VALUE_NONE) continue;
        if (given->kind == VALUE_NUMBER) { /* of a class */
            if (!value_list_of(&list, VALUE_LIST, given, 1, err)) return false;
            given = &list;
        }
        if (!tokens_given(model->vocabulary, model->config.vocabulary, given, "set answer", &ids,
                          &count, err)) {
            bool unknown = err->kind == ERR_VALUE && given->kind == VALUE_STRING;
            if (!unknown || !model->vocabulary) return false;
            const Error why = *err;
            error_set(err, ERR_VALUE, "set answer names \"%s\", which is not a token here",
                      quoted_text(given->string->data).text);
            return error_hint(err, "%s", why.hint);
        }
        *tokens[i] = ids[0];
        if (count == 1) continue;
        error_set(err, ERR_VALUE, "\"%s\" is not one token of the model, but %zu",
                  given->string->data, count);
        return hint_one_token(settings, model->vocabulary, given, err);
    }
    return *answer == NO_TOKEN || *answer != *against ||
           error_set(err, ERR_VALUE,
                     "set answer names one token twice: their difference is always 0");
}

void prediction_note_answer(const Session *session) {
    int answer, against;
    Error wrong = {.kind = ERR_NONE};
    LocalText said = TEXT_EMPTY;
    const Inspection *inspection = session->bench.inspection;
    if (!inspection || prediction_answer(session, inspection, &answer, &against, &wrong)) return;
    tr_write(&said, wrong.message);
    if (!said.failed) host_note(session->interp.host, "(%s)\n", said.data);
}

static bool change_at(const Inspection *before, const Inspection *after, size_t position,
                      int answer, int against, PredictionChange *out, Error *err) {
    size_t all = before->run.model->config.vocabulary, row = position * all;
    const Inspection *runs[] = {before, after};
    LocalMemory Candidate *was = candidates_at(before, position, err);
    LocalMemory Candidate *is = was ? candidates_at(after, position, err) : NULL;
    if (!is) return false;
    *out = (PredictionChange){.answer = answer == NO_TOKEN ? was->id : answer, .is = *is};
    for (size_t i = 0; i < all; i++) {
        if (was[i].id == out->answer) out->was = was[i].probability;
        if (is[i].id == out->answer) out->now = is[i].probability;
    }
    for (size_t i = 0; i < 2; i++) {
        out->logit[i] = tensor_get(runs[i]->logits, row + (size_t)out->answer);
        if (against != NO_TOKEN)
            out->logit[i] -= tensor_get(runs[i]->logits, row + (size_t)against);
    }
    return true;
}

bool prediction_write_effect(const Session *session, const Inspection *before,
                             const Inspection *after, size_t position, Text *out, Error *err) {
    PredictionChange change;
    int answer, against;
    size_t places = model_run_read(&before->run)->length, answers = 0;
    bool somewhere = position == POSITION_NONE && !inspection_asks(before, &position),
         alone = before == after;
    double most = -1;
    if (!prediction_answer(session, before, &answer, &against, err)) return false;
    if (somewhere) position = places - 1;
    for (size_t i = 0; somewhere && !alone && i < places; i++) { /* where most changed */
        if (!change_at(before, after, i, answer, against, &change, err)) return false;
        double changed = fabs(change.was - change.now);
        if (changed > most) position = i;
        most = fmax(most, changed);
        answers += inspection_predicted(before, i) != inspection_predicted(after, i);
    }
    if (!change_at(before, after, position, answer, against, &change, err)) return false;

    /* "at the (1): cat 69.1% → 72.3%, logit − dog 1.2 → 1.4", and the likeliest token where it is
     * new; of one run alone "cat 69.1%, logit − dog 1.2". */
    text_string(out, "at ");
    inspection_write_position(before, position, out);
    text_string(out, ": ");
    inspection_write_token(before, change.answer, out);
    text_format(out, " %.1f%%", 100 * change.was);
    if (!alone) text_format(out, " → %.1f%%", 100 * change.now);
    text_string(out, ", logit");
    if (against != NO_TOKEN) {
        text_string(out, " − ");
        inspection_write_token(before, against, out);
    }
    text_format(out, " %.3g", change.logit[0]);
    if (alone) return true;
    text_format(out, " → %.3g", change.logit[1]);
    if (change.is.id != change.answer) {
        text_string(out, ", now ");
        inspection_write_token(before, change.is.id, out);
        text_format(out, " %.1f%%", 100 * change.is.probability);
    }
    if (somewhere) text_format(out, "; other answers at %zu of %zu", answers, places);

    /* "; answer dcba → dcbb" where the model writes one. */
    LocalText was = TEXT_FOR(out), is = TEXT_FOR(out);
    if (!write_answer(before, &was, err) || !write_answer(after, &is, err)) return false;
    if (was.length + is.length) text_format(out, "; answer %s → %s", was.data, is.data);
    return true;
}

/* predict MODEL "text": the likeliest next tokens as bars. */

static bool predict(Session *session, CommandCall *call, Error *err) {
    enum { NEXT_SHOWN = 8, ANSWERS_SHOWN = 3 };
    LocalObject Inspection *made = inspection_of_call(call, false, err);
    if (!made || !command_finish(call, err)) return false;
    Printout shown = PRINTOUT(session);
    inspection_write_heading(session, made, "prediction of", &shown.line);
    printout_wrap(&shown);
    bool decodes = model_has_decoder(&made->run.model->config);
    bool ok = prediction_print_asked(&shown, made, decodes ? NEXT_SHOWN : ANSWERS_SHOWN, err);
    return printout_show(&shown, ok, err);
}

/* clang-format off */
const CommandDef predict_commands[] = {
    {{.name = "predict", .words = "at", .takes = TAKES_MODELS}, predict, false,
     "predict MODEL \"text\" [at PLACE]",
     "The likeliest next tokens of a model with their probabilities as bars, each behind the token "
     "that it answers: where the task asks that the model was trained on last, which is said, or "
     "at a place that is named. A decoder goes on behind the text, an encoder-decoder begins its "
     "answer, with the whole answer below; an encoder answers at one token or at each. The text "
     "may be a list of tokens or class numbers, too.",
     "m = transformer(\"decoder\", vocab=5, d_model=4, heads=1, layers=1, d_ff=4)\n"
     "predict m [1, 2]\npredict m [1, 2] at 0", "generate train inspect"},
    {.syntax = {.name = NULL}},
};
/* clang-format on */
