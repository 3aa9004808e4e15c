import type { Refusal } from '../engine/kernel/verdict.js';
import type { RuleStep } from '../engine/stages/adjust/types.js';
import type { CombineMethod } from '../profile/profile.js';
import type { CellState } from '../ranking/score-matrix.js';
import type { JsonValue } from './json-value.js';

/** A field or variable that something read: with neither `value` nor `summary` it was absent. */
export interface FieldRead {
  /** `candidate.stars`, `measures.tools`, `signals.phase`, `context.mode`; in a formula also a scorer's id. */
  readonly path: string;
  /** What was found there, where it is small. */
  readonly value?: JsonValue;
  /** What was found there, in words, where it is not: `a list of 30`. */
  readonly summary?: string;
}

/** A reason that a unit noted. */
export interface NoteTerm {
  /** Its id among those that the unit declares. */
  readonly reason: string;
  /** Its template, filled with the data; the id in words, where the unit declares no such reason. */
  readonly text: string;
  readonly data: { readonly [name: string]: JsonValue };
  /** What the unit did wrong: a reason that it does not declare, or data that is missing. The score stands. */
  readonly problem?: string;
}

/** What everything has that can be asked about a candidate. */
export interface EntryTerm {
  /** The class, or the text of the expression. */
  readonly unit: string;
  /** Why it was not asked, where it was not. */
  readonly because?: string;
  /** In words: the text of its last note. */
  readonly reason?: string;
  /** What went wrong, where it failed. */
  readonly error?: string;
  readonly notes: readonly NoteTerm[];
  /** What it read through its `path` params and expressions. */
  readonly reads: readonly FieldRead[];
  /** The entries among its params, in the order in which it asked them. */
  readonly inside: readonly ChildTerm[];
}

/** An entry inside another one. */
export interface ChildTerm extends EntryTerm {
  readonly state: 'scored' | 'absent' | 'failed';
  /** As its unit gave it. */
  readonly raw?: number;
  /** As the entry around it got it; missing where it is left out. */
  readonly value?: number;
  /** Its weight among its siblings, where it has any: what that means is the entry's around it. */
  readonly weight?: number;
  /** The rule that says what counts in place of its answer, as the profile writes it: `on_absent: 0.5`. */
  readonly rule?: string;
}

/** One entry of Tier 1. */
export interface VetoTerm extends EntryTerm {
  readonly id: string;
  readonly state: 'passed' | 'refused' | 'absent' | 'failed' | 'not_asked';
  /** What the candidate was refused for, where it was. */
  readonly refusal?: Refusal;
}

/** One measure. */
export interface MeasureTerm extends EntryTerm {
  readonly id: string;
  readonly state: CellState;
  readonly value?: number;
}

/** One entry of Tier 2. */
export interface ScorerTerm extends EntryTerm {
  readonly id: string;
  readonly state: CellState;
  /** As its unit gave it. */
  readonly raw?: number;
  /** The number that counts; missing where the entry leaves the row. */
  readonly value?: number;
  /** The rule that settled what counts, as the profile writes it: `on_absent: 0.5`, `out_of_range: clamp`. */
  readonly rule?: string;
  /** As the profile writes it: a number, or an expression; `case` says which of its cases did. */
  readonly written?: number | string;
  readonly case?: string;
  /** In this run: of a mean the share of all weights, else as it is. Where the combine reads weights. */
  readonly share?: number;
  /** What `value` is multiplied by (in a geometric mean: raised to): `share`, scaled up for scorers that are missing. */
  readonly weight?: number;
  /** What it brings: a summand in the sums; a factor in product and geometric mean; missing in min, max and formula. */
  readonly contribution?: number;
  /** What the candidate was refused for, where it was. */
  readonly refusal?: Refusal;
}

/** How the scores became one number. */
export interface CombineTerm {
  readonly method: Extract<CombineMethod, string> | 'formula';
  readonly formula?: string;
  /** What the formula read. */
  readonly reads: readonly FieldRead[];
  /** On how many of the run's scorers. */
  readonly present: number;
  readonly of: number;
  /** What the weights of those present were multiplied by, where some are missing: Σ|w| / Σ|w present|. */
  readonly scale?: number;
  /** Missing where nothing came of it. */
  readonly score?: number;
  readonly error?: string;
  readonly refusal?: Refusal;
}

/** One operation of a rule: what it did to the score. */
export interface StepTerm extends RuleStep {
  /** Where the amount comes from, unless the profile says the number: an expression, or the keys of a table. */
  readonly from?: string;
}

/** One rule of the profile's `adjustments`. */
export interface RuleTerm {
  readonly id: string;
  readonly state: 'fired' | 'not_fired' | 'refused' | 'failed' | 'not_asked';
  /** Why it was not asked, where it was not. */
  readonly because?: string;
  readonly when?: string;
  readonly steps: readonly StepTerm[];
  /** The score after it. */
  readonly score?: number;
  readonly reads: readonly FieldRead[];
  readonly error?: string;
  readonly refusal?: Refusal;
}

/** One refusal, in words. */
export interface RefusalTerm {
  readonly kind: Refusal;
  /** The entry; `combine` where none refused alone. */
  readonly by: string;
  readonly reason: string;
}

/** Why a candidate was left out: as in the ranking's `leftOut`. */
export interface LeftOutTerm {
  readonly reason: string;
  /** The same in words, with its numbers. */
  readonly text: string;
  /** The ids of those that are in its place. */
  readonly keptInstead?: readonly string[];
}

/** What became of a candidate: scored and ranked, refused, left out before all was asked, or not judged at all (`pinned`, `made` by a fallback). */
export type CandidateOutcome = (
  | {
      readonly kind: 'ranked';
      readonly score: number;
      /** 1 is the best, of `of` ranked ones. */
      readonly rank: number;
      readonly of: number;
      /** Why it was not selected for its score. */
      readonly leftOut?: LeftOutTerm;
    }
  | ({ readonly kind: 'refused'; readonly all: readonly RefusalTerm[] } & Omit<RefusalTerm, 'kind'> & {
        readonly refusal: Refusal;
      })
  | {
      /** Some of its scorers were not asked: it could not be selected, or a rerank asks about others. */
      readonly kind: 'not_asked';
      /** The most that it could score; missing where nobody looked. */
      readonly atMost?: number;
      readonly leftOut: LeftOutTerm;
    }
  | { readonly kind: 'pinned'; readonly leftOut?: LeftOutTerm }
  | { readonly kind: 'made' }
) & {
  /** Why it is among the selected; missing where it is not. A fallback may have made it once more. */
  readonly selected?: 'score' | 'pinned' | 'fallback';
};

/**
 * Why a candidate came out as it did: a tree from its score down to every number and field that made it. Plain data,
 * frozen; as JSON it is the same. Its keys are stable; new ones may come.
 *
 * Entries stand in the order of the profile, and each that the profile has is there: what was not asked says so
 * (`not_asked`) and why (`because`). Numbers are exact: `evaluate` makes the score of them.
 */
export interface Explanation {
  readonly profile: string;
  readonly id: string;
  /** Its position in the candidates that were given; −1 for one that only a fallback made. */
  readonly index: number;
  /** How many candidates have this id, where it is more than one. */
  readonly sameId?: number;
  readonly outcome: CandidateOutcome;
  /** The time of the run, in milliseconds since 1970. */
  readonly now: number;
  /** The signals of the run, the phase among them. */
  readonly signals: readonly FieldRead[];
  readonly vetoes: readonly VetoTerm[];
  readonly measures: readonly MeasureTerm[];
  readonly scorers: readonly ScorerTerm[];
  /** Missing where nothing was scored. */
  readonly combine?: CombineTerm;
  readonly rules: readonly RuleTerm[];
}
