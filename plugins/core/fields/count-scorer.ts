import {
  abstain,
  defineScorer,
  itemPath,
  type ParamsOf,
  type PathReader,
  path,
  type RowScorer,
  readList,
  type Score,
  z,
} from '../../../src/sdk.js';
import { distinctValues } from './distinct-values.js';
import { pathRecord } from './path-record.js';

const expectedValue = z.union([z.string(), z.number(), z.boolean(), z.strictObject({ present: z.boolean() })]);

interface Condition {
  readonly field: PathReader;
  readonly expected: z.output<typeof expectedValue>;
}

/** Conditions by their paths within an item. */
const conditions = pathRecord(
  z.record(z.string(), expectedValue),
  itemPath(),
  (field, expected): Condition => ({
    field,
    expected,
  }),
);

const matches = (item: unknown, { field, expected }: Condition): boolean =>
  typeof expected === 'object' ? (field(item) !== undefined) === expected.present : field(item) === expected;

/** Whether an item meets every condition. A loop and no `every`: it runs for every item of every candidate. */
function matchesAll(item: unknown, where: readonly Condition[]): boolean {
  for (const condition of where) if (!matches(item, condition)) return false;
  return true;
}

type Params = ParamsOf<typeof CountScorer>;

/**
 * Counts the items of a list: all, those that meet conditions, or the different values of one field among those. Mostly
 * a measure, for rules and formulas. 0 for an empty list; it declares no range.
 */
export class CountScorer implements RowScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Counts the items of a list: all, some, or different ones.',
    reads: 'params',
    params: z.strictObject({
      items: path().describe('The path to the list.'),
      where: conditions
        .prefault({})
        .describe(
          'Which items count, by paths within an item: each equals the value, or is there: `{ present: true }`.',
        ),
      distinct: itemPath()
        .optional()
        .describe('Counts the different values at this path within an item; absent ones never.'),
    }),
    reasons: {
      all: '{items} items',
      some: '{count} of {items} items',
      distinct: '{count} different {distinct} in {items} items',
      absent: '{items} is absent',
    },
  });

  compile({ items, where, distinct }: Params): Score<unknown> {
    return (candidate, _index, note) => {
      const list = readList(items, candidate);
      if (list === undefined) return abstain(note, 'absent', { items: items.source });
      if (distinct !== undefined) {
        const matching = where.length === 0 ? list : list.filter((item) => matchesAll(item, where));
        const count = distinctValues(matching, distinct).size;
        note?.('distinct', { count, distinct: distinct.source, items: matching.length });
        return count;
      }
      let count = 0;
      for (const item of list) if (matchesAll(item, where)) count += 1;
      if (where.length === 0) note?.('all', { items: count });
      else note?.('some', { count, items: list.length });
      return count;
    };
  }
}
