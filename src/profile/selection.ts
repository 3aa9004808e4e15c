import type { Expression } from '../expression/index.js';
import type { ClassUse, ProfileLocation, ScorerEntry } from './entries.js';

/** A limit that a run computes from its context. */
export interface ComputedLimit extends ProfileLocation {
  readonly expression: Expression;
}

/** A limit of the selection. */
export type Limit = number | ComputedLimit;

export interface SelectSpec {
  readonly duplicates: Expression | undefined;
  readonly minScore: Limit | undefined;
  /** At most `top` of the candidates for which `by` is equal. */
  readonly per: { readonly by: Expression; readonly top: number } | undefined;
  /** undefined is `input`. */
  readonly ties: readonly (Expression | undefined)[] | undefined;
  readonly top: Limit | undefined;
  /** Chooses the top; the best by score where there is none. */
  readonly diversify: SelectorEntry | undefined;
  /** Whether candidates that cannot be selected may skip expensive scorers. */
  readonly prune: boolean;
  readonly pack: PackEntry | undefined;
  readonly place: SelectorEntry | undefined;
}

/** A use of a selector class. */
export interface SelectorEntry extends ProfileLocation {
  readonly use: ClassUse;
}

export interface PackEntry extends SelectorEntry {
  readonly cost: Expression;
  readonly budget: BudgetSpec;
  readonly overflow: 'throw' | 'truncate' | 'proceed';
}

/** A budget as the profile has it; a call may give its own target and maximum. */
export interface BudgetSpec {
  readonly target: number | undefined;
  readonly max: number | undefined;
  readonly outputReserve: number;
  /** The sum of all. */
  readonly reservedSlots: number;
  /** A percentage. */
  readonly safetyMargin: number;
}

/** The scorers that run only on the best candidates by the others. */
export interface RerankSpec {
  /** About how many of the best. */
  readonly top: number;
  /** The ids of these scorers. */
  readonly ask: readonly string[];
}

/** The scorers that run only on candidates that can still be selected. */
export interface PruningPlan {
  /** The cheapest first; empty where `disabledReason` is given. */
  readonly scorers: readonly ScorerEntry[];
  /** Why nothing can be pruned; undefined where something can. */
  readonly disabledReason: string | undefined;
}

export interface FallbackSpec {
  readonly when: Expression | undefined;
  readonly use: string;
}
