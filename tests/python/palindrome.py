def is_palindrome(text):
    letters = "".join([c for c in text.lower() if c not in " ,.!?'"])
    return letters == letters[::-1]

for line in ["A man, a plan, a canal. Panama", "hello", "Was it a car?", "Never odd or even"]:
    print(line, "->", is_palindrome(line))
