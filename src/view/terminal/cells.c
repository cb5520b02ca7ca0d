#include "view/terminal/cells.h"

#include "base/size.h"
#include "base/utf8.h"
#include "view/label.h"

CellPen cell_pen(Text *out, const char *palette, ColorDepth color, bool utf8) {
    return (CellPen){.out = out,
                     .utf8 = utf8,
                     .brush = brush_on(out, color),
                     .palette = palette_of(palette),
                     .text = TEXT_EMPTY};
}

void cell_pen_release(CellPen *pen) { text_release_for(&pen->text, pen->out); }

void cell_number(CellPen *pen, double x, bool hidden) {
    if (hidden) text_string(&pen->text, label_hidden(pen->utf8));
    else number_form_write(&pen->text, pen->form, x);
}

void cell_label(CellPen *pen, const Labels *labels, size_t index) {
    label_write_for_terminal(&pen->text, labels, index, pen->utf8);
}

TerminalColor cell_color(const CellPen *pen, double x, bool absent) {
    return absent ? color_absent(pen->palette)
                  : color_of(pen->palette, range_fraction(pen->range, x));
}

void cell_put(CellPen *pen, size_t width, Align align) {
    size_t taken = align == ALIGN_MIDDLE ? utf8_width(pen->text.data, pen->text.length) : width,
           before = left_of(width, taken) / 2;
    text_repeat(pen->out, ' ', before);
    label_fit(pen->out, &pen->text, width - before, align == ALIGN_RIGHT, pen->utf8);
    text_clear(&pen->text);
}
