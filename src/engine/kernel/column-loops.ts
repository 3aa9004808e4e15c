import type { Columns } from '../../data/index.js';
import type { Score } from '../../sdk/index.js';
import type { CandidateAt } from '../candidates.js';
import type { Arithmetic } from './combine-methods.js';
import { type Group, groupsOf, joinTexts, type LoopEntry, loopOrPlain, LoopText } from './loop-text.js';
import { finishText, scorerText, type ScoreShape, TILE, totalText, weightsText } from './score-loop.js';

/** The input of a column loop: the scorers of a run, and one column for each. */
interface ColumnInput {
  readonly candidates: readonly unknown[];
  /** Reads candidates that are stored by column. */
  readonly at?: CandidateAt | undefined;
  /** The columns, if candidates are stored by column. */
  readonly table?: Columns | undefined;
  /** By row: the candidate's position. */
  readonly kept: Int32Array;
  readonly scorers: readonly Score<unknown>[];
  /** By scorer, by row: its number; NaN if it returned none or threw, or if another scorer of its group threw. */
  readonly columns: readonly Float64Array[];
  /** Receives a score that is not a number. Returns NaN. */
  readonly unsound: (value: unknown) => number;
}

/** Fills all columns. O(rows × scorers). */
export type ColumnLoop = (input: ColumnInput) => void;

type ColumnGroupLoop = (input: ColumnInput, from: number, to: number) => void;

function columnGroupLoop(entries: readonly LoopEntry[], [a, b]: Group, table: Columns | undefined): ColumnGroupLoop {
  const loop = new LoopText('K[j]', 'j', table);
  const columnScoreText = (s: number): string => {
    const { compute, settle } = scorerText(loop, entries[s]!, s, true, false);
    return `${compute}${settle}a${s}[j]=typeof x${s}==='number'?x${s}:k.unsound(x${s});`;
  };
  const body = `const s=k,K=k.kept,F=k.scorers;${joinTexts(a, b, (s) => `const f${s}=F[${s}],a${s}=k.columns[${s}];`)} let j=f,q;
for(;;) try { for(;j<e;j++) { ${loop.start} ${joinTexts(a, b, columnScoreText)} } break; }
catch (x) { ${joinTexts(a, b, (s) => `a${s}[j]=NaN;`)} j++; }`;
  return loop.make(['k', 'f', 'e'], body);
}

function generateColumnLoop(entries: readonly LoopEntry[], table: Columns | undefined): ColumnLoop {
  const loops = groupsOf(entries).map((group) => columnGroupLoop(entries, group, table));
  return (input) => {
    const rows = input.kept.length;
    for (let from = 0; from < rows; from += TILE) {
      const end = Math.min(rows, from + TILE);
      for (let g = 0; g < loops.length; g++) loops[g]!(input, from, end);
    }
  };
}

function plainColumnLoop({ candidates, kept, scorers, columns, unsound }: ColumnInput): void {
  for (const [s, scorer] of scorers.entries()) {
    const column = columns[s]!;
    for (let row = 0; row < column.length; row++) {
      column[row] = Number.NaN;
      try {
        const value: unknown = scorer(candidates[kept[row]!], row);
        column[row] = typeof value === 'number' ? value : unsound(value);
      } catch {
        // NaN: the reason is found when the cell is resolved
      }
    }
  }
}

/**
 * Makes a loop that writes every score into its column. It reads a candidate once per group of scorers; one loop per column
 * would fetch it from memory for each scorer.
 *
 * @param table columns of the kinds that the loop reads, if candidates are stored by column
 */
export const makeColumnLoop = (entries: readonly LoopEntry[], codegen: boolean, table?: Columns): ColumnLoop =>
  loopOrPlain(
    codegen,
    () => generateColumnLoop(entries, table),
    () => plainColumnLoop,
  );

/** The columns to combine, and the buffer for the totals. */
interface CombineInput {
  readonly candidates: readonly unknown[];
  /** By row: the candidate's position. */
  readonly kept: Int32Array;
  /** By scorer, by row: a finite number, or NaN without a score. */
  readonly columns: readonly Float64Array[];
  readonly weights: Float64Array;
  readonly weightsOf: (candidate: unknown, row: number) => Float64Array;
  /** By row: the total; NaN if a score is missing or too low. */
  readonly totals: Float64Array;
}

/** Combines every row from its columns, with the arithmetic and order of the score loop. */
export type CombineLoop = (input: CombineInput) => void;

type CombineGroupLoop = (input: CombineInput, from: number, to: number) => void;

/** The number of columns that are read at the same time. Each is a separate stream from memory. */
const COLUMNS_AT_ONCE = 16;

function combineGroupLoop(shape: ScoreShape, arithmetic: Arithmetic, [a, b]: Group): CombineGroupLoop {
  const body = `const K=k.kept,T=k.totals;let w=k.weights;${shape.cases ? '' : weightsText([a, b])}${joinTexts(a, b, (s) => `const a${s}=k.columns[${s}];`)}
for(let j=f;j<e;j++) { ${shape.cases ? `w=k.weightsOf(C[K[j]],j);${weightsText([a, b])}` : ''} ${joinTexts(a, b, (s) => `const x${s}=a${s}[j];`)}
T[j]=${totalText(arithmetic, [a, b])}; }
${b === shape.entries.length ? finishText(shape, 'f', 'e') : ''}`;
  return new LoopText('j', 'j', undefined).make(['k', 'f', 'e'], body);
}

function generateCombineLoop(shape: ScoreShape, arithmetic: Arithmetic): CombineLoop {
  const { length } = shape.entries;
  const loops: CombineGroupLoop[] = [];
  for (let a = 0; a < length; a += COLUMNS_AT_ONCE) {
    loops.push(combineGroupLoop(shape, arithmetic, [a, Math.min(length, a + COLUMNS_AT_ONCE)]));
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

/** Makes a loop for at least one column. For a formula, it leaves every row to be resolved. */
export function makeCombineLoop(shape: ScoreShape, codegen: boolean): CombineLoop {
  const { arithmetic } = shape;
  if (!arithmetic) return ({ totals }) => void totals.fill(Number.NaN);
  return loopOrPlain(
    codegen,
    () => generateCombineLoop(shape, arithmetic),
    () => plainCombineLoop(arithmetic),
  );
}
