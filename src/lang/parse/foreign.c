/* The tables of words, and templates as examples. */
#include "lang/foreign.h"

#include <string.h>

typedef struct Foreign {
    const char *word, *here;
} Foreign;

static const char *find_word(const Foreign *rows, const char *word) {
    for (; rows->word; rows++)
        if (strcmp(rows->word, word) == 0) return rows->here;
    return NULL;
}

/* ---- functions and values ---- */

/* clang-format off */
static const Foreign names[] = {
    {"true", "True"}, {"false", "False"}, {"TRUE", "True"}, {"FALSE", "False"}, {"null", "None"},
    {"nil", "None"}, {"none", "None"}, {"NULL", "None"}, {"undefined", "None"}, {"nullptr", "None"},
    {"NaN", "nan"}, {"NAN", "nan"}, {"Inf", "inf"}, {"infinity", "inf"}, {"Infinity", "inf"},
    {"d_k", "K.shape[-1]"}, {"dk", "K.shape[-1]"}, {"d_model", "X.shape[-1]"}, {"π", "pi"},
    {"model", "m = transformer(\"decoder\", vocab=16), then train m on t"},
    {"tokenizer", "tokens(\"the cat sat\") cuts a sentence"},
    {"optimizer", "train m on t for 100 steps optimises by itself"},
    {"rng", "seed(0) restarts the generator; then randn(3, 4)"},
    {"device", "leave it out: everything is computed on this machine"},
    /* products */
    {"mm", "%1 @ %2"}, {"bmm", "%1 @ %2"}, {"mv", "%1 @ %2"}, {"matrix_multiply", "%1 @ %2"},
    /* arrays */
    {"tensor", "array"}, {"Tensor", "array"}, {"from_numpy", "array"}, {"as_tensor", "array"},
    {"matrix", "array"}, {"Matrix", "array"}, {"vector", "array"}, {"Ndarray", "array"},
    {"FloatTensor", "array"}, {"cat", "concatenate"}, {"concat", "concatenate"}, {"length", "len(%1%u)|max(%1.shape)"},
    {"numel", "%1.size"}, {"size", "%1.shape[%o]|%1.shape"}, {"ndim", "%1.ndim"},
    {"dtype", "%1.dtype"},
    {"nrow", "%1.shape[0]"}, {"ncol", "%1.shape[1]"}, {"permute", "transpose"}, {"view", "reshape"},
    {"contiguous", "%1%_"}, {"cuda", "%1%_"}, {"to", "%1%_"},
    {"requires_grad_", "%1%_"}, {"detach", "%1%_"}, {"cpu", "%1%_"}, {"clone", "copy"},
    {"masked_fill", "where(%2, %3, %1)"}, {"item", "%1%_"},
    {"numpy", "%1%_"}, {"ipow", "%1 ** %2"},
    {"mT", "swapaxes(%1, -2, -1)"}, {"t", "%1.T"}, {"expand", "broadcast_to(%1, (%r))"},
    {"chunk", "split(%1, %2, axis=%3)|split(%1, %2%s)"},
    {"masked_fill_", "where(%2, %3, %1)"}, {"add_", "%1 += %2"},
    {"mul_", "%1 *= %2"}, {"sub_", "%1 -= %2"}, {"sub", "%1 - %2"}, {"div_", "%1 /= %2"},
    {"fill_", "full(%1.shape, %2)"}, {"zero_", "zeros(%1.shape)"}, {"long", "trunc(%1)"},
    {"half", "float32(%1)%_  # the narrowest there is"}, {"ndimension", "%1.ndim"}, {"dim", "%1.ndim"},
    {"randperm", "permutation"}, {"topk", "(sort(%1)[..., ::-1][..., :%2], argsort(%1)[..., ::-1][..., :%2])"}, {"gather", "take_along_axis(%1, %3, axis=%2)"},
    {"clamp", "clip(%1, %2, %3)|clip(%1, %(min), %(max))|maximum(%1, %(min))|"
        "minimum(%1, %(max))|maximum(%1, %2)|clip(x, a_min, a_max)"},
    {"delete", "take(%1, [j for j in range(%1.shape[%(axis)]) if j %d], axis=%(axis))|"
        "take(%1, [j for j in range(%1.shape[%3]) if j %d], axis=%3)|%1%u[:%z]|"
        "concatenate((%1%u[:%2], %1[%p:]))|%1%u[[j for j in range(len(%1)) if j %d]]|"
        "x[[j for j in range(len(x)) if j != i]]"},
    {"insert", "concatenate((%1[:%2], %i, %1[%2:]))|hstack((%1[:%2], %3, %1[%2:]))"},
    {"append", "concatenate((%1, %2), axis=%(axis))|concatenate((%1, %2), axis=%3)|"
        "concatenate((%1, %i))|concatenate((%1, %2), axis=None)"},
    {"mat", "array"}, {"fliplr", "flip(%1, 1)"}, {"flipud", "flip(%1, 0)"},
    {"nansum", "sum(where(isnan(%1), 0, %1), axis=%(axis))|sum(where(isnan(%1), 0, %1), axis=%2)|sum(where(isnan(%1), 0, %1))"},
    {"nanmean", "sum(where(isnan(%1), 0, %1), axis=%(axis)) / sum(~isnan(%1), axis=%(axis))|mean(%1[~isnan(%1)])"}, {"logaddexp", "logsumexp([%1, %2], axis=0)"},
    {"eig", "eigh(A) does it for symmetric matrices"}, {"finfo", "the smallest step at 1 is 2 ** -52, the largest number 1.8e308"},
    /* of Octave and MATLAB */
    {"export", "typed in a shell, attn export FILE makes a page of a document"},
    {"next", "a loop goes through values: for x in xs; the first of them is xs[0]"},
    {"find", "nonzero(%1%u)[0]  # counted from 0|nonzero(%1)  # rows and columns, counted from 0"}, {"repmat", "tile(%1, (%2, %3))|tile(%1, (%2, %2))"},
    {"rem", "sign(%1) * (abs(%1) % abs(%2))"}, {"fix", "sign(%1) * floor(abs(%1))"},
    {"idivide", "trunc(%1 / %2)"}, {"num2str", "f\"{%1:.5g}\""}, {"mat2str", "print(A) shows an array, str(A) is its text"}, {"strcat", "%1 + %2"},
    {"strcmp", "%1 == %2"}, {"isequal", "array_equal(%1, %2)"}, {"isempty", "len(%1) == 0"},
    {"cell", "[] is an empty list: xs = [], then xs.append(1)"}, {"struct", "{%1: %2}|record()|record(a=1, b=2)"}, {"rows", "%1.shape[0]"}, {"columns", "%1.shape[1]"},
    {"ndims", "%1.ndim"}, {"rank", "matrix_rank(%1)"}, {"nnz", "sum(%1 != 0)"},
    {"horzcat", "hstack((%a))"}, {"vertcat", "vstack((%a))"}, {"circshift", "roll(%1, %2, axis=%3 - 1)|roll(%1, %2, axis=0)"},
    {"logical", "%1 != 0"}, {"single", "float32"}, {"ismember", "%1 in %2"},
    {"strsplit", "%1.split(%2)"}, {"strjoin", "%2.join(%1)"}, {"upper", "%1.upper()"},
    {"lower", "%1.lower()"}, {"error", "raise ValueError(%1)|raise ValueError(%1 % (%r))"}, {"sprintf", "%1|%1 % (%r)"},
    {"fprintf", "print(%1, end=\"\")|print(%1 % (%r), end=\"\")"}, {"tic", "write start = time()"}, {"toc", "write time() - start, after start = time()"},
    {"csvread", "load(%1)"}, {"csvwrite", "save(%1, %2)"}, {"dlmwrite", "save(%1, %2)"},
    {"savetxt", "save(%t, %2)"}, {"writematrix", "save(%2, %1)"}, {"readmatrix", "load(%1)"},
    {"cellfun", "[f(x) for x in xs] calls a function for each"}, {"arrayfun", "[f(x) for x in xs] calls a function for each"},
    /* arithmetic */
    {"inverse", "inv"}, {"pow", "%1 ** %2"}, {"ln", "log"}, {"mul", "%1 * %2"}, {"div", "%1 / %2"},
    {"neg", "-%1"}, {"factorial", "prod(arange(1, %1 + 1))"}, {"divmod", "(%1 // %2, %1 % %2)"},
    {"invert", "~%1"}, {"Σ", "sum"}, {"float16", "float32, or dtype=\"float16\" where a model is saved"}, {"int8", "int64(%1)%_  # there are no narrow ones"}, {"int16", "int64(%1)%_  # there are no narrow ones"},
    {"uint8", "int64(%1)%_  # there are no narrow ones"}, {"double", "float64"},
    /* random numbers */
    {"manual_seed", "seed"}, {"shuffle", "permutation"}, {"runif", "rand(%1)"}, {"rnorm", "randn(%1)"},
    /* derivatives */
    {"backward", "grad(f, x), where f computes the loss from x"}, {"jacrev", "jacobian"},
    {"jacfwd", "jacobian"}, {"hessian", "jacobian(lambda x: grad(f, x), x) is the Hessian of f at x"},
    {"gradient", "grad(f, x) is for functions; between the samples of x it is x[1:] - x[:-1]"}, {"derivative", "grad(f, x) is the derivative of the function f at x"},
    /* attention and layers */
    {"self_attention", "attention(%1, %1, %1)"}, {"selfattention", "attention(%1, %1, %1)"},
    {"cross_attention", "attention(%1, %2, %2)"}, {"multi_head_attention", "multihead"},
    {"positional_encoding", "sinusoidal"}, {"pos_encoding", "sinusoidal"}, {"PE", "sinusoidal"},
    {"feed_forward", "ffn"}, {"kl", "kl_divergence"}, {"KL", "kl_divergence"},
    {"tokenize", "tokens"}, {"tokenise", "tokens"}, {"embedding", "embed"},
    {"rowsum", "sum(%1, axis=1)"}, {"set_temperature", "set temperature %1"},
    {"set_mask", "set mask %1"}, {"set_heads", "set heads %1"},
    {"mse_loss", "mean((%1 - %2) ** 2)"}, {"dropout", "%1%_  # nothing is dropped here"},
    {"normalize", "%1 / norm(%1, axis=%(axis), keepdims=True)|%1 / norm(%1, axis=%2, keepdims=True)|%1 / norm(%1, axis=-1, keepdims=True)"},
    {"cosine_similarity", "sum(%1 * %2, axis=%(axis)) / (norm(%1, axis=%(axis)) * norm(%2, axis=%(axis)))|sum(%1 * %2, axis=1) / (norm(%1, axis=1) * norm(%2, axis=1))|%1 @ %2 / (norm(%1) * norm(%2))"},
    {"no_grad", "leave the line out: nothing is recorded unless grad(f, x) asks for it"},
    {"layer_norm", "layernorm(%1%w%s)"}, {"LayerNorm", "layernorm"}, {"rms_norm", "rmsnorm(%1%w%s)"},
    {"RMSNorm", "rmsnorm"}, {"crossentropy", "cross_entropy"},
    {"CrossEntropyLoss", "cross_entropy"}, {"kl_div", "mean(%2 * (log(%2) - %1))"}, {"eq", "%1 == %2"}, {"ne", "%1 != %2"}, {"gt", "%1 > %2"}, {"lt", "%1 < %2"},
    {"ge", "%1 >= %2"}, {"le", "%1 <= %2"}, {"rsqrt", "1 / sqrt(%1)"}, {"ger", "outer"},
    {"index_select", "take(%1, %3, axis=%2)"}, {"masked_select", "%1[%2]"},
    {"linear", "%1 @ %2.T + %3|%1 @ %2.T"}, {"l1_loss", "mean(abs(%1 - %2))"},
    {"leaky_relu", "where(%1 > 0, %1, %2 * %1)|where(%1 > 0, %1, 0.01 * %1)"},
    {"softplus", "log1p(exp(%1))"}, {"Softmax", "softmax"},
    {"ReLU", "relu"}, {"GELU", "gelu"}, {"Sigmoid", "sigmoid"}, {"Tanh", "tanh"},
    {"scaled_dot_product_attention", "attention(%a).output"}, {"MultiheadAttention", "multihead"},
    {"MultiHeadAttention", "multihead"},
    /* printing, reading, collections */
    {"printf", "print(%1, end=\"\")|print(%1 % (%r), end=\"\")"}, {"puts", "print"}, {"disp", "print"}, {"println", "print"},
    {"echo", "print"}, {"打印", "print"},  
     {"reduce", "a loop goes through the values: for x in xs: s = f(s, x)"},
      {"open", "load"},
    {"read_csv", "load(%1)"}, {"loadtxt", "load(%1)"}, {"input", "the value stands in the line itself: x = 3"},
    {"raw_input", "the value stands in the line itself: x = 3"},
    /* pictures */
    {"imshow", "plot %1%_"}, {"heatmap", "plot %1%_"}, {"matshow", "plot %1%_"}, {"imagesc", "plot %1%_"},
    {"surf", "plot %1%_"}, {"mesh", "plot %1%_"}, {"bar", "plot %2%_|plot %1%_"}, {"hist", "plot sort(x) shows how values are distributed"},
    {"matplotlib", "plot A"}, {"colorbar", "plot A, which draws its colour bar"},
    {"title", "plot A title %1"}, {"xlabel", "plot A xlabel %1"}, {"ylabel", "plot A ylabel %1"},
    {"legend", "plot x, y, which names its lines"},
    {"subplot", "plot A, one picture for each line"}, {"scatter", "plot %2 against %1%_"},
    {"savefig", "plot weights to %1%_"}, {"figure", "plot A, which makes the picture at once"},
    {NULL, NULL},
};
/* clang-format on */

const char *foreign_name(const char *name) { return find_word(names, name); }

/* ---- keyword arguments ---- */

/* clang-format off */
static const Foreign keywords[] = {
    {"dim", "axis"}, {"dims", "axis"}, {"axes", "axis"}, {"keepdim", "keepdims"},
    {"keep_dims", "keepdims"}, {"temp", "temperature"}, {"tau", "temperature"},
    {"T", "temperature"}, {"τ", "temperature"}, {"lr", "rate"}, {"learning_rate", "rate"},
    {"num_heads", "heads"}, {"n_heads", "heads"}, {"n_head", "heads"}, {"nhead", "heads"},
    {"nheads", "heads"}, {"num_layers", "layers"}, {"n_layers", "layers"}, {"is_causal", "causal"},
    {"causal_mask", "causal"}, {"attn_mask", "mask"}, {"attention_mask", "mask"},
    {"batch_size", "batch"}, {"epsilon", "eps"}, {"input", "x"}, {"query", "Q"}, {"key", "K"},
    {"value", "V"}, {"q", "Q"}, {"k", "K"}, {"v", "V"}, {"device", ""}, {"requires_grad", ""},
    {"dtype", ""}, {"dropout_p", ""}, {"diagonal", "k"}, {"num_classes", "n"}, {"min", "a_min"},
    {"max", "a_max"}, {"unbiased", "ddof"}, {"correction", "ddof"}, {"weight", "gamma"},
    {"bias", "beta"}, {"normalized_shape", ""}, {"type", "kind"},
    {"dmodel", "d_model"}, {"embed_dim", "d_model"}, {"d_ffn", "d_ff"}, {"vocab_size", "vocab"},
    {"max_length", "max"}, {"max_new_tokens", "max"}, {"num_beams", "beam"},
    {NULL, NULL},
};
/* clang-format on */

const char *foreign_keyword(const char *keyword) { return find_word(keywords, keyword); }

/* ---- modules ---- */

static const char built_in[] = "its functions are built in: softmax(x), randn(3, 4)";
static const char drawing[] = "plot A draws a picture, plot A to \"a.png\" makes a file";

/* clang-format off */
static const Foreign modules[] = {
    {"torch", built_in}, {"F", built_in}, {"tf", built_in}, {"jnp", built_in}, {"jax", built_in},
    {"scipy", built_in}, {"sp", built_in}, {"keras", built_in}, {"cp", built_in}, {"mx", built_in},
    {"sklearn", built_in}, {"statistics", "mean, median and std are built in"},
    {"nn", "write out what a layer computes: x @ W + b, softmax(x), layernorm(x)"},
    {"plt", drawing}, {"sns", drawing}, {"matplotlib", drawing}, {"plotly", drawing},
    {"pylab", drawing}, {"ax", drawing}, {"pd", "load(\"x.csv\") reads a table as an array"},
    {"pandas", "load(\"x.csv\") reads a table as an array"},
    {"random", "rand, randn, randint and seed are built in"},
    {"Math", "its functions are built in: sqrt(2)"}, {"math", built_in},
    {"cmath", "numbers are real here"}, {"os", "load and save take the names of files"},
    {"sys", "exit leaves; the words after a script's name are its args"}, {"console", "print(%a)"},
    {"System", "print(%a)"}, {"json", "json(x) is built in"},
    {"self", "there are no classes: a record has fields, r = record(a=1), then r.a"},
    {"this", "there are no classes: a record has fields, r = record(a=1), then r.a"},
    {"numpy", "numpy. stands only before a name: numpy.exp(x) is exp(x)"},
    {"np", "np. stands only before a name: np.exp(x) is exp(x)"},
    {"__name__", "a script runs from its first line to its last: write the lines without the `if`"},
    {NULL, NULL},
};
/* clang-format on */

const char *foreign_module(const char *word) { return find_word(modules, word); }

/* Layers of PyTorch are made before they are called, and its softmax takes the axis second. */
/* clang-format off */
static const Foreign members[] = {
    {"Softmax", "softmax(x, axis=-1)"}, {"LogSoftmax", "log_softmax(x, axis=-1)"},
    {"size", "%1.shape[%2]|%1.size"}, {"Linear", "W = randn(%1, %2), then x @ W"},
    {"LayerNorm", "layernorm(x)"}, {"RMSNorm", "rmsnorm(x)"}, {"ReLU", "relu(x)"},
    {"GELU", "gelu(x)"}, {"Tanh", "tanh(x)"}, {"Sigmoid", "sigmoid(x)"},
    {"Embedding", "embed(\"the cat sat\", 8)"},
    {"MultiheadAttention", "multihead(X, Wq, Wk, Wv, Wo, 2)"},
    {"CrossEntropyLoss", "cross_entropy(logits, target)"}, {"softmax", "softmax(%1, axis=%2)"},
    {"log_softmax", "log_softmax(%1, axis=%2)"}, {"Parameter", "%1"}, {"manual_seed", "seed(%1)"},
    {"plot", "plot %2 against %1%_|plot %1"}, {"show", "plot A, which draws at once"}, {"savefig", "plot weights to %1"},
    {"title", "plot A title %1"}, {"xlabel", "plot A xlabel %1"}, {"ylabel", "plot A ylabel %1"},
    {"layer_norm", "layernorm(%1%w%s)"}, {"rms_norm", "rmsnorm(%1%w%s)"}, {"embedding", "%2[%1]"},
    {"shuffle", "%v = permutation(%1)"}, {"semilogy", "plot %2 against %1 as log|plot %1 as log"},
    {"semilogx", "plot %a as logx"},
    {"loglog", "plot %2 against %1 as loglog|plot %1 as loglog"}, {"ylim", "plot A range 0 1"}, {"clim", "plot A range 0 1"},
    {"subplots", "plot A, which draws at once"}, {"time", "time()"}, {"exit", "exit"}, {NULL, NULL},
};
/* clang-format on */

const char *foreign_member(const char *name) { return find_word(members, name); }

/* A layer that is called at once: nn.Softmax(dim=-1)(A). */
/* clang-format off */
static const Foreign layers[] = {
    {"Softmax", "softmax(%a%k)"}, {"LogSoftmax", "log_softmax(%a%k)"}, {"ReLU", "relu(%a)"},
    {"GELU", "gelu(%a%k)"}, {"SiLU", "silu(%a)"}, {"Tanh", "tanh(%a)"}, {"Sigmoid", "sigmoid(%a)"},
    {"LayerNorm", "layernorm(%a%k)"}, {"RMSNorm", "rmsnorm(%a%k)"}, {"Dropout", "%1  # nothing is dropped here"},
    {"Identity", "%1"}, {"Flatten", "reshape(%1, %1.shape[0], -1)"}, {"Linear", "%1 @ randn(%m, %n)"},
    {"Embedding", "randn(%m, %n)[%1]"}, {"CrossEntropyLoss", "cross_entropy(%a)"},
    {"MSELoss", "mean((%1 - %2) ** 2)"}, 
    {NULL, NULL},
};
/* clang-format on */

const char *foreign_layer(const char *name) { return find_word(layers, name); }

/* ---- statements ---- */

static const char define[] = "write def f(x): return x + 1";
static const char choose[] = "write if, elif, else";
static const char shell[] = "that is for the shell: type it there, before attn or after exit";
static const char editor[] = "write a script in an editor of your own, then: run \"x.attn\"";
static const char block_end[] = "a block ends where its indentation ends, at the prompt with an "
                                "empty line; the last element is x[-1]";
static const char python[] = "a script of attn is run by run \"x.attn\"; lines of Python with "
                             "NumPy's functions can be typed here";
static const char documents[] = "that is typed in a shell, after exit: attn present FILE, "
                                "attn collect FILES, attn export FILE";
static const char installed[] = "nothing has to be installed: NumPy's functions are built in";

/* clang-format off */
static const Foreign statements[] = {
    /* declarations and control of other languages */
    {"let", "%l"}, {"var", "%l"}, {"const", "%l"}, {"local", "%l"}, {"auto", "%l"}, {"my", "%l"},
    {"double", "%l"}, {"function", define}, {"func", define}, {"fn", define}, {"fun", define},
    {"sub", define}, {"foreach", "write for x in xs:"}, {"elseif", "write elif"},
    {"elsif", "write elif"}, {"until", "write while not c:"}, {"unless", "write if not c:"},
    {"switch", choose}, {"match", choose}, {"case", choose}, {"goto", "write a loop: while c:"},
    {"end", block_end}, {"endif", block_end}, {"endfor", block_end}, {"endfunction", block_end},
    {"endwhile", block_end}, {"fi", block_end}, {"done", block_end},
    {"do", "a block begins with : at the end of the line"},
    {"then", "a block begins with : at the end of the line"}, {"echo", "print(%l)"},
    {"disp", "print(%l)"}, {"printf", "print(%l)"}, {"puts", "print(%l)"}, {"delete", "del %l"},
    {"save", "save(\"x.npy\", %l)"}, {"clearvars", "del %l"},
    {"throw", "write raise ValueError(\"message\")"},
    {"require", "leave the line out; help lists what is built in"},
    {"using", "leave the line out; help lists what is built in"},
    {"library", "leave the line out; help lists what is built in"}, {"include", "run \"%f\""},
    {"heatmap", "plot %l"}, {"imshow", "plot %l"}, {"draw", "plot %l"},
    {"savefig", "plot weights to \"%f\""}, {"graph", "plot %l"}, {"chart", "plot %l"},
    {"picture", "plot %l"}, {"image", "plot %l"}, {"hist", "plot sort(x) shows how values are distributed"},
    {"histogram", "plot sort(x) shows how values are distributed"}, {"display", "show %l"}, {"bar", "plot %l"}, {"view", "show %l"},
    {"explain", "why %l"}, {"wait", "pause %l"}, {"sleep", "pause %l"}, {"play", "run \"%f\""},
    {"execute", "run \"%f\""}, {"write", "save session \"x.md\""},
    {"export", "plot weights to \"%f\""}, {"screenshot", "plot weights to \"%f\""},
    {"gif", "plot sweep to \"%f\", after a sweep"},
    {"animate", "sweep %l; plot sweep to \"sweep.gif\""}, {"drop", "del %l"}, {"remove", "del %l"},
    {"att", "attend %l"}, {"run_attention", "attend %l"}, {"compute", "an expression stands alone; attend Q K V computes attention"},
    {"restart", "reset"}, {"refresh", "plot weights"}, {"redraw", "plot weights"},
    {"replot", "plot weights"}, {"vars", "who"}, {"variables", "who"}, {"settings", "show"},
    {"hold", "plot x, y draws several lines in one picture"},
    {"close", "leave it out: a picture is drawn when plot is typed"},
    {"format", "set digits 15 shows more digits"}, {"axis", "plot A range 0 1 sets the colours"},
    {"gradient", "grad(f, x) is the derivative of the function f at x"}, {"present", documents}, {"collect", documents}, {"submit", documents},
    {"what", "help softmax is the page of softmax"},
    {"how", "help is the overview, apropos mask searches"},
    {"lesson", "the lessons are started in a shell, after exit: attn lessons"},
    {"lessons", "the lessons are started in a shell, after exit: attn lessons"},
    {"tutorial", "the lessons are started in a shell, after exit: attn lessons"},
    {"课程", "lessons"}, {"教程", "lesson"},
    /* shells */
    {"ls", "who lists the variables"}, {"dir", "who lists the variables"},
    {"ll", "who lists the variables"}, {"whos", "who lists the variables"},
    {"cd", "file names may have a folder in front: load(\"folder/x.npy\")"},
    {"pwd", "file names start from the folder that attn was started in"},
    {"clear", "Ctrl-L clears the screen, del x takes a variable away, reset empties the bench"},
    {"cls", "Ctrl-L clears the screen"}, {"clc", "Ctrl-L clears the screen"},
    {"清屏", "Ctrl-L clears the screen"}, {"cat", "load(\"%f\")"}, {"less", "load(\"%f\")"},
    {"more", "load(\"%f\")"}, {"cout", "print(x)"}, {"head", "load(\"%f\")"},
    {"tail", "load(\"%f\")"}, {"man", "help %l"}, {"info", "help %l"}, {"doc", "help %l"},
    {"lookfor", "help %l"}, {"source", "run \"%f\""}, {"exec", "run \"%f\""}, {"python", python},
    {"python3", python}, {"attn", "this is attn: run \"x.attn\" runs a script"}, {"vim", editor},
    {"vi", editor}, {"nano", editor}, {"emacs", editor}, {"code", editor}, {"edit", editor},
    {"pip", installed}, {"pip3", installed}, {"conda", installed}, {"brew", shell}, {"apt", shell},
    {"sudo", shell}, {"git", shell}, {"mkdir", shell}, {"rm", shell}, {"cp", shell}, {"mv", shell},
    {"touch", shell}, {"bash", shell}, {"sh", shell}, {"ssh", shell}, {"wget", shell},
    {"curl", shell}, {"make", shell}, {"gnuplot", "plot A draws with it: plot A to \"a.png\""},
    {"history", "the up arrow brings earlier lines back"},
    /* leaving, in many tongues */
    {"bye", "exit"}, {"logout", "exit"}, {"leave", "exit"}, {"stop", "exit"}, {"退出", "exit"},
    {"结束", "exit"}, {"离开", "exit"},
    /* commands in Chinese */
    {"帮助", "help %l"}, {"设置", "set %l"}, {"显示", "show %l"}, {"画", "plot %l"}, {"画图", "plot %l"},
    {"绘图", "plot %l"}, {"注意力", "attend %l"}, {"打印", "print(%l)"}, {"运行", "run \"%f\""},
    {"撤销", "undo"}, {"重做", "redo"}, {"重置", "reset"}, {"变量", "who"}, {NULL, NULL},
};
/* clang-format on */

const char *foreign_statement(const char *word) { return find_word(statements, word); }

/* ---- templates ---- */

bool foreign_is_template(const char *here) { return strchr(here, '%') != NULL; }

/* A % that stands before anything else is itself: "%1 % %2". */
void foreign_write_example(Text *text, const char *template) {
    const char *last = strrchr(template, '|');
    for (const char *at = last ? last + 1 : template; *at; at++) {
        bool place = *at == '%' && at[1] && strchr("123alfstuw_", at[1]);
        if (!place) {
            text_char(text, *at);
            continue;
        }
        char letter = *++at;
        if (letter == '2' || letter == '3') text_char(text, letter == '2' ? 'y' : 'z');
        else if (!strchr("lsuw_", letter)) text_char(text, 'x');
    }
    while (text->length > 0 && text->data[text->length - 1] == ' ')
        text->data[--text->length] = '\0';
}
