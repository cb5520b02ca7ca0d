/* Tasks as values, of the table or made of a function of the language. */
#include "library/task_value.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/operators/compute.h"
#include "library/arguments.h"
#include "library/file_path.h"
#include "library/model.h"
#include "library/vocabulary_value.h"

#include <string.h>

typedef struct TaskValue {
    Object object;
    Task *task;
} TaskValue;

/* ---- the object ---- */

static Task *held(const Object *object) { return ((const TaskValue *)object)->task; }

static void task_value_free(Object *object) {
    task_unref(held(object));
    mem_free(object);
}

static bool kinds_list(const Task *task, Value *out, Error *err) {
    if (!value_list_new(out, VALUE_LIST, 3, err)) return false;
    for (int kind = 0; model_kind_names[kind]; kind++) {
        const char *name = model_kind_names[kind];
        if (task_kinds(task) & 1u << kind && !list_append_text(out->list, name, strlen(name), err))
            return value_if(false, out);
    }
    return true;
}

static bool task_attribute(Object *object, const char *name, Value *out, Error *err) {
    const Task *task = held(object);
    if (strcmp(name, "vocab") == 0) return give_vocabulary(task->vocabulary, out, err);
    if (strcmp(name, "name") == 0) return value_string(out, task->name, strlen(task->name), err);
    if (strcmp(name, "kinds") == 0) return kinds_list(task, out, err);
    if (strcmp(name, "seed") != 0)
        return error_set(err, ERR_NAME, "a task has no attribute %s", name);
    *out = value_number((double)task->options.seed);
    return true;
}

static void task_write(Object *object, Text *text, int digits) {
    const Task *task = held(object);
    const char *between = "";
    (void)digits;
    text_format(text, "task %s", task->name);
    if (task->def->summary) text_format(text, ": %s", task->def->summary);
    text_format(text, "\n%zu tokens, for ", task->vocabulary->count);
    for (int kind = 0; model_kind_names[kind]; kind++) {
        if (!(task_kinds(task) & 1u << kind)) continue;
        text_format(text, "%s%s", between, model_kind_names[kind]);
        between = ", ";
    }
    if (task->def->write_size) task->def->write_size(task, text);
}

static const ObjectType task_type = {
    .name = "task",
    .words = "a task",
    .attributes = (const char *const[]){"name", "vocab", "kinds", "seed", NULL},
    .attribute = task_attribute,
    .write = task_write,
    .free = task_value_free,
};

bool is_task(const Value *value) {
    return value->kind == VALUE_OBJECT && value->object->type == &task_type;
}

Task *task_given(const Value *value, Error *err) {
    static const TaskOptions usual = {.given = 0};
    if (is_task(value)) return task_ref(held(value->object));
    if (value->kind == VALUE_STRING) return task_new(value->string->data, &usual, err);
    error_set(err, ERR_TYPE, "%s is no task", value_words(value));
    error_hint(err, "A task is made by its name: t = task(\"reverse\")");
    return NULL;
}

/* Takes the task over; false where it is NULL. */
static bool give_task(Task *task, Value *out, Error *err) {
    TaskValue *made = task ? mem_zeroed(1, sizeof *made, err) : NULL;
    if (!made) {
        task_unref(task);
        return false;
    }
    *made = (TaskValue){{1, &task_type}, task};
    *out = value_object(&made->object);
    return true;
}

/* ---- tasks of the language ---- */

enum { NAME, OPTIONS, BESIDE = OPTIONS + TASK_OPTION_COUNT }; /* the arguments of task */

typedef struct FunctionTask {
    Interp *interp;
    Value function;
    Vocabulary *vocabulary;
    bool takes_seed, beside;
} FunctionTask;

static void function_task_release(void *self) {
    FunctionTask *task = self;
    value_release(&task->function);
    vocabulary_unref(task->vocabulary);
    mem_free(task);
}

/* The tokens of an answer, as tokens_given; beside an input, None is NO_LABEL: not counted. */
static bool answer_given(const FunctionTask *task, const Value *answer, int **ids, size_t *count,
                         Error *err) {
    const Vocabulary *vocabulary = task->vocabulary;
    const List *items = task->beside && value_is_list(answer) ? answer->list : NULL;
    LocalValue counted = VALUE_MISSING;
    if (items && !value_list_new(&counted, VALUE_LIST, items->count, err)) return false;
    for (size_t i = 0; items && i < items->count; i++) {
        bool is_none = items->items[i].kind == VALUE_NONE;
        Value item = is_none ? value_number(0) : value_ref(items->items[i]);
        if (!list_append_new(counted.list, item, err)) return false;
    }
    if (!tokens_given(vocabulary, vocabulary->count, items ? &counted : answer, "the answer", ids,
                      count, err))
        return false;
    for (size_t i = 0; items && i < *count; i++)
        if (items->items[i].kind == VALUE_NONE) (*ids)[i] = NO_LABEL;
    return true;
}

static bool draw_from_function(void *self, uint64_t seed, TaskExample *out, Error *err) {
    /* A draw depends on the seed alone, and leaves the session's generator alone. */
    const FunctionTask *task = self;
    Interp *interp = task->interp;
    const Random before = interp->random;
    const Value argument = value_number((double)(seed >> 11)); /* whole in float64 */
    LocalValue pair = VALUE_MISSING;
    random_seed(&interp->random, seed);
    bool ok = interp_call(interp, &task->function, &argument, task->takes_seed, &pair, err);
    interp->random = before;
    if (!ok) return false;
    if (!value_is_list(&pair) || pair.list->count != 2) {
        error_set(err, ERR_TYPE, "the function of a task gives an input and its answer, not %s",
                  value_words(&pair));
        return error_hint(err, "For example: return xs, flip(xs)");
    }

    const Value *input = &pair.list->items[0];
    bool vectors = value_axes(input) == 2;
    out->width = 0;
    if (vectors) {
        LocalTensor *x = value_as_tensor(input, "the input", err);
        if (!x) return false;
        if (x->count == 0) return error_set(err, ERR_VALUE, "%s is empty", "the input");
        x = compute_cast(x, DTYPE_DOUBLE, err);
        if (!x || !task_example_set_vectors(out, tensor_doubles(x), x->shape.size[0],
                                            x->shape.size[1], err))
            return false;
    }
    for (int side = vectors; side < 2; side++) {
        LocalMemory int *ids = NULL;
        size_t count;
        bool given = side ? answer_given(task, &pair.list->items[1], &ids, &count, err)
                          : tokens_given(task->vocabulary, task->vocabulary->count, input,
                                         "the input", &ids, &count, err);
        if (!given || !task_example_reserve(out, count, err)) return false;
        memcpy(side ? out->answer : out->input, ids, count * sizeof *ids);
        *(side ? &out->answer_count : &out->input_count) = count;
    }
    return true;
}

static Task *task_of_function(const Call *call, const Value *function, bool beside, uint64_t seed,
                              Error *err) {
    const Value *tokens = &call->arguments[OPTIONS + TASK_TOKENS];
    Vocabulary *vocabulary = vocabulary_of(&call->arguments[OPTIONS + TASK_VOCABULARY]);
    if (!vocabulary && (tokens->kind == VALUE_NONE || tokens->kind == VALUE_STRING)) {
        error_set(err, ERR_TYPE, "a task made of a function needs the list of its tokens");
        error_hint(err, "For example: task(f, tokens=[\"a\", \"b\", \"c\"])");
        return NULL;
    }
    vocabulary = vocabulary ? vocabulary_ref(vocabulary) : vocabulary_of_list(tokens, true, err);
    FunctionTask *made = vocabulary ? mem_zeroed(1, sizeof *made, err) : NULL;
    if (!made) {
        vocabulary_unref(vocabulary);
        return NULL;
    }
    const Function *code = function->kind == VALUE_FUNCTION ? function->function : NULL;
    const Symbol *symbol = code ? code->code->name : NULL;
    *made = (FunctionTask){call->interp, value_ref(*function), vocabulary, .beside = beside};
    made->takes_seed =
        code && code->code->parameter_count > 0 && code->fallbacks[0].kind == VALUE_UNSET;
    TaskHook hook = {draw_from_function, function_task_release, made};
    return task_new_from(symbol ? symbol->name : "function", &hook, vocabulary, beside, seed, err);
}

/* ---- rows ---- */

static bool make_task(const Call *call, Value *out, Error *err) {
    const Value *name = &call->arguments[NAME];
    TaskOptions options = {.given = 0};
    if (name->kind == VALUE_FUNCTION || name->kind == VALUE_BUILTIN) {
        const Value *seed = &call->arguments[OPTIONS + TASK_SEED];
        return option_set(&task_options[TASK_SEED], &options, seed, "", err) &&
               give_task(task_of_function(call, name, bool_at(call, BESIDE), options.seed, err),
                         out, err);
    }
    if (name->kind != VALUE_STRING) {
        error_set(err, ERR_TYPE, "a task is made by its name or of a function, not of %s",
                  value_words(name));
        return error_hint(err, "For example: task(\"reverse\", length=8)");
    }
    for (int i = 0; i < TASK_OPTION_COUNT; i++) {
        if (!given_at(call, OPTIONS + i)) continue;
        options.given |= 1u << i;
        Vocabulary *tokens = vocabulary_of(&call->arguments[OPTIONS + i]);
        if (i == TASK_VOCABULARY && tokens) options.given_vocabulary = tokens;
        else if (!option_set(&task_options[i], &options, &call->arguments[OPTIONS + i], "\"", err))
            return false;
    }
    LocalText path = TEXT_EMPTY; /* borrowed by the options */
    if (options.path) {
        if (!file_path_to_read(call->interp, options.path, &path, err)) return false;
        options.path = path.data;
    }
    return give_task(task_new(name->string->data, &options, err), out, err);
}

/* (places, inputs). */
static Tensor *vectors_of(const TaskExample *example, Error *err) {
    Shape shape = shape_2d(example->input_count, example->width);
    Tensor *made = tensor_new(DTYPE_DOUBLE, &shape, err);
    if (made) tensor_write(made, 0, made->count, example->vectors);
    return made;
}

static bool sample(const Call *call, Value *out, Error *err) {
    enum { TASK, COUNT, HELD_OUT, SAMPLE_SEED };
    Random own, *random = random_at(call, SAMPLE_SEED, &own);
    TaskExample example = {.input = NULL};
    size_t count;
    if (!size_at(call, COUNT, "the number of examples", &count, err)) return false;
    LocalTask *task = task_given(&call->arguments[TASK], err);
    bool made = task && value_list_new(out, VALUE_LIST, 0, err), ok = made;
    for (size_t i = 0; ok && i < count; i++) {
        LocalText input = TEXT_EMPTY, answer = TEXT_EMPTY;
        Value pair[2] = {VALUE_MISSING, VALUE_MISSING}, item;
        if (!interrupted(err) && task_draw(task, random, bool_at(call, HELD_OUT), &example, err) &&
            task_write_example(task, &example, &input, &answer, err) &&
            (example.width ? give(vectors_of(&example, err), &pair[0])
                           : value_text(&pair[0], &input, err)))
            value_text(&pair[1], &answer, err);
        /* give_tuple fails without both. */
        ok = give_tuple(&item, pair, 2, err) && list_append_new(out->list, item, err);
    }
    task_example_release(&example);
    if (made && !ok) value_release(out);
    return ok;
}

#define GROUP "models"

const BuiltinDef tasks_table[] = {
    {BUILTIN("task", make_task),
     .parameters = "name:any " TASK_OPTIONS(OPTION_PARAMETER) "beside:bool=False",
     .summary =
         "Examples to learn from: each an input and its answer, with tokens of their own, t.vocab. "
         "Inputs whose hash says so are held out: training never sees them, evaluate does. The "
         "tasks are order, copy, reverse, sort, palindrome, addition, translate, pronoun, "
         "induction, motif and text (of a file, path=); length and vocab are their sizes (those of "
         "copy, reverse and sort are letters, a to z), and what else they take an error says. "
         "pronoun has sentences of two forms, frames=\"place\" (The animal didn't cross the street "
         "...), frames=\"role\" (The dog didn't chase the cat ...) or, usually, \"both\", with and "
         "without a full stop; it and translate take language=\"zh\". text has tokens of its own, "
         "tokens=\"characters\", \"pairs\" (vocab of them) or \"words\", or with vocab=m.vocab "
         "those of a model; its examples begin anywhere, with each=\"line\" where a line begins, "
         "with each=\"##\" behind that mark. A function f of the language makes a task, too: "
         "task(f, tokens=[...]) or task(f, vocab=m.vocab), where f() draws an input and its "
         "answer, two lists of tokens or strings; with beside=True each token of the answer "
         "belongs to the token of the input beside it, and None is not counted. The input may be "
         "vectors, an array (places, n), for an encoder with inputs=n; an answer of one token is "
         "then read at the first place.",
     .example = "t = task(\"reverse\", length=4, vocab=6)\nt.vocab.size\n# -> 9\n"
                "def f():\n    xs = randint(0, 10, 5)\n    return xs, flip(xs)\n\n"
                "print(task(f, tokens=range(10)).vocab)\n"
                "# -> 13 tokens (characters): 0 1 2 3 4 5 6 7 8 9 <sep> <begin> <end>",
     .see = "sample train transformer"},
    {BUILTIN("sample", sample), .pythons = &sample_of_python,
     .parameters = "t:any n:whole=3 held_out:bool=False seed:whole?=None",
     .summary = "Some examples of a task: a list of tuples of the input and its answer, as text, "
                "from the training side, or with held_out=True from the other. Behind Python's "
                "module, random.sample(xs, k) is k items of a list, none of them twice.",
     .example = "t = task(\"reverse\", length=4, vocab=6)\nx, y = sample(t, 1)[0]\nx == y[::-1]\n"
                "# -> True",
     .see = "task"},
    {0},
};
