import { type DataPath, didYouMean, locate, nameList } from '../../diagnostics/index.js';
import { isMap } from '../../expression/index.js';
import { hasRelativeWeights, readsWeights } from '../combine-methods.js';
import type { ScorerEntry } from '../entries.js';
import type { CaseWeights, CombineMethod } from '../profile.js';
import type { ProfileData } from '../schema/profile-schema.js';
import { entryIds } from '../source/raw-profile.js';
import type { Resolver } from './resolver.js';

/** Resolves `combine`: a name, or a formula. */
export function resolveCombine(resolver: Resolver, combine: ProfileData['combine']): CombineMethod {
  if (typeof combine === 'string') return combine;
  const scope = resolver.scopes.formula();
  const formula = resolver.resolveExpression(combine.formula, scope, 'number', ['combine', 'formula']);
  return formula ? { formula } : 'weighted_mean';
}

/** Resolves `weights`, and checks that every case weighs scorers. */
export function resolveWeights(resolver: Resolver, weights: ProfileData['weights']): CaseWeights | undefined {
  if (!weights) return undefined;
  // Disabled ones, too: a profile may disable a scorer and inherit its weights.
  const scorerIds = entryIds(resolver.root, 'tier2_scorers');
  const by = resolver.resolveExpression(weights.by, resolver.scopes.scorer(), 'any', ['weights', 'by']);
  for (const [name, byId] of Object.entries(weights.cases)) {
    for (const id of Object.keys(byId)) {
      if (scorerIds.includes(id)) continue;
      const hint = didYouMean(id, scorerIds, `tier2_scorers: ${nameList(scorerIds)}`);
      resolver.report('ASZ205', `a weight for ${id}, which is no scorer`, ['weights', 'cases', name, id], hint, 'key');
    }
  }
  const cases = new Map(Object.entries(weights.cases).map(([name, byId]) => [name, new Map(Object.entries(byId))]));
  return by && { by, cases };
}

/** Checks that a weight of a mean is not negative. */
function checkNotNegative(resolver: Resolver, weight: unknown, path: DataPath): void {
  if (typeof weight !== 'number' || !(weight < 0)) return; // other types are reported with the whole profile
  const hint = 'weights are relative here; turn the scorer around, or combine by weighted_sum';
  resolver.report('ASZ202', `expected a weight of at least 0, found ${weight}`, path, hint);
}

/** Reports weights that nothing reads: where they are written, or, if inherited, at the `combine` that ignores them. */
function reportUnreadWeights(resolver: Resolver, combine: CombineMethod, written: readonly DataPath[]): void {
  const { root } = resolver;
  const message = `${typeof combine === 'string' ? combine : 'a formula'} reads no weights`;
  const at = locate(root, ['combine'], 'value')?.file;
  const near = written.filter((path) => locate(root, path, 'key')?.file === at);
  for (const path of near)
    resolver.report('ASZ202', message, path, 'remove it, or combine by weighted_mean or weighted_sum', 'key');
  const inherited = written.length - near.length;
  if (inherited === 0) return;
  const hint = 'write those entries anew, without a weight, or combine by weighted_mean or weighted_sum';
  resolver.report('ASZ202', `${message}, and ${inherited} inherited ones would be lost`, ['combine'], hint);
}

/** Checks weights: relative ones are not negative and not all 0, and none is written where the combine reads none. */
export function checkWeights(
  resolver: Resolver,
  combine: CombineMethod,
  scorers: readonly ScorerEntry[],
  weights: CaseWeights | undefined,
): void {
  const list: unknown = resolver.root['tier2_scorers'];
  const entries = (Array.isArray(list) ? list : []).map((entry: unknown, index) => ({
    entry,
    path: ['tier2_scorers', index, 'weight'],
  }));
  const written = entries.filter(
    ({ entry }) => isMap(entry) && entry['enabled'] !== false && Object.hasOwn(entry, 'weight'),
  );
  if (!readsWeights(combine)) {
    reportUnreadWeights(resolver, combine, [...written.map(({ path }) => path), ...(weights ? [['weights']] : [])]);
    return;
  }
  if (!hasRelativeWeights(combine)) return;
  for (const { entry, path } of written) checkNotNegative(resolver, isMap(entry) ? entry['weight'] : undefined, path);
  for (const [name, byId] of weights?.cases ?? []) {
    for (const [id, weight] of byId) checkNotNegative(resolver, weight, ['weights', 'cases', name, id]);
  }
  // The weight of a malformed entry is not known.
  const enabled = entries.filter(({ entry }) => isMap(entry) && entry['enabled'] !== false);
  if (scorers.length > 0 && scorers.length === enabled.length && scorers.every(({ weight }) => weight === 0)) {
    const hint = 'a mean needs at least one weight above 0';
    resolver.report('ASZ202', 'all weights are 0', ['tier2_scorers'], hint, 'key');
  }
}
