#include "library/file_path.h"

#include "io/file.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
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

/* Refuses a path whose links lead out of the folder of the script. What is not there passes: it
 * cannot be read either. */
static bool check_link(const Interp *interp, const char *path, Error *err) {
    char real[PATH_MAX], home[PATH_MAX];
    if (!realpath(path, real)) return true;
    if (realpath(interp->directory ? interp->directory : ".", home)) {
        size_t length = strcmp(home, "/") == 0 ? 0 : strlen(home);
        if (strncmp(real, home, length) == 0 && (real[length] == '/' || !real[length])) return true;
    }
    error_set(err, ERR_FILE,
              "with --safe, files are only read from the folder of the script: %s "
              "is a link that leads elsewhere",
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
        ok = text_ok(&path, err) && check_link(interp, path.data, err);
        text_release(&path);
    }
    if (list) closedir(list);
    return ok;
}

bool file_path_to_read(const Interp *interp, const char *name, Text *path, Error *err) {
    if (interp->safe && leaves_folder(name))
        return error_set(err, ERR_FILE,
                         "with --safe, files are only read from the folder of the script: %s",
                         name);
    path_join(path, interp->directory, name);
    return text_ok(path, err) && (!interp->safe || check_link(interp, path->data, err));
}
