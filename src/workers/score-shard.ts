import { ownIdOf } from '../engine/candidates.js';
import { type CountedFailure, Failures } from '../engine/failures.js';
import { parseJsonLines } from '../input/index.js';
import { idJson, rowJsonAt } from '../ranking/row-json.js';
import { UnseenPaths } from '../ranking/warnings/absent-paths.js';
import { CHUNK_SIZE } from '../stream/chunks.js';
import { isScoredInFull, scoredRows } from '../stream/score-stream.js';
import { evaluateChunk, type StreamRun } from '../stream/stream-run.js';
import { readShardLines, type Shard } from './shards.js';
import { readUnchanged, type VersionedFile } from './versioned-file.js';

/** A shard to be scored. Plain data. */
export interface ScoreShardTask extends Shard {
  /** Whether each row has its candidate. */
  readonly candidates: boolean;
}

/** The scored rows of a shard, as text. Plain data. */
export interface ScoreShardResult {
  readonly given: number;
  /** A row a line, with a placeholder for each position in the file: a character that JSON always escapes. */
  readonly text: string;
  /** Whether there are lines that cannot be read. */
  readonly unreadable: boolean;
  readonly unseen: readonly number[];
  /** Whether some row has a number of each scorer. */
  readonly scoredInFull: boolean;
  readonly failures: readonly CountedFailure[];
}

const INDEX_PLACEHOLDER = '\u0000';

/**
 * Reads and scores a shard of a file of JSON Lines.
 *
 * @param before how many candidates come before it, where that is known: for positions in errors
 * @param pause  awaited before each chunk, where the thread has an event loop to run
 */
export async function scoreShard(
  run: StreamRun,
  file: VersionedFile,
  { from, to, candidates: withCandidates }: ScoreShardTask,
  before = 0,
  pause?: () => Promise<void>,
): Promise<ScoreShardResult> {
  const { bytes, offset } = await readUnchanged(file, (read) => readShardLines(read, { from, to }, file.size));
  const { plan } = run;
  const own: StreamRun = { plan, start: run.start, abort: run.abort, failures: new Failures() };
  const unseen = new UnseenPaths(plan.profile);
  let given = 0;
  let text = '';
  let unreadable = false;
  let scoredInFull = false;
  const skipLine = (): boolean => (unreadable = true);
  for (const { values } of parseJsonLines(bytes, offset === 0, CHUNK_SIZE, skipLine)) {
    // oxlint-disable-next-line no-await-in-loop -- between chunks
    await pause?.();
    // oxlint-disable-next-line no-await-in-loop -- one after another, in memory for one
    const evaluation = await evaluateChunk(own, values, before + given);
    unseen.add(values);
    for (const row of scoredRows<object>(plan, evaluation, 0, true)) {
      scoredInFull ||= isScoredInFull(row);
      const id = ownIdOf(plan.profile, row.candidate);
      text += `${rowJsonAt(row, id === undefined ? `"#${INDEX_PLACEHOLDER}"` : idJson(id), INDEX_PLACEHOLDER, withCandidates)}\n`;
    }
    given += values.length;
  }
  return { given, text, unreadable, unseen: unseen.unseen, scoredInFull, failures: own.failures.entries };
}

/**
 * Replaces the placeholders of a shard's rows by positions in the file.
 *
 * @param before how many candidates come before the shard
 */
export function fillIndexes(text: string, before: number): string {
  let index = before;
  return text
    .split('\n')
    .map((line) => (line === '' ? line : line.replaceAll(INDEX_PLACEHOLDER, String(index++))))
    .join('\n');
}
