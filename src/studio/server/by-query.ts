import type { StudioQuery } from './studio-source.js';

/** What is computed of each query: once, when it is first asked for. What failed is computed again. */
export class ByQuery<R> {
  readonly #known = new Map<StudioQuery, Promise<R>>();

  constructor(private readonly compute: (query: StudioQuery) => Promise<R>) {}

  of(query: StudioQuery): Promise<R> {
    const known = this.#known.get(query);
    if (known) return known;
    const computed = this.compute(query);
    this.#known.set(query, computed);
    computed.catch(() => void this.#known.delete(query));
    return computed;
  }
}
