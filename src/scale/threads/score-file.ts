import { resolve } from 'node:path';
import type { Context, Progress } from '../../sdk/index.js';
import type { Problem } from '../../base/index.js';
import {
  overridePlan,
  type PlanOverrides,
  scoringPlan,
  ownIdOf,
  type CountedFailure,
  type Degraded,
  Failures,
  NEVER,
} from '../../engine/index.js';
import { checkAbsent, type InputFormat, parseJsonLines, detectFileFormat } from '../../data/node.js';
import { idJson, rowJsonAt, absentContextWarnings, UnseenPaths } from '../../ranking/index.js';
import {
  CHUNK_SIZE,
  evaluateChunk,
  openStreamRun,
  type StreamRun,
  type StreamCounts,
  traceRows,
  isScoredInFull,
  scoredRows,
} from '../../pipeline/index.js';
import {
  planSharding,
  type ReloadableProfile,
  runSharded,
  SHARD_SIZES,
  type ShardingOptions,
  shareStreamRun,
} from './sharding.js';
import { type Shard, ShardLines } from '../parts/index.js';
import type { ScoreShardTask } from './messages.js';
import { readFirstCandidates, readUnchanged, unreadableLinesError, type VersionedFile } from './versioned-file.js';

/** The number of shards per thread that may be ahead of the reader. The text of each is in memory. */
const SCORE_SHARDS_AHEAD = 4;

/** The scores of a file as text, for one iteration. `degraded` and `warnings` cover the rows that were read so far. */
export class ScoredFile implements AsyncIterable<string> {
  readonly #unseen: UnseenPaths;
  readonly #counts: StreamCounts;
  #scoredInFull = false;

  constructor(
    private readonly run: StreamRun,
    private readonly sharding: ShardingOptions,
    private readonly candidates: boolean,
  ) {
    this.#unseen = new UnseenPaths(run.plan.profile);
    this.#counts = { candidates: 0, refused: undefined, failures: run.failures };
  }

  /** Yields the rows of one shard at a time, in the order of the file. Each row is a line in the format of `rowJson`. */
  [Symbol.asyncIterator](): AsyncGenerator<string, void> {
    return traceRows(this.run.plan, 'scoreFile', this.#score(), this.#counts);
  }

  async *#score(): AsyncGenerator<string, void> {
    const { run, sharding, candidates } = this;
    const { file } = sharding.job;
    const taskOf = ({ from, to }: Shard) => ({ from, to, candidates });
    let given = 0;
    let unreadable = false;
    const results = runSharded<ScoreShardResult>(sharding, SCORE_SHARDS_AHEAD, {
      taskFor: (shard) => ({ kind: 'score', ...taskOf(shard) }),
      runHere: (shard, pause) => scoreShard(run, file, taskOf(shard), 0, pause),
      retry: (shard) => scoreShard(run, file, taskOf(shard), given),
    });
    for await (const { text, unseen, failures, ...result } of results) {
      unreadable ||= result.unreadable;
      if (unreadable && given + result.given === 0) break; // not JSON Lines at all
      this.#unseen.merge(unseen);
      this.#scoredInFull ||= result.scoredInFull;
      run.failures.addAll(failures);
      if (text !== '') yield fillIndexes(text, given);
      given += result.given;
      this.#counts.candidates = given;
    }
    if (this.#unseen.unseen.length > 0) this.#unseen.addSample(await readFirstCandidates(file).catch(() => []));
    if (unreadable) throw await unreadableLinesError(file);
  }

  /** The failures so far that did not fail the run. */
  get degraded(): readonly Degraded[] {
    return this.run.failures.list();
  }

  /** Paths that the profile reads and that no candidate so far, or the context, has: most probably typos. */
  get warnings(): readonly Problem[] {
    if (this.#counts.candidates === 0) return [];
    const { plan, start } = this.run;
    const absent = absentContextWarnings(plan.profile, start.context, () => !this.#scoredInFull);
    return [...this.#unseen.warnings(), ...absent];
  }
}

interface ScoreFileOptions extends Pick<PlanOverrides, 'weights'> {
  readonly context: Context;
  readonly workers: number;
  readonly input?: InputFormat | undefined;
  readonly absent?: readonly string[] | undefined;
  /** Whether each row includes its candidate. */
  readonly candidates: boolean;
  readonly progress?: Progress | undefined;
}

/**
 * Scores the candidates of a file in several threads. Each entry of the profile must score candidates independently.
 *
 * @returns the rows; if threads cannot share the file, the reason, or undefined if it needs no notice
 */
export async function scoreFileWith(
  { compiled, ...source }: ReloadableProfile,
  file: string,
  { context, workers, input, absent, candidates, progress, weights }: ScoreFileOptions,
  sizes = SHARD_SIZES,
): Promise<ScoredFile | { readonly reason: string | undefined }> {
  const plan = overridePlan(scoringPlan(compiled.plan), { weights });
  const format = input ?? (await detectFileFormat(file));
  checkAbsent({ absent }, file, format);
  const open = (): Promise<StreamRun> => openStreamRun(plan, context, NEVER);
  const folder = resolve('.');
  const sharding = await planSharding({
    ...source,
    folder,
    plan,
    open,
    share: shareStreamRun(weights),
    file,
    format,
    work: 'scored',
    workers,
    sizes,
    options: {},
  });
  if (!sharding.job) return sharding;
  return new ScoredFile(sharding.run, { ...sharding, abort: NEVER, progress }, candidates);
}

/** The scored rows of a shard, as text. Plain data. */
export interface ScoreShardResult {
  readonly given: number;
  /** One row per line. Placeholders mark positions in the file. JSON always escapes the placeholder's character. */
  readonly text: string;
  /** Whether the shard has lines that cannot be read. */
  readonly unreadable: boolean;
  readonly unseen: readonly number[];
  /** Whether at least one row has a score from every scorer. */
  readonly scoredInFull: boolean;
  readonly failures: readonly CountedFailure[];
}

const INDEX_PLACEHOLDER = '\u0000';

/**
 * Reads and scores a shard of a file of JSON Lines.
 *
 * @param before the number of candidates before the shard, for positions in errors; 0 when it is not known
 * @param pause  awaited before each chunk, so that the thread's event loop can run
 */
export async function scoreShard(
  run: StreamRun,
  file: VersionedFile,
  { from, to, candidates: withCandidates }: ScoreShardTask,
  before = 0,
  pause?: () => Promise<void>,
): Promise<ScoreShardResult> {
  const { bytes, offset } = await readUnchanged(file, (read) => ShardLines.read(read, { from, to }, file.size));
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
      text += `${rowJsonAt(row, id === undefined ? `"@${INDEX_PLACEHOLDER}"` : idJson(id), INDEX_PLACEHOLDER, withCandidates)}\n`;
    }
    given += values.length;
  }
  return { given, text, unreadable, unseen: unseen.unseen, scoredInFull, failures: own.failures.entries };
}

/**
 * Replaces the placeholders of a shard's rows by positions in the file.
 *
 * @param before the number of candidates before the shard
 */
export function fillIndexes(text: string, before: number): string {
  let index = before;
  return text
    .split('\n')
    .map((line) => (line === '' ? line : line.replaceAll(INDEX_PLACEHOLDER, String(index++))))
    .join('\n');
}
