#include "tests/grammar/walk.h"

#include "library/library.h"

#include <stdlib.h>
#include <string.h>

const char walk_begin[] =
    "large = rand(2000, 2000); long = rand(4000000); stack = rand(200, 20, 100, 10)\n"
    "whole = arange(4000000); single = float32(large); signs = large > 0.5\n"
    "flat = zeros((10**12, 0)); thin = zeros((0, 10**12)); slabs = zeros((10**12, 0, 3))\n"
    "axes = rand(2, 2, 2, 2, 2, 2); none = zeros(0); planes = zeros((0, 2, 2))\n"
    "text = \"ab\" * 5 * 10**6; words = \"猫 a\\n\" * 10**6; names = [\"a\", \"b\"] * 500000\n"
    "mixed = [1, \"a\", None] * 300000; arrays = [A] * 100000; pairs = [[1, \"b\"]] * 400000\n"
    "shared = (1, \"a\")\n"
    "for i in range(60):\n    shared = (shared, shared)\n"
    "keys = {str(i): i for i in range(100000)}\n";

static const char *const values[] = {
    "large", "long",        "stack",          "whole",       "single", "signs",   "flat",
    "thin",  "slabs",       "axes",           "none",        "planes", "text",    "words",
    "names", "mixed",       "arrays",         "pairs",       "shared", "keys",    "\"\"",
    "[]",    "{}",          "range(10**15)",  "10**15",      "10**7",  "-10**15", "nan",
    "inf",   "(10**12, 0)", "(10**6, 10**6)", "(3000, 3000)"};

/* What stands in the places that the value does not take. */
static const char *usual(ParameterType type) {
    switch (type) {
    case PARAMETER_NUMBER:
    case PARAMETER_WHOLE: return "2";
    case PARAMETER_BOOL: return "True";
    case PARAMETER_TEXT: return "\"a\"";
    case PARAMETER_AXIS: return "0";
    case PARAMETER_SHAPE: return "(2, 3)";
    case PARAMETER_FUNCTION: return "lambda *a: 1";
    case PARAMETER_LIST: return "[A, A]";
    case PARAMETER_RECORD: return "r";
    default: return "A";
    }
}

typedef struct Walk {
    Random *random;
    size_t step;
    void (*run)(void *data, const char *entry);
    void *data;
} Walk;

static void run_written(Walk *walk, Text *entry) {
    Error err = {.kind = ERR_NONE};
    text_string(entry, ";");
    if (text_ok(entry, &err) && random_below(walk->random, walk->step) == 0)
        walk->run(walk->data, entry->data);
    text_release(entry);
}

/* The call with the value in the place of parameter `place`; in every place if there is none such.
 */
static void run_call(Walk *walk, const BuiltinDef *builtin, const Signature *signature, int place,
                     const char *value) {
    Text entry = TEXT_EMPTY;
    bool all = place >= signature->count, in_place = builtin->changes_receiver;
    int first = 0;
    if (builtin->receiver) {
        bool is_place = all || place == (in_place ? -1 : 0);
        const char *receiver = strcmp(builtin->receiver, "string") == 0   ? "s"
                               : strcmp(builtin->receiver, "list") == 0   ? "xs"
                               : strcmp(builtin->receiver, "record") == 0 ? "d"
                                                                          : "A";
        if (in_place) text_format(&entry, "y = %s; y.", is_place ? value : receiver);
        else text_format(&entry, "(%s).", is_place ? value : receiver);
        first = !in_place;
    }
    text_format(&entry, "%s(", builtin->name);
    for (int i = first; i < signature->count; i++) {
        const SignatureParameter *parameter = &signature->parameters[i];
        bool here = i == place || (all && !parameter->optional);
        if ((parameter->optional || parameter->keywords) && !here) continue;
        if (!parameter->rest && (i >= signature->positional || parameter->optional))
            text_format(&entry, "%s=", parameter->name);
        text_format(&entry, "%s, ", here ? value : usual(parameter->type));
    }
    text_string(&entry, ")");
    run_written(walk, &entry);
}

static void walk_builtin(Walk *walk, const BuiltinDef *builtin) {
    Signature signature;
    Error err = {.kind = ERR_NONE};
    if (!builtin->call && !builtin->change && !builtin->changes_receiver) return; /* a constant */
    if (!signature_parse(&signature, builtin->parameters ? builtin->parameters : "", &err)) abort();
    for (int place = builtin->changes_receiver ? -1 : 0; place <= signature.count; place++)
        for (size_t i = 0; i < sizeof values / sizeof *values; i++)
            run_call(walk, builtin, &signature, place, values[i]);
    signature_release(&signature);
}

/* What the language itself does with two values: each text stands in front of, between and behind
 * them. */
static void walk_pairs(Walk *walk) {
    static const char *const texts[][3] = {
        {"", "+", ""},
        {"", "-", ""},
        {"", "*", ""},
        {"", "/", ""},
        {"", "//", ""},
        {"", "%", ""},
        {"", "**", ""},
        {"", "@", ""},
        {"", "==", ""},
        {"", "<", ""},
        {"", "&", ""},
        {"", " in ", ""},
        {"", " not in ", ""},
        {"", " is ", ""},
        {"", " and ", ""},
        {"", "[", "]"},
        {"y = ", "; y[", "] = 1"},
        {"[x for x in ", " if x == ", "]"},
        {"y = ", "; y[0:2] = ", ""},
        {"y = ", "; y += ", ""},
    };
    enum { VALUES = sizeof values / sizeof *values };
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
        for (size_t i = 0; i < VALUES * VALUES; i++) {
            Text entry = TEXT_EMPTY;
            text_format(&entry, "%s(%s)%s(%s)%s", texts[t][0], values[i / VALUES], texts[t][1],
                        values[i % VALUES], texts[t][2]);
            run_written(walk, &entry);
        }
}

void walk_entries(const Session *session, Random *random, size_t step,
                  void (*run)(void *data, const char *entry), void *data) {
    Walk walk = {random, step, run, data};
    for (const BuiltinDef *const *table = library_tables; *table; table++)
        for (const BuiltinDef *row = *table; row->name; row++) walk_builtin(&walk, row);
    walk_pairs(&walk);
    for (const CommandDef *const *table = session->commands; *table; table++)
        for (const CommandDef *row = *table; row->syntax.name; row++)
            for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
                Text entry = TEXT_EMPTY;
                text_format(&entry, "%s (%s)", row->syntax.name, values[i]);
                run_written(&walk, &entry);
            }
}
