sentence = "the animal was too tired"
for word in ["animal", "street", "too", "he anim", ""]:
    print(word in sentence, word not in sentence)
print("ab" * 3, 2 * "xy", "a" + "b" + "c", "abc" < "abd", "Z" < "a")
