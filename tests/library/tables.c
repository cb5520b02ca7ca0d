/* Every row is complete: whoever adds one gets this checked without a new test. */
#include "library/library.h"

#include <check.h>
#include <string.h>

Suite *tables_suite(void);

static bool same(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static const BuiltinDef *find(const char *name, size_t length) {
    for (int t = 0; library_tables[t]; t++)
        for (const BuiltinDef *row = library_tables[t]; row->name; row++)
            if (strlen(row->name) == length && memcmp(row->name, name, length) == 0) return row;
    return NULL;
}

static void check_see(const BuiltinDef *row) {
    for (const char *at = row->see; at && *at;) {
        size_t length = strcspn(at, " ");
        const BuiltinDef *other = find(at, length);
        ck_assert_msg(other && other != row, "%s: see %.*s", row->name, (int)length, at);
        at += length + (at[length] == ' ');
    }
}

static void check_parameters(const BuiltinDef *row) {
    Signature signature;
    Error err = {0};
    if (!row->call) return;
    ck_assert_msg(row->parameters, "%s: no parameters", row->name);
    ck_assert_msg(signature_parse(&signature, row->parameters, &err), "%s: %s", row->name,
                  err.message);
    for (int i = 0; i < signature.count; i++)
        for (int j = 0; j < i; j++)
            ck_assert_msg(strcmp(signature.parameters[i].name, signature.parameters[j].name) != 0,
                          "%s: two parameters %s", row->name, signature.parameters[i].name);
    signature_release(&signature);
}

START_TEST(each_row_says_what_it_is) {
    for (int t = 0; library_tables[t]; t++) {
        for (const BuiltinDef *row = library_tables[t]; row->name; row++) {
            ck_assert_msg(row->group && *row->group, "%s: no group", row->name);
            ck_assert_msg(row->summary && strlen(row->summary) > 20, "%s: no summary", row->name);
            ck_assert_msg(row->summary[strlen(row->summary) - 1] == '.',
                          "%s: its summary is no sentence", row->name);
            ck_assert_msg(row->example && *row->example, "%s: no example", row->name);
            check_parameters(row);
            check_see(row);
        }
    }
}
END_TEST

START_TEST(names_are_unique) {
    for (int t = 0; library_tables[t]; t++)
        for (const BuiltinDef *row = library_tables[t]; row->name; row++)
            for (int u = 0; u <= t; u++)
                for (const BuiltinDef *other = library_tables[u]; other->name && other != row;
                     other++)
                    ck_assert_msg(!same(row->name, other->name) ||
                                      !same(row->receiver, other->receiver),
                                  "two rows %s", row->name);
}
END_TEST

/* What the language promises by name. */
START_TEST(the_promised_functions_are_there) {
    static const char names[] =
        "array asarray zeros ones full empty zeros_like ones_like "
        "full_like tri meshgrid matmul power swapaxes moveaxis "
        "vstack hstack column_stack atleast_2d tolist astype amax "
        "amin allclose isclose array_equal unique pad inner vdot "
        "nonzero argwhere einsum percentile quantile cov corrcoef "
        "interp trapz eye diag arange linspace logspace rand "
        "randn randint permutation tril triu one_hot seed float32 "
        "float64 copy reshape transpose squeeze expand_dims flatten "
        "concatenate stack split repeat tile flip roll len shape exp "
        "expm1 log log1p log2 log10 sqrt abs sign sin cos tan tanh sigmoid "
        "relu gelu silu floor ceil round clip maximum minimum "
        "where isnan isfinite sum mean var std prod min max argmin argmax "
        "any all cumsum norm median sort argsort dot outer inv "
        "det solve svd eigh spectral_norm matrix_rank softmax log_softmax "
        "logsumexp entropy perplexity kl_divergence "
        "cross_entropy attention multihead long_short_attention "
        "hierarchical_attention causal_mask window_mask segment_mask "
        "padding_mask sinusoidal learned_positions relative_bias alibi "
        "rope layernorm rmsnorm ffn rnn tokens embed load save json "
        "print range enumerate zip type str float int bool sorted time "
        "record exit quit pi e inf nan join strip lower upper "
        "replace startswith endswith append arcsin arccos arctan arctan2 "
        "sinh cosh hypot deg2rad rad2deg searchsorted digitize bincount "
        "histogram isin union1d intersect1d setdiff1d append insert delete flipud fliplr rot90 "
        "diagonal dstack array_split ptp cumprod nanmean convolve gradient polyval polyfit";
    for (const char *at = names; *at;) {
        size_t length = strcspn(at, " ");
        ck_assert_msg(find(at, length), "%.*s is missing", (int)length, at);
        at += length + (at[length] == ' ');
    }
}
END_TEST

Suite *tables_suite(void) {
    Suite *suite = suite_create("tables");
    TCase *tests = tcase_create("rows");
    tcase_add_test(tests, each_row_says_what_it_is);
    tcase_add_test(tests, names_are_unique);
    tcase_add_test(tests, the_promised_functions_are_there);
    suite_add_tcase(suite, tests);
    return suite;
}
