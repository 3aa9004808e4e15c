import type { Arithmetic } from './combine-methods.js';
import { loopOrPlain, generateLoop, joinTexts } from './generate-loop.js';
import { TILE } from './score-loop.js';
import { finishText, type ScoreShape, totalText } from './score-loop-text.js';

/** Columns to combine, and where the totals go. */
export interface CombineInput {
  readonly candidates: readonly unknown[];
  /** By row: the candidate's position. */
  readonly kept: Int32Array;
  /** By scorer, by row: finite, or NaN where there is no score. */
  readonly columns: readonly Float64Array[];
  readonly weights: Float64Array;
  readonly weightsOf: (candidate: unknown, row: number) => Float64Array;
  /** By row: NaN where a score is missing, or too low. */
  readonly totals: Float64Array;
}

/** Combines every row: the score loop's arithmetic, in the same order, on numbers that are there already. */
export type CombineLoop = (input: CombineInput) => void;

type GroupLoop = (input: CombineInput, from: number, to: number) => void;

/** So many columns are read at once: each is a stream of its own from memory. */
const GROUP = 16;

const groupText = (shape: ScoreShape, a: number, b: number): string =>
  `const K=k.kept,T=k.totals;let w=k.weights;${joinTexts(a, b, (s) => `const a${s}=k.columns[${s}];`)}
for(let j=f;j<e;j++) { ${shape.cases ? 'w=k.weightsOf(C[K[j]],j);' : ''} ${joinTexts(a, b, (s) => `const x${s}=a${s}[j];`)}
T[j]=${totalText(shape, a, b, a > 0 ? ['T[j]'] : [])}; }
${b === shape.sizes.length ? finishText(shape, 'f', 'e') : ''}`;

function generateCombineLoop(shape: ScoreShape): CombineLoop {
  const { length } = shape.sizes;
  const loops: GroupLoop[] = [];
  for (let a = 0; a < length; a += GROUP) {
    const text = groupText(shape, a, Math.min(length, a + GROUP));
    loops.push(generateLoop(['k', 'f', 'e'], text));
  }
  const [only] = loops;
  if (only && loops.length === 1) return (input) => only(input, 0, input.totals.length);
  return (input) => {
    const rows = input.totals.length;
    for (let from = 0; from < rows; from += TILE) {
      const end = Math.min(rows, from + TILE);
      for (let g = 0; g < loops.length; g++) loops[g]!(input, from, end);
    }
  };
}

const plainCombineLoop =
  ({ start, add, finish }: Arithmetic): CombineLoop =>
  ({ candidates, kept, columns, weightsOf, totals }) => {
    for (let row = 0; row < totals.length; row++) {
      const weights = weightsOf(candidates[kept[row]!], row);
      let total = start;
      for (let s = 0; s < columns.length; s++) total = add(total, columns[s]![row]!, weights[s]!);
      totals[row] = finish ? finish.apply(total) : total;
    }
  };

/** A loop for at least one column. Without an arithmetic, a formula, every row is left to be resolved. */
export function makeCombineLoop(shape: ScoreShape, codegen: boolean): CombineLoop {
  const { arithmetic } = shape;
  if (!arithmetic) return ({ totals }) => void totals.fill(Number.NaN);
  return loopOrPlain(
    codegen,
    () => generateCombineLoop(shape),
    () => plainCombineLoop(arithmetic),
  );
}
