import type { Note, Score } from '../../sdk/index.js';
import { ExactSum } from '../../base/index.js';
import { ExpressionStepsError } from '../../expression/index.js';
import { expressionsOfUse, type MeasureEntry, type StatisticEntry } from '../../profile/index.js';
import {
  type GroupStatistics,
  prepareEntry,
  type PrepareFailure,
  type PrepareInput,
  type RunContext,
} from '../entries.js';
import { failRun, type Failures } from '../failures.js';
import type { ActiveMeasure, CompiledMeasure, CompiledStatistic } from '../plan.js';
import type { RunState } from '../run-state.js';
import { chain, describeWrongNumber, inTurns, isTask, type MaybeAsync, NEVER, type Task } from '../tasks.js';
import { type Binder, type UnitCompiler, withoutPrepare } from '../units/unit-compiler.js';

/** Fills the column of every measure for the kept candidates, and computes the statistics over them. */
export function measure(run: RunState): MaybeAsync<void> {
  const { measures, stats } = run.plan;
  const { keptInput, kept, failures } = run;
  const takeStats = (): MaybeAsync<void> => (stats.length > 0 ? takeStatistics(stats, run) : undefined);
  if (measures.length === 0) return takeStats();
  return chain(takeMeasures(measures, keptInput, kept, failures), (active) => {
    run.measures = active;
    return takeStats();
  });
}

/**
 * Fills the column of every measure, in order, so that a measure may read the earlier ones.
 *
 * @param positions by candidate of the input: its position in the run
 * @returns the measures that take part in the run
 * @throws RunFailed if a measure fails and its `on_error` is `fail`
 */
export function takeMeasures(
  measures: readonly CompiledMeasure[],
  input: PrepareInput,
  positions: ArrayLike<number>,
  failures: Failures,
): MaybeAsync<readonly ActiveMeasure[]> {
  if (input.abort !== NEVER || measures.some(({ unit }) => unit.prepares))
    return prepareAndTake(measures, input, positions, failures);
  const active: ActiveMeasure[] = [];
  for (const one of measures) {
    if (one.when()) active.push(fillColumn(one, input, positions, failures));
    else input.context.measures[one.id] = absentColumn(input);
  }
  return active;
}

function* prepareAndTake(
  measures: readonly CompiledMeasure[],
  input: PrepareInput,
  positions: ArrayLike<number>,
  failures: Failures,
): Task<readonly ActiveMeasure[]> {
  const active: ActiveMeasure[] = [];
  for (const one of measures) {
    if (one.when()) {
      const pending = one.unit.prepares ? prepareEntry(one, one.unit, input) : undefined;
      const failure = isTask(pending) ? yield* pending : pending;
      if (failure) active.push(unpreparedColumn(one, failure, input, failures));
      else active.push(yield* fillColumnInTurns(one, input, positions, failures));
    } else input.context.measures[one.id] = absentColumn(input);
  }
  return active;
}

/** The column of a measure that does not take part in the run or could not be prepared. */
const absentColumn = ({ candidates }: PrepareInput): Float64Array =>
  new Float64Array(candidates.length).fill(Number.NaN);

function unpreparedColumn(
  { id, onError }: CompiledMeasure,
  { cause }: PrepareFailure,
  input: PrepareInput,
  failures: Failures,
): ActiveMeasure {
  if (onError === 'fail') failRun(id, 'measure', cause);
  input.context.measures[id] = absentColumn(input);
  failures.addUnprepared(id, 'measure', cause, input.candidates.length);
  return { id, score: undefined, cause };
}

function fillColumn(
  one: CompiledMeasure,
  input: PrepareInput,
  positions: ArrayLike<number>,
  failures: Failures,
): ActiveMeasure {
  const { id, unit } = one;
  const { candidates, context } = input;
  const score = unit.scoreIn(context);
  const column = new Float64Array(candidates.length);
  fillRows(one, score, column, 0, column.length, input, positions, failures);
  context.measures[id] = column;
  return { id, score, cause: undefined };
}

function* fillColumnInTurns(
  one: CompiledMeasure,
  input: PrepareInput,
  positions: ArrayLike<number>,
  failures: Failures,
): Task<ActiveMeasure> {
  const { id, unit } = one;
  const { abort, candidates, context } = input;
  const score = unit.scoreIn(context);
  const column = new Float64Array(candidates.length);
  const filled = inTurns(abort, column.length, 'measure', (from, to) =>
    fillRows(one, score, column, from, to, input, positions, failures),
  );
  if (isTask(filled)) yield* filled;
  context.measures[id] = column;
  return { id, score, cause: undefined };
}

function fillRows(
  { id, onError }: CompiledMeasure,
  score: Score<unknown>,
  column: Float64Array,
  from: number,
  to: number,
  { candidates }: PrepareInput,
  positions: ArrayLike<number>,
  failures: Failures,
): void {
  let row = from;
  const onFailure = (error: unknown): void => {
    if (onError === 'fail' || error instanceof ExpressionStepsError) failRun(id, 'measure', error, positions[row]);
    failures.add(id, 'measure', error);
  };
  for (; row < to; row++) column[row] = readMeasure(score, candidates[row], row, onFailure);
}

/** The number of a measure for one candidate: NaN if it is absent or failed. */
export function readMeasure(
  score: Score<unknown>,
  candidate: unknown,
  row: number,
  onFailure: (error: unknown) => void,
  note?: Note,
): number {
  try {
    const value = score(candidate, row, note);
    if (value === undefined || Number.isFinite(value)) return value ?? Number.NaN;
    onFailure(new RangeError(`it returned ${describeWrongNumber(value)}`));
  } catch (error) {
    onFailure(error);
  }
  return Number.NaN;
}

/** Computes every statistic, in order, so that one may read the earlier ones. */
function* takeStatistics(stats: readonly CompiledStatistic[], { keptInput, kept, failures }: RunState): Task<void> {
  const { context, candidates } = keptInput;
  for (const { entry, number, by } of stats) {
    const taken = takeMeasures([number], keptInput, kept, failures);
    if (isTask(taken)) yield* taken;
    const keys = new Map<unknown, number>();
    const groupOf =
      by &&
      Int32Array.from(candidates, (candidate, row) => {
        const key = groupKey(by, candidate, row, (error) => {
          if (error instanceof ExpressionStepsError) failRun(entry.id, 'measure', error, kept[row]);
          failures.add(entry.id, 'measure', error);
        });
        if (key === undefined) return -1;
        const group = keys.get(key) ?? keys.size;
        if (group === keys.size) keys.set(key, group);
        return group;
      });
    const groups = statisticsOf(context.measures[entry.id]!, groupOf, by ? keys.size : 1, entry.read);
    context.stats = { ...context.stats, [entry.name]: { groups, groupOf, keys } };
    delete context.measures[entry.id]; // it is not a measure that a unit can read
  }
}

/** The group of a candidate as a key: a text, a number, a condition. All lists are one group, and all maps. */
function groupKey(
  by: Score<unknown, unknown>,
  candidate: unknown,
  row: number,
  onFailure: (error: unknown) => void,
): unknown {
  try {
    const value = by(candidate, row);
    return typeof value === 'object' && value !== null ? (Array.isArray(value) ? LIST : MAP) : value;
  } catch (error) {
    onFailure(error);
    return undefined;
  }
}

const LIST = Symbol('list');
const MAP = Symbol('map');

/** The statistics for candidates that are not among the kept ones, such as pinned candidates. */
export function statisticsForOthers(
  stats: readonly CompiledStatistic[],
  known: RunContext['stats'],
  candidates: readonly unknown[],
): RunContext['stats'] {
  return Object.fromEntries(
    stats.flatMap(({ entry, by }) => {
      const one = known[entry.name];
      if (!one) return [];
      const groupIn = (candidate: unknown, row: number): number => {
        const key = by && groupKey(by, candidate, row, () => {});
        return key === undefined ? -1 : (one.keys.get(key) ?? -1);
      };
      return [[entry.name, { ...one, groupOf: by && Int32Array.from(candidates, groupIn) }]];
    }),
  );
}

/** The statistics of each group of a column, in which NaN is not counted. Sums are exact; deviations take a second pass. */
function statisticsOf(
  column: Float64Array,
  groupOf: Int32Array | undefined,
  count: number,
  read: ReadonlySet<string>,
): GroupStatistics[] {
  const groups = Array.from({ length: count }, () => new Statistics());
  const deviates = read.has('stddev') || read.has('stddev_sample');
  const adds = deviates || read.has('sum') || read.has('mean');
  for (let row = 0; row < column.length; row++) {
    const value = column[row]!;
    if (!Number.isNaN(value)) groups[groupOf ? groupOf[row]! : 0]?.add(value + 0, adds); // −0 becomes 0
  }
  for (const group of groups) group.endSum();
  if (deviates) {
    for (let row = 0; row < column.length; row++) {
      const value = column[row]!;
      if (!Number.isNaN(value)) groups[groupOf ? groupOf[row]! : 0]?.addSquare(value);
    }
  }
  return groups.map((group) => group.finish());
}

class Statistics {
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;
  #count = 0;
  #sum = 0;
  #mean = 0;
  readonly #total = new ExactSum();
  /** Of the distances from the mean. */
  readonly #squares = new ExactSum();

  add(value: number, adds: boolean): void {
    if (value < this.#min) this.#min = value;
    if (value > this.#max) this.#max = value;
    this.#count += 1;
    if (adds) this.#total.add(value);
  }

  endSum(): void {
    this.#sum = this.#total.value;
    // If all numbers are equal, the mean is exactly that number.
    this.#mean = this.#min === this.#max ? this.#min : this.#sum / this.#count;
  }

  addSquare(value: number): void {
    this.#squares.add((value - this.#mean) ** 2);
  }

  finish(): GroupStatistics {
    const count = this.#count;
    const squares = this.#squares.value;
    const some = (value: number): number => (count > 0 && Number.isFinite(value) ? value : Number.NaN);
    return {
      min: some(this.#min),
      max: some(this.#max),
      sum: count === 0 ? 0 : some(this.#sum),
      mean: some(this.#mean),
      count,
      stddev: some(Math.sqrt(squares / count)),
      stddev_sample: count > 1 ? some(Math.sqrt(squares / (count - 1))) : Number.NaN,
    };
  }
}

export function compileStatistic(entry: StatisticEntry, binder: Binder): CompiledStatistic {
  const { id, use, by, filter } = entry;
  const of = binder.bind(expressionsOfUse(use)[0]!);
  const isCounted = filter && binder.bind(filter);
  // Its type is checked: it is a number, or absent.
  const score: Score<unknown> = (candidate, row) =>
    !isCounted || isCounted(candidate, row) === true ? (of(candidate, row) as number | undefined) : undefined;
  const number = { id, timeout: undefined, onError: 'skip', when: () => true, unit: withoutPrepare(score) } as const;
  return { entry, number, by: by && binder.bind(by) };
}

export const compileMeasure = (entry: MeasureEntry, units: UnitCompiler, binder: Binder): CompiledMeasure => ({
  id: entry.id,
  timeout: entry.timeout,
  onError: entry.onError,
  when: binder.condition(entry.when, entry.id, 'measure'),
  unit: units.entry<number>(entry, 'measure'),
});
