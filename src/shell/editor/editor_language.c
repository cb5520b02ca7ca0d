#include "shell/editor/editor_language.h"

#include "session/session.h"

Judgement language_judge(Session *session, const char *text, size_t length, bool lines_follow,
                         Text *missing) {
    Chunk *chunk = NULL;
    Error err = {.kind = ERR_NONE};
    ParseStatus status = parse(&session->interp, "", text, length, lines_follow, &chunk, &err);
    if (chunk) chunk_unref(chunk);
    if (status == PARSE_INCOMPLETE && missing) text_string(missing, err.message);
    return status == PARSE_OK           ? ENTRY_IS_WHOLE
           : status == PARSE_INCOMPLETE ? ENTRY_GOES_ON
                                        : ENTRY_IS_WRONG;
}

Host *language_host(Session *session) { return session->interp.host; }
