import { createCompiledProfile, effectiveProfile } from '../../container.js';
import { checkQueries } from '../../evaluate/check-queries.js';
import type { JudgedQuery } from '../../evaluate/judged-query.js';
import { Pipeline } from '../../pipeline.js';
import { hasRelativeWeights, type Profile, type ProfileSource } from '../../profile/index.js';
import { type CurveInput, curveInput } from '../curves/curve-input.js';
import { Effort } from '../effort.js';
import { Fitter } from '../model/fitter.js';
import { checkLearnable, isPooled, type LearntFrom, tellingQueries } from './learnable.js';
import { gainOf, lessonsOf } from '../model/lessons.js';
import type { Model } from '../model/model.js';
import { type Effective, writtenEntry } from '../params/written-entry.js';
import { type RankedQueries, rankQueries } from '../queries/ranked-queries.js';
import { type LeftAlone, tunedEntries } from './tuned-entries.js';
import type { TuneOptions } from '../tune-options.js';
import { type DividedUnits, dividedUnits } from './units.js';
import { type Tuned, Weighing } from '../model/weighing.js';
import { AUC, type Yardstick, yardstick } from '../queries/yardstick.js';

/** Everything that a search needs: what was ranked, what is looked for, by which measure, within which budget. */
export interface Search<T> {
  readonly profile: Profile;
  /** The same as one file. */
  readonly effective: Effective;
  readonly effort: Effort;
  readonly ranked: RankedQueries<T>;
  readonly relevantFrom: number;
  readonly judge: Yardstick;
  /** By each way to divide the data; the first decides. */
  readonly divisions: readonly [DividedUnits, ...DividedUnits[]];
  readonly learntFrom: LearntFrom;
  readonly tuned: Tuned;
  readonly left: readonly LeftAlone[];
  /** The weights of the profile. */
  readonly before: Model;
  readonly weighing: Weighing;
  /** By tuned scorer: what its curve is read at, if its entry is a curve that is fitted again. */
  readonly inputs: readonly (CurveInput | undefined)[];
  readonly fitter: Fitter;
}

/** Opens the profile, and ranks every query once. */
export async function prepareSearch<T>(
  source: ProfileSource,
  given: Iterable<JudgedQuery<T>>,
  options: TuneOptions,
): Promise<Search<T>> {
  const effort = new Effort(options);
  const all = checkQueries(given);
  const pooled = isPooled(options.measure, all);
  const queries = pooled ? all : tellingQueries(all);
  const compiled = await createCompiledProfile(source, options.pipeline);
  const { profile } = compiled.plan;
  const effective = await effectiveProfile(source, options.pipeline);
  const entries = tunedEntries(profile, options);
  const ranked = await rankQueries(new Pipeline<T>(compiled), queries, effort);
  const leftOut = all.length - queries.length;
  const search = searchOver({ profile, effective, effort, ranked, ...entries, leftOut }, pooled, options);
  checkLearnable(ranked, pooled, search.relevantFrom, search.divisions[0]);
  return search;
}

/** What a search starts from. */
type Opened<T> = Pick<Search<T>, 'profile' | 'effective' | 'effort' | 'ranked' | 'tuned' | 'left'> & {
  readonly leftOut: number;
};

/** The same search where the profile's params are other ones: over the rankings by them. */
export const searchAgain = <T>(
  { profile, effort, tuned, left, learntFrom: { leftOut }, judge }: Search<T>,
  effective: Effective,
  ranked: RankedQueries<T>,
  options: TuneOptions,
): Search<T> => searchOver({ profile, effective, effort, ranked, tuned, left, leftOut }, judge.pooled, options);

/** Reads the columns of what was ranked. */
function searchOver<T>({ leftOut, ...opened }: Opened<T>, pooled: boolean, options: TuneOptions): Search<T> {
  const { profile, effective, effort, ranked, tuned } = opened;
  const { relevantFrom = 1, measure = pooled ? AUC : 'nDCG@10' } = options;
  const judge = yardstick(measure, relevantFrom, ranked);
  const divisions = dividedUnits(ranked, judge.pooled, options);
  const learntFrom = { queries: ranked.queries.length, leftOut, candidates: ranked.grades.length };
  const loss = options.loss ?? (judge.pooled ? 'labels' : 'lists');
  const groups = judge.pooled && loss !== 'labels' ? divisions.at(-1)!.rowGroups : undefined;
  const lessons = lessonsOf(ranked, loss, gainOf(judge.name), relevantFrom, groups);
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
    sum: start.reduce((total, one) => total + Math.abs(one), 0) || (hasRelativeWeights(profile.combine) ? 1 : 0),
    loss,
  };
  const fitter = new Fitter(wanted, weighing, lessons, judge, () => effort.isSpent);
  return { ...opened, relevantFrom, judge, divisions, learntFrom, before, weighing, inputs, fitter };
}

/** The weights that are tuned, as the profile has them. */
function startOf({ weights }: Profile, { entries, case: name }: Tuned): readonly number[] {
  const byId = name === undefined ? undefined : weights?.cases.get(name);
  return entries.map(({ id, weight }) => byId?.get(id) ?? (typeof weight === 'number' ? weight : 0));
}
