import type { Problem } from '../../diagnostics/index.js';
import {
  type ActiveScorer,
  type CandidateNames,
  type Evaluation,
  leavesRange,
  ownIdOf,
  type Plan,
  rawScoreColumns,
  wasEvaluated,
} from '../../engine/index.js';
import type { Expression } from '../../expression/index.js';
import type { Profile, ScorerEntry, Use } from '../../profile/index.js';
import { type Extent, NO_EXTENT, unionExtent } from '../../text/index.js';
import { warningAbout } from './warning.js';

/** Statistics of one scorer's numbers. Plain data; those of two parts can be merged. */
export interface ColumnStats {
  readonly id: string;
  /** Of its values for the ranked candidates. */
  readonly extent: Extent;
  /** The range of the same; Infinity to −Infinity where there are none. */
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

/** What a kept score may be that the unit did not give: then the unit is called again, as where there is none. */
const replacedScore = ({ entry }: ActiveScorer, { scored }: EvaluatedPart): number =>
  scored.columns && typeof entry.onAbsent === 'number' ? entry.onAbsent : Number.NaN;

/** Its variables are doubles throughout, NaN where there is none: V8 boxes a number beside `undefined`, for every row. */
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

/** What a scorer gives; undefined where it abstains, throws, or gives what is no number. */
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
    const message = `${id} left its range of ${least} to ${most} ${times(outOfRangeCount)}: ${where}`;
    return [warningAbout(entry, 'ASZ713', message, 'out_of_range: clamp bounds it')];
  });
}

/** A warning for each scorer that gave all candidates the same: it decides nothing, whatever its weight. */
export function constantScoreWarnings(profile: Profile, columns: readonly ColumnStats[]): Problem[] {
  return columns.flatMap(({ id, evaluated, constantValue }) => {
    const entry = entryOf(profile, id);
    if (!(evaluated >= 2) || constantValue === undefined || !entry || !dependsOnCandidate(entry.use)) return [];
    const message = `${id} gave all ${evaluated} candidates the same: ${Number(constantValue.toPrecision(4))}`;
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
