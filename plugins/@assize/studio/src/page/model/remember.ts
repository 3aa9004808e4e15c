import { isMap } from '../../data/studio-data.js';
import { NOTHING_SET, type Settings } from '../settings/settings.js';
import type { NamedState } from './history.js';
import type { StudioModel } from './studio-model.js';

/** What a browser keeps of a profile, also when the server ends. */
interface Remembered {
  readonly settings?: Settings;
  readonly named?: readonly NamedState[];
  /** A text of the file that does not rank yet. */
  readonly typed?: string;
}

const keyOf = ({ saved }: StudioModel): string => `assize-studio:${saved.key ?? saved.title}`;

/**
 * Keeps unsaved settings, named states and a typed text in the storage of the browser.
 *
 * @returns what ends it
 */
export function remember(model: StudioModel): () => void {
  let written = '';
  const write = () => {
    const named = model.history.kept.flatMap(({ name, at, settings, for: reason }) =>
      reason === 'named' && settings ? [{ name, at, settings }] : [],
    );
    const state: Remembered = {
      ...(model.changed && { settings: model.settled }),
      ...(named.length > 0 && { named }),
      ...(model.typed !== undefined && { typed: model.typed }),
    };
    const text = JSON.stringify(state);
    if (text === written) return;
    written = text;
    try {
      if (text === '{}') localStorage.removeItem(keyOf(model));
      else localStorage.setItem(keyOf(model), text);
    } catch {
      // The storage is full or switched off: then nothing is remembered.
    }
  };
  write();
  addEventListener('pagehide', write); // what a part of the page sets as it ends is not ranked any more
  const unsubscribe = model.subscribe(write);
  return () => {
    removeEventListener('pagehide', write);
    unsubscribe();
  };
}

/**
 * Sets what an earlier page of this profile had set and not saved, unless something is set already; and adds its named
 * states to the history.
 *
 * @throws Error if the settings do not fit the profile; they are then dropped
 */
export async function restore(model: StudioModel): Promise<void> {
  const { settings, named = [], typed } = remembered(model);
  if (typeof typed === 'string') model.keepTyped(typed);
  await model.addNamed(named.toReversed());
  if (settings && !model.changed) await model.setFull({ ...NOTHING_SET, ...settings });
}

function remembered(model: StudioModel): Remembered {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(keyOf(model)) ?? '{}');
    return isMap(found) ? found : {};
  } catch {
    return {};
  }
}
