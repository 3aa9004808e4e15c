import type { SelectorLeftOut, SelectorNote } from '../../../contract/index.js';
import type { UnselectedRow } from './types.js';

type ReasonTemplates = Readonly<Record<string, string>>;

/** The reasons of the stage itself, as templates. */
const SELECT_REASONS = {
  duplicate: 'like a better one',
  min_score: 'scored below min_score',
  offset: 'before the offset',
  per: '{top} of {group} are already selected',
  top: 'below the top',
  out_of_reach: 'could reach at most {most}, and number {top} has {floor}',
  below_min_score: 'could reach at most {most}, below the min_score of {min_score}',
  not_reranked: 'not among the best {top} by the scorers that were asked first',
  no_cost: 'its cost is not known: {why}',
  negative_cost: 'its cost of {cost} is below 0',
  pinned_first: 'it costs {cost}, and beside what is pinned there is room for {room}',
  truncated: 'it costs {cost}, and {room} of the target was left',
} satisfies ReasonTemplates;

// Beside the row, because one selector passes on the rows that another left out.
const templates = new WeakMap<SelectorNote, ReasonTemplates>();

/** Notes the templates of the reason of a row. The first ones stay: those of the selector that left it out. */
export function withReasonTemplates<L extends SelectorNote>(left: L, reasons: ReasonTemplates): L {
  if (!templates.has(left)) templates.set(left, reasons);
  return left;
}

export const withSelectReasons = <L extends SelectorLeftOut>(left: L): L => withReasonTemplates(left, SELECT_REASONS);

/** A row that order and cut left out, in the form of a selector. */
export const leftOutOfRow = (
  { row, reason, keptRows, data }: UnselectedRow,
  positionOf: (row: number) => number,
): SelectorLeftOut => ({
  index: positionOf(row),
  reason,
  data,
  get keptInstead() {
    return keptRows?.map(positionOf);
  },
});

/** The templates that a row's reason is one of. */
export const reasonTemplatesOf = (left: SelectorNote): ReasonTemplates => templates.get(left) ?? SELECT_REASONS;
