import type { Score } from '../../sdk/index.js';
import { generatedOrPlain } from '../../expression/index.js';
import type { CandidateAt } from '../candidates.js';
import { ignorePromise } from '../tasks.js';
import type { Arithmetic } from './combine-methods.js';

/** The input of the loop for one run: the scorers, their weights, and the buffer for the totals. */
export interface ScoreInput {
  readonly candidates: readonly unknown[];
  /** Reads candidates that are stored by column. */
  readonly at?: CandidateAt | undefined;
  /** By row: the candidate's position. */
  readonly kept: Int32Array;
  readonly scorers: readonly Score<unknown>[];
  readonly weights: Float64Array;
  /** The weights for one candidate, if they differ by case. */
  readonly weightsOf: (candidate: unknown, row: number) => Float64Array;
  /** By scorer, by row: the number that the loop computed, if columns are kept; NaN without a number. */
  readonly columns?: readonly Float64Array[] | undefined;
  /** By row: the combined score; not finite if the row must be resolved scorer by scorer. */
  readonly totals: Float64Array;
  /** Receives the scores of a row if one is not a number. Returns NaN. */
  readonly unsound: (...values: readonly unknown[]) => number;
  /**
   * Called with the error that a scorer or the formula threw. It returns if the error is about one candidate: the loop leaves
   * the row's total NaN and continues, and `resolveUnresolved` applies the scorer's `on_error` after the loop.
   *
   * @throws RunFailed if the error fails the run
   */
  readonly caught: (error: unknown, position: number, row: number) => void;
}

/** NaN, for a row with a score that is not a number. Handles the rejection of scores that are promises. */
export function unsound(...values: readonly unknown[]): number {
  for (const value of values) ignorePromise(value);
  return Number.NaN;
}

/** Scores the rows `from` to `to`. A scorer's `index` is the row. */
export type ScoreLoop = (input: ScoreInput, from: number, to: number) => void;

/** The facts that a loop is made for. Everything else may change from run to run. */
export interface ScoreShape {
  /** By scorer: its approximate number of bytecodes. A formula counts as one scorer. */
  readonly sizes: readonly number[];
  /** Undefined for a formula, which is one function of the candidate. */
  readonly arithmetic: Arithmetic | undefined;
  /** Whether the weights are chosen for each candidate. */
  readonly cases: boolean;
  /** Whether candidates are stored by column, so that the loop calls `at` for each. */
  readonly byColumn?: boolean;
  /** Whether each score is also written into its column. */
  readonly keeps?: boolean;
}

/** The number of rows per pass through all groups, so that their candidates stay in the CPU cache. */
export const TILE = 256;

/** Makes one loop per group of scorers. */
export const groupLoops = (
  shape: ScoreShape,
  groups: readonly (readonly [from: number, to: number])[],
): readonly ScoreLoop[] =>
  groups.map((group) => generateLoop(['k', 'b', 'e'], groupText(shape, group)) as unknown as ScoreLoop);

function tiledLoop(loops: readonly ScoreLoop[]): ScoreLoop {
  const [first] = loops;
  if (first && loops.length === 1) return first;
  return (k, from, to) => {
    for (let b = from; b < to; b += TILE) {
      const e = Math.min(to, b + TILE);
      for (let g = 0; g < loops.length; g++) loops[g]!(k, b, e);
    }
  };
}

/** One row of the plain loop. A score that is not finite, or too low, leaves the row unresolved. */
function plainTotal({ arithmetic, cases }: ScoreShape, k: ScoreInput, row: number): number {
  for (const column of k.columns ?? []) column[row] = Number.NaN;
  const candidate = k.candidates[k.kept[row]!];
  const weights = cases ? k.weightsOf(candidate, row) : k.weights;
  let total = arithmetic?.start ?? 0;
  for (const [s, scorer] of k.scorers.entries()) {
    const value = scorer(candidate, row, undefined);
    if (!Number.isFinite(value) || value === undefined) return k.unsound(value);
    if (k.columns) k.columns[s]![row] = value;
    if (!arithmetic) return value;
    if (value < arithmetic.minScore) return Number.NaN;
    total = arithmetic.add(total, value, weights[s]!);
  }
  return arithmetic?.finish ? arithmetic.finish.apply(total) : total;
}

const plainLoop =
  (shape: ScoreShape): ScoreLoop =>
  (k, from, to) => {
    for (let row = from; row < to; row++) {
      try {
        k.totals[row] = plainTotal(shape, k, row);
      } catch (error) {
        k.caught(error, k.kept[row]!, row);
        k.totals[row] = Number.NaN;
      }
    }
  };

/**
 * Makes the loop over the rows of one profile. A loop made for the profile takes 1.1 to 1.6 times as long as arithmetic
 * fused by hand; one loop shared by all profiles takes 7 times as long. Without code generation, a plain loop computes
 * the same numbers.
 */
export function makeScoreLoop(shape: ScoreShape, codegen = true): ScoreLoop {
  if (shape.sizes.length === 0) return (k, from, to) => void k.totals.fill(0, from, to); // a filter: nothing is scored
  return loopOrPlain(
    codegen,
    () => tiledLoop(groupLoops(shape, groupsOf(shape))),
    () => plainLoop(shape),
  );
}

/** The text that reads the candidate at a position. */
export const candidateText = ({ byColumn }: Pick<ScoreShape, 'byColumn'>, position: string): string =>
  byColumn ? `k.at(${position})` : `C[${position}]`;

/** V8 inlines about 920 bytecodes of callees into one function. Beyond that, each call costs as much as a whole scorer. */
const INLINING_BUDGET = 1000; // sizes are estimates, and rather too high

/** The text of the total of the scores `a` to `b`, with the arithmetic and order of a resolved row. */
export const totalText = ({ arithmetic }: ScoreShape, a: number, b: number, start: readonly string[]): string =>
  arithmetic
    ? arithmetic.text(
        start,
        Array.from({ length: b - a }, (_, k) => a + k),
      )
    : 'x0'; // a formula is one function

/**
 * The text that tests whether a score is a number, because null would count as 0 and '5' as 5. V8 drops the test if it
 * knows the type. The text tests for finite and high enough scores only if the total would hide them, as `min` does.
 */
function isSound({ arithmetic }: ScoreShape, k: number): string {
  const isNumber = `typeof x${k}==='number'`;
  if (!arithmetic?.hidesBadScores) return isNumber;
  const { minScore } = arithmetic;
  return `${isNumber}&&x${k}-x${k}===0${minScore > -Infinity ? `&&x${k}>=${minScore}` : ''}`;
}

/**
 * The text that handles a promise before a later scorer can throw, because the row then ends without its scores. V8 drops
 * the test if it inlined a scorer that returns numbers.
 */
const strayText = (k: number): string => `if(typeof x${k}==='object')s.unsound(x${k});`;

/** The text that scores row `j` of candidate `c` by the scorers `a` to `b`: NaN if one returns no number. */
export function scoreText(shape: ScoreShape, a: number, b: number): string {
  if (b === 0) return 'T[j]=0;'; // a filter: nothing is scored
  const weigh = shape.cases ? 'w=s.weightsOf(c,j);' : '';
  const calls = joinTexts(a, b, (k) => `const x${k}=f${k}(c,j,undefined);${k + 1 < b ? strayText(k) : ''}`);
  const sound = joinTexts(a, b, (k) => isSound(shape, k), '&&');
  const kept = columnsText(shape, a, b, (k) => `a${k}[j]=typeof x${k}==='number'?x${k}:s.unsound(x${k});`);
  return `${weigh}${calls} ${kept} T[j]=${sound}?${totalText(shape, a, b, a > 0 ? ['T[j]'] : [])}:s.unsound(${joinTexts(a, b, (k) => `x${k}`, ',')});`;
}

/** A text for each column; empty if the loop does not write columns. */
const columnsText = ({ keeps }: ScoreShape, a: number, b: number, text: (k: number) => string): string =>
  keeps ? joinTexts(a, b, text) : '';

/** The text that binds the columns of the scorers `a` to `b` to variables. */
export const bindColumnsText = (shape: ScoreShape, a: number, b: number): string =>
  columnsText(shape, a, b, (k) => `const a${k}=s.columns[${k}];`);

/** The text that leaves a row without a total, and without scores of the scorers `a` to `b`. */
export const unresolvedText = (shape: ScoreShape, a: number, b: number, row: string): string =>
  `T[${row}]=NaN;${columnsText(shape, a, b, (k) => `a${k}[${row}]=NaN;`)}`;

/**
 * Groups the scorers, each group from one position to another, so that V8 inlines each group into its loop.
 *
 * @param spent the bytecodes that the first loop calls besides scorers
 */
export function groupsOf(
  { sizes }: Pick<ScoreShape, 'sizes'>,
  spent = 0,
): readonly (readonly [from: number, to: number])[] {
  const groups: (readonly [number, number])[] = [];
  let from = 0;
  let used = spent;
  for (const [k, size] of sizes.entries()) {
    if (k > from && used + size > INLINING_BUDGET) {
      groups.push([from, k]);
      from = k;
      used = 0;
    }
    used += size;
  }
  return [...groups, [from, sizes.length]];
}

/** The text that binds the scorers `a` to `b` to variables. */
export const bindText = (a: number, b: number): string => joinTexts(a, b, (k) => `const f${k}=F[${k}];`);

/** The text of the loop over the rows `b` to `e` that calls the scorers of one group. */
const groupText = (shape: ScoreShape, [from, to]: readonly [number, number]): string =>
  `const s=k,K=s.kept,F=s.scorers,T=s.totals;let w=s.weights;${bindText(from, to)}${bindColumnsText(shape, from, to)} let j=b;
for(;;) try { for(;j<e;j++) { const c=${candidateText(shape, 'K[j]')}; ${scoreText(shape, from, to)} } break; }
catch (x) { s.caught(x,K[j],j); ${unresolvedText(shape, from, to, 'j')} j++; }
${to === shape.sizes.length ? finishText(shape, 'b', 'e') : ''}`;

/** The text that finishes the totals of the rows `first` to `end` after all groups. */
export const finishText = ({ arithmetic }: ScoreShape, first: string, end: string): string =>
  arithmetic?.finish ? `for(let j=${first};j<${end};j++) T[j]=${arithmetic.finish.text}(T[j]);` : '';

/** `text(from) … text(to - 1)`, joined. */
export function joinTexts(from: number, to: number, text: (k: number) => string, separator = ''): string {
  return Array.from({ length: Math.max(0, to - from) }, (_, k) => text(from + k)).join(separator);
}

/** Prevents V8 from inlining a loop into its caller before the loop is hot, which would use up the caller's budget. */
const padding = `if (n < 0) {${joinTexts(0, 40, (k) => `C[${k}]=C[n+${k}]+${k};`)}}`;

let loopCount = 0;

/**
 * Makes a loop from a text of its own, because copies of one text share V8's type feedback. The text consists of constants
 * and of numbers that the engine counted. It never contains user input.
 *
 * @param params the names of the loop's parameters, `k` among them; the loop reads `k.candidates`
 * @throws EvalError if code generation is forbidden
 */
export function generateLoop(params: readonly string[], body: string): (...args: readonly unknown[]) => unknown {
  loopCount += 1;
  const text = `"use strict";const n=0,C=k.candidates;${padding}${body}\n//# sourceURL=assize-loop-${loopCount}`;
  // oxlint-disable-next-line no-implied-eval -- see above
  return new Function(...params, text) as (...args: readonly unknown[]) => unknown;
}

/** The generated loop; the plain one if code generation is forbidden, or if `allowed` is false. */
export const loopOrPlain = <F>(allowed: boolean, make: () => F, plain: () => F): F =>
  allowed ? generatedOrPlain(make, plain) : plain();
