/* The bench: settings, inputs, and what attention made of them. */
#ifndef ATTN_SESSION_BENCH_H
#define ATTN_SESSION_BENCH_H

#include "library/run.h"
#include "session/settings/settings.h"

enum { INPUT_SAID = 24 };

/* An input is a name, looked up at each run, or a value that was given instead of one. */
typedef struct Input {
    Symbol *name;
    Tensor *tensor;
    char said[INPUT_SAID]; /* the value as it was typed, "X[0]"; "" where that is long */
} Input;

/* The name of an input in headings: that of its variable, the value as it was typed, or else its
 * role, such as "Q". */
const char *input_name(const Input *input, const char *role);

typedef enum InputKind { INPUTS_NONE, INPUTS_QKV, INPUTS_X } InputKind;

enum { INPUTS_MOST = 3, KNOWN = 2 + INPUTS_MOST };
typedef struct Inputs {
    InputKind kind;
    Input items[INPUTS_MOST]; /* Q, K, V; or X, and Y if keys and values come from another */
    bool named;               /* in an attend: kept whatever is assigned later */
    /* X and Y as attend made them last, see attend.h, and Q, K and V as they were then; each may
     * be NULL. */
    Tensor *made[KNOWN];
} Inputs;

void inputs_release(Inputs *inputs);
#define LocalInputs __attribute__((cleanup(inputs_release))) Inputs
void inputs_copy(Inputs *out, const Inputs *inputs);
/* True if both have the same names and given arrays, whatever the variables hold. inputs_equal asks
 * for the same kind and the same made arrays, too. */
bool inputs_have_same_items(const Inputs *a, const Inputs *b);
bool inputs_equal(const Inputs *a, const Inputs *b);
/* Takes other inputs over; what attend made stays known. */
void inputs_replace(Inputs *inputs, Inputs *taken);
bool inputs_use(const Inputs *inputs,
                const Symbol *symbol); /* is it one of them, or Wq Wk Wv Wo with X? */

extern const char
    *const projection_names[4]; /* of the variables that X is multiplied with, where they exist */

/* All that a person has set up and computed beside the variables. A member that stays until it is
 * replaced is an Object: counted, and not changed once it is there, so that undo and snapshots
 * share it. To add such a thing, give it a member here; its ObjectType says how it is freed and how
 * much it holds. */
typedef struct Bench {
    Settings settings;
    Settings ran_with; /* the settings of `run`, which may not fit those of now */
    Inputs inputs;
    union {
        Object *objects[8]; /* the members below, for loops over all; NULL behind the last */
        struct {            /* each may be NULL */
            Run *run;       /* of the last attend */
            struct Snapshots *snapshots;
            struct Sweep *sweep;           /* the last */
            struct ComparedRuns *compared; /* the last */
            struct Model *trained;         /* the last */
            struct Inspection *inspection; /* the run of a model that is looked into */
            Run *head;                     /* over the last Q, K and V that a head gave */
        };
    };
} Bench;

void bench_init(Bench *bench);                   /* settings at their defaults, nothing else */
void bench_copy(Bench *out, const Bench *bench); /* new references */
void bench_release(Bench *bench);
/* Replaces settings, inputs and run by those of another bench: new references. The bench may be all
 * zeros. */
void bench_take_run(Bench *bench, const Bench *from);
/* The same settings, inputs and objects; references are compared as references. */
bool bench_equal(const Bench *a, const Bench *b);
/* The bytes that the objects of a bench hold and those of the other do not. */
size_t bench_bytes(const Bench *bench, const Bench *other);

/* A bench that was put aside under a name, for the commands snapshot, restore and diff. A list of
 * them is never changed, only replaced: undo holds references to older ones. */
typedef struct Snapshot {
    int refs; /* lists that hold it */
    char *name;
    Bench bench;    /* its settings, inputs and run alone */
    Journal values; /* of the variables that were inputs, the projections among them */
} Snapshot;

typedef struct Snapshots {
    Object object;
    size_t count;
    Snapshot *items[]; /* oldest first; references */
} Snapshots;

/* Begins the examples of commands about a result. */
#define EXAMPLE_INPUTS "Q = [1, 0; 0, 1]; K = Q; V = [1, 2; 3, 4];\nattend Q K V;\n"

#endif
