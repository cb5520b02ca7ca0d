/* Signatures: the parameters that a builtin's row declares. */
#include "base/memory.h"
#include "base/number.h"
#include "lang/eval/eval.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* ---- reading a declaration ---- */

/* A piece of the declaration. */
typedef struct Piece {
    const char *text;
    size_t length;
} Piece;

static bool piece_is(Piece piece, const char *word) {
    return piece.length == strlen(word) && memcmp(piece.text, word, piece.length) == 0;
}

/* The piece up to one of the bytes in `ends`, but not inside double quotes. */
static Piece next_piece(const char **at, const char *ends) {
    Piece piece = {*at, 0};
    bool quoted = false;
    for (; **at && (quoted || !strchr(ends, **at)); ++*at)
        if (**at == '"') quoted = !quoted;
    piece.length = (size_t)(*at - piece.text);
    return piece;
}

static bool wrong_piece(Piece piece, const char *why, Error *err) {
    return error_set(err, ERR_VALUE, "parameter declaration \"%.*s\": %s", (int)piece.length,
                     piece.text, why);
}

static bool read_literal(Piece text, Value *out, Error *err) {
    bool negative = text.length > 0 && text.text[0] == '-';
    Piece digits = {text.text + negative, text.length - negative};
    double x;
    *out = VALUE_NOTHING;
    if (piece_is(text, "None")) return true;
    *out = VALUE_MISSING;
    if (piece_is(text, "...")) return true;
    if (text.length >= 2 && text.text[0] == '"')
        return value_string(out, text.text + 1, text.length - 2, err);
    *out = value_bool(text.length > 0 && text.text[0] == 'T');
    if (piece_is(text, "True") || piece_is(text, "False")) return true;
    if (piece_is(digits, "inf")) x = INFINITY;
    else if (piece_is(digits, "e")) x = 2.718281828459045;
    else if (piece_is(digits, "pi")) x = 3.141592653589793;
    else if (digits.length == 0 || number_read(digits.text, digits.length, &x) != digits.length)
        return wrong_piece(text, "a default must be a literal", err);
    *out = value_number(negative ? -x : x);
    return true;
}

/* [*|**|***]NAME:TYPE[?][=DEFAULT] */
static bool read_parameter(SignatureParameter *parameter, const char **at, Error *err) {
    size_t stars = strspn(*at, "*");
    parameter->rest = stars >= 1;
    parameter->keywords = stars >= 2;
    parameter->both = stars >= 3;
    *at += stars;
    Piece name = next_piece(at, ":= ");
    parameter->name = mem_string(name.text, name.length, err);
    if (!parameter->name) return false;
    if (**at == ':') {
        ++*at;
        Piece word = next_piece(at, "?= ");
        int type = PARAMETER_ANY;
        while (parameter_kinds[type].word && !piece_is(word, parameter_kinds[type].word)) type++;
        if (!parameter_kinds[type].word) return wrong_piece(word, "no such type", err);
        parameter->type = (ParameterType)type;
    }
    if (**at == '?') {
        parameter->nullable = true;
        ++*at;
    }
    parameter->direct = parameter_kinds[parameter->type].direct;
    if (parameter->nullable) parameter->direct |= 1 << VALUE_NONE;
    if (**at != '=') return true;
    ++*at;
    Piece text = next_piece(at, " ");
    parameter->optional = true;
    parameter->fallback_text = mem_string(text.text, text.length, err);
    return parameter->fallback_text && read_literal(text, &parameter->fallback, err);
}

bool signature_parse(Signature *signature, const char *parameters, Error *err) {
    *signature = (Signature){.rest = -1};
    const char *at = parameters ? parameters : "";
    int positional = -1;
    bool ok = true;
    while (ok && *(at += strspn(at, " "))) {
        if (strncmp(at, "* ", 2) == 0) {
            positional = signature->count;
            at++;
            continue;
        }
        if (strncmp(at, "/ ", 2) == 0) {
            signature->nameless = signature->count;
            at++;
            continue;
        }
        size_t bytes = (size_t)(signature->count + 1) * sizeof *signature->parameters;
        SignatureParameter *grown = mem_resize(signature->parameters, bytes, err);
        ok = grown != NULL;
        if (!ok) break;
        signature->parameters = grown;
        SignatureParameter *added = &grown[signature->count++];
        *added = (SignatureParameter){.type = PARAMETER_ANY, .fallback = VALUE_MISSING};
        ok = read_parameter(added, &at, err);
        if (added->rest) signature->rest = positional = signature->count - 1;
    }
    signature->positional = positional < 0 ? signature->count : positional;
    if (!ok) signature_release(signature);
    return ok;
}

void signature_release(Signature *signature) {
    for (int i = 0; i < signature->count; i++) {
        SignatureParameter *parameter = &signature->parameters[i];
        mem_free(parameter->name);
        mem_free(parameter->fallback_text);
        value_release(&parameter->fallback);
    }
    mem_free(signature->parameters);
    value_release(&signature->composed);
    *signature = (Signature){.rest = -1};
}

/* A method follows its receiver: `text.split(separator=None)`. */
void signature_write_parameters(Text *text, const Signature *signature, int first) {
    for (int i = first; i < signature->count; i++) {
        const SignatureParameter *parameter = &signature->parameters[i];
        const char *stars = !parameter->rest                          ? ""
                            : parameter->keywords && !parameter->both ? "**"
                                                                      : "*";
        bool bare_star = i == signature->positional && !parameter->rest;
        bool slash = i == signature->nameless && i > first;
        text_format(text, "%s%s%s%s%s", i > first ? ", " : "", slash ? "/, " : "",
                    bare_star ? "*, " : "", stars, parameter->name);
        if (parameter->optional) text_format(text, "=%s", parameter->fallback_text);
    }
}

void signature_write(Text *text, const BuiltinDef *builtin) {
    Signature signature;
    if (!builtin->call || !signature_parse(&signature, builtin->parameters, NULL)) {
        text_string(text, builtin->name);
        return;
    }
    bool has_first = builtin->receiver || builtin->calls_object;
    int first = has_first && signature.count > 0 ? 1 : 0;
    if (builtin->receiver && first) text_format(text, "%s.", signature.parameters[0].name);
    text_format(text, "%s(", builtin->name);
    signature_write_parameters(text, &signature, first);
    text_char(text, ')');
    signature_release(&signature);
}

/* ---- the signatures of an interp, by the address of their row ---- */

static int least_by_position(const Signature *signature) {
    const BuiltinDef *builtin = signature->builtin;
    if (signature->rest >= 0 || signature->count > PARAMETERS_FEW || builtin->changes_argument ||
        op_scalar_inputs((Op)builtin->op) > 0) /* these have a way of their own, call_on_numbers */
        return INT_MAX;
    int least = signature->count;
    for (; least > 0; least--) {
        const SignatureParameter *last = &signature->parameters[least - 1];
        bool as_it_is = last->fallback.kind == VALUE_NONE || argument_fits(last, &last->fallback);
        if (!last->optional || !as_it_is) break;
    }
    return least;
}

static NOT_INLINED Signature *signature_new(const BuiltinDef *builtin, Error *err) {
    Signature *signature = mem_zeroed(1, sizeof *signature, err);
    if (!signature) return NULL;
    if (!signature_parse(signature, builtin->parameters, err)) {
        mem_free(signature);
        return NULL;
    }
    signature->builtin = builtin;
    signature->least = least_by_position(signature);
    return signature;
}

/* The table has room for all rows, and twice as many slots. */
Signature *interp_signature(Interp *interp, const BuiltinDef *builtin, Error *err) {
    Signature **places = interp->signatures;
    size_t mask = interp->signature_capacity - 1,
           i = (size_t)(((uintptr_t)builtin >> 4) * 11400714819323198485u >> 20) & mask;
    while (places[i] && places[i]->builtin != builtin) i = (i + 1) & mask;
    return places[i] ? places[i] : (places[i] = signature_new(builtin, err));
}

void signatures_release(Interp *interp) {
    for (size_t i = 0; interp->signatures && i < interp->signature_capacity; i++) {
        if (!interp->signatures[i]) continue;
        signature_release(interp->signatures[i]);
        mem_free(interp->signatures[i]);
    }
    mem_free(interp->signatures);
    interp->signatures = NULL;
}
