# Built in: *
