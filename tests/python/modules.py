# What programs import from Python's modules.
import bisect
import heapq
import itertools as it
import operator
import string
from functools import cmp_to_key, lru_cache, partial, reduce, total_ordering
from itertools import accumulate, groupby, product
from typing import List, Optional

heap: List[int] = []
for n in [5, 2, 8, 1, 9]:
    heapq.heappush(heap, n)
print(heap, [heapq.heappop(heap) for _ in range(5)])
print(heapq.nlargest(2, [4, 1, 7]), heapq.nsmallest(2, [4, 1, 7]), heapq.heappushpop([2, 3], 1))
numbers = [9, 4, 6]
heapq.heapify(numbers)
print(numbers, heapq.heapreplace(numbers, 5), numbers)

print(list(product([1, 2], "ab")), list(product([0, 1], repeat=2)))
print(list(it.permutations("abc", 2)), list(it.permutations([1, 2, 3])))
print(list(it.combinations("abcd", 2)), list(it.combinations_with_replacement("ab", 3)))
print(list(it.chain([1], [2, 3])), list(it.chain.from_iterable(["ab", "c"])))
print(list(it.islice(it.count(5, 2), 3)), list(it.islice("abcdefg", 1, 6, 2)))
print(list(accumulate([1, 2, 3])), list(accumulate([1, 2, 3], operator.mul, initial=2)))
print([(k, list(g)) for k, g in groupby("aabcc")], [k for k, g in groupby([1, 3, 2], lambda n: n % 2)])
print(list(it.zip_longest("ab", "c", fillvalue="-")), list(it.pairwise([1, 2, 3])))
print(list(it.takewhile(lambda n: n < 3, [1, 3, 1])), list(it.dropwhile(lambda n: n < 3, [1, 3, 1])))
lights = it.cycle(["red", "green"])
print([next(lights) for _ in range(3)], list(it.repeat("x", 2)), list(it.starmap(max, [(1, 2)])))

print(reduce(lambda a, b: a * b, [1, 2, 3, 4]), reduce(operator.add, [[1], [2]], []))
print(partial(max, 3)(2), sorted([3, 1, 2], key=cmp_to_key(lambda a, b: b - a)))


@lru_cache(maxsize=None)
def paths(a, b):
    return 1 if a == 0 or b == 0 else paths(a - 1, b) + paths(a, b - 1)


print(paths(12, 12), paths.cache_info().misses, paths.__name__)


@total_ordering
class Version:
    def __init__(self, *parts):
        self.parts = parts

    def __eq__(self, other):
        return self.parts == other.parts

    def __lt__(self, other):
        return self.parts < other.parts


print(Version(1, 2) <= Version(1, 2), Version(2) > Version(1, 9), Version(1) >= Version(2))

names = ["a", "c"]
bisect.insort(names, "b")
print(names, bisect.bisect_left([1, 2, 2], 2), bisect.bisect([1, 2, 2], 2))
print(operator.itemgetter(1)("xyz"), operator.itemgetter(0, 2)("xyz"))
print(string.ascii_lowercase[:3], string.digits, len(string.punctuation))
max = 5
found: Optional[int] = heapq.nlargest(1, [3])[0]
print(found, max)
