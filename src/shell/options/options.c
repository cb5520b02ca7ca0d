#include "shell/options/options.h"

#include "base/translate.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

const char options_summary[] =
    "usage: attn, attn FILE.attn ..., attn -c 'CODE', attn -i FILE, attn -\n"
    "attn --help lists the options\n";

/* %s: the codes of the languages, with | between them. */
static const char usage[] =
    "attn: see what attention computes\n"
    "\n"
    "  attn                 a prompt; without a terminal, standard input is run\n"
    "  attn FILE.attn ...   runs a script; further words are its `args`\n"
    "  attn FILE.md         runs the cells of a Markdown document\n"
    "  attn -c 'CODE'       runs the code\n"
    "  attn -, attn -i FILE   runs standard input; a script, and then a prompt\n"
    "  attn lesson [NAME]   a course: begins, goes on; attn lessons lists it\n"
    "  attn submit, attn collect FILE ...   packs what you did in lessons; marks it\n"
    "  attn check FILE.md ..., attn present FILE   tests a lesson; shows it by steps\n"
    "  attn export FILE.md -o page.html   makes a page to hand out; several: -o DIR/\n"
    "  attn help [WORD ...]   what can be typed; one function, command or topic\n"
    "\n"
    "  --color=auto|always|never   colour in tables (NO_COLOR turns it off)\n"
    "  --seed N                    where random numbers start\n"
    "  --threads N                 how many threads large products may use\n"
    "  --language %-16s the language, where there are several\n"
    "  --plots DIR                 every picture of FILE goes to DIR: FILE-1.png ...\n"
    "  --safe                      reads its folder, writes nothing; goes before FILE\n"
    "  --quiet                     no banner, no notes on habits of Python\n"
    "  --reference, --manual       print the reference page, and the page for man\n"
    "  --version, --help           what this program is and has; these lines\n";

static const char export_usage[] =
    "attn export FILE ...: runs documents, and makes pages to hand out\n"
    "\n"
    "  FILE        documents .md, scripts .attn\n"
    "  -o FILE     .html: a page; .ipynb: for Jupyter; .md: with the outputs in it\n"
    "  -o DIR/     a page for each of several FILEs, and a list of them\n"
    "  --all       in place of FILE: all lessons, in all languages, with a glossary\n"
    "  --run       runs also the cells of a document that has their outputs\n"
    "\n"
    "Without -o each page goes beside its document.\n";

static const char submit_usage[] =
    "attn submit [LESSON ...]: packs what you did in lessons into one file to hand in\n"
    "\n"
    "  LESSON      its number or name, or a document .md; none: all of attn's own\n"
    "  --name NAME your name; it is asked for where this is not given\n"
    "  -o FILE     the file; NAME.attn-work where this is not given\n"
    "  --force     replaces a file that is there\n";

static const char collect_usage[] =
    "attn collect FILE ...: runs again what students hand in, and marks it\n"
    "\n"
    "  FILE        files of attn submit; your copy (.md) of a lesson of your own\n"
    "  -o FILE     .csv: a row for each student; .html: a page; both: -o twice\n"
    "  --force     replaces files that are there\n"
    "\n"
    "Without -o the marks are shown as a table.\n";

void options_write_usage(Text *out) {
    LocalText codes = TEXT_FOR(out);
    for (const char *const *code = language_codes; *code; code++)
        text_format(&codes, "%s%s", codes.length ? "|" : "", *code);
    text_say(out, usage, codes.data);
}

/* An option. What a row leaves out, the option does not have. */
typedef struct Option {
    const char *name;
    Action verb;              /* the verb behind which alone it is; ACTION_PROMPT: anywhere */
    bool *flag;               /* is raised */
    const char **value;       /* takes a value, "--name value" or "--name=value" */
    const char *const *words; /* the values that it may have; NULL: any */
    bool number;              /* the value is a whole number */
    const char *needs;        /* the value in words; NULL: "a value" */
    Action action;            /* what is done instead; ACTION_PROMPT: nothing else */
} Option;

static bool check_value(const Option *option, const char *value, Error *err) {
    const char *shown = *value ? value : "nothing";
    if (option->number) {
        size_t digits = strspn(value, "0123456789");
        if (*value && !value[digits] && digits <= 15) return true;
        return error_set(err, ERR_SYNTAX, "%s needs a whole number, not %s", option->name, shown);
    }
    if (!option->words) return true;
    char list[80] = "";
    for (size_t i = 0; option->words[i]; i++) {
        if (strcmp(value, option->words[i]) == 0) return true;
        const char *before = option->words[i + 1] ? ", " : " or ";
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? before : "",
                 option->words[i]);
    }
    return error_set(err, ERR_SYNTAX, "%s is %s, not %s", option->name, list, shown);
}

/* Reads the option at argv[*at], behind the verb where there is one, and moves on to its value
 * where that is a word of its own. */
static bool read_option(Options *options, Action verb, char **argv, int *at, Error *err) {
    static const char *const colors[] = {"auto", "always", "never", NULL};
    const Option rows[] = {
        {"--color", .value = &options->color, .words = colors},
        {"--seed", .value = &options->seed, .number = true},
        {"--threads", .value = &options->threads, .number = true},
        {"--language", .value = &options->language, .words = language_codes},
        {"--plots", .value = &options->plots},
        {"--quiet", .flag = &options->quiet},
        {"-q", .flag = &options->quiet},
        {"--safe", .flag = &options->safe},
        {"--help", .action = ACTION_HELP},
        {"-h", .action = ACTION_HELP},
        {"--version", .action = ACTION_VERSION},
        {"--reference", .action = ACTION_REFERENCE},
        {"--manual", .action = ACTION_MANUAL},
        {"-o", ACTION_EXPORT, .value = &options->output, .needs = "a file or a folder"},
        {"-o", ACTION_SUBMIT, .value = &options->output, .needs = "a file"},
        {"-o", ACTION_COLLECT, .value = options->output ? &options->further : &options->output,
         .needs = "a file"},
        {"--force", ACTION_COLLECT, .flag = &options->force},
        {"--name", ACTION_SUBMIT, .value = &options->name, .needs = "your name"},
        {"--force", ACTION_SUBMIT, .flag = &options->force},
        {"--all", ACTION_EXPORT, .flag = &options->all},
        {"--run", ACTION_EXPORT, .flag = &options->again},
        {"--short", ACTION_CHECK, .flag = &options->brief},
    };
    const char *argument = argv[*at];
    for (const Option *option = rows; option < rows + sizeof rows / sizeof *rows; option++) {
        size_t length = strlen(option->name);
        if (strncmp(argument, option->name, length) != 0) continue;
        bool joined = option->value && length > 2 && argument[length] == '=';
        if (argument[length] && !joined) continue;
        if (option->verb != ACTION_PROMPT && option->verb != verb) continue;
        if (option->flag) *option->flag = true;
        if (option->action != ACTION_PROMPT) options->action = option->action;
        if (!option->value) return true;
        const char *value = joined ? argument + length + 1 : argv[++*at];
        if (!value)
            return error_set(err, ERR_SYNTAX, "%s needs %s", option->name,
                             option->needs ? option->needs : "a value");
        if (!check_value(option, value, err)) return false;
        *option->value = value;
        return true;
    }
    return error_set(err, ERR_SYNTAX, "there is no option %s", argument);
}

/* A first word that is no file: its own words, and options, follow it. */
typedef struct Verb {
    const char *name;
    Action action;
    int least, most;   /* words */
    const char *wants; /* in words */
    const char *usage; /* what its --help prints; NULL: that of attn */
} Verb;

static const Verb *find_verb(const char *word) {
    static const Verb verbs[] = {
        {"check", ACTION_CHECK, 1, INT_MAX, "Markdown files", NULL},
        {"export", ACTION_EXPORT, 1, INT_MAX, "Markdown files", export_usage},
        {"help", ACTION_TOPIC, 0, INT_MAX, "a topic", NULL},
        {"lessons", ACTION_LESSONS, 0, 0, "no further words", NULL},
        {"present", ACTION_PRESENT, 1, 1, "one document or script, or the word notes", NULL},
        {"collect", ACTION_COLLECT, 1, INT_MAX, "files of attn submit", collect_usage},
        {"submit", ACTION_SUBMIT, 0, INT_MAX, "lessons", submit_usage},
        {"lesson", ACTION_LESSON, 0, 1, "one lesson: its number, its name, or a file", NULL},
    };
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(verbs[i].name, word) == 0) return &verbs[i];
    return NULL;
}

/* Reads the words and the options behind a verb. The words move together where options are between
 * them. */
static bool read_verb(Options *options, const Verb *verb, char **argv, int at, Error *err) {
    int count = 0;
    options->action = verb->action;
    options->usage = verb->usage;
    options->args = argv + at + 1;
    for (int i = at + 1; argv[i]; i++) {
        if (argv[i][0] == '-' && argv[i][1]) {
            if (!read_option(options, verb->action, argv, &i, err)) return false;
        } else {
            options->args[count++] = argv[i];
        }
    }
    options->args[count] = NULL;
    bool alone = options->action != verb->action; /* --help */
    if (options->all && (count || !options->output))
        return error_set(err, ERR_SYNTAX, "export --all needs a folder and no files: -o site/");
    if (options->all) return true;
    return alone || (count >= verb->least && count <= verb->most) ||
           error_set(err, ERR_SYNTAX, "%s %s %s", verb->name, count ? "takes" : "needs",
                     verb->wants);
}

/* Refuses --safe among the words of the script: it would protect nobody, and who typed it believes
 * that it does. Behind -- it is the script's own word. */
static bool refuse_late_safe(char **words, Error *err) {
    while (*words && strcmp(*words, "--") != 0 && strcmp(*words, "--safe") != 0) words++;
    return !*words || strcmp(*words, "--") == 0 ||
           error_set(err, ERR_SYNTAX,
                     "--safe comes before what is run: attn --safe FILE, attn --safe -c 'CODE'\n"
                     "Behind -- it is one of the script's own args.");
}

bool options_read(Options *options, int argc, char **argv, Error *err) {
    *options = (Options){.action = ACTION_PROMPT, .color = "auto", .args = argv + argc};
    for (int i = 1; i < argc; i++) {
        const char *argument = argv[i];
        bool code = strcmp(argument, "-c") == 0, end = strcmp(argument, "--") == 0;
        if (strcmp(argument, "-i") == 0) {
            options->then_prompt = true;
            continue;
        }
        if (argument[0] == '-' && argument[1] && !code && !end) {
            if (!read_option(options, ACTION_PROMPT, argv, &i, err)) return false;
            continue;
        }
        /* The argument to run; all words behind it are its own. */
        if (code || end) argument = argv[++i];
        if (code && !argument) return error_set(err, ERR_SYNTAX, "-c needs code");
        if (!argument) break; /* `--` alone: as without arguments */
        const Verb *verb = end || code || options->then_prompt ? NULL : find_verb(argument);
        if (verb) return read_verb(options, verb, argv, i, err);
        bool standard_input = !end && !code && !options->then_prompt && strcmp(argument, "-") == 0;
        options->action = code ? ACTION_CODE : standard_input ? ACTION_STDIN : ACTION_FILE;
        if (!standard_input) options->script = argument;
        options->args = argv + i + 1;
        return end || refuse_late_safe(argv + i, err);
    }
    return options->action != ACTION_PROMPT || !options->then_prompt ||
           error_set(err, ERR_SYNTAX, "-i needs a file");
}
