import { formatSigned } from '../../text/index.js';
import type { HeldOut } from '../held-out/held-out.js';
import type { Tuning } from '../tuning.js';

const value = (x: number): string => x.toFixed(3).replace('-', '−');
const counted = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString('en-US')} ${n === 1 ? one : many}`;

/** A p-value; one below what the samples can tell is said to be below it. */
export const pText = (p: number): string => (p < 0.0002 ? 'p < 0.0002' : `p ${Number(p.toPrecision(2))}`);

/** What was learnt from, in one line. */
export function learntFromText({ measure, learntFrom: { queries, leftOut, candidates } }: Tuning): string {
  if (measure === 'AUC') return `${counted(candidates, 'candidate')}, for AUC`;
  const others =
    leftOut > 0 ? ` (of ${(queries + leftOut).toLocaleString('en-US')}: the others have one grade only)` : '';
  return `${counted(queries, 'query', 'queries')}${others} with ${counted(candidates, 'candidate')}, for ${measure}`;
}

/** A gain on what was kept back, in two lines: how it was measured, and what came out. */
export function heldOutText(heldOut: HeldOut): readonly [string, string] {
  const { by, folds, repeats, before, after, difference, interval, p, counts, verdict } = heldOut;
  const times = repeats > 1 ? `, divided ${repeats} times` : '';
  const [low, high] = interval.map((bound) => formatSigned(Math.round(bound * 1000) / 1000));
  const moved = counts ? `; ${counts.better} better, ${counts.worse} worse, ${counts.same} the same` : '';
  return [
    `kept back, ${counted(folds, 'fold')} by ${by}${times}: ${verdict}`,
    `${value(before)} → ${value(after)}: ${formatSigned(Math.round(difference * 1000) / 1000)} (95 %: ${low} to ${high}), ${pText(p)}${moved}`,
  ];
}

/** What tuning shows, in a sentence for a reader who does not know the measure. */
export function tuningLead({ measure, heldOut: [first] }: Tuning): string {
  const { verdict, counts, difference } = first;
  const sure = verdict === 'no difference shown' ? 'This could be chance.' : 'Chance alone rarely does this.';
  const head =
    verdict === 'better'
      ? 'The tuned profile is better on data that it was not tuned on'
      : verdict === 'worse'
        ? 'The tuned profile is worse on data that it was not tuned on'
        : 'No gain is shown on data that the profile was not tuned on';
  if (counts) {
    const { better, worse, same } = counts;
    return `${head}: of ${counted(better + worse + same, 'query', 'queries')} it ranks ${better} better, ${worse} worse and ${same} the same. ${sure}`;
  }
  const pairs = Math.round(Math.abs(difference) * 100);
  const more = difference >= 0 ? 'more' : 'fewer';
  const what = measure === 'AUC' ? `it puts the positive one of two first in ${pairs} ${more} of 100 pairs` : '';
  return `${head}: ${what}. ${sure}`;
}

/** The 97.5 % and the 80 % quantile of a standard normal variable: of a two-sided test with a power of four in five. */
const [TWO_SIDED, POWER] = [1.96, 0.842];

/** How small a gain data of this size can show, from the width of the interval; empty where it has none. */
export function smallestGainText({ measure, heldOut: [first] }: Tuning): string {
  const half = (first.interval[1] - first.interval[0]) / 2;
  if (!(half > 0)) return '';
  const gain = ((half * (TWO_SIDED + POWER)) / TWO_SIDED).toFixed(2);
  const size = measure === 'AUC' ? counted(first.units, 'candidate') : counted(first.units, 'query', 'queries');
  return `With ${size}, a gain below about ${gain} in ${measure} often goes unnoticed.`;
}
