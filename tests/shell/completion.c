/* What Tab offers, and the line below: `|` stands for the point. */
#include "shell/completion/completion.h"

#include "base/memory.h"
#include "io/file.h"
#include "library/run.h"
#include "shell/help/help.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- a session ---- */

static bool swallow(Host *host, const char *text, size_t length, Error *err) {
    (void)host, (void)text, (void)length, (void)err;
    return true;
}

static void ignore(Host *host, const char *text) { (void)host, (void)text; }

static Host host = {.write = swallow, .note = ignore, .columns = 80, .utf8 = true};
static Session *session;

static Session *new_session(Error *err) {
    static const CommandDef *const further[] = {help_commands, NULL};
    return session_new(&host, further, err);
}

static void begin(void) {
    Error err = {.kind = ERR_NONE};
    session = new_session(&err);
    ck_assert_msg(session != NULL, "%s", err.message);
}

static void end(void) { session_free(session); }

static void do_text(const char *text) {
    Error err = {.kind = ERR_NONE};
    bool ok = session_run_text(session, "", text, strlen(text), &err);
    ck_assert_msg(ok, "%s\nended in: %s %s", text, err.message, err.hint);
}

/* ---- asking ---- */

/* The entry without its mark, and where that stood. */
static char *cut_mark(const char *marked, size_t *point) {
    const char *mark = strchr(marked, '|');
    ck_assert_msg(mark != NULL, "no point in: %s", marked);
    *point = (size_t)(mark - marked);
    char *text = malloc(strlen(marked));
    memcpy(text, marked, *point);
    strcpy(text + *point, mark + 1);
    return text;
}

static Completion complete(const char *marked) {
    size_t point;
    char *text = cut_mark(marked, &point);
    Error err = {.kind = ERR_NONE};
    Completion completion;
    bool ok = completion_find(session, text, strlen(text), point, &completion, &err);
    ck_assert_msg(ok, "%s\nended in: %s", marked, err.message);
    ck_assert_uint_le(completion.begin, point);
    free(text);
    return completion;
}

/* The candidates, with spaces between; a + behind the last: it is closed. */
static char *offered(const char *marked) {
    Completion completion = complete(marked);
    Text text;
    text_init(&text);
    for (size_t i = 0; i < completion.count; i++)
        text_format(&text, "%s%s", i ? " " : "", completion.candidates[i]);
    if (completion.closed) text_char(&text, '+');
    completion_release(&completion);
    return text_take(&text, NULL);
}

static void offers(const char *marked, const char *expected) {
    char *got = offered(marked);
    ck_assert_msg(strcmp(got, expected) == 0, "%s\noffers: %s\nnot:    %s", marked, got, expected);
    mem_free(got);
}

static void same(const char *marked, const char *other) {
    char *expected = offered(other);
    offers(marked, expected);
    mem_free(expected);
}

/* Whether a word is among the candidates. */
static bool has(const char *marked, const char *word) {
    Completion completion = complete(marked);
    bool found = false;
    for (size_t i = 0; i < completion.count; i++)
        found = found || strcmp(completion.candidates[i], word) == 0;
    completion_release(&completion);
    return found;
}

#define ck_has(marked, word) ck_assert_msg(has(marked, word), "%s does not offer %s", marked, word)
#define ck_has_not(marked, word) ck_assert_msg(!has(marked, word), "%s offers %s", marked, word)

static void hints(const char *marked, const char *expected) {
    size_t point;
    char *text = cut_mark(marked, &point);
    Text hint;
    text_init(&hint);
    bool found = completion_hint(session, text, strlen(text), point, &hint);
    ck_assert_msg(found == (*expected != 0) && strcmp(hint.data, expected) == 0,
                  "%s\nhints: %s\nnot:   %s", marked, hint.data, expected);
    text_release(&hint);
    free(text);
}

/* ---- names ---- */

START_TEST(test_statement) {
    offers("|", "");
    offers("x = 1\n|", "");
    offers("for i in range(3):\n    |", "");
    offers("softm|", "softmax(");
    offers("causal_m|", "causal_mask(");
    offers("atten|", "attend attention(");
    offers("plo|", "plot+");
    offers("x = 1; plo|", "plot+");
    offers("for i in range(3): plo|", "plot+");
    offers("for i in range(3):\n    plo|", "plot+");
    offers("if x > 1:\n    y = 2\nelse:\n    plo|", "plot+");
    offers("def f(x):\n    y = x\n    retu|", "return+");
    offers("whil|", "while+");
    offers("prin|", "print(");
    offers("entrop|", "entropy entropy(");
    offers("f = lambda x: plo|", "");
    offers("x[1:plo|", "");
    offers("  whic|", "");
    ck_has("e|", "elif");
    ck_has("N|", "None");
}
END_TEST

START_TEST(test_expression) {
    do_text("weight_matrix = eye(2); def weigh(x, by=2): return x * by");
    offers("x = softm|", "softmax(");
    offers("x = 2 * weigh|", "weigh( weight_matrix");
    offers("x = plo|", "");
    offers("x = 1 + p|",
           "pad( padding_mask( partition( path_kind( percentile( perm( permutation( perplexity( pi "
           "piecewise( "
           "pinv( place( poisson( poly( polyadd( polyder( polyfit( polyint( polymul( polysub( "
           "polyval( positive( pow( power( print( process_time( prod( pronoun pronoun_zh property( "
           "ptp( put( "
           "putmask(");
    offers("x = [a, lamb|", "lambda+");
    offers("x = not Tru|", "True");
    offers("x = 3 i|", "if in is");
    offers("x = weigh(2) an|", "and+");
    offers("x = f(y for z i|", "if in is");
    offers("x = |", "weigh( weight_matrix");
    offers("x = 12|", "");
    offers("x = 12ab|", "");
    offers("x = \"text\"so|", "");
    offers("x = (1)so|", "");
    offers("for so|", "");
    offers("def so|", "");
    offers("def f(so|", "");
    offers("def f(a, so|", "");
    offers("def f(a=weigh|", "weigh( weight_matrix");
    offers("for x in weigh|", "weigh( weight_matrix");
    offers("import nu|", "");
    offers("# plo|", "");
    offers("x = 1 # so|", "");
    offers("x = 1 # one\nplo|", "plot+");
    offers("x = f(1, # so|", "");
    offers("x = f(1, # one's\n  weigh|", "weigh( weight_matrix");
    offers("x = $weigh|", "weigh( weight_matrix");
    offers("x = (]; weigh|", "weigh( weight_matrix");
    offers("print(f\"{weigh|", "weigh( weight_matrix");
    offers("print(f\"{x} {{weigh|", "");
    offers("print(f'{len(x)} and {weigh(2) + weigh|", "weigh( weight_matrix");
    offers("print(f\"{x} weigh|", "");
    offers("s = \"weigh|", "");
    offers("s = \"\"\"one\ntwo weigh|", "");
    offers("s = 'it'; weigh|", "weigh( weight_matrix weights");
    offers("softm|ax", "softmax(");
    offers("softm|(x)", "softmax");
}
END_TEST

START_TEST(test_variables) {
    do_text("_hidden = 1; shown = 2; softmax = 3; 查询 = eye(2); 查看 = 1; Träger = 1");
    do_text("1 + 1");
    offers("_|", "_hidden");
    offers("x = |", "shown softmax Träger 查看 查询");
    offers("show|", "show shown");
    offers("x = softm|", "softmax");
    offers("x = 查|", "查看 查询");
    offers("x = 查询|", "查询");
    offers("x = Tr|", "True Träger");
    offers("x = ｓｈｏ|", "shown");
    Completion completion = complete("x = 查|");
    ck_assert_uint_eq(completion.common, 3);
    ck_assert_uint_eq(completion.begin, 4);
    completion_release(&completion);
    completion = complete("x = |查");
    ck_assert_uint_eq(completion.common, 0);
    completion_release(&completion);
}
END_TEST

START_TEST(test_locals) {
    offers("def blend(first, second=1):\n    both = first + second\n    x = bot|", "both");
    offers("def blend(first, second=1):\n    return fir|", "first");
    offers("def blend(first, second=1):\n    return blen|", "blend(");
    offers("def blend(first, *others):\n    return oth|", "others");
    offers("def blend(first=(1, innermost)):\n    return innerm|", "");
    offers("for index, token in pairs:\n    print(tok|", "token tokens(");
    offers("[token for token in tok|", "token tokens(");
    offers("f = lambda left, right: rig|", "right right_shift(");
    offers("left, right = 1, 2; x = rig|", "right right_shift(");
    offers("one = other = 1; x = oth|", "other");
    offers("f(keyword=1); x = keyw|", "");
    offers("a.fielder = 1; x = fielde|", "");
    offers("try: x = 1\nexcept value as problem: print(prob|", "problem");
    offers("查询 = 1; x = 查|", "查询");
    offers("_own = 1; plot _|", "_own");
    offers("own = 1; plot ow|", "own");
    offers("own = 1\nx = [1, (2, ow|", "own");
}
END_TEST

START_TEST(test_common_ends_between_characters) {
    do_text("zz查 = 1; zz柠 = 2"); /* e6 9f a5, e6 9f a0 */
    Completion completion = complete("x = zz|");
    ck_assert_uint_eq(completion.count, 2);
    ck_assert_uint_eq(completion.common, 2);
    completion_release(&completion);
}
END_TEST

START_TEST(test_case) {
    do_text("Query = 1; quiet = 2");
    offers("x = Causal_m|", "causal_mask(");
    offers("x = PLOT|", "");
    offers("PLOT|", "plot+");
    offers("x = query|", "Query");
    offers("x = qui|", "quiet quit(");
    offers("x = QU|", "quantile( Query quiet quit(");
    Completion completion = complete("x = QU|");
    ck_assert_uint_eq(completion.common, 0);
    completion_release(&completion);
}
END_TEST

/* ---- attributes ---- */

START_TEST(test_attributes) {
    do_text(
        "A = eye(2); s = \"text\"; xs = [\"a\", 1]; r = record(first=eye(2), second=\"b\"); n = 3");
    do_text("r[\"two words\"] = 1; att = attention(A, A, A); Q = A; K = A; V = A; attend Q K V;");
    offers("A.sha|", "shape");
    same("A.|T", "A.|");
    ck_has("A.|", "T");
    Completion completion = complete("A.|");
    ck_assert_str_eq(completion.candidates[0], "dtype");
    ck_assert_str_eq(completion.candidates[10], "T");
    completion_release(&completion);
    ck_has("A.|", "softmax(");
    ck_has_not("A.|", "plot");
    ck_has_not("A.|", "zeros(");
    ck_has("n.|", "ndim");
    offers("x = A.mea|", "mean(");
    offers("x = A.T.mea|", "mean(");
    offers("x = A.T.ndi|", "ndim nditer(");
    offers("s.spl|", "split( splitlines(");
    offers("\"a b\".spl|", "split( splitlines(");
    offers("'a b'.spl|", "split( splitlines(");
    offers("xs.app|", "append(");
    offers("s.app|", "");
    offers(
        "r.|",
        "first second clear( copy( fromkeys( get( items( keys( pop( popitem( setdefault( update( "
        "values(");
    do_text("class C:\n    kind = 1\n    def f(self): pass\n    @property\n    def p(self): pass\n"
            "class D(C):\n    def f(self): pass\no = D(); o.n = 1");
    offers("o.|", "kind n p f(");
    offers("C.|", "kind p f(");
    offers("r.first.ndi|", "ndim nditer(");
    offers("r.second.upp|", "upper(");
    offers("r.none.ndi|", "");
    offers("att.|", "entropy logsumexp output scores weights");
    offers("last.w|", "weights");
    offers("last.weights.ndi|", "ndim nditer(");
    offers("x = 1 + last.weights.T.ndi|", "ndim nditer(");
    ck_assert(
        !run_is_traced(session->bench.run)); /* Tab does not compute weights that nobody has read */
    offers("att.weights.ndi|", "ndim nditer(");
    ck_assert_ptr_null(run_of(&interp_find(&session->interp, "att")->value)->trace.weights);
    offers("np.softm|", "softmax(");
    offers(
        "np.p|",
        "pad( padding_mask( partition( path_kind( percentile( perm( permutation( perplexity( pi "
        "piecewise( "
        "pinv( place( poisson( poly( polyadd( polyder( polyfit( polyint( polymul( polysub( "
        "polyval( positive( pow( power( print( process_time( prod( property( ptp( put( putmask(");
    offers("f(x).ndi|", "");
    offers("A[0].ndi|", "");
    offers("unknown.ndi|", "");
    offers("softmax.ndi|", "");
    offers("2.ndi|", "");
    offers("A .ndi|", "ndim nditer(");
    offers("plot A.ndi|", "ndim nditer(");
    offers("print(A.ndi|", "ndim nditer(");
    offers("Ａ．ndi|", "ndim nditer(");
}
END_TEST

/* ---- calls ---- */

START_TEST(test_keywords) {
    do_text("def blend(first, second, share=0.5): return first * share + second * (1 - share)");
    do_text("A = eye(2); r = record(f=blend)");
    ck_has("softmax(t|", "temperature=");
    ck_has("softmax(t|", "tanh(");
    offers("softmax(A, te|", "temperature= tensordot(");
    offers("softmax(A, ax|", "axis=");
    offers("softmax(A, axis=0, |", "temperature= A blend( r");
    offers("softmax(A, |, axis=0)", "temperature= A blend( r");
    offers("softmax(|", "axis= temperature= x= A blend( r");
    offers("softmax(x|", "x=");
    offers("softmax(A, x|", "");
    same("softmax(temperature=t|", "y = t|");
    offers("softmax(A + te|", "tensordot(");
    offers("softmax([te|", "tensordot(");
    offers("softmax(exp(A), te|", "temperature= tensordot(");
    offers("softmax(f(te|", "tensordot(");
    offers("softmax((A), te|", "temperature= tensordot(");
    offers("softmax(\"(\", te|", "temperature= tensordot(");
    offers("softmax(A, # (\n   te|", "temperature= tensordot(");
    offers("x = y + softmax(A,\n  te|", "temperature= tensordot(");
    offers("softmax(A)(te|", "tensordot(");
    offers("blend(|", "first= second= share= A blend( r");
    ck_has("blend(1, s|", "second=");
    ck_has("blend(1, s|", "share=");
    offers("blend(1, share=2, se|", "second= searchsorted( seed( segment_mask( select( set( "
                                    "set_printoptions( setattr( setdiff1d( seterr( setxor1d(");
    offers("r.f(1, sh|", "share= shape( shuffle(");
    offers("A.softmax(te|", "temperature= tensordot(");
    offers("A.softmax(x|", "");
    offers("A.T.softmax(te|", "temperature= tensordot(");
    offers("np.softmax(A, te|", "temperature= tensordot(");
    offers("\"a b\".split(sep|", "sep=");
    offers("plot softmax(A, te|", "temperature= tensordot(");
    offers("softmax(A, te|=2)", "temperature tensordot(");
    ck_has("attention(Q, K, V, |", "mask=");
    ck_has_not("attention(Q, K, V, mask=A, |", "mask=");
    ck_has("record(a=1, |", "A");
    offers("def softmax(te|", "");
}
END_TEST

/* ---- commands ---- */

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorts the names and joins them, between `before` and `rest`. */
static char *in_order(const char *before, const char **names, size_t count, const char *rest) {
    Text text;
    text_init(&text);
    text_string(&text, before);
    qsort(names, count, sizeof *names, by_name);
    for (size_t i = 0; i < count; i++) text_format(&text, "%s%s", i ? " " : "", names[i]);
    text_string(&text, rest);
    return text_take(&text, NULL);
}

static void offers_settings(const char *marked) {
    const char *names[SETTING_NAMES_MAX];
    size_t count = 0;
    setting_names(names);
    while (names[count]) count++;
    ck_assert_uint_ge(count, 13);
    char *expected = in_order("", names, count, "");
    offers(marked, expected);
    mem_free(expected);
}

/* Offers `before`, the kinds of mask but one, and `rest`. */
static void offers_masks(const char *marked, const char *before, const MaskDef *without,
                         const char *rest) {
    const char *words[32];
    size_t count = 0;
    for (const MaskDef *const *kind = mask_kinds; *kind; kind++)
        if (*kind != without && (*kind)->words.word) words[count++] = (*kind)->words.word;
    ck_assert_uint_ge(count, 4);
    char *expected = in_order(before, words, count, rest);
    offers(marked, expected);
    mem_free(expected);
}

START_TEST(test_commands) {
    do_text("Q = eye(2); Query = eye(2); K = Q; quiet = 3; name = \"text\"");
    offers_settings("set |");
    offers("set te|", "temperature terminal");
    offers("set temp|", "temperature+");
    offers("unset temp|", "temperature+");
    offers("unset mask c|", "");
    offers("show temp|", "temperature+");
    offers("show Que|", "Query");
    offers("set mask c|", "causal+");
    offers_masks("set mask |", "", NULL, " K Q Query");
    offers("set mask causal |", "and K Q Query");
    offers_masks("set mask causal and |", "", &causal_mask, " K Q Query");
    offers("set mask causal and w|", "window+");
    offers("set mask Que|", "Query");
    ck_has("set scale s|", "sqrt");
    ck_has("set scale s|", "sum(");
    offers("set palette g|", "grey+");
    offers("set palette Q|", "");
    offers("x = 1; set palette g|", "grey+");
    offers("for i in range(3): set palette g|", "grey+");
    offers("attend Que|", "Query");
    offers("attend qui|", "");
    offers("attend Q f|", "from+");
    offers("attend Q fro|", "from+");
    offers("plot we|", "weights+");
    offers("plot quie|", "quiet");
    offers("plot Q @ Que|", "Query");
    offers("plot Q t|", "title to");
    offers("plot links t|", "threshold title to");
    offers("plot links o|", "of+");
    offers("plot links la|", "layer+");
    offers("plot lens a|", "against as at");
    offers("plot weights a|", "against as");
    offers("plot links layer cr|", "cross+");
    offers("plot weights cr|", "");
    offers("plot Q tit|", "title+");
    offers("plot Q as |", "lines log loglog logx text");
    offers("plot Q title |", "");
    offers("plot weights |", "against as fontsize head range size title to xlabel ylabel");
    offers("plot weights head 0 size 200 100 |",
           "against as fontsize range title to xlabel ylabel");
    offers("plot |",
           "attribution compare effects entropy heads history lens links loss mask output "
           "positions rollout saliency scores sweep weights K name "
           "Q Query quiet");
    offers("plot Q a|", "against as");
    offers("plot Q, Que|", "Query");
    ck_has("plot weights a|", "as");
    offers("plot = Que|", "Query");
    offers("plot - quie|", "quiet");
    offers("plot -quie|", "quiet");
    offers("undo |", "");

    do_text("learner = transformer(\"decoder\", vocab=9); task_of_mine = task(\"copy\");");
    offers("train |", "learner pronoun pronoun_zh stories stories_zh");
    offers("train learner |", "on+");
    offers("train learner on re|", "reverse+");
    ck_has("train learner on |", "task_of_mine");
    ck_has("train learner on |", "pronoun");
    ck_has("train learner on copy |", "for");
    ck_has("train learner on copy for 30 |", "steps");
    offers("train learner on copy for 30 steps sch|", "schedule+");
    offers("train learner on copy schedule |", "constant cosine");
    offers("train learner on copy batch 3 ba|", "");
    offers("evaluate learner on copy |", "");
    offers("heads |", "on+");
    offers("composition |", "learner pronoun pronoun_zh stories stories_zh");
    offers("composition learner |", "k q v");
    offers("composition learner k |", "");
    ck_has("heads on |", "task_of_mine");
    offers("ablate each on re|", "reverse+");
    offers("predict |", "learner pronoun pronoun_zh stories stories_zh");
    offers("A = learner.parameters[\"unembed|", "unembed_bias");
    offers("learner.parameters['decoder.0.ffn.W|", "decoder.0.ffn.W1 decoder.0.ffn.W2");
    offers("Q[\"unembed|", "");
    do_text("del learner, task_of_mine");
    offers("undo x|", "");
    offers("entropy |", "");
    offers("weights h|", "head+");
    offers("plot(te|", "tensordot(");
    offers("sweep te|", "temperature+");
    offers("sweep temperature |", "as+");
    offers("compare |", "heads mask position scale temperature");
    offers_masks("compare mask none |", "against and ", &no_mask, " K Q Query");
    offers_masks("compare mask window 2 against |", "", NULL, " K Q Query");
    offers("compare temperature 1 ag|", "against+");
    offers("reset |", "all+");
    offers("reset all |", "");
    offers("save |", "session+");
    offers("save session \"a.md\" |", "--force+");
    ck_assert(has("plot weights to \"a.png\" |", "--force"));
}
END_TEST

START_TEST(test_snapshots) {
    do_text("Q = eye(2); K = Q; V = Q; attend Q K V;");
    offers("restore |", "");
    do_text("snapshot before\nsnapshot after\nsnapshot 之前");
    offers("restore |", "after before 之前");
    offers("restore be|", "before+");
    offers("restore before |", "");
    offers("diff 之|", "之前+");
    offers("diff before |", "after 之前");
    offers("diff before after |", "");
    offers("snapshot be|", "before+");
}
END_TEST

START_TEST(test_tokens) {
    do_text("X = eye(3); set tokens [\"the cat\", \"sat\", \"a\\\"b\"] from \"wo xi cha\"");
    offers("trace |", "head+");
    do_text("attend X;");
    offers("trace |", "\"sat\" \"the cat\" head");
    offers("plot links of |", "\"sat\" \"the cat\"");
    offers("trace \"the|", "\"the cat\"+");
    offers("trace 'the c|", "'the cat'+");
    offers("trace sa|", "\"sat\"+");
    offers("trace \"the cat\" |", "head+");
    offers("trace -1 |", "head+");
    offers("trace 1 head |", "");
    offers("why \"sat\" |", "\"cha\" \"wo\" \"xi\"");
    offers("why \"the cat\" \"w|", "\"wo\"+");
    offers("why -1 w|", "\"wo\"+");
    offers("why 1 2 |", "as head");
    offers("why 1 2 as |", "latex+");
    offers("why 1 2 head 0 as la|", "latex+");
    offers("print \"s|", "");
    Completion completion = complete("trace \"the|");
    ck_assert_uint_eq(completion.begin, 6);
    completion_release(&completion);
    do_text("set tokens \"我要茶\"\nattend X;");
    offers("trace 我|", "\"我\"+");
}
END_TEST

START_TEST(test_help) {
    ck_has("help temp|", "temperature");
    ck_has("help plo|", "plot");
    ck_has("help softm|", "softmax");
    ck_has("help set temp|", "temperature");
    ck_has_not("help softmax soft|", "softmax");
}
END_TEST

/* ---- strings ---- */

static char folder[64];

static void make_file(const char *name) {
    Text path;
    text_init(&path);
    path_join(&path, folder, name);
    Error err = {.kind = ERR_NONE};
    ck_assert_msg(file_write(path.data, "", 0, &err), "%s", err.message);
    text_release(&path);
}

static void make_folder(const char *name) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    ck_assert_int_eq(mkdir(path, 0777), 0);
}

static void begin_files(void) {
    begin();
    strcpy(folder, "/tmp/attn-completion-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    make_folder("pictures");
    make_folder("图片");
    make_file("pictures/one.png");
    make_file("pictures/two words.png");
    make_file("data.npy");
    make_file("data.csv");
    make_file("Data2.csv");
    make_file("注意力.npy");
    make_file(".hidden");
    make_file("with\"quote");
    session->interp.directory = folder;
}

static void end_files(void) {
    char command[100];
    end();
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

START_TEST(test_files) {
    offers("load(\"da|", "\"data.csv\" \"data.npy\"");
    offers("x = load(\"data.c|", "\"data.csv\"");
    offers("x = load('data.c|", "'data.csv'");
    offers("load(path=\"data.c|", "\"data.csv\"");
    offers("save(\"pic|", "\"pictures/");
    offers("save(\"pictures/o|", "\"pictures/one.png\"");
    offers("save(\"pictures/tw|", "\"pictures/two words.png\"");
    offers("save(\"pictures/two w|", "\"pictures/two words.png\"");
    offers("save(\"a.npy\", \"da|", "");
    offers("load(\"DATA.c|", "\"data.csv\"");
    offers("load(\"图|", "\"图片/");
    offers("load(\"注|", "\"注意力.npy\"");
    offers("load(\".|", "\".hidden\"");
    offers("load(\"|",
           "\"data.csv\" \"data.npy\" \"Data2.csv\" \"pictures/ \"图片/ \"注意力.npy\"");
    offers("run |", "\"data.csv\" \"data.npy\" \"Data2.csv\" \"pictures/ \"图片/ \"注意力.npy\"");
    offers("run data.|", "");
    offers("run da|", "\"data.csv\" \"data.npy\"");
    offers("run \"pictures/o|", "\"pictures/one.png\"+");
    offers("plot A to |",
           "\"data.csv\" \"data.npy\" \"Data2.csv\" \"pictures/ \"图片/ \"注意力.npy\"");
    offers("plot A to \"pic|", "\"pictures/");
    offers("plot weights head 0 to \"pic|", "\"pictures/");
    offers("print(\"da|", "");
    offers("plot \"da|", "");
    offers("load(\"nowhere/da|", "");
    offers("load(\"with|", "");
    ck_has("load(|", "\"data.csv\"");
    ck_has("load(|", "path=");
    Completion completion = complete("x = load(\"pic|");
    ck_assert_uint_eq(completion.begin, 9);
    completion_release(&completion);
    setenv("HOME", folder, 1);
    offers("load(\"~/pictures/o|", "\"~/pictures/one.png\"");
}
END_TEST

START_TEST(test_words_in_strings) {
    offers("attention(Q, K, V, mask=\"cau|", "causal+");
    offers("attention(Q, K, V, mask=\"causal and w|", "window+");
    offers("attention(Q, K, V, position='al|", "alibi+");
    offers("attention(Q, K, V, bias=\"al|", "");
    Completion completion = complete("attention(Q, K, V, mask=\"causal and w|");
    ck_assert_uint_eq(completion.begin, 36);
    completion_release(&completion);
}
END_TEST

/* ---- hints ---- */

START_TEST(test_hints) {
    do_text("def blend(first, share=0.5, mode=\"a\", by=eye(3)): return first");
    do_text("A = eye(2); f = lambda x, y=1: x; r = record(f=blend)");
    do_text("g = lambda x, *more, scale=1, **options: x; h = lambda x, *, scale=1: x");
    hints("softmax(|", "softmax(x, axis=-1, temperature=1)");
    hints("softmax(A, |", "softmax(x, axis=-1, temperature=1)");
    hints("softmax(A, axis=|0)", "softmax(x, axis=-1, temperature=1)");
    hints("x = 1 + softmax(exp(A), |", "softmax(x, axis=-1, temperature=1)");
    hints("softmax(exp(|A))", "exp(x)");
    hints("softmax([1, (2, |", "softmax(x, axis=-1, temperature=1)");
    hints("softmax(\"te|", "softmax(x, axis=-1, temperature=1)");
    hints("A.softmax(|", "softmax(axis=-1, temperature=1)");
    hints("blend(|", "blend(first, share=0.5, mode='a', by=[...])");
    hints("r.f(|", "blend(first, share=0.5, mode='a', by=[...])");
    hints("f(|", "lambda(x, y=1)");
    hints("g(|", "lambda(x, *more, scale=1, **options)");
    hints("h(|", "lambda(x, *, scale=1)");
    hints("softmax(A)|", "");
    hints("softmax|", "");
    hints("unknown(|", "");
    hints("x = (1 + |", "");
    hints("def blend(|", "");
    hints("print(softmax(A), unknown(|", "");
    hints("unset |", "unset NAME");
    hints("x = 1; unset t|", "unset NAME");
    char values[500];
    snprintf(values, sizeof values, "mask: %s", setting_values(setting_find("mask")));
    ck_assert_ptr_nonnull(strstr(values, "padding N (the first N keys are real), "));
    ck_assert_ptr_nonnull(strstr(values, ", the name of an array; joined by and"));
    hints("set mask |", values);
    hints("undo |", "");
    hints("plot|", "");
    hints("plot = |", "");
    hints("plot softmax(|", "softmax(x, axis=-1, temperature=1)");
}
END_TEST

START_TEST(test_hint_of_a_long_entry) {
    size_t length = HINT_TEXT_MAX + 1;
    char *text = malloc(length);
    Text hint;
    memset(text, ' ', length);
    memcpy(text + length - 8, "softmax(", 8);
    text_init(&hint);
    ck_assert(!completion_hint(session, text, length, length, &hint));
    ck_assert(completion_hint(session, text + 1, length - 1, length - 1, &hint));
    text_release(&hint);
    free(text);
}
END_TEST

/* ---- whatever is typed ---- */

/* At every place of texts whole, broken and odd: no crash, no look past the end, and what is
 * offered begins as it should. */
START_TEST(test_every_place) {
    static const char *const texts[] = {
        ("def f(x, y=[1, 2]):\n    for i in range(3):\n        plot x[i] to \"a b.png\"\n    "
         "return "
         "softmax(x, axis=0).T.sum()\n"),
        "set mask causal and window 4; attend Q K V; plot weights head 0 to 'x.svg'; help softmax",
        "((([[[{{{",
        ")))]]]}}}",
        "x = f\"{a:{b}.2f} {{c}} {d!r} {\"e\"}\"",
        "'''\"\"\"'''\"\"\"",
        "\\\n\\\n x \\ y",
        "a。b（c，d）：e；",
        "查询.查询(查询=查询, 查询)",
        "  x\n y\n\t z\n  w",
        "lambda: lambda x: (lambda y: x.y)(1).z",
        "1.2.3..4...x",
        "f(a, b=(c, d=e, [g, h=i",
        "x = \"",
        "x = f'",
        "x = 0x 0b2 1e 1__2 3j 007",
        "\xe4\xb8",
        "\xff(",
        "np.linalg.inv(np.",
        "# only a comment (",
        "plot(plot (plot -plot",
    };
    do_text("x = eye(2); Q = x; K = x; V = x; a = record(b=x); 查询 = a");
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        size_t whole = strlen(texts[t]), length = whole;
        for (size_t point = 0; point <= whole; point++) {
            length = point % 2 ? point : whole;
            char *text = memcpy(malloc(length + (length == 0)), texts[t],
                                length); /* without a zero byte behind it */
            Completion completion;
            Error err = {.kind = ERR_NONE};
            Text hint;
            text_init(&hint);
            ck_assert(completion_find(session, text, length, point, &completion, &err));
            ck_assert_uint_le(completion.begin, point);
            for (size_t i = 0; i < completion.count; i++)
                ck_assert_uint_le(completion.common, strlen(completion.candidates[i]));
            completion_hint(session, text, length, point, &hint);
            ck_assert_ptr_null(strchr(hint.data, '\n'));
            completion_release(&completion);
            text_release(&hint);
            free(text);
        }
    }
}
END_TEST

/* ---- without memory ---- */

/* Each allocation of a completion fails in turn. */
static void fail_each(const char *marked) {
    size_t point;
    char *text = cut_mark(marked, &point);
    for (long n = 1;; n++) {
        Completion completion;
        Error err = {.kind = ERR_NONE};
        size_t before = mem_used();
        long first = mem_requests();
        mem_fail_at(n, n % 2);
        bool ok = completion_find(session, text, strlen(text), point, &completion, &err);
        bool reached = mem_requests() - first >= n;
        mem_fail_at(0, false);
        ck_assert_msg(
            ok || (err.kind == ERR_LIMIT && completion.count == 0 && !completion.candidates),
            "%s, allocation %ld: %s", marked, n, err.message);
        ck_assert_msg(!ok || !reached || n > 1000 || completion.count == 0,
                      "%s, allocation %ld: nothing was said", marked, n);
        completion_release(&completion);
        ck_assert_msg(mem_used() == before, "%s, allocation %ld: %zu bytes lost", marked, n,
                      mem_used() - before);
        if (!reached) break;
    }
    free(text);
}

static void fail_each_hint(const char *marked) {
    size_t point;
    char *text = cut_mark(marked, &point);
    for (long n = 1;; n++) {
        Text hint;
        text_init(&hint);
        size_t before = mem_used();
        long first = mem_requests();
        mem_fail_at(n, n % 2);
        completion_hint(session, text, strlen(text), point, &hint);
        bool reached = mem_requests() - first >= n;
        mem_fail_at(0, false);
        text_release(&hint);
        ck_assert_uint_eq(mem_used(), before);
        if (!reached) break;
    }
    free(text);
}

START_TEST(test_without_memory) {
    static const char *const entries[] = {
        "soft|",     "x = 查|",      "x = PL|",
        "r.first.|", "np.s|",        "softmax(A, |",
        "r.f(|",     "A.softmax(t|", "set mask |",
        "help s|",   "load(\"|",     "attention(Q, K, V, mask=\"|",
        "\"a\".sp|", "x = 查询.ｓ|", "def f(ａb, _c): a|"};
    do_text("A = eye(2); def f(a, b=1): return a");
    do_text("r = record(first=A, f=f); 查询 = A");
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) fail_each(entries[i]);
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) fail_each_hint(entries[i]);
}
END_TEST

Suite *completion_suite(void) {
    Suite *suite = suite_create("completion");
    TCase *names = tcase_create("session"), *files = tcase_create("files");
    tcase_add_checked_fixture(names, begin, end);
    tcase_add_test(names, test_statement);
    tcase_add_test(names, test_expression);
    tcase_add_test(names, test_variables);
    tcase_add_test(names, test_locals);
    tcase_add_test(names, test_common_ends_between_characters);
    tcase_add_test(names, test_case);
    tcase_add_test(names, test_attributes);
    tcase_add_test(names, test_keywords);
    tcase_add_test(names, test_commands);
    tcase_add_test(names, test_snapshots);
    tcase_add_test(names, test_tokens);
    tcase_add_test(names, test_help);
    tcase_add_test(names, test_hints);
    tcase_add_test(names, test_hint_of_a_long_entry);
    tcase_add_test(names, test_every_place);
    tcase_add_checked_fixture(files, begin_files, end_files);
    tcase_add_test(files, test_files);
    tcase_add_test(files, test_words_in_strings);
    tcase_add_test(files, test_without_memory);
    suite_add_tcase(suite, names);
    suite_add_tcase(suite, files);
    return suite;
}
