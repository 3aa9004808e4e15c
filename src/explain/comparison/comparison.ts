import type { Refusal } from '../../engine/kernel/verdict.js';
import type { CellState } from '../../ranking/score-matrix.js';
import type { CandidateOutcome, CombineTerm, RuleTerm } from '../explanation.js';

/** One of the two candidates of a comparison. */
export type Side = 'a' | 'b';

/** A candidate that is compared, and what became of it. */
export interface ComparedCandidate {
  readonly id: string;
  /** Its position in the candidates that were given; −1 for one that only a fallback made. */
  readonly index: number;
  /** How many candidates have this id, where it is more than one. */
  readonly sameId?: number;
  readonly outcome: CandidateOutcome;
}

/** A scorer's part in the score of one of the two. */
export interface TermSide {
  readonly state: CellState;
  /** As its unit gave it. */
  readonly raw?: number;
  /** The number that counts; missing where the entry leaves the row. */
  readonly value?: number;
  /** As the profile, or the candidate's case in it, writes it. */
  readonly written?: number | string;
  /** What `value` is multiplied by; in a geometric mean raised to. */
  readonly weight?: number;
  /** What it brings: a summand in the sums, a factor in product and geometric mean. */
  readonly contribution?: number;
}

/** One scorer in the scores of both. */
export interface TermComparison {
  readonly id: string;
  /** The class, or the text of the expression. */
  readonly unit: string;
  readonly a: TermSide;
  readonly b: TermSide;
  /** What it brings to a, less what it brings to b: in the sums, where nothing that is left out brings 0. */
  readonly difference?: number;
  /** Its factor in a over its factor in b: in product and geometric mean, where neither is left out or 0. */
  readonly ratio?: number;
  /** Whose score it is: in min and max. */
  readonly decides?: readonly Side[];
  /** Whom it helps, where that can be said of one scorer alone. */
  readonly favours?: Side;
}

/** What one rule did to one of the two. */
export interface RuleSide {
  readonly state: RuleTerm['state'];
  /** The score after it less the score before it. */
  readonly change?: number;
}

/** A rule that did something to one of the two at least. */
export interface RuleComparison {
  readonly id: string;
  readonly a: RuleSide;
  readonly b: RuleSide;
  /** Its change of a's score less its change of b's. */
  readonly difference?: number;
  readonly favours?: Side;
}

/** How the scores of both were combined, before the rules. */
export interface CombineComparison {
  readonly method: CombineTerm['method'];
  readonly formula?: string;
  /** Missing where nothing came of it. */
  readonly a?: number;
  readonly b?: number;
  readonly difference?: number;
}

/**
 * One number that could be otherwise: a weight, for every candidate and whatever the case, or what a scorer gives the
 * one behind. All else stays as it is.
 */
export type NumberFlip = {
  /** The scorer. */
  readonly id: string;
  /** What counts now, for the one behind; missing where the scorer leaves its row. */
  readonly from?: number;
} & (
  | {
      readonly state: 'flips';
      /** Where the two meet; by search the last number seen that does not turn them. */
      readonly threshold: number;
      /** The number next to `threshold` that does. */
      readonly to: number;
      /**
       * `exact`: solved, and nothing nearer does. `search`: found by trying, because a rule, a bound or the way to
       * combine stands in the way of an equation; something nearer may have been missed.
       */
      readonly how: 'exact' | 'search';
    }
  | {
      /** No number turns them. */
      readonly state: 'none';
      /**
       * What it stays within, where there is a bound: the range that its class declares; for a weight from 0 (in a sum
       * that has negative ones: from below) to so much that nothing is left of the other scorers.
       */
      readonly within?: { readonly least?: number; readonly most?: number };
      readonly how: 'exact' | 'search';
    }
  | { readonly state: 'not_asked'; readonly because: string }
);

/** An entry that refused the one behind, and what would be without it. Found by ranking again. */
export type RemovalFlip = { readonly id: string; readonly refusal: Refusal } & (
  | {
      readonly state: 'flips' | 'none';
      /** What the one behind would be. */
      readonly outcome: CandidateOutcome;
      /** What the one ahead would be. */
      readonly other: CandidateOutcome;
    }
  | { readonly state: 'not_asked'; readonly because: string }
);

/** What would have to change, each alone, for the one behind to come first. */
export interface Flips {
  /** The one behind; missing where neither is. */
  readonly behind?: Side;
  /** A scorer's weight. None where the combine reads no weights. */
  readonly weights: readonly NumberFlip[];
  /** What a scorer gives the one behind. */
  readonly values: readonly NumberFlip[];
  /** What refused the one behind. */
  readonly without: readonly RemovalFlip[];
  /** Why weights and values were not asked, where they were not. */
  readonly because?: string;
}

/** What decided between two: their scores, their places in case of a tie, or that only one was judged so far. */
export type Decision = 'score' | 'ties' | 'refusal' | 'pinned' | 'not_asked' | 'nothing';

/**
 * Which of two candidates comes first, what decided, and what would have to change for the other to do so. Plain data,
 * frozen; as JSON it is the same. Its keys are stable; new ones may come.
 *
 * In `weighted_mean` and `weighted_sum` the differences of all terms and all rules sum to `difference`.
 */
export interface Comparison {
  readonly profile: string;
  readonly a: ComparedCandidate;
  readonly b: ComparedCandidate;
  /** Missing where neither does: both are refused, pinned or not asked about by all, or one was only made by a fallback. */
  readonly ahead?: Side;
  readonly decidedBy: Decision;
  /** The score of a less the score of b, where both have one. */
  readonly difference?: number;
  /** Scorer by scorer: what decides most comes first. */
  readonly terms: readonly TermComparison[];
  /** Missing where none of the two was scored. */
  readonly combine?: CombineComparison;
  /** The rules that did something, in order. */
  readonly rules: readonly RuleComparison[];
  readonly flips: Flips;
}
