#include "base/interrupt.h"

volatile sig_atomic_t interrupt_flag = 0;
