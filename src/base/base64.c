#include "base/base64.h"

void base64_write(Text *out, const char *bytes, size_t length) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < length; i += 3) {
        size_t left = length - i < 3 ? length - i : 3;
        unsigned group = 0;
        for (size_t k = 0; k < 3; k++)
            group = group << 8 | (k < left ? (unsigned char)bytes[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            text_char(out, k <= left ? digits[group >> (18 - 6 * k) & 63] : '=');
    }
}
