import type { Columns } from '../../../data/index.js';
import type { OpenColumns } from '../../candidates.js';
import type { CompiledUnit, GroupedRows } from '../../entries.js';
import { type ColumnLoop, makeColumnLoop } from '../../kernel/column-loops.js';
import { columnKinds } from '../../kernel/loop-text.js';
import { fillPositions, prefixOf } from '../../kernel/run-buffers.js';
import { unsound } from '../../kernel/score-loop.js';
import { makeVetoLoop } from '../../kernel/veto-loop.js';
import type { GroupedPass } from '../../plan.js';
import type { RunState } from '../../run-state.js';
import { chain, type MaybeAsync, NEVER } from '../../tasks.js';
import type { ActiveScorer, ActiveVeto, GroupedLoops } from '../../tier-plans.js';
import { vetoInput } from '../veto.js';
import { scoreRows } from './score.js';
import { activeScorers, bytecodesOf, makeScoring, vetoEntry } from './scoring.js';

/**
 * Compiles the pass over groups whose candidates are stored by column, which makes no object per candidate or group.
 *
 * @param codegen whether loops are generated as code
 */
export function compileGroupedPass(vetoes: readonly ActiveVeto[], codegen: boolean): GroupedPass {
  const made = new Map<string, GroupedLoops>();
  return {
    vetoes,
    loopsFor: ({ table, fields }) => {
      const kinds = columnKinds(table, fields);
      const loops = made.get(kinds) ?? makeLoops(vetoes, codegen, table);
      made.set(kinds, loops);
      return loops;
    },
  };
}

function makeLoops(vetoes: readonly ActiveVeto[], codegen: boolean, table: Columns): GroupedLoops {
  const columns = new Map<CompiledUnit<unknown>, ColumnLoop>();
  return {
    veto: makeVetoLoop(vetoes.map(vetoEntry), codegen, table),
    column: (unit, score) => {
      const entry = { size: bytecodesOf(score), formula: unit.formula?.() };
      const loop = columns.get(unit) ?? makeColumnLoop([entry], codegen, table);
      columns.set(unit, loop);
      return loop;
    },
  };
}

/** Vetoes, prepares, scores and combines groups. The results equal those of the separate stages. */
export function groupedPass(run: RunState): MaybeAsync<void> {
  const { plan, candidates, context, buffers } = run;
  if (run.abort !== NEVER) run.abort.throwIfAborted();
  const byColumn = plan.columnReader.open(candidates)!; // this pass runs only if it can
  const { vetoes, loopsFor } = plan.groupedPass!;
  const loops = loopsFor(byColumn);
  const input = vetoInput(vetoes, candidates, buffers, run.failures, byColumn);
  run.vetoes = { runs: vetoes, all: undefined };
  run.kept =
    vetoes.length === 0
      ? fillPositions(buffers.kept)
      : prefixOf(buffers.kept, loops.veto(input, 0, candidates.length, 0));
  const rows = groupedRows(run, byColumn, loops);
  const active = activeScorers(plan.score.scorers, []).map((one): ActiveScorer => {
    const { prepareGroups } = one.unit;
    if (!prepareGroups) return one;
    const { known, score } = prepareGroups(rows);
    return { ...one, raw: score, known, cached: true, evaluated: () => true };
  });
  const scoring = makeScoring(plan.score, active);
  context.scores = scoring.scores;
  return chain(scoreRows(run, scoring, byColumn), (scored) => void (run.scored = scored));
}

const groupedRows = (
  { candidates, kept, start }: RunState,
  byColumn: OpenColumns,
  loops: GroupedLoops,
): GroupedRows => ({
  ends: rowEnds(kept, start.groupEnds!),
  column: (unit, score) => {
    const column = new Float64Array(kept.length);
    loops.column(unit, score)({ candidates, kept, scorers: [score], columns: [column], unsound, ...byColumn });
    return column;
  },
});

/** By group: the row after its last one. */
function rowEnds(kept: Int32Array, ends: readonly number[]): Int32Array {
  const rows = new Int32Array(ends.length);
  let row = 0;
  for (let group = 0; group < ends.length; group++) {
    const end = ends[group]!;
    while (row < kept.length && kept[row]! < end) row += 1;
    rows[group] = row;
  }
  return rows;
}
