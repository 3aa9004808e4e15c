import * as schemas from '../schema/entry-schemas.js';
import * as z from 'zod';
import { type DataPath, describeValue, locate } from '../../base/index.js';
import {
  type Expression,
  type ExpressionScope,
  isExpression,
  isMap,
  isPathReader,
  PARAM_SCOPE,
  type PathReader,
  withFilePaths,
  withParamScope,
} from '../../expression/index.js';
import {
  type BatchScope,
  type Child,
  isChild,
  type OnAbsent,
  type ScoreRange,
  type UnitKind,
} from '../../sdk/index.js';
import { type FoundClass, lookUpClass } from '../class-lookup.js';
import { hasMemory } from '../profile-reads.js';
import type {
  ChildUse,
  ClassUse,
  Entry,
  EntryMemoryFile,
  MeasureEntry,
  ReportEntry,
  ScorerEntry,
  SignalEntry,
  StatisticEntry,
  StrategyEntry,
  Use,
  VetoEntry,
} from '../profile.js';
import { unwrapSchema } from '../schema/json-schema.js';
import { enabledEntryIds, entryIds, formatDataPath } from '../source/raw-profile.js';
import { parsedEntries, type ParsedEntry, partialParse, RESERVED_IDS, type Resolver } from './resolver.js';

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
    const resolved = resolveEntry(resolver, item, 'scorer', scopes.measure());
    if (resolved) measures.push({ ...resolved, onError: item.data.on_error });
  }
  return measures;
}

/** Resolves the statistics, in the order of the profile. */
export function resolveStatistics(resolver: Resolver): StatisticEntry[] {
  const { root, scopes } = resolver;
  if (Object.hasOwn(root, 'stats') && scopes.scorers.includes('stats')) {
    const hint = 'a scorer has this id, which a formula reads by the same name';
    resolver.report('ASZ203', 'the name stats is taken', ['stats'], hint, 'key');
  }
  const written = partialParse(schemas.statsSchema, root['stats'] ?? {}) ?? {};
  return Object.entries(written).flatMap(([name, value]): StatisticEntry[] => {
    const path = ['stats', name];
    const { of = '1', by, when } = typeof value === 'string' ? { of: value } : value;
    const scope = scopes.statistic();
    const expression = resolver.resolveExpression(
      of,
      scope,
      'number',
      typeof value === 'string' ? path : [...path, 'of'],
    );
    const own = {
      by: resolver.resolveExpression(by, scope, 'any', [...path, 'by']),
      filter: resolver.resolveExpression(when, scope, 'bool', [...path, 'when']),
    };
    if (!expression) return [];
    const entry = { id: `stats.${name}`, use: { kind: 'expr', expression }, ...NOT_PREPARED } as const;
    return [{ ...entry, name, ...own, read: new Set(), ...resolver.location(path) }];
  });
}

/** What an entry has that is never prepared, and needs all kept candidates. */
const NOT_PREPARED = {
  when: undefined,
  timeout: undefined,
  memory: undefined,
  scopes: new Set<BatchScope>(['set']),
} as const;

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

/** A class or an expression, as an entry or a child writes it. */
interface WrittenUse {
  readonly class?: string | undefined;
  readonly expr?: string | undefined;
  readonly params?: unknown;
}

/** The children, paths and expressions inside params, at any depth. */
interface ParamContents {
  readonly children: [child: Child, path: DataPath][];
  readonly paths: PathReader[];
  readonly contextPaths: PathReader[];
  readonly expressions: Expression[];
  /** Malformed children. Their classes and expressions are checked as well. */
  readonly malformedChildren: { readonly written: WrittenUse; readonly raw: object; readonly path: DataPath }[];
}

/** Resolves a class or an expression. Reports problems and returns undefined if it has any. */
function resolveUse(
  resolver: Resolver,
  written: WrittenUse,
  raw: object,
  kind: UnitKind,
  scope: ExpressionScope,
  path: DataPath,
): Use | undefined {
  if (written.class !== undefined)
    return resolveClassUse(resolver, written.class, written.params, raw, kind, scope, path);
  const want = kind === 'veto' ? 'bool' : 'number';
  const expression = resolver.resolveExpression(written.expr, scope, want, [...path, 'expr']);
  return expression && { kind: 'expr', expression };
}

/** Finds a class, and resolves its params and the entries inside them. Returns undefined if it has problems. */
export function resolveClassUse(
  resolver: Resolver,
  name: string,
  params: unknown,
  raw: object,
  kind: UnitKind,
  scope: ExpressionScope,
  path: DataPath,
): ClassUse | undefined {
  const levels = resolver.origins.levelsOf(raw);
  if (!levels) return undefined; // a plugin of that file could not be loaded; it has been reported
  const found = lookUpClass(name, kind, levels);
  if ('code' in found) {
    const at = [...path, 'class'];
    resolver.problems.push({ ...found, path: formatDataPath(at), place: locate(resolver.root, at, 'value') });
    return undefined;
  }
  // The schema of the profile reports params that are not a map.
  if (params === undefined && isMap(raw) && raw['params'] !== undefined) return undefined;
  const contents: ParamContents = { children: [], paths: [], contextPaths: [], expressions: [], malformedChildren: [] };
  const check = (): ReturnType<typeof parseParams> =>
    parseParams(resolver, found, params ?? {}, raw, [...path, 'params'], contents);
  const inParams = kind === 'selector' ? scope : paramScope(scope);
  resolver.observer?.params([...path, 'params'], inParams);
  const parsed = withParamScope(inParams, check);
  const childKind = kind === 'selector' ? 'selector' : 'scorer';
  const children = new Map<Child, ChildUse>();
  for (const [child, at] of contents.children) {
    const use = resolveChild(resolver, child.spec, child.raw, childKind, scope, at);
    if (!use) continue;
    const { id, weight, on_absent: onAbsent } = child.spec;
    const unit = use.kind === 'class' ? use.name : use.expression.source;
    children.set(child, { name: id ?? unit, use, weight, onAbsent: childOnAbsent(onAbsent, use) });
  }
  for (const { written, raw: child, path: at } of contents.malformedChildren)
    resolveChild(resolver, written, child, childKind, scope, at);
  const { paths, contextPaths, expressions } = contents;
  return parsed && { kind: 'class', ...found, params: parsed.params, children, paths, contextPaths, expressions };
}

/** The scope of expressions in params: also the named expressions and the statistics that the entry may read. */
function paramScope({ lets, variables }: ExpressionScope): ExpressionScope {
  const stats = Object.entries(variables).filter(([name]) => /^stats\b/.test(name));
  return { ...PARAM_SCOPE, variables: { ...PARAM_SCOPE.variables, ...Object.fromEntries(stats) }, lets };
}

const childOnAbsent = (written: OnAbsent | undefined, use: Use): OnAbsent =>
  written ?? (use.kind === 'class' ? use.unit.meta.onAbsent : undefined) ?? 'skip';

/** Resolves an entry inside another one's params. */
function resolveChild(
  resolver: Resolver,
  written: WrittenUse,
  raw: object,
  kind: UnitKind,
  scope: ExpressionScope,
  path: DataPath,
): Use | undefined {
  if (kind === 'selector') {
    for (const key of ['id', 'expr', 'range', 'weight', 'on_absent'].filter((one) => Object.hasOwn(raw, one))) {
      const hint = 'a selector is a class with params: { class: GreedyPack }';
      resolver.report('ASZ211', `an entry inside a selector cannot have the key ${key}`, [...path, key], hint, 'key');
    }
    if (written.class === undefined) return undefined;
  }
  return resolveUse(resolver, written, raw, kind, scope, path);
}

/**
 * Parses the params of a class with its schema, and fills `contents`. Returns undefined if they are malformed; `contents`
 * then has their well-formed parts.
 *
 * @param raw the entry as written: its values have places, from which file paths are resolved
 */
function parseParams(
  resolver: Resolver,
  { name, unit }: FoundClass,
  written: unknown,
  raw: object,
  path: DataPath,
  contents: ParamContents,
): { readonly params: unknown } | undefined {
  const schema = unit.meta.params;
  return resolver.callUnit(`the params of ${name} cannot be checked`, path, () =>
    withFilePaths(
      (text) => resolver.resolveText(raw, text),
      () => {
        const params: unknown = resolver.check(schema, written, path, name);
        if (params === undefined) collectFromMalformed(schema, written, path, contents);
        else collectContents(params, path, contents);
        return params === undefined ? undefined : { params };
      },
    ),
  );
}

/** Adds the contents of parsed params. */
function collectContents(value: unknown, path: DataPath, contents: ParamContents): void {
  if (isChild(value)) contents.children.push([value, path]);
  else if (isPathReader(value)) {
    if (value.of === undefined) contents.paths.push(value);
    else if (value.of === 'context') contents.contextPaths.push(value);
  } else if (isExpression(value)) contents.expressions.push(value);
  else if (Array.isArray(value)) value.forEach((item, index) => collectContents(item, [...path, index], contents));
  else if (isMap(value) && Object.getPrototypeOf(value) === Object.prototype) {
    for (const [key, item] of Object.entries(value)) collectContents(item, [...path, key], contents);
  }
}

/** Adds the contents of the well-formed parts of malformed params, so that one mistake does not hide others. */
function collectFromMalformed(schema: z.core.$ZodType, value: unknown, path: DataPath, contents: ParamContents): void {
  const parsed = z.safeParse(schema, value);
  const inner = unwrapSchema(schema);
  if (parsed.success) collectContents(parsed.data, path, contents);
  else if (inner instanceof z.ZodArray && Array.isArray(value)) {
    value.forEach((item, index) => collectFromMalformed(inner.element, item, [...path, index], contents));
  } else if (inner instanceof z.ZodObject && isMap(value)) {
    for (const [key, item] of Object.entries(value)) {
      const itemSchema: unknown = Object.hasOwn(inner.shape, key) ? inner.shape[key] : undefined;
      if (itemSchema instanceof z.ZodType) collectFromMalformed(itemSchema, item, [...path, key], contents);
    }
  } else if (inner instanceof z.ZodUnknown && isMap(value)) {
    // A schema that accepts anything fails only if it transforms the value, and only the schema of a child does.
    const text = (key: string): string | undefined => (typeof value[key] === 'string' ? value[key] : undefined);
    const written = { class: text('class'), expr: text('expr'), params: value['params'] };
    contents.malformedChildren.push({ written, raw: value, path });
  }
}
