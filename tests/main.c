/* Runs the suites of one layer: those that tests/LAYER/suites.h lists. */
#include <check.h>
#include <stdlib.h>

#define SUITE(name) Suite *name##_suite(void);
#include SUITES
#undef SUITE

int main(void) {
    setenv("CK_DEFAULT_TIMEOUT", "60", 0); /* only guards against hanging */
    SRunner *runner = srunner_create(NULL);
#define SUITE(name) srunner_add_suite(runner, name##_suite());
#include SUITES
#undef SUITE
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
