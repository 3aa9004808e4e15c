import type * as z from 'zod';
import { type DataPath, locate, locateWithin, placeOfValue, type Problem, toError } from '../../base/index.js';
import {
  type Expression,
  parseExpression,
  isMap,
  ExpressionError,
  type ExpressionScope,
  type FieldType,
  type NamedExpressions,
  type VariableType,
} from '../../expression/index.js';
import type { ClassOrigins } from '../class-lookup.js';
import { type NamedExpression, type ProfileLocation, STATISTICS } from '../profile.js';
import { schemaProblems } from '../schema/schema-problems.js';
import { enabledEntryIds, entryIds, formatDataPath, rawPhases, type RawMap } from '../source/raw-profile.js';
import type { Trust } from '../trust.js';

/**
 * Makes a path that a profile names absolute.
 *
 * @param file the file that names it; undefined if the profile has no file
 */
export type AbsolutePath = (path: string, file: string | undefined) => string;

/** Receives the scope of each expression that is resolved, and of the expressions in params, by the path of the params. */
export interface ScopeObserver {
  expression(path: DataPath, scope: ExpressionScope): void;
  params(path: DataPath, scope: ExpressionScope): void;
}

/** The state of resolving a profile: its data, the scopes of its expressions and the problems so far. */
export class Resolver {
  readonly problems: Problem[] = [];

  constructor(
    readonly root: RawMap,
    readonly origins: ClassOrigins,
    private readonly absolutePath: AbsolutePath,
    readonly scopes: ExpressionScopes,
    readonly trust: Trust,
    readonly observer?: ScopeObserver,
  ) {}

  report(code: Problem['code'], message: string, path: DataPath, hint?: string, at: 'key' | 'value' = 'value'): void {
    this.problems.push({ code, message, path: formatDataPath(path), place: locate(this.root, path, at), hint });
  }

  /** The path of a part as text, and the place of its value. */
  location(path: DataPath): ProfileLocation {
    return { path: formatDataPath(path), place: locate(this.root, path, 'value') };
  }

  /** Parses a part of the profile with its schema. Reports problems and returns undefined if it is malformed. */
  check<S extends z.ZodType>(schema: S, value: unknown, path: DataPath, owner?: string): z.output<S> | undefined {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const problems = schemaProblems(parsed.error.issues, { root: this.root, path, schema, owner });
    for (const problem of problems) this.problems.push(problem);
    return undefined;
  }

  /** Calls code of a unit. An error is reported as a problem of the unit, at the path where the profile uses it. */
  callUnit<V>(failure: string, path: DataPath, call: () => V): V | undefined {
    try {
      return call();
    } catch (error) {
      this.report('ASZ305', `${failure}: ${toError(error).message}`, path);
      return undefined;
    }
  }

  resolveExpression(
    source: string | undefined,
    scope: ExpressionScope,
    want: 'bool' | 'number' | 'any',
    path: DataPath,
  ): Expression | undefined {
    if (source === undefined) return undefined;
    this.observer?.expression(path, scope);
    try {
      return parseExpression(source, scope, want, locate(this.root, path));
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      for (const { kind, message, offset, hint } of error.problems) {
        const code = kind === 'syntax' ? 'ASZ401' : 'ASZ402';
        const place = locateWithin(this.root, path, offset);
        this.problems.push({ code, message, path: formatDataPath(path), place, hint });
      }
      return undefined;
    }
  }

  resolveNumber(
    value: number | string | undefined,
    scope: ExpressionScope,
    path: DataPath,
  ): number | Expression | undefined {
    return typeof value === 'string' ? this.resolveExpression(value, scope, 'number', path) : value;
  }

  /** The absolute path of a file that is named at `path`, relative to the profile's file. */
  resolveFile(path: DataPath, name: string): string {
    return this.absolutePath(name, locate(this.root, path)?.file);
  }

  /** The absolute path of a file that a text under `data` names. Merged params may come from several files. */
  resolveText(data: unknown, text: string): string {
    return this.absolutePath(text, fileOfText(data, text));
  }
}

function fileOfText(data: unknown, text: string): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  for (const [key, value] of Object.entries(data)) {
    const file =
      value === text ? placeOfValue(data, Array.isArray(data) ? Number(key) : key)?.file : fileOfText(value, text);
    if (file !== undefined) return file;
  }
  return undefined;
}

/**
 * Parses a value without its malformed parts. These have been reported with the whole profile, and one mistake must not
 * hide others.
 *
 * @returns undefined if no valid part is left
 */
export function partialParse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> | undefined {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const malformed = parsed.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path],
  );
  return schema.safeParse(omitPaths(value, malformed)).data;
}

/** A map without the values at some paths. A list is removed completely: removing an item would shift the others. */
function omitPaths(value: unknown, paths: readonly (readonly PropertyKey[])[]): unknown {
  if (!isMap(value)) return value;
  const kept = Object.entries(value).flatMap(([key, item]) => {
    const below = paths.filter((path) => path[0] === key).map((path) => path.slice(1));
    if (below.length === 0) return [[key, item] as const];
    const omitted = !isMap(item) || below.some((path) => path.length === 0);
    return omitted ? [] : [[key, omitPaths(item, below)] as const];
  });
  return Object.fromEntries(kept);
}

/** An entry of a list, parsed and as written. */
export interface ParsedEntry<T> {
  readonly data: T;
  readonly raw: RawMap;
  readonly path: DataPath;
}

/**
 * The enabled entries of a list, without their malformed parts.
 *
 * @param ids receives the id of each entry after the caller has handled it, so that later entries may refer to it
 */
export function* parsedEntries<S extends z.ZodType<{ enabled: boolean; id: string }>>(
  { root }: Resolver,
  key: string,
  schema: S,
  ids: string[] = [],
): Generator<ParsedEntry<z.output<S>>, void> {
  const list = root[key];
  if (!Array.isArray(list)) return;
  for (const [index, raw] of list.entries()) {
    if (!isMap(raw) || raw['enabled'] === false) continue;
    // If only the id is invalid, the rest of the entry is still checked.
    const data = partialParse(schema, raw) ?? partialParse(schema, { ...raw, id: 'unnamed' });
    if (data !== undefined) yield { data, raw, path: [key, index] };
    if (typeof raw['id'] === 'string') ids.push(raw['id']);
  }
}

type Variables = Readonly<Record<string, VariableType>>;

const fieldsVariable = (ids: readonly string[], type: FieldType): VariableType => ({
  fields: Object.fromEntries(ids.map((id) => [id, type])),
});

/** CEL's keywords. */
export const CEL_KEYWORDS: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** Ids that scorers cannot have: in a formula they would clash with variables. */
export const RESERVED_IDS: ReadonlySet<string> = new Set([
  ...'candidate context signals measures now score scores input'.split(' '),
  ...'generated vetoed failed strategies combine'.split(' '),
  ...CEL_KEYWORDS,
]);

/**
 * The names that a profile gives to expressions (`let`). Each is checked when it is first read, so that it may read names
 * that are written after it.
 */
export class LetNames implements NamedExpressions {
  readonly names: readonly string[];
  readonly #texts: ReadonlyMap<string, string>;
  readonly #resolved = new Map<string, Expression | undefined>();
  readonly #read = new Set<string>();
  readonly #invalid = new Set<string>();
  /** The names that are being checked, outermost first. */
  readonly #open: string[] = [];

  constructor(private readonly resolver: Resolver) {
    const { root, scopes } = resolver;
    const written = Object.entries(isMap(root['let']) ? root['let'] : {});
    // The schema reports other values.
    const valid = written.filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value) && value !== '');
    this.#texts = new Map(valid.map(([name, value]) => [name, String(value)]));
    this.names = [...this.#texts.keys()];
    for (const name of this.names) {
      if (RESERVED_IDS.has(name) || name === 'stats') {
        resolver.report('ASZ204', `the name ${name} is reserved`, ['let', name], 'it has another meaning', 'key');
      } else if (scopes.scorers.includes(name)) {
        const hint = 'a scorer has this id, which a formula reads by the same name';
        resolver.report('ASZ203', `the name ${name} is taken`, ['let', name], hint, 'key');
      }
    }
  }

  textOf(name: string): string | undefined {
    this.#read.add(name);
    return this.#resolve(name)?.source;
  }

  /** All named expressions, after every expression of the profile was checked. */
  all(): NamedExpression[] {
    const read = new Set(this.#read);
    for (const name of this.names) this.#resolve(name);
    for (const name of this.#read) read.add(name);
    return this.names.flatMap((name) => {
      const expression = this.#resolved.get(name);
      const location = this.resolver.location(['let', name]);
      return expression ? [{ name, expression, isRead: read.has(name), ...location }] : [];
    });
  }

  #resolve(name: string): Expression | undefined {
    if (this.#resolved.has(name)) return this.#resolved.get(name);
    const { resolver } = this;
    const path = ['let', name];
    if (this.#open.includes(name)) {
      const cycle = this.#open.slice(this.#open.indexOf(name));
      for (const one of cycle) this.#invalid.add(one);
      resolver.report('ASZ206', `the name ${name} reads itself: ${[...cycle, name].join(' → ')}`, path);
      return undefined;
    }
    if (this.#open.length >= MOST_NESTED) {
      resolver.report('ASZ402', `names are nested too deeply; the maximum is ${MOST_NESTED}`, path);
      this.#resolved.set(name, undefined);
      return undefined;
    }
    this.#open.push(name);
    const text = this.#texts.get(name);
    const expression = resolver.resolveExpression(text, resolver.scopes.named(resolver.root), 'any', path);
    this.#open.pop();
    this.#resolved.set(name, this.#invalid.has(name) ? undefined : expression);
    return this.#resolved.get(name);
  }
}

/** The most names of which each reads the next. */
const MOST_NESTED = 50;

/** The variables that an expression may read, by its position in the profile. */
export class ExpressionScopes {
  /** The ids resolved so far: signals and measures can read only earlier ones. */
  readonly signals: string[] = [];
  readonly measures: string[] = [];
  /** Set before the first expression is resolved. */
  lets: LetNames | undefined;

  constructor(
    readonly scorers: readonly string[],
    /** The fields of the context, if the profile declares them. */
    private readonly context: readonly string[] | undefined,
    private readonly stats: readonly string[],
  ) {}

  #scope(name: string, variables: Variables): ExpressionScope {
    return this.lets && this.lets.names.length > 0 ? { name, variables, lets: this.lets } : { name, variables };
  }

  private request(): Variables {
    return { context: this.context ? fieldsVariable(this.context, 'dyn') : 'map' };
  }

  private base(): Variables {
    return {
      ...this.request(),
      now: 'number',
      signals: fieldsVariable(this.signals, 'dyn'),
    };
  }

  private withCandidate(): Variables {
    return { ...this.base(), candidate: 'dyn' };
  }

  private withMeasures(): Variables {
    return { ...this.withCandidate(), measures: fieldsVariable(this.measures, 'number') };
  }

  private withStats(): Variables {
    return { ...this.withMeasures(), ...this.#statsVariables() };
  }

  #statsVariables(): Variables {
    if (this.stats.length === 0) return {};
    const numbers = this.stats.map((name) => [`stats.${name}`, fieldsVariable(STATISTICS, 'number')] as const);
    return { stats: fieldsVariable(this.stats, 'fields'), ...Object.fromEntries(numbers) };
  }

  /** `select.top`, `select.min_score`: once per run, before everything else. */
  limit(): ExpressionScope {
    return this.#scope('a limit of the selection', this.request());
  }

  /** `when` of an entry, signal, phase, focus; `weight`: once per run. */
  run(): ExpressionScope {
    return this.#scope('an expression evaluated once per run', this.base());
  }

  /** `expr` in Tier 1, `candidate.pinned`: for each candidate. */
  veto(): ExpressionScope {
    return this.#scope('a veto', this.withCandidate());
  }

  /** `expr` in measures: for each kept candidate. */
  measure(): ExpressionScope {
    return this.#scope('a measure', this.withMeasures());
  }

  /** `expr` in Tier 2 and children, `weights.by`, `multiply.by`: for each kept candidate. */
  scorer(): ExpressionScope {
    return this.#scope('a scorer', this.withStats());
  }

  /** `stats`: for each kept candidate. */
  statistic(): ExpressionScope {
    return this.#scope('a statistic', this.withStats());
  }

  /** `let`: whatever its readers may read. Each reader checks it again. */
  named(root: RawMap): ExpressionScope {
    const phase = Object.keys(rawPhases(root) ?? {}).length > 0 ? ['phase'] : [];
    const signals = fieldsVariable([...entryIds(root, 'signals'), ...phase], 'dyn');
    const measures = fieldsVariable(enabledEntryIds(root, 'measures'), 'number');
    return this.#scope('a named expression', { ...this.withStats(), signals, measures });
  }

  /** `combine.formula`: for each candidate, with its raw scores by id. */
  formula(): ExpressionScope {
    const raws = Object.fromEntries(this.scorers.map((id): [string, VariableType] => [id, 'number']));
    return this.#scope('the formula', { ...raws, ...this.withStats() });
  }

  /** `adjustments`, `select.duplicates`, `per.by`, `ties`, `pack.cost`, a selector's params: for each scored candidate. */
  scored(): ExpressionScope {
    const scored: Variables = { score: 'number', scores: fieldsVariable(this.scorers, 'number') };
    return this.#scope('a rule on scored candidates', { ...this.withStats(), ...scored });
  }

  /** A rule with a group: also the place in it. */
  grouped(): ExpressionScope {
    return { name: 'a rule with a group', variables: { ...this.scored().variables, place: 'number' } };
  }

  /** `fallback[].when`: once, if no candidate was selected. */
  fallback(): ExpressionScope {
    const counts: Variables = { generated: 'number', vetoed: 'number', failed: 'number', strategies: 'dyn' };
    return this.#scope('a fallback', { ...this.base(), ...counts });
  }
}
