/* Derivatives of functions of the language. The arguments become leaves of the tape, the function
 * runs on them, and the engine walks back from its result. A function may take derivatives itself:
 * those inside another one stay on its tape. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/number.h"
#include "engine/tape/tape.h"
#include "lang/interp.h"
#include "library/arguments.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* The number of derivatives being taken, one inside the function of the other. The outermost one
 * hands out plain numbers, those inside it hand out numbers that can be differentiated. */
static _Thread_local int running;

/* ---- numbers and arrays inside lists, tuples and records ---- */

enum { NESTING_MAX = 100 };

/* Gives a new array where the value is a list of numbers that stands for one, else NULL. False if
 * there is no memory for it, and after Ctrl-C, when lists cannot be told apart. */
static bool array_of_list(const Value *value, Tensor **array, Error *err) {
    Error problem = {.kind = ERR_NONE};
    bool numbers = value->kind == VALUE_LIST && value_holds_numbers(value);
    *array = numbers ? value_as_tensor(value, "the list", &problem) : NULL;
    if (interrupted(err)) return false;
    if (problem.kind != ERR_LIMIT) return true;
    if (err) *err = problem;
    return false;
}

/* Takes the tensor over; false if it is NULL. */
static bool tensors_add(Tensors *tensors, Tensor *tensor, Error *err) {
    if (!tensor) return false;
    Tensor **items =
        mem_grow(tensors->items, tensors->count, &tensors->capacity, sizeof *items, err);
    if (!items) return tensor_if(false, tensor) != NULL;
    tensors->items = items;
    tensors->items[tensors->count++] = tensor;
    return true;
}

/* Appends the numbers and arrays in a value, in their order. */
static bool collect(const Value *value, int depth, Tensors *tensors, Error *err) {
    LocalTensor *numbers = NULL;
    if (interrupted(err) || !array_of_list(value, &numbers, err)) return false;
    const Value array = {.kind = VALUE_TENSOR, .tensor = numbers};
    if (numbers) value = &array;
    const bool is_list = value_is_list(value);
    if (depth > NESTING_MAX)
        return error_set(err, ERR_LIMIT, "what is differentiated is nested more than %d deep",
                         NESTING_MAX);
    if (value->kind == VALUE_NUMBER)
        return tensors_add(tensors, tensor_scalar(value->number, err), err);
    if (value->kind == VALUE_TENSOR && value->tensor->dtype != DTYPE_BOOL)
        return tensors_add(tensors, tensor_ref(value->tensor), err);
    if (is_list || value->kind == VALUE_RECORD) {
        size_t count = is_list ? value->list->count : value->record->count;
        const Value *items = is_list ? value->list->items : value->record->values;
        for (size_t i = 0; i < count; i++)
            if (!collect(&items[i], depth + 1, tensors, err)) return false;
        return true;
    }
    error_set(err, ERR_TYPE, "there is no derivative with respect to %s",
              value->kind == VALUE_TENSOR ? "an array of booleans" : value_words(value));
    return error_hint(
        err,
        "It can be taken with respect to numbers, arrays, and lists, tuples and records of these.");
}

/* A value like this one, its numbers and arrays replaced by the tensors from items[*next] on. */
static bool rebuild(const Value *value, Tensor *const *items, size_t *next, Value *out,
                    Error *err) {
    if (value->kind == VALUE_RECORD) {
        if (!value_record_new(out, err)) return false;
        for (size_t i = 0; i < value->record->count; i++) {
            LocalValue item = VALUE_MISSING;
            if (!rebuild(&value->record->values[i], items, next, &item, err) ||
                !record_put(out->record, &value->record->keys[i], item, err))
                return value_if(false, out);
        }
        return true;
    }
    LocalTensor *array = NULL;
    if (!array_of_list(value, &array, err)) return false;
    if (array || !value_is_list(value)) return give(tensor_ref(items[(*next)++]), out);
    if (!value_list_new(out, value->kind, value->list->count, err)) return false;
    for (size_t i = 0; i < value->list->count; i++) {
        if (!rebuild(&value->list->items[i], items, next, &out->list->items[i], err))
            return value_if(false, out);
        out->list->count++;
    }
    return true;
}

/* ---- the place where a function is differentiated ---- */

/* grad(f, x, y, argnums=...): f(x, y), and which of its arguments count. */
typedef struct Point {
    const Call *call;
    Value *arguments; /* of f, borrowed */
    size_t count;
    size_t *chosen; /* the arguments that the derivative is taken with respect to */
    size_t chosen_count;
    bool several;      /* argnums is a tuple: then there is a tuple of gradients */
    Tensors inputs;    /* the numbers and arrays in the chosen arguments */
    Tensors leaves;    /* the same as leaves of the tape */
    Tensors gradients; /* for each of them */
} Point;

static void point_release(Point *point) {
    tensors_release(&point->inputs);
    tensors_release(&point->leaves);
    tensors_release(&point->gradients);
    mem_free(point->arguments);
    mem_free(point->chosen);
}

#define LocalPoint __attribute__((cleanup(point_release))) Point

static bool choose(Point *point, const Value *place, Error *err) {
    long long at, count = (long long)point->count;
    if (!value_whole(place, "argnums", &at, err)) return false;
    if (at < -count || at >= count) {
        error_set(err, ERR_VALUE, "argnums is %lld, but the function is given %lld %s", at, count,
                  count == 1 ? "argument" : "arguments");
        return error_hint(err, "They count from 0: argnums=%lld is the last.", count - 1);
    }
    size_t chosen = (size_t)(at < 0 ? at + count : at);
    for (size_t i = 0; i < point->chosen_count; i++)
        if (point->chosen[i] == chosen)
            return error_set(err, ERR_VALUE, "argnums names argument %zu twice", chosen);
    point->chosen[point->chosen_count++] = chosen;
    return true;
}

static bool point_init(Point *point, const Call *call, Error *err) {
    const Value *argnums = &call->arguments[3];
    LocalValue places = VALUE_MISSING;
    *point =
        (Point){.call = call, .count = 1 + call->rest_count, .several = !value_is_scalar(argnums)};
    point->arguments = mem_alloc(point->count * sizeof *point->arguments, err);
    if (!point->arguments) return false;
    point->arguments[0] = call->arguments[1];
    for (size_t i = 1; i < point->count; i++) point->arguments[i] = call->rest[i - 1];

    if (point->several && !elements_of(argnums, "argnums", &places, err)) return false;
    const size_t chosen = point->several ? places.list->count : 1;
    point->chosen = mem_alloc((chosen + 1) * sizeof *point->chosen, err);
    if (!point->chosen) return false;
    for (size_t i = 0; i < chosen; i++)
        if (!choose(point, point->several ? &places.list->items[i] : argnums, err)) return false;
    for (size_t i = 0; i < chosen; i++)
        if (!collect(&point->arguments[point->chosen[i]], 0, &point->inputs, err)) return false;
    return point->inputs.count <= INT_MAX || error_set(err, ERR_LIMIT, "too many arrays");
}

/* A value for each chosen argument, made of `tensors`, one for each input: the one value, or a
 * tuple of several. */
static bool give_like_arguments(const Point *point, const Tensors *tensors, Value *out,
                                Error *err) {
    size_t next = 0;
    if (!point->several)
        return rebuild(&point->arguments[point->chosen[0]], tensors->items, &next, out, err);
    if (!value_list_new(out, VALUE_TUPLE, point->chosen_count, err)) return false;
    for (size_t i = 0; i < point->chosen_count; i++) {
        const Value *argument = &point->arguments[point->chosen[i]];
        if (!rebuild(argument, tensors->items, &next, &out->list->items[i], err))
            return value_if(false, out);
        out->list->count++;
    }
    return true;
}

/* ---- running the function ---- */

/* The result of the function, as an array, where its chosen arguments hold these tensors. */
static Tensor *result_at(const Point *point, const Tensors *tensors, Error *err) {
    LocalValue arguments = VALUE_MISSING, result = VALUE_MISSING;
    if (!value_list_of(&arguments, VALUE_LIST, point->arguments, point->count, err)) return NULL;
    Value *items = arguments.list->items;
    size_t next = 0;
    for (size_t i = 0; i < point->chosen_count; i++) {
        size_t chosen = point->chosen[i];
        Value made;
        if (!rebuild(&point->arguments[chosen], tensors->items, &next, &made, err)) return NULL;
        value_release(&items[chosen]);
        items[chosen] = made;
    }
    running++;
    bool ok = interp_call(point->call->interp, &point->call->arguments[0], items, point->count,
                          &result, err);
    running--;
    if (!ok) return NULL;

    if (!value_is_numeric(&result) && !value_is_list(&result)) {
        error_set(err, ERR_TYPE, "the function gives %s, which has no derivative",
                  value_words(&result));
        if (result.kind == VALUE_NONE) error_hint(err, "Does it end with return?");
        else if (result.kind == VALUE_OBJECT)
            error_hint(err, "Take one of its arrays: sum(f(x).output).");
        return NULL;
    }
    Tensor *tensor = value_as_tensor(&result, "the result of the function", err);
    if (!tensor || tensor->dtype != DTYPE_BOOL) return tensor;
    error_set(err, ERR_TYPE, "the function gives %s, which have no derivative",
              value_is_scalar(&result) ? "True or False" : "booleans");
    error_hint(err, "sigmoid(a - b) is the smooth form of a > b.");
    return tensor_if(false, tensor);
}

/* The result of the function at leaves of the tape: on the tape, or of no effect of them. */
static Tensor *tracked_result(Point *point, Error *err) {
    for (size_t i = 0; i < point->inputs.count; i++)
        if (!tensors_add(&point->leaves, tape_leaf(point->inputs.items[i], err), err)) return NULL;
    TapeGap gap = {.op = OP_NONE}, *before = tape_set_gap(&gap);
    Tensor *result = result_at(point, &point->leaves, err);
    tape_set_gap(before);
    if (!result || result->node || gap.op == OP_NONE) return result;

    /* It is not on the tape although tracked numbers went into an operator without a derivative. */
    const Op op = (Op)gap.op;
    const bool compares = op >= OP_EQUAL && op <= OP_GREATER_EQUAL;
    error_set(err, ERR_VALUE,
              "the result depends on the arguments by way of %s, which has no derivative",
              compares ? "a comparison" : op_name(op));
    if (op == OP_ARGMAX || op == OP_ARGMIN)
        error_hint(err,
                   "An index stays the same or jumps. softmax(x) is the smooth form of argmax.");
    else if (op_gives_bool(op))
        error_hint(err, "It is true or false, with nothing in between. sigmoid(a - b) is the "
                        "smooth form of a > b.");
    else error_hint(err, "Its value stays the same or jumps.");
    error_place_as(err, &gap.place);
    return tensor_if(false, result);
}

/* ---- gradients ---- */

/* The gradients of sum(seed * result), one for each leaf, as new references. */
static bool gradients_of(const Point *point, Tensor *result, Tensor *seed, bool graph,
                         Tensor **gradients, Error *err) {
    TapeGap *gap = tape_set_gap(NULL); /* comparisons in the backward pass are not noted */
    bool ok = tape_gradient(result, seed, point->leaves.items, (int)point->leaves.count, graph,
                            gradients, err);
    tape_set_gap(gap);
    return ok;
}

/* grad, and value_and_grad, whose constant is true. */
static bool gradient(const Call *call, Value *out, Error *err) {
    LocalPoint point = {.call = call};
    if (!point_init(&point, call, err)) return false;
    LocalTensor *result = tracked_result(&point, err);
    if (!result) return false;
    if (result->shape.axes > 0) {
        error_set(err, ERR_SHAPE,
                  "the function gives an array of %s, but %s takes one that gives one number",
                  shape_words(&result->shape), call->builtin->name);
        return error_hint(err, "Make it one number with sum(...) or mean(...); jacobian(f, x) has "
                               "the derivatives of all elements.");
    }
    Tensors *gradients = &point.gradients;
    gradients->items = mem_zeroed(point.leaves.count, sizeof *gradients->items, err);
    if (!gradients->items ||
        !gradients_of(&point, result, NULL, running > 0, gradients->items, err))
        return false;
    gradients->count = gradients->capacity = point.leaves.count;
    Value given;
    if (!give_like_arguments(&point, gradients, &given, err)) return false;
    if (call->builtin->constant == 0) {
        *out = given;
        return true;
    }
    Value value =
        running > 0 ? value_tensor(tensor_ref(result)) : value_number(tensor_get(result, 0));
    return give_tuple(out, (Value[]){value, given}, 2, err);
}

/* ---- jacobians ---- */

/* The derivatives of one element of the result, into row `element` of each jacobian; with `graph`,
 * where copies would leave the tape, to rows[k * result->count + element]. */
static bool add_rows(Point *point, Tensor *result, size_t element, bool graph, Tensor **row,
                     Tensor **rows, Error *err) {
    const size_t leaves = point->leaves.count;
    LocalTensor *seed = tensor_zeros(result->dtype, &result->shape, err);
    if (!seed) return false;
    tensor_set(seed, element, 1);
    bool ok = gradients_of(point, result, seed, graph, row, err);
    for (size_t k = 0; ok && k < leaves; k++) {
        const Tensor *all = point->gradients.items[k];
        if (graph) {
            Shape flat = shape_2d(1, row[k]->count);
            rows[k * result->count + element] = compute_reshape(tensor_ref(row[k]), &flat, err);
            ok = rows[k * result->count + element] != NULL;
        } else if (row[k]->count > 0) {
            memcpy(tensor_address(all, element * row[k]->count), row[k]->data,
                   row[k]->count * dtype_size(all->dtype));
        }
    }
    for (size_t k = 0; k < leaves; k++) {
        tensor_unref(row[k]);
        row[k] = NULL;
    }
    return ok;
}

/* Sets point->gradients, for each leaf, to the derivatives of all elements of the result. The tape
 * is walked over once for each of these elements. */
static bool jacobians_of(Point *point, Tensor *result, bool graph, Error *err) {
    const size_t leaves = point->leaves.count, elements = result->node ? result->count : 0;
    for (size_t k = 0; k < leaves; k++) {
        const Tensor *leaf = point->leaves.items[k];
        const Shape *input = &leaf->shape;
        Shape shape = result->shape; /* its axes, then those of the input */
        if (shape.axes + input->axes > AXES_MAX) {
            error_set(err, ERR_SHAPE,
                      "the derivatives of %s by %s would have %d axes, more than %d",
                      shape_words(&shape), shape_words(input), shape.axes + input->axes, AXES_MAX);
            return error_hint(err, "Differentiate f(x).flatten().");
        }
        for (int i = 0; i < input->axes; i++) shape.size[shape.axes++] = input->size[i];
        if (!tensors_add(&point->gradients, tensor_zeros(leaf->dtype, &shape, err), err))
            return false;
    }
    Tensor **row = mem_zeroed(leaves, sizeof *row, err),
           **rows = mem_zeroed(graph ? leaves * elements : 0, sizeof *rows, err);
    bool ok = row && rows;
    for (size_t i = 0; ok && i < elements; i++)
        ok = add_rows(point, result, i, graph, row, rows, err);
    for (size_t k = 0; ok && graph && elements > 0 && k < leaves; k++) {
        Tensor **all = &point->gradients.items[k];
        Tensor *joined = compute_concatenate(rows + k * elements, elements, 0, err);
        ok = tensor_replace(all, compute_reshape(joined, &(*all)->shape, err));
    }
    tensors_free(rows, graph ? leaves * elements : 0);
    mem_free(row);
    return ok;
}

static bool jacobian(const Call *call, Value *out, Error *err) {
    LocalPoint point = {.call = call};
    if (!point_init(&point, call, err)) return false;
    LocalTensor *result = tracked_result(&point, err);
    return result && jacobians_of(&point, result, running > 0, err) &&
           give_like_arguments(&point, &point.gradients, out, err);
}

/* ---- gradcheck ---- */

/* The element in which the derivative and its central difference differ most. */
typedef struct Difference {
    size_t input, element, result; /* which of the inputs, its element, the element of the result */
    double derivative, difference;
    double excess; /* the difference over the allowed one; above 1 is wrong */
} Difference;

/* The result where element j of input k, which is double, is moved by a step. */
static Tensor *result_beside(Point *point, size_t k, size_t j, double step, Error *err) {
    Tensor *input = point->inputs.items[k];
    LocalTensor *moved = tensor_copy(input, err);
    if (!moved) return NULL;
    tensor_doubles(moved)[j] += step;
    point->inputs.items[k] = moved;
    Tensor *result = result_at(point, &point->inputs, err);
    point->inputs.items[k] = input;
    return result;
}

/* Compares the derivatives of all elements of the result by element j of input k with the central
 * difference over 2 eps. */
static bool compare_element(Point *point, size_t k, size_t j, const Tensor *result,
                            Difference *worst, Error *err) {
    const double eps = number_at(point->call, 4), atol = number_at(point->call, 5),
                 rtol = number_at(point->call, 6);
    Interp *interp = point->call->interp;
    const Random random = interp->random; /* the same for all calls: f may draw numbers */
    const Tensor *derivatives = point->gradients.items[k];
    const size_t elements = point->inputs.items[k]->count;
    LocalTensor *above = result_beside(point, k, j, eps, err);
    interp->random = random;
    LocalTensor *below = above ? result_beside(point, k, j, -eps, err) : NULL;
    interp->random = random;

    if (!below) return false;
    if (above->count != result->count || below->count != result->count)
        return error_set(err, ERR_VALUE,
                         "the function gives arrays of different sizes at places %g apart",
                         2 * eps);
    for (size_t i = 0; i < result->count; i++) {
        double difference = (tensor_get(above, i) - tensor_get(below, i)) / (2 * eps);
        double derivative = tensor_get(derivatives, i * elements + j);
        double excess = fabs(derivative - difference) / (atol + rtol * fabs(difference));
        if (isnan(excess)) excess = INFINITY;
        if (excess > worst->excess) *worst = (Difference){k, j, i, derivative, difference, excess};
    }
    return true;
}

/* Appends the index of an element, "[1, 0]"; nothing for a number. */
static void write_place(Text *text, const Shape *shape, size_t element) {
    for (int axis = 0; axis < shape->axes; axis++) {
        size_t stride = shape_stride(shape, axis);
        text_format(text, "%s%zu", axis ? ", " : "[", element / stride);
        element %= stride;
    }
    if (shape->axes > 0) text_char(text, ']');
}

static bool gradcheck(const Call *call, Value *out, Error *err) {
    LocalPoint point = {.call = call};
    Difference worst = {.excess = 1};
    if (!(number_at(call, 4) > 0))
        return error_set(err, ERR_VALUE, "eps is %g, but a step is above 0", number_at(call, 4));
    if (!point_init(&point, call, err)) return false;
    for (size_t k = 0; k < point.inputs.count; k++) {
        Tensor **input = &point.inputs.items[k];
        if (!tensor_replace(input, tensor_cast(*input, DTYPE_DOUBLE, err))) return false;
    }
    const Random random = call->interp->random;
    LocalTensor *result = tracked_result(&point, err);
    bool ok = result && jacobians_of(&point, result, false, err);
    call->interp->random = random;
    for (size_t k = 0; ok && k < point.inputs.count; k++)
        for (size_t j = 0; ok && j < point.inputs.items[k]->count; j++)
            ok = !interrupted(err) && compare_element(&point, k, j, result, &worst, err);
    if (!ok) return false;
    if (worst.excess <= 1) {
        *out = value_bool(true);
        return true;
    }

    const Shape *input = &point.inputs.items[worst.input]->shape;
    LocalText text = TEXT_EMPTY;
    text_string(&text, "the derivative ");
    if (result->shape.axes > 0) {
        text_string(&text, "of element ");
        write_place(&text, &result->shape, worst.result);
        text_char(&text, ' ');
    }
    text_string(&text, "by ");
    if (point.inputs.count > 1) text_format(&text, "array %zu, ", worst.input);
    text_string(&text, input->axes > 0 ? "element " : "the number");
    write_place(&text, input, worst.element);
    text_string(&text, " is ");
    number_write(&text, worst.derivative, 10);
    text_string(&text, ", but the central difference is ");
    number_write(&text, worst.difference, 10);
    if (!text_ok(&text, err)) return false;
    error_set(err, ERR_CHECK, "%s", text.data);
    return error_hint(err, "At a kink or a jump there is no derivative; otherwise try another "
                           "eps=. atol= and rtol= say what may differ.");
}

#define GROUP "derivative"
#define ARGNUMS \
    "Further arguments are passed on to f; argnums=1 takes the derivative by the second one, " \
    "argnums=(0, 1) gives a tuple."

const BuiltinDef derivative_table[] = {
    {BUILTIN("grad", gradient), .parameters = "f:function x:any *more:any argnums:any=0",
     .summary = "The gradient of f at x: how fast the number f(x) grows with each element of x. f "
                "is any function, with loops, calls and arrays; where it branches, the way it took "
                "counts. x is a number, an array, or a list, tuple or record of these, and so is "
                "the gradient. What has none, such as argmax(x) and int(x), says so. " ARGNUMS
                " Where f has a kink, one of the usual values is taken: abs has 0 at 0, relu 0 at "
                "0, equal numbers share the gradient of max and maximum, clip has 1 at its bounds. "
                "grad of grad is the second derivative.",
     .shapes = "f(x) a number -> the shape of x", .formula = "∂f/∂xᵢ",
     .example = "grad(lambda x: x ** 2, 3)\n# -> 6\n"
                "grad(lambda x: sum(x ** 2), [1, 2, 3])\n# -> [2, 4, 6]\n"
                "grad(lambda x: grad(lambda y: y ** 3, x), 2)\n# -> 12",
     .see = "value_and_grad jacobian gradcheck"},
    {BUILTIN("value_and_grad", gradient), .constant = true,
     .parameters = "f:function x:any *more:any argnums:any=0",
     .summary = "A tuple of f(x) and the gradient there, for one run of f: what a step of training "
                "needs. " ARGNUMS,
     .shapes = "f(x) a number -> a number, the shape of x",
     .example = "loss, g = value_and_grad(lambda w: mean((w * [1, 2] - [2, 4]) ** 2), 1)\n"
                "print(loss, g)\n# -> 2.5 -5",
     .see = "grad"},
    {BUILTIN("jacobian", jacobian), .parameters = "f:function x:any *more:any argnums:any=0",
     .summary =
         "The derivatives of every element of f(x) by every element of x: J[i, j] is that of "
         "result i by x[j]. It runs f once and walks back once for each element of the "
         "result. " ARGNUMS " The jacobian of a gradient is the matrix of second derivatives.",
     .shapes = "f(x) (…), x (…) -> the axes of f(x), then those of x", .formula = "∂fᵢ/∂xⱼ",
     .example = "jacobian(softmax, [0, 0])\n# -> [[0.25, -0.25],⏎ [-0.25, 0.25]]\n"
                "jacobian(lambda x: grad(lambda y: y[0] ** 2 * y[1], x), [3, 1])\n"
                "# -> [[2, 6],⏎ [6, 0]]",
     .see = "grad"},
    {BUILTIN("gradcheck", gradcheck),
     .parameters = "f:function x:any *more:any argnums:any=0 eps:number=1e-6 atol:number=1e-5 "
                   "rtol:number=1e-3",
     .summary =
         "Compares the derivatives of f at x with central differences, in float64: True if all "
         "agree within atol + rtol · |difference|, else a check error with the two numbers where "
         "they differ most. Random numbers that f draws are the same each time. " ARGNUMS,
     .shapes = "f(x) a number or an array -> True",
     .formula = "(f(x + eps) - f(x - eps)) / (2 eps)",
     .example = "gradcheck(lambda x: sum(softmax(x) * log(x)), [1, 2, 3])\n# -> True",
     .see = "grad jacobian"},
    {0},
};
