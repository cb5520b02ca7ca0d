#include "session/watching.h"

#include "base/memory.h"
#include "base/size.h"
#include "engine/operators/compute.h"
#include "session/pictures/plot_request.h"
#include "view/files/gnuplot.h"

void watching_init(Watching *watching, Session *session, CommandCall *call) {
    *watching = (Watching){.session = session,
                           .call = call,
                           .path = VALUE_MISSING,
                           .tokens = {VALUE_MISSING, VALUE_MISSING},
                           .frames_every = 1};
}

void watching_release(Watching *watching) {
    for (size_t i = 0; i < watching->frame_count; i++)
        tensors_unref(watching->frames[i].maps, watching->count);
    mem_free(watching->frames);
    tensors_unref(watching->visible, watching->count);
    for (int i = 0; i < 2; i++) value_release(&watching->tokens[i]);
    value_release(&watching->path);
    tensor_unref(watching->first[0].vectors);
    batch_release(&watching->examples);
}

/* ---- arguments ---- */

bool watching_arguments(Watching *watching, const ModelConfig *config, Error *err) {
    CommandCall *call = watching->call;
    if (watching->count) return error_set(err, ERR_SYNTAX, "watching is given twice");
    if (!command_take(call, "head")) {
        error_set(err, ERR_SYNTAX, "watching needs a head");
        error_hint(err, "for example: watching head 0 1 every 10 to \"heads.gif\"");
        return command_error_at(call, call->next, err);
    }
    do {
        if (watching->count == WATCHED_MOST)
            return error_set(err, ERR_LIMIT, "at most %d heads are watched at once", WATCHED_MOST);
        if (!model_head_argument(call, config, &watching->heads[watching->count], err))
            return false;
        watching->count++;
    } while (command_take(call, "head"));
    if (command_take(call, "every")) {
        double every;
        if (!command_number(call, "the number of steps", &every, err)) return false;
        if (!is_index(every, SIZE_MOST, &watching->every) || watching->every == 0) {
            error_set(err, ERR_VALUE, "every takes a whole number of steps, at least 1");
            return command_error_last(call, err);
        }
    }
    if (!command_take(call, "to")) return true;
    watching->path_at = call->next;
    if (!command_string(call, "the file of the film", &watching->path, err)) return false;
    const PictureFormat *format = picture_format_find(watching->path.string->data);
    if (format && format->frames) return true;
    error_set(err, ERR_VALUE, "a training is watched in a film, a .gif");
    error_hint(err, "for example: to \"heads.gif\"");
    return command_error_at(call, watching->path_at, err);
}

/* ---- looking ---- */

/* The first sequence alone; its vectors, if any, are new. */
static bool first_row(const Tokens *tokens, Tokens *out, Error *err) {
    *out = *tokens;
    if (!tokens->batch) return true;
    size_t length = tokens_in_row(tokens, 0);
    *out = (Tokens){1, length, tokens->ids, NULL, NULL};
    if (!tokens->vectors) return true;
    Tensor *row = compute_range(tensor_ref(tokens->vectors), 0, 0, 1, err);
    out->vectors = compute_range(row, 1, 0, length, err);
    return out->vectors != NULL;
}

static bool note_measures(const Watching *watching, Transformer *model, Error *err) {
    const Batch *batch = &watching->examples;
    const ModelRun run = {model, batch->source, batch->target, batch->labels};
    const ModelConfig *config = &model->config;
    LocalMemory HeadSummary *found = mem_alloc(head_count(config) * sizeof *found, err);
    if (!found || !model_run_heads(&run, found, err)) return false;
    for (size_t i = 0; i < watching->count; i++) {
        size_t head = head_index(config, watching->heads[i]);
        const HeadSummary *sum = &found[head];
        const HeadRow row = {(double)model->history.count,
                             (double)head,
                             sum->previous,
                             sum->first,
                             sum->same,
                             sum->induction};
        if (!history_add_head(&model->history, &row, err)) return false;
    }
    return true;
}

/* Adds a frame with the maps of the heads on the first example. A film that is full loses every
 * second frame before. */
static bool add_frame(Watching *watching, const Transformer *model, size_t step, Error *err) {
    if (!watching->frames)
        watching->frames = mem_zeroed(FRAMES_MOST, sizeof *watching->frames, err);
    if (!watching->frames) return false;
    if (watching->frame_count == FRAMES_MOST) {
        for (size_t i = 0; i < FRAMES_MOST; i++) {
            if (i % 2) tensors_unref(watching->frames[i].maps, watching->count);
            else watching->frames[i / 2] = watching->frames[i];
        }
        watching->frame_count = (FRAMES_MOST + 1) / 2;
        watching->frames_every *= 2;
    }
    WatchedFrame frame = {.step = step};
    const ModelRun run = {model, watching->first[0], watching->first[1], NULL};
    bool ok = true;
    for (size_t i = 0; ok && i < watching->count; i++) {
        LocalTensor *weights = NULL, *visible = NULL;
        ok = model_run_weights(&run, watching->heads[i], 1, &weights, &visible, err);
        if (!ok) break;
        size_t head = watching->heads[i].head;
        frame.maps[i] = compute_row(weights, head, err);
        if (!watching->visible[i]) watching->visible[i] = compute_row(visible, head, err);
        ok = frame.maps[i] && watching->visible[i];
    }
    /* Only whole frames are kept: after Ctrl-C they are still drawn. */
    if (ok) watching->frames[watching->frame_count++] = frame;
    else tensors_unref(frame.maps, watching->count);
    return ok;
}

/* ---- drawing ---- */

/* The maps of one look as panels. */
static void draw_maps(const Watching *watching, const Transformer *model, Drawing *drawing,
                      Picture *panels, const WatchedFrame *frame) {
    for (size_t i = 0; panels && !drawing->failed && i < watching->count; i++) {
        HeadPlace place = watching->heads[i];
        Text title = TEXT_EMPTY;
        text_string(&title, "head ");
        head_write(&model->config, place, &title);
        text_format(&title, " after %zu steps", frame->step);
        panels[i].title = drawing_keep_text(drawing, &title);
        drawing_weights(drawing, &panels[i], frame->maps[i], watching->visible[i], 0);
        drawing_label_panels(drawing, &panels[i], 1, watching->tokens[place.site != SITE_ENCODER],
                             watching->tokens[place.site == SITE_DECODER]);
    }
}

/* The maps of the last look as a picture of its own, which may have failed. */
static Drawing *draw_last(const Watching *watching, const Transformer *model, Error *err) {
    Drawing *drawing = drawing_new(watching->session, NULL, err);
    if (drawing)
        draw_maps(watching, model, drawing, drawing_panels(drawing, PICTURE_GRID, watching->count),
                  &watching->frames[watching->frame_count - 1]);
    return drawing;
}

/* Takes back what was drawn in the terminal, or the line of progress. */
static bool wipe(Watching *watching, Error *err) {
    LocalText text = TEXT_EMPTY;
    text_string(&text, "\r");
    if (watching->lines) text_format(&text, "\x1b[%zuA", watching->lines);
    text_string(&text, "\x1b[J");
    watching->lines = 0;
    return text_ok(&text, err) &&
           host_write(watching->session->interp.host, text.data, text.length, err);
}

static bool look(void *self, Transformer *model, size_t step, Error *err) {
    Watching *watching = self;
    Host *host = watching->session->interp.host;
    if (step % watching->every != 0 && step != watching->steps) return true;
    if (!note_measures(watching, model, err)) return false;
    bool last = step == watching->steps;
    if (watching->looks++ % watching->frames_every != 0 && !last) return true;
    if (!add_frame(watching, model, step, err)) return false;
    if (!host->progress || watching->call->quiet) return true;

    /* Draws the maps where they were drawn before. */
    LocalDrawing *drawing = draw_last(watching, model, err);
    LocalText text = TEXT_EMPTY;
    if (!drawing || !drawing_say(drawing)) return false;
    picture_terminal(&text, &drawing->picture, host->columns, host->rows - 1, host->color,
                     host->utf8);
    if (!text_ok(&text, err) || !wipe(watching, err)) return false;
    watching->lines = text_lines(&text);
    return host_write(host, text.data, text.length, err) && host_flush(host, err);
}

/* ---- the training ---- */

bool watching_begin(Watching *watching, Task *task, const ModelConfig *config,
                    TrainingGiven *training, Error *err) {
    enum { LOOKS_USUAL = 50 };
    if (!watching->count) return true;
    if (watching->path.kind != VALUE_UNSET && !gnuplot_is_installed()) {
        error_set(err, ERR_PLOT, "gnuplot, which draws films, is not installed");
        return command_error_at(watching->call, watching->path_at, err);
    }
    watching->steps = training->options.steps;
    if (!watching->every) watching->every = larger(watching->steps / LOOKS_USUAL, 1);
    training->look = look;
    training->watcher = watching;
    const Batch *batch = &watching->examples;
    bool ok = held_out_examples(task, config, &watching->examples, err) &&
              first_row(&batch->source, &watching->first[0], err) &&
              first_row(&batch->target, &watching->first[1], err);
    for (int i = 0; i < 2 && ok; i++) {
        const Tokens *tokens = &watching->first[i];
        watching->tokens[i] = VALUE_NOTHING; /* vectors have numbers, but no names */
        if (!tokens->vectors) ok = tokens_list(task->vocabulary, tokens, &watching->tokens[i], err);
    }
    return ok;
}

/* Writes the film: each page has the maps of a frame, and below them the loss. */
static bool write_film(Watching *watching, const Transformer *model, Error *err) {
    enum { POINTS = 300 };
    LocalDrawing *drawing = drawing_new(watching->session, NULL, err);
    if (!drawing) return false;

    /* The loss of each step of the training, or its mean over a few where there are many. */
    const History *history = &model->history;
    const WatchedFrame *frames = watching->frames;
    size_t taken = smaller(watching->steps, history->count); /* fewer: it was interrupted */
    taken = larger(smaller(taken, frames[watching->frame_count - 1].step), 1);
    size_t each = divided_up(taken, POINTS), points = divided_up(taken, each);
    const HistoryRow *rows = history->rows + (history->count - taken);
    double *x = drawing_alloc(drawing, points, sizeof *x),
           *y = drawing_alloc(drawing, points, sizeof *y);
    for (size_t i = 0; y && i < points; i++) {
        size_t end = smaller((i + 1) * each, taken);
        for (size_t k = i * each; k < end; k++) y[i] += rows[k].loss / (double)(end - i * each);
        x[i] = (double)end;
    }

    size_t count = watching->count, page = count + 1;
    Picture *pages = drawing_panels(drawing, PICTURE_FRAMES, watching->frame_count);
    for (size_t f = 0; pages && f < watching->frame_count; f++) {
        Picture *panels = drawing_alloc(drawing, page, sizeof *panels);
        PictureLine *lines = drawing_alloc(drawing, 2, sizeof *lines);
        for (size_t i = 0; panels && i < page; i++) panels[i] = pages[f];
        draw_maps(watching, model, drawing, panels, &frames[f]);
        if (drawing->failed) break;
        /* The loss is drawn whole, and up to the frame's step once more in another colour. */
        size_t until = 0;
        while (until < points && x[until] <= (double)frames[f].step) until++;
        lines[0] = (PictureLine){NULL, y, x, points};
        lines[1] = (PictureLine){NULL, y, x, until};
        panels[count].kind = PICTURE_LINES;
        panels[count].lines = lines;
        panels[count].line_count = 2;
        panels[count].x_title = "step";
        panels[count].y_title = "loss";
        pages[f].kind = PICTURE_GRID;
        pages[f].panels = panels;
        pages[f].panel_count = page;
        pages[f].panel_columns = count;
    }

    if (drawing->failed) return false;
    LocalPlotRequest request;
    plot_request_init(&request, watching->call);
    request.at[PLOT_TO] = watching->path_at;
    request.values[PLOT_TO] = value_ref(watching->path);
    return drawing_deliver(watching->session, drawing, &request, err) ||
           command_error_at(watching->call, watching->path_at, err);
}

bool watching_end(Watching *watching, const Transformer *model, Error *err) {
    Session *session = watching->session;
    if (!watching->frame_count || !model->history.count) return true;
    bool ok = !watching->lines || wipe(watching, err);
    if (!watching->call->quiet) {
        LocalDrawing *drawing = ok ? draw_last(watching, model, err) : NULL;
        ok = drawing && drawing_write(session, drawing, session->interp.host->rows, err);
    }
    return ok && (watching->path.kind == VALUE_UNSET || write_film(watching, model, err));
}
