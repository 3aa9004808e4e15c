/**
 * The texts of groups on standard output. Threads that rank groups load this module.
 *
 * @module
 */
import { escapeInvisible } from '../../base/index.js';
import { groupText as nameOf } from '../../data/index.js';
import type { RankedGroup } from '../../scale/parts/index.js';
import { rankingJsonLines } from './json.js';
import { rankingTable, type TableStyle } from './ranking-table.js';

/** How groups are written. Plain data. */
export interface GroupTextSettings {
  /** The path of the group. */
  readonly by: string;
  readonly format: 'table' | 'jsonl';
  /** The ids of the profile's scorers. */
  readonly scorers: readonly string[];
  readonly style: TableStyle;
}

/** Returns the function that makes the text of a group. */
export const groupText =
  ({ by, format, scorers, style }: GroupTextSettings) =>
  ({ group, ranking }: RankedGroup): string =>
    format === 'jsonl'
      ? rankingJsonLines(ranking, { [by]: typeof group === 'bigint' ? String(group) : group })
      : `${escapeInvisible(`${by} ${nameOf(group)}`)}\n${rankingTable(ranking, scorers, style)}\n`;
