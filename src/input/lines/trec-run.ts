import { lineReader } from './read-lines.js';

/** A row of a run in TREC's format. */
export interface TrecRunRow {
  readonly query: string;
  readonly id: string;
  readonly rank: number;
  readonly score: number;
  readonly tag: string;
}

/** Reads a line: `query Q0 id rank score tag`; what follows is a comment. */
export function readTrecRunLine(line: string): TrecRunRow | string {
  const [query = '', , id = '', rank, score, tag] = line.trim().split(/\s+/);
  if (tag === undefined) return 'expected six columns: query, Q0, id, rank, score, tag';
  if (!Number.isFinite(Number(rank))) return `the rank is ${rank}; expected a number`;
  if (!Number.isFinite(Number(score))) return `the score is ${score}; expected a number`;
  return { query, id, rank: Number(rank), score: Number(score), tag };
}

export const readTrecRun = lineReader(readTrecRunLine);
