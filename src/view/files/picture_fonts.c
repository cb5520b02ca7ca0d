#include "view/files/picture_fonts.h"

#include "base/child.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "view/label.h"

#include <string.h>
#include <time.h>

enum { LOOK_MS = 50, SECONDS = 5, ASKED_MOST = 500, NAMED_MOST = 6 };

static bool fonts_unknown;

bool picture_fonts_unknown(void) { return fonts_unknown; }

/* ---- the letters of a picture ---- */

/* Inserts a code point where it belongs, unless it is there already. */
static bool add_letter(PictureLetters *letters, uint32_t letter, Error *err) {
    size_t at = letters->count;
    while (at > 0 && letters->items[at - 1] > letter) at--;
    if (at > 0 && letters->items[at - 1] == letter) return true;
    uint32_t *items =
        mem_grow(letters->items, letters->count, &letters->capacity, sizeof *items, err);
    if (!items) return false;
    letters->items = items;
    memmove(items + at + 1, items + at, (letters->count - at) * sizeof *items);
    items[at] = letter;
    letters->count++;
    return true;
}

/* Marks and what is invisible have no width: fonts need no glyph for them. A control's picture, ␛,
 * may as well be a box. */
static bool add_text(PictureLetters *letters, const char *text, Error *err) {
    LocalText clean = TEXT_EMPTY;
    label_clean(&clean, text);
    bool ok = text_ok(&clean, err);
    for (size_t at = 0; ok && at < clean.length;) {
        uint32_t letter;
        size_t bytes = utf8_next(clean.data + at, clean.length - at, &letter);
        bool control = letter >= 0x2400 && letter <= 0x2426;
        if (letter > 0x7E && !control && utf8_width(clean.data + at, bytes) > 0)
            ok = add_letter(letters, letter, err);
        at += bytes;
    }
    return ok;
}

static bool add_labels(PictureLetters *letters, const Labels *labels, Error *err) {
    for (size_t i = 0; labels->items && i < labels->count; i++)
        if (!add_text(letters, labels->items[i], err)) return false;
    return true;
}

bool picture_letters(PictureLetters *letters, const Picture *picture, Error *err) {
    const char *const texts[] = {picture->title,        picture->heading, picture->row_title,
                                 picture->column_title, picture->x_title, picture->y_title};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!add_text(letters, texts[i], err)) return false;
    for (size_t i = 0; i < picture->line_count; i++)
        if (!add_text(letters, picture->lines[i].name, err)) return false;
    for (size_t i = 0; i < picture->panel_count; i++)
        if (!picture_letters(letters, &picture->panels[i], err)) return false;
    return add_labels(letters, &picture->row_labels, err) &&
           add_labels(letters, &picture->column_labels, err);
}

void picture_letters_release(PictureLetters *letters) { mem_free(letters->items); }

/* ---- asking fontconfig ---- */

typedef enum FontAnswer {
    FONTS_FOUND,
    FONTS_NONE,
    FONTS_UNKNOWN,
    FONTS_FAILED /* an error */
} FontAnswer;

/* Asks fc-list whether one font has all these letters. A font for whole texts has ASCII, too. */
static FontAnswer one_font_for(const uint32_t *letters, size_t count, bool whole, Error *err) {
    LocalText pattern = TEXT_EMPTY;
    text_string(&pattern, ":scalable=true:charset=");
    if (whole) text_string(&pattern, "30 61 ");
    for (size_t i = 0; i < count; i++) text_format(&pattern, "%x ", (unsigned)letters[i]);
    if (!text_ok(&pattern, err)) return FONTS_FAILED;

    const char *const arguments[] = {"fc-list", pattern.data, "family", NULL};
    Child child = {.pid = 0};
    ChildInput input = {"", 0, 0};
    LocalText output = TEXT_EMPTY, errors = TEXT_EMPTY;
    if (child_start(&child, arguments, NULL, false) != 0) return FONTS_UNKNOWN;
    child_close_input(&child);

    bool stopped = false;
    time_t end = time(NULL) + SECONDS;
    while (!stopped && time(NULL) < end &&
           child_exchange(&child, &input, LOOK_MS, &output, &errors))
        stopped = interrupted(err);
    bool ended = child_wait(&child, LOOK_MS);
    if (!ended) child_kill(&child);
    if (stopped || !text_ok(&output, err)) return FONTS_FAILED;
    if (!ended || child.status != 0) return FONTS_UNKNOWN;
    return output.length > 0 ? FONTS_FOUND : FONTS_NONE;
}

/* Letters that no font has: as many of them as an error names. */
typedef struct Missing {
    uint32_t items[NAMED_MOST + 1];
    size_t count;
} Missing;

/* Asks for all letters at once, then for each half of those that no single font has. */
static FontAnswer find_missing(const uint32_t *letters, size_t count, Missing *missing,
                               Error *err) {
    if (count == 0 || missing->count > NAMED_MOST) return FONTS_FOUND;
    FontAnswer answer = count > ASKED_MOST ? FONTS_NONE : one_font_for(letters, count, false, err);
    if (answer != FONTS_NONE) return answer;
    if (count == 1) {
        missing->items[missing->count++] = *letters;
        return FONTS_FOUND;
    }
    size_t half = count / 2;
    answer = find_missing(letters, half, missing, err);
    return answer == FONTS_FOUND ? find_missing(letters + half, count - half, missing, err)
                                 : answer;
}

/* ---- what to install ---- */

typedef enum LetterScript {
    SCRIPT_CJK,
    SCRIPT_EMOJI,
    SCRIPT_USUAL,
    SCRIPT_OTHER,
    SCRIPTS
} LetterScript;

/* The first row that holds a letter counts. */
static const struct ScriptRange {
    uint32_t first, last;
    LetterScript script;
} ranges[] = {
    {0x1100, 0x11FF, SCRIPT_CJK},   {0x2E80, 0xA4CF, SCRIPT_CJK},     {0xAC00, 0xD7FF, SCRIPT_CJK},
    {0xF900, 0xFAFF, SCRIPT_CJK},   {0xFE30, 0xFE4F, SCRIPT_CJK},     {0xFF00, 0xFFEF, SCRIPT_CJK},
    {0x20000, 0x3FFFF, SCRIPT_CJK}, {0x1F000, 0x1FAFF, SCRIPT_EMOJI}, {0, 0x8FF, SCRIPT_USUAL},
    {0x1E00, 0x2BFF, SCRIPT_USUAL}, {0, UINT32_MAX, SCRIPT_OTHER}};

/* Programs that install fonts, with a package for each script: a small one, where there is one. */
static const struct Manager {
    const char *program, *install, *packages[SCRIPTS];
} managers[] = {
    {"apt-get",
     "apt install",
     {"fonts-wqy-microhei", "fonts-noto-color-emoji", "fonts-dejavu-core", "fonts-noto-core"}},
    {"dnf",
     "dnf install",
     {"wqy-microhei-fonts", "google-noto-color-emoji-fonts", "dejavu-sans-fonts",
      "google-noto-sans-fonts"}},
    {"pacman", "pacman -S", {"wqy-microhei", "noto-fonts-emoji", "ttf-dejavu", "noto-fonts"}},
    {"brew",
     "brew install",
     {"font-noto-sans-cjk", "font-noto-color-emoji", "font-dejavu", "font-noto-sans"}}};
enum { MANAGERS = sizeof managers / sizeof *managers };

/* Appends "apt install fonts-wqy-microhei": with the package manager that is here. */
static void write_installation(Text *out, const uint32_t *letters, size_t count) {
    const struct Manager *manager = managers;
    bool needed[SCRIPTS] = {false};
    while (manager < managers + MANAGERS && !child_program_exists(manager->program)) manager++;
    if (manager == managers + MANAGERS) {
        text_string(out, "for example one of the Noto fonts");
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const struct ScriptRange *range = ranges;
        while (letters[i] < range->first || letters[i] > range->last) range++;
        needed[range->script] = true;
    }
    text_string(out, manager->install);
    for (LetterScript script = 0; script < SCRIPTS; script++)
        if (needed[script]) text_format(out, " %s", manager->packages[script]);
}

/* ---- the whole ---- */

bool picture_fonts_suffice(const Picture *picture, bool one_font, Error *err) {
    LocalLetters letters = {.items = NULL};
    LocalText names = TEXT_EMPTY, install = TEXT_EMPTY;
    Missing missing = {.count = 0};
    fonts_unknown = false;
    if (!picture_letters(&letters, picture, err)) return false;
    FontAnswer answer = find_missing(letters.items, letters.count, &missing, err);
    fonts_unknown = answer == FONTS_UNKNOWN;
    if (answer != FONTS_FOUND) return answer == FONTS_UNKNOWN;
    if (missing.count > 0) {
        for (size_t i = 0; i < missing.count && i < NAMED_MOST; i++) {
            text_string(&names, i ? " " : "");
            utf8_write(&names, missing.items[i]);
        }
        if (missing.count > NAMED_MOST) text_string(&names, " and more");
        write_installation(&install, missing.items, missing.count);
        error_set(err, ERR_PLOT, "no font here has %s: the picture would show boxes", names.data);
        return error_hint(
            err, "install a font that has them: %s; a .svg takes the fonts of who opens it",
            install.data);
    }
    if (!one_font || letters.count == 0 || letters.count > ASKED_MOST) return true;
    answer = one_font_for(letters.items, letters.count, true, err);
    if (answer != FONTS_NONE) return answer != FONTS_FAILED;
    write_installation(&install, letters.items, letters.count);
    error_set(err, ERR_PLOT,
              "no font here has all letters of the picture, and this format takes them from one");
    return error_hint(err, "install one: %s; a .png takes each letter from a font that has it",
                      install.data);
}
