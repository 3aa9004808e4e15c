import type { Pipeline } from '../../pipeline.js';
import type { Io } from '../terminal/io.js';
import { writeProblems } from '../terminal/problems.js';
import { rankingJsonLines } from './json.js';
import { rankingTable } from './ranking-table.js';
import type { RankingView } from './ranking-view.js';
import { isUrgent, runWarningsText, summary } from './summary.js';

/** Writes a ranking, whoever made it: its rows to standard output, warnings and notices to standard error. */
export function writeRanking(
  pipeline: Pick<Pipeline<object>, 'warnings' | 'describe'>,
  ranking: RankingView,
  format: 'table' | 'jsonl',
  io: Io,
): void {
  writeProblems([...pipeline.warnings, ...ranking.warnings.filter(isUrgent)], io);
  if (format === 'jsonl') io.out.write(rankingJsonLines(ranking));
  else io.out.write(rankingTable(ranking, pipeline.describe().scorers, io.out) + summary(ranking, io.out));
  io.err.write(ranking.notices.map((notice) => `${notice}\n`).join('') + runWarningsText(ranking, io.err));
}
