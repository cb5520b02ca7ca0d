#include "lang/builtin.h"

#include "base/memory.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *word;
    ParameterType type;
} types[] = {
    {"any", PARAMETER_ANY},       {"array", PARAMETER_ARRAY},       {"number", PARAMETER_NUMBER},
    {"whole", PARAMETER_WHOLE},   {"bool", PARAMETER_BOOL},         {"text", PARAMETER_TEXT},
    {"axis", PARAMETER_AXIS},     {"shape", PARAMETER_SHAPE},       {"list", PARAMETER_LIST},
    {"record", PARAMETER_RECORD}, {"function", PARAMETER_FUNCTION},
};

/* A piece of the declaration. */
typedef struct Piece {
    const char *text;
    size_t length;
} Piece;

static bool piece_is(Piece piece, const char *word) {
    return piece.length == strlen(word) && memcmp(piece.text, word, piece.length) == 0;
}

/* Up to one of the bytes in `ends`, but not inside double quotes. */
static Piece take_until(const char **at, const char *ends) {
    Piece piece = {*at, 0};
    bool quoted = false;
    for (; **at && (quoted || !strchr(ends, **at)); ++*at)
        if (**at == '"') quoted = !quoted;
    piece.length = (size_t)(*at - piece.text);
    return piece;
}

static bool wrong(Piece piece, const char *why, Error *err) {
    return error_set(err, ERR_VALUE, "parameter declaration \"%.*s\": %s", (int)piece.length,
                     piece.text, why);
}

static bool find_type(Piece word, ParameterType *type, Error *err) {
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (piece_is(word, types[i].word)) return *type = types[i].type, true;
    }
    return wrong(word, "no such type", err);
}

static bool read_number(Piece text, double *out) {
    bool negative = text.length > 0 && text.text[0] == '-';
    Piece digits = {text.text + negative, text.length - negative};
    size_t taken = 0;
    if (piece_is(digits, "inf")) *out = INFINITY, taken = digits.length;
    else if (piece_is(digits, "e")) *out = 2.718281828459045, taken = digits.length;
    else if (piece_is(digits, "pi")) *out = 3.141592653589793, taken = digits.length;
    else taken = number_read(digits.text, digits.length, out);
    if (negative) *out = -*out;
    return taken > 0 && taken == digits.length;
}

static bool read_literal(Piece text, Value *out, Error *err) {
    double x;
    if (piece_is(text, "None")) *out = VALUE_NOTHING;
    else if (piece_is(text, "True") || piece_is(text, "False"))
        *out = value_bool(text.text[0] == 'T');
    else if (text.length >= 2 && text.text[0] == '"')
        return value_string(out, text.text + 1, text.length - 2, err);
    else if (read_number(text, &x)) *out = value_number(x);
    else return wrong(text, "a default must be a literal", err);
    return true;
}

static bool read_default(SignatureParameter *parameter, const char **at, Error *err) {
    ++*at;
    Piece text = take_until(at, " ");
    parameter->optional = true;
    parameter->fallback_text = mem_string(text.text, text.length, err);
    return parameter->fallback_text && read_literal(text, &parameter->fallback, err);
}

/* [*|**]NAME:TYPE[?][=DEFAULT] */
static bool read_parameter(SignatureParameter *parameter, const char **at, Error *err) {
    if (**at == '*') parameter->rest = true, ++*at;
    if (**at == '*') parameter->keywords = true, ++*at;
    Piece name = take_until(at, ":= ");
    if (!(parameter->name = mem_string(name.text, name.length, err))) return false;
    if (**at == ':') {
        ++*at;
        if (!find_type(take_until(at, "?= "), &parameter->type, err)) return false;
    }
    if (**at == '?') parameter->nullable = true, ++*at;
    return **at != '=' || read_default(parameter, at, err);
}

static SignatureParameter *add_parameter(Signature *signature, Error *err) {
    size_t bytes = (size_t)(signature->count + 1) * sizeof *signature->parameters;
    SignatureParameter *parameters = mem_resize(signature->parameters, bytes, err);
    if (!parameters) return NULL;
    signature->parameters = parameters;
    SignatureParameter *added = &parameters[signature->count++];
    *added = (SignatureParameter){.type = PARAMETER_ANY, .fallback = VALUE_MISSING};
    return added;
}

bool signature_parse(Signature *signature, const char *parameters, Error *err) {
    *signature = (Signature){.rest = -1};
    const char *at = parameters ? parameters : "";
    for (;;) {
        while (*at == ' ') at++;
        if (!*at) return true;
        SignatureParameter *added = add_parameter(signature, err);
        if (!added || !read_parameter(added, &at, err)) break;
        if (added->rest) signature->rest = signature->count - 1;
    }
    signature_release(signature);
    return false;
}

void signature_release(Signature *signature) {
    for (int i = 0; i < signature->count; i++) {
        SignatureParameter *parameter = &signature->parameters[i];
        mem_free(parameter->name);
        mem_free(parameter->fallback_text);
        value_release(&parameter->fallback);
    }
    mem_free(signature->parameters);
    *signature = (Signature){.rest = -1};
}

static void write_parameter(Text *text, const SignatureParameter *parameter) {
    if (parameter->rest) text_string(text, parameter->keywords ? "**" : "*");
    text_string(text, parameter->name);
    if (!parameter->optional) return;
    text_char(text, '=');
    text_string(text, parameter->fallback_text);
}

/* A method stands behind its receiver: `text.split(separator=None)`. */
void signature_write(Text *text, const BuiltinDef *builtin) {
    Signature signature;
    if (!builtin->call || !signature_parse(&signature, builtin->parameters, NULL)) {
        text_string(text, builtin->name);
        return;
    }
    int first = builtin->receiver && signature.count > 0 ? 1 : 0;
    if (first) text_format(text, "%s.", signature.parameters[0].name);
    text_string(text, builtin->name);
    text_char(text, '(');
    for (int i = first; i < signature.count; i++) {
        if (i > first) text_string(text, ", ");
        write_parameter(text, &signature.parameters[i]);
    }
    text_char(text, ')');
    signature_release(&signature);
}
