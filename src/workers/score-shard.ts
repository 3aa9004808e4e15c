import { ownIdOf } from '../engine/candidate-id.js';
import { type CountedFailure, Failures } from '../engine/failures.js';
import { parseJsonLines } from '../input/index.js';
import { rowJsonAt } from '../ranking/row-json.js';
import { UnseenPaths } from '../ranking/warnings/absent-paths.js';
import { scoredRows } from '../stream/scored-rows.js';
import { evaluateChunk, type StreamRun } from '../stream/stream-run.js';
import { ROWS_PER_CHUNK } from './rank-shard.js';
import { readShardLines, type Shard } from './shards.js';
import { readUnchanged, type VersionedFile } from './versioned-file.js';

/** A part of a file whose candidates are to be scored. Plain data. */
export interface ScoreShardTask extends Shard {
  /** Whether each row has its candidate. */
  readonly candidates: boolean;
}

/** The rows of a part, as text. Plain data. */
export interface ScoreShardResult {
  readonly given: number;
  /** A row a line, with a mark wherever a position in the whole belongs: JSON writes none itself. */
  readonly text: string;
  /** Whether there are lines that cannot be read. */
  readonly unreadable: boolean;
  readonly unseen: readonly number[];
  readonly failures: readonly CountedFailure[];
}

const INDEX_PLACEHOLDER = '\u0000';

/**
 * Scores the candidates of a part of a file of JSON Lines.
 *
 * @param before  how many candidates come before it, where that is known: for what is said where it fails
 * @param breathe waited for before each part of it, where the thread has other things to do
 */
export async function scoreShard(
  run: StreamRun,
  file: VersionedFile,
  { from, to, candidates: whole }: ScoreShardTask,
  before = 0,
  breathe?: () => Promise<void>,
): Promise<ScoreShardResult> {
  const { bytes, at } = readUnchanged(file, (read) => readShardLines(read, { from, to }, file.size));
  const { plan } = run;
  const own: StreamRun = { plan, start: run.start, abort: run.abort, failures: new Failures() };
  const unseen = new UnseenPaths(plan.profile);
  let given = 0;
  let text = '';
  let unreadable = false;
  const goOn = (): boolean => (unreadable = true);
  for (const { values } of parseJsonLines(bytes, at === 0, ROWS_PER_CHUNK, goOn)) {
    // oxlint-disable-next-line no-await-in-loop -- between parts, and not before all of them
    await breathe?.();
    // oxlint-disable-next-line no-await-in-loop -- one after another, in memory for one
    const judged = await evaluateChunk(own, values, before + given);
    unseen.add(values);
    for (const row of scoredRows<object>(plan, judged, 0)) {
      const id = ownIdOf(plan.profile, row.candidate);
      text += `${rowJsonAt(row, id === undefined ? `"#${INDEX_PLACEHOLDER}"` : JSON.stringify(id), INDEX_PLACEHOLDER, whole)}\n`;
    }
    given += values.length;
  }
  return { given, text, unreadable, unseen: unseen.unseen, failures: own.failures.entries };
}

/**
 * The rows of a part as they stand in the whole.
 *
 * @param before how many candidates come before it
 */
export function fillIndexes(text: string, before: number): string {
  let index = before;
  return text
    .split('\n')
    .map((line) => (line === '' ? line : line.replaceAll(INDEX_PLACEHOLDER, String(index++))))
    .join('\n');
}
