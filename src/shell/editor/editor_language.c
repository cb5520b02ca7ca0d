#include "notebook/player.h"
#include "session/session.h"
#include "shell/editor/editor_shared.h"

EntryState entry_state(Session *session, const char *text, size_t length, bool lines_follow,
                       Text *missing) {
    Chunk *chunk = NULL;
    Error err = {.kind = ERR_NONE};
    ParseStatus status = parse(&session->interp, "", text, length, lines_follow, &chunk, &err);
    if (chunk) chunk_unref(chunk);
    if (status == PARSE_OK) return ENTRY_WHOLE;
    if (status != PARSE_INCOMPLETE) return ENTRY_WRONG;
    if (missing) text_string(missing, err.message);
    return ENTRY_GOES_ON;
}

Host *host_of_session(Session *session) { return session->interp.host; }
bool session_presents(const Session *session) { return player_presents(session->player); }
