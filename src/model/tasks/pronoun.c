/* What does "it" refer to? The adjective decides, as in "The animal didn't cross the street because
 * it was too tired / too wide" (Levesque, Davis and Morgenstern 2012). The answer, a noun, is read
 * at the pronoun.
 *
 * frames="place": one noun is an animal, the other a place. Each adjective suits one kind, so a
 * model can add up what the words say each for itself, and need not know which noun is where.
 * frames="role": both nouns are animals, and the adjective tells who did something from whom it was
 * done to. What noun that is only its place in the sentence says.
 * frames="both": sentences of both frames, half of them with a full stop, and in Chinese some
 * without the comma, as people type them. All frames share one vocabulary and one split, so that a
 * model which learned both is evaluated on each. */
#include "base/memory.h"
#include "model/tasks/tasks.h"

#include <string.h>

enum { SUBJECT, OBJECT, VERB, OF_SUBJECT, OF_OBJECT, LISTS, LIST_MOST = 16, PLACES_MOST = 16 };
enum { ROLE, PLACE, FRAMES }; /* the kinds of sentences */

/* In a sentence S, V, O, A mean subject, verb, object and adjective. */
typedef struct Frame {
    const char *sentence;
    const char *lists[LISTS];
} Frame;

static const char *const pronouns[] = {"it", "它"}, *const stops[] = {".", "。"};
static const Frame frames[][FRAMES] = {
    {[ROLE] = {"The S didn't V the O because it was too A",
               {"dog cat horse fox wolf rabbit bear mouse lion deer goat sheep pig cow tiger hen",
                "dog cat horse fox wolf rabbit bear mouse lion deer goat sheep pig cow tiger hen",
                "chase catch follow reach overtake touch", "tired slow weak sleepy lazy clumsy",
                "fast quick nimble clever wild alert"}},
     [PLACE] = {"The S didn't V the O because it was too A",
                {"animal dog cat horse fox wolf rabbit bear cow goat sheep pig",
                 "street road river bridge field valley square highway", "cross",
                 "tired scared weak slow sleepy lazy", "wide long icy wet dangerous windy"}}},
    {[ROLE] = {"S 没有 V O ， 因为 它 太 A 了",
               {"狗 猫 马 狐狸 狼 兔子 熊 老鼠 狮子 鹿 山羊 绵羊 猪 牛 老虎 母鸡",
                "狗 猫 马 狐狸 狼 兔子 熊 老鼠 狮子 鹿 山羊 绵羊 猪 牛 老虎 母鸡",
                "追上 抓住 赶上 跟上 咬到 碰到", "累 慢 弱 困 懒 笨",
                "快 敏捷 机灵 狡猾 灵活 警觉"}},
     [PLACE] = {"那只 S V O 上 ， 因为 它 很 A",
                {"猫 狗 兔子 狐狸 熊 老鼠 狮子 鹿 山羊 绵羊 猪 老虎",
                 "垫子 沙发 毯子 床 椅子 地毯 草地 石头", "坐在 躺在 睡在 趴在",
                 "困 累 懒 虚弱 疲倦 怕冷", "柔软 暖和 舒服 平整 宽敞 厚"}}},
};

typedef struct WordList {
    int ids[LIST_MOST];
    size_t count;
} WordList;

typedef struct FrameTokens {
    WordList lists[LISTS];
    int sentence[PLACES_MOST]; /* a token; or -1 - list for a word of a list */
    size_t count;
} FrameTokens;

typedef struct PronounState {
    FrameTokens frames[FRAMES];
    int first;       /* the frame of groups 0 and 1 */
    int comma, stop; /* tokens; the comma is NO_TOKEN where no sentence has one */
} PronounState;

static bool read_frame(const Task *task, const Frame *frame, FrameTokens *out, Error *err) {
    static const char slots[] = "SOVA"; /* A: OF_SUBJECT or OF_OBJECT */
    const char *word = frame->sentence;
    while (*word) {
        size_t length = strcspn(word, " ");
        const char *slot = length == 1 ? strchr(slots, *word) : NULL;
        out->sentence[out->count++] =
            slot ? -1 - (int)(slot - slots) : vocabulary_find(task->vocabulary, word, length);
        word += length + (word[length] == ' ');
    }
    for (int i = 0; i < LISTS; i++)
        if (!task_encode(task, frame->lists[i], strlen(frame->lists[i]), out->lists[i].ids,
                         &out->lists[i].count, err))
            return false;
    return true;
}

static int token_of(const Task *task, const char *text) {
    return vocabulary_find(task->vocabulary, text, strlen(text));
}

static bool is_both(const Task *task) { return task->options.frames == FRAMES_BOTH; }

static bool prepare_pronoun(Task *task, Error *err) {
    int language = task->options.language == TASK_CHINESE;
    Text tokens = TEXT_EMPTY;
    for (int f = 0; f < FRAMES; f++) {
        const Frame *frame = &frames[language][f];
        for (const char *c = frame->sentence; *c; c++)
            if (!strchr("SVOA", *c)) text_char(&tokens, *c);
        for (int i = 0; i < LISTS; i++) text_format(&tokens, " %s", frame->lists[i]);
        text_char(&tokens, ' ');
    }
    text_string(&tokens, stops[language]);
    PronounState *state = task->state = mem_zeroed(1, sizeof *state, err);
    bool ok = task_use_tokens(task, TOKENS_WORDS, &tokens, err) && state;
    for (int f = 0; ok && f < FRAMES; f++)
        ok = read_frame(task, &frames[language][f], &state->frames[f], err);
    if (!ok) return false;
    task->vocabulary->ask = token_of(task, pronouns[language]);
    state->comma = token_of(task, "，");
    state->stop = token_of(task, stops[language]);
    state->first = task->options.frames == FRAMES_PLACE ? PLACE : ROLE;
    task->input_most = state->frames[ROLE].count + is_both(task); /* both frames are as long */
    task->answer_most = 1;
    task->group_count = is_both(task) ? 2 * FRAMES : 2;
    return true;
}

static void plan_pronoun(const Task *task, Random *random, TaskExample *out) {
    out->group = (int)random_below(random, task->group_count);
}

static int any_of(const WordList *list, Random *random) {
    return list->ids[random_below(random, list->count)];
}

static void draw_pronoun(const Task *task, Random *random, TaskExample *out) {
    const PronounState *state = task->state;
    const FrameTokens *frame = &state->frames[state->first + out->group / 2];
    bool of_object = out->group % 2;
    int words[LISTS];
    words[SUBJECT] = any_of(&frame->lists[SUBJECT], random);
    do words[OBJECT] = any_of(&frame->lists[OBJECT], random);
    while (words[OBJECT] == words[SUBJECT]);
    words[VERB] = any_of(&frame->lists[VERB], random);
    words[OF_SUBJECT] = any_of(&frame->lists[of_object ? OF_OBJECT : OF_SUBJECT], random);
    bool no_comma = is_both(task) && state->comma != NO_TOKEN && random_below(random, 4) == 0;
    bool stop = is_both(task) && random_below(random, 2) == 0;
    out->input_count = 0;
    for (size_t i = 0; i < frame->count; i++) {
        int token = frame->sentence[i];
        if (no_comma && token == state->comma) continue;
        if (token == task->vocabulary->ask) out->mark = out->input_count;
        out->input[out->input_count++] = token < 0 ? words[-1 - token] : token;
    }
    if (stop) out->input[out->input_count++] = state->stop;
    out->answer[0] = words[of_object ? OBJECT : SUBJECT];
    out->answer_count = 1;
}

/* Holds out combinations of both nouns and the adjective, with every verb and however the sentence
 * is punctuated. */
static bool pronoun_is_held_out(const Task *task, const TaskExample *example) {
    const PronounState *state = task->state;
    int words[PLACES_MOST];
    size_t count = 0;
    for (size_t i = 0; i < example->input_count; i++) {
        int token = example->input[i];
        bool counts = token != state->comma && token != state->stop;
        for (int f = 0; f < FRAMES; f++) {
            const WordList *verbs = &state->frames[f].lists[VERB];
            for (size_t v = 0; v < verbs->count; v++) counts = counts && token != verbs->ids[v];
        }
        if (counts) words[count++] = token;
    }
    return task_hash_is_held_out(task, words, count);
}

static void name_pronoun(const Task *task, size_t group, Text *out) {
    if (is_both(task)) text_string(out, group / 2 == ROLE ? "role, " : "place, ");
    text_string(out, group % 2 ? "object" : "subject");
}

const TaskDef pronoun_task = {
    .name = "pronoun",
    .summary = "which noun \"it\" refers to, as the adjective decides",
    .example = "The animal didn't cross the street because it was too tired -> animal",
    .kinds = ANY_KIND,
    .options = BIT(TASK_LANGUAGE) | BIT(TASK_FRAMES),
    .prepare = prepare_pronoun,
    .release = mem_free,
    .plan = plan_pronoun,
    .draw = draw_pronoun,
    .is_held_out = pronoun_is_held_out,
    .name_group = name_pronoun,
};
