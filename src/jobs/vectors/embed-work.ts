import { createCompiledProfile } from '../../container.js';
import { AssizeError } from '../../diagnostics/index.js';
import {
  type CompiledProfile,
  executeCall,
  Failures,
  type MaybeAsync,
  prepareOnly,
  run,
  runAsync,
  startPart,
} from '../../engine/index.js';
import type { PipelineOptions } from '../../index.js';
import { parseJsonLines } from '../../input/index.js';
import { createRanking, type Ranking } from '../../ranking/index.js';
import { EMBEDDING_CACHE } from '../../services/index.js';
import { completePart, type StreamRun } from '../../stream/stream-run.js';
import { countLines, openSharedRun, type ShardLines, wholeCall } from '../../workers/index.js';
import { digestOf } from '../fingerprint.js';
import type { ByteInput } from '../input/byte-input.js';
import { readKnownLines } from '../input/shard-lines.js';
import type { BytesOfJob, Job } from '../job.js';
import type { Merge, MergeState } from '../merge.js';
import type { PartContent } from '../part.js';
import type { JobWork } from '../rank-work.js';
import { EmbeddingMerge } from './embedding-merge.js';
import { embeddingEntries } from './embedding-entries.js';
import type { VectorFolder } from './vector-folder.js';
import { AskedTexts, VectorStore } from './vector-store.js';

/** How many candidates are prepared together. */
const CHUNK_SIZE = 1024;

/**
 * Embeds the texts of parts, and keeps their vectors beside the input: what compares candidates with each other is then
 * computed in one process, in the order of the input, as on one machine. Nothing is scored in a part.
 */
export class EmbedWork implements JobWork {
  readonly #store: VectorStore;
  readonly #run: StreamRun;
  readonly #entries: ReadonlySet<string>;

  private constructor(
    private readonly job: Job,
    private readonly compiled: CompiledProfile,
    store: VectorStore,
    private readonly input: ByteInput,
    private readonly of: BytesOfJob,
    private readonly folder: VectorFolder,
  ) {
    this.#store = store;
    this.#run = openSharedRun(compiled.plan, job.run);
    this.#entries = embeddingEntries(compiled.plan.profile);
  }

  static async open(
    job: Job,
    host: PipelineOptions,
    input: ByteInput,
    of: BytesOfJob,
    folder: VectorFolder,
  ): Promise<EmbedWork> {
    const store = new VectorStore();
    const services = [{ token: EMBEDDING_CACHE, value: store }];
    const compiled = await createCompiledProfile(job.profile, { ...host, services });
    return new EmbedWork(job, compiled, store, input, of, folder);
  }

  async partial(index: number): Promise<PartContent> {
    const lines = await readKnownLines(this.input, this.of, index);
    const digest = digestOf(lines.bytes);
    const known = await this.folder.read(digest);
    const asked = new AskedTexts(known, false);
    let trouble: string | undefined;
    // An entry that has no vectors cannot say what it asks for next: as often as something was missing.
    do {
      // oxlint-disable-next-line no-await-in-loop -- each asks for what the one before it did not know of
      trouble = await this.#store.during(asked, () => this.#prepare(lines));
      // oxlint-disable-next-line no-await-in-loop
    } while (await asked.embedMissing());
    if (trouble !== undefined) throw new Error(`its texts cannot be embedded: ${trouble}`);
    if (asked.made.size > 0) await this.folder.write(digest, new Map([...known, ...asked.found]));
    const { found, made } = asked;
    return { embedded: { lines: countLines(lines.bytes), texts: found.size, made: made.size } };
  }

  merge(state: MergeState | undefined): Merge {
    const rank = (candidates: readonly object[], asked: AskedTexts): Promise<Ranking<object>> =>
      this.#rank(candidates, asked);
    return new EmbeddingMerge(this.job, this.input, this.of, this.folder, rank, state);
  }

  /** Prepares the entries that embed; says why one of them cannot be, where one cannot. */
  async #prepare({ bytes, offset }: ShardLines): Promise<string | undefined> {
    const failures = new Failures();
    let failed: string | undefined;
    for (const { values } of parseJsonLines(bytes, offset === 0, CHUNK_SIZE, () => true)) {
      const part = startPart(this.#run, values, failures);
      const work = (): MaybeAsync<void> => prepareOnly(part, (id) => this.#entries.has(id));
      // oxlint-disable-next-line no-await-in-loop -- in memory for one
      await completePart(this.#run, work, values).catch((error: unknown) => {
        if (!(error instanceof AssizeError)) throw error;
        failed ??= error.problems[0]?.message;
      });
    }
    const own = failures.entries.find(({ unprepared, failure }) => unprepared && this.#entries.has(failure.entry));
    return failed ?? own?.failure.cause;
  }

  #rank(candidates: readonly object[], asked: AskedTexts): Promise<Ranking<object>> {
    const { plan } = this.compiled;
    const call = wholeCall(plan, this.job.run, candidates, this.job.budget);
    return this.#store.during(asked, async () =>
      createRanking<object>(this.compiled, call, await runAsync(executeCall(plan, call, run))),
    );
  }
}
