from time import perf_counter

default_timer = perf_counter


def timeit(stmt="None", setup="None", timer=perf_counter, number=1000000, globals=None):
    run, prepare = [
        part if callable(part) else eval("lambda: " + part, globals) for part in (stmt, setup)]
    prepare()
    start = timer()
    for _ in range(number):
        run()
    return timer() - start


def repeat(stmt="None", setup="None", timer=perf_counter, repeat=5, number=1000000, globals=None):
    return [timeit(stmt, setup, timer, number, globals) for _ in range(repeat)]
