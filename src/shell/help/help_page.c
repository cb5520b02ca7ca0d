#include "shell/help/help_page.h"

#include "shell/help/help_topics.h"

#include <string.h>

/* ---- one page ---- */

static void write_see(Page *page, const char *see) { page_labelled(page, "see also:", see); }

static void write_builtin(Page *page, const BuiltinDef *row) {
    Text signature;
    text_init(&signature);
    if (row->call || row->op) signature_write(&signature, row);
    else text_string(&signature, row->name);
    page_signature(page, signature.data);
    if (signature.failed) page->text->failed = true;
    text_release(&signature);
    page_paragraph(page, row->summary);
    page_labelled(page, "shapes:", row->shapes);
    page_labelled(page, "formula:", row->formula);
    page_code(page, row->example);
    write_see(page, row->see);
}

/* The names that a command like `set` takes. */
static void write_setting_names(Page *page, bool steering) {
    Text names;
    text_init(&names);
    for (const SettingDef *row = setting_table; row->name; row++)
        if (!steering || row->steers_attention)
            text_format(&names, "%s%s", names.length ? " " : "", row->name);
    page_labelled(page, "settings:", names.data);
    if (names.failed) page->text->failed = true;
    text_release(&names);
}

static void write_command(Page *page, const CommandDef *row) {
    page_signature(page, row->usage);
    page_paragraph(page, row->summary);
    if (row->takes_setting) write_setting_names(page, row->syntax.takes == TAKES_STEERING);
    page_code(page, row->example);
    write_see(page, row->see);
}

static void write_setting(Page *page, const SettingDef *row, const Settings *now) {
    Text line;
    text_init(&line);
    text_format(&line, "set %s VALUE", row->name);
    page_signature(page, line.data);
    page_paragraph(page, row->summary);
    page_labelled(page, "values:", row->values);
    text_clear(&line);
    setting_write_short(row, now, &line);
    page_labelled(page, "now:", line.data);
    if (line.failed) page->text->failed = true;
    text_release(&line);
    page_code(page, row->example);
    write_see(page, row->see);
}

static void write_topic(Page *page, const Session *session, const HelpTopic *topic) {
    if (topic->usage) page_signature(page, topic->usage);
    page_paragraph(page, topic->summary);
    if (topic->rows || topic->write) page_gap(page);
    if (topic->rows) page_rows(page, topic->rows);
    if (topic->write) topic->write(page, session);
    if (topic->see && (topic->rows || topic->write)) page_gap(page);
    page_code(page, topic->example);
    write_see(page, topic->see);
}

/* ---- a variable ---- */

static void describe_tensor(Text *text, const Tensor *tensor) {
    text_format(text, "an array %s", shape_words(&tensor->shape));
    if (tensor->dtype != DTYPE_DOUBLE) text_format(text, " of %s", dtype_name(tensor->dtype));
}

/* "f(x, y=2)", of what is shown as <function f(x, y=2)>. */
static void describe_function(Text *text, const Value *value, int digits) {
    static const char before[] = "<function ";
    Text shown;
    text_init(&shown);
    value_write(&shown, value, digits, true);
    text_string(text, "the function ");
    if (shown.length > sizeof before)
        text_bytes(text, shown.data + sizeof before - 1, shown.length - sizeof before);
    if (shown.failed) text->failed = true;
    text_release(&shown);
}

void help_describe(Text *text, const Value *value, int digits) {
    switch (value->kind) {
    case VALUE_TENSOR:
        if (value->tensor->shape.axes > 0) describe_tensor(text, value->tensor);
        else text_string(text, value_words(value));
        break;
    case VALUE_LIST:
    case VALUE_TUPLE: text_format(text, "%s of %zu", value_words(value), value->list->count); break;
    case VALUE_NUMBER:
        text_string(text, "the number ");
        value_write(text, value, digits, true);
        break;
    case VALUE_FUNCTION:
    case VALUE_BUILTIN: describe_function(text, value, digits); break;
    default: text_string(text, value_words(value));
    }
}

static bool write_variable(Page *page, const Session *session, const char *name, bool also) {
    const Symbol *symbol = interp_find(&session->interp, name);
    if (!symbol || symbol->value.kind == VALUE_UNSET) return false;
    Text line;
    text_init(&line);
    text_format(&line, "%s is %sa variable: ", name, also ? "also " : "");
    help_describe(&line, &symbol->value, session->interp.digits);
    if (also) page_gap(page);
    page_paragraph(page, line.data);
    if (line.failed) page->text->failed = true;
    text_release(&line);
    return true;
}

/* ---- all of them ---- */

/* A gap before every page but the first. */
static void begin_page(Page *page, bool *found) {
    if (*found) page_gap(page);
    *found = true;
}

static void write_rows(Page *page, const Session *session, const char *name, bool *found) {
    const CommandDef *command = session_command(session, name);
    const SettingDef *setting = setting_find(name);
    if (command) begin_page(page, found), write_command(page, command);
    if (setting) begin_page(page, found), write_setting(page, setting, &session->bench.settings);
    for (size_t t = 0; session->interp.tables[t]; t++)
        for (const BuiltinDef *row = session->interp.tables[t]; row->name; row++)
            if (strcmp(row->name, name) == 0) begin_page(page, found), write_builtin(page, row);
}

/* A word that only leads to a topic gives way to what has its name. */
bool help_write_pages(Page *page, const Session *session, const char *name) {
    bool found = false;
    const HelpTopic *topic = help_topic_find(name);
    bool own = topic && strcmp(topic->name, name) == 0;
    if (own) begin_page(page, &found), write_topic(page, session, topic);
    write_rows(page, session, name, &found);
    if (topic && !found) begin_page(page, &found), write_topic(page, session, topic);
    return write_variable(page, session, name, found) || found;
}
