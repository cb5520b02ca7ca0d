/* Sequences that a model writes, token by token.
 *
 * A decoder goes on with its prompt; beside an encoder, it answers a source, which is encoded once.
 * Each token is the only row that is computed for it: what was read before lies in a cache
 * (cache.h).
 *
 * The next token is drawn from softmax(logits / temperature), of which may be left the top_k
 * likeliest tokens (Fan et al. 2018), and of these the nucleus, the fewest likeliest whose
 * probabilities come to top_p (Holtzman et al. 2020). The temperature is that of attention: at 0
 * the likeliest token is taken (greedy; of equal ones the first), at inf all that are left are
 * equally likely.
 *
 * A frequency penalty is taken off the logit of a token once for each time that it was written
 * before, the prompt not counted; one below 0 makes repetition likelier.
 *
 * Beam search keeps the `beam` likeliest sequences at each step, and looks for the one with the
 * greatest log P(Y) / lp(Y), lp(Y) = ((5 + |Y|) / 6)^length_penalty (Wu et al. 2016, eq. 14), where
 * |Y| counts the tokens written, the end with them. It stops when no sequence that is still open
 * can reach the best that has ended.
 *
 * Writing stops behind the end token, after max_tokens, or where an encoder-decoder's max_len
 * positions are full. A decoder alone goes on: it then forgets the older half of what it has read,
 * and reads the newer half again from position 0, as if the text began there. */
#ifndef ATTN_MODEL_GENERATE_H
#define ATTN_MODEL_GENERATE_H

#include "model/transformer.h"

enum { BEAM_MOST = 256 };

typedef struct GenerateOptions {
    size_t max_tokens;
    double temperature;       /* >= 0 */
    size_t top_k;             /* 0: all */
    double top_p;             /* above 0, at most 1: all */
    size_t beam;              /* 1: no beam search; else the temperature is 0 */
    double length_penalty;    /* of beam search */
    double frequency_penalty; /* 0: none */
    int end;                  /* the end token; NO_TOKEN: there is none */
    Observer *observer;       /* of all runs; or NULL */
} GenerateOptions;

/* 40 tokens, greedy, no end token; for beam search a length penalty of 0.6 (Vaswani et al. 2017).
 */
void generate_options_init(GenerateOptions *options);
bool generate_options_check(const GenerateOptions *options, Error *err); /* ERR_VALUE */

typedef enum GenerateStop { STOP_END, STOP_MAX_TOKENS, STOP_PLACES } GenerateStop;

typedef struct Generated {
    int *ids; /* written tokens, without the prompt; with the end token, if there is one */
    size_t count;
    double log_probability; /* of these tokens, at temperature 1, after the penalty */
    GenerateStop stop;
} Generated;

void generated_release(Generated *generated); /* zeroed memory is fine */

/* Writes behind `prompt`, at least one token: a decoder's text so far, or with which an
 * encoder-decoder's answer begins. `source` (one sequence): what is answered; NULL for a decoder.
 * Draws from `random`, which may be NULL where nothing is drawn (temperature 0). Fails with
 * ERR_VALUE (tokens, a prompt longer than max_len, logits that are not finite), ERR_LIMIT, or
 * ERR_INTERRUPT. Nothing is recorded on the tape. */
bool generate(const Transformer *model, const Tokens *source, const Tokens *prompt,
              const GenerateOptions *options, Random *random, Generated *out, Error *err);

/* The logits of transformer_forward with a decoder, computed token by token through a cache: the
 * same but for rounding. Nothing is recorded on the tape. */
bool transformer_forward_cached(const Transformer *model, Tensor *const *views,
                                const Tokens *source, const Tokens *target,
                                const ForwardOptions *options, Tensor **logits, Error *err);

typedef struct Candidate {
    int id;
    double logit, probability; /* softmax(logits / temperature) */
} Candidate;

/* All tokens by row `row` of logits (..., vocabulary), the likeliest first, of equal ones the one
 * with the smaller number: out has room for the vocabulary. ERR_VALUE where logits are not finite.
 */
bool generate_candidates(const Tensor *logits, size_t row, double temperature, Candidate *out,
                         Error *err);

#endif
