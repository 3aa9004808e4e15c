import { isBehind, usePageKeys } from '../keys.js';
import type { Scale } from './scale.js';

interface JudgeKeys {
  /** Undefined in a page without a server. */
  readonly toggle: (() => void) | undefined;
  /** Read when a key is pressed: the page may not have rendered the last one yet. */
  readonly isOn: () => boolean;
  readonly scale: () => Scale | undefined;
  /** Grades the chosen item; null removes its grade. */
  readonly grade: (grade: number | null) => void;
  /** Chooses an item so many places further. */
  readonly move: (places: number) => void;
}

const MOVES: Readonly<Record<string, number>> = { j: 1, k: -1, ArrowRight: 1, ArrowLeft: -1 };

/** The key of the mode, and in it the keys that grade. */
export function useJudgeKeys({ toggle, isOn, scale, grade, move }: JudgeKeys): void {
  usePageKeys(
    (event) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (!toggle || isBehind() || ctrlKey || metaKey || altKey || isTyping(target)) return false;
      if (key === 'g' && (isOn() || isInItems(target))) toggle();
      else if (!isOn()) return false;
      else if (/^\d$/.test(key) && Number(key) <= (scale()?.most ?? -1)) grade(Number(key));
      else if (key === 'Backspace' || key === 'Delete') grade(null);
      else if (MOVES[key] !== undefined && isOutside(target)) move(MOVES[key]);
      else return false;
      return true;
    },
    [toggle, isOn, scale, grade, move],
  );
}

/** Whether keys are about a control that takes text or a choice. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, select, textarea, [contenteditable]') !== null;

/** Whether the focus is nowhere, or on a button of the mode: the items have their own arrows. */
const isOutside = (target: EventTarget | null): boolean =>
  target === document.body || (target instanceof Element && target.closest('.judge') !== null);

/** Whether the items have the focus. Elsewhere a single letter does nothing: people who speak may not mean a key. */
const isInItems = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role=listbox], [role=grid]') !== null;
