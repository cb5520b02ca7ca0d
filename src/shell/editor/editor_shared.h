/* The state of the line editor, and the functions that its files offer each other. */
#ifndef ATTN_SHELL_EDITOR_SHARED_H
#define ATTN_SHELL_EDITOR_SHARED_H

#include "shell/editor/editor.h"
#include "shell/editor/entry_frame.h"
#include "shell/editor/history.h"

/* Keeps readline's headers from a type called Function, as lang/value.h has one, too. */
#define _FUNCTION_DEF

enum { PROMPT_COLUMNS = 30 };
#define EDITOR_NEXT_PROMPT "  ... "

/* Global, because readline calls back without a context. */
typedef struct Editor {
    Session *session;
    Host *host;
    EntryHistory history;
    char prompt[96];  /* before the first line of an entry */
    bool editing;     /* with readline */
    bool marks_paste; /* the terminal is told to mark what is pasted */
    /* the display */
    FILE *out;
    EntryFrame screen; /* the frame that is shown */
    bool hidden;       /* readline's output is not shown now */
    bool stale;        /* a frame was left out, because more keys waited */
    Text message;      /* shown below the entry until the next key */
    /* history */
    Text typed; /* the line that was being typed when an entry was recalled */
    size_t typed_point;
    Text prefix;        /* the beginning of recalled entries */
    bool recalled;      /* by the last key */
    bool list_is_stale; /* readline's list may hold lines that were edited */
    /* lines */
    Text pasted;        /* the entry, as long as it is nothing but what was pasted */
    size_t goal_column; /* the column that Up and Down keep to */
    /* the entry that is being read, for editor_read */
    bool done;
    ReadStatus status;
    Text *entry;
    bool *lines_follow;
} Editor;

extern Editor editor;

/* ---- editor.c ---- */
typedef enum EntryState { ENTRY_WHOLE, ENTRY_WRONG, ENTRY_GOES_ON } EntryState;

/* The state of lines that each end with \n. missing: if the entry goes on, what is not there yet is
 * appended; or NULL. */
EntryState entry_state(const char *text, size_t length, bool lines_follow, Text *missing);

/* ---- editor_display.c: the text that readline holds, which has no zero bytes ---- */
const char *buffer_text(void);
size_t buffer_length(void);
size_t buffer_point(void); /* the offset of the cursor */
void buffer_set_point(size_t point);
/* Replaces bytes and puts the cursor behind the new ones: one step of undo. */
void buffer_replace(size_t begin, size_t end, const char *text);
/* Replaces this entry by another one, the cursor at its end. */
void buffer_set(const char *text);
bool buffer_equals(const char *text, size_t length);

/* Shows the entry as it is now, unless more keys wait. */
void display_entry(void);
/* Shows an entry for the last time: with nothing below it and `mark` behind it, the cursor in the
 * row after it. */
void display_finished(const char *mark);
/* Shows the entry again after the window's size changed, or on an empty screen. */
void display_resized(void);
void display_on_empty_screen(void);

/* ---- editor_history.c ---- */
void editor_history_begin(void); /* a new entry */
void editor_history_end(void);   /* no more entries */
/* Takes in what other prompts added, before readline searches. */
void editor_history_refresh(void);
/* True if the text is a recalled entry that has not been changed. */
bool editor_history_is_recalled(void);

/* ---- editor_keys.c ---- */
void editor_keys_bind(void);

/* The line that a key means where a document is presented and nothing is typed: "" goes on, "back"
 * goes back. NULL: it is a key as elsewhere. */
const char *editor_keys_page(const char *keys, size_t length);

/* ---- functions of keys, as readline calls them: editor_history.c and
 * editor_entry_keys.c ---- */
int key_up(int count, int key);
int key_down(int count, int key);
int key_enter(int count, int key);
int key_newline(int count, int key);
int key_paste(int count, int key);
int key_tab(int count, int key);

#endif
