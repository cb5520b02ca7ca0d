SUITE(history)
SUITE(frame)
SUITE(paste)
