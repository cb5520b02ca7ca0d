#include "shell/explore/sheet.h"

#include "base/memory.h"
#include "base/translate.h"
#include "base/utf8.h"
#include "shell/terminal/ascii.h"
#include "view/label.h"
#include "view/terminal/terminal_picture.h"

#include <math.h>

void sheet_init(Sheet *sheet, bool utf8, bool colored) {
    *sheet = (Sheet){.utf8 = utf8,
                     .colored = colored,
                     .text = TEXT_EMPTY,
                     .clean = TEXT_EMPTY,
                     .plain = TEXT_EMPTY,
                     .line = TEXT_EMPTY};
}

void sheet_release(Sheet *sheet) {
    text_release(&sheet->text);
    text_release(&sheet->clean);
    text_release(&sheet->plain);
    text_release(&sheet->line);
    mem_free(sheet->pieces);
    sheet->pieces = NULL;
    sheet->count = sheet->capacity = 0;
}

void sheet_clear(Sheet *sheet, size_t rows, size_t columns) {
    sheet->rows = rows;
    sheet->columns = columns;
    sheet->count = 0;
    text_clear(&sheet->text);
}

/* Returns the text as this terminal can show it. */
static const Text *shown(Sheet *sheet, const char *text) {
    text_clear(&sheet->clean);
    label_clean(&sheet->clean, text);
    if (sheet->utf8) return &sheet->clean;
    text_clear(&sheet->plain);
    ascii_write(&sheet->plain, sheet->clean.data, sheet->clean.length, false);
    return &sheet->plain;
}

size_t sheet_width(Sheet *sheet, const char *text) {
    const Text *as_shown = shown(sheet, text);
    return utf8_width(as_shown->data, as_shown->length);
}

void sheet_put(Sheet *sheet, size_t row, size_t column, size_t width, SheetStyle style,
               const char *text) {
    if (row >= sheet->rows || column >= sheet->columns || width == 0) return;
    if (width > sheet->columns - column) width = sheet->columns - column;
    SheetPiece *pieces =
        mem_grow(sheet->pieces, sheet->count, &sheet->capacity, sizeof *pieces, NULL);
    if (!pieces) {
        text_fail(&sheet->text);
        return;
    }
    sheet->pieces = pieces;
    SheetPiece *piece = &pieces[sheet->count++];
    *piece = (SheetPiece){row, column, width, sheet->text.length, 0, style};
    label_fit(&sheet->text, shown(sheet, text), width, style.right, sheet->utf8);
    piece->length = sheet->text.length - piece->begin;
}

void sheet_put_line(Sheet *sheet, size_t row, size_t column, size_t width, SheetStyle style) {
    sheet_put(sheet, row, column, width, style, sheet->line.data);
    if (sheet->line.failed) text_fail(&sheet->text);
    text_clear(&sheet->line);
}

size_t sheet_put_lines(Sheet *sheet, size_t row, size_t end, const Text *lines, SheetStyle style) {
    for (size_t at = 0; at < lines->length && row < end; row++) {
        TextLine line = text_line(lines, &at);
        text_bytes(&sheet->line, line.bytes, line.length);
        sheet_put_line(sheet, row, 0, sheet->columns, style);
    }
    return row;
}

void sheet_say(Sheet *sheet, size_t row, size_t column, size_t width, SheetStyle style,
               const char *words) {
    LocalText said = TEXT_FOR(&sheet->text);
    tr_write(&said, words);
    sheet_put(sheet, row, column, width, style, said.data);
}

void sheet_say_line(Sheet *sheet, size_t row, size_t column, size_t width, SheetStyle style) {
    sheet_say(sheet, row, column, width, style, sheet->line.data);
    if (sheet->line.failed) text_fail(&sheet->text);
    text_clear(&sheet->line);
}

void sheet_put_bar(Sheet *sheet, size_t row, size_t column, size_t width, double fraction) {
    double filled = isnan(fraction) || fraction < 0 ? 0 : fraction > 1 ? 1 : fraction;
    terminal_bar(&sheet->line, (size_t)lround(filled * 8 * (double)width), sheet->utf8);
    sheet_put_line(sheet, row, column, width, style_plain);
}

const char *sheet_mark(const Sheet *sheet) { return sheet->utf8 ? "▸" : ">"; }
