import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type PipelineOptions, type Problem, toAssizeError, type TopRanking } from 'assize';
import { checkOptions, ProfileParts, RowProblems } from 'assize/internal';
import { type Embedder, type Embeddings, EMBEDDING_CACHE, EmbeddingCache, isMap } from 'assize/sdk';
import { type ByteInput, readKnownLines, shownName } from './job-input.js';
import {
  type BytesOfJob,
  digestOf,
  type EmbeddedPart,
  type Job,
  notAJobError,
  type PartContent,
  partsOf,
} from './job.js';
import { type EndOptions, Merge, type MergeState } from './merge.js';
import type { JobWork } from './rank-work.js';
import { keyOf, type TextVectors, type VectorFolder } from './vector-folder.js';

/**
 * Embeds the texts of parts and writes their vectors to a folder. Parts are not scored: the process that merges them
 * compares and ranks all candidates in the order of the input, as on one machine.
 */
export class EmbedWork implements JobWork {
  private constructor(
    private readonly job: Job,
    private readonly parts: ProfileParts,
    private readonly store: VectorStore,
    private readonly input: ByteInput,
    private readonly of: BytesOfJob,
    private readonly folder: VectorFolder,
  ) {}

  static async open(
    job: Job,
    host: PipelineOptions,
    input: ByteInput,
    of: BytesOfJob,
    folder: VectorFolder,
  ): Promise<EmbedWork> {
    const store = new VectorStore();
    const services = [{ token: EMBEDDING_CACHE, value: store }];
    const parts = await ProfileParts.open(job.profile, { ...host, services }, job.run, job.budget);
    return new EmbedWork(job, parts, store, input, of, folder);
  }

  async partial(index: number): Promise<PartContent> {
    const lines = await readKnownLines(this.input, this.of, index);
    const digest = digestOf(lines.bytes);
    const known = await this.folder.read(digest);
    const asked = new AskedTexts(known, false);
    let trouble: string | undefined;
    try {
      // An entry without vectors fails before its later requests. Repeat until no text is missing.
      do {
        // oxlint-disable-next-line no-await-in-loop -- each round requests texts that the previous one could not
        trouble = await this.store.during(asked, () => this.parts.embedLines(lines));
        // oxlint-disable-next-line no-await-in-loop
      } while (await asked.embedMissing());
      if (trouble !== undefined) throw new Error(`the texts cannot be embedded: ${trouble}`);
    } finally {
      // After a failure, too: the next attempt embeds only the other texts.
      if (asked.made.size > 0) await this.folder.write(digest, new Map([...known, ...asked.found]));
    }
    const { found, made } = asked;
    return { embedded: { lines: lines.count, texts: found.size, made: made.size } };
  }

  merge(state: MergeState | undefined): Merge {
    const rank: RankEmbedded = (candidates, asked, notices) =>
      this.store.during(asked, () => this.parts.rankAll(candidates, notices));
    return new EmbeddingMerge(this.job, this.input, this.of, this.folder, rank, state);
  }
}

/** Ranks all candidates with the vectors of these texts. */
type RankEmbedded = (
  candidates: readonly object[],
  asked: AskedTexts,
  notices: () => readonly string[],
) => Promise<TopRanking<object>>;

/** The file of vectors that no part requested, for example because a veto refuses a candidate in a part but not in the whole. */
const REST = 'rest';

/** The whole input. */
interface ReadInput {
  readonly candidates: readonly object[];
  readonly problems: readonly Problem[];
  readonly vectors: TextVectors;
}

/**
 * Merges parts whose texts are embedded. Ranks all candidates in this process, in the order of the input, with the vectors
 * of the folder. Embeds texts that have no vector.
 */
export class EmbeddingMerge extends Merge {
  readonly #parts: Map<number, EmbeddedPart>;
  #input: Promise<ReadInput> | undefined;

  constructor(
    job: Job,
    private readonly input: ByteInput,
    private readonly of: BytesOfJob,
    private readonly folder: VectorFolder,
    private readonly rank: RankEmbedded,
    state?: MergeState,
  ) {
    super(job, state?.failed);
    const known = isMap(state?.merged) ? state.merged['parts'] : undefined;
    this.#parts = new Map(Array.isArray(known) ? (known as [number, EmbeddedPart][]) : []);
  }

  override async end(options: EndOptions = {}): Promise<TopRanking<object>> {
    checkOptions('end', options, { skipUnreadable: 'boolean' });
    this.checkComplete();
    const { candidates, problems, vectors } = await this.#read();
    if (problems.length > 0 && options.skipUnreadable !== true) throw toAssizeError(problems);
    const rest = await this.folder.read(REST);
    const asked = new AskedTexts(new Map([...vectors, ...rest]), true);
    const ranking = await this.rank(candidates, asked, () => {
      const made = [...this.#parts.values()].reduce((sum, part) => sum + part.made, 0);
      const embedded = `workers embedded ${made} and this process ${asked.made.size} of ${asked.found.size} texts`;
      return [`this process ranked all candidates in order: ${embedded}`];
    });
    if (asked.made.size > 0) await this.folder.write(REST, new Map([...rest, ...asked.made]));
    return ranking;
  }

  override async unreadable(): Promise<readonly Problem[]> {
    return (await this.#read()).problems;
  }

  protected override add(index: number, content: Exclude<PartContent, { readonly failed: string }>): void {
    if (!('embedded' in content)) throw notAJobError('part', 'its texts are not embedded');
    this.#parts.set(index, content.embedded);
  }

  protected override hasDone(index: number): boolean {
    return this.#parts.has(index);
  }

  protected override get merged(): unknown {
    return { parts: [...this.#parts] };
  }

  /** Reads the input and its vectors shard by shard, once. */
  #read(): Promise<ReadInput> {
    this.#input ??= this.#readAll();
    return this.#input;
  }

  async #readAll(): Promise<ReadInput> {
    const candidates: object[] = [];
    const vectors = new Map<string, Float32Array>();
    const problems = new RowProblems();
    let before = 0;
    for (let index = 0; index < partsOf(this.job); index++) {
      // oxlint-disable no-await-in-loop -- in the order of the input
      const lines = await readKnownLines(this.input, this.of, index);
      for await (const rows of lines.candidates(shownName(this.of.name), problems, before)) candidates.push(...rows);
      for (const [key, vector] of await this.#vectorsOf(index, digestOf(lines.bytes))) vectors.set(key, vector);
      // oxlint-enable no-await-in-loop
      before += lines.count;
    }
    return { candidates, problems: problems.all, vectors };
  }

  /** @throws AssizeError (ASZ586) if the vectors of an embedded part are missing */
  async #vectorsOf(index: number, digest: string): Promise<TextVectors> {
    const kept = await this.folder.readKept(digest);
    if (kept || (this.#parts.get(index)?.texts ?? 0) === 0) return kept ?? new Map<string, Float32Array>();
    const message = `the vectors of part ${index} are not in ${this.folder.path}`;
    const hint = 'a worker stored them in another folder: pass a folder that all machines share, --vectors FOLDER';
    throw toAssizeError([{ code: 'ASZ586', message, hint }]);
  }
}

/** The number of texts per batch. The event loop runs between batches. */
const BATCH = 32;

/** Thrown if a vector is not known yet. The work is repeated when it is. */
class NotEmbeddedYet extends Error {
  override readonly name = 'NotEmbeddedYet';
}

/** The texts whose vectors some work requests: texts with a known vector, and texts that must be embedded. */
export class AskedTexts {
  readonly #missing = new Map<string, { readonly embedder: Embedder; readonly texts: Set<string> }>();
  /** The vectors of requested texts that are known. */
  readonly found = new Map<string, Float32Array>();
  /** The vectors in `found` that were embedded here. */
  readonly made = new Map<string, Float32Array>();

  /** @param waits whether the work waits until a text is embedded; otherwise it fails and is repeated */
  constructor(
    private readonly known: TextVectors,
    private readonly waits: boolean,
  ) {}

  /** @throws NotEmbeddedYet if a vector is not known and the work does not wait */
  vectorsOf(embedder: Embedder, texts: readonly string[], abort?: AbortSignal): Embeddings | Promise<Embeddings> {
    let isWhole = true;
    for (const text of texts) isWhole = this.#find(embedder, text) && isWhole;
    const vectors = (): Embeddings => texts.map((text) => this.found.get(keyOf(embedder.name, text))!.slice());
    if (isWhole) return vectors();
    if (!this.waits) throw new NotEmbeddedYet('the text is not embedded yet');
    return this.embedMissing(abort).then(vectors);
  }

  /** Embeds missing texts. Returns whether there were any. */
  async embedMissing(abort?: AbortSignal): Promise<boolean> {
    const missing = [...this.#missing.values()];
    this.#missing.clear();
    for (const { embedder, texts } of missing) {
      const all = [...texts];
      for (let from = 0; from < all.length; from += BATCH) {
        const batch = all.slice(from, from + BATCH);
        // oxlint-disable-next-line no-await-in-loop -- some at a time
        const vectors = await embedder.embed(batch, abort);
        if (vectors.length !== batch.length)
          throw new Error(`${embedder.name} returned ${vectors.length} vectors for ${batch.length} texts`);
        for (const [k, text] of batch.entries()) this.#keep(keyOf(embedder.name, text), vectors[k]!);
        // oxlint-disable-next-line no-await-in-loop
        await nextTurn();
        abort?.throwIfAborted();
      }
    }
    return missing.length > 0;
  }

  #keep(key: string, vector: Float32Array): void {
    this.found.set(key, vector);
    this.made.set(key, vector);
  }

  #find(embedder: Embedder, text: string): boolean {
    const key = keyOf(embedder.name, text);
    const vector = this.found.get(key) ?? this.known.get(key);
    if (vector) {
      this.found.set(key, vector);
      return true;
    }
    const missing = this.#missing.get(embedder.name) ?? { embedder, texts: new Set<string>() };
    this.#missing.set(embedder.name, missing);
    missing.texts.add(text);
    return false;
  }
}

/**
 * Replaces the embedding cache of a pipeline. During `during`, it returns the vectors of the given `AskedTexts`.
 */
export class VectorStore extends EmbeddingCache {
  readonly #asked = new AsyncLocalStorage<AskedTexts>();

  /** Runs work whose embedders use the vectors of these texts. */
  during<R>(asked: AskedTexts, work: () => Promise<R>): Promise<R> {
    return this.#asked.run(asked, work);
  }

  override embed(embedder: Embedder, texts: readonly string[], abort?: AbortSignal): Embeddings | Promise<Embeddings> {
    const asked = this.#asked.getStore();
    return asked ? asked.vectorsOf(embedder, texts, abort) : super.embed(embedder, texts, abort);
  }
}
