SUITE(history)
