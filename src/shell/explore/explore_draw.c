#ifdef HAVE_NCURSES
#define _XOPEN_SOURCE_EXTENDED 1
#define NCURSES_NOMACROS 1
#include <curses.h>
#include <term.h>
/* A name that term.h takes from everybody. */
#undef columns
#undef lines
#endif

#include "shell/explore/explore_draw.h"

#include "base/utf8.h"
#include "shell/terminal/terminal.h"
#include "view/terminal/terminal_color.h"

#include <stdio.h>
#include <unistd.h>
#include <wchar.h>

bool explore_draw_refuse(Error *err, const char *why) {
    error_set(err, ERR_PLOT, "explore fills the screen of a terminal, and %s", why);
    return error_hint(err, "attend shows the weights, set turns a setting and says what it does, "
                           "trace follows a query");
}

#ifdef HAVE_NCURSES

enum {
    SHADES_MOST = 15,
    SHADES_BASIC = 5,
    PAIR_SHADE = 1,
    PAIR_ABSENT = PAIR_SHADE + SHADES_MOST,
    PAIR_ALARM,
    CHUNK = 64
};

/* ---- colours ---- */

static short color_number(int step, int basic) {
    return (short)(COLORS >= 256 ? step : COLORS >= 16 ? basic : basic % 8);
}

static void pair_of(short pair, TerminalColor ground) {
    uint32_t seen = COLORS >= 256
                        ? ground.rgb
                        : palette_16_color(COLORS >= 16 ? ground.basic : ground.basic % 8);
    bool white = palette_ink(seen) != 0;
    init_pair(pair, white ? color_number(231, 15) : color_number(16, 0),
              color_number(ground.step, ground.basic));
}

/* A terminal whose colours are 24 bits wide at once has the basic ones in front. */
static void open_colors(ExploreDraw *draw, const char *name) {
    const Palette *palette = palette_of(name);
    if (!has_colors() || start_color() == ERR || COLORS < 8 || COLOR_PAIRS <= PAIR_ALARM) return;
    use_default_colors();
    if (COLORS > 256) COLORS = 8;
    draw->colored = true;
    draw->shades = COLORS >= 256 ? SHADES_MOST : SHADES_BASIC;
    for (int i = 0; i < draw->shades; i++)
        pair_of((short)(PAIR_SHADE + i), color_of(palette, (i + 0.5) / draw->shades));
    pair_of(PAIR_ABSENT, color_absent(palette));
    init_pair(PAIR_ALARM, color_number(166, 1), -1);
}

static int shade_pair(const ExploreDraw *draw, double shade) {
    int step = shade > 0 ? (int)(shade * draw->shades) : 0;
    return PAIR_SHADE + (step < draw->shades ? step : draw->shades - 1);
}

/* ---- open and close ---- */

static bool can_place(void) {
    char name[] = "cup";
    const char *place = tigetstr(name);
    return place && place != (char *)-1;
}

static bool open_screen(ExploreDraw *draw, Error *err) {
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) ||
        tcgetattr(STDIN_FILENO, &draw->found) != 0)
        return explore_draw_refuse(err, "there is none here");
    if (!terminal_moves_cursor())
        return explore_draw_refuse(err, "this one only writes line by line (TERM says so)");
    fflush(stdout);
    draw->screen = newterm(NULL, stdout, stdin);
    if (!draw->screen) return explore_draw_refuse(err, "nothing is known of this one (see TERM)");
    return can_place() || explore_draw_refuse(err, "this one only writes line by line");
}

bool explore_draw_open(ExploreDraw *draw, const Host *host, const char *palette, Error *err) {
    *draw = (ExploreDraw){.screen = NULL};
    terminal_choose_locale(); /* ncurses asks it how wide a character is */
    if (!open_screen(draw, err)) return explore_draw_close(draw), false;
    draw->utf8 = host->utf8 && terminal_choose_locale();
    cbreak();
    noecho();
    nonl();
    intrflush(stdscr, FALSE);
    curs_set(0);
    if (host->color != COLOR_NONE) open_colors(draw, palette);
    explore_draw_resize(draw, host->rows, host->columns);
    return true;
}

void explore_draw_close(ExploreDraw *draw) {
    if (draw->screen) {
        endwin();
        delscreen(draw->screen);
        tcsetattr(STDIN_FILENO, TCSADRAIN, &draw->found);
    }
    draw->screen = NULL;
}

void explore_draw_resize(ExploreDraw *draw, int rows, int columns) {
    (void)draw;
    resizeterm(rows, columns);
    clearok(stdscr, TRUE);
}

void explore_draw_leave(ExploreDraw *draw) {
    (void)draw;
    endwin();
    clearok(stdscr, TRUE);
}

/* ---- a sheet ---- */

/* What the locale does not know as a character of some width would be spelled out, and shift the
 * rest. */
static wchar_t drawn(uint32_t c) { return wcwidth((wchar_t)c) < 0 ? L'?' : (wchar_t)c; }

static void put_text(const char *text, size_t length) {
    wchar_t wide[CHUNK];
    for (size_t at = 0; at < length;) {
        int count = 0;
        for (uint32_t c; at < length && count < CHUNK; count++) {
            at += utf8_next(text + at, length - at, &c);
            wide[count] = drawn(c);
        }
        addnwstr(wide, count);
    }
}

static attr_t attributes_of(const ExploreDraw *draw, SheetStyle style, short *pair) {
    attr_t attributes = A_NORMAL;
    bool alarm = style.ink & INK_ALARM;
    if (style.ink & INK_BOLD) attributes |= A_BOLD;
    if (style.ink & INK_FAINT) attributes |= A_DIM;
    if (style.ink & INK_REVERSE) attributes |= A_REVERSE;
    *pair = 0;
    if (!draw->colored) return attributes;
    if (style.ground == GROUND_SHADE) *pair = (short)shade_pair(draw, style.shade);
    else if (style.ground == GROUND_ABSENT) *pair = PAIR_ABSENT;
    else if (alarm) *pair = PAIR_ALARM;
    return attributes;
}

void explore_draw_sheet(ExploreDraw *draw, const Sheet *sheet) {
    erase();
    for (size_t i = 0; i < sheet->count; i++) {
        const SheetPiece *piece = &sheet->pieces[i];
        short pair;
        attr_t attributes = attributes_of(draw, piece->style, &pair);
        attr_set(attributes, pair, NULL);
        move((int)piece->row, (int)piece->column);
        put_text(sheet->text.data + piece->begin, piece->length);
    }
    attr_set(A_NORMAL, 0, NULL);
    move((int)sheet->cursor_row, (int)sheet->cursor_column);
    refresh();
}

void explore_draw_version(Text *text) { text_string(text, curses_version()); }

#else

bool explore_draw_open(ExploreDraw *draw, const Host *host, const char *palette, Error *err) {
    (void)host, (void)palette;
    *draw = (ExploreDraw){.screen = NULL};
    return explore_draw_refuse(err, "attn was built without ncurses");
}

void explore_draw_close(ExploreDraw *draw) { (void)draw; }
void explore_draw_sheet(ExploreDraw *draw, const Sheet *sheet) { (void)draw, (void)sheet; }
void explore_draw_resize(ExploreDraw *draw, int rows, int columns) {
    (void)draw, (void)rows, (void)columns;
}
void explore_draw_leave(ExploreDraw *draw) { (void)draw; }
void explore_draw_version(Text *text) { text_string(text, "none (built without ncurses)"); }

#endif
