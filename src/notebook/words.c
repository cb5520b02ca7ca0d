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
    /* a lesson at the prompt */
    [WORD_ENTER_GOES_ON] = {"Enter: on", "回车：继续"},
    [WORD_ENTER_RUNS] = {"Enter: run", "回车：运行"},
    [WORD_ENTER_ANSWERS] = {"Enter: answer", "回车：答案"},
    [WORD_YOUR_GUESS] = {"your guess", "你的猜测"},
    [WORD_YOUR_CHOICE] = {"which?", "选哪个"},
    [WORD_YOUR_ANSWER] = {"your answer", "你的回答"},
    [WORD_SOLVED_ENTER] = {"solved, Enter: on", "已完成，回车：继续"},
    [WORD_THE_END] = {"the end, Enter", "结束，回车"},
    [WORD_EXERCISE_OF] = {"Exercise %d of %d: %s", "练习 %d/%d：%s"},
    [WORD_CHOICE_OF] = {"Question %d of %d: %s", "选择 %d/%d：%s"},
    [WORD_HOW_EXERCISE] = {"(type what solves it; check, hint, solution and skip help)",
                            "（输入你的解答；可用 check、hint、solution、skip）"},
    [WORD_HOW_EXERCISE_AGAIN] = {"(check, hint, solution, skip)", "（check、hint、solution、skip）"},
    [WORD_HOW_CHOICE] = {"(type a letter)", "（输入一个字母）"},
    [WORD_HOW_OPEN] = {"(write a line, it is kept; Enter alone goes on)",
                        "（写一行，会保存下来；直接回车则继续）"},
    [WORD_SOLVED] = {"Solved: %s (%d of %d). Enter goes on.", "做对了：%s（%d/%d）。按回车继续。"},
    [WORD_SOLVED_BEFORE] = {"(solved before; Enter goes on)", "（以前已完成；按回车继续）"},
    [WORD_NOT_SOLVED] = {"Not solved yet: check says what is missing, hint helps, skip goes on.",
                          "还没有完成：check 说明还差什么，hint 给提示，skip 跳过。"},
    [WORD_NOT_THERE_YET] = {"Not yet: %s is not there. The exercise asks you to make it.",
                             "还没有：%s 还不存在，练习要求你来定义它。"},
    [WORD_CHECK_FAILED] = {"Not yet: %s", "还不对：%s"},
    [WORD_NO_HINT] = {"There is no hint here.", "这里没有提示。"},
    [WORD_NO_MORE_HINTS] = {"These are all hints; solution shows an answer.",
                             "提示都在这里了；solution 给出一种解答。"},
    [WORD_ONE_SOLUTION] = {"One solution (type it, or skip to go on with it):",
                        "一种解答（可以输入它，或用 skip 带着它继续）："},
    [WORD_NO_SOLUTION] = {"There is no solution here.", "这里没有解答。"},
    [WORD_SKIPPED] = {"Skipped: %s. Its solution holds from here on.",
                       "已跳过：%s。以下使用它的参考解答。"},
    [WORD_SOLUTION_HOLDS] = {"Solved before: %s. A solution holds from here on; yours is not kept.",
                             "以前已完成：%s。以下使用参考解答，你当时的变量没有保留。"},
    [WORD_SAYS_RIGHT] = {"Right: %s", "对：%s"},
    [WORD_SAYS_WRONG] = {"No: %s", "不对：%s"},
    [WORD_NO_OPTION] = {"Type one of the letters a to %c.", "请输入 a 到 %c 中的一个字母。"},
    [WORD_KEPT] = {"Kept.", "已保存。"},
    [WORD_NO_EXERCISE] = {"No exercise stands here; goto NUMBER leads to one.",
                           "这里没有练习；goto 编号 可以转到某个练习。"},
    [WORD_HOW_GUESS] = {"A guess is one number here, such as 0.4. Enter alone goes on without one.",
                        "这里请猜一个数，例如 0.4；直接回车则不猜，继续。"},
    [WORD_GUESS_NOTED] = {"Noted: %s. Now see.", "记下了：%s。来看结果。"},
    [WORD_GUESS_RIGHT] = {"You said %s, and so it is.", "你猜的是 %s，正是如此。"},
    [WORD_GUESS_NEAR] = {"You said %s; it is %s. Close enough.", "你猜的是 %s，实际是 %s，很接近。"},
    [WORD_GUESS_WRONG] = {"You said %s; it is %s.", "你猜的是 %s，实际是 %s。"},
    [WORD_TRUTH] = {"It is %s.", "结果是 %s。"},
    [WORD_FIRST_STEPS] = {"(Enter goes on; type anything at any time; back, where, quit)",
                           "（回车继续；随时可以输入任何语句；还有 back、where、quit）"},
    [WORD_RESUMED] = {"(here you left; back goes back, goto 1 to the first exercise)",
                       "（上次到这里；back 后退，goto 1 转到第一个练习）"},
    [WORD_CHANGED] = {"(the lesson has changed since you were here; what you solved stays solved)",
                      "（这一课在你上次之后有改动；已完成的练习仍算完成）"},
    [WORD_CHANGED_AGAIN] = {"(the lesson has changed since you were here; to be done again: %s)",
                            "（这一课在你上次之后有改动；要重做的练习：%s）"},
    [WORD_BRINGS_BACK] = {"(what you did is done again, which takes about %d s; Ctrl-C leaves)",
                          "（正在重做你做过的内容，大约 %d 秒；Ctrl-C 离开）"},
    [WORD_NOT_BROUGHT_BACK] = {"(this line of yours could not be done again: %.*s: %s)",
                               "（你的这一行无法重做：%.*s：%s）"},
    [WORD_PROGRESS_LOST] = {"(progress is not kept: %s)", "（进度没有保存：%s）"},
    [WORD_CELL_FAILED] = {"The lesson's cell met an error%s. goto here makes the variables as the lesson "
                          "has them; Enter tries again, skip goes on without.",
                          "课程的单元出错了%s。goto here 把变量恢复成课程里的样子；回车再试一次，skip 跳过。"},
    [WORD_YOURS_IS] = {"your %s is %s", "你的 %s 是 %s"},
    [WORD_YOUR_VECTOR] = {"your %s is a vector of %s", "你的 %s 是 %s 个数的向量"},
    [WORD_WRONG_KIND] = {"%s, where something else is needed", "%s，而这里需要别的"},
    [WORD_RETURNS_NOTHING] = {"(A function gives what stands behind return; without return, None.)",
                              "（函数给出 return 后面的值；没有 return 就是 None。）"},
    [WORD_CHECK_STOPPED] = {"The check was stopped. It runs what you have made, and that did not end.",
                            "检查被中断了：它要运行你写的东西，而那一直没有结束。"},
    [WORD_BEGINNING] = {"This is the beginning.", "这里就是开头。"},
    [WORD_WENT_BACK] = {"(variables are as they were here)", "（变量恢复到这一步时的值）"},
    [WORD_NOWHERE] = {"There is no exercise %s; where lists them.", "没有练习 %s；where 列出所有练习。"},
    [WORD_WHERE] = {"Step %d of %d: %s", "第 %d 步，共 %d 步：%s"},
    [WORD_FINISHED] = {"The end of the lesson: %d of %d solved.", "这一课到此结束：完成 %d/%d。"},
    [WORD_LEFT_OPEN] = {"Still open: %s (goto NAME leads there)", "还没做的：%s（goto 名称 可以转到）"},
    [WORD_GOES_ON_WITH] = {"Enter leads on to lesson %d: %s", "按回车可以继续第 %d 课：%s"},
    [WORD_GO_ON] = {"Go on with the next lesson?", "继续学下一课吗？"},
    [WORD_FORGET_EXERCISE] = {"Forget what you did in %s?", "忘掉 %s 的记录？"},
    [WORD_FORGET_LESSON] = {"Forget all progress in this lesson and begin anew?",
                             "忘掉这一课的全部进度，从头开始？"},
    [WORD_FORGET_ALL] = {"Forget the progress in all lessons?", "忘掉所有课程的进度？"},
    [WORD_FORGOTTEN] = {"Forgotten.", "已忘掉。"},
    [WORD_MINUTES] = {"%d min", "%d 分钟"},
    [WORD_NEEDS] = {"needs %s", "先学 %s"},
    [WORD_PROGRESS] = {"%d of %d", "%d/%d"},
    [WORD_HOW_LESSONS] = {"attn lesson NUMBER begins one, attn lesson goes on with the last one "
                           "(→); at the prompt lesson NUMBER.",
                           "attn lesson 编号 开始一课，attn lesson 接着上次的（→）；在提示符下用 lesson 编号。"},
    [WORD_HELP_TITLE] = {"In a lesson you can type:", "在课程中可以输入："},
    [WORD_HELP_ENTER_KEY] = {"Enter", "回车"},
    [WORD_HELP_ENTER] = {"runs the cell that is shown, or goes on; next, too",
                         "运行显示的单元，或继续往下；next 也一样"},
    [WORD_HELP_LINE_KEY] = {"any line", "任何语句"},
    [WORD_HELP_LINE] = {"runs; after each the exercise is checked", "会运行；每次运行后检查练习"},
    [WORD_HELP_CHECK] = {"says what the exercise still lacks", "说明练习还差什么"},
    [WORD_HELP_HINT] = {"the next hint, from gentle to plain", "给出下一个提示，由浅入深"},
    [WORD_HELP_SOLUTION] = {"shows an answer", "显示一种解答"},
    [WORD_HELP_SKIP] = {"goes on with that answer", "跳过，并使用这种解答"},
    [WORD_HELP_BACK] = {"one screen back, variables too", "后退一屏，变量也恢复"},
    [WORD_HELP_AGAIN] = {"shows the screen once more", "再显示一次这一屏"},
    [WORD_HELP_GOTO] = {"to exercise 2, or by name; goto here: variables anew",
                        "转到第 2 个练习，也可用名称；goto here 恢复变量"},
    [WORD_HELP_WHERE] = {"where you are, and what is solved", "现在的位置，以及完成了哪些"},
    [WORD_HELP_FORGET] = {"the exercise anew; forget lesson, all of it",
                          "重做这个练习；forget lesson 重学整课"},
    [WORD_HELP_LESSONS] = {"all lessons; lesson 2 opens one", "全部课程；lesson 2 打开一课"},
    [WORD_HELP_QUIT] = {"leaves; what you did is kept", "离开；进度会保存"},
    [WORD_HELP_MORE] = {"help NAME is the page of a function or command; help first and help "
                        "commands say more (in English).",
                        "help 名称 显示函数或命令的说明；help first 和 help commands 有更多内容（英文）。"},
};
/* clang-format on */

const char *word_in(Language language, WordId word) {
    assert(words[word][language]);
    return words[word][language];
}

void hint_name(Text *out, Language language, int number, int count) {
    if (count > 1) text_format(out, word_in(language, WORD_HINT_OF), number, count);
    else text_string(out, word_in(language, WORD_HINT));
}
