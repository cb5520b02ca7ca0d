/* Words that users put into commands instead of the commands' own. */
#include "lang/remedy.h"
#include "lang/token.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* In a command that begins so, each of the phrases (with `|` between them) becomes `here`; "": it
 * is left out. A phrase that holds another comes before it. */
/* clang-format off */
static const struct {
    const char *begins, *phrases, *here;
} phrases[] = {
    {"set", "the temperature to|the temperature", "temperature"},
    {"set", "the mask to|the mask", "mask"},
    {"set temperature", "to", ""},
    {"set mask", "to|of", ""},
    {"set heads", "to", ""},
    {"set position", "to", ""},
    {"set digits", "decimals|places|two decimals", ""},
    {"set", "softmax temperature", "temperature"},
    {"set", "positional encoding|encoding|positional|pos", "position"},
    {"set", "masking", "mask"},
    {"set mask", "causal mask", "causal"},
    {"set", "causal mask", "mask causal"},
    {"set", "and temperature to|and temperature", "; set temperature"},
    {"set", "and the mask to|and mask to|and mask", "; set mask"},
    {"set", "and heads to|and heads", "; set heads"},
    {"set", "and position to|and position", "; set position"},
    {"set", "precision|decimals", "digits"},
    {"set", "colormap|cmap", "palette"},
    {"set", "sentence|text|words|labels|token", "tokens"},
    {"set", "t", "temperature"},
    {"set", "and attend", "; attend"},
    {"set", "head", "heads"},
    {"set", "beta|β", "temperature 1 /"}, /* the inverse temperature */
    {"set mask", "off|no|false|full|bidirectional|encoder", "none"},
    {"set mask", "lower triangular|upper triangular|look-ahead|lookahead|lower|triangular|"
        "triangle|future|decoder|autoregressive|subsequent|unidirectional|tril", "causal"},
    {"set mask", "sliding window|local window|local|sliding|band|banded", "window"},
    {"set mask", "pad", "padding"},
    {"set tokens", "off|no", "none"},
    {"set mask", "on", ""},
    {"set position", "sinus|sin|sine|sincos|absolute|fixed|vaswani", "sinusoidal"},
    {"set position", "rotary", "rope"},
    {"set position", "learnable|trainable", "learned"},
    {"set position", "rel", "relative"},
    {"set position", "off|no|false", "none"},
    {"set position", "bias|encoding", ""},
    {"set scale", "off|no|false", "none"},
    {"set scale", "on|yes|true|default|sqrt(d)|sqrt(dk)|sqrt(d_k)", "sqrt"},
    {"set heads", "one|single", "1"},
    {"set heads", "two", "2"},
    {"set heads", "four", "4"},
    {"set heads", "eight", "8"},
    {"set color", "off|no|false", "never"},
    {"set color", "on|yes|true", "always"},
    {"set palette", "gray|grayscale|greyscale|greys|Greys|bw", "grey"},
    {"set palette", "jet|hot|blue|blues|Blues|inferno|magma|plasma|default", "viridis"},
    {"set palette", "coolwarm|bwr|seismic|RdBu|signed", "diverging"},
    {"set language", "english|English|en_US|EN|eng", "en"},
    {"set language", "chinese|Chinese|cn|zh_CN|ZH", "zh"},
    {"plot", "with lines|with points|as line|as heatmap|as image|as matrix|"
        "a heatmap of|a heatmap|heatmap of|heatmap|to screen|to terminal|to window|on screen", ""},
    {"plot", "as a png|as png", "to \"plot.png\""},
    {"plot", "save to|save as|save|into|in file|to file|file|in|>|->|=>", "to"},
    {"plot", "the|me", ""},
    {"plot", "vs|versus", "against"},
    {"plot", "attention weights|attention|attn", "weights"},
    {"plot weights", "heads", "head"},
    {"plot weights", "and", ";"},
    {"plot", "and", ","},
    {"compare", "with|vs|vs.|versus|or|to", "against"},
    {"compare temperature", "and temperature|with temperature|vs temperature", "against"},
    {"compare temperature", "and", "against"},
    {"compare scale", "and", "against"},
    {"compare heads", "and", "against"},
    {"compare position", "and", "against"},
    {"compare", "masks|masking", "mask"},
    {"compare", "positions|encoding", "position"},
    {"compare", "temperatures|temp|tau", "temperature"},
    {"sweep", "over|the|from|to|between|and|through", ""},
    {"sweep", "temperatures|temp|tau|τ", "temperature"},
    {"sweep", "n_heads|head", "heads"},
    {"sweep", "d_k", "dk"},
    {"sweep", "len|n", "length"},
    {"train", "iterations|iters", "steps"},
    {"train", "lr|learning_rate|learning rate", "rate"},
    {"train", "with|using", "on"},
    {"train", "batch_size|batch size", "batch"},
    {"evaluate", "with|using", "on"},
    {"ablate", "head|layer|the", ""},
    {"ablate", "off|nothing", "none"},
    {"ablate", "ffn|feedforward", "mlp"},
    {"head", "layer|head|the", ""},
    {"save session", "as|to|in|into", ""},
    {"undo", "last|undo", ""},
    {"reset", "bench|settings|everything", ""},
    {"trace", "row|query|token|the|lesson", ""},
    {"trace", "heads", "head"},
    {"why", "is|show|weight|does|row|query|lesson", ""},
    {"why", "attends to|attend to|to|key|column", ""},
    {"show", "me", ""},
    {"show", "plot|picture|figure", "weights"},
    {"show", "attention", "weights"},
    {"attend X", "to|over|on", "from"},
    {"attend", "to", ""},
    {"snapshot", "called|named|as", ""},
    {"diff", "between|and|with", ""},
    {"lesson", "课", ""},
    {"goto", "the exercise|exercise|question|the", ""},
    {"hint", "please|me", ""},
    {"check", "my answer|the answer|answer|it|please", ""},
    {"where", "am I|am i|are we", ""},
    {"pause", "for|seconds|second|s", ""},
    {"help", "self attention|self-attention|self_attention", "attention"},
    {"help", "multi-head|multi head|multi_head", "multihead"},
    {"help", "masks|masking", "mask"},
    {"help", "positions|positional encoding|positional", "position"},
    {"help", "me", ""},
};
/* clang-format on */

static bool ends_word(char c) { return c == '\0' || strchr(" =;,", c); }

/* The text to write for the words at `text` in a line that begins with `line`; *taken: their
 * length. */
static const char *find_phrase(const char *line, const char *text, size_t *taken) {
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
        size_t length = strlen(phrases[i].begins);
        if (strncmp(line, phrases[i].begins, length) != 0 || !ends_word(line[length]) ||
            text <= line + length)
            continue;
        for (const char *at = phrases[i].phrases; *at; at += strspn(at, "|")) {
            *taken = strcspn(at, "|");
            size_t to =
                strncmp(line + length, " to ", 4) == 0 ? 4 : 1; /* none: as the first word */
            bool first = text == line + length + to || strcmp(phrases[i].here, "none") != 0;
            if (first && strncmp(text, at, *taken) == 0 && ends_word(text[*taken]))
                return phrases[i].here;
            at += *taken;
        }
    }
    return NULL;
}

/* Returns the command that draws into a file what the line computes (attend Q K V to "a.png" is
 * meant so); NULL: the line computes nothing that has a picture. */
static const char *picture_for_file(const char *line) {
    static const struct {
        const char *command, *here;
    } pictures[] = {{"attend", "; plot weights to"},
                    {"compare", "; plot compare to"},
                    {"sweep", "; plot sweep to"}};
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++)
        if (words_contain(pictures[i].command, line, leading_word(line))) return pictures[i].here;
    return NULL;
}

bool foreign_phrases(Text *out, const char *line) {
    char command[8];
    int head, layer, end = 0;
    static const char *const swapped[] = {
        "%7[a-z] head %d layer %d%n", "%7[a-z] head %d of layer %d%n",
        "%7[a-z] head %d in layer %d%n", "%7[a-z] %d layer %d%n", "%7[a-z] key %d query %d%n"};
    for (size_t i = 0; i < sizeof swapped / sizeof *swapped; i++)
        if (sscanf(line, swapped[i], command, &head, &layer, &end) == 3) {
            text_format(out, "%s %d %d%s", command, layer, head, line + end);
            return !out->failed; /* the layer or query comes first */
        }
    if (sscanf(line, "ablate head %d%n", &head, &end) == 1 &&
        !isdigit((unsigned char)line[end + strspn(line + end, " ")]))
        return false; /* ablate head 3 names no layer */
    bool changed = false;
    char quote = '\0';
    for (const char *at = line; *at;) {
        size_t taken;
        bool begins = at > line && at[-1] == ' ' && !quote;
        const char *here = begins ? find_phrase(line, at, &taken) : NULL;
        const char *name = here ? at + taken + (at[taken] == ' ') : at;
        const size_t length = strcspn(name, " ");
        const char *picture = here && strncmp(at, "to \"", 4) == 0 ? picture_for_file(line) : NULL;
        if (picture) {
            text_cut(out, out->length - 1);
            here = picture;
        } else if (here && strcmp(here, "to") == 0 && *name != '"') { /* in red; > a.png */
            here = NULL;
            if (memchr(name, '.', length)) {
                text_format(out, "to \"%.*s\"", (int)length, name);
                at = name + length;
                changed = true;
                continue;
            }
        } else if (here && strcmp(here, "on") == 0 && strstr(line, " on ")) here = "";
        else if (here && *here && strchr(",;", *here)) text_cut_blanks(out);
        if (*at == '"' || *at == '\'') quote = quote == *at ? '\0' : quote ? quote : *at;
        changed = changed || here;
        if (!here) text_char(out, *at);
        else text_string(out, here);
        at += here ? taken : 1;
        if (here && !*here && *at == ' ') at++;
    }
    text_cut_blanks(out);
    return changed && !out->failed && strcmp(out->data, "plot") != 0; /* which needs a thing */
}
