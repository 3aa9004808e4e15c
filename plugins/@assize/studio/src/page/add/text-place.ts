import type { Step } from '../../save/data-edit.js';

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Finds a key, or the id of an element, in YAML of any style, also in quotes. */
function patternOf(step: Step): RegExp | undefined {
  if (typeof step === 'number') return undefined;
  return typeof step === 'object'
    ? new RegExp(`\\bid:\\s*["']?${escaped(step.id)}\\b`, 'g')
    : new RegExp(`(?<=^\\s*(?:- )?|[{,]\\s*)["']?${escaped(step)}["']?\\s*:`, 'gm');
}

/**
 * The position of a part in the text of a profile, as far as the text has it. The end of the text if it has nothing of the
 * part, because there it can be added.
 */
export function placeIn(text: string, path: readonly Step[]): number {
  let place: number | undefined;
  for (const step of path) {
    const pattern = patternOf(step);
    if (!pattern) break;
    pattern.lastIndex = place ?? 0;
    const found = pattern.exec(text);
    if (!found) break;
    place = found.index;
  }
  return place ?? text.length;
}
