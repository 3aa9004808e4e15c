import { type Plan, refuserOf } from '../../engine/index.js';
import type { ChosenRow } from '../statement/sieve-rows.js';
import { ODD } from '../stages/verdict-steps.js';

/** The engine's verdict on a row is another than SQL's: a fault of a translation, or of a database. */
export class SieveMismatch extends Error {
  override readonly name = 'SieveMismatch';
}

/**
 * Checks that the engine's verdict is what SQL has promised.
 *
 * @param isBound whether SQL knows not all: what it passes a scorer may refuse, or never see
 */
export function checkVerdict(plan: Plan, { pos, verdict: said }: ChosenRow, verdict: number, isBound = false): void {
  const mayDiffer = isBound && said === 0 && refuserOf(verdict) >= plan.score.firstRefuser;
  if (said === ODD || said === verdict || mayDiffer) return;
  const text = (one: number): string => (one === 0 ? 'scored' : `refused by ${plan.refusers[refuserOf(one)]}`);
  throw new SieveMismatch(`row ${pos} is ${text(said)} in SQL, and ${text(verdict)} by the engine`);
}
