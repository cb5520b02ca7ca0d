# dicts whose keys are numbers, and tuples
word_to_id = {"the": 0, "cat": 1, "sat": 2}
id_to_word = {i: w for w, i in word_to_id.items()}
print(id_to_word)
print(" ".join(id_to_word[i] for i in [1, 2, 0]))
hidden = {}
hidden[-1] = 1
for t in range(3):
    hidden[t] = hidden[t - 1] * 2
print(hidden[2], len(hidden), 3 in hidden, -1 in hidden)
pairs = {}
for a, b in zip("abab", "baba"):
    if (a, b) not in pairs:
        pairs[(a, b)] = 0
    pairs[(a, b)] += 1
print(pairs)
for key, value in pairs.items():
    print(key, value)
print({True: "yes", 0: "no"}[1], {1: "a"}[True])
try:
    print(id_to_word[9])
except KeyError:
    print("no such key")
