"""Word pieces as Devlin et al. (2019) publish them: clean the text, set Chinese characters apart,
split at white space, take small letters without accents, split at punctuation, and cut each word
into the longest pieces that are known. Small letters are taken letter by letter, as the tokenizers of
tokenizer.json do, so that no Greek sigma is a final one."""
import re
import unicodedata

CHINESE = [(0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F),
           (0x2B820, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F)]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def is_control(letter):
    return letter not in "\t\n\r" and unicodedata.category(letter).startswith("C")


def is_punctuation(letter):
    code = ord(letter)
    ascii_mark = 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96 or 123 <= code <= 126
    return ascii_mark or unicodedata.category(letter).startswith("P")


class WordPieces:
    def __init__(self, vocab, lower, most=100):
        self.vocab, self.lower, self.most = vocab, lower, most

    def words(self, text):
        out = []
        for letter in text:
            if ord(letter) in (0, 0xFFFD) or is_control(letter):
                continue
            if any(a <= ord(letter) <= b for a, b in CHINESE):
                out.append(f" {letter} ")
            else:
                out.append(" " if letter in "\t\n\r" or unicodedata.category(letter) == "Zs" else letter)
        words = []
        for word in "".join(out).split():
            if self.lower:
                word = "".join(letter.lower() for letter in word)
                word = "".join(c for c in unicodedata.normalize("NFD", word) if unicodedata.category(c) != "Mn")
            begins = True
            for letter in word:
                if begins or is_punctuation(letter):
                    words.append("")
                words[-1] += letter
                begins = is_punctuation(letter)
        return words

    def pieces(self, word):
        if len(word) > self.most:
            return ["[UNK]"]
        out, begin = [], 0
        while begin < len(word):
            for end in range(len(word), begin, -1):
                piece = ("##" if begin else "") + word[begin:end]
                if piece in self.vocab:
                    break
            else:
                return ["[UNK]"]
            out.append(piece)
            begin = end
        return out

    def encode(self, text):
        tokens = ["[CLS]"]
        for part in re.split("(" + "|".join(map(re.escape, SPECIAL)) + ")", text):
            if part in SPECIAL:
                tokens.append(part)
            else:
                tokens += [piece for word in self.words(part) for piece in self.pieces(word)]
        return [self.vocab[token] for token in tokens + ["[SEP]"]]
