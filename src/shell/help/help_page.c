#include "library/model.h"
#include "shell/help/help_entry.h"

#include <string.h>

/* ---- one page ---- */

static void write_labelled(Page *page, const char *title, Text *words) {
    page_labelled(page, title, words->data);
    text_clear(words);
}

static void write_page(Page *page, const Session *session, const HelpEntry *entry) {
    LocalText text = TEXT_FOR(page->text);
    help_write_signature(&text, entry);
    if (text.length) page_signature(page, text.data);
    text_clear(&text);
    help_write_summary(&text, entry);
    page_paragraph(page, text.data);
    text_clear(&text);

    const HelpTopic *topic = entry->topic;
    bool table = topic && (topic->rows || topic->write);
    if (table) page_gap(page);
    if (table && topic->rows) page_rows(page, topic->rows);
    if (table && topic->write) topic->write(page, session);
    if (table && topic->see) page_gap(page);

    if (entry->command && entry->command->takes_setting) {
        bool steering = entry->command->syntax.takes == TAKES_STEERING;
        for (const SettingDef *row = setting_table; row->name; row++)
            if (!steering || row->steers_attention)
                text_format(&text, "%s%s", text.length ? " " : "", row->name);
        write_labelled(page, "settings:", &text);
    }
    page_labelled(page, "values:", entry->values);
    if (entry->setting) {
        setting_write_short(entry->setting, &session->bench.settings, &text);
        write_labelled(page, "now:", &text);
    }
    page_labelled(page, "shapes:", entry->shapes);
    page_labelled(page, "formula:", entry->formula);
    page_code(page, entry->example);
    page_labelled(page, "see also:", entry->see);
}

/* ---- a variable ---- */

void help_describe(Text *text, const Value *value, int digits) {
    static const char before[] = "<function ";
    const Tensor *tensor = value->kind == VALUE_TENSOR ? value->tensor : NULL;
    if (tensor && tensor->shape.axes > 0) {
        text_format(text, "an array %s", shape_words(&tensor->shape));
        if (tensor->dtype != DTYPE_DOUBLE) text_format(text, " of %s", dtype_name(tensor->dtype));
    } else if (value->kind == VALUE_LIST || value->kind == VALUE_TUPLE) {
        text_format(text, "%s of %zu", value_words(value), value->list->count);
    } else if (value->kind == VALUE_NUMBER) {
        text_string(text, "the number ");
        value_write(text, value, digits, true);
    } else if (value->kind == VALUE_FUNCTION || value->kind == VALUE_BUILTIN) {
        LocalText shown =
            TEXT_FOR(text); /* "f(x, y=2)", of what print shows as <function f(x, y=2)> */
        value_write(&shown, value, digits, true);
        text_string(text, "the function ");
        if (shown.length > sizeof before)
            text_bytes(text, shown.data + sizeof before - 1, shown.length - sizeof before);
    } else {
        text_string(text, value_words(value));
    }
}

static bool write_variable(Page *page, const Session *session, const char *name, bool also) {
    const Symbol *symbol = interp_find(&session->interp, name);
    if (!symbol || symbol->value.kind == VALUE_UNSET) return false;
    const Value *value = &symbol->value;
    LocalText line = TEXT_FOR(page->text), parts = TEXT_FOR(page->text);
    text_format(&line, "%s is %sa variable: ", name, also ? "also " : "");
    help_describe(&line, value, session->interp.digits);
    if (also) page_gap(page);
    page_paragraph(page, line.data);
    if (!model_of(value)) return true;

    /* A model as it is printed, the names behind its dot, and what takes a model. */
    value_write(page->text, value, 4, false);
    for (const char *const *part = value_attributes(value); part && *part; part++)
        text_format(&parts, "%s.%s", parts.length ? " " : "", *part);
    page_gap(page);
    page_labelled(page, "has:", parts.data);
    page_labelled(page, "see also:", "train evaluate predict generate save");
    return true;
}

/* ---- all of a name ---- */

static bool write_named(Page *page, const Session *session, const char *name, bool topics_only) {
    bool found = false;
    HelpWalk walk = help_walk(session);
    for (HelpEntry entry; help_next(&walk, &entry);) {
        if (strcmp(entry.name, name) != 0 || (topics_only && !entry.topic)) continue;
        if (found) page_gap(page);
        write_page(page, session, &entry);
        found = true;
    }
    return found;
}

/* Lists the pages that a word without one belongs to, as size to plot. */
static bool write_owners(Page *page, const Session *session, const char *word, bool also) {
    HelpHits hits;
    LocalText line = TEXT_FOR(page->text);
    size_t count = 0;
    bool searched = help_search(session, &word, 1, 1, &hits, NULL);
    for (size_t i = 0; searched && i < hits.count; i++)
        if (help_has_own_word(&hits.items[i].entry, word) &&
            strcmp(hits.items[i].entry.name, word) != 0)
            hits.items[count++] = hits.items[i];
    hits.count = count;
    if (also && count) page_gap(page);
    text_format(&line, "%s %sbelongs to:", word, also ? "also " : "");
    if (count) page_paragraph(page, line.data);
    help_write_hits(page, &hits);
    help_hits_release(&hits);
    return count > 0;
}

bool help_write_pages(Page *page, const Session *session, const char *name) {
    bool found = write_named(page, session, name, false);
    const HelpTopic *topic = help_topic_find(name);
    if (topic && !found) found = write_named(page, session, topic->name, true);
    bool variable = write_variable(page, session, name, found);
    /* A method alone, as text.title, is seldom what is meant. */
    if (*name && !topic && !variable && !help_is_name(session, name))
        found = write_owners(page, session, name, found) || found;
    return variable || found;
}

bool help_has_page(const Session *session, const char *name) {
    LocalText text = TEXT_EMPTY;
    Page page = page_begin(&text, session->interp.host);
    return help_write_pages(&page, session, name);
}
