SUITE(json)
