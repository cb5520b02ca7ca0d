#include "model/optimiser.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/size.h"
#include "engine/kernels/kernels.h"
#include "engine/tensor/scratch.h"
#include "engine/tensor/threads.h"

#include <math.h>

const char *const optimiser_names[] = {"sgd", "adamw", "muon", NULL};
const char *const schedule_names[] = {"cosine", "constant", NULL};

void optimiser_release(Optimiser *optimiser) {
    tensor_unref(optimiser->first);
    tensor_unref(optimiser->second);
    *optimiser = (Optimiser){.first = NULL};
}

double optimiser_rate(const OptimiserOptions *options, size_t step, size_t steps) {
    const double pi = 3.14159265358979323846;
    size_t warmup = options->warmup;
    if (step < warmup) return options->rate * (double)(step + 1) / (double)warmup;
    if (options->schedule == SCHEDULE_CONSTANT || steps <= warmup) return options->rate;
    double done = (double)(step - warmup) / (double)(steps - warmup);
    return options->rate * (1 + cos(pi * done)) / 2;
}

double optimiser_norm(const Parameters *parameters, const Tensor *gradients, int *bad) {
    double squares = 0;
    *bad = NO_PARAMETER;
    for (size_t i = 0; i < parameters->count; i++) {
        const Parameter *row = &parameters->rows[i];
        const void *at = tensor_address(gradients, row->offset);
        double sum = KERNEL(gradients->dtype, fold[FOLD_SQUARES](at, row->count, 0));
        if (!isfinite(sum) && *bad == NO_PARAMETER) *bad = (int)i;
        squares += sum;
    }
    return sqrt(squares);
}

/* ---- a step ---- */

typedef struct Step {
    const Optimiser *optimiser;
    const OptimiserOptions *options;
    const Parameters *parameters;
    const Tensor *gradients;
    StepNumbers numbers;
    double rate;
    char *work; /* Muon: scratch of work_bytes for each thread; or NULL */
    size_t work_bytes;
} Step;

static bool is_orthogonalized(const Parameter *row) {
    return row->role == ROLE_MATRIX || row->role == ROLE_RESIDUAL;
}

/* Serves threads_share: updates parameter i. */
static void step_parameter(const void *job, size_t i, size_t thread) {
    const Step *step = job;
    const Parameter *row = &step->parameters->rows[i];
    const OptimiserOptions *options = step->options;
    StepNumbers how = step->numbers;
    double times = row->role == ROLE_RELATIVE ? options->relative_rate : 1;
    how.rate *= times;
    how.keep = 1 - (parameter_decays(row) ? step->rate * times * options->weight_decay : 0);
    void *p = tensor_address(step->parameters->block, row->offset),
         *first = tensor_address(step->optimiser->first, row->offset);
    const void *g = tensor_address(step->gradients, row->offset);
    DType dtype = step->gradients->dtype;
    if (step->work && is_orthogonalized(row)) {
        if (interrupt_flag) return;
        how.rate = step->rate;
        KERNEL(dtype, muon_step(p, first, g, row->shape.size[0], row->shape.size[1], &how,
                                step->work + thread * step->work_bytes));
    } else if (options->kind == OPTIMISER_SGD) {
        KERNEL(dtype, sgd_step(p, first, g, row->count, &how));
    } else {
        void *second = tensor_address(step->optimiser->second, row->offset);
        KERNEL(dtype, adamw_step(p, first, second, g, row->count, &how));
    }
}

/* The scratch that a thread needs for any step of Muon, in whole cache lines. */
static size_t muon_scratch(const Parameters *parameters) {
    size_t most = 0;
    for (size_t i = 0; i < parameters->count; i++) {
        const Parameter *row = &parameters->rows[i];
        if (!is_orthogonalized(row)) continue;
        const size_t *size = row->shape.size;
        most = larger(most, KERNEL(parameters->block->dtype, muon_bytes(size[0], size[1])));
    }
    return round_up(most, SCRATCH_ALIGNED);
}

bool optimiser_step(Optimiser *optimiser, const OptimiserOptions *options, double rate,
                    Parameters *parameters, const Tensor *gradients, double factor, Error *err) {
    const Tensor *block = parameters->block;
    bool has_squares = options->kind != OPTIMISER_SGD;
    int threads = threads_for_bytes(4 * block->count * dtype_size(block->dtype));
    size_t work_bytes = options->kind == OPTIMISER_MUON ? muon_scratch(parameters) : 0;
    LocalMemory char *work = NULL;
    if (work_bytes && !(work = mem_aligned((size_t)threads * work_bytes, err))) return false;
    if (!optimiser->first || optimiser->kind != options->kind) {
        Optimiser made = {.kind = options->kind};
        made.first = tensor_zeros(block->dtype, &block->shape, err);
        if (has_squares && made.first) made.second = tensor_zeros(block->dtype, &block->shape, err);
        if (!made.first || (has_squares && !made.second)) {
            optimiser_release(&made);
            return false;
        }
        optimiser_release(optimiser);
        *optimiser = made;
    }
    double t = (double)++optimiser->step;
    Step step = {.optimiser = optimiser,
                 .options = options,
                 .parameters = parameters,
                 .gradients = gradients,
                 .rate = rate,
                 .work = work,
                 .work_bytes = work_bytes,
                 .numbers = {.factor = factor,
                             .rate = rate,
                             .momentum = options->momentum,
                             .beta1 = options->beta1,
                             .beta2 = options->beta2,
                             .eps = options->eps}};
    if (has_squares) {
        step.numbers.rate = rate / (1 - pow(options->beta1, t));
        step.numbers.inverse_root = 1 / sqrt(1 - pow(options->beta2, t));
    }
    threads_share(threads, parameters->count, step_parameter, &step);
    return !work || !interrupted(err);
}
