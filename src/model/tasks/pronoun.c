/* What does "it" refer to? The adjective decides, as in "The animal didn't cross the street because
 * it was too tired / too wide" (Levesque, Davis and Morgenstern 2012). The answer, a noun, is read
 * at the pronoun.
 *
 * frames="place": one noun is an animal, the other a place. Each adjective suits one kind, so a
 * model can add up what the words say each for itself, and need not know which noun stands where.
 * frames="role": both nouns are animals, and the adjective tells who did something from whom it was
 * done to. What noun that is only its place in the sentence says. */
#include "base/memory.h"
#include "model/tasks/tasks.h"

#include <string.h>

enum { SUBJECT, OBJECT, VERB, OF_SUBJECT, OF_OBJECT, LISTS, LIST_MOST = 16, PLACES_MOST = 16 };

/* In a sentence S, V, O, A stand for subject, verb, object and adjective. */
typedef struct Frame {
    const char *sentence, *pronoun;
    const char *lists[LISTS];
} Frame;

static const Frame role_en = {
    "The S didn't V the O because it was too A",
    "it",
    {"dog cat horse fox wolf rabbit bear mouse lion deer goat sheep pig cow tiger hen",
     "dog cat horse fox wolf rabbit bear mouse lion deer goat sheep pig cow tiger hen",
     "chase catch follow reach overtake touch", "tired slow weak sleepy lazy clumsy",
     "fast quick nimble clever wild alert"},
};
static const Frame role_zh = {
    "S 没有 V O ， 因为 它 太 A 了",
    "它",
    {"狗 猫 马 狐狸 狼 兔子 熊 老鼠 狮子 鹿 山羊 绵羊 猪 牛 老虎 母鸡",
     "狗 猫 马 狐狸 狼 兔子 熊 老鼠 狮子 鹿 山羊 绵羊 猪 牛 老虎 母鸡",
     "追上 抓住 赶上 跟上 咬到 碰到", "累 慢 弱 困 懒 笨", "快 敏捷 机灵 狡猾 灵活 警觉"},
};
static const Frame place_en = {
    "The S didn't V the O because it was too A",
    "it",
    {"animal dog cat horse fox wolf rabbit bear cow goat sheep pig",
     "street road river bridge field valley square highway", "cross",
     "tired scared weak slow sleepy lazy", "wide long icy wet dangerous windy"},
};
static const Frame place_zh = {
    "那只 S V O 上 ， 因为 它 很 A",
    "它",
    {"猫 狗 兔子 狐狸 熊 老鼠 狮子 鹿 山羊 绵羊 猪 老虎", "垫子 沙发 毯子 床 椅子 地毯 草地 石头",
     "坐在 躺在 睡在 趴在", "困 累 懒 虚弱 疲倦 怕冷", "柔软 暖和 舒服 平整 宽敞 厚"},
};

typedef struct WordList {
    int ids[LIST_MOST];
    size_t count;
} WordList;

typedef struct PronounState {
    WordList lists[LISTS];
    int sentence[PLACES_MOST];   /* a token; or -1 - list where a word of a list stands */
    size_t count, pronoun, verb; /* places of the sentence */
} PronounState;

static void release_pronoun(void *state) { mem_free(state); }

static void read_sentence(const Vocabulary *vocabulary, const Frame *frame, PronounState *state) {
    static const char slots[] = "SOVA"; /* A: OF_SUBJECT or OF_OBJECT */
    const char *word = frame->sentence;
    while (*word) {
        size_t length = strcspn(word, " ");
        const char *slot = length == 1 ? strchr(slots, *word) : NULL;
        int list = slot ? (int)(slot - slots) : 0;
        if (slot && list == VERB) state->verb = state->count;
        if (strncmp(word, frame->pronoun, length) == 0) state->pronoun = state->count;
        state->sentence[state->count++] =
            slot ? -1 - list : vocabulary_find(vocabulary, word, length);
        word += length + (word[length] == ' ');
    }
}

static bool prepare_pronoun(Task *task, Error *err) {
    bool chinese = task->options.language[0] == 'z', place = task->options.frames[0] == 'p';
    const Frame *frame = chinese ? (place ? &place_zh : &role_zh) : place ? &place_en : &role_en;
    Text tokens = TEXT_EMPTY;
    for (const char *c = frame->sentence; *c; c++)
        if (!strchr("SVOA", *c)) text_char(&tokens, *c);
    for (int i = 0; i < LISTS; i++) text_format(&tokens, " %s", frame->lists[i]);
    PronounState *state = task->state = mem_zeroed(1, sizeof *state, err);
    bool ok = task_use_tokens(task, TOKENS_WORDS, &tokens, err) && state;
    for (int i = 0; ok && i < LISTS; i++)
        ok = task_encode(task, frame->lists[i], strlen(frame->lists[i]), state->lists[i].ids,
                         &state->lists[i].count, err);
    if (!ok) return false;
    read_sentence(task->vocabulary, frame, state);
    task->vocabulary->ask =
        vocabulary_find(task->vocabulary, frame->pronoun, strlen(frame->pronoun));
    task->input_most = state->count;
    task->answer_most = 1;
    task->group_count = 2;
    return true;
}

static void plan_pronoun(const Task *task, Random *random, TaskExample *out) {
    (void)task;
    out->group = (int)random_below(random, 2);
}

static int any_of(const WordList *list, Random *random) {
    return list->ids[random_below(random, list->count)];
}

static bool draw_pronoun(const Task *task, Random *random, bool held_out, TaskExample *out,
                         Error *err) {
    const PronounState *state = task->state;
    int words[LISTS];
    (void)held_out, (void)err;
    words[SUBJECT] = any_of(&state->lists[SUBJECT], random);
    do words[OBJECT] = any_of(&state->lists[OBJECT], random);
    while (words[OBJECT] == words[SUBJECT]);
    words[VERB] = any_of(&state->lists[VERB], random);
    words[OF_SUBJECT] = any_of(&state->lists[out->group ? OF_OBJECT : OF_SUBJECT], random);
    for (size_t i = 0; i < state->count; i++) {
        int token = state->sentence[i];
        out->input[i] = token < 0 ? words[-1 - token] : token;
    }
    out->input_count = state->count;
    out->mark = state->pronoun;
    out->answer[0] = words[out->group ? OBJECT : SUBJECT];
    out->answer_count = 1;
    return true;
}

/* What is held out is a combination of both nouns and the adjective, with every verb. */
static bool pronoun_is_held_out(const Task *task, const TaskExample *example) {
    const PronounState *state = task->state;
    int words[PLACES_MOST];
    memcpy(words, example->input, state->count * sizeof *words);
    words[state->verb] = 0;
    return task_hash_is_held_out(task, words, state->count);
}

static void name_pronoun(const Task *task, size_t group, Text *out) {
    (void)task;
    text_string(out, group ? "object" : "subject");
}

const TaskDef pronoun_task = {
    .name = "pronoun",
    .summary = "which noun \"it\" refers to, as the adjective decides",
    .example = "The dog didn't chase the cat because it was too tired -> dog",
    .kinds = ANY_KIND,
    .options = BIT(TASK_LANGUAGE) | BIT(TASK_FRAMES),
    .prepare = prepare_pronoun,
    .release = release_pronoun,
    .plan = plan_pronoun,
    .draw = draw_pronoun,
    .is_held_out = pronoun_is_held_out,
    .name_group = name_pronoun,
};
