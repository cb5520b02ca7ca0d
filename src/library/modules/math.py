# Built in: *
tau = 6.283185307179586
