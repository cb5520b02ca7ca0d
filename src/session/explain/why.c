/* why i j [head h] [as latex]: the steps to one weight, each with its numbers in the formula. */
#include "base/memory.h"
#include "session/bench/attend.h"
#include "session/bench/run_words.h"
#include "session/bench/result_view.h"
#include "session/explain/derivation.h"

#include <math.h>

typedef struct Why {
    Derivation d;
    size_t key;
    Printout shown;
    Working working; /* on its line */
} Why;

/* Ends the line: in LaTeX it is one of an align environment. */
static void put_line(Why *why) {
    if (why->working.latex) {
        text_format(&why->shown.out, "  %s \\\\\n", why->shown.line.data);
        text_clear(&why->shown.line);
    }
    printout_wrap(&why->shown);
}

/* Writes the text before the = of a line. */
static void begin_line(Why *why, StepKind kind) {
    const Step *step = &why->d.steps[kind];
    if (why->working.latex) text_format(&why->shown.line, "%s &= ", step->latex);
    else text_format(&why->shown.line, "%s = ", step->left);
}

/* The steps from `first` to `last` as one formula on a line, and words behind it. */
static void put_step(Why *why, StepKind first, StepKind last) {
    LocalText words = TEXT_FOR(&why->shown.line);
    begin_line(why, last);
    derivation_write_step(&why->d, first, last, why->key, &why->working);
    if (last == STEP_SCORE) derivation_write_words(&why->d, STEP_SCORE, why->key, &words);
    if (last == STEP_EXPONENTIAL) {
        text_string(&words, "less the largest score, ");
        derivation_write_words(&why->d, STEP_LESS_MAX, why->key, &words);
        text_string(&words, ", over the temperature");
    }
    if (words.length && !why->working.latex) text_format(&why->shown.line, "   %s", words.data);
    put_line(why);
}

static bool put_steps(Why *why, Error *err) {
    const Derivation *d = &why->d;
    Text *line = &why->shown.line;
    bool latex = why->working.latex;
    put_step(why, STEP_PRODUCT, STEP_PRODUCT);
    put_step(why, STEP_SCALED, STEP_SCORE);
    if (!d->visible[why->key]) { /* it has no exponential: its weight is 0 whatever its score */
        if (latex) {
            text_string(line, "w &= 0 \\quad\\text{(hidden)}");
        } else {
            text_string(line, "weight = 0: ");
            derivation_write_words(d, STEP_WEIGHT, why->key, line);
            text_string(line, ", so it adds nothing to the output");
            if (d->visible_count == 0) text_string(line, "; this query sees no key at all");
        }
        put_line(why);
        return true;
    }
    if (isnan(d->weight[d->best])) {
        text_string(line,
                    latex ? "w &= \\mathrm{nan} \\quad\\text{(undefined)}" : "weight = nan: ");
        if (!latex) derivation_write_undefined(d, &why->working);
        put_line(why);
        return true;
    }
    if (derivation_has_temperature(d)) {
        put_step(why, STEP_LESS_MAX, STEP_EXPONENTIAL);
        /* The exponentials of the keys that are seen, and their sum. */
        LocalMemory double *terms = mem_aligned((d->visible_count + 1) * sizeof *terms, err);
        if (!terms) return false;
        size_t count = 0;
        for (size_t j = 0; j < d->keys; j++)
            if (d->visible[j]) terms[count++] = d->exponential[j];
        begin_line(why, STEP_SUM);
        working_sum(&why->working, terms, NULL, count, d->sum);
        if (!latex) {
            text_string(line, "   ");
            derivation_write_words(d, STEP_SUM, why->key, line);
        }
        put_line(why);
    } else if (!latex) {
        text_format(line, "%s: ", d->steps[STEP_EXPONENTIAL].title);
        derivation_write_words(d, STEP_EXPONENTIAL, why->key, line);
        put_line(why);
    }
    put_step(why, STEP_WEIGHT, STEP_WEIGHT);
    put_step(why, STEP_CONTRIBUTION, STEP_CONTRIBUTION);
    if (latex) return true;

    text_format(line, "%s ", d->steps[STEP_OUTPUT].left);
    derivation_write_step(d, STEP_OUTPUT, STEP_OUTPUT, why->key, &why->working);
    if (d->run->heads > 1) text_format(line, " of head %zu", d->head);
    text_string(line, " of query ");
    place_write(line, d->queries, d->query);
    if (d->run->given.weights.o) text_string(line, ", which Wo then mixes");
    put_line(why);
    return true;
}

static bool why_command(Session *session, CommandCall *call, Error *err) {
    size_t query, key, head = 0;
    bool latex = false;
    if (!session_need_run(session, err)) return false;
    const Run *run = session->bench.run;
    if (!place_argument(call, "query", query_labels(session, run->queries), run->queries, &query,
                        err) ||
        !place_argument(call, "key", key_labels(session, run->keys), run->keys, &key, err) ||
        !head_argument(call, run, &head, err))
        return false;
    if (command_take(call, "as")) {
        latex = command_take(call, "latex");
        if (!latex) {
            error_set(err, ERR_SYNTAX, "a derivation is written as latex, or without `as` as text");
            return command_error_at(call, call->next, err);
        }
    }
    if (!command_finish(call, err)) return false;
    Why why = {.key = key, .shown = PRINTOUT(session)};
    const Derivation *d = &why.d;
    Text *line = &why.shown.line;
    if (!derivation_init(&why.d, session, session->bench.run, head, query, err)) return false;
    why.working = (Working){.out = line, .digits = session->bench.settings.digits, .latex = latex};
    if (latex) {
        text_string(&why.shown.out, "\\begin{align*}\n");
    } else {
        run_heading_write_origin(session, d->run, &why.shown.out);
        text_string(line, "weight of query ");
        place_write(line, d->queries, query);
        text_string(line, " on key ");
        place_write(line, d->keys_tokens, key);
        derivation_write_head(d, line);
        text_format(line, ": %s", d->run->settings);
        run_heading_write_stale(session, d->run, line);
        put_line(&why);
    }
    bool ok = put_steps(&why, err);
    if (latex) text_string(&why.shown.out, "\\end{align*}\n");
    else working_write_note(&why.working, line);
    derivation_release(&why.d);
    return printout_show(&why.shown, ok, err);
}

/* clang-format off */
const CommandDef why_commands[] = {
    {{.name = "why", .words = "head as latex"}, why_command, false,
     "why QUERY KEY [head h] [as latex]",
     "The derivation of one weight, and of what it adds to the output of the query, with the real "
     "numbers in the formula. Queries and keys are numbers from 0, from the end when negative, or "
     "tokens in quotes; without a head it is head 0. as latex writes the lines of an align* "
     "environment.",
     EXAMPLE_INPUTS "why 0 1\nwhy 0 1 as latex",
     "trace weights"},
    {.syntax = {.name = NULL}},
};
/* clang-format on */
