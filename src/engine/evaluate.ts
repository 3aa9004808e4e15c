import type { Failures } from './failures.js';
import { fusedPass } from './fused-pass.js';
import { itemsAt, RunBuffers } from './kernel/run-buffers.js';
import { NEVER } from './limits.js';
import type { Plan } from './plan.js';
import { type PrepareInput, prepareInput } from './run-context.js';
import type { Evaluation } from './run-result.js';
import { adjustRows } from './stages/adjust/adjust.js';
import { takeMeasures } from './stages/measure/measure.js';
import { prepareScorers } from './stages/score/prepare-scorers.js';
import { type ScoringInput, score } from './stages/score/score.js';
import { DeferredScorer } from './stages/score/second-phase/deferred-scorer.js';
import { type SecondPhasePlan, scoreSecondPhase } from './stages/score/second-phase/second-phase.js';
import { runVetoes } from './stages/veto/veto.js';
import { chain, type MaybeAsync } from './task.js';

/**
 * Veto, measure, score, combine, adjust: what becomes of candidates that each are judged for themselves.
 *
 * @param late which scorers are asked about some of them only; none when not said
 */
export function evaluateCandidates(
  plan: Plan,
  batch: PrepareInput,
  failures: Failures,
  late?: SecondPhasePlan,
): MaybeAsync<Evaluation> {
  const { candidates, context } = batch;
  const input: ScoringInput = {
    candidates,
    context,
    current: plan.current,
    buffers: new RunBuffers(candidates.length),
    failures,
  };
  return plan.fusedPass && !late
    ? applyRules(plan, input, runFusedPass(plan, plan.fusedPass, input))
    : chain(stagedPass(plan, batch, input, late), (judged) => applyRules(plan, input, judged));
}

/** The rules, in order, and the rows that they and the scorers left. */
function applyRules(
  plan: Plan,
  { candidates, context, buffers, failures }: ScoringInput,
  { vetoes, pinned, kept, measures, scored }: TierResult,
): Evaluation {
  adjustRows(
    plan.rules,
    plan.firstRuleRefuser,
    context,
    plan.current,
    candidates,
    kept,
    scored.totals,
    buffers,
    failures,
  );
  const { rows, totals } = dropRefused(kept, scored.totals, buffers);
  return { candidates, context, verdicts: buffers.verdicts, vetoes, pinned, kept, measures, scored, rows, totals };
}

/** What Tiers 1 and 2 came to. */
type TierResult = Pick<Evaluation, 'vetoes' | 'pinned' | 'kept' | 'measures' | 'scored'>;

/** Veto, measure, score, one after the other: each may have to prepare what it asks on what is left. */
function stagedPass(
  plan: Plan,
  batch: PrepareInput,
  input: ScoringInput,
  late: SecondPhasePlan | undefined,
): MaybeAsync<TierResult> {
  const { current } = plan;
  const { candidates, failures, buffers } = input;
  return chain(runVetoes(plan.vetoes, current, batch, buffers, failures), (vetoes) => {
    const { pinned, kept } = partitionPinned(plan, input, vetoes.kept);
    const keptBatch = prepareInput(batch, needsList(plan) ? candidatesAt(candidates, kept) : candidates);
    return chain(takeMeasures(plan.measures, current, keptBatch, failures), (measures) => {
      const held = late ? deferredScorers(plan, late, keptBatch, kept.length) : [];
      return chain(prepareScorers(plan.score, current, keptBatch, failures, held), (scoring) => {
        const { abort } = batch;
        if (abort !== NEVER) abort.throwIfAborted();
        const scored =
          late && held.length > 0
            ? scoreSecondPhase({ plan: plan.score, late, rules: plan.rules, input, kept, abort }, scoring, held)
            : score(plan.score, scoring, input, kept);
        return chain(scored, (made): TierResult => ({ vetoes, pinned, kept, measures, scored: made }));
      });
    });
  });
}

/** The scorers of the run that are asked late; none where there are no more candidates than they are asked about. */
function deferredScorers(
  { current, score: { scorers } }: Plan,
  late: SecondPhasePlan,
  batch: PrepareInput,
  rows: number,
) {
  if (rows <= late.top) return [];
  current.context = batch.context;
  return late.ask.flatMap((id) => {
    const scorer = scorers.find(({ entry }) => entry.id === id);
    return scorer?.when() ? [new DeferredScorer(scorer, current, batch, rows)] : [];
  });
}

/** Both tiers at once, where no stage stands between them. */
function runFusedPass(
  plan: Plan,
  { vetoes, scoring }: NonNullable<Plan['fusedPass']>,
  input: ScoringInput,
): TierResult {
  const { vetoed, scored } = fusedPass(vetoes, plan.score, scoring, input);
  return { vetoes: vetoed, pinned: [], kept: vetoed.kept, measures: [], scored };
}

/** Only units that are prepared, and columns by row, need the kept candidates as a list of their own. */
const needsList = (plan: Plan): boolean =>
  plan.measures.length > 0 || plan.score.scorers.some((scorer) => scorer.unit.prepares);

const candidatesAt = (candidates: readonly unknown[], positions: Int32Array): readonly unknown[] =>
  positions.length === candidates.length ? candidates : itemsAt(candidates, positions);

/** Pinned candidates leave after the vetoes: selected whatever they would have scored, and so not scored. */
function partitionPinned(
  plan: Plan,
  { candidates, context, failures }: ScoringInput,
  kept: Int32Array,
): Pick<TierResult, 'pinned' | 'kept'> {
  const pinned: number[] = [];
  const { pinned: isPinned, current } = plan;
  if (!isPinned) return { pinned, kept };
  current.context = context;
  const rest = kept.filter((i) => {
    try {
      if (isPinned(candidates[i], i) !== true) return true;
    } catch (error) {
      failures.add('pinned', 'select', error);
      return true;
    }
    pinned.push(i);
    return false;
  });
  return { pinned, kept: rest };
}

/** Leaves out the rows that scoring and the rules refused. */
function dropRefused(
  kept: Int32Array,
  totals: Float64Array,
  { verdicts, refusedAfterKept }: RunBuffers,
): Pick<Evaluation, 'rows' | 'totals'> {
  if (refusedAfterKept === 0) return { rows: undefined, totals };
  const rows = new Int32Array(kept.length - refusedAfterKept);
  const left = new Float64Array(rows.length);
  for (let row = 0, r = 0; row < kept.length; row++) {
    if (verdicts[kept[row]!] !== 0) continue;
    rows[r] = row;
    left[r++] = totals[row]!;
  }
  return { rows, totals: left };
}
