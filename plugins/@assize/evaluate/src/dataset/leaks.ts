import { createHash } from 'node:crypto';
import type { Problem, Ranking } from 'assize';
import type { JudgedQuery } from '../judged-query.js';
import type { Dataset } from './read-dataset.js';
import { isMap } from '../values.js';

/** A row or a query, which an evaluation treats as independent. */
interface Unit {
  readonly fields: ReadonlyMap<string, unknown>;
  readonly grade: number | undefined;
}

/** The values of a map by path, down to a depth. Skips lists. */
function* leavesOf(value: unknown, before: string, depth: number): Generator<[string, unknown]> {
  if (!isMap(value)) return;
  for (const [key, one] of Object.entries(value)) {
    if (isMap(one) && depth > 1) yield* leavesOf(one, `${before}${key}.`, depth - 1);
    else if (['string', 'number', 'boolean'].includes(typeof one)) yield [`${before}${key}`, one];
  }
}

const DEEPEST = 3;

/** The candidates, for data without queries; else for each query its context and the fields that its candidates share. */
const unitsOf = ({ queries, hasQueries }: Pick<Dataset, 'queries' | 'hasQueries'>): readonly Unit[] =>
  hasQueries
    ? queries.map((query) => ({ fields: sharedFields(query), grade: undefined }))
    : queries.flatMap(({ candidates, grades }) =>
        candidates.map((one, k) => ({ fields: new Map(leavesOf(one, '', DEEPEST)), grade: grades[k] })),
      );

function sharedFields({ candidates: [first, ...others], context }: JudgedQuery<object>): ReadonlyMap<string, unknown> {
  const fields = new Map(leavesOf(first, '', DEEPEST));
  for (const other of others) {
    const its = new Map(leavesOf(other, '', DEEPEST));
    for (const [path, value] of fields) if (its.get(path) !== value) fields.delete(path);
  }
  return new Map([...fields, ...leavesOf(context, '', DEEPEST)]);
}

/** Common names of fields that identify a person. */
const PERSON =
  /(?:^|[._])(?:person|people|user|patient|author|customer|client|subject|participant|visitor|session|account|speaker|device|member|student|annotator)(?:[_.]?(?:id|key|name|no|number|uuid))?$/i;

/** Warn if this share of rows has a value that another row has too. */
const MANY = 0.2;
/** The minimum number of fields for a comparison of rows. */
const FEWEST_FIELDS = 3;
/** Two rows are near-duplicates if this share of their fields is nearly equal. */
const ALIKE = 0.8;
/** Two numbers are nearly equal within this many standard deviations of their field. */
const TOLERANCE = 0.05;
/** Each row is compared with this many neighbours on each side, in the order of one field. */
const NEIGHBOURS = 6;
const LEAST_ROWS = 8;

/**
 * Warns of dependent rows that are treated as independent: rows of one person, repeated ids, near-duplicates. They make
 * intervals too narrow, and a tuned model is measured on near-copies of its training rows. Suggests a path for
 * `--group-by` if a field identifies the groups. Does nothing if the data has groups.
 */
export function leakWarnings(dataset: Pick<Dataset, 'queries' | 'hasQueries'>): readonly Problem[] {
  if (dataset.queries.some(({ group, candidateGroups }) => group ?? candidateGroups)) return [];
  const units = unitsOf(dataset);
  if (units.length < LEAST_ROWS) return [];
  const what = dataset.hasQueries ? 'queries' : 'rows';
  const warn = (found: string, hint: string): readonly Problem[] => [
    { code: 'ASZ738', message: `${found}, and each of the ${units.length} ${what} counts as independent`, hint },
  ];
  const named = repeatedField(units, dataset.hasQueries);
  if (named) {
    const found = `${named.repeated} ${what} share ${named.path} with others`;
    return warn(found, `add --group-by ${named.path} to keep related ones together`);
  }
  const twins = dataset.hasQueries ? twinQueries(dataset.queries) : twinRows(units);
  if (twins < MANY * units.length) return [];
  const found = `${twins} ${what} are nearly the same as another`;
  return warn(found, 'add --group-by PATH to keep those of one source together, or remove the copies');
}

/** A field with repeated values whose name or values suggest that equal values belong together. */
function repeatedField(
  units: readonly Unit[],
  hasQueries: boolean,
): { readonly path: string; readonly repeated: number } | undefined {
  const paths = new Set(units.flatMap(({ fields }) => [...fields.keys()]));
  let best: { readonly path: string; readonly repeated: number; readonly groups: number } | undefined;
  for (const path of paths) {
    const byValue = new Map<unknown, number[]>();
    for (const [row, { fields }] of units.entries()) {
      const value = fields.get(path);
      if (typeof value === 'boolean' || value === undefined) continue;
      const rows = byValue.get(value) ?? [];
      rows.push(row);
      byValue.set(value, rows);
    }
    const repeated = [...byValue.values()].reduce((sum, { length }) => sum + (length > 1 ? length : 0), 0);
    if (byValue.size < 2 || repeated < MANY * units.length) continue;
    const isId = !hasQueries && /(?:^|[._])(?:id|key|uuid)$/i.test(path);
    if (!isId && !PERSON.test(path) && !doesDetermine(path, byValue, units)) continue;
    if (!best || byValue.size > best.groups) best = { path, repeated, groups: byValue.size };
  }
  return best;
}

/** Whether rows with equal values agree in most other fields while random rows do not. */
function doesDetermine(
  path: string,
  byValue: ReadonlyMap<unknown, readonly number[]>,
  units: readonly Unit[],
): boolean {
  // A few distinct values are a category; repeated numbers are measurements.
  if (byValue.size < LEAST_ROWS || typeof [...byValue.keys()][0] === 'number') return false;
  const compare = comparer(units, path);
  if (compare.fields < FEWEST_FIELDS) return false;
  const within = [...byValue.values()].flatMap((rows) => rows.slice(1).map((row, k) => compare.alike(rows[k]!, row)));
  const apart = units.slice(1).map((_, row) => compare.alike(row, (row * 7919 + 1) % units.length));
  const mean = (shares: readonly number[]): number => shares.reduce((sum, one) => sum + one, 0) / shares.length;
  return mean(within) > ALIKE && mean(apart) < ALIKE / 2;
}

/** Returns a function that computes the share of nearly equal fields of two rows. Constant fields do not count. */
function comparer(units: readonly Unit[], except?: string) {
  const paths = [...new Set(units.flatMap(({ fields }) => [...fields.keys()]))].filter((path) => {
    const values = new Set(units.map(({ fields }) => fields.get(path)));
    const isName = values.size > 0.9 * units.length && typeof [...values][0] === 'string';
    return path !== except && values.size > 1 && !isName;
  });
  const tolerances = paths.map((path) => {
    const numbers = units.map(({ fields }) => fields.get(path)).filter((one) => typeof one === 'number');
    const mean = numbers.reduce((sum, x) => sum + x, 0) / Math.max(1, numbers.length);
    return TOLERANCE * Math.sqrt(numbers.reduce((sum, x) => sum + (x - mean) ** 2, 0) / Math.max(1, numbers.length));
  });
  const isSame = (k: number, a: unknown, b: unknown): boolean =>
    typeof a === 'number' && typeof b === 'number' ? Math.abs(a - b) <= tolerances[k]! : a === b;
  return {
    fields: paths.length,
    paths,
    alike: (a: number, b: number): number => {
      const [one, other] = [units[a]!.fields, units[b]!.fields];
      return paths.filter((path, k) => isSame(k, one.get(path), other.get(path))).length / paths.length;
    },
  };
}

/** The number of rows with a near-duplicate of the same grade; 0 if random rows are also similar. */
function twinRows(units: readonly Unit[]): number {
  const { paths, fields, alike } = comparer(units);
  if (fields < FEWEST_FIELDS) return 0;
  const isTwin = (a: number, b: number): boolean =>
    a !== b && units[a]!.grade === units[b]!.grade && alike(a, b) >= ALIKE;
  const random = units.filter((_, row) => isTwin(row, (row * 7919 + 1) % units.length)).length;
  if (random > MANY * 0.1 * units.length) return 0; // rows with few distinct values are often equal by chance
  const twins = new Set<number>();
  for (const path of paths.slice(0, 8)) {
    const key = (row: number): number | string => {
      const value = units[row]!.fields.get(path);
      return typeof value === 'number' ? value : String(value);
    };
    const order = [...units.keys()].toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a - b));
    for (const [at, row] of order.entries()) {
      for (const other of order.slice(at + 1, at + 1 + NEIGHBOURS)) {
        if (!isTwin(row, other)) continue;
        twins.add(row);
        twins.add(other);
      }
    }
  }
  return twins.size;
}

/** The number of queries whose candidates and grades mostly repeat another query. */
function twinQueries(queries: readonly JudgedQuery<object>[]): number {
  const byRow = new Map<string, number[]>();
  const hashes = queries.map((query) => {
    const shared = sharedFields(query);
    return query.candidates.map((one, k) => {
      const own = [...leavesOf(one, '', DEEPEST)].filter(([path]) => !shared.has(path));
      return JSON.stringify([own, query.grades[k] ?? null]);
    });
  });
  for (const [q, rows] of hashes.entries()) {
    for (const row of new Set(rows)) byRow.set(row, [...(byRow.get(row) ?? []), q]);
  }
  const isTwin = (rows: readonly string[], q: number): boolean => {
    const common = new Map<number, number>();
    for (const row of rows)
      for (const other of byRow.get(row)!) if (other !== q) common.set(other, (common.get(other) ?? 0) + 1);
    return Math.max(0, ...common.values()) >= ALIKE * rows.length;
  };
  return hashes.filter((rows, q) => rows.length > 1 && isTwin(rows, q)).length;
}

/** A fingerprint of tuning data: the number of queries or rows, and their smallest hashes. */
export interface DataSketch {
  readonly units: number;
  readonly hashes: readonly string[];
}

const SKETCH = 12;
const DIGITS = 6;

const hashesOf = ({ queries, hasQueries }: Pick<Dataset, 'queries' | 'hasQueries'>): readonly string[] => {
  const hash = (value: unknown): string =>
    createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, DIGITS);
  return hasQueries
    ? queries.map(({ candidates, grades }) => hash([candidates, grades.map((grade) => grade ?? null)]))
    : queries.flatMap(({ candidates, grades }) => candidates.map((one, k) => hash([one, grades[k] ?? null])));
};

/** Fingerprints data so that shared queries or rows are recognised (bottom-k MinHash). */
export function sketchOf(dataset: Pick<Dataset, 'queries' | 'hasQueries'>): DataSketch {
  const hashes = hashesOf(dataset);
  return { units: hashes.length, hashes: [...new Set(hashes)].toSorted().slice(0, SKETCH) };
}

/** Estimates the share of the sketched data that other data contains. */
export function overlapOf({ hashes }: DataSketch, dataset: Pick<Dataset, 'queries' | 'hasQueries'>): number {
  const present = new Set(hashesOf(dataset));
  return hashes.filter((hash) => present.has(hash)).length / Math.max(1, hashes.length);
}

/** Formats a sketch as a comment line of a tuned profile. */
export const sketchText = ({ units, hashes }: DataSketch): string => `assize-data: ${units} ${hashes.join(' ')}`;

/** Reads the sketch from the text of a profile; undefined if absent. */
export function readSketch(text: string): DataSketch | undefined {
  const [, units, hashes] = /^# assize-data: (\d+)((?: [0-9a-f]{6})+)\s*$/m.exec(text) ?? [];
  return units === undefined || hashes === undefined
    ? undefined
    : { units: Number(units), hashes: hashes.trim().split(' ') };
}

/** Warn from this share of tuning data on. */
const LEAST_OVERLAP = 0.25;

/** Warns if a profile is evaluated on its tuning data, because its values are then too good. */
export function tunedOnWarning(
  profile: string,
  text: string,
  dataset: Pick<Dataset, 'queries' | 'hasQueries'>,
): readonly Problem[] {
  const sketch = readSketch(text);
  const overlap = sketch ? overlapOf(sketch, dataset) : 0;
  if (overlap < LEAST_OVERLAP) return [];
  const share = overlap === 1 ? 'the data' : `about ${Math.round(overlap * 100)} % of the data`;
  const message = `${profile} is evaluated on ${share} that it was tuned on: its values are too good`;
  return [
    {
      code: 'ASZ739',
      message,
      hint: 'see the gain on held-out data in the comment above the profile, or evaluate on new data',
    },
  ];
}

/** A variable that the context lacks is worth a warning even if only some queries lack it. */
const OF_ANY_QUERY = 'ASZ723';

/** A field that few candidates have may be absent in many queries. If it is absent in all, it is probably misspelt. */
const OF_ALL_QUERIES: readonly string[] = ['ASZ712', 'ASZ724'];

/** Collects the warnings of runs that probably explain low measures: what the profile reads and the queries lack. */
export class QueryWarnings {
  readonly #found = new Map<string, { readonly problem: Problem; count: number }>();
  #queries = 0;

  add({ warnings }: Pick<Ranking<unknown>, 'warnings'>): void {
    this.#queries += 1;
    for (const problem of warnings) {
      if (problem.code !== OF_ANY_QUERY && !OF_ALL_QUERIES.includes(problem.code)) continue;
      const known = this.#found.get(problem.message);
      if (known) known.count += 1;
      else this.#found.set(problem.message, { problem, count: 1 });
    }
  }

  /** One warning per message. It counts the queries if it is not about all of them. */
  list(): readonly Problem[] {
    const all = this.#queries;
    return [...this.#found.values()].flatMap(({ problem, count }) => {
      if (count === all) return [problem];
      if (problem.code !== OF_ANY_QUERY) return [];
      return [{ ...problem, message: `${problem.message} (in ${count} of ${all} queries)` }];
    });
  }
}

/** The warnings of one profile's rankings of all queries. */
export function queryWarnings(rankings: Iterable<Pick<Ranking<unknown>, 'warnings'>>): readonly Problem[] {
  const found = new QueryWarnings();
  for (const ranking of rankings) found.add(ranking);
  return found.list();
}
