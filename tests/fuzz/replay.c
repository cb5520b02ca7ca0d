/* Stands in for the fuzzer: runs a harness over the files of a folder. */
#include "tests/fuzz/harness.h"

#include "base/error.h"
#include "io/file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static bool replay(const char *folder, const char *name) {
    Text path, bytes;
    Error err = {0};
    text_init(&path);
    text_init(&bytes);
    text_format(&path, "%s/%s", folder, name);
    bool ok = file_read(path.data, 0, &bytes, &err);
    if (ok) LLVMFuzzerTestOneInput((const uint8_t *)bytes.data, bytes.length);
    else printf("%s\n", err.message);
    text_release(&bytes);
    text_release(&path);
    return ok;
}

int main(int count, char **folders) {
    int passed = 0, failed = 0;
    for (int i = 1; i < count; i++) {
        DIR *folder = opendir(folders[i]);
        if (!folder) {
            printf("%s cannot be opened\n", folders[i]);
            return EXIT_FAILURE;
        }
        for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
            if (entry->d_name[0] == '.') continue;
            if (replay(folders[i], entry->d_name)) passed++;
            else failed++;
        }
        closedir(folder);
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
