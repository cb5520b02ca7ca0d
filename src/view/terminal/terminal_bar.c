#include "view/terminal/terminal_bar.h"

#include <string.h>

enum { WIDTH_LEAST = 24, WIDTH_MOST = 40, DIGITS = 3, GAP = 2 };

/* 0.500 is 0.5, and 1.000 is 1. */
static void cut_zeros(Text *number) {
    if (number->failed || !strchr(number->data, '.') || strchr(number->data, 'e')) return;
    while (number->data[number->length - 1] == '0') number->data[--number->length] = 0;
    if (number->data[number->length - 1] == '.') number->data[--number->length] = 0;
}

/* Low, middle and high. */
static void numbers_init(Text numbers[3], Range range) {
    double values[] = {range.low, range.low + (range.high - range.low) / 2, range.high};
    NumberForm form = number_form(values, NULL, 3, DIGITS);
    for (size_t i = 0; i < 3; i++) {
        text_init(&numbers[i]);
        number_form_write(&numbers[i], form, values[i]);
        cut_zeros(&numbers[i]);
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

/* What stands on it; the middle is left out where it would meet an end. */
static void write_numbers(Text *out, const Text numbers[3], size_t width) {
    size_t middle = (width - numbers[1].length) / 2, right = width - numbers[2].length;
    text_bytes(out, numbers[0].data, numbers[0].length);
    if (middle > out->length && middle + numbers[1].length < right) {
        text_repeat(out, ' ', middle - out->length);
        text_bytes(out, numbers[1].data, numbers[1].length);
    }
    if (right > out->length) text_repeat(out, ' ', right - out->length);
    text_bytes(out, numbers[2].data, numbers[2].length);
}

void color_bar_write(const ColorBar *bar, Brush *brush) {
    Text numbers[3], line;
    numbers_init(numbers, bar->range);
    text_init(&line);
    write_numbers(&line, numbers, bar->width);
    for (size_t i = 0; i < bar->width && i < line.length; i++) {
        brush_ground(brush, color_of(bar->palette, (double)i / (double)(bar->width - 1)));
        text_char(brush->out, line.data[i]);
    }
    brush_reset(brush);
    if (line.failed) brush->out->failed = true;
    text_release(&line);
    numbers_release(numbers);
}
