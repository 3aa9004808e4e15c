import { prepareEntry } from '../entries/prepare-entry.js';
import type { RunState, Stage } from '../run-state.js';
import { isTask, type Task } from '../tasks/task.js';

/**
 * A stage that prepares some entries on the kept candidates, and scores nothing: for what they do on the way, such as
 * embedding. An entry that cannot be prepared is among the failures of the run.
 *
 * @param isWanted by an entry's id
 */
export const prepareKept =
  (isWanted: (id: string) => boolean): Stage =>
  (run) =>
    prepareEach(run, isWanted);

function* prepareEach({ plan, keptInput, failures }: RunState, isWanted: (id: string) => boolean): Task<void> {
  const scorers = plan.score.scorers.map(({ entry, unit, when }) => ({ id: entry.id, entry, unit, when }));
  const measures = plan.measures.map((one) => ({ id: one.id, entry: one, unit: one.unit, when: one.when }));
  for (const { id, entry, unit, when } of [...measures, ...scorers]) {
    if (!unit.prepares || !isWanted(id) || !when()) continue;
    const pending = prepareEntry(entry, unit, keptInput);
    const failure = isTask(pending) ? yield* pending : pending;
    if (failure) failures.addUnprepared(id, 'score', failure.cause, keptInput.candidates.length);
  }
}
