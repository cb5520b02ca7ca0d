#include "shell/editor/editor_shared.h"

#ifdef HAVE_READLINE

#include <readline/readline.h>
#include <string.h>

const char *buffer_text(void) { return rl_line_buffer; }
size_t buffer_length(void) { return (size_t)rl_end; }
/* When a search is given up, readline asks for a frame before it has put the point back into the
 * line. */
size_t buffer_point(void) { return (size_t)(rl_point < rl_end ? rl_point : rl_end); }
void buffer_set_point(size_t point) { rl_point = (int)point; }

bool buffer_equals(const char *text, size_t length) {
    return length == buffer_length() && memcmp(text, rl_line_buffer, length) == 0;
}

void buffer_replace(size_t begin, size_t end, const char *text) {
    rl_begin_undo_group();
    if (end > begin) rl_delete_text((int)begin, (int)end);
    rl_point = (int)begin;
    rl_insert_text(text);
    rl_end_undo_group();
}

void buffer_set(const char *text) {
    rl_replace_line(text, 1);
    rl_point = rl_end;
    rl_deactivate_mark();
}

#endif
