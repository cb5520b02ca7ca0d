/* The arguments of commands about models: the model, its task, the options of a training. */
#include "shell/completion/completion_shared.h"

#include "library/shipped_models.h"
#include "library/model.h"
#include "library/task_value.h"
#include "library/training.h"
#include "session/models/inspection.h"

#include <string.h>

/* Offers the variables that hold tasks, or models. */
static void offer_objects(const Place *place, bool tasks, Candidates *candidates) {
    VariableWalk walk = {.interp = &place->session->interp};
    for (const Symbol *symbol; (symbol = variable_next(&walk));) {
        const Value *value = &symbol->value;
        bool fits = tasks ? is_task(value) : model_of(value) != NULL;
        if (fits && *symbol->name != '_')
            candidates_offer(candidates,
                             (Offer){.name = symbol->name, .first = true, .closed = true});
    }
}

void offer_tasks(const Place *place, Candidates *candidates) {
    offer_objects(place, true, candidates);
    for (const TaskDef *const *def = task_defs; *def; def++)
        candidates_offer(candidates, (Offer){.name = (*def)->name, .closed = true});
}

void offer_model_arguments(const Place *place, Candidates *candidates) {
    const Context *context = &place->context;
    /* The option whose value is to be typed. The steps come before their word. */
    const Option *option = training_options + 1;
    while (option->name && !place_is_behind(place, option->name)) option++;
    if (!option->name) option = NULL;
    bool takes_task = command_has_word(context->command, "on", 2),
         has_task = argument_is_typed(place, "on");
    if (context->arguments == 0) {
        offer_objects(place, false, candidates);
        for (const ShippedModel *row = shipped_models; row->name; row++) {
            const Symbol *symbol = interp_find(&place->session->interp, row->name);
            if (!symbol || symbol->value.kind == VALUE_UNSET) /* else it is an object */
                candidates_offer(candidates,
                                 (Offer){.name = row->name, .first = true, .closed = true});
        }
        return;
    }
    if (context->arguments == 1)
        candidates_offer_words(candidates, context->command->options, NULL, NULL);
    if (place_is_behind(place, "on")) {
        offer_tasks(place, candidates);
        return;
    }
    if (takes_task && !has_task) {
        candidates_offer(candidates, (Offer){.name = "on", .closed = true});
        return;
    }
    for (const char *const *word = option ? option->words : NULL; word && *word; word++)
        candidates_offer(candidates, (Offer){.name = *word, .closed = true});
    if (!takes_task || option || place_is_behind(place, "for") ||
        !command_has_word(context->command, "for", 3))
        return;
    if (argument_is_typed(place, "for") && !argument_is_typed(place, "steps"))
        candidates_offer(candidates, (Offer){.name = "steps", .first = true, .closed = true});
    if (!argument_is_typed(place, "for"))
        candidates_offer(candidates, (Offer){.name = "for", .first = true, .closed = true});
    for (const Option *row = training_options + 1; row->name; row++)
        if (!argument_is_typed(place, row->name))
            candidates_offer(candidates, (Offer){.name = row->name, .closed = true});
}

static bool offer_name(void *context, const char *name, const Shape *shape, Error *err) {
    (void)shape, (void)err;
    candidates_offer(context, (Offer){.name = name, .first = true});
    return true;
}

/* True if the string that the place is in begins right behind this text, at *begin. */
static bool string_follows(const Place *place, const char *text, size_t *begin) {
    size_t size = strlen(text), end = place->context.quotes.begin;
    *begin = end - size;
    return end > size && memcmp(place->text + *begin, text, size) == 0;
}

/* The parameters of the model whose name text[0, end) end with; NULL: it ends with another. */
static const Parameters *parameters_before(const Place *place, size_t end) {
    size_t begin = trailing_word(place->text, end);
    if (begin > 0 && place->text[begin - 1] == '.') return NULL;
    const Symbol *symbol =
        interp_find_word(&place->session->interp, place->text + begin, end - begin);
    const Model *model = symbol ? model_of(&symbol->value) : NULL;
    return model ? &model_transformer(model)->parameters : NULL;
}

void offer_parts_of_model(const Place *place, Candidates *candidates) {
    const Inspection *inspection = place->session->bench.inspection;
    Error ignored = {.kind = ERR_NONE};
    size_t at;
    if (string_follows(place, ".parameters[", &at)) {
        const Parameters *parameters = parameters_before(place, at);
        for (size_t i = 0; parameters && i < parameters->count; i++)
            candidates_offer(candidates, (Offer){.name = parameters->rows[i].name, .first = true});
    } else if (string_follows(place, "last.run[", &at) || string_follows(place, "patch ", &at)) {
        if (inspection) model_run_names(&inspection->run, offer_name, candidates, &ignored);
    }
}
