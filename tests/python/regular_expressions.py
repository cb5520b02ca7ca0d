# What programs do with re: tokenizers first, then each function, and each error of a pattern.
import re
from re import IGNORECASE, compile as compiled, findall

# ---- tokenizers ----
text = 'Hello, world. Is this-- a test? "Yes," he said; it\'s (so) _odd_!'
tokens = [t.strip() for t in re.split(r'([,.:;?_!"()\']|--|\s)', text) if t.strip()]
print(tokens)
print(re.findall(r"\w+|[^\w\s]", "Let's go: 3.5 今天天气好，是吗？"))
print(re.sub(r'\s+([,.?!"()\'])', r"\1", " ".join(["Hello", ",", "world", ".", "Is", "it", "?"])))
print(compiled(r"\b[A-Z]\w*").findall("Ann met Bob and eve"))


class SimpleTokenizer:
    def __init__(self, vocab):
        self.str_to_int = vocab
        self.int_to_str = {i: s for s, i in vocab.items()}

    def encode(self, text):
        parts = re.split(r'([,.:;?_!"()\']|--|\s)', text)
        parts = [item.strip() for item in parts if item.strip()]
        return [self.str_to_int[s if s in self.str_to_int else "<|unk|>"] for s in parts]

    def decode(self, ids):
        text = " ".join([self.int_to_str[i] for i in ids])
        return re.sub(r'\s+([,.:;?!"()\'])', r"\1", text)


vocab = {token: i for i, token in enumerate(sorted(set(tokens)) + ["<|endoftext|>", "<|unk|>"])}
tokenizer = SimpleTokenizer(vocab)
ids = tokenizer.encode('"Hello, test," he said. Is this new?')
print(ids, tokenizer.decode(ids))


def merge(pair, words):
    bigram = re.escape(" ".join(pair))
    p = re.compile(r"(?<!\S)" + bigram + r"(?!\S)")
    return {p.sub("".join(pair), word): count for word, count in words.items()}


print(merge(("e", "s"), {"n e w e s t </w>": 6, "w i d e s t </w>": 3, "l o w </w>": 5}))

specification = [("NUMBER", r"\d+(\.\d*)?"), ("ASSIGN", r":="), ("ID", r"[A-Za-z]+"), ("OP", r"[+\-*/]"), ("SKIP", r"[ \t]+"), ("MISMATCH", r".")]
for found in re.finditer("|".join(f"(?P<{name}>{pattern})" for name, pattern in specification), "x := 3.14 * (y2)"):
    print(found.lastgroup, found.lastindex, repr(found.group()), found.span(), end="; ")
print()

counts = {}
for word in re.findall(r"[a-z]+(?:'[a-z]+)?", "The cat's hat, the cat AND the hat".lower()):
    counts[word] = counts.get(word, 0) + 1
print(counts)

# ---- each function ----
print(re.match("b", "abc"), re.search("b", "abc"), re.fullmatch("a.c", "abc"), re.fullmatch("a|ab", "ab"), re.match("", ""))
print(re.split(r"\W+", "Words, words, words."), re.split(r"(\W+)", "Words, words.", 1), re.split("x*", "axbc"), re.split(r"(-)|(,)", "1-2,3"))
print(re.split("[a-f]+", "0a3B9", flags=re.IGNORECASE), re.split(r"\b", "a bc"), re.split(",", ""), re.split(" ", "a b c", maxsplit=1))
print(re.sub("x*", "-", "abxd"), re.sub("a", "b", "aaa", count=2), re.subn("(a)(b)?", r"[\1\2]", "abaab"), re.sub("", "-", "中文"))
print(re.sub(r"(?P<first>\w+) (?P<second>\w+)", r"\g<second> \g<first> \g<0> \g<1>0 \2", "ab cd"), re.sub("a", r"\\\n\t\101\0", "a") == "\\\n\tA\0")
print(re.sub(r"\d+", lambda m: str(int(m.group()) * 2), "3 and 40"), re.sub("(中)(文)", r"\2\1", "中文，中文"), re.sub("b", r"\.\$", "abc"))
print(re.escape("a.b*c[中] \n-_~"), re.findall(re.escape("a.b*"), "a.b* axb"))
print(findall("(a)(b)?", "aba"), findall("a|(b)", "ab"), findall("", "ab"), findall("(a*)*", "aab"), findall(r"(\w)(\w)?", "abc"))
print([m.span() for m in re.finditer("a*?", "aa")], [m.span() for m in re.finditer(r"a*|b", "aab")], [m.span() for m in re.finditer("", "中文")])

# ---- patterns and matches ----
p = re.compile(r"(?P<year>\d{4})-(?P<month>\d\d)(?:-(\d\d))?", re.ASCII)
print(p, p.pattern, p.flags == re.A, p.groups, dict(p.groupindex), compiled("a").flags, compiled("(?i)a", re.M).flags)
m = p.search("on 2024-05, 在 2025-06-07", 5)
print(m, m.group(), m.group(0), m[0], m["year"], m.group("year", 2, 3), m.groups(), m.groupdict(), m.start(), m.end(3), m.span("month"))
print(m.lastindex, m.lastgroup, m.pos, m.endpos, m.re is p, m.string, m.expand(r"\3/\g<month>"), m.regs, bool(m))
m = p.match("2024-05")
print(m.groups(), m.groups("?"), m.groupdict(), m.span(3), m[3], m.expand(r"<\3>"), m.lastindex, m.lastgroup)
print(p.match("x2024-05", 1).span(), p.match("2024-05", 0, 6), p.fullmatch("2024-05-06", 0, 7).group(), p.search("2024-05", 99), p.search("2024-05", -3).span())
print(compiled("^a").search("ba", 1), compiled("a$").search("ab", 0, 1), compiled("(?<=b)a").search("ba", 1), compiled(r"\ba").search("ba", 1))
print([re.match(q, "abab").lastindex for q in ("(a)(b)", "((ab))", "(?:(a)|(b))*", "((a)b)", "ab", "(a)(?=(b))")])
print(re.compile("a") is re.compile("a"), isinstance(p, re.Pattern), isinstance(m, re.Match), type(m).__name__, re.compile(p) is p)
print(compiled("中").split("一中二中三", 1), compiled("(a)|b").subn("x", "abc"), compiled("b").findall("abcb", 2), re.purge())
if (found := re.search(r"epoch (\d+): loss ([\d.]+)", "epoch 12: loss 0.5")) is not None:
    print(int(found[1]), float(found[2]))

# ---- what patterns say ----
for pattern, string in [
    ("a.c", "a\nc"), ("(?s)a.c", "a\nc"), ("^b", "a\nb"), ("(?m)^b$", "a\nb\nc"), ("b$", "ab\n"), (r"b\Z", "ab\n"), ("(?m)^", "a\nb\n"), ("(?m)$", "a\nb\n"), ("$", "a\n"),
    ("[a-c]+", "xabcd"), ("[^a-c]+", "xabcd"), ("[]a]+", "]a"), ("[^]a]", "]ab"), ("[a\\]]+", "a]"), ("[-a]+", "a-"), ("[a-]+", "a-"), (r"[\w.]+", "a.b c"), (r"[^\W\d_]+", "ab1_中"),
    ("[[]", "["), ("[[:alpha:]]", "a:]"), ("[a&&b]", "&"), (r"[\b]", "\b"), (r"[\x41\u4e2d\101]+", "A中"), (r"\x41\u4e2d\U0001f600\101\0", "A中😀A\0"), (r"\a\f\n\r\t\v", "\a\f\n\r\t\v"),
    ("a{2}", "aaa"), ("a{2,}", "aaa"), ("a{,2}", "aaa"), ("a{1,2}?", "aaa"), ("a{", "a{"), ("a{1,", "a{1,"), ("a{}", "a{}"), ("x{,y}", "x{,y}"), ("a{,}", "aaa"), ("}{", "}{"),
    ("a*?b", "aab"), ("a++a", "aaa"), ("(?>a*)a", "aaa"), ("a?+a", "a"), ("(?:ab)+", "abab"), ("(a|ab)(c|bcd)(d*)", "abcd"), ("(?i)ÀÉ", "àé"), ("(?i:a)b", "Ab"), ("(?i)a(?-i:b)", "AB"),
    (r"(?P<q>['\"]).*?(?P=q)", "say 'a\"b' c"), (r"(.)\1", "abccd"), (r"(a)?(?(1)b|c)", "ab"), (r"(?P<x>a)?(?(x)b|c)", "c"), ("(?=a)ab", "ab"), ("(?!a)b", "ab"), ("(?<=a)b", "ab"), ("(?<!a)b", "ab"),
    ("(?x) a b # the rest\n c", "abc"), (r"(?x)a\ b[ ]\#", "a b #"), ("(?x)a {2}", "a{2}aa"), ("(?#note)a", "a"), ("a(?#b)*", "aaa"), ("()|a", "a"), ("(?i)(?m)^A", "b\na"),
    (r"\d+", "٣4５"), (r"(?a)\d+", "٣4５"), (r"\w+", "naïve中"), (r"(?a)\w+", "naïve"), (r"(?a)\W", "aï"), (r"(?a:\w+)\w", "abï"), (r"\s+", "a\x1c b"), (r"(?a)\s+", "\u3000 "), (r"\S+", " \u3000中 "),
    (r"\bb", "a b"), (r"\Bb", "ab"), (r"(?a)\bï", "aïb"), (r"(?a)a\B", "aï ab"), (r"\.", "a.b"), (r"\-\_\@\中", "-_@中"), ("é", "e\u0301é"), (".", "😀"), ("[😀-😂]", "😁"), (r"[\D]", "1a"), (r"[\S\s]", "\n"),
    ("a|b|", "c"), ("(?:)", ""), ("(a*)+", "aa"), ("(?:a?)*?b", "aab"), (r"(\w+)\s\1", "the the"), ("^a*", "aa"), (r"\A\w", "ab"), (r"(?s).*", "a\nb"), ("[\n]", "\n"), ("#", "#"),
]:
    found = re.search(pattern, string)
    print(repr(pattern), found and (found.span(), found[0], found.groups()), [m.span() for m in re.finditer(pattern, string)])

# ---- errors ----
for pattern in [
    "(", "a)", "[", "[]", "a**", "*a", "a|*", "^*", r"\b+", "a{1}{2}", "a{3,2}", r"\h", r"\p{L}", r"\K", r"\R", r"\Q.\E", "\\", r"[\q]", "[\\", "(?P<1a>x)", "(?P<a b>c)", "(?P<>a)", "(?P<a",
    "(?P<a>x)(?P<a>y)", "(?P=zz)", "(?P=a", r"\2", r"(a\1)", r"\8", "(?<=a+)b", "(?Zx)", "(?<a>x)", "(?|a)", "(?R)", "(?P>a)", "(?'a'b)", "(?&a)", "(?1)", "(*FAIL)", "[b-a]", r"[\d-z]", r"[a-\w]", r"\x1",
    r"\u12", r"\U00110000", r"\400", "(?", "(?P", "a(?i)b", "(?#abc", "(?(1)a|b|c)", "(?(2)a)", "(?(0)a)", "(?(x)a)", "(?-i)", "(?i-i:a)", "(?L)a", "(?au)", "(?-a:x)", "(?i", "(?iz)", "(?i-", "(?:a", "(?=a", "x\n(",
    r"\N", "(?()a)", "(?P<a>(?P=a))",
]:
    try:
        re.compile(pattern)
        print(pattern, "is none")
    except re.error as wrong:
        print(repr(pattern), "|", wrong, "|", wrong.msg, wrong.pos, wrong.lineno, wrong.colno, wrong.pattern == pattern)
for repl in [r"\2", r"\g<x>", r"\g<1", r"\g", r"\g<>", r"\g<a b>", r"\q", "\\", r"\400", r"\g<3>"]:
    try:
        print(re.sub("(a)", repl, "a"))
    except (re.error, IndexError) as wrong:
        print(repr(repl), type(wrong).__name__, wrong)
for call in [lambda: re.compile(re.compile("a"), re.I), lambda: re.compile("a", re.A | re.U), lambda: re.match("(a)", "a").group(2), lambda: re.match("a", "a")["n"], lambda: re.compile(5)]:
    try:
        print(call())
    except (ValueError, IndexError, TypeError) as wrong:
        print(type(wrong).__name__, wrong)
