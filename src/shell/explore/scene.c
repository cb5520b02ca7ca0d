#include "shell/explore/scene.h"

#include "base/translate.h"
#include "base/utf8.h"

#include <string.h>

/* ---- keys ---- */

bool scene_press(Scene *scene, int key, Error *err) {
    scene->remark.kind = ERR_NONE;
    if (scene->helping) {
        scene->helping = false;
        return true;
    }
    switch (key) {
    case '?': scene->helping = true; return true;
    case 'q': scene->state = EXPLORE_KEPT; return true;
    case EXPLORE_ESCAPE: scene->state = EXPLORE_DROPPED; return true;
    default: return scene->type->press(scene, key, err);
    }
}

void scene_unknown_key(Scene *scene, int key) {
    if (key >= ' ' && key < 127)
        error_set(&scene->remark, ERR_VALUE, "%c is no key here: ? lists those that are", key);
}

void scene_move(size_t *at, long by, size_t count) {
    if (by < 0) *at = *at > (size_t)-by ? *at - (size_t)-by : 0;
    else *at = *at + (size_t)by < count ? *at + (size_t)by : count - 1;
}

bool scene_select(int key, size_t *column, size_t columns, size_t *row, size_t rows) {
    switch (key) {
    case EXPLORE_LEFT:
    case 'h': scene_move(column, -1, columns); return true;
    case EXPLORE_RIGHT:
    case 'l': scene_move(column, 1, columns); return true;
    case EXPLORE_UP:
    case 'k': scene_move(row, -1, rows); return true;
    case EXPLORE_DOWN:
    case 'j': scene_move(row, 1, rows); return true;
    case EXPLORE_HOME: *column = 0; return true;
    case EXPLORE_END: *column = columns - 1; return true;
    default: return false;
    }
}

/* ---- the screen ---- */

void scene_put_keys(const Scene *scene, Sheet *sheet, size_t line) {
    size_t at = 0;
    for (const ExploreHelp *row = scene->type->help; row->keys; row++) {
        if (!row->brief) continue;
        const char *brief = tr_among("explore", row->brief);
        size_t name = utf8_width(row->keys, strlen(row->keys)),
               word = utf8_width(brief, strlen(brief));
        if (at + name + 1 + word > sheet->columns) continue;
        sheet_put(sheet, line, at, name, style_bold, row->keys);
        sheet_put(sheet, line, at + name + 1, word, style_plain, brief);
        at += name + 1 + word + 2;
    }
}

bool scene_page(Scene *scene, Sheet *sheet, Error *err) {
    if (scene->helping) {
        const ExploreHelp *help = scene->type->help;
        enum { NAME = 9 };
        size_t row = 0;
        sheet_say(sheet, row++, 0, sheet->columns, style_bold, "Keys (any key leads back)");
        row += sheet->rows > 18;
        for (; help->keys; help++, row++) {
            sheet_put(sheet, row, 0, NAME, style_bold, help->keys);
            sheet_say(sheet, row, NAME + 1, sheet->columns, style_plain, help->what);
        }
    } else if (!scene->type->draw(scene, sheet, err)) return false;
    return text_ok(&sheet->line, err) && text_ok(&sheet->text, err);
}
