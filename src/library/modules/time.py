# Built in: time
def perf_counter():
    return time()


monotonic = perf_counter
process_time = perf_counter


def perf_counter_ns():
    return floor(time() * 1e9)


time_ns = perf_counter_ns


def sleep(seconds):
    end = time() + seconds
    while time() < end:
        pass
