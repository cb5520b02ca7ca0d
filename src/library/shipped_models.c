#include "library/shipped_models.h"

#include "library/library.h"
#include "library/model.h"
#include "model/checkpoint.h"

#include <string.h>

static bool open_shipped(const BuiltinDef *builtin, Value *out, Error *err) {
    const ShippedModel *shipped = shipped_models;
    LocalSafetensors file = {.descriptor = -1};
    Transformer model;
    while (shipped->name && strcmp(shipped->name, builtin->name) != 0) shipped++;
    if (!shipped->name)
        return error_set(err, ERR_FILE, "this program was built without %s", builtin->name);
    return safetensors_parse(&file, (const char *)shipped->bytes, shipped->length, err) &&
           checkpoint_open(&model, &file, err) && give_model(&model, out, err);
}

const ShippedExample shipped_examples[] = {
    {"pronoun", "which of two nouns \"it\" is, as the adjective says",
     "inspect pronoun \"The animal didn't cross the street because it was too tired\"",
     "It reads no other words and forms than help pronoun says, and writes nothing."},
    {"pronoun_zh", "the same in Chinese", "inspect pronoun_zh \"那只猫坐在垫子上，因为它很柔软\"",
     "It reads no other words and forms than help pronoun_zh says, and writes nothing."},
    {"stories", "how a little story in plain English goes on",
     "inspect stories \"Tom gave the ball to Lucy. Now the ball belongs to\"",
     "It knows giving and taking, places, causes, pronouns, small numbers and what somebody said, "
     "and goes on rightly with about five of six such sentences. It knows nothing else."},
    {"stories_zh", "how a little story in Chinese goes on",
     "inspect stories_zh \"小明把球给了小红。现在球在谁手里？\"",
     "It knows the same in Chinese, and goes on rightly with about three of four such sentences."},
    {.name = NULL},
};

#define GROUP "models"
#define SHIPPED(NAME) .name = NAME, .group = GROUP, .make = open_shipped

const BuiltinDef shipped_models_table[] = {
    {SHIPPED("pronoun"),
     .summary =
         "A small trained encoder that comes with the program. Its task: in \"The animal didn't "
         "cross the street because it was too tired\" (or \"too wide\"), which of both nouns is "
         "\"it\"? The adjective says so, and the answer is read at \"it\". It also knows \"The dog "
         "didn't chase the cat because it was too tired\" (or \"too fast\"), and a full stop at "
         "the end. Sentences have these two forms, with the words of task(\"pronoun\"), whose "
         "frames=\"place\" and frames=\"role\" are one form each. Read once, it is a variable: "
         "training it changes yours alone. inspect pronoun \"...\" looks into it.",
     .example = "x = pronoun(\"The animal didn't cross the street because it was too tired\")\n"
                "x.shape\n# -> (11, 62)\n"
                "evaluate(pronoun, task(\"pronoun\", frames=\"place\")).sequence_accuracy > 0.95\n"
                "# -> True",
     .see = "pronoun_zh task evaluate train transformer"},
    {SHIPPED("pronoun_zh"),
     .summary = "The same as pronoun, in Chinese: 那只猫坐在垫子上，因为它很柔软 (or 很困), and "
                "狗没有追上猫，因为它太累了 (or 太快了), with and without the comma and a full "
                "stop at the end. Its task is task(\"pronoun\", language=\"zh\").",
     .example = "pronoun_zh(\"那只猫坐在垫子上，因为它很柔软\").shape\n# -> (10, 68)",
     .see = "pronoun task"},
    {SHIPPED("stories"),
     .summary = "A small trained decoder that comes with the program and reads what is typed, "
                "byte by byte where it must. It has learned from made-up stories of two or three "
                "sentences: who gave or took what, where somebody or something is, what follows "
                "from what, whom a pronoun means, small numbers, one and many, what somebody "
                "said, what things are like. Ask a question or begin a sentence; names may be "
                "any, since half of those it has read were made up of letters. Of 60 sentences "
                "that were typed without a look at these stories it goes on rightly with 51. "
                "Where two or three have something each, it mostly knows which of them is meant; "
                "help circuits looks into that. It learned it from drills, one after the other, "
                "and because the heads of its first layer began by looking one, two, three and "
                "four tokens back, and those of the next two by looking for their own token: they "
                "were given this, and did not find it. It knows nothing else of the world. "
                "inspect stories \"...\" looks into it, generate(stories, \"...\") lets it go on.",
     .example = "generate(stories, \"Tom gave the ball to Lucy. Now the ball belongs to\", max=1)\n"
                "# -> ' Lucy'\n"
                "[stories.layers, stories.heads, stories.d_model]\n# -> [4, 4, 160]",
     .see = "pronoun stories_zh generate train"},
    {SHIPPED("stories_zh"),
     .summary = "The same as stories, in Chinese; a token is a character, or several that are "
                "often together. Of 160 sentences that were typed without a look at its stories "
                "it goes on rightly with 118. Sums, causes and pronouns it knows least.",
     .example = "generate(stories_zh, \"小明把球给了小红。现在球在谁手里？\", max=2)\n"
                "# -> '小红'",
     .see = "stories pronoun_zh generate"},
    {0},
};
