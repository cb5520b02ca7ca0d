/* The interpreter: names, the evaluator, calls.
 *
 * It knows arrays; it knows nothing of attention and no command: it is given the builtins' table,
 * the words of the commands, and one function that runs a parsed command. */
#ifndef ATTN_LANG_INTERP_H
#define ATTN_LANG_INTERP_H

#include "base/arena.h"
#include "base/host.h"
#include "base/nearest.h"
#include "base/random.h"
#include "lang/builtin.h"
#include "lang/command.h"
#include "lang/node.h"

/* An interned name. Its session variable lives here, so that the evaluator
 * finds it without a look-up. */
struct Symbol {
    Symbol *next;              /* in its hash bucket */
    Value value;               /* VALUE_UNSET: no session variable of this name */
    const BuiltinDef *builtin; /* NULL: none */
    /* Rows with a receiver, the last one of a type of objects; NULL: none. */
    const BuiltinDef *string_method, *list_method, *record_method, *set_method, *object_method;
    uint64_t touched; /* the entry in which the journal last kept the old value */
    String *text;     /* the name as a value, the same for all: the key of fields; or NULL */
    uint64_t named;   /* the last parsed call that has it as a keyword, by Interp.calls */
    size_t length;
    char name[]; /* NFKC */
};

/* True if a method of that name changes its receiver. */
static inline bool symbol_changes_receiver(const Symbol *symbol) {
    return (symbol->list_method && symbol->list_method->changes_receiver) ||
           (symbol->set_method && symbol->set_method->changes_receiver) ||
           (symbol->record_method && symbol->record_method->changes_receiver);
}

/* True if a call of a method that changes lists is xs.append(v). */
static inline bool call_appends(const Node *call, const BuiltinDef *method) {
    return method && method->changes_receiver && !method->change && call->call.count == 1 &&
           !call->call.mixed;
}

typedef struct Change {
    Symbol *symbol; /* NULL: a shared payload or an object changed */
    Value holder;   /* that one: a list, record or cell, or a SharedObject; else VALUE_UNSET */
    Value value;    /* of the variable; a copy of the payload as it was; or the object's state */
} Change;

/* Holds what an entry changed as it was before: session variables, shared payloads, states of
 * objects. Applying it swaps: afterwards it holds what was there, so undo and redo are one thing.
 */
typedef struct Journal {
    Change *changes;
    size_t count, capacity;
} Journal;

void journal_apply(Journal *journal); /* swaps old and new */
void journal_release(Journal *journal);
size_t journal_bytes(const Journal *journal); /* what it keeps alive, roughly */

typedef struct Function {
    Shared shared;
    Chunk *chunk;
    FunctionCode *code;
    Value *captured;  /* code->capture_count cells */
    Value *fallbacks; /* defaults, evaluated when the function was made; VALUE_UNSET: none */
    size_t count;     /* of both together, and the record of its attributes (or VALUE_UNSET),
                       * which lie behind each other */
    bool abstract;    /* @abstractmethod */
} Function;

/* The record of f.x, f.y ... of a function; VALUE_UNSET: it has none. */
static inline Value *function_fields(const Function *function) {
    return &function->captured[function->code->capture_count + function->code->parameter_count];
}

/* The state by which a function with yield goes on where it stopped. Each statement around the
 * yield keeps something of its own, the innermost first: a block the index of the statement, a loop
 * its iterator. They take it back from the outermost on. */
typedef struct Resumption {
    List *kept;                 /* the items of the iterator: behind its slots is what was kept */
    bool resumes;               /* statements only lead to the last yield now */
    const Value *sent, *thrown; /* those of the iterator */
} Resumption;

typedef struct Frame {
    Chunk *chunk;
    const FunctionCode *code; /* NULL at the top level */
    Value *slots;
    Value result; /* of return */
    struct Interp *interp;
    const Value *handled; /* the error whose handler runs; NULL: none */
    int blocks; /* nested blocks that are running; 0: a statement of the top level itself */
    const struct Frame *caller; /* of a function; NULL: the top level */
    Resumption *resumption;     /* of a function with yield; else NULL */
} Frame;

typedef struct InterpHooks {
    void *context;
    const CommandSyntax *commands; /* ends with a row whose name is NULL */
    bool (*run_command)(void *context, CommandCall *call, Error *err);
    const ModuleText *modules; /* NULL: there are none */
    /* Shows the value of an expression statement at the top level, unless it is quiet or None. */
    bool (*show)(void *context, const Value *value, Error *err);
    /* The object, borrowed, that SYMBOL.NAME is an attribute of, whatever the variable holds; NULL:
     * it is an attribute of the variable's value. May be NULL itself. */
    Object *(*attribute_host)(void *context, const Symbol *symbol, const char *name);
    /* Sets how many digits are shown from now on, 1..17. NULL: `digits` below is all there is. */
    void (*set_digits)(void *context, int digits);
    /* Called before a file is written: may ask the person whether one that is there is replaced.
     * forced: does not ask. ERR_FILE: the file is kept; the hint is then `remedy`. May be NULL. */
    bool (*may_write)(void *context, const char *path, bool forced, const char *remedy, Error *err);
} InterpHooks;

/* A topic that the person was told of, and the entry in which that was last. */
typedef struct Noted {
    const char *topic;
    uint64_t entry;
} Noted;
enum { NOTED_MAX = 16 };

/* The notes of remedy/alias.c that were written: at the prompt those of this entry, in a .py file
 * those since it began. */
typedef struct AliasNotes {
    const Node *told[8]; /* the statements of which the person was told */
    size_t count;
    int searched; /* values, by the searches that found nothing */
} AliasNotes;

typedef struct Interp {
    Host *host;
    Random random;
    uint64_t seed;
    int digits; /* of shown numbers, 1..17; <= 0 while a .py file runs (interp_runs_python) */
    int python_digits; /* the digits of a .py file: 0, or -d where arrays show d behind the point */
    InterpHooks hooks;
    int depth;       /* nested calls and expressions; ERR_LIMIT at depth_max */
    int depth_max;   /* INTERP_DEPTH_MAX, or less where the stack is small */
    Journal journal; /* of the running entry */
    uint64_t entry;  /* its number */
    uint64_t calls;  /* with keywords, that were parsed */
    Arena symbols;   /* they stay as long as the interp */
    Symbol **buckets;
    size_t bucket_count, symbol_count;
    struct Signature **signatures; /* of the builtins, parsed at their first call, by address */
    size_t signature_capacity;
    Tensor *scratch; /* without axes: carries plain numbers into the engine */
    /* NULL at the end; each table ends with a row without a name. */
    const BuiltinDef *const *tables;
    const char *directory; /* where relative paths of load, save and run start; NULL: here */
    bool notes; /* a person is told of habits that do something else here (remedy/habits.c) */
    const Frame *running; /* the innermost function; NULL: the top level */
    AliasNotes alias_notes;
    bool safe;            /* --safe: nothing is written, no program started */
    size_t training_most; /* a training ends after so many steps; 0: as many as it is asked for */
    bool training_cut;    /* one has ended so */
    const char *root;     /* with --safe: what is read lies here or below; NULL: in the directory */
    /* The entry is a repetition of an earlier one: files are not written again, all else runs. */
    bool rehearses;
    bool rewriting;     /* a rewritten line is being tried: its errors are not rewritten again */
    Symbol **specials;  /* the names of Python's methods with underscores (class.h) */
    Value *exceptions;  /* the classes of the predefined errors, made when first needed */
    Value object_class; /* the class object, and ABC */
    Value imported;     /* those that were run, by their names: a record of objects */
    Value raised;       /* the object that was raised last */
    unsigned raises;    /* its number, as in Error.raised */
    Noted noted[NOTED_MAX]; /* ends with a row without a topic, unless it is full */
} Interp;

/* The most levels of calls, blocks and expressions. A call takes two levels and those of what is in
 * it: 1,000 calls of a plain recursive function go through. The stack of 8 MB allows for 1.6 kB a
 * level; sanitizers take up to 2.5. */
enum { INTERP_DEPTH_MAX = ADDRESS_SANITIZER ? 2500 : 5000 };

/* tables: arrays of rows that end with a row whose name is NULL. Constants pi, e, inf, nan
 * are builtin rows too (value in the row). The interp borrows everything it is given. */
bool interp_init(Interp *interp, Host *host, const BuiltinDef *const *tables,
                 const InterpHooks *hooks, Error *err);
void interp_release(Interp *interp);

/* True while an entry of a .py file runs: what is shown and what is an error are Python's then. */
static inline bool interp_runs_python(const Interp *interp) { return interp->digits <= 0; }

/* ---- notes that are not to be said again ---- */

/* True if the person was not told of the topic yet, in this session or in this entry. From now on
 * they were. The topic is a literal: the interp keeps the pointer. */
bool interp_first_in_session(Interp *interp, const char *topic);
bool interp_first_in_entry(Interp *interp, const char *topic);
/* Notes, once an entry, that a whole number beyond 2**53 was rounded. */
void note_rounded(Interp *interp, double result);

/* ---- trials of proposals ---- */

typedef enum Trial { TRIAL_FAILS, TRIAL_UNKNOWN, TRIAL_WORKS } Trial;
/* Tries whether a line that is to be proposed works, as far as that is seen without changing or
 * showing anything and in little time and memory. `value` (may be NULL) gets that of an expression,
 * or of what is assigned; else VALUE_UNSET. defined: a name without a value fails; else it may get
 * one. `err` (may be NULL) says why it fails. */
Trial interp_try(Interp *interp, const char *line, bool defined, Value *value, Error *err);
/* True, and an error, while a line is being tried: for what a trial leaves out. */
bool interp_leaves_out(const Interp *interp, Error *err);

/* ---- names ---- */

/* The symbol of a name, made when new. The text is brought to NFKC. NULL and ERR_LIMIT when memory
 * runs out. */
Symbol *interp_symbol(Interp *interp, const char *name, size_t length, Error *err);
const Symbol *interp_find(const Interp *interp, const char *name); /* NULL: never seen */
/* The same for the first bytes of a text. */
const Symbol *interp_find_word(const Interp *interp, const char *name, size_t length);
/* Assigns a session variable (a new reference), keeping the old value in the journal; unset takes
 * the variable away. */
bool interp_set(Interp *interp, Symbol *symbol, Value value, Error *err);
bool interp_unset(Interp *interp, Symbol *symbol, Error *err);
/* Keeps the state of an object in the journal, before the entry changes it for the first time. */
bool interp_keep_state(Interp *interp, SharedObject *object, Error *err);
/* Visits the session variables that have a value, in no order; NULL at the end. VariableWalk walk =
 * {.interp = interp}; for (Symbol *symbol; (symbol = variable_next(&walk));) ... */
typedef struct VariableWalk {
    const Interp *interp;
    size_t bucket;
    Symbol *symbol;
} VariableWalk;
Symbol *variable_next(VariableWalk *walk);
/* The known name that is nearest (base/nearest.h) among session variables, builtins, commands and
 * `extra`, which ends with NULL or is NULL; NULL when none is near. */
const char *interp_nearest(const Interp *interp, const char *name, const char *const *extra);

/* ---- modules (eval/module.c) ---- */

/* The module of that name; NULL: there is none. */
const ModuleText *module_find(const Interp *interp, const char *name, size_t length);
/* The module as a value, whose attributes are its names; run when it is asked for first. */
bool interp_module(Interp *interp, const ModuleText *module, Value *out, Error *err);
/* True for a module that was imported. */
bool value_is_module(const Interp *interp, const Value *value);
/* True if a builtin belongs to it. */
bool module_has_builtin(const ModuleText *module, const char *name);

/* ---- attributes ---- */

/* The value of object.name, which is no method. ERR_NAME when there is none such. */
bool value_attribute(Interp *interp, const Value *object, const char *name, Value *out, Error *err);
/* The names of the attributes of an array or object, NULL at the end, without the methods; NULL for
 * other values. */
const char *const *value_attributes(const Value *object);
/* The builtin that `object.name(...)` calls; NULL: none. */
const BuiltinDef *find_method(Interp *interp, const Value *object, const char *name);
/* The same by the symbol of the name. */
const BuiltinDef *method_of(const Value *object, const Symbol *symbol);

/* ---- running ---- */

/* Runs entry `index` of the chunk. On an error or interrupt the session variables that it
 * changed are left changed: the caller decides by interp_end_entry. Errors carry their place. */
bool interp_run_entry(Interp *interp, Chunk *chunk, int index, Error *err);
void interp_begin_entry(Interp *interp);
/* Takes the journal of the entry: the caller applies it (to take the entry back), keeps it (for
 * undo), or releases it. */
Journal interp_end_entry(Interp *interp);

/* a op b. Lists are joined where something in them is no number (value_holds_numbers). The result
 * may be written over an array to which a or b has the only reference. */
bool value_binary(Interp *interp, Op op, const Value *a, const Value *b, Value *out, Error *err);
/* True if Python joins or repeats the operands: + of two lists, * of a list and a number. */
bool value_is_joined(Op op, const Value *a, const Value *b);
/* Sets *out to the operation of an operator between two sets. False: sets do not have it. */
bool set_operation(Op op, SetOperation *out);
bool value_join(Op op, const Value *a, const Value *b, Value *out, Error *err);

/* Calls a function or builtin value with positional arguments. */
bool interp_call(Interp *interp, const Value *callee, const Value *arguments, size_t count,
                 Value *out, Error *err);

/* The `call` of builtins that are written in the language: calls the function of their name in
 * their `source`, which all of them share, with the arguments, in the order of the parameters, and
 * what *NAME took as a tuple in its place. The source is read as a file of Python; names behind np.
 * and math. are the builtins, whatever a user's variables are called. Errors in it are those of the
 * call. */
bool interp_compose(const Call *call, Value *out, Error *err);

/* Evaluates one expression text over the session variables (lesson checks, tests). */
bool interp_evaluate(Interp *interp, const char *text, Value *out, Error *err);

#endif
