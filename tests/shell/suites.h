SUITE(history)
SUITE(frame)
SUITE(paste)
SUITE(completion)
