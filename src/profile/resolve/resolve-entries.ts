import type { z } from 'zod';
import type { OnAbsent, ScoreRange, BatchScope as Sight } from '../../contract/index.js';
import { describeValue } from '../../diagnostics/describe-value.js';
import { locate } from '../../diagnostics/places.js';
import { isMap } from '../../expression/is-map.js';
import type { ExpressionScope } from '../../expression/scope.js';
import { hasMemory } from '../has-memory.js';
import type { RawMap } from '../merge/merge-profiles.js';
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
import * as schemas from '../schema/entry-schemas.js';
import { partialParse } from '../schema/partial-parse.js';
import { formatDataPath } from '../schema/schema-problems.js';
import { enabledEntryIds, entryIds } from './check-references.js';
import { type ExpressionScopes, RESERVED_IDS } from './expression-scopes.js';
import type { Path, Resolver } from './resolver.js';

/** An entry of a list: checked for its shape, with what it was written as and where. */
interface ParsedEntry<T> {
  readonly data: T;
  readonly raw: RawMap;
  readonly path: Path;
}

/**
 * The enabled entries of a list, as far as they are well formed: what is wrong with their shape is reported with the
 * whole profile, and must not hide what else is wrong with them. `names` gets the id of each once it has been dealt with, so that later entries may refer to it.
 */
export function* parsedEntries<S extends z.ZodType<{ enabled: boolean; id: string }>>(
  resolver: Resolver,
  key: string,
  schema: S,
  names: string[] = [],
): Generator<ParsedEntry<z.output<S>>, void> {
  const list = resolver.root[key];
  if (!Array.isArray(list)) return;
  for (const [index, raw] of list.entries()) {
    if (!isMap(raw) || raw['enabled'] === false) continue;
    // Without an id of its own it is as wrong as it is, and the rest of it is to be checked all the same.
    const data = partialParse(schema, raw) ?? partialParse(schema, { ...raw, id: 'unnamed' });
    if (data !== undefined) yield { data, raw, path: [key, index] };
    if (typeof raw['id'] === 'string') names.push(raw['id']);
  }
}

/** What a use and the entries inside it must see to give the same answer. A unit that prepares wants the whole set. */
function scopesOf(resolver: Resolver, use: Use, path: Path): ReadonlySet<Sight> {
  if (use.kind === 'expr') return new Set<Sight>(['candidate']);
  const { scope } = use.unit.meta;
  const declared =
    typeof scope === 'function'
      ? resolver.callUnit(`the scope of ${use.name} cannot be told`, path, () => scope(use.params as never))
      : scope;
  const sights = new Set<Sight>([declared ?? ('prepare' in use.unit.prototype ? 'set' : 'candidate')]);
  for (const child of use.children.values()) for (const sight of scopesOf(resolver, child.use, path)) sights.add(sight);
  return sights;
}

/** A list as a person would write it: what it holds says what is wrong with it. */
const formatList = (told: unknown): string => (Array.isArray(told) ? `[${told.join(', ')}]` : describeValue(told));

function isRange(told: unknown): told is ScoreRange {
  if (!Array.isArray(told) || told.length !== 2) return false;
  const [least, most]: readonly unknown[] = told;
  return typeof least === 'number' && typeof most === 'number' && least <= most; // none is NaN
}

function declaredRange(resolver: Resolver, use: Use, path: Path): ScoreRange | undefined {
  if (use.kind === 'expr') return undefined;
  const { range } = use.unit.meta;
  if (range === undefined) return undefined;
  return resolver.callUnit(`the range of ${use.name} cannot be told`, path, () => {
    const told: unknown = typeof range === 'function' ? range(use.params as never) : range;
    if (told === undefined || isRange(told)) return told;
    throw new RangeError(`expected [least, most], two numbers in this order, found ${formatList(told)}`);
  });
}

/** What asking about one candidate costs: an expression as much as a field. */
function costWithChildren(resolver: Resolver, use: Use, path: Path): number {
  if (use.kind === 'expr') return 1;
  const { cost = 1 } = use.unit.meta;
  const own = resolver.callUnit(`the cost of ${use.name} cannot be told`, path, () => {
    const told = typeof cost === 'function' ? cost(use.params as never) : cost;
    if (Number.isFinite(told) && told >= 0) return told;
    throw new RangeError(`expected a number of at least 0, found ${describeValue(told)}`);
  });
  return [...use.children.values()].reduce((sum, child) => sum + costWithChildren(resolver, child.use, path), own ?? 1);
}

const classOnAbsent = (use: Use): OnAbsent | undefined => (use.kind === 'class' ? use.unit.meta.onAbsent : undefined);

/** The file of an entry's memory: one that its class can put there. */
function resolveMemoryFile(
  resolver: Resolver,
  use: Use,
  file: string | undefined,
  path: Path,
): EntryMemoryFile | undefined {
  if (file === undefined) return undefined;
  if (use.kind === 'expr' || use.unit.meta.memory === undefined) {
    const what = use.kind === 'expr' ? 'an expression' : use.name;
    const inside = use.kind === 'class' && [...use.children.values()].some(({ use: inner }) => hasMemory(inner));
    const hint = inside ? 'its memory is inside it: give that scorer an entry of its own' : 'remove it';
    resolver.report('ASZ105', `${what} keeps no memory`, path, hint, 'key');
    return undefined;
  }
  if (use.unit.meta.memory.file === undefined) {
    const hint = 'its meta has no memory.file: { version, store, restore }';
    resolver.report('ASZ105', `the memory of ${use.name} cannot be stored`, path, hint, 'key');
    return undefined;
  }
  return {
    file: resolver.resolveFile(path, file),
    path: formatDataPath(path),
    place: locate(resolver.root, path, 'value'),
  };
}

/** What vetoes, measures and scorers have in common. */
function resolveEntry(
  resolver: Resolver,
  { data, raw, path }: ParsedEntry<z.output<typeof schemas.measureSchema>>,
  kind: 'veto' | 'scorer',
  scope: ExpressionScope,
  run: ExpressionScope,
): Entry | undefined {
  const when = resolver.resolveExpression(data.when, run, 'bool', [...path, 'when']);
  const use = resolver.resolveUse(data, raw, kind, scope, path);
  const memory = use && resolveMemoryFile(resolver, use, data.memory, [...path, 'memory']);
  return (
    use && {
      id: data.id,
      use,
      when,
      timeout: data.timeout,
      memory,
      path: formatDataPath(path),
      scopes: scopesOf(resolver, use, path),
      place: locate(resolver.root, path, 'value'),
    }
  );
}

export function resolveVetoes(resolver: Resolver, scopes: ExpressionScopes): VetoEntry[] {
  return [...parsedEntries(resolver, 'tier1_scorers', schemas.vetoSchema)].flatMap((item) => {
    const resolved = resolveEntry(resolver, item, 'veto', scopes.veto(), scopes.run());
    if (!resolved) return [];
    const byClass = classOnAbsent(resolved.use) === 'refuse' ? 'refuse' : 'pass';
    return [{ ...resolved, onAbsent: item.data.on_absent ?? byClass, onError: item.data.on_error }];
  });
}

/** Measures see the earlier ones: `names` is what `scopes` reads, and grows here. */
export function resolveMeasures(resolver: Resolver, scopes: ExpressionScopes, names: string[]): MeasureEntry[] {
  const measures: MeasureEntry[] = [];
  for (const item of parsedEntries(resolver, 'measures', schemas.measureSchema, names)) {
    const resolved = resolveEntry(resolver, item, 'scorer', scopes.scorer(), scopes.run());
    if (resolved) measures.push(resolved);
  }
  return measures;
}

export function resolveScorers(resolver: Resolver, scopes: ExpressionScopes): ScorerEntry[] {
  return [...parsedEntries(resolver, 'tier2_scorers', schemas.scorerSchema)].flatMap((item) => {
    const { data, path } = item;
    if (RESERVED_IDS.has(data.id)) {
      resolver.report(
        'ASZ204',
        `the id ${data.id} is reserved`,
        [...path, 'id'],
        'expressions use it for something else',
      );
    }
    const weight = resolver.resolveNumber(data.weight, scopes.run(), [...path, 'weight']);
    const resolved = resolveEntry(resolver, item, 'scorer', scopes.scorer(), scopes.run());
    if (!resolved || weight === undefined) return [];
    const range = declaredRange(resolver, resolved.use, path);
    return [
      {
        ...resolved,
        weight,
        onAbsent: data.on_absent ?? classOnAbsent(resolved.use) ?? 'skip',
        onError: data.on_error ?? 'refuse',
        onPrepareError: data.on_error ?? 'fail',
        outOfRange: data.out_of_range,
        range,
        cost: costWithChildren(resolver, resolved.use, path),
      },
    ];
  });
}

/**
 * Signals see the earlier ones: `names` is what `scopes` reads, and grows here. One that is disabled is absent, as one
 * that failed is: what reads it has to live with that, and need not be written anew.
 */
export function resolveSignals(resolver: Resolver, scopes: ExpressionScopes, names: string[]): SignalEntry[] {
  const enabled = new Set(enabledEntryIds(resolver.root, 'signals'));
  names.push(...entryIds(resolver.root, 'signals').filter((id) => !enabled.has(id)));
  const signals: SignalEntry[] = [];
  for (const { data, raw, path } of parsedEntries(resolver, 'signals', schemas.signalSchema, names)) {
    const { id, timeout, retries, on_error: onError } = data;
    const when = resolver.resolveExpression(data.when, scopes.run(), 'bool', [...path, 'when']);
    const use = resolver.resolveClassUse(data.class, data.params, raw, 'signal', scopes.run(), path);
    const place = locate(resolver.root, path, 'value');
    if (use) signals.push({ id, path: formatDataPath(path), place, use, when, timeout, retries, onError });
  }
  return signals;
}

export function resolveStrategies(resolver: Resolver, scopes: ExpressionScopes): StrategyEntry[] {
  return [...parsedEntries(resolver, 'strategies', schemas.strategySchema)].flatMap(
    ({ data, raw, path }): StrategyEntry[] => {
      const { focus, enabled: _enabled, before: _before, ...own } = data;
      const standing = { id: data.id, path: formatDataPath(path), place: locate(resolver.root, path, 'value') };
      if (!focus) return [{ ...standing, data: own, focus: undefined }];
      const at = [...path, 'focus'];
      const when = resolver.resolveExpression(focus.when, scopes.run(), 'bool', [...at, 'when']);
      const rawFocus = raw['focus'];
      const use = isMap(rawFocus)
        ? resolver.resolveClassUse(focus.class, focus.params, rawFocus, 'generator', scopes.run(), at)
        : undefined;
      return use ? [{ ...standing, data: own, focus: { use, when } }] : [];
    },
  );
}

export function resolveReports(resolver: Resolver, scopes: ExpressionScopes): ReportEntry[] {
  return [...parsedEntries(resolver, 'report', schemas.reportSchema)].flatMap(({ data, raw, path }) => {
    const when = resolver.resolveExpression(data.when, scopes.run(), 'bool', [...path, 'when']);
    const use = resolver.resolveClassUse(data.class, data.params, raw, 'report', scopes.run(), path);
    const { id, timeout, warn_below: warnBelow } = data;
    const place = locate(resolver.root, path, 'value');
    return use ? [{ id, path: formatDataPath(path), place, use, when, timeout, warnBelow }] : [];
  });
}
