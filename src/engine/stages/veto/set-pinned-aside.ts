import { itemsAt } from '../../kernel/run-buffers.js';
import { ExpressionStepsError } from '../../../expression/index.js';
import type { Plan } from '../../plan.js';
import { RunFailed } from '../../failures/run-errors.js';
import type { RunState } from '../../run-state.js';

/**
 * Pinned candidates leave after the vetoes: they are selected whatever they would have scored, and so not scored. The
 * others are what measures and scorers are prepared with.
 */
export function setPinnedAside(run: RunState): void {
  const { plan, candidates, failures } = run;
  const isPinned = plan.pinned;
  if (isPinned) {
    const pinned: number[] = [];
    run.kept = run.kept.filter((i) => {
      try {
        if (isPinned(candidates[i], i) !== true) return true;
      } catch (error) {
        if (error instanceof ExpressionStepsError) throw new RunFailed('pinned', 'select', error, i);
        failures.add('pinned', 'select', error);
        return true;
      }
      pinned.push(i);
      return false;
    });
    run.pinned = pinned;
  }
  run.keptInput = run.prepareInput(needsList(plan) ? keptList(run) : candidates);
}

/** The kept candidates. Units are not given the caller's own list: one that sorts it would change it for everybody. */
const keptList = ({ candidates, kept }: RunState): readonly unknown[] =>
  kept.length === candidates.length ? candidates.slice() : itemsAt(candidates, kept);

/** Only batch units, and columns by row, need the kept candidates as a list of their own. */
const needsList = ({ measures, score }: Plan): boolean =>
  measures.length > 0 || score.scorers.some((scorer) => scorer.unit.prepares);
