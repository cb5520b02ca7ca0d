/* The line that readline holds, as the rest of the editor sees it. */
#include "shell/editor/editor_state.h"

#ifdef HAVE_READLINE

#include <readline/readline.h>
#include <string.h>

const char *edit_text(void) { return rl_line_buffer; }
size_t edit_length(void) { return (size_t)rl_end; }
/* When a search is given up readline asks for a frame before it has the point back in the line. */
size_t edit_point(void) { return (size_t)(rl_point < rl_end ? rl_point : rl_end); }
void edit_set_point(size_t point) { rl_point = (int)point; }

bool edit_is(const char *text, size_t length) {
    return length == edit_length() && memcmp(text, rl_line_buffer, length) == 0;
}

void edit_replace(size_t begin, size_t end, const char *text) {
    rl_begin_undo_group();
    if (end > begin) rl_delete_text((int)begin, (int)end);
    rl_point = (int)begin;
    rl_insert_text(text);
    rl_end_undo_group();
}

void edit_show(const char *text) {
    rl_replace_line(text, 1);
    rl_point = rl_end;
    rl_deactivate_mark();
}

#endif
