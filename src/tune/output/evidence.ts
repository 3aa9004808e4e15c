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
