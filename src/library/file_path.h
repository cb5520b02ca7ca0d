/* Names of files, as calls and commands give them. */
#ifndef ATTN_LIBRARY_FILE_PATH_H
#define ATTN_LIBRARY_FILE_PATH_H

#include "lang/interp.h"

/* Appends the path of a file to be read, from the folder of the script. ERR_FILE with --safe, where
 * it lies elsewhere, behind a link too. */
bool file_path_to_read(const Interp *interp, const char *name, Text *path, Error *err);
/* ERR_FILE where, with --safe, something in this folder is a link that leads elsewhere. */
bool file_path_check_links(const Interp *interp, const char *folder, Error *err);

#endif
