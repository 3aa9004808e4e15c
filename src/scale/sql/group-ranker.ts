import { fieldReader, type GroupKey, toGroupKey } from '../../data/index.js';
import { isObject, type Problem, toAssizeError } from '../../base/index.js';
import { budgetOf, chain, evaluatePart, executeCall, finish, run as runWhole, runAsync } from '../../engine/index.js';
import { notSelectedCounts, type RankingResult } from '../../ranking/index.js';
import { completePart, type RankStreamOptions, type StreamRun, type TopRanking } from '../../pipeline/index.js';
import { sharedRunOf, wholeCall } from '../parts/index.js';
import { checkVerdict, type Prefiltered, rankingOfChosen, setState } from './chosen-ranking.js';
import type { SqlEngine } from './engines/engine.js';
import { isolated } from './finish.js';
import type { GroupedRelation } from './group-judgement.js';
import { type GroupFacts, type GroupPrefilter, translateGroups } from './group-statement.js';
import { AbsentFields, type ChosenRow, type PrefilterRow } from './prefilter-rows.js';
import { idleReason, untranslatedNotices } from './statement.js';

/** One group of rows, ranked on its own. */
export interface GroupRanking {
  /** The value that its rows have in common; null if they have none. */
  readonly group: GroupKey;
  /** Its positions count from the start of the group. Refusals have no examples. */
  readonly ranking: RankingResult<object>;
}

/** The rows that a statement returned for one group, and how many it judged. */
export interface ReturnedGroup {
  readonly chosen: readonly ChosenRow[];
  /** The number of rows with each verdict. */
  readonly counts: ReadonlyMap<number, number>;
  /** The number of scored rows below `min_score`. */
  readonly below: number;
}

/** Ranks a group from the rows that a statement returned for it. */
export class GroupEvaluator {
  #evaluated = 0;

  /** @param absent the warnings about the fields of all rows */
  constructor(
    private readonly run: StreamRun,
    private readonly grouped: GroupedRelation,
    private readonly asSet: boolean,
    private readonly absent: readonly Problem[],
    private readonly options: RankStreamOptions,
  ) {}

  /** The number of rows that the process has evaluated. */
  get evaluated(): number {
    return this.#evaluated;
  }

  /**
   * @param candidates the returned rows, in order
   * @throws PrefilterMismatch, and as a run does
   */
  async rank(
    { chosen, counts, below }: ReturnedGroup,
    group: GroupKey,
    candidates: readonly object[],
  ): Promise<GroupRanking> {
    const prefiltered: Prefiltered = {
      relation: this.grouped.relation,
      result: { counts, below, chosen, next: -Infinity, fingerprint: undefined },
      absent: { add: () => {}, warnings: async () => this.absent },
      notices: [],
    };
    this.#evaluated += candidates.length;
    const ranking = await (this.asSet
      ? this.#rankSet(prefiltered, candidates)
      : this.#rankScored(prefiltered, candidates));
    return { group, ranking };
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

/** Ranks groups from the rows of one statement, which returns each row as a text. */
export class GroupRanker {
  private constructor(
    private readonly engine: SqlEngine,
    private readonly run: StreamRun,
    private readonly grouped: GroupedRelation,
    private readonly prefilter: GroupPrefilter,
    private readonly evaluator: GroupEvaluator,
  ) {}

  /** Returns a text if SQL decides nothing: the reason. */
  static async open(
    engine: SqlEngine,
    run: StreamRun,
    grouped: GroupedRelation,
    { areAdjacent }: GroupFacts,
    options: RankStreamOptions,
  ): Promise<GroupRanker | string> {
    const prefilter = translateGroups(run, grouped, areAdjacent);
    if (prefilter.isIdle) return idleReason(prefilter);
    const absent = await absentWarnings(engine, run, grouped);
    return new GroupRanker(
      engine,
      run,
      grouped,
      prefilter,
      new GroupEvaluator(run, grouped, prefilter.asSet, absent, options),
    );
  }

  /** The parts of the profile that the process evaluates, with the reasons. */
  get notices(): readonly string[] {
    return untranslatedNotices(this.prefilter);
  }

  /** The number of rows that the process has evaluated. */
  get evaluated(): number {
    return this.evaluator.evaluated;
  }

  async *rank(): AsyncGenerator<GroupRanking, void> {
    const { engine, prefilter, run } = this;
    const keyOf = fieldReader(this.grouped.by);
    const rankGroup = ({ chosen, counts, below }: ReturnedGroup): Promise<GroupRanking> => {
      const candidates = chosen.map(({ cells }) => this.grouped.relation.decode(cells));
      return this.evaluator.rank({ chosen, counts, below }, checkedKey(keyOf(candidates)(0)), candidates);
    };
    let group: { readonly chosen: ChosenRow[]; readonly counts: Map<number, number>; below: number } | undefined;
    for await (const rows of engine.stream(prefilter.sql, run.abort)) {
      for (const { part, pos, verdict, many, cells } of rows) {
        if (part === 'row' && pos === 0) {
          if (group) yield await rankGroup(group);
          group = { chosen: [], counts: new Map(), below: 0 };
        }
        if (part === 'row') group?.chosen.push({ pos, verdict, cells: cells ?? '' });
        else if (part === 'below' && group) group.below = many;
        else group?.counts.set(verdict, many);
      }
    }
    if (group) yield await rankGroup(group);
  }
}

/** The warnings about fields that no row has, and about infinite dates. */
export async function absentWarnings(
  engine: SqlEngine,
  { plan, abort }: StreamRun,
  { relation }: GroupedRelation,
): Promise<readonly Problem[]> {
  const ask = (sql: string): Promise<readonly PrefilterRow[]> => engine.sieve(sql, abort);
  const absent = new AbsentFields(plan.profile, relation, { dialect: engine.dialect, ask });
  // No row is evaluated yet. A row without values has the names of the columns, for a similar spelling.
  absent.add([Object.fromEntries((relation.names ?? []).map((name) => [name, null]))]);
  return absent.warnings();
}

/** @throws AssizeError (ASZ502) if the value cannot name a group */
export function checkedKey(value: unknown): GroupKey {
  const key = toGroupKey(value);
  if (isObject(key) && 'invalid' in key) throw toAssizeError([{ code: 'ASZ502', message: key.invalid }]);
  return key;
}
