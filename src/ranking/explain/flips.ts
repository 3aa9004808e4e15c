import type { RuleStep } from '../../engine/index.js';
import { type CombineFacts, combineFacts } from '../../profile/index.js';
import { formatBeyond } from '../../base/index.js';
import type { NumberFlip } from './comparison.js';
import { type ExplanationParts, nodesOfKind, type ScorerNode } from './explanation.js';
import { omitUndefined } from './json-value.js';

/** A change of one number: the weight or the value of the k-th scorer in the run. */
export interface NumberChange {
  readonly number: 'weight' | 'value';
  readonly k: number;
  readonly to: number;
}

/** A recomputed score. */
export interface Rescored {
  readonly combined: number;
  readonly steps: readonly RuleStep[];
  readonly score: number;
}

/** One of the two compared candidates. */
export interface FlipCandidate {
  readonly parts: ExplanationParts;
  /** Its score; undefined if it was not ranked. */
  readonly ranked: number | undefined;
  /** For this candidate the weights of the scorers in the run, before normalization. */
  readonly weights: readonly number[];
  /** Its score with one number changed; undefined if it would be refused. */
  score(change: NumberChange): Rescored | undefined;
}

/** Two scored candidates. A change flips them if the candidate behind then comes first. */
export interface FlipQuery {
  readonly behind: FlipCandidate;
  readonly ahead: FlipCandidate;
  flips(change: NumberChange): boolean;
  /** The declared range of a scorer. */
  rangeOf(id: string): Domain | undefined;
  /** Why no value of a scorer is tried; undefined if values are tried. */
  whyNoValue(id: string): string | undefined;
  /** Whether a rule's condition or amount depends on a score. */
  readonly rulesReadScores: boolean;
}

/** The largest weight to try, as a multiple of the sum of all weights. Beyond it the other scorers are rounding error. */
const MAX_WEIGHT_FACTOR = 1e6;

/** Finds for each weight the smallest change that flips the two candidates, with all else unchanged. */
export const weightFlips = (query: FlipQuery): readonly NumberFlip[] => {
  const facts = combineFactsOf(query.behind);
  if (!facts || facts.weights === 'none') return [];
  const all = [query.behind, query.ahead].map(({ weights }) => weights);
  const most =
    MAX_WEIGHT_FACTOR * Math.max(...all.map((weights) => weights.reduce((sum, one) => sum + Math.abs(one), 0)));
  // Negative weights are tried only if the profile already has one.
  const hasNegative = facts.weights === 'literal' && all.flat().some((weight) => weight < 0);
  const domain = { least: hasNegative ? -most : 0, most };
  return numberFlips(query, 'weight', (_, k) => {
    const from = query.behind.weights[k] ?? 0;
    return { from, start: from, domain };
  });
};

/** Finds for each scorer the smallest change of its value for the candidate behind that flips the two candidates. */
export const valueFlips = (query: FlipQuery): readonly NumberFlip[] =>
  numberFlips(query, 'value', ({ id, value }) => {
    const because = query.whyNoValue(id);
    if (because !== undefined) return because;
    const domain = query.rangeOf(id) ?? { least: -Infinity, most: Infinity };
    const start = value ?? neutralValue(query.behind);
    return { from: value, start: Math.min(domain.most, Math.max(domain.least, start)), domain };
  });

const combineFactsOf = ({ parts: { combine } }: FlipCandidate): CombineFacts | undefined =>
  combine && combineFacts(combine.id);

/** The start of the search for a missing value: a value that leaves the score unchanged. */
function neutralValue(candidate: FlipCandidate): number {
  const { combine, scorers } = candidate.parts;
  const facts = combineFactsOf(candidate);
  if (combine?.value === undefined || !facts || combine.id === 'formula') return 0;
  if (facts.effect === 'factor' && facts.weights === 'none') return 1;
  const shares = scorers.reduce((sum, { share = 0 }) => sum + Math.abs(share), 0);
  return facts.weights === 'literal' && shares > 0 ? combine.value / shares : combine.value;
}

/** One number that may change: its current value, where the search starts, and the interval to search. */
interface FlipVariable {
  readonly from: number | undefined;
  readonly start: number;
  readonly domain: Domain;
}

function numberFlips(
  query: FlipQuery,
  number: NumberChange['number'],
  variableOf: (term: ScorerNode, k: number) => FlipVariable | string,
): readonly NumberFlip[] {
  let next = 0;
  return query.behind.parts.scorers.map((term): NumberFlip => {
    const { id, state, text } = term;
    if (state === 'not_evaluated') return { id, state, because: text };
    const k = next++;
    const variable = variableOf(term, k);
    if (typeof variable === 'string') return { id, state: 'not_evaluated', because: variable };
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
 * Solves an equation for the number at which both scores are equal. Requires that both scores are linear fractions of
 * it and that the same rules and bounds apply up to that number.
 *
 * @returns undefined if this does not hold or cannot be shown
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
      const unchanged = changed.every((one) => sameSteps(one.score({ number, k, to }), stepEffectsOf(one.parts)));
      return unchanged ? { threshold: root, to } : undefined;
    }
  }
  return changed.some(({ parts }) => stepEffectsOf(parts).some(isBound)) ? undefined : 'none';
}

const isBound = ({ operation }: StepEffect): boolean => operation === 'min' || operation === 'max';

/** The final score as a function of one number, as long as the same rules fire and the same bounds are binding. */
function scoreFraction(of: FlipCandidate, by: typeof fractionByWeight, k: number): LinearFraction | undefined {
  const combined = by(weightedRowOf(of), k);
  return combined && applySteps(combined, stepEffectsOf(of.parts));
}

const stepEffectsOf = ({ combine, rules }: ExplanationParts): readonly StepEffect[] =>
  stepEffects(
    combine?.value,
    rules.flatMap(({ details }) =>
      nodesOfKind(details, 'step').map(({ id: operation, amount, value: score }) => ({ operation, amount, score })),
    ),
  );

/** Whether the same rule operations fire and the same bounds are binding. */
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
  const evaluated = candidate.parts.scorers.filter(({ state }) => state !== 'not_evaluated');
  const combine = combineFactsOf(candidate) ?? combineFacts('formula');
  return { combine, values: evaluated.map(({ value }) => value), weights: candidate.weights };
}

function constantFraction({ ranked }: FlipCandidate): LinearFraction | undefined {
  return ranked === undefined ? undefined : { p: ranked, q: 0, r: 1, s: 0 };
}

/**
 * (p + q·t) / (r + s·t): a score as a function of one number t. Weighted means and sums are linear fractions of each
 * weight and value. Rules that add, multiply or set keep that form.
 */
interface LinearFraction {
  readonly p: number;
  readonly q: number;
  readonly r: number;
  readonly s: number;
}

/** The resolved scores of one row, some of which may be missing, and the weights before normalization. */
interface WeightedRow {
  readonly combine: Pick<CombineFacts, 'effect' | 'weights'>;
  readonly values: readonly (number | undefined)[];
  readonly weights: readonly number[];
}

/** Without one scorer: Σ w·x and Σ|w| over the present scores, and Σ|w| over all scorers. */
function sumsWithout(
  { values, weights }: WeightedRow,
  without: number,
): { readonly sum: number; readonly present: number; readonly all: number } {
  let [sum, present, all] = [0, 0, 0];
  for (const [k, value] of values.entries()) {
    if (k === without) continue;
    const weight = weights[k] ?? 0;
    all += Math.abs(weight);
    if (value === undefined) continue;
    present += Math.abs(weight);
    sum += weight * value;
  }
  return { sum, present, all };
}

/**
 * The score as a function of the k-th weight. A mean ignores the weight of a missing score.
 *
 * @returns undefined if it is not a linear fraction: not a sum, or a literal sum that is scaled for missing scores
 */
function fractionByWeight(row: WeightedRow, k: number): LinearFraction | undefined {
  if (row.combine.effect !== 'summand') return undefined;
  const { sum, present } = sumsWithout(row, k);
  const value = row.values[k];
  if (row.combine.weights === 'relative')
    return value === undefined ? { p: sum, q: 0, r: present, s: 0 } : { p: sum, q: value, r: present, s: 1 };
  if (row.values.includes(undefined)) return undefined;
  return { p: sum, q: value ?? 0, r: 1, s: 0 };
}

/** The score as a function of the k-th scorer's value. A missing value then counts as present. */
function fractionByValue(row: WeightedRow, k: number): LinearFraction | undefined {
  if (row.combine.effect !== 'summand') return undefined;
  const { sum, present, all } = sumsWithout(row, k);
  const weight = row.weights[k] ?? 0;
  if (row.combine.weights === 'relative') return { p: sum, q: weight, r: present + weight, s: 0 };
  const weightPresent = present + Math.abs(weight);
  const scale = (all + Math.abs(weight)) / weightPresent;
  return weightPresent > 0 ? { p: sum * scale, q: weight * scale, r: 1, s: 0 } : undefined;
}

/** Applies rule operations to a score, given which bounds are binding. */
function applySteps(score: LinearFraction, steps: readonly StepEffect[]): LinearFraction {
  let { p, q, r, s } = score;
  for (const { operation, amount, binds } of steps) {
    if (operation === 'add') [p, q] = [p + amount * r, q + amount * s];
    else if (operation === 'multiply') [p, q] = [p * amount, q * amount];
    else if (operation === 'set' || binds) [p, q, r, s] = [amount, 0, 1, 0];
  }
  return { p, q, r, s };
}

/** One rule operation. `binds`: it changed the score, so a bound (`min`, `max`) is binding. */
interface StepEffect extends Pick<RuleStep, 'operation' | 'amount'> {
  readonly binds: boolean;
}

/** Rule operations with their effects, starting from the combined score. */
function stepEffects(combined: number | undefined, steps: readonly RuleStep[]): readonly StepEffect[] {
  let before = combined;
  return steps.map(({ operation, amount, score }) => {
    const binds = score !== before;
    before = score;
    return { operation, amount, binds };
  });
}

/** Solves x(t) = y(t): at most two numbers, ascending. Empty if the fractions are equal everywhere. */
function intersections(x: LinearFraction, y: LinearFraction): readonly number[] {
  const c = x.p * y.r - y.p * x.r;
  const b = x.p * y.s + x.q * y.r - y.p * x.s - y.q * x.r;
  const a = x.q * y.s - y.q * x.s;
  if (a === 0) return b === 0 ? [] : [-c / b];
  const discriminant = b * b - 4 * a * c;
  if (discriminant < 0) return [];
  // Of the two formulas for a root, use the one that does not subtract nearly equal numbers.
  const large = -(b + (b < 0 ? -1 : 1) * Math.sqrt(discriminant)) / 2;
  const roots = large === 0 ? [0] : [large / a, c / large];
  return roots.filter(Number.isFinite).toSorted((u, v) => u - v);
}

/** A closed interval of numbers to try. */
export interface Domain {
  readonly least: number;
  readonly most: number;
}

/** A number that flips the two candidates (`to`), next to one that does not (`threshold`). */
interface FlipPoint {
  readonly threshold: number;
  readonly to: number;
}

// Probes on each side of the start: equal steps, then halved (nearer) and doubled (farther) ones.
const EVEN_STEPS = 48;
const HALVINGS = 30;
const DOUBLINGS = 40;
const MAX_BISECTIONS = 200;

/**
 * Bisects down to two adjacent doubles, or for `MAX_BISECTIONS` steps.
 *
 * @param from a number that does not flip
 * @param to a number that flips
 */
function bisect(flips: (t: number) => boolean, from: number, to: number): FlipPoint {
  let [low, high] = [from, to];
  for (let k = 0; k < MAX_BISECTIONS; k++) {
    const middle = low + (high - low) / 2;
    if (middle === low || middle === high) break;
    if (flips(middle)) high = middle;
    else low = middle;
  }
  return { threshold: low, to: high };
}

/** The nearest number beyond a root that flips. Because of rounding it may be a few steps away from the root. */
function flipBeyondRoot(
  flips: (t: number) => boolean,
  root: number,
  direction: 1 | -1,
  start: number,
  { least, most }: Domain,
): number | undefined {
  let step = Number.EPSILON * Math.max(Math.abs(root), Math.abs(start), 1e-9);
  for (let k = 0; k < HALVINGS; k++, step *= 2) {
    const t = Math.min(most, Math.max(least, root + direction * step));
    if (!flips(t)) continue;
    const before = root - direction * step;
    const outside = before < least || before > most || (before - start) * direction < 0 ? start : before;
    return flips(outside) ? t : bisect(flips, outside, t).to;
  }
  return undefined;
}

/**
 * Searches for the nearest number that flips: probes at growing distances, then bisects between the last two probes.
 * Tries about 400 numbers at most. It can miss an interval between two probes.
 */
function searchFlip(flips: (t: number) => boolean, start: number, domain: Domain): FlipPoint | undefined {
  if (flips(start)) return { threshold: start, to: start };
  const found = [1, -1].flatMap((direction) => {
    let last = start;
    for (const t of probePoints(start, direction, direction > 0 ? domain.most : domain.least)) {
      if (flips(t)) return [bisect(flips, last, t)];
      last = t;
    }
    return [];
  });
  return found.toSorted((x, y) => Math.abs(x.to - start) - Math.abs(y.to - start))[0];
}

/** The numbers to try in one direction, nearest first. */
function probePoints(start: number, direction: number, limit: number): readonly number[] {
  const room = Math.abs(limit - start);
  const span = Math.min(room, 4 * Math.max(Math.abs(start), 1));
  if (!(span > 0)) return [];
  const small = Array.from({ length: HALVINGS }, (_, k) => span * 2 ** (k - HALVINGS));
  const even = Array.from({ length: EVEN_STEPS }, (_, k) => (span * (k + 1)) / EVEN_STEPS);
  const large = Array.from({ length: DOUBLINGS }, (_, k) => span * 2 ** (k + 1));
  const distances = [...small, ...even, ...large].filter((distance) => distance < room).toSorted((x, y) => x - y);
  const points = distances.map((distance) => start + direction * distance);
  return Number.isFinite(limit) ? [...points, limit] : points;
}
