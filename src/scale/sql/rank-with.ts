import { openProfile, PIPELINE_OPTIONS, type PipelineOptions, type ProfileOrPipeline } from '../../pipeline/node.js';
import { type DateFacts, keepDateFacts } from '../../data/index.js';
import type { Context } from '../../sdk/index.js';
import { checkOptions, AssizeError, toError } from '../../base/index.js';
import {
  mergeOverrides,
  OVERRIDE_OPTIONS,
  overridePlan,
  checkDates,
  type CompiledProfile,
  budgetOf,
  NEVER,
} from '../../engine/index.js';
import {
  Pipeline,
  rankChunks,
  type RankStreamOptions,
  openStreamRun,
  retainedCount,
  type StreamRun,
  type TopRanking,
  topOfRanking,
} from '../../pipeline/index.js';
import type { SqlEngine } from './engines/engine.js';
import {
  AbsentFields,
  countInfiniteDates,
  dateFields,
  type PrefilterRow,
  sortPrefilterRows,
} from './prefilter-rows.js';
import { findExtremes } from './extremes.js';
import { finishRows, firstPromising, GROWTH } from './finish.js';
import type { Relation } from './relation.js';
import { idleReason, obstacleOf, setReason, translateRun, untranslatedNotices } from './statement.js';

/** The options of `rankWith`. */
export interface RankWithOptions extends RankStreamOptions, PipelineOptions {}

/** The options of one ranking in a database, with its context. */
interface EngineRun extends RankWithOptions {
  readonly context?: Context;
}

/**
 * Ranks the rows of a database or of files. One statement refuses rows and scores them approximately. The process
 * evaluates the rows that may be selected and those that SQL is uncertain about. Selection, ranks, scores and refusal
 * counts are the same as those of `rank` and `rankStream`, to the bit.
 *
 * ```ts
 * const engine = await duckDbEngine(['films.parquet']);
 * const { selected, counts } = await rankWith('./films.yaml', engine, {}, { top: 10 });
 * ```
 *
 * The process evaluates every part of the profile that SQL cannot. `notices` names each part, with the reason.
 *
 * @throws AssizeError as `rankStream` does, and as the engine does
 */
export async function rankWith(
  profile: ProfileOrPipeline<object>,
  engine: SqlEngine,
  context: Context = {},
  options: RankWithOptions = {},
): Promise<TopRanking<object>> {
  checkOptions('rankWith', options, {
    ...PIPELINE_OPTIONS,
    ...OVERRIDE_OPTIONS,
    budget: 'anything',
    signal: 'signal',
  });
  const { compiled } = await openProfile(profile, options);
  return rankCompiledWith(engine, compiled, { ...options, context });
}

/** `rankWith` with a compiled profile. */
export async function rankCompiledWith(
  engine: SqlEngine,
  compiled: CompiledProfile,
  options: EngineRun,
): Promise<TopRanking<object>> {
  const { context = {}, signal = NEVER, progress } = options;
  const plan = overridePlan(compiled.plan, options);
  const obstacle = obstacleOf(plan.profile);
  const relation = await engine.relation();
  const dates = dateFields(plan.profile, relation);
  checkDates(plan.profile, dates);
  /** The infinite dates, which candidates do not contain. Queried only if the process reads all rows. */
  const dateFacts = async (): Promise<DateFacts> => {
    const ask = (sql: string): Promise<readonly PrefilterRow[]> => engine.sieve(sql, signal);
    const counts = await countInfiniteDates(plan.profile, relation, { dialect: engine.dialect, ask });
    return { fields: dates, infinite: () => counts };
  };
  if (obstacle !== undefined)
    return rankInMemory(
      engine,
      relation,
      compiled,
      options,
      `the process ranks all rows: ${obstacle}`,
      await dateFacts(),
    );
  const budget = budgetOf(plan, options.budget);
  const run = await openStreamRun(plan, context, signal);
  const found = await rankByPrefilter(engine, relation, compiled, run, options).catch((error: unknown) => {
    signal.throwIfAborted();
    return `, since ${reasonOf(engine, error)}`;
  });
  if (typeof found !== 'string') return found;
  const notice = `the process scores every row${found}`;
  // Entries that compare candidates need one set. A stream would also evaluate expensive scorers on rows that pruning
  // skips.
  if (setReason(plan.profile) !== undefined || plan.secondPhase?.how === 'prune')
    return rankInMemory(engine, relation, compiled, options, notice, await dateFacts());
  const facts = await dateFacts();
  return rankChunks(run, withDateFacts(engine.candidates(relation, progress), facts), budget, [notice]);
}

/** Ranks with statements. Returns a text if SQL decides nothing: the reason. */
async function rankByPrefilter(
  engine: SqlEngine,
  relation: Relation,
  compiled: CompiledProfile,
  run: StreamRun,
  options: EngineRun,
): Promise<TopRanking<object> | string> {
  const { plan, abort } = run;
  const { dialect } = engine;
  const ask = (sql: string): Promise<readonly PrefilterRow[]> => engine.sieve(sql, abort, options.progress);
  const isSet = setReason(plan.profile) !== undefined;
  const extremes = isSet ? await findExtremes(run, dialect, relation, ask) : undefined;
  for (let promising = firstPromising(retainedCount(plan)); ; promising *= GROWTH) {
    const prefilter = translateRun(run, dialect, relation, { promising, extremes: extremes?.numbers });
    if (prefilter.isIdle) return `: ${idleReason(prefilter)}`;
    // needs the result of the previous one
    const result = sortPrefilterRows(await ask(prefilter.sql));
    const absent = new AbsentFields(plan.profile, relation, { dialect, ask });
    // oxlint-disable-next-line no-await-in-loop
    const ranking = await finishRows(
      compiled,
      run,
      prefilter,
      { relation, result, absent, notices: untranslatedNotices(prefilter) },
      options,
      extremes,
    );
    if (ranking) return ranking;
  }
}

export const reasonOf = ({ dialect }: SqlEngine, error: unknown): string => {
  const [line] = toError(error).message.split('\n');
  return error instanceof AssizeError
    ? 'evaluating a row fails the run'
    : `the statement failed in ${dialect.name}: ${line}`;
};

/** Adds facts about the dates of all candidates to the first chunk. */
async function* withDateFacts(
  parts: AsyncIterable<readonly object[]>,
  facts: DateFacts,
): AsyncGenerator<readonly object[], void> {
  let isFirst = true;
  for await (const part of parts) {
    if (isFirst) keepDateFacts(part, facts);
    isFirst = false;
    yield part;
  }
}

async function rankInMemory(
  engine: SqlEngine,
  relation: Relation,
  compiled: CompiledProfile,
  { context = {}, budget, signal = NEVER, progress, ...options }: EngineRun,
  notice: string,
  dates: DateFacts,
): Promise<TopRanking<object>> {
  const candidates: object[] = [];
  for await (const chunk of engine.candidates(relation, progress)) {
    signal.throwIfAborted();
    for (const candidate of chunk) candidates.push(candidate);
  }
  keepDateFacts(candidates, dates);
  const ranking = await new Pipeline<object>(compiled).rank(candidates, context, {
    ...mergeOverrides({}, options),
    signal,
    budget,
  });
  return topOfRanking(ranking, [notice]);
}
