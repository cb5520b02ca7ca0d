SEQS = [[2, 1, 3, 2, 4], [3, 4, 3, -1, 2], [5, 5, 0]]
WORDS = ["hello", "abbccdd", "mississippi"]


def row_91(got, folder):
    picked = [[seq[i]] * len(seq) for seq in SEQS for i in range(3)]
    shifted = [[seq[j - i] if 0 <= j - i < len(seq) else 0 for j in range(len(seq))] for seq in SEQS for i in (-1, 0, 2)]
    return [picked, picked, shifted]


def row_92(got, folder):
    sums = ("xyz+ax", "1+22", "+7")
    return [[s.rstrip("_").rjust(len(s), "0") for s in ("xyz___", "ab", "xyzabc__")], [part.rjust(len(s), "0") for s in sums for part in s.split("+")]]


def row_93(got, folder):
    return [[[min(seq)] * len(seq) for seq in SEQS], [[seq.index(seq[k])] * len(seq) for seq in SEQS for k in range(3)]]


def row_94(got, folder):
    found = []
    for s in ("1<<2", "2<<<3", "3<<<1<<3", "123"):
        out = ""
        for c in reversed(s):
            out = (out[0] if c == "<" else c) + out
        found.append(out)
    return found


def row_95(got, folder):
    sums = ("1+2", "22+38", "3+10", "683+345", "19492+23919", "99+1", "999999+1")
    return [[int(c) for c in str(sum(map(int, s.split("+")))).rjust(len(s), "0")] for s in sums]


def row_96(got, folder):
    counts = [[w.count(c) for c in w] for w in WORDS]
    return [[w[::-1] for w in WORDS], counts, [[len({c for c in w if w.count(c) == n}) for n in row] for w, row in zip(WORDS, counts)]]


def row_97(got, folder):
    frequent = ["".join(sorted(dict.fromkeys(w), key=lambda c: -w.count(c))) for w in WORDS]
    return [["".join(sorted(w)) for w in WORDS], frequent, [True, True, False, False, False]]
