import type { CandidateOutcome, Explanation, RuleTerm, ScorerTerm } from '../explanation.js';
import { finiteOrUndefined, omitUndefined } from '../json-value.js';
import type {
  CombineComparison,
  Comparison,
  Decision,
  RuleComparison,
  RuleSide,
  Side,
  TermComparison,
  TermSide,
} from './comparison.js';

const favouredSide = (sign: number | undefined): Side | undefined =>
  sign === undefined || sign === 0 ? undefined : sign > 0 ? 'a' : 'b';

/** What both brought to their scores, how that was combined, and what the rules made of it. */
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

/** How much a term decides: a difference, the size of a ratio, or whether the score is its own. */
function termWeight({ difference, ratio, decides }: TermComparison): number {
  if (difference !== undefined) return Math.abs(difference);
  if (ratio !== undefined) return ratio > 0 ? Math.abs(Math.log(ratio)) : Number.MAX_VALUE;
  return decides?.length ?? 0;
}

const isSum = (method: CombineComparison['method'] | undefined): boolean =>
  method === 'weighted_mean' || method === 'weighted_sum';

function compareTerm(of: ScorerTerm, to: ScorerTerm, a: Explanation, b: Explanation): TermComparison {
  const method = (a.combine ?? b.combine)?.method;
  const both = a.combine?.score !== undefined && b.combine?.score !== undefined;
  const asked = both && (of.state !== 'not_asked' || to.state !== 'not_asked');
  const difference = asked && isSum(method) ? (of.contribution ?? 0) - (to.contribution ?? 0) : undefined;
  const factors = asked && (method === 'product' || method === 'geometric_mean');
  const ratio = factors ? finiteOrUndefined(ratioOf(of.contribution, to.contribution)) : undefined;
  const extreme = asked && (method === 'min' || method === 'max');
  const owns = (term: ScorerTerm, { combine }: Explanation): boolean =>
    term.value !== undefined && term.value === combine?.score;
  const decides = [
    ...(extreme && owns(of, a) ? (['a'] as const) : []),
    ...(extreme && owns(to, b) ? (['b'] as const) : []),
  ];
  return omitUndefined({
    id: of.id,
    unit: of.unit,
    a: termSide(of),
    b: termSide(to),
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

/** What each rule changed; a change of nothing where it did not fire. */
function ruleSides({ combine, rules }: Explanation): readonly RuleSide[] {
  let before = combine?.score;
  return rules.map(({ state, score }: RuleTerm): RuleSide => {
    const change = score === undefined || before === undefined ? undefined : score - before;
    before = score;
    return omitUndefined({ state, change });
  });
}

/** Pinned ones come first, then those that are ranked, then those that are left out unasked, then those that are refused. */
const OUTCOME_ORDER: Readonly<Record<CandidateOutcome['kind'], number>> = {
  pinned: 0,
  ranked: 1,
  not_asked: 2,
  refused: 3,
  made: 4,
};

/** Whether the one that was not asked about by all might have come before the other: then nobody knows. */
const mayComeFirst = (a: CandidateOutcome, b: CandidateOutcome): boolean =>
  a.kind === 'ranked' &&
  b.kind === 'not_asked' &&
  b.atMost !== undefined &&
  a.selected !== 'score' &&
  b.atMost >= a.score;

/** Which of two comes first, and what decided it. */
export function decideOrder(
  a: CandidateOutcome,
  b: CandidateOutcome,
): Pick<Comparison, 'ahead'> & { decidedBy: Decision } {
  if (a.kind === 'made' || b.kind === 'made') return { decidedBy: 'nothing' };
  if (a.kind === 'ranked' && b.kind === 'ranked') {
    const decidedBy = a.score === b.score ? 'ties' : 'score';
    return { ahead: a.rank < b.rank ? 'a' : 'b', decidedBy };
  }
  const unfit = [a, b].some(({ kind, selected }) => kind === 'pinned' && selected === undefined);
  if (a.kind === b.kind || unfit || mayComeFirst(a, b) || mayComeFirst(b, a)) return { decidedBy: 'nothing' };
  const ahead = OUTCOME_ORDER[a.kind] < OUTCOME_ORDER[b.kind] ? 'a' : 'b';
  const kinds = [a.kind, b.kind];
  return {
    ahead,
    decidedBy: kinds.includes('pinned') ? 'pinned' : kinds.includes('refused') ? 'refusal' : 'not_asked',
  };
}
