import type { Score } from '../../contract/index.js';
import { applyOnAbsent } from '../../engine/units/unit-compiler.js';
import type { CompiledUnit } from '../../engine/entries.js';
import type { Evaluation, Plan } from '../../engine/index.js';
import type { ChildUse } from '../../profile/index.js';

/** A score of an entry, and the first row of Tier 2 that has it. */
interface ScoreOfRow {
  readonly score: number;
  readonly row: number;
}

/** The least and the greatest score that an entry gives its parent. */
export type ChildExtremes = readonly [least: ScoreOfRow, greatest: ScoreOfRow];

/**
 * The extremes of an entry inside another, among what the vetoes leave: by the engine, which asks it as its parent does.
 * Undefined where it gives no number. O(rows).
 */
export function childExtremes(
  plan: Plan,
  { candidates, kept, context }: Evaluation,
  child: ChildUse,
): ChildExtremes | undefined {
  const unit = plan.score.scorers.map((one) => compiledChild(one.unit, child)).find((one) => one !== undefined);
  if (!unit) return undefined;
  return plan.current.enter(context, () => {
    const score = unit.scoreIn(context) as Score<unknown>;
    const resolve = applyOnAbsent(child);
    let found: ChildExtremes | undefined;
    for (const [row, position] of kept.entries()) {
      const value = tryScore(() => resolve(score(candidates[position], row)));
      if (value === undefined || Number.isNaN(value)) continue;
      const here = { score: value, row };
      if (!found) found = [here, here];
      else if (value < found[0].score) found = [here, found[1]];
      else if (value > found[1].score) found = [found[0], here];
    }
    return found;
  });
}

function tryScore(score: () => number | undefined): number | undefined {
  try {
    return score();
  } catch {
    return undefined; // a failure, which is the row's own
  }
}

function compiledChild({ children }: CompiledUnit<unknown>, wanted: ChildUse): CompiledUnit<unknown> | undefined {
  for (const { unit, use } of children) {
    const found = use === wanted ? unit : compiledChild(unit, wanted);
    if (found) return found;
  }
  return undefined;
}
