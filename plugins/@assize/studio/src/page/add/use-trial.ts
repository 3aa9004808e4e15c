import { useEffect, useRef, useState } from 'preact/hooks';
import type { StudioData } from '../../data/studio-data.js';
import type { FileEdit } from '../../save/data-edit.js';
import type { Snapshot } from '../model/snapshot.js';
import type { StudioModel } from '../model/studio-model.js';
import { withFileEdits } from '../settings/structure.js';
import { type Effect, effectOf } from './effect.js';
import { messageOf } from '../parts/message-of.js';

/** Edits that are tried while a dialog is open. */
export interface Trial {
  /** The draft when the dialog was opened: the edits are relative to it. */
  readonly opened: StudioData;
  /** Whether the edits change anything; false while they are not complete. */
  readonly hasEdits: boolean;
  /** How the edits change the ranking; undefined while it is computed, or without edits. */
  readonly effect: Effect | undefined;
  /** Why the edits do not rank. */
  readonly problem: string;
  /** Sets the edits as one step that can be undone. */
  readonly confirm: () => Promise<void>;
}

/** Milliseconds without a change before the edits are ranked, because each letter that is typed changes them. */
const QUIET_MS = 200;

/**
 * Ranks by edits while they are chosen, and by the earlier settings when the component ends.
 *
 * @param edits undefined while they are not complete
 */
export function useTrial(model: StudioModel, edits: readonly FileEdit[] | undefined): Trial {
  const [opened] = useState(() => ({ data: model.data, shown: model.shown }));
  const [tried, setTried] = useState<{ readonly key: string; readonly shown?: Snapshot; readonly problem: string }>();
  const key = JSON.stringify(edits ?? null);
  const current = useRef({ model, edits });
  current.current = { model, edits };
  useEffect(() => {
    let isWanted = true;
    const timer = setTimeout(() => {
      const work = edits && edits.length > 0 ? model.preview(withFileEdits(model.settled, edits)) : model.cancel();
      work.then(
        () => isWanted && setTried({ key, shown: model.shown, problem: '' }),
        (error: unknown) => isWanted && setTried({ key, problem: messageOf(error) }),
      );
    }, QUIET_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [key, model]);
  useEffect(() => () => void current.current.model.cancel().catch(() => {}), []);
  const isCurrent = tried?.key === key;
  return {
    opened: opened.data,
    hasEdits: edits !== undefined && edits.length > 0,
    effect: isCurrent && tried.shown && edits?.length ? effectOf(opened.shown, tried.shown) : undefined,
    problem: isCurrent ? tried.problem : '',
    confirm: async () => {
      const { model: now, edits: chosen } = current.current;
      if (chosen) await now.set(withFileEdits(now.settled, chosen));
    },
  };
}
