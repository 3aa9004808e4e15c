import { type Problem, type Extent, NO_EXTENT, unionExtent } from '../base/index.js';
import {
  type CandidateNames,
  ownIdOf,
  rawScoreColumns,
  type Plan,
  type Evaluation,
  type RunResult,
  leavesRange,
  resolveScore,
  wasEvaluated,
  pinnedOnPage,
  type ActiveScorer,
} from '../engine/index.js';
import type { Expression } from '../expression/index.js';
import { combineFacts, readsWeights, type Profile, type ScorerEntry, type Use } from '../profile/index.js';
import { warningAbout } from './input-warnings.js';

/** Statistics of one scorer's numbers. Plain data; those of two parts can be merged. */
export interface ColumnStats {
  readonly id: string;
  /** Of its values for the ranked candidates. */
  readonly extent: Extent;
  /** The range of the same; Infinity to −Infinity if there are none. */
  readonly least: number;
  readonly most: number;
  /** How many candidates it was evaluated for. */
  readonly evaluated: number;
  /** Its value for all of them, if that is one number. */
  readonly constantValue: number | undefined;
  /** How often it left its range, where its entry warns of that, and the first time. */
  readonly outOfRangeCount: number;
  readonly firstOutOfRange:
    | { readonly value: number; readonly id: string | undefined; readonly index: number }
    | undefined;
}

/** The evaluation of some of the candidates. */
type EvaluatedPart = Pick<Evaluation, 'candidates' | 'kept' | 'scored' | 'context' | 'verdicts'>;

/** The statistics of each scorer of a run: of the scores that its loop kept, else by evaluating it again. */
export function columnStats(plan: Plan, part: EvaluatedPart, offset = 0): readonly ColumnStats[] {
  return plan.current.enter(part.context, () => {
    const columns = part.scored.columns ?? rawScoreColumns(plan, part);
    return part.scored.scoring.active.map((scorer, k) =>
      scorer.failed ? noColumnStats(scorer.entry.id) : statsOfScorer(plan, scorer, columns[k]!, part, offset),
    );
  });
}

const noColumnStats = (id: string): ColumnStats => ({
  id,
  extent: NO_EXTENT,
  least: Infinity,
  most: -Infinity,
  evaluated: Number.NaN, // it could not be prepared: a sum with another part stays NaN
  constantValue: undefined,
  outOfRangeCount: 0,
  firstOutOfRange: undefined,
});

/** What a kept score may be that the unit did not give: then the unit is called again, as if there is none. */
const replacedScore = ({ entry }: ActiveScorer, { scored }: EvaluatedPart): number =>
  scored.columns && typeof entry.onAbsent === 'number' ? entry.onAbsent : Number.NaN;

/** Its variables are doubles throughout, NaN if there is none: V8 boxes a number beside `undefined`, for every row. */
function statsOfScorer(
  plan: Plan,
  scorer: ActiveScorer,
  column: Float64Array,
  part: EvaluatedPart,
  offset: number,
): ColumnStats {
  const { candidates, kept, verdicts } = part;
  const { evaluated: isEvaluated } = scorer;
  const { id, range, outOfRange: policy } = scorer.entry;
  const limits = policy === 'warn' ? range : undefined;
  const replaced = replacedScore(scorer, part);
  const at = plan.columnReader.readerOf(candidates);
  let integersOnly = true;
  let least = Infinity;
  let most = -Infinity;
  let evaluated = 0;
  let constant = Number.NaN;
  let outOfRangeCount = 0;
  let firstOutOfRange: ColumnStats['firstOutOfRange'];
  for (let row = 0; row < kept.length; row++) {
    if (isEvaluated !== undefined && !isEvaluated(row)) continue;
    const position = kept[row]!;
    let value = column[row]!;
    if (value !== value || value === replaced) {
      const given = valueOf(scorer, at(position), row);
      if (given === undefined) {
        evaluated += 1;
        constant = Number.NaN;
        continue;
      }
      value = given;
    }
    if (evaluated === 0) constant = value - value === 0 ? value : Number.NaN;
    else if (value !== constant) constant = Number.NaN;
    evaluated += 1;
    if (verdicts[position] === 0 && value - value === 0) {
      integersOnly &&= Number.isInteger(value);
      if (value < least) least = value;
      if (value > most) most = value;
    }
    if (limits === undefined || !leavesRange(limits, value)) continue;
    outOfRangeCount += 1;
    firstOutOfRange ??= { value, id: ownIdOf(plan.profile, candidates[position]), index: offset + position };
  }
  const extent = { maxMagnitude: most < least ? 0 : Math.max(Math.abs(least), Math.abs(most)), integersOnly };
  const constantValue = Number.isNaN(constant) ? undefined : constant;
  return { id, extent, least, most, evaluated, constantValue, outOfRangeCount, firstOutOfRange };
}

/** Whether one of these scorers left its range where its entry only warns of that: then the upper bounds do not hold. */
export function anyOutOfRange(plan: Plan, part: EvaluatedPart, ids: readonly string[]): boolean {
  const { candidates, kept, scored } = part;
  const leaves = (scorer: ActiveScorer): boolean => {
    const { id, range, outOfRange: policy } = scorer.entry;
    if (scorer.failed || range === undefined || policy !== 'warn' || !ids.includes(id)) return false;
    return kept.some((position, row) => {
      const value = wasEvaluated(scorer, row) ? valueOf(scorer, candidates[position], row) : undefined;
      return value !== undefined && leavesRange(range, value);
    });
  };
  return plan.current.enter(part.context, () => scored.scoring.active.some(leaves));
}

/** The number that a scorer returns; undefined if it abstains, throws, or returns something else. */
function valueOf({ raw }: ActiveScorer, candidate: unknown, row: number): number | undefined {
  try {
    const value: unknown = raw(candidate, row);
    return typeof value === 'number' ? value : undefined;
  } catch {
    return undefined; // a failure, which the run has listed already
  }
}

/** The statistics of two parts together, the earlier one first. */
export function mergeColumnStats(a: ColumnStats, b: ColumnStats): ColumnStats {
  const constantValue =
    a.evaluated === 0
      ? b.constantValue
      : b.evaluated === 0 || a.constantValue === b.constantValue
        ? a.constantValue
        : undefined;
  return {
    id: a.id,
    extent: unionExtent(a.extent, b.extent),
    least: Math.min(a.least, b.least),
    most: Math.max(a.most, b.most),
    evaluated: a.evaluated + b.evaluated,
    constantValue,
    outOfRangeCount: a.outOfRangeCount + b.outOfRangeCount,
    firstOutOfRange: a.firstOutOfRange ?? b.firstOutOfRange,
  };
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** A warning for each scorer that left its range. */
export function outOfRangeWarnings(
  profile: Profile,
  columns: readonly ColumnStats[],
  names: CandidateNames,
): Problem[] {
  return columns.flatMap(({ id, outOfRangeCount, firstOutOfRange: first, evaluated }) => {
    const entry = entryOf(profile, id);
    if (!first || !entry?.range || Number.isNaN(evaluated)) return [];
    const [least, most] = entry.range;
    const { value, index, id: ownId = `#${index}` } = first;
    const where = `${value} for ${names.nameOf({ id: ownId, index })}`;
    const message = `${id} was outside its range of ${least} to ${most} ${times(outOfRangeCount)}: ${where}`;
    return [warningAbout(entry, 'ASZ713', message, 'out_of_range: clamp limits it')];
  });
}

/** A warning for each scorer that gave all candidates the same: it decides nothing, whatever its weight. */
export function constantScoreWarnings(profile: Profile, columns: readonly ColumnStats[]): Problem[] {
  return columns.flatMap(({ id, evaluated, constantValue }) => {
    const entry = entryOf(profile, id);
    if (!(evaluated >= 2) || constantValue === undefined || !entry || !dependsOnCandidate(entry.use)) return [];
    const message = `${id} gave all ${evaluated} candidates the same number: ${Number(constantValue.toPrecision(4))}`;
    return [warningAbout(entry, 'ASZ714', message)];
  });
}

const entryOf = ({ scorers }: Profile, id: string): ScorerEntry | undefined => scorers.find((entry) => entry.id === id);

/** Whether an expression reads something that differs from candidate to candidate. */
const variesByCandidate = ({ readsCandidate, reads }: Expression): boolean =>
  readsCandidate || reads.some((name) => /^measures\b/.test(name));

/**
 * Whether a use is meant to tell candidates apart. A signal is rightly the same for all of them, and so may be the value of
 * a class that reads the run, as one that scores the turn does, unless its params name fields of the candidate.
 */
function dependsOnCandidate(use: Use): boolean {
  if (use.kind === 'expr') return variesByCandidate(use.expression);
  const { paths, expressions, children, unit } = use;
  const compile: unknown = Reflect.get(unit.prototype, 'compile');
  const readsCandidateOnly = typeof compile === 'function' && compile.length < 2; // it takes no `live`
  return (
    (readsCandidateOnly && children.size === 0) ||
    paths.length > 0 ||
    expressions.some(variesByCandidate) ||
    [...children.values()].some((child) => dependsOnCandidate(child.use))
  );
}

/** The candidates whose sum was scaled up for the weights that are missing in it. Plain data, and mergeable. */
export interface RescaledScores {
  readonly count: number;
  /** On how many of them each entry was skipped, for which it has a weight. */
  readonly skipped: ReadonlyMap<string, number>;
  /** The first of them, and its factor. */
  readonly first: { readonly id: string | undefined; readonly index: number; readonly factor: number } | undefined;
}

export const NONE_RESCALED: RescaledScores = { count: 0, skipped: new Map(), first: undefined };

/**
 * Counts the rows of a part that were rescaled, where weights are literal. Only rows on which a scorer is missing are
 * looked at; their scorers are called again.
 *
 * @param offset how many candidates come before the part
 */
export function rescaledScores(
  plan: Plan,
  part: Pick<Evaluation, 'candidates' | 'kept' | 'scored' | 'context' | 'verdicts'>,
  offset = 0,
): RescaledScores {
  const { candidates, kept, verdicts, scored } = part;
  const { active, weightsOf } = scored.scoring;
  if (scored.partial.size === 0 || combineFacts(plan.profile.combine).weights !== 'literal') return NONE_RESCALED;
  return plan.current.enter(part.context, () => {
    const skipped = new Map<string, number>();
    let count = 0;
    let first: RescaledScores['first'];
    for (const row of scored.partial.keys()) {
      const position = kept[row]!;
      if (verdicts[position] !== 0) continue;
      const candidate = candidates[position];
      const weights = weightsOf(candidate, row);
      let all = 0;
      let here = 0;
      for (const [k, scorer] of active.entries()) {
        const weight = Math.abs(weights[k]!);
        all += weight;
        if (resolveScore(scorer, candidate, row).value !== undefined) here += weight;
        else if (weight > 0) addCount(skipped, scorer.entry.id, 1);
      }
      if (here === all) continue; // what is missing has no weight
      count += 1;
      first ??= { id: ownIdOf(plan.profile, candidate), index: offset + position, factor: all / here };
    }
    return { count, skipped, first };
  });
}

const addCount = (counts: Map<string, number>, id: string, count: number): void =>
  void counts.set(id, (counts.get(id) ?? 0) + count);

/** The rescaled rows of two parts together, the earlier one first. */
export function mergeRescaledScores(a: RescaledScores, b: RescaledScores): RescaledScores {
  const skipped = new Map(a.skipped);
  for (const [id, count] of b.skipped) addCount(skipped, id, count);
  return { count: a.count + b.count, skipped, first: a.first ?? b.first };
}

/** The warning that literal weights were not, at the entry that was skipped most. */
export function rescaledWarnings({ scorers }: Profile, { count, skipped, first }: RescaledScores): Problem[] {
  const entries = [...skipped].toSorted(([, a], [, b]) => b - a);
  if (!first || !entries[0]) return [];
  const [most] = entries[0];
  const named = entries.map(([id, rows]) => `${id} (${rows})`).join(', ');
  const scores = count === 1 ? '1 score of the weighted_sum is' : `${count} scores of the weighted_sum are`;
  const example = `${first.id ?? `#${first.index}`}, by ${Number(first.factor.toPrecision(4))}`;
  const message = `${scores} scaled up because entries were skipped: ${named}; the first is ${example}`;
  const hint =
    'to use the weights as written, set on_absent: 0 (or on_error: 0, if it failed); for all entries: defaults: { on_absent: 0 }';
  return [warningAbout(scorers.find(({ id }) => id === most) ?? {}, 'ASZ718', message, hint)];
}

/** How many of the selected are looked at for scores that rest on few scorers. */
const FIRST_SELECTED = 10;

/**
 * The warning that some of the first ten selected rest on less than half of the weight, because entries abstained or
 * failed and were skipped. Each scorer counts the same in a combine that uses no weights. Only these rows are scored again.
 *
 * @param nameAt the name of the candidate at a position
 */
export function thinScoreWarnings(
  plan: Plan,
  result: Pick<
    RunResult,
    'scored' | 'context' | 'candidates' | 'kept' | 'rows' | 'selected' | 'arrangement' | 'pinned'
  >,
  nameAt: (position: number) => string,
): Problem[] {
  const { scored, candidates, kept } = result;
  const { combine } = plan.profile;
  // A formula that reads a missing scorer leaves the candidate unscored.
  if (scored.partial.size === 0 || combineFacts(combine).effect === 'none') return [];
  const { active, weightsOf } = scored.scoring;
  const weighs = readsWeights(combine);
  const skipped = new Map<string, number>();
  const { rows: first, of } = firstSelected(plan, result);
  const named = plan.current.enter(result.context, () =>
    first.flatMap((row): string[] => {
      const position = kept[row]!;
      const candidate = candidates[position];
      if (!scored.partial.has(row)) return [];
      const weights = weighs ? weightsOf(candidate, row) : undefined;
      const terms = active.map((scorer, k) => ({
        id: scorer.entry.id,
        weight: Math.abs(weights ? weights[k]! : 1),
        isPresent: resolveScore(scorer, candidate, row).value !== undefined,
      }));
      const sum = (some: typeof terms): number => some.reduce((total, { weight }) => total + weight, 0);
      const share = sum(terms.filter(({ isPresent }) => isPresent)) / sum(terms);
      if (!(share < 0.5)) return [];
      const missing = terms.filter(({ isPresent, weight }) => !isPresent && weight > 0);
      for (const { id } of missing) addCount(skipped, id, 1);
      const percent = Number((share * 100).toPrecision(2));
      return [`${nameAt(position)} (${percent} %, without ${missing.map(({ id }) => id).join(', ')})`];
    }),
  );
  if (named.length === 0) return [];
  const subject = named.length === 1 ? 'rests' : 'rest';
  const message = `${named.length} of the first ${of} selected ${subject} on less than half of the ${weighs ? 'weight' : 'scorers'}: ${named.join('; ')}`;
  const hint =
    'to penalize missing values, set on_absent (or on_error, if it failed) to refuse or to a number such as 0';
  const [most] = [...skipped].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  return [warningAbout(plan.profile.scorers.find(({ id }) => id === most) ?? {}, 'ASZ720', message, hint)];
}

/** The scored rows among the first of the selected (`of`), the pinned included. */
function firstSelected(
  plan: Plan,
  { arrangement, pinned, selected, rows }: Pick<RunResult, 'arrangement' | 'pinned' | 'selected' | 'rows'>,
): { readonly rows: readonly number[]; readonly of: number } {
  const before = arrangement ? 0 : Math.min(FIRST_SELECTED, pinnedOnPage(plan, pinned).length);
  const first = arrangement
    ? arrangement.order.slice(0, FIRST_SELECTED).map(({ index }) => arrangement.rowOf.get(index))
    : Array.from(selected.rows.subarray(0, FIRST_SELECTED - before));
  return {
    rows: first.flatMap((row) => (row === undefined ? [] : [rows?.[row] ?? row])),
    of: before + first.length,
  };
}
