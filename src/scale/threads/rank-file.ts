import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { openProfile, PIPELINE_OPTIONS, type PipelineOptions, type ProfileOrPipeline } from '../../pipeline/node.js';
import type { Context } from '../../sdk/index.js';
import { checkOptions, describeValue, type Problem, toAssizeError } from '../../base/index.js';
import {
  mergeOverrides,
  OVERRIDE_OPTIONS,
  overridePlan,
  budgetOf,
  fieldsRead,
  type CompiledProfile,
  type Plan,
  type Budget,
  NEVER,
} from '../../engine/index.js';
import {
  type CandidateSource,
  checkAbsent,
  type InputFormat,
  isByColumn,
  openTable,
  type OpenTable,
  INPUT_FORMATS,
  detectFileFormat,
  reportRowsRead,
  readCandidateChunks,
  readCandidates,
  readFileParts,
  rowCount,
} from '../../data/node.js';
import {
  Pipeline,
  unboundedProblems,
  openStreamRun,
  type StreamRun,
  traceRanking,
  rankChunks,
  type RankStreamOptions,
  type ColumnSource,
  rankTable,
  topOfRanking,
  type TopRanking,
} from '../../pipeline/index.js';
import { candidateReads, type Profile } from '../../profile/index.js';
import {
  type RankMerge,
  type RankPart,
  type RankPartOptions,
  RunParts,
  type Shard,
  ShardLines,
} from '../parts/index.js';
import type { RankShardTask } from './messages.js';
import {
  planSharding,
  type ReloadableProfile,
  runSharded,
  shareStreamRun,
  SHARD_SIZES,
  type ShardingOptions,
  type ShardSizes,
} from './sharding.js';
import { readUnchanged, unreadableLinesError, type VersionedFile } from './versioned-file.js';

/** The number of shards per thread that may be ahead of the merge. The result of a shard is small. */
const RANK_SHARDS_AHEAD = 64;

/** The options of `rankFile`. */
export interface RankFileOptions extends RankStreamOptions, PipelineOptions {
  /**
   * The number of threads, including the calling one. Defaults to the number of cores. The calling thread yields to its
   * event loop every thousand candidates.
   */
  readonly workers?: number | undefined;
  /** The format of the file. Defaults to the format of its extension, otherwise of its first characters. */
  readonly input?: InputFormat | undefined;
  /** In CSV and TSV, the texts of cells that are absent, as an empty cell is: `['N/A', '-']`. */
  readonly absent?: readonly string[] | undefined;
}

/** Ranks the candidates of a file, as `rankFile` of `assize` specifies. */
export async function rankFile(
  given: ProfileOrPipeline<object>,
  file: string,
  context: Context = {},
  options: RankFileOptions = {},
): Promise<TopRanking<object>> {
  checkOptions('rankFile', options, {
    ...PIPELINE_OPTIONS,
    ...OVERRIDE_OPTIONS,
    budget: 'anything',
    signal: 'signal',
    workers: { integerFrom: 1 },
    input: { oneOf: INPUT_FORMATS },
    absent: 'strings',
  });
  checkFile(file, options);
  const { compiled, profile, options: own } = await openProfile(given, options);
  const { folder = own.folder } = options;
  const path = folder === undefined ? file : resolve(folder, file); // messages name a file as it is given
  const call = { ...own, ...options, context };
  return rankFileWith({ compiled, profile, trust: own.trust ?? 'full' }, path, call);
}

/** @throws AssizeError (ASZ533) if the file is not a path, or seems to be the profile */
function checkFile(file: unknown, { input }: RankFileOptions): void {
  const isYaml = typeof file === 'string' && input === undefined && /\.ya?ml$/i.test(file);
  if (typeof file === 'string' && !isYaml) return;
  const message = `the file of rankFile is ${describeValue(file)}; expected the path of a file of candidates`;
  const hint = isYaml
    ? 'the profile is the first argument: rankFile(profile, file)'
    : Array.isArray(file)
      ? 'pipeline.rank ranks a list'
      : undefined;
  throw toAssizeError([{ code: 'ASZ533', message, hint }]);
}

/** The options of one ranking of a file, with its context. */
export interface FileRun extends RankFileOptions {
  readonly context?: Context;
}

/** Like `rankFile`, with a compiled profile. */
export async function rankFileWith(
  { compiled, ...source }: ReloadableProfile,
  file: string,
  options: FileRun,
  sizes = SHARD_SIZES,
): Promise<TopRanking<object>> {
  const { workers = availableParallelism() } = options;
  const plan = overridePlan(compiled.plan, options);
  const [obstacle] = unboundedProblems(plan.profile);
  if (!obstacle) {
    return traceRanking(plan, 'rankFile', () => rankInParts(source, plan, file, { ...options, workers }, sizes));
  }
  const notice = `one thread, and all candidates in memory: ${obstacle.message}`;
  return rankInMemory(compiled, file, options, workers > 1 ? [notice] : []);
}

/** Ranks a file part by part, in several threads if they can share it. */
async function rankInParts(
  source: Omit<ReloadableProfile, 'compiled'>,
  plan: Plan,
  file: string,
  options: FileRun & { readonly workers: number },
  sizes: ShardSizes,
): Promise<TopRanking<object>> {
  const { context = {}, signal = NEVER, input, progress, workers } = options;
  const budget = budgetOf(plan, options.budget);
  const run = await openStreamRun(plan, context, signal);
  const share = shareStreamRun(options.weights);
  const format = input ?? (await detectFileFormat(file));
  checkAbsent(options, file, format);
  const folder = resolve(options.folder ?? '.');
  const open = async (): Promise<StreamRun> => run;
  const request = { ...source, folder, plan, open, share, file, format, workers, sizes, options };
  const sharding = await planSharding({ ...request, work: 'ranked' });
  if (sharding.job) return rankSharded(run, budget, { ...sharding, abort: signal, progress });
  const notices = sharding.reason === undefined ? [] : [`one thread: ${sharding.reason}`];
  if (isByColumn(format)) return rankTableFile(run, file, format, options, budget, notices);
  const { reader, warnings } = warningReader(plan.profile, options);
  const ranking = await rankChunks(run, readCandidateChunks(file, reader, format), budget, notices);
  return ranking.withWarnings(warnings);
}

/** Ranks a columnar file in one thread. The reader of the file may use more threads. */
async function rankTableFile(
  run: StreamRun,
  file: string,
  format: InputFormat,
  { workers: threads, progress }: Pick<FileRun, 'progress'> & { readonly workers: number },
  budget: Budget | undefined,
  notices: readonly string[],
): Promise<TopRanking<object>> {
  const table = await openTable(file, format, { threads });
  try {
    const source: ColumnSource = {
      batches: (fields) => reportRowsRead(`reading ${file}`, table.batches(fields), progress, rowCount(table)),
      rows: (positions) => table.rows(positions),
    };
    return await rankTable(run, source, budget, notices);
  } finally {
    await table.close();
  }
}

async function rankInMemory(
  compiled: CompiledProfile,
  file: string,
  { context, budget, signal = NEVER, input, progress, absent, ...options }: FileRun,
  notices: readonly string[],
): Promise<TopRanking<object>> {
  const { reader, warnings } = warningReader(compiled.plan.profile, { absent, progress });
  const candidates = await readCandidates(file, reader, input);
  const ranking = await new Pipeline<object>(compiled).rank(candidates, context, {
    ...mergeOverrides({}, options),
    signal,
    budget,
  });
  return topOfRanking(ranking, notices).withWarnings(warnings);
}

/** How a file is read if the ranking is to have the warnings about its cells. */
function warningReader(profile: Profile, { absent, progress }: Pick<CandidateSource, 'absent' | 'progress'>) {
  const warnings: Problem[] = [];
  const warn = (warning: Problem): void => void (warning.code === 'ASZ717' || warnings.push(warning));
  const reader: CandidateSource = { progress, absent, reads: fieldsRead(candidateReads(profile), false), warn };
  return { reader, warnings };
}

/** Ranks a file in several threads. This thread merges their results and reads the retained candidates. */
async function rankSharded(
  run: StreamRun,
  budget: Budget | undefined,
  sharding: ShardingOptions,
): Promise<TopRanking<object>> {
  const { file: version, format } = sharding.job;
  const file = openSharedFile(version, format);
  const parts = new RunParts(run, budget);
  const merge = parts.merge();
  const taskOf = ({ from, to }: Shard): RankShardTask => {
    return { from, to, minCompetitiveScore: merge.minCompetitiveScore };
  };
  const results = runSharded(sharding, RANK_SHARDS_AHEAD, {
    taskFor: (shard) => ({ kind: 'rank', ...taskOf(shard) }),
    runHere: (shard, pause) => file.rankShard(parts, taskOf(shard), { pause }),
    retry: (shard) => file.rankShard(parts, taskOf(shard), { before: merge.given }),
  });
  try {
    for await (const part of results) {
      if (part.unreadable) throw await unreadableLinesError(version);
      merge.take(merge.next, part);
    }
    return await file.rankMerged(merge);
  } finally {
    file.close();
  }
}

/** The number of candidates before a shard, if it is known, and how the thread yields. */
type ShardPlace = Pick<RankPartOptions, 'before' | 'pause'>;

/** One thread's view of a file that several threads rank. */
interface SharedFile {
  /** Reads and evaluates a shard, up to the first line that cannot be read. */
  rankShard(parts: RunParts, task: RankShardTask, place?: ShardPlace): Promise<RankPart>;
  /** Reads the candidates that may be selected and ranks the merged shards. */
  rankMerged(merge: RankMerge): Promise<TopRanking<object>>;
  /** Closes the file when all pending reads have ended. */
  close(): void;
}

/** A file of JSON Lines. Its shards are byte ranges. The file is open only during a read. */
class LinesFile implements SharedFile {
  constructor(private readonly file: VersionedFile) {}

  async rankShard(parts: RunParts, { from, to, ...options }: RankShardTask, place?: ShardPlace): Promise<RankPart> {
    const { file } = this;
    const lines = await readUnchanged(file, (read) => ShardLines.read(read, { from, to }, file.size));
    return parts.rankLines(lines, { ...options, ...place });
  }

  async rankMerged(merge: RankMerge): Promise<TopRanking<object>> {
    const { file } = this;
    const candidates = await readUnchanged(file, (read) => merge.candidates(read, file.name));
    return merge.rank(candidates, () => readFileParts(file.path));
  }

  close(): void {}
}

/**
 * A columnar file. Its shards are ranges of whole row groups. Each thread opens the file with the reader that is fastest in
 * one thread, and holds at most one batch of a shard's columns in memory.
 */
class TableFile implements SharedFile {
  #table: Promise<OpenTable> | undefined;
  readonly #reads = new Set<Promise<unknown>>();

  constructor(
    private readonly file: VersionedFile,
    private readonly format: InputFormat,
  ) {}

  rankShard(parts: RunParts, { from, to, ...options }: RankShardTask, place?: ShardPlace): Promise<RankPart> {
    return this.#read((table) => parts.rankRange(table, { from, to }, { ...options, ...place }));
  }

  rankMerged(merge: RankMerge): Promise<TopRanking<object>> {
    return this.#read((table) => merge.rankRowsOf(table));
  }

  close(): void {
    void Promise.allSettled(this.#reads)
      .then(() => this.#table)
      .then((table) => table?.close())
      .catch(() => {}); // `#read` has reported a table that could not be opened
  }

  /** @throws AssizeError (ASZ101) if the file has changed before or during the work */
  #read<R>(work: (table: OpenTable) => Promise<R>): Promise<R> {
    const result = readUnchanged(this.file, async () => work(await (this.#table ??= this.#open())));
    this.#reads.add(result);
    const ended = (): boolean => this.#reads.delete(result);
    result.then(ended, ended);
    return result;
  }

  async #open(): Promise<OpenTable> {
    return openTable(this.file.path, this.format, { name: this.file.name });
  }
}

/** Makes the view of a file by its format. The first read opens the file. */
export const openSharedFile = (file: VersionedFile, format: InputFormat | undefined): SharedFile =>
  isByColumn(format) ? new TableFile(file, format) : new LinesFile(file);
