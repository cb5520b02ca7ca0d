SUITE(json)
SUITE(file)
SUITE(npy)
SUITE(csv)
