import { compilePath } from 'assize/internal';
import type { StudioQuery } from './ranked-profile.js';

/** A candidate of a query. */
export interface Item {
  readonly query: number;
  readonly position: number;
}

/** The candidates of a studio by the ids that files of judgements use. Maps, because an id may be `__proto__`. */
export class NamedItems {
  readonly #positions: readonly ReadonlyMap<string, number>[];
  readonly #names: readonly (readonly (string | undefined)[])[];
  readonly #numbers: ReadonlyMap<string, number>;
  /** Why the candidates cannot be judged; undefined if they can. */
  readonly problem: string | undefined;

  /** @param path the path to the id in a candidate */
  constructor(
    private readonly queries: readonly StudioQuery[],
    path: string,
  ) {
    const id = compilePath(path);
    this.#names = queries.map(({ candidates }) => candidates.map((one) => nameOf(id(one))));
    this.#positions = this.#names.map(
      (names) => new Map(names.flatMap((name, k) => (name === undefined ? [] : [[name, k] as const]))),
    );
    this.#numbers = new Map(queries.map((query, number) => [query.id, number]));
    const all = this.#names.flat();
    const unnamed = all.filter((name) => name === undefined).length;
    const named = this.#positions.reduce((sum, { size }) => sum + size, 0);
    const fix = 'start the studio with --id and the path to a field that is different for each item';
    this.problem =
      unnamed > 0
        ? `${unnamed} of ${all.length} items ${unnamed === 1 ? 'has' : 'have'} no ${path}, so a file cannot name ${unnamed === 1 ? 'it' : 'them'}: ${fix}`
        : named < all.length
          ? `${all.length - named} items have the ${path} of another item, so a file cannot distinguish them: ${fix}`
          : undefined;
  }

  /** Whether there is one list, whose query files need not name. */
  get isOneList(): boolean {
    return this.queries.length === 1;
  }

  /** The id of a query in a file; the only query has any or none. */
  queryName(query: number): string {
    return this.queries[query]?.id || 'all';
  }

  /** The number of a query that a file names; undefined if it does not exist. */
  queryOf(name: string | undefined): number | undefined {
    if (this.isOneList) return 0;
    return name === undefined ? undefined : this.#numbers.get(name);
  }

  position(query: number, id: string): number | undefined {
    return this.#positions[query]?.get(id);
  }

  name({ query, position }: Item): string | undefined {
    return this.#names[query]?.[position];
  }
}

const nameOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
