import type { StudioData } from '../../data/studio-data.js';
import type { FileEdit } from '../../save/data-edit.js';
import { type AskServer, hasServer, Ranker } from './ranker.js';

/** More drafts than this are not kept: each has the scores of all its scorers. */
const MOST = 4;

/**
 * The profile in the file, and its drafts by structural edits, for the candidates of one query. Each has its own ranker,
 * which ranks by the other settings without the server.
 */
export class Drafts {
  readonly #known = new Map<string, Promise<Ranker>>();

  private constructor(
    /** Ranks by the profile in the file. */
    readonly saved: Ranker,
    readonly ask: AskServer | undefined,
  ) {}

  /** @throws AssizeError if the profile does not rank */
  static async open(data: StudioData, ask: AskServer | undefined): Promise<Drafts> {
    return new Drafts(await Ranker.open(data, ask), ask);
  }

  /**
   * The ranker of the profile with edits.
   *
   * @throws ServerError with the problems of the draft
   */
  of(edits: readonly FileEdit[]): Promise<Ranker> {
    if (edits.length === 0) return Promise.resolve(this.saved);
    const key = JSON.stringify(edits);
    const ranker = this.#known.get(key) ?? this.#open(edits);
    this.#known.delete(key);
    this.#known.set(key, ranker); // the last one used is the last one to go
    ranker.catch(() => void this.#known.delete(key));
    for (const old of [...this.#known.keys()].slice(0, -MOST)) this.#known.delete(old);
    return ranker;
  }

  async #open(edits: readonly FileEdit[]): Promise<Ranker> {
    const { ask, saved } = this;
    if (!ask) throw new Error('this page has no server, so entries cannot be added or removed');
    const { profile, scores, refusals, signals, units, controls, curves, notes, editing } = await ask(edits);
    const draft = { profile, scores, refusals, signals, units, controls, curves, notes, ...(editing && { editing }) };
    const askMore: AskServer = (more) => ask([...edits, ...more]);
    return Ranker.open({ ...saved.data, ...draft }, Object.assign(askMore, { isLimited: !hasServer(ask) }));
  }
}
