import type { StudioData } from '../../data/studio-data.js';
import type { FileEdit } from '../../save/data-edit.js';
import { splitEdits, withParamEdits } from './local-draft.js';
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

  /** The same by the server, if the classes of the page rank with other roundings. */
  async exactly(edits: readonly FileEdit[]): Promise<Ranker> {
    const ranker = await this.of(edits);
    if (ranker.isExact || edits.length === 0) return ranker;
    const exact = await this.#openThere(edits);
    const key = JSON.stringify(edits);
    if (this.#known.has(key)) this.#known.set(key, Promise.resolve(exact));
    return exact;
  }

  async #open(edits: readonly FileEdit[]): Promise<Ranker> {
    return (await this.#openHere(edits)) ?? this.#openThere(edits);
  }

  async #openThere(edits: readonly FileEdit[]): Promise<Ranker> {
    const { ask, saved } = this;
    if (!ask) throw new Error('this page has no server, so entries cannot be added or removed');
    const { editing, ...parts } = await ask(edits);
    const { profile, scores, refusals, signals, units, bounded, controls, curves, notes } = parts;
    const draft = { profile, scores, refusals, signals, units, bounded, controls, curves, notes };
    return Ranker.open({ ...saved.data, ...draft, ...(editing && { editing }) }, this.#askBeside(edits));
  }

  /** The same without the server, if only params differ and the page has the classes; undefined otherwise. */
  async #openHere(edits: readonly FileEdit[]): Promise<Ranker | undefined> {
    const [others, params] = splitEdits(edits);
    if (params.length === 0 || !hasServer(this.ask)) return undefined;
    const base = await this.of(others).catch(() => undefined);
    const agreement = (await base?.prepareClasses()) ?? 'other';
    const data = base && agreement !== 'other' ? withParamEdits(base.data, params) : undefined;
    // The server reports a problem of the params with its place in the file.
    if (!base || !data) return undefined;
    const quick = await base.quickRanking(data.profile, new Set(params.map(({ id }) => id)));
    return Ranker.open(data, this.#askBeside(edits), agreement, quick).catch(() => undefined);
  }

  /** Asks the server about more edits. */
  #askBeside(edits: readonly FileEdit[]): AskServer | undefined {
    const { ask } = this;
    if (!ask) return undefined;
    const askMore: AskServer = (more) => ask([...edits, ...more]);
    return Object.assign(askMore, { isLimited: !hasServer(ask) });
  }
}
