import { nameWithPosition, positionName, type CellState, type Refusal } from '../../engine/index.js';
import { combineFacts, type Labels } from '../../profile/index.js';
import type { FieldChange } from './ways-to-win.js';
import {
  type CombineNode,
  type Explanation,
  type ExplanationParts,
  explanationParts,
  type RuleNode,
  type ScorerNode,
} from './explanation.js';
import type { CandidateOutcome } from './outcome.js';
import { finiteOrUndefined, omitUndefined } from './json-value.js';

/** One of the two candidates of a comparison. */
export type Side = 'a' | 'b';

/** A candidate that is compared, and its result. */
export interface ComparedCandidate {
  readonly id: string;
  /** Its position in the input; −1 if only a fallback generated it. */
  readonly index: number;
  /** How many candidates have this id, if it is more than one. */
  readonly sameId?: number;
  readonly outcome: CandidateOutcome;
}

/** A scorer's part in the score of one of the two candidates. */
export interface TermSide {
  readonly state: CellState;
  /** The number that its unit returned. */
  readonly raw?: number;
  /** The number that counts; missing if the scorer is skipped for the candidate. */
  readonly value?: number;
  /** Its weight as the profile, or the candidate's case in it, writes it. */
  readonly written?: number | string;
  /** The factor of `value`; in a geometric mean its exponent. */
  readonly weight?: number;
  /** Its part in the score: a summand in sums, a factor in product and geometric mean. */
  readonly contribution?: number;
}

/** One scorer in the scores of both. */
export interface TermComparison {
  readonly id: string;
  /** The class, or the text of the expression. */
  readonly unit: string;
  readonly a: TermSide;
  readonly b: TermSide;
  /** Its contribution to a less that to b, in sums. A skipped scorer contributes 0. */
  readonly difference?: number;
  /** Its factor in a divided by its factor in b, in product and geometric mean, if neither is skipped or 0. */
  readonly ratio?: number;
  /** The candidates whose score is this scorer's: in min and max. */
  readonly decides?: readonly Side[];
  /** The candidate that it favours, if that can be determined for one scorer. */
  readonly favours?: Side;
}

/** The effect of one rule on one of the two. */
export interface RuleSide {
  readonly state: RuleNode['state'];
  /** The score after it less the score before it. */
  readonly change?: number;
}

/** A rule that had an effect on at least one of the two. */
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
  readonly method: CombineNode['id'];
  readonly formula?: string;
  /** The combined scores; missing if combining failed or had no scores. */
  readonly a?: number;
  readonly b?: number;
  readonly difference?: number;
}

/**
 * The smallest change of one number that lets the candidate behind come first, everything else being equal: of a weight,
 * for all candidates and cases, or of a scorer's value for the one behind.
 */
export type NumberFlip = {
  /** The scorer. */
  readonly id: string;
  /** The number now, for the one behind; missing if the scorer leaves its row. */
  readonly from?: number;
} & (
  | {
      readonly state: 'flips';
      /** Where the scores are equal; by search the last number tried that does not flip the two. */
      readonly threshold: number;
      /** The number next to `threshold` that flips them. */
      readonly to: number;
      /** `to` rounded to four digits, away from the current number; missing if the rounded number does not flip them. */
      readonly rounded?: number;
      /**
       * `exact`: the solution of an equation, and no nearer number flips. `search`: found by trying numbers, because a
       * rule, a bound or the combine method allows no equation; a nearer number may have been missed.
       */
      readonly how: 'exact' | 'search';
    }
  | {
      /** No number flips the two. */
      readonly state: 'none';
      /**
       * The interval that was considered, if it is bounded: the range that the class declares; for a weight from 0 (in
       * a sum with negative weights: from below) to a weight beside which the other scorers no longer count.
       */
      readonly within?: { readonly least?: number; readonly most?: number };
      readonly how: 'exact' | 'search';
    }
  | { readonly state: 'not_evaluated'; readonly because: string }
);

/** An entry that refused the one behind, and the results without it. Found by ranking again. */
export type RemovalFlip = { readonly id: string; readonly refusal: Refusal } & (
  | {
      readonly state: 'flips' | 'none';
      /** The result of the one behind. */
      readonly outcome: CandidateOutcome;
      /** The result of the one ahead. */
      readonly other: CandidateOutcome;
    }
  | { readonly state: 'not_evaluated'; readonly because: string }
);

/** Changes that would let the one behind come first, each on its own. */
export interface Flips {
  /** The one behind; missing if neither is. */
  readonly behind?: Side;
  /** Of the scorers' weights; empty if the combine reads none. Each that flips was applied and ranked. */
  readonly weights: readonly NumberFlip[];
  /** Of the fields of the one behind that its scorers, rules and vetoes read. Each that flips was applied and ranked. */
  readonly fields: readonly FieldChange[];
  /** Of the values of scorers that declare a range and read no field that could be tried, for the one behind. */
  readonly values: readonly NumberFlip[];
  /** Of the entries that refused the one behind. */
  readonly without: readonly RemovalFlip[];
  /** Why weights and values were not tried, if they were not. */
  readonly because?: string;
}

/**
 * What decided between two: their scores, the order of a tie, that one of them was not ranked, or the step of `select`
 * that put the one with the lower score first: it is chosen (`diversify`) or placed (`place`) before the other, or the
 * other is left out as a duplicate (`duplicates`), because its group is full (`per`), or by the budget (`pack`).
 * `fallback`: the first is selected because nothing else was.
 */
export type Decision =
  | 'score'
  | 'ties'
  | 'refusal'
  | 'pinned'
  | 'not_evaluated'
  | 'duplicates'
  | 'per'
  | 'diversify'
  | 'pack'
  | 'place'
  | 'fallback'
  | 'nothing';

/** A decision of a step of `select`, which may differ from that of the scores. */
type SelectDecision = Extract<Decision, 'duplicates' | 'per' | 'diversify' | 'pack' | 'place' | 'fallback'>;

const SELECT_DECISIONS: ReadonlySet<Decision> = new Set<SelectDecision>([
  'duplicates',
  'per',
  'diversify',
  'pack',
  'place',
  'fallback',
]);

/** Whether a step of `select` decided, and not the scores. */
export const isSelectDecision = (decision: Decision): decision is SelectDecision => SELECT_DECISIONS.has(decision);

/**
 * Which of two candidates comes first, what decided, and what would let the other one come first. Plain data, frozen. As
 * JSON it is the same. Its keys are stable; new keys may be added.
 *
 * In `weighted_mean` and `weighted_sum` the differences of all terms and all rules sum to `difference`.
 */
export interface Comparison {
  readonly profile: string;
  /** The display names of the entries that have a label, by id; missing if none has. */
  readonly labels?: Labels;
  readonly a: ComparedCandidate;
  readonly b: ComparedCandidate;
  /** Missing if neither comes first: both are refused, pinned or pruned, or only a fallback generated one of them. */
  readonly ahead?: Side;
  readonly decidedBy: Decision;
  /** The score of a less the score of b, if both have one. */
  readonly difference?: number;
  /** One for each scorer, the most decisive first. */
  readonly terms: readonly TermComparison[];
  /** Missing if neither was scored. */
  readonly combine?: CombineComparison;
  /** The rules that had an effect, in order. */
  readonly rules: readonly RuleComparison[];
  readonly flips: Flips;
}

type Named = Pick<ComparedCandidate, 'id' | 'index' | 'sameId'>;

/** The name of a candidate: its id, with its position if several have the id. */
export const candidateName = ({ id, index, sameId }: Named): string =>
  sameId === undefined ? id : nameWithPosition(id, index);

/** That a candidate shares its id, and how it is named then; nothing if it does not. */
export const sharedIdLines = ({ id, index, sameId }: Named): readonly string[] =>
  sameId === undefined
    ? []
    : [`${sameId} candidates have the id ${id}; name one by its position: '${positionName(index)}'`];

const favouredSide = (sign: number | undefined): Side | undefined =>
  sign === undefined || sign === 0 ? undefined : sign > 0 ? 'a' : 'b';

/** The scorers, the combined scores and the rules of both, side by side. */
export function compareTerms(a: Explanation, b: Explanation): Pick<Comparison, 'terms' | 'combine' | 'rules'> {
  const [partsA, partsB] = [explanationParts(a), explanationParts(b)];
  const combine = compareCombine(partsA, partsB);
  const terms = partsA.scorers.flatMap((term, k) => {
    const other = partsB.scorers[k];
    return other ? [compareTerm(term, other, partsA, partsB)] : [];
  });
  return omitUndefined({
    terms: terms.toSorted((x, y) => termWeight(y) - termWeight(x)),
    combine,
    rules: compareRules(partsA, partsB),
  });
}

/** How decisive a term is: the size of its difference or ratio, or how many of the scores are its own. */
function termWeight({ difference, ratio, decides }: TermComparison): number {
  if (difference !== undefined) return Math.abs(difference);
  if (ratio !== undefined) return ratio > 0 ? Math.abs(Math.log(ratio)) : Number.MAX_VALUE;
  return decides?.length ?? 0;
}

function compareTerm(x: ScorerNode, y: ScorerNode, a: ExplanationParts, b: ExplanationParts): TermComparison {
  const method = (a.combine ?? b.combine)?.id;
  const bothCombined = a.combine?.value !== undefined && b.combine?.value !== undefined;
  const compared = bothCombined && (x.state !== 'not_evaluated' || y.state !== 'not_evaluated');
  const effect = compared && method ? combineFacts(method).effect : undefined;
  const difference = effect === 'summand' ? (x.contribution ?? 0) - (y.contribution ?? 0) : undefined;
  const ratio = effect === 'factor' ? finiteOrUndefined(ratioOf(x.contribution, y.contribution)) : undefined;
  const isScore = ({ value }: ScorerNode, { combine }: ExplanationParts): boolean =>
    effect === 'extreme' && value !== undefined && value === combine?.value;
  const decides = [...(isScore(x, a) ? (['a'] as const) : []), ...(isScore(y, b) ? (['b'] as const) : [])];
  return omitUndefined({
    id: x.id,
    unit: x.unit,
    a: termSide(x),
    b: termSide(y),
    difference,
    ratio,
    decides: decides.length === 0 ? undefined : decides,
    favours: favouredSide(difference ?? (ratio !== undefined && ratio > 0 ? ratio - 1 : undefined)),
  });
}

function ratioOf(a: number | undefined, b: number | undefined): number {
  return a === undefined || b === undefined || a === 0 || b === 0 ? Number.NaN : a / b;
}

const termSide = ({ state, raw, value, written, weight, contribution }: ScorerNode): TermSide =>
  omitUndefined({ state, raw, value, written, weight, contribution });

function compareCombine(
  { combine: a }: ExplanationParts,
  { combine: b }: ExplanationParts,
): CombineComparison | undefined {
  const one = a ?? b;
  if (!one) return undefined;
  const { id: method, formula } = one;
  const difference = a?.value === undefined || b?.value === undefined ? undefined : a.value - b.value;
  return omitUndefined({ method, formula, a: a?.value, b: b?.value, difference });
}

function compareRules(a: ExplanationParts, b: ExplanationParts): readonly RuleComparison[] {
  const [ofA, ofB] = [ruleSides(a), ruleSides(b)];
  return a.rules.flatMap(({ id }, k): RuleComparison[] => {
    const [x, y] = [ofA[k], ofB[k]];
    if (!x || !y || (isIdle(x) && isIdle(y))) return [];
    const both = ofA.every(({ change }) => change !== undefined) && ofB.every(({ change }) => change !== undefined);
    const difference = both ? (x.change ?? 0) - (y.change ?? 0) : undefined;
    return [omitUndefined({ id, a: x, b: y, difference, favours: favouredSide(difference) })];
  });
}

const isIdle = ({ state }: RuleSide): boolean => state === 'not_fired' || state === 'not_evaluated';

/** The change of the score by each rule; 0 where it did not fire. */
function ruleSides({ combine, rules }: ExplanationParts): readonly RuleSide[] {
  let before = combine?.value;
  return rules.map(({ state, value: score }: RuleNode): RuleSide => {
    const change = score === undefined || before === undefined ? undefined : score - before;
    before = score;
    return omitUndefined({ state, change });
  });
}
