import type { ScoreRange } from '../../contract/index.js';
import { hasMemory } from '../has-memory.js';
import type { Adjustment, Profile, PruningPlan, ScorerEntry } from '../profile.js';
import { readsScores } from '../profile-queries.js';

/**
 * From this cost on it pays to find out whom a scorer can be spared: that takes half a microsecond for everybody, and
 * three for those that are asked about after all.
 */
const EXPENSIVE_COST = 10_000;

/** So many at once: what each may bring is tried with what every other may. */
const MAX_PRUNED_SCORERS = 4;

/** A scorer whose range is known, and finite. */
type BoundedScorer = ScorerEntry & { readonly range: ScoreRange };

/** What of a profile can be pruned without changing what is selected. */
export function resolvePruning(profile: Omit<Profile, 'pruning'>): PruningPlan {
  const expensive = profile.scorers.filter(({ cost }) => cost >= EXPENSIVE_COST);
  const disabledReason =
    pruningDisabledReason(profile) ??
    (expensive.length === 0
      ? `no scorer declares a cost of ${EXPENSIVE_COST.toLocaleString('en-US')} or more`
      : undefined);
  if (disabledReason !== undefined) return { scorers: [], disabledReason };
  const scorers = expensive
    .filter(isPrunable)
    .toSorted((a, b) => b.cost - a.cost)
    .slice(0, MAX_PRUNED_SCORERS)
    .reverse();
  return { scorers, disabledReason: scorers.length > 0 ? undefined : expensive.map(unprunableReason).join('; ') };
}

const isPrunable = (entry: ScorerEntry): entry is BoundedScorer =>
  entry.scopes.size === 1 && entry.scopes.has('candidate') && !hasMemory(entry.use) && isFiniteRange(entry.range);

const isFiniteRange = (range: ScoreRange | undefined): range is ScoreRange => range?.every(Number.isFinite) ?? false;

/** Why an expensive scorer is asked about everybody. */
function unprunableReason({ id, scopes, use, range }: ScorerEntry): string {
  if (hasMemory(use)) return `${id} remembers whom it was asked about`;
  if (!scopes.has('candidate') || scopes.size > 1) return `${id} needs all candidates`;
  return isFiniteRange(range) ? `${id} is one too many` : `${id} declares no finite range`;
}

/** What in a profile reads more than the best, or makes of a score what its bound does not tell. */
function pruningDisabledReason({
  select,
  rerank,
  combine,
  adjustments,
  reports,
  fallback,
}: Omit<Profile, 'pruning'>): string | undefined {
  const { top, prune, duplicates, minScore } = select;
  if (!prune) return 'select.prune is false';
  if (top === undefined || top === 0) return 'there is no select.top to miss';
  if (rerank) return 'rerank says who is asked';
  if (typeof combine === 'object') return 'a formula may do anything with a score';
  if (duplicates) return 'who is a duplicate of whom depends on every score';
  const [report] = reports;
  if (report) return `the report ${report.id} reads every score`;
  const rule = adjustments.find((one) => readsScores(one) || reversesOrder(one));
  if (rule) return `the rule ${rule.id} ${readsScores(rule) ? 'reads scores' : 'turns the order around'}`;
  if (fallback.length > 0 && minScore !== undefined) return 'a fallback may read how many were refused';
  return undefined;
}

/** Whether what is better before the rule may be worse after it. A factor that is computed is looked at in the run. */
const reversesOrder = ({ multiply }: Adjustment): boolean => typeof multiply === 'number' && multiply < 0;
