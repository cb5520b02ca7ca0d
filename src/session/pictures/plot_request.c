#include "session/pictures/plot_request.h"

#include "view/lines_data.h"

#include <math.h>
#include <string.h>

/* ---- reading ---- */

/* The values that follow each word: a value, a string, or one or two numbers, and what an error
 * calls them. Numbers lie between the least and the most. */
static const struct PlotWordRow {
    const char *word;
    bool behind_as;
    const char *value, *string, *numbers[2];
    double least, most;
    bool whole;
    const char *must; /* a number that does not, "..., not 3" */
    /* Why the other things do not take a word that only some do, and an example. */
    const char *refusal, *example;
} rows[PLOT_WORDS] = {
    [PLOT_HEAD] = {"head", .numbers = {"the head"}, .most = 1 << 30, .whole = true,
                   .must = "a head is a whole number from 0, not",
                   .refusal = "there is no head to choose in this picture"},
    [PLOT_TO] = {"to", .string = "the name of a file in quotes"},
    [PLOT_AGAINST] = {"against", .value = "what the lines are drawn against",
                      .refusal = "against is for lines of numbers, and this has axes of its own"},
    [PLOT_OF] = {"of", .value = "the query", .refusal = "of and a query is for links",
                 .example = "plot links of 0"},
    [PLOT_THRESHOLD] = {"threshold", .numbers = {"the threshold"}, .most = 1,
                        .must = "a threshold lies between 0 and 1, as weights do, not at",
                        .refusal = "a threshold is for links",
                        .example = "plot links threshold 0.1"},
    [PLOT_TITLE] = {"title", .string = "the title in quotes"},
    [PLOT_XLABEL] = {"xlabel", .string = "the label in quotes"},
    [PLOT_YLABEL] = {"ylabel", .string = "the label in quotes"},
    [PLOT_SIZE] = {"size",
                   .numbers = {"the width in pixels", "the height in pixels, behind the width,"},
                   .least = 100, .most = 8000, .whole = true,
                   .must = "a side has 100 to 8000 pixels, not"},
    [PLOT_FONTSIZE] = {"fontsize", .numbers = {"the height of the labels in pixels"}, .least = 4,
                       .most = 400, .must = "labels are 4 to 400 pixels high, not"},
    [PLOT_RANGE] = {"range",
                    .numbers = {"the low end of the range", "the high end, behind the low one,"}},
    [PLOT_TEXT] = {"text", .behind_as = true},
    [PLOT_LINES] = {"lines", .behind_as = true, .refusal = "as lines is for vectors"},
    [PLOT_LOG] = {"log", .behind_as = true},
    [PLOT_LOGX] = {"logx", .behind_as = true},
    [PLOT_LOGLOG] = {"loglog", .behind_as = true},
    [PLOT_FORCE] = {.word = "--force"}};

static bool read_numbers(PlotRequest *request, PlotWord word, Error *err) {
    CommandCall *call = request->call;
    const struct PlotWordRow *row = &rows[word];
    double *numbers = request->numbers[word];
    int count = row->numbers[0] ? row->numbers[1] ? 2 : 1 : 0;
    for (int i = 0; i < count; i++)
        if (!command_number(call, row->numbers[i], &numbers[i], err)) return false;
    for (int i = 0; row->must && i < count; i++) {
        bool fits = numbers[i] >= row->least && numbers[i] <= row->most;
        if (fits && (!row->whole || numbers[i] == floor(numbers[i]))) continue;
        error_set(err, ERR_VALUE, "%s %.15g", row->must, numbers[i]);
        return command_error_at(call, call->next - count + i, err);
    }
    if (word == PLOT_HEAD) request->head = (size_t)numbers[0];
    if (word != PLOT_RANGE) return true;
    const double *ends = request->numbers[PLOT_RANGE];
    Range range = {ends[0], ends[1]};
    bool rises = range.low < range.high && !range_is_constant(range);
    if (rises && isfinite(range.high - range.low)) return true;
    error_set(err, ERR_VALUE, "the range from %.15g to %.15g is %s", range.low, range.high,
              rises ? "wider than any picture" : "empty: the low end comes first");
    return command_error_at(request->call, request->call->next - 1, err);
}

void plot_request_init(PlotRequest *request, CommandCall *call) {
    *request = (PlotRequest){.call = call, .value = VALUE_MISSING, .value_at = call->next};
    for (PlotWord word = 0; word < PLOT_WORDS; word++) {
        request->at[word] = -1;
        request->values[word] = VALUE_MISSING;
    }
}

void plot_request_release(PlotRequest *request) {
    value_release(&request->value);
    for (PlotWord word = 0; word < PLOT_WORDS; word++) value_release(&request->values[word]);
}

const char *plot_string(const PlotRequest *request, PlotWord word) {
    const Value *value = &request->values[word];
    return value->kind == VALUE_STRING ? value->string->data : NULL;
}

/* Appends the next argument, without its quotes, to `name`; true if that is the name of a file. */
static bool names_file(const CommandCall *call, Text *name) {
    size_t length;
    const char *text = command_argument_text(call, call->next, &length);
    bool quoted = length > 1 && strchr("\"'", *text);
    text_bytes(name, text + quoted, length - (quoted ? 2 : 0));
    return !name->failed && picture_format_find(name->data);
}

bool plot_lacks_to(const CommandCall *call) {
    LocalText name = TEXT_EMPTY;
    return names_file(call, &name);
}

/* The error for an argument that plot does not know. w.png and "w.png" only lack their `to`. */
static bool refuse_argument(CommandCall *call, Error *err) {
    size_t length, first;
    const char *text = command_argument_text(call, call->next, &length),
               *begin = command_argument_text(call, 0, &first);
    bool quoted = length > 1 && strchr("\"'", *text);
    int before = (int)(text - begin);
    LocalText name = TEXT_EMPTY;
    bool file = names_file(call, &name);
    command_finish(call, err);
    if (file && length < 60 && before < 80)
        error_hint(err, "write plot %.*sto \"%s\"", before, begin, name.data);
    else if (quoted && length < 60 && before < 80)
        error_hint(err, "words above the picture: plot %.*stitle \"%s\"", before, begin, name.data);
    return false;
}

bool plot_request_read(PlotRequest *request, Error *err) {
    CommandCall *call = request->call;
    while (!command_at_end(call)) {
        bool as = command_take(call, "as");
        PlotWord word = 0;
        while (word < PLOT_WORDS &&
               !(rows[word].behind_as == as && command_take(call, rows[word].word)))
            word++;
        if (word == PLOT_WORDS && as) {
            error_set(err, ERR_SYNTAX,
                      "a picture is drawn as text, log, logx, loglog or lines, or to \"w.png\"");
            return command_error_at(call, call->next, err);
        }
        if (word == PLOT_WORDS) return refuse_argument(call, err);
        if (plot_asks(request, word)) {
            if (word == PLOT_TO) error_set(err, ERR_SYNTAX, "one file is enough");
            else error_set(err, ERR_SYNTAX, "%s is there twice", rows[word].word);
            return command_error_last(call, err);
        }
        const struct PlotWordRow *row = &rows[word];
        if (word == PLOT_TO) request->to_new = command_take(call, "new");
        request->at[word] = call->next - (row->behind_as || word == PLOT_FORCE ? 1 : 0);
        Value *value = &request->values[word];
        if ((row->value && !command_value(call, row->value, value, err)) ||
            (row->string && !command_string(call, row->string, value, err)) ||
            !read_numbers(request, word, err))
            return false;
    }
    return true;
}

bool plot_error_at(const PlotRequest *request, PlotWord word, Error *err) {
    return command_error_at(request->call, request->at[word], err);
}

const Value *plot_items(const Value *value, size_t *count) {
    bool tuple = value->kind == VALUE_TUPLE;
    *count = tuple ? value->list->count : 1;
    return tuple ? value->list->items : value;
}

const char *plot_source(Drawing *drawing, int at, size_t item) {
    const CommandCall *call = drawing->request->call;
    const Node *node = call->node->command.arguments[at].value;
    Span span = node->kind == NODE_TUPLE ? node->list.items[item]->span : node->span;
    return drawing_words(drawing, "%.*s", (int)(span.end - span.begin),
                         call->frame->chunk->text + span.begin);
}

/* ---- words that do nothing ---- */

/* True if the word changes such a picture in that format; if not, the error says why. */
static bool word_counts(const Drawing *drawing, const PictureFormat *format, bool saved,
                        PlotWord word, Error *err) {
    const Picture *picture = &drawing->picture;
    bool grid = picture->panel_count > 0 && picture->kind != PICTURE_LINKS;
    PictureKind kind = grid ? picture->panels[0].kind : picture->kind;
    const char *name = rows[word].word;
    bool numbers = format && format->numbers, text = !format || format->characters;
    switch (word) {
    case PLOT_TO:
    case PLOT_FORCE:
        return saved || word == PLOT_TO ||
               error_set(err, ERR_VALUE, "--force replaces a file, and the picture goes to none");
    case PLOT_TEXT:
        return !saved || error_set(err, ERR_VALUE,
                                   "as text is for the screen: a file's name says its format");
    case PLOT_HEAD:
    case PLOT_OF:
    case PLOT_THRESHOLD:
    case PLOT_AGAINST:
    case PLOT_LINES:
        if (drawing->takes >> word & 1) return true;
        error_set(err, ERR_VALUE, "%s", rows[word].refusal);
        if (rows[word].example) error_hint(err, "for example: %s", rows[word].example);
        return false;
    case PLOT_LOG:
    case PLOT_LOGX:
    case PLOT_LOGLOG:
        if (picture->kind == PICTURE_LINKS)
            return error_set(err, ERR_VALUE, "links have no axis that could be logarithmic");
        if (kind == PICTURE_BARS)
            return error_set(err, ERR_VALUE,
                             "only lines have logarithmic axes: bars begin at 0, "
                             "which has no place on one");
        if (kind != PICTURE_LINES) {
            error_set(err, ERR_VALUE,
                      "only lines have logarithmic axes: of a heatmap the "
                      "logarithms themselves can be drawn");
            return error_hint(err, "for example: plot log10(A)");
        }
        if (word == PLOT_LOGX && picture->log_x)
            return error_set(err, ERR_VALUE, "the axis of x is logarithmic already");
        break;
    case PLOT_SIZE:
    case PLOT_FONTSIZE:
        if (text)
            return error_set(err, ERR_VALUE,
                             "a picture in characters is as large as its terminal: %s is for a %s",
                             name, picture_formats_list(FORMATS_DRAWN, "or").text);
        break;
    case PLOT_XLABEL:
    case PLOT_YLABEL:
    case PLOT_RANGE:
        if (text && picture->kind == PICTURE_LINKS)
            return error_set(err, ERR_VALUE, "links in characters have no axes: %s is for a %s",
                             name, picture_formats_list(FORMATS_DRAWN_STILL, "or").text);
        if (!numbers || word == PLOT_RANGE) break;
        if (kind == PICTURE_BARS) return true; /* they head the columns */
        if (kind == PICTURE_LINES && (word == PLOT_XLABEL || !lines_are_named(picture)))
            return true;
        break;
    default: break;
    }
    return !numbers || error_set(err, ERR_VALUE, "a .%s has no %s: it holds the numbers alone",
                                 format->suffix, name);
}

/* ---- applying ---- */

static bool apply_to(const PlotRequest *request, Picture *picture, Error *err) {
    const char *x = plot_string(request, PLOT_XLABEL), *y = plot_string(request, PLOT_YLABEL);
    bool lines = picture->kind == PICTURE_LINES || picture->kind == PICTURE_BARS;
    if (x) *(lines ? &picture->x_title : &picture->column_title) = x;
    if (y) *(lines ? &picture->y_title : &picture->row_title) = y;
    if (plot_asks(request, PLOT_RANGE)) {
        picture->low = request->numbers[PLOT_RANGE][0];
        picture->high = request->numbers[PLOT_RANGE][1];
        picture->exact = true;
    }
    if (plot_asks(request, PLOT_LOG) || plot_asks(request, PLOT_LOGLOG)) picture->log_y = true;
    if (plot_asks(request, PLOT_LOGX) || plot_asks(request, PLOT_LOGLOG)) picture->log_x = true;
    /* Checks that there is a number, and counts those with no position on the logarithmic axes. */
    PlotWord word = PLOT_LOG; /* the first logarithmic axis that was asked for */
    while (word <= PLOT_LOGLOG && !plot_asks(request, word)) word++;
    size_t points = 0, lost = 0;
    Picture plain = *picture;
    plain.log_x = plain.log_y = false;
    if (word > PLOT_LOGLOG) return true;
    for (size_t l = 0; l < picture->line_count; l++) {
        for (size_t i = 0; i < picture->lines[l].count; i++) {
            bool there = line_has_point(&plain, &picture->lines[l], i);
            points += there;
            lost += there && !line_has_point(picture, &picture->lines[l], i);
        }
    }
    if (picture->log_y && picture->exact && picture->low <= 0) {
        error_set(err, ERR_VALUE, "a logarithmic axis begins above 0, not at %.15g", picture->low);
        return plot_error_at(request, PLOT_RANGE, err);
    }
    if (points > 0 && lost == points) {
        error_set(err, ERR_VALUE,
                  "nothing is left to draw: no point is above 0, and a logarithmic axis has no "
                  "place for others");
        return plot_error_at(request, word, err);
    }
    if (lost > 0)
        host_note(request->call->interp->host,
                  "(%zu of %zu points left out: a logarithmic axis has no place for 0 and below)\n",
                  lost, points);
    return true;
}

bool plot_request_apply(const PlotRequest *request, Drawing *drawing, const PictureFormat *format,
                        Error *err) {
    Picture *picture = &drawing->picture;
    const char *title = plot_string(request, PLOT_TITLE);
    /* Refuses the first word that does nothing, and says which words do something here. */
    bool saved = plot_string(request, PLOT_TO) != NULL;
    for (PlotWord word = 0; word < PLOT_WORDS; word++) {
        if (!plot_asks(request, word) || word_counts(drawing, format, saved, word, err)) continue;
        LocalText list = TEXT_EMPTY;
        for (PlotWord other = 0; other < PLOT_WORDS; other++) {
            if (!word_counts(drawing, format, saved, other, NULL)) continue;
            text_format(&list, "%s%s%s", list.length ? ", " : "",
                        rows[other].behind_as ? "as " : "", rows[other].word);
        }
        if (err && !*err->hint) error_hint(err, "this picture takes %s", list.data);
        return plot_error_at(request, word, err);
    }
    picture->width = (int)request->numbers[PLOT_SIZE][0];
    picture->height = (int)request->numbers[PLOT_SIZE][1];
    picture->font_px = request->numbers[PLOT_FONTSIZE][0];
    if (title && picture->kind == PICTURE_FRAMES) {
        /* Replaces "weights" by the title; what each frame is at stays behind it. */
        for (size_t i = 0; i < drawing->picture.panel_count; i++) {
            Picture *frame = (Picture *)&drawing->picture.panels[i];
            const char *place = strstr(frame->title, " at ");
            frame->title = drawing_words(drawing, "%s%s", title, place ? place : "");
        }
    }
    if (!format || !format->data) drawing_say(drawing);
    if (title) {
        text_clear(&drawing->title);
        text_string(&drawing->title, title);
    }
    if (drawing->failed) return false;
    if (picture->panel_count == 0) return apply_to(request, picture, err);
    for (size_t i = 0; i < picture->panel_count; i++) {
        Picture *panel = (Picture *)&picture->panels[i];
        double low = panel->low, high = panel->high;
        if (!apply_to(request, panel, err)) return false;
        /* The range is that of the first panel, and of those that show the same as it. */
        if (i == 0 || strcmp(panel->palette, picture->panels[0].palette) == 0) continue;
        panel->low = low;
        panel->high = high;
    }
    return true;
}
