import { createHash } from 'node:crypto';

/** What one build computed for one case. Equal builds give equal outcomes; messages are not part of it. */
export type Outcome = Readonly<Record<string, unknown>>;

type Row = Readonly<Record<string, unknown>>;

/** A number by its bits, so that −0 and NaN are distinguished. */
const exact = (value: unknown): unknown =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value) : Object.is(value, -0) ? '-0' : value;

/** Every number in a tree: comparable even if a field is renamed or moved. */
function numbersIn(tree: unknown, found: number[] = []): number[] {
  if (typeof tree === 'number') found.push(tree);
  else if (tree instanceof Map) for (const value of tree.values()) numbersIn(value, found);
  else if (typeof tree === 'object' && tree !== null) for (const value of Object.values(tree)) numbersIn(value, found);
  return found;
}

const digest = (numbers: readonly number[]): string =>
  createHash('sha256')
    .update(
      [...new Set(numbers)] // a build may repeat a number
        .sort((a, b) => a - b)
        .map((n) => (Object.is(n, -0) ? '-0' : String(n)))
        .join(' '),
    )
    .digest('hex')
    .slice(0, 12);

/** A field under its present name or under the name that an older build gives it. */
const field = (of: unknown, ...names: readonly string[]): unknown => {
  for (const name of names) {
    const value = (of as Row | undefined)?.[name];
    if (value !== undefined) return value;
  }
  return undefined;
};
const rows = (of: unknown, ...names: readonly string[]): readonly Row[] =>
  (field(of, ...names) as readonly Row[] | undefined) ?? [];

/** The problems of an error: codes and places. Anything that is not an AssizeError has its class and message. */
export function errorOutcome(error: unknown): Outcome {
  const problems = field(error, 'problems');
  if (!Array.isArray(problems)) return { crash: String(error) };
  return {
    problems: problems
      .map((problem: Row) => {
        const place = (problem['place'] ?? {}) as Row;
        return [problem['code'], place['file'], place['line'], place['column']].join(' ');
      })
      .sort(),
  };
}

/** The methods of a ranking that every build has. */
interface AnyRanking {
  explain(which: { readonly index: number }): unknown;
  reweigh(overrides: Row): unknown;
}

/** Older builds name a candidate by `#` and its position, later ones by `@`, alone or after its id. */
const currentName = (name: unknown): unknown =>
  Array.isArray(name)
    ? name.map(currentName)
    : typeof name === 'string'
      ? name.replace(/^#(?=\d+$)|(?<= \()#(?=\d+\)$)/, '@')
      : name;

/** Warnings that read every number of a column: older builds give them in `warnings`, later ones in `scoreWarnings`. */
const COLUMN_WARNINGS = ['ASZ705', 'ASZ706', 'ASZ714', 'ASZ718'];

/** The rows, scores and reasons of a ranking, and the numbers of some explanations. */
export function rankingOutcome(ranking: AnyRanking, withExplanations = true): Outcome {
  const placed = (row: Row): readonly unknown[] => [currentName(row['id']), row['index']];
  const ranked = rows(ranking, 'ranked');
  const refused = rows(ranking, 'refused');
  const notSelected = rows(ranking, 'notSelected', 'leftOut');
  const selected = rows(ranking, 'selected');
  const explained = withExplanations
    ? [...selected.slice(0, 2), ...notSelected.slice(0, 2), ...refused.slice(0, 2)]
    : [];
  return {
    ranked: ranked.map((row) => [...placed(row), row['rank'], exact(row['score'])]),
    selected: selected.map((row) => [...placed(row), exact(row['score']), row['because'], exact(row['cost'])]),
    refused: refused.map((row) => [...placed(row), row['kind'], row['by']]),
    notSelected: notSelected.map((row) => [
      ...placed(row),
      row['reason'],
      exact(row['score']),
      currentName(field(row, 'replacedBy', 'keptInstead')),
    ]),
    degraded: rows(ranking, 'degraded').map((row) => [row['entry'], row['stage'], row['count']]),
    warnings: rows(ranking, 'warnings')
      .map((row) => String(row['code']))
      .filter((code) => !COLUMN_WARNINGS.includes(code))
      .sort(),
    report: digest(numbersIn(field(ranking, 'report', 'reports'))),
    explained: explained
      .filter((row) => (row['index'] as number) >= 0)
      .map((row) => {
        try {
          return digest(numbersIn(ranking.explain({ index: row['index'] as number })));
        } catch (error) {
          return errorOutcome(error);
        }
      }),
  };
}
