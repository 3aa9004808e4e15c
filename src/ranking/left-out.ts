import type { SelectorLeftOut } from '../contract/index.js';
import type { PrunedRows } from '../engine/stages/score/types.js';
import { reasonTemplatesOf, withSelectReasons } from '../engine/stages/select/left-out-reasons.js';
import { noteText } from '../explain/reason-text.js';
import type { LeftOut, Placed } from './rows.js';

/** Why a row was left out, in words. */
export const leftOutText = (left: SelectorLeftOut): string =>
  noteText({ reason: left.reason, data: left.data ?? {} }, reasonTemplatesOf(left));

/** What is known of a row besides why it was left out. */
type KnownRow<T> = Placed<T> & Pick<LeftOut<T>, 'score' | 'rank' | 'partial' | 'cost'>;

/** A row that a selector, or the budget itself, left out: the reason is asked when somebody reads it. */
export function leftOutRow<T>(row: KnownRow<T>, left: SelectorLeftOut, idAt: (position: number) => string): LeftOut<T> {
  let text: string | undefined;
  return Object.freeze({
    ...row,
    get reason() {
      return left.reason;
    },
    get text() {
      return (text ??= leftOutText(left));
    },
    get data() {
      return left.data;
    },
    get keptInstead() {
      const { keptInstead = [] } = left;
      return keptInstead.length > 0 ? keptInstead.map(idAt) : undefined;
    },
  });
}

/** Why a row was left out before it was asked about by all. */
export function prunedReason({ plan, most, floor }: PrunedRows, index: number, row: number): SelectorLeftOut {
  const { top } = plan;
  if (plan.how === 'rerank') return withSelectReasons({ index, reason: 'not_reranked', data: { top } });
  const { minScore } = plan;
  const reach = most[row]!;
  return minScore !== undefined && reach < minScore
    ? withSelectReasons({ index, reason: 'below_min_score', data: { most: reach, min_score: minScore } })
    : withSelectReasons({ index, reason: 'out_of_reach', data: { most: reach, top, floor } });
}
