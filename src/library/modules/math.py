# Built in: *
tau = 6.283185307179586
gamma = tgamma


def frexp(m):
    e = 0
    while abs(m) >= 1 and isfinite(m):
        m /= 2
        e += 1
    while abs(m) < 0.5 and m != 0:
        m *= 2
        e -= 1
    return (m, e)
