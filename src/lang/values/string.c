/* Makes strings, grows them in place, finds their characters. */
#include "base/memory.h"
#include "base/utf8.h"
#include "lang/value.h"

#include <string.h>

static String *string_new(const char *text, size_t length, size_t room, Error *err) {
    String *string = mem_alloc(sizeof *string + room + 1, err);
    if (!string) return NULL;
    *string = (String){.refs = 1, .length = length, .room = room, .count = SIZE_MAX};
    memcpy(string->data, text, length);
    string->data[length] = 0;
    return string;
}

bool value_string(Value *out, const char *text, size_t length, Error *err) {
    String *string = string_new(text, length, length, err);
    if (string) *out = (Value){.kind = VALUE_STRING, .string = string};
    return string != NULL;
}

/* More room than is needed now, so that a loop of += copies each byte a few times at most. */
static size_t room_for(size_t length) { return length + length / 2 + 16; }

bool value_string_extend(Value *value, const String *more, Error *err) {
    String *string = value->string;
    const size_t added = more->length, length = string->length + added;
    if (string->refs > 1) { /* also where `more` is the string itself */
        String *copy = string_new(string->data, string->length, room_for(length), err);
        if (!copy) return false;
        value_release(value);
        *value = (Value){.kind = VALUE_STRING, .string = string = copy};
    } else if (length > string->room) {
        const size_t room = room_for(length);
        string = mem_resize(string, sizeof *string + room + 1, err);
        if (!string) return false;
        string->room = room;
        value->string = string;
    }
    memcpy(string->data + string->length, more->data, added + 1);
    string->length = length;
    string->count = SIZE_MAX;
    return true;
}

/* ---- characters ---- */

size_t string_count(String *string) {
    if (string->count == SIZE_MAX) string->count = utf8_length(string->data, string->length);
    return string->count;
}

static bool is_inside_character(char byte) { return ((unsigned char)byte & 0xC0) == 0x80; }

size_t string_offset(String *string, size_t index) {
    if (string_count(string) == string->length) return index; /* ASCII */
    size_t at = string->near_index, begin = string->near_begin;
    if (index < at / 2) at = begin = 0;
    for (; at < index; at++) {
        begin++;
        while (is_inside_character(string->data[begin])) begin++;
    }
    for (; at > index; at--) {
        begin--;
        while (is_inside_character(string->data[begin])) begin--;
    }
    string->near_index = at;
    string->near_begin = begin;
    return begin;
}
