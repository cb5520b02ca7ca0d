/* Reads and writes arrays in files, and values as JSON. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/utf8.h"
#include "io/array_file.h"
#include "io/file.h"
#include "io/json.h"
#include "io/safetensors.h"
#include "lang/interp.h"
#include "library/arguments.h"
#include "library/file_path.h"
#include "library/model.h"
#include "library/shipped_models.h"
#include "model/checkpoint.h"
#include "model/families/family.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Opens a checkpoint of another program. */
static bool load_folder(const Interp *interp, const char *path, Value *out, Error *err) {
    Transformer model;
    return file_path_check_links(interp, path, err) && family_open(&model, path, err) &&
           give_model(&model, out, err);
}

/* Loads a .safetensors file: a model, saved here or by others, or a record of arrays. */
static bool load_named(const Interp *interp, const char *path, Value *out, Error *err) {
    LocalSafetensors file = {.descriptor = -1};
    LocalText folder = TEXT_EMPTY;
    Transformer model;
    if (!safetensors_open(&file, path, err)) return false;
    if (checkpoint_is(&file))
        return checkpoint_open(&model, &file, err) && give_model(&model, out, err);

    /* A file that is named as the tensors of a checkpoint are, with config.json beside it, is one.
     */
    bool beside = strcmp(path_name(path), "model.safetensors") == 0;
    if (beside) {
        path_folder(&folder, path);
        if (!text_ok(&folder, err) || !file_is_in(folder.data, "config.json", &beside, err))
            return false;
    }
    if (beside) {
        if (load_folder(interp, folder.data, out, err)) return true;
        if (err && !*err->hint)
            error_hint(err, "It is opened as a model because of the config.json beside it; under "
                            "another name the file gives its arrays.");
        return false;
    }

    if (!value_record_new(out, err)) return false;
    for (size_t i = 0; i < file.count; i++) {
        const SafetensorsEntry *entry = &file.entries[i];
        LocalValue array = value_tensor(safetensors_tensor(&file, entry, err));
        if (array.kind == VALUE_UNSET || !record_set(out->record, entry->name, array, err))
            return value_if(false, out);
    }
    return true;
}

static bool load(const Call *call, Value *out, Error *err) {
    const char *named = string_at(call, 0)->data;
    LocalText path = TEXT_EMPTY;
    if (!file_path_to_read(call->interp, named, &path, err)) return false;
    if (is_folder(path.data)) return load_folder(call->interp, path.data, out, err);
    if (path_has_suffix(path.data, "safetensors"))
        return load_named(call->interp, path.data, out, err);
    if (!*path_suffix(path.data) && access(path.data, F_OK) != 0 && errno == ENOENT) {
        const ShippedModel *shipped = shipped_models;
        error_set(err, ERR_FILE, "cannot read %s: there is no such file or folder", path.data);
        while (shipped->name && strcmp(shipped->name, named) != 0) shipped++;
        return shipped->name &&
               error_hint(err, "it comes with the program, as a variable: m = %s", shipped->name);
    }
    return give(array_load(path.data, err), out);
}

/* A value as the array that a file keeps. New; NULL for what is none or is tracked. */
static Tensor *array_to_save(const Value *value, const char *what, Error *err) {
    Tensor *tensor = value_as_tensor(value, what, err);
    const Value array = {.kind = VALUE_TENSOR, .tensor = tensor};
    return tensor_if(tensor && value_is_untracked(&array, "save", err), tensor);
}

static bool save_record(const char *path, const Record *record, Error *err) {
    LocalMemory SafetensorsItem *items = mem_zeroed(record->count, sizeof *items, err);
    bool ok = items != NULL;
    for (size_t i = 0; ok && i < record->count; i++) {
        const char *name = record_name_for(record, i, "save", err);
        char what[96]; /* for messages */
        snprintf(what, sizeof what, "save: field %s", name ? name : "");
        Tensor *tensor = name ? array_to_save(&record->values[i], what, err) : NULL;
        ok = tensor != NULL;
        if (ok) items[i] = (SafetensorsItem){name, tensor, safetensors_type_of(tensor->dtype)};
    }
    ok = ok && safetensors_save(path, items, record->count, NULL, 0, err);
    for (size_t i = 0; items && i < record->count; i++) tensor_unref(items[i].tensor);
    return ok;
}

/* Sets *half to whether dtype= asks for float16, which only a model can be kept in. */
static bool read_half(const Call *call, int i, const Value *value, bool *half, Error *err) {
    const char *type = given_at(call, i) ? string_at(call, i)->data : NULL;
    *half = type && strcmp(type, "float16") == 0;
    if (!type || (*half && model_of(value))) return true;
    if (model_of(value))
        return error_set(err, ERR_VALUE,
                         "a model is kept as it is, or with dtype=\"float16\", not as %s", type);
    error_set(err, ERR_VALUE, "dtype=\"float16\" is for models; arrays keep the type they have");
    return error_hint(err, "float32(A) has half the bytes of A.");
}

static bool save_value(const char *path, const Value *value, bool half, Error *err) {
    bool named = path_has_suffix(path, "safetensors");
    Model *model = model_of(value);
    if (model && named) return checkpoint_save(path, model_transformer(model), half, err);
    if (model) {
        error_set(err, ERR_TYPE, "save: a model is kept in a .safetensors file");
        return error_hint(err, "save(\"m.safetensors\", m)");
    }
    if (value->kind == VALUE_RECORD && named) return save_record(path, value->record, err);
    if (value->kind == VALUE_RECORD) {
        error_set(err, ERR_TYPE, "save: a record of arrays is kept in a .safetensors file");
        return error_hint(err, "save(\"example.safetensors\", x)");
    }
    LocalTensor *tensor = array_to_save(value, "save: x", err);
    if (!tensor) return false;
    if (!named) return array_save(path, tensor, err);
    error_set(err, ERR_TYPE, "save: a .safetensors file holds arrays by name, in a record");
    return error_hint(err, "save(\"example.safetensors\", record(A=A))");
}

/* Appends the path of a file that may be written. The remedy is for who does not let it be. */
static bool path_to_write(const Call *call, const char *name, bool force, const char *remedy,
                          Text *path, Error *err) {
    const InterpHooks *hooks = &call->interp->hooks;
    if (call->interp->safe) return error_set(err, ERR_FILE, "with --safe, nothing is written");
    path_join(path, call->interp->directory, name);
    return text_ok(path, err) &&
           (!hooks->may_write || hooks->may_write(hooks->context, path->data, force, remedy, err));
}

static bool save(const Call *call, Value *out, Error *err) {
    *out = VALUE_NOTHING;
    if (call->interp->rehearses) return true;
    LocalText path = TEXT_EMPTY;
    const char *name = string_at(call, 0)->data;
    char remedy[sizeof err->hint];
    snprintf(remedy, sizeof remedy, "save(\"%.200s\", x, force=True) replaces it", name);
    bool half;
    if (!read_half(call, 3, &call->arguments[1], &half, err) ||
        !path_to_write(call, name, bool_at(call, 2), remedy, &path, err) ||
        !save_value(path.data, &call->arguments[1], half, err))
        return false;
    if (call->interp->host->interactive) host_note(call->interp->host, "(wrote %s)\n", name);
    return true;
}

/* ---- text ---- */

/* Gives a text that was read from `source`. ERR_FILE where it is none. */
static bool give_read(Text *text, const char *source, Value *out, Error *err) {
    return file_check_text(text, source, err) && value_text(out, text, err);
}

/* Python's words of an error of the system name a file as the call does. Returns false always. */
static bool name_in_error(const char *name, Error *err) {
    char *quote = strncmp(err->python, "[Errno", 6) == 0 ? strchr(err->python, '\'') : NULL;
    if (quote) snprintf(quote, sizeof err->python - (size_t)(quote - err->python), "'%.60s'", name);
    return false;
}

static bool read_text(const Call *call, Value *out, Error *err) {
    LocalText path = TEXT_EMPTY, text = TEXT_EMPTY;
    const char *name = string_at(call, 0)->data;
    return file_path_to_read(call->interp, name, &path, err) &&
           (file_read(path.data, 0, &text, err) || name_in_error(name, err)) &&
           text_ok(&text, err) && give_read(&text, path.data, out, err);
}

static bool write_text(const Call *call, Value *out, Error *err) {
    const String *added = string_at(call, 1);
    const bool append = bool_at(call, 2);
    LocalText path = TEXT_EMPTY, text = TEXT_EMPTY;
    *out = VALUE_NOTHING;
    if (call->interp->rehearses) return true;
    if (!path_to_write(call, string_at(call, 0)->data, append || bool_at(call, 3),
                       "write_text(path, text, force=True) replaces it", &path, err) ||
        (append && access(path.data, F_OK) == 0 && !file_read(path.data, 0, &text, err)))
        return false;
    text_bytes(&text, added->data, added->length);
    return text_ok(&text, err) && (file_write(path.data, text.data, text.length, err) ||
                                   name_in_error(string_at(call, 0)->data, err));
}

static bool path_kind(const Call *call, Value *out, Error *err) {
    LocalText path = TEXT_EMPTY;
    *out = VALUE_NOTHING;
    if (!file_path_to_read(call->interp, string_at(call, 0)->data, &path, err)) return false;
    if (access(path.data, F_OK) != 0) return true;
    return is_folder(path.data) ? value_string(out, "folder", 6, err)
                                : value_string(out, "file", 4, err);
}

static bool list_folder(const Call *call, Value *out, Error *err) {
    LocalText path = TEXT_EMPTY;
    const char *named = string_at(call, 0)->data;
    if (!file_path_to_read(call->interp, named, &path, err)) return false;
    DIR *folder = opendir(path.data);
    if (!folder) return system_error(err, "read", path.data, errno) || name_in_error(named, err);
    *out = VALUE_NOTHING;
    bool ok = value_list_new(out, VALUE_LIST, 0, err);
    for (struct dirent *entry; ok && (entry = readdir(folder));) {
        const char *name = entry->d_name;
        const size_t length = strlen(name);
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && utf8_check(name, length) == length)
            ok = list_append_text(out->list, name, length, err);
    }
    closedir(folder);
    return value_if(ok, out);
}

static bool make_folder(const Call *call, Value *out, Error *err) {
    const char *name = string_at(call, 0)->data;
    LocalText path = TEXT_EMPTY;
    *out = VALUE_NOTHING;
    if (call->interp->rehearses) return true;
    if (!path_to_write(call, name, true, "", &path, err)) return false;
    if (mkdir(path.data, 0777) == 0 || is_folder(path.data)) return true;
    return system_error(err, "make", path.data, errno) || name_in_error(name, err);
}

static bool remove_file(const Call *call, Value *out, Error *err) {
    const char *name = string_at(call, 0)->data;
    LocalText path = TEXT_EMPTY;
    *out = VALUE_NOTHING;
    if (call->interp->rehearses) return true;
    if (!path_to_write(call, name, bool_at(call, 1), "remove_file(path, force=True) removes it",
                       &path, err))
        return false;
    if (unlink(path.data) == 0) return true;
    return system_error(err, "remove", path.data, errno) || name_in_error(name, err);
}

static bool full_path(const Call *call, Value *out, Error *err) {
    char folder[PATH_MAX];
    LocalText path = TEXT_EMPTY;
    const char *directory = call->interp->directory ? call->interp->directory : ".";
    path_join(&path, realpath(directory, folder) ? folder : directory, string_at(call, 0)->data);
    return value_text(out, &path, err);
}

static bool input(const Call *call, Value *out, Error *err) {
    Host *host = call->interp->host;
    LocalText line = TEXT_EMPTY;
    bool ended = true;
    if (host->read_line && !host->read_line(host, string_at(call, 0)->data, &line, &ended, err))
        return false;
    if (!ended) return give_read(&line, "the input", out, err);
    error_set(err, ERR_VALUE, "input: there is nothing more to read");
    error_mark(err, "EOFError");
    error_python(err, "EOF when reading a line");
    return error_hint(err, "the value is in the line itself: x = 3");
}

/* ---- json ---- */

/* Keys of JSON are strings; numbers become such, as in Python. */
static bool write_json_key(Text *out, const Value *key, Error *err) {
    LocalText number = TEXT_FOR(out);
    if (key->kind == VALUE_STRING) {
        json_write_string(out, key->string->data, key->string->length);
        return true;
    }
    if (key->kind == VALUE_NONE || key->kind == VALUE_BOOL) {
        text_string(out, key->kind == VALUE_NONE ? "\"null\""
                         : key->boolean          ? "\"true\""
                                                 : "\"false\"");
        return true;
    }
    if (key->kind != VALUE_NUMBER)
        return error_set(err, ERR_TYPE, "JSON has no form for %s as a key", value_words(key));
    number_write_shortest(&number, key->number, false);
    json_write_string(out, number.data, number.length);
    return true;
}

static bool write_json(Text *out, const Value *value, int depth, Error *err) {
    enum { NESTING_MAX = 200, POLL_EVERY = 4096 };
    if (depth > NESTING_MAX)
        return error_set(err, ERR_LIMIT, "json: nested more than %d deep", NESTING_MAX);
    switch (value->kind) {
    case VALUE_NONE: text_string(out, "null"); return true;
    case VALUE_BOOL: text_string(out, value->boolean ? "true" : "false"); return true;
    case VALUE_NUMBER: json_write_number(out, value->number, false); return true;
    case VALUE_STRING:
        json_write_string(out, value->string->data, value->string->length);
        return true;
    case VALUE_TENSOR:
        return value_is_untracked(value, "json(x)", err) &&
               json_write_tensor(out, value->tensor, err);
    case VALUE_LIST:
    case VALUE_TUPLE:
        text_char(out, '[');
        for (size_t i = 0; i < value->list->count; i++) {
            if (i > 0) text_string(out, ", ");
            if ((i % POLL_EVERY == 0 && interrupted(err)) ||
                !write_json(out, &value->list->items[i], depth + 1, err))
                return false;
        }
        text_char(out, ']');
        return true;
    case VALUE_SET:
        error_set(err, ERR_TYPE, "JSON has no form for %s", value_words(value));
        return error_hint(err, "json(list(s)) writes a list of its items.");
    case VALUE_RECORD:
        text_char(out, '{');
        for (size_t i = 0; i < value->record->count; i++) {
            if (i > 0) text_string(out, ", ");
            if (!write_json_key(out, &value->record->keys[i], err)) return false;
            text_string(out, ": ");
            if (!write_json(out, &value->record->values[i], depth + 1, err)) return false;
        }
        text_char(out, '}');
        return true;
    default: return error_set(err, ERR_TYPE, "JSON has no form for %s", value_words(value));
    }
}

static bool json(const Call *call, Value *out, Error *err) {
    LocalText text = TEXT_EMPTY;
    return write_json(&text, &call->arguments[0], 0, err) && !interrupted(err) &&
           value_text(out, &text, err);
}

#define GROUP "files"

const BuiltinDef files_table[] = {
    {BUILTIN("load", load), .parameters = "path:text",
     .summary = "Reads a file. .npy (NumPy's), .csv and .tsv (tables of numbers) give an array, "
                ".safetensors gives the model that was saved in it, else a record of its arrays, "
                "by name. A folder with config.json and model.safetensors, as models of the GPT-2 "
                "and BERT families are published, gives that model, with its tokenizer where the "
                "files of one lie beside; so does its model.safetensors.",
     .example = "save(\"example.csv\", [[1, 2], [3, 4]])\nload(\"example.csv\")\n"
                "# -> [[1, 2],⏎ [3, 4]]",
     .see = "save transformer"},
    {BUILTIN("save", save), .parameters = "path:text x:any force:bool=False dtype:text?=None",
     .summary = "Writes an array to a file; its ending says how: .npy (NumPy's), .csv or .tsv. A "
                "record of arrays or a model goes into a .safetensors file: of a model its "
                "parameters, choices, tokens, and where its training stands, which goes on as if "
                "it had not stopped; with dtype=\"float16\" the parameters alone, rounded, "
                "in a sixth of the bytes. A file that is there is replaced; at a prompt, "
                "where this session has not written it, attn asks first, unless force=True.",
     .example = "save(\"example.npy\", eye(2))\nload(\"example.npy\").shape\n# -> (2, 2)\n"
                "save(\"example.safetensors\", record(W=eye(2), b=[1, 2]))\n"
                "w = load(\"example.safetensors\")\nw[\"b\"]\n# -> [1, 2]",
     .see = "load json"},
    {BUILTIN("json", json), .parameters = "x:any",
     .summary = "A value as JSON text, for other programs: numbers with all the digits they need, "
                "arrays as nested lists, records as objects, None as null; nan and inf as the "
                "strings \"nan\" and \"inf\".",
     .example = "print(json([1, 0.5]))\n# -> [1, 0.5]\nprint(json(record(a=1 / 3, b=None)))\n"
                "# -> {\"a\": 0.3333333333333333, \"b\": null}",
     .see = "save str"},
    {BUILTIN("read_text", read_text), .parameters = "path:text",
     .summary = "The whole text of a file, in UTF-8.",
     .example = "write_text(\"example.txt\", \"a b\")\nread_text(\"example.txt\").split()\n"
                "# -> ['a', 'b']",
     .see = "open write_text load"},
    {BUILTIN("write_text", write_text),
     .parameters = "path:text text:text append:bool=False force:bool=False",
     .summary = "Writes a text to a file, or with append=True to its end. At a prompt, attn asks "
                "before it replaces a file that this session has not written, unless force=True.",
     .example = "write_text(\"example.txt\", \"a\")\n"
                "write_text(\"example.txt\", \"b\", append=True)\nread_text(\"example.txt\")\n"
                "# -> 'ab'",
     .see = "open read_text save"},
    {BUILTIN("path_kind", path_kind), .parameters = "path:text",
     .summary = "What is at a path: \"file\", \"folder\", or None where there is nothing.",
     .example = "path_kind(\".\")\n# -> 'folder'", .see = "open load"},
    {BUILTIN("list_folder", list_folder), .parameters = "path:text=\".\"",
     .summary = "The names of the files and folders in a folder, in no order.",
     .example = "write_text(\"example.txt\", \"a b\")\n\"example.txt\" in list_folder()\n# -> True",
     .see = "path_kind open"},
    {BUILTIN("make_folder", make_folder), .parameters = "path:text",
     .summary = "Makes a folder; one that is there stays as it is.",
     .example = "make_folder(\"example\")\npath_kind(\"example\")\n# -> 'folder'",
     .see = "list_folder save"},
    {BUILTIN("remove_file", remove_file), .parameters = "path:text force:bool=False",
     .summary = "Removes a file. At a prompt, attn asks first where this session has not written "
                "it, unless force=True.",
     .example = "write_text(\"example.txt\", \"a\")\nremove_file(\"example.txt\")\n"
                "path_kind(\"example.txt\") is None\n# -> True",
     .see = "write_text path_kind"},
    {BUILTIN("full_path", full_path), .parameters = "path:text",
     .summary = "A path from the root /, where it is given from the folder of the script.",
     .example = "full_path(\"example.txt\")[0]\n# -> '/'", .see = "path_kind list_folder"},
    {BUILTIN("input", input), .parameters = "prompt:any=\"\"",
     .summary = "Shows the prompt and reads a line that the person types, as a string; float(x) or "
                "int(x) makes a number of it. Where nothing more is to be read, in a lesson or a "
                "page too, it is an EOFError.",
     .example = "try: name = input(\"Your name: \")\nexcept EOFError: name = \"nobody\"",
     .see = "open print float int"},
    {0},
};
