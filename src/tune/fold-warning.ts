import type { Problem } from '../diagnostics/index.js';
import type { HeldOut } from './held-out.js';

/** Warns where folds by one thing show a gain, and folds by another do not: then what was learnt is that thing. */
export function foldWarning([first, ...others]: readonly HeldOut[]): readonly Problem[] {
  if (!first) return [];
  return others
    .filter(({ verdict }) => verdict !== first.verdict)
    .map(({ by, verdict, difference }) => ({
      code: 'ASZ735',
      message: `by ${first.by} the verdict is ${first.verdict} (${signed(first.difference)}), by ${by} ${verdict} (${signed(difference)})`,
      hint: `what was found may recognise the ${by}, and not what is good: measure on what comes from elsewhere`,
    }));
}

const signed = (x: number): string => `${x < 0 ? '−' : '+'}${Math.abs(x).toFixed(3)}`;
