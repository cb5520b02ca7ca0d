#include "library/file_path.h"

#include "io/file.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Writes a path without "." and "..", by its words alone: links are not looked at. False: it is too
 * long. */
static bool write_plain(const char *path, char out[PATH_MAX]) {
    size_t length = 0;
    if (path[0] != '/') {
        if (!getcwd(out, PATH_MAX)) return false;
        length = strlen(out);
    }
    while (*path) {
        path += strspn(path, "/");
        size_t part = strcspn(path, "/");
        if (part == 2 && strncmp(path, "..", 2) == 0) {
            while (length > 0 && out[--length] != '/') continue;
        } else if (part > 0 && !(part == 1 && *path == '.')) {
            if (length + part + 2 > PATH_MAX) return false;
            if (length == 0 || out[length - 1] != '/') out[length++] = '/';
            memcpy(out + length, path, part);
            length += part;
        }
        path += part;
    }
    out[length] = 0;
    return true;
}

/* Whether a path is the folder, or lies below it. */
static bool is_below(const char *path, const char *folder) {
    size_t length = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || !path[length]);
}

/* With --safe: refuses a path that leads out of the folder of the first script, by its words or by
 * links. What is elsewhere is refused alike, be it there or not. */
static bool check_inside(const Interp *interp, const char *path, Error *err) {
    char real[PATH_MAX];
    if (!interp->safe) return true;
    bool inside = realpath(path, real) || write_plain(path, real);
    if (inside && is_below(real, interp->root)) return true;
    error_set(err, ERR_FILE,
              "with --safe, files are only read from the folder of the script: %s "
              "lies elsewhere",
              path);
    return error_hint(err, "Copy the file itself there.");
}

bool file_path_check_links(const Interp *interp, const char *folder, Error *err) {
    DIR *list = interp->safe ? opendir(folder) : NULL;
    bool ok = true;
    struct dirent *entry;
    while (ok && list && (entry = readdir(list))) {
        Text path = TEXT_EMPTY;
        if (strcmp(entry->d_name, "..") == 0) continue;
        path_join(&path, folder, entry->d_name);
        ok = text_ok(&path, err) && check_inside(interp, path.data, err);
        text_release(&path);
    }
    if (list) closedir(list);
    return ok;
}

bool file_path_to_read(const Interp *interp, const char *name, Text *path, Error *err) {
    path_join(path, interp->directory, name);
    return text_ok(path, err) && check_inside(interp, path->data, err);
}
