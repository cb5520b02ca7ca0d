/* How numbers are written and read: one routine each, for print, tables, JSON,
 * CSV and labels. Independent of the locale. */
#ifndef ATTN_BASE_NUMBER_H
#define ATTN_BASE_NUMBER_H

#include "base/text.h"

/* Writes `digits` (1..17) significant digits, but never fewer than are before the point; trailing
 * zeros cut; -0 as 0; an exponent below 1e-5 and from 1e16, as 1e-06, 1.5e+20 (Python's form); nan,
 * inf, -inf. With digits <= 0 it writes the shortest that read back, and the exponent from 1e-5
 * down, as Python does. */
void number_write(Text *text, double x, int digits);

/* The nearest double to what number_write shows of x. */
double number_as_shown(double x, int digits);

/* 0.5 as "50.0%", with so many digits behind the point, or more where a share below 1 would be
 * shown as 100%, or one above 0 as 0%. */
void number_write_share(Text *text, double share, int fraction);
/* Writes x as printf's %.*f does; x is not negative, nor nan. */
void number_write_fixed(Text *text, double x, int fraction);
/* The shortest digits that read back to the same double (or to the same float,
 * when `single`), in the same form; whole numbers without a point. */
void number_write_shortest(Text *text, double x, bool single);

/* Reads a decimal number from the start of [text, text + length): digits,
 * point, exponent, underscores between digits as Python has them; no sign, no
 * "inf". Returns how many bytes it took, 0 when there is no number. */
size_t number_read(const char *text, size_t length, double *out);

/* Reads a number that fills the whole text: with a sign or without; or inf, infinity, nan in
 * capital or small letters. */
bool number_read_whole(const char *text, size_t length, double *out);

/* Python's format mini-language for a number:
 * [[fill]align][sign][#][0][width][,][.precision][type], type one of b d e E f F g G n o x X % or
 * none. ERR_VALUE names what is wrong. `digits` serves where there is no type and no precision. */
bool number_format(Text *text, double x, const char *spec, int digits, Error *err);
/* The same language for a string: [[fill]align][width][.precision][s]. */
bool string_format(Text *text, const char *string, size_t length, const char *spec, Error *err);

#endif
