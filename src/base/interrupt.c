#include "base/interrupt.h"

#include "base/error.h"

volatile sig_atomic_t interrupt_flag = 0;

bool interrupt_error(Error *err) {
    return error_set(err, ERR_INTERRUPT, "interrupted; what was done stays");
}
