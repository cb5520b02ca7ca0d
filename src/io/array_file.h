/* Single arrays in files: .npy (NumPy's format, versions 1.0 to 3.0) and .csv/.tsv. */
#ifndef ATTN_IO_ARRAY_FILE_H
#define ATTN_IO_ARRAY_FILE_H

#include "engine/tensor/tensor.h"

/* Chooses the format by suffix: .npy, .csv, .tsv, (reading: .txt as whitespace-separated). ERR_FILE
 * names the place of what is wrong (line and field of a CSV; the header of an npy). ERR_VALUE for
 * an unknown suffix, naming the known ones. */
Tensor *array_load(const char *path, Error *err);
bool array_save(const char *path, const Tensor *tensor, Error *err);

/* npy: <f8 <f4 <f2 |b1 <i1..<i8 <u1..<u8 and their big-endian twins, C and Fortran order;
 * integers become double. The header is never trusted: sizes are checked against the length. */
Tensor *npy_parse(const char *bytes, size_t length, Error *err);
bool npy_write(Text *out, const Tensor *tensor, Error *err); /* version 1.0, C order */
/* csv: separator , (or ; where lines have it, with decimal commas) or \t (or white space for 0);
 * optional header line of names (skipped when no field is a number) and column of names (skipped
 * when the first row begins with one); empty fields and "nan" are nan; rows of one length; numbers
 * in Python's or C's form; a byte-order mark and CRLF are fine. One column gives one axis. */
Tensor *csv_parse(const char *bytes, size_t length, char separator, Error *err);
bool csv_write(Text *out, const Tensor *tensor, char separator,
               Error *err); /* at most 2 axes; shortest digits that read back */

#endif
