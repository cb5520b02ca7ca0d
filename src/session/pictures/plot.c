/* plot THING [head h] [to "file"]: what to draw, and where to. */
#include "base/memory.h"
#include "io/file.h"
#include "session/pictures/draw.h"

#include <math.h>
#include <string.h>

enum { HEAD_MAX = 1 << 30 };

/* ---- several lines ---- */

static bool add_line(Drawing *drawing, const Tensor *tensor, const char *name, size_t length,
                     Error *err) {
    const double *y = drawing_numbers(drawing, tensor, 0, tensor->count, err);
    const char *words = y ? drawing_keep(drawing, mem_string(name, length, err), err) : NULL;
    if (words) drawing_line(drawing, words, y, NULL, tensor->count);
    return words != NULL;
}

/* plot a, b, c: lines in one picture, each named as it was typed. */
static bool draw_tuple(Drawing *drawing, const CommandCall *call, const Node *node,
                       const List *list, Error *err) {
    const Chunk *chunk = call->frame->chunk;
    if (list->count > LINES_MAX)
        return error_set(err, ERR_LIMIT, "at most %d lines fit into one picture", LINES_MAX);
    for (size_t i = 0; i < list->count; i++) {
        Span span = node->kind == NODE_TUPLE ? node->list.items[i]->span : node->span;
        Tensor *tensor = value_as_tensor(&list->items[i], "a line", err);
        bool ok = tensor != NULL;
        if (ok && (tensor->shape.axes > 1 || tensor->count == 0))
            ok = error_set(err, ERR_SHAPE,
                           "line %zu is %s: several things in one picture are vectors", i + 1,
                           shape_words(&tensor->shape));
        ok = ok && add_line(drawing, tensor, chunk->text + span.begin, span.end - span.begin, err);
        tensor_unref(tensor);
        if (!ok) return false;
    }
    return true;
}

/* ---- things ---- */

static size_t heads_of_run(const Session *session) {
    return session->run ? session->run->heads : session->settings.heads;
}

static size_t heads_of_sweep(const Session *session) { return session->sweep->heads; }

/* That both have. */
static size_t heads_of_pair(const Session *session) {
    size_t first = session->compared->runs[0]->heads, second = session->compared->runs[1]->heads;
    return first < second ? first : second;
}

typedef enum Needs { NEEDS_NOTHING, NEEDS_RUN, NEEDS_TRACE, NEEDS_SWEEP, NEEDS_PAIR } Needs;

static const struct Thing {
    const char *word;
    Draw *draw;
    Needs needs;
    bool gives_way; /* to a variable of that name */
    size_t (*heads)(const Session *session);
} things[] = {{"weights", draw_weights, NEEDS_TRACE, true, heads_of_run},
              {"scores", draw_scores, NEEDS_TRACE, true, heads_of_run},
              {"output", draw_output, NEEDS_RUN, true, heads_of_run},
              {"entropy", draw_entropy, NEEDS_RUN, true, heads_of_run},
              {"mask", draw_mask, NEEDS_TRACE, true, heads_of_run},
              {"heads", draw_heads, NEEDS_TRACE, true, heads_of_run},
              {"positions", draw_positions, NEEDS_NOTHING, true, heads_of_run},
              {"sweep", draw_sweep, NEEDS_SWEEP, false, heads_of_sweep},
              {"compare", draw_compare, NEEDS_PAIR, false, heads_of_pair},
              {NULL, NULL, NEEDS_NOTHING, false, NULL}};

static const struct Thing *thing_find(const char *word) {
    for (const struct Thing *thing = things; thing->word; thing++)
        if (strcmp(thing->word, word) == 0) return thing;
    return NULL;
}

/* Is there what it draws? Else the error says what makes it. */
static bool thing_is_there(const Session *session, const struct Thing *thing, Error *err) {
    static const struct {
        const char *fact, *hint;
    } lacks[] = {
        [NEEDS_RUN] = {"there is nothing to draw yet",
                       "attend makes what there is to draw, for example: X = randn(3, 4); attend; "
                       "plot weights"},
        [NEEDS_SWEEP] = {"nothing was swept yet",
                         "for example: sweep temperature 0.01 100; then plot sweep"},
        [NEEDS_PAIR] = {"nothing was compared yet",
                        "for example: compare temperature 0.5 against 2; then plot compare"}};
    Needs needs = thing->needs == NEEDS_TRACE ? NEEDS_RUN : thing->needs;
    bool there = needs == NEEDS_NOTHING || (needs == NEEDS_RUN && session->run) ||
                 (needs == NEEDS_SWEEP && session->sweep) ||
                 (needs == NEEDS_PAIR && session->compared);
    if (there) return thing->needs != NEEDS_TRACE || run_need_trace(session->run, err);
    error_set(err, ERR_NAME, "%s", lacks[needs].fact);
    return error_hint(err, "%s", lacks[needs].hint);
}

/* ---- the command ---- */

typedef struct PlotOptions {
    double head;
    Value path;           /* a string, or VALUE_UNSET: shown as text */
    int head_at, path_at; /* the arguments that they stand in */
    bool as_text;
} PlotOptions;

/* w.png and "w.png" lack their `to`, which says that they are files. */
static bool not_an_option(CommandCall *call, Error *err) {
    static const char *const suffixes[] = {".png", ".svg", ".pdf", ".gif", ".txt", ".csv", ".gp"};
    size_t length, first;
    const char *text = command_argument_text(call, call->next, &length),
               *begin = command_argument_text(call, 0, &first);
    bool quoted = length > 1 && strchr("\"'", *text), file = false;
    int before = (int)(text - begin), bare = (int)length - (quoted ? 2 : 0);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        size_t size = strlen(suffixes[i]);
        file = file || (bare > (int)size &&
                        memcmp(text + quoted + (size_t)bare - size, suffixes[i], size) == 0);
    }
    command_finish(call, err);
    if (file && length < 60 && before < 80)
        error_hint(err, "write plot %.*sto \"%.*s\"", before, begin, bare, text + quoted);
    return false;
}

static bool plot_options(CommandCall *call, PlotOptions *options, Error *err) {
    while (!command_at_end(call)) {
        if (command_take(call, "head")) {
            options->head_at = call->next;
            if (!command_number(call, "the head", &options->head, err)) return false;
            if (!(options->head >= 0 && options->head <= HEAD_MAX) ||
                options->head != floor(options->head))
                return error_set(err, ERR_VALUE, "a head is a whole number from 0, not %g",
                                 options->head),
                       command_error_at(call, options->head_at, err);
        } else if (command_take(call, "to")) {
            if (options->path.kind != VALUE_UNSET)
                return error_set(err, ERR_SYNTAX, "one file is enough"),
                       command_error_at(call, call->next - 1, err);
            options->path_at = call->next;
            if (!command_string(call, "the name of a file in quotes", &options->path, err))
                return false;
        } else if (command_take(call, "as")) {
            if (!command_take(call, "text"))
                return error_set(err, ERR_SYNTAX, "a picture is drawn as text, or to \"w.png\""),
                       command_error_at(call, call->next, err);
            options->as_text = true;
        } else {
            return not_an_option(call, err);
        }
    }
    return true;
}

static bool is_animated(const PlotOptions *options) {
    return options->path.kind == VALUE_STRING && path_has_suffix(options->path.string->data, "gif");
}

static Wish wish_of(const PlotOptions *options) {
    return (Wish){(size_t)options->head, options->head_at >= 0, is_animated(options)};
}

static bool head_is_there(Session *session, const CommandCall *call, const struct Thing *thing,
                          const PlotOptions *options, Error *err) {
    size_t heads = thing->heads(session), head = (size_t)options->head;
    if (head < heads || heads == 0) return true;
    error_set(err, ERR_VALUE, "there is no head %zu: there %s %zu, counted from 0", head,
              heads == 1 ? "is" : "are", heads);
    return command_error_at(call, options->head_at, err);
}

static bool draw_thing(Session *session, CommandCall *call, const struct Thing *thing,
                       Drawing *drawing, PlotOptions *options, Error *err) {
    const Value *variable =
        thing->gives_way ? session_variable_instead(session, thing->word) : NULL;
    if (!plot_options(call, options, err)) return false;
    Wish wish = wish_of(options);
    if (variable)
        return draw_array(session, drawing, variable, thing->word, strlen(thing->word), &wish, err);
    return thing_is_there(session, thing, err) &&
           head_is_there(session, call, thing, options, err) &&
           thing->draw(session, drawing, &wish, err);
}

static bool draw_value(Session *session, CommandCall *call, Drawing *drawing, PlotOptions *options,
                       Error *err) {
    size_t length;
    Value value;
    if (!command_value(call, "what to plot", &value, err)) return false;
    int at = call->next - 1;
    const char *name = command_argument_text(call, at, &length);
    bool ok = plot_options(call, options, err);
    if (ok) {
        const Node *node = call->node->command.arguments[at].value;
        Wish wish = wish_of(options);
        ok = value.kind == VALUE_TUPLE
                 ? draw_tuple(drawing, call, node, value.list, err)
                 : draw_array(session, drawing, &value, name, length, &wish, err);
        if (!ok) command_error_at(call, at, err);
    }
    value_release(&value);
    return ok;
}

static bool no_such_thing(const char *word, Error *err) {
    error_set(err, ERR_SYNTAX, "what to plot is missing before %s", word);
    return error_hint(err, "for example: plot weights to \"w.png\"");
}

static bool plot_into(Session *session, CommandCall *call, Drawing *drawing, PlotOptions *options,
                      Error *err) {
    const char *word = command_take_word(call), *path;
    const struct Thing *thing = word ? thing_find(word) : NULL;
    if (word && !thing) return no_such_thing(word, err);
    bool ok = thing ? draw_thing(session, call, thing, drawing, options, err)
                    : draw_value(session, call, drawing, options, err);
    path = options->path.kind == VALUE_STRING ? options->path.string->data : NULL;
    return ok && (drawing_deliver(session, drawing, path, options->as_text, err) ||
                  command_error_at(call, options->path_at, err));
}

static bool plot(Session *session, CommandCall *call, Error *err) {
    Drawing *drawing = drawing_new(&session->settings, err);
    if (!drawing) return false;
    PlotOptions options = {0, VALUE_MISSING, -1, -1, false};
    bool ok = plot_into(session, call, drawing, &options, err);
    value_release(&options.path);
    drawing_free(drawing);
    return ok;
}

const CommandDef plot_commands[] = {
    {{.name = "plot",
      .words = "weights scores output entropy positions mask heads sweep compare head to as text",
      .expression = true},
     plot,
     false,
     "plot THING [head h] [to \"file\"]",
     "Draws weights, scores, output, entropy, mask or positions of the bench, or any array: a "
     "matrix as a heatmap, a vector as a line, plot a, b as two lines. "
     "heads draws the weights of all heads beside each other; sweep the curves that the last sweep "
     "found; compare the two runs of the last compare and their difference. "
     "Without a file it is drawn right there: in colours where the terminal has them, as "
     "characters elsewhere and with as text. "
     "A file's suffix says what it becomes: .png .svg .pdf and .gif (a sweep: the weights at each "
     "value, one after the other) are drawn by gnuplot; "
     ".txt (text), .csv (the numbers) and .gp (a gnuplot script with its data) need no other "
     "program.",
     "plot [[0.9, 0.1], [0.2, 0.8]]\nplot [1, 4, 9] to \"squares.txt\"",
     "attend weights sweep compare palette terminal"},
    {.syntax = {.name = NULL}},
};
