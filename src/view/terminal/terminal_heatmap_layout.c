#include "view/terminal/terminal_heatmap_layout.h"

#include "base/size.h"
#include "base/utf8.h"
#include "view/label.h"
#include "view/panels.h"

enum { LABEL_LEAST = 6, LABEL_MOST = 24, RULER_MOST = 100, FEW_COLUMNS = 8 };
enum { WIDTH_MOST = 14 }; /* columns of a cell that is widened for a name above it */
enum { NAME_LEAST = 9 };  /* wide enough for most names: longer ones are cut */
enum { STAGGER_LEAST = 4, HEADING_LEAST = 1, NARROW = 72 };
enum { NUMBER_COLUMNS = 24, NUMBER_ROWS = 40 }; /* nobody reads more numbers than these */

/* The number of cells when so many values are taken together in each that at most `room` are left.
 */
static size_t taken_together(size_t count, size_t room) {
    return divided_up(count, divided_up(count, room));
}

/* The colour bar with its words; on a narrow screen they go on in a second line. */
static size_t bar_lines(const Screen *screen) {
    return screen->panel ? 0 : screen->columns < NARROW ? 2 : 1;
}

static size_t note_lines(const CellLayout *layout, const Picture *picture, const Screen *screen) {
    return cell_layout_averages(layout, picture) ? bar_lines(screen) : 0;
}

/* ---- names ---- */

static size_t digits_of(size_t number) {
    size_t digits = 1;
    for (; number > 9; number /= 10) digits++;
    return digits;
}

/* Rows and columns that show several of the picture's have no name. */
static bool rows_are_named(const CellLayout *layout, const Picture *picture) {
    return picture->row_labels.items && layout->rows == picture->rows;
}

static bool columns_are_named(const CellLayout *layout, const Picture *picture) {
    return picture->column_labels.items && layout->columns == picture->columns;
}

void cell_layout_row_label(Text *out, const CellLayout *layout, const Picture *picture, size_t row,
                           bool utf8) {
    if (layout->numbered) text_format(out, "%*zu ", (int)digits_of(picture->rows - 1), row);
    label_write_for_terminal(out, &picture->row_labels, row, utf8);
}

/* The labels of rows give way where the columns would else have to be taken together. */
static void plan_labels(CellLayout *layout, const Picture *picture, const Screen *screen) {
    size_t most = digits_of(picture->rows - 1), room = smaller(LABEL_MOST, screen->columns / 4);
    if (rows_are_named(layout, picture))
        most =
            larger(most, labels_width(&picture->row_labels, show_all(picture->rows), screen->utf8) +
                             (layout->numbered ? most + 1 : 0));
    most = smaller(most, room);
    bool tight = most + 1 + picture->columns > screen->columns &&
                 LABEL_LEAST + 1 + picture->columns <= screen->columns;
    layout->label_width = tight ? screen->columns - 1 - picture->columns : most;
}

typedef struct Names {
    size_t width;       /* of the widest */
    bool one_character; /* each: they can be side by side without a gap */
} Names;

static Names column_names(const CellLayout *layout, const Picture *picture, bool utf8) {
    if (!columns_are_named(layout, picture))
        return (Names){digits_of(picture->columns - 1), picture->columns <= 10};
    Names names = {0, true};
    Text text = TEXT_EMPTY;
    for (size_t i = 0; i < picture->columns; i++) {
        text_clear(&text);
        label_write_for_terminal(&text, &picture->column_labels, i, utf8);
        names.width = larger(names.width, utf8_width(text.data, text.length));
        if (utf8_length(text.data, text.length) > 1) names.one_character = false;
    }
    text_release(&text);
    return names;
}

/* ---- cells ---- */

static size_t columns_for_cells(const CellLayout *layout, const Screen *screen) {
    return screen->columns - layout->label_width - 1;
}

/* The width of a cell: wide enough for the name above it where there is room, or for every second
 * name. */
static size_t cell_width(const Names *names, bool named, size_t least, size_t most) {
    size_t wanted = smaller(names->width + 1, WIDTH_MOST),
           halved = larger(divided_up(wanted, 2), STAGGER_LEAST);
    if (wanted <= most) return larger(least, wanted);
    if (named && most >= NAME_LEAST) return most;
    if (named && !names->one_character && most >= STAGGER_LEAST)
        return larger(least, smaller(most, halved));
    return least;
}

static void plan_columns(CellLayout *layout, const Picture *picture, const Screen *screen,
                         size_t least) {
    size_t room = columns_for_cells(layout, screen);
    layout->columns = taken_together(picture->columns, room);
    size_t most = room / layout->columns;
    Names names = column_names(layout, picture, screen->utf8);
    layout->cell_width =
        cell_width(&names, columns_are_named(layout, picture), smaller(least, most), most);
}

/* Gives each row a line, else each two rows, else takes as many together as need be. A picture that
 * shows every value may fill the screen down to the prompt. */
static void plan_rows(CellLayout *layout, const Picture *picture, const Screen *screen) {
    layout->rows = picture->rows;
    size_t around = HEADING_LEAST + bar_lines(screen) + note_lines(layout, picture, screen),
           lines = screen->lines + !screen->panel;
    layout->half = screen->utf8 && picture->rows + around > lines;
    if ((layout->half ? divided_up(picture->rows, 2) : picture->rows) + around > lines) {
        size_t others = HEADING_LEAST + 2 * bar_lines(screen),
               room = screen->lines > others ? screen->lines - others : 1;
        layout->rows = taken_together(picture->rows, layout->half ? 2 * room : room);
    }
}

static void plan_cells(CellLayout *layout, const Picture *picture, const Screen *screen) {
    size_t least = picture->columns <= FEW_COLUMNS ? 4 : 2;
    layout->rows = picture->rows;
    plan_labels(layout, picture, screen);
    plan_columns(layout, picture, screen, least);
    plan_rows(layout, picture, screen);
    if (layout->rows == picture->rows) return;
    /* Rows that are taken together have numbers, which need less room than names. */
    plan_labels(layout, picture, screen);
    plan_columns(layout, picture, screen, least);
}

/* ---- numbers in the cells ---- */

/* Three digits with room on both sides, or fewer, or closer together; of two digits one behind
 * the point only where nothing else fits. */
static bool plan_numbers(CellLayout *layout, const Picture *picture, const Screen *screen) {
    static const struct {
        int digits;
        size_t room;
    } forms[] = {{3, 2}, {2, 2}, {3, 1}, {2, 1}};
    enum { FORMS = sizeof forms / sizeof *forms };
    size_t count = picture->rows * picture->columns;
    if (picture->columns > NUMBER_COLUMNS || picture->rows > NUMBER_ROWS || layout->half ||
        cell_layout_averages(layout, picture))
        return false;
    for (size_t i = 0; i < FORMS; i++) {
        int digits = picture->digits > 0 && picture->digits < forms[i].digits ? picture->digits
                                                                              : forms[i].digits;
        layout->form = number_form(picture->cells, picture->hidden, count, digits);
        layout->number_width =
            number_form_widest(layout->form, picture->cells, picture->hidden, count);
        size_t least = layout->number_width + forms[i].room;
        bool coarse = digits < 3 && layout->form.decimals == 1;
        if (coarse && i + 1 < FORMS) continue;
        if (least * picture->columns > columns_for_cells(layout, screen)) continue;
        plan_columns(layout, picture, screen, least);
        return true;
    }
    return false;
}

/* ---- around the cells ---- */

static size_t lines_left(const CellLayout *layout, const Picture *picture, const Screen *screen) {
    size_t taken = cell_layout_body(layout) + HEADING_LEAST + bar_lines(screen) +
                   note_lines(layout, picture, screen);
    return screen->lines > taken ? screen->lines - taken : 0;
}

static Heading heading_of(const CellLayout *layout, const Picture *picture, const Screen *screen) {
    Names names = column_names(layout, picture, screen->utf8);
    size_t width = layout->cell_width;
    bool named = columns_are_named(layout, picture),
         side_by_side = names.one_character && names.width <= width;
    if (layout->columns == picture->columns &&
        (names.width < width || side_by_side || width >= NAME_LEAST))
        return HEADING_NAMES;
    if (!named) return HEADING_TICKS;
    size_t left = lines_left(layout, picture, screen);
    if (width >= STAGGER_LEAST && left > 0) return HEADING_STAGGERED;
    return picture->columns <= 10 || (picture->columns <= RULER_MOST && left > 0) ? HEADING_RULER
                                                                                  : HEADING_TICKS;
}

static void plan_all(CellLayout *layout, const Picture *picture, const Screen *screen) {
    plan_cells(layout, picture, screen);
    layout->numbers = plan_numbers(layout, picture, screen);
    layout->heading = heading_of(layout, picture, screen);
    if (!columns_are_named(layout, picture) || layout->heading < HEADING_RULER) return;
    /* Numbers above the columns say nothing without the names, which are beside the rows' numbers
     * where both are the same, else below. */
    layout->numbered = rows_are_named(layout, picture) && panels_axes_are_alike(picture);
    layout->names_below = !layout->numbered;
}

CellLayout cell_layout(const Picture *picture, const Screen *screen) {
    CellLayout layout = {.numbered = false};
    if (screen->bare) {
        layout.bare = true;
        layout.half = screen->utf8;
        layout.cell_width = 1;
        layout.rows = taken_together(picture->rows, screen->lines * (screen->utf8 ? 2 : 1));
        layout.columns = taken_together(picture->columns, screen->columns);
        return layout;
    }
    plan_all(&layout, picture, screen);
    /* Numbers beside the names take room from the cells: plan once more, with them. */
    if (layout.numbered) plan_all(&layout, picture, screen);

    /* Adds what makes it easier to read, while there are lines for it. The names below take about
     * their widths, each with its number, a comma and a space. */
    bool words = has_words(picture->row_title) || has_words(picture->column_title);
    bool two_lines = layout.heading == HEADING_STAGGERED ||
                     (layout.heading == HEADING_RULER && picture->columns > 10);
    size_t names = 0, left = lines_left(&layout, picture, screen);
    for (size_t i = 0; layout.names_below && i < picture->columns; i++)
        names += label_width(&picture->column_labels, i, screen->utf8) + digits_of(i) + 3;
    size_t taken = two_lines + divided_up(names, screen->columns);
    layout.gap_below = !screen->panel && left > taken;
    layout.axes_above = !screen->panel && words && left > taken + 1;
    return layout;
}
