/* explore: the screen of an inspected model. A row of maps for each layer, in each map a query to a
 * row and a key to a column; where there are more of them than fit, a cell shows the largest weight
 * of several. Below: figures of the selected head, and what the model predicts. */
#include "base/size.h"
#include "base/utf8.h"
#include "shell/explore/explore_heads.h"
#include "shell/explore/explore_layout.h"
#include "view/palette.h"

#include <math.h>
#include <string.h>

enum {
    PREDICTIONS = 3,
    LABEL = 9,
    WIDE = 60,
    OFF = 6
}; /* OFF: columns of a map whose name has room for the word */
enum { MAP_LEAST = 2, MAP_NARROWEST = 3, MAP_ROWS_MOST = 12, MAP_COLUMNS_MOST = 24 };

/* The layout of the maps. */
typedef struct Grid {
    size_t label;         /* columns of the layers' names */
    size_t columns, rows; /* of one map */
    size_t first_head, shown_heads, first_row, shown_rows;
    size_t top, bottom; /* rows of the screen that maps may take: top .. bottom - 1 */
} Grid;

static void lay_out(ExploreHeads *heads, const Sheet *sheet, Grid *grid) {
    const Inspected *run = &heads->session->bench.inspection->run;
    size_t count = explore_heads_config(heads)->heads, most = 1;
    most = larger(run->source.batch ? run->source.length : 1,
                  run->target.batch ? run->target.length : 1);
    grid->top = 1;
    grid->bottom = left_of(sheet->rows, 1 + PREDICTIONS + 2);
    grid->label = sheet->columns >= WIDE ? LABEL : 3;
    size_t room = left_of(sheet->columns, grid->label), height = left_of(grid->bottom, grid->top);
    /* Each map has a line above it, and a column between it and the next. */
    grid->columns = smaller(smaller(2 * most, MAP_COLUMNS_MOST),
                            larger(left_of(room / count, 1), MAP_NARROWEST));
    if (grid->columns >= most) grid->columns = grid->columns / most * most;
    grid->rows =
        smaller(smaller(most, MAP_ROWS_MOST), larger(left_of(height / heads->rows, 1), MAP_LEAST));
    grid->shown_heads = smaller(count, larger(room / (grid->columns + 1), 1));
    grid->shown_rows = smaller(heads->rows, larger(height / (grid->rows + 1), 1));
    grid->first_head = explore_window(0, grid->shown_heads, count, heads->head);
    grid->first_row = explore_window(heads->first_row, grid->shown_rows, heads->rows, heads->row);
    heads->first_row = grid->first_row;
}

/* The largest weight of the queries and keys in a cell. */
static double cell_weight(const Tensor *weights, size_t head, const size_t queries[2],
                          const size_t keys[2]) {
    const size_t *size = weights->shape.size;
    double most = 0;
    for (size_t q = queries[0]; q < queries[1]; q++)
        for (size_t k = keys[0]; k < keys[1]; k++) {
            double weight = tensor_get(weights, (head * size[1] + q) * size[2] + k);
            if (!(weight <= most)) most = weight; /* nan, too */
        }
    return most;
}

static void put_map(Sheet *sheet, const Grid *grid, const Tensor *weights, size_t head, size_t row,
                    size_t column) {
    size_t queries = weights->shape.size[1], keys = weights->shape.size[2];
    size_t rows = smaller(grid->rows, queries), columns = smaller(grid->columns, 2 * keys);
    size_t wide = columns >= keys ? columns / keys : 1, cells = smaller(columns, keys);
    for (size_t r = 0; r < rows; r++) {
        const size_t of_queries[] = {r * queries / rows,
                                     larger((r + 1) * queries / rows, r * queries / rows + 1)};
        for (size_t c = 0; c < cells; c++) {
            const size_t of_keys[] = {c * keys / cells,
                                      larger((c + 1) * keys / cells, c * keys / cells + 1)};
            double weight = cell_weight(weights, head, of_queries, of_keys);
            SheetStyle style = {.ground = GROUND_SHADE, .shade = isnan(weight) ? 0 : weight};
            for (size_t i = 0; !sheet->colored && i < wide; i++)
                text_string(&sheet->line, shade_mark(weight, sheet->utf8));
            sheet_put_line(sheet, row + r, column + c * wide, wide, style);
        }
    }
}

static void put_grid(const ExploreHeads *heads, Sheet *sheet, const Grid *grid) {
    const ModelConfig *config = explore_heads_config(heads);
    for (size_t i = 0; i < grid->shown_rows; i++) {
        size_t row = grid->first_row + i, top = grid->top + i * (grid->rows + 1);
        HeadPlace place = explore_heads_row(heads, row);
        bool both = config->kind == MODEL_ENCODER_DECODER;
        if (grid->label < LABEL)
            text_format(&sheet->line, "%.1s%zu", both ? site_names[place.site] : "L", place.layer);
        else
            text_format(&sheet->line, "%s %zu", both ? site_names[place.site] : "layer",
                        place.layer);
        sheet_put_line(sheet, top, 0, grid->label, row == heads->row ? style_bold : style_plain);
        for (size_t h = grid->first_head; h < grid->first_head + grid->shown_heads; h++) {
            size_t column = grid->label + (h - grid->first_head) * (grid->columns + 1);
            bool selected = row == heads->row && h == heads->head;
            place.head = h;
            bool off = explore_heads_is_off(heads, place);
            if (selected) text_string(&sheet->line, sheet_mark(sheet));
            text_format(&sheet->line, "%zu%s", h, !off ? "" : grid->columns >= OFF ? " off" : "x");
            sheet_put_line(sheet, top, column, grid->columns,
                           selected ? style_selected
                           : off    ? style_alarm
                                    : style_faint);
            if (selected) {
                sheet->cursor_row = top;
                sheet->cursor_column = column;
            }
            put_map(sheet, grid, heads->weights[row], h, top + 1, column);
        }
    }
}

/* ---- around the grid ---- */

static void put_title(const ExploreHeads *heads, Sheet *sheet) {
    inspection_write_heading(heads->session, "heads of", NO_PLACE, &sheet->line);
    sheet_put_line(sheet, 0, 0, sheet->columns, style_bold);
}

/* "head 1 0: previous 0.12, first 0.40, same 0.31, entropy 1.2", and what is in force. */
static void put_figures(const ExploreHeads *heads, Sheet *sheet, size_t row) {
    HeadPlace place = explore_heads_selected(heads);
    const ModelConfig *config = explore_heads_config(heads);
    const HeadSummary *head =
        &heads->summaries[head_index(config, place.site, place.layer, place.head)];
    text_string(&sheet->line, "head ");
    head_write(config, place, &sheet->line);
    text_format(&sheet->line, ": previous %.2f, first %.2f, same %.2f, entropy %.2f",
                head->previous, head->first, head->same, head->entropy);
    sheet_put_line(sheet, row, 0, sheet->columns, style_plain);
}

static bool put_prediction(const ExploreHeads *heads, Sheet *sheet, size_t row, Error *err) {
    const Inspection *inspection = heads->session->bench.inspection;
    Host host = {.columns = (int)sheet->columns, .utf8 = sheet->utf8};
    Text text = TEXT_EMPTY;
    size_t place;
    inspection_asks(inspection, &place);
    bool ok = prediction_write(&host, inspection, place, PREDICTIONS, &text, err);
    for (size_t i = 0, at = 0; ok && at < text.length; i++) {
        TextLine line = text_line(&text, &at);
        text_bytes(&sheet->line, line.bytes, line.length);
        sheet_put_line(sheet, row + i, 0, sheet->columns, style_plain);
    }
    text_release_for(&text, &sheet->line);
    return ok;
}

static void put_message(const ExploreHeads *heads, Sheet *sheet, size_t row) {
    if (heads->scene.remark.kind != ERR_NONE) {
        sheet_put(sheet, row, 0, sheet->columns, style_alarm, heads->scene.remark.message);
    } else if (heads->scene.change.length) {
        /* The switched heads are seen above: where there is little room, the effect is enough. */
        const char *effect = strstr(heads->scene.change.data, "; ");
        bool narrow = sheet_width(sheet, heads->scene.change.data) > sheet->columns;
        sheet_put(sheet, row, 0, sheet->columns, style_bold,
                  narrow && effect ? effect + 2 : heads->scene.change.data);
    }
}

bool explore_heads_draw(Scene *scene, Sheet *sheet, Error *err) {
    ExploreHeads *heads = (ExploreHeads *)scene;
    Grid grid;
    lay_out(heads, sheet, &grid);
    put_title(heads, sheet);
    put_grid(heads, sheet, &grid);
    put_figures(heads, sheet, grid.bottom);
    bool ok = put_prediction(heads, sheet, grid.bottom + 1, err);
    put_message(heads, sheet, grid.bottom + 1 + PREDICTIONS);
    scene_put_keys(scene, sheet, sheet->rows - 1);
    return ok;
}
