import { type Change, touched } from '../profile/amend.js';
import { NEVER } from '../stages/limits.js';
import { inTime } from '../stages/wait.js';
import { type Answer, answer, type Call } from './call.js';
import type { Edition } from './edition.js';
import type { Outcome } from './outcome.js';
import { Ranking } from './ranking.js';
import { run } from './run.js';

/** The ranking that a call came to. It can say what would have been, had the profile been otherwise. */
export const rankingOf = <T>(edition: Edition, call: Call, answered: Answer<Outcome>): Ranking<T> =>
  new Ranking<T>(edition.plan, answered.outcome, (change) => otherwise(edition, call, answered, change));

/** The run once more with a change: of the same candidates, at the same time, with the memories that it saw. */
async function otherwise<T>(
  { plan, amend }: Edition,
  { candidates, budget, spare }: Call,
  { outcome, memories }: Answer<Outcome>,
  change: Change,
): Promise<Ranking<T>> {
  const other = amend(change);
  const ids = touched(change);
  other.plan.units.remembering.adopt(plan.units.remembering, memories, ids);
  const { now, context, signals } = outcome.state;
  // One that comes after a changed signal may have read it.
  const inOrder = plan.signals.map(({ id }) => id);
  const changed = inOrder.findIndex((id) => ids.has(id));
  const same = changed < 0 ? inOrder : inOrder.slice(0, changed);
  const known = Object.fromEntries(same.filter((id) => id in signals).map((id) => [id, signals[id]]));
  const again: Call = { candidates, context: { ...context, now }, abort: NEVER, learn: false, budget, spare, known };
  return rankingOf(other, again, await inTime(answer(other.plan, again, run)));
}
