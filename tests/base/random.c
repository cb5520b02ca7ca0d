#include "base/random.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

Suite *random_suite(void);

/* The values are the published algorithms', computed with Python's whole numbers. */
START_TEST(xoshiro_from_a_known_state) {
    static const uint64_t expected[] = {
        11520, 0, 1509978240, 1215971899390074240u, 1216172134540287360u, 607988272756665600u};
    Random random = {{1, 2, 3, 4}};
    for (int i = 0; i < 6; i++) ck_assert_uint_eq(random_next(&random), expected[i]);
}
END_TEST

START_TEST(splitmix_fills_the_state) {
    static const uint64_t expected[] = {6457827717110365317u, 3203168211198807973u,
                                        9817491932198370423u, 4593380528125082431u};
    Random random;
    random_seed(&random, 1234567);
    for (int i = 0; i < 4; i++) ck_assert_uint_eq(random.state[i], expected[i]);
}
END_TEST

START_TEST(numbers_of_a_seed) {
    static const uint64_t zero[] = {0x99ec5f36cb75f2b4, 0xbf6e1f784956452a, 0x1a5f849d4933e6e0};
    static const uint64_t answer[] = {0x15780b2e0c2ec716, 0x6104d9866d113a7e, 0xae17533239e499a1};
    Random a, b;
    random_seed(&a, 0);
    random_seed(&b, 42);
    for (int i = 0; i < 3; i++) {
        ck_assert_uint_eq(random_next(&a), zero[i]);
        ck_assert_uint_eq(random_next(&b), answer[i]);
    }
}
END_TEST

START_TEST(uniform_numbers) {
    Random random;
    random_seed(&random, 0);
    ck_assert_double_eq(random_uniform(&random), 0x1.33d8be6d96ebep-1);
    ck_assert_double_eq(random_uniform(&random), 0x1.7edc3ef092ac8p-1);
    double sum = 0;
    for (int i = 0; i < 100000; i++) {
        double u = random_uniform(&random);
        ck_assert(u >= 0 && u < 1);
        sum += u;
    }
    ck_assert_double_eq_tol(sum / 100000, 0.5, 0.005);
}
END_TEST

START_TEST(whole_numbers_below_a_bound) {
    static const uint64_t dice[] = {5, 2, 0, 0, 3, 1, 4, 5, 3, 4, 2, 3};
    Random random;
    random_seed(&random, 7);
    for (int i = 0; i < 12; i++) ck_assert_uint_eq(random_below(&random, 6), dice[i]);
    random_seed(&random, 7);
    ck_assert_uint_eq(random_below(&random, (UINT64_C(1) << 63) + 1), 5142052590334782674u);
    ck_assert_uint_eq(random_below(&random, (UINT64_C(1) << 63) + 1), 1120678062349637716u);
    ck_assert_uint_eq(random_below(&random, 1), 0);
    int counts[5] = {0};
    for (int i = 0; i < 50000; i++) counts[random_below(&random, 5)]++;
    for (int i = 0; i < 5; i++) ck_assert_int_le(abs(counts[i] - 10000), 400);
}
END_TEST

START_TEST(normal_numbers) {
    static const double expected[] = {-0.01896499060631051, -0.40372109705088766,
                                      1.6251100012755157};
    Random random;
    random_seed(&random, 0);
    for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(random_normal(&random), expected[i], 1e-15);
    double sum = 0, squares = 0;
    for (int i = 0; i < 100000; i++) {
        double x = random_normal(&random);
        ck_assert(isfinite(x));
        sum += x;
        squares += x * x;
    }
    ck_assert_double_eq_tol(sum / 100000, 0, 0.02);
    ck_assert_double_eq_tol(squares / 100000, 1, 0.02);
}
END_TEST

START_TEST(permutations) {
    static const double expected[] = {0, 4, 2, 6, 5, 1, 7, 9, 8, 3};
    Random random;
    double out[10];
    random_seed(&random, 3);
    ck_assert(random_permutation(&random, out, 10, NULL));
    for (int i = 0; i < 10; i++) ck_assert_double_eq(out[i], expected[i]);
    ck_assert(random_permutation(&random, out, 1, NULL));
    ck_assert_double_eq(out[0], 0);
    ck_assert(random_permutation(&random, NULL, 0, NULL));
}
END_TEST

START_TEST(hashes) {
    ck_assert_uint_eq(random_hash("", 0, 0), 0xcbf29ce484222325);
    ck_assert_uint_eq(random_hash("a", 1, 0), 0xaf63dc4c8601ec8c);
    ck_assert_uint_eq(random_hash("foobar", 6, 0), 0x85944171f73967e8);
    ck_assert_uint_ne(random_hash("a", 1, 0), random_hash("a", 1, 1));
}
END_TEST

START_TEST(a_copy_is_a_fork) {
    Random a, b;
    random_seed(&a, 9);
    b = a;
    ck_assert_uint_eq(random_next(&a), random_next(&b));
}
END_TEST

Suite *random_suite(void) {
    Suite *suite = suite_create("random");
    TCase *tests = tcase_create("random");
    tcase_add_test(tests, xoshiro_from_a_known_state);
    tcase_add_test(tests, splitmix_fills_the_state);
    tcase_add_test(tests, numbers_of_a_seed);
    tcase_add_test(tests, uniform_numbers);
    tcase_add_test(tests, whole_numbers_below_a_bound);
    tcase_add_test(tests, normal_numbers);
    tcase_add_test(tests, permutations);
    tcase_add_test(tests, hashes);
    tcase_add_test(tests, a_copy_is_a_fork);
    suite_add_tcase(suite, tests);
    return suite;
}
