import { didYouMean, type Problem, type ProfileOrPipeline, toAssizeError } from 'assize';
import { combineFacts, effectiveProfile, nameList, openPipeline, openProfile, type Profile } from 'assize/internal';
import {
  addsLogarithms,
  hasRelativeWeights,
  type ScorerEntry,
  type Model,
  type Tuned,
  Weighing,
} from './model/weighing.js';
import { checkQueries, isRankable, type JudgedQuery } from '../judged-query.js';
import { type CurveInput, curveInput } from './curves.js';
import { type Fold, foldsOf, givenFolds, type Units } from './model/choose-setting.js';
import { Fitter } from './model/fitter.js';
import { gainOf, trainingTargets } from './model/shaped-problem.js';
import { AUC, TAU, isCorrelation, isMeasurable, labelledMeasure } from './labelled-gain.js';
import { type RankedQueries, rankQueries, type Objective, objective } from './ranked-queries.js';
import { type Effective, Effort, type TuneOptions, writtenEntry } from './tune-options.js';

/** The state of a search: rankings, tuned weights, measure, folds and budget. */
export interface Search<T> {
  readonly profile: Profile;
  /** The profile as plain data, with everything that it extends. */
  readonly effective: Effective;
  readonly effort: Effort;
  readonly ranked: RankedQueries<T>;
  readonly relevantFrom: number;
  readonly judge: Objective;
  /** The ways to divide the data into folds. The first one decides. */
  readonly divisions: readonly [DividedUnits, ...DividedUnits[]];
  readonly learntFrom: LearntFrom;
  readonly tuned: Tuned;
  readonly left: readonly LeftAlone[];
  /** The initial model: the weights and curves of the profile. */
  readonly before: Model;
  readonly weighing: Weighing;
  /** By tuned scorer: the input of its curve, if the entry is a curve that is fitted again. */
  readonly inputs: readonly (CurveInput | undefined)[];
  readonly fitter: Fitter;
}

/** Opens the profile and ranks every query once. */
export async function prepareSearch<T>(
  given: ProfileOrPipeline<T>,
  judged: Iterable<JudgedQuery<T>>,
  options: TuneOptions,
): Promise<Search<T>> {
  const effort = new Effort(options);
  const all = checkQueries(judged);
  const measure = options.measure ?? defaultMeasure(all);
  const queries = labelledMeasure(measure, all) === undefined ? rankableQueries(all) : all;
  const pipeline = await openPipeline<T>(given, options.pipeline);
  const { compiled, profile: source, options: own } = await openProfile(pipeline);
  const { profile } = compiled.plan;
  const effective = await effectiveProfile(source, own);
  const entries = tunedEntries(profile, options);
  const ranked = await rankQueries(pipeline, queries, effort);
  const notSelected = all.length - queries.length;
  const search = searchOver({ profile, effective, effort, ranked, ...entries, notSelected }, measure, options);
  checkLearnable(search);
  return search;
}

type Opened<T> = Pick<Search<T>, 'profile' | 'effective' | 'effort' | 'ranked' | 'tuned' | 'left'> & {
  readonly notSelected: number;
};

/** The search with other params of the profile, over the rankings with these params. */
export const searchAgain = <T>(
  { profile, effort, tuned, left, learntFrom: { notSelected }, judge }: Search<T>,
  effective: Effective,
  ranked: RankedQueries<T>,
  options: TuneOptions,
): Search<T> => searchOver({ profile, effective, effort, ranked, tuned, left, notSelected }, judge.name, options);

function searchOver<T>({ notSelected, ...opened }: Opened<T>, measure: string, options: TuneOptions): Search<T> {
  const { profile, effective, effort, ranked, tuned } = opened;
  const { relevantFrom = 1 } = options;
  const judge = objective(measure, relevantFrom, ranked);
  const divisions = dividedUnits(ranked, judge.pooled, options);
  const learntFrom = { queries: ranked.queries.length, notSelected, candidates: ranked.grades.length };
  const isGraded = judge.pooled && isCorrelation(judge.name);
  const loss = options.loss ?? (judge.pooled && !isGraded ? 'labels' : 'lists');
  const groups = judge.pooled && !isGraded && loss !== 'labels' ? divisions.at(-1)!.rowGroups : undefined;
  const gain = isGraded ? 'order' : gainOf(judge.name);
  const targets = trainingTargets(ranked, loss, gain, relevantFrom, groups);
  const curved = tuned.entries.map(({ id }) => options.curves !== undefined && (options.curved?.includes(id) ?? true));
  const inputs = tuned.entries.map(({ id }, k) =>
    curved[k] ? curveInput(writtenEntry(effective, id), ranked, profile) : undefined,
  );
  const weighing = new Weighing(profile, tuned, ranked, inputs);
  const start = startOf(profile, tuned);
  const before = start.map((weight, k) => ({ weight, points: inputs[k]?.points }));
  const wanted = {
    before,
    signed: options.signed ?? false,
    curved,
    anyShape: options.anyShape ?? false,
    sum: start.reduce((total, one) => total + Math.abs(one), 0) || (hasRelativeWeights(profile) ? 1 : 0),
    loss,
  };
  const fitter = new Fitter(wanted, weighing, targets, judge, () => effort.isSpent);
  return { ...opened, relevantFrom, judge, divisions, learntFrom, before, weighing, inputs, fitter };
}

/** The initial values of the tuned weights. */
function startOf({ weights }: Profile, { entries, case: name }: Tuned): readonly number[] {
  const byId = name === undefined ? undefined : weights?.cases.get(name);
  return entries.map(({ id, weight }) => byId?.get(id) ?? (typeof weight === 'number' ? weight : 0));
}

/** A scorer whose weight is not tuned. */
export interface LeftAlone {
  readonly id: string;
  readonly because: string;
}

/**
 * Divides the scorers into tuned and untuned ones.
 *
 * @throws AssizeError if the combine uses no weights (ASZ550), an option names an unknown scorer or case (ASZ551),
 *   negative weights are requested for a mean (ASZ552), nothing is left to tune (ASZ553), or curves are requested for a
 *   geometric mean (ASZ555)
 */
export function tunedEntries(
  profile: Profile,
  options: Pick<TuneOptions, 'only' | 'case' | 'signed' | 'curves' | 'curved'>,
): { readonly tuned: Tuned; readonly left: readonly LeftAlone[] } {
  const { name, combine, scorers } = profile;
  const facts = combineFacts(combine);
  if (facts.weights === 'none')
    throw problem(
      'ASZ550',
      `profile ${name} combines by ${facts.label}, which does not use weights: there is nothing to tune`,
    );
  if (options.signed === true && facts.weights === 'relative') {
    const curves = canFitCurves(profile) ? ', or fit curves: a falling curve has the effect of a negative weight' : '';
    throw problem('ASZ552', `a ${facts.label} does not support negative weights`, `combine by weighted_sum${curves}`);
  }
  if (options.curves !== undefined && !canFitCurves(profile)) {
    const hint = 'combine by weighted_mean, or tune without curves';
    throw problem('ASZ555', `profile ${name} combines by ${facts.label}, which does not support fitting curves`, hint);
  }
  const ids = scorers.map(({ id }) => id);
  const unknown = [...(options.only ?? []), ...(options.curved ?? [])].find((id) => !ids.includes(id));
  if (unknown !== undefined) {
    throw problem(
      'ASZ551',
      `the profile has no scorer ${unknown}`,
      didYouMean(unknown, ids, `the scorers are ${nameList(ids)}`),
    );
  }
  const byId = caseOf(profile, options.case);
  const isTuned = (entry: ScorerEntry): boolean => reasonToLeave(entry, options.only, byId) === undefined;
  const entries = scorers.filter(isTuned);
  if (entries.length === 0) throw problem('ASZ553', `profile ${name} has no scorer with a tunable weight`);
  const left = scorers.flatMap((entry) => {
    const because = reasonToLeave(entry, options.only, byId);
    return because === undefined ? [] : [{ id: entry.id, because }];
  });
  return { tuned: { entries, case: options.case }, left };
}

/**
 * Whether curves can be fitted. The search adds the heights of curves; a geometric mean adds the logarithms of its scores,
 * and the logarithm of a curve is not linear in its heights.
 */
export const canFitCurves = (profile: Profile): boolean => !addsLogarithms(profile);

function reasonToLeave(
  { id, weight }: ScorerEntry,
  only: readonly string[] | undefined,
  byId: ReadonlyMap<string, number> | undefined,
): string | undefined {
  if (byId ? !byId.has(id) : typeof weight !== 'number') {
    return byId ? 'the case has no weight for it' : 'its weight is an expression';
  }
  return only && !only.includes(id) ? 'it was not selected for tuning' : undefined;
}

function caseOf({ name, weights }: Profile, wanted: string | undefined): ReadonlyMap<string, number> | undefined {
  if (wanted === undefined) return undefined;
  const byId = weights?.cases.get(wanted);
  if (byId) return byId;
  const cases = [...(weights?.cases.keys() ?? [])];
  const hint =
    cases.length > 0 ? didYouMean(wanted, cases, `the cases are ${nameList(cases)}`) : 'it has no weights by case';
  throw problem('ASZ551', `profile ${name} has no case ${wanted}`, hint);
}

const problem = (code: Problem['code'], message: string, hint?: string): Error =>
  toAssizeError([{ code, message, hint }]);

/** The size of the tuning data. */
export interface LearntFrom {
  /** Queries whose candidates have different grades. */
  readonly queries: number;
  /** The number of skipped queries: all their candidates have the same grade, so every order is equally good. */
  readonly notSelected: number;
  /** The candidates of these queries that the profile does not refuse. */
  readonly candidates: number;
}

/** A single query cannot be divided into folds, so the default measure then compares all of its rows. */
function defaultMeasure([first, ...others]: readonly JudgedQuery[]): string {
  if (!first || others.length > 0) return 'nDCG@10';
  return first.grades.every((grade) => grade === undefined || grade === 0 || grade === 1) ? AUC : TAU;
}

/**
 * The queries whose candidates have different grades.
 *
 * @throws AssizeError (ASZ554) if there are none
 */
function rankableQueries<T>(queries: readonly JudgedQuery<T>[]): readonly JudgedQuery<T>[] {
  const rankable = queries.filter(isRankable);
  if (rankable.length > 0) return rankable;
  const which = queries.length === 1 ? 'the only query has no' : `none of the ${queries.length} queries has`;
  throw nothing(`${which} candidates with different grades`);
}

/** @throws AssizeError (ASZ554) if the ranked data is empty, has one class only, or cannot be divided */
function checkLearnable<T>({ ranked: { grades }, judge, relevantFrom, divisions }: Search<T>): void {
  const [{ groups, by }] = divisions;
  if (!grades.some((grade) => !Number.isNaN(grade)))
    throw nothing('the profile refuses every judged candidate', 'run assize explain to see why');
  const judged = Array.from(grades).filter((grade) => !Number.isNaN(grade));
  const positive = judged.map((grade) => grade >= relevantFrom);
  if (judge.pooled && !isMeasurable(judge.name, { positive, grades: judged })) {
    const positives = positive.filter(Boolean).length;
    throw nothing(
      isCorrelation(judge.name)
        ? `${judge.name} needs candidates with different grades`
        : `${judge.name} needs candidates of two classes; ${positives} have a grade of at least ${relevantFrom}, ${judged.length - positives} a lower one`,
    );
  }
  if (new Set(groups).size >= 2) return;
  throw nothing(
    `there is only one ${by}, and held-out evaluation needs at least two`,
    judge.pooled
      ? 'give more data, or use other groups'
      : 'to compare all candidates, omit --measure; if they belong to several queries, name their field: --group PATH',
  );
}

const nothing = (message: string, hint?: string): Error => toAssizeError([{ code: 'ASZ554', message, hint }]);

/** Units with one way to divide them into folds. Units are queries, or judged rows for a measure without queries. */
export interface DividedUnits extends Units {
  /** The unit that is not split, as named in reports: `query`, `candidate`, or the path of the folds or groups. */
  readonly by: string;
  /** The group of each row. */
  readonly rowGroups: readonly string[];
  /** The folds of one division. */
  readonly foldsOf: (seed: number) => readonly Fold[];
  /** Whether another seed gives other folds. */
  readonly isRandom: boolean;
}

/** Queries or rows with their groups. */
interface Divisible extends Pick<DividedUnits, 'groups' | 'rowGroups' | 'rowsOf'> {
  /** The fold of each unit, if the data defines folds. */
  readonly folds: readonly string[] | undefined;
}

/** The divisions of the units: by the folds of the data if it has folds, and by groups. */
function dividedUnits(
  ranked: RankedQueries<unknown>,
  pooled: boolean,
  { folds: count = 5, names = {} }: Pick<TuneOptions, 'folds' | 'names'>,
): readonly [DividedUnits, ...DividedUnits[]] {
  const { folds, ...units } = pooled ? rowUnits(ranked) : queryUnits(ranked);
  const hasGroups = ranked.queries.some(({ group, candidateGroups }) => group ?? candidateGroups);
  const alone = pooled && ranked.queries.length === 1 ? 'candidate' : 'query';
  const byGroup: DividedUnits = {
    ...units,
    by: hasGroups ? (names.group ?? 'group') : alone,
    foldsOf: (seed) => foldsOf(units.groups, count, seed),
    isRandom: true,
  };
  if (!folds) return [byGroup];
  const given = givenFolds(folds);
  return [{ ...units, by: names.fold ?? 'fold', foldsOf: () => given, isRandom: false }, byGroup];
}

function queryUnits({ queries, starts }: RankedQueries<unknown>): Divisible {
  const groups = queries.map(({ group, id }) => group ?? id);
  const rows = (q: number): number[] => Array.from({ length: starts[q + 1]! - starts[q]! }, (_, k) => starts[q]! + k);
  return {
    groups,
    folds: queries.some(({ fold }) => fold !== undefined) ? queries.map(({ fold = '' }) => fold) : undefined,
    rowGroups: groups.flatMap((group, q) => rows(q).map(() => group)),
    rowsOf: (units) => Int32Array.from(Array.from(units).flatMap(rows)),
  };
}

/** Rows as units. Without groups in the data, a row of a single query is its own group; else the query is the group. */
function rowUnits({ queries, rankings, grades }: RankedQueries<unknown>): Divisible {
  const byRow = (of: (query: JudgedQuery, index: number) => string): string[] =>
    rankings.flatMap(({ matrix }, q) => Array.from(matrix.index, (index) => of(queries[q]!, index)));
  const one = queries.length === 1;
  const rowGroups = byRow(
    ({ candidateGroups, group, id }, index) => candidateGroups?.[index] ?? group ?? (one ? `${index}` : id),
  );
  const judged = Int32Array.from(grades.keys()).filter((row) => !Number.isNaN(grades[row]!));
  const hasFolds = queries.some(({ fold, candidateFolds }) => fold ?? candidateFolds);
  const rowFolds = byRow(({ candidateFolds, fold = '' }, index) => candidateFolds?.[index] ?? fold);
  const ofJudged = (values: readonly string[]): readonly string[] => Array.from(judged, (row) => values[row]!);
  return {
    groups: ofJudged(rowGroups),
    folds: hasFolds ? ofJudged(rowFolds) : undefined,
    rowGroups,
    rowsOf: (units) => units.map((unit) => judged[unit]!),
  };
}
