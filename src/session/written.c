/* Which files a session has written: it may replace them without a question. */
#include "session/session.h"

#include <unistd.h>

bool session_may_write(Session *session, const char *path, bool forced, const char *remedy,
                       Error *err) {
    Host *host = session->interp.host;
    bool asks = !forced && host->interactive && host->ask && session->run_depth == 0;
    if (asks && !record_get(session->written.record, path) && access(path, F_OK) == 0) {
        Text question = TEXT_EMPTY;
        bool yes = false;
        text_format(&question, "overwrite %s, which this session has not written?", path);
        bool ok = text_ok(&question, err) && host->ask(host, question.data, &yes, err);
        text_release(&question);
        if (!ok) return false;
        if (!yes) {
            error_set(err, ERR_FILE, "%s is kept as it was", path);
            return error_hint(err, "%s", remedy);
        }
    }
    return record_set(session->written.record, path, VALUE_NOTHING, err);
}
