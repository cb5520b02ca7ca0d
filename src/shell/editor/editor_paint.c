/* Frames of the line that readline holds, painted to the terminal. */
#include "shell/editor/editor_state.h"

#ifdef HAVE_READLINE

#include "shell/completion/completion.h"
#include "shell/editor/editor_input.h"

#include <readline/readline.h>

static void put(const Text *bytes) {
    fflush(stdout);
    fwrite(bytes->data, 1, bytes->length, editor.out);
    fflush(editor.out);
}

/* The message of the last key, or what the call that the cursor stands in takes. */
static const char *below(Text *hint) {
    bool searching = RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH | RL_STATE_NUMERICARG) != 0;
    if (editor.below.length > 0) return editor.below.data;
    if (searching || edit_length() == 0) return NULL;
    return completion_hint(editor.session, edit_text(), edit_length(), edit_point(), hint)
               ? hint->data
               : NULL;
}

static FrameContent content(void) {
    size_t mark = (size_t)rl_mark, point = edit_point();
    bool active = rl_mark_active_p() && rl_mark >= 0 && rl_mark <= rl_end;
    return (FrameContent){.prompt = rl_display_prompt ? rl_display_prompt : EDITOR_PROMPT,
                          .next_prompt = EDITOR_NEXT_PROMPT,
                          .text = edit_text(),
                          .length = edit_length(),
                          .point = point,
                          .marked = !active        ? 0
                                    : mark < point ? mark
                                                   : point,
                          .marked_end = !active        ? 0
                                        : mark < point ? point
                                                       : mark};
}

/* Turns what stands on the screen into the frame of `now`; bytes that are written before. */
static void show(const FrameContent *now, const char *first) {
    Frame frame;
    Text bytes;
    frame_init(&frame);
    text_init(&bytes);
    frame_layout(&frame, now, editor.host->columns, editor.host->rows, editor.host->color,
                 editor.host->utf8);
    text_string(&bytes, first);
    frame_paint(&editor.screen, &frame, &bytes);
    put(&bytes);
    text_release(&bytes);
    frame_release(&editor.screen);
    editor.screen = frame;
    editor.stale = false;
}

static void show_line(const char *first) {
    Text hint;
    text_init(&hint);
    FrameContent now = content();
    now.below = below(&hint);
    show(&now, first);
    text_release(&hint);
}

/* While more keys wait only the last of them is worth a frame: a paste is not painted letter by
 * letter. */
void paint_frame(void) {
    if (editor.hidden) return;
    editor.stale = !input_is_fed() && input_is_waiting(0);
    if (!editor.stale) show_line("");
}

void paint_last(const char *mark) {
    Text bytes;
    FrameContent now = content();
    now.point = now.length;
    now.marked = now.marked_end = 0;
    now.prompt = EDITOR_PROMPT;
    show(&now, "");
    text_init(&bytes);
    text_string(&bytes, mark);
    if (*mark) text_string(&bytes, "\r\n");
    else frame_leave(&editor.screen, &bytes);
    put(&bytes);
    text_release(&bytes);
    frame_release(&editor.screen);
}

void paint_resized(void) {
    char up[32] = "\r";
    size_t columns = editor.host->columns > 0 ? (size_t)editor.host->columns : 1,
           above = frame_rows_above(&editor.screen, columns);
    if (above > 0) snprintf(up, sizeof up, "\r\033[%zuA", above);
    frame_release(&editor.screen);
    show_line(up);
}

void paint_cleared(void) {
    frame_release(&editor.screen);
    show_line("\033[H\033[2J");
}

#endif
