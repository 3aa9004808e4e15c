import type { RuleStep } from '../../engine/index.js';
import { type CombineFacts, combineFacts } from '../../profile/index.js';
import type { NumberFlip } from '../comparison/comparison.js';
import type { Explanation, ScorerTerm } from '../explanation.js';
import { omitUndefined } from '../json-value.js';
import { formatBeyond } from '../../text/index.js';
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

/** A change of one number: of the weight or the value of the k-th scorer of those in the run. */
export interface NumberChange {
  readonly number: 'weight' | 'value';
  readonly k: number;
  readonly to: number;
}

/** A score that was computed again. */
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
  /** Its score with one number changed; undefined where it would be refused. */
  score(change: NumberChange): Rescored | undefined;
}

/** Two candidates that were scored, and what it takes to find the changes that flip them. */
export interface FlipQuery {
  readonly behind: FlipCandidate;
  readonly ahead: FlipCandidate;
  /** Whether the one behind would come first. */
  flips(change: NumberChange): boolean;
  /** The range that a scorer declares. */
  rangeOf(id: string): Domain | undefined;
  /** Why the values of a scorer are not tried; undefined if they are. */
  whyNoValue(id: string): string | undefined;
  /** Whether a rule's condition or amount depends on a score. */
  readonly rulesReadScores: boolean;
}

/** Beside a weight of so many times the sum of all weights the other scorers are no more than rounding: none beyond is tried. */
const MAX_WEIGHT_FACTOR = 1e6;

/** For each weight the smallest change of it alone that flips two candidates. */
export const weightFlips = (query: FlipQuery): readonly NumberFlip[] => {
  const facts = combineFactsOf(query.behind);
  if (!facts || facts.weights === 'none') return [];
  const all = [query.behind, query.ahead].map(({ weights }) => weights);
  const most =
    MAX_WEIGHT_FACTOR * Math.max(...all.map((weights) => weights.reduce((sum, one) => sum + Math.abs(one), 0)));
  // A profile without negative weights is not flipped by one.
  const hasNegative = facts.weights === 'literal' && all.flat().some((weight) => weight < 0);
  const domain = { least: hasNegative ? -most : 0, most };
  return numberFlips(query, 'weight', (_, k) => {
    const from = query.behind.weights[k] ?? 0;
    return { from, start: from, domain };
  });
};

/** For each scorer the smallest change of its value for the one behind that flips two candidates. */
export const valueFlips = (query: FlipQuery): readonly NumberFlip[] =>
  numberFlips(query, 'value', ({ id, value }) => {
    const because = query.whyNoValue(id);
    if (because !== undefined) return because;
    const domain = query.rangeOf(id) ?? { least: -Infinity, most: Infinity };
    const start = value ?? neutralValue(query.behind);
    return { from: value, start: Math.min(domain.most, Math.max(domain.least, start)), domain };
  });

const combineFactsOf = ({ explanation: { combine } }: FlipCandidate): CombineFacts | undefined =>
  combine && combineFacts(combine.method);

/** A value for a missing scorer that would not change the score: the search starts there. */
function neutralValue(candidate: FlipCandidate): number {
  const { combine, scorers } = candidate.explanation;
  const facts = combineFactsOf(candidate);
  if (combine?.score === undefined || !facts || combine.method === 'formula') return 0;
  if (facts.effect === 'factor' && facts.weights === 'none') return 1;
  const shares = scorers.reduce((sum, { share = 0 }) => sum + Math.abs(share), 0);
  return facts.weights === 'literal' && shares > 0 ? combine.score / shares : combine.score;
}

/** One number that may change: as it is, where the search starts, and the interval that it stays in. */
interface FlipVariable {
  readonly from: number | undefined;
  readonly start: number;
  readonly domain: Domain;
}

function numberFlips(
  query: FlipQuery,
  number: NumberChange['number'],
  variableOf: (term: ScorerTerm, k: number) => FlipVariable | string,
): readonly NumberFlip[] {
  let next = 0;
  return query.behind.explanation.scorers.map((term): NumberFlip => {
    const { id, state, because = '' } = term;
    if (state === 'not_asked') return { id, state, because };
    const k = next++;
    const variable = variableOf(term, k);
    if (typeof variable === 'string') return { id, state: 'not_asked', because: variable };
    const { from, start, domain } = variable;
    const flips = (to: number): boolean => query.flips({ number, k, to });
    const solved = solveFlip(query, { number, k }, flips, start, domain);
    const point = solved === undefined ? searchFlip(flips, start, domain) : solved === 'none' ? undefined : solved;
    const how = solved === undefined ? 'search' : 'exact';
    if (point) {
      const rounded = Number(formatBeyond(point.to, point.to - (from ?? point.threshold)));
      const holds = rounded >= domain.least && rounded <= domain.most && flips(rounded);
      return omitUndefined({ id, from, state: 'flips', ...point, rounded: holds ? rounded : undefined, how });
    }
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
 * Solves for the number, where both scores are fractions in it, and remain the same ones up to where they are equal.
 *
 * @returns undefined where that is not certain
 */
function solveFlip(
  { behind, ahead, rulesReadScores }: FlipQuery,
  { number, k }: Omit<NumberChange, 'to'>,
  flips: (t: number) => boolean,
  start: number,
  domain: Domain,
): FlipPoint | 'none' | undefined {
  if (rulesReadScores) return undefined;
  if (flips(start)) return { threshold: start, to: start };
  const fraction = number === 'weight' ? fractionByWeight : fractionByValue;
  const own = scoreFraction(behind, fraction, k);
  const other = number === 'weight' ? scoreFraction(ahead, fraction, k) : constantFraction(ahead);
  if (!own || !other) return undefined;
  const changed = number === 'weight' ? [behind, ahead] : [behind];
  const roots = intersections(own, other)
    .filter((root) => root >= domain.least && root <= domain.most)
    .toSorted((x, y) => Math.abs(x - start) - Math.abs(y - start));
  for (const root of roots) {
    const directions = root === start ? ([1, -1] as const) : root > start ? ([1] as const) : ([-1] as const);
    for (const direction of directions) {
      const to = flipBeyondRoot(flips, root, direction, start, domain);
      if (to === undefined) continue;
      const unchanged = changed.every((one) => sameSteps(one.score({ number, k, to }), stepEffectsOf(one.explanation)));
      return unchanged ? { threshold: root, to } : undefined;
    }
  }
  return changed.some(({ explanation }) => stepEffectsOf(explanation).some(isBound)) ? undefined : 'none';
}

const isBound = ({ operation }: StepEffect): boolean => operation === 'min' || operation === 'max';

/** A final score as a function of one number, while the same rules fire and the same bounds are binding. */
function scoreFraction(of: FlipCandidate, by: typeof fractionByWeight, k: number): LinearFraction | undefined {
  const combined = by(weightedRowOf(of), k);
  return combined && applySteps(combined, stepEffectsOf(of.explanation));
}

const stepEffectsOf = ({ combine, rules }: Explanation): readonly StepEffect[] =>
  stepEffects(
    combine?.score,
    rules.flatMap(({ steps }) => steps),
  );

/** Whether the same operations of rules fire, and the same bounds are binding. */
function sameSteps(rescored: Rescored | undefined, steps: readonly StepEffect[]): boolean {
  const now = rescored ? stepEffects(rescored.combined, rescored.steps) : [];
  return (
    now.length === steps.length &&
    now.every((step, k) => {
      const was = steps[k];
      if (was?.operation !== step.operation || was.amount !== step.amount) return false;
      return !isBound(step) || was.binds === step.binds;
    })
  );
}

function weightedRowOf(candidate: FlipCandidate): WeightedRow {
  const evaluated = candidate.explanation.scorers.filter(({ state }) => state !== 'not_asked');
  const combine = combineFactsOf(candidate) ?? combineFacts('formula');
  return { combine, values: evaluated.map(({ value }) => value), weights: candidate.weights };
}

function constantFraction({ explanation: { outcome } }: FlipCandidate): LinearFraction | undefined {
  return outcome.kind === 'ranked' ? { p: outcome.score, q: 0, r: 1, s: 0 } : undefined;
}
