import type { Score } from '../../contract/index.js';
import type { CandidateAt } from '../candidates/reader.js';
import { loopOrPlain, generateLoop, joinTexts } from './generate-loop.js';
import { TILE } from './score-loop.js';
import { bindText, candidateText, groupsOf } from './score-loop-text.js';

/** What the scores of a run are written into: one column for each scorer. */
export interface ColumnInput {
  readonly candidates: readonly unknown[];
  /** Reads candidates that are kept by column. */
  readonly at?: CandidateAt | undefined;
  /** By row: the candidate's position. */
  readonly kept: Int32Array;
  readonly scorers: readonly Score<unknown>[];
  /** By scorer, by row: its number; NaN where it gave none, or threw, or where another one of its group threw. */
  readonly columns: readonly Float64Array[];
  /** Is given what is no number; gives NaN. */
  readonly unsound: (value: unknown) => number;
}

/** Fills all columns. O(rows × scorers). */
export type ColumnLoop = (input: ColumnInput) => void;

type GroupLoop = (input: ColumnInput, from: number, to: number) => void;

const groupText = ([a, b]: readonly [number, number], byColumn: boolean): string =>
  `const K=k.kept,F=k.scorers;${bindText(a, b)}${joinTexts(a, b, (s) => `const a${s}=k.columns[${s}];`)} let j=f;
for(;;) try { for(;j<e;j++) { const c=${candidateText({ byColumn }, 'K[j]')}; ${joinTexts(a, b, scoreText)} } break; }
catch (x) { ${joinTexts(a, b, (s) => `a${s}[j]=NaN;`)} j++; }`;

const scoreText = (s: number): string =>
  `const x${s}=f${s}(c,j,undefined);a${s}[j]=typeof x${s}==='number'?x${s}:k.unsound(x${s});`;

function generateColumnLoop(sizes: readonly number[], byColumn: boolean): ColumnLoop {
  const loops = groupsOf({ sizes }).map(
    (group) => generateLoop(['k', 'f', 'e'], groupText(group, byColumn)) as unknown as GroupLoop,
  );
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
        // NaN: what it was is found where the cell is resolved
      }
    }
  }
}

/**
 * A loop that writes every score into its column: a candidate is looked at once for a group of scorers, where column
 * after column would fetch it from memory each time.
 *
 * @param sizes    by scorer: about how many bytecodes it is
 * @param byColumn whether candidates are kept by column
 */
export const makeColumnLoop = (sizes: readonly number[], codegen: boolean, byColumn = false): ColumnLoop =>
  loopOrPlain(
    codegen,
    () => generateColumnLoop(sizes, byColumn),
    () => plainColumnLoop,
  );
