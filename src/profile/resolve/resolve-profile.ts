import { didYouMean, nameList, type Problem } from '../../base/index.js';
import {
  compileCandidatePath,
  compilePath,
  type PathReader,
  FieldNames,
  withFieldNames,
  withTrust,
  PathError,
  type PathStep,
  isMap,
  setOwn,
} from '../../expression/index.js';
import type { ClassOrigins } from '../class-lookup.js';
import {
  type ContextField,
  type Entry,
  type FallbackSpec,
  labelOf,
  type Labels,
  type Phase,
  type Profile,
  type StatisticEntry,
  STATISTICS,
} from '../profile.js';
import { expressionsOfCandidates, expressionsOfStatistic, statisticNames } from '../profile-reads.js';
import { labelSchema } from '../schema/entry-schemas.js';
import { phaseSchema, type ProfileData, profileSchema } from '../schema/profile-schema.js';
import {
  enabledEntryIds,
  enabledRawEntries,
  ENTRY_LISTS,
  rawEntries,
  type RawMap,
  rawPhases,
} from '../source/raw-profile.js';
import type { LoadEnvironment } from '../source/source-loader.js';
import { PROFILE_LIMITS } from '../trust.js';
import {
  type AbsolutePath,
  ExpressionScopes,
  LetNames,
  partialParse,
  Resolver,
  type ScopeObserver,
} from './resolver.js';
import { checkWeights, resolveAdjustments, resolveCombine, resolveWeights } from './resolve-combine.js';
import {
  resolveMeasures,
  resolveReports,
  resolveScorers,
  resolveSignals,
  resolveStatistics,
  resolveStrategies,
  resolveVetoes,
} from './resolve-entries.js';
import { resolvePruning, resolveRerank, resolveSelect } from './resolve-select.js';

/** The well-formed parts of a key's value, with defaults. */
function parsePart<K extends keyof ProfileData>(root: RawMap, key: K): ProfileData[K] {
  const schema = profileSchema.shape[key];
  return (partialParse(schema, root[key]) ?? schema.parse(undefined)) as ProfileData[K];
}

/** The default path of a candidate's id. */
const ID_STEPS: readonly PathStep[] = [{ kind: 'key', key: 'id' }];

/** The declared fields of the context, and the two that the engine reads. */
const contextFields = (context: ProfileData['context']): readonly string[] | undefined =>
  context && [...new Set([...Object.keys(context), 'now', 'turn_count'])];

/** Checks merged data against the schema and resolves classes, params, expressions and references. */
export function resolveProfile(
  root: RawMap,
  origins: ClassOrigins,
  name: string,
  absolutePath: AbsolutePath,
  { trust, given }: Pick<LoadEnvironment, 'trust' | 'given'>,
  observer?: ScopeObserver,
): { profile: Profile; problems: Problem[] } {
  const context = parsePart(root, 'context');
  const scorers = enabledEntryIds(root, 'tier2_scorers');
  const stats = Object.keys(isMap(root['stats']) ? root['stats'] : {});
  const scopes = new ExpressionScopes(scorers, contextFields(context), stats);
  const resolver = new Resolver(root, origins, absolutePath, scopes, trust, observer);
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
  scopes.lets = new LetNames(resolver);
  const signals = resolveSignals(resolver);
  if (Object.keys(rawPhases(root) ?? {}).length > 0) scopes.signals.push('phase');
  const candidate = parsePart(root, 'candidate');
  const measures = resolveMeasures(resolver);
  const stats = resolveStatistics(resolver);
  const scorers = resolveScorers(resolver);
  const combine = resolveCombine(resolver, parsePart(root, 'combine'));
  const onUnscored = parsePart(root, 'on_unscored');
  const weights = resolveWeights(resolver, parsePart(root, 'weights'));
  if (profileSchema.shape.combine.safeParse(root['combine']).success) checkWeights(resolver, combine, scorers, weights);
  const written: Omit<Profile, 'pruning' | 'lets'> = {
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
    stats,
    scorers,
    combine,
    onUnscored: onUnscored === 'refuse' ? undefined : onUnscored,
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
  const profile = { ...written, lets: scopes.lets.all(), stats: statisticsRead(resolver, written) };
  checkMemoryFiles(resolver, [...profile.vetoes, ...profile.measures, ...profile.scorers]);
  return { ...profile, pruning: resolvePruning(profile) };
}

/**
 * The statistics that the expressions of a profile read, each after those that it reads. Reports those that read
 * themselves.
 */
function statisticsRead(resolver: Resolver, profile: Omit<Profile, 'pruning' | 'lets'>): StatisticEntry[] {
  const named = new Map(profile.stats.map((entry) => [entry.name, entry]));
  const ordered = new Set<StatisticEntry>();
  const visit = (names: readonly string[], open: readonly string[]): void => {
    for (const name of names) {
      const entry = named.get(name);
      if (!entry || ordered.has(entry)) continue;
      if (open.includes(name)) {
        const cycle = [...open.slice(open.indexOf(name)), name].map((one) => `stats.${one}`).join(' → ');
        resolver.report('ASZ206', `the statistic ${name} reads itself: ${cycle}`, ['stats', name]);
        return;
      }
      visit(expressionsOfStatistic(entry).flatMap(statisticNames), [...open, name]);
      ordered.add(entry);
    }
  };
  const readers = expressionsOfCandidates({ ...profile, stats: [] }).map(({ expression }) => expression);
  visit(readers.flatMap(statisticNames), []);
  const found = [...ordered];
  const reads = new Set([...readers, ...found.flatMap(expressionsOfStatistic)].flatMap((one) => one.reads));
  visit([...named.keys()], []); // one that nothing reads may read itself, too
  return found.map((entry) => ({
    ...entry,
    read: new Set(STATISTICS.filter((one) => reads.has(`${entry.id}.${one}`))),
  }));
}

/** Renames the field for a document's text to the candidates' own field. */
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

/** Checks the run's limits that the profile sets against those of its trust. */
function checkBounds(resolver: Resolver): void {
  const { root, trust } = resolver;
  const { steps, top } = PROFILE_LIMITS[trust];
  const expressionSteps = root['expression_steps'];
  if (typeof expressionSteps === 'number' && expressionSteps > steps) {
    const message = `expected at most ${steps} steps, found ${expressionSteps}`;
    resolver.report('ASZ112', message, ['expression_steps'], BOUNDS_HINT);
  }
  const { select } = root;
  const written = isMap(select) ? select['top'] : undefined;
  if (typeof written === 'number' && written > top)
    resolver.report('ASZ112', `expected a top of at most ${top}, found ${written}`, ['select', 'top'], BOUNDS_HINT);
  if (typeof written === 'string' && trust === 'none') {
    const hint = 'write the number; a call may give its own top';
    resolver.report('ASZ112', `expected a top of at most ${top}, found an expression`, ['select', 'top'], hint);
  }
}

const BOUNDS_HINT = 'untrusted profiles have this limit';

/** Checks that every `before` names a later entry of the same list. */
function checkBefore(resolver: Resolver, key: string): void {
  const entries = rawEntries(resolver.root, key);
  const generated = key === 'adjustments' && resolver.root['phase_profiles'] !== undefined ? ['phase'] : [];
  const ids = [...generated, ...entries.map(([, , id]) => id)];
  for (const [entry, index, id] of entries) {
    const { before } = entry;
    if (typeof before !== 'string' || generated.includes(before)) continue;
    const path = [key, index, 'before'];
    const target = entries.find(([, , other]) => other === before);
    if (!target) {
      const hint = didYouMean(before, ids, `${key}: ${nameList(ids)}`);
      resolver.report('ASZ205', `before: ${key} has no entry ${before}`, path, hint);
    } else if (target[1] <= index) {
      const hint = 'inherited entries keep their position; only a new entry can be inserted before another';
      resolver.report('ASZ205', `before: ${id} cannot come before ${before}`, path, hint);
    }
  }
}

/** Checks that no two entries share a memory file: each would overwrite the memory of the other. */
function checkMemoryFiles(resolver: Resolver, entries: readonly Entry[]): void {
  const seen = new Map<string, string>();
  for (const { id, memory } of entries) {
    if (memory === undefined) continue;
    const first = seen.get(memory.file);
    if (first === undefined) seen.set(memory.file, id);
    else {
      const message = `the memory file ${memory.file} is already used by ${first}`;
      const { path, place } = memory;
      resolver.problems.push({ code: 'ASZ105', message, path, place, hint: 'each entry needs its own file' });
    }
  }
}

/** Checks what the schema cannot: references to missing entries, and ids that are taken. */
function checkReferences(resolver: Resolver): void {
  const { root } = resolver;
  for (const key of ENTRY_LISTS) checkBefore(resolver, key);
  for (const [, index, id] of rawPhases(root) ? enabledRawEntries(root, 'signals') : []) {
    if (id !== 'phase') continue;
    const hint = 'expressions read the phase as signals.phase; rename the signal';
    resolver.report('ASZ204', 'the id phase is reserved by phases', ['signals', index, 'id'], hint);
  }
  for (const [, index, id] of root['phase_profiles'] === undefined ? [] : enabledRawEntries(root, 'adjustments')) {
    if (id !== 'phase') continue;
    const hint = 'rename the rule; to run it before the other, write before: phase';
    const message = 'the id "phase" is taken by the rule of phase_profiles';
    resolver.report('ASZ203', message, ['adjustments', index, 'id'], hint);
  }
  const measures = enabledEntryIds(root, 'measures');
  for (const [, index, id] of enabledRawEntries(root, 'tier2_scorers')) {
    if (!measures.includes(id)) continue;
    const hint = 'a measure has this id; results identify scorers and measures by id';
    resolver.report('ASZ203', `the id "${id}" is taken`, ['tier2_scorers', index, 'id'], hint);
  }
}

/** Resolves `fields`: the profile's names for the candidates' fields. */
function resolveFieldNames(resolver: Resolver): FieldNames | undefined {
  const { fields } = resolver.root;
  if (!isMap(fields)) return undefined;
  const names = Object.entries(fields).flatMap(([name, target]): readonly (readonly [PathStep[], PathStep[]])[] => {
    if (typeof target !== 'string' || target === '') return []; // the schema reports it
    const from = parseSteps(resolver, name, 'key', name);
    const to = parseSteps(resolver, target, 'value', name);
    return from && to ? [[from, to]] : [];
  });
  return new FieldNames(names);
}

/** The steps of a name or of its replacement. Reports one that is not a single value, and returns undefined. */
function parseSteps(resolver: Resolver, text: string, at: 'key' | 'value', name: string): PathStep[] | undefined {
  const path = ['fields', name];
  try {
    const { steps, optional } = compilePath(text);
    const kinds = at === 'key' ? ['key'] : ['key', 'index'];
    if (!optional && steps.every(({ kind }) => kinds.includes(kind))) return [...steps];
    const expected =
      at === 'key' ? 'a field: content, or metadata.author' : 'the path of one value: text, or parts[0].text';
    resolver.report('ASZ202', `expected ${expected}, found ${text}`, path, undefined, at);
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    resolver.report('ASZ202', `${text}: ${error.message}`, path, undefined, at);
  }
  return undefined;
}

/** In a strategy `label` is data of its candidates, not a display name. */
const LABELLED_LISTS = ENTRY_LISTS.filter((key) => key !== 'strategies');

/**
 * The labels of all entries, by id; undefined without labels. Results identify entries by id alone, so a veto and a scorer
 * with the same id must have the same label.
 */
function resolveLabels(resolver: Resolver): Labels | undefined {
  const labels: Record<string, string> = {};
  for (const key of LABELLED_LISTS) {
    for (const [entry, index, id] of enabledRawEntries(resolver.root, key)) {
      const { data: label } = labelSchema.safeParse(entry['label']);
      if (label === undefined) continue;
      if (Object.hasOwn(labels, id) && labels[id] !== label) {
        const message = `${id} has the label ${JSON.stringify(labelOf(labels, id))} in another list`;
        resolver.report(
          'ASZ633',
          message,
          [key, index, 'label'],
          'entries with the same id share a label; give one of them another id',
        );
      } else setOwn(labels, id, label);
    }
  }
  return Object.keys(labels).length === 0 ? undefined : Object.freeze(labels);
}
