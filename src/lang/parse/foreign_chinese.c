/* Chinese words for commands, settings, functions and operators. */
#include "lang/foreign.h"

#include <string.h>

/* A word that joins two values is put between blanks. */
/* clang-format off */
static const struct {
    const char *words, *here; /* the words of one meaning, with blanks between them */
} words[] = {
    /* commands */
    {"帮助 说明", "help"}, {"设置 设定 设", "set"}, {"显示 查看 看", "show"},
    {"画图 绘图 绘制 画", "plot"}, {"计算注意力 注意力 自注意力", "attend"}, {"运行 执行", "run"},
    {"撤销 撤消", "undo"}, {"重做", "redo"}, {"重置 清空", "reset"},
    {"变量 所有变量 查看变量 显示变量", "who"}, {"退出 结束 离开 再见", "exit"},
    {"比较 对比", "compare"}, {"扫描 扫", "sweep"}, {"跟踪 追踪", "trace"}, {"为什么 解释", "why"},
    {"诊断", "diagnose"}, {"训练", "train"}, {"探索 浏览", "explore"}, {"快照", "snapshot"},
    {"恢复", "restore"}, {"评估", "evaluate"}, {"预测", "predict"}, {"暂停 等待", "pause"},
    {"状态", "state"}, {"差异", "diff"},
    /* what they show */
    {"权重 注意力权重 热力图 热图", "weights"}, {"分数 得分", "scores"}, {"输出", "output"},
    {"损失", "loss"},
    /* settings and their values */
    {"温度", "temperature"}, {"掩码 遮罩", "mask"}, {"位置 位置编码", "position"},
    {"头数 多头 头", "heads"}, {"词元 令牌 标记 分词 句子 单词 文本", "tokens"}, {"缩放", "scale"},
    {"种子 随机种子", "seed"}, {"位数 精度", "digits"}, {"颜色", "color"}, {"调色板", "palette"},
    {"线程", "threads"}, {"语言", "language"}, {"因果 因果掩码", "causal"}, {"窗口", "window"},
    {"填充", "padding"}, {"无 没有", "none"}, {"正弦", "sinusoidal"}, {"旋转", "rope"},
    {"相对", "relative"}, {"灰度 灰色", "grey"}, {"关", "never"}, {"中文 汉语", "zh"},
    {"英文 英语", "en"},
    /* functions */
    {"打印", "print"}, {"求和 总和", "sum"}, {"平均值 平均 均值", "mean"}, {"最大值 最大", "max"},
    {"最小值 最小", "min"}, {"长度", "len"}, {"形状", "shape"}, {"转置", "transpose"},
    {"逆 逆矩阵 求逆", "inv"}, {"随机数 随机", "rand"}, {"零矩阵 全零", "zeros"},
    {"单位矩阵", "eye"}, {"数组 矩阵 向量", "array"}, {"平方根 开方 根号", "sqrt"}, {"指数", "exp"},
    {"对数", "log"}, {"绝对值", "abs"}, {"行列式", "det"}, {"内积 点积", "dot"},
    {"矩阵乘法 矩阵乘", "matmul"}, {"外积", "outer"}, {"排序", "sort"}, {"方差", "var"},
    {"标准差", "std"}, {"中位数", "median"}, {"熵", "entropy"}, {"软最大", "softmax"},
    {"保存", "save"}, {"加载 读取 载入", "load"}, {"范围", "range"}, {"的转置", ".T"},
    {"的形状", ".shape"}, {"的长度", ".shape[0]"},
    /* statements and operators */
    {"如果", "if"}, {"否则", "else"}, {"对于", "for"}, {"当", "while"}, {"定义 函数", "def"},
    {"返回", "return"}, {"导入", "import"}, {"真", "True"}, {"假", "False"}, {"空", "None"},
    {"和 且 并且 与", "and"}, {"或 或者", "or"}, {"非", "not"}, {"在", "in"}, {"从", "from"},
    {"到", "to"}, {"对", "against"}, {"大于等于", ">="}, {"小于等于", "<="}, {"不等于", "!="},
    {"大于", ">"}, {"小于", "<"}, {"等于", "=="}, {"乘以 乘", "*"}, {"除以", "/"}, {"加上 加", "+"},
    {"减去 减", "-"}, {"一", "1"}, {"二 两", "2"}, {"三", "3"}, {"四", "4"}, {"五", "5"},
    {"六", "6"}, {"七", "7"}, {"八", "8"}, {"九", "9"}, {"十", "10"},
};
/* clang-format on */

/* The longest word of the table that the text begins with; *taken is its length, 0: none. */
static const char *longest(const char *text, size_t length, size_t *taken) {
    const char *found = NULL;
    *taken = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        for (const char *word = words[i].words; *word; word += strspn(word, " ")) {
            size_t size = strcspn(word, " ");
            if (size > *taken && size <= length && memcmp(word, text, size) == 0) {
                *taken = size;
                found = words[i].here;
            }
            word += size;
        }
    }
    return found;
}

bool foreign_chinese(Text *out, const char *word, size_t length) {
    Text line = TEXT_EMPTY;
    bool found = false, known = true;
    for (size_t at = 0, taken; known && at < length; at += taken) {
        const char *here = longest(word + at, length - at, &taken);
        found = found || here;
        if (here) {
            text_string(&line, at > 0 && *here != '.' ? " " : "");
            text_string(&line, here);
        } else { /* letters of a variable between Chinese words: A乘B */
            while (at + taken < length && (unsigned char)word[at + taken] < 0x80) taken++;
            text_string(&line, at > 0 ? " " : "");
            text_bytes(&line, word + at, taken);
            known = taken > 0;
        }
    }
    found = found && known && !line.failed;
    if (found) text_string(out, line.data);
    text_release(&line);
    return found;
}
