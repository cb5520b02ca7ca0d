/* plot THING [WORDS]: finds what to draw. */
#include "base/size.h"
#include "session/bench/result_view.h"
#include "session/bench/run_words.h"
#include "session/pictures/draw.h"
#include "view/files/picture_format.h"

#include <string.h>

typedef enum ThingSource {
    OF_VALUE,
    OF_SETTINGS,
    OF_TRAINING,
    OF_RUN,
    OF_TRACE,
    OF_MODEL,
    OF_SWEEP,
    OF_COMPARE
} ThingSource;

enum { HEAD = 1 << PLOT_HEAD, OF_QUERY = 1 << PLOT_OF, THRESHOLD = 1 << PLOT_THRESHOLD };

static const struct Thing {
    const char *word;
    Draw *draw;
    ThingSource source;
    bool gives_way; /* to a variable of that name */
    unsigned takes; /* words that not each picture takes */
} things[] = {{"weights", draw_weights, OF_TRACE, true, HEAD},
              {"scores", draw_scores, OF_TRACE, true, HEAD},
              {"output", draw_output, OF_RUN, true, 0},
              {"entropy", draw_entropy, OF_RUN, true, HEAD},
              {"mask", draw_mask, OF_TRACE, true, HEAD},
              {"heads", draw_heads, OF_TRACE, true, HEAD},
              {"head", draw_model_head, OF_MODEL, false, 0},
              {"links", draw_links, OF_TRACE, false, HEAD | OF_QUERY | THRESHOLD},
              {"positions", draw_positions, OF_SETTINGS, true, HEAD},
              {"sweep", draw_sweep, OF_SWEEP, false, HEAD},
              {"compare", draw_compare, OF_COMPARE, false, HEAD},
              {"loss", draw_loss, OF_TRAINING, true, OF_QUERY},
              {"history", draw_history, OF_TRAINING, true, OF_QUERY},
              {"lens", draw_origin, OF_MODEL, true, 0},
              {"rollout", draw_origin, OF_MODEL, true, 0},
              {"saliency", draw_origin, OF_MODEL, true, 0},
              {"attribution", draw_origin, OF_MODEL, true, 0},
              {"effects", draw_effects, OF_MODEL, true, 0},
              {.word = NULL}};

/* Counts the heads of the thing. False when it is not there yet: the error says what makes it. */
static bool thing_heads(Session *session, const struct Thing *thing, const PlotRequest *request,
                        size_t *heads, Error *err) {
    Run *run = session->bench.run;
    const ComparedRuns *compared = session->bench.compared;
    switch (thing->source) {
    case OF_MODEL: return inspection_needed(session, request->call, err) != NULL;
    case OF_RUN:
    case OF_TRACE:
        if (!run) {
            error_set(err, ERR_NAME, "there is nothing to draw yet");
            return error_hint(err, session->bench.inspection
                                       ? "head 0 0 puts a head of the inspected model on the "
                                         "bench; plot heads and plot links layer 0 need none"
                                       : "attend makes what there is to draw, for example: "
                                         "X = randn(3, 4); attend; plot weights");
        }
        *heads = run->heads;
        return thing->source == OF_RUN || run_need_trace(run, err);
    case OF_SWEEP:
        if (!session->bench.sweep) {
            error_set(err, ERR_NAME, "nothing was swept yet");
            return error_hint(err, "for example: sweep temperature 0.01 100; then plot sweep");
        }
        *heads = session->bench.sweep->heads;
        return true;
    case OF_COMPARE:
        if (!compared) {
            error_set(err, ERR_NAME, "nothing was compared yet");
            return error_hint(err,
                              "for example: compare temperature 0.5 against 2; then plot compare");
        }
        *heads = compared->runs[0]->heads; /* the number of heads that all runs have */
        for (size_t i = 1; i < compared->count; i++)
            *heads = smaller(*heads, compared->runs[i]->heads);
        return true;
    case OF_VALUE:
    case OF_TRAINING: return true;
    default: *heads = run ? run->heads : session->bench.settings.heads; return true;
    }
}

/* Corrects plot before, sweep: the last one has no value, and so is first. Returns false. */
static bool hint_sweep_first(const CommandCall *call, int at, Error *err) {
    const Node *node =
        at < call->node->command.count ? call->node->command.arguments[at].value : NULL;
    if (err->kind != ERR_NAME || !node || node->kind != NODE_TUPLE) return false;
    for (int i = 1; i < node->list.count; i++) {
        const Node *item = node->list.items[i];
        if (item->kind == NODE_NAME && strcmp(item->name.symbol->name, "sweep") == 0)
            return error_hint(err, "the last sweep comes first: plot sweep, ...");
    }
    return false;
}

/* plot head 1 0, plot links layer 1: which head or layer of the inspected model is drawn. plot lens
 * at 3: runs the command of that name, whose table is drawn. */
static bool read_model_place(Session *session, PlotRequest *request, const struct Thing *thing,
                             Error *err) {
    CommandCall *call = request->call;
    if (thing->draw == draw_origin) {
        Node node = *call->node;
        CommandCall asked = *call;
        bool bare = !command_at_end(call) && !command_next_is_word(call) && !plot_lacks_to(call);
        int own = call->next + (command_next_is(call, "at") ? 2 : bare);
        if (own < node.command.count) node.command.count = own;
        node.command.name = strcmp(thing->word, "attribution") == 0 ? "attribute" : thing->word;
        asked.node = &node;
        asked.quiet = true;
        if (!session_command(session, node.command.name)->run(session, &asked, err)) return false;
        call->next = asked.next;
        return true;
    }
    bool head = thing->draw == draw_model_head;
    request->of_layer = thing->draw == draw_links && command_take(call, "layer");
    if (!head && !request->of_layer) return true;
    const Inspection *inspection = inspection_needed(session, call, err);
    if (!inspection) return false;
    const ModelConfig *config = &inspection->run.model->config;
    return head ? model_head_argument(call, config, &request->model_head, err)
                : model_layer_argument(call, config, &request->model_head, err);
}

/* Reads what is drawn. NULL: there is no such thing. */
static const struct Thing *read_thing(Session *session, PlotRequest *request, Error *err) {
    static const struct Thing array = {.draw = draw_array, .source = OF_VALUE},
                              lines = {.draw = draw_tuple, .source = OF_VALUE},
                              panels = {.draw = draw_panels, .source = OF_VALUE},
                              sweeps = {.draw = draw_sweep, .source = OF_VALUE, .takes = HEAD},
                              variable = {"variable", draw_array, OF_VALUE, false, 0};
    CommandCall *call = request->call;
    Value *value = &request->value;
    const char *word = command_take_word(call);
    if (!word) {
        if (!command_value(call, "what to plot", value, err)) {
            hint_sweep_first(call, request->value_at, err);
            return NULL;
        }
        if (value_is_sweeps(value)) return &sweeps;
        if (value_is_drawn_in_panels(value)) return &panels;
        return value->kind == VALUE_TUPLE ? &lines : &array;
    }

    const struct Thing *thing = things;
    while (thing->word && strcmp(thing->word, word) != 0) thing++;
    if (!thing->word) {
        error_set(err, ERR_SYNTAX, "what to plot is missing before %s", word);
        error_hint(err, "for example: plot weights to \"w.png\"");
        return NULL;
    }
    /* plot loss of m: only models have "of" here, whatever the user has called loss. */
    bool of_models = thing->source == OF_TRAINING && command_next_is(call, "of");
    const Value *instead =
        thing->gives_way && !of_models ? session_variable_instead(session, word) : NULL;
    if (instead) {
        *value = value_ref(*instead);
        return &variable;
    }
    /* plot sweep, before; a string would be a file's name without its `to`. */
    const Node *next =
        command_at_end(call) ? NULL : call->node->command.arguments[call->next].value;
    if (thing->draw == draw_sweep && next && next->kind != NODE_STRING) {
        request->joined = true;
        request->value_at = call->next;
        return command_value(call, "a sweep that was kept", value, err) ? thing : NULL;
    }
    return read_model_place(session, request, thing, err) ? thing : NULL;
}

static bool plot(Session *session, CommandCall *call, Error *err) {
    static const struct Thing model_heads = {"heads", draw_model_heads, OF_MODEL, true, 0},
                              model_links = {"links", draw_model_links, OF_MODEL, false,
                                             HEAD | OF_QUERY | THRESHOLD};
    const Bench *bench = &session->bench;
    LocalPlotRequest request;
    plot_request_init(&request, call);
    LocalDrawing *drawing = drawing_new(session, &request, err);
    if (!drawing) return false;
    const struct Thing *thing = read_thing(session, &request, err);
    if (!thing) return false;
    if (!plot_request_read(&request, err)) {
        if (thing->draw != draw_links || !plot_asks(&request, PLOT_OF)) return false;
        Value tokens = VALUE_NOTHING; /* that `of` may name */
        if (request.of_layer)
            tokens = inspection_query_tokens(bench->inspection, request.model_head.site);
        else if (bench->run) tokens = query_labels(session, bench->run->queries);
        place_hint_at_quotes(call, tokens, err);
        return false;
    }

    /* Heads are those of the inspected model, unless there is a newer run of several heads, or a
     * head of the run is asked for. */
    bool of_model = thing->draw == draw_heads && bench->inspection &&
                    (!bench->run || bench->run->heads == 1) && !plot_asks(&request, PLOT_HEAD);
    if (request.of_layer) thing = &model_links;
    else if (of_model) thing = &model_heads;
    size_t heads = 0;
    drawing->takes = thing->takes;
    bool ok = thing_heads(session, thing, &request, &heads, err);
    if (ok && heads > 0 && request.head >= heads)
        return no_such_head((double)request.head, heads, err) ||
               plot_error_at(&request, PLOT_HEAD, err);
    if (ok) thing->draw(drawing);
    if (!ok || drawing->failed) {
        if (!thing->word || request.joined) command_error_at(call, request.value_at, err);
        return false;
    }

    const char *name = plot_string(&request, PLOT_TO);
    if (!name)
        name = !session->plots ? "" : plot_asks(&request, PLOT_TEXT) ? "plot.txt" : "plot.png";
    if (!plot_request_apply(&request, drawing, picture_format_find(name), err)) return false;
    return drawing_deliver(session, drawing, &request, err) ||
           plot_error_at(&request, PLOT_TO, err);
}

/* clang-format off */
const CommandDef plot_commands[] = {
    {{.name = "plot",
      .words = "weights scores output entropy positions mask heads links loss history sweep compare "
               "lens rollout saliency attribution effects head to as text",
      .options = "new against layer at of threshold title xlabel ylabel size fontsize range lines "
                 "log logx loglog encoder decoder cross --force",
      .joined = "sweep",
      .pairs = "size range",
      .expression = true}, plot, false,
     "plot THING [head H] [against X] [of QUERY] [threshold P] [to [new] \"file\" [--force]] "
     "[title \"...\"] [xlabel \"...\"] [ylabel \"...\"] [range LOW HIGH] [size WIDTH HEIGHT] "
     "[fontsize N] [as text|lines|log|logx|loglog]",
     "Draws weights, scores, output, entropy, mask or positions of the bench, or any array: a "
     "matrix as a heatmap, a vector as a line, plot a, b, c as lines in one picture, plot A, B as "
     "matrices beside each other (a vector beside them as a column). Of what attention() gives "
     "the weights are drawn, of long_short_attention's result those of both, of "
     "hierarchical_attention's those of the words, a row for each sentence, and of the sentences. "
     "entropy draws a bar for each query, with a mark at the most that it could be. plot y "
     "against x draws y over x, and so does plot x, y where x rises (as lines: both as lines). "
     "heads draws the weights of all heads beside each other, of the bench or of the model that "
     "was inspected last, and head 1 0 one head of that model; links draws weights as lines from "
     "queries to keys, a colour for each head, where they reach a threshold that keeps the "
     "picture readable or is given (plot links head 0 threshold 0.2; plot links layer 1: of the "
     "inspected model; plot links of \"it\": of that query alone, in a terminal as bars); sweep "
     "the curves that the last sweep found; compare the runs of the last compare; loss how the "
     "model that was trained last came down (plot loss of m1, m2: of these models, and where they "
     "were tested the held-out loss too), history also what the heads looked at that train ... "
     "watching has watched; lens, rollout, saliency and attribution what these commands find in "
     "the inspected run (plot lens at 3; marks say what switching a token or part off does); "
     "effects the map that ablate each or patch each has made. Without a file it is drawn right "
     "there: in colours where the terminal has them, as characters elsewhere and with as text. "
     "{formats} title, xlabel and ylabel \"...\" name the picture and its axes; range 0 1 is the "
     "range of its colours, or of the axis of lines, so that several pictures can share one; size "
     "1600 900, or size 1600x900, makes a file of so many pixels, whose labels grow with it, and "
     "fontsize 30 makes these 30 pixels high, as far as there is room. Of lines, as log has a "
     "logarithmic axis of y and leaves that of x as it is, as logx has one of x, as loglog both; "
     "the curves of a sweep in equal ratios have one of x by themselves. A word that does nothing "
     "to the picture is an error. In a script, to new \"file\" puts it into a new folder, which "
     "is named at the end. Over a file that is there and that this session has not written it "
     "asks at a prompt; --force does not ask.",
     "plot [[0.9, 0.1], [0.2, 0.8]] range 0 1\nplot [1, 4, 9] to \"squares.txt\"\n"
     "plot [1, 4, 9] against [1, 2, 3] as log title \"squares\"\n"
     "A = eye(3)\nplot A, A / 2",
     "attend weights sweep compare palette terminal"},
    {.syntax = {.name = NULL}},
};
/* clang-format on */
