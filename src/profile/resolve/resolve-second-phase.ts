import type { ScoreRange } from '../../contract/index.js';
import { closestName, type DataPath, nameList } from '../../diagnostics/index.js';
import { isMap } from '../../expression/index.js';
import type { ScorerEntry } from '../entries.js';
import type { Adjustment, CombineMethod, Profile } from '../profile.js';
import type { PruningPlan, RerankSpec } from '../selection.js';
import { hasMemory, readsScores } from '../profile-queries.js';
import { rerankSchema } from '../schema/entry-schemas.js';
import { enabledEntryIds, entryIds } from '../source/raw-profile.js';
import { partialParse, type Resolver } from './resolver.js';

/** Resolves `rerank`: the scorers that run only on the best candidates by the others. */
export function resolveRerank(
  resolver: Resolver,
  combine: CombineMethod,
  scorers: readonly ScorerEntry[],
): RerankSpec | undefined {
  const written = resolver.root['rerank'];
  for (const [index, id] of writtenIds(written).entries()) {
    if (typeof id === 'string') checkRerankedId(resolver, id, ['rerank', 'ask', index]);
  }
  const data = partialParse(rerankSchema, written);
  if (!data) return undefined;
  const reranked = new Set(data.ask);
  const allResolved = scorers.length === enabledEntryIds(resolver.root, 'tier2_scorers').length;
  if (allResolved && scorers.length > 0 && scorers.every(({ id }) => reranked.has(id))) {
    const hint = 'leave a cheap scorer out of ask: it orders the candidates that the others then score';
    const message = 'rerank asks every scorer, so that none is left to order the candidates';
    resolver.report('ASZ505', message, ['rerank', 'ask'], hint);
  }
  const read = typeof combine === 'string' ? [] : data.ask.filter((id) => combine.formula.reads.includes(id));
  for (const id of read) {
    const message = `the formula reads ${id}: without it nothing orders the candidates`;
    const hint = 'combine by weights, or let an adjustment read it: scores.NAME is absent until it has run';
    resolver.report('ASZ505', message, ['rerank', 'ask', data.ask.indexOf(id)], hint);
  }
  return { top: data.top, ask: [...reranked] };
}

/** The ids of `ask`, including those of a malformed rerank. */
function writtenIds(written: unknown): readonly unknown[] {
  const ask: unknown = isMap(written) ? written['ask'] : undefined;
  return Array.isArray(ask) ? ask : [];
}

/** Checks that an id of `ask` is a scorer's; it may be disabled, so that a profile can inherit the rerank. */
function checkRerankedId(resolver: Resolver, id: string, path: DataPath): void {
  const { root } = resolver;
  const scorers = entryIds(root, 'tier2_scorers');
  if (scorers.includes(id)) return;
  const kind = entryIds(root, 'measures').includes(id)
    ? 'a measure'
    : entryIds(root, 'tier1_scorers').includes(id)
      ? 'a veto'
      : undefined;
  if (kind !== undefined) {
    const hint = `${kind === 'a veto' ? 'vetoes come first' : 'measures are taken of all'}; tier2_scorers: ${nameList(scorers)}`;
    resolver.report('ASZ205', `rerank asks ${id}, which is ${kind} and no scorer`, path, hint);
    return;
  }
  const near = closestName(id, enabledEntryIds(root, 'tier2_scorers'));
  const hint = near ? `did you mean ${near}?` : `tier2_scorers: ${nameList(scorers)}`;
  resolver.report('ASZ205', `rerank asks ${id}, and there is no such scorer`, path, hint);
}

/**
 * The least cost of a scorer for which pruning pays: bounding takes half a microsecond for each candidate, and three for
 * those that are scored after all.
 */
const EXPENSIVE_COST = 10_000;

/** The most scorers that are pruned: the bounds of each are combined with those of every other. */
const MAX_PRUNED_SCORERS = 4;

/** A scorer whose range is known, and finite. */
type BoundedScorer = ScorerEntry & { readonly range: ScoreRange };

/** The scorers that can be pruned without changing what is selected. */
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

/** Why an expensive scorer runs on every candidate. */
function unprunableReason({ id, scopes, use, range }: ScorerEntry): string {
  if (hasMemory(use)) return `${id} remembers the candidates that it scored`;
  if (!scopes.has('candidate') || scopes.size > 1) return `${id} needs all candidates`;
  return isFiniteRange(range)
    ? `${id} is beyond the ${MAX_PRUNED_SCORERS} that can be pruned`
    : `${id} declares no finite range`;
}

/** What in a profile reads more scores than those of the best, or breaks the order of bounds. */
function pruningDisabledReason({
  select,
  rerank,
  combine,
  adjustments,
  reports,
  fallback,
}: Omit<Profile, 'pruning'>): string | undefined {
  const { top, prune, duplicates, per, diversify, minScore } = select;
  if (!prune) return 'select.prune is false';
  if (top === undefined || top === 0) return 'there is no select.top to miss';
  if (rerank) return 'rerank chooses the candidates that the scorers run on';
  if (typeof combine === 'object') return 'a formula may do anything with a score';
  if (duplicates) return 'which duplicate is kept depends on every score';
  if (per) return 'how many of a group are ahead of a candidate depends on every score';
  if (diversify) return 'which candidates diversify chooses depends on every score';
  const [report] = reports;
  if (report) return `the report ${report.id} reads every score`;
  const rule = adjustments.find((one) => readsScores(one) || reversesOrder(one));
  if (rule) return `the rule ${rule.id} ${readsScores(rule) ? 'reads scores' : 'turns the order around'}`;
  if (fallback.length > 0 && minScore !== undefined) return 'a fallback may read how many were refused';
  return undefined;
}

/** Whether a rule may reverse the order of two scores. A computed factor is checked in the run. */
const reversesOrder = ({ multiply }: Adjustment): boolean => typeof multiply === 'number' && multiply < 0;
