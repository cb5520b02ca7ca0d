/* A builtin: one row makes it exist. The row feeds the call, the check of its
 * arguments, help, completion, "did you mean" and the reference page. */
#ifndef ATTN_LANG_BUILTIN_H
#define ATTN_LANG_BUILTIN_H

#include "lang/value.h"

struct Interp;
struct BuiltinDef;

/* The arguments of one call, in the order of the parameters, defaults filled
 * in, each converted to its parameter's type. Borrowed. */
typedef struct Call {
    struct Interp *interp;
    const struct BuiltinDef *builtin;
    const Value *arguments;
    const Value *rest; /* what *NAME or **NAME took */
    size_t rest_count;
} Call;

/* clang-format off */
/* `parameters` declares them, separated by spaces: NAME:TYPE or NAME:TYPE=DEFAULT, in the order of
 * positional binding. DEFAULT is a literal: 1, -1, 1e-5, inf, e, pi, None, True, "text", or ...,
 * with which VALUE_UNSET arrives where nothing is given. TYPE? also
 * allows None, which then arrives as VALUE_NONE. The types, and what the function gets:
 *   array      VALUE_TENSOR, without axes for a number or boolean (as by value_as_tensor)
 *   number     VALUE_NUMBER (booleans count)
 *   whole      VALUE_NUMBER that is whole
 *   bool       VALUE_BOOL
 *   text       VALUE_STRING
 *   axis       VALUE_NONE, VALUE_NUMBER (whole) or VALUE_TUPLE of whole numbers
 *   shape      VALUE_TUPLE of whole numbers >= -1; a single number becomes a tuple of one
 *   function   VALUE_FUNCTION or VALUE_BUILTIN
 *   list       VALUE_LIST or VALUE_TUPLE (an array is taken apart along its first axis)
 *   record     VALUE_RECORD
 *   any        as it is
 * Parameters before a / are given by position only, those behind a * alone by keyword only.
 * *NAME:TYPE, last or followed by such parameters, takes the further positional arguments; **NAME
 * takes any keywords, and `rest` holds name, value, name, value; ***NAME takes both: a name is
 * VALUE_UNSET where there is none. arguments[i] belongs to parameter i; that of *NAME or **NAME
 * itself is VALUE_UNSET. A method's first parameter is its receiver. The signature that users see,
 * softmax(x, axis=-1, temperature=1), is made from this. */
/* clang-format on */
typedef struct BuiltinDef {
    const char *name;
    const char *group;    /* "make" "shape" "elementwise" ...: the heading on the reference page */
    const char *receiver; /* NULL: a function. Else what it is a method of: "string", "list",
                           * "record", or the name of a type of objects */
    const char *parameters;
    bool (*call)(const Call *call, Value *out, Error *err); /* NULL: a constant */
    const char *source; /* for interp_compose: a text that defines the function */
    bool indexed;       /* np.c_[a, b]: reading the name calls it, and what it gives is indexed */
    double constant;
    /* A constant that takes long to make: made when it is first read, and then kept as a variable
     * of its name. NULL: it is a number. */
    bool (*make)(const struct BuiltinDef *builtin, Value *out, Error *err);
    const char *summary;   /* one paragraph */
    const char *shapes;    /* "x (..., n) -> (..., n)"; NULL: nothing to say */
    const char *formula;   /* NULL: none */
    const char *example;   /* lines of code that run; "# -> " after a line holds what it shows */
    const char *see;       /* names, separated by spaces; NULL: none */
    bool calls_object;     /* x(...) of an object runs it: messages leave out the object */
    bool changes_receiver; /* xs.append(v): the method changes the list xs */
    bool changes_arrays;   /* A.sort(): and the array in a variable A */
    bool changes_argument; /* shuffle(xs): the function changes the list, or the array in a
                            * variable, that is its first argument */
    /* Runs such a method or function: changes the value where it lies, which is no argument of the
     * call (a function's argument may be looked at). NULL: append, which the evaluator does itself.
     */
    bool (*change)(Value *receiver, const Call *call, Value *out, Error *err);
    int op; /* an Op that `call` applies, without more where it is elementwise; else 0, OP_NONE */
    /* The function that the name means behind np. and as a method, where Python has another one of
     * that name; NULL: the same. It is in no table. */
    const struct BuiltinDef *numpys;
    /* In the same way, behind math. and random., and after from math import. */
    const struct BuiltinDef *pythons;
    /* Its values are of a type that Python calls by this name, "list" or "numpy.ndarray", and the
     * function is what type(x) gives of them; NULL: it is a function alone. */
    const char *type;
} BuiltinDef;

/* A module of Python: its text, which is run when it is first imported. The first line, "# Built
 * in: NAME...", lists builtins that belong to it too. The last row has no name. */
typedef struct ModuleText {
    const char *name, *text;
    size_t length;
} ModuleText;

typedef enum ParameterType {
    PARAMETER_ANY,
    PARAMETER_ARRAY,
    PARAMETER_NUMBER,
    PARAMETER_WHOLE,
    PARAMETER_BOOL,
    PARAMETER_TEXT,
    PARAMETER_AXIS,
    PARAMETER_SHAPE,
    PARAMETER_FUNCTION,
    PARAMETER_LIST,
    PARAMETER_RECORD,
} ParameterType;

typedef struct SignatureParameter {
    char *name;
    ParameterType type;
    unsigned direct; /* bit k: it reads values of kind k as they are */
    bool optional;   /* has a default */
    bool nullable;   /* TYPE? */
    bool rest;       /* *NAME */
    bool keywords;   /* **NAME */
    bool both;       /* ***NAME: `keywords`, and values without one */
    Value fallback;
    char *fallback_text;
} SignatureParameter;

enum { PARAMETERS_FEW = 8 }; /* rows that share a function may read more than they have */

typedef struct Signature {
    SignatureParameter *parameters;
    int count;
    int positional; /* how many can be given by position */
    int nameless;   /* and how many of these by position only */
    int least;      /* how many, by position, are enough: the builtin reads the defaults of
                     * the others as they are; INT_MAX: they are always to be bound */
    int rest;       /* index of *NAME or **NAME, -1: none */
    Value composed; /* what its `source` gives, once it was called */
    const BuiltinDef *builtin; /* the builtin that it belongs to */
} Signature;

/* Reads a declaration. ERR_VALUE names the piece that is wrong; the signature is empty then. */
bool signature_parse(Signature *signature, const char *parameters, Error *err);
void signature_release(Signature *signature);
/* Appends the parameters from number `first` on: x, axis=-1, *, temperature=1. */
void signature_write_parameters(Text *text, const Signature *signature, int first);
/* Appends "softmax(x, axis=-1, temperature=1)". */
void signature_write(Text *text, const BuiltinDef *builtin);

#endif
