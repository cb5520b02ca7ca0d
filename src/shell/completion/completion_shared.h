/* Declares what the files of completion share: the context of a place in an entry that is being
 * typed, what the names around it mean, the candidates for it, and what offers them. */
#ifndef ATTN_SHELL_COMPLETION_SHARED_H
#define ATTN_SHELL_COMPLETION_SHARED_H

#include "base/text.h"
#include "lang/token.h"
#include "session/session.h"
#include "shell/completion/completion.h"

/* ---- completion_context.c: the context ----
 *
 * It says what kind of thing is expected there, in which call, behind which command. The language's
 * own lexer reads the text before the place, which is seldom whole. Nothing is looked up and
 * nothing allocated. */

typedef enum ContextKind {
    CONTEXT_NOTHING,   /* a comment, a number, a name that is being made */
    CONTEXT_STATEMENT, /* the first word of a statement */
    CONTEXT_VALUE,     /* where an expression may begin */
    CONTEXT_OPERATOR,  /* behind a value: only and, or, if ... can follow */
    CONTEXT_ATTRIBUTE, /* behind a dot */
    CONTEXT_ARGUMENT,  /* among the arguments of a command */
    CONTEXT_STRING,
} ContextKind;

/* Names joined by dots: `A`, `last.weights`, `"text".split`. */
typedef struct Chain {
    TokenKind root; /* TOKEN_NAME or TOKEN_STRING; TOKEN_END: there is no chain; any other: its
                       value would have to be computed */
    Span span;
    size_t root_end;     /* the first name or the string is [span.begin, root_end) */
    Span last;           /* the last name, where there are several; else empty */
    size_t receiver_end; /* the text before the dot of that is [span.begin, receiver_end) */
} Chain;

typedef struct Context {
    ContextKind kind;
    Span word;    /* what has been typed of it, up to the point; of a string all behind the opening
                     quotes */
    Chain object; /* CONTEXT_ATTRIBUTE: the names before the dot */
    Span quotes;  /* CONTEXT_STRING: its prefix and opening quotes */
    bool in_call; /* some call is open around the point; these are about the innermost: */
    Chain callee; /* what is called */
    size_t call_begin;    /* behind its ( */
    bool among_arguments; /* no bracket is open within it */
    bool begins_argument; /* the word is the first of an argument: a keyword is allowed here */
    const CommandSyntax *command; /* the command that the statement is; or NULL */
    const CommandSyntax *picked;  /* the row that its first argument picked; or NULL */
    size_t arguments_begin; /* the offset of the arguments of picked, or else of the command */
    int arguments;          /* tokens between the command and the word */
    Span before;            /* the token before the word; empty: none */
    bool behind_value;      /* that token ends a value */
} Context;

void context_find(Context *context, const CommandSyntax *commands, const char *text, size_t length,
                  size_t point);

enum { GIVEN_MAX = 64 };

/* The arguments of the open call, those behind the point too. */
typedef struct GivenArguments {
    Span names[GIVEN_MAX]; /* of those that have a name */
    int count;
    int before; /* arguments without a name before the one at the point */
    Span name;  /* of the one at the point; empty: it has none */
} GivenArguments;

void context_given(const Context *context, const char *text, size_t length, GivenArguments *out);

/* ---- completion_callee.c: what names mean ----
 *
 * Only names and their attributes are looked up: nothing is called, indexed or changed. */

/* The meaning of a chain. */
typedef struct Meaning {
    bool module; /* np: its attributes are the functions that there are without it */
    Value value; /* new; VALUE_UNSET: not known */
} Meaning;

/* False: memory ran out. */
bool chain_meaning(const Session *session, const char *text, Chain chain, Meaning *out, Error *err);

/* The function of a call, with its parameters. */
typedef struct Callee {
    const char *name;    /* borrowed */
    Signature signature; /* of a builtin */
    Value function;      /* of the language, a reference; or VALUE_UNSET */
    int first;           /* how many parameters the value before the dot takes */
    int count;           /* parameters; 0 if nothing is known */
} Callee;

/* False: there is none, or memory ran out (then err is filled). */
bool callee_find(const Session *session, const char *text, Chain chain, Callee *out, Error *err);
void callee_release(Callee *callee);
/* NULL: the parameter cannot be named in a call (*rest). */
const char *callee_parameter(const Callee *callee, int i);
/* Appends "softmax(x, axis=-1, temperature=1)". */
void callee_write(const Callee *callee, int digits, Text *out);

/* ---- completion.c: the candidates as they are gathered: matched, sorted, each once ---- */

/* The ways to compare names with what was typed: as it is, or without regard to capitals. */
typedef enum Matching { MATCH_EXACT, MATCH_FOLDED } Matching;

typedef struct Candidate {
    size_t at;        /* the offset of its text in `texts` */
    const char *text; /* the same, once all are gathered */
    bool first;       /* before all that are not */
    bool closed;      /* whole: a space may follow */
} Candidate;

typedef struct Candidates {
    Matching matching;
    Text word;   /* the typed word, in small letters if folded */
    Text before; /* comes before each candidate: an opening quote and folders */
    Text scratch;
    char next;  /* the character behind the point: a ( that is there is not offered again */
    Text texts; /* each followed by a zero byte */
    Candidate *items;
    size_t count, capacity;
    bool failed; /* memory ran out */
} Candidates;

/* Appends the form in which names are kept (NFKC). */
void name_write(Text *out, const char *name, size_t length);
/* True if a list of names that ends with NULL holds this one. */
bool names_contain(const char *const *names, const char *name);

/* True if a name begins with what was typed. */
bool candidates_match(Candidates *candidates, const char *name);
/* Adds a name that does so, with its suffix; `first` and `closed` as in Candidate. */
typedef struct Offer {
    const char *name, *suffix;
    bool first, closed;
} Offer;
void candidates_offer(Candidates *candidates, Offer offer);
/* Offers those of the words, separated by spaces, for which may_offer is true; NULL: all. */
typedef bool WordFilter(const void *context, const char *word);
void candidates_offer_words(Candidates *candidates, const char *words, WordFilter *may_offer,
                            const void *context);

/* ---- completion_sources.c ---- */

/* The place that candidates are gathered for. */
typedef struct Place {
    const Session *session;
    const char *text;
    size_t length;
    Context context;
    size_t begin;   /* the offset of the text that the candidates replace */
    Meaning object; /* CONTEXT_ATTRIBUTE */
    Callee callee;  /* of the call that is open; without parameters: none */
    GivenArguments given;
} Place;

/* False: memory ran out. */
bool place_init(Place *place, const Session *session, const char *text, size_t length, size_t point,
                Error *err);
void place_release(Place *place);

/* True if the name is at a span of the text; never for an empty span. */
bool place_spells(const Place *place, Span span, const char *name);
/* The word that is compared with names: in a string the last one, of a path the last name. */
Span place_word(const Place *place);
/* Offers all that is allowed there. */
void place_offer(const Place *place, Candidates *candidates);

void offer_commands(const Place *place, Candidates *candidates);
/* arrays: only these. */
void offer_variables(const Place *place, bool arrays, Candidates *candidates);
/* called: with a bracket. */
void offer_functions(const Place *place, bool called, Candidates *candidates);
/* Offers the beginnings of an expression. */
void offer_values(const Place *place, Candidates *candidates);

/* ---- completion_command.c: the arguments of place->context.command ---- */

/* Offers its words where they are allowed, settings, files, tokens, snapshots, values. */
void offer_arguments(const Place *place, Candidates *candidates);
/* Offers the tokens of queries or keys, in quotes. */
void offer_tokens(const Place *place, Candidates *candidates);
/* True if the token before the word is one of these, which blanks separate. */
bool place_is_behind(const Place *place, const char *words);
/* True if the word is among the arguments before the one that is typed, for the present value:
 * another one begins behind `against`. */
bool argument_is_typed(const Place *place, const char *word);
/* True where the name of a file is expected, in quotes. */
bool command_takes_file(const Place *place);
/* True where a query or a key is expected, and those have tokens. */
bool command_takes_token(const Place *place);

/* ---- completion_models.c ---- */

/* Offers models, tasks, and the options of a training, for train, evaluate and predict. */
void offer_model_arguments(const Place *place, Candidates *candidates);
/* Offers tasks: variables, and the names of those with their usual sizes. */
void offer_tasks(const Place *place, Candidates *candidates);
/* Offers the names of parameters within the quotes of m.parameters["..., of the inspected run's
 * activations within those of last.run["... and of patch "... */
void offer_parts_of_model(const Place *place, Candidates *candidates);

/* ---- file names ---- */

/* Offers the files that begin with the word, a path, as [quotes][typed folders]NAME and the closing
 * quotes, or / for a folder. quotes: what the string begins with; if it has not begun yet (empty),
 * ". closed: a space may follow the closing quotes. */
void offer_files(const Place *place, Span quotes, bool closed, Candidates *candidates);

/* True if the text can be in quotes as it is. */
bool fits_quotes(const char *text);

/* ---- completion_context.c ---- */

/* Offers the names that text[0, end) makes. */
void offer_locals(const char *text, size_t end, Candidates *candidates);

#endif
