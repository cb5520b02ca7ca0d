#include "notebook/words.h"

#include <assert.h>
#include <string.h>

static const char *const names[LANGUAGES] = {"en", "zh"};

Language language_from_name(const char *name) {
    return strcmp(name, names[LANGUAGE_CHINESE]) == 0 ? LANGUAGE_CHINESE : LANGUAGE_ENGLISH;
}

const char *language_name(Language language) { return names[language]; }

/* clang-format off */
static const char *const words[WORDS][LANGUAGES] = {
    [WORD_EXERCISE]      = {"Exercise", "练习"},
    [WORD_PREDICTION]    = {"Predict first", "先猜一猜"},
    [WORD_CHOICE]        = {"Choose", "选择题"},
    [WORD_OPEN]          = {"To think about", "思考题"},
    [WORD_HINT]          = {"Hint", "提示"},
    [WORD_HINT_OF]       = {"Hint %d of %d", "提示 %d／%d"},
    [WORD_SOLUTION]      = {"A solution", "参考答案"},
    [WORD_ANSWER]        = {"Answer", "答案"},
    [WORD_RIGHT]         = {"right", "正确"},
    [WORD_NOT_RIGHT]     = {"not right", "不对"},
    [WORD_CONTENTS]      = {"Contents", "目录"},
    [WORD_SKIP_TO_TEXT]  = {"Skip to the text", "跳到正文"},
    [WORD_CELL]          = {"Cell", "代码"},
    [WORD_OUTPUT]        = {"Output", "输出"},
    [WORD_ERROR_SHOWN]   = {"ends in an error", "以错误结束"},
    [WORD_PREVIOUS]      = {"Previous", "上一课"},
    [WORD_NEXT]          = {"Next", "下一课"},
    [WORD_ALL_LESSONS]   = {"All lessons", "全部课程"},
    [WORD_THIS_LANGUAGE] = {"English", "中文"},
    [WORD_COURSE]        = {"Attention and the Transformer", "注意力与 Transformer"},
    [WORD_COURSE_ABOUT]  = {"A course of short lessons whose cells were run by attn. Type them at "
                            "its prompt, change them, and see what happens.",
                            "一门由短课组成的课程，其中的代码都由 attn 运行过。"
                            "请在它的提示符下输入、修改，看看会发生什么。"},
    [WORD_MADE_BY]       = {"Made by attn", "由 attn 生成"},
};
/* clang-format on */

const char *word_in(Language language, WordId word) {
    assert(words[word][language]);
    return words[word][language];
}
