SUITE(lexer)
SUITE(parse_tree)
SUITE(parse_command)
SUITE(parse_error)
