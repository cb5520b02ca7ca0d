#include "shell/options.h"

#include <stdio.h>
#include <string.h>

const char options_summary[] =
    "usage: attn, attn FILE.attn ..., attn -c 'CODE', attn -i FILE, attn -\n"
    "attn --help lists the options\n";

const char options_usage[] =
    "attn: see what attention computes\n"
    "\n"
    "  attn                 a prompt; without a terminal, standard input is run\n"
    "  attn FILE.attn ...   runs a script; further words are its `args`\n"
    "  attn FILE.md         runs the cells of a Markdown document\n"
    "  attn -c 'CODE'       runs the code\n"
    "  attn -i FILE         runs a script, then a prompt (or standard input)\n"
    "  attn -               runs standard input\n"
    "\n"
    "  --color=auto|always|never   colour in tables (NO_COLOR is heard)\n"
    "  --seed N                    where random numbers start\n"
    "  --threads N                 how many threads large products may use\n"
    "  --language en|zh            the language, where there are several\n"
    "  --plots DIR                 every picture goes to a file in DIR\n"
    "  --safe                      writes nothing, starts no program, 1 GB of memory\n"
    "  --quiet                     no banner\n"
    "  --reference                 prints the reference page, in Markdown\n"
    "  --manual                    prints the manual page, for man\n"
    "  --version, --help           what this program is and has; these lines\n"
    "\n"
    "At the prompt, help says what can be typed.\n";

/* "--name value" or "--name=value": the value, or NULL with an error. */
static const char *option_value(const char *argument, const char *name, char **argv, int *at,
                                Error *err) {
    size_t length = strlen(name);
    if (argument[length] == '=') return argument + length + 1;
    if (argv[*at + 1]) return argv[++*at];
    error_set(err, ERR_SYNTAX, "%s needs a value", name);
    return NULL;
}

static bool is_option(const char *argument, const char *name) {
    size_t length = strlen(name);
    return strncmp(argument, name, length) == 0 &&
           (argument[length] == '\0' || argument[length] == '=');
}

static bool whole_number(const char *text, const char *name, Error *err) {
    size_t digits = strspn(text, "0123456789");
    if (*text && !text[digits] && digits <= 15) return true;
    return error_set(err, ERR_SYNTAX, "%s needs a whole number, not %s", name,
                     *text ? text : "nothing");
}

static bool one_of(const char *text, const char *name, const char *const *words, Error *err) {
    char list[80] = "";
    for (size_t i = 0; words[i]; i++) {
        if (strcmp(text, words[i]) == 0) return true;
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s",
                 i == 0         ? ""
                 : words[i + 1] ? ", "
                                : " or ",
                 words[i]);
    }
    return error_set(err, ERR_SYNTAX, "%s is %s, not %s", name, list, *text ? text : "nothing");
}

/* An option with a value, stored where it belongs. */
static bool read_valued(Options *options, const char *argument, char **argv, int *at, bool *known,
                        Error *err) {
    static const char *const colors[] = {"auto", "always", "never", NULL}, *const languages[] = {
                                                                               "en", "zh", NULL};
    struct {
        const char *name;
        const char **place;
        bool number;
        const char *const *words;
    } valued[] = {{"--color", &options->color, false, colors},
                  {"--seed", &options->seed, true, NULL},
                  {"--threads", &options->threads, true, NULL},
                  {"--language", &options->language, false, languages},
                  {"--plots", &options->plots, false, NULL}};
    *known = false;
    for (size_t i = 0; i < sizeof valued / sizeof *valued; i++) {
        if (!is_option(argument, valued[i].name)) continue;
        *known = true;
        const char *value = option_value(argument, valued[i].name, argv, at, err);
        if (!value) return false;
        *valued[i].place = value;
        return (!valued[i].number || whole_number(value, valued[i].name, err)) &&
               (!valued[i].words || one_of(value, valued[i].name, valued[i].words, err));
    }
    return true;
}

static bool read_flag(Options *options, const char *argument, char **argv, int *at, Error *err) {
    bool known;
    if (!read_valued(options, argument, argv, at, &known, err)) return false;
    if (known) return true;
    if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0)
        return options->action = ACTION_HELP, true;
    if (strcmp(argument, "--version") == 0) return options->action = ACTION_VERSION, true;
    if (strcmp(argument, "--reference") == 0) return options->action = ACTION_REFERENCE, true;
    if (strcmp(argument, "--manual") == 0) return options->action = ACTION_MANUAL, true;
    if (strcmp(argument, "--quiet") == 0 || strcmp(argument, "-q") == 0)
        return options->quiet = true;
    if (strcmp(argument, "--safe") == 0) return options->safe = true;
    return error_set(err, ERR_SYNTAX, "there is no option %s", argument);
}

/* A path as it stands; without one, as without arguments. */
static bool read_path(Options *options, char **argv, int at) {
    if (!argv[at]) return true;
    options->action = ACTION_FILE;
    options->script = argv[at];
    options->args = argv + at + 1;
    return true;
}

static bool read_script(Options *options, char **argv, int at, Error *err) {
    const char *argument = argv[at];
    if (strcmp(argument, "-c") == 0 || strcmp(argument, "-i") == 0) {
        options->action = argument[1] == 'c' ? ACTION_CODE : ACTION_FILE;
        options->then_prompt = argument[1] == 'i';
        options->script = argv[++at];
        if (!options->script)
            return error_set(err, ERR_SYNTAX, "%s needs %s", argument,
                             argument[1] == 'c' ? "code" : "a file");
    } else if (strcmp(argument, "-") == 0) {
        options->action = ACTION_STDIN;
    } else {
        return read_path(options, argv, at);
    }
    options->args = argv + at + 1;
    return true;
}

bool options_read(Options *options, int argc, char **argv, Error *err) {
    *options = (Options){.action = ACTION_PROMPT, .color = "auto", .args = argv + argc};
    for (int i = 1; i < argc; i++) {
        const char *argument = argv[i];
        bool script = argument[0] != '-' || !argument[1] || strcmp(argument, "-c") == 0 ||
                      strcmp(argument, "-i") == 0;
        if (script) return read_script(options, argv, i, err);
        if (strcmp(argument, "--") == 0) return read_path(options, argv, i + 1);
        if (!read_flag(options, argument, argv, &i, err)) return false;
    }
    return true;
}
