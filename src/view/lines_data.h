/* The points of lines: which can be drawn, and how far they reach. */
#ifndef ATTN_VIEW_LINES_DATA_H
#define ATTN_VIEW_LINES_DATA_H

#include "view/picture.h"
#include "view/scale.h"

/* The x of a point; its number where the line has none. */
double line_x(const PictureLine *line, size_t i);
/* True if there is such a point and it can be drawn: it is finite, and above 0 on a logarithmic
 * axis. Others leave a gap. */
bool line_has_point(const Picture *picture, const PictureLine *line, size_t i);
/* The ranges of the axes: that of x ends with the data, that of y has some room. */
Range lines_range_x(const Picture *picture);
Range lines_range_y(const Picture *picture);
/* The look of a line where there are so many colours; further lines are dashed. */
LineLook line_look(const Picture *picture, size_t line, size_t colors);
/* The number of its pattern of dashes, 0: none. Lines differ in these, too, as long as there are
 * enough, for eyes and printers that do not tell the colours apart. */
enum { LINE_PATTERNS = 8 };
size_t line_pattern(LineLook look);
/* Every how many of `points` of a line in a file have a mark; 0: none. A short line has one at
 * each. So has one with a point between two gaps, which has no line that would show it. Of a long
 * line among others a few have one, so that it can be told from these. */
size_t line_marks_every(const Picture *picture, const PictureLine *line, size_t points);
/* The range of the bars' axis: from 0, or below, to all bars and marks; or as the picture says. */
Range bars_range(const Picture *picture);
bool lines_are_counted(const Picture *picture); /* no line has an x of its own */
bool lines_are_named(const Picture *picture);

#endif
