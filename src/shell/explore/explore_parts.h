/* explore: the parts of its screen, each of which fills an area of the layout. */
#ifndef ATTN_SHELL_EXPLORE_PARTS_H
#define ATTN_SHELL_EXPLORE_PARTS_H

#include "session/explain/derivation.h"
#include "shell/explore/explore_page.h"

typedef struct Part {
    const Explore *explore;
    const ExploreLayout *layout;
    Sheet *sheet;
    Text *line; /* being put together */
} Part;

static const SheetStyle style_plain = {INK_PLAIN, GROUND_OWN, 0},
                        style_bold = {INK_BOLD, GROUND_OWN, 0},
                        style_faint = {INK_FAINT, GROUND_OWN, 0},
                        style_selected = {INK_BOLD | INK_REVERSE, GROUND_OWN, 0},
                        style_alarm = {INK_ALARM | INK_BOLD, GROUND_OWN, 0};

void explore_put_heat(const Part *part);
void explore_put_working(const Part *part, const Derivation *derivation);
void explore_put_list(const Part *part,
                      const Derivation *derivation); /* the keys of the selected query */

/* Puts a text, as sheet_put does; or part->line, which is then empty. */
void explore_put(const Part *part, size_t row, size_t column, size_t width, SheetStyle style,
                 const char *text);
void explore_put_line(const Part *part, size_t row, size_t column, size_t width, SheetStyle style);
/* The mark before the selected row. */
const char *explore_mark(const Sheet *sheet);

/* The most important keys in one line of the screen; all of them, in place of anything else. */
void explore_put_keys(const Part *part, const ExploreHelp *help, size_t line);
void explore_put_help(const Part *part, const ExploreHelp *help);

#endif
