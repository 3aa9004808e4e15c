import type { RuleStep } from '../../engine/stages/adjust/types.js';
import type { NumberFlip } from '../comparison/comparison.js';
import type { Explanation, ScorerTerm } from '../explanation.js';
import { omitUndefined } from '../json-value.js';
import { type Domain, type FlipPoint, flipBeyondRoot, searchFlip } from './flip-search.js';
import {
  applySteps,
  fractionByValue,
  fractionByWeight,
  intersections,
  type LinearFraction,
  type StepEffect,
  stepEffects,
  type WeightedRow,
} from './linear-fraction.js';

/** One number that is otherwise: the k-th scorer's, of those in the run. */
export interface NumberChange {
  readonly what: 'weight' | 'value';
  readonly k: number;
  readonly to: number;
}

/** A score that was made again. */
export interface Rescored {
  readonly combined: number;
  readonly steps: readonly RuleStep[];
  readonly score: number;
}

/** One of two candidates that were scored. */
export interface FlipCandidate {
  readonly explanation: Explanation;
  /** The weights of the scorers in the run as they are for this candidate, before they are made relative. */
  readonly weights: readonly number[];
  /** Its score once more, with one number changed; undefined where it would be refused. */
  score(otherwise: NumberChange): Rescored | undefined;
}

/** Two candidates that were scored, and what it takes to ask what would be. */
export interface FlipQuery {
  readonly behind: FlipCandidate;
  readonly ahead: FlipCandidate;
  /** Whether the one behind would come first. */
  flips(otherwise: NumberChange): boolean;
  /** What the number that a scorer gives stays within. */
  rangeOf(id: string): Domain | undefined;
  /** Whether a rule's condition or amount depends on a score. */
  readonly rulesReadScores: boolean;
}

/** So many times the sum of all weights leaves nothing of the other scorers but rounding: no weight beyond is tried. */
const MAX_WEIGHT_FACTOR = 1e6;

/** For each weight the smallest change of it alone that turns two candidates. */
export const weightFlips = (contest: FlipQuery): readonly NumberFlip[] => {
  const method = contest.behind.explanation.combine?.method;
  if (method !== 'weighted_mean' && method !== 'weighted_sum' && method !== 'geometric_mean') return [];
  const all = [contest.behind, contest.ahead].map(({ weights }) => weights);
  const most =
    MAX_WEIGHT_FACTOR * Math.max(...all.map((weights) => weights.reduce((sum, one) => sum + Math.abs(one), 0)));
  // Nobody who weighs scorers from 0 on would turn one around.
  const turning = method === 'weighted_sum' && all.flat().some((weight) => weight < 0);
  const domain = { least: turning ? -most : 0, most };
  return numberFlips(contest, 'weight', (_, k) => {
    const from = contest.behind.weights[k] ?? 0;
    return { from, start: from, domain };
  });
};

/** For each scorer the smallest change of what it gives the one behind that turns two candidates. */
export const valueFlips = (contest: FlipQuery): readonly NumberFlip[] =>
  numberFlips(contest, 'value', ({ id, value }) => {
    const domain = contest.rangeOf(id) ?? { least: -Infinity, most: Infinity };
    const start = value ?? neutralValue(contest.behind);
    return { from: value, start: Math.min(domain.most, Math.max(domain.least, start)), domain };
  });

/** What a scorer that is missing could give without changing the score: there the search for more begins. */
function neutralValue({ explanation: { combine, scorers } }: FlipCandidate): number {
  if (combine?.score === undefined || combine.method === 'formula') return 0;
  if (combine.method === 'product') return 1;
  const shares = scorers.reduce((sum, { share = 0 }) => sum + Math.abs(share), 0);
  return combine.method === 'weighted_sum' && shares > 0 ? combine.score / shares : combine.score;
}

/** One number that may change: as it is, from where to begin, and what it stays within. */
interface FlipVariable {
  readonly from: number | undefined;
  readonly start: number;
  readonly domain: Domain;
}

function numberFlips(
  contest: FlipQuery,
  what: NumberChange['what'],
  variableOf: (term: ScorerTerm, k: number) => FlipVariable,
): readonly NumberFlip[] {
  let k = 0;
  return contest.behind.explanation.scorers.map((term): NumberFlip => {
    const { id, state, because = '' } = term;
    if (state === 'not_asked') return { id, state, because };
    const at = k++;
    const { from, start, domain } = variableOf(term, at);
    const turns = (to: number): boolean => contest.flips({ what, k: at, to });
    const solved = solveFlip(contest, { what, k: at }, turns, start, domain);
    const turn = solved === undefined ? searchFlip(turns, start, domain) : solved === 'none' ? undefined : solved;
    const how = solved === undefined ? 'search' : 'exact';
    if (turn) return omitUndefined({ id, from, state: 'flips', ...turn, how });
    return omitUndefined({ id, from, state: 'none', within: flipBounds(domain), how });
  });
}

function flipBounds({ least, most }: Domain): { readonly least?: number; readonly most?: number } | undefined {
  if (least === -Infinity && most === Infinity) return undefined;
  return omitUndefined({
    least: least === -Infinity ? undefined : least,
    most: most === Infinity ? undefined : most,
  });
}

/**
 * By an equation: where both scores are fractions in the number, and stay the same ones up to where they meet.
 *
 * @returns undefined where that cannot be said
 */
function solveFlip(
  contest: FlipQuery,
  { what, k }: Omit<NumberChange, 'to'>,
  turns: (t: number) => boolean,
  start: number,
  domain: Domain,
): FlipPoint | 'none' | undefined {
  const { behind, ahead, rulesReadScores } = contest;
  if (rulesReadScores) return undefined;
  if (turns(start)) return { threshold: start, to: start };
  const fraction = what === 'weight' ? fractionByWeight : fractionByValue;
  const own = scoreFraction(behind, fraction, k);
  const other = what === 'weight' ? scoreFraction(ahead, fraction, k) : constantFraction(ahead);
  if (!own || !other) return undefined;
  const changed = what === 'weight' ? [behind, ahead] : [behind];
  const near = intersections(own, other)
    .filter((root) => root >= domain.least && root <= domain.most)
    .toSorted((x, y) => Math.abs(x - start) - Math.abs(y - start));
  for (const root of near) {
    const directions = root === start ? ([1, -1] as const) : root > start ? ([1] as const) : ([-1] as const);
    for (const direction of directions) {
      const to = flipBeyondRoot(turns, root, direction, start, domain);
      if (to === undefined) continue;
      const unchanged = changed.every((one) => sameSteps(one.score({ what, k, to }), stepEffectsOf(one.explanation)));
      return unchanged ? { threshold: root, to } : undefined;
    }
  }
  return changed.some(({ explanation }) => stepEffectsOf(explanation).some(isBound)) ? undefined : 'none';
}

const isBound = ({ operation }: StepEffect): boolean => operation === 'min' || operation === 'max';

/** A final score as a function of one number, while the same rules fire and the same bounds bite. */
function scoreFraction(of: FlipCandidate, by: typeof fractionByWeight, k: number): LinearFraction | undefined {
  const combined = by(weightedRowOf(of), k);
  return combined && applySteps(combined, stepEffectsOf(of.explanation));
}

const stepEffectsOf = ({ combine, rules }: Explanation): readonly StepEffect[] =>
  stepEffects(
    combine?.score,
    rules.flatMap(({ steps }) => steps),
  );

/** Whether the same operations of rules fire, and the same bounds bite. */
function sameSteps(again: Rescored | undefined, steps: readonly StepEffect[]): boolean {
  const now = again ? stepEffects(again.combined, again.steps) : [];
  return (
    now.length === steps.length &&
    now.every((step, k) => {
      const was = steps[k];
      if (was?.operation !== step.operation || was.amount !== step.amount) return false;
      return !isBound(step) || was.binds === step.binds;
    })
  );
}

function weightedRowOf({ explanation: { combine, scorers }, weights }: FlipCandidate): WeightedRow {
  const asked = scorers.filter(({ state }) => state !== 'not_asked');
  return { method: combine?.method ?? 'formula', values: asked.map(({ value }) => value), weights };
}

function constantFraction({ explanation: { outcome } }: FlipCandidate): LinearFraction | undefined {
  return outcome.kind === 'ranked' ? { p: outcome.score, q: 0, r: 1, s: 0 } : undefined;
}
