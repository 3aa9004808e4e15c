import { prefixOf } from '../kernel/run-buffers.js';
import type { RunState } from '../run-state.js';
import { resolveUnresolved } from './score/resolve-rows.js';
import { columnsToKeep, scoreInput, settleMeasured, startMeasured } from './score/score.js';
import { SAMPLED_ROWS, SEARCHED_CANDIDATES } from './score/scorer-costs.js';
import { vetoInput } from './veto/veto.js';
import { chain, type MaybeAsync } from '../tasks/task.js';
import { inTurns } from '../tasks/turns.js';

/** Vetoes, scores and combines in one generated loop. The results are those of the stages one after the other. */
export function fusedPass(run: RunState): MaybeAsync<void> {
  const { plan, candidates, context, buffers } = run;
  const { vetoes, scoring: given } = plan.fusedPass!; // the pass is chosen by its being there
  context.scores = given.scores;
  const { loops } = plan.score;
  const at = plan.columnReader.reader(candidates);
  const columns = columnsToKeep(run, given, candidates.length);
  const form = { byColumn: at !== undefined, keeps: columns !== undefined };
  const vetoing = vetoInput(vetoes, candidates, buffers, run.failures, at);
  const own = { kept: buffers.kept, at, columns };
  let rows = 0;
  let first = 0;
  const measured = startMeasured(run, given, candidates.length);
  if (measured?.measures) {
    const loop = loops.plainFused(vetoes, given.active, { ...form, byColumn: false });
    const input = scoreInput(run, measured.first, own);
    const most = Math.min(candidates.length, SEARCHED_CANDIDATES);
    while (rows < SAMPLED_ROWS && first < most) {
      const to = Math.min(most, first + SAMPLED_ROWS);
      rows = loop(vetoing, input, first, to, rows);
      first = to;
    }
  }
  const scoring = settleMeasured(run, given, measured);
  const loop = loops.fused(vetoes, given.active, form);
  const scorers = scoreInput(run, scoring, own);
  const looped = inTurns(run.abort, candidates.length - first, 'score', (from, to) => {
    rows = loop(vetoing, scorers, first + from, first + to, rows);
  });
  return chain(looped, () => {
    run.vetoes = { runs: vetoes, all: undefined };
    run.kept = prefixOf(buffers.kept, rows);
    return chain(resolveUnresolved(run, scoring, columns), (scored) => void (run.scored = scored));
  });
}
