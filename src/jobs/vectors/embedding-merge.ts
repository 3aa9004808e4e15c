import { BOOLEAN, checkOptions, isObject, type Problem, toAssizeError } from '../../diagnostics/index.js';
import type { TopRanking } from '../../index.js';
import { RowProblems } from '../../input/index.js';
import { readJsonLines } from '../../input/json/json-lines.js';
import type { Ranking } from '../../ranking/index.js';
import { topOfRanking } from '../../stream/top-ranking.js';
import { countLines } from '../../workers/index.js';
import { digestOf } from '../fingerprint.js';
import { type ByteInput, shownName } from '../input/byte-input.js';
import { readKnownLines } from '../input/shard-lines.js';
import { type BytesOfJob, type Job, notAJobError, partsOf } from '../job.js';
import { type EndOptions, Merge, type MergeState } from '../merge.js';
import type { EmbeddedPart, PartContent } from '../part.js';
import type { TextVectors } from './text-vectors.js';
import type { VectorFolder } from './vector-folder.js';
import { AskedTexts } from './vector-store.js';

/** The file of vectors that no part has asked for: what a veto refuses in a part, and not among all, for example. */
const REST = 'rest';

/** The whole input. */
interface ReadInput {
  readonly candidates: readonly object[];
  readonly problems: readonly Problem[];
  readonly vectors: TextVectors;
}

/**
 * Merges parts whose texts are embedded: all candidates are ranked here, in the order of the input, by the vectors that
 * are kept beside it. A text without one is embedded here.
 */
export class EmbeddingMerge extends Merge {
  readonly #parts: Map<number, EmbeddedPart>;
  #input: Promise<ReadInput> | undefined;

  constructor(
    job: Job,
    private readonly input: ByteInput,
    private readonly of: BytesOfJob,
    private readonly folder: VectorFolder,
    private readonly rank: (candidates: readonly object[], asked: AskedTexts) => Promise<Ranking<object>>,
    state?: MergeState,
  ) {
    super(job, state);
    const known = isObject(state?.merged) ? state.merged['parts'] : undefined;
    this.#parts = new Map(Array.isArray(known) ? (known as [number, EmbeddedPart][]) : []);
  }

  override async end(options: EndOptions = {}): Promise<TopRanking<object>> {
    checkOptions('end', options, { skipUnreadable: BOOLEAN });
    this.checkComplete();
    const { candidates, problems, vectors } = await this.#read();
    if (problems.length > 0 && options.skipUnreadable !== true) throw toAssizeError(problems);
    const rest = await this.folder.read(REST);
    const asked = new AskedTexts(new Map([...vectors, ...rest]), true);
    const ranking = await this.rank(candidates, asked);
    if (asked.made.size > 0) await this.folder.write(REST, new Map([...rest, ...asked.made]));
    const made = [...this.#parts.values()].reduce((sum, part) => sum + part.made, 0);
    const embedded = `of ${asked.found.size} texts, workers embedded ${made} and this process ${asked.made.size}`;
    return topOfRanking(ranking, [`all candidates are ranked in this process, in their order: ${embedded}`]);
  }

  override async unreadable(): Promise<readonly Problem[]> {
    return (await this.#read()).problems;
  }

  protected override add(index: number, content: Exclude<PartContent, { readonly failed: string }>): void {
    if (!('embedded' in content)) throw notAJobError('part', 'it is not embedded');
    this.#parts.set(index, content.embedded);
  }

  protected override hasDone(index: number): boolean {
    return this.#parts.has(index);
  }

  protected override get merged(): unknown {
    return { parts: [...this.#parts] };
  }

  /** Reads the input, shard by shard, with the vectors of each; once. */
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
      const { bytes } = await readKnownLines(this.input, this.of, index);
      for await (const rows of readJsonLines([bytes], shownName(this.of.name), problems, before))
        candidates.push(...rows);
      for (const [key, vector] of await this.#vectorsOf(index, digestOf(bytes))) vectors.set(key, vector);
      // oxlint-enable no-await-in-loop
      before += countLines(bytes);
    }
    return { candidates, problems: problems.all, vectors };
  }

  /** @throws AssizeError (ASZ586) where the vectors that were made are not here */
  async #vectorsOf(index: number, digest: string): Promise<TextVectors> {
    const kept = await this.folder.readKept(digest);
    if (kept || (this.#parts.get(index)?.texts ?? 0) === 0) return kept ?? new Map<string, Float32Array>();
    const message = `the vectors of part ${index} are not in ${this.folder.path}`;
    const hint = 'a worker has kept them where this machine does not read: a folder that all share is --vectors FOLDER';
    throw toAssizeError([{ code: 'ASZ586', message, hint }]);
  }
}
