/* What the files of the line editor share. */
#ifndef ATTN_SHELL_EDITOR_STATE_H
#define ATTN_SHELL_EDITOR_STATE_H

#include "base/host.h"
#include "shell/editor/editor.h"
#include "shell/editor/frame.h"
#include "shell/editor/history.h"

#define EDITOR_PROMPT "attn> "
#define EDITOR_NEXT_PROMPT "  ... "

/* readline calls back without a context, so there is one editor. */
typedef struct Editor {
    Session *session;
    Host *host;
    History history;
    bool editing;     /* with readline, not the plain reader */
    bool marks_paste; /* the terminal does */
    FILE *out;
    Frame screen; /* what stands there */
    bool hidden;  /* readline asks for frames that nobody should see */
    bool stale;   /* a frame was left out, because more keys waited */
    Text below;   /* shown below the entry until the next key */
    /* history: editor_recall.c */
    Text typed; /* the line that was being typed when another was recalled */
    size_t typed_point;
    Text prefix;        /* what recalled entries begin with */
    bool recalled;      /* by the last key */
    bool list_is_stale; /* readline's list may hold lines that were edited */
    /* lines */
    Text pasted;  /* the entry, as long as it is what was pasted */
    size_t given; /* blanks of the automatic indentation that may still be typed over */
    size_t goal;  /* the column that Up and Down keep to */
    /* the end of reading */
    bool done;
    ReadStatus status;
    Text *entry;
    bool *lines_follow;
} Editor;

extern Editor editor;

/* ---- editor_plain.c ---- */
ReadStatus plain_read(Session *session, Text *entry);

/* ---- the line, which has no zero bytes: editor_edit.c ---- */
const char *edit_text(void);
size_t edit_length(void);
size_t edit_point(void);
void edit_set_point(size_t point);
/* Replaces bytes and stands behind what is new: one step of undo. */
void edit_replace(size_t begin, size_t end, const char *text);
/* Another entry in place of this one; the cursor at its end. */
void edit_show(const char *text);
bool edit_is(const char *text, size_t length);

/* ---- frames: editor_paint.c ---- */
void paint_frame(void);
/* The last frame of an entry: nothing below it, `mark` behind it, the cursor in the row after. */
void paint_last(const char *mark);
void paint_resized(void);
void paint_cleared(void);

/* ---- history: editor_recall.c ---- */
void recall_begin(void); /* a new entry */
void recall_end(void);   /* no more entries */
/* Before readline searches: what other prompts added is taken in. */
void recall_before_search(void);
bool recall_is_untouched(void); /* a recalled entry, as it was */
int key_up(int count, int key);
int key_down(int count, int key);

/* ---- Enter and pasting: editor_enter.c ---- */
int key_enter(int count, int key);
int key_newline(int count, int key);
int key_paste(int count, int key);

/* ---- completion: editor_tab.c ---- */
int key_tab(int count, int key);

/* ---- editor_keys.c ---- */
void keys_bind(void);
bool keys_know(const char *sequence, size_t length); /* is it bound, or the beginning of what is? */

#endif
