#include "shell/terminal/display.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* abstract: the path is a name in Linux's own space, after a zero byte. */
static bool socket_answers(const char *path, bool abstract) {
    struct sockaddr_un address;
    memset(&address, 0, sizeof address);
    address.sun_family = AF_UNIX;
    size_t length = strlen(path), size = sizeof address;
    if (length + 2 > sizeof address.sun_path) return false;
    memcpy(address.sun_path + abstract, path, length);
    if (abstract) size = offsetof(struct sockaddr_un, sun_path) + 1 + length;

    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd < 0) return false;
    bool ok = connect(fd, (const struct sockaddr *)&address, (socklen_t)size) == 0;
    close(fd);
    return ok;
}

/* DISPLAY is ":0", "unix:0.0", or a path (macOS). A display on another machine ("host:10") counts
 * as there: the program that opens the window will find out. */
static bool x_answers(const char *display) {
    char path[64];
    const char *colon = strrchr(display, ':');
    if (*display == '/') return socket_answers(display, false);
    if (!colon) return false;
    if (colon != display && strncmp(display, "unix:", 5) != 0) return true;
    snprintf(path, sizeof path, "/tmp/.X11-unix/X%d", atoi(colon + 1));
    return socket_answers(path, false) || socket_answers(path, true);
}

static bool wayland_answers(const char *name) {
    char path[256];
    const char *folder = getenv("XDG_RUNTIME_DIR");
    if (*name == '/') return socket_answers(name, false);
    if (!folder || !*folder) return false;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return socket_answers(path, false);
}

bool display_answers(Error *err) {
    const char *x = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    bool has_x = x && *x, has_wayland = wayland && *wayland;
    if ((has_x && x_answers(x)) || (has_wayland && wayland_answers(wayland))) return true;
    if (has_x || has_wayland)
        return error_set(err, ERR_PLOT, "the display %s cannot be opened", has_x ? x : wayland);
    return error_set(
        err, ERR_PLOT,
        "there is no display for a window: neither DISPLAY nor WAYLAND_DISPLAY is set");
}
