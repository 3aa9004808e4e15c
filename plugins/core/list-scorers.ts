import {
  abstain,
  defineScorer,
  itemPath,
  type ParamsOf,
  path,
  type PathReader,
  readList,
  type RowScorer,
  type Score,
  z,
} from '../../src/unit-sdk.js';
import { pathRecord } from './params.js';

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

/** Whether an item meets every condition. A plain loop, because it runs for every item of every candidate. */
function matchesAll(item: unknown, where: readonly Condition[]): boolean {
  for (const condition of where) if (!matches(item, condition)) return false;
  return true;
}

type CountParams = ParamsOf<typeof CountScorer>;

/**
 * Counts the items of a list: all items, those that meet conditions, or the distinct values of a field among them.
 * Mostly used as a measure for rules and formulas. Returns 0 for an empty list and declares no range.
 */
export class CountScorer implements RowScorer<CountParams> {
  static readonly meta = defineScorer({
    summary: 'Counts the items of a list: all, those that match, or distinct values.',
    reads: 'params',
    params: z.strictObject({
      items: path().describe('The path to the list.'),
      where: conditions
        .prefault({})
        .describe('Conditions by path within an item: the value must be equal, or present with `{ present: true }`.'),
      distinct: itemPath()
        .optional()
        .describe('Counts the distinct values at this path within an item, without absent ones.'),
    }),
    reasons: {
      all: '{items} items',
      some: '{count} of {items} items',
      distinct: '{count} different {distinct} in {items} items',
      absent: '{items} is absent',
    },
  });

  compile({ items, where, distinct }: CountParams): Score<unknown> {
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

type DiversityParams = ParamsOf<typeof DiversityScorer>;

/**
 * Scores the variety of a candidate's list: `min(1, distinct values / max(1, items) × factor)`. An empty list scores 0.
 * This is KnowledgePulse's Tool Diversity (D): a different tool in every third step scores 1.
 */
export class DiversityScorer implements RowScorer<DiversityParams> {
  static readonly meta = defineScorer({
    summary: 'Favours lists whose items differ in one field.',
    reads: 'params',
    params: z.strictObject({
      items: path().describe('The path to the list.'),
      distinct: itemPath().describe('The path within an item to the value that should differ.'),
      factor: z.number().positive().default(3).describe('With 3, a different value in every third item scores 1.'),
    }),
    range: [0, 1],
    reasons: { varied: '{distinct} different in {items} items', absent: '{items} is absent' },
  });

  compile({ items, distinct, factor }: DiversityParams): Score<unknown> {
    return (candidate, _index, note) => {
      const list = readList(items, candidate);
      if (list === undefined) return abstain(note, 'absent', { items: items.source });
      const found = distinctValues(list, distinct).size;
      note?.('varied', { distinct: found, items: list.length });
      return Math.min(1, (found / Math.max(1, list.length)) * factor);
    };
  }
}

const shareParam = z.number().nonnegative();

type ComplexityParams = ParamsOf<typeof ComplexityScorer>;

/**
 * Scores the structure of a candidate's list by its kinds of items, one special kind, and its length: `min(1, kinds
 * found / kinds × kinds_weight + (bonus kind found ? bonus : 0) + items / length × length_weight)`.
 *
 * This is KnowledgePulse's Complexity (C) with the same order of operations, so that both agree to the last bit.
 */
export class ComplexityScorer implements RowScorer<ComplexityParams> {
  static readonly meta = defineScorer({
    summary: 'Favours lists with many kinds of items, with one special kind, and with many items.',
    reads: 'params',
    params: z.strictObject({
      items: path().describe('The path to the list.'),
      kind: itemPath('type').describe('The path to the kind within an item.'),
      kinds: z.number().positive().default(4).describe('The number of kinds that score the full kinds_weight.'),
      kinds_weight: shareParam
        .default(0.5)
        .describe('The score of `kinds` kinds; proportional for fewer and for more.'),
      bonus_kind: z.string().optional().describe('The kind that gets the bonus. Default: no bonus.'),
      bonus: shareParam.default(0.3).describe('The score of at least one item of bonus_kind.'),
      length: z.number().positive().default(20).describe('The number of items that score the full length_weight.'),
      length_weight: shareParam
        .default(0.2)
        .describe('The score of `length` items; proportional for fewer and for more.'),
    }),
    range: [0, 1],
    reasons: {
      shape: '{kinds} kinds in {items} items',
      bonus: '{kinds} kinds in {items} items, one of them {bonus_kind}',
      absent: '{items} is absent',
    },
  });

  compile({
    items,
    kind,
    kinds,
    kinds_weight,
    bonus_kind,
    bonus,
    length,
    length_weight,
  }: ComplexityParams): Score<unknown> {
    return (candidate, _index, note) => {
      const list = readList(items, candidate);
      if (list === undefined) return abstain(note, 'absent', { items: items.source });
      const found = distinctValues(list, kind);
      const special = bonus_kind !== undefined && found.has(bonus_kind);
      if (special) note?.('bonus', { kinds: found.size, items: list.length, bonus_kind });
      else note?.('shape', { kinds: found.size, items: list.length });
      return Math.min(
        1,
        (found.size / kinds) * kinds_weight + (special ? bonus : 0) + (list.length / length) * length_weight,
      );
    };
  }
}

/**
 * The distinct values at a path of the items of a list, compared by `===` (NaN equals itself). An item without a value
 * adds nothing. If the value is a list (`tags`, `calls[].name`), each element counts.
 */
function distinctValues(items: readonly unknown[], read: PathReader): ReadonlySet<unknown> {
  const values = new Set<unknown>();
  for (const item of items) {
    const value = read(item);
    if (value === undefined) continue;
    if (Array.isArray(value)) for (const element of value) values.add(element);
    else values.add(value);
  }
  return values;
}
