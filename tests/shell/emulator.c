#include "tests/shell/emulator.h"

#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

void emulator_init(Emulator *emulator, int columns, int rows) {
    memset(emulator, 0, sizeof *emulator);
    emulator->columns = columns;
    emulator->rows = rows;
}

static void clear(Emulator *emulator, int row, int column) {
    memset(&emulator->cells[row][column], 0, sizeof(Cell) * (size_t)(EMULATOR_COLUMNS - column));
}

static void line_feed(Emulator *emulator) {
    if (emulator->newline_returns) emulator->column = 0;
    if (++emulator->row < emulator->rows) return;
    emulator->row--;
    memmove(emulator->cells[0], emulator->cells[1],
            sizeof emulator->cells[0] * (size_t)(emulator->rows - 1));
    clear(emulator, emulator->row, 0);
}

/* A wide character that loses one half loses the other. */
static void split(Emulator *emulator, int column) {
    Cell *row = emulator->cells[emulator->row];
    if (column > 0 && column < emulator->columns && row[column].behind) {
        row[column - 1] = (Cell){.style = 0};
        row[column] = (Cell){.style = 0};
    }
}

static void mark(Emulator *emulator, const char *bytes, size_t length) {
    if (emulator->column == 0) {
        emulator->beyond++;
        return;
    }
    Cell *cell = &emulator->cells[emulator->row][emulator->column - 1];
    if (cell->behind) cell--;
    if (strlen(cell->bytes) + length < CELL_BYTES) strncat(cell->bytes, bytes, length);
}

static void print(Emulator *emulator, const char *bytes, size_t length) {
    int width = (int)utf8_width(bytes, length);
    if (width == 0) {
        mark(emulator, bytes, length);
        return;
    }
    if (emulator->column + width > emulator->columns) {
        emulator->wrapped++;
        emulator->column = 0;
        line_feed(emulator);
        emulator->column = 0;
    }
    split(emulator, emulator->column);
    split(emulator, emulator->column + width);
    for (int i = 0; i < width; i++) {
        Cell *cell = &emulator->cells[emulator->row][emulator->column++];
        *cell = (Cell){.style = emulator->style, .behind = i > 0};
        if (i == 0) memcpy(cell->bytes, bytes, length);
    }
}

/* What a program may write to all terminals, and no more. */
static void control(Emulator *emulator, int count, bool counted, char final) {
    int steps = counted ? count : 1;
    if (final == 'm') {
        emulator->style = count == 7 ? 'r' : count == 2 ? 'd' : 0;
        return;
    }
    if (emulator->stays_on_last && emulator->column == emulator->columns) emulator->column--;
    switch (final) {
    case 'A': emulator->row -= steps; break;
    case 'C': emulator->column += steps; break;
    case 'K': clear(emulator, emulator->row, emulator->column); break;
    case 'J':
        clear(emulator, emulator->row, emulator->column);
        for (int row = emulator->row + 1; row < emulator->rows; row++) clear(emulator, row, 0);
        break;
    default: emulator->beyond++;
    }
    if (emulator->row < 0) emulator->beyond++, emulator->row = 0;
    if (emulator->column >= emulator->columns)
        emulator->beyond++, emulator->column = emulator->columns - 1;
}

static size_t sequence(Emulator *emulator, const char *bytes) {
    char *end;
    if (bytes[1] != '[') return emulator->beyond++, 1;
    int count = (int)strtol(bytes + 2, &end, 10);
    control(emulator, count, end > bytes + 2, *end);
    return (size_t)(end - bytes) + 1;
}

void emulator_feed(Emulator *emulator, const char *bytes, size_t length) {
    for (size_t at = 0; at < length;) {
        uint32_t code_point;
        size_t taken = utf8_next(bytes + at, length - at, &code_point);
        if (code_point == '\033') taken = sequence(emulator, bytes + at);
        else if (code_point == '\r') emulator->column = 0;
        else if (code_point == '\n') line_feed(emulator);
        else if (code_point < 0x20 || code_point == 0x7F) emulator->beyond++;
        else print(emulator, bytes + at, taken);
        at += taken;
    }
}

bool emulator_row_is_blank(const Emulator *emulator, int row) {
    for (int column = 0; column < emulator->columns; column++)
        if (emulator->cells[row][column].bytes[0]) return false;
    return true;
}
