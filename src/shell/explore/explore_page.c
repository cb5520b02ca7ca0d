#include "shell/explore/explore_page.h"

#include "base/size.h"
#include "base/utf8.h"
#include "session/bench/run_heading.h"
#include "shell/explore/explore_parts.h"
#include "view/label.h"

#include <string.h>

/* ---- above ---- */

/* The settings, in one line or two; which head is shown stands at the end of the first. */
static void put_title(const Part *part) {
    const Explore *e = part->explore;
    const ExploreArea *area = &part->layout->title;
    Text lines = TEXT_EMPTY;
    if (!area_is_there(area)) return;
    if (e->run->heads > 1) text_format(part->line, "head %zu of %zu", e->head, e->run->heads);
    size_t head = part->line->length,
           room = area->columns > head + 2 && head ? area->columns - head - 2 : area->columns;
    if (head) explore_put_line(part, area->row, area->columns - head, head, style_selected);
    run_heading_write(e->session, e->run, part->line);
    if (e->run->origin) text_format(part->line, "; %s", e->run->origin);
    if (area->rows > 1) utf8_wrap(&lines, part->line->data, room);
    else text_string(&lines, part->line->data);
    if (part->line->failed || lines.failed) part->sheet->text.failed = true;
    text_clear(part->line);
    for (size_t i = 0, at = 0; i < area->rows && at < lines.length; i++) {
        TextLine line = text_line(&lines, &at);
        text_bytes(part->line, line.bytes, line.length);
        explore_put_line(part, area->row + i, area->column, i ? area->columns : room, style_bold);
    }
    text_release(&lines);
}

/* ---- below ---- */

static void put_message(const Part *part) {
    const Explore *e = part->explore;
    const ExploreArea *area = &part->layout->message;
    if (!area_is_there(area)) return;
    if (e->remark.kind != ERR_NONE) {
        explore_put(part, area->row, 0, area->columns, style_alarm, e->remark.message);
        return;
    }
    /* What the last key changed, and what came of it, in as many words as fit. */
    for (AnswerForm form = ANSWER_WHOLE; e->change.length; form--) {
        text_clear(part->line);
        text_bytes(part->line, e->change.data, e->change.length);
        run_summary_write_change(e->before, e->now, form, (Exactness){3, 0}, part->line);
        bool fits = sheet_width(part->sheet, part->line->data) <= area->columns;
        if (fits || form == ANSWER_NONE) break;
    }
    explore_put_line(part, area->row, 0, area->columns, style_plain);
}

void explore_put_keys(const Part *part, const ExploreHelp *help, size_t line) {
    size_t at = 0;
    for (const ExploreHelp *row = help; row->keys; row++) {
        size_t name = utf8_width(row->keys, strlen(row->keys)),
               word = row->brief ? strlen(row->brief) : 0;
        if (!row->brief || at + name + 1 + word > part->sheet->columns) continue;
        explore_put(part, line, at, name, style_bold, row->keys);
        explore_put(part, line, at + name + 1, word, style_plain, row->brief);
        at += name + 1 + word + 2;
    }
}

void explore_put_help(const Part *part, const ExploreHelp *help) {
    enum { NAME = 9 };
    size_t row = 0;
    explore_put(part, row++, 0, part->sheet->columns, style_bold, "Keys (any key leads back)");
    row += part->sheet->rows > 18;
    for (; help->keys; help++, row++) {
        explore_put(part, row, 0, NAME, style_bold, help->keys);
        explore_put(part, row, NAME + 1, part->sheet->columns, style_plain, help->what);
    }
}

/* ---- the whole ---- */

static bool put_bench(const Part *part, Error *err) {
    const Explore *e = part->explore;
    Derivation d;
    if (!derivation_init(&d, e->session, e->run, e->head, e->query, err)) return false;
    put_title(part);
    explore_put_heat(part);
    explore_put_working(part, &d);
    explore_put_list(part, &d);
    put_message(part);
    if (area_is_there(&part->layout->keys))
        explore_put_keys(part, explore_help, part->layout->keys.row);
    derivation_release(&d);
    return true;
}

bool explore_page(const Explore *e, ExploreLayout *layout, Sheet *sheet, Error *err) {
    Text line = TEXT_EMPTY;
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
    explore_layout(layout, &size);
    Part part = {e, layout, sheet, &line};
    bool ok = true;
    if (e->helping) explore_put_help(&part, explore_help);
    else ok = put_bench(&part, err);
    ok = ok && text_ok(&line, err) && text_ok(&sheet->text, err);
    text_release(&line);
    return ok;
}
