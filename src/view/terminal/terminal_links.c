/* Links in characters. In a terminal with UTF-8 they are strokes of braille dots between the names
 * of queries and keys. In a text, in ASCII, and where strokes of several heads would look the same
 * they are lists that can be read aloud: each query with the keys that it looks at. The links of
 * one query alone are bars. */
#include "base/number.h"
#include "base/size.h"
#include "base/translate.h"
#include "base/utf8.h"
#include "view/label.h"
#include "view/lines_data.h"
#include "view/links_data.h"
#include "view/terminal/dots.h"
#include "view/terminal/terminal_color.h"
#include "view/terminal/terminal_picture.h"

#include <math.h>
#include <string.h>

enum { LABEL_MOST = 24, CANVAS_LEAST = 10, CANVAS_USUAL = 20, ROW_DOTS = 4, DIGITS = 3, DASH = 4 };
enum { GAP = 3, BARS_LEAST = 34, ACROSS_MOST = 4, LINES_AROUND = 4, INDENT = 2 };

/* The strengths of a link: dots far apart, closer, a line. */
enum { SPARSE, DOTTED, FULL, STRENGTHS };

typedef struct Drawn {
    Text *out;
    const Picture *picture, *first; /* a head: all have the same rows and columns */
    const Screen *screen;
    Links links;
    NumberForm form; /* of weights */
    Brush brush;
    DotCanvas canvas;
    size_t left, right; /* widths of the names of queries and of keys */
    size_t tall;        /* rows of characters for each of them */
} Drawn;

/* The columns that names and the title above them take. */
static size_t side_width(const char *title, const Labels *names, size_t count, size_t most,
                         bool utf8) {
    size_t width = larger(1, label_width(&(Labels){&title, 1}, 0, utf8));
    return smaller(larger(width, labels_width(names, show_all(count), utf8)), most);
}

/* ---- strokes ---- */

/* True if there are many colours; where there are few, what is fainter has fewer dots. */
static bool many_colors(const Drawn *drawn) { return drawn->screen->color >= COLOR_256; }

/* The colour of a head: the weaker, the nearer to a grey that is seen on dark and on light. */
static TerminalColor ink_of(const Drawn *drawn, size_t head, size_t strength) {
    static const double grey[STRENGTHS] = {0.75, 0.4, 0};
    TerminalColor ink = color_of_line(line_look(drawn->picture, head, LINE_COLORS).color);
    uint32_t mixed = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        double value =
            (double)(ink.rgb >> shift & 0xFF) * (1 - grey[strength]) + 0x70 * grey[strength];
        mixed |= (uint32_t)value << shift;
    }
    return strength == FULL ? ink : (TerminalColor){mixed, palette_256(mixed), ink.basic};
}

static bool is_dashed(const Drawn *drawn, size_t head) {
    return line_look(drawn->picture, head, LINE_COLORS).dashes % 2 == 1;
}

static void write_row(Drawn *drawn, size_t row) {
    const Picture *first = drawn->first;
    const Spot *spots = &drawn->canvas.spots[row * drawn->canvas.width];
    bool utf8 = drawn->screen->utf8, named = row % drawn->tall == 0;
    size_t i = row / drawn->tall, end = drawn->canvas.width;
    if (named && i < first->rows)
        label_write_fit(drawn->out, &first->row_labels, i, drawn->left, true, utf8);
    else text_repeat(drawn->out, ' ', drawn->left);
    text_char(drawn->out, ' ');
    for (size_t j = 0; j < end; j++) {
        if (!spot_is_empty(&spots[j]))
            brush_set(&drawn->brush,
                      ink_of(drawn, spots[j].line / STRENGTHS, spots[j].line % STRENGTHS),
                      color_of_terminal);
        dots_write(drawn->out, &spots[j]);
    }
    brush_reset(&drawn->brush);
    text_char(drawn->out, ' ');
    if (named && i < first->columns)
        label_write_fit(drawn->out, &first->column_labels, i, drawn->right, false, utf8);
    label_end_line(drawn->out);
}

/* Writes a sample and what it means, in a new line where it does not fit into this one. */
static void write_meaning(Drawn *drawn, size_t *at, const char *sample, TerminalColor ink,
                          const Text *words) {
    size_t columns = drawn->screen->columns, before = utf8_width(sample, strlen(sample)) + 1,
           width = smaller(utf8_width(words->data, words->length), columns - before);
    terminal_room_for(drawn->out, at, GAP, before + width, columns);
    brush_set(&drawn->brush, ink, color_of_terminal);
    text_string(drawn->out, sample);
    brush_reset(&drawn->brush);
    text_char(drawn->out, ' ');
    label_fit(drawn->out, words, width, false, drawn->screen->utf8);
}

static void write_key(Drawn *drawn) {
    static const char *const samples[2][STRENGTHS] = {{"⠂ ⠂", "⠂⠂⠂", "⠒⠒⠒"}, {"⠂⠂⠂", "⠒⠒⠒", "⠒⠒⠒"}};
    const Picture *picture = drawn->picture;
    double edges[] = {picture->threshold, drawn->links.full / 3, drawn->links.full * 2 / 3};
    LocalText words = TEXT_FOR(drawn->out);
    size_t at = 0;
    for (size_t s = 0; s < STRENGTHS; s++) {
        if (s + 1 < STRENGTHS && edges[s + 1] <= picture->threshold) continue;
        LocalText from = TEXT_FOR(drawn->out);
        text_clear(&words);
        text_string(&from, "from ");
        number_write(&from, fmax(edges[s], picture->threshold), 2);
        tr_write(&words, from.data);
        write_meaning(drawn, &at, samples[many_colors(drawn)][s], ink_of(drawn, 0, s), &words);
    }
    for (size_t h = 0; picture->panel_count > 1 && h < picture->panel_count; h++) {
        text_clear(&words);
        label_for_terminal(&words, picture->panels[h].title, drawn->screen->utf8);
        write_meaning(drawn, &at, is_dashed(drawn, h) ? "╍╍" : "━━", ink_of(drawn, h, FULL),
                      &words);
    }
    text_char(drawn->out, '\n');
}

static void draw_strokes(Drawn *drawn) {
    static const size_t periods[2][STRENGTHS] = {{4, 2, 0}, {2, 0, 0}};
    const Picture *first = drawn->first;
    size_t columns = drawn->screen->columns, rows = larger(first->rows, first->columns),
           most = smaller(LABEL_MOST, (columns - CANVAS_LEAST - 2) / 2);
    drawn->left = side_width(first->row_title, &first->row_labels, first->rows, most, true);
    drawn->right =
        side_width(first->column_title, &first->column_labels, first->columns, most, true);
    drawn->tall = 2 * rows + LINES_AROUND <= drawn->screen->lines ? 2 : 1;
    /* Steeper lines are easier to follow than ones that reach across a wide screen. */
    size_t width = smaller(columns - drawn->left - drawn->right - 2,
                           larger(CANVAS_USUAL, 3 * rows * drawn->tall));
    if (!dots_init(&drawn->canvas, width, rows * drawn->tall, true)) {
        text_fail(drawn->out);
        return;
    }
    long step = (long)drawn->tall * ROW_DOTS;
    for (size_t i = 0; i < drawn->links.count; i++) {
        const Link *link = &drawn->links.items[i];
        double part = link_strength(&drawn->links, link);
        size_t strength = part < 1. / 3 ? SPARSE : part < 2. / 3 ? DOTTED : FULL;
        size_t period = periods[many_colors(drawn)][strength], run = link->query + link->key;
        Stroke stroke = {.line = link->head * STRENGTHS + strength, .on = 1, .period = period};
        if (is_dashed(drawn, link->head) && period == 0) {
            stroke.on = DASH;
            stroke.period = 2 * DASH;
        }
        Dot from = {0, (long)link->query * step + 1},
            to = {drawn->canvas.across - 1, (long)link->key * step + 1};
        dots_stroke(&drawn->canvas, from, to, &stroke, &run);
    }

    /* "queries" and "keys" above their names. */
    const char *const titles[] = {first->row_title, first->column_title};
    const Labels sides = {titles, 2};
    if (has_words(titles[0]) || has_words(titles[1])) {
        label_write_fit(drawn->out, &sides, 0, drawn->left, true, true);
        text_repeat(drawn->out, ' ', drawn->canvas.width + 2);
        label_write_fit(drawn->out, &sides, 1, drawn->right, false, true);
        label_end_line(drawn->out);
    }
    for (size_t row = 0; row < drawn->canvas.height && !drawn->out->failed; row++)
        write_row(drawn, row);
    write_key(drawn);
    dots_release(&drawn->canvas);
}

/* ---- a list ---- */

/* "it → animal 0.62, cross 0.1": the links [first, end), all of one query. */
static void write_query(Drawn *drawn, size_t indent, size_t query, const Link *link,
                        const Link *end) {
    bool utf8 = drawn->screen->utf8;
    size_t columns = drawn->screen->columns, begin = indent + drawn->left + (utf8 ? 3 : 4),
           at = begin;
    text_repeat(drawn->out, ' ', indent);
    label_write_fit(drawn->out, &drawn->first->row_labels, query, drawn->left, false, utf8);
    text_string(drawn->out, utf8 ? " → " : " -> ");
    if (link == end) text_string(drawn->out, "none");
    LocalText entry = TEXT_FOR(drawn->out);
    for (const Link *next = link; next < end; next++) {
        text_clear(&entry);
        label_write_for_terminal(&entry, &drawn->first->column_labels, next->key, utf8);
        text_char(&entry, ' ');
        number_form_write(&entry, drawn->form, next->weight);
        if (next + 1 < end) text_char(&entry, ',');
        size_t width = smaller(utf8_width(entry.data, entry.length), columns - begin);
        if (at > begin && at + 1 + width > columns) {
            text_char(drawn->out, '\n');
            text_repeat(drawn->out, ' ', begin);
            at = begin;
        } else if (at > begin) {
            text_char(drawn->out, ' ');
            at++;
        }
        label_fit(drawn->out, &entry, width, false, utf8);
        at += width;
    }
    text_char(drawn->out, '\n');
}

static void write_list(Drawn *drawn) {
    const Picture *picture = drawn->picture, *first = drawn->first;
    const Screen *screen = drawn->screen;
    const Link *link = drawn->links.items, *end = link + drawn->links.count;
    bool several = picture->panel_count > 1;
    links_sort_for_reading(&drawn->links);
    drawn->left = side_width(NULL, &first->row_labels, first->rows,
                             smaller(LABEL_MOST, screen->columns / 4), screen->utf8);
    for (size_t h = 0; h < picture->panel_count && !drawn->out->failed; h++) {
        if (several)
            terminal_title(drawn->out, picture->panels[h].title, screen->columns, screen->utf8);
        if (several && (link == end || link->head != h)) text_string(drawn->out, "  none\n");
        /* With several heads, queries without links are left out. */
        for (size_t query = 0; query < first->rows && !drawn->out->failed; query++) {
            const Link *begin = link;
            while (link < end && link->head == h && link->query == query) link++;
            if (link > begin || !several)
                write_query(drawn, several ? INDENT : 0, query, begin, link);
        }
    }
}

/* ---- one query ---- */

/* The weights of each head as bars, below the head's name if there are several. */
static void write_query_bars(Drawn *drawn) {
    const Picture *picture = drawn->picture;
    size_t count = picture->panel_count, columns = drawn->screen->columns,
           across = smaller(smaller(larger((columns + GAP) / (BARS_LEAST + GAP), 1), ACROSS_MOST),
                            count);
    Screen place = *drawn->screen;
    place.columns = (columns + GAP) / across - GAP;
    for (size_t first = 0; first < count && !drawn->out->failed; first += across) {
        Text blocks[ACROSS_MOST];
        size_t beside = smaller(across, count - first);
        for (size_t i = 0; i < beside; i++) {
            const Picture *head = &picture->panels[first + i];
            PictureLine line = {.y = head->cells + picture->query * head->columns,
                                .count = head->columns};
            LineLook look = line_look(picture, first + i, LINE_COLORS);
            Picture bars = {.kind = PICTURE_BARS,
                            .row_labels = head->column_labels,
                            .lines = &line,
                            .line_count = 1,
                            .looks = &look,
                            .high = drawn->links.full,
                            .exact = true,
                            .y_title = count == 1 ? head->column_title : NULL,
                            .digits = head->digits};
            text_init(&blocks[i]);
            if (count > 1) terminal_title(&blocks[i], head->title, place.columns, place.utf8);
            terminal_bars(&blocks[i], &bars, &place);
        }
        if (first > 0) text_char(drawn->out, '\n');
        side_by_side(drawn->out, blocks, beside, GAP, columns);
        for (size_t i = 0; i < beside; i++) text_release_for(&blocks[i], drawn->out);
    }
}

/* ---- all ---- */

void terminal_links(Text *out, const Picture *picture, const Screen *screen) {
    Drawn drawn = {.out = out,
                   .picture = picture,
                   .first = picture->panels,
                   .screen = screen,
                   .brush = brush_on(out, screen->color)};
    if (picture->panel_count == 0) return;
    if (!links_init(&drawn.links, picture)) {
        text_fail(out);
        return;
    }
    double heaviest = links_heaviest(picture);
    int digits = picture_digits(picture, DIGITS);
    drawn.form = number_form(&heaviest, NULL, 1, digits);
    /* A weight of 1 alone keeps two decimals, too: the others are smaller. */
    if (!drawn.form.exponent && drawn.form.decimals < digits - 1) drawn.form.decimals = digits - 1;
    bool told_apart = picture->panel_count == 1 || screen->color != COLOR_NONE;
    if (picture->one_query) write_query_bars(&drawn);
    else if (screen->lines > 0 && screen->utf8 && told_apart) draw_strokes(&drawn);
    else write_list(&drawn);
    links_release(&drawn.links);
}
