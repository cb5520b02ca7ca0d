import time as _clock
import numpy as np

MINYEAR = 1
MAXYEAR = 9999
_MONTHS = ("January February March April May June July August September October November "
           "December").split()
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_WHOLE = {"F": "%Y-%m-%d", "T": "%H:%M:%S", "D": "%m/%d/%y", "R": "%H:%M"}
_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


def _length(year, month):
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 29 if month == 2 and leap else _LENGTHS[month - 1]


def _days_before(year):
    year -= 1
    return year * 365 + year // 4 - year // 100 + year // 400


def _expanded(pattern, whole):
    for letter in whole:
        pattern = pattern.replace("%" + letter, whole[letter])
    return pattern


class timedelta:
    def __init__(self, days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0,
                 weeks=0):
        days += weeks * 7
        seconds += minutes * 60 + hours * 3600 + (days - days // 1) * 86400
        microseconds += milliseconds * 1000 + (seconds - seconds // 1) * 1000000
        microseconds = round(microseconds)
        seconds = int(seconds // 1) + microseconds // 1000000
        self.days = int(days // 1) + seconds // 86400
        self.seconds = seconds % 86400
        self.microseconds = microseconds % 1000000

    def _parts(self):
        return (self.days, self.seconds, self.microseconds)

    def total_seconds(self):
        return self.days * 86400 + self.seconds + self.microseconds / 1000000

    def __add__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return timedelta(*[a + b for a, b in zip(self._parts(), other._parts())])

    def __neg__(self):
        return timedelta(*[-a for a in self._parts()])

    def __sub__(self, other):
        return self + -other if isinstance(other, timedelta) else NotImplemented

    def __abs__(self):
        return -self if self.days < 0 else self

    def __mul__(self, number):
        return timedelta(*[a * number for a in self._parts()])

    __rmul__ = __mul__

    def __truediv__(self, other):
        if isinstance(other, timedelta):
            return self.total_seconds() / other.total_seconds()
        return timedelta(*[a / other for a in self._parts()])

    def __floordiv__(self, other):
        if isinstance(other, timedelta):
            return self.total_seconds() // other.total_seconds()
        return timedelta(seconds=self.total_seconds() // other)

    def __mod__(self, other):
        return self - other * (self // other)

    def __eq__(self, other):
        return isinstance(other, type(self)) and self._parts() == other._parts()

    def __lt__(self, other):
        return self._parts() < other._parts() if isinstance(other, type(self)) else NotImplemented

    def __le__(self, other):
        return self._parts() <= other._parts() if isinstance(other, type(self)) else NotImplemented

    def __hash__(self):
        return hash(self._parts())

    def __bool__(self):
        return self._parts() != (0, 0, 0)

    def __str__(self):
        text = f"{self.seconds // 3600}:{self.seconds // 60 % 60:02d}:{self.seconds % 60:02d}"
        if self.microseconds:
            text += f".{self.microseconds:06d}"
        return f"{self.days} day{'s' if abs(self.days) != 1 else ''}, {text}" if self.days else text

    def __repr__(self):
        names = ("days", "seconds", "microseconds")
        parts = [f"{name}={part}" for name, part in zip(names, self._parts()) if part]
        return f"datetime.timedelta({', '.join(parts) or 0})"


class timezone:
    def __init__(self, offset, name=None):
        self._offset = offset
        self._name = name

    def utcoffset(self, dt):
        return self._offset

    def tzname(self, dt):
        return self._name or "UTC" + (_offset_text(self._offset) if self._offset else "")

    def __eq__(self, other):
        return isinstance(other, timezone) and self._offset == other._offset

    def __hash__(self):
        return hash(self._offset)

    def __str__(self):
        return self.tzname(None)

    def __repr__(self):
        return f"datetime.timezone({self._offset!r})" if self._offset else "datetime.timezone.utc"


def _offset_text(offset):
    seconds = int(abs(offset).total_seconds())
    return f"{'-' if offset.days < 0 else '+'}{seconds // 3600:02d}:{seconds // 60 % 60:02d}"


timezone.utc = UTC = timezone(timedelta(0))


def _format(x, pattern):
    day = x if isinstance(x, date) else date(1900, 1, 1)
    at = x if hasattr(x, "hour") else time()
    zone = "" if at.tzinfo is None else _offset_text(at.tzinfo.utcoffset(None))
    year_day = day.toordinal() - _days_before(day.year)
    values = {
        "Y": str(day.year), "y": f"{day.year % 100:02d}", "m": f"{day.month:02d}",
        "d": f"{day.day:02d}", "j": f"{year_day:03d}", "H": f"{at.hour:02d}",
        "I": f"{(at.hour + 11) % 12 + 1:02d}", "p": "AM" if at.hour < 12 else "PM",
        "M": f"{at.minute:02d}", "S": f"{at.second:02d}", "f": f"{at.microsecond:06d}",
        "B": _MONTHS[day.month - 1], "b": _MONTHS[day.month - 1][:3], "A": _DAYS[day.weekday()],
        "a": _DAYS[day.weekday()][:3], "w": str(day.isoweekday() % 7), "u": str(day.isoweekday()),
        "V": f"{day.isocalendar()[1]:02d}", "z": zone.replace(":", ""),
        "Z": "" if at.tzinfo is None else at.tzinfo.tzname(None), "%": "%",
    }
    values["h"] = values["b"]
    whole = {"x": "%D", "X": "%T", "c": f"%a %b {day.day:2d} %T %Y"}
    pattern = _expanded(_expanded(pattern, whole), _WHOLE)
    first, *parts = pattern.replace("%%", "%\0").split("%")
    text = [first]
    for part in parts:
        letter = "%" if part[:1] == "\0" else part[:1]
        bare = letter == "-" and part[1:2] in values
        value = values[part[1]].lstrip("0") or "0" if bare else values.get(letter, "%" + letter)
        text += [value, part[2 if bare else 1:]]
    return "".join(text)


class date:
    def __init__(self, year, month=None, day=None):
        self._set_day(year, month, day)

    def _set_day(self, year, month, day):
        if not MINYEAR <= year <= MAXYEAR:
            raise ValueError(f"year {year} is out of range")
        if not 1 <= month <= 12:
            raise ValueError("month must be in 1..12")
        if not 1 <= day <= _length(year, month):
            raise ValueError("day is out of range for month")
        self.year, self.month, self.day = year, month, day

    @classmethod
    def today(cls):
        return cls.fromtimestamp(_clock.time())

    @classmethod
    def fromtimestamp(cls, timestamp):
        return datetime.fromtimestamp(timestamp).date()

    @classmethod
    def fromordinal(cls, n):
        year = max(int(n / 365.2425), 1)
        while _days_before(year + 1) < n:
            year += 1
        n -= _days_before(year)
        month = 1
        while n > _length(year, month):
            n -= _length(year, month)
            month += 1
        return cls(year, month, n)

    @classmethod
    def fromisoformat(cls, text):
        try:
            year, month, day = [int(part) for part in text.split("-")]
        except ValueError:
            raise ValueError(f"Invalid isoformat string: {text!r}") from None
        return cls(year, month, day)

    def toordinal(self):
        months = sum([_length(self.year, m) for m in range(1, self.month)])
        return _days_before(self.year) + months + self.day

    def weekday(self):
        return (self.toordinal() + 6) % 7

    def isoweekday(self):
        return self.weekday() + 1

    def isocalendar(self):
        thursday = date.fromordinal(self.toordinal() - self.weekday() + 3)
        week = (thursday.toordinal() - _days_before(thursday.year) - 1) // 7 + 1
        return (thursday.year, week, self.isoweekday())

    def isoformat(self):
        return f"{self.year:04d}-{self.month:02d}-{self.day:02d}"

    def ctime(self):
        return _format(self, "%c")

    def strftime(self, format):
        return _format(self, format)

    def __format__(self, format):
        return _format(self, format) if format else str(self)

    def _parts(self):
        return (self.year, self.month, self.day)

    def replace(self, **parts):
        own = {key: x for key, x in self.__dict__.items() if x is not None}
        return type(self)(**{**own, **parts})

    def __add__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return date.fromordinal(self.toordinal() + other.days)

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return self + -other
        if not isinstance(other, date):
            return NotImplemented
        return timedelta(self.toordinal() - other.toordinal())

    __eq__ = timedelta.__eq__
    __lt__ = timedelta.__lt__
    __le__ = timedelta.__le__
    __hash__ = timedelta.__hash__

    def __str__(self):
        return self.isoformat()

    def __repr__(self):
        return f"datetime.date({self.year}, {self.month}, {self.day})"


def _set_time(x, hour, minute, second, microsecond, tzinfo):
    for name, value, most in (("hour", hour, 23), ("minute", minute, 59), ("second", second, 59)):
        if not 0 <= value <= most:
            raise ValueError(f"{name} must be in 0..{most}")
    x.hour, x.minute, x.second, x.microsecond, x.tzinfo = hour, minute, second, microsecond, tzinfo


def _time_text(x):
    text = f"{x.hour:02d}:{x.minute:02d}:{x.second:02d}"
    if x.microsecond:
        text += f".{x.microsecond:06d}"
    return text + ("" if x.tzinfo is None else _offset_text(x.tzinfo.utcoffset(None)))


class time:
    def __init__(self, hour=0, minute=0, second=0, microsecond=0, tzinfo=None):
        _set_time(self, hour, minute, second, microsecond, tzinfo)

    def _parts(self):
        return (self.hour, self.minute, self.second, self.microsecond)

    __eq__ = date.__eq__
    __lt__ = date.__lt__
    __le__ = date.__le__
    __hash__ = date.__hash__
    strftime = date.strftime
    __format__ = date.__format__
    replace = date.replace

    def isoformat(self):
        return _time_text(self)

    __str__ = isoformat

    def __repr__(self):
        parts = [self.hour, self.minute]
        parts += [self.second] if self.second or self.microsecond else []
        parts += [self.microsecond] if self.microsecond else []
        return f"datetime.time({', '.join(map(str, parts))})"


class datetime(date):
    def __init__(self, year, month=None, day=None, hour=0, minute=0, second=0, microsecond=0,
                 tzinfo=None):
        self._set_day(year, month, day)
        _set_time(self, hour, minute, second, microsecond, tzinfo)

    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(_clock.time(), tz)

    @classmethod
    def utcnow(cls):
        return cls.now(UTC).replace(tzinfo=None)

    @classmethod
    def fromtimestamp(cls, timestamp, tz=None):
        offset = timedelta(seconds=np.utc_offset(timestamp)) if tz is None else tz.utcoffset(None)
        return (datetime(1970, 1, 1) + timedelta(seconds=timestamp) + offset).replace(tzinfo=tz)

    @classmethod
    def combine(cls, date, time):
        return cls(date.year, date.month, date.day, time.hour, time.minute, time.second,
                   time.microsecond, time.tzinfo)

    @classmethod
    def fromisoformat(cls, text):
        try:
            day, _, clock = text.replace("T", " ").partition(" ")
            clock, zone = (clock[:-1], UTC) if clock[-1:] == "Z" else (clock, None)
            for sign in "+-":
                clock, cut, offset = clock.partition(sign)
                if cut:
                    hours, minutes = offset.split(":")
                    zone = timezone(int(sign + "1") * timedelta(hours=int(hours), minutes=int(minutes)))
            clock, _, fraction = clock.partition(".")
            year, month, day = [int(part) for part in day.split("-")]
            numbers = [int(part) for part in clock.split(":")] if clock else []
            parts = {"microsecond": int((fraction + "00000")[:6])} if fraction else {}
        except ValueError:
            raise ValueError(f"Invalid isoformat string: {text!r}") from None
        return cls(year, month, day, *numbers, **parts, tzinfo=zone)

    @classmethod
    def strptime(cls, text, format):
        words = {"B": _MONTHS, "b": [name[:3] for name in _MONTHS], "A": _DAYS,
                 "a": [name[:3] for name in _DAYS], "p": ["AM", "PM"]}
        widths = {"Y": 4, "m": 2, "d": 2, "H": 2, "I": 2, "M": 2, "S": 2, "f": 6, "y": 2, "j": 3}
        wrong = ValueError(f"time data {text!r} does not match format {format!r}")
        found = {}
        at = place = 0
        format = _expanded(format, _WHOLE)
        while place < len(format):
            c = format[place]
            letter = format[place + 1:place + 2] if c == "%" else ""
            place += 2 if letter else 1
            if letter in words and letter:
                names = [n for n, name in enumerate(words[letter])
                         if text[at:at + len(name)].lower() == name.lower()]
                if not names:
                    raise wrong
                found[letter] = names[0]
                at += len(words[letter][names[0]])
            elif letter in widths and letter:
                end = at
                while end < len(text) and end < at + widths[letter] and text[end].isdigit():
                    end += 1
                if end == at:
                    raise wrong
                found[letter] = int((text[at:end] + "00000")[:6] if letter == "f" else text[at:end])
                at = end
            elif c.isspace():
                while text[at:at + 1].isspace():
                    at += 1
            elif text[at:at + 1] != (letter or c):
                raise wrong
            else:
                at += 1
        if at < len(text):
            raise ValueError(f"unconverted data remains: {text[at:]}")
        year = found.get("Y", 1900)
        if "y" in found:
            year = found["y"] + (2000 if found["y"] < 69 else 1900)
        month = found.get("m", found.get("B", found.get("b", 0)) + 1)
        hour = found.get("H", found["I"] % 12 + 12 * found.get("p", 0) if "I" in found else 0)
        if not 1 <= month <= 12 or hour > 23 or found.get("M", 0) > 59:
            raise wrong
        return cls(year, month, found.get("d", 1), hour, found.get("M", 0), found.get("S", 0),
                   found.get("f", 0))

    def date(self):
        return date(self.year, self.month, self.day)

    def time(self):
        return time(self.hour, self.minute, self.second, self.microsecond)

    def _since(self):
        """The time since the beginning of year 1, in UTC where the zone is known."""
        seconds = self.hour * 3600 + self.minute * 60 + self.second
        since = timedelta(self.toordinal(), seconds, self.microsecond)
        return since if self.tzinfo is None else since - self.utcoffset()

    def utcoffset(self):
        return None if self.tzinfo is None else self.tzinfo.utcoffset(self)

    def timestamp(self):
        seconds = (self._since() - timedelta(719163)).total_seconds()
        return seconds - np.utc_offset(seconds) if self.tzinfo is None else seconds

    def astimezone(self, tz=None):
        seconds = self.timestamp()
        if tz is None:
            tz = timezone(timedelta(seconds=np.utc_offset(seconds)))
        return datetime.fromtimestamp(seconds, tz)

    def _parts(self):
        return self._since()._parts()

    def __add__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        sum = self.replace(tzinfo=None)._since() + other
        day = date.fromordinal(sum.days)
        s = sum.seconds
        return datetime(day.year, day.month, day.day, s // 3600, s // 60 % 60, s % 60,
                        sum.microseconds, self.tzinfo)

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, datetime):
            return self._since() - other._since()
        return self + -other if isinstance(other, timedelta) else NotImplemented

    def isoformat(self, sep="T", timespec="auto"):
        clock = _time_text(self if timespec == "auto" else self.replace(microsecond=0))
        return super().isoformat() + sep + (clock[:5] if timespec == "minutes" else clock)

    def __str__(self):
        return self.isoformat(" ")

    def __repr__(self):
        parts = [self.year, self.month, self.day, self.hour, self.minute]
        parts += [self.second] if self.second or self.microsecond else []
        parts += [self.microsecond] if self.microsecond else []
        zone = "" if self.tzinfo is None else f", tzinfo={self.tzinfo!r}"
        return f"datetime.datetime({', '.join(map(str, parts))}{zone})"


timedelta.max = timedelta(999999999)
date.min, date.max = date(1, 1, 1), date(9999, 12, 31)
datetime.min, datetime.max = datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 999999)
