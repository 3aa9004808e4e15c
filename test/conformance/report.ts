import { SKIPS } from './skips.js';
import type { Tally } from './tally.js';

/** The number of differences that are shown per file. */
const SHOWN = 3;

/** The line of a file, then its failures and skips. */
export function report(file: string, { passed, failed, skipped }: Tally): string[] {
  const left = skipped.reduce((total, { cases }) => total + cases, 0);
  return [
    `${file}: ${passed} passed, ${failed.length} failed, ${left} skipped`,
    ...failed.slice(0, SHOWN).map(({ name, expected, found }) => `  ${name}: expected ${expected}, found ${found}`),
    ...(failed.length > SHOWN ? [`  and ${failed.length - SHOWN} more`] : []),
    ...skipped.map(({ name, cases }) => `  skipped ${cases}, ${name}: ${SKIPS[name]}`),
  ];
}
