#include "session/settings/mask_note.h"

static void write_term(const Settings *settings, int t, const char *typed, Text *out) {
    enum { WRITTEN_MOST = 64 };
    const MaskTerm *term = &settings->mask.terms[t];
    Settings one = {.mask = {.count = 1, .terms = {*term}},
                    .mask_names = {settings->mask_names[t]}};
    bool unnamed = term->array && term->kind == &array_mask;
    if (unnamed && typed) text_string(out, typed);
    else if (unnamed && term->array->count > WRITTEN_MOST) text_char(out, 'M');
    else setting_write(setting_find("mask"), &one, out);
}

bool mask_note_remedy(const Settings *settings, const MaskSpec *mask, const char *typed,
                      Text *out) {
    bool wrong[MASK_TERMS_MAX] = {false}, any = false;
    int seen[MASK_TERMS_MAX], hidden = 0;
    for (int t = 0; t < mask->count; t++) {
        wrong[t] = mask_looks_boolean(&mask->terms[t], &seen[t]);
        if (wrong[t]) hidden = 1 - seen[t];
        any = any || wrong[t];
    }
    if (!any) return false;
    text_format(out, "to hide where it is %d: set mask ", hidden);
    for (int t = 0; t < mask->count; t++) {
        if (t > 0) text_string(out, " and ");
        if (wrong[t]) text_char(out, '(');
        write_term(settings, t, mask->count == 1 ? typed : NULL, out);
        if (wrong[t]) text_format(out, " == %d)", seen[t]);
    }
    return true;
}

void mask_note(Session *session, const Settings *settings, const char *typed) {
    Error ignored = {.kind = ERR_NONE}; /* a name that is gone is an error of the next attend */
    AttentionSpec spec;
    Text remedy = TEXT_EMPTY;
    if (!settings_spec(settings, &spec, &ignored)) return;
    if (mask_note_remedy(settings, &spec.mask, typed, &remedy))
        host_note(session->interp.host,
                  "(the mask holds only 0 and 1: numbers are added to the scores, so it hides "
                  "nothing; %s)\n",
                  remedy.data);
    text_release(&remedy);
    attention_spec_release(&spec);
}
