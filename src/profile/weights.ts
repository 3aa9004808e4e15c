import { suggest } from '../expression/suggest.js';
import type { CaseWeights, Combine, ScorerEntry } from './profile.js';
import { isMap } from './merge.js';
import type { Resolver } from './resolver.js';
import type { ProfileData } from './schema.js';
import type { Scopes } from './scopes.js';

const RELATIVE: ReadonlySet<Combine> = new Set<Combine>(['weighted_mean', 'geometric_mean']);

const nameOf = (combine: Combine): string => (typeof combine === 'string' ? combine : 'a formula');

/** Whether a combine reads weights at all: the means relatively, `weighted_sum` literally. */
export const readsWeights = (combine: Combine): boolean => combine === 'weighted_sum' || RELATIVE.has(combine);

export function resolveWeights(
  resolver: Resolver,
  weights: ProfileData['weights'],
  scorerIds: readonly string[],
  scopes: Scopes,
): CaseWeights | undefined {
  if (!weights) return undefined;
  const by = resolver.expression(weights.by, scopes.scorer(), 'any', ['weights', 'by']);
  for (const [name, byId] of Object.entries(weights.cases)) {
    for (const id of Object.keys(byId)) {
      if (scorerIds.includes(id)) continue;
      const near = suggest(id, scorerIds);
      const hint = near ? `did you mean ${near}?` : `tier2_scorers: ${scorerIds.join(', ') || 'none'}`;
      resolver.report('ASZ205', `a weight for ${id}, which is no scorer`, ['weights', 'cases', name, id], hint, 'key');
    }
  }
  const cases = new Map(Object.entries(weights.cases).map(([name, byId]) => [name, new Map(Object.entries(byId))]));
  return by && { by, cases };
}

/** Weights are relative in the means (none negative, not all 0) and an error where the combine reads none. */
export function checkWeights(
  resolver: Resolver,
  combine: Combine,
  scorers: readonly ScorerEntry[],
  weights: CaseWeights | undefined,
): void {
  const list = resolver.root['tier2_scorers'];
  const written = Array.isArray(list) ? list : [];
  const at = (id: string): number => written.findIndex((entry) => isMap(entry) && entry['id'] === id);
  if (!readsWeights(combine)) {
    const message = `${nameOf(combine)} reads no weights`;
    const hint = 'remove it, or combine by weighted_mean or weighted_sum';
    for (const { id } of scorers) {
      const entry: unknown = written[at(id)];
      if (isMap(entry) && Object.hasOwn(entry, 'weight'))
        resolver.report('ASZ202', message, ['tier2_scorers', at(id), 'weight'], hint, 'key');
    }
    if (weights) resolver.report('ASZ202', message, ['weights'], hint, 'key');
    return;
  }
  if (!RELATIVE.has(combine)) return;
  for (const { id, weight } of scorers) {
    if (typeof weight === 'number' && weight < 0) {
      const hint = 'weights are relative here; turn the scorer around, or combine by weighted_sum';
      resolver.report(
        'ASZ202',
        `expected a weight of at least 0, found ${weight}`,
        ['tier2_scorers', at(id), 'weight'],
        hint,
      );
    }
  }
  for (const [name, byId] of weights?.cases ?? []) {
    for (const [id, weight] of byId) {
      if (weight < 0)
        resolver.report('ASZ202', `expected a weight of at least 0, found ${weight}`, ['weights', 'cases', name, id]);
    }
  }
  const fixed = scorers.map(({ weight }) => weight).filter((weight) => typeof weight === 'number');
  if (scorers.length > 0 && fixed.length === scorers.length && fixed.every((weight) => weight === 0)) {
    resolver.report(
      'ASZ202',
      'all weights are 0',
      ['tier2_scorers'],
      'a mean needs at least one weight above 0',
      'key',
    );
  }
}
