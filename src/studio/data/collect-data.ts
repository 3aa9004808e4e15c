import { SHIPPED_PLUGINS } from '../../pipeline/index.js';
import type { UnitClass } from '../../sdk/index.js';
import { compilePath } from '../../expression/index.js';
import { CELL_STATES, type Context, type Ranking } from '../../index.js';
import { z } from '../../sdk.js';
import { storedClass, type StoredKind } from './stored-units.js';
import {
  type CurveData,
  type CurvePoints,
  isMap,
  type ParamControl,
  type ProfileDocument,
  type QueryData,
  type StoredRefusals,
  type StoredScores,
  type StoredSignal,
  type StudioData,
} from './studio-data.js';

/** What a page cannot have, or has no use for. */
const LEFT_OUT = {
  strategies: 'strategies make no candidates',
  fallback: 'there is no fallback',
  report: 'there are no reports',
  rerank: 'every scorer scores every candidate: there is no rerank',
} as const;

/** Of an entry: what says how its class computes, and not what its result counts for. */
const OF_THE_CLASS = ['params', 'memory', 'timeout', 'retries'] as const;

/** What the page of a studio shows and weighs again. */
interface RankedInput {
  readonly title: string;
  /** The profile with all that it extends. */
  readonly profile: ProfileDocument;
  /** Of all candidates by all scorers: without pruning. */
  readonly ranking: Ranking<object>;
  readonly candidates: readonly object[];
  readonly context: Context;
}

/**
 * A ranking as data for a page: the numbers that classes gave, and the rest of the profile as it is written. What the
 * page ranks by it is, to the last bit, what was ranked here.
 */
export function collectData({
  title,
  profile,
  ranking,
  candidates,
  context,
}: RankedInput): Omit<StudioData, 'file' | 'controls'> {
  const scores: Record<string, StoredScores> = {};
  const refusals: Record<string, StoredRefusals> = {};
  const signals: Record<string, StoredSignal> = {};
  const units: Record<string, string> = {};
  const stored = (kind: StoredKind, list: unknown, store: (id: string) => void): unknown =>
    Array.isArray(list)
      ? list.map((entry: unknown) => (isMap(entry) ? storedEntry(kind, entry, units, store) : entry))
      : list;
  const page: Record<string, unknown> = { ...profile };
  const notes = Object.entries(LEFT_OUT).flatMap(([key, note]) => {
    const isThere = Object.hasOwn(page, key);
    delete page[key];
    return isThere ? [note] : [];
  });
  const selection = pageSelection(profile);
  page['plugins'] = selection.plugins;
  if (isMap(profile['select'])) page['select'] = selection.select;
  for (const key of ['measures', 'tier2_scorers']) {
    page[key] = stored(
      'scorer',
      profile[key],
      (id) => void (scores[id] = storedScores(ranking, id, candidates.length)),
    );
  }
  page['tier1_scorers'] = stored(
    'veto',
    profile['tier1_scorers'],
    (id) => void (refusals[id] = storedRefusals(ranking, id)),
  );
  page['signals'] = stored(
    'signal',
    profile['signals'],
    (id) => void (signals[id] = { value: ranking.signals.get(id) }),
  );
  const unused = Object.keys(page).filter((key) => page[key] === undefined);
  for (const key of unused) delete page[key];
  const now = context['now'] ?? ranking.now;
  return {
    title,
    profile: page,
    scores,
    refusals,
    signals,
    units,
    curves: collectCurves(profile, ranking, candidates),
    context: { ...context, now },
    candidates,
    notes: [...notes, ...selection.notes],
  };
}

/** An entry of a class as one whose results are stored; any other as it is. */
function storedEntry(
  kind: StoredKind,
  entry: ProfileDocument,
  units: Record<string, string>,
  store: (id: string) => void,
): ProfileDocument {
  const { id, class: name, ...rest } = entry;
  if (typeof id !== 'string' || typeof name !== 'string' || entry['enabled'] === false) return entry;
  const kept: Record<string, unknown> = { id, class: storedClass(kind, id), ...rest };
  for (const key of OF_THE_CLASS) delete kept[key];
  if (kind !== 'signal') units[id] = name;
  store(id);
  return kept;
}

/** What one entry gave, by position of the candidate. */
function storedScores(ranking: Ranking<object>, id: string, length: number): StoredScores {
  const { matrix } = ranking;
  const { values, resolved, states } = matrix.column(id);
  const all = Array.from<number | null>({ length }).fill(null);
  const failures: Record<number, string> = {};
  const failure = ranking.degraded.find(({ entry }) => entry === id)?.cause ?? 'it failed when it was ranked';
  let clamped = false;
  for (const [row, index] of matrix.index.entries()) {
    const value = values[row]!;
    if (!Number.isNaN(value)) all[index] = value;
    if (CELL_STATES[states[row]!] === 'failed') failures[index] = failure;
    const counted = resolved[row]!;
    if (!Number.isNaN(value) && !Number.isNaN(counted) && counted !== value) clamped = true;
  }
  for (const { index, kind, by } of ranking.refused) {
    if (by === id && kind === 'error') failures[index] = failure;
  }
  return { values: all, failures, ...(clamped && { range: rangeOf(resolved) }) };
}

/** The bounds of what counted, which clamping to gives the same. */
function rangeOf(resolved: Float64Array): [least: number, most: number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of resolved) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}

const storedRefusals = (ranking: Ranking<object>, id: string): StoredRefusals => ({
  reasons: Object.fromEntries(
    ranking.refused.flatMap(({ index, all }) =>
      all.filter(({ by }) => by === id).map(({ kind, reason }) => [index, { kind, reason }] as const),
    ),
  ),
});

/** The entries of a profile that are curves, with the numbers that each is read at. */
function collectCurves(
  profile: ProfileDocument,
  ranking: Ranking<object>,
  candidates: readonly object[],
): Readonly<Record<string, CurveData>> {
  const entries = ['measures', 'tier2_scorers'].flatMap((list) => asList(profile[list]));
  const curves = entries.flatMap((entry): (readonly [string, CurveData])[] => {
    const { id, class: name, params, enabled } = entry;
    if (typeof id !== 'string' || !/(?:^|\/)CurveScorer$/.test(String(name)) || enabled === false) return [];
    const { points, value } = isMap(params) ? params : {};
    if (!arePoints(points)) return [];
    return [[id, { points, xs: xsOf(id, value, ranking, candidates) }]];
  });
  return Object.fromEntries(curves);
}

/** Where a curve is read: at a field of each candidate, or at what the scorer inside it gave. */
function xsOf(
  id: string,
  value: unknown,
  { matrix }: Ranking<object>,
  candidates: readonly object[],
): readonly (number | null)[] {
  const xs = Array.from<number | null>({ length: candidates.length }).fill(null);
  const field = typeof value === 'string' ? compilePath(value) : undefined;
  const inner = matrix.children.find((path) => path.startsWith(`${id}/`));
  const scores = inner === undefined ? undefined : matrix.column(inner).values;
  for (const [row, index] of matrix.index.entries()) {
    const x = field ? field(candidates[index]) : scores?.[row];
    if (typeof x === 'number' && Number.isFinite(x)) xs[index] = x;
  }
  return xs;
}

const arePoints = (points: unknown): points is CurvePoints =>
  Array.isArray(points) &&
  points.length >= 2 &&
  points.every((point) => Array.isArray(point) && point.length === 2 && point.every(Number.isFinite));

const asList = (list: unknown): readonly ProfileDocument[] => (Array.isArray(list) ? list.filter(isMap) : []);

/** How a page selects: by the classes of plugins that ship, which it has, too. */
interface PageSelection {
  readonly plugins: readonly string[];
  readonly select: ProfileDocument;
  /** Which steps are left out, in words: those by classes of other plugins. */
  readonly notes: readonly string[];
}

/** What of a profile's selection a page can do. */
function pageSelection({ select, plugins }: ProfileDocument): PageSelection {
  const steps = Object.entries(isMap(select) ? select : {});
  const left = steps.flatMap(([step, value]) => {
    const foreign = classesIn(value).find((name) => !isInPage(name));
    return foreign === undefined ? [] : [{ step, foreign }];
  });
  const kept = steps.filter(([step]) => left.every((one) => one.step !== step));
  const named = [...(Array.isArray(plugins) ? (plugins as unknown[]) : []), ...classesIn(select).map(pluginOf)];
  return {
    plugins: [...new Set(named)].filter((name): name is string => typeof name === 'string' && isShipped(name)),
    select: Object.fromEntries(kept),
    notes: left.map(({ step, foreign }) => `nothing does the selection's ${step}: no page has the class ${foreign}`),
  };
}

/** The classes that something names, at any depth. */
function classesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(classesIn);
  if (!isMap(value)) return [];
  const { class: name, ...rest } = value;
  return [...(typeof name === 'string' ? [name] : []), ...Object.values(rest).flatMap(classesIn)];
}

/** `cupel` of `cupel/GreedyPack`; undefined where a class is named without its plugin. */
const pluginOf = (name: string): string | undefined => (name.includes('/') ? name.replace(/\/[^/]*$/, '') : undefined);

const isShipped = (plugin: string): boolean => Object.hasOwn(SHIPPED_PLUGINS, plugin);

const isInPage = (name: string): boolean => {
  const plugin = pluginOf(name);
  return plugin === undefined || plugin === 'core' || isShipped(plugin);
};

/** The part of what a page gets that differs from query to query. */
export const queryDataOf = ({ grades, missing, group, others, ...data }: QueryData): QueryData => ({
  scores: data.scores,
  refusals: data.refusals,
  signals: data.signals,
  curves: data.curves,
  context: data.context,
  candidates: data.candidates,
  ...(grades && { grades }),
  ...(missing && { missing }),
  ...(group !== undefined && { group }),
  ...(others && { others }),
});

/** What a JSON Schema says of a number. */
interface NumberSchema {
  readonly type?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly default?: unknown;
  readonly description?: string;
}

/** The params of an entry that are numbers: those that it writes, and those that have a default. */
export function paramControls(unit: UnitClass, written: Readonly<Record<string, unknown>>): readonly ParamControl[] {
  const schema = z.toJSONSchema(unit.meta.params, { io: 'input', unrepresentable: 'any' });
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]): ParamControl[] => {
    if (typeof property !== 'object') return [];
    const { type, minimum, maximum, exclusiveMinimum, default: fallback, description } = property as NumberSchema;
    const value = Object.hasOwn(written, name) ? written[name] : fallback;
    if ((type !== 'number' && type !== 'integer') || typeof value !== 'number') return [];
    const least = minimum ?? exclusiveMinimum;
    return [
      {
        name,
        value,
        ...(description !== undefined && { description }),
        ...(isBound(least) && { least }),
        ...(isBound(maximum) && { most: maximum }),
        ...(type === 'integer' && { whole: true }),
      },
    ];
  });
}

/** Zod writes the limits of safe integers where there are none. */
const isBound = (bound: number | undefined): bound is number =>
  bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
