import { GroupKeys } from '../../data/index.js';
import { AssizeError, checkOptions, count, counted, didYouMean, toAssizeError } from '../../base/index.js';
import {
  checkDates,
  type CompiledProfile,
  mergeOverrides,
  NEVER,
  OVERRIDE_OPTIONS,
  overridePlan,
  type Plan,
} from '../../engine/index.js';
import { hasMemory, entriesNeedingAll } from '../../profile/index.js';
import {
  type GroupBatch,
  openStreamRun,
  type PartitionContext,
  Pipeline,
  rankPartitionChunks,
  type RankStreamOptions,
  type StreamRun,
} from '../../pipeline/index.js';
import { openProfile, PIPELINE_OPTIONS, type PipelineOptions, type ProfileOrPipeline } from '../../pipeline/node.js';
import { parsePath } from '../../expression/index.js';
import type { Context, Progress } from '../../sdk/index.js';
import { fail, Untranslatable } from './dialect.js';
import type { SqlEngine } from './engines/engine.js';
import { GroupColumns } from './group-columns.js';
import type { GroupedRelation } from './group-judgement.js';
import { type GroupRanking, GroupRanker } from './group-ranker.js';
import { allGroupedRows, factsOf, factsStatement, type GroupFacts } from './group-statement.js';
import { dateFields } from './prefilter-rows.js';
import { reasonOf } from './rank-with.js';
import { obstacleOf } from './statement.js';

/** The options of `rankGroupsWith`. Limits, weights and the budget apply to each group. */
export interface RankGroupsWithOptions extends RankStreamOptions, PipelineOptions {
  /** The field that names a row's group, as a path. */
  readonly by: string;
}

/** How the groups of one database are ranked. */
export interface GroupsRun extends RankStreamOptions {
  readonly by: string;
  /** A function if it differs between groups: the process then ranks all rows. */
  readonly context: PartitionContext<object>;
  /** Why the process must rank all rows, if the caller knows a reason. */
  readonly reason?: string | undefined;
  readonly progress?: Progress | undefined;
  /**
   * The number of groups to rank one by one, because their rankings have warnings. Later ones are ranked together if the
   * profile and the engine allow it. By default, each group is ranked on its own.
   */
  readonly single?: number | undefined;
  /** Receives how the groups are ranked, a line each. */
  readonly notice?: (text: string) => void;
}

/**
 * Ranks each group of the rows of a database or of files, in the order of the groups' first rows. The rows of a group
 * need not be adjacent. One statement returns the rows that may be selected in their groups; the process evaluates
 * them. Selection, ranks, scores and counts are those of `rankPartitions` for the same rows, to the bit.
 *
 * ```ts
 * const engine = await duckDbEngine(['candidates.parquet']);
 * for await (const { group, ranking } of rankGroupsWith('./shop.yaml', engine, {}, { by: 'query_id', top: 10 })) …
 * ```
 *
 * @throws AssizeError as `rankPartitions` does, and as the engine does; if no row has a group (ASZ541)
 */
export async function* rankGroupsWith(
  profile: ProfileOrPipeline<object>,
  engine: SqlEngine,
  context: Context,
  options: RankGroupsWithOptions,
): AsyncGenerator<GroupRanking, void> {
  checkOptions('rankGroupsWith', options, {
    ...PIPELINE_OPTIONS,
    ...OVERRIDE_OPTIONS,
    budget: 'anything',
    signal: 'signal',
    by: 'string',
  });
  const { compiled } = await openProfile(profile, options);
  for await (const one of rankCompiledGroups(engine, compiled, { ...options, context }))
    if ('ranking' in one) yield one;
}

/** `rankGroupsWith` with a compiled profile. */
export async function* rankCompiledGroups(
  engine: SqlEngine,
  compiled: CompiledProfile,
  options: GroupsRun,
): AsyncGenerator<GroupRanking | GroupBatch, void> {
  const { by, context, signal = NEVER, notice = () => {} } = options;
  const plan = overridePlan(compiled.plan, options);
  const relation = await engine.relation();
  checkDates(plan.profile, dateFields(plan.profile, relation));
  const grouped = { dialect: engine.dialect, relation, by };
  const facts = await groupFacts(engine, grouped, signal);
  const done = new GroupKeys();
  let why = typeof facts === 'string' ? facts : (options.reason ?? obstacleOfGroups(plan, context));
  if (typeof facts !== 'string' && why === undefined && typeof context !== 'function') {
    const run = await openStreamRun(plan, context, signal);
    try {
      why = yield* rankPrefiltered(engine, run, grouped, facts, options, done);
      if (why === undefined) return;
    } catch (error) {
      signal.throwIfAborted();
      why = reasonOf(engine, error);
    }
  }
  notice(`the process ranks all rows of every group: ${why}`);
  const all = allRows(engine, grouped, facts, options);
  try {
    for await (const one of rankPartitionChunks(new Pipeline<object>(compiled), all, context, limitsOf(options)))
      if ('ranking' in one && done.add(one.group)) yield one;
  } catch (error) {
    // Only if SQL cannot group the rows: `--sort` and an engine exclude each other.
    if (!(error instanceof AssizeError) || error.code !== 'ASZ536') throw error;
    const hint = `convert ${by} to texts, or rank without the engine, with --sort`;
    throw toAssizeError(error.problems.map((one) => ({ ...one, hint })));
  }
}

/** Ranks from the rows that statements return. Returns a text if SQL decides nothing: the reason. */
async function* rankPrefiltered(
  engine: SqlEngine,
  run: StreamRun,
  grouped: GroupedRelation,
  facts: GroupFacts,
  options: GroupsRun,
  done: GroupKeys,
): AsyncGenerator<GroupRanking | GroupBatch, string | undefined> {
  const { single = Infinity } = options;
  const together = await GroupColumns.open(engine, run, grouped, facts, single === Infinity, options);
  if (together) {
    report(together.notices, options);
    try {
      for await (const one of together.rank(single)) {
        for (const group of 'ranking' in one ? [one.group] : one.groups) done.add(group);
        yield one;
      }
      reportEvaluated(together, facts, options);
      return undefined;
    } catch {
      // An entry failed on a row, for example. Each group is ranked on its own, which reports the failure.
      run.abort.throwIfAborted();
    }
  }
  const ranker = await GroupRanker.open(engine, run, grouped, facts, options);
  if (typeof ranker === 'string') return ranker;
  if (!together) report(ranker.notices, options);
  for await (const one of ranker.rank()) if (done.add(one.group)) yield one;
  reportEvaluated(ranker, facts, options);
  return undefined;
}

function report(texts: readonly string[], { notice = () => {} }: GroupsRun): void {
  for (const text of texts) notice(text);
}

/** Reports how many rows the process evaluated, if SQL does not evaluate the whole profile. */
function reportEvaluated(
  { notices, evaluated }: Pick<GroupRanker, 'notices' | 'evaluated'>,
  { rows }: GroupFacts,
  options: GroupsRun,
): void {
  if (notices.length === 0) return;
  report([`the process evaluated ${count(evaluated)} of ${counted(rows, 'row')}`], options);
}

const limitsOf = ({ by, budget, signal = NEVER, ...overrides }: GroupsRun) => ({
  ...mergeOverrides({}, overrides),
  by,
  budget,
  signal,
});

/** Counts groups. Returns a text if SQL cannot group the rows: the reason. */
async function groupFacts(
  engine: SqlEngine,
  grouped: GroupedRelation,
  signal: AbortSignal,
): Promise<GroupFacts | string> {
  const { by, relation } = grouped;
  let facts: GroupFacts;
  try {
    facts = factsOf(await engine.sieve(factsStatement(grouped), signal));
  } catch (error) {
    signal.throwIfAborted();
    return error instanceof Untranslatable ? `the group ${by}: ${error.message}` : reasonOf(engine, error);
  }
  const { rows, named, uncertain } = facts;
  if (uncertain > 0) return `SQL cannot compare ${by} of ${uncertain} rows`;
  if (rows === 0 || named > 0) return facts;
  const [first] = parsePath(by);
  const isColumn = first?.kind === 'key' && relation.column(first.key) !== undefined;
  const hint = isColumn ? undefined : didYouMean(by, relation.names ?? [], 'write the field as the rows have it');
  return fail('ASZ541', `the group is ${by}, of which no row of ${engine.subject} has a value`, hint);
}

/** Why SQL cannot select rows group by group; undefined if it can. */
function obstacleOfGroups({ profile }: Plan, context: GroupsRun['context']): string | undefined {
  if (typeof context === 'function') return 'the context differs between groups';
  const memory = entriesNeedingAll(profile).find(({ use }) => hasMemory(use));
  return memory ? `${memory.id} has a memory of earlier candidates` : obstacleOf(profile);
}

/** All rows, those of a group adjacent if SQL can group them. */
async function* allRows(
  engine: SqlEngine,
  grouped: GroupedRelation,
  facts: GroupFacts | string,
  { signal, progress }: GroupsRun,
): AsyncGenerator<readonly object[], void> {
  const { relation } = grouped;
  if (typeof facts === 'string' || facts.areAdjacent) yield* engine.candidates(relation, progress);
  else
    for await (const rows of engine.stream(allGroupedRows(grouped), signal))
      yield rows.map(({ cells }) => relation.decode(cells ?? ''));
}
