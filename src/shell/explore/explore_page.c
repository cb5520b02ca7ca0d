#include "base/size.h"
#include "base/utf8.h"
#include "session/bench/run_heading.h"
#include "shell/explore/explore_page.h"
#include "view/label.h"

#include <string.h>

/* ---- above ---- */

/* The settings, in one line or two; the head that is shown is at the end of the first. */
static void put_title(const Explore *e, Sheet *sheet) {
    const ExploreArea *area = &e->layout.title;
    Text lines = TEXT_EMPTY;
    if (!area_is_there(area)) return;
    if (e->run->heads > 1) text_format(&sheet->line, "head %zu of %zu", e->head, e->run->heads);
    size_t head = sheet->line.length,
           room = area->columns > head + 2 && head ? area->columns - head - 2 : area->columns;
    if (head) sheet_put_line(sheet, area->row, area->columns - head, head, style_selected);
    run_heading_write(e->session, e->run, &sheet->line);
    if (e->run->origin) text_format(&sheet->line, "; %s", e->run->origin);
    if (area->rows > 1) utf8_wrap(&lines, sheet->line.data, room);
    else text_string(&lines, sheet->line.data);
    if (sheet->line.failed || lines.failed) sheet->text.failed = true;
    text_clear(&sheet->line);
    for (size_t i = 0, at = 0; i < area->rows && at < lines.length; i++) {
        TextLine line = text_line(&lines, &at);
        text_bytes(&sheet->line, line.bytes, line.length);
        sheet_put_line(sheet, area->row + i, area->column, i ? area->columns : room, style_bold);
    }
    text_release(&lines);
}

/* ---- below ---- */

static void put_message(const Explore *e, Sheet *sheet) {
    const ExploreArea *area = &e->layout.message;
    if (!area_is_there(area)) return;
    if (e->scene.remark.kind != ERR_NONE) {
        sheet_put(sheet, area->row, 0, area->columns, style_alarm, e->scene.remark.message);
        return;
    }
    /* The effect of the last key, in as many words as fit. */
    for (AnswerForm form = ANSWER_WHOLE; e->scene.change.length; form--) {
        text_clear(&sheet->line);
        text_bytes(&sheet->line, e->scene.change.data, e->scene.change.length);
        run_summary_write_change(e->before, e->now, form, (Exactness){3, 0}, &sheet->line);
        bool fits = sheet_width(sheet, sheet->line.data) <= area->columns;
        if (fits || form == ANSWER_NONE) break;
    }
    sheet_put_line(sheet, area->row, 0, area->columns, style_plain);
}

/* ---- the whole ---- */

bool explore_draw(Scene *scene, Sheet *sheet, Error *err) {
    Explore *e = (Explore *)scene;
    ExploreSize size = {.columns = sheet->columns,
                        .rows = sheet->rows,
                        .queries = e->run->queries,
                        .keys = e->run->keys,
                        .query = e->query,
                        .key = e->key,
                        .query_width =
                            labels_width(&e->query_labels, show_all(e->run->queries), true),
                        .key_width = labels_width(&e->key_labels, show_all(e->run->keys), true),
                        .zoomed = e->zoomed};
    Derivation d;
    explore_layout(&e->layout, &size);
    if (!derivation_init(&d, e->session, e->run, e->head, e->query, err)) return false;
    put_title(e, sheet);
    explore_put_heat(e, sheet);
    explore_put_working(e, sheet, &d);
    explore_put_list(e, sheet, &d);
    put_message(e, sheet);
    if (area_is_there(&e->layout.keys)) scene_put_keys(scene, sheet, e->layout.keys.row);
    derivation_release(&d);
    return true;
}
