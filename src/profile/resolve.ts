import type { Problem } from '../contract/index.js';
import type { PathReader } from '../expression/path.js';
import { compilePath, PathError } from '../expression/path.js';
import { checkMemories, checkNames, enabledIds, phasesOf } from './check-names.js';
import type { Origins, Raw } from './merge.js';
import type { Combine, ContextField, Fallback, Phase, Profile } from './profile.js';
import { pruningOf } from './pruning.js';
import {
  resolveMeasures,
  resolveReports,
  resolveScorers,
  resolveSignals,
  resolveStrategies,
  resolveVetoes,
} from './resolve-entries.js';
import { resolveRerank } from './resolve-rerank.js';
import { resolveAdjustments } from './resolve-rules.js';
import { resolveSelection } from './resolve-selection.js';
import { Resolver } from './resolver.js';
import { wellFormed } from './salvage.js';
import { type ProfileData, phase as phaseSchema, profileSchema } from './schema.js';
import { Scopes } from './scopes.js';
import { checkWeights, resolveWeights } from './weights.js';

/** A part of the profile with its defaults, as far as it is well formed; what is not is reported. */
function part<K extends keyof ProfileData>(root: Raw, key: K): ProfileData[K] {
  const schema = profileSchema.shape[key];
  return (wellFormed(schema, root[key]) ?? schema.parse(undefined)) as ProfileData[K];
}

/** What a declared context holds: its fields, and the two that the engine itself reads. */
const contextFields = (context: ProfileData['context']): readonly string[] | undefined =>
  context && [...new Set([...Object.keys(context), 'now', 'turn_count'])];

/** From data that was merged from all its files to a profile that is valid, or every problem that it has. */
export function resolveProfile(
  root: Raw,
  origins: Origins,
  name: string,
  folder: string,
): { profile: Profile; problems: Problem[] } {
  const resolver = new Resolver(root, origins, folder);
  resolver.check(profileSchema, root, []);
  checkNames(resolver);
  const signalIds: string[] = [];
  const measureIds: string[] = [];
  const scorerIds = enabledIds(root, 'tier2_scorers');
  const scopes = new Scopes(signalIds, measureIds, scorerIds, contextFields(part(root, 'context')));
  const signals = resolveSignals(resolver, scopes, signalIds);
  if (Object.keys(phasesOf(root) ?? {}).length > 0) signalIds.push('phase');
  const candidate = part(root, 'candidate');
  const measures = resolveMeasures(resolver, scopes, measureIds);
  const scorers = resolveScorers(resolver, scopes);
  const combine = resolveCombine(resolver, part(root, 'combine'), scopes);
  const weights = resolveWeights(resolver, part(root, 'weights'), scopes);
  if (profileSchema.shape.combine.safeParse(root['combine']).success) checkWeights(resolver, combine, scorers, weights);
  const profile: Omit<Profile, 'pruning'> = {
    name: part(root, 'name') ?? name,
    description: part(root, 'description'),
    candidate: {
      id: idPath(resolver, candidate.id),
      pinned: resolver.expression(candidate.pinned, scopes.veto(), 'bool', ['candidate', 'pinned']),
    },
    context: new Map(
      Object.entries(part(root, 'context') ?? {}).map(([key, field]): [string, ContextField] => [
        key,
        { type: field.type, required: field.required },
      ]),
    ),
    phases: resolvePhases(resolver, scopes),
    signals,
    strategies: resolveStrategies(resolver, scopes),
    vetoOnFirst: part(root, 'veto_on_first'),
    vetoes: resolveVetoes(resolver, scopes),
    measures,
    scorers,
    combine,
    weights,
    adjustments: resolveAdjustments(resolver, part(root, 'phase_profiles'), scopes),
    rerank: resolveRerank(resolver, combine, scorers),
    select: resolveSelection(resolver, scopes),
    fallback: part(root, 'fallback').map(
      ({ when, use }, index): Fallback => ({
        when: resolver.expression(when, scopes.fallback(), 'bool', ['fallback', index, 'when']),
        use,
      }),
    ),
    reports: resolveReports(resolver, scopes),
  };
  checkMemories(resolver, [...profile.vetoes, ...profile.measures, ...profile.scorers]);
  return { profile: { ...profile, pruning: pruningOf(profile) }, problems: resolver.problems };
}

function resolvePhases(resolver: Resolver, scopes: Scopes): Phase[] {
  return Object.entries(phasesOf(resolver.root) ?? {}).flatMap(([name, raw]): Phase[] => {
    const data = wellFormed(phaseSchema, raw);
    if (!data) return [];
    const when = resolver.expression(data.when, scopes.run(), 'bool', ['phases', name, 'when']);
    return [{ name, turns: data.n_turns, when }];
  });
}

function idPath(resolver: Resolver, path: string | undefined): PathReader | undefined {
  if (path === undefined) return undefined;
  try {
    return compilePath(path);
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    resolver.report('ASZ202', error.message, ['candidate', 'id']);
    return undefined;
  }
}

function resolveCombine(resolver: Resolver, combine: ProfileData['combine'], scopes: Scopes): Combine {
  if (typeof combine === 'string') return combine;
  const formula = resolver.expression(combine.formula, scopes.formula(), 'number', ['combine', 'formula']);
  return formula ? { formula } : 'weighted_mean';
}
