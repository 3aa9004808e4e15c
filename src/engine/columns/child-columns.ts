import type { Score } from '../../contract/index.js';
import type { ChildUse } from '../../profile/index.js';
import { applyOnAbsent } from '../compile/children.js';
import type { CompiledChild, CompiledUnit } from '../compiled-unit.js';
import { NoteRecorder, type RecordedChild } from '../note-recorder.js';
import type { Plan } from '../plan.js';
import { ReusedUnit } from '../reused-unit.js';
import type { Evaluation } from '../run-state.js';
import { wasAsked } from '../stages/score/resolve-score.js';
import { ABSENT, FAILED, NOT_ASKED, type ScoreColumn } from './score-column.js';

/** The numbers of an entry inside another. `resolved` is what its parent gets: after its own `on_absent`. */
export interface ChildColumn extends ScoreColumn {
  /** Relative to its siblings'. */
  readonly weight: number;
}

/** An entry inside another, by its path: `relevance/bm25`. */
interface PlacedChild extends CompiledChild {
  readonly path: string;
}

/** The paths of all entries inside those of a profile, outer ones first. */
export const childPaths = (plan: Plan): readonly string[] =>
  parentsOf(plan).flatMap(({ id, unit }) => placedInside(id, unit).map(({ path }) => path));

/** Fills the columns of the entries inside others, by path: each is asked as its parent asks it. O(rows × children). */
export function fillChildColumns(plan: Plan, evaluation: Evaluation): ReadonlyMap<string, ChildColumn> {
  const columns = new Map<string, ChildColumn>();
  plan.current.enter(evaluation.context, () => {
    for (const parent of parentsOf(plan)) {
      const inside = placedInside(parent.id, parent.unit);
      if (inside.length === 0) continue;
      const own = inside.map(({ use }) => emptyColumn(evaluation.kept.length, use));
      fillInside(evaluation, parent, inside, own);
      for (const [k, { path }] of inside.entries()) columns.set(path, own[k]!);
    }
  });
  return columns;
}

/** An entry that may have others inside it. */
interface ParentUnit {
  readonly id: string;
  readonly unit: CompiledUnit<number>;
}

const parentsOf = ({ measures, score }: Plan): readonly ParentUnit[] => [
  ...measures,
  ...score.scorers.map(({ entry, unit }) => ({ id: entry.id, unit })),
];

/** What is inside a unit, and inside that. Of siblings with one name, the second is `name#2`. */
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
  return { raw: none(), resolved: none(), states: new Uint8Array(rows).fill(NOT_ASKED), weight };
}

function fillInside(
  evaluation: Evaluation,
  { id, unit: parent }: ParentUnit,
  inside: readonly PlacedChild[],
  columns: readonly ChildColumn[],
): void {
  const { measures, scored, context, candidates, kept } = evaluation;
  const scorer = scored.scoring.active.find(({ entry }) => entry.id === id);
  const score = scorer ? scorer.raw : measures.find((measure) => measure.id === id)?.score;
  // Where a parent could not be prepared, or is not in the run, neither were those inside it.
  if (!score || scorer?.failed) return;
  if (scorer?.asked || parent instanceof ReusedUnit) {
    const asked = (row: number): boolean => !scorer || wasAsked(scorer, row);
    const others = parent instanceof ReusedUnit ? parent.others : [];
    const uses = [inside, ...others.map((unit) => placedInside(id, unit))];
    return fillRecorded(evaluation, score, asked, uses, columns);
  }
  for (const [k, { unit, use }] of inside.entries()) {
    const own = unit.scoreIn(context) as Score<unknown>;
    const resolve = applyOnAbsent(use);
    for (let row = 0; row < kept.length; row++) {
      fillCell(columns[k]!, row, () => own(candidates[kept[row]!], row), resolve);
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
    // it failed, or its on_absent refuses
  }
}

/**
 * Of an entry that was prepared in parts, or in an earlier run: what is inside it is known to it alone, so that it is
 * explained row by row.
 */
function fillRecorded(
  { candidates, kept }: Evaluation,
  score: Score<unknown>,
  asked: (row: number) => boolean,
  uses: readonly (readonly PlacedChild[])[],
  columns: readonly ChildColumn[],
): void {
  const columnOf = new Map(uses.flatMap((inside) => inside.map(({ use }, k) => [use, columns[k]!] as const)));
  for (let row = 0; row < kept.length; row++) {
    if (!asked(row)) continue;
    const recorder = new NoteRecorder();
    try {
      score(candidates[kept[row]!], row, recorder.note);
    } catch {
      // what was recorded until then is
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
