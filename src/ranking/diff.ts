import {
  checkOptions,
  toAssizeError,
  type AssizeError,
  counted,
  formatNumber,
  formatOrdinal,
  formatSigned,
  layoutTable,
  type TableRow,
} from '../base/index.js';
import { candidateName } from './explain/comparison.js';
import { type Explanation, type ExplanationParts, explanationParts, type ScorerNode } from './explain/explanation.js';
import type { CandidateOutcome } from './explain/outcome.js';
import { deepFreeze, omitUndefined } from './explain/json-value.js';
import {
  checkResult,
  type ExplanationTextOptions,
  numberText,
  renderOptions,
  titleLines,
} from './explain/text-parts.js';
import { isAdditive } from '../profile/index.js';
import type { Ranking } from './ranking.js';

/** A scorer or rule whose effect on a candidate's score changed. */
export interface Influence {
  readonly kind: 'scorer' | 'rule';
  readonly id: string;
  /**
   * A scorer's summand if both rankings sum, otherwise its value; for a rule, its change of the score. Missing if the
   * entry is not in the profile or is skipped for the candidate.
   */
  readonly before?: number;
  readonly after?: number;
  /** `after` minus `before`, if they are parts of sums. */
  readonly difference?: number;
  /** A scorer's weight, if it changed. */
  readonly weight?: { readonly before?: number; readonly after?: number };
}

/** A candidate whose rank, selection or refusal changed. */
export interface CandidateMove {
  readonly id: string;
  /** Its position in the input. */
  readonly index: number;
  /** How many candidates have this id, if it is more than one. */
  readonly sameId?: number;
  readonly before: CandidateOutcome;
  readonly after: CandidateOutcome;
  /** The changes of its score, largest first; empty if only other candidates moved, or if it is not ranked in both. */
  readonly because: readonly Influence[];
}

/** How many candidates of each kind a ranking has. */
export interface RankingCounts {
  readonly ranked: number;
  readonly selected: number;
  readonly refused: number;
}

/**
 * The differences between two rankings of the same candidates. Plain data, frozen. As JSON it is the same. Its keys are
 * stable; new keys may be added.
 */
export interface RankingDiff {
  readonly before: RankingCounts & { readonly profile: string };
  readonly after: RankingCounts & { readonly profile: string };
  readonly counts: {
    readonly given: number;
    /** Ranked in both, at different ranks. */
    readonly moved: number;
    /** Selected only in the second ranking. */
    readonly entered: number;
    /** Selected only in the first ranking. */
    readonly left: number;
    /** Refused only in the second ranking. */
    readonly refused: number;
    /** Refused only in the first ranking. */
    readonly admitted: number;
    /** The number of candidates with any of these changes. */
    readonly changed: number;
  };
  /** The largest changes: first changed verdicts, then changed selections, then the most ranks. */
  readonly moves: readonly CandidateMove[];
}

/** Numbers within this relative difference are equal, because of rounding. */
const ROUNDING_TOLERANCE = 1e-12;

const differs = (x: number | undefined, y: number | undefined): boolean =>
  x === undefined || y === undefined
    ? x !== y
    : Math.abs(x - y) > ROUNDING_TOLERANCE * Math.max(Math.abs(x), Math.abs(y));

const isSummed = ({ combine }: ExplanationParts): boolean => combine !== undefined && isAdditive(combine.id);

/** The changes of a candidate's score from one ranking to another. */
export function influences(before: Explanation, after: Explanation): readonly Influence[] {
  if (before.outcome.kind !== 'ranked' || after.outcome.kind !== 'ranked') return [];
  const [old, now] = [explanationParts(before), explanationParts(after)];
  const summed = isSummed(old) && isSummed(now);
  const all = [...scorerInfluences(old, now, summed), ...ruleInfluences(old, now)];
  return all.toSorted((x, y) => influenceSize(y) - influenceSize(x));
}

const influenceSize = ({ before = 0, after = 0 }: Influence): number => Math.abs(after - before);

/** The ids of both lists, in order. */
const unionOfIds = (before: readonly { readonly id: string }[], after: readonly { readonly id: string }[]) =>
  new Set([...before, ...after].map(({ id }) => id));

function scorerInfluences(before: ExplanationParts, after: ExplanationParts, summed: boolean): readonly Influence[] {
  const old = new Map(before.scorers.map((term) => [term.id, term]));
  const now = new Map(after.scorers.map((term) => [term.id, term]));
  const part = (term: ScorerNode | undefined): number | undefined => (summed ? term?.contribution : term?.value);
  return [...unionOfIds(before.scorers, after.scorers)].flatMap((id): Influence[] => {
    const [x, y] = [old.get(id), now.get(id)];
    const reweighed = differs(x?.weight, y?.weight);
    if (!differs(part(x), part(y)) && (summed || !reweighed)) return [];
    const weight = reweighed ? omitUndefined({ before: x?.weight, after: y?.weight }) : undefined;
    return [omitUndefined({ kind: 'scorer' as const, id, ...beforeAndAfter(part(x), part(y), summed), weight })];
  });
}

function ruleInfluences(before: ExplanationParts, after: ExplanationParts): readonly Influence[] {
  const [old, now] = [ruleChanges(before), ruleChanges(after)];
  return [...unionOfIds(before.rules, after.rules)].flatMap((id): Influence[] => {
    const [x, y] = [old.get(id), now.get(id)];
    return differs(x ?? 0, y ?? 0) ? [omitUndefined({ kind: 'rule' as const, id, ...beforeAndAfter(x, y, true) })] : [];
  });
}

const beforeAndAfter = (before: number | undefined, after: number | undefined, additive: boolean) => ({
  before,
  after,
  difference: additive ? (after ?? 0) - (before ?? 0) : undefined,
});

/** The change of the score by each rule that fired. */
function ruleChanges({ combine, rules }: ExplanationParts): ReadonlyMap<string, number> {
  const changes = new Map<string, number>();
  let at = combine?.value ?? 0;
  for (const { id, state, value: score = at } of rules) {
    if (state === 'fired') changes.set(id, score - at);
    at = score;
  }
  return changes;
}

export interface RankingDiffOptions {
  /** The maximum number of changed candidates in `moves`. Default: 20. */
  readonly most?: number;
}

const DEFAULT_MOVES = 20;

/** The result of a candidate in one ranking. */
interface RankPlacement {
  readonly id: string;
  readonly candidate: unknown;
  /** Missing for a refused or pinned candidate. */
  rank?: number;
  refused?: true;
  selected?: true;
}

/**
 * Compares two rankings of the same candidates: the candidates whose rank, selection or refusal changed, and the
 * scorers and rules that changed it. Candidates are matched by position. O(n log n), and two explanations for each
 * listed move.
 *
 * ```ts
 * const { counts, moves } = diffRankings(ranking, await ranking.whatIf({ weights: { novelty: 0.5 } }));
 * ```
 *
 * @throws AssizeError if the rankings have different candidates (ASZ508), or a candidate has changed since (ASZ503)
 */
export function diffRankings<T>(before: Ranking<T>, after: Ranking<T>, options: RankingDiffOptions = {}): RankingDiff {
  checkOptions('diffRankings', options, { most: { integerFrom: 0 } });
  const { most = DEFAULT_MOVES } = options;
  const [old, now] = [placementsOf(before), placementsOf(after)];
  checkSameCandidates(old, now);
  const changed = [...old].flatMap(([index, was]) => {
    const is = now.get(index);
    return is && hasMoved(was, is) ? [{ index, was, is }] : [];
  });
  const count = (test: (was: RankPlacement, is: RankPlacement) => boolean): number =>
    changed.filter(({ was, is }) => test(was, is)).length;
  const listed = changed.toSorted(
    (x, y) => moveSize(y.was, y.is) - moveSize(x.was, x.is) || rankOrLast(x.is) - rankOrLast(y.is),
  );
  return deepFreeze({
    before: { profile: before.profile, ...countsOf(before) },
    after: { profile: after.profile, ...countsOf(after) },
    counts: {
      given: old.size,
      moved: count((was, is) => rankDistance(was, is) > 0),
      entered: count((was, is) => !was.selected && is.selected === true),
      left: count((was, is) => was.selected === true && !is.selected),
      refused: count((was, is) => !was.refused && is.refused === true),
      admitted: count((was, is) => was.refused === true && !is.refused),
      changed: changed.length,
    },
    moves: listed.slice(0, most).map(({ index }) => candidateMove(before, after, index)),
  });
}

function candidateMove<T>(before: Ranking<T>, after: Ranking<T>, index: number): CandidateMove {
  const [was, is] = [before.explain({ index }), after.explain({ index })];
  const { id, sameId } = is;
  return omitUndefined({ id, index, sameId, before: was.outcome, after: is.outcome, because: influences(was, is) });
}

const countsOf = ({ ranked, selected, refused }: Ranking<unknown>): RankingCounts => ({
  ranked: ranked.length,
  selected: selected.length,
  refused: refused.length,
});

function placementsOf({
  ranked,
  selected,
  notSelected,
  refused,
}: Ranking<unknown>): ReadonlyMap<number, RankPlacement> {
  const places = new Map<number, RankPlacement>();
  for (const { index, id, candidate, rank } of ranked) places.set(index, { id, candidate, rank });
  for (const { index, id, candidate } of refused) places.set(index, { id, candidate, refused: true });
  for (const { index, id, candidate } of notSelected) if (!places.has(index)) places.set(index, { id, candidate }); // pinned
  for (const { index, id, candidate, because } of selected) {
    if (index < 0) continue; // A fallback generated it.
    // A candidate that a fallback selects is not in another list unless it is ranked.
    const place: RankPlacement = places.get(index) ?? {
      id,
      candidate,
      ...(because === 'fallback' && { refused: true }),
    };
    place.selected = true;
    places.set(index, place);
  }
  return places;
}

function hasMoved(was: RankPlacement, is: RankPlacement): boolean {
  return was.rank !== is.rank || was.refused !== is.refused || was.selected !== is.selected;
}

/** The number of ranks that a candidate moved; 0 if it is not ranked in both. */
const rankDistance = ({ rank: was }: RankPlacement, { rank: is }: RankPlacement): number =>
  was === undefined || is === undefined ? 0 : Math.abs(was - is);

/** Orders the moves: changed verdicts, then changed selections, then the most ranks. */
function moveSize(was: RankPlacement, is: RankPlacement): number {
  const verdict = was.refused !== is.refused || (was.rank === undefined) !== (is.rank === undefined);
  return (verdict ? 2 : was.selected === is.selected ? 0 : 1) * 1e12 + rankDistance(was, is);
}

const rankOrLast = ({ rank }: RankPlacement): number => rank ?? Number.MAX_SAFE_INTEGER;

/** Both rankings must have the same list of candidates, because candidates are matched by position. */
function checkSameCandidates(old: ReadonlyMap<number, RankPlacement>, now: ReadonlyMap<number, RankPlacement>): void {
  const wrong = (message: string): AssizeError =>
    toAssizeError([{ code: 'ASZ508', message, hint: 'give both profiles the same list of candidates' }]);
  if (old.size !== now.size) throw wrong(`the rankings are of ${old.size} and of ${now.size} candidates`);
  for (const [index, { id, candidate }] of old) {
    const other = now.get(index);
    if (other?.candidate === candidate || other?.id === id) continue;
    throw wrong(`candidate ${index} is ${id} in one ranking, and ${other?.id ?? 'missing'} in the other`);
  }
}

/** The maximum number of scorers and rules to name for one candidate. */
const MAX_INFLUENCES = 3;

/** Formats a diff for a terminal: a summary, then the candidates that moved, each with its influences. */
export function diffText(diff: RankingDiff, options: ExplanationTextOptions = {}): string {
  checkResult('diffText', diff, 'moves', 'a diff', 'diffRankings(before, after)');
  const render = renderOptions(options);
  const { before, after, counts, moves } = diff;
  const head = titleLines(`${before.profile} → ${after.profile}: ${summary(counts)}`, render);
  if (moves.length === 0) return `${head.join('\n')}\n`;
  const table = layoutTable(moves.map(moveRow), ['left', 'left', 'left'], ['id', 'rank', 'score', 'why'], render);
  const more = counts.changed - moves.length;
  const rest = more === 0 ? [] : [render.paint('faint', `  and ${more.toLocaleString('en-US')} more`)];
  return `${[...head, '', ...table, ...rest].join('\n')}\n`;
}

function summary({ given, moved, entered, left, refused, admitted, changed }: RankingDiff['counts']): string {
  const of = counted(given, 'candidate');
  if (changed === 0) return `${of}, and none of them moved`;
  const labelled: readonly (readonly [count: number, label: string])[] = [
    [moved, 'moved'],
    [entered, 'entered the selection'],
    [left, 'left it'],
    [refused, 'newly refused'],
    [admitted, 'no longer refused'],
  ];
  const parts = labelled
    .filter(([count]) => count > 0)
    .map(([count, label]) => `${count.toLocaleString('en-US')} ${label}`);
  return `of ${of}, ${parts.join(', ')}`;
}

function moveRow(move: CandidateMove): TableRow {
  const { before, after, because } = move;
  const scores =
    before.kind === 'ranked' && after.kind === 'ranked' ? [before.score, after.score].map(formatNumber) : [];
  const selection = selectionText(before, after);
  const more = because.length > MAX_INFLUENCES ? [`and ${because.length - MAX_INFLUENCES} more`] : [];
  const reasons = [...because.slice(0, MAX_INFLUENCES).map(influenceText), ...more];
  const refusal = after.kind === 'refused' ? [`${after.by} (${after.refusal}): ${after.reason}`] : [];
  const others = before.kind === 'ranked' && after.kind === 'ranked' && because.length === 0 ? ['others moved'] : [];
  return {
    cells: [
      candidateName(move),
      [...new Set([before, after].map(outcomeLabel))].join(' → '),
      [...new Set(scores)].join(' → '),
    ],
    why: [...refusal, ...(reasons.length === 0 ? others : reasons), ...selection],
  };
}

const outcomeLabel = (outcome: CandidateOutcome): string =>
  outcome.kind === 'ranked' ? formatOrdinal(outcome.rank) : outcome.kind.replace('_', ' ');

function selectionText(before: CandidateOutcome, after: CandidateOutcome): readonly string[] {
  if ((before.selected === undefined) === (after.selected === undefined)) return [];
  if (after.selected !== undefined) return [`selected now${after.selected === 'fallback' ? ' as a fallback' : ''}`];
  const left = 'notSelected' in after ? after.notSelected : undefined;
  return left ? [`no longer selected: ${left.text}`] : [];
}

/** `popularity +0.2`, or `popularity 0.5 → 0.7` if the method does not sum; then `(weight 0.5 → 0.25)` if it changed. */
function influenceText({ kind, id, before, after, difference, weight }: Influence): string {
  const name = kind === 'rule' ? `rule ${id}` : id;
  const changed = before === after ? '' : ` ${numberText(before)} → ${numberText(after)}`;
  const change = difference === undefined ? changed : ` ${formatSigned(difference)}`;
  const weighed = weight ? ` (weight ${numberText(weight.before)} → ${numberText(weight.after)})` : '';
  return `${name}${change}${weighed}`;
}
