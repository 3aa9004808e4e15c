import { type ChildUse, entriesNeedingAll, hasMemory, type Use } from '../../profile/index.js';
import type { StreamRun } from '../../stream/stream-run.js';
import { formulaOf } from '../expressions/uses.js';
import { selectionReason } from '../statement/set-reason.js';
import { Untranslatable } from '../untranslatable.js';

/**
 * The entries whose least and greatest scores are all that the candidates of a run must know of each other: those under
 * a scale over the batch. Undefined where candidates are compared in any other way, too.
 */
export function extremesRead({ plan, start }: StreamRun): readonly ChildUse[] | undefined {
  const { profile, current, secondPhase, score } = plan;
  const comparing = entriesNeedingAll(profile);
  const areScalers = comparing.every(
    ({ id, use, scopes }) => profile.scorers.some((one) => one.id === id) && !hasMemory(use) && !scopes.has('sequence'),
  );
  if (comparing.length === 0 || !areScalers || secondPhase || selectionReason(profile) !== undefined) return undefined;
  const present = score.scorers.filter(({ entry, when }) => comparing.includes(entry) && current.enter(start, when));
  try {
    const read = present.map(({ entry }) => extremesOf(entry.use));
    return read.every((some) => some.length > 0) ? read.flat() : undefined;
  } catch (error) {
    if (error instanceof Untranslatable) return undefined;
    throw error;
  }
}

/** @throws Untranslatable where a class inside has no formula */
function extremesOf(use: Use): readonly ChildUse[] {
  if (use.kind === 'expr') return [];
  const own = [...formulaOf(use).extremes.values()].flatMap(({ child }) => use.children.get(child) ?? []);
  return [...new Set([...own, ...[...use.children.values()].flatMap((child) => extremesOf(child.use))])];
}
