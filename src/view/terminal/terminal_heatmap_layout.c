/* Plans how a heatmap is brought onto a screen: the size of its cells, and how its rows and columns
 * are named. */
#include "base/size.h"
#include "base/utf8.h"
#include "view/label.h"
#include "view/panels.h"
#include "view/terminal/terminal_heatmap.h"

enum { LABEL_LEAST = 6, LABEL_MOST = 24, RULER_MOST = 100, FEW_COLUMNS = 8 };
enum { WIDTH_MOST = 14 }; /* columns of a cell that is widened for a name above it */
enum { NAME_LEAST = 9 };  /* wide enough for most names: longer ones are cut */
enum { STAGGER_LEAST = 4, HEADING_LEAST = 1, NARROW = 72 };
enum { NUMBER_COLUMNS = 24, NUMBER_ROWS = 40 }; /* nobody reads more numbers than these */

size_t digits_of(size_t number) {
    size_t digits = 1;
    for (; number > 9; number /= 10) digits++;
    return digits;
}

/* The number of cells when so many values are taken together in each that at most `room` are left.
 */
static size_t taken_together(size_t count, size_t room) {
    return divided_up(count, divided_up(count, room));
}

/* The colour bar with its words; on a narrow screen they go on in a second line. */
static size_t bar_lines(const Screen *screen) {
    return screen->panel ? 0 : screen->columns < NARROW ? 2 : 1;
}

/* The lines around the cells: the heading, the bar, and what a cell of several values is. */
static size_t lines_around(const CellLayout *layout) {
    return HEADING_LEAST + bar_lines(layout->screen) * (cell_layout_averages(layout) ? 2 : 1);
}

static size_t lines_left(const CellLayout *layout) {
    return left_of(layout->screen->lines, cell_layout_body(layout) + lines_around(layout));
}

static size_t columns_for_cells(const CellLayout *layout) {
    return layout->screen->columns - layout->label_width - 1;
}

/* ---- cells ---- */

/* The columns of the widest label of a row. */
static size_t widest_label(const CellLayout *layout) {
    const Picture *picture = layout->picture;
    size_t digits = digits_of(picture->rows - 1);
    if (!rows_are_named(layout)) return digits;
    return larger(
        digits, labels_width(&picture->row_labels, show_all(picture->rows), layout->screen->utf8) +
                    (layout->numbered ? digits + 1 : 0));
}

/* The labels of rows give way where the columns would else have to be taken together. */
static void plan_labels(CellLayout *layout) {
    size_t columns = layout->screen->columns, cells = layout->picture->columns,
           width = smaller(widest_label(layout), smaller(LABEL_MOST, columns / 4));
    bool tight = width + 1 + cells > columns && LABEL_LEAST + 1 + cells <= columns;
    layout->label_width = tight ? columns - 1 - cells : width;
}

typedef struct Names {
    size_t width;       /* of the widest */
    bool one_character; /* each: they can be side by side without a gap */
} Names;

static Names column_names(const CellLayout *layout) {
    const Picture *picture = layout->picture;
    if (!columns_are_named(layout))
        return (Names){digits_of(picture->columns - 1), picture->columns <= 10};
    Names names = {0, true};
    LocalText text = TEXT_EMPTY;
    for (size_t i = 0; i < picture->columns; i++) {
        text_clear(&text);
        label_write_for_terminal(&text, &picture->column_labels, i, layout->screen->utf8);
        names.width = larger(names.width, utf8_width(text.data, text.length));
        if (utf8_length(text.data, text.length) > 1) names.one_character = false;
    }
    return names;
}

/* Makes cells wide enough for the names above them where there is room, or for every second name.
 */
static void plan_columns(CellLayout *layout, size_t least) {
    size_t room = columns_for_cells(layout);
    layout->columns = taken_together(layout->picture->columns, room);
    Names names = column_names(layout);
    bool named = columns_are_named(layout);
    size_t most = room / layout->columns, wanted = smaller(names.width + 1, WIDTH_MOST),
           halved = larger(divided_up(wanted, 2), STAGGER_LEAST);
    least = smaller(least, most);
    if (wanted <= most) layout->cell_width = larger(least, wanted);
    else if (named && most >= NAME_LEAST) layout->cell_width = most;
    else if (named && !names.one_character && most >= STAGGER_LEAST)
        layout->cell_width = larger(least, smaller(most, halved));
    else layout->cell_width = least;
}

/* Plans numbers in the cells: three digits with room on both sides, or fewer, or closer together;
 * of two digits one behind the point only where nothing else fits. */
static bool plan_numbers(CellLayout *layout) {
    static const struct {
        int digits;
        size_t room;
    } forms[] = {{3, 2}, {2, 2}, {3, 1}, {2, 1}};
    enum { FORMS = sizeof forms / sizeof *forms };
    const Picture *picture = layout->picture;
    size_t count = picture->rows * picture->columns;
    if (picture->columns > NUMBER_COLUMNS || picture->rows > NUMBER_ROWS || layout->half ||
        cell_layout_averages(layout))
        return false;
    for (size_t i = 0; i < FORMS; i++) {
        int digits = picture_digits(picture, forms[i].digits);
        layout->form = number_form(picture->cells, picture->hidden, count, digits);
        layout->number_width =
            number_form_widest(layout->form, picture->cells, picture->hidden, count);
        size_t least = layout->number_width + forms[i].room;
        bool coarse = digits < 3 && layout->form.decimals == 1;
        if (coarse && i + 1 < FORMS) continue;
        if (least * picture->columns > columns_for_cells(layout)) continue;
        plan_columns(layout, least);
        return true;
    }
    return false;
}

/* ---- the whole ---- */

static Heading heading_of(const CellLayout *layout) {
    const Picture *picture = layout->picture;
    Names names = column_names(layout);
    size_t width = layout->cell_width, left = lines_left(layout);
    bool side_by_side = names.one_character && names.width <= width;
    if (layout->columns == picture->columns &&
        (names.width < width || side_by_side || width >= NAME_LEAST))
        return HEADING_NAMES;
    if (!columns_are_named(layout)) return HEADING_TICKS;
    if (width >= STAGGER_LEAST && left > 0) return HEADING_STAGGERED;
    return picture->columns <= 10 || (picture->columns <= RULER_MOST && left > 0) ? HEADING_RULER
                                                                                  : HEADING_TICKS;
}

static void plan_all(CellLayout *layout) {
    const Picture *picture = layout->picture;
    const Screen *screen = layout->screen;
    size_t least = picture->columns <= FEW_COLUMNS ? 4 : 2;
    layout->rows = picture->rows;
    plan_labels(layout);
    plan_columns(layout, least);

    /* Gives each row a line, else each two rows, else takes as many together as need be. A picture
     * that shows every value may fill the screen down to the prompt. */
    size_t around = lines_around(layout), lines = screen->lines + !screen->panel;
    layout->half = screen->utf8 && layout->rows + around > lines;
    if (cell_layout_body(layout) + around > lines) {
        size_t room = larger(left_of(screen->lines, HEADING_LEAST + 2 * bar_lines(screen)), 1);
        layout->rows = taken_together(layout->rows, layout->half ? 2 * room : room);
    }
    if (layout->rows != picture->rows) {
        /* Rows that are taken together have numbers, which need less room than names. */
        plan_labels(layout);
        plan_columns(layout, least);
    }
    layout->numbers = plan_numbers(layout);
    layout->heading = heading_of(layout);
    if (!columns_are_named(layout) || layout->heading < HEADING_RULER) return;
    /* Numbers above the columns say nothing without the names, which are beside the rows' numbers
     * where both are the same, else below. */
    layout->numbered = rows_are_named(layout) && panels_axes_are_alike(picture);
    layout->names_below = !layout->numbered;
}

CellLayout cell_layout(const Picture *picture, const Screen *screen) {
    CellLayout layout = {.picture = picture, .screen = screen};
    if (screen->bare) {
        layout.half = screen->utf8;
        layout.cell_width = 1;
        layout.rows = taken_together(picture->rows, screen->lines * (screen->utf8 ? 2 : 1));
        layout.columns = taken_together(picture->columns, screen->columns);
        return layout;
    }
    plan_all(&layout);
    /* Numbers beside the names take room from the cells: plan once more, with them. */
    if (layout.numbered) plan_all(&layout);
    /* Gives labels that are cut what the cells leave free. */
    size_t spare = left_of(columns_for_cells(&layout), layout.columns * layout.cell_width),
           wanted = smaller(widest_label(&layout), LABEL_MOST);
    layout.label_width += smaller(spare, left_of(wanted, layout.label_width));

    /* Adds what makes it easier to read, while there are lines for it. The names below take about
     * their widths, each with its number, a comma and a space. */
    bool words = has_words(picture->row_title) || has_words(picture->column_title);
    bool two_lines = layout.heading == HEADING_STAGGERED ||
                     (layout.heading == HEADING_RULER && picture->columns > 10);
    size_t names = 0, left = lines_left(&layout);
    for (size_t i = 0; layout.names_below && i < picture->columns; i++)
        names += label_width(&picture->column_labels, i, screen->utf8) + digits_of(i) + 3;
    size_t taken = two_lines + divided_up(names, screen->columns);
    layout.gap_below = !screen->panel && left > taken;
    layout.axes_above = !screen->panel && words && left > taken + 1;
    return layout;
}
