import type { Score } from '../../sdk/index.js';
import { readsWeights, type ChildUse } from '../../profile/index.js';
import type { CompiledChild, CompiledUnit } from '../entries.js';
import type { Plan } from '../plan.js';
import type { Evaluation, RunResult } from '../run-state.js';
import { applyRule } from '../stages/adjust.js';
import { wasEvaluated } from '../stages/score/resolve.js';
import { applyOnAbsent, NoteRecorder, type RecordedChild } from '../units/note-recorder.js';
import { ABSENT, CELL_STATES, FAILED, NOT_EVALUATED } from './cell-states.js';
import { readMeasured, type ScoreColumn, type ScoreColumns, scoringOfColumns } from './score-columns.js';

/** The numbers of an entry inside another one. `resolved` is what its parent receives, after its own `on_absent`. */
export interface ChildColumn extends ScoreColumn {
  /** Its weight, relative to the weights of its siblings. */
  readonly weight: number;
}

/** An entry inside another one, by its path: `relevance/bm25`. */
interface PlacedChild extends CompiledChild {
  readonly path: string;
}

/** The paths of all entries inside those of a profile, outer ones first. */
export const childPaths = (plan: Plan): readonly string[] =>
  parentsOf(plan).flatMap(({ id, unit }) => placedInside(id, unit).map(({ path }) => path));

/** Fills the columns of the entries inside others, by path. Calls each as its parent does. O(rows × children). */
export function fillChildColumns(plan: Plan, evaluation: Evaluation): ReadonlyMap<string, ChildColumn> {
  const columns = new Map<string, ChildColumn>();
  plan.current.enter(evaluation.context, () => {
    for (const { id, unit } of parentsOf(plan)) {
      const inside = placedInside(id, unit);
      if (inside.length === 0) continue;
      const own = inside.map(({ use }) => emptyColumn(evaluation.kept.length, use));
      fillInside(evaluation, id, inside, own);
      for (const [k, { path }] of inside.entries()) columns.set(path, own[k]!);
    }
  });
  return columns;
}

const parentsOf = ({
  measures,
  score,
}: Plan): readonly { readonly id: string; readonly unit: CompiledUnit<number> }[] => [
  ...measures,
  ...score.scorers.map(({ entry, unit }) => ({ id: entry.id, unit })),
];

/** The entries inside a unit, recursively. If siblings share a name, the second is `name#2`. */
function placedInside(parent: string, unit: CompiledUnit<unknown>): readonly PlacedChild[] {
  const seen = new Map<string, number>();
  return unit.children.flatMap((child) => {
    const { name } = child.use;
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    const path = `${parent}/${nth > 1 ? `${name}#${nth}` : name}`;
    return [{ ...child, path }, ...placedInside(path, child.unit)];
  });
}

function emptyColumn(rows: number, { weight }: ChildUse): ChildColumn {
  const none = (): Float64Array => new Float64Array(rows).fill(Number.NaN);
  return { raw: none(), resolved: none(), states: new Uint8Array(rows).fill(NOT_EVALUATED), weight };
}

function fillInside(
  evaluation: Evaluation,
  parent: string,
  inside: readonly PlacedChild[],
  columns: readonly ChildColumn[],
): void {
  const { measures, scored, context, candidates, kept } = evaluation;
  const scorer = scored.scoring.active.find(({ entry }) => entry.id === parent);
  if (scorer?.evaluated) return fillRecorded(evaluation, parent, inside, columns);
  // If a parent was not prepared or does not take part in the run, the same holds for the entries inside it.
  const isReady = scorer ? !scorer.failed : measures.some(({ id, score }) => id === parent && score);
  if (!isReady) return;
  for (const [k, { unit, use }] of inside.entries()) {
    const score = unit.scoreIn(context) as Score<unknown>;
    const resolve = applyOnAbsent(use);
    for (let row = 0; row < kept.length; row++) {
      fillCell(columns[k]!, row, () => score(candidates[kept[row]!], row), resolve);
    }
  }
}

type Resolve = ReturnType<typeof applyOnAbsent>;

function fillCell({ raw, resolved, states }: ChildColumn, row: number, score: () => unknown, resolve: Resolve): void {
  states[row] = FAILED;
  try {
    const value = score();
    if (value === undefined) states[row] = ABSENT;
    else if (typeof value === 'number') {
      raw[row] = value;
      if (Number.isFinite(value)) states[row] = 0;
    }
    resolved[row] = resolve(value as number | undefined) ?? Number.NaN;
  } catch {
    // the child failed, or its on_absent refuses
  }
}

/** Fills the columns for a scorer that was prepared in batches. Only the scorer knows its batches, so each row is explained. */
function fillRecorded(
  { scored, candidates, kept }: Evaluation,
  parent: string,
  inside: readonly PlacedChild[],
  columns: readonly ChildColumn[],
): void {
  const scorer = scored.scoring.active.find(({ entry }) => entry.id === parent)!;
  const columnOf = new Map(inside.map(({ use }, k) => [use, columns[k]!]));
  for (let row = 0; row < kept.length; row++) {
    if (!wasEvaluated(scorer, row)) continue;
    const recorder = new NoteRecorder();
    try {
      scorer.raw(candidates[kept[row]!], row, recorder.note);
    } catch {
      // the records before the error are used
    }
    writeRecorded(recorder.children, row, columnOf);
  }
}

function writeRecorded(
  recorded: readonly RecordedChild[],
  row: number,
  columnOf: ReadonlyMap<ChildUse, ChildColumn>,
): void {
  for (const one of recorded) {
    const column = columnOf.get(one.use);
    if (!column) continue;
    const fails = 'failure' in one && one.raw !== undefined;
    fillCell(
      column,
      row,
      () => {
        if ('failure' in one && !fails) throw one.failure;
        return one.raw;
      },
      () => one.value,
    );
    writeRecorded(one.record.children, row, columnOf);
  }
}

/** The effect of one rule, by row of the ranking. */
export interface RuleColumn {
  /** 1 if the rule applied: its `when` was true and an amount was present. */
  readonly fired: Uint8Array;
  /** The score after the rule. */
  readonly totals: Float64Array;
}

/** Applies the rules to the combined scores again, rule by rule. Calls no scorer. O(rows × rules). */
export function fillRuleColumns(
  plan: Plan,
  result: RunResult,
  columns: ScoreColumns,
  combined: Float64Array,
): readonly RuleColumn[] {
  const { candidates, kept, rows } = result;
  const context = { ...result.context, score: 0 };
  return plan.current.enter(context, () => {
    context.scores = scoringOfColumns(plan, result, columns).scores;
    const filled = plan.rules.map(
      (): RuleColumn => ({ fired: new Uint8Array(combined.length), totals: new Float64Array(combined.length) }),
    );
    for (let r = 0; r < combined.length; r++) {
      const row = rows?.[r] ?? r;
      let score = combined[r]!;
      for (const [k, { fired, totals }] of filled.entries()) {
        score = applyRule(plan.rules[k]!, score, candidates[kept[row]!], row, context, () => void (fired[r] = 1));
        totals[r] = score;
      }
    }
    return filled;
  });
}

/**
 * The effective weight of each scorer of the run, for all rows or by row of the ranking: after normalization, the case of `weights` and the
 * scale for missing scores, as `explain` reports it; 0 if a scorer is skipped in the row. Undefined if the combine method
 * uses no weights. O(1) if all rows have the same weights, else O(rows × scorers).
 */
export function effectiveWeights(
  plan: Plan,
  { candidates, kept, rows, totals, scored, context }: RunResult,
  { scorers }: ScoreColumns,
): readonly (number | Float64Array)[] | undefined {
  if (!readsWeights(plan.profile.combine)) return undefined;
  const { weights, weightsOf } = scored.scoring;
  if (!plan.score.cases && scored.partial.size === 0) return [...weights];
  const filled = scorers.map(() => new Float64Array(totals.length));
  const isMissing = (k: number, row: number): boolean => Number.isNaN(scorers[k]!.resolved[row]);
  plan.current.enter(context, () => {
    for (let r = 0; r < totals.length; r++) {
      const row = rows?.[r] ?? r;
      const own = weightsOf(candidates[kept[row]!], row);
      const scale = scored.partial.has(row) ? missingScale(own, (k) => isMissing(k, row)) : 1;
      for (let k = 0; k < filled.length; k++) filled[k]![r] = isMissing(k, row) ? 0 : own[k]! * scale;
    }
  });
  return filled;
}

/** Σ|w| / Σ|w present|: the scale for the present scores. 1 if no present score has a weight. */
export function missingScale(weights: Float64Array, isMissing: (k: number) => boolean): number {
  let all = 0;
  let present = 0;
  for (let k = 0; k < weights.length; k++) {
    const weight = Math.abs(weights[k]!);
    all += weight;
    if (!isMissing(k)) present += weight;
  }
  return present > 0 && present < all ? all / present : 1;
}

/** The column of a measure in a run, with the states of its cells. */
export function measureColumn(plan: Plan, evaluation: Evaluation, id: string): ScoreColumn {
  const raw = Float64Array.from(evaluation.context.measures[id] ?? []);
  const states = new Uint8Array(raw.length);
  for (let row = 0; row < raw.length; row++) {
    if (Number.isNaN(raw[row])) states[row] = CELL_STATES.indexOf(readMeasured(plan, evaluation, id, row).state);
  }
  return { raw, resolved: raw, states };
}
