# Built in: time process_time sleep
def perf_counter():
    return time()


monotonic = perf_counter


def perf_counter_ns():
    return floor(time() * 1e9)


time_ns = perf_counter_ns


class struct_time(tuple):
    tm_year, tm_mon, tm_mday, tm_hour, tm_min, tm_sec, tm_wday, tm_yday = [
        property(lambda self, at=at: self[at]) for at in range(8)]


def _day(seconds, zone=None):
    from datetime import datetime
    return datetime.fromtimestamp(time() if seconds is None else seconds, zone)


def _parts(day):
    parts = (day.year, day.month, day.day, day.hour, day.minute, day.second, day.weekday())
    return struct_time(parts + (int(day.strftime("%j")), -1))


def localtime(secs=None):
    return _parts(_day(secs))


def gmtime(secs=None):
    from datetime import UTC
    return _parts(_day(secs, UTC))


def strftime(format, t=None):
    from datetime import datetime
    return (_day(None) if t is None else datetime(*t[:6])).strftime(format)


def ctime(secs=None):
    return _day(secs).ctime()


def mktime(t):
    from datetime import datetime
    return datetime(*t[:6]).timestamp()
