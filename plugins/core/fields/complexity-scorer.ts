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

const shareParam = z.number().nonnegative();

type Params = ParamsOf<typeof ComplexityScorer>;

/**
 * Scores how rich the structure of a candidate's list is: by its kinds of item, one special kind, and its length.
 *
 * `min(1, kinds found / kinds × kinds_weight + (bonus kind found ? bonus : 0) + items / length × length_weight)`:
 * KnowledgePulse's Complexity (C), in its order of operations, so that both agree to the last bit.
 */
export class ComplexityScorer implements RowScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours lists with many kinds of item, with one special kind, and with many items.',
    reads: 'params',
    params: z.strictObject({
      items: path().describe('The path to the list.'),
      kind: itemPath('type').describe('The path to the kind, within an item.'),
      kinds: z.number().positive().default(4).describe('How many kinds earn the whole of kinds_weight.'),
      kinds_weight: shareParam.default(0.5).describe('What `kinds` kinds earn; fewer earn a part, more earn more.'),
      bonus_kind: z.string().optional().describe('The kind that earns the bonus; none when not said.'),
      bonus: shareParam.default(0.3).describe('What one item or more of bonus_kind earns.'),
      length: z.number().positive().default(20).describe('How many items earn the whole of length_weight.'),
      length_weight: shareParam.default(0.2).describe('What `length` items earn; fewer earn a part, more earn more.'),
    }),
    range: [0, 1],
    reasons: {
      shape: '{kinds} kinds in {items} items',
      bonus: '{kinds} kinds in {items} items, one of them {bonus_kind}',
      absent: '{items} is absent',
    },
  });

  compile({ items, kind, kinds, kinds_weight, bonus_kind, bonus, length, length_weight }: Params): Score<unknown> {
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
