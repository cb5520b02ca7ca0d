/* What a model predicts in an inspected run, and what a change did to it. */
#include "base/memory.h"
#include "base/number.h"
#include "base/size.h"
#include "base/utf8.h"
#include "model/generate.h"
#include "session/models/inspection.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- bars ---- */

enum { BAR_MOST = 40, LABEL_MOST = 24, VALUE_WIDTH = 8 };

void bars_write(const Host *host, const BarRow *rows, size_t count, bool is_signed, Text *out) {
    size_t label_width = 1;
    double largest = is_signed ? 0 : 1;
    for (size_t i = 0; i < count; i++) {
        size_t width = utf8_width(rows[i].label.data, rows[i].label.length);
        label_width = larger(label_width, smaller(LABEL_MOST, width));
        if (is_signed) largest = fmax(largest, fabs(rows[i].value));
    }
    size_t room = left_of((size_t)host->columns, label_width + 3 + VALUE_WIDTH);
    size_t width = smaller(room, BAR_MOST);
    for (size_t i = 0; i < count; i++) {
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
        text_char(out, '\n');
    }
}

/* ---- a prediction ---- */

/* The likeliest tokens at a place, `most` of them, with their probabilities. */
static Candidate *candidates_at(const Inspection *inspection, size_t place, size_t *most,
                                Error *err) {
    size_t vocabulary = inspection->run.model->config.vocabulary;
    Candidate *all = mem_alloc(vocabulary * sizeof *all, err);
    *most = smaller(*most, vocabulary);
    if (all && generate_candidates(inspection->logits, place, 1, all, err)) return all;
    mem_free(all);
    return NULL;
}

bool prediction_write(const Host *host, const Inspection *inspection, size_t place, size_t places,
                      size_t most, Text *out, Error *err) {
    const Tokens *read = inspected_read(&inspection->run);
    most = smaller(most, inspection->run.model->config.vocabulary);
    BarRow *rows = mem_zeroed(places * most, sizeof *rows, err);
    bool ok = rows != NULL;
    for (size_t p = 0; ok && p < places; p++) {
        Candidate *found = candidates_at(inspection, place + p, &most, err);
        ok = found != NULL;
        for (size_t i = 0; ok && i < most; i++) {
            BarRow *row = &rows[p * most + i];
            row->value = found[i].probability;
            inspection_write_token(inspection, read->ids[place + p], &row->label);
            text_string(&row->label, host->utf8 ? " → " : " > ");
            inspection_write_token(inspection, found[i].id, &row->label);
        }
        mem_free(found);
    }
    if (ok) bars_write(host, rows, places * most, false, out);
    for (size_t i = 0; rows && i < places * most; i++) text_release_for(&rows[i].label, out);
    mem_free(rows);
    return ok;
}

/* The place whose likeliest token lost or won most from one run to the other. */
static bool place_changed_most(const Inspection *before, const Inspection *after, size_t *place,
                               Error *err) {
    double most = -1;
    for (size_t i = 0; i < inspected_read(&before->run)->length; i++) {
        size_t one = 1, all = before->run.model->config.vocabulary;
        Candidate *was = candidates_at(before, i, &one, err);
        Candidate *is = was ? candidates_at(after, i, &all, err) : NULL;
        double now = 0;
        for (size_t c = 0; is && c < all; c++)
            if (is[c].id == was[0].id) now = is[c].probability;
        double change = is ? fabs(was[0].probability - now) : 0;
        if (change > most) {
            most = change;
            *place = i;
        }
        bool ok = is != NULL;
        mem_free(was);
        mem_free(is);
        if (!ok) return false;
    }
    return true;
}

bool prediction_write_effect(const Inspection *before, const Inspection *after, Text *out,
                             Error *err) {
    size_t place, one = 1, all = before->run.model->config.vocabulary;
    if (!inspection_asks(before, &place) && !place_changed_most(before, after, &place, err))
        return false;
    Candidate *was = candidates_at(before, place, &one, err);
    Candidate *is = was ? candidates_at(after, place, &all, err) : NULL;
    if (is) {
        double now = 0;
        for (size_t c = 0; c < all; c++)
            if (is[c].id == was[0].id) now = is[c].probability;
        text_string(out, "at ");
        inspection_write_place(before, place, out);
        text_string(out, ": ");
        inspection_write_token(before, was[0].id, out);
        text_format(out, " %.1f%% → %.1f%%", 100 * was[0].probability, 100 * now);
        if (is[0].id != was[0].id) {
            text_string(out, ", now ");
            inspection_write_token(before, is[0].id, out);
            text_format(out, " %.1f%%", 100 * is[0].probability);
        }
    }
    bool ok = is != NULL;
    mem_free(was);
    mem_free(is);
    return ok;
}
