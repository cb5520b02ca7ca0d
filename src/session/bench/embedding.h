/* The vectors that attend makes from the tokens: X, and Y where the keys have tokens of their own.
 *
 * The bench keeps what it made (Inputs.made), so that it knows its own X from one of a person's:
 * its own follows the tokens, the person's does not. */
#ifndef ATTN_SESSION_EMBEDDING_H
#define ATTN_SESSION_EMBEDDING_H

#include "session/session.h"

/* Says `what` of tokens that are but labels, with the lines that help: attend to vectors of the
 * tokens, which are written so that they can be typed; or go without tokens. */
void embedding_note_labels(Session *session, const char *what);

/* Says once a session that learned positions are random numbers, where these settings have them. */
void embedding_note_positions(Session *session, const Settings *settings);

/* True if a bare attend no longer takes the X that attend made itself, since Q, K and V have all
 * been assigned after it. */
bool embedding_gives_way(const Session *session);

/* Sets X, and Y unless the person has one, to vectors of the tokens, which are there. A note says
 * so. */
bool embedding_make(Session *session, Error *err);

/* Follows `set tokens` or `unset tokens`: makes X and Y again if attend made them; says of vectors
 * that a person made that they are the old ones, with the line that makes new ones. labelled: other
 * tokens were beside the vectors before, so Q, K and V may have been made for them. */
bool embedding_follow(Session *session, const CommandCall *call, bool labelled, Error *err);

#endif
