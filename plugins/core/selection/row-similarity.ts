import {
  type CostedRow,
  cosineSimilarity,
  type Embedders,
  type EmbedderSettings,
  type PathReader,
  type SelectorRun,
  valueOrError,
} from '../../../src/sdk.js';
import { mapMaybePromise } from '../similarity/maybe-promise.js';
import { type EmbeddingResult, embedTexts, readJoinedText, readVector } from '../similarity/text-or-vector.js';

/** How alike the candidates of two rows are; 0 where nothing is known of one. */
export interface RowSimilarity {
  of(a: CostedRow, b: CostedRow): number;
  /** What of the candidates could not be compared, for the reader of the ranking. */
  readonly warnings: readonly string[];
}

/** Where the similarity of candidates comes from: one of them. */
export interface SimilaritySource {
  readonly fields?: readonly PathReader[] | undefined;
  readonly text?: readonly PathReader[] | undefined;
  readonly vector?: PathReader | undefined;
  readonly embedder: EmbedderSettings;
}

/** Reads of each row what it is compared by, before the first comparison. */
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

/** The mean over fields of what two candidates have in common of their values: |A ∩ B| / |A ∪ B| (Jaccard). */
class FieldSimilarity implements RowSimilarity {
  readonly warnings = [];
  readonly #values: ReadonlyMap<number, readonly ReadonlySet<unknown>[]>;

  constructor(
    rows: readonly CostedRow[],
    private readonly fields: readonly PathReader[],
  ) {
    this.#values = new Map(
      rows.map(({ index, candidate }) => [index, fields.map((read) => valuesAt(read, candidate))]),
    );
  }

  of(a: CostedRow, b: CostedRow): number {
    const [own, other] = [this.#values.get(a.index), this.#values.get(b.index)];
    if (!own || !other) return 0;
    return own.reduce((sum, values, k) => sum + jaccard(values, other[k]!), 0) / this.fields.length;
  }
}

/** The values of a field: those of a list, or the one that is there. Objects are compared by their JSON. */
export function valuesAt(read: PathReader, candidate: unknown): ReadonlySet<unknown> {
  const value = read(candidate);
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const present = list.filter((one) => one !== undefined && one !== null);
  return new Set(present.map((one) => (typeof one === 'object' ? `json:${JSON.stringify(one)}` : one)));
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
    this.warnings = problems.length === 0 ? [] : [unusableMessage(problems)];
  }

  of(a: CostedRow, b: CostedRow): number {
    const [own, other] = [this.#vectors.get(a.index), this.#vectors.get(b.index)];
    return own && other ? cosineSimilarity(own, other) : 0;
  }
}

/** A vector, or what is wrong with it; the first one decides how many numbers each has. */
function usableVector(vector: EmbeddingResult, width: number | undefined): ArrayLike<number> | string {
  if (vector === undefined) return 'it has none';
  if (vector instanceof Error) return vector.message;
  if (width !== undefined && vector.length !== width) return `expected ${width} numbers, found ${vector.length}`;
  const at = Array.from(vector).findIndex((number) => !Number.isFinite(number));
  return at < 0 ? vector : `number ${at} is ${vector[at]}`;
}

const unusableMessage = ([first, ...others]: readonly string[]): string =>
  `${others.length + 1} have no vector to compare, and count as like no other: ${first}${others.length > 0 ? ' …' : ''}`;
