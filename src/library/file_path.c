#include "library/file_path.h"

#include "io/file.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* True if a path, its links followed, leads to the folder or below it. What is not there is where
 * the last folder is that is there; a link whose end cannot be seen is outside. */
static bool is_inside(const char *path, const char *folder) {
    char real[PATH_MAX], part[PATH_MAX];
    struct stat status;
    size_t length = strlen(path);
    if (length >= sizeof part) return false;
    memcpy(part, path, length + 1);
    while (!realpath(part, real)) {
        if (lstat(part, &status) == 0) return false;
        char *slash = strrchr(part, '/');
        if (!slash) strcpy(part, ".");
        else slash[slash == part] = 0;
    }
    length = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
    return strncmp(real, folder, length) == 0 && (real[length] == '/' || !real[length]);
}

/* With --safe: refuses a path that leads out of the folder of the first script. A path elsewhere is
 * refused alike, be it there or not. */
static bool check_inside(const Interp *interp, const char *path, Error *err) {
    char here[PATH_MAX];
    struct stat status;
    if (!interp->safe) return true;
    const char *root = interp->root;
    if (!root) root = realpath(interp->directory ? interp->directory : ".", here);
    if (!root || !is_inside(path, root)) {
        error_set(err, ERR_FILE,
                  "with --safe, files are only read from the folder of the script: %s "
                  "lies elsewhere",
                  path);
        return error_hint(err, "Copy the file itself there.");
    }
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return error_set(err, ERR_FILE, "with --safe, %s is not read: it is a pipe or a device",
                         path);
    return true;
}

bool file_path_check_links(const Interp *interp, const char *folder, Error *err) {
    DIR *list = interp->safe ? opendir(folder) : NULL;
    bool ok = true;
    struct dirent *entry;
    while (ok && list && (entry = readdir(list))) {
        LocalText path = TEXT_EMPTY;
        if (strcmp(entry->d_name, "..") == 0) continue;
        path_join(&path, folder, entry->d_name);
        ok = text_ok(&path, err) && check_inside(interp, path.data, err);
    }
    if (list) closedir(list);
    return ok;
}

bool file_path_to_read(const Interp *interp, const char *name, Text *path, Error *err) {
    path_join(path, interp->directory, name);
    return text_ok(path, err) && check_inside(interp, path->data, err);
}
