import {
  abstain,
  defineScorer,
  itemPath,
  type ParamsOf,
  path,
  type RowScorer,
  readList,
  type Score,
  z,
} from '../../../src/sdk.js';
import { distinctValues } from './distinct-values.js';

type Params = ParamsOf<typeof DiversityScorer>;

/**
 * Scores how varied a candidate's list is: `min(1, distinct values / max(1, items) × factor)`. An empty list scores 0.
 * KnowledgePulse's Tool Diversity (D): a different tool in every third step scores 1.
 */
export class DiversityScorer implements RowScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours lists whose items differ in one field.',
    reads: 'params',
    params: z.strictObject({
      items: path().describe('The path to the list.'),
      distinct: itemPath().describe('The path to the value that should differ, within an item.'),
      factor: z.number().positive().default(3).describe('3: a different value in every third item is enough for 1.'),
    }),
    range: [0, 1],
    reasons: { varied: '{distinct} different in {items} items', absent: '{items} is absent' },
  });

  compile({ items, distinct, factor }: Params): Score<unknown> {
    return (candidate, _index, note) => {
      const list = readList(items, candidate);
      if (list === undefined) return abstain(note, 'absent', { items: items.source });
      const found = distinctValues(list, distinct).size;
      note?.('varied', { distinct: found, items: list.length });
      return Math.min(1, (found / Math.max(1, list.length)) * factor);
    };
  }
}
