import type { Problem } from '../../diagnostics/problem.js';
import type { PathReader } from '../../expression/path/compile-path.js';
import { compilePath } from '../../expression/path/compile-path.js';
import { PathError } from '../../expression/path/path-syntax.js';
import type { ClassOrigins, RawMap } from '../merge/merge-profiles.js';
import type { CombineMethod, ContextField, FallbackSpec, Phase, Profile } from '../profile.js';
import { partialParse } from '../schema/partial-parse.js';
import { type ProfileData, phaseSchema, profileSchema } from '../schema/profile-schema.js';
import { checkMemoryFiles, checkReferences, enabledEntryIds, rawPhases } from './check-references.js';
import { ExpressionScopes } from './expression-scopes.js';
import { resolveAdjustments } from './resolve-adjustments.js';
import {
  resolveMeasures,
  resolveReports,
  resolveScorers,
  resolveSignals,
  resolveStrategies,
  resolveVetoes,
} from './resolve-entries.js';
import { resolvePruning } from './resolve-pruning.js';
import { resolveRerank } from './resolve-rerank.js';
import { resolveSelect } from './resolve-select.js';
import { checkWeights, resolveWeights } from './resolve-weights.js';
import { Resolver } from './resolver.js';

/** A part of the profile with its defaults, as far as it is well formed; what is not is reported. */
function parsePart<K extends keyof ProfileData>(root: RawMap, key: K): ProfileData[K] {
  const schema = profileSchema.shape[key];
  return (partialParse(schema, root[key]) ?? schema.parse(undefined)) as ProfileData[K];
}

/** What a declared context holds: its fields, and the two that the engine itself reads. */
const contextFields = (context: ProfileData['context']): readonly string[] | undefined =>
  context && [...new Set([...Object.keys(context), 'now', 'turn_count'])];

/** From data that was merged from all its files to a profile that is valid, or every problem that it has. */
export function resolveProfile(
  root: RawMap,
  origins: ClassOrigins,
  name: string,
  folder: string,
): { profile: Profile; problems: Problem[] } {
  const resolver = new Resolver(root, origins, folder);
  resolver.check(profileSchema, root, []);
  checkReferences(resolver);
  const signalIds: string[] = [];
  const measureIds: string[] = [];
  const scorerIds = enabledEntryIds(root, 'tier2_scorers');
  const scopes = new ExpressionScopes(signalIds, measureIds, scorerIds, contextFields(parsePart(root, 'context')));
  const signals = resolveSignals(resolver, scopes, signalIds);
  if (Object.keys(rawPhases(root) ?? {}).length > 0) signalIds.push('phase');
  const candidate = parsePart(root, 'candidate');
  const measures = resolveMeasures(resolver, scopes, measureIds);
  const scorers = resolveScorers(resolver, scopes);
  const combine = resolveCombine(resolver, parsePart(root, 'combine'), scopes);
  const weights = resolveWeights(resolver, parsePart(root, 'weights'), scopes);
  if (profileSchema.shape.combine.safeParse(root['combine']).success) checkWeights(resolver, combine, scorers, weights);
  const profile: Omit<Profile, 'pruning'> = {
    name: parsePart(root, 'name') ?? name,
    description: parsePart(root, 'description'),
    candidate: {
      id: resolveIdPath(resolver, candidate.id),
      pinned: resolver.resolveExpression(candidate.pinned, scopes.veto(), 'bool', ['candidate', 'pinned']),
    },
    context: new Map(
      Object.entries(parsePart(root, 'context') ?? {}).map(([key, field]): [string, ContextField] => [
        key,
        { type: field.type, required: field.required },
      ]),
    ),
    phases: resolvePhases(resolver, scopes),
    signals,
    strategies: resolveStrategies(resolver, scopes),
    vetoOnFirst: parsePart(root, 'veto_on_first'),
    vetoes: resolveVetoes(resolver, scopes),
    measures,
    scorers,
    combine,
    weights,
    adjustments: resolveAdjustments(resolver, parsePart(root, 'phase_profiles'), scopes),
    rerank: resolveRerank(resolver, combine, scorers),
    select: resolveSelect(resolver, scopes),
    fallback: parsePart(root, 'fallback').map(
      ({ when, use }, index): FallbackSpec => ({
        when: resolver.resolveExpression(when, scopes.fallback(), 'bool', ['fallback', index, 'when']),
        use,
      }),
    ),
    reports: resolveReports(resolver, scopes),
  };
  checkMemoryFiles(resolver, [...profile.vetoes, ...profile.measures, ...profile.scorers]);
  return { profile: { ...profile, pruning: resolvePruning(profile) }, problems: resolver.problems };
}

function resolvePhases(resolver: Resolver, scopes: ExpressionScopes): Phase[] {
  return Object.entries(rawPhases(resolver.root) ?? {}).flatMap(([name, raw]): Phase[] => {
    const data = partialParse(phaseSchema, raw);
    if (!data) return [];
    const when = resolver.resolveExpression(data.when, scopes.run(), 'bool', ['phases', name, 'when']);
    return [{ name, turns: data.n_turns, when }];
  });
}

function resolveIdPath(resolver: Resolver, path: string | undefined): PathReader | undefined {
  if (path === undefined) return undefined;
  try {
    return compilePath(path);
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    resolver.report('ASZ202', error.message, ['candidate', 'id']);
    return undefined;
  }
}

function resolveCombine(resolver: Resolver, combine: ProfileData['combine'], scopes: ExpressionScopes): CombineMethod {
  if (typeof combine === 'string') return combine;
  const formula = resolver.resolveExpression(combine.formula, scopes.formula(), 'number', ['combine', 'formula']);
  return formula ? { formula } : 'weighted_mean';
}
