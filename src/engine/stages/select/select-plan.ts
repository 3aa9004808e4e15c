import type {
  CostedRow,
  NoteData,
  SelectorFunction,
  SelectorLeftOut,
  SelectorNote,
  SelectorRun,
} from '../../../contract/index.js';
import type { BoundExpression } from '../../../expression/index.js';
import type { BudgetSpec, ComputedLimit, PackEntry } from '../../../profile/index.js';
import type { Task } from '../../tasks.js';

/** An expression of a scored row; undefined is absent. */
export type CompiledKey = (candidate: unknown, row: number) => unknown;

/** A limit that each run computes from its context. */
export interface CompiledLimit {
  readonly key: 'top' | 'min_score';
  readonly spec: ComputedLimit;
  readonly evaluate: () => unknown;
}

/** Order and cut, compiled. */
interface SelectKeys {
  readonly duplicates: CompiledKey | undefined;
  /** Undefined, too, where it is still to be computed; so is `top`. */
  readonly minScore: number | undefined;
  readonly per: { readonly by: CompiledKey; readonly top: number } | undefined;
  /** undefined among them is the position in the input. */
  readonly ties: readonly (CompiledKey | undefined)[] | undefined;
  readonly top: number | undefined;
  /** How many of the best are skipped, because they are on earlier pages. */
  readonly offset: number;
}

/** What order and cut read of a row of a run; undefined is absent. */
export type RowKey = (row: number) => unknown;

/** How many rows of a group are selected at most. */
export interface RowsPerGroup {
  /** The group of a row; undefined is of none, and not limited. */
  readonly by: RowKey;
  readonly top: number;
}

/** The steps of selection that are a class's. */
export type SelectorStage = 'diversify' | 'pack' | 'place';

/** What a selector is prepared with; the engine adds those inside it. */
export type SelectorFacts = Omit<SelectorRun, 'selector'>;

/** A selector with those inside it: prepared once a run, the inner ones first. */
export interface CompiledSelector {
  /** Whether its class keeps group limits. */
  readonly keepsGroups: boolean;
  prepare(facts: SelectorFacts): Task<SelectorFunction>;
}

/** What fills the budget. */
export interface CompiledPack {
  readonly entry: PackEntry;
  readonly cost: BoundExpression;
  readonly readsMeasures: boolean;
  readonly selector: CompiledSelector;
}

/** One line of `fallback`: the strategy or candidate to use when nothing was selected. */
interface CompiledFallback {
  readonly when: () => boolean;
  readonly use: string;
}

/** A row of the ranking that was not selected. */
export interface UnselectedRow {
  readonly row: number;
  readonly reason: 'duplicate' | 'min_score' | 'per' | 'per_before' | 'offset' | 'top';
  /** The rows that are kept in its place: the duplicate, or those of its group. */
  readonly keptRows?: readonly number[];
  /** The values in the text of the reason. */
  readonly data?: NoteData | undefined;
}

/** The result of order and cut. */
export interface RowSelection {
  /** The selected rows, best first. */
  readonly rows: Int32Array;
  /** Their ranks among all rows, from 1; undefined where these have to be ordered to know. */
  ranks(): Int32Array | undefined;
  /** The other rows, listed when read. */
  left(): readonly UnselectedRow[];
}

/** A budget for one call, in place of the profile's target and max: one number is both, and one of the two is the other. */
export type CallBudget = number | { readonly target?: number | undefined; readonly max?: number | undefined };

/** What a run may spend, and what of it is kept free. */
export interface Budget extends BudgetSpec {
  readonly target: number;
  readonly max: number;
}

/** How a run's budget was spent. All but the margin in the unit of the costs. */
export interface BudgetUse {
  /** What was to be filled, and the most that everything together may cost: the profile's, or the call's own. */
  readonly target: number;
  readonly max: number;
  /** What the profile keeps free of them. */
  readonly outputReserve: number;
  readonly reservedSlots: number;
  /** In percent. */
  readonly safetyMargin: number;
  /** What the pinned cost. */
  readonly pinned: number;
  /** What was left of the target for the others, after the pinned and all that is kept free. */
  readonly room: number;
  /** What everything that is selected costs, the pinned included. */
  readonly used: number;
  /** What is left of the room; 0 where it is exceeded. */
  readonly unused: number;
}

/** A warning of a selector, for the reader of the ranking. */
export interface SelectorWarning {
  readonly stage: SelectorStage;
  readonly message: string;
}

/** The selected in their order, and what a selector left out. */
export interface Arrangement {
  readonly order: readonly CostedRow[];
  /** The same before a class placed them. */
  readonly unplaced: readonly CostedRow[];
  readonly left: readonly SelectorLeftOut[];
  /** Which step left out a row, by its position in the input. */
  leftBy(index: number): 'diversify' | 'pack' | undefined;
  /** The row of the ranking by position in the input; none for a pinned candidate. */
  readonly rowOf: ReadonlyMap<number, number>;
  readonly budget: BudgetUse | undefined;
  /** By position in the input: the cost, where it is known. */
  readonly costs: ReadonlyMap<number, number>;
  /** By position in the input: why it is selected, where a selector gives a reason. */
  readonly notes: ReadonlyMap<number, SelectorNote>;
  readonly warnings: readonly SelectorWarning[];
}

/** What was selected because nothing else was. */
export interface FallbackChoice {
  /** The name in the profile: a strategy's, or a candidate's. */
  readonly use: string;
  readonly positions: readonly number[];
  /** A candidate that its strategy made, unscored. */
  readonly made: readonly unknown[];
}

/** What selects: order and cut, pack and place, and the fallback. */
export interface SelectPlan {
  readonly select: SelectKeys;
  /** The limits that are still to be computed; none in the plan of a run that selects. */
  readonly limits: readonly CompiledLimit[];
  readonly diversify: CompiledSelector | undefined;
  readonly pack: CompiledPack | undefined;
  readonly place: CompiledSelector | undefined;
  readonly fallback: readonly CompiledFallback[];
}

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
