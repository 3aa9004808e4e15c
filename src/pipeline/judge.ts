import { itemsAt, Slab } from '../matrix/slab.js';
import { adjust } from '../stages/adjust.js';
import type { Failures } from '../stages/failures.js';
import { judgeAndScore } from '../stages/judge-and-score.js';
import { LateScorer } from '../stages/late-scorer.js';
import { NEVER } from '../stages/limits.js';
import { measure } from '../stages/measure.js';
import { type Batch, batchOf } from '../stages/plan.js';
import { prepareScorers } from '../stages/prepare-scorers.js';
import { type ScoringInput, score } from '../stages/score.js';
import { type LatePlan, scoreLate } from '../stages/score-late.js';
import { veto } from '../stages/veto.js';
import { andThen, type Soon } from '../stages/wait.js';
import type { Plan } from './compile/plan.js';
import type { Judgement } from './outcome.js';

/**
 * Veto, measure, score, combine, adjust: what becomes of candidates that each are judged for themselves.
 *
 * @param late which scorers are asked about some of them only; none when not said
 */
export function judge(plan: Plan, batch: Batch, failures: Failures, late?: LatePlan): Soon<Judgement> {
  const { candidates, state } = batch;
  const input: ScoringInput = { candidates, state, cell: plan.cell, slab: new Slab(candidates.length), failures };
  return plan.onePass && !late
    ? ruled(plan, input, inOnePass(plan, plan.onePass, input))
    : andThen(inStages(plan, batch, input, late), (judged) => ruled(plan, input, judged));
}

/** The rules, in order, and the rows that they and the scorers left. */
function ruled(
  plan: Plan,
  { candidates, state, slab, failures }: ScoringInput,
  { vetoed, pinned, kept, measured, scored }: Judged,
): Judgement {
  adjust(plan.rules, plan.firstRuleJudge, state, plan.cell, candidates, kept, scored.totals, slab, failures);
  const { rows, totals } = compact(kept, scored.totals, slab);
  return { candidates, state, verdicts: slab.verdicts, vetoed, pinned, kept, measured, scored, rows, totals };
}

/** What Tiers 1 and 2 came to. */
type Judged = Pick<Judgement, 'vetoed' | 'pinned' | 'kept' | 'measured' | 'scored'>;

/** Veto, measure, score, one after the other: each may have to prepare what it asks on what is left. */
function inStages(plan: Plan, batch: Batch, input: ScoringInput, late: LatePlan | undefined): Soon<Judged> {
  const { cell } = plan;
  const { candidates, failures, slab } = input;
  return andThen(veto(plan.vetoes, cell, batch, slab, failures), (vetoed) => {
    const { pinned, kept } = partition(plan, input, vetoed.kept);
    const keptBatch = batchOf(batch, needsList(plan) ? pick(candidates, kept) : candidates);
    return andThen(measure(plan.measures, cell, keptBatch, failures), (measured) => {
      const held = late ? lateScorers(plan, late, keptBatch, kept.length) : [];
      return andThen(prepareScorers(plan.score, cell, keptBatch, failures, held), (scoring) => {
        const { abort } = batch;
        if (abort !== NEVER) abort.throwIfAborted();
        const scored =
          late && held.length > 0
            ? scoreLate({ plan: plan.score, late, rules: plan.rules, input, kept, abort }, scoring, held)
            : score(plan.score, scoring, input, kept);
        return andThen(scored, (made): Judged => ({ vetoed, pinned, kept, measured, scored: made }));
      });
    });
  });
}

/** The scorers of the run that are asked late; none where there are no more candidates than they are asked about. */
function lateScorers({ cell, score: { scorers } }: Plan, late: LatePlan, batch: Batch, rows: number) {
  if (rows <= late.top) return [];
  cell.state = batch.state;
  return late.ask.flatMap((id) => {
    const scorer = scorers.find(({ entry }) => entry.id === id);
    return scorer?.when() ? [new LateScorer(scorer, cell, batch, rows)] : [];
  });
}

/** Both tiers at once, where no stage stands between them. */
function inOnePass(plan: Plan, { vetoes, scoring }: NonNullable<Plan['onePass']>, input: ScoringInput): Judged {
  const { vetoed, scored } = judgeAndScore(vetoes, plan.score, scoring, input);
  return { vetoed, pinned: [], kept: vetoed.kept, measured: [], scored };
}

/** Only units that are prepared, and columns by row, need the kept candidates as a list of their own. */
const needsList = (plan: Plan): boolean =>
  plan.measures.length > 0 || plan.score.scorers.some((scorer) => scorer.unit.batch);

const pick = (candidates: readonly unknown[], positions: Int32Array): readonly unknown[] =>
  positions.length === candidates.length ? candidates : itemsAt(candidates, positions);

/** Pinned candidates leave after the vetoes: selected whatever they would have scored, and so not scored. */
function partition(
  plan: Plan,
  { candidates, state, failures }: ScoringInput,
  kept: Int32Array,
): Pick<Judged, 'pinned' | 'kept'> {
  const pinned: number[] = [];
  const { pinned: isPinned, cell } = plan;
  if (!isPinned) return { pinned, kept };
  cell.state = state;
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
function compact(
  kept: Int32Array,
  totals: Float64Array,
  { verdicts, dropped }: Slab,
): Pick<Judgement, 'rows' | 'totals'> {
  if (dropped === 0) return { rows: undefined, totals };
  const rows = new Int32Array(kept.length - dropped);
  const left = new Float64Array(rows.length);
  for (let row = 0, r = 0; row < kept.length; row++) {
    if (verdicts[kept[row]!] !== 0) continue;
    rows[r] = row;
    left[r++] = totals[row]!;
  }
  return { rows, totals: left };
}
