import { didYouMean } from '../../diagnostics/did-you-mean.js';
import { locate } from '../../diagnostics/places.js';
import { isMap } from '../../expression/is-map.js';
import type { CaseWeights, CombineMethod, ScorerEntry } from '../profile.js';
import type { ProfileData } from '../schema/profile-schema.js';
import { entryIds } from './check-references.js';
import type { ExpressionScopes } from './expression-scopes.js';
import type { Path, Resolver } from './resolver.js';

/** Whether only the proportions of the weights count. */
export const hasRelativeWeights = (combine: CombineMethod): boolean =>
  combine === 'weighted_mean' || combine === 'geometric_mean';

const combineName = (combine: CombineMethod): string => (typeof combine === 'string' ? combine : 'a formula');

/** Whether a combine reads weights at all: the means relatively, `weighted_sum` literally. */
export const readsWeights = (combine: CombineMethod): boolean =>
  combine === 'weighted_sum' || hasRelativeWeights(combine);

export function resolveWeights(
  resolver: Resolver,
  weights: ProfileData['weights'],
  scopes: ExpressionScopes,
): CaseWeights | undefined {
  if (!weights) return undefined;
  // Those that are disabled, too: a profile may inherit weights for what it has no use for.
  const scorerIds = entryIds(resolver.root, 'tier2_scorers');
  const by = resolver.resolveExpression(weights.by, scopes.scorer(), 'any', ['weights', 'by']);
  for (const [name, byId] of Object.entries(weights.cases)) {
    for (const id of Object.keys(byId)) {
      if (scorerIds.includes(id)) continue;
      const hint = didYouMean(id, scorerIds, `tier2_scorers: ${scorerIds.join(', ') || 'none'}`);
      resolver.report('ASZ205', `a weight for ${id}, which is no scorer`, ['weights', 'cases', name, id], hint, 'key');
    }
  }
  const cases = new Map(Object.entries(weights.cases).map(([name, byId]) => [name, new Map(Object.entries(byId))]));
  return by && { by, cases };
}

/** Checks one weight of a mean. */
function checkNotNegative(resolver: Resolver, weight: unknown, path: Path): void {
  if (typeof weight !== 'number' || !(weight < 0)) return; // what is no number is said elsewhere
  const hint = 'weights are relative here; turn the scorer around, or combine by weighted_sum';
  resolver.report('ASZ202', `expected a weight of at least 0, found ${weight}`, path, hint);
}

/** Weights that nothing would read: said where they stand, or where the combine does that lost them their reader. */
function reportUnreadWeights(resolver: Resolver, combine: CombineMethod, written: readonly Path[]): void {
  const { root } = resolver;
  const message = `${combineName(combine)} reads no weights`;
  const at = locate(root, ['combine'], 'value')?.file;
  const near = written.filter((path) => locate(root, path, 'key')?.file === at);
  for (const path of near)
    resolver.report('ASZ202', message, path, 'remove it, or combine by weighted_mean or weighted_sum', 'key');
  const inherited = written.length - near.length;
  if (inherited === 0) return;
  const hint = 'write those entries anew, without a weight, or combine by weighted_mean or weighted_sum';
  resolver.report('ASZ202', `${message}, and ${inherited} inherited ones would be lost`, ['combine'], hint);
}

/** Weights are relative in the means (none negative, not all 0) and an error where the combine reads none. */
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
  // Of an entry that is wrong in itself the weight is not known here.
  const enabled = entries.filter(({ entry }) => isMap(entry) && entry['enabled'] !== false);
  if (scorers.length > 0 && scorers.length === enabled.length && scorers.every(({ weight }) => weight === 0)) {
    resolver.report(
      'ASZ202',
      'all weights are 0',
      ['tier2_scorers'],
      'a mean needs at least one weight above 0',
      'key',
    );
  }
}
