/* The tables of words and signs, and templates as examples. */
#include "lang/remedy.h"
#include "base/utf8.h"
#include "lang/token.h"

#include <string.h>

typedef struct Foreign {
    const char *words, *here; /* the words of one meaning, with blanks between them */
} Foreign;

/* clang-format off */

/* ---- functions and values ---- */

static const Foreign names[] = {
    {"返回", "back"}, {"画 画图 绘图", "plot weights draws the weights, plot A an array"},
    {"true TRUE", "True"}, {"false FALSE", "False"},
    {"null nil none NULL undefined nullptr nothing", "None"}, {"NaN NAN NA", "nan"},
    {"Inf infinity Infinity infty", "inf"}, {"d_k dk", "K.shape[-1]"}, {"d_model", "X.shape[-1]"},
    {"π", "pi"}, {"model", "m = transformer(\"decoder\", vocab=16), then train m on t"},
    {"tokenizer enc tiktoken", "tokens(text) cuts a text into words, m.vocab.encode(text) as the "
     "model m reads it"},
    {"optimizer optim", "train m on t for 100 steps optimises by itself"},
    {"rng Generator", "seed(0) restarts the generator; then randn(3, 4)"},
    {"device", "leave it out: everything is computed on this machine"},
    /* products */
    {"mm bmm mv matrix_multiply", "%1 @ %2"},
    /* arrays */
    {"tensor Tensor from_numpy as_tensor Matrix vector Ndarray FloatTensor", "array"},
    {"matrix mat asmatrix", "array(%d)  # A @ B, not A * B|array(%a)  # A @ B, not A * B"},
    {"cat concat", "concatenate"}, {"length lenght", "len(%1%u)|max(%1.shape)"},
    {"numel", "%1.size"},
    {"size", "%1.shape[%o]|%1.shape"}, {"ndimension dim ndims", "%1.ndim"},
    {"dtype", "%1.dtype"}, {"nrow rows", "%1.shape[0]"}, {"ncol columns", "%1.shape[1]"},
    {"permute", "transpose"}, {"view", "%1|reshape(%a)"}, {"itemset", "%1[%2] = %3"},
    {"contiguous cuda eval float requires_grad_ detach cpu numpy", "%1%_"}, {"clone", "copy"},
    {"to type", "%1.astype(%2)|%1%_"}, {"movedim", "moveaxis"}, {"new_zeros", "zeros(%r)"},
    {"masked_fill", "where(%2, %3, %1)"}, {"where", "where(%2, %1, %3)"}, {"ipow", "%1 ** %2"},
    {"mT", "swapaxes(%1, -2, -1)"}, {"t", "%1.T"}, {"expand", "broadcast_to(%1, (%r))"},
    {"chunk", "split(%1, %2, axis=%3)|split(%1, %2%s)"}, {"add_", "%1 += %2"}, {"mul_", "%1 *= %2"},
    {"sub_", "%1 -= %2"}, {"sub", "%1 - %2"}, {"div_", "%1 /= %2"},
    {"fill_", "%1 = full(%1.shape, %2)"},
    {"zero_", "%1 = zeros(%1.shape)"}, {"long int", "trunc(%1)"}, {"bool", "%1 != 0"},
    {"normal_", "%1 = randn(*%1.shape)|%1 = %2 + %3 * randn(*%1.shape)|%1 = %(mean) + %(std) * "
     "randn(*%1.shape)"},
    {"uniform_", "%1 = rand(*%1.shape)|%1 = %2 + (%3 - %2) * rand(*%1.shape)"},
    {"copy_", "%1 = broadcast_to(%2, %1.shape)"},
    {"half", "float32(%1)%_  # the narrowest there is"}, {"randperm", "permutation"},
    {"topk", "(sort(%1)[..., ::-1][..., :%2], argsort(%1)[..., ::-1][..., :%2])"},
    {"repeat_interleave", "repeat(%1, %2, axis=%3)|repeat(%1, %2, axis=%(axis))|repeat(%1, %2)"},
    {"multinomial", "np.random.choice(len(%1), %2, replace=%(replacement), p=%1)|np.random.choice("
     "len(%1), %(num_samples), replace=%(replacement), p=%1)|np.random.choice(len(%1), "
     "%(num_samples), replace=False, p=%1)|np.random.choice(len(%1), %2, replace=False, p=%1)"},
    {"unbind", "list(moveaxis(%1, %2, 0))|list(moveaxis(%1, %(axis), 0))|list(%1)"},
    {"gather", "take_along_axis(%1, %3, axis=%2)"},
    {"clamp", "clip(%1, %2, %3)|clip(%1, %(min), %(max))|maximum(%1, %(min))|minimum(%1, %(max))|"
     "maximum(%1, %2)|clip(x, a_min, a_max)"},
    /* of Octave and MATLAB */
    {"next", "a loop goes through values: for x in xs; the first of them is xs[0]"},
    {"find which", "nonzero(%1%u)[0]  # counted from 0|nonzero(%1)  # rows and columns, counted "
     "from 0"},
    {"repmat", "tile(%1, (%2, %3))|tile(%1, (%2, %2))"}, {"rem", "sign(%1) * (abs(%1) % abs(%2))"},
    {"idivide", "trunc(%1 / %2)"},
    {"num2str", "f\"{%1:.5g}\""}, {"mat2str", "print(A) shows an array, str(A) is its text"},
    {"strcat", "%1 + %2"}, {"strcmp eq", "%1 == %2"}, {"isequal", "array_equal(%1, %2)"},
    {"isempty", "len(%1) == 0"}, {"cell", "[] is an empty list: xs = [], then xs.append(1)"},
    {"struct", "{%1: %2}|record()|record(a=1, b=2)"}, {"rank", "matrix_rank(%1)"},
    {"nnz", "sum(%1 != 0)"}, {"horzcat", "hstack((%a))"}, {"vertcat", "vstack((%a))"},
    {"circshift", "roll(%1, %2, axis=%3 - 1)|roll(%1, %2, axis=0)"}, {"logical", "%1 != 0"},
    {"single", "float32"}, {"ismember", "%1 in %2"}, {"strsplit", "%1.split(%2)"},
    {"strjoin", "%2.join(%1)"},
    {"encode bytes bytearray", "text is no bytes here: [ord(c) for c in text] has the number of "
     "each character"},
    {"upper toupper toUpperCase", "%1.upper()"}, {"lower tolower toLowerCase", "%1.lower()"},
    {"includes", "%2 in %1"}, {"indexOf", "%1.index(%2)"}, {"join", "%2.join(%1)"},
    {"substring", "%1[%2:%3]"}, {"parseInt", "int(%1)"}, {"parseFloat", "float(%1)"},
    {"nchar", "len(%1)"}, {"trim trimws", "%1.strip()"},
    {"reduce_sum", "sum(%a)"}, {"reduce_mean", "mean(%a)"}, {"reduce_max", "max(%a)"},
    {"constant Variable", "array(%a)"}, /* of TensorFlow */
    {"error", "raise ValueError(%1)|raise ValueError(%1 % (%r))"}, {"sprintf", "%1|%1 % (%r)"},
    {"fprintf printf", "print(%1, end=\"\")|print(%1 % (%r), end=\"\")"},
    {"tic", "write start = time()"}, {"toc", "write time() - start, after start = time()"},
    {"csvread readmatrix read_csv loadtxt", "load(%1)"}, {"csvwrite dlmwrite", "save(%1, %2)"},
    {"savetxt", "save(%t, %2)"}, {"writematrix", "save(%2, %1)"},
    {"cellfun arrayfun", "[f(x) for x in xs] calls a function for each"},
    {"randi", "randint(1, %1 + 1, (%2, %3))|randint(1, %1 + 1, (%2, %2))|randint(1, %1 + 1)"},
    /* of R and Julia */
    {"seq", "arange(%1, %2 + 1)|arange(%1, %2 + %(by) / 2, %(by))"}, {"seq_len", "arange(1, %1 + 1)"}, {"rep", "repeat(%1, %2)%x|repeat(%1, %(each))|tile(%1, %(times))|tile(%1, %2)"},
    {"sd", "std(%1, ddof=1)"}, {"colSums", "sum(%1, axis=0)"},
    {"colMeans", "mean(%1, axis=0)"}, {"collect", "%1"},
    {"paste", "%1 + \" \" + %2"}, {"ifelse", "where(%a)"}, {"rbind", "vstack((%a))"},
    {"cbind hcat", "column_stack((%a))"}, {"vcat", "concatenate((%a))"}, {"string", "str(%1)"},
    {"crossprod", "%1.T @ %2|%1.T @ %1"}, {"permutedims", "%1.T"}, {"push", "%1.append(%2)"},
    /* arithmetic */
    {"inverse", "inv"}, {"ln", "log"}, {"mul", "%1 * %2"}, {"div", "%1 / %2"}, {"neg", "-%1"},
    {"Σ", "sum"}, {"float16", "float32, or dtype=\"float16\" where a model is saved"},
    {"double", "float64"},
    /* random numbers */
    {"manual_seed", "seed"}, {"runif", "rand(%1)"}, {"rnorm", "randn(%1)"},
    /* derivatives */
    {"backward", "grad(f, x), where f computes the loss from x"}, {"jacrev jacfwd", "jacobian"},
    {"hessian", "jacobian(lambda x: grad(f, x), x) is the Hessian of f at x"},
    {"derivative", "grad(f, x) is the derivative of the function f at x"},
    /* attention and layers */
    {"self_attention selfattention", "attention(%1, %1, %1)"},
    {"cross_attention", "attention(%1, %2, %2)"},
    {"multi_head_attention MultiheadAttention MultiHeadAttention", "multihead"},
    {"positional_encoding pos_encoding PE", "sinusoidal"}, {"feed_forward", "ffn"},
    {"Module", "write class Head: without a base, and __call__ in place of forward"},
    {"get_ipython", "leave the line out: it belongs to Jupyter"}, {"forward", "%1(%r)"},
    {"Sequential ModuleList", "write the layers one behind the other: relu(x @ W1 + b1) @ W2 + b2"},
    {"init", "W = randn(4, 8) / sqrt(4) is a matrix of weights to begin with"},
    {"Transformer TransformerEncoder TransformerEncoderLayer TransformerDecoder "
     "TransformerDecoderLayer GPT", "m = transformer(\"decoder\", vocab=16) makes a whole model"},
    {"GPT2LMHeadModel GPT2Model GPT2Tokenizer BertModel BertTokenizer AutoModel AutoTokenizer "
     "AutoModelForCausalLM pipeline", "m = load(\"FOLDER\") opens a GPT-2 or BERT checkpoint with "
     "its tokenizer"},
    {"rearrange", "x.reshape(t, h, d).transpose(1, 0, 2) is rearrange(x, \"t (h d) -> h t d\")"},
    {"kl KL", "kl_divergence"}, {"tokenize tokenise", "tokens"}, {"embedding", "embed"},
    {"rowsum", "sum(%1, axis=1)"}, {"set_temperature", "set temperature %1"},
    {"set_mask", "set mask %1"}, {"set_heads", "set heads %1"},
    {"mse_loss", "%e((%1 - %2) ** 2)"}, {"dropout", "%1%_  # nothing is dropped here"},
    {"normalize", "%1 / maximum(norm(%1, axis=%(axis), keepdims=True), 1e-12)|%1 / maximum(norm("
     "%1, axis=%2, keepdims=True), 1e-12)|%1 / maximum(norm(%1, axis=-1, keepdims=True), 1e-12)"},
    {"cosine_similarity", "sum(%1 * %2, axis=%(axis)) / maximum(norm(%1, axis=%(axis)) * norm(%2, "
     "axis=%(axis)), 1e-8)|sum(%1 * %2, axis=1) / maximum(norm(%1, axis=1) * norm(%2, axis=1), "
     "1e-8)|%1 @ %2 / maximum(norm(%1) * norm(%2), 1e-8)"},
    {"Image HTML Markdown Audio SVG clear_output ipd",
     "leave the line out: Jupyter alone shows it"},
    {"shares_memory may_share_memory", "arrays are copied: a change of one leaves the others"},
    {"no_grad", "leave the line out: nothing is recorded unless grad(f, x) asks for it"},
    {"layer_norm", "layernorm(%1%w%s)"}, {"LayerNorm", "layernorm"},
    {"rms_norm", "rmsnorm(%1%w%s)"}, {"RMSNorm", "rmsnorm"},
    {"crossentropy CrossEntropyLoss", "cross_entropy"},
    {"kl_div", "%e(where(%2 == 0, 0, %2 * (log(%2) - %1)))"},
    {"ne", "%1 != %2"}, {"gt", "%1 > %2"}, {"lt", "%1 < %2"}, {"ge", "%1 >= %2"},
    {"le", "%1 <= %2"}, {"rsqrt", "1 / sqrt(%1)"}, {"ger", "outer"},
    {"index_select", "take(%1, %3, axis=%2)"}, {"masked_select", "%1[%2]"},
    {"linear", "%1 @ %2.T + %3|%1 @ %2.T"}, {"l1_loss", "%e(abs(%1 - %2))"},
    {"leaky_relu", "where(%1 > 0, %1, %2 * %1)|where(%1 > 0, %1, 0.01 * %1)"},
    {"softplus", "logaddexp(0, %1)"}, {"elu", "where(%1 > 0, %1, exp(%1) - 1)"},
    {"selu", "1.0507009873554805 * where(%1 > 0, %1, 1.6732632423543772 * (exp(%1) - 1))"},
    {"mish", "%1 * tanh(logaddexp(0, %1))"}, {"logsigmoid", "-logaddexp(0, -%1)"},
    {"hardtanh", "clip(%1, -1, 1)"}, {"relu6", "clip(%1, 0, 6)"},
    {"glu", "split(%1, 2, axis=-1)[0] * sigmoid(split(%1, 2, axis=-1)[1])"},
    {"softmin", "softmax(-%1, axis=%2)|softmax(-%1, axis=%(axis))"},
    {"nll_loss", "-%e(%1[arange(len(%1)), %2])"},
    {"binary_cross_entropy", "-%e(%2 * maximum(log(%1), -100) + (1 - %2) * maximum(log(1 - %1), "
     "-100))"},
    {"binary_cross_entropy_with_logits", "%e((1 - %2) * %1 + logaddexp(0, -%1))"},
    {"smooth_l1_loss huber_loss", "%e(where(abs(%1 - %2) < 1, (%1 - %2) ** 2 / 2, abs(%1 - %2) - "
     "0.5))"},
    {"cdist", "norm(%1[:, None] - %2, axis=-1)"},
    {"pairwise_distance", "norm(%1 - %2 + 1e-6, axis=-1)"},
    {"var_mean", "(var(%a, ddof=1), mean(%a))"}, {"std_mean", "(std(%a, ddof=1), mean(%a))"},
    {"aminmax", "(min(%a), max(%a))"}, {"kthvalue", "(sort(%1)[%2 - 1], argsort(%1)[%2 - 1])"},
    {"addmm baddbmm", "%1 + %2 @ %3"}, {"lerp", "%1 + %3 * (%2 - %1)"},
    {"frac", "%1 - trunc(%1)"}, {"bucketize", "searchsorted(%2, %1)"}, {"pinverse", "pinv"},
    {"vector_norm", "norm(%1.flatten())|norm(%a)"}, {"matrix_norm", "norm(%1)"},
    {"histc", "histogram(%1, %(bins))[0]|histogram(%1, %2)[0]"}, {"Softmax", "softmax"},
    {"ReLU", "relu"}, {"GELU", "gelu"}, {"Sigmoid", "sigmoid"}, {"Tanh", "tanh"},
    {"scaled_dot_product_attention", "attention(%a).output"},
    /* printing, reading, collections */
    {"puts disp println echo 打印", "print"}, {"display", "print(%a)%_"},
    {"reduce", "a loop goes through the values: for x in xs: s = f(s, x)"},
    {"raw_input", "input"},
    /* pictures */
    {"imshow heatmap matshow imagesc surf mesh", "plot %1%_|plot weights"},
    {"bar", "plot %2%_|plot %1%_"},
    {"hist", "plot sort(x) shows how values are distributed"}, {"matplotlib", "plot A"},
    {"colorbar", "plot A, which draws its colour bar"}, {"title", "plot A title %1"},
    {"xlabel", "plot A xlabel %1"}, {"ylabel", "plot A ylabel %1"},
    {"legend", "plot x, y, which names its lines"},
    {"subplot", "plot A, one picture for each line"}, {"scatter", "plot %2 against %1%_"},
    {"savefig", "plot weights to %1%_"}, {"figure", "plot A, which makes the picture at once"},
    {NULL, NULL},
};

/* Functions that are called without a module: q() of R, where q alone is a variable that is not
 * there, cat(x) of R, where torch.cat is another. Names of R have dots in them. */
static const Foreign calls[] = {
    {"c", "[%a]"}, {"q", "exit"}, {"dim", "%1.shape"}, {"stop", "raise ValueError(%1)"},
    {"cat", "concatenate(%a)|concatenate((%r), axis=%1 - 1)|concatenate((%1, %2), "
     "axis=%(axis) - 1)|stack((%r), axis=%1 - 1)%x|print(%a, end=\"\")"},
    {"null", "svd(%1)[2][matrix_rank(%1):].T"}, {"orth", "svd(%1)[0][:, :matrix_rank(%1)]"},
    {"NaN", "full((%1, %2), nan)|full((%1, %1), nan)"},
    {"true", "full((%1, %2), True)|full((%1, %1), True)"},
    {"false", "full((%1, %2), False)|full((%1, %1), False)"},
    {"tail", "%1[-%2:]"}, {"head", "%1[:%2]"}, {"sub", "%3.replace(%1, %2, 1)"},
    {"gsub", "%3.replace(%1, %2)"}, {"paste0", "%1 + %2|str(%1) + str(%2)"},
    {"paste", "%1 + \" \" + %2|%1 + %(sep) + %2|%(collapse).join(%1)|"
     "str(%1) + \" \" + str(%2) + \" \" + str(%3)|str(%1) + \" \" + str(%2)"},
    {"matrix", "reshape(%1, (%3, %2)).T|reshape(%1, (%(ncol), %(nrow))).T|"
     "reshape(%1, (-1, %(nrow))).T|reshape(%1, (%(ncol), -1)).T|%(byrow=True)reshape(%1, (%(nrow), "
     "%(ncol)))|%(byrow=True)reshape(%1, (%(nrow), -1))|%(byrow=True)reshape(%1, (-1, %(ncol)))|"
     "%(byrow=True)reshape(%1, (%2, %3))|full((%2, %3), %1)|full((%(nrow), %(ncol)), %1)|"
     "array(%d)  # A @ B, not A * B|array(%a)  # A @ B, not A * B"},
    {"rowSums", "sum(reshape(%1, (len(%1), -1)), axis=1)%V|sum(%1, axis=1)"},
    {"rowMeans", "mean(reshape(%1, (len(%1), -1)), axis=1)%V|mean(%1, axis=1)"},
    {"pmax", "maximum(%1, %2)"}, {"pmin", "minimum(%1, %2)"}, {"cor", "corrcoef(%1, %2)[0, 1]"},
    {"identical", "array_equal(%1, %2)"}, {"all.equal", "allclose(%1, %2)"},
    {"tcrossprod", "%1 @ %2.T|%1 @ %1.T"}, {"div", "trunc(%1 / %2)"}, {"xrange", "range(%a)"},
    {"rev", "%1[::-1]"}, {"order", "argsort(%1)  # counted from 0"},
    {"which.max", "argmax(%1)  # counted from 0"}, {"which.min", "argmin(%1)  # counted from 0"},
    {"upper.tri", "triu(ones(%1.shape), 1) == 1"}, {"lower.tri", "tril(ones(%1.shape), -1) == 1"},
    {"export", "typed in a shell, attn export FILE makes a page of a document"},
    {"exec", "a line is typed as it is; run \"x.attn\" runs a script"},
    {"permute", "transpose(%1, [i - 1 for i in %2])"}, {"randperm", "permutation(%1) + 1"},
    {"substring substr", "%1[%2 - 1:%3]"}, {"interp1", "interp(%3, %1, %2)"},
    {"sapply lapply", "[%2(z) for z in %1]"}, {"apply", "apply_along_axis(%3, 2 - %2, %1)"},
    {"set.seed Random.seed", "seed(%1)"}, {"read.csv read.table", "load(%1)%_"},
    {"write.csv write.table", "save(%2, %1)%_"}, {"Sys.time", "time()"},
    {"regex.sub regex.match regex.search regex.findall regex.split regex.fullmatch regex.compile "
     "regex.finditer", "the module is re: import re; re.sub(\"a+\", \"b\", text)"},
    {NULL, NULL},
};

/* ---- keyword arguments ---- */

static const Foreign keywords[] = {
    {"dim dims axes", "axis"}, {"keepdim keep_dims", "keepdims"}, {"temp tau T τ", "temperature"},
    {"lr learning_rate", "rate"},
    {"num_heads n_heads n_head nhead nheads num_attention_heads", "heads"},
    {"num_layers n_layers n_layer num_hidden_layers", "layers"},
    {"is_causal causal_mask", "causal"},
    {"attn_mask attention_mask", "mask"}, {"batch_size", "batch"}, {"epsilon", "eps"},
    {"input", "x"}, {"query q", "Q"}, {"key k", "K"}, {"value v", "V"},
    {"device requires_grad dtype dropout_p normalized_shape generator", ""}, {"diagonal", "k"},
    {"num_classes", "n"}, {"min", "a_min"}, {"max", "a_max"}, {"unbiased correction", "ddof"},
    {"weight", "gamma"}, {"bias", "beta"}, {"type", "kind"},
    {"dmodel embed_dim emb_dim n_embd hidden_size", "d_model"},
    {"d_ffn dim_feedforward", "d_ff"}, {"vocab_size", "vocab"},
    {"block_size context_length max_seq_len n_positions", "max_len"},
    {"drop_rate dropout_rate", "dropout"}, {"steps", "num"}, {"offset", "k"},
    {"max_length max_new_tokens", "max"},
    {"num_beams", "beam"},
    {NULL, NULL},
};

/* ---- modules ---- */

static const Foreign modules[] = {
    {"torch F tf jnp jax scipy sp keras cp mx sklearn math",
     "its functions are built in: softmax(x), randn(3, 4)"},
    {"statistics", "mean, median and std are built in"},
    {"nn", "write out what a layer computes: x @ W + b, softmax(x), layernorm(x)"},
    {"plt sns matplotlib plotly pylab pyplot ax",
     "plot A draws a picture, plot A to \"a.png\" makes a file"},
    {"pd pandas", "load(\"x.csv\") reads a table as an array"},
    {"random", "rand, randn, randint and seed are built in"},
    {"Math", "its functions are built in: sqrt(2)"}, {"cmath", "numbers are real here"},
    {"os", "write import os before it, for os.path"},
    {"sys", "exit leaves; the words after a script's name are its args"},
    {"console System", "print(%a)"},
    {"json", "json(x) is built in; json.dumps and json.loads want import json before them"},
    {"self this", "self is the first parameter of a method of a class: def f(self, x): ..."},
    {"numpy", "numpy. is written only before a name: numpy.exp(x) is exp(x)"},
    {"np", "np. is written only before a name: np.exp(x) is exp(x)"},
    {"__name__", "a script runs from its first line to its last: write the lines without the `if`"},
    {NULL, NULL},
};

/* Layers of PyTorch are made before they are called, and its softmax takes the axis second. */
static const Foreign members[] = {
    {"Softmax", "softmax(x, axis=-1)"}, {"LogSoftmax", "log_softmax(x, axis=-1)"},
    {"size", "%1.shape[%2]|%1.size"}, {"Linear", "W = randn(%1, %2)%_, then x @ W"},
    {"LayerNorm", "layernorm(x)"}, {"RMSNorm", "rmsnorm(x)"}, {"ReLU", "relu(x)"},
    {"GELU", "gelu(x)"}, {"Tanh", "tanh(x)"}, {"Sigmoid", "sigmoid(x)"},
    {"Embedding", "embed(\"the cat sat\", 8)"},
    {"MultiheadAttention", "multihead(X, Wq, Wk, Wv, Wo, 2)"},
    {"CrossEntropyLoss", "cross_entropy(logits, target)"}, {"softmax", "softmax(%1, axis=%2)"},
    {"MSELoss", "mean((y - target) ** 2)"}, {"cuda", "device = \"cpu\""},
    {"BCELoss", "-mean(y * maximum(log(p), -100) + (1 - y) * maximum(log(1 - p), -100))"},
    {"log_softmax", "log_softmax(%1, axis=%2)"}, {"Parameter", "%1"}, {"manual_seed", "seed(%1)"},
    {"plot", "plot %2 against %1%_|plot %1"}, {"show subplots", "plot A"},
    {"savefig", "plot weights to %1"}, {"embedding", "%2[%1]"},
    {"semilogy", "plot %2 against %1 as log|plot %1 as log"}, {"semilogx", "plot %a as logx"},
    {"loglog", "plot %2 against %1 as loglog|plot %1 as loglog"}, {"ylim clim", "plot A range 0 1"},
    {"time", "time()"}, {"exit", "exit"},
    {NULL, NULL},
};

/* A layer that is called at once: nn.Softmax(dim=-1)(A). */
static const Foreign layers[] = {
    {"Softmax", "softmax(%a%k)"}, {"LogSoftmax", "log_softmax(%a%k)"}, {"ReLU", "relu(%a)"},
    {"GELU", "gelu(%a%k)"}, {"SiLU", "silu(%a)"}, {"Tanh", "tanh(%a)"}, {"Sigmoid", "sigmoid(%a)"},
    {"LayerNorm", "layernorm(%a%k)"}, {"RMSNorm", "rmsnorm(%a%k)"},
    {"Dropout", "%1  # nothing is dropped here"}, {"Identity", "%1"},
    {"Flatten", "reshape(%1, %1.shape[0], -1)"}, {"Linear", "%1 @ randn(%m, %n)"},
    {"Embedding", "randn(%m, %n)[%1]"}, {"MSELoss", "%e((%1 - %2) ** 2)"},
    {"L1Loss", "%e(abs(%1 - %2))"}, {"CrossEntropyLoss", "%(reduction=mean)cross_entropy(%a)|"
     "%(reduction=)%i-%e(log_softmax(%1)[arange(len(%1)), %2])|cross_entropy(%a%k)"},
    {NULL, NULL},
};

/* ---- functions of PyTorch that mean something else than NumPy's of the same name ---- */

static const Foreign torch_functions[] = {
    {"transpose", "swapaxes(%1, %2, %3)|swapaxes(%1, %(dim0), %(dim1))"},
    {"var", "var(%a, ddof=1)"}, {"std", "std(%a, ddof=1)"},
    {"max", "maximum(%1, %2)%x|(max(%1, axis=%2), argmax(%1, axis=%2))|(max(%1, axis=%(axis)), "
     "argmax(%1, axis=%(axis)))|(max(%1, axis=%(axis), keepdims=%(keepdims)), argmax(%1, "
     "axis=%(axis), keepdims=%(keepdims)))"},
    {"min", "minimum(%1, %2)%x|(min(%1, axis=%2), argmin(%1, axis=%2))|(min(%1, axis=%(axis)), "
     "argmin(%1, axis=%(axis)))|(min(%1, axis=%(axis), keepdims=%(keepdims)), argmin(%1, "
     "axis=%(axis), keepdims=%(keepdims)))"},
    {"sort", "(sort(%1), argsort(%1))|(sort(%1, axis=%2), argsort(%1, axis=%2))|(sort(%1, "
     "axis=%(axis)), argsort(%1, axis=%(axis)))|%(descending=True)(-sort(-%1), argsort(-%1))|"
     "%(descending=True)(-sort(-%1, axis=%2), argsort(-%1, axis=%2))|%(descending=True)(-sort(-%1, "
     "axis=%(axis)), argsort(-%1, axis=%(axis)))"},
    {"argsort", "%(descending=True)argsort(-%1)|%(descending=True)argsort(-%1, axis=%2)|"
     "%(descending=True)argsort(-%1, axis=%(axis))"},
    {"cross_entropy", "%(reduction=mean)cross_entropy(%1, %2)|%(reduction=)%i-%e(log_softmax(%1)["
     "arange(len(%1)), %2])|%(reduction=sum)-sum(log_softmax(%1) * %2)|%(reduction=none)-sum("
     "log_softmax(%1) * %2, axis=-1)|cross_entropy(%1[%2 != %(ignore_index)], %2[%2 != "
     "%(ignore_index)])|-sum(%(weight)[%2] * log_softmax(%1)[arange(len(%1)), %2]) / "
     "sum(%(weight)[%2])"},
    {"median", "sort(%1.flatten())[(%1.size - 1) // 2]|(take(sort(%1, axis=%2), (%1.shape[%2] - 1) "
     "// 2, axis=%2), take(argsort(%1, axis=%2), (%1.shape[%2] - 1) // 2, axis=%2))|(take(sort(%1, "
     "axis=%(axis)), (%1.shape[%(axis)] - 1) // 2, axis=%(axis)), take(argsort(%1, axis=%(axis)), "
     "(%1.shape[%(axis)] - 1) // 2, axis=%(axis)))"},
    {"svd", "(svd(%1, False)[0], svd(%1, False)[1], swapaxes(svd(%1, False)[2], -1, -2))"},
    {"nonzero", "argwhere(%1)"}, {"repeat", "tile(%1, (%r))"},
    {"norm", "%Unorm(%1.flatten(), %2)|%Unorm(%1.flatten(), %(p))"},
    {"triu_indices", "triu_indices(%1, %3, %2)|triu_indices(%1, %(offset), %2)|triu_indices(%1, 0, "
     "%2)"},
    {"tril_indices", "tril_indices(%1, %3, %2)|tril_indices(%1, %(offset), %2)|tril_indices(%1, 0, "
     "%2)"},
    {"flatten", "%(start_dim=0)reshape(%1, -1)|reshape(%1, *%1.shape[:%2], -1)|"
     "reshape(%1, *%1.shape[:%(start_dim)], -1)"},
    {"pad", "pad(%1, [(0, 0)] * (%1.ndim - 1) + [%2])|pad(%1, [(0, 0)] * (%1.ndim - 1) + [%2], "
     "constant_values=%(value))"},
    {"equal", "array_equal(%1, %2)"}, {"meshgrid", "meshgrid(%a, indexing=\"ij\")"},
    {"split", "split(%1, cumsum(%2)[:-1])%x|split(%1, cumsum(%2)[:-1], axis=%3)%x|split(%1, "
     "cumsum(%2)[:-1], axis=%(axis))%x|split(%1, range(%2, len(%1), %2))|split(%1, range(%2, "
     "%1.shape[%3], %2), axis=%3)|split(%1, range(%2, %1.shape[%(axis)], %2), axis=%(axis))"},
    {NULL, NULL},
};

/* The same of TensorFlow and of jax.random, whose functions take a key first. */
static const Foreign tensorflow_functions[] = {
    {"argmax", "%Uargmax(%1, axis=0)"}, {"argmin", "%Uargmin(%1, axis=0)"},
    {"cumsum", "%Ucumsum(%1, axis=0)"}, {"cumprod", "%Ucumprod(%1, axis=0)"},
    {"normal", "randn(*%1)|randn(*%2)%_|normal(%2, %3, %1)|normal(%(mean), %(stddev), %1)"},
    {"uniform", "rand(*%1)|rand(*%2)%_|uniform(%2, %3, %1)|uniform(%(minval), %(maxval), %1)"},
    {"where", "argwhere(%1)"}, {"rank", "%1.ndim"}, {"reverse", "flip(%1, %2)"},
    {"gather", "take(%1, %2, axis=0)|take(%1, %2, axis=%(axis))"},
    {"split", "split(%1, cumsum(%2)[:-1])%x|split(%1, cumsum(%2)[:-1], axis=%3)%x"},
    {"unstack", "list(%1)|list(moveaxis(%1, %(axis), 0))"}, {NULL, NULL},
};

/* ---- modules that are imported ---- */

static const Foreign imports[] = {
    {"matplotlib seaborn plotly mpl_toolkits bokeh", "plot A draws a picture here"},
    {"graphviz networkx", "plot links draws what attends to what"},
    {"re regex", "strings have find, split, replace, startswith, partition and in"},
    {"threading asyncio multiprocessing concurrent", "call the functions one after the other"},
    {"logging", "print(x) shows what happens"},
    {"unittest pytest hypothesis", "write assert a == b"},
    {"transformers huggingface_hub datasets", "m = load(\"FOLDER\") opens a GPT-2 or BERT "
     "checkpoint with its tokenizer"},
    {"tiktoken tokenizers sentencepiece nltk spacy", "tokens(text) cuts a text into words, "
     "m.vocab.encode(text) as the model m reads it"},
    {"einops", "reshape, transpose and einsum do it: rearrange(x, \"t (h d) -> h t d\") is "
     "x.reshape(t, h, d).transpose(1, 0, 2)"},
    {"tensorflow keras flax", "write it with NumPy's functions: x @ W, softmax(x), relu(x)"},
    {"pandas", "load(\"x.csv\") reads a table as an array"},
    {"pickle", "save(\"x.npy\", x) keeps an array, save(\"m.safetensors\", m) a model"},
    {"requests urllib wget gdown", "nothing is fetched here; load(\"x.csv\") reads a file"},
    {"argparse fire", "the words after a script's name are the list args"},
    {NULL, NULL},
};

/* ---- statements ---- */

static const Foreign statements[] = {
    /* declarations and control of other languages */
    {"let var const local auto my double", "%l"},
    {"function func fn fun sub", "write def f(x): return x + 1"}, {"foreach", "write for x in xs:"},
    {"elseif elsif", "write elif"}, {"until", "write while not c:"}, {"unless", "write if not c:"},
    {"switch match case", "write if, elif, else"}, {"goto", "write a loop: while c:"},
    {"end endif endfor endfunction endwhile fi done", "a block ends where its indentation ends, at "
     "the prompt with an empty line; the last element is x[-1]"},
    {"do then", "a block begins with : at the end of the line"},
    {"echo disp printf puts 打印", "print(%l)"}, {"delete clearvars drop remove", "del %l"},
    {"save", "save(\"x.npy\", %l)"}, {"throw", "write raise ValueError(\"message\")"},
    {"require using library", "leave the line out; help lists what is built in"},
    {"include play execute source exec 运行", "run \"%f\""}, {"read", "load(\"%f\")"},
    {"heatmap imshow draw graph chart picture image bar 画 画图 绘图", "plot %l"},
    {"savefig export screenshot", "plot weights to \"%f\""},
    {"hist histogram", "plot sort(x) shows how values are distributed"}, {"catch", "write except:"},
    {"display view 显示", "show %l"}, {"explain", "why %l"}, {"wait sleep", "pause %l"},
    {"write", "save session \"x.md\""}, {"gif", "plot sweep to \"%f\", after a sweep"},
    {"animate", "sweep %l; plot sweep to \"sweep.gif\""}, {"att run_attention 注意力", "attend %l"},
    {"compute", "an expression is written alone; attend Q K V computes attention"},
    {"restart 重置", "reset"}, {"refresh redraw replot", "plot weights"},
    {"vars variables", "who"}, {"settings", "show"},
    {"hold", "plot x, y draws several lines in one picture"},
    {"close", "leave it out: a picture is drawn when plot is typed"},
    {"format", "set digits 15 shows more digits"}, {"axis", "plot A range 0 1 sets the colours"},
    {"gradient", "grad(f, x) is the derivative of the function f at x"},
    {"present collect submit", "that is typed in a shell, after exit: attn present FILE, attn "
     "collect FILES, attn export FILE"}, {"what how", "a question in plain words goes behind help"},
    {"查询 怎么办", "help is the overview, apropos mask searches"},
    {"lesson lessons tutorial", "the lessons are started in a shell, after exit: attn lessons"},
    /* shells */
    {"ls dir ll whos", "who lists the variables"},
    {"cd", "file names may have a folder in front: load(\"folder/x.npy\")"},
    {"pwd", "file names start from the folder that attn was started in"},
    {"clear", "Ctrl-L clears the screen, del x takes a variable away, reset empties the bench"},
    {"cls clc 清屏", "Ctrl-L clears the screen"}, {"cat less more head tail", "load(\"%f\")"},
    {"cout", "print(x)"}, {"man info doc lookfor 帮助", "help %l"},
    {"python python3", "a script of attn is run by run \"x.attn\"; lines of Python with NumPy's "
     "functions can be typed here"}, {"attn", "this is attn: run \"x.attn\" runs a script"},
    {"vim vi nano emacs code edit",
     "write a script in an editor of your own, then: run \"x.attn\""},
    {"pip pip3 conda", "nothing has to be installed: NumPy's functions are built in"},
    {"brew apt sudo git mkdir rm cp mv touch bash sh ssh wget curl make",
     "that is for the shell: type it there, before attn or after exit"},
    {"gnuplot", "plot A draws with it: plot A to \"a.png\""},
    {"history", "the up arrow brings earlier lines back"},
    /* leaving, in many tongues */
    {"bye logout leave stop 退出 结束 离开", "exit"},
    /* commands in Chinese */
    {"设置", "set %l"}, {"撤销", "undo"}, {"重做", "redo"},
    {"矩阵 向量 变量 定义变量", "%l"},
    {"因果掩码", "set mask causal"},
    {NULL, NULL},
};

/* ---- Chinese words for commands, settings, functions and operators ---- */

static const Foreign chinese[] = {
    /* commands */
    {"帮助 说明 求助 怎么用", "help"}, {"设置 设定 设 把 将 请 请把", "set"},
    {"显示 查看 看 看看 显示设置 查看设置 所有设置", "show"},
    {"画图 绘图 绘制 画 画出", "plot"}, {"计算注意力 注意力 自注意力", "attend"}, {"运行 执行", "run"},
    {"撤销 撤消", "undo"}, {"重做", "redo"}, {"重置 清空", "reset"},
    {"变量 所有变量 查看变量 显示变量 显示所有变量 有哪些变量", "who"}, {"退出 结束 离开 再见", "exit"},
    {"比较 对比", "compare"}, {"扫描 扫", "sweep"}, {"跟踪 追踪", "trace"}, {"为什么 解释", "why"},
    {"诊断", "diagnose"}, {"训练", "train"}, {"探索 浏览", "explore"}, {"快照", "snapshot"},
    {"恢复", "restore"}, {"评估", "evaluate"}, {"预测", "predict"}, {"暂停 等待", "pause"},
    {"状态", "state"}, {"差异", "diff"}, {"更多", "more"}, {"例子 示例", "examples"},
    {"搜索 查找", "apropos"}, {"保存会话 保存会话到", "save session"},
    {"查看模型 检视", "inspect"}, {"各个头 所有头", "heads"}, {"透镜", "lens"},
    {"展开 注意力展开", "rollout"}, {"显著性", "saliency"}, {"消融 关掉", "ablate"},
    {"替换 替换激活 激活替换", "patch"}, {"生成", "generate"},
    {"温度设为 温度改为 温度改成 温度调到 温度等于", "set temperature"},
    {"头数设为 头数改为 头数改成", "set heads"}, {"掩码设为 掩码改为 掩码改成", "set mask"},
    {"位置设为 位置改为 位置编码设为", "set position"},
    {"设置因果掩码 使用因果掩码 加上因果掩码 用因果掩码", "set mask causal"},
    {"去掉掩码 取消掩码 关闭掩码 不用掩码", "set mask none"},
    {"设为 设成 改为 改成 调到 调成 设置为 设置成 为", ""}, /* 把温度设为 0.5 */
    {"切换中文 切换到中文 换成中文 用中文", "set language zh"},
    {"切换英文 切换到英文 换成英文 用英文", "set language en"},
    /* words of lessons */
    {"提示", "hint"}, {"检查", "check"}, {"答案 参考答案 解答", "solution"}, {"跳过", "skip"},
    {"继续 下一步 下一页 下一屏 下一个", "next"}, {"上一步 上一页 上一屏 后退 回去", "back"},
    {"再来 重来 再看一遍 再来一遍", "again"}, {"哪里 在哪里 进度", "where"},
    {"转到 跳到 去练习 转到练习", "goto"}, {"忘记 忘掉 清除", "forget"}, {"课程 所有课程", "lessons"},
    {"教程 上课 开始上课 第 打开第", "lesson"}, {"课", ""},
    /* what they show */
    {"查询", "Q"}, {"键", "K"}, {"值", "V"}, {"权重 注意力权重 热力图 热图", "weights"}, {"分数 得分", "scores"}, {"输出", "output"},
    {"损失", "loss"},
    /* settings and their values */
    {"温度", "temperature"}, {"掩码 遮罩", "mask"}, {"位置 位置编码", "position"},
    {"头数 多头", "heads"}, {"头", "head"}, {"词元 令牌 标记 分词 句子 单词 文本", "tokens"}, {"缩放", "scale"},
    {"种子 随机种子", "seed"}, {"位数 精度 小数位数", "digits"}, {"颜色", "color"}, {"调色板", "palette"},
    {"线程", "threads"}, {"语言", "language"}, {"因果 因果掩码", "causal"}, {"窗口 滑动窗口 窗口大小", "window"},
    {"填充", "padding"}, {"无 没有", "none"}, {"正弦 正弦位置编码", "sinusoidal"},
    {"旋转 旋转位置编码", "rope"}, {"相对 相对位置 相对位置编码", "relative"},
    {"可学习 可训练", "learned"}, {"灰度 灰色", "grey"}, {"关 关闭 不要", "off"}, {"行", "row"}, {"列", "column"},
    {"步数", "steps"}, {"中文 汉语", "zh"},
    {"英文 英语", "en"},
    /* functions */
    {"打印", "print"}, {"求和 总和", "sum"}, {"平均值 平均 均值", "mean"}, {"最大值 最大", "max"},
    {"最小值 最小", "min"}, {"长度", "len"}, {"形状", "shape"}, {"转置", "transpose"},
    {"逆 逆矩阵 求逆", "inv"}, {"随机数 随机", "rand"}, {"零矩阵 全零", "zeros"},
    {"单位矩阵", "eye"}, {"数组 矩阵 向量", "array"}, {"平方根 开方 根号", "sqrt"}, {"指数", "exp"},
    {"对数", "log"}, {"绝对值", "abs"}, {"行列式", "det"}, {"内积 点积", "dot"},
    {"矩阵乘法 矩阵乘", "matmul"}, {"外积", "outer"}, {"排序", "sort"}, {"方差", "var"},
    {"标准差", "std"}, {"中位数", "median"}, {"熵", "entropy"}, {"软最大", "softmax"},
    {"保存", "save"}, {"加载 读取 载入", "load"}, {"范围", "range"}, {"的转置", ".T"},
    {"的形状", ".shape"}, {"的长度", ".shape[0]"},
    /* statements and operators */
    {"如果", "if"}, {"否则", "else"}, {"对于", "for"}, {"当", "while"}, {"定义 函数", "def"},
    {"返回", "return"}, {"导入", "import"}, {"真", "True"}, {"假", "False"}, {"空", "None"},
    {"和 且 并且 与", "and"}, {"或 或者", "or"}, {"非", "not"}, {"在", "in"}, {"从 来自", "from"},
    {"到", "to"}, {"对", "against"}, {"大于等于", ">="}, {"小于等于", "<="}, {"不等于", "!="},
    {"大于", ">"}, {"小于", "<"}, {"等于", "=="}, {"乘以 乘", "*"}, {"除以", "/"}, {"加上 加", "+"},
    {"减去 减", "-"}, {"一", "1"}, {"二 两", "2"}, {"三", "3"}, {"四", "4"}, {"五", "5"},
    {"六", "6"}, {"七", "7"}, {"八", "8"}, {"九", "9"}, {"十", "10"},
    {NULL, NULL},
};

/* ---- signs ---- */

static const char product[] = "write * for a product, @ for a matrix product",
                  dot[] = "write @: q @ k is the dot product of vectors, A @ B the product of "
                          "matrices; of numbers and of elements *",
                  digit[] = "write it as a digit: x1";

/* `signs` of one meaning, with blanks between them. Where a sign begins with another one, it comes
 * before it. */
static const struct {
    const char *signs;
    SignKind kind;
    const char *here, *hint;
} signs[] = {
    {"===", SIGN_PLAIN, "==", NULL}, {"!== ~= ≠", SIGN_PLAIN, "!=", NULL},
    {"<>", SIGN_PLAIN, "!=", "unequal is written !="},
    {"==> => ≥", SIGN_PLAIN, ">=", NULL}, {"=< ≤", SIGN_PLAIN, "<=", NULL},
    {".*", SIGN_ELEMENTS, "*", NULL}, {"./", SIGN_ELEMENTS, "/", NULL},
    {".^", SIGN_ELEMENTS, "**", NULL}, {".\\", SIGN_WORDS, NULL, "write B / A for A.\\B"},
    {".+", SIGN_ELEMENTS, "+", NULL}, {".-", SIGN_ELEMENTS, "-", NULL}, /* of Julia */
    {".==", SIGN_ELEMENTS, "==", NULL}, {".!=", SIGN_ELEMENTS, "!=", NULL},
    {".<=", SIGN_ELEMENTS, "<=", NULL}, {".>=", SIGN_ELEMENTS, ">=", NULL},
    {".<", SIGN_ELEMENTS, "<", NULL}, {".>", SIGN_ELEMENTS, ">", NULL},
    {"%*%", SIGN_PRODUCT, "@", dot}, {"%/%", SIGN_PLAIN, "//", NULL}, /* of R */
    {"%in%", SIGN_PLAIN, " in ", NULL}, {"%%", SIGN_PLAIN, "%", NULL},
    {"^", SIGN_POWER, "**", "a power is written **: x ** 2"},
    {"&& ∧", SIGN_LOGICAL, "and", "write and; for arrays & with parentheses: (A > 0) & (A < 1)"},
    {"|| ∨", SIGN_LOGICAL, "or", "write or; for arrays | with parentheses: (A < 0) | (A > 1)"},
    {"· ⋅ ∙ •", SIGN_PRODUCT, "@", dot}, {"× ✕", SIGN_CROSS, "*", product},
    {"⊙ ∗", SIGN_PLAIN, "*", "write * for a product of elements"}, {"÷ ∕ ⁄", SIGN_PLAIN, "/", NULL},
    {"− – —", SIGN_PLAIN, "-", "write - (the key on the keyboard)"},
    {"∈", SIGN_PLAIN, " in ", NULL}, {"∉", SIGN_PLAIN, " not in ", NULL},
    {"¬", SIGN_PLAIN, "not ", NULL},
    {"← ≔", SIGN_PLAIN, " = ", "write ="}, {"〔", SIGN_PLAIN, "[", NULL},
    {"〕", SIGN_PLAIN, "]", NULL},
    {"∞", SIGN_VALUE, "inf", "∞ is inf"}, {"½", SIGN_VALUE, "0.5", "½ is 0.5"},
    {"¼", SIGN_VALUE, "0.25", "¼ is 0.25"}, {"¾", SIGN_VALUE, "0.75", "¾ is 0.75"},
    {"⊤ ᵀ", SIGN_TRANSPOSE, ".T", "the transpose of A is A.T"},
    {"√", SIGN_ROOT, "sqrt", "write sqrt(x)"},
    {"⁰ ¹ ² ³ ⁴ ⁵ ⁶ ⁷ ⁸ ⁹ ⁻", SIGN_RAISED, "0123456789-", "a power is written **: x ** 2"},
    /* no sign here means this */
    {"⊗", SIGN_WORDS, NULL, "write outer(a, b)"}, {"∘", SIGN_WORDS, NULL, "write f(g(x))"},
    {"≈", SIGN_WORDS, NULL, "write abs(a - b) < 1e-9"},
    {"∇ ∂", SIGN_WORDS, NULL, "write (f(x + h) - f(x - h)) / (2 * h), with h = 1e-5"},
    {"∫ ∑", SIGN_WORDS, NULL, "write sum(x)"}, {"…", SIGN_WORDS, NULL, "leave it out"},
    {"°", SIGN_WORDS, NULL, "radians are degrees * pi / 180"},
    {"₀", SIGN_PLAIN, "0", digit}, {"₁", SIGN_PLAIN, "1", digit}, {"₂", SIGN_PLAIN, "2", digit},
    {"₃", SIGN_PLAIN, "3", digit}, {"₄", SIGN_PLAIN, "4", digit}, {"₅", SIGN_PLAIN, "5", digit},
    {"₆", SIGN_PLAIN, "6", digit}, {"₇", SIGN_PLAIN, "7", digit}, {"₈", SIGN_PLAIN, "8", digit},
    {"₉", SIGN_PLAIN, "9", digit},
    {"« »", SIGN_WORDS, NULL, "a string is written in quotes: \"text\""},
    {"‖ ∥", SIGN_WORDS, NULL, "write norm(x)"}, {"⌊ ⌋", SIGN_WORDS, NULL, "write floor(x)"},
    {"⌈ ⌉", SIGN_WORDS, NULL, "write ceil(x)"},
    {"\u200B \u200C \u200E \u00AD \uFEFF \u2060", SIGN_PLAIN, "", "leave it out"},
    {"→", SIGN_WORDS, NULL, "a function in one line is lambda x: x + 1"},
    {"$", SIGN_WORDS, NULL, "leave it out; a formula is written as in Python: q @ k / sqrt(d)"},
    {"`", SIGN_WORDS, NULL,
     "leave it out: it marks code in a text; a string is written in quotes: \"text\""},
};

/* clang-format on */

/* ---- finding ---- */

const char *foreign_word(ForeignList list, const char *word) {
    static const Foreign *const lists[] = {
        [FOREIGN_NAMES] = names,           [FOREIGN_CALLS] = calls,
        [FOREIGN_KEYWORDS] = keywords,     [FOREIGN_MODULES] = modules,
        [FOREIGN_MEMBERS] = members,       [FOREIGN_LAYERS] = layers,
        [FOREIGN_STATEMENTS] = statements, [FOREIGN_IMPORTS] = imports,
        [FOREIGN_TORCH] = torch_functions, [FOREIGN_TENSORFLOW] = tensorflow_functions,
    };
    for (const Foreign *row = lists[list]; word && row->words; row++)
        if (words_contain(row->words, word, strlen(word))) return row->here;
    return NULL;
}

/* The longest word of the table that the text begins with; *taken is its length, 0: none. */
static const char *longest(const char *text, size_t length, size_t *taken) {
    const char *found = NULL;
    *taken = 0;
    for (const Foreign *row = chinese; row->words; row++) {
        for (const char *word = row->words; *word; word += strspn(word, " ")) {
            size_t size = strcspn(word, " ");
            if (size > *taken && size <= length && memcmp(word, text, size) == 0) {
                *taken = size;
                found = row->here;
            }
            word += size;
        }
    }
    return found;
}

bool foreign_chinese(Text *out, const char *word, size_t length) {
    LocalText line = TEXT_EMPTY;
    bool found = false, known = true;
    for (size_t at = 0, taken; known && at < length; at += taken) {
        const char *here = longest(word + at, length - at, &taken);
        found = found || here;
        if (here) {
            if (strncmp(here, "set ", 4) == 0 && strcmp(line.data, "set") == 0)
                text_clear(&line); /* 把温度设为 */
            text_string(&line, line.length > 0 && *here && *here != '.' ? " " : "");
            text_string(&line, here);
        } else { /* letters of a variable between Chinese words: A乘B */
            while (at + taken < length && (unsigned char)word[at + taken] < 0x80) taken++;
            text_string(&line, at > 0 ? " " : "");
            text_bytes(&line, word + at, taken);
            known = taken > 0;
        }
    }
    found = found && known && !line.failed;
    if (found) text_string(out, line.data);
    return found;
}

ForeignSign foreign_sign(const char *text) {
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const char *here = signs[i].here; /* of digits, a letter for each sign */
        for (const char *sign = signs[i].signs; *sign; sign += strspn(sign, " ")) {
            size_t length = strcspn(sign, " ");
            if (strncmp(text, sign, length) == 0)
                return (ForeignSign){length, signs[i].kind, here, signs[i].hint};
            sign += length;
            if (signs[i].kind == SIGN_RAISED) here++;
        }
    }
    return (ForeignSign){0};
}

void foreign_write_hint(Text *text, const ForeignSign *sign) {
    if (sign->hint) text_string(text, sign->hint);
    else text_format(text, "write %s", sign->here + strspn(sign->here, " "));
}

/* ---- templates ---- */

bool foreign_is_template(const char *here) { return strchr(here, '%') != NULL; }

/* ---- names ---- */

const char chinese_hint[] =
    "commands and functions have English names; help 温度 finds one by a word of Chinese";

bool name_is_chinese(const char *name) {
    uint32_t c;
    for (size_t size; *name; name += size) {
        size = utf8_next(name, strlen(name), &c);
        if (utf8_is_cjk(c)) return true;
    }
    return false;
}
