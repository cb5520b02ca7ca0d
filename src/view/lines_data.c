#include "view/lines_data.h"

#include "base/interrupt.h"

#include <math.h>

enum { MARKED_POINTS = 50 /* so few are marked each */, MARKS = 12 /* of a long line */ };

double line_x(const PictureLine *line, size_t i) { return line->x ? line->x[i] : (double)i; }

bool line_has_point(const Picture *picture, const PictureLine *line, size_t i) {
    if (i >= line->count) return false;
    double x = line_x(line, i);
    return isfinite(x) && isfinite(line->y[i]) && (!picture->log_x || x > 0) &&
           (!picture->log_y || line->y[i] > 0);
}

static Range range_over(const Picture *picture, bool of_x) {
    Range range = range_empty();
    for (size_t l = 0; l < picture->line_count; l++) {
        const PictureLine *line = &picture->lines[l];
        for (size_t i = 0; i < line->count && !interrupt_flag; i++)
            if (line_has_point(picture, line, i))
                range_add(&range, of_x ? line_x(line, i) : line->y[i]);
    }
    return range;
}

/* A logarithmic axis has its room in decades, as far as there are numbers. */
static Range log_range_of_axis(Range data) {
    if (range_is_empty(data)) return (Range){1, 10};
    double factor = range_is_constant(data) ? 2 : pow(data.high, 0.04) / pow(data.low, 0.04);
    Range range = {data.low / factor, data.high * factor};
    return (Range){range.low > 0 ? range.low : data.low,
                   isfinite(range.high) ? range.high : data.high};
}

Range lines_range_x(const Picture *picture) {
    Range range = range_over(picture, true);
    if (range_is_empty(range)) return picture->log_x ? (Range){1, 10} : (Range){0, 1};
    if (!range_is_constant(range)) return range;
    return picture->log_x ? log_range_of_axis(range) : range_of_axis(range);
}

Range lines_range_y(const Picture *picture) {
    Range range = range_over(picture, false);
    bool given = picture->low < picture->high;
    if (given && picture->exact) return (Range){picture->low, picture->high};
    if (given && !picture->log_y) {
        range_add(&range, picture->low);
        range_add(&range, picture->high);
    }
    return picture->log_y ? log_range_of_axis(range) : range_of_axis(range);
}

Range bars_range(const Picture *picture) {
    if (picture->exact) return (Range){picture->low, picture->high};
    Range range = range_over(picture, false);
    range_add(&range, 0);
    if (range_is_constant(range)) return (Range){0, 1};
    double room = (range.high - range.low) * 0.02;
    return (Range){range.low < 0 ? range.low - room : 0, range.high > 0 ? range.high + room : 0};
}

LineLook line_look(const Picture *picture, size_t line, size_t colors) {
    if (!picture->looks) return (LineLook){line % colors, line / colors};
    LineLook look = picture->looks[line];
    return (LineLook){look.color % colors, look.dashes + 2 * (look.color / colors)};
}

/* The patterns of two lines of one colour are half of all patterns apart; a third such line is
 * rare. */
size_t line_pattern(LineLook look) {
    return (look.color + LINE_PATTERNS / 2 * look.dashes + look.dashes / 2) % LINE_PATTERNS;
}

size_t line_marks_every(const Picture *picture, const PictureLine *line, size_t points) {
    bool before = false, marked = line->count <= MARKED_POINTS;
    for (size_t i = 0; i < line->count && !marked; i++) {
        bool here = line_has_point(picture, line, i);
        marked = here && !before && !line_has_point(picture, line, i + 1);
        before = here;
    }
    if (marked) return 1;
    return picture->line_count > 1 ? points / MARKS : 0;
}

bool lines_are_counted(const Picture *picture) {
    for (size_t l = 0; l < picture->line_count; l++)
        if (picture->lines[l].x) return false;
    return true;
}

bool lines_are_named(const Picture *picture) {
    for (size_t l = 0; l < picture->line_count; l++)
        if (has_words(picture->lines[l].name)) return true;
    return false;
}
