import { isMap } from '../document/map.js';
import { locate } from '../document/places.js';
import { didYouMean } from '../expression/suggest.js';
import { idsOf } from './check-names.js';
import type { CaseWeights, Combine, ScorerEntry } from './profile.js';
import type { Path, Resolver } from './resolver.js';
import type { ProfileData } from './schema.js';
import type { Scopes } from './scopes.js';

/** Whether only the proportions of the weights count. */
export const isRelative = (combine: Combine): boolean => combine === 'weighted_mean' || combine === 'geometric_mean';

const nameOf = (combine: Combine): string => (typeof combine === 'string' ? combine : 'a formula');

/** Whether a combine reads weights at all: the means relatively, `weighted_sum` literally. */
export const readsWeights = (combine: Combine): boolean => combine === 'weighted_sum' || isRelative(combine);

export function resolveWeights(
  resolver: Resolver,
  weights: ProfileData['weights'],
  scopes: Scopes,
): CaseWeights | undefined {
  if (!weights) return undefined;
  // Those that are disabled, too: a profile may inherit weights for what it has no use for.
  const scorerIds = idsOf(resolver.root, 'tier2_scorers');
  const by = resolver.expression(weights.by, scopes.scorer(), 'any', ['weights', 'by']);
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
function notNegative(resolver: Resolver, weight: unknown, path: Path): void {
  if (typeof weight !== 'number' || !(weight < 0)) return; // what is no number is said elsewhere
  const hint = 'weights are relative here; turn the scorer around, or combine by weighted_sum';
  resolver.report('ASZ202', `expected a weight of at least 0, found ${weight}`, path, hint);
}

/** Weights that nothing would read: said where they stand, or where the combine does that lost them their reader. */
function unread(resolver: Resolver, combine: Combine, written: readonly Path[]): void {
  const { root } = resolver;
  const message = `${nameOf(combine)} reads no weights`;
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
  combine: Combine,
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
    unread(resolver, combine, [...written.map(({ path }) => path), ...(weights ? [['weights']] : [])]);
    return;
  }
  if (!isRelative(combine)) return;
  for (const { entry, path } of written) notNegative(resolver, isMap(entry) ? entry['weight'] : undefined, path);
  for (const [name, byId] of weights?.cases ?? []) {
    for (const [id, weight] of byId) notNegative(resolver, weight, ['weights', 'cases', name, id]);
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
