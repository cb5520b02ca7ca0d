/* The Host: how everything below the shell reaches a person. The shell, a test,
 * a notebook cell or an export fills one in; nothing else touches stdout. */
#ifndef ATTN_BASE_HOST_H
#define ATTN_BASE_HOST_H

#include "base/text.h"

typedef enum ColorDepth { COLOR_NONE, COLOR_16, COLOR_256, COLOR_TRUE } ColorDepth;

/* The ways to show more than text: a window on the desktop, an image within the terminal, one that
 * a document keeps. */
typedef enum HostImage { IMAGE_WINDOW, IMAGE_KITTY, IMAGE_SIXEL, IMAGE_SVG, IMAGE_PNG } HostImage;

/* Pictures are shown as the person wants them, or given to Host.picture, which keeps them: as text,
 * or as an image where it can be drawn. */
typedef enum HostPictures {
    PICTURES_SHOWN,
    PICTURES_AS_TEXT,
    PICTURES_AS_SVG,
    PICTURES_AS_PNG
} HostPictures;

/* The size of a character in pixels, where a terminal does not tell it. */
enum { CELL_WIDTH_USUAL = 9, CELL_HEIGHT_USUAL = 18 };

typedef struct Host Host;
struct Host {
    void *self;
    /* Results. False and ERR_FILE when it cannot be written (a closed pipe, a full disk). */
    bool (*write)(Host *host, const char *text, size_t length, Error *err);
    /* Sends on what was written so far, to the screen or the pipe. Fails as write does. NULL:
     * writing does so by itself. */
    bool (*flush)(Host *host, Error *err);
    /* A text to be read from its top: where it does not fit the screen, a pager may show it. NULL:
     * written. */
    bool (*page)(Host *host, const char *text, size_t length, Error *err);
    /* Remarks that are not results (a note, a warning): to the person, not to the pipe. */
    void (*note)(Host *host, const char *text);
    /* True if this can be shown here. May ask the terminal, the first time. False and ERR_PLOT with
     * what is lacking. NULL: nothing can. */
    bool (*can_show)(Host *host, HostImage image, Error *err);
    /* Shows a picture, where can_show has said yes: the bytes of a file whose format is "png" or
     * "sixel", and in words what is on it, for who does not see it. Where pictures are kept: "svg",
     * "png" or "text". */
    bool (*picture)(Host *host, const char *format, const char *bytes, size_t length,
                    const char *words, Error *err);
    /* Shows how much of a long piece of work is done, from 0 to 1, which ends it; `line` says it in
     * less than the terminal's columns. NULL: nobody watches. */
    void (*progress)(Host *host, const char *line, double done);
    /* Waits until the person presses Enter, or for some seconds (negative: only Enter). text: what
     * for, or NULL. ERR_INTERRUPT. NULL: does not wait. */
    bool (*wait)(Host *host, const char *text, double seconds, Error *err);
    /* Asks a question that is answered by yes or no; *yes is false for any other answer.
     * ERR_INTERRUPT. NULL: there is nobody to ask. */
    bool (*ask)(Host *host, const char *question, bool *yes, Error *err);
    /* Writes the prompt and reads a line without its end; *ended is true if there is none left.
     * ERR_INTERRUPT. NULL: nothing can be read. */
    bool (*read_line)(Host *host, const char *prompt, Text *line, bool *ended, Error *err);
    /* Begins a new page: nothing of the last one is in sight. NULL: does nothing. */
    void (*clear)(Host *host);
    size_t rows_written;          /* by host_write, since whoever counts has set it to 0 */
    double work_began, work_done; /* of the work that host_progress shows */
    bool terminal;                /* a terminal shows what is written, and obeys what it says */
    bool interactive;             /* a person reads and can answer */
    int columns, rows;            /* of the terminal; 80 and 24 where there is none */
    int cell_width, cell_height;  /* of a character, in pixels; 0: not known */
    HostPictures pictures;        /* where pictures without a file are shown */
    /* Also gets all that is written or remarked; NULL: nothing. Borrowed. */
    Text *copy;
    ColorDepth color; /* the colours of the output, NO_COLOR and --color already applied */
    bool utf8;        /* the output understands UTF-8 */
};

/* All that is written passes utf8_write_signs: it may quote files, names and labels that tell the
 * terminal what to do. The exceptions are host_write, for text that has passed it and for images,
 * and host_write_printed, for what a script prints: a file or a pipe gets that as it is, and a
 * terminal obeys its \r, since print(..., end="\r") counts on one line. */
bool host_write(Host *host, const char *text, size_t length, Error *err);
bool host_write_printed(Host *host, const char *text, size_t length, Error *err);
bool host_flush(Host *host, Error *err);
/* Writes a text and releases it, also on failure; ERR_LIMIT when the text lost something. */
bool host_write_text(Host *host, Text *text, Error *err);
/* The same for a text that attn has written no colours into. */
bool host_write_plain(Host *host, Text *text, Error *err);
/* The same for a text that is read from its top. */
bool host_page_text(Host *host, Text *text, Error *err);
/* The same for what may take *room rows of the screen, or one more: of what needs more, the first
 * rows are written, and the rest is appended to `rest`. *room becomes what is left of it. */
bool host_write_rows(Host *host, Text *text, size_t *room, Text *rest, Error *err);
/* Writes the text that a format makes, in the person's language (base/translate.h); host_note does
 * so, too. */
bool host_print(Host *host, Error *err, const char *format, ...) ATTN_PRINTF(3, 4);
bool host_can_show(Host *host, HostImage image, Error *err);
bool host_picture(Host *host, const char *format, const Text *bytes, const char *words, Error *err);
/* Shows "WORK 40% ████░░░░░░ 0:12 left", the time once some of it has been taken. */
void host_progress(Host *host, const char *work, double done);
/* The parts of such a line: a bar of `width` columns and a space; seconds, 75 as "1:15". */
enum { PROGRESS_BAR = 24 };
void progress_write_bar(double done, size_t width, bool utf8, Text *out);
void progress_write_time(double seconds, Text *out);
void host_progress_line(Host *host, const char *line, double done);
void host_note(Host *host, const char *format, ...) ATTN_PRINTF(2, 3);

#endif
