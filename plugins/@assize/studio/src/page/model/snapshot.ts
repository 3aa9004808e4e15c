import type { Ranking } from 'assize/browser';
import type { StudioData } from '../../data/studio-data.js';
import type { Settings } from '../settings/settings.js';
import { type Ordered, orderedBy, orderedByOther } from './quality.js';

/** An order of the candidates, to compare others with. */
export interface Snapshot {
  /** By position of the candidate: its rank, from 1; 0 where it has none. */
  readonly ranks: Int32Array;
  /** The positions of the candidates, best first. */
  readonly order: Int32Array;
  /** The positions of those that are selected; undefined where all that are ranked are. */
  readonly selected: ReadonlySet<number> | undefined;
  /** The same order with scores, from which its quality is computed. */
  readonly ordered: Ordered;
}

/** How many of the first are compared where the profile selects all. */
const FIRST = 10;

/** The order of a ranking by settings. Linear. */
export function snapshotOf(data: StudioData, ranking: Ranking<object>, { top, minScore }: Settings): Snapshot {
  const ordered = orderedBy(ranking, data.candidates.length);
  const { order } = ordered;
  // Asked for only where it says something: a million rows selected are a million objects.
  const selects = data.profile.select !== undefined || top !== undefined || minScore !== undefined;
  return {
    order,
    ranks: ranksOf(order, data.candidates.length),
    selected: selects ? new Set(ranking.selected.map(({ index }) => index)) : undefined,
    ordered,
  };
}

/** The order by another profile, of this title; undefined where there is none. Linear. */
export function snapshotOfOther(data: StudioData, title: string): Snapshot | undefined {
  const other = data.others?.find((one) => one.title === title);
  if (!other) return undefined;
  const ordered = orderedByOther(other);
  return {
    order: ordered.order,
    ranks: ranksOf(ordered.order, data.candidates.length),
    selected: other.selected && new Set(other.selected),
    ordered,
  };
}

function ranksOf(order: Int32Array, length: number): Int32Array {
  const ranks = new Int32Array(length);
  for (let k = 0; k < order.length; k++) ranks[order[k]!] = k + 1;
  return ranks;
}

/** Whether a candidate is selected. */
export const isSelected = ({ selected, ranks }: Snapshot, position: number): boolean =>
  selected?.has(position) ?? ranks[position]! > 0;

/** How many of the first are compared with those of another order: the selected, or the first few where all are. */
export const topOf = ({ selected, order }: Snapshot): number =>
  Math.max(1, selected && selected.size < order.length ? selected.size : Math.min(FIRST, order.length));
