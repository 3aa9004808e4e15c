import type {
  CostedRow,
  NoteData,
  PackUnit,
  SelectorFunction,
  SelectorNotSelected,
  SelectorNote,
  SelectorRun,
} from '../../../sdk/index.js';
import type { BoundExpression } from '../../../expression/index.js';
import type { BudgetSpec, ComputedLimit, PackEntry } from '../../../profile/index.js';
import type { Task } from '../../tasks.js';

/** An expression on a scored row; undefined if absent. */
export type CompiledKey = (candidate: unknown, row: number) => unknown;

/** A limit that each run computes from its context. */
export interface CompiledLimit {
  readonly key: 'top' | 'min_score' | 'seed';
  readonly spec: ComputedLimit;
  readonly evaluate: () => unknown;
}

/** The compiled keys and limits of order and cut. */
interface SelectKeys {
  readonly duplicates: CompiledKey | undefined;
  /** Undefined also if it is one of `computedLimits`. The same applies to `top`. */
  readonly minScore: number | undefined;
  readonly per: { readonly by: CompiledKey; readonly top: number } | undefined;
  /** An undefined key is the position in the input. */
  readonly ties: readonly (CompiledKey | undefined)[] | undefined;
  readonly top: number | undefined;
  /** The seed of random choices. With it, the last tie-breaker is a random number of each position. */
  readonly seed: number | undefined;
  /** The number of best rows that are skipped, because they are on earlier pages. */
  readonly offset: number;
}

/** A key of a row, for order and cut; undefined if absent. */
export type RowKey = (row: number) => unknown;

/** Why a candidate cannot be packed: a candidate that belongs to it is missing. */
export interface Missing {
  /** The id that it needs, or the position of the candidate that is not available. */
  readonly needs: string | number;
}

/** The rows to pack, split by what their contracts allow. */
export interface ContractRows {
  /** The rows that pinned rows need, which must be packed. */
  readonly required: ReadonlySet<number>;
  /** By position in the input: why a row cannot be packed. */
  readonly missing: ReadonlyMap<number, Missing>;
  /** The other rows that are not pinned. */
  readonly units: readonly PackUnit[];
  readonly warnings: readonly string[];
}

/** Which candidates of a run must be packed together. */
export interface PackContracts {
  /** The positions of candidates that must be packed with another, or another with them. */
  readonly bound: ReadonlySet<number>;
  /** Splits the rows that are offered to the packer. Rows that are not offered are missing. */
  split(rows: readonly CostedRow[], nameOf: (position: number) => string): ContractRows;
}

/** The maximum number of selected rows per group. Pinned candidates have no row: they are not limited, and do not count. */
export interface RowsPerGroup {
  /** The group of a row. An undefined group is not limited. */
  readonly by: RowKey;
  readonly top: number;
}

/** The steps of selection that a class performs. */
export type SelectorStage = 'diversify' | 'pack' | 'place';

/** The input for preparing a selector. The engine adds the selectors inside it. */
export type SelectorFacts = Omit<SelectorRun, 'selector'>;

/** A selector with the selectors inside it. Prepared once per run, inner ones first. */
export interface CompiledSelector {
  /** Whether its class enforces group limits. */
  readonly keepsGroups: boolean;
  prepare(facts: SelectorFacts): Task<SelectorFunction>;
}

/** The compiled pack step, which fills the budget. */
export interface CompiledPack {
  readonly entry: PackEntry;
  readonly cost: BoundExpression;
  readonly readsMeasures: boolean;
  readonly selector: CompiledSelector;
  /** Which candidates belong together, evaluated by position in the input. */
  readonly contracts: { readonly keepTogether: CompiledKey | undefined; readonly requires: CompiledKey | undefined };
  readonly variants: BoundExpression | undefined;
  /** The order of the packed rows; undefined if it stays, best first. */
  readonly order: CompiledOrder | undefined;
  /** Whether the class packs units of rows. */
  readonly packsUnits: boolean;
}

/** The order of the packed rows: a word, or an expression, lowest first. */
export type CompiledOrder = 'score' | 'input' | { readonly evaluate: BoundExpression; readonly isTime: boolean };

/** A shorter version of a candidate. */
export interface PackedVariant {
  /** Its position in the candidate's list of variants. */
  readonly at: number;
  readonly cost: number;
  /** The part of the candidate's score that it counts for. */
  readonly share: number;
  /** Its fields. */
  readonly value: Readonly<Record<string, unknown>>;
}

/** One entry of `fallback`: the strategy or candidate to use if nothing was selected. */
interface CompiledFallback {
  readonly when: () => boolean;
  readonly use: string;
}

/** A row of the ranking that was not selected. */
export interface UnselectedRow {
  readonly row: number;
  readonly reason: 'duplicate' | 'min_score' | 'per' | 'per_before' | 'offset' | 'top';
  /** The rows that were selected instead: the duplicate, or rows of its group. */
  readonly keptRows?: readonly number[];
  /** The values in the text of the reason. */
  readonly data?: NoteData | undefined;
}

/** The result of order and cut. */
export interface RowSelection {
  /** The selected rows, best first. */
  readonly rows: Int32Array;
  /** Their ranks among all rows, from 1; undefined if this requires sorting all rows. */
  ranks(): Int32Array | undefined;
  /** The other rows. Listed on each call. */
  left(): readonly UnselectedRow[];
}

/** A budget for one call. A single number sets target and max, as does one of the two; other keys stay the profile's. */
export type CallBudget = number | CallBudgetKeys;

/** The keys of a budget, as in the profile. */
export interface CallBudgetKeys {
  readonly target?: number | undefined;
  readonly max?: number | undefined;
  readonly output_reserve?: number | undefined;
  readonly reserved_slots?: Readonly<Record<string, number>> | undefined;
  readonly safety_margin?: number | undefined;
}

/** The budget of a run, with its reserves. */
export interface Budget extends BudgetSpec {
  readonly target: number;
  readonly max: number;
}

/** How a run's budget was used. All values except the margin are in the unit of the costs. */
export interface BudgetUse {
  /** The target and the maximum of the total cost: from the call, else from the profile. */
  readonly target: number;
  readonly max: number;
  /** The reserves that the profile keeps free. */
  readonly outputReserve: number;
  readonly reservedSlots: number;
  /** In percent. */
  readonly safetyMargin: number;
  /** The cost of the pinned rows, and of the rows that they need. */
  readonly pinned: number;
  /** The part of the target that was available for other rows, after pinned rows and reserves. */
  readonly room: number;
  /** The cost of all selected rows, including pinned rows. */
  readonly used: number;
  /** The unused part of `room`; 0 if it is exceeded. */
  readonly unused: number;
  /** How good the choice is, if the packing class knows. */
  readonly optimality?: BudgetOptimality | undefined;
}

/** How good a packed selection is. */
export interface BudgetOptimality {
  /** How the class chose: `exact` if no other choice has a greater sum of scores. */
  readonly method: string;
  readonly optimal: boolean;
  /** The sum of the scores of the packed candidates that are not pinned. */
  readonly score: number;
  /** No other choice has a greater sum. */
  readonly bound: number;
  /** How much greater the best sum can be at most, as a part of `bound`: 0 if the choice is optimal. */
  readonly gap: number;
}

/** A warning of a selector, for the reader of the ranking. */
export interface SelectorWarning {
  readonly stage: SelectorStage;
  readonly message: string;
}

/** The selected rows in their order, and the rows that a selector did not select. */
export interface Arrangement {
  readonly order: readonly CostedRow[];
  /** The same rows before the place step. */
  readonly unplaced: readonly CostedRow[];
  readonly left: readonly SelectorNotSelected[];
  /** The step that did not select a row, by the row's position in the input. */
  leftBy(index: number): 'diversify' | 'pack' | undefined;
  /** The row of the ranking by position in the input. Pinned candidates are missing. */
  readonly rowOf: ReadonlyMap<number, number>;
  readonly budget: BudgetUse | undefined;
  /** By position in the input: the cost, if it is known. */
  readonly costs: ReadonlyMap<number, number>;
  /** By position in the input: the shorter version that is selected instead of the whole candidate. */
  readonly variants: ReadonlyMap<number, PackedVariant>;
  /** By position in the input: why it is selected, if a selector gives a reason. */
  readonly notes: ReadonlyMap<number, SelectorNote>;
  readonly warnings: readonly SelectorWarning[];
}

/** The fallback that was selected because nothing else was. */
export interface FallbackChoice {
  /** The name in the profile: of a strategy or of a candidate. */
  readonly use: string;
  readonly positions: readonly number[];
  /** The candidate that its strategy generated. It is not scored. */
  readonly made: readonly unknown[];
}

/** The compiled select stage: order and cut, diversify, pack and place, and the fallback. */
export interface SelectPlan {
  readonly select: SelectKeys;
  /** The limits that are expressions. Each run computes them, and its plan has them in `select` instead. */
  readonly computedLimits: readonly CompiledLimit[];
  readonly diversify: CompiledSelector | undefined;
  readonly pack: CompiledPack | undefined;
  readonly place: CompiledSelector | undefined;
  readonly fallback: readonly CompiledFallback[];
}

type ReasonTemplates = Readonly<Record<string, string>>;

/** The templates of the stage's own reasons. */
const SELECT_REASONS = {
  duplicate: 'duplicate of a better candidate',
  min_score: 'scored below min_score',
  offset: 'before the offset',
  per: '{top} of {group} are already selected',
  per_before: '{top} of {group} ranked before it, and {selected} of them are selected',
  top: 'below the top',
  out_of_reach: 'could reach at most {most}, but rank {top} has {floor}',
  below_min_score: 'could reach at most {most}, below the min_score of {min_score}',
  not_reranked: 'not among the best {top} by the scorers that ran first',
  no_cost: 'its cost is unknown: {why}',
  negative_cost: 'its cost of {cost} is below 0',
  pinned_first: 'it costs {cost}, and {room} are available next to the pinned candidates',
  incomplete: 'it is packed only with {needs}, which is not among the candidates to pack',
  required: 'a pinned candidate needs it',
  truncated: 'it costs {cost}, and {room} of the target were available',
} satisfies ReasonTemplates;

// Not in the row itself, because a selector returns rows that another selector created.
const templates = new WeakMap<SelectorNote, ReasonTemplates>();

/** Records the templates for the reason of a row. The first call wins: it is by the selector that did not select the row. */
export function withReasonTemplates<L extends SelectorNote>(left: L, reasons: ReasonTemplates): L {
  if (!templates.has(left)) templates.set(left, reasons);
  return left;
}

export const withSelectReasons = <L extends SelectorNotSelected>(left: L): L =>
  withReasonTemplates(left, SELECT_REASONS);

/** A row that order and cut did not select, in the form that selectors return. */
export const notSelectedOfRow = (
  { row, reason, keptRows, data }: UnselectedRow,
  positionOf: (row: number) => number,
): SelectorNotSelected => ({
  index: positionOf(row),
  reason,
  data,
  get replacedBy() {
    return keptRows?.map(positionOf);
  },
});

/**
 * The final reason for a row with the reason `per`, once the selection is known. If a later step did not select some rows of
 * its group, the reason is `per_before`.
 */
export function perReason(data: NoteData | undefined, others: readonly number[], isSelected: (one: number) => boolean) {
  const selected = others.filter(isSelected);
  if (selected.length === others.length) return { reason: 'per', data, kept: others } as const;
  return { reason: 'per_before', data: { ...data, selected: selected.length }, kept: selected } as const;
}

/**
 * The final form of a row that a step did not select: of the rows that replaced it, only selected ones remain.
 *
 * @param isSelected by position in the input
 */
export function settleNotSelected(
  left: SelectorNotSelected,
  isSelected: (index: number) => boolean,
): SelectorNotSelected {
  const { index } = left;
  const templatesOfLeft = reasonTemplatesOf(left);
  if (templatesOfLeft === SELECT_REASONS && left.reason === 'per') {
    const { reason, data, kept } = perReason(left.data, left.replacedBy ?? [], isSelected);
    return withSelectReasons({ index, reason, data, replacedBy: kept });
  }
  const settled: SelectorNotSelected = {
    index,
    get reason() {
      return left.reason;
    },
    get data() {
      return left.data;
    },
    get replacedBy() {
      return left.replacedBy?.filter(isSelected);
    },
  };
  return withReasonTemplates(settled, templatesOfLeft);
}

/** The templates for the reason of a row. */
export const reasonTemplatesOf = (left: SelectorNote): ReasonTemplates => templates.get(left) ?? SELECT_REASONS;
