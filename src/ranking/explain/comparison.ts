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

/** A compared candidate and its result. */
export interface ComparedCandidate {
  readonly id: string;
  /** Its position in the input; −1 if only a fallback generated it. */
  readonly index: number;
  /** How many candidates have this id, if it is more than one. */
  readonly sameId?: number;
  readonly outcome: CandidateOutcome;
}

/** A scorer's part in the score of one candidate. */
export interface TermSide {
  readonly state: CellState;
  /** The number that its unit returned. */
  readonly raw?: number;
  /** The number that counts; missing if the scorer is skipped for the candidate. */
  readonly value?: number;
  /** Its weight as written in the profile, or in the profile's case for the candidate. */
  readonly written?: number | string;
  /** The factor of `value`; in a geometric mean its exponent. */
  readonly weight?: number;
  /** Its part of the score: a summand in sums, a factor in product and geometric mean. */
  readonly contribution?: number;
}

/** One scorer in the scores of both candidates. */
export interface TermComparison {
  readonly id: string;
  /** The class, or the text of the expression. */
  readonly unit: string;
  readonly a: TermSide;
  readonly b: TermSide;
  /** In sums: its contribution to a minus that to b. A skipped scorer contributes 0. */
  readonly difference?: number;
  /** In product and geometric mean: its factor in a divided by its factor in b; missing if one is skipped or 0. */
  readonly ratio?: number;
  /** In min and max: the candidates whose score is this scorer's value. */
  readonly decides?: readonly Side[];
  /** The candidate that it favours, if that can be determined for one scorer. */
  readonly favours?: Side;
}

/** The effect of one rule on one candidate. */
export interface RuleSide {
  readonly state: RuleNode['state'];
  /** The score after it minus the score before it. */
  readonly change?: number;
}

/** A rule that had an effect on at least one of the two candidates. */
export interface RuleComparison {
  readonly id: string;
  readonly a: RuleSide;
  readonly b: RuleSide;
  /** Its change of a's score minus its change of b's. */
  readonly difference?: number;
  readonly favours?: Side;
}

/** The combined scores of both candidates, before the rules. */
export interface CombineComparison {
  readonly method: CombineNode['id'];
  readonly formula?: string;
  /** The combined scores; missing if combining failed or had no scores. */
  readonly a?: number;
  readonly b?: number;
  readonly difference?: number;
}

/**
 * The smallest change of one number that lets the candidate behind come first, with all else unchanged: of a weight,
 * for all candidates and cases, or of a scorer's value for the candidate behind.
 */
export type NumberFlip = {
  /** The scorer. */
  readonly id: string;
  /** The current number of the candidate behind; missing if the scorer is skipped for it. */
  readonly from?: number;
} & (
  | {
      readonly state: 'flips';
      /** The number at which the scores are equal; with `search` the last tried number that does not flip them. */
      readonly threshold: number;
      /** The number next to `threshold` that flips the two candidates. */
      readonly to: number;
      /** `to` rounded to four digits, away from the current number; missing if the rounded number does not flip them. */
      readonly rounded?: number;
      /**
       * `exact`: solved from an equation; no nearer number flips. `search`: found by trying numbers, because no
       * equation applies (a rule, a bound, the combine method). A nearer number may exist.
       */
      readonly how: 'exact' | 'search';
    }
  | {
      /** No number flips the two candidates. */
      readonly state: 'none';
      /**
       * The interval that was searched, if it is bounded. For a value: the declared range. For a weight: from 0 (or
       * from a negative weight, in a sum that has negative ones) to a weight that makes all other scorers negligible.
       */
      readonly within?: { readonly least?: number; readonly most?: number };
      readonly how: 'exact' | 'search';
    }
  | { readonly state: 'not_evaluated'; readonly because: string }
);

/** An entry that refused the candidate behind, and the results without that entry. Found by ranking again. */
export type RemovalFlip = { readonly id: string; readonly refusal: Refusal } & (
  | {
      readonly state: 'flips' | 'none';
      /** The result of the candidate behind. */
      readonly outcome: CandidateOutcome;
      /** The result of the candidate ahead. */
      readonly other: CandidateOutcome;
    }
  | { readonly state: 'not_evaluated'; readonly because: string }
);

/** Single changes that would let the candidate behind come first. */
export interface Flips {
  /** The candidate behind; missing if neither is. */
  readonly behind?: Side;
  /** Changes of weights; empty if the combine method ignores weights. Each that flips was applied and ranked. */
  readonly weights: readonly NumberFlip[];
  /** Changes of fields that scorers, rules and vetoes read. Each that flips was applied and ranked. */
  readonly fields: readonly FieldChange[];
  /** Changes of the values of scorers that declare a range and whose fields were not tried. */
  readonly values: readonly NumberFlip[];
  /** Removals of the entries that refused the candidate. */
  readonly without: readonly RemovalFlip[];
  /** Why weights and values were not tried, if they were not. */
  readonly because?: string;
}

/**
 * What decided the order of two candidates: their scores, the tie-breakers, that one of them was not ranked, or the
 * step of `select` that put the lower score first. It was diversified (`diversify`) or placed (`place`) before the
 * other, or the other was excluded as a duplicate (`duplicates`), by a group limit (`per`) or by the budget (`pack`).
 * `fallback`: the first is a fallback, which is selected if nothing else is.
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

/** A decision of a step of `select`. */
type SelectDecision = Extract<Decision, 'duplicates' | 'per' | 'diversify' | 'pack' | 'place' | 'fallback'>;

const SELECT_DECISIONS: ReadonlySet<Decision> = new Set<SelectDecision>([
  'duplicates',
  'per',
  'diversify',
  'pack',
  'place',
  'fallback',
]);

/** Whether a step of `select` decided, not the scores. */
export const isSelectDecision = (decision: Decision): decision is SelectDecision => SELECT_DECISIONS.has(decision);

/**
 * Which of two candidates comes first, what decided, and what would let the other one come first. Plain data, frozen.
 * As JSON it is the same. Its keys are stable; new keys may be added.
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
  /** The score of a minus the score of b, if both have one. */
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

/** If several candidates have the id: a line that says so, and how to name one of them. */
export const sharedIdLines = ({ id, index, sameId }: Named): readonly string[] =>
  sameId === undefined
    ? []
    : [`${sameId} candidates have the id ${id}; name one by its position: '${positionName(index)}'`];

const favouredSide = (sign: number | undefined): Side | undefined =>
  sign === undefined || sign === 0 ? undefined : sign > 0 ? 'a' : 'b';

/** Compares the scorers, the combined scores and the rules of two candidates. */
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

/** How decisive a term is: the size of its difference or ratio, or the number of scores that it decides. */
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

/** The change of the score by each rule; 0 if it did not fire. */
function ruleSides({ combine, rules }: ExplanationParts): readonly RuleSide[] {
  let before = combine?.value;
  return rules.map(({ state, value: score }: RuleNode): RuleSide => {
    const change = score === undefined || before === undefined ? undefined : score - before;
    before = score;
    return omitUndefined({ state, change });
  });
}
