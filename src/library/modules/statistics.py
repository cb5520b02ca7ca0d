from typing import NamedTuple


class StatisticsError(ValueError):
    pass


def _numbers(data, least=1, message=None):
    data = list(data)
    if len(data) < least:
        raise StatisticsError(message or f"at least {least} numbers are needed")
    return data


def mean(data):
    data = _numbers(data, 1, "mean requires at least one data point")
    return sum(data) / len(data)


fmean = mean


def median(data):
    data = sorted(_numbers(data, 1, "no median for empty data"))
    half = len(data) // 2
    return data[half] if len(data) % 2 else (data[half - 1] + data[half]) / 2


def median_low(data):
    data = sorted(_numbers(data, 1, "no median for empty data"))
    return data[(len(data) - 1) // 2]


def median_high(data):
    data = sorted(_numbers(data, 1, "no median for empty data"))
    return data[len(data) // 2]


def multimode(data):
    counts = {}
    for x in data:
        counts[x] = counts.get(x, 0) + 1
    most = max(counts.values(), default=0)
    return [x for x, n in counts.items() if n == most]


def mode(data):
    return multimode(_numbers(data, 1, "no mode for empty data"))[0]


def _squares(data, centre):
    if centre is None:
        centre = sum(data) / len(data)
    return sum([(x - centre) ** 2 for x in data])


def variance(data, xbar=None):
    data = _numbers(data, 2, "variance requires at least two data points")
    return _squares(data, xbar) / (len(data) - 1)


def pvariance(data, mu=None):
    data = _numbers(data, 1, "pvariance requires at least one data point")
    return _squares(data, mu) / len(data)


def stdev(data, xbar=None):
    return variance(_numbers(data, 2, "stdev requires at least two data points"), xbar) ** 0.5


def pstdev(data, mu=None):
    return pvariance(data, mu) ** 0.5


def harmonic_mean(data):
    data = _numbers(data, 1, "harmonic_mean requires at least one data point")
    if min(data) < 0:
        raise StatisticsError("harmonic mean does not support negative values")
    return 0 if 0 in data else len(data) / sum([1 / x for x in data])


def geometric_mean(data):
    data = list(data)
    if not data or min(data) <= 0:
        raise StatisticsError("geometric mean requires a non-empty dataset containing positive "
                              "numbers")
    return exp(sum([log(x) for x in data]) / len(data))


def quantiles(data, *, n=4, method="exclusive"):
    if n < 1:
        raise StatisticsError("n must be at least 1")
    if method not in ("exclusive", "inclusive"):
        raise ValueError(f"Unknown method: {method!r}")
    data = sorted(_numbers(data, 2, "must have at least two data points"))
    cuts = []
    for i in range(1, n):
        if method == "inclusive":
            place = i * (len(data) - 1)
            j = place // n + 1
        else:
            place = i * (len(data) + 1) - n
            j = min(max(place // n + 1, 1), len(data) - 1)
        rest = place - (j - 1) * n
        cuts.append((data[j - 1] * (n - rest) + data[min(j, len(data) - 1)] * rest) / n)
    return cuts


def _pairs(x, y, what):
    x, y = list(x), list(y)
    if len(x) != len(y):
        raise StatisticsError(f"{what} requires that both inputs have same number of data points")
    return _numbers(x, 2, f"{what} requires at least two data points"), y


def correlation(x, y):
    x, y = _pairs(x, y, "correlation")
    a, b = mean(x), mean(y)
    spread = (_squares(x, a) * _squares(y, b)) ** 0.5
    if spread == 0:
        raise StatisticsError("at least one of the inputs is constant")
    return sum([(p - a) * (q - b) for p, q in zip(x, y)]) / spread


def covariance(x, y):
    x, y = _pairs(x, y, "covariance")
    a, b = mean(x), mean(y)
    return sum([(p - a) * (q - b) for p, q in zip(x, y)]) / (len(x) - 1)


class LinearRegression(NamedTuple):
    slope: float
    intercept: float


def linear_regression(x, y):
    x, y = _pairs(x, y, "linear regression")
    spread = variance(x)
    if spread == 0:
        raise StatisticsError("x is constant")
    slope = covariance(x, y) / spread
    return LinearRegression(slope, mean(y) - slope * mean(x))
