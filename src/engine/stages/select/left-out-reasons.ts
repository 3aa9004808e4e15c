import type { NoteData, SelectorLeftOut, SelectorNote } from '../../../contract/index.js';
import type { UnselectedRow } from './types.js';

type ReasonTemplates = Readonly<Record<string, string>>;

/** The reasons of the stage itself, as templates. */
const SELECT_REASONS = {
  duplicate: 'like a better one',
  min_score: 'scored below min_score',
  offset: 'before the offset',
  per: '{top} of {group} are already selected',
  per_before: '{top} of {group} came before it, of which {selected} are selected',
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

/**
 * The reason `per` of a row, once the selection is known: a later step may have left out some of its group. Then its
 * group is not "already selected".
 */
export function perReason(data: NoteData | undefined, others: readonly number[], isSelected: (one: number) => boolean) {
  const selected = others.filter(isSelected);
  if (selected.length === others.length) return { reason: 'per', data, kept: others } as const;
  return { reason: 'per_before', data: { ...data, selected: selected.length }, kept: selected } as const;
}

/**
 * A row that a step left out, once the selection is known: what is in its place are rows that are selected.
 *
 * @param isSelected by position in the input
 */
export function settleLeftOut(left: SelectorLeftOut, isSelected: (index: number) => boolean): SelectorLeftOut {
  const { index } = left;
  const templatesOfLeft = reasonTemplatesOf(left);
  if (templatesOfLeft === SELECT_REASONS && left.reason === 'per') {
    const { reason, data, kept } = perReason(left.data, left.keptInstead ?? [], isSelected);
    return withSelectReasons({ index, reason, data, keptInstead: kept });
  }
  const settled: SelectorLeftOut = {
    index,
    get reason() {
      return left.reason;
    },
    get data() {
      return left.data;
    },
    get keptInstead() {
      return left.keptInstead?.filter(isSelected);
    },
  };
  return withReasonTemplates(settled, templatesOfLeft);
}

/** The templates that a row's reason is one of. */
export const reasonTemplatesOf = (left: SelectorNote): ReasonTemplates => templates.get(left) ?? SELECT_REASONS;
