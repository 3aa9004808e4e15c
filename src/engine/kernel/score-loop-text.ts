import type { Arithmetic } from './combine-methods.js';
import { joinTexts } from './generate-loop.js';

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
export const groupText = (shape: ScoreShape, [from, to]: readonly [number, number]): string =>
  `const s=k,K=s.kept,F=s.scorers,T=s.totals;let w=s.weights;${bindText(from, to)}${bindColumnsText(shape, from, to)} let j=b;
for(;;) try { for(;j<e;j++) { const c=${candidateText(shape, 'K[j]')}; ${scoreText(shape, from, to)} } break; }
catch (x) { s.caught(x,K[j],j); ${unresolvedText(shape, from, to, 'j')} j++; }
${to === shape.sizes.length ? finishText(shape, 'b', 'e') : ''}`;

/** What is made of the totals of the rows `first` to `end` once all groups have added to them. */
export const finishText = ({ arithmetic }: ScoreShape, first: string, end: string): string =>
  arithmetic?.finish ? `for(let j=${first};j<${end};j++) T[j]=${arithmetic.finish.text}(T[j]);` : '';
