SUITE(document)
SUITE(notebook)
SUITE(prose)
