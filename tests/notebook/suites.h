SUITE(cells)
SUITE(notebook)
