import type { Units } from './choose-setting.js';
import type { RankedQueries } from './ranked-queries.js';
import type { Grouping } from './tune-options.js';

/** What is divided into folds, by one grouping: queries or, where the measure needs none, rows. */
export interface GroupedUnits extends Units {
  /** As reports name it. */
  readonly by: string;
  /** By row: the group of its unit. */
  readonly rowGroups: readonly string[];
}

/** The units of a measure by each grouping; by the queries' own groups, or each alone, where there is none. */
export function groupings<T>(
  ranked: RankedQueries<T>,
  pooled: boolean,
  asked: readonly Grouping<T>[],
): readonly [GroupedUnits, ...GroupedUnits[]] {
  const [first, ...others] = asked.length > 0 ? asked : [ownGrouping(ranked, pooled)];
  const of = (grouping: Grouping<T>): GroupedUnits => (pooled ? rowUnits(ranked, grouping) : queryUnits(ranked, grouping));
  return [of(first!), ...others.map(of)];
}

/** Of rows of one query, each is its own group; of rows of many, the query is, since its candidates are alike. */
function ownGrouping<T>({ queries }: RankedQueries<T>, pooled: boolean): Grouping<T> {
  const alone = new Map(queries.flatMap(({ candidates }) => candidates.map((one, k) => [one, k] as const)));
  if (queries.some(({ group }) => group !== undefined)) return { name: 'group', of: ({ group, id }) => group ?? id };
  if (!pooled || queries.length > 1) return { name: 'query', of: ({ id }) => id };
  return { name: 'candidate', of: (_query, candidate) => alone.get(candidate as T) };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

function queryUnits<T>({ queries, starts }: RankedQueries<T>, { name, of }: Grouping<T>): GroupedUnits {
  const groups = queries.map((query) => textOf(of(query, query.candidates[0])));
  const rows = (q: number): number[] => Array.from({ length: starts[q + 1]! - starts[q]! }, (_, k) => starts[q]! + k);
  return {
    by: name,
    groups,
    rowGroups: groups.flatMap((group, q) => rows(q).map(() => group)),
    rowsOf: (units) => Int32Array.from(Array.from(units).flatMap(rows)),
  };
}

function rowUnits<T>({ queries, rankings, grades }: RankedQueries<T>, { name, of }: Grouping<T>): GroupedUnits {
  const rowGroups = rankings.flatMap(({ matrix }, q) =>
    Array.from(matrix.index, (index) => textOf(of(queries[q]!, queries[q]!.candidates[index]))),
  );
  const judged = Int32Array.from(grades.keys()).filter((row) => !Number.isNaN(grades[row]!));
  return {
    by: name,
    groups: Array.from(judged, (row) => rowGroups[row]!),
    rowGroups,
    rowsOf: (units) => units.map((unit) => judged[unit]!),
  };
}
