/* Rows of a table of text, for a spreadsheet to read. */
#ifndef ATTN_BASE_CSV_ROW_H
#define ATTN_BASE_CSV_ROW_H

#include "base/text.h"

/* Appends a field and a comma: in quotes where commas, quotes or line ends make that necessary,
 * and with a ' in front of what a spreadsheet would take for a formula, and run. text: NULL is an
 * empty field. */
void csv_field(Text *out, const char *text);
/* Makes the comma behind the last field the end of the row. */
void csv_end_row(Text *out);

#endif
