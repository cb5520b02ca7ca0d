#include "shell/completion/completion.h"

#include "base/memory.h"
#include "shell/completion/completion_sources.h"

static bool gather(const Place *place, Matching matching, size_t point, Completion *out,
                   Error *err) {
    Span word = place_word(place);
    Candidates candidates;
    candidates_init(&candidates, matching, place->text + word.begin, word.end - word.begin,
                    point < place->length ? place->text[point] : 0);
    place_offer(place, &candidates);
    bool ok = candidates_finish(&candidates, place->begin, out, err);
    candidates_release(&candidates);
    return ok;
}

bool completion_find(Session *session, const char *text, size_t length, size_t point,
                     Completion *out, Error *err) {
    Place place;
    *out = (Completion){.begin = point};
    if (!place_init(&place, session, text, length, point, err)) return false;
    bool ok = gather(&place, MATCH_EXACT, point, out, err);
    if (ok && out->count == 0) ok = gather(&place, MATCH_FOLDED, point, out, err);
    place_release(&place);
    return ok;
}

void completion_release(Completion *completion) {
    mem_free(completion->candidates);
    *completion = (Completion){0};
}
