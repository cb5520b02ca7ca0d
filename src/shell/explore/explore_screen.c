#ifdef HAVE_NCURSES
#define _XOPEN_SOURCE_EXTENDED 1
#define NCURSES_NOMACROS 1
#include <curses.h>
#include <term.h>
/* A name that term.h takes from everybody. */
#undef columns
#undef lines
#endif

#include "shell/explore/explore_screen.h"

#include "base/error.h"
#include "base/translate.h"
#include "base/utf8.h"
#include "shell/terminal/terminal.h"
#include "view/terminal/terminal_color.h"

#include <stdio.h>
#include <unistd.h>
#include <wchar.h>

bool explore_screen_refuse(Error *err, const char *why) {
    error_set(err, ERR_PLOT, "explore fills the screen of a terminal, and %s", why);
    return error_hint(err, "attend shows the weights, set turns a setting and says what it does, "
                           "trace follows a query");
}

#ifdef HAVE_NCURSES

enum { SHADES_MOST = 15, SHADES_BASIC = 5, CHUNK = 64 };
enum { PAIR_SHADE = 1, PAIR_ABSENT = PAIR_SHADE + SHADES_MOST, PAIR_ALARM };

/* ---- colours ---- */

static short color_number(int step, int basic) {
    return (short)(COLORS >= 256 ? step : COLORS >= 16 ? basic : basic % 8);
}

static void init_ground(short pair, TerminalColor ground) {
    uint32_t seen = COLORS >= 256
                        ? ground.rgb
                        : palette_16_color(COLORS >= 16 ? ground.basic : ground.basic % 8);
    bool white = palette_ink(seen) != 0;
    init_pair(pair, white ? color_number(231, 15) : color_number(16, 0),
              color_number(ground.step, ground.basic));
}

/* A terminal whose colours are 24 bits wide at once has the basic ones in front. */
static void open_colors(ExploreScreen *screen, const char *name) {
    const Palette *palette = palette_of(name);
    if (!has_colors() || start_color() == ERR || COLORS < 8 || COLOR_PAIRS <= PAIR_ALARM) return;
    use_default_colors();
    if (COLORS > 256) COLORS = 8;
    screen->colored = true;
    screen->shades = COLORS >= 256 ? SHADES_MOST : SHADES_BASIC;
    for (int i = 0; i < screen->shades; i++)
        init_ground((short)(PAIR_SHADE + i), color_of(palette, (i + 0.5) / screen->shades));
    init_ground(PAIR_ABSENT, color_absent(palette));
    init_pair(PAIR_ALARM, color_number(166, 1), -1);
}

/* ---- open and close ---- */

static bool open_screen(ExploreScreen *screen, Error *err) {
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) ||
        tcgetattr(STDIN_FILENO, &screen->found) != 0)
        return explore_screen_refuse(err, "there is none here");
    if (!terminal_moves_cursor())
        return explore_screen_refuse(err, "this one only writes line by line (TERM says so)");
    fflush(stdout);
    screen->screen = newterm(NULL, stdout, stdin);
    if (!screen->screen)
        return explore_screen_refuse(err, "nothing is known of this one (see TERM)");
    char name[] = "cup"; /* the capability to move the cursor */
    const char *moves = tigetstr(name);
    return (moves && moves != (char *)-1) ||
           explore_screen_refuse(err, "this one only writes line by line");
}

bool explore_screen_open(ExploreScreen *screen, const Host *host, const char *palette, Error *err) {
    *screen = (ExploreScreen){.screen = NULL};
    terminal_choose_locale(); /* ncurses asks it how wide a character is */
    if (!open_screen(screen, err)) {
        explore_screen_close(screen);
        return false;
    }
    screen->utf8 = host->utf8 && terminal_choose_locale();
    cbreak();
    noecho();
    nonl();
    intrflush(stdscr, FALSE);
    curs_set(0);
    if (host->color != COLOR_NONE) open_colors(screen, palette);
    explore_screen_resize(host->rows, host->columns);
    return true;
}

void explore_screen_close(ExploreScreen *screen) {
    if (screen->screen) {
        endwin();
        delscreen(screen->screen);
        tcsetattr(STDIN_FILENO, TCSADRAIN, &screen->found);
    }
    screen->screen = NULL;
}

void explore_screen_resize(int rows, int columns) {
    resizeterm(rows, columns);
    clearok(stdscr, TRUE);
}

void explore_screen_leave(void) {
    endwin();
    clearok(stdscr, TRUE);
}

/* ---- a sheet ---- */

static void put_text(const char *text, size_t length) {
    wchar_t wide[CHUNK];
    for (size_t at = 0; at < length;) {
        int count = 0;
        for (uint32_t c; at < length && count < CHUNK; count++) {
            at += utf8_next(text + at, length - at, &c);
            /* ncurses would spell out what the locale does not know, and shift the rest. */
            wide[count] = wcwidth((wchar_t)c) < 0 ? L'?' : (wchar_t)c;
        }
        addnwstr(wide, count);
    }
}

void explore_screen_show(ExploreScreen *screen, const Sheet *sheet) {
    erase();
    for (size_t i = 0; i < sheet->count; i++) {
        const SheetPiece *piece = &sheet->pieces[i];
        SheetStyle style = piece->style;
        attr_t attributes = A_NORMAL;
        short pair = 0;
        if (style.ink & INK_BOLD) attributes |= A_BOLD;
        if (style.ink & INK_FAINT) attributes |= A_DIM;
        if (style.ink & INK_REVERSE) attributes |= A_REVERSE;
        if (screen->colored && style.ground == GROUND_SHADE) {
            int step = style.shade > 0 ? (int)(style.shade * screen->shades) : 0;
            pair = (short)(PAIR_SHADE + (step < screen->shades ? step : screen->shades - 1));
        } else if (screen->colored && style.ground == GROUND_ABSENT) {
            pair = PAIR_ABSENT;
        } else if (screen->colored && (style.ink & INK_ALARM)) {
            pair = PAIR_ALARM;
        }
        attr_set(attributes, pair, NULL);
        move((int)piece->row, (int)piece->column);
        put_text(sheet->text.data + piece->begin, piece->length);
    }
    attr_set(A_NORMAL, 0, NULL);
    move((int)sheet->cursor_row, (int)sheet->cursor_column);
    refresh();
}

const char *explore_screen_version(void) { return curses_version(); }

#else

bool explore_screen_open(ExploreScreen *screen, const Host *host, const char *palette, Error *err) {
    (void)host, (void)palette;
    *screen = (ExploreScreen){.screen = NULL};
    return explore_screen_refuse(err, "attn was built without ncurses");
}

void explore_screen_close(ExploreScreen *screen) { (void)screen; }
void explore_screen_show(ExploreScreen *screen, const Sheet *sheet) { (void)screen, (void)sheet; }
void explore_screen_resize(int rows, int columns) { (void)rows, (void)columns; }
void explore_screen_leave(void) {}
const char *explore_screen_version(void) { return tr("none (built without ncurses)"); }

#endif
