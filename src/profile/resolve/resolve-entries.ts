import type * as z from 'zod';
import type { BatchScope, OnAbsent, ScoreRange } from '../../sdk/index.js';
import { type DataPath, describeValue } from '../../base/index.js';
import { isMap, type ExpressionScope } from '../../expression/index.js';
import type {
  Entry,
  EntryMemoryFile,
  MeasureEntry,
  ReportEntry,
  ScorerEntry,
  SignalEntry,
  StrategyEntry,
  Use,
  VetoEntry,
} from '../profile.js';
import { hasMemory } from '../profile-reads.js';
import * as schemas from '../schema/entry-schemas.js';
import { enabledEntryIds, entryIds } from '../source/raw-profile.js';
import { parsedEntries, type ParsedEntry, RESERVED_IDS, type Resolver } from './resolver.js';
import { resolveClassUse, resolveUse } from './resolve-use.js';

/** Resolves the keys that vetoes, measures and scorers share. */
function resolveEntry(
  resolver: Resolver,
  { data, raw, path }: ParsedEntry<Omit<z.output<typeof schemas.measureSchema>, 'on_error'>>,
  kind: 'veto' | 'scorer',
  scope: ExpressionScope,
): Entry | undefined {
  const when = resolver.resolveExpression(data.when, resolver.scopes.run(), 'bool', [...path, 'when']);
  const use = resolveUse(resolver, data, raw, kind, scope, path);
  if (!use) return undefined;
  const memory = resolveMemoryFile(resolver, use, data.memory, [...path, 'memory']);
  const scopes = batchScopes(resolver, use, path);
  return { id: data.id, use, when, timeout: data.timeout, memory, scopes, ...resolver.location(path) };
}

export function resolveVetoes(resolver: Resolver): VetoEntry[] {
  return [...parsedEntries(resolver, 'tier1_scorers', schemas.vetoSchema)].flatMap((item) => {
    const resolved = resolveEntry(resolver, item, 'veto', resolver.scopes.veto());
    if (!resolved) return [];
    const byClass = classOnAbsent(resolved.use) === 'refuse' ? 'refuse' : 'pass';
    const { on_absent: onAbsent = byClass, on_error: onError, reason } = item.data;
    return [{ ...resolved, onAbsent, onError, reason }];
  });
}

/** Resolves measures in order: each can read the earlier ones. */
export function resolveMeasures(resolver: Resolver): MeasureEntry[] {
  const { scopes } = resolver;
  const measures: MeasureEntry[] = [];
  for (const item of parsedEntries(resolver, 'measures', schemas.measureSchema, scopes.measures)) {
    const resolved = resolveEntry(resolver, item, 'scorer', scopes.scorer());
    if (resolved) measures.push({ ...resolved, onError: item.data.on_error });
  }
  return measures;
}

export function resolveScorers(resolver: Resolver): ScorerEntry[] {
  const { scopes } = resolver;
  return [...parsedEntries(resolver, 'tier2_scorers', schemas.scorerSchema)].flatMap((item) => {
    const { data, path } = item;
    if (RESERVED_IDS.has(data.id)) {
      const hint = 'the name has another meaning in expressions';
      resolver.report('ASZ204', `the id ${data.id} is reserved`, [...path, 'id'], hint);
    }
    const weight = resolver.resolveNumber(data.weight, scopes.run(), [...path, 'weight']);
    const resolved = resolveEntry(resolver, item, 'scorer', scopes.scorer());
    if (!resolved || weight === undefined) return [];
    return [
      {
        ...resolved,
        weight,
        onAbsent: data.on_absent ?? classOnAbsent(resolved.use) ?? 'skip',
        onError: data.on_error ?? 'refuse',
        onPrepareError: data.on_error ?? 'fail',
        outOfRange: data.out_of_range,
        range: data.range ?? declaredRange(resolver, resolved.use, path),
        cost: costWithChildren(resolver, resolved.use, path),
        reason: data.reason,
      },
    ];
  });
}

/**
 * Resolves signals in order: each can read the earlier ones. A disabled signal is absent, like a failed one, so expressions
 * that read it stay valid.
 */
export function resolveSignals(resolver: Resolver): SignalEntry[] {
  const { root, scopes } = resolver;
  const enabled = new Set(enabledEntryIds(root, 'signals'));
  scopes.signals.push(...entryIds(root, 'signals').filter((id) => !enabled.has(id)));
  const signals: SignalEntry[] = [];
  for (const { data, raw, path } of parsedEntries(resolver, 'signals', schemas.signalSchema, scopes.signals)) {
    const { id, timeout, retries, on_error: onError } = data;
    const when = resolver.resolveExpression(data.when, scopes.run(), 'bool', [...path, 'when']);
    const use = resolveClassUse(resolver, data.class, data.params, raw, 'signal', scopes.run(), path);
    if (use) signals.push({ id, ...resolver.location(path), use, when, timeout, retries, onError });
  }
  return signals;
}

export function resolveStrategies(resolver: Resolver): StrategyEntry[] {
  const scope = resolver.scopes.run();
  return [...parsedEntries(resolver, 'strategies', schemas.strategySchema)].flatMap(
    ({ data, raw, path }): StrategyEntry[] => {
      const { focus, enabled: _enabled, before: _before, ...own } = data;
      const strategy = { id: data.id, ...resolver.location(path), data: own };
      if (!focus) return [{ ...strategy, focus: undefined }];
      const at = [...path, 'focus'];
      const when = resolver.resolveExpression(focus.when, scope, 'bool', [...at, 'when']);
      const rawFocus = raw['focus'];
      const use = isMap(rawFocus)
        ? resolveClassUse(resolver, focus.class, focus.params, rawFocus, 'generator', scope, at)
        : undefined;
      return use ? [{ ...strategy, focus: { use, when } }] : [];
    },
  );
}

export function resolveReports(resolver: Resolver): ReportEntry[] {
  const scope = resolver.scopes.run();
  return [...parsedEntries(resolver, 'report', schemas.reportSchema)].flatMap(({ data, raw, path }) => {
    const when = resolver.resolveExpression(data.when, scope, 'bool', [...path, 'when']);
    const use = resolveClassUse(resolver, data.class, data.params, raw, 'report', scope, path);
    const { id, timeout, warn_below: warnBelow } = data;
    return use ? [{ id, ...resolver.location(path), use, when, timeout, warnBelow }] : [];
  });
}

const classOnAbsent = (use: Use): OnAbsent | undefined => (use.kind === 'class' ? use.unit.meta.onAbsent : undefined);

/**
 * The candidates that a use and the entries inside it must see together. A unit with `prepare` and no declared scope needs
 * the whole set.
 */
function batchScopes(resolver: Resolver, use: Use, path: DataPath): ReadonlySet<BatchScope> {
  if (use.kind === 'expr') return new Set<BatchScope>(['candidate']);
  const { scope } = use.unit.meta;
  const declared =
    typeof scope === 'function'
      ? resolver.callUnit(`the scope of ${use.name} is not known`, path, () => scope(use.params as never))
      : scope;
  const scopes = new Set<BatchScope>([declared ?? ('prepare' in use.unit.prototype ? 'set' : 'candidate')]);
  for (const child of use.children.values()) for (const one of batchScopes(resolver, child.use, path)) scopes.add(one);
  return scopes;
}

function declaredRange(resolver: Resolver, use: Use, path: DataPath): ScoreRange | undefined {
  if (use.kind === 'expr') return undefined;
  const { range } = use.unit.meta;
  if (range === undefined) return undefined;
  return resolver.callUnit(`the range of ${use.name} is not known`, path, () => {
    const declared: unknown = typeof range === 'function' ? range(use.params as never) : range;
    if (declared === undefined || isRange(declared)) return declared;
    const found = Array.isArray(declared) ? `[${declared.join(', ')}]` : describeValue(declared);
    throw new RangeError(`expected two numbers [least, most] in ascending order, found ${found}`);
  });
}

function isRange(value: unknown): value is ScoreRange {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [least, most]: readonly unknown[] = value;
  return typeof least === 'number' && typeof most === 'number' && least <= most; // false for NaN
}

/** The cost of scoring one candidate, including the entries inside. An expression costs 1. */
function costWithChildren(resolver: Resolver, use: Use, path: DataPath): number {
  if (use.kind === 'expr') return 1;
  const { cost = 1 } = use.unit.meta;
  const own = resolver.callUnit(`the cost of ${use.name} is not known`, path, () => {
    const declared = typeof cost === 'function' ? cost(use.params as never) : cost;
    if (Number.isFinite(declared) && declared >= 0) return declared;
    throw new RangeError(`expected a number of at least 0, found ${describeValue(declared)}`);
  });
  return [...use.children.values()].reduce((sum, child) => sum + costWithChildren(resolver, child.use, path), own ?? 1);
}

/** Resolves the memory file of an entry, and checks that its class has a memory that can be stored. */
function resolveMemoryFile(
  resolver: Resolver,
  use: Use,
  file: string | undefined,
  path: DataPath,
): EntryMemoryFile | undefined {
  if (file === undefined) return undefined;
  if (use.kind === 'expr' || use.unit.meta.memory === undefined) {
    const what = use.kind === 'expr' ? 'an expression' : use.name;
    const inside = use.kind === 'class' && [...use.children.values()].some((child) => hasMemory(child.use));
    const hint = inside ? 'a scorer inside it has the memory: make that scorer an entry of its own' : 'remove it';
    resolver.report('ASZ105', `${what} has no memory`, path, hint, 'key');
    return undefined;
  }
  if (use.unit.meta.memory.file === undefined) {
    const hint = 'declare memory.file: { version, store, restore } in its meta';
    resolver.report('ASZ105', `the memory of ${use.name} cannot be stored`, path, hint, 'key');
    return undefined;
  }
  return { file: resolver.resolveFile(path, file), ...resolver.location(path) };
}
