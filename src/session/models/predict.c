/* predict MODEL "text": the likeliest next tokens as bars. */
#include "session/models/inspection.h"

static bool predict(Session *session, CommandCall *call, Error *err) {
    enum { NEXT_SHOWN = 8, ANSWERS_SHOWN = 3 };
    Text text = TEXT_EMPTY;
    Inspection *made = inspection_of_call(call, false, err);
    bool ok = made && command_finish(call, err);
    if (ok) {
        bool decodes = model_has_decoder(&made->run.model->config);
        ok = prediction_write_asked(session->interp.host, made,
                                    decodes ? NEXT_SHOWN : ANSWERS_SHOWN, &text, err);
    }
    object_unref(made);
    return session_write_text(session, ok, &text, err);
}

/* clang-format off */
const CommandDef predict_commands[] = {
    {{.name = "predict", .words = "at", .takes = TAKES_MODELS}, predict, false,
     "predict MODEL \"text\" [at PLACE]",
     "The likeliest next tokens of a model with their probabilities as bars, each behind the token "
     "that it answers: where the task asks that the model was trained on last, which is said, or "
     "at a place that is named. A decoder goes on behind the text, an encoder-decoder begins its "
     "answer, with the whole answer below; an encoder answers at one token or at each. The text "
     "may be a list of tokens or class numbers, too.",
     "m = transformer(\"decoder\", vocab=5, d_model=4, heads=1, layers=1, d_ff=4)\n"
     "predict m [1, 2]\npredict m [1, 2] at 0", "generate train inspect"},
    {.syntax = {.name = NULL}},
};
/* clang-format on */
