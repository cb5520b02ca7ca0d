SUITE(document)
SUITE(notebook)
SUITE(prose)
SUITE(check)
