import type { Problem } from '../../contract/index.js';
import type { Expression } from '../../expression/expression.js';
import { type Extent, joinedExtent, NO_EXTENT } from '../../matrix/extent.js';
import type { Profile, ScorerEntry, Use } from '../../profile/profile.js';
import { isAsked, leavesRange, type ScorerRun } from '../../stages/settle.js';
import type { Plan } from '../compile/plan.js';
import { idWithin } from '../ids.js';
import type { Judgement } from '../outcome.js';
import { about } from './warning.js';

/** What is to be known of one scorer's numbers as a whole. Plain data: that of two parts makes that of both. */
export interface ColumnFacts {
  readonly id: string;
  /** Of what it gave those that are ranked. */
  readonly extent: Extent;
  /** How many it was asked about. */
  readonly asked: number;
  /** What it gave all of them, so long as that is one number. */
  readonly same: number | undefined;
  /** How often it left its range, where that is to be said, and the first time. */
  readonly outside: number;
  readonly firstOutside:
    | { readonly value: number; readonly id: string | undefined; readonly index: number }
    | undefined;
}

/** A part of the candidates that was judged. */
type Part = Pick<Judgement, 'candidates' | 'kept' | 'scored' | 'state' | 'verdicts'>;

/** Looks at what each scorer gave, by asking it once more. */
export function columnsOf(plan: Plan, part: Part, offset = 0): readonly ColumnFacts[] {
  plan.cell.state = part.state;
  return part.scored.scoring.runs.map((run) =>
    run.failed ? untold(run.entry.id) : columnOf(plan.profile, run, part, offset),
  );
}

const untold = (id: string): ColumnFacts => ({
  id,
  extent: NO_EXTENT,
  asked: Number.NaN, // one that could not be prepared has said nothing, whatever it says of another part
  same: undefined,
  outside: 0,
  firstOutside: undefined,
});

function columnOf(profile: Profile, run: ScorerRun, part: Part, offset: number): ColumnFacts {
  const { candidates, kept, verdicts } = part;
  const { id, range, outOfRange: policy } = run.entry;
  const limits = policy === 'warn' ? range : undefined;
  let most = 0;
  let whole = true;
  let asked = 0;
  let same: number | undefined;
  let outside = 0;
  let firstOutside: ColumnFacts['firstOutside'];
  for (let row = 0; row < kept.length; row++) {
    if (!isAsked(run, row)) continue;
    const position = kept[row]!;
    const value = valueOf(run, candidates[position], row);
    if (asked === 0) same = Number.isFinite(value) ? value : undefined;
    else if (value !== same) same = undefined;
    asked += 1;
    if (value === undefined) continue;
    if (verdicts[position] === 0 && Number.isFinite(value)) {
      most = Math.max(most, Math.abs(value));
      whole &&= Number.isInteger(value);
    }
    if (limits === undefined || !leavesRange(limits, value)) continue;
    outside += 1;
    firstOutside ??= { value, id: idWithin(profile, candidates[position]), index: offset + position };
  }
  return { id, extent: { most, whole }, asked, same, outside, firstOutside };
}

/** Whether one of these entries left its range, where that is only to be said: then nobody can be spared by it. */
export function anyLeftRange(plan: Plan, part: Part, ids: readonly string[]): boolean {
  const { candidates, kept, scored, state } = part;
  plan.cell.state = state;
  return scored.scoring.runs.some((run) => {
    const { id, range, outOfRange: policy } = run.entry;
    if (run.failed || range === undefined || policy !== 'warn' || !ids.includes(id)) return false;
    return kept.some((position, row) => {
      const value = isAsked(run, row) ? valueOf(run, candidates[position], row) : undefined;
      return value !== undefined && leavesRange(range, value);
    });
  });
}

function valueOf({ raw }: ScorerRun, candidate: unknown, row: number): number | undefined {
  try {
    return raw(candidate, row);
  } catch {
    return undefined; // settled and listed as degraded already
  }
}

/** What is known of a column from two of its parts, the earlier one first. */
export function joinedColumn(a: ColumnFacts, b: ColumnFacts): ColumnFacts {
  const same = a.asked === 0 ? b.same : b.asked === 0 || a.same === b.same ? a.same : undefined;
  return {
    id: a.id,
    extent: joinedExtent(a.extent, b.extent),
    asked: a.asked + b.asked,
    same,
    outside: a.outside + b.outside,
    firstOutside: a.firstOutside ?? b.firstOutside,
  };
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** The scorers that left their range. */
export function outOfRange(profile: Profile, columns: readonly ColumnFacts[]): Problem[] {
  return columns.flatMap(({ id, outside, firstOutside: first, asked }) => {
    const entry = entryOf(profile, id);
    if (!first || !entry?.range || Number.isNaN(asked)) return [];
    const [least, most] = entry.range;
    const where = `${first.value} for ${first.id ?? `#${first.index}`}`;
    const message = `${id} left its range of ${least} to ${most} ${times(outside)}: ${where}`;
    return [about(entry, 'ASZ713', message, 'out_of_range: clamp bounds it')];
  });
}

/** A scorer that tells nobody apart decides nothing, whatever it weighs. */
export function alike(profile: Profile, columns: readonly ColumnFacts[]): Problem[] {
  return columns.flatMap(({ id, asked, same }) => {
    const entry = entryOf(profile, id);
    if (!(asked >= 2) || same === undefined || !entry || !judgesCandidates(entry.use)) return [];
    const message = `${id} gave all ${asked} candidates the same: ${Number(same.toPrecision(4))}`;
    return [about(entry, 'ASZ714', message)];
  });
}

const entryOf = ({ scorers }: Profile, id: string): ScorerEntry | undefined => scorers.find((entry) => entry.id === id);

/** Whether an expression reads what differs from candidate to candidate. */
const tellsApart = ({ readsCandidate, reads }: Expression): boolean =>
  readsCandidate || reads.some((name) => /^measures\b/.test(name));

/**
 * Whether a use is there to tell candidates apart. What a signal says is rightly the same for all of them, and so may be
 * what a class gives that sees the run: one that judges the turn, say, unless its params say what it reads of them.
 */
function judgesCandidates(use: Use): boolean {
  if (use.kind === 'expr') return tellsApart(use.expression);
  const { paths, expressions, children, unit } = use;
  const compile: unknown = Reflect.get(unit.prototype, 'compile');
  const seesThemAlone = typeof compile === 'function' && compile.length < 2; // it does not ask for `live`
  return (
    (seesThemAlone && children.size === 0) ||
    paths.length > 0 ||
    expressions.some(tellsApart) ||
    [...children.values()].some((child) => judgesCandidates(child.use))
  );
}
