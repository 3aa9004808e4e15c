import { prefixOf } from '../kernel/run-buffers.js';
import type { RunState } from '../run-state.js';
import { resolveUnresolved } from './score/resolve-rows.js';
import { columnsToKeep, scoreInput } from './score/score.js';
import { vetoInput } from './veto/veto.js';
import { chain, type MaybeAsync } from '../tasks/task.js';
import { inTurns } from '../tasks/turns.js';

/** Vetoes, scores and combines in one generated loop. The results are those of the stages one after the other. */
export function fusedPass(run: RunState): MaybeAsync<void> {
  const { plan, candidates, context, buffers } = run;
  const { vetoes, scoring } = plan.fusedPass!; // the pass is chosen by its being there
  context.scores = scoring.scores;
  const at = plan.columnReader.reader(candidates);
  const columns = columnsToKeep(run, scoring, candidates.length);
  const form = { byColumn: at !== undefined, keeps: columns !== undefined };
  const loop = plan.score.loops.fused(vetoes, scoring.active, form);
  const vetoing = vetoInput(vetoes, candidates, buffers, run.failures, at);
  const scorers = scoreInput(run, scoring, { kept: buffers.kept, at, columns });
  let rows = 0;
  const looped = inTurns(run.abort, candidates.length, 'score', (from, to) => {
    rows = loop(vetoing, scorers, from, to, rows);
  });
  return chain(looped, () => {
    run.vetoes = { runs: vetoes, all: undefined };
    run.kept = prefixOf(buffers.kept, rows);
    return chain(resolveUnresolved(run, scoring, columns), (scored) => void (run.scored = scored));
  });
}
