# A heap is a list: heap[k] is at most heap[2 * k + 1] and heap[2 * k + 2], so heap[0] is the least.


def _sink(heap, start, at):
    item = heap[at]
    while at > start:
        parent = (at - 1) // 2
        above = heap[parent]
        if not item < above:
            break
        heap[at] = above
        at = parent
    heap[at] = item


def _rise(heap, at):
    end = len(heap)
    start = at
    item = heap[at]
    child = 2 * at + 1
    while child < end:
        if child + 1 < end and not heap[child] < heap[child + 1]:
            child += 1
        heap[at] = heap[child]
        at = child
        child = 2 * at + 1
    heap[at] = item
    _sink(heap, start, at)


def heappush(heap, item):
    heap.append(item)
    _sink(heap, 0, len(heap) - 1)


def heappop(heap):
    if not heap:
        raise IndexError("index out of range")
    last = heap.pop()
    if not heap:
        return last
    least = heap[0]
    heap[0] = last
    _rise(heap, 0)
    return least


def heapreplace(heap, item):
    least = heap[0]
    heap[0] = item
    _rise(heap, 0)
    return least


def heappushpop(heap, item):
    if heap and heap[0] < item:
        return heapreplace(heap, item)
    return item


def heapify(heap):
    for at in range(len(heap) // 2 - 1, -1, -1):
        _rise(heap, at)


# The same with the greatest in front, by the names that Python has for them before 3.14.


def _sink_max(heap, start, at):
    item = heap[at]
    while at > start:
        parent = (at - 1) // 2
        above = heap[parent]
        if not above < item:
            break
        heap[at] = above
        at = parent
    heap[at] = item


def _rise_max(heap, at):
    end = len(heap)
    start = at
    item = heap[at]
    child = 2 * at + 1
    while child < end:
        if child + 1 < end and not heap[child + 1] < heap[child]:
            child += 1
        heap[at] = heap[child]
        at = child
        child = 2 * at + 1
    heap[at] = item
    _sink_max(heap, start, at)


def _heappop_max(heap):
    last = heap.pop()
    return _heapreplace_max(heap, last) if heap else last


def _heapreplace_max(heap, item):
    greatest = heap[0]
    heap[0] = item
    _rise_max(heap, 0)
    return greatest


def _heapify_max(heap):
    for at in range(len(heap) // 2 - 1, -1, -1):
        _rise_max(heap, at)


def nsmallest(n, items, key=None):
    return sorted(items, key=key)[:max(n, 0)]


def nlargest(n, items, key=None):
    return sorted(items, key=key, reverse=True)[:max(n, 0)]


def merge(*lists, key=None, reverse=False):
    lists = [iter(items) for items in lists]
    heads = []
    for place, items in enumerate(lists):
        for x in items:
            heads.append([x if key is None else key(x), place, x])
            break
    while heads:
        first = heads[0]
        for head in heads:
            if head[0] > first[0] if reverse else head[0] < first[0]:
                first = head
        yield first[2]
        for x in lists[first[1]]:
            first[0] = x if key is None else key(x)
            first[2] = x
            break
        else:
            heads = [head for head in heads if head is not first]
