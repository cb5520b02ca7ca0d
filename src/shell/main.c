/* attn: the command line. */
#include "base/ending.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/translate.h"
#include "io/file.h"
#include "library/arguments.h"
#include "notebook/check.h"
#include "notebook/collect/collect.h"
#include "notebook/export/export.h"
#include "notebook/lesson_commands.h"
#include "notebook/opening.h"
#include "notebook/recorder.h"
#include "session/session.h"
#include "shell/explore/explore.h"
#include "shell/help/help.h"
#include "shell/options/options.h"
#include "shell/options/sandbox.h"
#include "shell/prompt.h"
#include "shell/terminal/pause.h"
#include "shell/terminal/terminal.h"
#include "view/files/gnuplot.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_OK = 0, EXIT_ERROR = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130, SAFE_MEMORY = 1 << 30 };

static void on_interrupt(int signal_number) {
    (void)signal_number;
    interrupt_flag = 1;
}

/* No SA_RESTART: a prompt that waits for a key must notice. A closed pipe, and a file over the
 * limit of its size, are errors of write, not signals. */
static void install_signals(void) {
    struct sigaction action = {.sa_handler = on_interrupt};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL);
    ending_install();
}

/* ---- a session as the options want it ---- */

static const CommandDef *const further_commands[] = {help_commands, explore_commands,
                                                     lesson_commands, NULL};

/* `args`: the words behind the script. */
static bool define_args(Session *session, char **words, Error *err) {
    LocalValue list = VALUE_MISSING;
    if (!value_list_new(&list, VALUE_LIST, 0, err)) return false;
    for (; *words; words++)
        if (!list_append_text(list.list, *words, strlen(*words), err)) return false;
    Symbol *args = interp_symbol(&session->interp, "args", 4, err);
    return args && interp_set(&session->interp, args, list, err);
}

/* NULL and an error where the machine refuses what an option asks for. context: the Options. */
static Session *open_session(void *context, Host *host, Error *err) {
    const Options *options = context;
    const char *plots = options->plots;
    Session *session = session_new(host, further_commands, err);
    if (!session) return NULL;
    session->run_document = notebook_run;
    session->save_document = export_text;
    session->plots = plots;
    session->interp.safe = options->safe;
    if (options->safe) mem_set_limit(SAFE_MEMORY);
    interp_begin_entry(&session->interp);
    bool ok = options->action == ACTION_PROMPT || define_args(session, options->args, err);
    Journal journal = interp_end_entry(&session->interp);
    journal_release(&journal);

    /* Options that are settings are set as a person would type them. */
    const char *const settings[][2] = {
        {"seed", options->seed}, {"threads", options->threads}, {"language", options->language}};
    for (size_t i = 0; ok && i < sizeof settings / sizeof *settings; i++) {
        char line[128];
        if (!settings[i][1]) continue;
        int length = snprintf(line, sizeof line, "set %s %s;", settings[i][0], settings[i][1]);
        ok = session_run_text(session, "", line, (size_t)length, err);
    }
    if (ok && plots && !options->safe && mkdir(plots, 0777) != 0 && errno != EEXIST)
        ok = error_set(err, ERR_FILE, "cannot make the folder %s for the pictures: %s", plots,
                       strerror(errno));
    session_start_here(session);
    if (ok) return session;
    session_free(session);
    return NULL;
}

/* ---- what is run ---- */

/* Appends the path of the person's init.attn: $XDG_CONFIG_HOME/attn/init.attn (a relative path
 * there counts as none), or the same under ~/.config. */
static void init_path(Text *path) {
    const char *folder = environment("XDG_CONFIG_HOME"), *home = environment("HOME");
    if (*folder == '/') path_join(path, folder, "attn/init.attn");
    else if (*home) path_join(path, home, ".config/attn/init.attn");
}

/* Runs the person's init.attn, if there is one. An error in it is reported, and the prompt comes
 * all the same. False: it called exit. */
static bool run_init(Session *session) {
    Error err = {.kind = ERR_NONE};
    LocalText path = TEXT_EMPTY;
    init_path(&path);
    bool exists = path.length > 0 && !path.failed && access(path.data, R_OK) == 0;
    bool ok = !exists || session_run_file(session, path.data, &err);
    if (!ok && err.kind != ERR_INTERRUPT && err.kind != ERR_EXIT) report_error(session, &err, NULL);
    if (err.kind == ERR_INTERRUPT)
        interrupt_flag = 0; /* Ctrl-C ended init.attn, and nothing else */
    session_start_here(session);
    return ok || err.kind != ERR_EXIT;
}

/* Runs a text that is no file. With --plots, its pictures count as those of a script that is named
 * by a hash of the text: the same text replaces them, another one does not. */
static bool run_input(Session *session, const char *text, size_t length, Error *err) {
    char path[40];
    snprintf(path, sizeof path, "%016" PRIx64 "/plot", random_hash(text, length, 0));
    bool script = session_begin_script(session, path),
         ok = session_run_text(session, "", text, length, err);
    session_end_script(session, script);
    return ok;
}

static bool run_stdin(Session *session, Error *err) {
    LocalText text = TEXT_EMPTY;
    return file_read_input(&text, err) && run_input(session, text.data, text.length, err);
}

static bool print_written(Session *session, void (*write)(const Session *session, Text *out),
                          Error *err) {
    Text text = TEXT_EMPTY;
    write(session, &text);
    return host_write_text(session->interp.host, &text, err);
}

/* `attn help WORD ...`: the same as at the prompt. */
static bool show_help(Session *session, char *const *words, Error *err) {
    LocalText line = TEXT_EMPTY;
    text_string(&line, "help");
    for (; *words; words++) text_format(&line, " %s", *words);
    return text_ok(&line, err) && session_run_text(session, "", line.data, line.length, err);
}

/* Runs what the command line asks for, except a prompt or a lesson. */
static bool run_action(Session *session, const Options *options, Error *err) {
    switch (options->action) {
    case ACTION_REFERENCE: return print_written(session, reference_write, err);
    case ACTION_MANUAL: return print_written(session, manual_write, err);
    case ACTION_LESSONS: return lessons_show(session, err);
    case ACTION_TOPIC: return show_help(session, options->args, err);
    case ACTION_CODE: return run_input(session, options->script, strlen(options->script), err);
    case ACTION_FILE: return session_run_file(session, options->script, err);
    default: return run_stdin(session, err);
    }
}

/* Writes out what is buffered and reports an error. Returns the exit status. */
static int finish(Session *session, bool ok, Error *err) {
    Error lost = {.kind = ERR_NONE};
    const bool leaves = !ok && err->kind == ERR_EXIT;
    if (!terminal_flush(&lost) && (ok || leaves)) {
        ok = false;
        *err = lost;
    } else if (leaves) return report_exit(session, err);
    if (ok) return EXIT_OK;
    if (err->kind == ERR_INTERRUPT) return EXIT_INTERRUPTED;
    report_error(session, err, NULL);
    return EXIT_ERROR;
}

/* Says what is wrong with the command line, and what it may be. */
static int refuse_usage(const Error *err) {
    LocalText text = TEXT_EMPTY;
    text_string(&text, "attn: ");
    tr_write(&text, err->message);
    text_char(&text, '\n');
    tr_write(&text, options_summary);
    fputs(text.data, stderr);
    return EXIT_USAGE;
}

/* The kind of an error and its message, without a place. */
static void report_alone(const Error *err) {
    LocalText text = TEXT_EMPTY;
    text_say_error(&text, err);
    fprintf(stderr, "%s\n", text.data);
}

/* Enters --safe: the program may read the folder of what is run, or else the current one, with what
 * lies below, and what it needs itself. */
static bool enter_safe(Session *session, const Options *options, Error *err) {
    static char root[PATH_MAX];
    const char *named = options->action == ACTION_FILE ? options->script : options->args[0];
    char script[PATH_MAX] = "", home[PATH_MAX] = "", keys[PATH_MAX] = "";
    bool is_file = (options->action == ACTION_FILE || options->action == ACTION_LESSON ||
                    options->action == ACTION_PRESENT) &&
                   named && realpath(named, script);
    LocalText folder = TEXT_EMPTY;
    path_folder(&folder, is_file ? named : "");
    bool ok = text_ok(&folder, err);
    if (ok && !realpath(folder.data, root))
        ok = error_set(err, ERR_FILE, "the folder %s cannot be read: %s", folder.data,
                       strerror(errno));
    if (!ok) return false;
    session->interp.root = root;
    if (getenv("HOME")) {
        snprintf(home, sizeof home, "%s/.terminfo", getenv("HOME"));
        snprintf(keys, sizeof keys, "%s/.inputrc", getenv("HOME"));
    }
    LocalText init = TEXT_EMPTY;
    init_path(&init);
    sandbox_enter((const char *const[]){
        root, script, init.length ? init.data : "", home, keys, "/etc/terminfo", "/lib/terminfo",
        "/usr/share/terminfo", "/usr/lib/terminfo", "/etc/inputrc", "/usr/lib/locale",
        "/usr/share/locale", "/usr/lib", "/lib", "/lib64", "/etc/ld.so.cache",
        "/sys/devices/system/cpu", "/dev/urandom", NULL});
    return true;
}

/* Runs the person's init.attn where a prompt comes, what the command line asks for, and the prompt
 * or lesson where `terminal` is true. Returns the exit status. */
static int run_prepared(Session *session, const Options *options, bool terminal) {
    Error err = {.kind = ERR_NONE};
    bool presents = options->action == ACTION_PRESENT,
         lesson = presents || options->action == ACTION_LESSON,
         alone = lesson || (options->action == ACTION_PROMPT && terminal),
         prompt = alone || (options->then_prompt && terminal);
    if (!lesson) session->interp.host->read_line = pause_read_line;
    if (prompt && !run_init(session)) return EXIT_OK;
    session->interp.notes = !options->quiet && (prompt || options->action != ACTION_CODE);
    bool ok = alone || (run_action(session, options, &err) &&
                        (!options->then_prompt || terminal || run_stdin(session, &err)));
    int status = finish(session, ok, &err);
    bool guest = ok && !prompt && terminal && session->invitation != NULL;
    if ((!prompt && !guest) || (!ok && err.kind == ERR_EXIT)) return status;
    session->interp.host->interactive = true;
    session->interp.host->ask = pause_ask;
    session->interp.host->page = options->safe ? NULL : prompt_page;
    PromptBegin begin = lesson                     ? PROMPT_LESSON
                        : guest                    ? PROMPT_GUEST
                        : alone && !options->quiet ? PROMPT_BANNER
                                                   : PROMPT_PLAIN;
    const char *name = options->args[0];
    bool opened = presents ? present_open(session, name, report_error, &err)
                           : !lesson || lesson_open(session, name, report_error, &err);
    if (!opened) return finish(session, false, &err);
    prompt_run(session, begin);
    return EXIT_OK;
}

/* Shows the notes of what is presented in another terminal, and follows it until Ctrl-C. */
static int follow_notes(Host *host) {
    const struct timespec pause = {0, 200000000};
    LocalText path = TEXT_EMPTY, shown = TEXT_EMPTY;
    bool known = player_notes_path(&path), first = true;
    while (known && !interrupt_flag) {
        LocalText notes = TEXT_EMPTY, lines = TEXT_EMPTY;
        bool there = file_read(path.data, 0, &notes, NULL);
        if (there && (first || strcmp(notes.data, shown.data) != 0)) {
            text_clear(&shown);
            text_string(&shown, notes.data);
            if (host->clear) host->clear(host);
            text_say_lines(&lines, &notes, (size_t)host->columns);
            known = host_write_text(host, &lines, NULL) && terminal_flush(NULL);
            first = false;
        }
        nanosleep(&pause, NULL);
    }
    return interrupt_flag ? EXIT_OK : EXIT_ERROR;
}

static int check_documents(Host *host, const Options *options) {
    Error err = {.kind = ERR_NONE};
    host->interactive = false;
    if (options->safe) {
        mem_set_limit(SAFE_MEMORY);
        /* The session confines each document to its own folder. */
        sandbox_enter((const char *const[]){"/", NULL});
    }
    const CheckOptions how = {further_commands, options->safe, options->brief};
    if (check_files(host, &how, options->args, &err) && terminal_flush(&err)) return EXIT_OK;
    if (err.kind == ERR_INTERRUPT) return EXIT_INTERRUPTED;
    terminal_flush(NULL);
    LocalText text = TEXT_EMPTY;
    tr_write(&text, err.message);
    fprintf(stderr, "attn check: %s\n", text.data);
    return EXIT_ERROR;
}

/* The same without a session, for a command that writes files itself. */
static int finish_alone(bool ok, Error *err) {
    ok = ok && terminal_flush(err);
    if (ok) return EXIT_OK;
    terminal_flush(NULL);
    if (err->kind == ERR_INTERRUPT) return EXIT_INTERRUPTED;
    if (err->line > 0) fprintf(stderr, "%s:%d:%d: ", err->file, err->line, err->column);
    report_alone(err);
    LocalText hint = TEXT_EMPTY;
    tr_write(&hint, err->hint);
    if (*err->hint) fprintf(stderr, "%s\n", hint.data);
    return EXIT_ERROR;
}

static int submit_lessons(Host *host, const Options *options) {
    Error err = {.kind = ERR_NONE};
    host->read_line = pause_read_line;
    const SubmitRequest request = {options->args, options->name, options->output, options->force};
    return finish_alone(submit_work(host, &request, &err), &err);
}

/* Lets this process read the folder of the lesson and what the program needs, and nothing else. */
static void confine_answer(const char *folder) {
    sandbox_enter((const char *const[]){folder ? folder : "/nowhere", "/usr/lib", "/lib", "/lib64",
                                        "/etc/ld.so.cache", "/sys/devices/system/cpu",
                                        "/dev/urandom", NULL});
}

static void leave_process(void) { _exit(EXIT_OK); }

static int collect_class(Host *host, Options *options) {
    Error err = {.kind = ERR_NONE};
    options->safe = true;
    const CollectRequest request = {.paths = options->args,
                                    .outputs = {options->output, options->further},
                                    .force = options->force,
                                    .open = open_session,
                                    .confine = confine_answer,
                                    .leave = leave_process,
                                    .context = options};
    return finish_alone(collect_marks(host, &request, &err), &err);
}

static int export_pages(Host *host, Options *options) {
    Error err = {.kind = ERR_NONE};
    char *no_words[] = {NULL};
    Options apart = *options; /* the documents are no `args` of what runs in them */
    apart.args = no_words;
    ExportRequest request = {.paths = options->args,
                             .output = options->output,
                             .language = options->language,
                             .again = options->again,
                             .all = options->all,
                             .open = open_session,
                             .context = &apart};
    bool ok = export_documents(host, &request, &err);
    gnuplot_quit();
    return finish_alone(ok, &err);
}

/* Opens a session, runs everything in it, and ends it. Returns the exit status. */
static int run_session(Host *host, Options *options) {
    Error err = {.kind = ERR_NONE};
    bool terminal = host->interactive;
    host->interactive = false;
    Session *session = open_session(options, host, &err);
    int status = EXIT_ERROR;
    if (session && (!options->safe || enter_safe(session, options, &err))) {
        status = run_prepared(session, options, terminal);
        gnuplot_quit();
    } else if (err.kind == ERR_VALUE) { /* the value of an option */
        status = refuse_usage(&err);
    } else if (err.kind == ERR_INTERRUPT) {
        status = EXIT_INTERRUPTED;
    } else {
        report_alone(&err);
    }
    session_free(session);
    return status;
}

int main(int argc, char **argv) {
    Options options;
    Error err = {.kind = ERR_NONE};
    bool read = options_read(&options, argc, argv, &err);
    /* A terminal of another encoding, as of zh_CN.GB18030, shows ASCII only. */
    bool ascii = !terminal_reads_utf8(STDOUT_FILENO) && options.action != ACTION_EXPORT;
    if (ascii && !options.language) options.language = language_codes[LANGUAGE_ENGLISH];
    const char *language = options.language ? options.language : language_of_user();
    translate_to(language_from_name(language));
    if (!read) return refuse_usage(&err);
    if (options.action == ACTION_HELP || options.action == ACTION_VERSION) {
        LocalText text = TEXT_EMPTY;
        if (options.action == ACTION_VERSION) version_write(&text);
        else if (options.usage) tr_write(&text, options.usage);
        else options_write_usage(&text);
        bool written = !text.failed && fputs(text.data, stdout) >= 0 && fflush(stdout) == 0;
        return written ? EXIT_OK : EXIT_ERROR;
    }
    Host host;
    install_signals();
    terminal_init(&host, options.color);
    host.wait = pause_wait;
    host.clear = pause_clear;
    if (options.action == ACTION_PRESENT && strcmp(options.args[0], "notes") == 0)
        return follow_notes(&host);
    if (options.action == ACTION_CHECK) return check_documents(&host, &options);
    if (options.action == ACTION_SUBMIT) return submit_lessons(&host, &options);
    if (options.action == ACTION_COLLECT) return collect_class(&host, &options);
    if (options.action == ACTION_EXPORT) return export_pages(&host, &options);
    return run_session(&host, &options);
}
