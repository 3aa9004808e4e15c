import type { Problem } from '../../diagnostics/index.js';
import {
  compileCandidatePath,
  type FieldNames,
  PathError,
  type PathReader,
  type PathStep,
  withFieldNames,
  withTrust,
} from '../../expression/index.js';
import type { ClassOrigins } from '../class-lookup.js';
import type { ContextField, Phase, Profile } from '../profile.js';
import type { FallbackSpec } from '../selection.js';
import { type ProfileData, phaseSchema, profileSchema } from '../schema/profile-schema.js';
import { enabledEntryIds, type RawMap, rawPhases } from '../source/raw-profile.js';
import type { LoadHost } from '../source/load-host.js';
import { PROFILE_LIMITS } from '../trust.js';
import { checkBounds } from './check-bounds.js';
import { checkMemoryFiles, checkReferences } from './check-references.js';
import { ExpressionScopes } from './expression-scopes.js';
import { resolveAdjustments } from './resolve-adjustments.js';
import { checkWeights, resolveCombine, resolveWeights } from './resolve-combine.js';
import {
  resolveMeasures,
  resolveReports,
  resolveScorers,
  resolveSignals,
  resolveStrategies,
  resolveVetoes,
} from './resolve-entries.js';
import { resolveFieldNames } from './resolve-fields.js';
import { resolveLabels } from './resolve-labels.js';
import { resolvePruning, resolveRerank } from './resolve-second-phase.js';
import { resolveSelect } from './resolve-select.js';
import { type AbsolutePath, partialParse, Resolver } from './resolver.js';

/** The well-formed parts of a key with their defaults. */
function parsePart<K extends keyof ProfileData>(root: RawMap, key: K): ProfileData[K] {
  const schema = profileSchema.shape[key];
  return (partialParse(schema, root[key]) ?? schema.parse(undefined)) as ProfileData[K];
}

/** Where a candidate's id is by default. */
const ID_STEPS: readonly PathStep[] = [{ kind: 'key', key: 'id' }];

/** The fields of a declared context, and the two that the engine itself reads. */
const contextFields = (context: ProfileData['context']): readonly string[] | undefined =>
  context && [...new Set([...Object.keys(context), 'now', 'turn_count'])];

/** Checks merged data against the schema and resolves classes, params, expressions and references. */
export function resolveProfile(
  root: RawMap,
  origins: ClassOrigins,
  name: string,
  absolutePath: AbsolutePath,
  { trust, given }: Pick<LoadHost, 'trust' | 'given'>,
): { profile: Profile; problems: Problem[] } {
  const context = parsePart(root, 'context');
  const scopes = new ExpressionScopes(enabledEntryIds(root, 'tier2_scorers'), contextFields(context));
  const resolver = new Resolver(root, origins, absolutePath, scopes, trust);
  const names = resolveFieldNames(resolver);
  const profile = withTrust(trust === 'none' ? given : undefined, () =>
    withFieldNames(names, () => resolveParts(resolver, name, context, names)),
  );
  return { profile, problems: resolver.problems };
}

function resolveParts(
  resolver: Resolver,
  name: string,
  context: ProfileData['context'],
  names: FieldNames | undefined,
): Profile {
  const { root, scopes, trust } = resolver;
  resolver.check(profileSchema, root, []);
  checkBounds(resolver);
  checkReferences(resolver);
  const signals = resolveSignals(resolver);
  if (Object.keys(rawPhases(root) ?? {}).length > 0) scopes.signals.push('phase');
  const candidate = parsePart(root, 'candidate');
  const measures = resolveMeasures(resolver);
  const scorers = resolveScorers(resolver);
  const combine = resolveCombine(resolver, parsePart(root, 'combine'));
  const weights = resolveWeights(resolver, parsePart(root, 'weights'));
  if (profileSchema.shape.combine.safeParse(root['combine']).success) checkWeights(resolver, combine, scorers, weights);
  const profile: Omit<Profile, 'pruning'> = {
    name: parsePart(root, 'name') ?? name,
    description: parsePart(root, 'description'),
    labels: resolveLabels(resolver),
    fields: names,
    candidate: {
      id: resolveIdPath(resolver, candidate.id, names),
      pinned: resolver.resolveExpression(candidate.pinned, scopes.veto(), 'bool', ['candidate', 'pinned']),
    },
    context: new Map(
      Object.entries(context ?? {}).map(([key, field]): [string, ContextField] => [
        key,
        { type: field.type, required: field.required },
      ]),
    ),
    phases: resolvePhases(resolver),
    signals,
    strategies: resolveStrategies(resolver),
    expressionSteps: Object.hasOwn(root, 'expression_steps')
      ? parsePart(root, 'expression_steps')
      : PROFILE_LIMITS[trust].defaultSteps,
    vetoOnFirst: parsePart(root, 'veto_on_first'),
    vetoes: resolveVetoes(resolver),
    measures,
    scorers,
    combine,
    weights,
    adjustments: resolveAdjustments(resolver, parsePart(root, 'phase_profiles')),
    rerank: resolveRerank(resolver, combine, scorers),
    select: resolveSelect(resolver),
    fallback: parsePart(root, 'fallback').map(
      ({ when, use }, index): FallbackSpec => ({
        when: resolver.resolveExpression(when, scopes.fallback(), 'bool', ['fallback', index, 'when']),
        use,
      }),
    ),
    reports: resolveReports(resolver),
    serve: servedAs(parsePart(root, 'serve'), names),
  };
  checkMemoryFiles(resolver, [...profile.vetoes, ...profile.measures, ...profile.scorers]);
  return { ...profile, pruning: resolvePruning(profile) };
}

/** The fields of what is served: the text of a document becomes the field that the candidates have. */
function servedAs(serve: ProfileData['serve'], names: FieldNames | undefined): ProfileData['serve'] {
  const [step, ...more] = names?.rename([{ kind: 'key', key: serve.text }]) ?? [];
  return step?.kind === 'key' && more.length === 0 ? { ...serve, text: step.key } : serve;
}

function resolvePhases(resolver: Resolver): Phase[] {
  return Object.entries(rawPhases(resolver.root) ?? {}).flatMap(([name, raw]): Phase[] => {
    const data = partialParse(phaseSchema, raw);
    if (!data) return [];
    const when = resolver.resolveExpression(data.when, resolver.scopes.run(), 'bool', ['phases', name, 'when']);
    return [{ name, turns: data.n_turns, when }];
  });
}

function resolveIdPath(
  resolver: Resolver,
  written: string | undefined,
  names: FieldNames | undefined,
): PathReader | undefined {
  const path = written ?? (names?.find(ID_STEPS) && 'id');
  if (path === undefined) return undefined;
  try {
    return compileCandidatePath(path);
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    resolver.report('ASZ202', error.message, ['candidate', 'id']);
    return undefined;
  }
}
