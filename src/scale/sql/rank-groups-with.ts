import { fieldReader, GroupKeys, type GroupKey, toGroupKey } from '../../data/index.js';
import {
  AssizeError,
  checkOptions,
  count,
  counted,
  didYouMean,
  isObject,
  type Problem,
  toAssizeError,
} from '../../base/index.js';
import {
  budgetOf,
  checkDates,
  type CompiledProfile,
  evaluatePart,
  executeCall,
  finish,
  chain,
  mergeOverrides,
  NEVER,
  OVERRIDE_OPTIONS,
  overridePlan,
  type Plan,
  run as runWhole,
  runAsync,
} from '../../engine/index.js';
import { hasMemory, entriesNeedingAll } from '../../profile/index.js';
import { notSelectedCounts, type RankingResult } from '../../ranking/index.js';
import {
  completePart,
  type GroupBatch,
  openStreamRun,
  type PartitionContext,
  Pipeline,
  rankPartitionChunks,
  ranksTogether,
  type RankStreamOptions,
  retainedCount,
  type StreamRun,
  type TopRanking,
} from '../../pipeline/index.js';
import { openProfile, PIPELINE_OPTIONS, type PipelineOptions, type ProfileOrPipeline } from '../../pipeline/node.js';
import { parsePath } from '../../expression/index.js';
import type { Context, Progress } from '../../sdk/index.js';
import { sharedRunOf, wholeCall } from '../parts/index.js';
import { checkVerdict, decodeChosen, type Prefiltered, rankingOfChosen, setState } from './chosen-ranking.js';
import { fail, Untranslatable } from './dialect.js';
import type { SqlEngine } from './engines/engine.js';
import {
  allGroupedRows,
  factsOf,
  factsStatement,
  type GroupedRelation,
  type GroupFacts,
  type GroupPrefilter,
  translateGroups,
} from './group-statement.js';
import { AbsentFields, type ChosenRow, dateFields, type PrefilterRow } from './prefilter-rows.js';
import { isolated } from './finish.js';
import { reasonOf } from './rank-with.js';
import { idleReason, obstacleOf, untranslatedNotices } from './statement.js';

/** The options of `rankGroupsWith`. Limits, weights and the budget apply to each group. */
export interface RankGroupsWithOptions extends RankStreamOptions, PipelineOptions {
  /** The field that names a row's group, as a path. */
  readonly by: string;
}

/** One group of rows, ranked on its own. */
export interface GroupRanking {
  /** The value that its rows have in common; null if they have none. */
  readonly group: GroupKey;
  /** Its positions count from the start of the group. Refusals have no examples. */
  readonly ranking: RankingResult<object>;
}

/** How the groups of one database are ranked. */
export interface GroupsRun extends RankStreamOptions {
  readonly by: string;
  /** A function if it differs between groups: the process then ranks all rows. */
  readonly context: PartitionContext<object>;
  /** Why the process must rank all rows, if the caller knows a reason. */
  readonly reason?: string | undefined;
  readonly progress?: Progress | undefined;
  /** Ranks the same rows by column, in this process. Used if their groups are adjacent and SQL would return many rows. */
  readonly byColumn?: (() => AsyncIterable<GroupRanking | GroupBatch>) | undefined;
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

/** If SQL returns a greater share of all rows, evaluating each as an object takes longer than all of them by column. */
const GREATEST_SHARE = 1 / 20;

/** Whether this process ranks the rows by column faster than with a statement. */
const isFasterByColumn = (
  plan: Plan,
  { rows, groups, areAdjacent }: GroupFacts,
  context: GroupsRun['context'],
): boolean =>
  areAdjacent &&
  typeof context !== 'function' &&
  ranksTogether(plan) &&
  Math.min(rows, groups * retainedCount(plan)) > rows * GREATEST_SHARE;

/** `rankGroupsWith` with a compiled profile. */
export async function* rankCompiledGroups(
  engine: SqlEngine,
  compiled: CompiledProfile,
  options: GroupsRun,
): AsyncGenerator<GroupRanking | GroupBatch, void> {
  const { by, context, signal = NEVER, byColumn, notice = () => {} } = options;
  const plan = overridePlan(compiled.plan, options);
  const relation = await engine.relation();
  checkDates(plan.profile, dateFields(plan.profile, relation));
  const grouped = { dialect: engine.dialect, relation, by };
  const facts = await groupFacts(engine, grouped, signal);
  if (byColumn && typeof facts !== 'string' && isFasterByColumn(plan, facts, context)) {
    notice('this process ranks the groups without the engine, which is faster for many groups of adjacent rows');
    yield* byColumn();
    return;
  }
  const done = new GroupKeys();
  let why = typeof facts === 'string' ? facts : (options.reason ?? obstacleOfGroups(plan, context));
  if (typeof facts !== 'string' && why === undefined && typeof context !== 'function') {
    try {
      const ranker = await GroupRanker.open(engine, plan, grouped, facts, { ...options, context });
      if (typeof ranker !== 'string') {
        for (const text of ranker.notices) notice(text);
        for await (const one of ranker.rank()) {
          done.add(one.group);
          yield one;
        }
        if (ranker.notices.length > 0)
          notice(`the process evaluated ${count(ranker.evaluated)} of ${counted(facts.rows, 'row')}`);
        return;
      }
      why = ranker;
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

/** The rows that a statement returned for one group. */
interface ReturnedGroup {
  readonly chosen: ChosenRow[];
  readonly counts: Map<number, number>;
  below: number;
}

/** Ranks groups from the rows of one statement. */
class GroupRanker {
  #evaluated = 0;

  private constructor(
    private readonly engine: SqlEngine,
    private readonly run: StreamRun,
    private readonly grouped: GroupedRelation,
    private readonly prefilter: GroupPrefilter,
    private readonly absent: readonly Problem[],
    private readonly options: GroupsRun,
  ) {}

  /** Returns a text if SQL decides nothing: the reason. */
  static async open(
    engine: SqlEngine,
    plan: Plan,
    grouped: GroupedRelation,
    facts: GroupFacts,
    options: GroupsRun & { readonly context: Context },
  ): Promise<GroupRanker | string> {
    const { signal = NEVER } = options;
    const run = await openStreamRun(plan, options.context, signal);
    const prefilter = translateGroups(run, grouped, facts.areAdjacent);
    if (prefilter.isIdle) return idleReason(prefilter);
    const ask = (sql: string): Promise<readonly PrefilterRow[]> => engine.sieve(sql, signal);
    const absent = new AbsentFields(plan.profile, grouped.relation, { dialect: engine.dialect, ask });
    return new GroupRanker(engine, run, grouped, prefilter, await absent.warnings(), options);
  }

  /** The parts of the profile that the process evaluates, with the reasons. */
  get notices(): readonly string[] {
    return untranslatedNotices(this.prefilter);
  }

  /** The number of rows that the process has evaluated. */
  get evaluated(): number {
    return this.#evaluated;
  }

  async *rank(): AsyncGenerator<GroupRanking, void> {
    const { engine, prefilter, options } = this;
    const keyOf = fieldReader(this.grouped.by);
    let group: ReturnedGroup | undefined;
    for await (const rows of engine.stream(prefilter.sql, options.signal)) {
      for (const { part, pos, verdict, many, cells } of rows) {
        if (part === 'row' && pos === 0) {
          if (group) yield await this.#rankGroup(group, keyOf);
          group = { chosen: [], counts: new Map(), below: 0 };
        }
        if (part === 'row') group?.chosen.push({ pos, verdict, cells: cells ?? '' });
        else if (part === 'below' && group) group.below = many;
        else group?.counts.set(verdict, many);
      }
    }
    if (group) yield await this.#rankGroup(group, keyOf);
  }

  async #rankGroup(
    { chosen, counts, below }: ReturnedGroup,
    keyOf: ReturnType<typeof fieldReader>,
  ): Promise<GroupRanking> {
    const { absent } = this;
    const result = { counts, below, chosen, next: -Infinity, fingerprint: undefined };
    const prefiltered: Prefiltered = {
      relation: this.grouped.relation,
      result,
      absent: { add: () => {}, warnings: async () => absent },
      notices: [],
    };
    const candidates = decodeChosen(prefiltered);
    this.#evaluated += candidates.length;
    const key = toGroupKey(keyOf(candidates)(0));
    if (isObject(key) && 'invalid' in key) throw toAssizeError([{ code: 'ASZ502', message: key.invalid }]);
    const ranking = await (this.prefilter.asSet
      ? this.#rankSet(prefiltered, candidates)
      : this.#rankScored(prefiltered, candidates));
    return { group: key, ranking };
  }

  /** Ranks rows of which SQL has left out only rows that are not among the best. */
  async #rankScored(prefiltered: Prefiltered, candidates: readonly object[]): Promise<TopRanking<object>> {
    const { plan } = this.run;
    const run = isolated(this.run);
    const state = setState(run, candidates, budgetOf(plan, this.options.budget));
    const retained = await completePart(run, () => chain(evaluatePart(state), () => finish(state)));
    for (const [position, row] of prefiltered.result.chosen.entries())
      checkVerdict(plan, row, retained.verdicts[position]!);
    return rankingOfChosen(plan, prefiltered, retained);
  }

  /** Ranks the rows that pass the vetoes. */
  async #rankSet(prefiltered: Prefiltered, candidates: readonly object[]): Promise<TopRanking<object>> {
    const { plan } = this.run;
    const { budget, signal, weights } = this.options;
    // The overrides are part of the plan.
    const call = { ...wholeCall(plan, sharedRunOf(this.run, weights), candidates, budget, signal), overrides: {} };
    const ranked = executeCall(plan, call, (state) => runWhole(state));
    const { plan: own, result: retained } = await runAsync(ranked);
    for (const [position, row] of prefiltered.result.chosen.entries())
      checkVerdict(plan, row, retained.verdicts[position]!);
    return rankingOfChosen(own, prefiltered, retained, ({ pruned, notSelected }) => ({
      facts: pruned,
      notSelected: notSelectedCounts(notSelected),
    }));
  }
}
