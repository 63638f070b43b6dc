/**
 * The cost of calls of `engine/core/dmath.ts` compared with `Math`. After `npm run build`: `node dist/bench/dmath.js`.
 * Only the ratio is meaningful; nanoseconds depend on the machine. The checksum keeps the calls from being optimised
 * away and shows that both sides did the same work.
 */
import * as dmath from '../engine/core/dmath.ts';
import { RandomStreams } from '../engine/core/index.ts';

type Unary = (x: number) => number;
type Binary = (x: number, y: number) => number;

interface Row {
  readonly name: string;
  readonly nanoseconds: number;
  readonly nanosecondsMath: number;
  readonly ratio: number;
  readonly checksum: number;
}

const COUNT = 4096;
const ROUNDS = 200;
const REPEATS = 7;

interface Timing {
  readonly nanoseconds: number;
  readonly checksum: number;
}

/**
 * One loop per function: a shared loop would have many callees, so that nothing is inlined and only the call is
 * measured. The sources differ by a comment, so that they are compiled separately. Each repeat enters the loop anew, so
 * that later repeats run fully optimised code.
 */
function timeLoop(name: string, run: Unary | Binary, xs: Float64Array, ys: Float64Array): Timing {
  const call = ys === xs ? 'run(xs[i])' : 'run(xs[i], ys[i])';
  const body = `let sum = 0;
    for (let round = 0; round < rounds; round++) for (let i = 0; i < xs.length; i++) sum += ${call};
    return sum; // ${name}`;
  const loop = new Function('run', 'xs', 'ys', 'rounds', body);
  let best = Number.POSITIVE_INFINITY;
  let checksum = 0;
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const start = performance.now();
    checksum = loop(run, xs, ys, ROUNDS);
    best = Math.min(best, performance.now() - start);
  }
  return { nanoseconds: (best * 1e6) / (COUNT * ROUNDS), checksum };
}

function benchMathematics(): Row[] {
  const random = new RandomStreams('bench').stream('dmath');
  const draw = (min: number, max: number) => Float64Array.from({ length: COUNT }, () => random.between(min, max));
  const angles = draw(-2 * Math.PI, 2 * Math.PI);
  const small = draw(-0.7, 0.7);
  const huge = draw(1e9, 1e12);
  const wide = draw(-1000, 1000);
  const signed = draw(-1, 1);
  const positive = draw(0.001, 1000);
  const exponents = draw(-5, 5);
  const squares = new Float64Array(COUNT).fill(2);
  const unary: [string, Unary, Unary, Float64Array][] = [
    ['sin, ±2π', dmath.sin, Math.sin, angles],
    ['cos, ±2π', dmath.cos, Math.cos, angles],
    ['tan, ±2π', dmath.tan, Math.tan, angles],
    ['sin, ±0.7', dmath.sin, Math.sin, small],
    ['cos, ±0.7', dmath.cos, Math.cos, small],
    ['sin, ±1000', dmath.sin, Math.sin, wide],
    ['sin, 1e9..1e12', dmath.sin, Math.sin, huge],
    ['asin', dmath.asin, Math.asin, signed],
    ['acos', dmath.acos, Math.acos, signed],
    ['atan', dmath.atan, Math.atan, wide],
    ['exp', dmath.exp, Math.exp, exponents],
    ['log', dmath.log, Math.log, positive],
    ['log2', dmath.log2, Math.log2, positive],
    ['log10', dmath.log10, Math.log10, positive],
    ['cbrt', dmath.cbrt, Math.cbrt, wide],
  ];
  const binary: [string, Binary, Binary, Float64Array, Float64Array][] = [
    ['atan2', dmath.atan2, Math.atan2, wide, angles],
    ['hypot', dmath.hypot, Math.hypot, wide, angles],
    ['pow', dmath.pow, (x, y) => x ** y, positive, exponents],
    ['pow, squares', dmath.pow, (x, y) => x ** y, wide, squares],
  ];
  const rows: Row[] = [];
  for (const [name, ours, theirs, xs, ys = xs] of [...unary, ...binary]) {
    const mine = timeLoop(name, ours, xs, ys);
    const other = timeLoop(`${name}, Math`, theirs, xs, ys);
    rows.push(row(name, mine, other.nanoseconds));
  }
  return rows;
}

function row(name: string, mine: Timing, nanosecondsMath: number): Row {
  const { nanoseconds, checksum } = mine;
  return { name, nanoseconds, nanosecondsMath, ratio: nanoseconds / nanosecondsMath, checksum };
}

for (const { name, nanoseconds, nanosecondsMath, ratio, checksum } of benchMathematics()) {
  const columns = [
    name.padEnd(16),
    `${nanoseconds.toFixed(1)} ns`.padStart(9),
    `Math ${nanosecondsMath.toFixed(1)} ns`.padStart(14),
  ];
  console.log(...columns, `${ratio.toFixed(2)}x`.padStart(7), ' ', checksum);
}
