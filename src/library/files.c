/* Arrays from and to files. */
#include "io/array_file.h"
#include "io/file.h"
#include "lang/interp.h"
#include "library/arguments.h"
#include "library/library.h"

#include <string.h>

/* Whether a path leads out of the folder that it starts from. */
static bool leaves_folder(const char *path) {
    if (path[0] == '/' || path[0] == '~') return true;
    for (const char *part = path; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == 0)) return true;
    }
    return false;
}

static bool load(const Call *call, Value *out, Error *err) {
    const char *name = string_at(call, 0)->data;
    if (call->interp->safe && leaves_folder(name))
        return error_set(err, ERR_FILE,
                         "with --safe, files are only read from the folder of the script: %s",
                         name);
    Text path;
    text_init(&path);
    path_join(&path, call->interp->directory, name);
    bool ok = text_ok(&path, err) && give(array_load(path.data, err), out);
    text_release(&path);
    return ok;
}

static bool save(const Call *call, Value *out, Error *err) {
    if (call->interp->safe) return error_set(err, ERR_FILE, "with --safe, nothing is written");
    Text path;
    text_init(&path);
    path_join(&path, call->interp->directory, string_at(call, 0)->data);
    bool ok = text_ok(&path, err) && array_save(path.data, tensor_at(call, 1), err);
    text_release(&path);
    *out = VALUE_NOTHING;
    return ok;
}

const BuiltinDef files_table[] = {
    {.name = "load",
     .group = "files",
     .call = load,
     .parameters = "path:text",
     .summary = "Reads an array from a file: .npy (NumPy's), .csv or .tsv (tables of numbers).",
     .example =
         "save(\"example.csv\", [[1, 2], [3, 4]])\nload(\"example.csv\")\n# -> [[1, 2],⏎ [3, 4]]",
     .see = "save"},
    {.name = "save",
     .group = "files",
     .call = save,
     .parameters = "path:text x:array",
     .summary = "Writes an array to a file; its ending says how: .npy (NumPy's), .csv or .tsv. A "
                "file that is there is replaced.",
     .example = "save(\"example.npy\", eye(2))\nload(\"example.npy\").shape\n# -> (2, 2)",
     .see = "load json"},
    {0},
};
