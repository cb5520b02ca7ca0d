/* The arguments of commands about models: the model, its task, the options of a training. */
#include "library/library.h"
#include "library/model.h"
#include "library/task_value.h"
#include "library/training.h"
#include "session/models/inspection.h"
#include "shell/completion/completion_sources.h"

#include <string.h>

typedef struct Wanted {
    Candidates *candidates;
    bool tasks; /* else models */
} Wanted;

static void offer_object(void *context, const Symbol *symbol) {
    const Wanted *wanted = context;
    const Value *value = &symbol->value;
    bool fits = wanted->tasks ? is_task(value) : model_of(value) != NULL;
    if (fits && *symbol->name != '_')
        candidates_offer(wanted->candidates,
                         (Offer){.name = symbol->name, .first = true, .closed = true});
}

static void offer_objects(const Place *place, bool tasks, Candidates *candidates) {
    Wanted wanted = {candidates, tasks};
    interp_each(&place->session->interp, offer_object, &wanted);
}

/* The models that come with the program and were not read yet. */
static void offer_shipped(const Place *place, Candidates *candidates) {
    for (const BuiltinDef *row = shipped_models_table; row->name; row++) {
        const Symbol *symbol = interp_find(&place->session->interp, row->name);
        if (!symbol || symbol->value.kind == VALUE_UNSET)
            candidates_offer(candidates, (Offer){.name = row->name, .first = true, .closed = true});
    }
}

static bool behind(const Place *place, const char *word) {
    return place_spells(place, place->context.before, word);
}

/* True if a token before the word spells this. */
static bool was_given(const Place *place, const char *word) {
    size_t at = place->context.arguments_begin, length = strlen(word);
    const size_t end = place->context.word.begin;
    while (at < end) {
        size_t next = at;
        while (next < end && place->text[next] != ' ') next++;
        if (next - at == length && memcmp(place->text + at, word, length) == 0) return true;
        at = next + 1;
    }
    return false;
}

/* The option whose value is to be typed; NULL: none. */
static const TrainingOption *open_option(const Place *place) {
    const TrainingOption *option = training_options + 1; /* the steps stand before their word */
    while (option->name && !behind(place, option->name)) option++;
    return option->name ? option : NULL;
}

void offer_model_arguments(const Place *place, Candidates *candidates) {
    const Context *context = &place->context;
    const TrainingOption *option = open_option(place);
    bool takes_task = command_has_word(context->command, "on", 2),
         has_task = was_given(place, "on");
    if (context->arguments == 0) {
        offer_objects(place, false, candidates);
        offer_shipped(place, candidates);
        return;
    }
    if (behind(place, "on")) {
        offer_objects(place, true, candidates);
        for (const TaskDef *const *def = task_defs; *def; def++)
            candidates_offer(candidates, (Offer){.name = (*def)->name, .closed = true});
        return;
    }
    if (takes_task && !has_task) {
        candidates_offer(candidates, (Offer){.name = "on", .closed = true});
        return;
    }
    for (const char *const *word = option ? option->words : NULL; word && *word; word++)
        candidates_offer(candidates, (Offer){.name = *word, .closed = true});
    if (!takes_task || option || behind(place, "for") ||
        !command_has_word(context->command, "for", 3))
        return;
    if (was_given(place, "for") && !was_given(place, "steps"))
        candidates_offer(candidates, (Offer){.name = "steps", .first = true, .closed = true});
    if (!was_given(place, "for"))
        candidates_offer(candidates, (Offer){.name = "for", .first = true, .closed = true});
    for (const TrainingOption *row = training_options + 1; row->name; row++)
        if (!was_given(place, row->name))
            candidates_offer(candidates, (Offer){.name = row->name, .closed = true});
}

/* The parameters of the model m within m.parameters["...; NULL: the place is another. */
static const Parameters *parameters_here(const Place *place) {
    static const char tail[] = ".parameters[";
    const size_t size = sizeof tail - 1, end = place->context.quotes.begin;
    if (end <= size || memcmp(place->text + end - size, tail, size) != 0) return NULL;
    size_t begin = end - size;
    while (begin > 0 && !strchr(" ([{,;=+-*/@:\n", place->text[begin - 1])) begin--;
    char name[64];
    size_t length = end - size - begin;
    if (length >= sizeof name) return NULL;
    memcpy(name, place->text + begin, length);
    name[length] = '\0';
    const Symbol *symbol = interp_find(&place->session->interp, name);
    const Model *model = symbol ? model_of(&symbol->value) : NULL;
    return model ? &model_transformer(model)->parameters : NULL;
}

bool place_is_parameter(const Place *place) { return parameters_here(place) != NULL; }

bool place_is_activation(const Place *place) {
    static const char run[] = "last.run[", patch[] = "patch ";
    const char *tails[] = {run, patch};
    size_t end = place->context.quotes.begin;
    for (size_t i = 0; i < 2; i++) {
        size_t size = strlen(tails[i]);
        if (end >= size && memcmp(place->text + end - size, tails[i], size) == 0)
            return place->session->bench.inspection != NULL;
    }
    return false;
}

static bool offer_name(void *context, const char *name, const Shape *shape, Error *err) {
    (void)shape, (void)err;
    candidates_offer(context, (Offer){.name = name, .first = true});
    return true;
}

void offer_activation_names(const Place *place, Candidates *candidates) {
    Error ignored = {.kind = ERR_NONE};
    inspected_names(&place->session->bench.inspection->run, offer_name, candidates, &ignored);
}

void offer_parameter_names(const Place *place, Candidates *candidates) {
    const Parameters *parameters = parameters_here(place);
    for (size_t i = 0; i < parameters->count; i++)
        candidates_offer(candidates, (Offer){.name = parameters->rows[i].name, .first = true});
}
