import { prefixOf } from './kernel/run-buffers.js';
import type { RunState } from './run-state.js';
import { resolveUnresolved } from './stages/score/resolve-rows.js';
import { scoreInput } from './stages/score/score.js';
import { vetoInput } from './stages/veto/veto.js';

/** Vetoes, scores and combines in one generated loop. The results are those of the stages one after the other. */
export function fusedPass(run: RunState): void {
  const { plan, candidates, context, buffers } = run;
  const { vetoes, scoring } = plan.fusedPass!; // the pass is chosen by its being there
  context.scores = scoring.scores;
  const loop = plan.score.loops.fused(vetoes, scoring.active);
  const rows = loop(vetoInput(vetoes, candidates, buffers, run.failures), scoreInput(run, scoring, buffers.kept));
  run.vetoes = { runs: vetoes, all: undefined };
  run.kept = prefixOf(buffers.kept, rows);
  run.scored = resolveUnresolved(run, scoring);
}
