/* What each task draws. */
#include "base/memory.h"
#include "tests/engine/near.h"
#include "tests/model/task_case.h"

#include <stdlib.h>
#include <string.h>

Suite *model_task_rows_suite(void);

static Error err;

enum { DRAWN = 4000 };

START_TEST(symbols_are_copied_reversed_sorted) {
    TaskExample example = {NULL};
    Random random;
    random_seed(&random, 1);
    Task *copy = task_case("copy", NULL), *reverse = task_case("reverse", NULL),
         *sort = task_case("sort", NULL);
    for (int i = 0; i < 200; i++) {
        task_case_draw(copy, &random, i % 2, &example);
        ck_assert_uint_eq(example.input_count, 12);
        ck_assert_mem_eq(example.input, example.answer, 12 * sizeof(int));
        task_case_draw(reverse, &random, i % 2, &example);
        for (int t = 0; t < 12; t++) ck_assert_int_eq(example.answer[t], example.input[11 - t]);
        task_case_draw(sort, &random, i % 2, &example);
        ck_assert_uint_eq(example.answer_count, 10);
        int sum = 0;
        for (int t = 0; t < 10; t++) {
            if (t) ck_assert_int_le(example.answer[t - 1], example.answer[t]);
            sum += example.input[t] * example.input[t] - example.answer[t] * example.answer[t];
        }
        ck_assert_int_eq(sum, 0);
    }
    task_example_release(&example);
    task_unref(copy);
    task_unref(reverse);
    task_unref(sort);
}
END_TEST

/* Half are palindromes; each pair is broken equally often, on both sides. */
START_TEST(palindromes_break_in_one_pair) {
    Task *task = task_case("palindrome", NULL);
    TaskExample example = {NULL};
    Random random;
    random_seed(&random, 2);
    for (int held_out = 0; held_out < 2; held_out++) {
        int groups[5] = {0};
        for (int i = 0; i < DRAWN; i++) {
            task_case_draw(task, &random, held_out, &example);
            int broken = 0, at = 0;
            for (int d = 1; d <= 4; d++) {
                if (example.input[4 - d] == example.input[4 + d]) continue;
                broken++;
                at = d;
            }
            ck_assert_int_eq(broken, example.group > 0);
            ck_assert_int_eq(at, example.group);
            ck_assert_uint_eq(example.mark, 4);
            ck_assert_str_eq(task->vocabulary->tokens[example.answer[0]], broken ? "≠" : "=");
            groups[example.group]++;
        }
        ck_assert_int_lt(abs(groups[0] - DRAWN / 2), 150);
        for (int d = 1; d <= 4; d++) ck_assert_int_lt(abs(groups[d] - DRAWN / 8), 110);
    }
    task_example_release(&example);
    task_unref(task);
}
END_TEST

START_TEST(order_is_held_out_by_pairs) {
    Task *task = task_case("order", NULL);
    TaskExample example = {NULL};
    Random random;
    bool seen[2][16][16] = {{{false}}};
    random_seed(&random, 3);
    for (int held_out = 0; held_out < 2; held_out++)
        for (int i = 0; i < DRAWN; i++) {
            task_case_draw(task, &random, held_out, &example);
            int a = example.input[1], b = example.input[2];
            ck_assert_int_ne(a, b);
            seen[held_out][a][b] = true;
            ck_assert_str_eq(task->vocabulary->tokens[example.answer[0]], a < b ? "<" : ">");
        }
    int held = 0;
    for (int a = 0; a < 16; a++)
        for (int b = 0; b < 16; b++) {
            ck_assert(seen[0][a][b] + seen[1][a][b] == (a != b));
            ck_assert(seen[0][a][b] == seen[0][b][a]);
            if (abs(a - b) == 1) ck_assert(seen[0][a][b]);
            held += seen[1][a][b];
        }
    ck_assert_int_gt(held, 20);
    ck_assert_int_lt(held, 70);
    ck_assert_str_eq(task->vocabulary->tokens[example.input[0]], "?");
    task_example_release(&example);
    task_unref(task);
}
END_TEST

/* Among held-out examples each pair comes with its mirror image. */
START_TEST(order_is_balanced) {
    Task *task = task_case("order", NULL);
    BatchSource source = task_source(task);
    Random random;
    Batch batch;
    random_seed(&random, 3);
    ck_assert(source.draw(source.self, MODEL_ENCODER, &random, true, 100, &batch, &err));
    for (size_t b = 0; b < 100; b += 2) {
        const int *one = batch.source.ids + 3 * b, *other = one + 3;
        ck_assert(one[1] == other[2] && one[2] == other[1]);
        ck_assert(batch.labels[3 * b] != batch.labels[3 * b + 3]);
    }
    batch_release(&batch);
    task_unref(task);
}
END_TEST

Suite *model_task_rows_suite(void) {
    Suite *suite = suite_create("model_task_rows");
    TCase *tests = tcase_create("rows");
    tcase_add_checked_fixture(tests, near_remember, task_case_nothing_left);
    tcase_add_test(tests, symbols_are_copied_reversed_sorted);
    tcase_add_test(tests, palindromes_break_in_one_pair);
    tcase_add_test(tests, order_is_held_out_by_pairs);
    tcase_add_test(tests, order_is_balanced);
    suite_add_tcase(suite, tests);
    return suite;
}
