#include "library/training_progress.h"

#include "base/number.h"
#include "base/size.h"
#include "base/utf8.h"

#include <math.h>

enum { BAR_LEAST = 6, BAR_MOST = 24 };

/* 1234 as "1.2k". */
static void write_rate(double per_second, Text *out) {
    if (per_second >= 1e6) text_format(out, "%.1fM", per_second / 1e6);
    else if (per_second >= 1e4) text_format(out, "%.0fk", per_second / 1e3);
    else if (per_second >= 1e3) text_format(out, "%.1fk", per_second / 1e3);
    else text_format(out, "%.0f", per_second);
}

/* 75 as "1:15". */
static void write_time(double seconds, Text *out) {
    const double most = 359999; /* 99 hours */
    long whole = (long)ceil(seconds < most ? seconds : most);
    if (whole >= 3600)
        text_format(out, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    else text_format(out, "%ld:%02ld", whole / 60, whole % 60);
}

/* Loss, accuracy, speed and time, in few words or in more. */
static void write_figures(const TrainProgress *progress, bool brief, Text *out) {
    const char *between = brief ? " " : "  ";
    text_string(out, "loss ");
    if (progress->loss < 10) text_format(out, "%.*f", brief ? 2 : 3, progress->loss);
    else number_write(out, progress->loss, brief ? 2 : 3);
    text_format(out, "%s%s ", between, brief ? "held" : "held-out");
    if (isnan(progress->accuracy)) text_string(out, brief ? "-" : "  -  ");
    else text_format(out, "%.*f%%", brief ? 0 : 1, 100 * progress->accuracy);
    text_string(out, between);
    write_rate(progress->tokens_per_second, out);
    text_format(out, "%s%s", brief ? "/s" : " tokens/s", between);
    write_time(progress->seconds_left, out);
    if (!brief) text_string(out, " left");
}

static void write_bar(double done, size_t width, bool utf8, Text *out) {
    size_t filled = (size_t)(done * (double)width);
    for (size_t i = 0; i < width; i++)
        text_string(out, i < filled ? (utf8 ? "█" : "#") : utf8 ? "░" : ".");
    text_char(out, ' ');
}

void training_progress_write(const TrainProgress *progress, int columns, bool utf8, Text *out) {
    Text steps = TEXT_EMPTY, figures = TEXT_EMPTY;
    const double done = (double)progress->step / (double)progress->steps;
    const size_t room_behind = 3; /* for the cursor, and for ^C */
    const size_t most = left_of((size_t)columns, room_behind);
    text_format(&steps, "step %zu of %zu ", progress->step, progress->steps);
    write_figures(progress, false, &figures);
    size_t taken = steps.length + figures.length + 1;
    if (taken + BAR_LEAST > most) {
        text_clear(&steps);
        text_format(&steps, "%3.0f%% ", 100 * done);
        taken = steps.length + figures.length + 1;
    }
    if (taken > most) {
        text_clear(&figures);
        write_figures(progress, true, &figures);
        taken = steps.length + figures.length + 1;
    }
    size_t columns_taken;
    text_bytes(out, steps.data, steps.length);
    if (taken + BAR_LEAST <= most)
        write_bar(done, taken + BAR_MOST <= most ? BAR_MOST : most - taken, utf8, out);
    size_t room = left_of(most, steps.length);
    size_t fits = utf8_fitting(figures.data, figures.length, room, &columns_taken);
    text_bytes(out, figures.data, fits);
    text_release_for(&steps, out);
    text_release_for(&figures, out);
}
