/* The interface in another language. */
#include "base/error.h"
#include "base/memory.h"
#include "base/translate.h"
#include "base/utf8.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

Suite *translate_suite(void);

static Language chinese(void) { return language_from_name("zh_CN.UTF-8"); }

START_TEST(a_name_begins_with_the_code_of_its_language) {
    ck_assert_str_eq(language_codes[chinese()], "zh");
    ck_assert_str_eq(language_codes[language_from_name("fr")], "en");
    ck_assert_str_eq(language_codes[language_from_name("")], "en");
}
END_TEST

START_TEST(english_is_said_as_it_is) {
    Text text = TEXT_EMPTY;
    translate_to(LANGUAGE_ENGLISH);
    text_say(&text, "%s is not defined\n", "w");
    ck_assert_str_eq(text.data, "w is not defined\n");
    ck_assert_str_eq(tr("a number"), "a number");
    text_release(&text);
}
END_TEST

START_TEST(a_sentence_is_found_by_its_format) {
    Text text = TEXT_EMPTY;
    translate_to(chinese());
    text_say(&text, "%s is not defined", "w");
    ck_assert_str_eq(text.data, "“w”没有定义");
    text_clear(&text);
    text_say(&text, "%s, which nobody says", "w");
    ck_assert_str_eq(text.data, "w, which nobody says");
    text_clear(&text);
    text_say(&text, "%s is not defined\nand this is not known\n%s is not defined", "w", "v");
    ck_assert_str_eq(text.data, "“w”没有定义\nand this is not known\n“v”没有定义");
    text_release(&text);
    translate_to(LANGUAGE_ENGLISH);
}
END_TEST

START_TEST(an_error_stays_english_and_is_said_in_the_language) {
    Error error = {.kind = ERR_NONE};
    Text text = TEXT_EMPTY;
    translate_to(chinese());
    error_set(&error, ERR_NAME, "%s is not defined", "w");
    ck_assert_str_eq(error.message, "w is not defined");
    text_say_error(&text, &error);
    ck_assert_str_eq(text.data, "名称错误（name）：“w”没有定义");
    text_release(&text);
    translate_to(LANGUAGE_ENGLISH);
}
END_TEST

START_TEST(chinese_and_latin_letters_are_kept_apart) {
    Text text = TEXT_EMPTY;
    translate_to(chinese());
    text_say(&text, "%s is missing", "一个数");
    ck_assert_str_eq(text.data, "缺少一个数");
    text_clear(&text);
    text_say(&text, "%s is missing", "V");
    ck_assert_str_eq(text.data, "缺少 V");
    text_clear(&text);
    text_say(&text, "a statement does not begin with `%s` here", "帮助");
    ck_assert_str_eq(text.data, "语句不能以 `帮助` 开头");
    text_release(&text);
    translate_to(LANGUAGE_ENGLISH);
}
END_TEST

/* Of "head %zu" five bytes are its own, which is enough beside a number. */
START_TEST(few_words_beside_a_number_are_found) {
    Text text = TEXT_EMPTY;
    translate_to(chinese());
    text_say(&text, "head %zu", (size_t)3);
    ck_assert_str_eq(text.data, "头 3");
    text_clear(&text);
    text_say(&text, "head %s", "of all");
    ck_assert_str_eq(text.data, "head of all");
    text_release(&text);
    translate_to(LANGUAGE_ENGLISH);
}
END_TEST

START_TEST(a_list_has_the_signs_of_the_language) {
    Text text = TEXT_EMPTY;
    translate_to(chinese());
    text_say(&text, "It has %s.", "a, b, c");
    ck_assert_str_eq(text.data, "它有 a、b、c。");
    text_clear(&text);
    text_say(&text, "The number of heads can be %s.", "1, 2 or 4");
    ck_assert_str_eq(text.data, "头数可以是 1、2 或 4。");
    text_release(&text);
    translate_to(LANGUAGE_ENGLISH);
}
END_TEST

/* What memory was lacking for is known to be lost: nothing of a sentence is left out in silence. */
START_TEST(no_part_is_lost_in_silence) {
    const char *made = "`x` needs a number, not a string\nw is not defined\n";
    Text whole = TEXT_EMPTY;
    translate_to(chinese());
    tr_write(&whole, made);
    ck_assert_str_eq(whole.data, "`x` 需要一个数，不是一个字符串\n“w”没有定义\n");
    bool failed = true;
    for (long n = 1; failed; n++) {
        Text said = TEXT_EMPTY;
        mem_fail_at(n, false);
        tr_write(&said, made);
        mem_fail_at(0, false);
        failed = said.failed;
        if (!failed) ck_assert_str_eq(said.data, whole.data);
        text_release(&said);
    }
    text_release(&whole);
    translate_to(LANGUAGE_ENGLISH);
}
END_TEST

START_TEST(a_word_of_a_kind_has_a_meaning_of_its_own) {
    translate_to(chinese());
    ck_assert_str_eq(tr("keys"), "键");
    ck_assert_str_eq(tr_among("explore", "keys"), "按键");
    ck_assert_str_eq(tr_among("explore", "keep"), "保留");
    translate_to(LANGUAGE_ENGLISH);
    ck_assert_str_eq(tr_among("explore", "keys"), "keys");
}
END_TEST

/* Looking for a sentence or a format halves the tables. */
START_TEST(tables_are_in_order) {
    for (const LanguageDef *row = language_table; row->code; row++) {
        for (size_t i = 1; i < row->key_count; i++)
            ck_assert_uint_lt(row->keys[i - 1].hash, row->keys[i].hash);
        for (size_t i = 1; row->formats && row->formats[i - 1].anchor < UINT16_MAX; i++)
            ck_assert_uint_le(row->formats[i - 1].anchor, row->formats[i].anchor);
    }
}
END_TEST

/* Appends a format filled with words and numbers that tell which of its conversions each is. */
static void fill(Text *out, const char *format) {
    int next = 1;
    for (const char *at = format; *at;) {
        if (*at != '%' || at[1] == '%') {
            text_char(out, *at);
            at += *at == '%' ? 2 : 1;
            continue;
        }
        int place = at[1] >= '1' && at[1] <= '9' && at[2] == '$' ? at[1] - '0' : next++;
        at += 1 + strspn(at + 1, "-+ #0123456789.*hlzjt$");
        bool nothing = strncmp(at - 2, ".0s", 3) == 0;
        if (!nothing) text_format(out, *at == 's' ? "w%d" : "%d", place);
        at++;
    }
}

/* Appends a filled translation, whose inner parts are translated. */
static void say_parts(Text *out, const char *filled) {
    for (const char *begin, *end; (begin = strstr(filled, "⟦")); filled = end + strlen("⟧")) {
        Text inner = TEXT_EMPTY;
        text_bytes(out, filled, (size_t)(begin - filled));
        begin += strlen("⟦");
        ck_assert_ptr_nonnull(end = strstr(begin, "⟧"));
        text_bytes(&inner, begin, (size_t)(end - begin));
        tr_write(out, inner.data);
        text_release(&inner);
    }
    text_string(out, filled);
}

/* Without its blanks: a part that meets Latin letters is kept apart from them by one. */
static void close_up(Text *text) {
    size_t length = 0;
    for (size_t i = 0; i < text->length; i++)
        if (text->data[i] != ' ') text->data[length++] = text->data[i];
    text_cut(text, length);
}

/* Appends what stands between the quotes of a line of a .po file. */
static void read_quoted(Text *out, const char *line) {
    const char *at = strchr(line, '"'), *end = strrchr(line, '"');
    ck_assert(at && at < end);
    while (++at < end) {
        char c = *at;
        if (c == '\\') c = *++at == 'n' ? '\n' : *at == 't' ? '\t' : *at;
        text_char(out, c);
    }
}

static void check_entry(const char *english, const char *translation) {
    Text made = TEXT_EMPTY, filled = TEXT_EMPTY, wanted = TEXT_EMPTY, said = TEXT_EMPTY;
    ck_assert_str_eq(tr(english), translation);
    fill(&made, english);
    fill(&filled, translation);
    say_parts(&wanted, filled.data);
    bool format = strchr(english, '%') != NULL;
    tr_write(&said, format ? made.data : english);
    if (!format) ck_assert_str_eq(said.data, translation);
    else if (strcmp(said.data, made.data) != 0) { /* one of few words is never looked for */
        close_up(&said);
        close_up(&wanted);
        ck_assert_str_eq(said.data, wanted.data);
    }
    text_release(&made);
    text_release(&filled);
    text_release(&wanted);
    text_release(&said);
}

/* What the format of each entry makes is said as its translation, with each part at its place. */
START_TEST(each_entry_is_found) {
    for (Language language = 1; language_codes[language]; language++) {
        char path[64], line[4096];
        size_t entries = 0;
        Text english = TEXT_EMPTY, translation = TEXT_EMPTY, *into = &english;
        snprintf(path, sizeof path, "src/language/%s.po", language_codes[language]);
        FILE *file = fopen(path, "r");
        ck_assert_ptr_nonnull(file);
        translate_to(language);
        for (bool more = true; more;) {
            more = fgets(line, sizeof line, file) != NULL;
            if (!more || *line == '\n') {
                if (english.length > 0 && translation.length > 0) {
                    check_entry(english.data, translation.data);
                    entries++;
                }
                text_clear(&english);
                text_clear(&translation);
            } else if (*line != '#') {
                if (strncmp(line, "msg", 3) == 0) into = line[3] == 'i' ? &english : &translation;
                read_quoted(into, line);
            }
        }
        fclose(file);
        ck_assert_uint_eq(entries, language_table[language].key_count);
        text_release(&english);
        text_release(&translation);
    }
    translate_to(LANGUAGE_ENGLISH);
}
END_TEST

Suite *translate_suite(void) {
    Suite *suite = suite_create("translate");
    TCase *all = tcase_create("all");
    tcase_add_test(all, a_name_begins_with_the_code_of_its_language);
    tcase_add_test(all, english_is_said_as_it_is);
    tcase_add_test(all, a_sentence_is_found_by_its_format);
    tcase_add_test(all, an_error_stays_english_and_is_said_in_the_language);
    tcase_add_test(all, chinese_and_latin_letters_are_kept_apart);
    tcase_add_test(all, few_words_beside_a_number_are_found);
    tcase_add_test(all, a_list_has_the_signs_of_the_language);
    tcase_add_test(all, no_part_is_lost_in_silence);
    tcase_add_test(all, a_word_of_a_kind_has_a_meaning_of_its_own);
    tcase_add_test(all, tables_are_in_order);
    tcase_add_test(all, each_entry_is_found);
    suite_add_tcase(suite, all);
    return suite;
}
