import type { Difference } from '@assize/evaluate/measures';
import { MEASURE_NAMES, type Quality } from '../model/quality.js';
import { formatGain } from '../parts/format.js';
import { counted } from '../parts/in-words.js';
import type { Measured } from '../queries/use-measured.js';

/** How the quality changes, in words. */
export interface QualityChange {
  readonly gain: number;
  readonly text: string;
  /** Whether the queries show that it is not chance; a single list has no chance. */
  readonly isSure: boolean;
}

/** Fewer queries show a difference only if it is large. */
const FEW = 10;

/**
 * The change of the first measure: over all queries if there are several, with whether it is sure.
 *
 * @param single the qualities of the query that is shown
 * @param differences as `compareSides` gives them; undefined until they are computed
 */
export function qualityChange(
  single: { readonly now: Quality; readonly before: Quality },
  measured: Measured | undefined,
  differences: readonly Difference[] | undefined,
): QualityChange | undefined {
  const [first = ''] = MEASURE_NAMES;
  const { now, before } = measured ?? {};
  if (measured && (!now || !before)) return undefined;
  const [value, old] = [now ? now.means : single.now, before ? before.means : single.before].map((one) =>
    one.get(first),
  );
  if (value === undefined || old === undefined) return undefined;
  const gain = value - old;
  const count = now?.judgedQueries ?? 1;
  const queries = counted(count, 'query', 'queries');
  const difference = differences?.find(({ measure }) => measure === first);
  const isSure = !now || isDecided(difference);
  return { gain, isSure, text: `${formatGain(gain) || '±0'} (${queries}${sureness(gain, count, difference)})` };
}

/** `: too few to be sure`. */
function sureness(gain: number, count: number, difference: Difference | undefined): string {
  if (gain === 0) return '';
  if (isDecided(difference)) return ': not by chance';
  if (count < FEW) return ': too few to be sure';
  if (!difference) return '';
  return difference.verdict === 'too little judged' ? ': too few judgements to be sure' : ': may be chance';
}

/** Whether a test has decided that a difference is not chance. */
export const isDecided = (difference: Difference | undefined): boolean =>
  difference?.verdict === 'better' || difference?.verdict === 'worse';
