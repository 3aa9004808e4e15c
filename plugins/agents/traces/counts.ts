import type { KindCounts } from './agent-trace.js';

/** The most kinds that are told apart: names of spans and blocks come from the log. */
const MOST_KINDS = 50;
const MOST_CHARACTERS = 60;
const OTHER = 'other kinds';

/** Counts by kind. */
export class Counts {
  readonly #counts = new Map<string, number>();
  total = 0;

  add(kind: string, count = 1): void {
    if (count === 0) return;
    const name = kind.length > MOST_CHARACTERS ? `${kind.slice(0, MOST_CHARACTERS)}…` : kind;
    const known = this.#counts.has(name) || this.#counts.size < MOST_KINDS ? name : OTHER;
    this.#counts.set(known, (this.#counts.get(known) ?? 0) + count);
    this.total += count;
  }

  /** Most frequent first. A kind may be `__proto__`: it is an own property. */
  get all(): KindCounts {
    return Object.fromEntries([...this.#counts].toSorted(([, a], [, b]) => b - a));
  }
}
