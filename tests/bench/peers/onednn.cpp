// Attention in oneDNN's primitives: matmul, softmax in place, matmul. The causal mask is added
// by a primitive of its own: as a step of the matmul it would be taken by slow reference code.
// Takes the options of attn-bench's attention, and serves as it does.
#include "timing.h"

extern "C" {
#include "options.h"
}
#include "numbers.h"

#include <dnnl.hpp>
#include <cmath>
#include <limits>
#include <omp.h>
#include <unordered_map>
#include <vector>

using dnnl::memory;
using Layout = memory::format_tag;
using Arguments = std::unordered_map<int, memory>;

static std::vector<float> numbers(size_t count, unsigned seed) {
    std::vector<float> x(count);
    for (size_t i = 0; i < count; i++) x[i] = static_cast<float>(number_at(i, seed));
    return x;
}

// 0 where a query sees a key, else -inf.
static std::vector<float> causal_mask(size_t n) {
    std::vector<float> mask(n * n, 0);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) mask[i * n + j] = -std::numeric_limits<float>::infinity();
    return mask;
}

struct Attention {
    dnnl::engine engine{dnnl::engine::kind::cpu, 0};
    dnnl::stream stream{engine};
    std::vector<float> q, k, v, out, scores, mask;
    std::vector<std::pair<dnnl::primitive, Arguments>> steps;

    static memory::desc shape(memory::dim batch, memory::dim rows, memory::dim columns, Layout layout = Layout::abc) {
        return memory::desc({batch, rows, columns}, memory::data_type::f32, layout);
    }

    explicit Attention(const Options &o) {
        size_t n = static_cast<size_t>(o.n), heads = static_cast<size_t>(o.heads), dim = static_cast<size_t>(o.dim);
        for (auto *x : {&q, &k, &v}) *x = numbers(n * heads * dim, x == &q ? 1 : x == &k ? 2 : 3);
        out.resize(n * heads * dim);
        scores.resize(heads * n * n);
        auto rows = shape(o.heads, o.n, o.dim), columns = shape(o.heads, o.dim, o.n, Layout::acb);
        auto square = shape(o.heads, o.n, o.n);
        memory s(square, engine, scores.data());
        dnnl::primitive_attr scaled;
        scaled.set_output_scales(0, {1 / std::sqrt(static_cast<float>(o.dim))});
        dnnl::matmul::primitive_desc products(dnnl::matmul::desc(rows, columns, square), scaled, engine);
        steps.push_back({dnnl::matmul(products), {{DNNL_ARG_SRC, {rows, engine, q.data()}},
                                                  {DNNL_ARG_WEIGHTS, {columns, engine, k.data()}}, {DNNL_ARG_DST, s}}});
        if (o.causal) {
            mask = causal_mask(n);
            auto one = shape(1, o.n, o.n);
            dnnl::binary::desc add(dnnl::algorithm::binary_add, square, one, square);
            steps.push_back({dnnl::binary(dnnl::binary::primitive_desc(add, engine)),
                             {{DNNL_ARG_SRC_0, s}, {DNNL_ARG_SRC_1, {one, engine, mask.data()}}, {DNNL_ARG_DST, s}}});
        }
        dnnl::softmax_forward::desc soften(dnnl::prop_kind::forward_inference, square, 2);
        steps.push_back({dnnl::softmax_forward(dnnl::softmax_forward::primitive_desc(soften, engine)),
                         {{DNNL_ARG_SRC, s}, {DNNL_ARG_DST, s}}});
        dnnl::matmul::primitive_desc outputs(dnnl::matmul::desc(square, rows, rows), engine);
        steps.push_back({dnnl::matmul(outputs), {{DNNL_ARG_SRC, s}, {DNNL_ARG_WEIGHTS, {rows, engine, v.data()}},
                                                 {DNNL_ARG_DST, {rows, engine, out.data()}}}});
    }

    static bool run(void *context) {
        auto *self = static_cast<Attention *>(context);
        for (auto &step : self->steps) step.first.execute(self->stream, step.second);
        self->stream.wait();
        return true;
    }

    double checksum() const {
        double sum = 0;
        for (size_t i = 0; i < out.size(); i++) sum += static_cast<double>(out[i]) * number_weight(i);
        return sum;
    }
};

int main(int argc, char **argv) {
    Options options;
    options_init(&options);
    if (argc < 2 || !options_read(&options, argv[1], argv + 2)) return 1;
    omp_set_num_threads(static_cast<int>(options.threads));
    Attention attention(options);
    Timed timed = {Attention::run, &attention, 1};
    Attention::run(&attention);
    return timed_serve(&timed, attention.checksum(), 0) ? 0 : 1;
}
