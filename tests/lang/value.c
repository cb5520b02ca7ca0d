/* Values: counting, lists and records, what brackets make, equality, truth. */
#include "lang/value.h"

#include "base/interrupt.h"
#include "base/memory.h"

#include <check.h>
#include <math.h>
#include <string.h>

static Value string(const char *text) {
    Value value;
    ck_assert(value_string(&value, text, strlen(text), NULL));
    return value;
}

static Value numbers(size_t count, const double *items) {
    Value values[8], out;
    for (size_t i = 0; i < count; i++) values[i] = value_number(items[i]);
    const Value list = {.kind = VALUE_LIST, .list = &(List){.items = values, .count = count}};
    out = value_tensor(value_as_tensor(&list, "the numbers", NULL));
    return out;
}

START_TEST(at_most_sixteen_bytes) { ck_assert_uint_le(sizeof(Value), 16); }
END_TEST

static Value many_lists(size_t count) {
    Value out;
    ck_assert(value_list_new(&out, VALUE_LIST, count, NULL));
    for (size_t i = 0; i < count; i++) {
        Value *item = &out.list->items[out.list->count++];
        ck_assert(value_list_new(item, VALUE_LIST, 1, NULL));
        item->list->items[item->list->count++] = string("a string");
    }
    return out;
}

/* Ctrl-C waits for a few of many values; the rest is freed in pieces, or with the next value. */
START_TEST(interrupted_frees_later) {
    size_t before = mem_used(), kept;
    for (int next = 0; next < 2; next++) {
        Value large = many_lists(100000), also = many_lists(50000), small = string("small");
        size_t most = mem_used();
        interrupt_flag = 1;
        value_release(&large);
        ck_assert_uint_gt(mem_used(), before + (most - before) / 2);
        ck_assert_uint_lt(mem_used(), most);
        value_release(&also);
        kept = mem_used();
        ck_assert_uint_gt(kept, before + 10000);
        ck_assert(values_free_left(true)); /* heard again */
        interrupt_flag = 0;
        for (int i = 0; i < 10; i++, kept = mem_used()) {
            ck_assert(values_free_left(true));
            ck_assert_uint_lt(mem_used(), kept);
            ck_assert_uint_gt(mem_used(), before + 10000);
        }
        if (next) value_release(&small);
        else ck_assert(!values_free_left(false));
        value_release(&small);
        ck_assert_uint_eq(mem_used(), before);
        ck_assert(!values_free_left(true));
    }
}
END_TEST

START_TEST(copies_of_lists_are_their_own) {
    Value a, b, item = string("item");
    ck_assert(value_list_new(&a, VALUE_LIST, 0, NULL));
    ck_assert(list_append(a.list, item, NULL));
    ck_assert(value_list_copy(&a, &b, NULL));
    ck_assert_ptr_ne(a.list, b.list);
    ck_assert(list_append(b.list, item, NULL));
    ck_assert_uint_eq(a.list->count, 1);
    ck_assert_uint_eq(b.list->count, 2);
    ck_assert_int_eq(item.string->refs, 4);
    value_release(&a);
    value_release(&b);
    ck_assert_int_eq(item.string->refs, 1);
    value_release(&item);
    ck_assert_int_eq(item.kind, VALUE_UNSET);
}
END_TEST

START_TEST(records_keep_their_order) {
    Value record, copy;
    ck_assert(value_record_new(&record, NULL));
    for (int i = 0; i < 20; i++) {
        char name[8] = {(char)('a' + i), 0};
        ck_assert(record_set(record.record, name, value_number(i), NULL));
    }
    ck_assert(value_record_copy(record.record, &copy, NULL));
    ck_assert(record_set(copy.record, "c", value_number(99), NULL));
    ck_assert_double_eq(record_get(record.record, "c")->number, 2);
    ck_assert_double_eq(record_get(copy.record, "c")->number, 99);
    ck_assert_str_eq(record_name(copy.record, 19), "t");
    ck_assert_ptr_null(record_get(record.record, "nothing"));
    ck_assert(!value_equal(&record, &copy));
    value_release(&record);
    value_release(&copy);
}
END_TEST

START_TEST(cycles_are_freed) {
    values_collect();
    size_t before = mem_used();
    Value list, record, cell, kept;
    ck_assert(value_list_new(&list, VALUE_LIST, 0, NULL));
    ck_assert(value_record_new(&record, NULL));
    ck_assert(list_append(list.list, record, NULL));
    Value item = value_ref(list), key = string("list");
    ck_assert(value_cell(&cell, &item, NULL));
    ck_assert(record_put(record.record, &key, cell, NULL));
    kept = value_ref(record);
    value_release(&list);
    value_release(&record);
    value_release(&cell);
    value_release(&key);
    values_collect(); /* the record is held still, and so is what it leads to */
    const Value *found = record_get(kept.record, "list");
    ck_assert_int_eq(found->cell->value.kind, VALUE_LIST);
    ck_assert_uint_eq(found->cell->value.list->count, 1);
    value_release(&kept);
    ck_assert_uint_gt(mem_used(), before);
    values_collect();
    ck_assert_uint_eq(mem_used(), before);
}
END_TEST

START_TEST(lists_stand_for_arrays) {
    Value a = numbers(2, (double[]){1, 2}), c = numbers(1, (double[]){5}), list, inner;
    Error err = {.kind = ERR_NONE};
    ck_assert(value_list_of(&list, VALUE_LIST, (Value[]){a, a}, 2, NULL));
    ck_assert(value_is_arraylike(&list) && !value_holds_numbers(&list));
    Tensor *tensor = value_as_tensor(&list, "it", &err);
    ck_assert_int_eq(tensor->shape.axes, 2);
    ck_assert_double_eq(tensor_get(tensor, 3), 2);
    tensor_unref(tensor);
    ck_assert(list_append(list.list, c, NULL));
    ck_assert_ptr_null(value_as_tensor(&list, "it", &err));
    ck_assert_str_eq(err.message, "it is uneven: row 0 has 2 elements, but row 2 has 1");
    value_release(&list);
    const Value plain[] = {value_bool(true), value_bool(false)};
    ck_assert(value_list_of(&inner, VALUE_LIST, plain, 2, NULL));
    ck_assert(value_list_of(&list, VALUE_LIST, &inner, 1, NULL));
    tensor = value_as_rows(&list, 2);
    ck_assert_int_eq(tensor->dtype, DTYPE_BOOL);
    ck_assert_int_eq(tensor->shape.axes, 2);
    tensor_unref(tensor);
    ck_assert(value_holds_numbers(&list));
    const Value number = value_number(3);
    ck_assert(value_append(&inner, &number, NULL)); /* which list holds, too */
    ck_assert_ptr_null(value_as_rows(&list, 2));
    tensor = value_as_tensor(&list, "it", &err);
    ck_assert_int_eq(tensor->dtype, DTYPE_DOUBLE);
    ck_assert_uint_eq(tensor->count, 3);
    tensor_unref(tensor);
    ck_assert(!value_append(&a, &number, &err));
    value_release(&inner);
    value_release(&list);
    value_release(&a);
    value_release(&c);
}
END_TEST

/* Recursion would overflow the stack here. */
START_TEST(deep_lists_are_released) {
    size_t before = mem_used();
    Value outer, inner = value_number(0);
    bool ok = true; /* an assertion for each would take longer than the rest */
    for (int i = 0; i < 300000; i++) {
        ok = ok && value_list_new(&outer, VALUE_LIST, 1, NULL) &&
             list_append(outer.list, inner, NULL);
        value_release(&inner);
        inner = outer;
    }
    value_release(&inner);
    ck_assert(ok);
    ck_assert_uint_eq(mem_used(), before);
}
END_TEST

START_TEST(equality) {
    Value one = value_number(1), yes = value_bool(true), nan_value = value_number(NAN),
          text = string("a"), none = VALUE_NOTHING;
    Value array = numbers(2, (double[]){1, 2}), list;
    ck_assert(value_list_new(&list, VALUE_LIST, 2, NULL));
    ck_assert(list_append(list.list, one, NULL) && list_append(list.list, value_number(2), NULL));
    ck_assert(value_equal(&one, &yes));
    ck_assert(!value_equal(&nan_value, &nan_value));
    ck_assert(!value_equal(&one, &text));
    ck_assert(value_equal(&none, &none));
    ck_assert(value_equal(&array, &list));
    value_release(&text);
    value_release(&array);
    value_release(&list);
}
END_TEST

START_TEST(truth) {
    Value array = numbers(2, (double[]){1, 2}), empty = string(""), one = numbers(1, (double[]){0});
    Error err = {.kind = ERR_NONE};
    bool out;
    ck_assert(!value_truth(&array, &out, &err));
    ck_assert_int_eq(err.kind, ERR_VALUE);
    ck_assert(value_truth(&empty, &out, &err) && !out);
    ck_assert(value_truth(&one, &out, &err) && !out);
    ck_assert(value_truth(&(Value){.kind = VALUE_NUMBER, .number = NAN}, &out, &err) && out);
    value_release(&array);
    value_release(&empty);
    value_release(&one);
}
END_TEST

START_TEST(whole_numbers) {
    Error err = {.kind = ERR_NONE};
    long long out;
    Value x = value_number(-3), half = value_number(0.5), endless = value_number(INFINITY),
          yes = value_bool(true);
    ck_assert(value_whole(&x, "n", &out, &err) && out == -3);
    ck_assert(value_whole(&yes, "n", &out, &err) && out == 1);
    ck_assert(!value_whole(&half, "n", &out, &err));
    ck_assert_str_eq(err.message, "n must be a whole number, not 0.5");
    ck_assert_int_eq(err.kind, ERR_TYPE);
    ck_assert(!value_whole(&endless, "n", &out, &err));
    ck_assert_int_eq(err.kind, ERR_VALUE);
}
END_TEST

Suite *value_suite(void) {
    Suite *suite = suite_create("value");
    TCase *tests = tcase_create("value");
    tcase_add_test(tests, at_most_sixteen_bytes);
    tcase_add_test(tests, interrupted_frees_later);
    tcase_add_test(tests, copies_of_lists_are_their_own);
    tcase_add_test(tests, records_keep_their_order);
    tcase_add_test(tests, cycles_are_freed);
    tcase_add_test(tests, lists_stand_for_arrays);
    tcase_add_test(tests, deep_lists_are_released);
    tcase_add_test(tests, equality);
    tcase_add_test(tests, truth);
    tcase_add_test(tests, whole_numbers);
    suite_add_tcase(suite, tests);
    return suite;
}
