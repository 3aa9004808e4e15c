import type { JudgedQuery } from '../../evaluate/judged-query.js';
import type { Units } from '../model/choose-setting.js';
import { type Fold, foldsOf, givenFolds } from '../model/folds.js';
import type { RankedQueries } from '../queries/ranked-queries.js';
import type { TuneOptions } from '../tune-options.js';

/** What is divided into folds in one way: queries or, where the measure needs none, judged rows. */
export interface DividedUnits extends Units {
  /** What is kept together, as reports name it: `query`, `candidate`, or where the data's folds or groups come from. */
  readonly by: string;
  /** By row: the group of its unit. */
  readonly rowGroups: readonly string[];
  /** The folds of one division. */
  readonly foldsOf: (seed: number) => readonly Fold[];
  /** Whether another seed gives other folds. */
  readonly isRandom: boolean;
}

/** Queries, or rows: what each belongs to, and its rows. */
interface Divisible extends Pick<DividedUnits, 'groups' | 'rowGroups' | 'rowsOf'> {
  /** By unit: its fold, where the data has folds. */
  readonly folds: readonly string[] | undefined;
}

/** The units of a measure, divided as the data says and, where it has both folds and groups, by groups too. */
export function dividedUnits(
  ranked: RankedQueries<unknown>,
  pooled: boolean,
  { folds: count = 5, names = {} }: Pick<TuneOptions, 'folds' | 'names'>,
): readonly [DividedUnits, ...DividedUnits[]] {
  const { folds, ...units } = pooled ? rowUnits(ranked) : queryUnits(ranked);
  const hasGroups = ranked.queries.some(({ group, candidateGroups }) => group ?? candidateGroups);
  const alone = pooled && ranked.queries.length === 1 ? 'candidate' : 'query';
  const byGroup: DividedUnits = {
    ...units,
    by: hasGroups ? (names.group ?? 'group') : alone,
    foldsOf: (seed) => foldsOf(units.groups, count, seed),
    isRandom: true,
  };
  if (!folds) return [byGroup];
  const given = givenFolds(folds);
  return [{ ...units, by: names.fold ?? 'fold', foldsOf: () => given, isRandom: false }, byGroup];
}

function queryUnits({ queries, starts }: RankedQueries<unknown>): Divisible {
  const groups = queries.map(({ group, id }) => group ?? id);
  const rows = (q: number): number[] => Array.from({ length: starts[q + 1]! - starts[q]! }, (_, k) => starts[q]! + k);
  return {
    groups,
    folds: queries.some(({ fold }) => fold !== undefined) ? queries.map(({ fold = '' }) => fold) : undefined,
    rowGroups: groups.flatMap((group, q) => rows(q).map(() => group)),
    rowsOf: (units) => Int32Array.from(Array.from(units).flatMap(rows)),
  };
}

/** Of rows of one query, each is its own group unless the data says otherwise; of rows of many, the query is. */
function rowUnits({ queries, rankings, grades }: RankedQueries<unknown>): Divisible {
  const byRow = (of: (query: JudgedQuery, index: number) => string): string[] =>
    rankings.flatMap(({ matrix }, q) => Array.from(matrix.index, (index) => of(queries[q]!, index)));
  const one = queries.length === 1;
  const rowGroups = byRow(
    ({ candidateGroups, group, id }, index) => candidateGroups?.[index] ?? group ?? (one ? `${index}` : id),
  );
  const judged = Int32Array.from(grades.keys()).filter((row) => !Number.isNaN(grades[row]!));
  const hasFolds = queries.some(({ fold, candidateFolds }) => fold ?? candidateFolds);
  const rowFolds = byRow(({ candidateFolds, fold = '' }, index) => candidateFolds?.[index] ?? fold);
  const ofJudged = (values: readonly string[]): readonly string[] => Array.from(judged, (row) => values[row]!);
  return {
    groups: ofJudged(rowGroups),
    folds: hasFolds ? ofJudged(rowFolds) : undefined,
    rowGroups,
    rowsOf: (units) => units.map((unit) => judged[unit]!),
  };
}
