#include "tests/grammar/entries.h"

#include "base/memory.h"
#include "library/library.h"

#include <stdlib.h>
#include <string.h>

/* Expressions stand in one another so deep. */
enum { DEPTH_MOST = 4 };

const char entries_begin[] =
    "seed(0)\n"
    "A = randn(3, 4); B = randn(4, 2); C = randn(2, 3, 4); Q = randn(3, 4); K = randn(5, 4)\n"
    "V = randn(5, 2); X = randn(3, 4); n = 2; s = \"ab c\"; w = \"猫 sat\"; xs = [1, \"b\", None]\n"
    "r = record(a=1, b=[2]); d = {0: 1, \"x y\": [2]}\n"
    "def f(x): return sum(x * x)\n"
    "S = {1, \"a\", (2, 3)}; it = iter([1, [2], \"c\"])\n"
    "def G(a=2):\n"
    "    try:\n"
    "        for i in range(3):\n"
    "            if i == 1: yield from [a, i]\n"
    "            else: a = yield i, a\n"
    "    except ValueError as e: yield e\n"
    "    finally: n = a\n"
    "u = G()\n"
    "class P:\n"
    "    k = 0\n"
    "    def __init__(self, a=1): self.a = a\n"
    "    def __add__(self, o): return P((self.a, o))\n"
    "    def __eq__(self, o): return self.a == o.a\n"
    "    def __hash__(self): return hash(self.a)\n"
    "    def __lt__(self, o): return self.a < o.a\n"
    "    def __getitem__(self, i): return self.a[i]\n"
    "    def __iter__(self): return iter([self.a])\n"
    "    def __repr__(self): return f\"P({self.a!r})\"\n"
    "class R(dict):\n"
    "    def __missing__(self, key): return key\n"
    "p = P(); R = R(a=2)\n"
    "import itertools, copy, functools\n"
    "from collections import ChainMap, Counter, deque, namedtuple\n"
    "import random as rd, math as mt, json\n"
    "from numpy import linalg as LA\n"
    "from typing import NamedTuple\n"
    "class T(NamedTuple):\n"
    "    a: int\n"
    "    b: int = 2\n"
    "g = rd.Random(1); h = open(\"o.txt\", \"w\")\n"
    "t = task(\"copy\", length=2, vocab=3)\n"
    "m = transformer(\"decoder\", vocab=t.vocab, d_model=4, heads=2, layers=2, d_ff=4, "
    "max_len=8)\n"
    "e = transformer(\"encoder-decoder\", vocab=4, d_model=4, heads=2, layers=1, d_ff=4)\n";

static const char *const variables[] = {"A",  "B",  "C", "Q", "K", "V", "X", "n", "s",    "w",
                                        "xs", "r",  "d", "f", "t", "m", "e", "y", "last", "_",
                                        "S",  "it", "p", "P", "R", "T", "g", "h", "G",    "u"};
static const char *const targets[] = {"A", "B",  "C", "Q", "K", "V", "X", "n",
                                      "s", "xs", "r", "d", "y", "S", "p"};

typedef struct Writer {
    Random *random;
    const Session *session;
    Text *out;
    bool large; /* of this entry arrays, strings and lists are large */
} Writer;

static size_t below(Writer *writer, size_t count) {
    return (size_t)random_below(writer->random, count);
}

static bool once_in(Writer *writer, size_t count) { return below(writer, count) == 0; }

#define ONE_OF(writer, list) (list)[below(writer, sizeof(list) / sizeof *(list))]

static void put(Writer *writer, const char *text) { text_string(writer->out, text); }

/* ---- values ---- */

static void write_number(Writer *writer) {
    static const char *const usual[] = {"0", "1", "2", "3", "4", "5", "-1", "-2", "0.5", "n", "7"};
    static const char *const odd[] = {"nan",  "inf",    "-inf",    "-0.0",  "1e-300",     "1e308",
                                      "1e3",  "1e5",    "10**6",   "2**31", "2**53",      "10**12",
                                      "1e15", "-2**31", "2**63",   "2**64", "1e18",       "-1e15",
                                      "True", "False",  "0.1+0.2", "1e400", "0x7fffffff", "17"};
    put(writer, once_in(writer, 6) ? ONE_OF(writer, odd) : ONE_OF(writer, usual));
}

static void write_string(Writer *writer) {
    static const char *const large[] = {"\"ab\" * 10**7", "\"猫 \" * 10**6", "\"a,b\\n\" * 10**6"};
    if (writer->large && once_in(writer, 2)) {
        put(writer, ONE_OF(writer, large));
        return;
    }
    static const char *const strings[] = {"\"\"",
                                          "\"a\"",
                                          "\"a b c\"",
                                          "\"ab c ab\"",
                                          "\"猫狗 cat\"",
                                          "\"\\x1b[2J\\n\"",
                                          "\"%d %s %(a)s\"",
                                          "\"{} {0} {x:.3f}\"",
                                          "\"x.npy\"",
                                          "\"x.csv\"",
                                          "\"x.safetensors\"",
                                          "\"none\"",
                                          "\"causal\"",
                                          "\"alibi\"",
                                          "\"rope\"",
                                          "\"ij,jk->ik\"",
                                          "\"e\\u0301🙂\"",
                                          "\"long \" * 4000",
                                          "\"猫\" * 9999",
                                          "\"\\u202e=1+1\"",
                                          "\"window 2\"",
                                          "\"relu\"",
                                          "\"float32\"",
                                          "\"blocks.0.attn.hook_pattern\"",
                                          "\"=A1\"",
                                          "\"a\\tb\\r\\n\"",
                                          "f\"{n}\"",
                                          "\"aaaa\" * 10 ** 6"};
    put(writer, ONE_OF(writer, strings));
}

static void write_sizes(Writer *writer, size_t most) {
    static const char *const sizes[] = {"0", "1", "2", "3", "3", "4", "4", "5", "8", "17"};
    static const char *const huge[] = {"1000", "10**6", "10**9", "10**12", "2**31", "2**63", "-1"};
    size_t axes = below(writer, most);
    put(writer, "(");
    for (size_t i = 0; i < axes; i++) {
        put(writer, once_in(writer, 20) ? ONE_OF(writer, huge) : ONE_OF(writer, sizes));
        put(writer, ",");
    }
    put(writer, axes ? ")" : "0,)");
}

static void write_value(Writer *writer, int depth);

static void write_index(Writer *writer) {
    static const char *const parts[] = {
        ":",      "0",          "-1",     "1", "::-1",    "1:3",        "...",    "None",
        "[0, 1]", "[]",         "2:0:-1", "9", "[\"a\"]", "[None]",     "[True]", "(0, 1)",
        "\"a\"",  "[[0], [1]]", "A > 0",  "n", "10**12",  "-10**12::3", "::0",    "nan"};
    put(writer, "[");
    size_t count = 1 + below(writer, 3);
    for (size_t i = 0; i < count; i++) {
        if (i) put(writer, ", ");
        if (once_in(writer, 8)) write_value(writer, DEPTH_MOST - 1);
        else put(writer, ONE_OF(writer, parts));
    }
    put(writer, "]");
}

static void write_array(Writer *writer) {
    static const char *const large[] = {"randn(10**6)",          "randn(1500, 1500)",
                                        "randn(300, 20, 300)",   "zeros((10**12, 0))",
                                        "rand(3 * 10**6) > 0.5", "float32(randn(2 * 10**6))",
                                        "arange(5e6)",           "zeros((6, 6, 6, 6, 6, 60))",
                                        "zeros((0, 10**12))",    "zeros((10**12, 0, 3))",
                                        "randn(10**6, 2)",       "randn(2, 10**6)"};
    if (writer->large && !once_in(writer, 3)) {
        put(writer, ONE_OF(writer, large));
        return;
    }
    static const char *const makers[] = {"zeros", "ones", "randn", "rand", "empty"};
    static const char *const written[] = {"[1, 2, 3]",
                                          "[[1, 2], [3, 4]]",
                                          "[nan, inf, -inf]",
                                          "[]",
                                          "[[], []]",
                                          "[True, False]",
                                          "eye(3)",
                                          "arange(5)",
                                          "array(7)",
                                          "[0.1]",
                                          "[[1], [2]]",
                                          "float32([1, 2])",
                                          "randn(3, 4) > 0",
                                          "A.T",
                                          "range(4)",
                                          "randn(40, 40)",
                                          "causal_mask(3)",
                                          "float32(randn(3, 4))",
                                          "arange(2e4)",
                                          "[0, 1, 2] == 1",
                                          "zeros((10**12, 0))",
                                          "zeros((0, 10**12))",
                                          "zeros((10**12, 0, 3))",
                                          "ones((1, 1, 1, 1, 1, 2))",
                                          "randn(10**6)",
                                          "randn(1500, 1500)",
                                          "zeros((0, 2, 2))"};
    switch (below(writer, 5)) {
    case 0:
        put(writer, ONE_OF(writer, makers));
        put(writer, "(");
        write_sizes(writer, 8);
        put(writer, ")");
        break;
    case 1: put(writer, ONE_OF(writer, written)); break;
    case 2:
        put(writer, ONE_OF(writer, variables));
        if (once_in(writer, 3)) write_index(writer);
        break;
    default: {
        static const char *const arrays[] = {"A", "B", "C", "Q", "K", "V", "X", "Q", "A"};
        put(writer, ONE_OF(writer, arrays));
    }
    }
}

static void write_list(Writer *writer, int depth, const char *brackets) {
    static const char *const large[] = {"[1, \"a\"] * 10**6", "[\"a\"] * 10**6", "[A] * 10**5",
                                        "[[1, \"b\"]] * 10**6"};
    if (writer->large && once_in(writer, 2)) {
        put(writer, ONE_OF(writer, large));
        return;
    }
    size_t count = below(writer, 4);
    text_char(writer->out, brackets[0]);
    for (size_t i = 0; i < count; i++) {
        write_value(writer, depth + 1);
        put(writer, ", ");
    }
    text_char(writer->out, brackets[1]);
}

static void write_function(Writer *writer) {
    static const char *const functions[] = {"lambda x: x",
                                            "lambda x: sum(x)",
                                            "f",
                                            "sum",
                                            "softmax",
                                            "lambda *a: a",
                                            "lambda x, y=1: x + y",
                                            "print",
                                            "m",
                                            "lambda x: x[0]",
                                            "lambda x: None",
                                            "lambda: 1",
                                            "P",
                                            "p.__add__",
                                            "functools.partial(f, 1)",
                                            "S.add",
                                            "lambda x: attention(x, x, x).output.sum()"};
    put(writer, ONE_OF(writer, functions));
}

/* An argument of the type that a signature asks for; now and then of another one. */
static void write_typed(Writer *writer, ParameterType type, int depth) {
    if (once_in(writer, 8)) type = PARAMETER_ANY;
    switch (type) {
    case PARAMETER_ARRAY:
        if (once_in(writer, 3)) write_value(writer, depth + 1);
        else write_array(writer);
        break;
    case PARAMETER_NUMBER:
    case PARAMETER_WHOLE: write_number(writer); break;
    case PARAMETER_BOOL: put(writer, once_in(writer, 2) ? "True" : "False"); break;
    case PARAMETER_TEXT: write_string(writer); break;
    case PARAMETER_AXIS:
        if (once_in(writer, 3)) write_sizes(writer, 4);
        else write_number(writer);
        break;
    case PARAMETER_SHAPE: write_sizes(writer, 8); break;
    case PARAMETER_FUNCTION: write_function(writer); break;
    case PARAMETER_LIST: write_list(writer, depth, once_in(writer, 2) ? "()" : "[]"); break;
    case PARAMETER_RECORD: put(writer, once_in(writer, 2) ? "r" : "{\"a\": 1, 2: A}"); break;
    default: write_value(writer, depth + 1); break;
    }
}

/* ---- calls ---- */

/* Any but sleep, which would wait for a million seconds. */
static const BuiltinDef *any_builtin(Writer *writer) {
    static size_t count;
    if (!count)
        for (const BuiltinDef *const *table = library_tables; *table; table++)
            for (const BuiltinDef *row = *table; row->name; row++) count++;
    size_t chosen = below(writer, count);
    for (const BuiltinDef *const *table = library_tables; *table; table++)
        for (const BuiltinDef *row = *table; row->name; row++)
            if (chosen-- == 0) return strcmp(row->name, "sleep") == 0 ? any_builtin(writer) : row;
    abort();
}

static void write_receiver(Writer *writer, const char *type, int depth) {
    if (strcmp(type, "string") == 0) write_string(writer);
    else if (strcmp(type, "list") == 0) write_list(writer, depth, "[]");
    else if (strcmp(type, "record") == 0) put(writer, once_in(writer, 2) ? "r" : "d");
    else put(writer, ONE_OF(writer, variables));
}

static void write_arguments(Writer *writer, const BuiltinDef *builtin, int depth) {
    Signature signature;
    Error err = {.kind = ERR_NONE};
    if (!signature_parse(&signature, builtin->parameters ? builtin->parameters : "", &err)) abort();
    /* The receiver of a method is its first parameter, unless the method changes it in place. */
    bool method = builtin->receiver && !builtin->changes_receiver, by_name = false;
    for (int i = method; i < signature.count; i++) {
        const SignatureParameter *parameter = &signature.parameters[i];
        if (parameter->rest || parameter->keywords) {
            for (size_t more = below(writer, 4); more > 0; more--) {
                if (parameter->keywords) text_format(writer->out, "k%zu=", more);
                write_typed(writer, parameter->type, depth);
                put(writer, ", ");
            }
            by_name = true;
            continue;
        }
        if (parameter->optional && below(writer, 3) > 0) {
            by_name = true;
            continue;
        }
        if (once_in(writer, 60)) continue;
        if (by_name || i >= signature.positional || once_in(writer, 6))
            text_format(writer->out, "%s=", parameter->name), by_name = true;
        if (parameter->optional && parameter->fallback_text && once_in(writer, 6))
            put(writer, parameter->fallback_text);
        else write_typed(writer, parameter->type, depth);
        put(writer, ", ");
    }
    signature_release(&signature);
}

static void write_call(Writer *writer, int depth) {
    const BuiltinDef *builtin = any_builtin(writer);
    if (builtin->receiver) {
        put(writer, "(");
        write_receiver(writer, builtin->receiver, depth);
        put(writer, ").");
    }
    put(writer, builtin->name);
    if (!builtin->call && !builtin->change && !builtin->changes_receiver) return; /* a constant */
    put(writer, "(");
    write_arguments(writer, builtin, depth);
    put(writer, ")");
}

static void write_value(Writer *writer, int depth) {
    static const char *const operators[] = {"+", "-",   "*",  "/",  "//", "%",     "**",
                                            "@", "==",  "!=", "<",  ">",  "<=",    "in",
                                            "&", "and", "or", "is", "|",  "not in"};
    switch (depth >= DEPTH_MOST ? below(writer, 6) : below(writer, 16)) {
    case 0: write_number(writer); break;
    case 1: write_string(writer); break;
    case 2: put(writer, ONE_OF(writer, variables)); break;
    case 3: write_function(writer); break;
    case 4: put(writer, once_in(writer, 2) ? "None" : "{}"); break;
    case 5:
    case 6:
    case 7: write_array(writer); break;
    case 8: write_list(writer, depth, "[]"); break;
    case 9: write_list(writer, depth, "()"); break;
    case 10:
        put(writer, "(");
        write_value(writer, depth + 1);
        text_format(writer->out, " %s ", ONE_OF(writer, operators));
        write_value(writer, depth + 1);
        put(writer, ")");
        break;
    case 11:
        put(writer, "[x for x in ");
        write_value(writer, depth + 1);
        put(writer, "]");
        break;
    case 12:
        put(writer, "(");
        write_value(writer, depth + 1);
        put(writer, ")");
        write_index(writer);
        break;
    default: write_call(writer, depth); break;
    }
}

/* ---- commands ---- */

static const CommandDef *any_command(Writer *writer) {
    size_t count = 0;
    for (const CommandDef *const *table = writer->session->commands; *table; table++)
        for (const CommandDef *row = *table; row->syntax.name; row++) count++;
    size_t chosen = below(writer, count);
    for (const CommandDef *const *table = writer->session->commands; *table; table++)
        for (const CommandDef *row = *table; row->syntax.name; row++)
            if (chosen-- == 0) return row;
    abort();
}

static const SettingDef *any_setting(Writer *writer) {
    size_t count = 0;
    while (setting_table[count].name) count++;
    return &setting_table[below(writer, count)];
}

/* One of the words in a string, separated by spaces; nothing where there are none. */
static void write_word_of(Writer *writer, const char *words) {
    if (!words || !*words) return;
    size_t count = 1;
    for (const char *at = words; (at = strchr(at, ' ')); at++) count++;
    const char *at = words;
    for (size_t skip = below(writer, count); skip > 0; skip--) at = strchr(at, ' ') + 1;
    text_format(writer->out, " %.*s", (int)strcspn(at, " "), at);
}

static void write_file(Writer *writer) {
    static const char *const files[] = {"w.svg", "w.gp", "w.csv", "w.txt", "w.npy", "s.md", "w.md"};
    text_format(writer->out, " \"%s\"", ONE_OF(writer, files));
}

static void write_command(Writer *writer) {
    const CommandDef *command = any_command(writer);
    put(writer, command->syntax.name);
    if (command->takes_setting) {
        const SettingDef *setting = any_setting(writer);
        text_format(writer->out, " %s", setting->name);
        write_word_of(writer, once_in(writer, 2) ? setting_words(setting) : NULL);
    }
    for (size_t more = below(writer, 5); more > 0; more--) {
        switch (below(writer, 7)) {
        case 0:
        case 1: write_word_of(writer, command->syntax.words); break;
        case 2: write_word_of(writer, command->syntax.options); break;
        case 3: text_format(writer->out, " %s", ONE_OF(writer, variables)); break;
        case 4:
            put(writer, " ");
            write_number(writer);
            break;
        case 5:
            put(writer, " (");
            write_value(writer, 1);
            put(writer, ")");
            break;
        default:
            put(writer, " ");
            write_string(writer);
            break;
        }
    }
    if (strcmp(command->syntax.name, "plot") == 0 && once_in(writer, 2)) {
        put(writer, " to");
        write_file(writer);
    }
}

/* ---- examples ---- */

static const char *any_example(Writer *writer) {
    switch (below(writer, 4)) {
    case 0: return any_builtin(writer)->example;
    case 1: return any_setting(writer)->example;
    default: return any_command(writer)->example;
    }
}

static bool in_name(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (unsigned char)c >= 0x80;
}

/* The example of a row as it stands in the reference, or with some numbers, names and strings in it
 * replaced. */
static void write_example(Writer *writer) {
    const char *at = any_example(writer);
    size_t one_in = once_in(writer, 3) ? 0 : 4 + below(writer, 10);
    if (!at) return;
    while (*at) {
        size_t length = 1;
        if (*at == '"') {
            while (at[length] && at[length] != '"') length++;
            length += at[length] == '"';
            if (one_in && once_in(writer, one_in)) {
                write_string(writer);
                at += length;
                continue;
            }
        } else if (in_name(*at)) {
            while (in_name(at[length]) || (*at <= '9' && at[length] == '.')) length++;
            if (one_in && once_in(writer, one_in)) {
                if (*at <= '9') write_number(writer);
                else if (length == 1) put(writer, ONE_OF(writer, variables));
                else if (once_in(writer, 4)) write_value(writer, DEPTH_MOST - 2);
                else text_bytes(writer->out, at, length);
                at += length;
                continue;
            }
        } else if (*at == '#') {
            length = strcspn(at, "\n");
        }
        text_bytes(writer->out, at, length);
        at += length;
    }
}

/* ---- statements ---- */

static void write_statement(Writer *writer) {
    static const char *const changes[] = {
        "xs.append(n)",
        "A[0] = 5",
        "r.c = A",
        "d[n] = xs",
        "del y",
        "xs += [A]",
        "A += 1",
        "s += s[:9]",
        "y = (y, y)",
        "y = xs",
        "n = n + 1",
        "xs[0] = xs",
        "y = last",
        "y = m.parameters",
        "y = copy(m)",
        "A, B = B, A",
        "y = [A, A.T]",
        "reset",
        "m = copy(m)",
        "m.parameters[\"embed\"] = m.parameters[\"embed\"] * 2",
        "seed(n)",
        "S.add(n)",
        "S |= {n, s}",
        "S.discard(1)",
        "p.a = xs",
        "p.a = p",
        "P.k += 1",
        "P.__repr__ = lambda self: 1 / 0",
        "P.__hash__ = lambda self: n",
        "R[n] = p",
        "y = next(it)",
        "it = iter(xs)",
        "it = zip(xs, it)",
        "it = (x for x in S)",
        "y = list(it)",
        "u = G(xs)",
        "it = u",
        "y = next(u)",
        "y = u.send(xs)",
        "u.throw(ValueError(s))",
        "u.close()",
        "xs.append(u)",
        "y = sorted([p, P(n)])",
        "S.add(p)",
        "d = {p: xs}",
        "xs.append(it)",
        "y = copy.deepcopy([p, xs, S])",
        "y = Counter(s)",
        "y = deque(xs, maxlen=2)",
        "y.append(p)",
        "y.rotate(1)",
        "y = list(itertools.permutations([p, 1, s]))",
        "y = namedtuple(\"Pt\", \"x y\")(n, p)",
        "y = y._replace(x=A)",
        "y = {x for x in xs}",
        "y, *xs = S",
        "S ^= {n, 3}",
        "S &= {1, s}",
        "y = d.popitem()",
        "y = dict(ChainMap(d, R))",
        "y = T(n)",
        "y = y._replace(b=A)",
        "y, n = T(xs)",
        "y = T.__annotations__",
        "class T(T):\n    b: int = A\n",
        "y = g.choice(xs)",
        "y = g.sample(xs, 2)",
        "g.shuffle(xs)",
        "g = rd.Random(n)",
        "y = rd.random()",
        "import random as g",
        "y = LA.norm(A)",
        "import numpy.linalg as LA",
        "from numpy import *",
        "y = mt.floor(n)",
        "h = open(\"o.txt\", \"w\")",
        "h = open(\"o.txt\", \"a\")",
        "h = open(\"o.txt\")",
        "h.write(s)",
        "print(n, xs, file=h)",
        "y = h.read()",
        "y = open(\"o.txt\").read()",
        "h.close()",
        "y = json.dumps(d)",
        "d = json.loads(s)",
        "y = A.dtype == np.float64",
        "y = list(np.nditer([A, n]))",
        "y = np.reciprocal(xs)",
        "y = activations(m, \"a b\")",
        "y = m([0, 1], patch={\"hook_embed\": y[\"hook_embed\"] * n})",
        "inspect m [0, 1, 2]",
        "ablate 0 1 mean",
        "ablate mlp n",
        "ablate none",
        "ablate each",
        "attribute",
        "patch \"hook_embed\" at n add 1",
        "patch \"blocks.0.attn.hook_v\" head 1 from [2, 1, 0]",
        "patch path 0.1 to 1.0 q from [2, 1, 0]",
        "patch each z from [2, 1, 0]"};
    static const char *const blocks[] = {"for i in range(3):\n    ",
                                         "if n:\n    ",
                                         "for x in A:\n    ",
                                         "while n > 0:\n    n -= 1\n    ",
                                         "try:\n    ",
                                         "def g(x):\n    ",
                                         "def G(a=1):\n    y = yield a\n    ",
                                         "def G(a=1):\n    yield from a\n    ",
                                         "def G(a=1):\n    while a:\n        yield a\n        ",
                                         "class P(P):\n    ",
                                         "class T(T):\n    ",
                                         "def f(self):\n    ",
                                         "with open(\"o.txt\", \"w\") as h:\n    ",
                                         "with p:\n    "};
    switch (below(writer, 5)) {
    case 0: put(writer, ONE_OF(writer, changes)); break;
    case 1:
        put(writer, ONE_OF(writer, targets));
        write_index(writer);
        put(writer, once_in(writer, 3) ? " += " : " = ");
        write_value(writer, 1);
        break;
    case 2: {
        const char *block = ONE_OF(writer, blocks);
        put(writer, block);
        put(writer, ONE_OF(writer, changes));
        if (*block == 't') put(writer, "\nexcept:\n    y = 1");
        break;
    }
    default:
        put(writer, ONE_OF(writer, targets));
        put(writer, " = ");
        write_value(writer, 0);
        break;
    }
}

void entry_write(Random *random, const Session *session, size_t one_is_large, Text *out) {
    Writer writer = {random, session, out, random_below(random, one_is_large) == 0};
    switch (below(&writer, 12)) {
    case 0:
    case 1: write_example(&writer); break;
    case 2:
    case 3: write_command(&writer); break;
    case 4:
    case 5: write_statement(&writer); break;
    case 6: put(&writer, once_in(&writer, 3) ? "redo" : "undo"); return;
    case 7: {
        const SettingDef *setting = any_setting(&writer);
        text_format(out, "set %s", setting->name);
        write_word_of(&writer, once_in(&writer, 2) ? setting_words(setting) : NULL);
        put(&writer, " ");
        if (!once_in(&writer, 4)) write_value(&writer, 3);
        break;
    }
    case 8:
        put(&writer, "plot ");
        write_value(&writer, 2);
        if (!once_in(&writer, 3)) {
            put(&writer, " to");
            write_file(&writer);
        }
        break;
    default: write_call(&writer, 0); break;
    }
    if (once_in(&writer, 4)) put(&writer, ";");
}
