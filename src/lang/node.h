/* The tree that the parser makes and the evaluator walks.
 *
 * Nodes live in their chunk's arena. A chunk (source text, tree) is counted:
 * functions made from it keep it alive. */
#ifndef ATTN_LANG_NODE_H
#define ATTN_LANG_NODE_H

#include "base/arena.h"
#include "engine/operators/operator.h"
#include "lang/value.h"

typedef struct Node Node;
typedef struct Symbol Symbol; /* interp.h: an interned name and its session variable */

/* clang-format off */
typedef enum NodeKind {
    /* expressions */
    NODE_NUMBER, NODE_STRING, NODE_CONSTANT, /* True False None */
    NODE_NAME,
    NODE_FSTRING,    /* parts: strings and formatted expressions */
    NODE_ARRAY,      /* [a, b]  and  [a, b; c, d] as an array of arrays */
    NODE_TUPLE,
    NODE_RECORD,     /* {"a": 1, **d} */
    NODE_SET,        /* {a, b}; or its one item is a comprehension */
    NODE_UNARY,      /* op: OP_NEGATIVE, OP_NOT (for ~); + is dropped after a check by NODE_PLUS */
    NODE_PLUS,
    NODE_BINARY,     /* op: an arithmetic Op, OP_MATMUL, one on bits: OP_AND for &, OP_OR for | */
    NODE_COMPARE,    /* a chain */
    NODE_NOT, NODE_AND, NODE_OR,
    NODE_CONDITIONAL,/* a if c else b */
    NODE_NAMED,      /* (x := value) */
    NODE_CALL, NODE_INDEX, NODE_ATTRIBUTE,
    NODE_SLICE,      /* only inside NODE_INDEX */
    NODE_ELLIPSIS,   /* only inside NODE_INDEX */
    NODE_LAMBDA,
    NODE_COMPREHENSION, /* also a generator expression */
    NODE_STAR,       /* *xs in a call */
    NODE_DOUBLE_STAR,/* **d in a call */
    /* statements */
    NODE_EXPRESSION, NODE_ASSIGN, NODE_AUGMENTED,
    NODE_IF, NODE_FOR, NODE_WHILE, NODE_BREAK, NODE_CONTINUE,
    NODE_DEF, NODE_CLASS, NODE_WITH, NODE_RETURN, NODE_YIELD, NODE_YIELD_FROM,
    NODE_ASSERT, NODE_TRY, NODE_RAISE, NODE_PASS, NODE_DEL,
    NODE_SCOPE,      /* global x, nonlocal x */
    NODE_IMPORT,     /* import numpy as np: means nothing */
    NODE_MODULE,     /* what import assigns: a module, or a name of it; text NULL: a missing one */
    NODE_COMMAND,
} NodeKind;

typedef enum Comparison {
    COMPARE_EQUAL, COMPARE_NOT_EQUAL, COMPARE_LESS, COMPARE_LESS_EQUAL, COMPARE_GREATER,
    COMPARE_GREATER_EQUAL, COMPARE_IN, COMPARE_NOT_IN, COMPARE_IS, COMPARE_IS_NOT,
} Comparison;
/* clang-format on */

typedef struct NodeList {
    Node **items;
    int count;
} NodeList;

typedef struct CallArgument {
    const char *keyword; /* NULL: by position */
    const Node *name;    /* the keyword as in the text; or NULL */
    Node *value;         /* a NODE_STAR for *xs, a NODE_DOUBLE_STAR for **d */
} CallArgument;

typedef struct FStringPart {
    const char *text;
    size_t length; /* a literal piece when value is NULL */
    Node *value;
    Node *spec;      /* the format after ':', a NODE_FSTRING; NULL: none */
    bool debug;      /* f"{x=}": text holds "x=" */
    char conversion; /* 'r' 's' or 0 */
} FStringPart;

/* One `for x in xs if c` of a comprehension. */
typedef struct ComprehensionFor {
    Node *target, *iterable;
    NodeList conditions;
} ComprehensionFor;

/* How a generator expression, (f(x) for x in xs), is computed. One that a builtin takes whole is a
 * list. */
typedef enum GeneratorUse {
    GENERATOR_NONE, /* it is none */
    GENERATOR_LIST,
    GENERATOR_UNTIL_TRUE, /* the same, up to the first item that counts as true: any */
    GENERATOR_UNTIL_FALSE,
    GENERATOR_LAZY, /* an iterator; `generator` has its code, which is without statements */
} GeneratorUse;

typedef struct FunctionParameter {
    Symbol *name;
    int slot;
    Node *fallback; /* the default; NULL: must be given */
} FunctionParameter;

/* A cell that a function takes along when it is made: from a slot of the enclosing frame to one of
 * its own. */
typedef struct Capture {
    int from, to;
} Capture;

/* The code of a def or lambda. *NAME and **NAME are parameters like the others, in the order of the
 * text, so that *NAME is the one behind those that can be given by position. Slots are the indices
 * into a call's frame: parameters first, then locals, then captured cells. */
enum { SLOTS_FEW = 8 }; /* of a call: these are on the C stack */

typedef struct FunctionCode {
    Symbol *name; /* NULL: lambda */
    FunctionParameter *parameters;
    int parameter_count;
    int positional; /* how many parameters can be given by position */
    int nameless;   /* and how many of these, before /, by position only */
    int rest;       /* *NAME, which takes a tuple of the further values; -1: none */
    int keywords;   /* **NAME, which takes a record of the further keywords; -1: none */
    int slot_count;
    Symbol **names; /* of the slots; NULL: a variable of a comprehension */
    bool direct;    /* a call by position needs no more than its arguments in few slots */
    int *cells;     /* the slots of its own variables that functions inside it use */
    int cell_count;
    Capture *captures;
    int capture_count;
    NodeList body;  /* statements; a lambda has one NODE_RETURN */
    NodeList named; /* the names that := gives a value in an expression of the body; of a class,
                     * those with a type, the fields of a dataclass */
    /* The body of a class: its parameters are the names that it makes. They are no variables of the
     * functions inside. */
    bool class_body;
    bool yields;               /* a call makes an iterator, which runs the body by parts */
    bool method;               /* it is in the body of the class `owner` itself */
    bool sets_fields;          /* __init__ of a dataclass: it puts its parameters into the fields */
    const struct Node *doc;    /* the string that its body begins with; NULL: none */
    const Node *comprehension; /* of a generator expression; else NULL */
    const struct FunctionCode *owner; /* the body of the class that it is a method of; or NULL */
    Span span;
} FunctionCode;

/* The text before parameter i where a function is shown: "*", "**", "*, " before the first that is
 * given by keyword only, or "". */
static inline const char *parameter_stars(const FunctionCode *code, int i) {
    if (i == code->rest) return "*";
    if (i == code->keywords) return "**";
    return i == code->positional && code->rest < 0 ? "*, " : "";
}

/* One argument of a command. */
typedef struct CommandArgument {
    const char *word; /* one of its own; NULL: the argument is something to evaluate, */
    Node *value;      /* this */
    Span span;
} CommandArgument;

/* clang-format off */
struct Node {
    NodeKind kind;
    Op op;
    bool quiet;         /* a statement of a line that ended with ';' */
    bool parenthesised; /* an expression that was in parentheses */
    bool rows;          /* NODE_ARRAY: of rows with ; between them */
    bool joins;         /* NODE_BINARY + or *: lists are joined and repeated, as in Python */
    bool chained;       /* NODE_BINARY +: `joins` was found out for the whole chain */
    bool spaced;        /* NODE_ARRAY: [1 -2], one element here, of which Octave makes two */
    Span span;
    union {
        double number;
        Value constant;                       /* NODE_CONSTANT, NODE_STRING (kept by the chunk) */
        struct { Symbol *symbol; int slot; } name; /* slot -1: a session variable or builtin */
        struct { FStringPart *parts; int count; } fstring;
        NodeList list;                        /* NODE_ARRAY, NODE_TUPLE, NODE_SET */
        /* key NULL: all fields of the value; {k: v for ...}: one value, of tuples (k, v) */
        struct { Node **keys, **values; int count; bool comprehension; } record;
        /* NODE_UNARY PLUS NOT STAR DOUBLE_STAR EXPRESSION YIELD_FROM; RETURN YIELD (NULL: None) */
        Node *operand;
        struct { Node *left, *right; } binary;/* NODE_BINARY AND OR */
        struct { NodeList operands; Comparison *comparisons; } compare;
        struct { Node *condition, *then, *otherwise; } conditional;
        /* alone: it is a statement, so that nobody waits for its value;
         * mixed: not all arguments are given by position, one has a keyword or stars;
         * grows: xs of xs.append(v), where it is alone, and xs a name or part; else NULL */
        struct { Node *callee, *grows; CallArgument *arguments; int count; bool alone, mixed; } call;
        struct { Node *object; NodeList items; } index;
        /* member: NAME of np.NAME or np.linalg.NAME, the built-in unless np is a variable; habit: such
         * a member gives other values elsewhere, torch.var or np.random.seed */
        struct { Node *object; const char *name; Span name_span; Symbol *symbol, *member; bool habit; }
            attribute;
        struct { Node *start, *stop, *step; } slice; /* NULL: left out */
        struct { const struct ModuleText *text; Symbol *member; } module; /* member NULL: itself */
        FunctionCode *function;               /* NODE_LAMBDA */
        struct { FunctionCode *function; Node *target; NodeList decorators; } def;
        struct { FunctionCode *body; Node *target; NodeList decorators, bases; } class;
        /* with value as target: ..., the target NULL where there is none */
        struct { Node *value, *target; NodeList body; } with;
        /* cells: the slots of its variables that functions inside it use */
        struct { Node *element; ComprehensionFor *fors; int count, cell_count, *cells;
                 FunctionCode *generator; GeneratorUse use; } comprehension;
        /* a = b = value has two targets; a, b = value has one, a NODE_TUPLE */
        struct { NodeList targets; Node *value; } assign;
        struct { Node *target, *value; } augmented;       /* op */
        struct { Node *target, *value; } named;
        struct { Node *condition; NodeList then, otherwise; } branch; /* elif: an if in otherwise */
        /* otherwise: the `else` block, for when no break ended the loop */
        struct { Node *target, *iterable; NodeList body, otherwise; } loop;
        struct { Node *condition; NodeList body, otherwise; } while_loop;
        struct { Node *condition, *message; } assertion;
        struct { NodeList body, otherwise, finally; struct Handler *handlers; int count; } try_block;
        /* exception NULL: the value is the error; both NULL: the one that is handled */
        struct { const struct Exception *exception; Node *value, *cause; } raise;
        NodeList targets;                     /* NODE_DEL */
        struct { NodeList names; bool global; } scope; /* NODE_NAMEs */
        struct { const char *name; CommandArgument *arguments; int count; } command;
    };
};
/* clang-format on */

/* The node before the brackets and attributes: A of A[0].x. */
static inline const Node *node_root(const Node *node) {
    while (node->kind == NODE_INDEX || node->kind == NODE_ATTRIBUTE)
        node = node->kind == NODE_INDEX ? node->index.object : node->attribute.object;
    return node;
}

/* The if that an elif is short for, in the else of another; NULL. */
static inline Node *node_elif(const Node *node) {
    if (node->kind != NODE_IF || node->branch.otherwise.count != 1) return NULL;
    Node *first = node->branch.otherwise.items[0];
    return first->kind == NODE_IF ? first : NULL;
}

typedef struct Handler {
    NodeList kinds;                      /* the classes of errors; none: all errors */
    const struct Exception **exceptions; /* of each the predefined one that it names; or NULL */
    Node *target;                        /* NODE_NAME of `as x`, or NULL */
    NodeList body;
} Handler;

/* A block of an if, a loop or a try. */
typedef struct Block {
    Node *target; /* assigned at its beginning: i of for i in n, e of except as e; or NULL */
    const NodeList *statements;
} Block;

/* Block i, in the order of the text; without statements (NULL): there are no more. */
Block node_block(const Node *node, int i);

/* One piece of the top level: a line with its `;` parts, or a block. undo takes back one. */
typedef struct Entry {
    int first, count; /* into the chunk's statements */
    Span span;
} Entry;

typedef struct Chunk {
    int refs;
    char *file; /* for messages; "" at the prompt and with -c */
    char *text;
    size_t length;
    CountedLine counted; /* where the last error was: a loop may raise and catch thousands */
    Arena arena;
    NodeList statements;
    Entry *entries;
    int entry_count;
    int slot_count; /* hidden slots of comprehension variables at the top level */
    Value *strings; /* constants whose references the chunk holds */
    size_t string_count, string_capacity;
    /* A file that ends in .py: + and * of lists are Python's, and values are not shown. */
    bool python;
    FunctionCode *module; /* of a module: the function whose variables its names are; else NULL */
    bool raises_again;    /* `raise` alone is in it */
    /* True if the parser read full-width punctuation as ASCII, or left out lines of Jupyter's or
     * imports of modules that draw. A person is told of each once a session. */
    bool used_full_width, used_jupyter, left_import;
} Chunk;

Chunk *chunk_ref(Chunk *chunk);
void chunk_unref(Chunk *chunk); /* NULL is fine */
static inline void chunk_unref_local(Chunk **local) { chunk_unref(*local); }
#define LocalChunk __attribute__((cleanup(chunk_unref_local))) Chunk

#endif
