import heapq
from collections import deque


class Empty(Exception):
    pass


class Full(Exception):
    pass


# There are no threads: where get or put would wait for another one, it raises Empty or Full.
class Queue:
    def __init__(self, maxsize=0):
        self.maxsize = maxsize
        self.queue = self._items()

    _items = deque

    def _add(self, item):
        self.queue.append(item)

    def _take(self):
        return self.queue.popleft()

    def qsize(self):
        return len(self.queue)

    def empty(self):
        return not self.queue

    def full(self):
        return 0 < self.maxsize <= len(self.queue)

    def put(self, item, block=True, timeout=None):
        if self.full():
            raise Full
        self._add(item)

    def get(self, block=True, timeout=None):
        if not self.queue:
            raise Empty
        return self._take()

    put_nowait = put
    get_nowait = get

    def task_done(self):
        pass

    join = task_done


class LifoQueue(Queue):
    _items = list

    def _take(self):
        return self.queue.pop()


class PriorityQueue(Queue):
    _items = list

    def _add(self, item):
        heapq.heappush(self.queue, item)

    def _take(self):
        return heapq.heappop(self.queue)


SimpleQueue = Queue
