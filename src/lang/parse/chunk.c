/* Chunks: a text and the tree made of it, counted, because functions keep it alive. */
#include "base/memory.h"
#include "lang/token.h"

#include <stdio.h>
#include <string.h>

Chunk *chunk_new(const char *file, const char *text, size_t length, Error *err) {
    Chunk *chunk = mem_zeroed(1, sizeof *chunk, err);
    if (!chunk) return NULL;
    chunk->refs = 1;
    arena_init(&chunk->arena);
    chunk->length = length;
    chunk->file = mem_string(file ? file : "", file ? strlen(file) : 0, err);
    chunk->text = chunk->file ? mem_string(text, length, err) : NULL;
    if (chunk->text) return chunk;
    chunk_unref(chunk);
    return NULL;
}

Chunk *chunk_ref(Chunk *chunk) {
    chunk->refs++;
    return chunk;
}

void chunk_unref(Chunk *chunk) {
    if (!chunk || --chunk->refs > 0) return;
    for (int i = 0; i < chunk->string_count; i++) value_release(&chunk->strings[i]);
    mem_free(chunk->strings);
    arena_release(&chunk->arena);
    mem_free(chunk->text);
    mem_free(chunk->file);
    mem_free(chunk);
}

static bool grow_strings(Chunk *chunk, Error *err) {
    int capacity = chunk->string_capacity ? chunk->string_capacity * 2 : 8;
    Value *strings = mem_resize(chunk->strings, (size_t)capacity * sizeof *strings, err);
    if (!strings) return false;
    chunk->strings = strings;
    chunk->string_capacity = capacity;
    return true;
}

bool chunk_keep(Chunk *chunk, Value value, Error *err) {
    if (chunk->string_count == chunk->string_capacity && !grow_strings(chunk, err)) {
        value_release(&value);
        return false;
    }
    chunk->strings[chunk->string_count++] = value;
    return true;
}

bool chunk_error(const Chunk *chunk, Span span, Error *err, const char *hint, const char *format,
                 ...) {
    char
        message[sizeof err->message + 8]; /* longer, so that error_set cuts it between characters */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    error_set(err, ERR_SYNTAX, "%s", message);
    if (hint) error_hint(err, "%s", hint);
    error_place(err, chunk->file, chunk->text, chunk->length, span);
    return false;
}

bool chunk_too_deep(const Chunk *chunk, Span span, int limit, Error *err) {
    error_set(err, ERR_LIMIT, "this is nested deeper than %d levels", limit);
    error_hint(err, "give parts of it names of their own, in lines before");
    error_place(err, chunk->file, chunk->text, chunk->length, span);
    return false;
}
