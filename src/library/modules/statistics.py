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
    data = _numbers(data)
    return _squares(data, mu) / len(data)


def stdev(data, xbar=None):
    return variance(_numbers(data, 2, "stdev requires at least two data points"), xbar) ** 0.5


def pstdev(data, mu=None):
    return pvariance(data, mu) ** 0.5


def harmonic_mean(data):
    data = _numbers(data)
    return len(data) / sum([1 / x for x in data])


def geometric_mean(data):
    data = _numbers(data)
    return exp(sum([log(x) for x in data]) / len(data))


def quantiles(data, n=4):
    data = sorted(_numbers(data, 2))
    cuts = []
    for i in range(1, n):
        j, rest = i * (len(data) + 1) // n, i * (len(data) + 1) % n
        j = min(max(j, 1), len(data) - 1)
        rest = i * (len(data) + 1) - j * n
        cuts.append((data[j - 1] * (n - rest) + data[j] * rest) / n)
    return cuts


def correlation(x, y):
    x, y = _numbers(x, 2), _numbers(y, 2)
    a, b = mean(x), mean(y)
    return (sum([(p - a) * (q - b) for p, q in zip(x, y)])
            / (_squares(x, a) * _squares(y, b)) ** 0.5)


def covariance(x, y):
    x, y = _numbers(x, 2), _numbers(y, 2)
    a, b = mean(x), mean(y)
    return sum([(p - a) * (q - b) for p, q in zip(x, y)]) / (len(x) - 1)


class LinearRegression(NamedTuple):
    slope: float
    intercept: float


def linear_regression(x, y):
    slope = covariance(x, y) / variance(x)
    return LinearRegression(slope, mean(y) - slope * mean(x))
