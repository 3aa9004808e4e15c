import {
  cosineSimilarity,
  type CostedRow,
  type Embedders,
  type EmbedderSettings,
  type PathReader,
  type SelectorNotSelected,
  type SelectorLimits,
  type SelectorNote,
  type SelectorResult,
  type SelectorRun,
  valueOrError,
} from '../../src/unit-sdk.js';
import { type EmbeddingResult, embedTexts, mapMaybePromise, readJoinedText, readVector } from './embeddings.js';

/** The rule of a greedy selection. */
export interface ChoiceRule {
  /** The value of a row that is still to be chosen; ties are decided by the order of the rows. */
  valueOf(row: number): number;
  /** Called with each row that is chosen, the pinned first, before the next is chosen. */
  onChosen(row: number): void;
  /** The explanation of a selected row. */
  noteOf(row: number): Omit<SelectorNote, 'index'>;
  /** The explanation of a row that was not selected; called after the selection. */
  notSelectedOf(row: number, chosen: readonly number[]): SelectorNotSelected;
}

/** The reason for a row that did not fit. A selector that uses it declares its template. */
export const NO_ROOM = 'it costs {cost}, and at its turn {room} was left';

/**
 * Selects rows one after another, each time the row with the greatest value among the rest. Pinned rows are selected
 * first. A row that does not fit is skipped, and the next one is tried. Once a group is full, its other rows are not
 * tried. Takes O(N·k) evaluations for k selected of N rows.
 *
 * @param limits the budget and the group limits, which apply to rows that are not pinned
 */
export function chooseGreedily(
  rows: readonly CostedRow[],
  { target, groups }: SelectorLimits,
  rule: ChoiceRule,
): SelectorResult {
  let room = target;
  let open: number[] = [];
  const closed: number[] = [];
  const counts = new Map<unknown, number>();
  const chosen: number[] = [];
  const notes: SelectorNote[] = [];
  const left: SelectorNotSelected[] = [];
  const choose = (row: number): void => {
    chosen.push(row);
    rule.onChosen(row);
  };
  for (const [row, { pinned }] of rows.entries()) {
    if (pinned) choose(row);
    else open.push(row);
  }
  const least = open.reduce((cost, row) => Math.min(cost, rows[row]!.cost), Infinity);
  while (open.length > 0 && room >= least) {
    const row = takeBest(open, rule);
    const { index, cost } = rows[row]!;
    if (cost > room) {
      left.push({ index, reason: 'no_room', data: { cost, room } });
      continue;
    }
    notes.push({ index, ...rule.noteOf(row) });
    room -= cost;
    choose(row);
    const group = groups?.of(rows[row]!);
    if (!groups || group === undefined) continue;
    const count = (counts.get(group) ?? 0) + 1;
    counts.set(group, count);
    if (count < groups.most) continue;
    const others = open;
    open = [];
    for (const other of others) (groups.of(rows[other]!) === group ? closed : open).push(other);
  }
  for (const row of [...open, ...closed]) left.push(rule.notSelectedOf(row, chosen));
  return { kept: chosen.map((row) => rows[row]!), left, notes };
}

/** Removes and returns the row with the greatest value; of equal ones the first. */
function takeBest(open: number[], rule: ChoiceRule): number {
  let best = 0;
  let most = -Infinity;
  for (const [k, row] of open.entries()) {
    const value = rule.valueOf(row);
    if (value <= most) continue;
    best = k;
    most = value;
  }
  return open.splice(best, 1)[0]!;
}

/** The similarity of the candidates of two rows; 0 if it is unknown for one of them. */
export interface RowSimilarity {
  of(a: CostedRow, b: CostedRow): number;
  /** What of the candidates could not be compared, for the reader of the ranking. */
  readonly warnings: readonly string[];
}

/** The source of the similarity of candidates; exactly one field is set. */
interface SimilaritySource {
  readonly fields?: readonly PathReader[] | undefined;
  readonly text?: readonly PathReader[] | undefined;
  readonly vector?: PathReader | undefined;
  readonly embedder: EmbedderSettings;
}

/** Reads the compared values of every row, before the first comparison. */
export function rowSimilarity(
  { fields, text, vector, embedder }: SimilaritySource,
  { rows, abort }: SelectorRun,
  embedders: Embedders,
): RowSimilarity | Promise<RowSimilarity> {
  if (fields) return new FieldSimilarity(rows, fields);
  if (vector)
    return new VectorSimilarity(
      rows,
      rows.map(({ candidate }) => valueOrError(() => readVector(vector, candidate))),
    );
  const texts = rows.map(({ candidate }) => valueOrError(() => readJoinedText(text ?? [], candidate)));
  const vectors = embedTexts(texts, (present) => embedders.open(embedder).embed(present, abort));
  return mapMaybePromise(vectors, (embedded) => new VectorSimilarity(rows, embedded));
}

/** The mean Jaccard index over fields: |A ∩ B| / |A ∪ B| of the values of two candidates. */
class FieldSimilarity implements RowSimilarity {
  readonly warnings: readonly string[];
  readonly #values = new Map<number, readonly ReadonlySet<unknown>[]>();

  constructor(
    rows: readonly CostedRow[],
    private readonly fields: readonly PathReader[],
  ) {
    const problems: string[] = [];
    for (const { id, index, candidate } of rows) {
      const values = valueOrError(() => fields.map((read) => valuesAt(read, candidate)));
      if (values instanceof Error) problems.push(`${id}: ${values.message}`);
      else this.#values.set(index, values);
    }
    this.warnings = problems.length === 0 ? [] : [unusableMessage('fields', problems)];
  }

  of(a: CostedRow, b: CostedRow): number {
    const [own, other] = [this.#values.get(a.index), this.#values.get(b.index)];
    if (!own || !other) return 0;
    return own.reduce((sum, values, k) => sum + jaccard(values, other[k]!), 0) / this.fields.length;
  }
}

/**
 * The values of a field: the elements of a list, or the single value. Objects are compared by their JSON. One that JSON cannot
 * write, because it contains itself or is too deep, is equal to itself only.
 */
export function valuesAt(read: PathReader, candidate: unknown): ReadonlySet<unknown> {
  const value = read(candidate);
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const present = list.filter((one) => one !== undefined && one !== null);
  return new Set(present.map((one) => (typeof one === 'object' ? jsonOrItself(one) : one)));
}

function jsonOrItself(value: unknown): unknown {
  try {
    return `json:${JSON.stringify(value)}`;
  } catch {
    return value;
  }
}

function jaccard(a: ReadonlySet<unknown>, b: ReadonlySet<unknown>): number {
  let common = 0;
  for (const value of a) if (b.has(value)) common += 1;
  return common === 0 ? 0 : common / (a.size + b.size - common);
}

/** The cosine of two vectors. */
class VectorSimilarity implements RowSimilarity {
  readonly warnings: readonly string[];
  readonly #vectors = new Map<number, ArrayLike<number>>();

  constructor(rows: readonly CostedRow[], vectors: readonly EmbeddingResult[]) {
    const problems: string[] = [];
    let width: number | undefined;
    for (const [k, { id, index }] of rows.entries()) {
      const vector = usableVector(vectors[k], width);
      if (typeof vector === 'string') problems.push(`${id}: ${vector}`);
      else {
        width ??= vector.length;
        this.#vectors.set(index, vector);
      }
    }
    this.warnings = problems.length === 0 ? [] : [unusableMessage('vector', problems)];
  }

  of(a: CostedRow, b: CostedRow): number {
    const [own, other] = [this.#vectors.get(a.index), this.#vectors.get(b.index)];
    return own && other ? cosineSimilarity(own, other) : 0;
  }
}

/** A vector, or an error. The first vector determines the expected width. */
function usableVector(vector: EmbeddingResult, width: number | undefined): ArrayLike<number> | string {
  if (vector === undefined) return 'it has none';
  if (vector instanceof Error) return vector.message;
  if (width !== undefined && vector.length !== width) return `expected ${width} numbers, found ${vector.length}`;
  const at = Array.from(vector).findIndex((number) => !Number.isFinite(number));
  return at < 0 ? vector : `number ${at} is ${vector[at]}`;
}

const unusableMessage = (what: 'fields' | 'vector', [first, ...others]: readonly string[]): string =>
  `${others.length + 1} have no ${what} to compare, and count as like no other: ${first}${others.length > 0 ? ' …' : ''}`;
