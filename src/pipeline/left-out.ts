import type { Left } from '../contract/index.js';
import { reasonText } from '../explain/reason.js';
import { saidBySelect, templatesOf } from '../stages/left-reasons.js';
import type { SparedRows } from '../stages/score-late.js';
import type { LeftOut, Placed } from './rows.js';

/** Why a row was left out, in words. */
export const leftText = (left: Left): string =>
  reasonText({ reason: left.reason, data: left.data ?? {} }, templatesOf(left));

/** What is known of a row besides why it was left out. */
type Known<T> = Placed<T> & Pick<LeftOut<T>, 'score' | 'rank' | 'partial' | 'cost'>;

/** A row that a selector, or the budget itself, left out: the reason is asked when somebody reads it. */
export function leftRow<T>(row: Known<T>, left: Left, idAt: (position: number) => string): LeftOut<T> {
  let text: string | undefined;
  return Object.freeze({
    ...row,
    get reason() {
      return left.reason;
    },
    get text() {
      return (text ??= leftText(left));
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
export function sparedLeft({ late, most, floor }: SparedRows, index: number, row: number): Left {
  const { top } = late;
  if (late.how === 'rerank') return saidBySelect({ index, reason: 'not_reranked', data: { top } });
  const { minScore } = late;
  const reach = most[row]!;
  return minScore !== undefined && reach < minScore
    ? saidBySelect({ index, reason: 'below_min_score', data: { most: reach, min_score: minScore } })
    : saidBySelect({ index, reason: 'out_of_reach', data: { most: reach, top, floor } });
}
