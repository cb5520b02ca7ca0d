import math


def _parts_of_text(text):
    """The numerator and the denominator in "3/4", "-1.25" or "1e-3"."""
    top, line, bottom = text.strip().partition("/")
    if line and top.lstrip("+-").isdigit() and bottom.isdigit():
        return int(top), int(bottom)
    mantissa, letter, exponent = top.lower().partition("e")
    before, point, after = mantissa.partition(".")
    digits = before.lstrip("+-") + after
    if line or not digits.isdigit() or (letter and not exponent.lstrip("+-").isdigit()):
        raise ValueError(f"Invalid literal for Fraction: {text!r}")
    sign = -1 if before.startswith("-") else 1
    power = (int(exponent) if letter else 0) - len(after)
    return sign * int(digits) * 10 ** max(power, 0), 10 ** max(-power, 0)


def _parts(x):
    if isinstance(x, Fraction):
        return x.numerator, x.denominator
    if isinstance(x, str):
        return _parts_of_text(x)
    if isinstance(x, (int, float)):
        return x.as_integer_ratio()
    raise TypeError("argument should be a string or a Rational instance")


def _operand(x):
    """A fraction or a whole number as a fraction; None: it is another value."""
    if isinstance(x, Fraction):
        return x
    return Fraction(x) if isinstance(x, int) else None


def _operator(of_fractions, of_numbers, swapped=False):
    def operate(self, other):
        operand = _operand(other)
        if operand is not None:
            return of_fractions(operand, self) if swapped else of_fractions(self, operand)
        if not isinstance(other, float):
            return NotImplemented
        return of_numbers(other, float(self)) if swapped else of_numbers(float(self), other)

    return operate


def _sum(a, b, sign):
    shared = math.gcd(a.denominator, b.denominator)
    widened = b.denominator // shared
    return Fraction(a.numerator * widened + sign * b.numerator * (a.denominator // shared), a.denominator * widened)


def _add(a, b):
    return _sum(a, b, 1)


def _subtract(a, b):
    return _sum(a, b, -1)


def _multiply(a, b):
    left, right = math.gcd(a.numerator, b.denominator), math.gcd(b.numerator, a.denominator)
    return Fraction((a.numerator // left) * (b.numerator // right), (a.denominator // right) * (b.denominator // left))


def _divide(a, b):
    if b.numerator == 0:
        raise ZeroDivisionError(f"Fraction({a.numerator}, 0)")
    return _multiply(a, Fraction(b.denominator, b.numerator))


def _quotient(a, b):
    quotient = _divide(a, b)
    return quotient.numerator // quotient.denominator


def _rest(a, b):
    return a - b * _quotient(a, b)


def _power(a, b):
    if b.denominator != 1:
        return float(a) ** float(b)
    n = b.numerator
    if n >= 0:
        return Fraction(a.numerator**n, a.denominator**n)
    return Fraction(a.denominator**-n, a.numerator**-n)


class Fraction:
    def __init__(self, numerator=0, denominator=None):
        top, bottom = _parts(numerator)
        if denominator is not None:
            other_top, other_bottom = _parts(denominator)
            top, bottom = top * other_bottom, bottom * other_top
        if bottom == 0:
            raise ZeroDivisionError(f"Fraction({top}, 0)")
        if abs(top) > 2**53 or (abs(bottom) > 2**53 and denominator is not None):
            raise OverflowError("the parts of a fraction are whole numbers up to 2**53 here")
        divisor = math.gcd(top, bottom) * (-1 if bottom < 0 else 1)
        self.numerator = top // divisor
        self.denominator = bottom // divisor

    @classmethod
    def from_float(cls, x):
        return cls(x)

    def as_integer_ratio(self):
        return self.numerator, self.denominator

    def limit_denominator(self, max_denominator=1000000):
        if max_denominator < 1:
            raise ValueError("max_denominator should be at least 1")
        if self.denominator <= max_denominator:
            return Fraction(self)
        top, bottom, next_top, next_bottom = 0, 1, 1, 0
        n, d = self.numerator, self.denominator
        while True:
            a = n // d
            if bottom + a * next_bottom > max_denominator:
                break
            top, bottom, next_top, next_bottom = next_top, next_bottom, top + a * next_top, bottom + a * next_bottom
            n, d = d, n - a * d
        k = (max_denominator - bottom) // next_bottom
        below, above = Fraction(top + k * next_top, bottom + k * next_bottom), Fraction(next_top, next_bottom)
        # Which is nearer, told by whole numbers: |above - self| is d / (next_bottom * denominator).
        return above if 2 * d * (bottom + k * next_bottom) <= self.denominator else below

    __add__ = _operator(_add, lambda a, b: a + b)
    __radd__ = _operator(_add, lambda a, b: a + b, True)
    __sub__ = _operator(_subtract, lambda a, b: a - b)
    __rsub__ = _operator(_subtract, lambda a, b: a - b, True)
    __mul__ = _operator(_multiply, lambda a, b: a * b)
    __rmul__ = _operator(_multiply, lambda a, b: a * b, True)
    __truediv__ = _operator(_divide, lambda a, b: a / b)
    __rtruediv__ = _operator(_divide, lambda a, b: a / b, True)
    __floordiv__ = _operator(_quotient, lambda a, b: a // b)
    __rfloordiv__ = _operator(_quotient, lambda a, b: a // b, True)
    __mod__ = _operator(_rest, lambda a, b: a % b)
    __rmod__ = _operator(_rest, lambda a, b: a % b, True)
    __pow__ = _operator(_power, lambda a, b: a**b)
    __rpow__ = _operator(_power, lambda a, b: a**b, True)
    __lt__ = _operator(lambda a, b: _sum(a, b, -1).numerator < 0, lambda a, b: a < b)
    __le__ = _operator(lambda a, b: _sum(a, b, -1).numerator <= 0, lambda a, b: a <= b)
    __gt__ = _operator(lambda a, b: _sum(a, b, -1).numerator > 0, lambda a, b: a > b)
    __ge__ = _operator(lambda a, b: _sum(a, b, -1).numerator >= 0, lambda a, b: a >= b)
    __eq__ = _operator(lambda a, b: a.numerator == b.numerator and a.denominator == b.denominator, lambda a, b: a == b)

    def __hash__(self):
        return hash(float(self))

    def __bool__(self):
        return self.numerator != 0

    def __neg__(self):
        return Fraction(-self.numerator, self.denominator)

    def __pos__(self):
        return self

    def __abs__(self):
        return Fraction(abs(self.numerator), self.denominator)

    def __float__(self):
        return self.numerator / self.denominator

    def __int__(self):
        return int(self.numerator / self.denominator)

    def __round__(self, ndigits=None):
        if ndigits is None:
            return round(self.numerator / self.denominator)
        return Fraction(round(self * 10**ndigits), 10**ndigits)

    def __str__(self):
        return f"{self.numerator}/{self.denominator}" if self.denominator != 1 else f"{self.numerator}"

    def __repr__(self):
        return f"Fraction({self.numerator}, {self.denominator})"
