import { combineFacts } from '../../profile/index.js';
import type { Explanation, RuleTerm, ScorerTerm } from '../explanation.js';
import { finiteOrUndefined, omitUndefined } from '../json-value.js';
import type {
  CombineComparison,
  Comparison,
  RuleComparison,
  RuleSide,
  Side,
  TermComparison,
  TermSide,
} from './comparison.js';

const favouredSide = (sign: number | undefined): Side | undefined =>
  sign === undefined || sign === 0 ? undefined : sign > 0 ? 'a' : 'b';

/** The scorers, the combined scores and the rules of both, side by side. */
export function compareTerms(a: Explanation, b: Explanation): Pick<Comparison, 'terms' | 'combine' | 'rules'> {
  const combine = compareCombine(a, b);
  const terms = a.scorers.flatMap((term, k) => {
    const other = b.scorers[k];
    return other ? [compareTerm(term, other, a, b)] : [];
  });
  return omitUndefined({
    terms: terms.toSorted((x, y) => termWeight(y) - termWeight(x)),
    combine,
    rules: compareRules(a, b),
  });
}

/** How decisive a term is: the size of its difference or ratio, or how many of the scores are its own. */
function termWeight({ difference, ratio, decides }: TermComparison): number {
  if (difference !== undefined) return Math.abs(difference);
  if (ratio !== undefined) return ratio > 0 ? Math.abs(Math.log(ratio)) : Number.MAX_VALUE;
  return decides?.length ?? 0;
}

function compareTerm(x: ScorerTerm, y: ScorerTerm, a: Explanation, b: Explanation): TermComparison {
  const method = (a.combine ?? b.combine)?.method;
  const bothCombined = a.combine?.score !== undefined && b.combine?.score !== undefined;
  const compared = bothCombined && (x.state !== 'not_asked' || y.state !== 'not_asked');
  const effect = compared && method ? combineFacts(method).effect : undefined;
  const difference = effect === 'summand' ? (x.contribution ?? 0) - (y.contribution ?? 0) : undefined;
  const ratio = effect === 'factor' ? finiteOrUndefined(ratioOf(x.contribution, y.contribution)) : undefined;
  const isScore = ({ value }: ScorerTerm, { combine }: Explanation): boolean =>
    effect === 'extreme' && value !== undefined && value === combine?.score;
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

const termSide = ({ state, raw, value, written, weight, contribution }: ScorerTerm): TermSide =>
  omitUndefined({ state, raw, value, written, weight, contribution });

function compareCombine({ combine: a }: Explanation, { combine: b }: Explanation): CombineComparison | undefined {
  const one = a ?? b;
  if (!one) return undefined;
  const { method, formula } = one;
  const difference = a?.score === undefined || b?.score === undefined ? undefined : a.score - b.score;
  return omitUndefined({ method, formula, a: a?.score, b: b?.score, difference });
}

function compareRules(a: Explanation, b: Explanation): readonly RuleComparison[] {
  const [ofA, ofB] = [ruleSides(a), ruleSides(b)];
  return a.rules.flatMap(({ id }, k): RuleComparison[] => {
    const [x, y] = [ofA[k], ofB[k]];
    if (!x || !y || (isIdle(x) && isIdle(y))) return [];
    const both = ofA.every(({ change }) => change !== undefined) && ofB.every(({ change }) => change !== undefined);
    const difference = both ? (x.change ?? 0) - (y.change ?? 0) : undefined;
    return [omitUndefined({ id, a: x, b: y, difference, favours: favouredSide(difference) })];
  });
}

const isIdle = ({ state }: RuleSide): boolean => state === 'not_fired' || state === 'not_asked';

/** The change of the score by each rule; 0 where it did not fire. */
function ruleSides({ combine, rules }: Explanation): readonly RuleSide[] {
  let before = combine?.score;
  return rules.map(({ state, score }: RuleTerm): RuleSide => {
    const change = score === undefined || before === undefined ? undefined : score - before;
    before = score;
    return omitUndefined({ state, change });
  });
}
