// Attention in ONNX Runtime, in the fastest of the ways that a graph may say it; of many queries,
// where each way takes long to start, in the one that is the fastest there. The models are written
// here, field by field. Takes the options of attn-bench, and serves as it does.
//
//   node onnxruntime.mjs FOLDER attention --n N ...     FOLDER holds node_modules
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

const ort = createRequire(resolve(process.argv[2], 'package.json'))('onnxruntime-node');
const text = { type: 'string' }, flag = { type: 'boolean' };
const { values } = parseArgs({
  args: process.argv.slice(4),
  options: { n: text, heads: text, dim: text, threads: text, causal: flag, serve: flag },
});
const n = Number(values.n), heads = Number(values.heads), dim = Number(values.dim), causal = Boolean(values.causal);

// ---- protocol buffers: a message is a list of fields, each a key and its content ----

const varint = (value) => {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return Buffer.from([...bytes, value]);
};
const message = (...fields) => Buffer.concat(fields.flat());
const number = (field, value) => message(varint(field * 8), varint(value));
const bytes = (field, content) => message(varint(field * 8 + 2), varint(Buffer.byteLength(content)), Buffer.from(content));
const float32 = (value) => Buffer.from(new Float32Array([value]).buffer);

// ---- a model: the fields of onnx.proto that it needs ----

const FLOAT = 1, INT32 = 6, OPSET = 23;
const tensorType = (name, type, shape) => {
  const dimensions = bytes(2, message(shape.map((size) => bytes(1, number(1, size)))));
  return message(bytes(1, name), bytes(2, bytes(1, message(number(1, type), dimensions))));
};
const whole = (name, value) => message(bytes(1, name), number(3, value), number(20, 2));
const real = (name, value) => message(bytes(1, name), varint(2 * 8 + 5), float32(value), number(20, 1));
const wholes = (name, list) => message(bytes(1, name), list.map((value) => number(8, value)), number(20, 7));
const constant = (name, value) => message(number(2, FLOAT), bytes(8, name), bytes(9, float32(value)));
const node = (type, inputs, outputs, attributes = [], domain = '') => message(
  inputs.map((name) => bytes(1, name)), outputs.map((name) => bytes(2, name)), bytes(4, type),
  attributes.map((attribute) => bytes(5, attribute)), bytes(7, domain));
const model = ({ nodes, constants = [], inputs, outputs }) => {
  const graph = message(nodes.map((one) => bytes(1, one)), bytes(2, 'attention'), constants.map((one) => bytes(5, one)),
    inputs.map((one) => bytes(11, one)), outputs.map((one) => bytes(12, one)));
  const opset = (domain, version) => bytes(8, message(bytes(1, domain), number(2, version)));
  return message(number(1, 10), bytes(7, graph), opset('', OPSET), opset('com.microsoft', 1));
};

// ---- the ways ----

const apart = [1, heads, n, dim], joined = [1, n, heads * dim];
const scale = 1 / Math.sqrt(dim);
const three = (shape) => ['q', 'k', 'v'].map((name) => tensorType(name, FLOAT, shape));

function matmul() {
  const nodes = [
    node('Transpose', ['k'], ['kt'], [wholes('perm', [0, 1, 3, 2])]),
    node('MatMul', ['q', 'kt'], ['products']),
    node('Mul', ['products', 'scale'], ['scaled']),
    ...(causal ? [node('Add', ['scaled', 'mask'], ['scores'])] : []),
    node('Softmax', [causal ? 'scores' : 'scaled'], ['weights'], [whole('axis', 3)]),
    node('MatMul', ['weights', 'v'], ['out']),
  ];
  const mask = causal ? [tensorType('mask', FLOAT, [n, n])] : [];
  const outputs = [tensorType('out', FLOAT, apart)];
  return { nodes, constants: [constant('scale', scale)], inputs: [...three(apart), ...mask], outputs };
}

function attention() {
  const nodes = [node('Attention', ['q', 'k', 'v'], ['out'], [whole('is_causal', causal ? 1 : 0)])];
  return { nodes, inputs: three(apart), outputs: [tensorType('out', FLOAT, apart)] };
}

function multiHead() {
  const attributes = [whole('num_heads', heads), whole('unidirectional', causal ? 1 : 0), real('scale', scale)];
  const nodes = [node('MultiHeadAttention', ['q', 'k', 'v'], ['out'], attributes, 'com.microsoft')];
  return { nodes, inputs: three(joined), outputs: [tensorType('out', FLOAT, joined)], joined: true };
}

// Causal by definition. It hands out keys and values, too.
function groupQuery() {
  const attributes = [whole('num_heads', heads), whole('kv_num_heads', heads), real('scale', scale)];
  const inputs = ['q', 'k', 'v', '', '', 'last', 'total'];
  const nodes = [node('GroupQueryAttention', inputs, ['out', 'keys', 'values'], attributes, 'com.microsoft')];
  const outputs = [tensorType('out', FLOAT, joined), tensorType('keys', FLOAT, apart), tensorType('values', FLOAT, apart)];
  const lengths = [tensorType('last', INT32, [1]), tensorType('total', INT32, [1])];
  return { nodes, inputs: [...three(joined), ...lengths], outputs, joined: true };
}

const MANY = 2048;
const favourite = causal ? { GroupQueryAttention: groupQuery } : { MultiHeadAttention: multiHead };
const ways = n > MANY ? favourite : { Attention: attention, MatMul: matmul, MultiHeadAttention: multiHead, ...favourite };

// ---- numbers, as in numbers.h ----

function numbers(seed) {
  const out = new Float32Array(heads * n * dim);
  for (let i = 0; i < out.length; i++) {
    let x = (Math.imul(i, 2654435769) + Math.imul(seed, 2246822507)) >>> 0;
    x = Math.imul(x ^ (x >>> 16), 2146121005) >>> 0;
    x = (x ^ (x >>> 15)) >>> 0;
    out[i] = (x >>> 8) / 8388608 - 1;
  }
  return out;
}

// (a, b, dim) as (b, a, dim)
function swapped(x, a, b) {
  const out = new Float32Array(x.length);
  for (let i = 0; i < a; i++)
    for (let j = 0; j < b; j++) out.set(x.subarray((i * b + j) * dim, (i * b + j + 1) * dim), (j * a + i) * dim);
  return out;
}

function checksum(out, isJoined) {
  const x = isJoined ? swapped(out, n, heads) : out;
  return x.reduce((sum, value, i) => sum + value * (i % 7 + 1), 0);
}

function causalMask() {
  const mask = new Float32Array(n * n);
  for (let i = 0; i < n; i++) mask.fill(-Infinity, i * n + i + 1, (i + 1) * n);
  return new ort.Tensor('float32', mask, [n, n]);
}

function feedsOf(names, isJoined) {
  const feeds = {};
  ['q', 'k', 'v'].forEach((name, i) => {
    const x = numbers(i + 1);
    feeds[name] = new ort.Tensor('float32', isJoined ? swapped(x, heads, n) : x, isJoined ? joined : apart);
  });
  if (names.includes('mask')) feeds.mask = causalMask();
  if (names.includes('last')) {
    feeds.last = new ort.Tensor('int32', Int32Array.of(n - 1), [1]);
    feeds.total = new ort.Tensor('int32', Int32Array.of(n), [1]);
  }
  return feeds;
}

// ---- samples ----

const SAMPLE_MS = 20;

async function sample(call, calls) {
  for (let i = 0; i < calls >> 1; i++) await call();
  const start = performance.now();
  for (let i = 0; i < calls; i++) await call();
  return (performance.now() - start) / calls;
}

async function calibrate(call) {
  for (let calls = 1;;) {
    const wanted = SAMPLE_MS / await sample(call, calls);
    if (wanted <= calls) return calls;
    calls = Math.floor(Math.min(wanted + 1, 4 * calls));
  }
}

const sessionOptions = {
  intraOpNumThreads: Number(values.threads), interOpNumThreads: 1, executionMode: 'sequential', logSeverityLevel: 3,
};

async function prepare(name) {
  const way = ways[name]();
  const session = await ort.InferenceSession.create(model(way), sessionOptions);
  const feeds = feedsOf(session.inputNames, way.joined);
  const call = () => session.run(feeds, ['out']);
  const sum = checksum((await call()).out.data, way.joined);
  const calls = await calibrate(call);
  return { name, session, call, calls, sum, ms: await sample(call, calls) };
}

let best;
for (const name of Object.keys(ways)) {
  const one = await prepare(name);
  const loser = best?.ms <= one.ms ? one : best;
  if (loser !== one) best = one;
  await loser?.session.release();
}
console.log(`ready ${best.sum.toPrecision(8)} 0 ${best.name}`);
for await (const line of createInterface({ input: process.stdin })) {
  void line;
  console.log((await sample(best.call, best.calls)).toPrecision(6));
}
