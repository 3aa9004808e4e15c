import { type CandidateOutcome, type Explanation, omitUndefined, type ScorerTerm } from '../../explain/index.js';
import { isAdditive } from '../../profile/index.js';

/** A scorer or rule whose part in a candidate's score changed. */
export interface Influence {
  readonly kind: 'scorer' | 'rule';
  readonly id: string;
  /**
   * A scorer's summand where both rankings sum, else its value; a rule's change of the score. Missing where the entry is
   * not in the profile, or left the row.
   */
  readonly before?: number;
  readonly after?: number;
  /** `after` less `before`, where they are parts of sums. */
  readonly difference?: number;
  /** A scorer's weight, where it changed. */
  readonly weight?: { readonly before?: number; readonly after?: number };
}

/** A candidate whose rank, selection or refusal changed. */
export interface CandidateMove {
  readonly id: string;
  /** Its position in the candidates that were given. */
  readonly index: number;
  /** How many candidates have this id, where it is more than one. */
  readonly sameId?: number;
  readonly before: CandidateOutcome;
  readonly after: CandidateOutcome;
  /** The changes of its score, the largest first; empty where only others moved, or where no score decides. */
  readonly because: readonly Influence[];
}

/** How many candidates of each kind a ranking has. */
export interface RankingCounts {
  readonly ranked: number;
  readonly selected: number;
  readonly refused: number;
}

/**
 * How two rankings of the same candidates differ. Plain data, frozen; as JSON it is the same. Its keys are stable; new
 * ones may come.
 */
export interface RankingDiff {
  readonly before: RankingCounts & { readonly profile: string };
  readonly after: RankingCounts & { readonly profile: string };
  readonly counts: {
    readonly given: number;
    /** Ranked in both, at another rank. */
    readonly moved: number;
    /** How many entered and left the selection. */
    readonly entered: number;
    readonly left: number;
    /** Refused in the second alone, and in the first alone. */
    readonly refused: number;
    readonly admitted: number;
    /** How many any of this is true of. */
    readonly changed: number;
  };
  /** The first of those that changed: changed verdicts, then changed selections, then the most ranks. */
  readonly moves: readonly CandidateMove[];
}

/** The relative difference of equal numbers because of rounding. */
const ROUNDING_TOLERANCE = 1e-12;

const differs = (x: number | undefined, y: number | undefined): boolean =>
  x === undefined || y === undefined
    ? x !== y
    : Math.abs(x - y) > ROUNDING_TOLERANCE * Math.max(Math.abs(x), Math.abs(y));

const isSummed = ({ combine }: Explanation): boolean => combine !== undefined && isAdditive(combine.method);

/** The changes of a candidate's score from one ranking to another. */
export function influences(before: Explanation, after: Explanation): readonly Influence[] {
  if (before.outcome.kind !== 'ranked' || after.outcome.kind !== 'ranked') return [];
  const summed = isSummed(before) && isSummed(after);
  const all = [...scorerInfluences(before, after, summed), ...ruleInfluences(before, after)];
  return all.toSorted((x, y) => influenceSize(y) - influenceSize(x));
}

const influenceSize = ({ before = 0, after = 0 }: Influence): number => Math.abs(after - before);

/** The ids of both lists, in order. */
const unionOfIds = (before: readonly { readonly id: string }[], after: readonly { readonly id: string }[]) =>
  new Set([...before, ...after].map(({ id }) => id));

function scorerInfluences(before: Explanation, after: Explanation, summed: boolean): readonly Influence[] {
  const old = new Map(before.scorers.map((term) => [term.id, term]));
  const now = new Map(after.scorers.map((term) => [term.id, term]));
  const part = (term: ScorerTerm | undefined): number | undefined => (summed ? term?.contribution : term?.value);
  return [...unionOfIds(before.scorers, after.scorers)].flatMap((id): Influence[] => {
    const [x, y] = [old.get(id), now.get(id)];
    const reweighed = differs(x?.weight, y?.weight);
    if (!differs(part(x), part(y)) && (summed || !reweighed)) return [];
    const weight = reweighed ? omitUndefined({ before: x?.weight, after: y?.weight }) : undefined;
    return [omitUndefined({ kind: 'scorer' as const, id, ...beforeAndAfter(part(x), part(y), summed), weight })];
  });
}

function ruleInfluences(before: Explanation, after: Explanation): readonly Influence[] {
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
function ruleChanges({ combine, rules }: Explanation): ReadonlyMap<string, number> {
  const changes = new Map<string, number>();
  let at = combine?.score ?? 0;
  for (const { id, state, score = at } of rules) {
    if (state === 'fired') changes.set(id, score - at);
    at = score;
  }
  return changes;
}
