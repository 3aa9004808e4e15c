import * as z from 'zod';
import { CELL_STATES, type Context, type Ranking } from 'assize';
import { compilePath } from 'assize/internal';
import type { UnitClass } from 'assize/sdk';
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

/** The keys of a profile that a page cannot run or does not need, with the reason. */
const LEFT_OUT = {
  strategies: 'strategies do not generate candidates',
  fallback: 'the fallback does not run',
  report: 'reports are not computed',
  rerank: 'every scorer scores every candidate, without rerank',
} as const;

/** The keys of an entry that configure its class, as opposed to the use of its result. */
const OF_THE_CLASS = ['params', 'memory', 'timeout', 'retries'] as const;

/** The ranking that the page shows and reweights. */
interface RankedInput {
  readonly title: string;
  /** The names of the plugins that a page has: those that ship. */
  readonly shipped: ReadonlySet<string>;
  /** The profile merged with the profiles that it extends. */
  readonly profile: ProfileDocument;
  /** The ranking of all candidates by all scorers, without pruning. */
  readonly ranking: Ranking<object>;
  readonly candidates: readonly object[];
  readonly context: Context;
}

/**
 * Converts a ranking to data for a page: the results of classes, and the rest of the profile unchanged. The page computes
 * the same ranking from it, to the bit.
 */
export function collectData({
  title,
  shipped,
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
  const selection = pageSelection(profile, shipped);
  page['plugins'] = pagePlugins(profile, shipped).filter((name) => name !== 'core'); // every profile has it
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
  page['signals'] = stored('signal', profile['signals'], (id) => void (signals[id] = { value: ranking.signals[id] }));
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
    bounded: boundedPaths(profile),
    curves: collectCurves(profile, ranking, candidates),
    context: { ...context, now },
    candidates,
    notes: [...notes, ...selection.notes],
  };
}

/** Replaces the class of an entry by one with stored results. Other entries are unchanged. */
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

/** The results of one entry, by position of the candidate. */
function storedScores(ranking: Ranking<object>, id: string, length: number): StoredScores {
  const { matrix } = ranking;
  const { values, resolved, states } = matrix.column(id);
  const all = Array.from<number | null>({ length }).fill(null);
  const failures: Record<number, string> = {};
  const failure = ranking.degraded.find(({ entry }) => entry === id)?.cause ?? 'it failed during the ranking';
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

/** The bounds of the effective values. Clamping to them changes nothing. */
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

/** The paths that removals by bounds read. An exported page has no params, but names the field in its sentences. */
function boundedPaths(profile: ProfileDocument): Readonly<Record<string, string>> {
  const paths = asList(profile['tier1_scorers']).flatMap(({ id, class: name, params }) => {
    const value = isMap(params) ? params['value'] : undefined;
    const isBounded = /(?:^|\/)ThresholdVeto$/.test(String(name));
    return isBounded && typeof id === 'string' && typeof value === 'string' ? [[id, value] as const] : [];
  });
  return Object.fromEntries(paths);
}

/** The entries of a profile that are curves, with their inputs. */
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

/** The inputs of a curve: a field of each candidate, or the result of the nested scorer. */
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

/** The lists whose entries have stored results in a page, unless they are switched off. */
const STORED_LISTS = ['signals', 'tier1_scorers', 'measures', 'tier2_scorers'];

/** The shipped plugins that a page needs: for the classes of its selection and of its disabled entries. */
export function pagePlugins(profile: ProfileDocument, shipped: ReadonlySet<string>): readonly string[] {
  const { select } = pageSelection(profile, shipped);
  const off = STORED_LISTS.flatMap((list) => asList(profile[list])).filter(({ enabled }) => enabled === false);
  const classes = classesIn([select, off]);
  if (classes.length === 0) return Object.hasOwn(select, 'pack') ? ['core'] : []; // a pack has a class by default
  const listed: readonly unknown[] = Array.isArray(profile['plugins']) ? profile['plugins'] : [];
  return [...new Set(['core', ...listed, ...classes.map(pluginOf)])].filter(
    (name): name is string => typeof name === 'string' && shipped.has(name),
  );
}

/** The selection of a page, which has only the classes of included plugins. */
interface PageSelection {
  readonly select: ProfileDocument;
  /** A sentence for each omitted step, which uses a class of another plugin. */
  readonly notes: readonly string[];
}

/** The part of a profile's selection that a page can run. */
function pageSelection({ select }: ProfileDocument, shipped: ReadonlySet<string>): PageSelection {
  const steps = Object.entries(isMap(select) ? select : {});
  const left = steps.flatMap(([step, value]) => {
    const foreign = classesIn(value).find((name) => {
      const plugin = pluginOf(name);
      return plugin !== undefined && !shipped.has(plugin);
    });
    return foreign === undefined ? [] : [{ step, foreign }];
  });
  const kept = steps.filter(([step]) => left.every((one) => one.step !== step));
  return {
    select: Object.fromEntries(kept),
    notes: left.map(
      ({ step, foreign }) =>
        `the step ${step} of the selection is skipped: the page does not have the class ${foreign}`,
    ),
  };
}

/** The classes that a value names, at any depth. */
function classesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(classesIn);
  if (!isMap(value)) return [];
  const { class: name, ...rest } = value;
  return [...(typeof name === 'string' ? [name] : []), ...Object.values(rest).flatMap(classesIn)];
}

/** `cupel` of `cupel/GreedyPack`; undefined if a class is named without its plugin. */
const pluginOf = (name: string): string | undefined => (name.includes('/') ? name.replace(/\/[^/]*$/, '') : undefined);

/** The part of a page's data that depends on the query. */
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

/** The part of a JSON Schema that describes a number. */
interface NumberSchema {
  readonly type?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly default?: unknown;
  readonly description?: string;
}

/** The numeric params of an entry that are set or have a default. */
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

/** Zod adds the limits of safe integers to unbounded integers. */
const isBound = (bound: number | undefined): bound is number =>
  bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
