import { isNothing, NOTHING_SET, type Settings } from '../settings/settings.js';
import type { StudioModel } from './studio-model.js';

const keyOf = ({ data }: StudioModel): string => `assize-studio:${data.title}`;

/**
 * Keeps what is set for as long as the tab is open, so that loading the page again loses nothing.
 *
 * @returns what ends it
 */
export function remember(model: StudioModel, report: (error: unknown) => void): () => void {
  const write = () => {
    if (model.changed) sessionStorage.setItem(keyOf(model), JSON.stringify(model.settings));
    else sessionStorage.removeItem(keyOf(model));
  };
  const settings = remembered(model);
  if (!model.changed && !isNothing(settings)) model.setFull(settings).catch(report);
  else write(); // what was saved is nothing to come back to when the file says something else
  return model.subscribe(write);
}

/** What was set in this tab; nothing, where that cannot be read. */
function remembered(model: StudioModel): Settings {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(keyOf(model)) ?? '{}');
    return { ...NOTHING_SET, ...(found as Partial<Settings>) };
  } catch {
    return NOTHING_SET;
  }
}
