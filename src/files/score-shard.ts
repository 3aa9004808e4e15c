import { lineRows } from '../document/index.js';
import { idWithin } from '../pipeline/ids.js';
import { scoredRows } from '../pipeline/scored-rows.js';
import { judgePart, type StreamRun } from '../pipeline/stream/stream-run.js';
import { UnseenPaths } from '../pipeline/warnings/absent-paths.js';
import { type Counted, Failures } from '../stages/failures.js';
import { PART } from './judge-shard.js';
import { rowText } from './row-json.js';
import { readLines, type Shard } from './shards.js';
import { readWatched, type WatchedFile } from './watched-file.js';

/** A part of a file whose candidates are to be scored. Plain data. */
export interface ScoreTask extends Shard {
  /** Whether each row has its candidate. */
  readonly candidates: boolean;
}

/** The rows of a part, as text. Plain data. */
export interface ScoredShard {
  readonly given: number;
  /** A row a line, with a mark wherever a position in the whole belongs: JSON writes none itself. */
  readonly text: string;
  /** Whether there are lines that cannot be read. */
  readonly wrong: boolean;
  readonly unseen: readonly number[];
  readonly failures: readonly Counted[];
}

const MARK = '\u0000';

/**
 * Scores the candidates of a part of a file of JSON Lines.
 *
 * @param before  how many candidates come before it, where that is known: for what is said where it fails
 * @param breathe waited for before each part of it, where the thread has other things to do
 */
export async function scoreShard(
  run: StreamRun,
  file: WatchedFile,
  { from, to, candidates: whole }: ScoreTask,
  before = 0,
  breathe?: () => Promise<void>,
): Promise<ScoredShard> {
  const { bytes, at } = readWatched(file, (read) => readLines(read, { from, to }, file.size));
  const { plan } = run;
  const own: StreamRun = { plan, start: run.start, abort: run.abort, failures: new Failures() };
  const unseen = new UnseenPaths(plan.profile);
  let given = 0;
  let text = '';
  let wrong = false;
  const goOn = (): boolean => (wrong = true);
  for (const { values } of lineRows(bytes, at === 0, PART, goOn)) {
    // oxlint-disable-next-line no-await-in-loop -- between parts, and not before all of them
    await breathe?.();
    // oxlint-disable-next-line no-await-in-loop -- one after another, in memory for one
    const judged = await judgePart(own, values, before + given);
    unseen.look(values);
    for (const row of scoredRows<object>(plan, judged, 0)) {
      const id = idWithin(plan.profile, row.candidate);
      text += `${rowText(row, id === undefined ? `"#${MARK}"` : JSON.stringify(id), MARK, whole)}\n`;
    }
    given += values.length;
  }
  return { given, text, wrong, unseen: unseen.unseen, failures: own.failures.all };
}

/**
 * The rows of a part as they stand in the whole.
 *
 * @param before how many candidates come before it
 */
export function placedText(text: string, before: number): string {
  let index = before;
  return text
    .split('\n')
    .map((line) => (line === '' ? line : line.replaceAll(MARK, String(index++))))
    .join('\n');
}
