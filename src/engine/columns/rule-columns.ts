import type { Plan } from '../plan.js';
import type { RunResult } from '../run-state.js';
import { applyRule } from '../stages/adjust/adjust.js';
import { scoringOfColumns } from './combine-columns.js';
import type { ScoreColumns } from './score-columns.js';

/** What one rule did, by row of the ranking. */
export interface RuleColumn {
  /** 1 where it changed the score, or could have: its `when` was true and an amount was there. */
  readonly fired: Uint8Array;
  /** The score after it. */
  readonly totals: Float64Array;
}

/** Applies the rules to the combined scores again, by rule. No scorer is called. O(rows × rules). */
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
