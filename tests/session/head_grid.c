/* The picture of many heads, from arrays as a model's run has them. */
#include "session/pictures/draw.h"

#include "base/error.h"
#include "tests/session/desk.h"

#include <stdlib.h>

Suite *head_grid_suite(void);

enum { HEADS = 4, QUERIES = 2, KEYS = 3, CELLS = QUERIES * KEYS };

/* Weights of a batch of one that are all different, or which of them are visible. */
static Tensor *array(DType dtype, size_t heads) {
    Shape shape = {.axes = 4, .size = {1, heads, QUERIES, KEYS}};
    Tensor *tensor = tensor_new(dtype, &shape, NULL);
    for (size_t i = 0; i < tensor->count; i++)
        tensor_set(tensor, i, dtype == DTYPE_BOOL ? (double)(i % 5 > 0) : (double)i / 4096);
    return tensor;
}

static const Tensor **layers_of(size_t layers, size_t heads) {
    const Tensor **weights = malloc(layers * sizeof *weights);
    for (size_t l = 0; l < layers; l++) weights[l] = array(DTYPE_FLOAT, heads);
    return weights;
}

static void release(const Tensor **weights, size_t layers) {
    for (size_t l = 0; l < layers; l++) tensor_unref((Tensor *)weights[l]);
    free(weights);
}

START_TEST(heads_of_two_attentions) {
    Desk *desk = desk_open();
    Error err = {0};
    desk_do(desk, "s = [\"a\", \"猫\"]; t = [\"x\", \"y\", \"z\"];");
    const Value *queries = session_variable_instead(desk->session, "s"),
                *keys = session_variable_instead(desk->session, "t");
    const Tensor **encoder = layers_of(3, HEADS), **cross = layers_of(1, 2),
                 *visible[] = {NULL, array(DTYPE_BOOL, HEADS), NULL};
    HeadGrid grids[] = {
        {.heading = "encoder",
         .weights = encoder,
         .visible = visible,
         .layers = 3,
         .numbered = true,
         .query_tokens = *queries,
         .key_tokens = VALUE_NOTHING},
        {.weights = cross, .layers = 1, .query_tokens = *queries, .key_tokens = *keys}};
    Drawing *drawing = drawing_new(desk->session, NULL, &err);
    head_grid_draw(drawing, grids, 2);
    ck_assert(!drawing->failed);
    ck_assert_str_eq(drawing->title.data, "weights of all 14 heads");

    const Picture *picture = &drawing->picture, *panels = picture->panels;
    ck_assert_int_eq(picture->kind, PICTURE_GRID);
    ck_assert_uint_eq(picture->panel_count, 14);
    ck_assert_uint_eq(picture->panel_columns, HEADS);
    ck_assert_str_eq(panels[0].heading, "encoder");
    ck_assert_str_eq(panels[6].title, "layer 1 head 2");
    ck_assert_str_eq(panels[13].title, "head 1");
    ck_assert_ptr_null(panels[6].heading);
    ck_assert_str_eq(panels[6].row_labels.items[1], "猫");
    ck_assert_ptr_null(panels[6].column_labels.items);
    ck_assert_str_eq(panels[13].column_labels.items[2], "z");
    for (size_t i = 0; i < CELLS; i++) {
        ck_assert_double_eq(panels[6].cells[i], (double)(2 * CELLS + i) / 4096);
        ck_assert(panels[6].hidden[i] == ((2 * CELLS + i) % 5 == 0));
    }
    ck_assert_ptr_null(panels[0].hidden);
    drawing_free(drawing);
    tensor_unref((Tensor *)visible[1]);
    release(encoder, 3);
    release(cross, 1);
    desk_close(desk);
}
END_TEST

START_TEST(more_heads_than_a_picture_has) {
    Desk *desk = desk_open();
    Error err = {0};
    enum { LAYERS = PANELS_MAX / HEADS + 1 };
    const Tensor **weights = layers_of(LAYERS, HEADS);
    HeadGrid grid = {.weights = weights,
                     .layers = LAYERS,
                     .numbered = true,
                     .query_tokens = VALUE_NOTHING,
                     .key_tokens = VALUE_NOTHING};
    Drawing *drawing = drawing_new(desk->session, NULL, &err);
    head_grid_draw(drawing, &grid, 1);
    ck_assert(!drawing->failed);
    ck_assert_str_eq(drawing->title.data, "weights of the first 400 of 404 heads");
    ck_assert_uint_eq(drawing->picture.panel_count, PANELS_MAX);
    drawing_free(drawing);
    release(weights, LAYERS);
    desk_close(desk);
}
END_TEST

START_TEST(no_keys) {
    Desk *desk = desk_open();
    Error err = {0};
    Shape shape = {.axes = 3, .size = {2, 3, 0}};
    Tensor *empty = tensor_new(DTYPE_FLOAT, &shape, NULL);
    const Tensor *weights = empty;
    HeadGrid grid = {.weights = &weights,
                     .layers = 1,
                     .query_tokens = VALUE_NOTHING,
                     .key_tokens = VALUE_NOTHING};
    Drawing *drawing = drawing_new(desk->session, NULL, &err);
    head_grid_draw(drawing, &grid, 1);
    ck_assert(drawing->failed);
    ck_assert_int_eq(err.kind, ERR_SHAPE);
    drawing_free(drawing);
    tensor_unref(empty);
    desk_close(desk);
}
END_TEST

Suite *head_grid_suite(void) {
    Suite *suite = suite_create("head_grid");
    TCase *tests = tcase_create("head_grid");
    tcase_add_test(tests, heads_of_two_attentions);
    tcase_add_test(tests, more_heads_than_a_picture_has);
    tcase_add_test(tests, no_keys);
    suite_add_tcase(suite, tests);
    return suite;
}
