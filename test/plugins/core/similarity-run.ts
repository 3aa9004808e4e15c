import { type NeighbourGraphs, type Run, type Score, type UnitMeta, VectorMemory, type z } from 'assize/sdk';

/** A unit that compares candidates with a memory of vectors. */
interface Prepared<V> {
  readonly score: Score<unknown, V>;
  readonly memory: VectorMemory;
}

interface Unit<P, V> {
  prepare(params: P, run: Run, memory: VectorMemory): Prepared<V> | Error | Promise<Prepared<V> | Error>;
}

interface Before {
  readonly now?: number;
  readonly memory?: VectorMemory | undefined;
}

const none = (): never => {
  throw new Error('this test has no children');
};

/** For tests without an index. */
export const noGraphs: NeighbourGraphs = {
  check: () => {
    throw new Error('no index was asked for');
  },
  open: () => {
    throw new Error('no index was asked for');
  },
};

/** Prepares a unit on candidates, with params as in a profile: its result for each, or its error. */
export function runOn<V, S extends z.ZodType>(make: () => Unit<z.output<S>, V>, meta: UnitMeta<S>) {
  return async (raw: unknown, candidates: readonly unknown[], { now = 0, memory }: Before = {}) => {
    const params = meta.params.parse(raw);
    const { signal: abort } = new AbortController();
    const run: Run = {
      candidates,
      now,
      abort,
      context: {},
      signals: {},
      measures: {},
      child: none,
      expression: none,
      idOf: () => undefined,
      partial: () => {},
    };
    const facts: { empty(given: z.output<S>): unknown } | undefined = meta.memory;
    const before = memory ?? facts?.empty(params);
    if (!(before instanceof VectorMemory)) throw new TypeError('the empty memory is none of vectors');
    const prepared = await make().prepare(params, run, before);
    if (prepared instanceof Error) throw prepared;
    const values = candidates.map((candidate, i): unknown => {
      try {
        return prepared.score(candidate, i);
      } catch (error) {
        return error;
      }
    });
    return { ...prepared, values };
  };
}
