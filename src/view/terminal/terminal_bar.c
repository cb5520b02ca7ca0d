#include "view/terminal/terminal_bar.h"

#include <string.h>

enum { WIDTH_LEAST = 24, WIDTH_MOST = 40, DIGITS = 3, GAP = 2 };

/* Low, middle and high: 0.500 as 0.5, and 1.000 as 1. */
static void numbers_init(Text numbers[3], Range range) {
    double values[] = {range.low, range.low + (range.high - range.low) / 2, range.high};
    NumberForm form = number_form(values, NULL, 3, DIGITS);
    for (size_t i = 0; i < 3; i++) {
        Text *number = &numbers[i];
        text_init(number);
        number_form_write(number, form, values[i]);
        if (number->failed || !strchr(number->data, '.') || strchr(number->data, 'e')) continue;
        while (number->data[number->length - 1] == '0') number->data[--number->length] = 0;
        if (number->data[number->length - 1] == '.') number->data[--number->length] = 0;
    }
}

static void numbers_release(Text numbers[3]) {
    for (size_t i = 0; i < 3; i++) text_release(&numbers[i]);
}

void color_bar_size(ColorBar *bar, size_t picture, size_t columns) {
    Text numbers[3];
    numbers_init(numbers, bar->range);
    size_t needed = numbers[0].length + numbers[1].length + numbers[2].length + 2 * GAP;
    numbers_release(numbers);
    bar->width = picture < WIDTH_LEAST ? WIDTH_LEAST : picture > WIDTH_MOST ? WIDTH_MOST : picture;
    if (bar->width < needed) bar->width = needed;
    if (bar->width > columns) bar->width = columns;
}

void color_bar_write(const ColorBar *bar, Brush *brush) {
    Text numbers[3], line = TEXT_EMPTY;
    numbers_init(numbers, bar->range);
    /* The middle is left out where it would meet an end. */
    size_t middle = (bar->width - numbers[1].length) / 2, right = bar->width - numbers[2].length;
    text_bytes(&line, numbers[0].data, numbers[0].length);
    if (middle > line.length && middle + numbers[1].length < right) {
        text_repeat(&line, ' ', middle - line.length);
        text_bytes(&line, numbers[1].data, numbers[1].length);
    }
    if (right > line.length) text_repeat(&line, ' ', right - line.length);
    text_bytes(&line, numbers[2].data, numbers[2].length);
    for (size_t i = 0; i < bar->width && i < line.length; i++) {
        brush_ground(brush, color_of(bar->palette, (double)i / (double)(bar->width - 1)));
        text_char(brush->out, line.data[i]);
    }
    brush_reset(brush);
    text_release_for(&line, brush->out);
    numbers_release(numbers);
}
