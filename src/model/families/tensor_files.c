#include "model/families/tensor_files.h"

#include "base/memory.h"
#include "io/file.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_MOST = 256, INDEX_BYTES = 1 << 26 };

static const char whole_name[] = "model.safetensors";
static const char index_name[] = "model.safetensors.index.json";

/* ---- tensors by name ---- */

static int compare_names(const void *a, const void *b) {
    const NamedTensor *x = a, *y = b;
    return strcmp(x->entry->name, y->entry->name);
}

NamedTensor *tensor_files_find(const TensorFiles *files, const char *name) {
    SafetensorsEntry entry = {.name = name};
    NamedTensor key = {.entry = &entry};
    return bsearch(&key, files->tensors, files->count, sizeof key, compare_names);
}

static bool collect(TensorFiles *files, Error *err) {
    size_t count = 0;
    for (size_t f = 0; f < files->file_count; f++) count += files->files[f].count;
    files->tensors = mem_zeroed(count, sizeof *files->tensors, err);
    if (!files->tensors) return false;
    for (size_t f = 0; f < files->file_count; f++) {
        const Safetensors *file = &files->files[f];
        for (size_t i = 0; i < file->count; i++)
            files->tensors[files->count++] = (NamedTensor){&file->entries[i], file, false};
    }
    qsort(files->tensors, count, sizeof *files->tensors, compare_names);
    for (size_t i = 1; i < count; i++)
        if (compare_names(&files->tensors[i - 1], &files->tensors[i]) == 0)
            return error_set(err, ERR_FILE, "tensor \"%s\" is in two files",
                             quoted_text(files->tensors[i].entry->name).text);
    return true;
}

/* ---- several files ---- */

static bool open_file(TensorFiles *files, const char *folder, const char *name, Error *err) {
    LocalText path = TEXT_EMPTY;
    path_join(&path, folder, name);
    bool ok =
        text_ok(&path, err) && safetensors_open(&files->files[files->file_count], path.data, err);
    files->file_count += ok;
    return ok;
}

/* Opens each file that the index names, and checks that each tensor is in the file that it says,
 * and that there is no other. */
static bool open_index(TensorFiles *files, const char *folder, Error *err) {
    LocalJsonTree tree = {NULL, NULL};
    if (!json_tree_read_file(&tree, folder, index_name, INDEX_BYTES, index_name, err)) return false;
    json_t *map = json_object_get(tree.root, "weight_map"), *value;
    const char *names[FILES_MOST], *tensor_name;
    if (!json_is_object(map))
        return error_set(err, ERR_FILE, "%s has no \"weight_map\" from tensors to files",
                         index_name);
    files->files = mem_zeroed(FILES_MOST, sizeof *files->files, err);
    if (!files->files) return false;
    json_object_foreach(map, tensor_name, value) {
        const char *name = json_text(value); /* one of this folder, and no way out of it */
        size_t i = 0;
        if (!name || !*name || *name == '.' || *name == '~' || strchr(name, '/'))
            return error_set(err, ERR_FILE, "%s names no file of the folder for tensor \"%s\"",
                             index_name, quoted_text(tensor_name).text);
        while (i < files->file_count && strcmp(names[i], name) != 0) i++;
        if (i < files->file_count) continue;
        if (i == FILES_MOST)
            return error_set(err, ERR_LIMIT, "%s names more than the %d files that are read",
                             index_name, FILES_MOST);
        names[i] = name;
        if (!open_file(files, folder, name, err)) return false;
    }
    if (!collect(files, err)) return false;

    json_object_foreach(map, tensor_name, value) {
        const NamedTensor *tensor = tensor_files_find(files, tensor_name);
        const char *path = tensor ? strrchr(tensor->file->path, '/') : NULL;
        if (!path || strcmp(path + 1, json_string_value(value)) != 0)
            return error_set(err, ERR_FILE, "tensor \"%s\" is not in %s, where %s has it",
                             quoted_text(tensor_name).text,
                             quoted_text(json_string_value(value)).text, index_name);
    }
    for (size_t i = 0; i < files->count; i++)
        if (!json_object_get(map, files->tensors[i].entry->name))
            return error_set(err, ERR_FILE, "tensor \"%s\" is not in %s",
                             quoted_text(files->tensors[i].entry->name).text, index_name);
    return true;
}

/* ---- opening ---- */

bool tensor_files_open(TensorFiles *out, const char *folder, Error *err) {
    TensorFiles files = {.count = 0};
    bool listed, ok = file_is_in(folder, index_name, &listed, err);
    if (ok && listed) ok = open_index(&files, folder, err);
    else
        ok = ok && (files.files = mem_zeroed(1, sizeof *files.files, err)) &&
             open_file(&files, folder, whole_name, err) && collect(&files, err);
    if (ok) *out = files;
    else tensor_files_release(&files);
    return ok;
}

void tensor_files_release(TensorFiles *files) {
    for (size_t i = 0; i < files->file_count; i++) safetensors_release(&files->files[i]);
    mem_free(files->files);
    mem_free(files->tensors);
    *files = (TensorFiles){.files = NULL};
}
