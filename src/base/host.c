#include "base/host.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/size.h"
#include "base/translate.h"
#include "base/utf8.h"

#include <math.h>
#include <stdarg.h>

enum { COPY_MOST = 65536 }; /* bytes: a loop may print for hours */
enum { TIME_LEFT = 18 };    /* columns, in any language */

static void keep_copy(Host *host, const char *text, size_t length) {
    if (!host->copy || host->copy->length >= COPY_MOST) return;
    size_t room = COPY_MOST - host->copy->length,
           kept = room < length ? utf8_begin(text, room) : length;
    text_bytes(host->copy, text, kept);
    if (kept < length) text_repeat(host->copy, '.', COPY_MOST - host->copy->length + 3);
}

bool host_write(Host *host, const char *text, size_t length, Error *err) {
    keep_copy(host, text, length);
    for (size_t i = 0; i < length; i++) host->rows_written += text[i] == '\n';
    return length == 0 || host->write(host, text, length, err);
}

/* Puts signs into a text for what a terminal would obey. colors: attn may have written colours. */
static void sign(Text *text, bool colors) {
    Text raw = *text;
    text_init(text);
    utf8_write_signs(text, raw.data, raw.length, colors);
    text_release_for(&raw, text);
}

bool host_flush(Host *host, Error *err) { return !host->flush || host->flush(host, err); }

bool host_write_printed(Host *host, const char *text, size_t length, Error *err) {
    if (!host->terminal) return host_write(host, text, length, err);
    LocalText signs = TEXT_EMPTY;
    for (size_t at = 0, end; at < length; at = end + 1) {
        for (end = at; end < length && text[end] != '\r';) end++;
        utf8_write_signs(&signs, text + at, end - at, false);
        if (end < length) text_char(&signs, '\r');
    }
    return text_ok(&signs, err) && host_write(host, signs.data, signs.length, err);
}

static bool write_with_signs(Host *host, Text *text, bool colors, Error *err) {
    sign(text, colors);
    bool ok = text_ok(text, err) && host_write(host, text->data, text->length, err);
    text_release(text);
    return ok;
}

bool host_write_text(Host *host, Text *text, Error *err) {
    return write_with_signs(host, text, host->color != COLOR_NONE, err);
}

bool host_write_plain(Host *host, Text *text, Error *err) {
    return write_with_signs(host, text, false, err);
}

bool host_page_text(Host *host, Text *text, Error *err) {
    if (!host->page) return host_write_text(host, text, err);
    sign(text, host->color != COLOR_NONE);
    keep_copy(host, text->data, text->length);
    Text *copy = host->copy;
    host->copy = NULL; /* a text that needs no pager is written */
    bool ok = text_ok(text, err) &&
              (text->length == 0 || host->page(host, text->data, text->length, err));
    host->copy = copy;
    text_release(text);
    return ok;
}

bool host_write_rows(Host *host, Text *text, size_t *room, Text *rest, Error *err) {
    sign(text, host->color != COLOR_NONE);
    keep_copy(host, text->data, text->length);
    size_t rows = *room + 1, columns = (size_t)host->columns; /* to say so would take that row */
    size_t end = utf8_rows(text->data, text->length, columns, &rows);
    bool cut = end < text->length;
    if (cut) {
        rows = *room;
        end = utf8_rows(text->data, text->length, columns, &rows);
    }
    *room = cut || rows > *room ? 0 : *room - rows;
    text_bytes(rest, text->data + end, text->length - end);
    Text *copy = host->copy;
    host->copy = NULL;
    bool ok = text_ok(text, err) && text_ok(rest, err) && host_write(host, text->data, end, err) &&
              (!cut || end == 0 || text->data[end - 1] == '\n' || host_write(host, "\n", 1, err));
    host->copy = copy;
    text_release(text);
    return ok;
}

bool host_print(Host *host, Error *err, const char *format, ...) {
    Text text = TEXT_EMPTY;
    va_list arguments;
    va_start(arguments, format);
    text_vsay(&text, format, arguments);
    va_end(arguments);
    return host_write_plain(host, &text, err);
}

static bool shows_no_images(Error *err) {
    return error_set(err, ERR_PLOT, "there is nothing here that shows images");
}

bool host_can_show(Host *host, HostImage image, Error *err) {
    return host->can_show ? host->can_show(host, image, err) : shows_no_images(err);
}

bool host_picture(Host *host, const char *format, const Text *bytes, const char *words,
                  Error *err) {
    if (!host->picture) return shows_no_images(err);
    host->rows_written += (size_t)host->rows; /* at most: its height is not known here */
    return text_ok(bytes, err) &&
           host->picture(host, format, bytes->data, bytes->length, words ? words : "", err);
}

void host_progress_line(Host *host, const char *line, double done) {
    if (host->progress) host->progress(host, line, done);
}

void progress_write_bar(double done, size_t width, bool utf8, Text *out) {
    size_t filled = (size_t)(done * (double)width);
    for (size_t i = 0; i < width; i++)
        text_string(out, i < filled ? (utf8 ? "█" : "#") : utf8 ? "░" : ".");
    text_char(out, ' ');
}

void progress_write_time(double seconds, Text *out) {
    const double most = 359999; /* 99 hours */
    long whole = (long)ceil(seconds < most ? seconds : most);
    if (whole >= 3600)
        text_format(out, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    else text_format(out, "%ld:%02ld", whole / 60, whole % 60);
}

void host_progress(Host *host, const char *work, double done) {
    const double now = clock_seconds();
    LocalText line = TEXT_EMPTY;
    if (done <= host->work_done || host->work_began == 0) host->work_began = now;
    host->work_done = done;
    text_format(&line, "%s %d%% ", tr(work), (int)(done * 100));
    const size_t room = left_of((size_t)host->columns, line.length + TIME_LEFT);
    progress_write_bar(done, smaller(PROGRESS_BAR, room), host->utf8, &line);
    if (done > 0 && done < 1) {
        progress_write_time((now - host->work_began) * (1 - done) / done, &line);
        text_string(&line, tr(" left"));
    }
    if (!line.failed) host_progress_line(host, line.data, done);
}

void host_note(Host *host, const char *format, ...) {
    if (!host->note) return;
    LocalText text = TEXT_EMPTY;
    va_list arguments;
    va_start(arguments, format);
    text_vsay(&text, format, arguments);
    va_end(arguments);
    sign(&text, false);
    if (!text.failed) {
        keep_copy(host, text.data, text.length);
        host->note(host, text.data);
    }
}
