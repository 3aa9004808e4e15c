import { setImmediate as nextTurn } from 'node:timers/promises';
import { type PipelineOptions, type Problem, toAssizeError, type TopRanking } from 'assize';
import { checkOptions, isRankPart, ProfileParts, RowProblems } from 'assize/internal';
import { type ByteInput, bytesOf, knownLineReads, readKnownLines, readLinesOf, shownName } from './job-input.js';
import { type Job, notAJobError, type PartContent } from './job.js';
import { type EndOptions, Merge, type MergeState } from './merge.js';

/** How a machine computes the parts of a job, which depends on the job's `work`. */
export interface PartWork {
  /** @param rows the candidates of the part, if the job's input is `rows` */
  partial(index: number, rows: readonly object[] | undefined, attempt: Attempt): Promise<PartContent>;
}

/** The work of a machine for a job that has one ranking. */
export interface JobWork extends PartWork {
  merge(state: MergeState | undefined): Merge;
}

/** What an attempt at a part knows of earlier ones, and leaves for later ones. */
export interface Attempt {
  /** Its type is not public. */
  readonly progress?: object | undefined;
  /** Called with the progress after each chunk, if an entry calls code. */
  readonly onProgress?: ((progress: object) => Promise<void> | void) | undefined;
}

/** The number of candidates per chunk. Between chunks the event loop can renew a lock or read a message. */
const CHUNK_SIZE = 256;

/** The same if an entry calls code, such as a model: a retry evaluates these candidates again. */
const EXPENSIVE_CHUNK_SIZE = 32;

type RankPart = Awaited<ReturnType<ProfileParts['rankRows']>>;

/** Ranks parts of a profile that scores each candidate independently. */
export class RankWork implements JobWork {
  private constructor(
    private readonly job: Job,
    private readonly parts: ProfileParts,
    private readonly input: ByteInput | undefined,
  ) {}

  static async open(job: Job, host: PipelineOptions, input: ByteInput | undefined): Promise<RankWork> {
    return new RankWork(job, await ProfileParts.open(job.profile, host, job.run, job.budget), input);
  }

  async partial(index: number, rows: readonly object[] | undefined, attempt: Attempt): Promise<PartContent> {
    return { ranked: await this.#rank(index, 0, rows, attempt) };
  }

  merge(state: MergeState | undefined): Merge {
    const retry = (index: number, before: number): Promise<RankPart> => this.#rank(index, before);
    return new RankingMerge(this.job, this.parts, this.input, retry, state);
  }

  async #rank(
    index: number,
    before: number,
    rows?: readonly object[],
    { progress, onProgress }: Attempt = {},
  ): Promise<RankPart> {
    const { input: of } = this.job;
    // Expressions rank a part in less time than its progress takes to copy.
    const { callsCode } = this.parts;
    const chunkSize = callsCode ? EXPENSIVE_CHUNK_SIZE : CHUNK_SIZE;
    const attempt = { progress, onProgress: callsCode ? onProgress : undefined };
    const options = { before, skipUnreadable: true, chunkSize, pause: nextTurn, ...attempt };
    if (of.kind === 'rows' || !this.input) {
      if (!rows)
        throw toAssizeError([
          { code: 'ASZ578', message: `part ${index} has no candidates: pass them, partial(${index}, rows)` },
        ]);
      return this.parts.rankRows(rows, options);
    }
    if (rows)
      throw toAssizeError([
        { code: 'ASZ578', message: `part ${index} is read from ${shownName(of.name)}, but candidates were passed too` },
      ]);
    return this.parts.rankLines(await readKnownLines(this.input, of, index), options);
  }
}

/** Merges ranked parts: their best rows and their counts. */
class RankingMerge extends Merge {
  readonly #merge: ReturnType<ProfileParts['merge']>;

  /** @param retry ranks a part in this process, given the number of candidates before it */
  constructor(
    job: Job,
    parts: ProfileParts,
    private readonly input: ByteInput | undefined,
    private readonly retry: (index: number, before: number) => Promise<RankPart>,
    state?: MergeState,
  ) {
    super(job, state?.failed);
    this.#merge = parts.merge(state?.merged);
  }

  override async end(options: EndOptions = {}): Promise<TopRanking<object>> {
    checkOptions('end', options, { skipUnreadable: 'boolean' });
    this.checkComplete();
    await this.#retryFailed();
    const unreadable = await this.unreadable();
    if (unreadable.length > 0 && options.skipUnreadable !== true) throw toAssizeError(unreadable);
    const { input } = this.job;
    const reads = this.input && input.kind === 'bytes' ? knownLineReads(this.input, input) : () => Buffer.alloc(0);
    const name = input.kind === 'bytes' ? shownName(input.name) : 'a part';
    const candidates = await this.#merge.candidates(reads, name);
    // The first candidates of `rows` are in the parts.
    const ranking = await this.#merge.rank(candidates, () => (this.input ? bytesOf(this.input) : []));
    checkScores(ranking, new Map(this.#merge.retained().map(({ index, total }) => [index, total])));
    return ranking;
  }

  override async unreadable(): Promise<readonly Problem[]> {
    const { input: of } = this.job;
    if (!this.input || of.kind === 'rows' || this.#merge.unreadable.length === 0) return [];
    const problems = new RowProblems();
    for (const { index, linesBefore } of this.#merge.unreadable) {
      // oxlint-disable-next-line no-await-in-loop -- in the order of the lines
      const lines = await readLinesOf(this.input, of, index);
      // oxlint-disable-next-line no-await-in-loop -- only collects problems
      for await (const rows of lines.candidates(shownName(of.name), problems, linesBefore)) void rows;
    }
    return problems.all;
  }

  protected override add(index: number, content: Exclude<PartContent, { readonly failed: string }>): void {
    if (!('ranked' in content) || !isRankPart(content.ranked))
      throw notAJobError('part', 'its candidates are not ranked');
    this.#merge.take(index, content.ranked);
  }

  protected override hasDone(index: number): boolean {
    return this.#merge.has(index);
  }

  protected override get merged(): unknown {
    return this.#merge.state;
  }

  async #retryFailed(): Promise<void> {
    for (const index of [...this.failed.keys()].toSorted((a, b) => a - b)) {
      // oxlint-disable-next-line no-await-in-loop -- the position of a part's candidates depends on the parts before it
      this.#merge.take(index, await this.retry(index, this.#merge.given));
      this.failed.delete(index);
    }
  }
}

/** @throws AssizeError (ASZ576) if a selected candidate has another score here than in its part */
function checkScores({ selected }: TopRanking<object>, totals: ReadonlyMap<number, number>): void {
  for (const { id, index, score } of selected) {
    const total = totals.get(index);
    if (score === undefined || total === undefined || Object.is(score, total)) continue;
    const message = `the score of ${id} is ${score} here, but ${total} on the machine that ranked its part`;
    const hint = 'a unit depends on something besides its profile: a model, a file, the time or chance';
    throw toAssizeError([{ code: 'ASZ576', message, hint }]);
  }
}
