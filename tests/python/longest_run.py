def longest_run(text):
    best, run = 0, 0
    before = ""
    letter = ""
    for c in text:
        run = run + 1 if c == before else 1
        before = c
        if run > best:
            best, letter = run, c
    return letter, best

print(longest_run("aabbbbcca"))
letter, length = longest_run("xyzzy")
print(letter, length)
