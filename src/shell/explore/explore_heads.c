#include "shell/explore/explore_heads.h"

#include "base/memory.h"
#include "base/size.h"
#include "base/translate.h"
#include "session/models/effects_table.h"
#include "shell/explore/explore_layout.h"
#include "view/palette.h"
#include "view/terminal/cells.h"

#include <math.h>
#include <string.h>

/* ---- the run ---- */

static const Inspection *inspection_of(const ExploreHeads *heads) {
    return heads->session->bench.inspection;
}

const ModelConfig *explore_heads_config(const ExploreHeads *heads) {
    return &inspection_of(heads)->run.model->config;
}

const Interventions *explore_heads_in_force(const ExploreHeads *heads) {
    return inspection_of(heads)->run.model->interventions;
}

/* The layer and attention of a row of the grid. */
static HeadPlace place_of_row(const ExploreHeads *heads, size_t row) {
    const ModelConfig *config = explore_heads_config(heads);
    return head_at(config, row * config->heads);
}

HeadPlace explore_heads_selected(const ExploreHeads *heads) {
    HeadPlace place = place_of_row(heads, heads->row);
    place.head = heads->head;
    return place;
}

static bool is_off_in(const Interventions *list, const ModelConfig *config, HeadPlace place) {
    Intervention part = head_zero(config, place);
    const Intervention *found = interventions_find(list, &part);
    return found && found->kind == INTERVENE_ZERO;
}

/* Reads weights and figures of the run that is on the bench now. */
static bool read_run(ExploreHeads *heads, Error *err) {
    const ModelConfig *config = explore_heads_config(heads);
    size_t layers = config->layers, at = 0;
    Tensor **weights = mem_zeroed(heads->rows, sizeof *weights, err);
    HeadSummary *summaries =
        weights ? mem_alloc(head_count(config) * sizeof *summaries, err) : NULL;
    bool ok = summaries && model_run_heads(&inspection_of(heads)->run, summaries, err);
    for (AttentionSite site = SITE_ENCODER; ok && site < SITES; site++) {
        if (!model_has_site(config, site)) continue;
        ok = model_run_weights(&inspection_of(heads)->run, (HeadPlace){.site = site}, layers,
                               weights + at, NULL, err);
        at += layers;
    }
    if (!ok) {
        if (weights) tensors_free(weights, heads->rows);
        mem_free(summaries);
        return false;
    }
    if (heads->weights) tensors_free(heads->weights, heads->rows);
    mem_free(heads->summaries);
    heads->weights = weights;
    heads->summaries = summaries;
    return true;
}

/* ---- changes ---- */

/* Puts a list in force, of which it takes the reference over. */
static bool use(ExploreHeads *heads, Interventions *list, const char *what, Error *err) {
    text_clear(&heads->scene.change);
    text_format(&heads->scene.change, "%s; ", what);
    bool ok =
        inspection_intervene(heads->session, list, POSITION_NONE, &heads->scene.change, err) &&
        read_run(heads, err);
    interventions_unref(list);
    return ok;
}

static bool switch_head(ExploreHeads *heads, Error *err) {
    const ModelConfig *config = explore_heads_config(heads);
    const Interventions *now = explore_heads_in_force(heads);
    HeadPlace place = explore_heads_selected(heads);
    Intervention part = head_zero(config, place);
    Interventions *list = NULL;
    LocalText what = TEXT_EMPTY;
    bool was_off = is_off_in(now, config, place), ok;
    text_string(&what, "head ");
    head_write(config, place, &what);
    text_string(&what, was_off ? " on" : " off");
    ok = was_off ? interventions_without(now, &part, &list, err)
                 : (list = interventions_with(now, &part, err)) != NULL;
    return ok && text_ok(&what, err) && use(heads, list, what.data, err);
}

bool explore_heads_restore(ExploreHeads *heads, Error *err) {
    if (explore_heads_in_force(heads) == heads->entry) return true;
    return inspection_intervene(heads->session, heads->entry, POSITION_NONE, NULL, err);
}

void explore_heads_write_commands(const ExploreHeads *heads, Text *text) {
    const Interventions *now = explore_heads_in_force(heads);
    const ModelConfig *config = explore_heads_config(heads);
    bool again = false; /* a head is on again: for that nothing may stay in force */
    for (size_t i = 0; i < head_count(config); i++)
        again = again || (is_off_in(heads->entry, config, head_at(config, i)) &&
                          !is_off_in(now, config, head_at(config, i)));
    if (again) text_string(text, "ablate none;");
    for (size_t i = 0; i < head_count(config); i++) {
        HeadPlace place = head_at(config, i);
        if (!is_off_in(now, config, place)) continue;
        if (!again && is_off_in(heads->entry, config, place)) continue;
        text_string(text, text->length ? " ablate " : "ablate ");
        head_write(config, place, text);
        text_char(text, ';');
    }
}

/* ---- the screen ---- */

enum { PREDICTIONS = 3, LABEL = 9, WIDE = 60 };
enum { NAME = 7, NARROW_LINES = 3 }; /* columns of "head 1"; lines that wrapping takes */
enum { ROWS_TO_WRAP = 18 };          /* of the screen; with fewer, lines are cut */
enum { MAP_LEAST = 2, MAP_NARROWEST = 3, MAP_ROWS_MOST = 12, MAP_COLUMNS_MOST = 24 };

/* A row of maps for each layer, in each map a query to a row and a key to a column; where there are
 * more of them than fit, a cell shows the largest weight of several. */
typedef struct Maps {
    size_t label;         /* columns of the layers' names */
    size_t columns, rows; /* of one map */
    size_t first_head, shown_heads, first_row, shown_rows;
    size_t top, bottom; /* rows of the screen that maps may take: top .. bottom - 1 */
    size_t wrapped;     /* further lines below them, for lines that are wrapped */
} Maps;

static void lay_out(ExploreHeads *heads, const Sheet *sheet, Maps *maps) {
    const ModelRun *run = &heads->session->bench.inspection->run;
    size_t count = explore_heads_config(heads)->heads,
           most = larger(run->source.batch ? run->source.length : 1,
                         run->target.batch ? run->target.length : 1);
    maps->top = 1;
    bool wide = sheet->columns >= WIDE;
    maps->wrapped = wide || sheet->rows < ROWS_TO_WRAP ? 0 : NARROW_LINES;
    maps->bottom = left_of(sheet->rows, 1 + PREDICTIONS + 2 + maps->wrapped);
    /* A narrow screen has room for the names of tokens where its maps leave some. */
    maps->label = wide || left_of(sheet->columns, LABEL) / count > most ? LABEL : 3;
    size_t room = left_of(sheet->columns, maps->label), height = left_of(maps->bottom, maps->top);
    /* Each map has a line above it, and a column between it and the next. */
    maps->columns = smaller(smaller(2 * most, MAP_COLUMNS_MOST),
                            larger(left_of(room / count, 1), MAP_NARROWEST));
    if (maps->columns >= most) maps->columns = maps->columns / most * most;
    maps->rows =
        smaller(smaller(most, MAP_ROWS_MOST), larger(left_of(height / heads->rows, 1), MAP_LEAST));
    maps->shown_heads = smaller(count, larger(room / (maps->columns + 1), 1));
    maps->shown_rows = smaller(heads->rows, larger(height / (maps->rows + 1), 1));
    maps->first_head = explore_window(0, maps->shown_heads, count, heads->head);
    maps->first_row = explore_window(heads->first_row, maps->shown_rows, heads->rows, heads->row);
    heads->first_row = maps->first_row;
}

static void put_map(Sheet *sheet, const Maps *maps, const Tensor *weights, size_t head, size_t row,
                    size_t column) {
    size_t queries = weights->shape.size[1], keys = weights->shape.size[2],
           rows = smaller(maps->rows, queries), columns = smaller(maps->columns, 2 * keys),
           wide = columns >= keys ? columns / keys : 1, cells = smaller(columns, keys);
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < cells; c++) {
            double most = 0; /* of the queries and keys in the cell */
            for (size_t q = block_begin(r, queries, rows); q < block_begin(r + 1, queries, rows);
                 q++)
                for (size_t k = block_begin(c, keys, cells); k < block_begin(c + 1, keys, cells);
                     k++) {
                    double weight = tensor_get(weights, (head * queries + q) * keys + k);
                    if (!(weight <= most)) most = weight; /* nan, too */
                }
            SheetStyle style = {.ground = GROUND_SHADE, .shade = isnan(most) ? 0 : most};
            for (size_t i = 0; !sheet->colored && i < wide; i++)
                text_string(&sheet->line, shade_mark(most, sheet->utf8));
            sheet_put_line(sheet, row + r, column + c * wide, wide, style);
        }
}

static void put_maps(const ExploreHeads *heads, Sheet *sheet, const Maps *maps) {
    bool both = explore_heads_config(heads)->kind == MODEL_ENCODER_DECODER;
    for (size_t i = 0; i < maps->shown_rows; i++) {
        size_t row = maps->first_row + i, top = maps->top + i * (maps->rows + 1);
        HeadPlace place = place_of_row(heads, row);
        if (maps->label < LABEL)
            text_format(&sheet->line, "%.1s%zu", both ? site_names[place.site] : "L", place.layer);
        else
            text_format(&sheet->line, "%s %zu", both ? site_names[place.site] : tr("layer"),
                        place.layer);
        sheet_put_line(sheet, top, 0, maps->label, row == heads->row ? style_bold : style_plain);
        /* The queries' tokens before the first map: the first one of those that share a row. */
        const List *tokens = inspection_query_tokens(inspection_of(heads), place.site).list;
        size_t rows = maps->label == LABEL ? smaller(maps->rows, tokens->count) : 0;
        for (size_t r = 0; r < rows; r++)
            sheet_put(sheet, top + 1 + r, 1, LABEL - 2, style_right(style_faint),
                      tokens->items[block_begin(r, tokens->count, rows)].string->data);
        for (size_t h = maps->first_head; h < maps->first_head + maps->shown_heads; h++) {
            size_t column = maps->label + (h - maps->first_head) * (maps->columns + 1);
            bool selected = row == heads->row && h == heads->head;
            place.head = h;
            const char *change = inspection_head_change(inspection_of(heads), place);
            size_t room = change ? sheet_width(sheet, change) : 0;
            if (selected) {
                text_string(&sheet->line, sheet_mark(sheet));
                sheet->cursor_row = top;
                sheet->cursor_column = column;
            }
            if (maps->columns >= NAME + room) text_say(&sheet->line, "head %zu", h);
            else text_format(&sheet->line, "%zu", h);
            if (change) text_string(&sheet->line, maps->columns >= 2 + room ? tr(change) : "x");
            sheet_put_line(sheet, top, column, maps->columns,
                           selected ? style_selected
                           : change ? style_alarm
                                    : style_faint);
            put_map(sheet, maps, heads->weights[row], h, top + 1, column);
        }
    }
}

/* Puts sheet->line, which is in the person's language, into as many rows as it takes before `end`.
 * Returns the row behind them. */
static size_t put_wrapped(Sheet *sheet, size_t row, size_t end, SheetStyle style) {
    LocalText lines = TEXT_FOR(&sheet->line);
    text_say_lines(&lines, &sheet->line, sheet->columns);
    text_clear(&sheet->line);
    return sheet_put_lines(sheet, row, end, &lines, style);
}

/* Puts "layer 1 head 0: previous 0.12, first 0.40, same 0.31, entropy 1.2", below it what the model
 * predicts, and in the end what was changed or is measured. */
static bool put_figures(const ExploreHeads *heads, Sheet *sheet, const Maps *maps, Error *err) {
    size_t row = maps->bottom;
    HeadPlace place = explore_heads_selected(heads);
    const Inspection *now = inspection_of(heads);
    const ModelConfig *config = explore_heads_config(heads);
    const HeadSummary *head = &heads->summaries[head_index(config, place)];
    if (config->kind == MODEL_ENCODER_DECODER)
        text_format(&sheet->line, "%s ", site_names[place.site]);
    text_say(&sheet->line, "layer %zu head %zu", place.layer, place.head);
    if (isnan(head->entropy)) text_say(&sheet->line, ": no query sees more than one key");
    else
        text_say(&sheet->line, ": previous %.2f, first %.2f, same %.2f, entropy %.2f",
                 head->previous, head->first, head->same, head->entropy);
    double off = inspection_head_effect(now, place);
    if (!isnan(off)) {
        text_say(&sheet->line, ", off %+.2g", off);
        text_string(&sheet->line, ": ");
        tr_write(&sheet->line, record_get(now->effects.record, "measure")->string->data);
    }
    row = put_wrapped(sheet, row, row + 1 + left_of(maps->wrapped, 1), style_plain);

    Host host = {.columns = (int)sheet->columns, .utf8 = sheet->utf8};
    LocalText text = TEXT_FOR(&sheet->line);
    size_t asked;
    inspection_asks(now, &asked);
    if (!prediction_write(&host, now, asked, PREDICTIONS, &text, err)) return false;
    row = sheet_put_lines(sheet, row, SIZE_MAX, &text, style_plain);

    if (heads->scene.remark.kind != ERR_NONE) {
        sheet_say(sheet, row, 0, sheet->columns, style_alarm, heads->scene.remark.message);
        return true;
    }
    /* The switched heads are seen above: where there is little room, the effect is enough. */
    const char *change = heads->scene.change.data, *effect = strstr(change, "; ");
    bool narrow = sheet_width(sheet, change) > sheet->columns;
    text_string(&sheet->line, narrow && effect ? effect + 2 : change);
    bool ok = *change ||
              prediction_write_effect(heads->session, now, now, POSITION_NONE, &sheet->line, err);
    put_wrapped(sheet, row, row + 1 + left_of(sheet->rows, row + 2), style_bold);
    return ok;
}

static bool draw(Scene *scene, Sheet *sheet, Error *err) {
    ExploreHeads *heads = (ExploreHeads *)scene;
    Maps maps;
    lay_out(heads, sheet, &maps);
    inspection_write_heading(heads->session, inspection_of(heads), "heads of", &sheet->line);
    sheet_say_line(sheet, 0, 0, sheet->columns, style_bold);
    put_maps(heads, sheet, &maps);
    bool ok = put_figures(heads, sheet, &maps, err);
    scene_put_keys(scene, sheet, sheet->rows - 1);
    return ok;
}

/* ---- the scene ---- */

static bool press(Scene *scene, int key, Error *err) {
    enum { ENTER = '\r', NEWLINE = '\n' };
    ExploreHeads *heads = (ExploreHeads *)scene;
    size_t count = explore_heads_config(heads)->heads;
    if (scene_select(key, &heads->head, count, &heads->row, heads->rows)) return true;
    switch (key) {
    case ENTER:
    case NEWLINE: scene->state = EXPLORE_OPENED; break;
    case 'x': return switch_head(heads, err);
    case 'r': return use(heads, interventions_ref(heads->entry), "as at the start", err);
    default: scene_unknown_key(scene, key);
    }
    return true;
}

static const ExploreHelp help[] = {
    {"?", "these keys", "keys"},
    {"Enter", "open the head: its weights, its knobs", "open"},
    {"x", "switch the head off, or on again", "off"},
    {"q", "leave, what is off stays off", "keep"},
    {"Esc", "leave, as before (or Ctrl-C)", "cancel"},
    {"← → ↑ ↓", "another head, layer (or hlkj)", NULL},
    {"r", "as at the start", "reset"},
    {"Home End", "the first head, the last", NULL},
    {NULL, NULL, NULL},
};

static const SceneType heads_scene = {help, press, draw};

void explore_heads_release(ExploreHeads *heads) {
    interventions_unref(heads->entry);
    if (heads->weights) tensors_free(heads->weights, heads->rows);
    mem_free(heads->summaries);
    text_release(&heads->scene.change);
}

bool explore_heads_init(ExploreHeads *heads, Session *session, Error *err) {
    *heads =
        (ExploreHeads){.session = session, .scene = {.type = &heads_scene, .change = TEXT_EMPTY}};
    const ModelConfig *config = explore_heads_config(heads);
    heads->rows = head_count(config) / config->heads;
    heads->entry = interventions_ref((Interventions *)explore_heads_in_force(heads));
    if (read_run(heads, err)) return true;
    explore_heads_release(heads);
    return false;
}
