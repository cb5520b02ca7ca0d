/* A small grammar that is the same sentence in English and in Chinese:
 *
 *   the small cat does not like a red flower in the garden every day
 *   每天 那 只 小 猫 在 花园 里 不 喜欢 一 朵 红色 的 花
 *
 * Time and place move to the front, "does" has no word, and each noun has its own measure word, so
 * a word cannot be translated without the others. Each sentence has one translation, in
 * both directions. */
#include "model/tasks/tasks.h"

typedef struct Phrase {
    const char *english, *chinese;
} Phrase;

typedef struct Noun {
    const char *english, *chinese; /* chinese: without its measure word */
    const char *measure;
} Noun;

/* The first `SUBJECTS` can do something. */
static const Noun nouns[] = {
    {"cat", "猫", "只"},       {"dog", "狗", "只"},      {"horse", "马", "匹"},
    {"cow", "牛", "头"},       {"child", "孩子", "个"},  {"girl", "女孩", "个"},
    {"teacher", "老师", "位"}, {"farmer", "农民", "位"}, {"fish", "鱼", "条"},
    {"book", "书", "本"},      {"flower", "花", "朵"},   {"tree", "树", "棵"},
    {"letter", "信", "封"},    {"cup", "杯子", "个"},    {"car", "车", "辆"},
    {"bird", "鸟", "只"},
};
enum {
    NOUNS = sizeof nouns / sizeof *nouns,
    SUBJECTS = 8,
    LONGEST = 16 /* tokens of a sentence, in Chinese */
};

static const Phrase determiners[] = {{"the", "那"}, {"a", "一"}};
static const Phrase adjectives[] = {{"", ""},
                                    {"", ""},
                                    {"small", "小"},
                                    {"big", "大"},
                                    {"red", "红色 的"},
                                    {"white", "白色 的"},
                                    {"beautiful", "漂亮 的"}};
static const Phrase verbs[] = {{"see", "看见"}, {"like", "喜欢"}, {"draw", "画"},
                               {"buy", "买"},   {"find", "找到"}, {"want", "想要"}};
static const Phrase places[] = {{"", ""},
                                {"", ""},
                                {"in the garden", "在 花园 里"},
                                {"in the park", "在 公园 里"},
                                {"on the hill", "在 山 上"},
                                {"by the river", "在 河 边"}};
static const Phrase times[] = {{"", ""}, {"today", "今天"}, {"now", "现在"}, {"every day", "每天"}};

#define ANY(table, random) (&table[random_below(random, sizeof table / sizeof *table)])

typedef struct NounPhrase {
    const Phrase *determiner, *adjective;
    const Noun *noun;
} NounPhrase;

static NounPhrase any_phrase(size_t noun_count, Random *random) {
    return (NounPhrase){ANY(determiners, random), ANY(adjectives, random),
                        &nouns[random_below(random, noun_count)]};
}

static void write_english(const NounPhrase *phrase, Text *out) {
    text_format(out, "%s %s %s ", phrase->determiner->english, phrase->adjective->english,
                phrase->noun->english);
}

static void write_chinese(const NounPhrase *phrase, Text *out) {
    text_format(out, "%s %s %s %s ", phrase->determiner->chinese, phrase->noun->measure,
                phrase->adjective->chinese, phrase->noun->chinese);
}

/* A sentence in both languages, with spaces between the tokens. */
static void write_sentence(Random *random, Text *english, Text *chinese) {
    NounPhrase subject = any_phrase(SUBJECTS, random), object = any_phrase(NOUNS, random);
    const Phrase *verb = ANY(verbs, random), *place = ANY(places, random),
                 *time = ANY(times, random);
    bool negated = random_below(random, 4) == 0;

    write_english(&subject, english);
    text_format(english, negated ? "does not %s " : "%ss ", verb->english);
    write_english(&object, english);
    text_format(english, "%s %s", place->english, time->english);

    text_format(chinese, "%s ", time->chinese);
    write_chinese(&subject, chinese);
    text_format(chinese, "%s %s %s ", place->chinese, negated ? "不" : "", verb->chinese);
    write_chinese(&object, chinese);
}

/* ---- the task ---- */

static void write_words(const Phrase *words, size_t count, Text *out) {
    for (size_t i = 0; i < count; i++)
        text_format(out, "%s %s ", words[i].english, words[i].chinese);
}

#define WRITE_WORDS(table, out) write_words(table, sizeof table / sizeof *table, out)

static bool prepare_translate(Task *task, Error *err) {
    Text tokens = TEXT_EMPTY;
    WRITE_WORDS(determiners, &tokens);
    WRITE_WORDS(adjectives, &tokens);
    WRITE_WORDS(verbs, &tokens);
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        text_format(&tokens, "%ss ", verbs[i].english);
    WRITE_WORDS(places, &tokens);
    WRITE_WORDS(times, &tokens);
    for (size_t i = 0; i < NOUNS; i++)
        text_format(&tokens, "%s %s %s ", nouns[i].english, nouns[i].measure, nouns[i].chinese);
    text_string(&tokens, "does not 不");
    task->input_most = task->answer_most = LONGEST;
    return task_use_tokens(task, TOKENS_WORDS, &tokens, err);
}

static bool draw_translate(const Task *task, Random *random, bool held_out, TaskExample *out,
                           Error *err) {
    LocalText english = TEXT_EMPTY, chinese = TEXT_EMPTY;
    bool from_chinese = task->options.language == TASK_CHINESE;
    (void)held_out;
    write_sentence(random, &english, &chinese);
    const Text *source = from_chinese ? &chinese : &english,
               *answer = from_chinese ? &english : &chinese;
    return text_ok(source, err) && text_ok(answer, err) &&
           task_encode(task, source->data, source->length, out->input, &out->input_count, err) &&
           task_encode(task, answer->data, answer->length, out->answer, &out->answer_count, err);
}

const TaskDef translate_task = {
    .name = "translate",
    .summary = "sentences of a small grammar, from English to Chinese or back",
    .example = "the small cat sees a bird now -> 现在那只小猫看见一只鸟",
    .kinds = WRITING_KINDS,
    .options = BIT(TASK_LANGUAGE),
    .prepare = prepare_translate,
    .draw_side = draw_translate,
};
