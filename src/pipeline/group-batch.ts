import { AssizeError } from '../base/index.js';
import {
  type Columns,
  columnsOf,
  dateFactsOf,
  type GroupKey,
  keepDateFacts,
  objectsOf,
  readCell,
  rowsOf,
} from '../data/index.js';
import {
  ColumnBuffer,
  checkDatesOf,
  type Evaluation,
  evaluatePart,
  Failures,
  fillScoreColumns,
  idOf,
  isTask,
  missingScale,
  type Plan,
  positionName,
  resolveScore,
  runAsync,
  startPart,
} from '../engine/index.js';
import { combineFacts, entriesNeedingAll, readsWeights } from '../profile/index.js';
import { checkId, contributionOf, type GroupRows, positionsOf, type TopCounts } from '../ranking/index.js';
import type { Context } from '../sdk/index.js';
import { openStreamRun, type StreamRun } from './stream-run.js';

/**
 * Groups that were ranked together: numbers by column, without an object per candidate. They equal those of the groups'
 * rankings, to the bit.
 */
export interface GroupBatch extends GroupRows {
  /** Over all groups. */
  readonly counts: TopCounts;
  /** The time of the run, in milliseconds since 1970. */
  readonly now: number;
}

/** What a database knows about rows of which it has returned only some. */
export interface PrefilteredGroups {
  /** The number of rows of these groups. */
  readonly given: number;
  /** The number of them that the database has scored. */
  readonly ranked: number;
  /** The position of a returned row in its group. */
  readonly position: (row: number) => number;
  /** 0 if the database has scored the row, above 0 if it has refused it, below 0 if this process decides. */
  readonly verdict: (row: number) => number;
}

/** The ranker of groups that are ranked together; undefined if the profile needs a ranking for each group, or contexts differ by group. */
export const groupBatches = (
  plan: Plan,
  context: Context | ((...given: never) => Context),
  abort: AbortSignal,
): GroupBatches | undefined =>
  typeof context !== 'function' && ranksTogether(plan) ? new GroupBatches(plan, context, abort) : undefined;

/**
 * Whether groups can be ranked together: candidates are only ordered and cut, and are scored one by one, or relative to
 * their group by scorers that are prepared for it.
 */
export function ranksTogether(plan: Plan): boolean {
  const { profile, select, secondPhase, columnReader, units, tracer, vetoes, score } = plan;
  const { duplicates, per, ties, seed } = select;
  const cuts = [duplicates, per, ties, seed, plan.diversify, plan.pack, plan.place, plan.pinned];
  const computes = [
    plan.signals,
    plan.phases,
    plan.computedLimits,
    plan.measures,
    plan.stats,
    plan.fallback,
    plan.reports,
    profile.adjustments.filter(({ group }) => group),
    vetoes.groups.filter((group) => group.vetoes.some(({ unit }) => unit.prepares)),
  ];
  const prepared = score.scorers.filter(({ unit }) => unit.prepares).map(({ entry }) => entry.id);
  return (
    cuts.every((one) => one === undefined) &&
    computes.every(({ length }) => length === 0) &&
    secondPhase === undefined &&
    columnReader.fields !== undefined &&
    entriesNeedingAll(profile).every(({ id }) => prepared.includes(id)) &&
    !units.memories.store.any &&
    !tracer.isFollowed()
  );
}

/** Ranks groups of rows in columns. */
export class GroupBatches {
  readonly #columns = new ColumnBuffer();
  /** The rows of one group, best first. */
  #order = new Int32Array(64);

  /** The rows to rank at once, so that garbage collection does not copy the objects of many groups. */
  readonly rows: number;

  #run: StreamRun | undefined;

  /**
   * @param plan one that `ranksTogether`
   * @param run  the run of all groups, if it is open already
   */
  constructor(
    private readonly plan: Plan,
    private readonly context: Context,
    private readonly abort: AbortSignal,
    run?: StreamRun,
  ) {
    this.#run = run;
    this.rows = plan.fusedPass || plan.groupedPass ? 8192 : 1024;
  }

  /**
   * Ranks whole groups of a chunk.
   *
   * @param starts by group: the position of its first row; and after the last group, the position after its last row
   * @param prefiltered if the chunk has only some rows of the groups
   * @returns undefined if each group must be ranked on its own: rows are no columns, or an entry failed. That ranking
   *   reports the failure.
   */
  async rank(
    chunk: readonly unknown[],
    groups: readonly GroupKey[],
    starts: readonly number[],
    prefiltered?: PrefilteredGroups,
  ): Promise<GroupBatch | undefined> {
    const table = columnsOf(chunk);
    const [first = 0, end = 0] = [starts[0], starts.at(-1)];
    if (!table || end === first) return undefined;
    const part = table.slice(first, end);
    try {
      const rows = this.#rows(part);
      checkDatesOf(this.plan.profile, rows);
      const failures = new Failures();
      this.#run ??= await openStreamRun(this.plan, this.context, this.abort);
      const ends = this.plan.fusedPass ? undefined : starts.slice(1).map((position) => position - first);
      const pending = evaluatePart(startPart(this.#run, rows, failures, this.#columns, undefined, ends));
      const evaluation = isTask(pending) ? await runAsync(pending) : pending;
      if (failures.entries.length > 0) return undefined;
      if (!prefiltered) return this.#select(evaluation, part, groups, starts);
      const ranked = rankedOf(evaluation, prefiltered, first);
      if (ranked === undefined) return undefined;
      const { given } = prefiltered;
      const batch = this.#select(evaluation, part, groups, starts, (row) => prefiltered.position(first + row));
      const { selected } = batch.counts;
      const counts = { given, ranked, selected, notSelected: ranked - selected, refused: given - ranked };
      return { ...batch, counts };
    } catch (error) {
      this.abort.throwIfAborted();
      // Any other error is a defect: ranking the groups one by one would hide it.
      if (!(error instanceof AssizeError)) throw error;
      return undefined;
    }
  }

  /** Columns for a loop that reads them; objects for scorers that are prepared with candidates. */
  #rows(part: Columns): readonly object[] {
    const { fusedPass, groupedPass, columnReader } = this.plan;
    const rows = rowsOf(part);
    if (fusedPass || groupedPass) return rows;
    const objects = objectsOf(columnReader.fields ? part.only(columnReader.fields) : part);
    keepDateFacts(objects, dateFactsOf(rows));
    return objects;
  }

  /** @param positionOf the position of a row in its group, if some rows of the group are missing */
  #select(
    evaluation: Evaluation,
    table: Columns,
    groups: readonly GroupKey[],
    starts: readonly number[],
    positionOf?: (row: number) => number,
  ): GroupBatch {
    const { kept, rows, totals } = evaluation;
    const { top = Infinity, offset, minScore = -Infinity } = this.plan.select;
    const base = starts[0]!;
    const ends = new Int32Array(groups.length);
    const most = Math.min(totals.length, groups.length * top);
    const [chosen, index, ranks] = [new Int32Array(most), new Int32Array(most), new Int32Array(most)];
    const scores = new Float64Array(most);
    let count = 0;
    let r = 0;
    for (let group = 0; group < groups.length; group++) {
      const start = starts[group]! - base;
      const end = starts[group + 1]! - base;
      const from = r;
      while (r < totals.length && kept[rows?.[r] ?? r]! < end) r += 1;
      const order = this.#sort(totals, from, r);
      const last = Math.min(r - from, offset + top);
      for (let k = offset; k < last; k++) {
        const row = order[k]!;
        const total = totals[row]!;
        if (!(total >= minScore)) break;
        const scored = rows?.[row] ?? row;
        chosen[count] = scored;
        index[count] = positionOf ? positionOf(kept[scored]!) : kept[scored]! - start;
        ranks[count] = k + 1;
        scores[count++] = total + 0; // −0 becomes 0, as in a ranking
      }
      ends[group] = count;
    }
    const given = starts.at(-1)! - base;
    const selected = chosen.subarray(0, count);
    return {
      groups,
      counts: {
        given,
        ranked: totals.length,
        selected: count,
        notSelected: totals.length - count,
        refused: given - totals.length,
      },
      now: evaluation.context.now,
      ends,
      ids: this.#ids(evaluation, table, selected, index),
      index,
      ranks,
      scores,
      ...this.#terms(evaluation, selected),
    };
  }

  /** The rows from `from` to before `to`, by descending total, then by position. */
  #sort(totals: Float64Array, from: number, to: number): Int32Array {
    const size = to - from;
    if (size > this.#order.length) this.#order = new Int32Array(2 * size);
    const order = this.#order;
    if (size > MOST_INSERTED) {
      for (let k = 0; k < size; k++) order[k] = from + k;
      order.subarray(0, size).sort((a, b) => totals[b]! - totals[a]! || a - b);
      return order;
    }
    for (let k = 0; k < size; k++) {
      const total = totals[from + k]!;
      let at = k;
      for (; at > 0 && totals[order[at - 1]!]! < total; at--) order[at] = order[at - 1]!;
      order[at] = from + k;
    }
    return order;
  }

  #ids({ kept }: Evaluation, table: Columns, selected: Int32Array, index: Int32Array): readonly string[] {
    const { profile } = this.plan;
    const [first, ...others] = profile.candidate.id?.steps ?? [{ kind: 'key', key: 'id' } as const];
    const own = table.columns.get('id');
    const field = first?.kind === 'key' && others.length === 0 ? first.key : undefined;
    const column = field === undefined ? undefined : table.columns.get(field);
    const ids: string[] = [];
    for (let k = 0; k < selected.length; k++) {
      const position = kept[selected[k]!]!;
      if (own) checkId(readCell(own, table.from + position));
      const value = column && readCell(column, table.from + position);
      if (typeof value === 'string' && value !== '') ids.push(value);
      else if (typeof value === 'number') ids.push(String(value));
      else if (field !== undefined && !column) ids.push(positionName(index[k]!));
      else ids.push(idOf(profile, table.row(position), index[k]!));
    }
    return ids;
  }

  /** The numbers of the scorers, as `TermsReader` computes them. */
  #terms(evaluation: Evaluation, selected: Int32Array): Pick<GroupBatch, 'values' | 'contributions'> {
    const { plan } = this;
    const { candidates, kept, scored, context } = evaluation;
    const { active, weights, weightsOf } = scored.scoring;
    const { combine, scorers } = plan.profile;
    const facts = combineFacts(combine);
    const hasWeights = readsWeights(combine);
    const computed = scored.columns ?? fillScoreColumns(plan, evaluation).scorers.map(({ resolved }) => resolved);
    const at = plan.columnReader.readerOf(candidates);
    const positions = positionsOf(scorers, active);
    return plan.current.enter(context, () => {
      const values = positions.map((k) => {
        const own = new Float64Array(selected.length);
        if (k < 0) return own.fill(NaN);
        const [scorer, column] = [active[k]!, computed[k]!];
        for (let n = 0; n < own.length; n++) {
          const row = selected[n]!;
          const value = column[row]!;
          own[n] = value - value === 0 ? value : (resolveScore(scorer, at(kept[row]!), row).value ?? NaN);
        }
        return own;
      });
      if (facts.effect !== 'summand' && facts.effect !== 'factor') return { values, contributions: [] };
      const contributions = values.map(() => new Float64Array(selected.length));
      const isPartial = scored.partial.size > 0;
      const byActive = active.map(({ entry }) => values[scorers.findIndex(({ id }) => id === entry.id)]!);
      for (let n = 0; n < selected.length; n++) {
        const row = selected[n]!;
        const own = !hasWeights ? undefined : plan.score.cases ? weightsOf(at(kept[row]!), row) : weights;
        const scale = own && isPartial ? missingScale(own, (k) => Number.isNaN(byActive[k]![n])) : 1;
        for (let s = 0; s < positions.length; s++)
          contributions[s]![n] = contributionOf(facts, values[s]![n], (own?.[positions[s]!] ?? 1) * scale) ?? NaN;
      }
      return { values, contributions };
    });
  }
}

/**
 * The number of ranked rows, including those that were not returned; undefined if the database has decided otherwise
 * about a row.
 *
 * @param first the position of the first evaluated row
 */
function rankedOf(
  { kept, rows, totals, candidates }: Evaluation,
  { ranked: scored, verdict }: PrefilteredGroups,
  first: number,
): number | undefined {
  const isRanked = new Uint8Array(candidates.length);
  for (let r = 0; r < totals.length; r++) isRanked[kept[rows?.[r] ?? r]!] = 1;
  let ranked = scored;
  for (let row = 0; row < isRanked.length; row++) {
    const decided = verdict(first + row);
    if (decided < 0) ranked += isRanked[row]!;
    else if ((decided === 0) !== (isRanked[row] === 1)) return undefined;
  }
  return ranked;
}

/** Up to so many rows, an insertion sort is the fastest. */
const MOST_INSERTED = 40;
