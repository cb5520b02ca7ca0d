"""Lines of text that are broken, indented and shortened."""
import textwrap
from timeit import default_timer, timeit

text = ("The dot product of a query and a key says how well-suited they are; a softmax turns "
        "these scores into weights. Donaudampfschifffahrtsgesellschaft")
for width in (9, 14, 20, 40, 70):
    print(textwrap.fill(text, width))
print(textwrap.wrap(text, 30, initial_indent="* ", subsequent_indent="  "))
print(textwrap.wrap(""), textwrap.wrap("a-b x-1 ab-cd", 4), textwrap.wrap("abcdefgh", 3, break_long_words=False))
print(textwrap.shorten(text, 40), textwrap.shorten("a b", 9), textwrap.shorten("word", 3, placeholder="…"))
print(textwrap.indent("one\n\ntwo\n", "> "), textwrap.dedent("""\
    def f():
        return 1

      x
    """), sep="|")
start = default_timer()
print(timeit(lambda: sum(range(10)), number=3) >= 0, timeit("1 + 1", number=2) >= 0, default_timer() >= start)
