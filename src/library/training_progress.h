/* The line that says how far a training is. */
#ifndef ATTN_LIBRARY_TRAINING_PROGRESS_H
#define ATTN_LIBRARY_TRAINING_PROGRESS_H

#include "base/text.h"
#include "model/train.h"

/* Appends steps, a bar, loss, held-out accuracy, tokens a second and the time left, in less than
 * `columns` columns, with room for ^C behind them: shorter words and no bar where these are few. */
void training_progress_write(const TrainProgress *progress, int columns, bool utf8, Text *out);

#endif
