/* What cells write where nobody watches: text, notes, errors and pictures, each an output. */
#include "notebook/recorder.h"

#include "session/session.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

Suite *recorder_suite(void);

static Recorder recorder;
static Session *session;

static void begin_with(HostPictures pictures) {
    recorder_init(&recorder);
    recorder.host.pictures = pictures;
    session = session_new(&recorder.host, NULL, NULL);
    ck_assert_ptr_nonnull(session);
}

static void end(void) {
    session_free(session);
    recorder_release(&recorder);
}

static void run(const char *code) {
    Error err = {.kind = ERR_NONE};
    if (session_run_text(session, "doc.md", code, strlen(code), &err)) return;
    ck_assert(recorder_add_error(&recorder, &err, NULL));
}

static void assert_output(size_t i, OutputKind kind, const char *expected) {
    ck_assert_uint_lt(i, recorder.count);
    const Output *output = &recorder.outputs[i];
    char *bytes = strndup(recorder.text.data + output->begin, output->length);
    ck_assert_int_eq(output->kind, kind);
    ck_assert_str_eq(bytes, expected);
    free(bytes);
}

START_TEST(pieces) {
    begin_with(PICTURES_AS_TEXT);
    run("print(1)\nprint(2)\n");
    ck_assert_uint_eq(recorder_seal(&recorder), 1);
    run("3");
    run("x = y + 2");
    assert_output(0, OUTPUT_TEXT, "1\n2\n");
    assert_output(1, OUTPUT_TEXT, "3\n");
    assert_output(2, OUTPUT_ERROR, "    x = y + 2\n        ^\nname error: y is not defined\n");
    ck_assert_uint_eq(recorder.count, 3);
    end();
}
END_TEST

START_TEST(pictures) {
    begin_with(PICTURES_AS_TEXT);
    run("print(1)\nplot [[0.9, 0.1], [0.2, 0.8]] title \"two\"\n2");
    ck_assert_uint_eq(recorder.count, 3);
    const Output *picture = &recorder.outputs[1];
    ck_assert_int_eq(picture->kind, OUTPUT_PICTURE);
    ck_assert_str_eq(picture->format, "text");
    ck_assert_ptr_null(memchr(recorder.text.data, '\033', recorder.text.length));
    char *words = strndup(recorder.text.data + picture->words, picture->words_length);
    ck_assert_str_eq(words, "Heatmap: two. 2 rows. 2 columns. The largest number is 0.9, in row 0, "
                            "column 0. The smallest number is 0.1, in row 0, column 1.");
    free(words);
    end();

    begin_with(PICTURES_SHOWN);
    run("plot [[0.9, 0.1], [0.2, 0.8]]");
    ck_assert_int_eq(recorder.outputs[0].kind, OUTPUT_TEXT);
    end();
}
END_TEST

Suite *recorder_suite(void) {
    Suite *suite = suite_create("recorder");
    TCase *tests = tcase_create("recorder");
    tcase_add_test(tests, pieces);
    tcase_add_test(tests, pictures);
    suite_add_tcase(suite, tests);
    return suite;
}
