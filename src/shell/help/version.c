#include "shell/help/version.h"

#include "engine/kernels/kernels.h"
#include "engine/tensor/threads.h"
#include "shell/explore/explore_screen.h"
#include "shell/sandbox.h"
#include "view/gnuplot/gnuplot.h"
#include "view/picture_format.h"

#ifdef HAVE_READLINE
#include <stdio.h>
/* readline's header needs FILE. */
#include <readline/readline.h>
#endif

const char version_number[] = ATTN_VERSION;

#ifdef HAVE_READLINE
static void write_editing(Text *text) {
    text_format(text, "line editing: readline %s\n", rl_library_version);
}
static const char license[] =
    "licence: GPL version 3 or later, as it is linked with readline; its own sources: MIT\n";
#else
static void write_editing(Text *text) {
    text_string(text, "line editing: none (built without readline)\n");
}
static const char license[] = "licence: MIT\n";
#endif

void version_write(Text *text) {
    const char *vectors = kernels()->name;
#ifdef __ARM_NEON
    vectors = "NEON"; /* every Arm machine with 64 bits has it, so that it is the base there */
#endif
    text_format(text, "attn %s\nkernels: %s\nthreads: %d\n", version_number, vectors,
                threads_most());
    write_editing(text);
    text_string(text, "explore: ");
    explore_screen_version(text);
    text_char(text, '\n');
    text_format(text, "pictures as %s: %s%s\n", picture_formats_list(FORMATS_DRAWN, "and").text,
                gnuplot_program(), gnuplot_is_installed() ? "" : " is not installed");
    text_format(text, "--safe is held by %s\n", sandbox_words());
    text_string(text, license);
}
