#include "session/bench/run_heading.h"

#include "base/size.h"
#include "base/utf8.h"
#include "engine/operators/compute.h"

#include <string.h>

/* True if the variable still holds the array that the run was given. */
static bool holds(const Symbol *symbol, const Tensor *given) {
    if (symbol->value.kind == VALUE_TENSOR && symbol->value.tensor == given) return true;
    Error ignored = {.kind = ERR_NONE};
    Tensor *now = value_as_tensor(&symbol->value, symbol->name, &ignored);
    Shape row = shape_2d(1, now ? now->count : 0); /* a run takes one query as one row */
    if (now && now->shape.axes == 1) now = compute_reshape(now, &row, &ignored);
    if (!now) return false;
    Value one = {.kind = VALUE_TENSOR, .tensor = now},
          other = {.kind = VALUE_TENSOR, .tensor = (Tensor *)given};
    bool same = value_equal(&one, &other);
    tensor_unref(now);
    return same;
}

/* Appends what became of a variable: "del Q", "Q changed". given: NULL where there was none. */
static void write_if_changed(const Symbol *symbol, const Tensor *given, Text *out) {
    if (!symbol) return;
    bool gone = symbol->value.kind == VALUE_UNSET;
    if (gone ? given == NULL : given && holds(symbol, given)) return;
    if (out->length) text_string(out, ", ");
    if (gone) text_format(out, "del %s", symbol->name);
    else text_format(out, "%s changed", symbol->name);
}

static void write_changed_inputs(const Session *session, const Run *run, Text *out) {
    const Bench *bench = &session->bench;
    const AttentionGiven *given = &run->given;
    const Tensor *arrays[INPUTS_MOST] = {given->q, given->k, given->v},
                 *weights[] = {given->weights.q, given->weights.k, given->weights.v,
                               given->weights.o};
    for (size_t i = 0; i < INPUTS_MOST; i++)
        write_if_changed(bench->inputs.items[i].name, arrays[i], out);
    for (size_t i = 0; bench->inputs.kind == INPUTS_X && i < 4; i++)
        write_if_changed(interp_find(&session->interp, projection_names[i]), weights[i], out);
    for (int t = 0; t < bench->settings.mask.count && t < given->spec.mask.count; t++)
        write_if_changed(bench->settings.mask_names[t], given->spec.mask.terms[t].array, out);
}

void run_heading_write_stale(const Session *session, const Run *run, Text *out) {
    Text changes = TEXT_EMPTY;
    if (run != session->bench.run) return;
    settings_write_changes(&session->bench.ran_with, &session->bench.settings, &changes);
    bool misfit = changes.length > 0; /* a setting that fits is followed at once */
    if (!misfit) write_changed_inputs(session, run, &changes);
    if (changes.length)
        text_format(out, " (before %s%s)", changes.data,
                    misfit ? "; these settings do not fit" : "");
    text_release_for(&changes, out);
}

void run_heading_write(const Session *session, const Run *run, Text *out) {
    text_format(out, "%s: %s", run->names, run->settings);
    run_heading_write_stale(session, run, out);
}

void run_heading_write_if_stale(const Session *session, const Run *run, Text *out) {
    Text stale = TEXT_EMPTY, heading = TEXT_EMPTY;
    run_heading_write_origin(session, run, out);
    run_heading_write_stale(session, run, &stale);
    if (stale.length) run_heading_write(session, run, &heading);
    text_release_for(&stale, &heading);
    utf8_wrap_lines(out, &heading, (size_t)session->interp.host->columns);
}

void run_heading_write_settings(const Session *session, const Run *run, Text *title) {
    if (run->origin) text_format(title, ", %s", run->origin);
    text_format(title, "%s %s", run->origin ? ";" : ":", run->settings);
    run_heading_write_stale(session, run, title);
}

void run_heading_write_origin(const Session *session, const Run *run, Text *out) {
    if (run->origin) heading_write_line(session->interp.host, run->origin, out);
}

const char *run_heading_inputs(const Run *run) { return run->origin ? run->origin : run->names; }

void heading_write_line(const Host *host, const char *line, Text *out) {
    size_t length = strlen(line), width = utf8_width(line, length);
    utf8_pad(out, line, length, smaller(width, (size_t)host->columns), false);
    text_char(out, '\n');
}
