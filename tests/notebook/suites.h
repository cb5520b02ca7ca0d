SUITE(document)
SUITE(notebook)
