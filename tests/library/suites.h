SUITE(tables)
SUITE(examples)
SUITE(attention_results)
SUITE(gradient)
