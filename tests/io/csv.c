#include "base/memory.h"
#include "io/array_file.h"
#include "io/file.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Suite *csv_suite(void);

static Tensor *parse(const char *text, char separator, Error *err) {
    return csv_parse(text, strlen(text), separator, err);
}

/* The numbers as they are written again. */
static void assert_parsed(const char *text, char separator, int axes, const char *expected) {
    Error err = {0};
    Text again;
    text_init(&again);
    Tensor *tensor = parse(text, separator, &err);
    ck_assert_msg(tensor != NULL, "%s: %s", text, err.message);
    ck_assert_int_eq(tensor->shape.axes, axes);
    ck_assert(csv_write(&again, tensor, ',', NULL));
    ck_assert_str_eq(again.data, expected);
    tensor_unref(tensor);
    text_release(&again);
}

START_TEST(numbers) {
    assert_parsed("1,2\n3,4\n", ',', 2, "1,2\n3,4\n");
    assert_parsed("1\n2\n3", ',', 1, "1\n2\n3\n");
    assert_parsed("1,2,3", ',', 2, "1,2,3\n");
    assert_parsed("\xEF\xBB\xBF"
                  "1,2\r\n3,4\r\n\r\n",
                  ',', 2, "1,2\n3,4\n");
    assert_parsed("-1.5e-3,+.5,1_000,Inf,-infinity\n", ',', 2, "-0.0015,0.5,1000,inf,-inf\n");
    assert_parsed("1,,nan,\n", ',', 2, "1,nan,nan,nan\n");
    assert_parsed("\"1\", \"2.5\" \n", ',', 2, "1,2.5\n");
    assert_parsed("# made by hand\n1,2\n\n# more\n3,4\n", ',', 2, "1,2\n3,4\n");
    assert_parsed("1\t2\n\t4\n", '\t', 2, "1,2\nnan,4\n");
    assert_parsed("\t\"2\"\n# a\tcomment\n1\t3\n", '\t', 2, "nan,2\n1,3\n");
    assert_parsed("  1   2\t3 \n4 5 6\n", 0, 2, "1,2,3\n4,5,6\n");
}
END_TEST

/* As spreadsheets write them where numbers have a decimal comma. */
START_TEST(semicolons) {
    assert_parsed("1;2,5;3\n4;5,5;6\n", ',', 2, "1,2.5,3\n4,5.5,6\n");
    assert_parsed("1;0,5\r\n2;0,7\r\n", ',', 2, "1,0.5\n2,0.7\n");
    assert_parsed("x;y\n-1;0,5\n", ',', 2, "-1,0.5\n");
    assert_parsed("# made by hand\n1.5;2\n;4\n", ',', 2, "1.5,2\nnan,4\n");
    assert_parsed("a;1,5\nb;2\n", ',', 1, "1.5\n2\n");
    assert_parsed("x;y\n\n# m\n1;0,5\n", ',', 2, "1,0.5\n");
    assert_parsed("x; the input,y\n1,2\n3,4\n", ',', 2, "1,2\n3,4\n");
    assert_parsed("\"a;b\",1\nc,2\n", ',', 1, "1\n2\n");
}
END_TEST

START_TEST(headings) {
    assert_parsed("a,b\n1,2\n", ',', 2, "1,2\n");
    assert_parsed("\"a, \"\"b\"\"\",c\n1,2\n", ',', 2, "1,2\n");
    assert_parsed(",weights\n1,2\n", ',', 2, "1,2\n");
    assert_parsed("nan,nan\n1,2\n", ',', 2, "nan,nan\n1,2\n");
    assert_parsed(",a,b\nx,1,2\ny,3,4\n", ',', 2, "1,2\n3,4\n");
    assert_parsed("a,1\n2,3\n", ',', 1, "1\n3\n");
    assert_parsed("01.02.2020,1\n02.02.2020,2\n", ',', 1, "1\n2\n");
    assert_parsed("10%,50%\n1,2\n", ',', 2, "1,2\n");
    assert_parsed("NA,EU\n1,2\n", ',', 2, "1,2\n");
}
END_TEST

static void assert_refused(const char *text, const char *message) {
    Error err = {0};
    ck_assert_ptr_null(parse(text, ',', &err));
    ck_assert_int_eq(err.kind, ERR_FILE);
    ck_assert_str_eq(err.message, message);
}

START_TEST(mistakes_have_a_place) {
    assert_refused("1,2\n3,x\n", "line 2, field 2: \"x\" is not a number");
    assert_refused("1,2\n\n3\n", "line 3 has 1 field, but line 1 has 2: rows have one length");
    assert_refused("1,2\na,1\n", "line 2, field 1: \"a\" is not a number");
    assert_refused("", "there are no numbers in it");
    assert_refused("a,b\n", "there are no numbers in it");
    assert_refused("1,-\n", "line 1, field 2: \"-\" is not a number");
    assert_refused("1,--2\n", "line 1, field 2: \"--2\" is not a number");
}
END_TEST

/* Such a number is neither a heading nor the name of a row, which would be left out. */
START_TEST(other_numbers_are_no_names) {
    assert_refused("\"1,5\",\"2,5\"\n3,4\n", "line 1, field 1: \"1,5\" is not a number");
    assert_refused("\"1,000\",2\n3,4\n", "line 1, field 1: \"1,000\" is not a number");
    assert_refused("−1,2\n3,4\n", "line 1, field 1: \"−1\" is not a number");
    assert_refused("NA,1\n2,3\n", "line 1, field 1: \"NA\" is not a number");
    assert_refused("x;y\n1.000,5;2\n", "line 2, field 1: \"1.000,5\" is not a number");
    assert_refused("1,5;1.000\n2,5;3\n", "line 1, field 2: \"1.000\" is not a number");
}
END_TEST

/* Long fields, long lines, many quotes: in linear time, without deep recursion. */
START_TEST(monsters) {
    size_t length = 1 << 20;
    char *bytes = mem_alloc(length, NULL);
    static const char fills[] = "\"1, \n,#-.e_";
    for (size_t i = 0; i < sizeof fills - 1; i++) {
        memset(bytes, fills[i], length);
        tensor_unref(csv_parse(bytes, length, ',', NULL));
        tensor_unref(csv_parse(bytes, length, 0, NULL));
    }
    mem_free(bytes);
}
END_TEST

START_TEST(writing) {
    Error err = {0};
    Text text;
    text_init(&text);
    Shape shape = shape_2d(1, 3), deep = shape_3d(2, 2, 2);
    Tensor *tensor = tensor_new(DTYPE_FLOAT, &shape, NULL),
           *three = tensor_zeros(DTYPE_DOUBLE, &deep, NULL);
    tensor_set(tensor, 0, 0.1);
    tensor_set(tensor, 1, -INFINITY);
    tensor_set(tensor, 2, NAN);
    ck_assert(csv_write(&text, tensor, '\t', NULL));
    ck_assert_str_eq(text.data, "0.1\t-inf\tnan\n");
    ck_assert(!csv_write(&text, three, ',', &err));
    ck_assert_int_eq(err.kind, ERR_SHAPE);
    ck_assert_ptr_nonnull(strstr(err.message, "2×2×2"));
    tensor_unref(tensor);
    tensor_unref(three);
    text_release(&text);
}
END_TEST

START_TEST(by_suffix) {
    char path[] = "/tmp/attn-array-XXXXXX.csv";
    Error err = {0};
    close(mkstemps(path, 4));
    Shape shape = shape_2d(2, 2);
    Tensor *tensor = tensor_full(DTYPE_DOUBLE, &shape, 0.5, NULL);
    ck_assert(array_save(path, tensor, NULL));
    Tensor *again = array_load(path, NULL);
    ck_assert_ptr_nonnull(again);
    ck_assert(shape_equal(&again->shape, &shape));
    ck_assert(file_write(path, "1,x\n", 4, NULL));
    ck_assert_ptr_null(array_load(path, &err));
    ck_assert_int_eq(err.kind, ERR_FILE);
    ck_assert_ptr_eq(strstr(err.message, path), err.message);
    ck_assert_ptr_nonnull(strstr(err.message, "line 1, field 2"));
    ck_assert(!array_save("/tmp/a.xls", tensor, &err));
    ck_assert_int_eq(err.kind, ERR_VALUE);
    ck_assert_ptr_nonnull(strstr(err.hint, ".npy"));
    ck_assert_ptr_null(array_load("noname", &err));
    ck_assert_int_eq(err.kind, ERR_VALUE);
    unlink(path);
    tensor_unref(tensor);
    tensor_unref(again);
}
END_TEST

START_TEST(memory_fails) {
    size_t before = mem_used();
    char bytes[2000];
    for (size_t i = 0; i < sizeof bytes; i += 2) bytes[i] = '1', bytes[i + 1] = '\n';
    for (long n = 1;; n++) {
        Error err = {0};
        mem_fail_at(n, false);
        Tensor *tensor = csv_parse(bytes, sizeof bytes, ',', &err);
        mem_fail_at(0, false);
        ck_assert(tensor || err.kind == ERR_LIMIT);
        tensor_unref(tensor);
        ck_assert_uint_eq(mem_used(), before);
        if (tensor) break;
    }
}
END_TEST

Suite *csv_suite(void) {
    Suite *suite = suite_create("csv");
    TCase *tests = tcase_create("csv");
    tcase_add_test(tests, numbers);
    tcase_add_test(tests, semicolons);
    tcase_add_test(tests, headings);
    tcase_add_test(tests, mistakes_have_a_place);
    tcase_add_test(tests, other_numbers_are_no_names);
    tcase_add_test(tests, monsters);
    tcase_add_test(tests, writing);
    tcase_add_test(tests, by_suffix);
    tcase_add_test(tests, memory_fails);
    suite_add_tcase(suite, tests);
    return suite;
}
