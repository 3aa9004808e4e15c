import type { Range } from '../contract/index.js';
import type { Adjustment, Profile, Pruning, ScorerEntry } from './profile.js';
import { readsScores } from './reads-scores.js';
import { remembers } from './remembers.js';

/**
 * From this cost on it pays to find out whom a scorer can be spared: that takes half a microsecond for everybody, and
 * three for those that are asked about after all.
 */
const EXPENSIVE = 10_000;

/** So many at once: what each may bring is tried with what every other may. */
const MOST_AT_ONCE = 4;

/** A scorer whose range is known, and finite. */
type Bounded = ScorerEntry & { readonly range: Range };

/** What of a profile can be pruned without changing what is selected. */
export function pruningOf(profile: Omit<Profile, 'pruning'>): Pruning {
  const expensive = profile.scorers.filter(({ cost }) => cost >= EXPENSIVE);
  const off =
    whyNot(profile) ??
    (expensive.length === 0 ? `no scorer declares a cost of ${EXPENSIVE.toLocaleString('en-US')} or more` : undefined);
  if (off !== undefined) return { scorers: [], off };
  const scorers = expensive
    .filter(isPrunable)
    .toSorted((a, b) => b.cost - a.cost)
    .slice(0, MOST_AT_ONCE)
    .reverse();
  return { scorers, off: scorers.length > 0 ? undefined : expensive.map(whyWhole).join('; ') };
}

const isPrunable = (entry: ScorerEntry): entry is Bounded =>
  entry.sights.size === 1 && entry.sights.has('candidate') && !remembers(entry.use) && isFinite(entry.range);

const isFinite = (range: Range | undefined): range is Range => range?.every(Number.isFinite) ?? false;

/** Why an expensive scorer is asked about everybody. */
function whyWhole({ id, sights, use, range }: ScorerEntry): string {
  if (remembers(use)) return `${id} remembers whom it was asked about`;
  if (!sights.has('candidate') || sights.size > 1) return `${id} needs all candidates`;
  return isFinite(range) ? `${id} is one too many` : `${id} declares no finite range`;
}

/** What in a profile reads more than the best, or makes of a score what its bound does not tell. */
function whyNot({
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
  const rule = adjustments.find((one) => readsScores(one) || turnsAround(one));
  if (rule) return `the rule ${rule.id} ${readsScores(rule) ? 'reads scores' : 'turns the order around'}`;
  if (fallback.length > 0 && minScore !== undefined) return 'a fallback may read how many were refused';
  return undefined;
}

/** Whether what is better before the rule may be worse after it. A factor that is computed is looked at in the run. */
const turnsAround = ({ multiply }: Adjustment): boolean => typeof multiply === 'number' && multiply < 0;
