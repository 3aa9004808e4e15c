import type { Score } from '../../contract/index.js';
import { generatedOrPlain } from '../../expression/index.js';
import type { CandidateAt } from '../candidates.js';
import { ignorePromise } from '../tasks.js';
import type { Arithmetic } from './combine-methods.js';

/** The input of the loop for one run: the scorers and their weights, and where the totals go. */
export interface ScoreInput {
  readonly candidates: readonly unknown[];
  /** Reads candidates that are kept by column. */
  readonly at?: CandidateAt | undefined;
  /** By row: the candidate's position. */
  readonly kept: Int32Array;
  readonly scorers: readonly Score<unknown>[];
  readonly weights: Float64Array;
  /** The weights of one candidate, where they differ by case. */
  readonly weightsOf: (candidate: unknown, row: number) => Float64Array;
  /** By scorer, by row: its number as the loop got it, where columns are kept; NaN where it got none. */
  readonly columns?: readonly Float64Array[] | undefined;
  /** By row: the combined score; not finite where the row must be resolved scorer by scorer. */
  readonly totals: Float64Array;
  /** Is given the scores of a row of which one is no number; gives NaN. */
  readonly unsound: (...values: readonly unknown[]) => number;
  /**
   * Called with what a scorer or the formula threw. An error of the candidate alone is handled when the row is resolved.
   *
   * @throws RunFailed where it fails the run
   */
  readonly caught: (error: unknown, position: number, row: number) => void;
}

/** NaN for a row of which one score is no number. A score that is a promise is taken note of. */
export function unsound(...values: readonly unknown[]): number {
  for (const value of values) ignorePromise(value);
  return Number.NaN;
}

/** Scores the rows `from` to `to`. A scorer's `index` is the row. */
export type ScoreLoop = (input: ScoreInput, from: number, to: number) => void;

/** So many rows pass through all groups before the next: as many candidates stay in the cache. */
export const TILE = 256;

/** The loops of the groups. */
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

/** One row of the plain loop. A score that is no finite number, or too low, leaves the row unresolved. */
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
 * The loop over the rows of one profile. A loop made for the profile costs 1.1 to 1.6 times the arithmetic fused by
 * hand, one loop shared by all profiles 7 times. Without code generation a plain loop gives the same numbers.
 */
export function makeScoreLoop(shape: ScoreShape, codegen = true): ScoreLoop {
  if (shape.sizes.length === 0) return (k, from, to) => void k.totals.fill(0, from, to); // a filter: nothing is scored
  return loopOrPlain(
    codegen,
    () => tiledLoop(groupLoops(shape, groupsOf(shape))),
    () => plainLoop(shape),
  );
}

/** What a loop is made for. Everything else may change from run to run. */
export interface ScoreShape {
  /** By scorer: about how many bytecodes it is. A formula is one. */
  readonly sizes: readonly number[];
  /** Undefined for a formula: one function of the candidate. */
  readonly arithmetic: Arithmetic | undefined;
  /** Whether the weights are chosen for each candidate. */
  readonly cases: boolean;
  /** Whether candidates are kept by column: the loop asks `at` for each. */
  readonly byColumn?: boolean;
  /** Whether each score is written into its column as well. */
  readonly keeps?: boolean;
}

/** Reads the candidate at a position. */
export const candidateText = ({ byColumn }: Pick<ScoreShape, 'byColumn'>, position: string): string =>
  byColumn ? `k.at(${position})` : `C[${position}]`;

/** V8 inlines some 920 bytecodes of callees into one function: beyond, each call costs as much as a whole scorer. */
const INLINING_BUDGET = 1000; // sizes are estimates, and on the high side

/** The total of the scores `a` to `b`, in order: the arithmetic of resolving a row. */
export const totalText = ({ arithmetic }: ScoreShape, a: number, b: number, start: readonly string[]): string =>
  arithmetic
    ? arithmetic.text(
        start,
        Array.from({ length: b - a }, (_, k) => a + k),
      )
    : 'x0'; // a formula is one function

/**
 * Whether a score is a number. Otherwise null would count as 0 and '5' as 5; V8 drops the test where it knows. That it is
 * finite, and not too low, is tested only where the total would not show it: of the least, the greatest and the like.
 */
function isSound({ arithmetic }: ScoreShape, k: number): string {
  const isNumber = `typeof x${k}==='number'`;
  if (!arithmetic?.hidesBadScores) return isNumber;
  const { minScore } = arithmetic;
  return `${isNumber}&&x${k}-x${k}===0${minScore > -Infinity ? `&&x${k}>=${minScore}` : ''}`;
}

/**
 * Takes note of a promise before a later scorer can throw: the row then ends without its scores. V8 drops the test where
 * it has inlined a scorer that gives numbers.
 */
const strayText = (k: number): string => `if(typeof x${k}==='object')s.unsound(x${k});`;

/** Scores row `j` of candidate `c` by the scorers `a` to `b`: NaN where one gives no number. */
export function scoreText(shape: ScoreShape, a: number, b: number): string {
  if (b === 0) return 'T[j]=0;'; // a filter: nothing is scored
  const weigh = shape.cases ? 'w=s.weightsOf(c,j);' : '';
  const calls = joinTexts(a, b, (k) => `const x${k}=f${k}(c,j,undefined);${k + 1 < b ? strayText(k) : ''}`);
  const sound = joinTexts(a, b, (k) => isSound(shape, k), '&&');
  const kept = columnsText(shape, a, b, (k) => `a${k}[j]=typeof x${k}==='number'?x${k}:s.unsound(x${k});`);
  return `${weigh}${calls} ${kept} T[j]=${sound}?${totalText(shape, a, b, a > 0 ? ['T[j]'] : [])}:s.unsound(${joinTexts(a, b, (k) => `x${k}`, ',')});`;
}

/** A text for each column that is written, where they are. */
const columnsText = ({ keeps }: ScoreShape, a: number, b: number, text: (k: number) => string): string =>
  keeps ? joinTexts(a, b, text) : '';

/** Takes the columns of the scorers `a` to `b` out of their list. */
export const bindColumnsText = (shape: ScoreShape, a: number, b: number): string =>
  columnsText(shape, a, b, (k) => `const a${k}=s.columns[${k}];`);

/** A row that has no total, and no score of the scorers `a` to `b`. */
export const unresolvedText = (shape: ScoreShape, a: number, b: number, row: string): string =>
  `T[${row}]=NaN;${columnsText(shape, a, b, (k) => `a${k}[${row}]=NaN;`)}`;

/**
 * The scorers in groups, each from one position to another: as many as V8 inlines into the loop that calls them.
 *
 * @param spent what the first loop calls besides
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

/** Takes the scorers `a` to `b` out of their list. */
export const bindText = (a: number, b: number): string => joinTexts(a, b, (k) => `const f${k}=F[${k}];`);

/** The loop over the rows `b` to `e` that calls the scorers of one group. */
const groupText = (shape: ScoreShape, [from, to]: readonly [number, number]): string =>
  `const s=k,K=s.kept,F=s.scorers,T=s.totals;let w=s.weights;${bindText(from, to)}${bindColumnsText(shape, from, to)} let j=b;
for(;;) try { for(;j<e;j++) { const c=${candidateText(shape, 'K[j]')}; ${scoreText(shape, from, to)} } break; }
catch (x) { s.caught(x,K[j],j); ${unresolvedText(shape, from, to, 'j')} j++; }
${to === shape.sizes.length ? finishText(shape, 'b', 'e') : ''}`;

/** What is made of the totals of the rows `first` to `end` once all groups have added to them. */
export const finishText = ({ arithmetic }: ScoreShape, first: string, end: string): string =>
  arithmetic?.finish ? `for(let j=${first};j<${end};j++) T[j]=${arithmetic.finish.text}(T[j]);` : '';

/** `text(from) … text(to - 1)`, joined. */
export function joinTexts(from: number, to: number, text: (k: number) => string, separator = ''): string {
  return Array.from({ length: Math.max(0, to - from) }, (_, k) => text(from + k)).join(separator);
}

/** Keeps V8 from inlining a loop into its caller before it is hot, which would use up the caller's budget. */
const padding = `if (n < 0) {${joinTexts(0, 40, (k) => `C[${k}]=C[n+${k}]+${k};`)}}`;

let loopCount = 0;

/**
 * Makes a loop with a text of its own, because copies of one text share V8's type feedback. Only constant text and
 * numbers that we counted ourselves ever get here: nothing of a user's is text.
 *
 * @param params the names of what it is called with; `k.candidates` is among it
 * @throws EvalError where code generation is forbidden
 */
export function generateLoop(params: readonly string[], body: string): (...args: readonly unknown[]) => unknown {
  loopCount += 1;
  const text = `"use strict";const n=0,C=k.candidates;${padding}${body}\n//# sourceURL=assize-loop-${loopCount}`;
  // oxlint-disable-next-line no-implied-eval -- see above
  return new Function(...params, text) as (...args: readonly unknown[]) => unknown;
}

/** The generated loop, or the plain one where code generation is forbidden (or not wanted: `allowed` false). */
export const loopOrPlain = <F>(allowed: boolean, make: () => F, plain: () => F): F =>
  allowed ? generatedOrPlain(make, plain) : plain();
