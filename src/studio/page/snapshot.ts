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
  readonly selected: ReadonlySet<number>;
  /** How good it is by the judgements, by measure; empty without any. */
  readonly quality: Quality;
}

/** The order of a ranking, with the settings that it is by. Linear. */
export function snapshotOf({ candidates, grades }: StudioData, ranking: Ranking<object>, settings: Settings): Snapshot {
  const { order: rows, matrix, selected } = ranking;
  const ranks = new Int32Array(candidates.length);
  const order = rows.map((row) => matrix.index[row]!);
  for (let k = 0; k < order.length; k++) ranks[order[k]!] = k + 1;
  return {
    settings,
    ranks,
    order,
    selected: new Set(selected.map(({ index }) => index)),
    quality: grades ? qualityOf(ranking, order, grades) : NO_QUALITY,
  };
}
