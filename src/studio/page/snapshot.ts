import type { Ranking } from '../../browser/index.js';
import type { StudioData } from '../data/studio-data.js';
import { NO_QUALITY, type Quality, qualityOf } from './quality.js';
import type { Settings } from './settings.js';

/** An order of the candidates, to compare others with. */
export interface Snapshot {
  readonly settings: Settings;
  /** By position of the candidate: its rank, from 1; 0 where it has none. */
  readonly ranks: Int32Array;
  /** The positions of the candidates, best first. */
  readonly order: Int32Array;
  /** The positions of those that are selected; undefined where all that are ranked are. */
  readonly selected: ReadonlySet<number> | undefined;
  /** How good it is by the judgements, by measure; empty without any. */
  readonly quality: Quality;
}

/** How many of the first are compared where the profile selects all. */
const FIRST = 10;

/** The order of a ranking, with the settings that it is by. Linear. */
export function snapshotOf(
  { profile, candidates, grades }: StudioData,
  ranking: Ranking<object>,
  settings: Settings,
): Snapshot {
  const { order: rows, matrix } = ranking;
  const ranks = new Int32Array(candidates.length);
  const order = rows.map((row) => matrix.index[row]!);
  for (let k = 0; k < order.length; k++) ranks[order[k]!] = k + 1;
  const { top, minScore } = settings;
  // Asked for only where it says something: a million rows selected are a million objects.
  const selects = profile.select !== undefined || top !== undefined || minScore !== undefined;
  return {
    settings,
    ranks,
    order,
    selected: selects ? new Set(ranking.selected.map(({ index }) => index)) : undefined,
    quality: grades ? qualityOf(ranking, order, grades) : NO_QUALITY,
  };
}

/** Whether a candidate is selected. */
export const isSelected = ({ selected, ranks }: Snapshot, position: number): boolean =>
  selected?.has(position) ?? ranks[position]! > 0;

/** How many of the first are compared with those of another order: the selected, or the first few where all are. */
export const topOf = ({ selected, order }: Snapshot): number =>
  Math.max(1, selected && selected.size < order.length ? selected.size : Math.min(FIRST, order.length));
