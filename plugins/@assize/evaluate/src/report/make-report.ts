import {
  explanationParts,
  nodesOfKind,
  type Pipeline,
  type Problem,
  type Progress,
  type ProgressStep,
  type Ranking,
} from 'assize';
import { ablateLabelledPipeline, ablatePipeline } from '../ablation.js';
import { compareProfiles } from '../compare-profiles.js';
import { LEAST_JUDGED, meanJudged } from '../differences.js';
import { type CurvePoint, histogramOf } from '../curves.js';
import type { Dataset } from '../dataset/read-dataset.js';
import { leakWarnings, QueryWarnings } from '../dataset/leaks.js';
import { compareLabelled, evaluateLabelledPipelines, labelledIntervals } from '../evaluate-labelled.js';
import { type EvaluateOptions, evaluatePipelines, type Evaluation } from '../evaluate-profiles.js';
import { isRankable } from '../judged-query.js';
import { ignoresUnjudged } from '../measures/measures.js';
import { estimateMean, shareInterval } from '../significance/intervals.js';
import { movedQueries } from './query-moves.js';
import type { EvaluationReport, ReportedAblation, ReportedCurve, ReportedProfile } from './report.js';

export interface ReportOptions {
  /** The name of the candidate file in the report. */
  readonly file: string;
  /**
   * Default: nDCG@10 and RR; Agreement for pairs. Without queries AUC and AP, or tau and rho if there are more than two
   * grades.
   */
  readonly measures?: readonly string[] | undefined;
  readonly relevantFrom?: number | undefined;
  /** The number of samples of the bootstrap and the permutation test. */
  readonly samples?: number | undefined;
  readonly seed?: number | undefined;
  /** Whether to measure the contribution of each part of every profile. */
  readonly ablate?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
  readonly onRanking?: ((profile: string, query: string, ranking: Ranking<unknown>) => void) | undefined;
  /** See `EvaluateOptions`. */
  readonly ties?: EvaluateOptions['ties'];
}

type Pipelines = Readonly<Record<string, Pipeline<object>>>;

/**
 * The report of `assize evaluate` as plain data.
 *
 * @throws AssizeError for the same reasons as `evaluateProfiles`, `evaluateLabelled` and `ablateProfile`
 */
export const makeReport = (profiles: Pipelines, dataset: Dataset, options: ReportOptions): Promise<EvaluationReport> =>
  dataset.hasQueries ? ofQueries(profiles, dataset, options) : ofLabels(profiles, dataset, options);

/** Removes undefined options. */
function defined<T extends object>(options: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  const given: { [K in keyof T]?: Exclude<T[K], undefined> } = {};
  return Object.assign(given, Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)));
}

async function ofQueries(profiles: Pipelines, dataset: Dataset, options: ReportOptions): Promise<EvaluationReport> {
  const {
    measures = dataset.arePairs === true ? ['Agreement'] : ['nDCG@10', 'RR'],
    relevantFrom,
    signal,
    onRanking,
    progress,
    samples,
    seed,
  } = options;
  const { queries } = dataset;
  const curves = new CurveReadings(queries.length);
  const found = new WarningsByProfile();
  const missed = new RefusedRelevant(queries, relevantFrom);
  const asked = { measures, ...defined({ relevantFrom, signal, ties: options.ties }) };
  const evaluation = await evaluatePipelines(profiles, queries, {
    ...asked,
    onRanking: watched([curves, found, missed], onRanking),
    ...defined({ progress }),
  });
  const differences = compareProfiles(evaluation, defined({ samples, seed }));
  const ablations = await ablate(profiles, options, (pipeline, profile) => {
    const step = progress && ((one: ProgressStep) => progress({ ...one, task: `removing parts of ${profile}` }));
    return ablatePipeline(pipeline, queries, { ...asked, ...defined({ samples, progress: step }) });
  });
  const alike = queries.filter((query) => !isRankable(query)).length;
  return {
    data: {
      queries: queries.length,
      ...(dataset.arePairs === true && { pairs: queries.length }),
      ...(alike > 0 && { alike }),
      ...countsOf(dataset, options.file, options.relevantFrom),
    },
    measures: evaluation.measures,
    queries: evaluation.queries,
    profiles: reportedProfiles(evaluation),
    differences,
    smallest: smallestShown(differences),
    warnings: [
      ...found.list(),
      ...leakWarnings(dataset),
      ...missed.list(),
      ...evaluationWarnings(evaluation, options.ties),
    ],
    moved: await movedQueries(profiles, dataset, evaluation, differences),
    ablations,
    ...reportedCurves(curves),
  };
}

/** The warnings of the rankings of each profile. */
class WarningsByProfile {
  readonly #profiles = new Map<string, QueryWarnings>();

  add(profile: string, ranking: Ranking<unknown>): void {
    const known = this.#profiles.get(profile) ?? new QueryWarnings();
    this.#profiles.set(profile, known);
    known.add(ranking);
  }

  /** Each warning once: profiles that extend one another have entries in common. */
  list(): readonly Problem[] {
    const all = [...this.#profiles.values()].flatMap((one) => one.list());
    return [...new Map(all.map((problem) => [problem.message, problem])).values()];
  }
}

/** Warn if a profile refuses at least this share of the relevant candidates. */
const MANY_REFUSED = 0.05;
/** Name the entries that refuse the most. */
const MOST_NAMED = 3;

/** Counts the relevant candidates that each profile refuses. The measures count them as missed. */
class RefusedRelevant {
  /** By query, by candidate. */
  readonly #isRelevant: ReadonlyMap<string, readonly boolean[]>;
  readonly #relevant: number;
  /** By profile, by entry. */
  readonly #refused = new Map<string, Map<string, number>>();

  constructor(queries: Dataset['queries'], relevantFrom = 1) {
    const isRelevant = (grade: number | undefined): boolean => grade !== undefined && grade >= relevantFrom;
    this.#isRelevant = new Map(queries.map(({ id, grades }) => [id, grades.map(isRelevant)]));
    this.#relevant = [...this.#isRelevant.values()].flat().filter(Boolean).length;
  }

  add(profile: string, ranking: Ranking<unknown>, query: string): void {
    const own = this.#refused.get(profile) ?? new Map<string, number>();
    this.#refused.set(profile, own);
    for (const { index, by } of ranking.each('refused'))
      if (this.#isRelevant.get(query)?.[index] === true) own.set(by, (own.get(by) ?? 0) + 1);
  }

  list(): readonly Problem[] {
    return Array.from(this.#refused, ([profile, own]): Problem[] => {
      const count = [...own.values()].reduce((sum, one) => sum + one, 0);
      if (count === 0 || count < MANY_REFUSED * this.#relevant) return [];
      const by = [...own].toSorted(([, a], [, b]) => b - a).map(([id, one]) => `${id} ${one}`);
      const message = `${profile} refuses ${count} of ${this.#relevant} relevant candidates, and they count as missed: ${by.slice(0, MOST_NAMED).join(', ')}${by.length > MOST_NAMED ? ', …' : ''}`;
      return [{ code: 'ASZ750', message, hint: 'check these entries, or judge only candidates that may be shown' }];
    }).flat();
  }
}

/** Collects something from each ranking. */
interface RankingReader {
  add(profile: string, ranking: Ranking<unknown>, query: string): void;
}

const watched =
  (readers: readonly RankingReader[], onRanking: ReportOptions['onRanking']): NonNullable<ReportOptions['onRanking']> =>
  (profile, query, ranking) => {
    for (const reader of readers) reader.add(profile, ranking, query);
    onRanking?.(profile, query, ranking);
  };

function reportedCurves(readings: CurveReadings): Pick<EvaluationReport, 'curves'> {
  const curves = readings.reported();
  return curves.length > 0 ? { curves } : {};
}

/** The contributions of the parts of each profile, if requested. */
async function ablate(
  profiles: Pipelines,
  options: ReportOptions,
  ablateOne: (pipeline: Pipeline<object>, profile: string) => Promise<Pick<ReportedAblation, 'parts' | 'fixed'>>,
): Promise<readonly ReportedAblation[]> {
  const ablations: ReportedAblation[] = [];
  for (const [profile, pipeline] of options.ablate ? Object.entries(profiles) : []) {
    // oxlint-disable-next-line no-await-in-loop -- one after another
    const { parts, fixed } = await ablateOne(pipeline, profile);
    ablations.push({ profile, parts, fixed });
  }
  return ablations;
}

const reportedProfiles = ({ profiles, measures, groups }: Evaluation): readonly ReportedProfile[] =>
  profiles.map(({ profile, values, means, judged }) => ({
    profile,
    values: measures.map((measure) => {
      const byQuery = [...values[measure]!];
      const estimate = estimateMean(byQuery, groups);
      return {
        measure,
        mean: means[measure]!,
        interval: shareInterval(estimate, estimate.degrees + 1, 0.95),
        ...defined({ judged: meanJudged(judged?.[measure]) }),
        byQuery,
      };
    }),
  }));

async function ofLabels(profiles: Pipelines, dataset: Dataset, options: ReportOptions): Promise<EvaluationReport> {
  const { relevantFrom, signal, samples, seed } = options;
  const grades = new Set(dataset.queries.flatMap((query) => query.grades.filter((grade) => grade !== undefined)));
  const measures = options.measures ?? (grades.size > 2 ? ['tau', 'rho'] : ['AUC', 'AP']);
  const asked = { measures, ...defined({ relevantFrom, signal }) };
  const curves = new CurveReadings(dataset.queries.length);
  const found = new WarningsByProfile();
  const onRanking = watched([curves, found], options.onRanking);
  const evaluation = await evaluateLabelledPipelines(profiles, dataset.queries, { ...asked, onRanking });
  const drawn = defined({ samples, seed });
  const intervals = labelledIntervals(evaluation, drawn);
  const differences = compareLabelled(evaluation, drawn);
  return {
    data: countsOf(dataset, options.file, options.relevantFrom),
    measures: evaluation.measures,
    queries: [],
    profiles: evaluation.profiles.map(({ profile, values }, p) => ({
      profile,
      values: evaluation.measures.map((measure, m) => {
        return { measure, mean: values[measure]!, interval: intervals[p]![m]! };
      }),
    })),
    differences,
    smallest: smallestShown(differences),
    warnings: [...found.list(), ...leakWarnings(dataset)],
    moved: [],
    ablations: await ablate(profiles, options, (pipeline) =>
      ablateLabelledPipeline(pipeline, dataset.queries, { ...asked, samples }),
    ),
    ...reportedCurves(curves),
  };
}

/** The 97.5 % and 80 % quantiles of a standard normal variable: for a two-sided test with a power of 80 %. */
const [TWO_SIDED, POWER] = [1.96, 0.842];

/** By measure: the smallest difference that is likely to be detected, from the widest interval. */
function smallestShown(differences: EvaluationReport['differences']): EvaluationReport['smallest'] {
  const widest = new Map<string, number>();
  for (const { measure, interval } of differences) {
    const half = (interval[1] - interval[0]) / 2;
    if (half > 0) widest.set(measure, Math.max(half, widest.get(measure) ?? 0));
  }
  return Array.from(widest, ([measure, half]) => ({ measure, difference: (half * (TWO_SIDED + POWER)) / TWO_SIDED }));
}

/** Warn below this share of judged ranks. */
const FEW_JUDGED = 0.5;
/** Warn if ties affect at least this share of the queries. */
const MANY_TIED = 0.2;

function evaluationWarnings({ profiles, measures, queries }: Evaluation, ties: ReportOptions['ties']): Problem[] {
  const isDrawn = ties !== undefined && ties !== 'expected';
  return profiles.flatMap(({ profile, judged, tied }) => [
    ...measures.flatMap((measure): Problem[] => {
      const share = meanJudged(judged?.[measure]) ?? 1;
      if (share >= FEW_JUDGED || ignoresUnjudged(measure)) return [];
      const withheld = share < LEAST_JUDGED ? '; no verdict is given' : '';
      const message = `${Math.round(share * 100)} % of the first ranks of ${profile} are judged, and ${measure} counts the rest as bad${withheld}`;
      const hint = 'judge the first ranks of every compared profile, or use the measure Bpref or Agreement';
      return [{ code: 'ASZ737', message, hint }];
    }),
    ...tieWarning(profile, Math.max(0, ...Object.values(tied ?? {})), queries.length, isDrawn),
  ]);
}

function tieWarning(profile: string, tied: number, queries: number, isDrawn: boolean): Problem[] {
  if (tied === 0 || (!isDrawn && tied < MANY_TIED * queries)) return [];
  const how = isDrawn ? 'the seed orders them' : 'the values are means over all their orders';
  const message = `${profile} gives candidates of different grades equal scores in ${tied} of ${queries} queries: ${how}`;
  return [{ code: 'ASZ736', message, hint: 'add a scorer that distinguishes them, or set select.ties' }];
}

/** Counts candidates, judgements and groups. */
function countsOf(
  { queries, hasQueries }: Dataset,
  file: string,
  relevantFrom = 1,
): Omit<EvaluationReport['data'], 'queries'> {
  const grades = queries.flatMap((query) =>
    query.grades.filter((grade) => grade !== undefined && (grade >= 0 || !hasQueries)),
  );
  const groups = queries.flatMap(
    ({ group, candidateGroups }) => candidateGroups ?? (group === undefined ? [] : [group]),
  );
  return {
    file,
    candidates: queries.reduce((sum, { candidates }) => sum + candidates.length, 0),
    judged: grades.length,
    relevant: grades.filter((grade) => grade !== undefined && grade >= relevantFrom).length,
    ...(groups.length > 0 && { groups: new Set(groups).size }),
  };
}

/** The number of explained candidates per profile, spread over the queries. A histogram does not need more. */
const MOST_ROWS = 2000;
const CURVE = 'CurveScorer';

/** A curve and its inputs. */
interface ReadCurve {
  readonly points: readonly CurvePoint[];
  readonly scores: number[];
}

/** Collects the inputs of the curves of profiles from explanations. */
class CurveReadings {
  /** By profile, by scorer. */
  readonly #curves = new Map<string, Map<string, ReadCurve>>();
  readonly #rowsPerQuery: number;

  /** @param queries the number of rankings of each profile */
  constructor(queries: number) {
    this.#rowsPerQuery = Math.ceil(MOST_ROWS / Math.max(1, queries));
  }

  add(profile: string, ranking: Ranking<unknown>): void {
    const { ranked } = ranking;
    const count = Math.min(ranked.length, this.#rowsPerQuery);
    const own = this.#curves.get(profile) ?? new Map<string, ReadCurve>();
    this.#curves.set(profile, own);
    for (let k = 0; k < count; k++) {
      const { index } = ranked[Math.floor((k * ranked.length) / count)]!;
      const curves = explanationParts(ranking.explain({ index })).scorers.filter(({ unit }) => unit === CURVE);
      if (curves.length === 0) return;
      for (const { id, details } of curves) {
        addReading(own, id, nodesOfKind(details, 'note').findLast(({ data }) => isCurveNote(data))?.data);
      }
    }
  }

  /** The curves in the order of profiles and scorers. */
  reported(): readonly ReportedCurve[] {
    return [...this.#curves].flatMap(([profile, own]) =>
      Array.from(own, ([scorer, { points, scores }]) => ({
        profile,
        scorer,
        points,
        histogram: histogramOf(points, scores),
      })),
    );
  }
}

/** The data of a curve's note. It is missing for candidates on which the scorer abstains. */
interface CurveNote {
  readonly x: number;
  readonly curve: { readonly points: readonly CurvePoint[] };
}

const isCurveNote = (data: unknown): data is CurveNote =>
  typeof data === 'object' && data !== null && 'x' in data && 'curve' in data;

function addReading(curves: Map<string, ReadCurve>, id: string, note: unknown): void {
  if (!isCurveNote(note)) return;
  const { x, curve } = note;
  const read = curves.get(id) ?? { points: curve.points, scores: [] };
  read.scores.push(x);
  curves.set(id, read);
}
