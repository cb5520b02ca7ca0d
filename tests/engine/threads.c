/* Sharing items among threads: each is run once, whatever is going on beside. */
#include "engine/tensor/threads.h"

#include "base/interrupt.h"

#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

Suite *threads_suite(void);

enum { ITEMS = 500, MANY = 8 };

typedef struct Counts {
    atomic_int runs[ITEMS];
    atomic_int inside[MANY]; /* calls that have this thread's number now */
    atomic_int mistakes;
    int nested; /* threads of a share within each item; 0: none */
} Counts;

static void count_again(const void *job, size_t item, size_t thread) {
    atomic_int *sum = *(atomic_int *const *)job;
    atomic_fetch_add(sum, (int)item + (thread >= MANY));
}

static void count_item(const void *job, size_t item, size_t thread) {
    Counts *counts = *(Counts *const *)job;
    if (thread >= MANY || atomic_fetch_add(&counts->inside[thread], 1) != 0) counts->mistakes++;
    counts->runs[item]++;
    if (counts->nested > 0) {
        atomic_int sum = 0, *at = &sum;
        threads_share(counts->nested, 5, count_again, &at);
        if (sum != 0 + 1 + 2 + 3 + 4) counts->mistakes++;
    }
    atomic_fetch_sub(&counts->inside[thread], 1);
}

/* Whether items 0 .. items-1 were run once each. */
static bool shares_well(int threads, size_t items, int nested) {
    Counts counts, *at = &counts;
    memset(&counts, 0, sizeof counts);
    counts.nested = nested;
    threads_share(threads, items, count_item, &at);
    for (size_t i = 0; i < ITEMS; i++)
        if (counts.runs[i] != (i < items)) counts.mistakes++;
    return counts.mistakes == 0;
}

START_TEST(each_item_once) {
    static const size_t items[] = {0, 1, 2, 3, 7, 64, ITEMS};
    for (int round = 0; round < 20; round++)
        for (size_t i = 0; i < sizeof items / sizeof *items; i++)
            for (int threads = 1; threads <= MANY; threads++) {
                threads_set(threads); /* a loss by sharing, on a busy machine, is forgotten */
                ck_assert(shares_well(threads, items[i], 0));
            }
}
END_TEST

START_TEST(items_share_items) {
    threads_set(4);
    for (int round = 0; round < 20; round++) ck_assert(shares_well(4, 50, 3));
}
END_TEST

static void *share_often(void *mistakes) {
    for (int round = 0; round < 200; round++)
        if (!shares_well(3, 40, 0)) atomic_fetch_add((atomic_int *)mistakes, 1);
    return NULL;
}

START_TEST(two_callers) {
    pthread_t other;
    atomic_int mistakes = 0;
    threads_set(3);
    ck_assert_int_eq(pthread_create(&other, NULL, share_often, &mistakes), 0);
    share_often(&mistakes);
    pthread_join(other, NULL);
    ck_assert_int_eq(mistakes, 0);
}
END_TEST

START_TEST(a_child_has_threads_of_its_own) {
    int status = -1;
    threads_set(4);
    ck_assert(shares_well(4, 50, 0));
    pid_t child = fork();
    if (child == 0) {
        threads_set(4);
        _exit(shares_well(4, 50, 0) ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert(shares_well(4, 50, 0));
}
END_TEST

static void fill_scratch(const void *job, size_t item, void *scratch) {
    atomic_int *wrong = *(atomic_int *const *)job;
    memset(scratch, (int)item, 1000);
    for (size_t i = 0; i < 1000; i++)
        if (((unsigned char *)scratch)[i] != (unsigned char)item) atomic_fetch_add(wrong, 1);
}

START_TEST(scratch_of_each_thread) {
    Error err = {0};
    atomic_int wrong = 0, *at = &wrong;
    threads_set(4);
    ck_assert(threads_share_scratch(4, 200, 1000, fill_scratch, &at, &err));
    ck_assert_int_eq(wrong, 0);
    interrupt_flag = 1;
    ck_assert(!threads_share_scratch(4, 200, 1000, fill_scratch, &at, &err));
    interrupt_flag = 0;
    ck_assert_int_eq(err.kind, ERR_INTERRUPT);
}
END_TEST

START_TEST(numbers_of_threads) {
    ck_assert_int_ge(threads_most(), 1);
    threads_set(-3);
    ck_assert_int_eq(threads_now(), 1);
    threads_set(1000);
    ck_assert_int_eq(threads_now(), THREADS_LIMIT);
    ck_assert_int_eq(threads_for_bytes(1000), 1);
    ck_assert_int_eq(threads_for_bytes(1 << 24), THREADS_LIMIT);
}
END_TEST

static void back_to_all(void) { threads_set(threads_most()); }

Suite *threads_suite(void) {
    Suite *suite = suite_create("threads");
    TCase *c = tcase_create("threads");
    tcase_set_timeout(c, 60);
    tcase_add_checked_fixture(c, NULL, back_to_all);
    tcase_add_test(c, each_item_once);
    tcase_add_test(c, items_share_items);
    tcase_add_test(c, two_callers);
    tcase_add_test(c, a_child_has_threads_of_its_own);
    tcase_add_test(c, scratch_of_each_thread);
    tcase_add_test(c, numbers_of_threads);
    suite_add_tcase(suite, c);
    return suite;
}
